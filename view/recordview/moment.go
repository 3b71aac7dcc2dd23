package recordview

import (
	"fmt"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/record"
	"qipu/view"
	"qipu/view/gameview"
)

// Moment is a moment of a record.
type Moment struct {
	*gameview.Standing
	Game  *record.Game
	Step  *draw.Step // the last move; nil for none
	Marks []view.Mark
}

// NoBoardError is a record that has no board: a game that is not known, or a start
// that cannot be set up.
type NoBoardError struct{ Start bool }

// Error tells it.
func (e *NoBoardError) Error() string {
	if e.Start {
		return "the record has no board: its start cannot be set up"
	}
	return "the record has no board: its game is not known"
}

// NoMomentError is a ply or a node that a record does not have.
type NoMomentError struct {
	What         string // ply or node
	Number, Last int
}

// Error tells it.
func (e *NoMomentError) Error() string {
	return fmt.Sprintf("there is no %s %d in the record", e.What, e.Number)
}

// MomentOf returns a moment of a record of a kind that is played by rules, which are
// nil where nobody knows them: a node of the tree, or where that is 0 a ply of the main
// line, of which -1 is the last. Its line begins with the last position that cannot be
// played to: behind a set-up, or behind a move that breaks the rules.
func MomentOf(k *gameview.Kind, g *record.Game, rules game.Rules, write game.Notation, ply, node int) (*Moment, error) {
	if rules == nil {
		return nil, &NoBoardError{}
	}
	m := &Moment{Game: g, Standing: &gameview.Standing{Kind: k, Write: write}}
	p, n, err := m.played(rules, ply, node)
	if err != nil {
		return nil, err
	}
	if rules.Info().Variant != k.Rules.Info().Variant {
		own := *k
		own.Rules = rules
		m.Kind = &own
	}
	return m, m.settle(p, n)
}

// Scene returns what is to be seen of it.
func (m *Moment) Scene() *draw.Scene {
	scene := m.Standing.Scene()
	scene.Title, scene.Last = TitleOf(m.Game), m.Step
	shapes := map[string]draw.Mark{"circle": draw.Circle, "square": draw.Square, "triangle": draw.Triangle, "cross": draw.Cross}
	scene.Labels, scene.Marks = map[board.Point]string{}, map[board.Point]draw.Mark{}
	for _, x := range m.Marks {
		p := m.Index.Board.Size.Point(x.Point)
		if x.Kind == "label" {
			scene.Labels[p] = x.Text
		} else {
			scene.Marks[p] |= shapes[x.Kind]
		}
	}
	return scene
}

// played returns the line of the record that a moment is on, and how many of its
// steps lead there.
func (m *Moment) played(rules game.Rules, ply, node int) (*record.Played, int, error) {
	if node == 0 {
		p := record.Play(rules, m.Game)
		switch {
		case p.Start.Board == nil:
			return nil, 0, &NoBoardError{Start: true}
		case ply > len(p.Steps):
			return nil, 0, &NoMomentError{"ply", ply, len(p.Steps)}
		case ply < 0:
			ply = len(p.Steps)
		}
		return p, ply, nil
	}
	v := Unfold(m.Game, rules, m.Write, node)
	switch {
	case v.Start.Board == nil:
		return nil, 0, &NoBoardError{Start: true}
	case v.Line == nil:
		return nil, 0, &NoMomentError{"node", node, len(v.Nodes) - 1}
	}
	m.Marks = v.Nodes[node].Marks
	return &record.Played{Game: m.Game, Rules: rules, Start: v.Start, Steps: v.Line}, len(v.Line), nil
}

// settle sets the position of a moment up, with the moves behind the last
// set-up as its line. Where one of them breaks the rules, nobody could play the
// line: then the position stands for itself.
func (m *Moment) settle(p *record.Played, n int) error {
	steps := p.Steps[:n]
	if n > 0 && steps[n-1].Move.To() != board.NoPoint {
		m.Step = &draw.Step{From: steps[n-1].Move.From(), To: steps[n-1].Move.To()}
	}
	from := n
	for from > 0 && steps[from-1].Move != game.NoMove {
		from--
	}
	var err error
	if m.Pos, err = record.At(p, from); err != nil {
		return err
	}
	base := game.FormatPosition(m.Rules, m.Pos)
	for _, s := range steps[from:] {
		if m.Pos.Turn() != s.Side || m.Pos.Play(s.Move) != nil {
			if m.Pos, err = record.At(p, n); err != nil {
				return err
			}
			m.Moves, base = nil, game.FormatPosition(m.Rules, m.Pos)
			break
		}
		m.Moves = append(m.Moves, s.Move)
	}
	if base != m.StartText {
		m.Base = base
	}
	return nil
}
