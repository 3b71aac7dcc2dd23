package record

import (
	"iter"

	"qipu/game"
)

// Line is a line of play beside the main one.
type Line struct {
	// From is the number of steps that the main line or an earlier Line has
	// too. What is behind them is the line's own, so that every position of the
	// tree is the own position of one line, or is in the main one.
	From int

	Steps   []Step   // from the start of the game
	Changes []Change // from the start position on; those with Step > From are its own
	Turn    game.Side
}

// Lines yields the further lines of a record: one for each leaf of the tree that
// is not the end of the main line, in the order of the tree. A Line is valid
// until the next one comes: memory is used again.
//
// A line ends before a move that the board cannot take and before a set-up that
// cannot be, or is the 257th on its way; where it then has no position of its own it is left out, as is a
// variation that has no moves at all. Forced passes that the record leaves out
// are put in, and are one position for all variations that follow them. Moves
// against the rules are played where the board can take them, as in Play;
// nothing is marked, see CheckVariations.
//
// The cost is that of playing and taking back every node once; there is no
// recursion, and no memory but for the line in hand and the variations beside it.
func Lines(r game.Rules, g *Game) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		if !g.Variations() {
			return
		}
		w := liner{boardman: aside(r, g)}
		if w.setUp() == nil {
			w.walk(yield)
		}
	}
}

// liner walks through all lines of a record.
type liner struct {
	*boardman
	tracer tracer
	left   []game.Position // the boards that set-ups on the way have put aside
	known  int             // steps of the present line that are in one before
}

// maxSetups bounds how often one line may set the board up anew: each time
// another board of some kilobytes has to be kept, to come back to.
const maxSetups = 256

// branch is a node to enter after so many steps and moves. Passed tells that a
// sibling before it had a forced pass put in.
type branch struct {
	node          int32
	steps, number int
	passed        bool
}

func (w *liner) walk(yield func(Line) bool) {
	w.trace = &w.tracer
	w.tracer.begin(w.pos)
	nodes := w.game.Nodes
	main := true
	for stack := []branch{{}}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		w.takeBack(at.steps)
		w.number = at.number
		n := &nodes[at.node]
		ok := w.enter(at.node, n)
		passed := w.passed(at, ok)
		if passed && at.passed {
			w.known = max(w.known, at.steps+1)
		}
		if n.Next != 0 {
			stack = append(stack, branch{n.Next, at.steps, at.number, passed || at.passed})
		}
		if ok && n.Child != 0 {
			stack = append(stack, branch{node: n.Child, steps: len(w.played.Steps), number: w.number})
			continue
		}
		if steps := w.played.Steps; !main && len(steps) > w.known {
			if !yield(Line{From: w.known, Steps: steps, Changes: w.tracer.changes, Turn: w.pos.Turn()}) {
				return
			}
		}
		main, w.known = false, max(w.known, len(w.played.Steps))
	}
}

// enter does what a node says and reports whether the line goes on behind it.
func (w *liner) enter(i int32, n *Node) bool {
	w.played.Marks = w.played.Marks[:0]
	if i != 0 && n.resets() {
		old := w.pos
		if len(w.left) == maxSetups || !w.rearrange(i, n) {
			return false
		}
		w.left = append(w.left, old)
	}
	return n.Move == "" || w.play(i, n)
}

// passed reports whether a node, just entered, had a forced pass put in first:
// then its first step is a pass, and its move, if the board took it, another.
func (w *liner) passed(at branch, ok bool) bool {
	own := w.played.Steps[at.steps:]
	return len(own) > 0 && own[0].Move == game.Pass && (len(own) == 2 || !ok)
}

// takeBack returns to the position after so many steps.
func (w *liner) takeBack(steps int) {
	list := w.played.Steps
	if len(list) == steps {
		return
	}
	for ; len(list) > steps; list = list[:len(list)-1] {
		if list[len(list)-1].Move == game.NoMove {
			w.pos, w.left = w.left[len(w.left)-1], w.left[:len(w.left)-1]
		} else {
			w.pos.Undo()
		}
	}
	w.played.Steps, w.known = list, min(w.known, steps)
	w.tracer.back(steps, w.pos)
}
