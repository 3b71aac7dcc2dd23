package xqf_test

import (
	"bytes"
	"fmt"

	"qipu/record"
	"qipu/record/xqf"
)

func Example() {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs"}
	g.Facts.Players[0].Name = "甲"
	g.Add(0, record.Unstated, "") // the root
	first := g.Add(0, record.Unstated, "h2e2")
	g.Add(first, record.Unstated, "h9g7")
	reply := g.Add(first, record.Unstated, "b7e7")
	g.Nodes[reply].More().Comment = "順手炮"

	var file bytes.Buffer
	if err := xqf.Format.Write(&file, func(yield func(*record.Game) bool) { yield(g) }); err != nil {
		fmt.Println(err)
	}
	for g, err := range xqf.Format.Read(&record.Source{Name: "x.xqf", Reader: &file}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Facts.Players[0].Name)
		for i := range g.Nodes {
			fmt.Printf("%d %q %q\n", g.Nodes[i].Parent, g.Nodes[i].Move, g.Nodes[i].Text())
		}
	}
	// Output:
	// 甲
	// 0 "" ""
	// 0 "h2e2" ""
	// 1 "h9g7" ""
	// 1 "b7e7" "順手炮"
}
