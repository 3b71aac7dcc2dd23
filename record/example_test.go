package record_test

import (
	"fmt"

	"qipu/game/weiqi"
	"qipu/record"
)

func ExampleAppendGame() {
	g := &record.Game{Kind: "weiqi", Notation: "sgf"}
	root := g.Add(0, record.Unstated, "")
	g.Add(root, record.First, "pd")
	stored := record.AppendGame(nil, g)

	back, err := record.DecodeGame(stored)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(back.Kind, back.Moves(), back.Nodes[1].Move)

	_, err = record.DecodeGame(stored[:len(stored)-1])
	fmt.Println(err)
	// Output:
	// weiqi 1 pd
	// record: the stored record is damaged: import its file again, or restore the library from a copy (byte 30 of 31)
}

func ExampleLines() {
	g := &record.Game{Kind: "weiqi", Notation: "sgf"}
	root := g.Add(0, record.Unstated, "")
	first := g.Add(root, record.First, "pd")
	g.Add(first, record.Second, "dp")
	g.Add(first, record.Second, "dd")
	for line := range record.Lines(weiqi.Standard, g) {
		for _, step := range line.Steps[line.From:] {
			fmt.Println("after", line.From, "steps:", g.Nodes[step.Node].Move)
		}
	}
	// Output:
	// after 1 steps: dd
}
