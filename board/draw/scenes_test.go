package draw_test

import (
	"math"
	"strconv"

	"qipu/board"
	"qipu/board/boardtest"
	"qipu/board/draw"
)

// The geometries here are made by hand: this package knows no games.

func stones(markHue string) ([]board.Look, board.Theme) {
	return []board.Look{
			{Owner: 0, Swap: 2, Letters: "X", Symbol: "●", Fill: "#22211f", Edge: "#0b0b0a", Ink: "#ffffff"},
			{Owner: 1, Swap: 1, Letters: "O", Symbol: "○", Fill: "#f4f1ea", Edge: "#8d867a", Ink: "#161513"},
		},
		board.Theme{Board: "#e2b565", Line: "#3b2a14", Mark: markHue}
}

func numbers(n int, down bool) []string {
	list := make([]string, n)
	for i := range list {
		if list[i] = strconv.Itoa(i + 1); down {
			list[i] = strconv.Itoa(n - i)
		}
	}
	return list
}

func goGeometry(w, h int, stars ...int) *board.Geometry {
	s := board.Size{W: w, H: h}
	g := &board.Geometry{Size: s, Lines: board.Grid(s, false)}
	g.Pieces, g.Theme = stones("#1558b0")
	for _, y := range stars {
		for _, x := range stars {
			g.Dots = append(g.Dots, board.Spot{X: float64(x), Y: float64(y)})
		}
	}
	g.Labels = board.Labels{Top: board.Letters(w, 'A', "I"), Left: numbers(h, true)}
	return g
}

func othelloGeometry() *board.Geometry {
	s := board.Size{W: 8, H: 8}
	g := &board.Geometry{Size: s, Cells: true, Lines: board.Grid(s, true)}
	g.Pieces, _ = stones("")
	g.Theme = board.Theme{Board: "#1f7a4d", Line: "#0d3b25", Mark: "#ffd75e"}
	for _, y := range []float64{1.5, 5.5} {
		for _, x := range []float64{1.5, 5.5} {
			g.Dots = append(g.Dots, board.Spot{X: x, Y: y})
		}
	}
	g.Labels = board.Labels{Top: board.Letters(8, 'a', ""), Left: numbers(8, false)}
	return g
}

func xiangqiGeometry() *board.Geometry {
	g := &board.Geometry{Size: board.Size{W: 9, H: 10}}
	line := func(x1, y1, x2, y2 float64) {
		g.Lines = append(g.Lines, board.Segment{From: board.Spot{X: x1, Y: y1}, To: board.Spot{X: x2, Y: y2}})
	}
	for y := 0.0; y < 10; y++ {
		line(0, y, 8, y)
	}
	line(0, 0, 0, 9)
	line(8, 0, 8, 9)
	for x := 1.0; x < 8; x++ {
		line(x, 0, x, 4)
		line(x, 5, x, 9)
	}
	for _, y := range []float64{0, 7} {
		line(3, y, 5, y+2)
		line(5, y, 3, y+2)
	}
	for _, y := range []float64{3, 6} {
		for x := 0.0; x < 9; x += 2 {
			g.Ticks = append(g.Ticks, board.Spot{X: x, Y: y})
		}
	}
	for _, y := range []float64{2, 7} {
		g.Ticks = append(g.Ticks, board.Spot{X: 1, Y: y}, board.Spot{X: 7, Y: y})
	}
	g.Texts = []board.Caption{
		{At: board.Spot{X: 2, Y: 4.5}, Text: "楚 河", Height: 0.62},
		{At: board.Spot{X: 6, Y: 4.5}, Text: "漢 界", Height: 0.62},
	}
	g.Labels = board.Labels{
		Top:    numbers(9, false),
		Bottom: []string{"九", "八", "七", "六", "五", "四", "三", "二", "一"},
	}
	g.Theme = board.Theme{Board: "#f3e6c4", Line: "#5a3d22", Mark: "#1558b0"}
	add := func(owner int, letters, glyphs, simplified, ink string) {
		full, short := []rune(glyphs), []rune(simplified)
		for i := range letters {
			g.Pieces = append(g.Pieces, board.Look{
				Owner: owner, Swap: board.Piece((len(g.Pieces)+7)%14 + 1), Letters: letters[i : i+1],
				Symbol: string(full[i]), Glyph: string(full[i]), Simplified: string(short[i]),
				Fill: "#fbf3dd", Edge: "#9c7b4a", Ink: ink,
			})
		}
	}
	add(0, "KABRNCP", "帥仕相俥傌炮兵", "帅仕相车马炮兵", "#b3261e")
	add(1, "kabrncp", "將士象車馬砲卒", "将士象车马炮卒", "#1b1a18")
	return g
}

// place puts pieces on a board drawn as text: the letters of the geometry, or
// anything else for an empty point.
func place(g *board.Geometry, rows ...string) *board.Planes {
	b := board.NewPlanes(g.Size, len(g.Pieces))
	for y, row := range rows {
		for x := range row {
			for i := range g.Pieces {
				if g.Pieces[i].Letters[0] == row[x] {
					b.Put(board.At(x, y), board.Piece(i+1))
				}
			}
		}
	}
	return b
}

func drop(x, y int) *draw.Step { return &draw.Step{From: board.NoPoint, To: board.At(x, y)} }

// opening is a game of Go in progress.
func opening() *draw.Scene {
	g := goGeometry(19, 19, 3, 9, 15)
	return &draw.Scene{Geometry: g, Coordinates: true, Last: drop(13, 2), Title: "Black to play", Planes: place(g,
		"...................",
		"...................",
		"..OX.........X.....",
		"..OXX.........X.O..",
		"...O...........OO..",
		"..OX...............",
		"..XX...............",
		"...................",
		"...................",
		"...................",
		"...................",
		"................X..",
		"..O................",
		"................X..",
		"...............X...",
		"..OOO..........XOO.",
		"..XXO.........XXXO.",
		"...X.X.........OXX.",
		"................OX.",
	)}
}

// overlays is the same with everything that can lie on a board.
func overlays() *draw.Scene {
	s := opening()
	s.Last = drop(15, 14)
	s.Labels = map[board.Point]string{
		board.At(15, 14): "127", board.At(16, 13): "9", board.At(16, 15): "38",
		board.At(9, 3): "A", board.At(10, 3): "b", board.At(11, 3): "一",
	}
	s.Marks = map[board.Point]draw.Mark{
		board.At(2, 2): draw.Triangle, board.At(3, 2): draw.Circle, board.At(3, 3): draw.Square,
		board.At(2, 3): draw.Cross, board.At(4, 2): draw.Triangle, board.At(5, 2): draw.Square,
		board.At(5, 3): draw.Cross, board.At(5, 4): draw.Circle, board.At(6, 6): draw.Legal,
		board.At(7, 6): draw.Hint, board.At(3, 5): draw.Legal,
	}
	s.Heat = map[board.Point]draw.Heat{
		board.At(8, 9): {Value: 1, Text: "54"}, board.At(9, 9): {Value: 0.7, Text: "49.5"},
		board.At(10, 9): {Value: 0.4, Text: "31"}, board.At(11, 9): {Value: 0.1, Text: "7"},
		board.At(12, 9): {Value: 0.02}, board.At(2, 12): {Value: 0.8, Text: "8"},
		board.At(16, 11): {Value: 0.8, Text: "8"},
	}
	s.Arrows = []draw.Step{
		{From: board.At(8, 12), To: board.At(11, 12)},
		{From: board.At(2, 12), To: board.At(6, 10)},
		{From: board.At(16, 11), To: board.At(16, 8)},
	}
	s.Regions = []draw.Region{{A: board.At(18, 18), B: board.At(13, 13)}}
	return s
}

// owned is a board on which everything belongs to somebody, some of it perhaps.
func owned() *draw.Scene {
	g := goGeometry(5, 5)
	s := &draw.Scene{Geometry: g, Coordinates: true, Planes: place(g, "..XO.", "X.XOO", ".XX.O", "XXOOO", "OX.O."), Tints: map[board.Point]draw.Tint{}}
	for y := range 5 {
		for x := range 5 {
			piece := board.Piece(1)
			if x > 2 || x == 2 && y > 2 {
				piece = 2
			}
			s.Tints[board.At(x, y)] = draw.Tint{Piece: piece, Share: 0.4, Hatched: x == 4}
		}
	}
	s.Tints[board.At(3, 2)] = draw.Tint{Share: 7}
	s.Tints[board.At(3, 3)] = draw.Tint{Share: math.NaN()}
	s.Faded = map[board.Point]bool{board.At(0, 4): true, board.At(0, 0): true}
	return s
}

func othello() *draw.Scene {
	g := othelloGeometry()
	s := &draw.Scene{Geometry: g, Coordinates: true, Last: drop(4, 5), Title: "White to play", Planes: place(g,
		"........",
		"........",
		"..XXO...",
		"..XOX...",
		"..OXX...",
		"...OX...",
		"........",
		"........",
	)}
	s.Marks = map[board.Point]draw.Mark{}
	for _, p := range []board.Point{board.At(1, 1), board.At(2, 1), board.At(5, 4), board.At(5, 5), board.At(5, 6)} {
		s.Marks[p] = draw.Legal
	}
	s.Marks[board.At(5, 3)] = draw.Hint
	s.Heat = map[board.Point]draw.Heat{
		board.At(1, 3): {Value: 0.9, Text: "+4"}, board.At(1, 4): {Value: 0.4, Text: "-2"},
		board.At(1, 5): {Value: 0.1, Text: "-11"},
	}
	return s
}

func xiangqi() *draw.Scene {
	g := xiangqiGeometry()
	return &draw.Scene{Geometry: g, Coordinates: true, Title: "紅先", Last: &draw.Step{From: board.At(7, 7), To: board.At(4, 7)}, Planes: place(g,
		"rnbakabnr",
		".........",
		".c.....c.",
		"p.p.p.p.p",
		".........",
		".........",
		"P.P.P.P.P",
		".C..C....",
		".........",
		"RNBAKABNR",
	)}
}

func gomoku() *draw.Scene {
	g := goGeometry(15, 15)
	for _, s := range [][2]float64{{3, 3}, {11, 3}, {7, 7}, {3, 11}, {11, 11}} {
		g.Dots = append(g.Dots, board.Spot{X: s[0], Y: s[1]})
	}
	g.Labels.Top = board.Letters(15, 'A', "")
	s := &draw.Scene{Geometry: g, Coordinates: true, Last: drop(6, 9), Planes: board.NewPlanes(g.Size, 2), Labels: map[board.Point]string{}}
	for i, p := range [][2]int{{7, 7}, {7, 6}, {8, 6}, {6, 8}, {8, 8}, {6, 6}, {8, 7}, {8, 5}, {9, 8}, {6, 7}, {6, 9}} {
		at := board.At(p[0], p[1])
		s.Planes.Put(at, board.Piece(i%2+1))
		s.Labels[at] = strconv.Itoa(i + 1)
	}
	return s
}

// with returns a changed copy of a scene.
func with(s *draw.Scene, change func(*draw.Scene)) *draw.Scene {
	copied := *s
	change(&copied)
	return &copied
}

// scenes are the golden pictures.
func scenes() map[string]*draw.Scene {
	tiny := goGeometry(1, 1)
	strip := goGeometry(1, 5)
	huge := goGeometry(25, 25, 3, 12, 21)
	numbered := goGeometry(12, 3)
	numbered.Labels.Top = numbers(12, false)
	chequered, hexagons := boardtest.Chequered(), boardtest.Hexagons(11)
	rhombus := &draw.Scene{
		Geometry: hexagons, Planes: place(hexagons, "", "", "....X", "...OX", "...XO"), Coordinates: true, Last: drop(4, 4),
		Labels: map[board.Point]string{board.At(6, 4): "A"}, Heat: map[board.Point]draw.Heat{board.At(5, 3): {Value: 0.7, Text: "57"}},
		Tints:   map[board.Point]draw.Tint{board.At(5, 4): {Piece: 1, Share: 0.3}},
		Regions: []draw.Region{{A: board.At(2, 1), B: board.At(6, 5)}},
	}
	midgame := xiangqi()
	midgame.Labels = map[board.Point]string{board.At(4, 7): "1"}
	midgame.Marks = map[board.Point]draw.Mark{
		board.At(4, 3): draw.Legal, board.At(4, 6): draw.Circle, board.At(4, 5): draw.Legal,
	}
	midgame.Arrows = []draw.Step{{From: board.At(1, 0), To: board.At(2, 2)}}
	midgame.Simplified = true
	midgame.Flip = true
	return map[string]*draw.Scene{
		"empty": {},
		"chequered": {
			Geometry: chequered, Planes: place(chequered, "pppppppp", "pppppppp", "", "", "", "....P", "PPPP.PPP", "PPPPPPPP"), Coordinates: true,
			Last: &draw.Step{From: board.At(4, 6), To: board.At(4, 5)}, Heat: map[board.Point]draw.Heat{board.At(3, 4): {Value: 0.4, Text: "63"}},
		},
		"hexagons":      rhombus,
		"hexagons-flip": with(rhombus, func(s *draw.Scene) { s.Flip, s.Dark = true, true }),
		"hexagons-mini": with(rhombus, func(s *draw.Scene) { s.Coordinates, s.Width = false, 160 }),
		"go":            opening(),
		"go-overlays":   overlays(),
		"go-dark":       with(overlays(), func(s *draw.Scene) { s.Dark = true }),
		"go-flip":       with(opening(), func(s *draw.Scene) { s.Flip = true }),
		"go-mini":       with(opening(), func(s *draw.Scene) { s.Coordinates, s.Width = false, 160 }),
		"go-600":        with(opening(), func(s *draw.Scene) { s.Width = 600 }),
		"go-numbers":    {Geometry: numbered, Planes: place(numbered, "", "X", "O..........X"), Coordinates: true, Last: drop(11, 2)},
		"go-1x1":        {Geometry: tiny, Planes: place(tiny, "X"), Coordinates: true},
		"go-1x5":        {Geometry: strip, Planes: place(strip, ".", "X", "O"), Coordinates: true, Last: drop(0, 1)},
		"go-25x25":      {Geometry: huge, Planes: place(huge, "", "", "...X"), Coordinates: true},
		"go-owned":      owned(),
		"othello":       othello(),
		"othello-mini":  with(othello(), func(s *draw.Scene) { s.Coordinates, s.Width = false, 160 }),
		"xiangqi":       xiangqi(),
		"xiangqi-dark":  with(xiangqi(), func(s *draw.Scene) { s.Dark = true }),
		"xiangqi-flip":  midgame,
		"xiangqi-mini":  with(xiangqi(), func(s *draw.Scene) { s.Coordinates, s.Width = false, 160 }),
		"gomoku":        gomoku(),
		"gomoku-bare":   with(gomoku(), func(s *draw.Scene) { s.Coordinates, s.Labels = false, nil }),
	}
}
