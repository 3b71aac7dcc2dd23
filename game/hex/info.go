package hex

import (
	"math"
	"strconv"

	"qipu/board"
	"qipu/game"
)

const (
	red  = "#b3261e"
	blue = "#2b5fa8"
)

var info = game.Info{
	Name:   "hex",
	Shelf:  game.LabShelf,
	Titles: board.Names{En: "Hex", Hant: "六貫棋", Hans: "六贯棋", Ja: "ヘックス", Ko: "헥스"},
	Howto: board.Names{
		En:   "Red joins the upper and the lower side of the board by a chain of stones, Blue the left and the right.",
		Hant: "紅方以連續的棋子連接上下兩邊，藍方連接左右兩邊。",
		Hans: "红方以连续的棋子连接上下两边，蓝方连接左右两边。",
		Ja:   "赤は上下の辺を、青は左右の辺を、石の列でつなげば勝ちです。",
		Ko:   "빨강은 위아래 변을, 파랑은 좌우 변을 돌로 이으면 이깁니다.",
	},
	Sides: []game.SideInfo{
		{Name: "red", Titles: board.Names{En: "Red", Hant: "紅方", Hans: "红方", Ja: "赤", Ko: "빨강"}, Letters: "XxrR"},
		{Name: "blue", Titles: board.Names{En: "Blue", Hant: "藍方", Hans: "蓝方", Ja: "青", Ko: "파랑"}, Letters: "OobB"},
	},
	Notations:  []game.NotationInfo{{Name: "plain", Summary: "column letter from the left, row number from the bottom: c3"}},
	Variants:   []game.VariantInfo{{Name: "NxN", Summary: "board size, 2x2 to 11x11"}},
	Symmetries: []game.Symmetry{{}, {Board: board.HalfTurn}, {Board: board.Transpose, Swap: true}, {Board: board.AntiTranspose, Swap: true}},
}

// geometryOf returns a rhombus of hexagons, every row half a step further to the
// right; its upper and lower edges are red, the others blue.
func geometryOf(n int) board.Geometry {
	s := board.Size{W: n, H: n}
	rows := make([]string, n)
	for y := range rows {
		rows[y] = strconv.Itoa(n - y)
	}
	g := board.Geometry{
		Size: s, Cells: true, Pitch: math.Sqrt(3) / 2,
		Labels: board.Labels{Top: board.Letters(n, 'a', ""), Left: rows},
		Theme:  board.Theme{Board: "#e8e0cf", Line: "#6d6555", Mark: "#20795a"},
		Pieces: []board.Look{
			{Names: board.Names{En: "red stone", Hant: "紅子", Hans: "红子", Ja: "赤石", Ko: "빨간 돌"}, Owner: 0, Swap: 2,
				Letters: "X", Symbol: "●", Fill: "#c9372c", Edge: "#7c1d16", Ink: "#ffffff"},
			{Names: board.Names{En: "blue stone", Hant: "藍子", Hans: "蓝子", Ja: "青石", Ko: "파란 돌"}, Owner: 1, Swap: 1,
				Letters: "O", Symbol: "○", Fill: "#3b74c4", Edge: "#1f4480", Ink: "#ffffff"},
		},
	}
	for y := range n {
		g.Shifts = append(g.Shifts, float64(y)/2)
	}
	corners := g.Corners()
	for p := range s.Points() {
		at := g.Spot(p)
		for i, d := range around {
			x, y, ink := p.X()+d[0], p.Y()+d[1], ""
			switch {
			case y < 0 || y >= n:
				ink = red
			case x < 0 || x >= n:
				ink = blue
			case i >= 1 && i <= 3:
				continue // the neighbour has the same side
			}
			a, b := corners[i], corners[(i+1)%6]
			g.Lines = append(g.Lines, board.Segment{From: board.Spot{X: at.X + a.X, Y: at.Y + a.Y}, To: board.Spot{X: at.X + b.X, Y: at.Y + b.Y}, Ink: ink})
		}
	}
	// The ground leaves as much room around the cells on every side.
	const room = 0.25
	slope := 0.5 / g.Pitch
	top, bottom := corners[0].Y-room, float64(n-1)*g.Pitch-corners[0].Y+room
	left, right := corners[4].X-slope*corners[4].Y-room, float64(n-1)-corners[4].X+slope*corners[4].Y+room
	g.Ground = []board.Spot{
		{X: left + slope*top, Y: top}, {X: right + slope*top, Y: top},
		{X: right + slope*bottom, Y: bottom}, {X: left + slope*bottom, Y: bottom},
	}
	return g
}
