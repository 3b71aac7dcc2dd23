package tree

import (
	"fmt"
	"strconv"
	"strings"
)

// Condition is what a branch asks of a row: a column is there or not, lies in a
// range, or has one of some levels.
type Condition struct {
	Column   string
	Flag     bool     // There tells which
	There    bool     //
	From, To *float32 // above From, at most To
	Levels   []string
	Unknown  bool // rows whose value is not known are here too
}

func (c Condition) String() string {
	s := ""
	switch {
	case c.Flag && c.There:
		s = "with " + c.Column
	case c.Flag:
		s = "without " + c.Column
	case len(c.Levels) > 4:
		s = fmt.Sprintf("%s one of %s and %d more", c.Column, strings.Join(c.Levels[:3], ", "), len(c.Levels)-3)
	case c.Levels != nil:
		s = c.Column + " " + strings.Join(c.Levels, " or ")
	case c.From != nil && c.To != nil:
		s = fmt.Sprintf("%s above %s and at most %s", c.Column, number(*c.From), number(*c.To))
	case c.From != nil:
		s = fmt.Sprintf("%s above %s", c.Column, number(*c.From))
	case c.To != nil:
		s = fmt.Sprintf("%s at most %s", c.Column, number(*c.To))
	}
	if c.Unknown && !c.Flag {
		s += " or unknown"
	}
	return s
}

func number(v float32) string { return strconv.FormatFloat(float64(v), 'g', 4, 32) }

// Condition returns what a branch of an inner node asks.
func (t *Tree) Condition(n *Node, branch int) Condition {
	s := n.Split
	col := &t.Columns[s.Column]
	c := Condition{Column: col.Name, Unknown: s.Unknown == branch}
	switch {
	case col.Flag:
		c.Flag, c.There = true, branch == 1
	case s.Branch != nil:
		c.Levels = []string{}
		for level, b := range s.Branch {
			if b == branch {
				c.Levels = append(c.Levels, col.Levels[level])
			}
		}
	case branch == 0:
		c.To = &s.At
	default:
		c.From = &s.At
	}
	return c
}

// Leaf is a leaf with all that is asked of its rows. Conditions on one column are
// joined.
type Leaf struct {
	Conditions []Condition
	*Node
}

// step is a node on the way to a leaf, and the branch that was taken there.
type step struct {
	node   *Node
	branch int
}

// walk visits all leaves, with the way to each.
func (t *Tree) walk(visit func(way []step, leaf *Node)) {
	var walk func(way []step, n *Node)
	walk = func(way []step, n *Node) {
		if n.Split == nil {
			visit(way, n)
			return
		}
		for i, k := range n.Kids {
			walk(append(way, step{n, i}), k)
		}
	}
	walk(nil, t.Root)
}

// List returns all leaves, in the order in which the tree is drawn.
func (t *Tree) List() (list []Leaf) {
	t.walk(func(way []step, n *Node) {
		leaf := Leaf{Node: n}
		at := map[int]int{} // of a column in the conditions
		for _, s := range way {
			c := t.Condition(s.node, s.branch)
			i, again := at[s.node.Split.Column]
			if !again {
				at[s.node.Split.Column] = len(leaf.Conditions)
				leaf.Conditions = append(leaf.Conditions, c)
				continue
			}
			have := &leaf.Conditions[i]
			have.Unknown = have.Unknown && c.Unknown
			if c.From != nil {
				have.From = c.From
			}
			if c.To != nil {
				have.To = c.To
			}
			if c.Levels != nil {
				have.Levels = c.Levels // those of the lower branch are among them
			}
		}
		list = append(list, leaf)
	})
	return list
}

// Sentences says every leaf in one sentence. Who is the one whose score it is.
func (t *Tree) Sentences(who string) (list []string) {
	all := t.Root
	for _, l := range t.List() {
		var parts []string
		for _, c := range l.Conditions {
			parts = append(parts, c.String())
		}
		if parts == nil {
			parts = []string{"always"}
		}
		when := upper(strings.Join(parts, ", "))
		if t.Given {
			list = append(list, fmt.Sprintf("%s: %s scores %s against what the base says, in %s rows.", when, who, t.value(l.Node), thousands(l.Rows)))
			continue
		}
		list = append(list, fmt.Sprintf("%s: %s scores %s in %s rows; in all rows %.1f %%.", when, who, t.value(l.Node), thousands(l.Rows), 100*all.Mean))
	}
	return list
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// value writes what a node says, with its interval.
func (t *Tree) value(n *Node) string {
	if t.Given {
		return fmt.Sprintf("%+.1f %% (%+.1f to %+.1f)", 100*n.More, 100*n.Low, 100*n.High)
	}
	return fmt.Sprintf("%.1f %% (%.1f-%.1f)", 100*n.Value, 100*n.Low, 100*n.High)
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
