package rules

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"qipu/mine/dataset"
)

// Sequence says that games in which one item is followed by another within some plies end
// otherwise than those in which it is not.
type Sequence struct {
	First, Then int // items of the table
	Within      int // plies

	Square    // rows with the first, those that have the sequence, and wins of the first side among each
	P, Q      float64
	Effect    // of the sequence over the first item alone, within strata
	AdjustedQ float64
}

// Followed is what sequences were found.
type Followed struct {
	Sequences []Sequence
	Tests     int
	Passed    int // before strata
	Folded    int // that say no more than both items in any order
	Strata    Strata
	Rows      int
	Left      []string
}

// Sequences finds items after which, within so many plies, another one decides more than the
// first alone. The second begins behind the first; its own beginning counts.
func Sequences(ctx context.Context, s *dataset.Set, o Options) (*Followed, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	found := &Found{Strata: StrataOf(s, o.Judge)}
	result, err := results(s, o.Judge, found)
	if err != nil {
		return nil, err
	}
	o.Most = min(o.Most, mostTimed)
	m := &miner{ctx: ctx, set: s, Options: o, Found: found, grid: layOut(s, &found.Strata, result)}
	found.Rows = m.grid.rows
	if err := m.choose(); err != nil {
		return nil, err
	}
	f := &Followed{Strata: found.Strata, Rows: found.Rows}
	n, strata := len(m.ids), found.Strata.N
	events := make([][]event, len(s.Rows))
	for c, id := range m.ids {
		for _, sp := range s.Items[id].Spans {
			events[sp.Row] = append(events[sp.Row], event{sp.From, uint16(c)})
		}
	}
	after := make([]Cell, n*n*strata) // by first, then, stratum
	first := make([]Cell, n*strata)
	seen := make([]int32, n*n)
	had := make([]int32, n)
	for r := range s.Rows {
		if r&0xFFF == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if o.Progress != nil {
				o.Progress(r, len(s.Rows))
			}
		}
		if !dataset.Known(result[r]) {
			continue
		}
		list, w, stratum := events[r], s.Rows[r].Weight, int(found.Strata.Of[r])
		slices.SortFunc(list, func(a, b event) int { return cmp.Or(int(a.ply)-int(b.ply), int(a.item)-int(b.item)) })
		cell := Cell{N: w}
		switch x := result[r]; {
		case x >= .75:
			cell.Wins = w
		case x > .25:
			cell.Draws = w
		}
		for i, a := range list {
			if had[a.item] != int32(r)+1 {
				had[a.item] = int32(r) + 1
				first[int(a.item)*strata+stratum].add(cell)
			}
			for _, b := range list[i+1:] {
				if int(b.ply)-int(a.ply) > o.Within {
					break
				}
				at := int(a.item)*n + int(b.item)
				if b.ply == a.ply || b.item == a.item || seen[at] == int32(r)+1 {
					continue
				}
				seen[at] = int32(r) + 1
				after[at*strata+stratum].add(cell)
			}
		}
	}
	f.Left = found.Left
	logs := NewLogs(found.Rows)
	rest := make([]Cell, strata)
	var ps, adjusted []float64
	var list []Sequence
	for a := range n {
		whole := first[a*strata : (a+1)*strata]
		for b := range n {
			cells := after[(a*n+b)*strata : (a*n+b+1)*strata]
			q := square(cells, whole, 0)
			if a == b || q.With < m.least {
				continue
			}
			minus(rest, whole, cells)
			e := Compare(cells, rest)
			p := logs.Fisher(q)
			ps, adjusted = append(ps, p), append(adjusted, e.P)
			list = append(list, Sequence{First: m.ids[a], Then: m.ids[b], Within: o.Within, Square: q, P: p, Effect: e})
		}
	}
	f.Tests = len(list)
	qs, aq := Adjust(o.Control, ps, len(ps)), Adjust(o.Control, adjusted, len(adjusted))
	for i := range list {
		list[i].Q, list[i].AdjustedQ = qs[i], aq[i]
		if qs[i] <= o.Rate {
			f.Passed++
			switch {
			case aq[i] > o.Rate:
			case m.ordered(&list[i]):
				f.Sequences = append(f.Sequences, list[i])
			default:
				f.Folded++
			}
		}
	}
	if f.Tests == 0 {
		f.Left = append(f.Left, fmt.Sprintf("no item follows another within %d plies in at least %d rows", o.Within, m.least))
	}
	slices.SortStableFunc(f.Sequences, func(x, y Sequence) int {
		return cmp.Compare(math.Abs(y.Score)-y.Error, math.Abs(x.Score)-x.Error)
	})
	return f, nil
}

// ordered reports whether a sequence says more than both of its items in any order and at
// any distance.
func (m *miner) ordered(q *Sequence) bool {
	both := slices.Clone(m.grid.columns[q.First])
	both.And(both, m.grid.columns[q.Then])
	cells, all := make([]Cell, m.Strata.N), make([]Cell, m.Strata.N)
	m.grid.count(all, both)
	m.grid.count(cells, m.grid.lay(q.Rows(m.set)))
	rest := make([]Cell, m.Strata.N)
	minus(rest, all, cells)
	e := Compare(cells, rest)
	return e.Error > 0 && math.Abs(e.Score)*sigma95 >= surely*e.Error && e.Score*q.Score > 0
}

// mostTimed is of how many items all pairs are looked at.
const mostTimed = 400

type event struct{ ply, item uint16 }

func (c *Cell) add(d Cell) {
	c.N += d.N
	c.Wins += d.Wins
	c.Draws += d.Draws
}

// Rows returns the rows of a table that have the sequence.
func (q *Sequence) Rows(s *dataset.Set) dataset.Bits {
	b := dataset.NewBits(len(s.Rows))
	first, then := s.Items[q.First].Spans, s.Items[q.Then].Spans
	for len(first) > 0 && len(then) > 0 {
		row := max(first[0].Row, then[0].Row)
		var x, y []dataset.Span
		x, first = ofRow(first, row)
		y, then = ofRow(then, row)
		for _, a := range x {
			for _, c := range y {
				if c.From > a.From && int(c.From)-int(a.From) <= q.Within {
					b.Set(int(row))
				}
			}
		}
	}
	return b
}

// ofRow returns the spans of a row, and those behind.
func ofRow(list []dataset.Span, row uint32) (of, rest []dataset.Span) {
	for len(list) > 0 && list[0].Row < row {
		list = list[1:]
	}
	n := 0
	for n < len(list) && list[n].Row == row {
		n++
	}
	return list[:n], list[n:]
}
