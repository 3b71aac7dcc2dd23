package draw_test

import (
	"fmt"

	"qipu/board"
	"qipu/board/draw"
)

// A board of three by three points with one stone, for a terminal.
func Example() {
	size := board.Size{W: 3, H: 3}
	g := &board.Geometry{
		Size:   size,
		Lines:  board.Grid(size, false),
		Labels: board.Labels{Top: []string{"a", "b", "c"}, Left: []string{"3", "2", "1"}},
		Pieces: []board.Look{{Letters: "X", Symbol: "●", Fill: "#202020"}},
		Theme:  board.Theme{Board: "#e2b565", Line: "#3b2a14", Mark: "#1558b0"},
	}
	b := board.NewPlanes(size, len(g.Pieces))
	b.Put(board.At(1, 0), 1)
	s := &draw.Scene{
		Geometry:    g,
		Planes:      b,
		Last:        &draw.Step{From: board.NoPoint, To: board.At(1, 0)},
		Coordinates: true,
	}
	fmt.Print(draw.Text(s, draw.TextOptions{}))
	fmt.Println(len(draw.AppendSVG(nil, s)) < 4000)
	// Output:
	//   a b c
	// 3 .(X). 3
	// 2 . . . 2
	// 1 . . . 1
	//   a b c
	// true
}
