package window_test

import (
	"fmt"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/window"
)

// A tiger's mouth: where it lies on a board, for whom, and where its middle is.
func Example() {
	const own, empty, any = window.Own, pattern.Empty, window.Any
	shapes := []window.Shape{{
		Size: board.Size{W: 3, H: 3},
		Cells: []pattern.Set{
			any, own, any,
			own, empty, empty,
			any, own, any,
		},
	}}
	set, err := window.Compile(shapes, window.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := board.NewPlanes(board.Size{W: 9, H: 9}, 2)
	for _, p := range []board.Point{board.At(2, 0), board.At(1, 1), board.At(3, 1)} {
		b.Put(p, 2)
	}
	w := window.NewWindows(b.Size)
	w.Reset(b)
	for _, hit := range set.AppendHits(nil, w) {
		fmt.Println(hit.Side(), hit.Symmetry.Board, hit.Point(shapes[0].Size, 1, 1))
	}
	// Output:
	// 1 transpose 2,1
}
