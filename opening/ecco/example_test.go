package ecco_test

import (
	"fmt"
	"strings"

	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/opening/ecco"
)

func ExampleClassify() {
	p := xiangqi.Standard.Start()
	moves, err := game.ParseMoves(xiangqi.Standard, p, "炮二平五 炮８平５ 馬二進三 馬８進７ 車一進一 車９平８ 車一平六 車８進４")
	if err != nil {
		fmt.Println(err)
		return
	}
	code, ply := ecco.Classify(moves)
	e, _ := ecco.Lookup(code)
	fmt.Println(code, ply)
	fmt.Println(e.Names.Hant)
	fmt.Println(e.Names.En)
	// Output:
	// D05 8
	// 順炮右橫車對左直車巡河車
	// Same-direction cannons with right ranked chariot v. left straight chariot with riverbank chariot
}

func ExampleEntry_Definitions() {
	e, _ := ecco.Lookup("A45")
	for _, way := range e.Definitions() {
		fmt.Println(strings.Join(way, "; "))
	}
	// Output:
	// red move 1: H2+3; black move 1: P7+1; red beyond P9+1: P7+1
}
