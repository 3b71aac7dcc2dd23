package gameview

import (
	"qipu/board"
	"qipu/game"
	"qipu/opening/ecco"
)

// opener is a game whose rules know the names of openings.
type opener interface {
	Opening(moves []game.Move) (names board.Names, code string, ok bool)
}

// coded are the openings of a game that has codes for them.
type coded struct{}

func (coded) Opening(moves []game.Move) (names board.Names, code string, ok bool) {
	code, _ = ecco.Classify(moves)
	e, ok := ecco.Lookup(code)
	return e.Names, code, ok
}
