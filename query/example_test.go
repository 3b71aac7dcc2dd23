package query_test

import (
	"fmt"

	"qipu/game/weiqi"
	"qipu/pattern"
	"qipu/query"
)

// A tree is made by hand, made simple, and prints what it asks for.
func Example() {
	g := weiqi.Standard.Geometry()
	p, err := pattern.Parse(g, "XO/OX")
	if err != nil {
		fmt.Println(err)
		return
	}
	cut := &query.Shape{Pattern: p, Geometry: g}
	q := query.And{query.And{cut}, query.Not{Q: query.Not{Q: query.Collection{Name: "finals"}}}, query.Const(true)}
	fmt.Println(query.Simplify(q))
	// Output: (and (shape "X O/O X" floating) (collection "finals"))
}
