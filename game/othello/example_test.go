package othello_test

import (
	"fmt"

	"qipu/game"
	"qipu/game/othello"
)

func Example() {
	p := othello.Standard.Start()
	moves, err := game.ParseMoves(othello.Standard, p, "f5d6c3d3c4f4f6")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(moves), "moves:", game.FormatPosition(othello.Standard, p))
	_, err = othello.Standard.ParseMove(p, "a1", game.AnyNotation)
	fmt.Println(err)
	// Output:
	// 7 moves: 8/8/2XO4/2XXXO2/3OXX2/3O1X2/8/8 O
	// the move turns no disc over: illegal move
}
