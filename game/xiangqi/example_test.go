package xiangqi_test

import (
	"fmt"

	"qipu/game"
	"qipu/game/xiangqi"
)

func Example() {
	r := xiangqi.Standard
	p := r.Start()
	for _, text := range []string{"炮二平五", "马8进7", "H2+3"} {
		m, err := r.ParseMove(p, text, game.AnyNotation)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(game.FormatMove(r, p, m, xiangqi.Chinese), game.FormatMove(r, p, m, xiangqi.ICCS))
		if err := p.Play(m); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(game.FormatPosition(r, p))
	// Output:
	// 炮二平五 h2e2
	// 馬８進７ h9g7
	// 馬二進三 h0g2
	// rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2
}

// A verdict on repetition is a claim: the game may go on.
func ExamplePosition_Outcome() {
	r := xiangqi.Standard
	p, err := game.ParsePosition(r, "5k3/R8/9/9/9/9/9/9/9/3K5 w moves a8a9 f9f8 a9a8 f8f9 a8a9 f9f8 a9a8 f8f9")
	if err != nil {
		fmt.Println(err)
		return
	}
	o := p.Outcome()
	fmt.Println(o.Describe(r.Info()))
	fmt.Println("claim:", o.Claim, "moves:", len(p.AppendMoves(nil)))
	// Output:
	// black won (perpetual check)
	// claim: true moves: 19
}

func ExampleRules_Variant() {
	r, err := xiangqi.Standard.Variant("check-only")
	fmt.Println(r.Info().Variant, err)
	_, err = xiangqi.Standard.Variant("9x9")
	fmt.Println(err)
	// Output:
	// check-only <nil>
	// xiangqi: no variant "9x9": write asian, check-only or free
}

func ExampleRules_ParseMove() {
	p := xiangqi.Standard.Start()
	_, err := xiangqi.Standard.ParseMove(p, "馬二進四", xiangqi.Chinese)
	fmt.Println(err)
	// Output:
	// the leg of the horse is blocked: illegal move
}
