package chess

import (
	"strconv"
	"strings"

	"qipu/board"
)

// geometry returns the board of a size, with a dark square on a1.
func geometry(size board.Size) *board.Geometry {
	g := &board.Geometry{
		Size: size, Cells: true, Pieces: looks(),
		Labels: board.Labels{Top: board.Letters(size.W, 'a', "")},
		Theme:  board.Theme{Board: "#efe0c2", Line: "#6b4a2b", Mark: "#2f6d8c"},
	}
	for y := range size.H {
		g.Labels.Left = append(g.Labels.Left, strconv.Itoa(size.H-y))
	}
	g.Labels.Bottom = g.Labels.Top
	shade := board.Shade{Colour: "#b98d63"}
	for i := range size.Area() {
		if p := size.Point(i); (p.X()+size.H-1-p.Y())%2 == 0 {
			shade.Points = append(shade.Points, i)
		}
	}
	g.Shades = []board.Shade{shade}
	for _, l := range board.Grid(size, true) {
		upright, level := l.From.X == l.To.X, l.From.Y == l.To.Y
		if upright && (l.From.X < 0 || l.From.X > float64(size.W-1)) || level && (l.From.Y < 0 || l.From.Y > float64(size.H-1)) {
			g.Lines = append(g.Lines, l)
		}
	}
	return g
}

// weights are what pieces are worth, in pawns; a king counts as one.
var weights = [kinds]float64{1, 9, 5, 3, 3, 1}

// looks returns the looks of White's pieces, then of Black's, in the order of kinds.
func looks() []board.Look {
	names := [kinds]board.Names{
		{En: "king", Hant: "王", Hans: "王", Ja: "キング", Ko: "킹"},
		{En: "queen", Hant: "后", Hans: "后", Ja: "クイーン", Ko: "퀸"},
		{En: "rook", Hant: "城堡", Hans: "车", Ja: "ルーク", Ko: "룩"},
		{En: "bishop", Hant: "主教", Hans: "象", Ja: "ビショップ", Ko: "비숍"},
		{En: "knight", Hant: "騎士", Hans: "马", Ja: "ナイト", Ko: "나이트"},
		{En: "pawn", Hant: "兵", Hans: "兵", Ja: "ポーン", Ko: "폰"},
	}
	sides := [2]struct {
		names           board.Names
		symbols         string
		fill, edge, ink string
	}{
		{board.Names{En: "white ", Hant: "白", Hans: "白", Ja: "白の", Ko: "백 "}, "♔♕♖♗♘♙", "#fdfbf5", "#2b2622", "#1c1b1a"},
		{board.Names{En: "black ", Hant: "黑", Hans: "黑", Ja: "黒の", Ko: "흑 "}, "♚♛♜♝♞♟", "#35302b", "#14110f", "#fdfbf5"},
	}
	var list []board.Look
	for side, s := range sides {
		for k, n := range names {
			look := board.Look{
				Names:   board.Names{En: s.names.En + n.En, Hant: s.names.Hant + n.Hant, Hans: s.names.Hans + n.Hans, Ja: s.names.Ja + n.Ja, Ko: s.names.Ko + n.Ko},
				Owner:   side,
				Swap:    board.Piece(1 + k + int(kinds)*(1-side)),
				Letters: englishLetters[k : k+1],
				Weight:  weights[k],
				Bare:    true,
				Symbol:  string([]rune(s.symbols)[k]),
				Glyph:   string([]rune(sides[1].symbols)[k]),
				Fill:    s.fill, Edge: s.edge, Ink: s.ink,
			}
			if side == 1 {
				look.Letters = strings.ToLower(look.Letters)
			}
			list = append(list, look)
		}
	}
	return list
}
