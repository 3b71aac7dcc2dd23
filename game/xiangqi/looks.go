package xiangqi

import (
	"strconv"
	"strings"

	"qipu/board"
)

// geometry is the same under every rule set.
var geometry = board.Geometry{
	Size:  size,
	Lines: lines(),
	Ticks: ticks(),
	Texts: []board.Caption{
		{At: board.Spot{X: 2, Y: 4.5}, Text: "楚 河", Height: 0.6},
		{At: board.Spot{X: 6, Y: 4.5}, Text: "漢 界", Height: 0.6},
	},
	Labels: board.Labels{
		Top:    strings.Split("123456789", ""),
		Bottom: strings.Split("九八七六五四三二一", ""),
		Left:   ranks(),
	},
	Columns: board.Letters(width, 'a', ""),
	Rows:    ranks(),
	Pieces:  pieces(),
	Theme:   board.Theme{Board: "#f3e6c4", Line: "#5d4524", Mark: "#2a6fdb"},
}

// lines returns the lines of the board: the inner files stop at the river, and
// each palace has its diagonals.
func lines() []board.Segment {
	var list []board.Segment
	add := func(x1, y1, x2, y2 int) {
		list = append(list, board.Segment{
			From: board.Spot{X: float64(x1), Y: float64(y1)},
			To:   board.Spot{X: float64(x2), Y: float64(y2)},
		})
	}
	for y := range height {
		add(0, y, width-1, y)
	}
	add(0, 0, 0, height-1)
	for x := 1; x < width-1; x++ {
		add(x, 0, x, 4)
		add(x, 5, x, height-1)
	}
	add(width-1, 0, width-1, height-1)
	for _, y := range []int{0, 7} {
		add(3, y, 5, y+2)
		add(5, y, 3, y+2)
	}
	return list
}

// ticks returns the points where cannons and soldiers start.
func ticks() []board.Spot {
	var list []board.Spot
	for _, y := range []int{2, 3, 6, 7} {
		for x := range width {
			cannons := (y == 2 || y == 7) && (x == 1 || x == 7)
			soldiers := (y == 3 || y == 6) && x%2 == 0
			if cannons || soldiers {
				list = append(list, board.Spot{X: float64(x), Y: float64(y)})
			}
		}
	}
	return list
}

func ranks() []string {
	var list []string
	for r := height - 1; r >= 0; r-- {
		list = append(list, strconv.Itoa(r))
	}
	return list
}

// weights are how far pieces can go, in the order of the kinds.
var weights = [kinds]float64{1, 2, 2, 7, 4, 5, 3}

// pieces returns the looks of Red's pieces, then of Black's, in the order of
// the kinds.
func pieces() []board.Look {
	const disc = "#f7ead0"
	english := [kinds]string{"king", "advisor", "elephant", "chariot", "horse", "cannon", "soldier"}
	glyphs := [2][kinds]string{
		{"帥", "仕", "相", "俥", "傌", "炮", "兵"},
		{"將", "士", "象", "車", "馬", "砲", "卒"},
	}
	korean := [2][kinds]string{
		{"수", "사", "상", "차", "마", "포", "병"},
		{"장", "사", "상", "차", "마", "포", "졸"},
	}
	simplified := [2][kinds]string{
		{"帅", "仕", "相", "车", "马", "炮", "兵"},
		{"将", "士", "象", "车", "马", "炮", "卒"},
	}
	sides := [2]struct {
		names board.Names
		ink   string
	}{
		{board.Names{En: "red ", Hant: "紅", Hans: "红", Ja: "紅", Ko: "홍"}, "#b3261e"},
		{board.Names{En: "black ", Hant: "黑", Hans: "黑", Ja: "黒", Ko: "흑"}, "#1c1b1a"},
	}
	var list []board.Look
	for side, s := range sides {
		for k := range kinds {
			glyph := glyphs[side][k]
			look := board.Look{
				Names: board.Names{
					En:   s.names.En + english[k],
					Hant: s.names.Hant + glyph,
					Hans: s.names.Hans + simplified[side][k],
					Ja:   s.names.Ja + glyph,
					Ko:   s.names.Ko + korean[side][k],
				},
				Owner:      side,
				Swap:       board.Piece(1 + k + kinds*uint8(1-side)),
				Letters:    fenLetters[k],
				Weight:     weights[k],
				Symbol:     glyph,
				Glyph:      glyph,
				Simplified: simplified[side][k],
				Fill:       disc,
				Edge:       s.ink,
				Ink:        s.ink,
			}
			if side == 1 {
				look.Letters = strings.ToLower(look.Letters)
			}
			list = append(list, look)
		}
	}
	return list
}

// fenLetters are the letters of the kinds in position texts; the first of each
// is written.
var fenLetters = [kinds]string{"K", "A", "BE", "R", "NH", "C", "P"}
