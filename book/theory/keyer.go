package theory

import (
	"fmt"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
)

// keyer finds the keys of positions, and of those behind moves. It is not safe
// for concurrent use.
type keyer struct {
	rules game.Rules
	book  *book.Keyer
}

func newKeyer(r game.Rules) *keyer { return &keyer{rules: r, book: book.NewKeyer(r)} }

func (k *keyer) key(p game.Position) (book.Key, game.Symmetry) { return k.book.Key(p) }

// fold plays the pass of a side that must, and returns how many plies that was.
func (k *keyer) fold(p game.Position) int {
	if k.book.Fold(p) {
		return 1
	}
	return 0
}

func undo(p game.Position, n int) {
	for range n {
		p.Undo()
	}
}

// stepped is where a move leads.
type stepped struct {
	key     book.Key
	turn    game.Side
	over    bool
	outcome game.Outcome
}

// step looks where a move leads. The position is as before when it returns.
func (k *keyer) step(p game.Position, m game.Move) (s stepped, err error) {
	if err := p.Play(m); err != nil {
		return s, err
	}
	passes := k.fold(p)
	s.turn, s.outcome = p.Turn(), p.Outcome()
	s.over = s.outcome.Final()
	s.key, _ = k.key(p)
	undo(p, passes+1)
	return s, nil
}

// smallest returns a position in its smallest picture, passes folded, with its
// key and text; sym takes p to it. The position p is as before.
func (k *keyer) smallest(p game.Position) (q game.Position, row Row, sym game.Symmetry, err error) {
	defer undo(p, k.fold(p))
	key, sym := k.key(p)
	if q, err = k.rules.Arrange(game.SetupOf(p).Transform(k.rules, sym)); err != nil {
		return nil, row, sym, err
	}
	return q, blank(key, game.FormatPosition(k.rules, q)), sym, nil
}

func pieces(p game.Position) int32 {
	planar, ok := p.(game.Planar)
	if !ok {
		return 0
	}
	all := planar.Planes().Occupied()
	return int32(all.Count())
}

// outcomeValue returns how a game that is over ended for a side.
func outcomeValue(o game.Outcome, side game.Side) engine.Value {
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

// normal returns a row in the smallest picture of its position.
func (k *keyer) normal(row Row) (Row, error) {
	p, err := game.ParsePosition(k.rules, row.Position)
	if err != nil {
		return row, fmt.Errorf("theory: the position %q cannot be: %w", row.Position, err)
	}
	leaf := game.NoMove
	if row.Leaf != "" {
		if leaf, err = k.rules.ParseMove(p, row.Leaf, game.AnyNotation); err != nil {
			return row, fmt.Errorf("theory: the move %q in %q: %w", row.Leaf, row.Position, err)
		}
	}
	side := p.Turn()
	passes := k.fold(p)
	if p.Turn() != side { // the move was a pass, which is no leaf
		leaf, row.Leaf, row.Value, row.Lower, row.Upper = game.NoMove, "", engine.NoValue, engine.NoValue, engine.NoValue
		row.Exact, row.Human = turned(row.Exact, false), turned(row.Human, false)
	}
	undo(p, passes)
	q, small, sym, err := k.smallest(p)
	if err != nil {
		return row, err
	}
	row.Key, row.Position = small.Key, small.Position
	if leaf != game.NoMove {
		row.Leaf = game.FormatMove(k.rules, q, leaf.Transform(k.rules.Geometry().Size, sym.Board), game.AnyNotation)
	}
	return row, nil
}
