package board_test

import (
	"fmt"

	"qipu/board"
)

func ExampleSymmetry() {
	size := board.Size{W: 19, H: 19}
	star := board.At(15, 3) // upper right
	for _, sym := range []board.Symmetry{board.Mirror, board.TurnRight, board.HalfTurn} {
		fmt.Println(sym, sym.Apply(size, star))
	}
	// Output:
	// mirror 3,3
	// turn-right 15,15
	// half-turn 3,15
}

func ExamplePlane_Flood() {
	size := board.Size{W: 5, H: 3}
	var road, seed board.Plane
	for _, p := range []board.Point{board.At(0, 0), board.At(1, 0), board.At(1, 1), board.At(4, 2)} {
		road.Add(p)
	}
	seed.Add(board.At(0, 0))
	reached := seed.Flood(size, &road)
	fmt.Println(reached.Count(), "points reached of", road.Count())
	// Output: 3 points reached of 4
}
