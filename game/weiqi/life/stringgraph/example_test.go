package stringgraph_test

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/stringgraph"
)

// A string with two eyes lives; the stone in the corner does not.
func ExampleJudge() {
	rows := []string{"O.X.X", "XXXXX", "OOOOO", ".O.O."}
	p := board.NewPlanes(board.Size{W: 5, H: 4}, 2)
	for y, row := range rows {
		for x, c := range row {
			if k := strings.IndexRune(".XO", c); k > 0 {
				p.Put(board.At(x, y), board.Piece(k))
			}
		}
	}
	var b life.Board
	b.Reset(p)
	var j life.Judgement
	j.Begin(stringgraph.Method, &b)
	var g stringgraph.Judge
	g.Judge(&b, true, &j)
	for i := range j.Strings {
		v := &j.Strings[i]
		fmt.Println(v.Head, v.Status)
	}
	for i := range j.Steps {
		fmt.Print(j.Steps[i].Rule, " ")
	}
	fmt.Println()
	// Output:
	// 0,0 dead
	// 2,0 alive
	// 0,2 alive
	// graph asg no-asg desr asg
}
