package advise_test

import (
	"fmt"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern/advise"
	"qipu/pattern/kb"
)

func Example() {
	base := kb.New(kb.Parse("own.shapes", []byte(`
shape the-cut
purpose  cut
urgency  4
ours     a
draw
  _ X O
  X a X
  _ O _
`)))
	rules, _ := advise.Parse("own.txt", []byte("purpose cut: liberties >= 2 // it can be taken"))
	a, err := advise.New(base, advise.Options{Conditions: rules})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: 5, H: 5}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"5/2OX1/1O1O1/2X2/5 b", "5/2OX1/1O1O1/1OXO1/5 b"} {
		p, err := game.ParsePosition(r, text)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, v := range a.Advise(p.(*weiqi.Position), advise.Ask{Refused: true}) {
			fmt.Printf("%s %v %v %q\n", r.Geometry().Name(v.Point), v.Urgency, v.Purpose, v.Refused)
		}
	}
	// Output:
	// C3 urgent cut ""
	// C3 urgent cut "it can be taken (needs liberties >= 2)"
}
