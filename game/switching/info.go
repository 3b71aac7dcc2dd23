package switching

import (
	"qipu/board"
	"qipu/game"
)

var info = game.Info{
	Name:    "switching",
	Shelf:   game.LabShelf,
	Titles:  board.Names{En: "Shannon's switching game", Hant: "香農開關遊戲", Hans: "香农开关游戏", Ja: "シャノンのスイッチングゲーム", Ko: "섀넌 스위칭 게임"},
	Aliases: []string{"bridg-it", "gale"},
	Howto: board.Names{
		En:   "Short makes a link unbreakable, Cut breaks one. Short joins the left edge to the right one, Cut parts them.",
		Hant: "短路方固定一條連線，切斷方切斷一條。短路方連通左右兩邊，切斷方將其分開。",
		Hans: "短路方固定一条连线，切断方切断一条。短路方连通左右两边，切断方将其分开。",
		Ja:   "ショートは線を固定し、カットは線を切ります。左右の辺がつながればショート、切り離せばカットの勝ちです。",
		Ko:   "쇼트는 선을 고정하고 컷은 선을 끊습니다. 좌우 변이 이어지면 쇼트, 끊어지면 컷이 이깁니다.",
	},
	Sides: []game.SideInfo{
		{Name: "short", Titles: board.Names{En: "Short", Hant: "短路方", Hans: "短路方", Ja: "ショート", Ko: "쇼트"}, Letters: "Ss"},
		{Name: "cut", Titles: board.Names{En: "Cut", Hant: "切斷方", Hans: "切断方", Ja: "カット", Ko: "컷"}, Letters: "Cc"},
	},
	Notations:  []game.NotationInfo{{Name: "plain", Summary: "column letter and row number of the link: b3"}},
	Variants:   []game.VariantInfo{{Name: "CxR", Summary: "columns and rows of points, 2x2 to 8x8"}},
	Symmetries: []game.Symmetry{{}, {Board: board.Mirror}, {Board: board.Flip}, {Board: board.HalfTurn}},
}

var geometry = board.Geometry{
	Pieces: []board.Look{
		{Names: board.Names{En: "link", Hant: "連線", Hans: "连线", Ja: "線", Ko: "선"}, Owner: 0, Swap: 2,
			Letters: "S", Symbol: "●", Fill: "#2c7a4b", Edge: "#174528", Ink: "#ffffff"},
		{Names: board.Names{En: "cut", Hant: "切口", Hans: "切口", Ja: "切れ目", Ko: "끊긴 곳"}, Owner: 1, Swap: 1,
			Letters: "C", Symbol: "○", Fill: "#b3402e", Edge: "#6d2114", Ink: "#ffffff"},
	},
	Theme: board.Theme{Board: "#eef0e6", Line: "#7d8a72", Mark: "#20507a"},
}
