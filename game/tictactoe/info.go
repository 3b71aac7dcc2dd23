package tictactoe

import (
	"qipu/board"
	"qipu/game"
)

var info = game.Info{
	Name:    "tictactoe",
	Shelf:   game.LabShelf,
	Titles:  board.Names{En: "Tic-tac-toe", Hant: "井字棋", Hans: "井字棋", Ja: "三目並べ", Ko: "틱택토"},
	Aliases: []string{"noughts-and-crosses", "qubic"},
	Howto: board.Names{
		En:   "Three in a row win. In the cube, four in a row in any direction do.",
		Hant: "三子連成一線者勝。立方體中，任何方向四子連線者勝。",
		Hans: "三子连成一线者胜。立方体中，任何方向四子连线者胜。",
		Ja:   "3 つ並べれば勝ちです。立方体ではどの方向でも 4 つ並べれば勝ちです。",
		Ko:   "세 개를 한 줄로 놓으면 이깁니다. 정육면체에서는 어느 방향이든 네 개를 한 줄로 놓으면 이깁니다.",
	},
	Sides: []game.SideInfo{
		{Name: "x", Titles: board.Names{En: "X", Hant: "叉方", Hans: "叉方", Ja: "バツ", Ko: "엑스"}, Letters: "Xx"},
		{Name: "o", Titles: board.Names{En: "O", Hant: "圈方", Hans: "圈方", Ja: "マル", Ko: "오"}, Letters: "Oo"},
	},
	Notations: []game.NotationInfo{{Name: "plain", Summary: "column letter from the left, row number from the bottom: b2"}},
	Variants: []game.VariantInfo{
		{Name: "NxN", Summary: "board size, 3x3 to 8x8; rows are as long as the board is wide"},
		{Name: "row=K", Summary: "rows of K win"},
		{Name: "cube", Summary: "4x4x4: the four levels stand side by side"},
		{Name: "gravity", Summary: "in the cube: stones fall to the lowest free level"},
	},
}

var geometry = board.Geometry{
	Cells: true,
	Pieces: []board.Look{
		{Names: board.Names{En: "cross", Hant: "叉", Hans: "叉", Ja: "バツ", Ko: "엑스"}, Owner: 0, Swap: 2,
			Letters: "X", Symbol: "●", Fill: "#2b5fa8", Edge: "#1b3c6b", Ink: "#ffffff"},
		{Names: board.Names{En: "nought", Hant: "圈", Hans: "圈", Ja: "マル", Ko: "오"}, Owner: 1, Swap: 1,
			Letters: "O", Symbol: "○", Fill: "#d9822b", Edge: "#8a4f14", Ink: "#ffffff"},
	},
	Theme: board.Theme{Board: "#f0e8d8", Line: "#8a7a5c", Mark: "#20507a"},
}
