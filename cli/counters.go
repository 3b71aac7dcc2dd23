package cli

import (
	"fmt"
	"strconv"

	"qipu/view"
)

// CountersTable lays out the counts of a search for people.
func CountersTable(c *view.Counters) *Table {
	t := &Table{Columns: []string{"count", "of", "number", "leaves"}}
	row := func(count, of string, n int64, rest string) {
		t.Add(nil, count, of, strconv.FormatInt(n, 10), rest)
	}
	row("positions", "", c.Nodes, strconv.FormatInt(c.Leaves, 10))
	for _, p := range c.Plies {
		row("ply", strconv.Itoa(p.Ply), p.Nodes, strconv.FormatInt(p.Leaves, 10))
	}
	for _, l := range c.Left {
		row("left", l.Name, l.Count, "")
	}
	for i, n := range c.CutAt {
		if n > 0 {
			row("cut by move", strconv.Itoa(i+1), n, "")
		}
	}
	if c.Hits > 0 {
		row("table hits", "", c.Hits, "")
	}
	if c.Untold > 0 {
		row("not told singly", "", c.Untold, "")
	}
	for _, w := range c.Work {
		row("calls", w.Name, w.Calls, "")
	}
	return t
}

// SayWork says where the time of a search went, at a terminal: what is printed on
// standard output is the same every time.
func (a *App) SayWork(c *view.Counters) {
	if !a.ErrTerm {
		return
	}
	for _, w := range c.Work {
		fmt.Fprintf(a.Err, "%s: about %.3f s\n", w.Name, w.Seconds)
	}
}
