package answerview

import (
	"qipu/game"
	"qipu/library/ask"
	"qipu/retrieve"
	"qipu/view"
)

// TreeOf returns the moves behind the board of a reply, which has one.
func TreeOf(r *ask.Reply, n game.Notation) *view.Tree { return TreeAt(FrameOf(r), r.Tree, n) }

// TreeAt returns the moves behind a board.
func TreeAt(f *ask.Frame, root *retrieve.Node, n game.Notation) *view.Tree {
	g := grower{frame: f, notation: n}
	w := g.grow(root, f.Position)
	w.Move = view.Move{From: -1, To: -1}
	return &w
}

// grower makes trees as they are sent.
type grower struct {
	frame    *ask.Frame
	notation game.Notation
}

// grow returns a node with what follows it. The position is that before its
// children, or nil where the board around them is not known.
func (g *grower) grow(n *retrieve.Node, pos game.Position) view.Tree {
	w := view.Tree{Score: ScoreOf(&n.Score), Children: make([]view.Tree, 0, len(n.Children))}
	for _, c := range n.Children {
		text, behind := "", pos
		if pos != nil && pos.Turn() == c.Side {
			text = game.FormatMove(g.frame.Kind.Rules, pos, c.Move, g.notation)
		}
		if pos == nil || pos.Turn() != c.Side || pos.Play(c.Move) != nil {
			text, behind = g.frame.MoveName(c.Move), nil
		}
		child := g.grow(c, behind)
		if behind != nil {
			pos.Undo()
		}
		child.Move = MoveIn(g.frame, c.Move, c.Side, text)
		w.Children = append(w.Children, child)
	}
	return w
}
