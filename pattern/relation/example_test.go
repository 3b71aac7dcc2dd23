package relation_test

import (
	"fmt"

	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/syntax"
)

func Example() {
	f := syntax.Parse("my.patterns", []byte(`
pattern bottom-cannon
name    Bottom cannon | 沉底炮
let     c = our cannon on rank 10
`))
	s, err := relation.Compile(f.Patterns, xiangqi.Standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := game.ParsePosition(xiangqi.Standard, "3k1C3/9/9/9/9/9/9/9/9/4K4 b")
	if err != nil {
		fmt.Println(err)
		return
	}
	v := pattern.View{Planes: p.(game.Planar).Planes(), Turn: p.Turn(), Facts: p}
	for _, m := range s.AppendMatches(nil, &v) {
		fmt.Println(m.ID, xiangqi.Standard.Info().Sides[m.Side].Name, m.Roles[0].Name, xiangqi.Standard.Geometry().Name(m.Roles[0].At))
	}
	// Output: bottom-cannon red c f9
}
