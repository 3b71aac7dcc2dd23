package nim

import (
	"qipu/board"
	"qipu/game"
)

var info = game.Info{
	Name:   "nim",
	Shelf:  game.LabShelf,
	Titles: board.Names{En: "Nim", Hant: "尼姆", Hans: "尼姆", Ja: "ニム", Ko: "님"},
	Howto: board.Names{
		En:   "Take any number of pieces of one heap. Whoever takes the last piece wins.",
		Hant: "從一堆中取任意多個。取得最後一個者勝。",
		Hans: "从一堆中取任意多个。取得最后一个者胜。",
		Ja:   "1 つの山から好きな数だけ取ります。最後の 1 つを取れば勝ちです。",
		Ko:   "한 더미에서 원하는 만큼 가져갑니다. 마지막 하나를 가져가면 이깁니다.",
	},
	Sides: []game.SideInfo{
		{Name: "first", Titles: board.Names{En: "First", Hant: "先手", Hans: "先手", Ja: "先手", Ko: "선수"}, Letters: "Aa1"},
		{Name: "second", Titles: board.Names{En: "Second", Hant: "後手", Hans: "后手", Ja: "後手", Ko: "후수"}, Letters: "Bb2"},
	},
	Notations: []game.NotationInfo{{Name: "take", Summary: "letter of the heap and how many: a3; of both heaps in Wythoff's game: ab3; the pin, or with + two, in Kayles: a3+"}},
	Variants: []game.VariantInfo{
		{Name: "heaps=N-N-N", Summary: "up to 8 heaps of up to 15 pieces"},
		{Name: "misere", Summary: "whoever takes the last piece loses"},
		{Name: "most=K", Summary: "the subtraction game: at most K pieces a move"},
		{Name: "wythoff", Summary: "two heaps; as many of both may be taken, too"},
		{Name: "kayles", Summary: "one pin, or two that stand side by side"},
	},
	Symmetries: []game.Symmetry{{}, {Swap: true}},
	Extra:      []string{"rows"},
}

var geometry = board.Geometry{
	Cells: true,
	Theme: board.Theme{Board: "#e9e2d0", Line: "#a89a78", Mark: "#20507a"},
}
