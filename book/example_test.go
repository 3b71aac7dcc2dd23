package book_test

import (
	"fmt"

	"qipu/book"
	"qipu/game"
	"qipu/game/othello"
)

// Two games that differ in the order of their moves meet: the position behind
// both has been reached twice, each of the last moves was made once.
func Example() {
	b := book.New(othello.Standard)
	for i, line := range []string{"f5d6c3d3c4", "f5d6c4d3c3"} {
		_, moves, err := game.ParseLine(othello.Standard, line)
		if err != nil {
			fmt.Println(err)
			return
		}
		won := book.Result{Verdict: book.FirstWon, Scored: true, Score: 10 * (i + 1)}
		if err := b.Add(book.Game{ID: uint32(i + 1), Moves: moves, Result: won}); err != nil {
			fmt.Println(err)
			return
		}
	}
	p, _, _ := game.ParseLine(othello.Standard, "f5d6c3d3")
	e, ok := b.Look(p, book.LookOptions{Threshold: 2})
	fmt.Println(ok, e.N, "game, R", e.R)
	for _, m := range e.Moves {
		fmt.Println(game.FormatMove(othello.Standard, p, m.Move, game.AnyNotation), m.N, "game,", m.Reached.N, "behind it, R", m.R)
	}
	// Output:
	// true 1 game, R 15
	// c4 1 game, 2 behind it, R 15
}
