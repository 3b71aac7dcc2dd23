package record

// Unfold reads a tree that a file stores depth first, all that follows a move
// before its sibling. The list holds the root alone; node reads the node that
// becomes number i (0, the root, first) and tells whether a child follows it,
// and a sibling, which comes behind all that follows the child. Where node
// cannot read one, the tree ends before it.
//
// The result tells whether the tree came to its end; full, that there are more
// than limit nodes behind the root, and the rest was left out. Memory beside the
// nodes is one index for each sibling to come.
func (g *Game) Unfold(limit int, node func(i int32) (child, sibling, ok bool)) (whole, full bool) {
	next, _, ok := node(0)
	if !ok {
		return false, false
	}
	var stack []int32 // nodes whose sibling follows later
	parent, elder := int32(0), int32(0)
	for next {
		if len(g.Nodes) > limit {
			return false, true
		}
		i := int32(len(g.Nodes))
		g.Nodes = append(g.Nodes, Node{Parent: parent})
		child, sibling, ok := node(i)
		if !ok {
			g.Nodes = g.Nodes[:i]
			return false, false
		}
		if elder != 0 {
			g.Nodes[elder].Next = i
		} else {
			g.Nodes[parent].Child = i
		}
		switch {
		case child:
			if sibling {
				stack = append(stack, i)
			}
			parent, elder = i, 0
		case sibling:
			elder = i
		case len(stack) > 0:
			elder = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			parent = g.Nodes[elder].Parent
		default:
			next = false
		}
	}
	return true, false
}

// Blank reports whether a node says nothing at all: some programs end every
// game with one.
func (n *Node) Blank() bool {
	x := n.Extra
	return n.Move == "" && (x == nil || x.Comment == "" && len(x.Props) == 0 && len(x.Setup) == 0 && x.Turn == Unstated)
}

// WithoutBlanks returns the game without blank nodes, for formats that have no
// way to write them. A blank node that has a sibling stays: without it, another
// line would become the main one. The game itself is not changed, and returned
// where there is nothing to do.
func (g *Game) WithoutBlanks() *Game {
	drop := func(i int32) bool {
		n := &g.Nodes[i]
		return i > 0 && n.Blank() && n.Next == 0 && g.Nodes[n.Parent].Child == i
	}
	some := false
	for i := range g.Nodes {
		some = some || drop(int32(i))
	}
	if !some {
		return g
	}
	type visit struct{ node, parent int32 }
	t := *g
	t.Nodes = make([]Node, 0, len(g.Nodes))
	for stack := []visit{{}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &g.Nodes[v.node]
		if n.Next != 0 {
			stack = append(stack, visit{n.Next, v.parent})
		}
		at := v.parent
		if !drop(v.node) {
			at = int32(len(t.Nodes))
			t.Nodes = append(t.Nodes, Node{Parent: v.parent, Offset: n.Offset, Move: n.Move, Side: n.Side, Extra: n.Extra})
		}
		if n.Child != 0 {
			stack = append(stack, visit{n.Child, at})
		}
	}
	t.Link()
	return &t
}
