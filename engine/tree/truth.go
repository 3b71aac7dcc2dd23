package tree

import (
	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Truth asks a knower about the boards of an engine that has boards of its own.
type Truth struct {
	Few    int // men on a board of which anything may be known; 0 for never
	knower engine.Knower
	rules  game.Rules
	pieces []board.Piece
	points []board.Point
}

// Begin notes who knows positions of a game; nil for nobody.
func (t *Truth) Begin(k engine.Knower, r game.Rules) {
	t.knower, t.rules, t.Few = k, r, 0
	if k != nil {
		t.Few = k.MostMen(r)
	}
}

// Clear takes all pieces off the board.
func (t *Truth) Clear() { t.pieces, t.points = t.pieces[:0], t.points[:0] }

// Put lays a piece on the board.
func (t *Truth) Put(p board.Piece, at board.Point) {
	t.pieces, t.points = append(t.pieces, p), append(t.points, at)
}

// Plies returns how the board stands for the side to move, 1 won, 0 drawn, -1 lost, and in
// how many plies it ends.
func (t *Truth) Plies(turn game.Side) (result, plies int, ok bool) {
	v, ok := t.knower.KnowsMen(t.rules, t.pieces, t.points, turn)
	switch {
	case v > 0:
		return 1, int(engine.Win - v), ok
	case v < 0:
		return -1, int(engine.Win + v), ok
	}
	return 0, 0, ok
}
