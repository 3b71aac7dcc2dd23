package renlib_test

import (
	"bytes"
	"fmt"

	"qipu/record"
	"qipu/record/renlib"
)

func Example() {
	file := bytes.NewReader(lib(4,
		item{point: 0x78},
		item{point: 0x68, flags: sibling | leaf, comment: "direct"},
		item{point: 0x69, flags: leaf, comment: "indirect"},
	))
	for g, err := range renlib.Format.Read(&record.Source{Name: "openings.lib", Reader: file}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		for i := range g.Nodes {
			fmt.Printf("%d %q %q\n", g.Nodes[i].Parent, g.Nodes[i].Move, g.Nodes[i].Text())
		}
	}
	// Output:
	// 0 "" ""
	// 0 "h8" ""
	// 1 "h9" "direct"
	// 1 "i9" "indirect"
}
