package record

import (
	"cmp"
	"fmt"

	"qipu/game"
)

// visitor is called before a move is played, with the position it
// is played in; where a forced pass comes first, once more behind the pass.
type visitor func(pos game.Position, m game.Move)

// walkTree plays all lines of a record on b, whose board is set up: every node
// is entered once, its moves are taken back behind its subtree, and done is
// called for it with what came of it. Where done returns false the subtree is
// left out.
func (b *boardman) walkTree(done func(node int32, played bool) bool) {
	// Each entry is a node to enter after so many moves, or with undo > 0 so
	// many steps to take back.
	type visit struct {
		node         int32
		number, undo int
	}
	nodes := b.game.Nodes
	for stack := []visit{{}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.undo > 0 {
			for range v.undo {
				b.pos.Undo()
			}
			continue
		}
		n := &nodes[v.node]
		if n.Next != 0 {
			stack = append(stack, visit{node: n.Next, number: v.number})
		}
		b.number = v.number
		b.played.Steps, b.played.Marks = b.played.Steps[:0], b.played.Marks[:0]
		ok := n.Move == "" || b.play(v.node, n)
		if len(b.played.Steps) > 0 {
			stack = append(stack, visit{undo: len(b.played.Steps)})
		}
		if done(v.node, ok) && n.Child != 0 {
			stack = append(stack, visit{node: n.Child, number: b.number})
		}
	}
}

// aside returns a boardman for a record whose faults go nowhere.
func aside(r game.Rules, g *Game) *boardman {
	return newBoardman(r, &Game{Kind: g.Kind, Start: g.Start, Nodes: g.Nodes, Notation: g.Notation, Facts: g.Facts})
}

// resets reports whether a node behind the root sets the board up anew, which
// the walk through the tree does not follow.
func (n *Node) resets() bool { return n.Extra != nil && (len(n.Setup) > 0 || n.Turn != Unstated) }

// CheckVariations plays every line beside the main one and adds a fault for
// each move that the rules refuse; what follows a move that the board cannot
// take is not checked, nor is what follows a set-up behind the root. It returns
// how many moves of variations it played and how many of them it marked.
//
// It walks the tree once, playing and undoing; the cost is that of the nodes.
func CheckVariations(r game.Rules, g *Game) (played, marked int) {
	if !g.Variations() {
		return 0, 0
	}
	b := aside(r, g)
	if b.setUp() != nil {
		return 0, 0
	}
	main := make(map[int32]bool, len(g.Nodes))
	for i := range g.Main() {
		main[i] = true
	}
	b.walkTree(func(i int32, ok bool) bool {
		n := &g.Nodes[i]
		if i != 0 && n.resets() {
			return false
		}
		if n.Move != "" && !main[i] {
			played++
			if len(b.played.Marks) > 0 {
				if marked++; marked <= maxMarkFaults {
					g.faultAt(i, Fault{Severity: Marked, Kind: KindIllegal, Move: b.number, Reason: "in a variation: " + b.played.Marks[0].Reason})
				}
			}
		}
		return ok
	})
	if more := marked - maxMarkFaults; more > 0 {
		g.Fault(Marked, KindIllegal, 0, "%d more moves of variations break the rules", more)
	}
	return played, marked
}

// Translate returns the record with its moves written in another notation, the
// sides of all moves stated and, if passes is set, with the forced passes that
// it leaves out. It shares with g whatever does not change. A move that cannot
// be played cannot be translated: that is an error which names it.
func Translate(r game.Rules, g *Game, to game.Notation, passes bool) (*Game, error) {
	b := aside(r, g)
	if err := b.setUp(); err != nil {
		return nil, fmt.Errorf("%s", reason(err))
	}
	t := *g
	t.Notation = string(to)
	t.Nodes = make([]Node, 0, len(g.Nodes))
	at := make([]int32, len(g.Nodes)) // where each node of g is in t
	var text string
	// A pass that a notation writes as nothing would be no move of a record.
	b.before = func(pos game.Position, m game.Move) { text = cmp.Or(string(r.AppendMove(nil, pos, m, to)), "pass") }
	var failed error
	add := func(parent int32, side Side, move string) int32 {
		t.Nodes = append(t.Nodes, Node{Parent: parent, Side: side, Move: move})
		return int32(len(t.Nodes) - 1)
	}
	b.walkTree(func(i int32, ok bool) bool {
		n := &g.Nodes[i]
		if failed != nil {
			return false
		}
		if !ok {
			failed = fmt.Errorf("move %d cannot be written in %s notation: %s", b.number, to, b.played.Marks[len(b.played.Marks)-1].Reason)
			return false
		}
		if i != 0 && n.resets() {
			failed = fmt.Errorf("the board is set up anew after move %d, which only the format it came from can express", b.number)
			return false
		}
		parent, side, move := at[n.Parent], n.Side, ""
		if n.Move != "" {
			steps := b.played.Steps
			if passes && len(steps) == 2 {
				parent = add(parent, Side(steps[0].Side)+First, "pass")
			}
			side, move = Side(steps[len(steps)-1].Side)+First, text
		}
		at[i] = add(parent, side, move)
		t.Nodes[at[i]].Extra = n.Extra
		return true
	})
	if failed != nil {
		return nil, failed
	}
	t.Link()
	return &t, nil
}
