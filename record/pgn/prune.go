package pgn

import (
	"slices"

	"qipu/record"
)

// prune returns a game without the nodes that have no move, which PGN has no
// word for. Those that say nothing are left out; what others say goes to the
// move before them, where no other variation begins there. The game itself is
// not changed; it is returned where there is nothing to do.
func prune(g *record.Game) (*record.Game, error) {
	empty := func(n record.Node) bool { return n.Move == "" }
	if len(g.Nodes) < 2 || !slices.ContainsFunc(g.Nodes[1:], empty) {
		return g, nil
	}
	pruned := *g
	pruned.Nodes = make([]record.Node, 0, len(g.Nodes))
	// Each visit is a node and what has become of its parent.
	type visit struct{ node, parent int32 }
	for stack := []visit{{}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := g.Nodes[v.node]
		at := v.parent
		if n.Move != "" || v.node == 0 {
			at = int32(len(pruned.Nodes))
			pruned.Nodes = append(pruned.Nodes, record.Node{Parent: v.parent, Offset: n.Offset, Move: n.Move, Side: n.Side, Extra: n.Extra})
		} else if !n.Blank() {
			if g.Nodes[n.Parent].Child != v.node || n.Next != 0 {
				return nil, record.Inexpressible("a variation that begins without a move")
			}
			pruned.Nodes[at].Extra = joined(pruned.Nodes[at].Extra, n.Extra)
		} else if n.Child == 0 && n.Next != 0 && g.Nodes[n.Parent].Child == v.node {
			return nil, record.Inexpressible("a main line that ends where a variation goes on")
		}
		from := len(stack)
		for c := n.Child; c != 0; c = g.Nodes[c].Next {
			stack = append(stack, visit{c, at})
		}
		slices.Reverse(stack[from:])
	}
	pruned.Link()
	return &pruned, nil
}

// joined returns what two nodes say, in this order.
func joined(first, second *record.Extra) *record.Extra {
	if first == nil {
		return second
	}
	both := *first
	if both.Comment != "" && second.Comment != "" {
		both.Comment += "\n"
	}
	both.Comment += second.Comment
	both.Props = slices.Concat(first.Props, second.Props)
	both.Setup = slices.Concat(first.Setup, second.Setup)
	if both.Turn == record.Unstated {
		both.Turn = second.Turn
	}
	return &both
}
