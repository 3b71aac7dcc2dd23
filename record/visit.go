package record

import (
	"fmt"

	"qipu/game"
)

// Visit is a node of the tree of a record, as a walk through all lines comes to
// it.
type Visit struct {
	Node int32 // index in Game.Nodes

	// Line is all steps from the start of the game, and Steps are those of the
	// node among them, at its end: a set-up, forced passes that the record
	// leaves out, a move, or none of these. Changes are what Steps changed on
	// the board.
	Line, Steps []Step
	Changes     []Change

	// Text is the move in the notation of the walk, or as it is written where it
	// could not be read.
	Text string

	Turn     game.Side     // the side to move behind it
	Position game.Position // behind it; it belongs to the walk, and is not to be changed
	Reason   string        // why the rules refuse the node; empty where they do not

	// Lost tells that the board could not take the move or set-up of the node,
	// or of one before it: then nothing behind has been played.
	Lost bool
}

// Walk plays all lines of a record and calls visit for every node: parents
// before their children, and all that follows the first child before the
// second, so that the main line comes first. The Visit is valid until visit
// returns; where that is false, the walk ends. Moves are written in the notation
// to. Moves against the rules are played where the board can take them, as in
// Play, and nothing becomes a fault of the record.
//
// It returns the start position, or why it cannot be set up; then nothing is
// visited. The cost is that of playing and taking back every node once, and of
// writing its move.
func Walk(r game.Rules, g *Game, to game.Notation, visit func(*Visit) bool) (game.Setup, error) {
	w := liner{boardman: aside(r, g)}
	if err := w.setUp(); err != nil {
		return game.Setup{}, fmt.Errorf("%s", reason(err))
	}
	var text []byte
	w.before = func(pos game.Position, m game.Move) { text = r.AppendMove(text[:0], pos, m, to) }
	w.trace = &w.tracer
	w.tracer.begin(w.pos)
	var v Visit
	// Each entry is a node to enter after so many steps and moves. Lost tells
	// that the line has ended before it.
	type entry struct {
		node          int32
		steps, number int
		lost          bool
	}
	for stack := []entry{{}}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &g.Nodes[at.node]
		w.takeBack(at.steps)
		w.number = at.number
		v = Visit{Node: at.node, Lost: at.lost, Text: n.Move}
		changed := len(w.tracer.changes)
		if !at.lost {
			v.Lost = !w.enter(at.node, n)
			v.Steps = w.played.Steps[at.steps:]
			v.Changes = w.tracer.changes[changed:]
			switch marks := w.played.Marks; {
			case len(marks) > 0:
				v.Reason = marks[0].Reason
			case v.Lost:
				v.Reason = "the board is set up anew too often"
			}
			if !v.Lost && n.Move != "" {
				v.Text = string(text)
			}
		}
		v.Position, v.Turn, v.Line = w.pos, w.pos.Turn(), w.played.Steps
		if n.Next != 0 {
			stack = append(stack, entry{n.Next, at.steps, at.number, at.lost})
		}
		if n.Child != 0 {
			stack = append(stack, entry{n.Child, len(w.played.Steps), w.number, v.Lost})
		}
		if !visit(&v) {
			break
		}
	}
	return w.played.Start, nil
}

// Moved returns the step that is the move of the node; ok is false where the
// node has none, or the board did not take it.
func (v *Visit) Moved() (s Step, ok bool) {
	if v.Lost || len(v.Steps) == 0 {
		return Step{}, false
	}
	s = v.Steps[len(v.Steps)-1]
	return s, s.Move != game.NoMove
}

// Passes returns how many forced passes were put in before the move of the node.
func (v *Visit) Passes() (n int) {
	steps := v.Steps
	if _, moved := v.Moved(); moved {
		steps = steps[:len(steps)-1]
	}
	for _, s := range steps {
		if s.Move == game.Pass {
			n++
		}
	}
	return n
}
