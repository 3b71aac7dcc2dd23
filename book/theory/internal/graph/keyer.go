package graph

import (
	"errors"
	"fmt"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
)

// Keyer finds the keys of positions, and of those behind moves. It is not safe
// for concurrent use.
type Keyer struct {
	Rules game.Rules
	book  *book.Keyer
}

// NewKeyer returns a keyer of a game.
func NewKeyer(r game.Rules) *Keyer { return &Keyer{Rules: r, book: book.NewKeyer(r)} }

// Key returns the key of a position, and what takes it to its smallest picture.
func (k *Keyer) Key(p game.Position) (book.Key, game.Symmetry) { return k.book.Key(p) }

// Fold plays the pass of a side that must, and returns how many plies that was.
func (k *Keyer) Fold(p game.Position) int {
	if k.book.Fold(p) {
		return 1
	}
	return 0
}

// Undo takes plies back.
func Undo(p game.Position, n int) {
	for range n {
		p.Undo()
	}
}

// Stepped is where a move leads.
type Stepped struct {
	Key     book.Key
	Turn    game.Side
	Over    bool
	Outcome game.Outcome
}

// Step looks where a move leads. The position is as before when it returns.
func (k *Keyer) Step(p game.Position, m game.Move) (s Stepped, err error) {
	if err := p.Play(m); err != nil {
		return s, err
	}
	passes := k.Fold(p)
	s.Turn, s.Outcome = p.Turn(), p.Outcome()
	s.Over = s.Outcome.Final()
	s.Key, _ = k.Key(p)
	Undo(p, passes+1)
	return s, nil
}

// First returns the first of the moves to a position: there are several where they
// are the same by symmetry.
func (k *Keyer) First(p game.Position, to book.Key) (game.Move, error) {
	for _, m := range p.AppendMoves(nil) {
		if s, err := k.Step(p, m); err != nil || s.Key == to {
			return m, err
		}
	}
	return game.NoMove, errors.New("theory: no move leads there")
}

// Smallest returns a position in its smallest picture, passes folded, with its
// key and text; sym takes p to it. The position p is as before.
func (k *Keyer) Smallest(p game.Position) (q game.Position, row Row, sym game.Symmetry, err error) {
	defer Undo(p, k.Fold(p))
	key, sym := k.Key(p)
	if q, err = k.Rules.Arrange(game.SetupOf(p).Transform(k.Rules, sym)); err != nil {
		return nil, row, sym, err
	}
	return q, Blank(key, game.FormatPosition(k.Rules, q)), sym, nil
}

// Pieces counts what stands on a board.
func Pieces(p game.Position) int32 {
	planar, ok := p.(game.Planar)
	if !ok {
		return 0
	}
	all := planar.Planes().Occupied()
	return int32(all.Count())
}

// OutcomeValue returns how a game that is over ended for a side.
func OutcomeValue(o game.Outcome, side game.Side) engine.Value {
	v := engine.Win
	switch {
	case o.State != game.Won:
		return 0
	case o.Margin > 0:
		v = engine.Value(o.Margin) * engine.Unit / 2
	}
	if o.Winner != side {
		return -v
	}
	return v
}

// Normal returns a row in the smallest picture of its position.
func (k *Keyer) Normal(row Row) (Row, error) {
	p, err := game.ParsePosition(k.Rules, row.Position)
	if err != nil {
		return row, fmt.Errorf("theory: the position %q cannot be: %w", row.Position, err)
	}
	leaf := game.NoMove
	if row.Leaf != "" {
		if leaf, err = k.Rules.ParseMove(p, row.Leaf, game.AnyNotation); err != nil {
			return row, fmt.Errorf("theory: the move %q in %q: %w", row.Leaf, row.Position, err)
		}
	}
	side := p.Turn()
	passes := k.Fold(p)
	if p.Turn() != side { // the move was a pass, which is no leaf
		leaf, row.Leaf, row.Value, row.Lower, row.Upper = game.NoMove, "", engine.NoValue, engine.NoValue, engine.NoValue
		row.Exact, row.Human = Turned(row.Exact, false), Turned(row.Human, false)
	}
	Undo(p, passes)
	q, small, sym, err := k.Smallest(p)
	if err != nil {
		return row, err
	}
	row.Key, row.Position = small.Key, small.Position
	if leaf != game.NoMove {
		row.Leaf = game.FormatMove(k.Rules, q, leaf.Transform(k.Rules.Geometry().Size, sym.Board), game.AnyNotation)
	}
	return row, nil
}
