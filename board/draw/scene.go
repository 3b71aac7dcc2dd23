package draw

import "qipu/board"

// Scene is what a picture shows. Points off the board are ignored everywhere.
type Scene struct {
	Geometry *board.Geometry // nil draws an empty picture
	Planes   *board.Planes   // nil draws no pieces

	// Texts are written on points of games that have no pieces on them, as the
	// seeds of a house are.
	Texts map[board.Point]string

	Last    *Step // the last move
	Labels  map[board.Point]string
	Marks   map[board.Point]Mark
	Heat    map[board.Point]Heat
	Arrows  []Step
	Regions []Region
	Tints   map[board.Point]Tint
	Faded   map[board.Point]bool // pieces that are as good as gone

	// Coordinates writes the names of columns and rows around the board.
	// Without them the picture ends where the board ends.
	Coordinates bool

	// Flip turns the board by 180 degrees; everything written on and around it
	// moves along and stays upright.
	Flip bool

	// Clear leaves the surroundings as they are where the picture is laid, as on paper.
	Clear bool

	// Dark makes the surroundings near-black. The board itself stays as it is.
	Dark bool

	// Simplified writes simplified characters on the pieces.
	Simplified bool

	// Title tells those who cannot see the picture what it shows.
	Title string

	// Width is the greatest width in pixels at which an SVG picture is meant to
	// be seen. If it is set, every line falls on whole pixels and stays visible
	// however small the board is, and the picture carries its size; it may turn
	// out narrower by up to a pixel per column. Zero leaves the size to the page.
	Width int
}

// Step leads from one point to another. A move that places a piece has
// board.NoPoint as From.
type Step struct{ From, To board.Point }

// Region is the rectangle of points between two opposite corners.
type Region struct{ A, B board.Point }

// Heat is a value laid on a point: the larger, the more of the theme's mark
// colour. Values below 0 and above 1 are drawn as 0 and 1, NaN is left out.
type Heat struct {
	Value float64
	Text  string // a number written on it, if any
}

// Mark is a set of signs on one point.
type Mark uint8

// The signs. Circle, Square, Triangle and Cross mean whatever the reader is
// told; Legal is a dot where a move is possible; Hint is a dashed box.
const (
	Circle Mark = 1 << iota
	Square
	Triangle
	Cross
	Legal
	Hint
)

// emptyGeometry stands in where a Scene has none.
var emptyGeometry board.Geometry

// geometry returns the geometry to draw, which may be invalid in size.
func (s *Scene) geometry() *board.Geometry {
	if s.Geometry == nil {
		return &emptyGeometry
	}
	return s.Geometry
}

// pieces fills a table with the piece on each point of a board of the given
// size. It is done once per picture, whole planes at a time, since everything
// that lies on top asks what stands below.
func (s *Scene) pieces(size board.Size, at *[board.MaxPoints]board.Piece) {
	if s.Planes == nil {
		return
	}
	for i := range s.Planes.Of {
		for p := range s.Planes.Of[i].Points() {
			if size.Has(p) {
				at[p] = board.Piece(i + 1)
			}
		}
	}
}

// labels returns the names around the board as they are seen: top, right,
// bottom, left, each from the left or from the top.
func (s *Scene) labels() (sides [4][]string) {
	l := s.geometry().Labels
	sides = [4][]string{l.Top, l.Right, l.Bottom, l.Left}
	if l.Right == nil {
		sides[1] = l.Left
	}
	if l.Bottom == nil {
		sides[2] = l.Top
	}
	if s.Flip {
		sides[0], sides[2] = sides[2], sides[0]
		sides[1], sides[3] = sides[3], sides[1]
	}
	return sides
}

// turned returns the index that is seen at place i of n.
func (s *Scene) turned(i, n int) int {
	if s.Flip {
		return n - 1 - i
	}
	return i
}
