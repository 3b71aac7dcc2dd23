// Package labview is the public form of what methods of search find and of the trees
// that they grow.
package labview

import (
	"fmt"
	"strings"

	"qipu/engine"
	"qipu/engine/classic"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/view"
	"qipu/view/playview"
)

// MethodOf returns what a method is.
func MethodOf(m classic.Method) view.LabMethod {
	return view.LabMethod{Method: m.Name, Title: m.Title, Source: m.Source, Exact: m.Exact}
}

// RunOf returns what a method found on a position, and what its recorder counted.
func RunOf(r game.Rules, p game.Position, m classic.Method, x *classic.Result, c *trace.Counters, n game.Notation) view.LabRun {
	v := view.LabRun{
		LabMethod: MethodOf(m), Value: x.Value.Units(), Low: x.Low.Units(), High: x.High.Units(),
		Move: game.FormatMove(r, p, x.Move, n), Line: []string{}, Nodes: x.Nodes, Leaves: x.Leaves, Judged: x.Judged, Kept: x.Kept,
		Pruned: x.Pruned, Whole: x.Whole, Proved: x.Proved, Note: x.Note, Stages: []view.LabStage{}, Counts: playview.CountersOf(c),
	}
	played := 0
	for _, mv := range x.Line {
		v.Line = append(v.Line, game.FormatMove(r, p, mv, n))
		if p.Play(mv) != nil {
			break
		}
		played++
	}
	for range played {
		p.Undo()
	}
	for _, s := range x.Stages {
		v.Stages = append(v.Stages, view.LabStage{Depth: s.Depth, Nodes: s.Nodes, Leaves: s.Leaves, Value: s.Value.Units(), Move: game.FormatMove(r, p, s.Move, n)})
	}
	return v
}

// TreeOf returns the tree that a recorder has kept of a search of a position. Moves are
// written by playing them. With says every position is told of in a sentence, too.
func TreeOf(r game.Rules, p game.Position, method string, rec *trace.Recorder, n game.Notation, says bool) view.LabTree {
	tree := rec.Tree()
	out := view.LabTree{Method: method, Turn: int(p.Turn()), Nodes: make([]view.LabNode, 0, len(tree.Nodes)), Left: tree.Left, Events: rec.Events()}
	played := 0
	for i := range tree.Nodes {
		x := &tree.Nodes[i]
		for ; played >= max(int(x.Ply), 1); played-- {
			p.Undo()
		}
		move := "root"
		if x.Ply > 0 {
			move = game.FormatMove(r, p, x.Move, n)
			if p.Play(x.Move) != nil {
				break
			}
			played++
		}
		v := view.LabNode{
			Parent: int(x.Parent), Ply: int(x.Ply), Move: move, Again: x.Again, Alpha: units(x.Alpha), Beta: units(x.Beta), Value: units(x.Value),
			Why: x.Why.String(), At: int(x.At), In: int(x.In), Out: int(x.Out),
		}
		if says {
			v.Says = sentence(x)
		}
		out.Nodes = append(out.Nodes, v)
	}
	for range played {
		p.Undo()
	}
	return out
}

// Value returns an amount in units of a game as a value.
func Value(units float64) engine.Value { return engine.Value(units * float64(engine.Unit)) }

func units(v int32) float64 { return engine.Value(v).Units() }

// sentence says why a position was left.
func sentence(n *trace.Node) string {
	v, beta := Amount(units(n.Value)), Amount(units(n.Beta))
	switch n.Why {
	case trace.Horizon:
		return v + ": judged as it stands"
	case trace.Over:
		return v + ": the game is over"
	case trace.Quiet:
		return v + ": judged as it stands, which is enough"
	case trace.Table:
		return v + ": known from before"
	case trace.Forward:
		return v + ": moves were left out unread"
	case trace.Proved:
		return v + ": between " + Amount(units(n.Alpha)) + " and " + beta
	case trace.Shallow:
		return fmt.Sprintf("at least %s: move %d reaches %s, which the position before does not allow", v, n.At, beta)
	case trace.Deep:
		return fmt.Sprintf("at least %s: move %d reaches %s, which a position further up does not allow", v, n.At, beta)
	case trace.Window:
		return fmt.Sprintf("at least %s: move %d reaches %s, where the search was to stop", v, n.At, beta)
	case trace.Stopped:
		return "broken off"
	}
	if n.Value <= n.Alpha {
		return "at most " + v + ": all moves were read, and none is enough"
	}
	return v + ": all moves were read"
}

// Amount writes a value for people.
func Amount(v float64) string {
	switch u := engine.Value(v * float64(engine.Unit)); {
	case u >= engine.Decided:
		return fmt.Sprintf("win in %d", engine.Win-u)
	case u <= -engine.Decided:
		return fmt.Sprintf("loss in %d", engine.Win+u)
	}
	return strings.TrimSuffix(fmt.Sprintf("%+.2f", v), ".00")
}
