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

// running is the game that a session is about.
type running struct {
	rules game.Rules
	start *game.Setup // nil for the start of the game
	pos   game.Position
	moves []game.Move
	told  []int // how many of the moves each move that was told is: passes are put in
}

// newTable returns a table with a game that begins.
func newTable(r game.Rules, start *game.Setup) (*running, error) {
	t := &running{rules: r, start: start}
	var err error
	t.pos, err = t.task().Position()
	return t, err
}

func (t *running) task() *engine.Task {
	return &engine.Task{Rules: t.rules, Start: t.start, Moves: slices.Clone(t.moves)}
}

// turnTo makes it the turn of a side: where it is that of the other, which can
// pass, it has passed. It returns how many moves that took.
func (t *running) turnTo(side game.Side) (int, error) {
	if t.pos.Turn() == side {
		return 0, nil
	}
	if err := t.pos.Play(game.Pass); err != nil {
		return 0, fmt.Errorf("it is %s's turn", t.rules.Info().Sides[t.pos.Turn()].Name)
	}
	t.moves = append(t.moves, game.Pass)
	return 1, nil
}

// takeBack takes back moves.
func (t *running) takeBack(n int) {
	for range n {
		t.pos.Undo()
	}
	t.moves = t.moves[:len(t.moves)-n]
}

// play makes a move that is read in the position before it.
func (t *running) play(side game.Side, read func() (game.Move, error)) error {
	n, err := t.turnTo(side)
	if err != nil {
		return err
	}
	m, err := read()
	if err == nil {
		err = t.pos.Play(m)
	}
	if err != nil {
		t.takeBack(n)
		return err
	}
	t.moves, t.told = append(t.moves, m), append(t.told, n+1)
	return nil
}

// undo takes back the last move that was told, and reports whether there was one.
func (t *running) undo() bool {
	if len(t.told) == 0 {
		return false
	}
	last := len(t.told) - 1
	t.takeBack(t.told[last])
	t.told = t.told[:last]
	return true
}

// only returns the move where there is no choice, else NoMove.
func (t *running) only() game.Move {
	if moves := t.pos.AppendMoves(nil); len(moves) == 1 {
		return moves[0]
	}
	return game.NoMove
}

// load puts a record onto the table, up to before a move (from 1), or all of it
// where that is 0.
func load(p *record.Played, before int) (*running, error) {
	if p.Rules == nil || p.Start.Board == nil {
		return nil, fmt.Errorf("the record cannot be played")
	}
	var start *game.Setup
	if string(game.AppendSetup(nil, p.Rules, p.Start)) != game.FormatPosition(p.Rules, p.Rules.Start()) {
		setup := p.Start
		start = &setup
	}
	t, err := newTable(p.Rules, start)
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
		if err := t.play(s.Side, func() (game.Move, error) { return s.Move, nil }); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return t, nil
}

// side reads a colour: the name of a side or its first letter. Red is white,
// too, as position texts of Xiangqi have it.
func (t *running) side(text string) (game.Side, bool) {
	text = strings.ToLower(text)
	for i, s := range t.rules.Info().Sides {
		if text == s.Name || text == s.Name[:1] || s.Name == "red" && (text == "w" || text == "white") {
			return game.Side(i), true
		}
	}
	return 0, false
}

// format returns a move as GTP has it; p is the position before it.
func (t *running) format(p game.Position, m game.Move) string {
	if m.To() == board.NoPoint {
		return "pass"
	}
	if v, ok := t.rules.(engine.Vertices); ok {
		return v.Vertex(m)
	}
	text := game.FormatMove(t.rules, p, m, game.AnyNotation)
	if m.From() == board.NoPoint {
		text = strings.ToUpper(text)
	}
	return text
}

// parse reads a move of GTP.
func (t *running) parse(text string) (game.Move, error) {
	if strings.EqualFold(text, "pass") {
		return game.Pass, nil
	}
	if _, ok := t.rules.(engine.Vertices); !ok {
		return t.rules.ParseMove(t.pos, text, t.rules.Info().Notations[0].Name)
	}
	for _, m := range t.pos.AppendMoves(nil) {
		if strings.EqualFold(t.format(t.pos, m), text) {
			return m, nil
		}
	}
	return game.NoMove, game.ErrIllegal
}

// line returns moves from the present position in a notation.
func (t *running) line(moves []game.Move, format func(game.Position, game.Move) string) (list []string) {
	n := 0
	for _, m := range moves {
		text := ""
		if slices.Contains(t.pos.AppendMoves(nil), m) {
			text = format(t.pos, m)
		}
		if text == "" || t.pos.Play(m) != nil {
			break
		}
		list = append(list, text)
		n++
	}
	for range n {
		t.pos.Undo()
	}
	return list
}
