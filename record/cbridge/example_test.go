package cbridge_test

import (
	"bytes"
	"fmt"

	"qipu/record"
	"qipu/record/cbridge"
)

func Example() {
	file := bytes.NewReader(library([][]byte{sample(1), sample(2), heading(3)}, map[int]bool{1: true}, nil))
	for g, err := range cbridge.Format.Read(&record.Source{Name: "games.cbl", Reader: file}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: %d nodes, %q\n", g.Tag("Title"), len(g.Nodes), g.Nodes[0].Text())
	}
	// Output:
	// 中炮示例 😀: 6 nodes, "开局示例。\n第二行。"
	// games.cbl: game 2: "中炮示例 😀" was deleted by the user of the library (byte 71824)
	// 第一章: 1 nodes, "章节说明"
}
