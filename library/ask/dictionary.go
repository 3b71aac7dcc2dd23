package ask

import (
	"fmt"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/retrieve"
)

// Dictionary returns the moves behind a shape as one record with variations: a
// dictionary of joseki, or of an opening. Each node tells how many games went
// there and how they went. The tree is that of an answer with Depth.
func Dictionary(k *index.Kind, shape *query.Shape, tree *retrieve.Node) (*record.Game, error) {
	d := dictionary{kind: k, geometry: k.Rules.Geometry(), sides: k.Rules.Info().Sides}
	p := shape.Pattern
	var ok bool
	if d.origin, ok = p.Origin(d.geometry.Size); !ok {
		// A shape in the open is drawn in the middle.
		d.origin = board.At(max(d.geometry.Size.W-p.Size.W, 0)/2, max(d.geometry.Size.H-p.Size.H, 0)/2)
	}
	g := &record.Game{Kind: k.Rules.Info().Name, Variant: k.Rules.Info().Variant}
	root := record.Node{Extra: &record.Extra{Comment: d.comment(tree)}}
	if k.Moving {
		if d.origin != 0 || p.Size != d.geometry.Size {
			return nil, fmt.Errorf("qipu: the moves behind a part of a board of %s make no record: ask for a whole position", g.Kind)
		}
		start, err := d.position(p, tree)
		if err != nil {
			return nil, err
		}
		g.Start = start
	} else if err := d.setUp(root.Extra, p); err != nil {
		return nil, err
	}
	g.Nodes = append(g.Nodes, root)
	d.grow(g, 0, tree)
	g.Link()
	return g, nil
}

// dictionary makes a record of a tree.
type dictionary struct {
	kind     *index.Kind
	geometry *board.Geometry
	sides    []game.SideInfo
	origin   board.Point
}

// setUp puts the pieces of a pattern on the board. Points of which it leaves
// open what stands there stay empty.
func (d *dictionary) setUp(x *record.Extra, p *pattern.Pattern) error {
	for i, set := range p.Cells {
		at := p.Size.Point(i)
		to := board.At(d.origin.X()+at.X(), d.origin.Y()+at.Y())
		for piece := board.Piece(1); int(piece) <= d.kind.Board.Kinds; piece++ {
			if set != pattern.Of(piece) {
				continue
			}
			if !d.geometry.Size.Has(to) {
				return fmt.Errorf("qipu: the shape lies outside the board: draw it where it fits")
			}
			x.Setup = append(x.Setup, record.Put{Piece: piece, Point: d.geometry.Name(to)})
		}
	}
	return nil
}

// position returns the text of the position that a pattern of the whole board
// is. Who is to move is told by the pattern, or by the most frequent move.
func (d *dictionary) position(p *pattern.Pattern, tree *retrieve.Node) (string, error) {
	planes := board.NewPlanes(p.Size, d.kind.Board.Kinds)
	for i, set := range p.Cells {
		for piece := board.Piece(1); int(piece) <= d.kind.Board.Kinds; piece++ {
			if set == pattern.Of(piece) {
				planes.Of[piece-1].Add(p.Size.Point(i))
			}
		}
	}
	setup := game.Setup{Board: planes}
	switch {
	case p.Turn == pattern.SecondToMove, p.Turn == pattern.AnyTurn && len(tree.Children) > 0 && tree.Children[0].Side == game.Second:
		setup.Turn = game.Second
	}
	pos, err := d.kind.Rules.Arrange(setup)
	if err != nil {
		return "", fmt.Errorf("qipu: the board is no position: %w", err)
	}
	return game.FormatPosition(d.kind.Rules, pos), nil
}

// grow adds the children of a node of the tree below a node of the record.
func (d *dictionary) grow(g *record.Game, parent int32, n *retrieve.Node) {
	for _, c := range n.Children {
		i := int32(len(g.Nodes))
		g.Nodes = append(g.Nodes, record.Node{
			Parent: parent, Move: d.move(c.Move), Side: record.Side(c.Side) + record.First, Extra: &record.Extra{Comment: d.comment(c)},
		})
		d.grow(g, i, c)
	}
}

func (d *dictionary) move(m game.Move) string {
	if m == game.Pass {
		return "pass"
	}
	name := func(p board.Point) string {
		return d.geometry.Name(board.At(d.origin.X()+p.X(), d.origin.Y()+p.Y()))
	}
	if from := m.From(); from != board.NoPoint {
		return name(from) + name(m.To())
	}
	return name(m.To())
}

// comment tells how many games went through a node, how they went, and when.
func (d *dictionary) comment(n *retrieve.Node) string {
	text := fmt.Sprintf("%d games", n.Count)
	if n.Count == 1 {
		text = "1 game"
	}
	if n.First+n.Second+n.Draws > 0 {
		rate, low, high := n.Rate()
		text += fmt.Sprintf(", %s %.1f%% (%.1f-%.1f)", d.sides[0].Name, 100*rate, 100*low, 100*high)
	}
	if n.FirstDay != 0 {
		first, last := facts.DayOf(int(n.FirstDay)).Year, facts.DayOf(int(n.LastDay)).Year
		text += fmt.Sprintf(", %d", first)
		if last != first {
			text += fmt.Sprintf("-%d", last)
		}
	}
	return text
}
