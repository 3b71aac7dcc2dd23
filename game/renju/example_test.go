package renju_test

import (
	"fmt"

	"qipu/game"
	"qipu/game/renju"
)

func Example() {
	r := renju.Renju
	p := r.Start().(*renju.Position)
	if _, err := game.ParseMoves(r, p, "h8 h9 i9 g7 j10 a1 k11 l12 i10 a3 j11 a5"); err != nil {
		fmt.Println(err)
	}
	o, _ := renju.OpeningOf(p.Planes().Size, p.Moves())
	fmt.Println(o.Code, o.Names.En, o.Names.Ja)
	points := p.Forbidden()
	for at := range points.Points() {
		fmt.Println(game.FormatMove(r, p, game.Drop(at), renju.Plain), p.Foul(at))
	}
	// Output:
	// 4D Kagetsu 花月
	// i11 double-three
}

func ExamplePosition_Outcome() {
	r := renju.Renju
	p := r.Start().(*renju.Position)
	// Black's ninth stone makes two threes at once.
	game.ParseMoves(r, p, "f8 a1 g8 c1 h9 e1 h10 g1 h8")
	fmt.Println(p.Outcome().Describe(r.Info()), p.LastFoul())
	// White does not see it and plays on.
	game.ParseMoves(r, p, "i1")
	fmt.Println(p.Outcome().Describe(r.Info()))
	// Output:
	// white won (forbidden move) double-three
	// ongoing
}

func ExampleRules_Variant() {
	r, err := renju.Renju.Variant("free,19x19")
	fmt.Println(r.Info().Titles.En, r.Info().Variant, err)
	_, err = renju.Renju.Variant("caro")
	fmt.Println(err)
	// Output:
	// Gomoku 19x19,free <nil>
	// renju: variant "caro": write renju, standard, free or a size such as 19x19
}
