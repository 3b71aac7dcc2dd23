package board

import "strings"

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
// Coordinates of lines, dots and texts are in steps between points, with (0,0)
// on the top left point; a board of cells reaches half a step further on every
// side.
type Geometry struct {
	Size Size `json:"size"`

	// Cells tells that pieces stand inside squares (Othello); otherwise they
	// stand where lines cross (Go, Xiangqi).
	Cells bool `json:"cells"`

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
	w.Lines = append([]Segment{}, g.Lines...)
	w.Dots = append([]Spot{}, g.Dots...)
	w.Ticks = append([]Spot{}, g.Ticks...)
	w.Texts = append([]Caption{}, g.Texts...)
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

// Segment is a straight line.
type Segment struct {
	From Spot `json:"from"`
	To   Spot `json:"to"`
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

// Grid returns the lines of a plain board: through the points, or around the
// cells.
func Grid(s Size, cells bool) []Segment {
	var list []Segment
	lo, hiX, hiY := 0.0, float64(s.W-1), float64(s.H-1)
	if cells {
		lo, hiX, hiY = -0.5, float64(s.W)-0.5, float64(s.H)-0.5
	}
	for x := lo; x <= hiX; x++ {
		list = append(list, Segment{Spot{x, lo}, Spot{x, hiY}})
	}
	for y := lo; y <= hiY; y++ {
		list = append(list, Segment{Spot{lo, y}, Spot{hiX, y}})
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
