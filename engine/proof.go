package engine

import (
	"context"

	"qipu/game"
)

// Prover is an Engine that proves wins: of problems, and of what a move has missed.
type Prover interface {
	// Prove looks for a win of the side to move within a number of positions; 0 for a
	// usual one.
	Prove(ctx context.Context, t *Task, nodes int64) (*Proof, error)
}

// Proof is a win that nothing stops, or the word that none was found.
type Proof struct {
	Won bool

	// By is the kind of the win in words that the game's players use: "five", "open four",
	// "four and three", "fours", "threats", "mate".
	By string

	Plies int         // until the end, where the other side holds out as long as it can
	Line  []game.Move // such a way; it may end where one move ends the game, whatever is answered

	// Checked is how many positions a check went through that knows the rules alone, all
	// answers among them; 0 where there was no room for it.
	Checked int

	// Ended tells that a limit ended the search: there may be a win that was not found.
	Ended bool

	Nodes int64
}
