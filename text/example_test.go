package text_test

import (
	"fmt"
	"slices"

	"qipu/text"
)

func ExampleFold() {
	for _, s := range []string{"棋譜", "Müller", "LEE,  SEDOL", "ｲﾔﾏ・ユウタ", "聶 衛平"} {
		fmt.Println(text.Fold(s))
	}
	// Output:
	// 棋谱
	// muller
	// lee sedol
	// いやまゆうた
	// 聂卫平
}

func ExampleReading() {
	fmt.Println(text.Reading("柯潔"), text.Reading("Ke Jie"))
	fmt.Println(text.Reading("ゆうた"), text.Reading("Yūta"))
	fmt.Println(text.Reading("이세돌"), text.Reading("Lee Sedol"))
	// Output:
	// kejie kejie
	// yuta yuta
	// lisedol lisedol
}

func ExampleReadingMatch() {
	fmt.Println(text.ReadingMatch("Ronghua Hu", "胡榮華"), text.ReadingMatch("Hu Hanhua", "胡榮華"))
	// Output: true false
}

func ExampleIndex() {
	var b text.Builder
	b.Add(7, text.Fold("黑先勝，聶衛平評"))
	b.Add(9, text.Fold("A severe move! White is in trouble."))

	ix, err := text.Open(b.AppendTo(nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range []string{"聂卫平", "黑", "SEVERE MOVE", "black"} {
		games, err := ix.Search(text.Fold(q))
		fmt.Println(q, games, err)
	}
	// Output:
	// 聂卫平 {7} <nil>
	// 黑 {7} <nil>
	// SEVERE MOVE {9} <nil>
	// black {} <nil>
}

func ExampleSuggest() {
	fields := []string{"player", "event", "result"}
	fmt.Println(text.Suggest("palyer", slices.Values(fields)))
	// Output: did you mean player?
}
