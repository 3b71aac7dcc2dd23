package describe_test

import (
	"fmt"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/pattern"
	"qipu/pattern/describe"
)

// A pattern of Xiangqi is named by its pieces, and the name makes the pattern
// again.
func Example() {
	n := describe.New(xiangqi.Standard, describe.Options{})
	p, err := n.Parse("三路俥壓7路馬")
	if err != nil {
		fmt.Println(err)
		return
	}
	size := p.Size
	fmt.Println(p.Anchor, size)
	fmt.Println(p.Cells[size.Index(board.At(6, 3))] == pattern.Of(4), p.Cells[size.Index(board.At(6, 2))] == pattern.Of(12))
	p.Swap, p.Turn = false, pattern.FirstToMove
	fmt.Println(n.Name(p))
	// Output:
	// fixed 9x10
	// true true
	// 三路俥壓7路馬（不對調，輪紅）
}

// Stones are listed by their points; the rest of the region is empty.
func ExampleNamer_Name() {
	g := weiqi.Standard.Geometry()
	p, err := pattern.Parse(g, `
		+----------
		| . . . . .
		| . . . . .
		| . . . O .
		| . . X . .`)
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Mirror, p.Swap = true, true
	for _, language := range []string{"zh-Hant", "zh-Hans", "en"} {
		n := describe.New(weiqi.Standard, describe.Options{Language: language})
		fmt.Println(n.Name(p))
	}
	// Output:
	// 角5x4 黑C16 白D17
	// 角5x4 黑C16 白D17
	// corner 5x4: black C16, white D17
}

// Errors say where in the name they are.
func ExampleNamer_Parse() {
	n := describe.New(weiqi.Standard, describe.Options{Language: "en"})
	_, err := n.Parse("corner 4x4: black C16, white E17")
	fmt.Println(err)
	// Output:
	// describe: column 30: E17 lies outside the region: make the region larger
}
