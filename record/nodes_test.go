package record_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/record"
)

// TestUnfold reads trees from letters: a child and a sibling follow (b), a child
// alone (c), a sibling alone (s), nothing (e).
func TestUnfold(t *testing.T) {
	for _, c := range []struct{ in, want, end string }{
		{"e", "", "true false"},
		{"cce", "1<0 2<1", "true false"},
		{"cbcese", "1<0 2<1 3<2 4<0 5<0", "true false"},
		{"cbbeee", "1<0 2<1 3<2 4<1 5<0", "true false"},
		{"cc", "1<0", "false false"},
		{"", "", "false false"},
		{"ccccccccc", "1<0 2<1 3<2 4<3 5<4 6<5", "false true"},
	} {
		g := &record.Game{Nodes: make([]record.Node, 1)}
		in := c.in
		whole, full := g.Unfold(6, func(int32) (child, sibling, ok bool) {
			if in == "" {
				return false, false, false
			}
			k := in[0]
			in = in[1:]
			return k == 'b' || k == 'c', k == 'b' || k == 's', true
		})
		var list []string
		for i := range g.Nodes[1:] {
			list = append(list, fmt.Sprintf("%d<%d", i+1, g.Nodes[i+1].Parent))
		}
		if got := strings.Join(list, " "); got != c.want || fmt.Sprint(whole, full) != c.end {
			t.Errorf("%s: %s, %v %v", c.in, got, whole, full)
		}
		linked := &record.Game{Nodes: make([]record.Node, len(g.Nodes))}
		for i := range g.Nodes {
			linked.Nodes[i].Parent = g.Nodes[i].Parent
		}
		linked.Link()
		for i := range g.Nodes {
			if g.Nodes[i] != linked.Nodes[i] {
				t.Errorf("%s: node %d is %+v, want %+v", c.in, i, g.Nodes[i], linked.Nodes[i])
			}
		}
	}
}

func TestWithoutBlanks(t *testing.T) {
	g := &record.Game{}
	g.Add(0, 0, "")
	blank := g.Add(g.Add(0, 0, ""), 0, "") // two in a row
	a := g.Add(blank, 0, "a")
	g.Add(blank, 0, "b")
	g.Add(g.Add(a, 0, "c"), 0, "") // at the end of a line
	kept := g.Add(a, 0, "")        // beside a move
	g.Nodes[g.Add(kept, 0, "")].More().Comment = "x"
	var list []string
	short := g.WithoutBlanks()
	for i := range short.Nodes {
		n := &short.Nodes[i]
		list = append(list, fmt.Sprintf("%d<%d%s%s", i, n.Parent, n.Move, n.Text()))
	}
	if got, want := strings.Join(list, " "), "0<0 1<0a 2<1c 3<1 4<3x 5<0b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(g.Nodes) != 9 || short.WithoutBlanks() != short {
		t.Error("the game changes, or a second pass finds more")
	}
}
