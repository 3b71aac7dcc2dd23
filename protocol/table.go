package protocol

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/record"
)

// Table is the game that a session is about.
type Table struct {
	Rules game.Rules
	Start *game.Setup // nil for the start of the game
	Pos   game.Position
	Moves []game.Move
	Told  []int // how many of the moves each move that was told is: passes are put in
}

// NewTable returns a table with a game that begins.
func NewTable(r game.Rules, start *game.Setup) (*Table, error) {
	t := &Table{Rules: r, Start: start}
	var err error
	t.Pos, err = t.Task().Position()
	return t, err
}

func (t *Table) Task() *engine.Task {
	return &engine.Task{Rules: t.Rules, Start: t.Start, Moves: slices.Clone(t.Moves)}
}

// TurnTo makes it the turn of a side: where it is that of the other, which can
// pass, it has passed. It returns how many moves that took.
func (t *Table) TurnTo(side game.Side) (int, error) {
	if t.Pos.Turn() == side {
		return 0, nil
	}
	if err := t.Pos.Play(game.Pass); err != nil {
		return 0, fmt.Errorf("it is %s's turn", t.Rules.Info().Sides[t.Pos.Turn()].Name)
	}
	t.Moves = append(t.Moves, game.Pass)
	return 1, nil
}

// TakeBack takes back moves.
func (t *Table) TakeBack(n int) {
	for range n {
		t.Pos.Undo()
	}
	t.Moves = t.Moves[:len(t.Moves)-n]
}

// Play makes a move that is read in the position before it.
func (t *Table) Play(side game.Side, read func() (game.Move, error)) error {
	n, err := t.TurnTo(side)
	if err != nil {
		return err
	}
	m, err := read()
	if err == nil {
		err = t.Pos.Play(m)
	}
	if err != nil {
		t.TakeBack(n)
		return err
	}
	t.Moves, t.Told = append(t.Moves, m), append(t.Told, n+1)
	return nil
}

// Undo takes back the last move that was told, and reports whether there was one.
func (t *Table) Undo() bool {
	if len(t.Told) == 0 {
		return false
	}
	last := len(t.Told) - 1
	t.TakeBack(t.Told[last])
	t.Told = t.Told[:last]
	return true
}

// Only returns the move where there is no choice, else NoMove.
func (t *Table) Only() game.Move {
	if moves := t.Pos.AppendMoves(nil); len(moves) == 1 {
		return moves[0]
	}
	return game.NoMove
}

// Load puts a record onto the table, up to before a move (from 1), or all of it
// where that is 0.
func Load(p *record.Played, before int) (*Table, error) {
	if p.Rules == nil || p.Start.Board == nil {
		return nil, fmt.Errorf("the record cannot be played")
	}
	var start *game.Setup
	if string(game.AppendSetup(nil, p.Rules, p.Start)) != game.FormatPosition(p.Rules, p.Rules.Start()) {
		setup := p.Start
		start = &setup
	}
	t, err := NewTable(p.Rules, start)
	if err != nil {
		return nil, err
	}
	for i, s := range p.Steps {
		if before > 0 && i >= before-1 {
			return t, nil
		}
		if s.Move == game.NoMove {
			return nil, fmt.Errorf("the record sets up a position at move %d", i+1)
		}
		if err := t.Play(s.Side, func() (game.Move, error) { return s.Move, nil }); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return t, nil
}

// Side reads a colour: the name of a side or its first letter. Red is white,
// too, as position texts of Xiangqi have it.
func (t *Table) Side(text string) (game.Side, bool) {
	text = strings.ToLower(text)
	for i, s := range t.Rules.Info().Sides {
		if text == s.Name || text == s.Name[:1] || s.Name == "red" && (text == "w" || text == "white") {
			return game.Side(i), true
		}
	}
	return 0, false
}

// Format returns a move as GTP has it; p is the position before it.
func (t *Table) Format(p game.Position, m game.Move) string {
	if m.To() == board.NoPoint {
		return "pass"
	}
	if v, ok := t.Rules.(engine.Vertices); ok {
		return v.Vertex(m)
	}
	text := game.FormatMove(t.Rules, p, m, game.AnyNotation)
	if m.From() == board.NoPoint {
		text = strings.ToUpper(text)
	}
	return text
}

// Parse reads a move of GTP.
func (t *Table) Parse(text string) (game.Move, error) {
	if strings.EqualFold(text, "pass") {
		return game.Pass, nil
	}
	if _, ok := t.Rules.(engine.Vertices); !ok {
		return t.Rules.ParseMove(t.Pos, text, t.Rules.Info().Notations[0].Name)
	}
	for _, m := range t.Pos.AppendMoves(nil) {
		if strings.EqualFold(t.Format(t.Pos, m), text) {
			return m, nil
		}
	}
	return game.NoMove, game.ErrIllegal
}

// Variation returns moves from the present position in a notation.
func (t *Table) Variation(moves []game.Move, format func(game.Position, game.Move) string) (list []string) {
	n := 0
	for _, m := range moves {
		text := ""
		if slices.Contains(t.Pos.AppendMoves(nil), m) {
			text = format(t.Pos, m)
		}
		if text == "" || t.Pos.Play(m) != nil {
			break
		}
		list = append(list, text)
		n++
	}
	for range n {
		t.Pos.Undo()
	}
	return list
}
