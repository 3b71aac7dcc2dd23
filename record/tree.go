package record

import (
	"fmt"

	"qipu/game"
)

// CheckVariations plays every line beside the main one and adds a fault for
// each move that the rules refuse; what follows such a move is not checked, nor
// is what follows a set-up inside a variation. It returns how many moves it
// played and how many it refused.
//
// It walks the tree once, playing and undoing; the cost is that of the nodes.
func CheckVariations(r game.Rules, g *Game) (played, refused int) {
	if !g.Variations() {
		return 0, 0
	}
	b := newBoardman(r, &Game{Kind: g.Kind, Start: g.Start, Nodes: g.Nodes, Notation: g.Notation, Facts: g.Facts})
	if b.setUp() != nil {
		return 0, 0
	}
	main := map[int32]bool{}
	for i := range g.Main() {
		main[i] = true
	}
	// Each entry is a node to enter after so many moves, or with undo > 0 so
	// many steps to take back.
	type visit struct {
		node         int32
		number, undo int
	}
	stack := []visit{{node: 0}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.undo > 0 {
			for range v.undo {
				b.pos.Undo()
			}
			continue
		}
		n := &g.Nodes[v.node]
		if n.Next != 0 {
			stack = append(stack, visit{node: n.Next, number: v.number})
		}
		if v.node != 0 && n.Extra != nil && len(n.Setup) > 0 {
			continue
		}
		b.number = v.number
		b.played.Steps, b.played.Marks = b.played.Steps[:0], b.played.Marks[:0]
		ok := n.Move == "" || b.play(v.node, n)
		if n.Move != "" && !main[v.node] {
			played++
			if len(b.played.Marks) > 0 {
				refused++
				g.Fault(Marked, KindIllegal, b.number, "%s", fmt.Sprintf("in a variation: %s", b.played.Marks[0].Reason))
			}
		}
		if len(b.played.Steps) > 0 {
			stack = append(stack, visit{undo: len(b.played.Steps)})
		}
		if ok && n.Child != 0 {
			stack = append(stack, visit{node: n.Child, number: b.number})
		}
	}
	return played, refused
}
