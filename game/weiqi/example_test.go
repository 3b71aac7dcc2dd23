package weiqi_test

import (
	"fmt"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

func Example() {
	r, err := weiqi.Standard.Variant("9x9,tromp-taylor,komi=0")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := r.Start()
	for _, text := range []string{"E5", "D5", "4-4", "pass", "df", "pass", "C5", "pass", "pass"} {
		m, err := r.ParseMove(p, text, game.AnyNotation)
		if err == nil {
			err = p.Play(m)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(game.FormatPosition(r, p))
	fmt.Println(p.Outcome().Describe(r.Info()))
	// Output:
	// 9/9/9/3X5/2X1X4/3X5/9/9/9 w prisoners=1,0
	// black won by 81 (count)
}

func ExampleNew() {
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: 13, H: 13}, RuleSet: weiqi.AGA, Handicap: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Info().Variant, r.Komi())
	fmt.Println(game.FormatPosition(r, r.Start()))
	// Output:
	// 13x13,aga,handicap=2 1
	// 13/13/13/9X3/13/13/13/13/13/3X9/13/13/13 w
}

// A record may hold moves that the rules forbid; they can be carried out all
// the same.
func ExamplePosition_Force() {
	r, _ := weiqi.Standard.Variant("5x5")
	start, _ := game.ParsePosition(r, "1XO2/X1XO1/1XO2/5/5 w moves B4")
	p := start.(*weiqi.Position)
	m, err := r.ParseMove(p, "C4", weiqi.GTP)
	fmt.Println(err)
	fmt.Println(p.Force(weiqi.Black, m))
	fmt.Println(game.FormatPosition(r, p))
	// Output:
	// the ko may not be retaken at once: illegal move
	// <nil>
	// 1XO2/X1XO1/1XO2/5/5 w ko=1,1 prisoners=1,1
}

// What a move changed is told without comparing boards.
func ExamplePosition_AppendChanged() {
	r, _ := weiqi.Standard.Variant("5x5")
	p, _ := game.ParsePosition(r, "1XO2/X1XO1/1XO2/5/5 w moves B4")
	for _, c := range p.(game.Changer).AppendChanged(nil) {
		fmt.Println(game.FormatMove(r, p, game.Drop(c.Point), weiqi.GTP), c.Piece)
	}
	// Output:
	// B4 2
	// C4 0
}

func ExamplePosition_Score() {
	r, _ := weiqi.Standard.Variant("5x5,komi=0.5")
	start, _ := game.ParsePosition(r, "2XO1/O1XO1/2XO1/2XO1/2XO1 b")
	p := start.(*weiqi.Position)
	var dead board.Plane
	dead.Add(board.At(0, 1))
	s := p.Score(weiqi.ScoreOptions{Dead: dead})
	fmt.Println(s, s.Territory[weiqi.Black].Count(), s.Prisoners)
	s = p.Score(weiqi.ScoreOptions{Dead: dead, Scoring: weiqi.Area})
	fmt.Println(s)
	// Output:
	// B+5.5 10 [1 0]
	// B+4.5
}
