package engine

import "qipu/game"

// Factors are what can be counted about a position of a game: pieces, moves, threats.
// Programs that learn from games find out what each of them is worth. They are safe for
// concurrent use.
type Factors interface {
	// Names names the factors, in their order, in a few words of English.
	Names() []string

	// AppendFactors appends what the factors of a position are for a side, whoever is to
	// move: one number for each name, between -99 and 99.
	AppendFactors(dst []int8, p game.Position, side game.Side) []int8
}
