// Package boardtest has boards as no game of the house plays on them, for tests
// of what draws boards, and as a model for games that need one.
//
//	g := boardtest.Chequered() // eight by eight squares of two colours
//	g = boardtest.Hexagons(11) // a rhombus of hexagons, whose sides are owned
package boardtest

import (
	"math"
	"strconv"

	"qipu/board"
)

// pieces are a light and a dark one, each with a letter that has no outline,
// so that it is written as text.
var pieces = []board.Look{
	{Names: board.Names{En: "white pawn"}, Owner: 0, Swap: 2, Letters: "P", Symbol: "♙", Fill: "#f7f3ea", Edge: "#8d8577", Ink: "#1c1b1a"},
	{Names: board.Names{En: "black pawn"}, Owner: 1, Swap: 1, Letters: "p", Symbol: "♟", Fill: "#1c1b1a", Edge: "#000000", Ink: "#f7f3ea"},
}

// Chequered returns a board of eight by eight squares, with a dark one on a1.
func Chequered() *board.Geometry {
	s := board.Size{W: 8, H: 8}
	g := &board.Geometry{
		Size: s, Cells: true,
		Labels: names(s), Pieces: pieces,
		Theme: board.Theme{Board: "#eed9b6", Line: "#6b4a2b", Mark: "#2f6d8c"},
	}
	dark := board.Shade{Colour: "#b58863"}
	for i := range s.Area() {
		if p := s.Point(i); (p.X()+p.Y())%2 == 1 {
			dark.Points = append(dark.Points, i)
		}
	}
	g.Shades = []board.Shade{dark}
	for _, l := range board.Grid(s, true) {
		if edge := l.From.X == l.To.X && (l.From.X < 0 || l.From.X > 7) || l.From.Y == l.To.Y && (l.From.Y < 0 || l.From.Y > 7); edge {
			g.Lines = append(g.Lines, l)
		}
	}
	return g
}

// names are letters from the left and numbers from below.
func names(s board.Size) board.Labels {
	rows := make([]string, s.H)
	for y := range rows {
		rows[y] = strconv.Itoa(s.H - y)
	}
	return board.Labels{Top: board.Letters(s.W, 'a', ""), Left: rows}
}

// around are the neighbours of a hexagon, by the sides between the corners that
// [board.Geometry.Corners] lists.
var around = [6][2]int{{1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}}

// Hexagons returns a rhombus of n by n hexagons, every row half a step further
// to the right. Its upper and lower sides belong to the first player, the others
// to the second.
func Hexagons(n int) *board.Geometry {
	s := board.Size{W: n, H: n}
	const upper, beside = "#b3261e", "#2b5fa8"
	g := &board.Geometry{
		Size: s, Cells: true, Pitch: math.Sqrt(3) / 2,
		Labels: names(s), Theme: board.Theme{Board: "#e8e0cf", Line: "#6d6555", Mark: "#20795a"},
		Pieces: []board.Look{
			{Names: board.Names{En: "red stone"}, Owner: 0, Swap: 2, Letters: "X", Symbol: "●", Fill: "#c9372c", Edge: "#7c1d16", Ink: "#ffffff"},
			{Names: board.Names{En: "blue stone"}, Owner: 1, Swap: 1, Letters: "O", Symbol: "○", Fill: "#3b74c4", Edge: "#1f4480", Ink: "#ffffff"},
		},
	}
	for y := range n {
		g.Shifts = append(g.Shifts, float64(y)/2)
	}
	c := g.Corners()
	for p := range s.Points() {
		at := g.Spot(p)
		for i, d := range around {
			x, y, ink := p.X()+d[0], p.Y()+d[1], ""
			switch {
			case y < 0 || y >= n:
				ink = upper
			case x < 0 || x >= n:
				ink = beside
			case i >= 1 && i <= 3:
				continue // the neighbour has the same side
			}
			a, b := c[i], c[(i+1)%6]
			g.Lines = append(g.Lines, board.Segment{From: board.Spot{X: at.X + a.X, Y: at.Y + a.Y}, To: board.Spot{X: at.X + b.X, Y: at.Y + b.Y}, Ink: ink})
		}
	}
	// The ground leaves as much room around the cells on every side.
	const room = 0.25
	slope := 0.5 / g.Pitch
	top, bottom := c[0].Y-room, float64(n-1)*g.Pitch-c[0].Y+room
	left, right := c[4].X-slope*c[4].Y-room, float64(n-1)-c[4].X+slope*c[4].Y+room
	g.Ground = []board.Spot{
		{X: left + slope*top, Y: top}, {X: right + slope*top, Y: top},
		{X: right + slope*bottom, Y: bottom}, {X: left + slope*bottom, Y: bottom},
	}
	return g
}
