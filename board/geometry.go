package board

import (
	"math"
	"strings"
)

// Names is a word in the five languages of the program.
type Names struct {
	En   string `json:"en"`
	Hant string `json:"zh-Hant"`
	Hans string `json:"zh-Hans"`
	Ja   string `json:"ja"`
	Ko   string `json:"ko"`
}

// In returns the name in a language given by its tag ("en", "zh-Hant",
// "zh-Hans", "ja", "ko"), or the English name for any other tag.
func (n Names) In(tag string) string {
	switch tag {
	case "zh-Hant":
		return n.Hant
	case "zh-Hans":
		return n.Hans
	case "ja":
		return n.Ja
	case "ko":
		return n.Ko
	}
	return n.En
}

// Geometry is everything that a picture of a board needs besides the position:
// a drawing program that knows Geometry can draw every game.
//
// Coordinates of lines, dots and texts are in steps between the points of a row,
// with (0,0) on the first point of a row that is not shifted; a board of cells
// reaches half a step further on every side.
type Geometry struct {
	Size Size `json:"size"`

	// Cells tells that pieces stand inside squares (Othello), or inside hexagons
	// where rows are shifted; otherwise they stand where lines cross (Go, Xiangqi).
	Cells bool `json:"cells"`

	// Shifts tells for every row how many steps it lies further to the right, and
	// Pitch how many steps there are from row to row. Where they are nil and 0,
	// points lie below each other, one step apart.
	Shifts []float64 `json:"shifts"`
	Pitch  float64   `json:"pitch"`

	// Ground is the outline of a board that is no rectangle.
	Ground []Spot `json:"ground"`

	// Shades are the cells that do not have the colour of the board.
	Shades []Shade `json:"shades"`

	Lines []Segment `json:"lines"`
	Dots  []Spot    `json:"dots"`  // star points
	Ticks []Spot    `json:"ticks"` // points with corner brackets (Xiangqi cannons and pawns)
	Texts []Caption `json:"texts"`

	// Labels are written around the board, from the left and from the top.
	Labels Labels `json:"labels"`

	// Columns and Rows make the names of points ("e3"), from the left and from
	// the top. Where they are nil, the labels on the top and on the left do.
	Columns []string `json:"columns"`
	Rows    []string `json:"rows"`

	Pieces []Look `json:"pieces"` // Pieces[p-1] is the look of piece p
	Theme  Theme  `json:"theme"`
}

// Whole returns the geometry with all of its lists there, none of them nil:
// readers of JSON should neither meet null nor know which lists stand in for
// which.
func (g *Geometry) Whole() Geometry {
	w := *g
	w.Shifts = append([]float64{}, g.Shifts...)
	w.Pitch = g.pitch()
	w.Ground = append([]Spot{}, g.Ground...)
	w.Shades = append([]Shade{}, g.Shades...)
	w.Lines = append([]Segment{}, g.Lines...)
	w.Dots = append([]Spot{}, g.Dots...)
	w.Ticks = append([]Spot{}, g.Ticks...)
	w.Texts = append([]Caption{}, g.Texts...)
	w.Pieces = append([]Look{}, g.Pieces...)
	w.Columns, w.Rows = g.PointNames()
	if w.Labels.Right == nil {
		w.Labels.Right = w.Labels.Left
	}
	if w.Labels.Bottom == nil {
		w.Labels.Bottom = w.Labels.Top
	}
	return w
}

// Spot is a place on the board that need not be a point.
type Spot struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Segment is a straight line. One with an ink of its own is as thick as an edge:
// a border that belongs to a side.
type Segment struct {
	From Spot   `json:"from"`
	To   Spot   `json:"to"`
	Ink  string `json:"ink,omitempty"`
}

// Shade is a colour and the cells that have it, row by row from the top left.
type Shade struct {
	Colour string `json:"colour"`
	Points []int  `json:"points"`
}

// Caption is a word written on the board, centred on its spot; Turn is in
// degrees clockwise, Height in steps.
type Caption struct {
	At     Spot    `json:"at"`
	Text   string  `json:"text"`
	Height float64 `json:"height"`
	Turn   float64 `json:"turn"`
}

// Labels are the coordinates written around the board. Right and Bottom may be
// nil, which repeats Left and Top.
type Labels struct {
	Top    []string `json:"top"`
	Bottom []string `json:"bottom"`
	Left   []string `json:"left"`
	Right  []string `json:"right"`
}

// Look is how one kind of piece of one side is named and drawn.
type Look struct {
	Names Names `json:"names"`
	Owner int   `json:"owner"` // the side it belongs to
	Swap  Piece `json:"swap"`  // the same piece of the other side

	// Letters lists the ASCII letters that mean this piece in text boards; the
	// first is the one that is written.
	Letters string `json:"letters"`

	// Symbol is a character for Unicode text boards.
	Symbol string `json:"symbol"`

	// Glyph is written on the piece ("俥"); stones and discs have none.
	// Simplified is the same for readers of simplified characters.
	Glyph      string `json:"glyph"`
	Simplified string `json:"simplified"`

	// Bare tells that the glyph is the piece, filled with the colour of its body: it
	// stands on the board itself and on no disc. It must be a single character that
	// package draw has an outline of.
	Bare bool `json:"bare,omitempty"`

	// Weight is what the piece counts for the likeness of boards, where other
	// kinds count for more or less; 0 is as much as any.
	Weight float64 `json:"-"`

	Fill string `json:"fill"` // colour of the body
	Edge string `json:"edge"` // colour of the rim
	Ink  string `json:"ink"`  // colour of what is written on it
}

// Theme holds the colours of the board itself; they are the same in light and
// dark surroundings.
type Theme struct {
	Board string `json:"board"`
	Line  string `json:"line"`
	Mark  string `json:"mark"` // hue of heat, regions and arrows
}

// PointNames returns what the names of points are made of: the columns from the
// left and the rows from the top.
func (g *Geometry) PointNames() (columns, rows []string) {
	columns, rows = g.Columns, g.Rows
	if columns == nil {
		columns = g.Labels.Top
	}
	if rows == nil {
		rows = g.Labels.Left
	}
	return columns, rows
}

// Name returns the name of a point: its column, then its row.
func (g *Geometry) Name(p Point) string {
	columns, rows := g.PointNames()
	return columns[p.X()] + rows[p.Y()]
}

// Point returns the point of that name, in either case.
func (g *Geometry) Point(name string) (Point, bool) {
	for p := range g.Size.Points() {
		if strings.EqualFold(g.Name(p), name) {
			return p, true
		}
	}
	return NoPoint, false
}

func (g *Geometry) pitch() float64 {
	if g.Pitch == 0 {
		return 1
	}
	return g.Pitch
}

// Shift returns how many steps a row lies further to the right.
func (g *Geometry) Shift(row int) float64 {
	if row < len(g.Shifts) {
		return g.Shifts[row]
	}
	return 0
}

// Spot returns where a point lies.
func (g *Geometry) Spot(p Point) Spot {
	return Spot{float64(p.X()) + g.Shift(p.Y()), float64(p.Y()) * g.pitch()}
}

// Extent returns the least and the greatest place of a point.
func (g *Geometry) Extent() (lo, hi Spot) {
	lo, hi = Spot{math.Inf(1), 0}, Spot{math.Inf(-1), float64(g.Size.H-1) * g.pitch()}
	for y := range g.Size.H {
		lo.X, hi.X = min(lo.X, g.Shift(y)), max(hi.X, g.Shift(y)+float64(g.Size.W-1))
	}
	return lo, hi
}

// Corners returns the corners of a cell around its middle: of a square, or of a
// hexagon where rows are shifted.
func (g *Geometry) Corners() []Spot {
	if len(g.Shifts) == 0 {
		return []Spot{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}
	}
	far, near := 2*g.pitch()/3, g.pitch()/3
	return []Spot{{0, -far}, {0.5, -near}, {0.5, near}, {0, far}, {-0.5, near}, {-0.5, -near}}
}

// Grid returns the lines of a plain board: through the points, or around the
// cells.
func Grid(s Size, cells bool) []Segment {
	var list []Segment
	lo, hiX, hiY := 0.0, float64(s.W-1), float64(s.H-1)
	if cells {
		lo, hiX, hiY = -0.5, float64(s.W)-0.5, float64(s.H)-0.5
	}
	for x := lo; x <= hiX; x++ {
		list = append(list, Segment{From: Spot{x, lo}, To: Spot{x, hiY}})
	}
	for y := lo; y <= hiY; y++ {
		list = append(list, Segment{From: Spot{lo, y}, To: Spot{hiX, y}})
	}
	return list
}

// Letters returns n column names a, b, c ... leaving out the letters in skip.
func Letters(n int, first rune, skip string) []string {
	list := make([]string, 0, n)
	for c := first; len(list) < n; c++ {
		omit := false
		for _, s := range skip {
			omit = omit || s == c
		}
		if !omit {
			list = append(list, string(c))
		}
	}
	return list
}
