package pattern_test

import (
	"fmt"

	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/pattern"
)

func ExampleParse() {
	p, err := pattern.Parse(weiqi.Standard.Geometry(), `
		+------
		|. . .
		|. X o
		|. O *
	`)
	fmt.Println(p.Anchor, p.Size, err)
	_, err = pattern.Parse(weiqi.Standard.Geometry(), "X.O/X7O")
	fmt.Println(err)
	// Output:
	// corner 3x3 <nil>
	// pattern: line 1, column 6: '7' among other cells: digits are cells only where all are; else write X O x o . * ? # ~, or a set of them such as [X.] or [^.]
}

func ExampleCompile() {
	// A chariot on the point in front of a horse or a cannon, on either wing
	// and for either side.
	p, err := pattern.Parse(xiangqi.Standard.Geometry(), "[nc]/R")
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Mirror, p.Swap = true, true
	places, err := pattern.Compile(p, pattern.BoardOf(xiangqi.Standard))
	fmt.Println(len(places), err)
	fmt.Println(places[0].Points, places[0].Symmetry)
	fmt.Println(places[81].Points, places[81].Symmetry)
	// Output:
	// 162 <nil>
	// [9 0] {identity false}
	// [0 9] {flip true}
}

func ExampleRegion() {
	pos, _, err := game.ParseLine(weiqi.Standard, "C17 D15")
	if err != nil {
		fmt.Println(err)
		return
	}
	planes := pos.(game.Planar).Planes()
	fmt.Print(pattern.Region(planes, 0, 0, 6, 5).Format(weiqi.Standard.Geometry()))
	// Output:
	// +-------------
	// | . . . . . .
	// | . . . . . .
	// | . . X . . .
	// | . . . . . .
	// | . . . O . .
}

func ExamplePattern_Format() {
	p, _ := pattern.Parse(xiangqi.Standard.Geometry(), "@centre / R[RC]. / [^.]*[rncp]")
	fmt.Print(p.Format(xiangqi.Standard.Geometry()))
	// Output:
	// @centre
	// R    [RC] .
	// [+-] *    [rncp]
}
