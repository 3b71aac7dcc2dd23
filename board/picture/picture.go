package picture

import (
	"image/color"
	"math"
)

// Picture is what is drawn, from the bottom upwards.
type Picture struct {
	W, H   float64 // in units
	Title  string
	Shapes []Shape
}

// Shape is an outline that is filled and stroked, or a line of text.
type Shape struct {
	Path         Path
	Text         *Text // instead of a path
	Fill, Stroke Paint
	Width        float64 // of the stroke
	Cap          Cap
	Join         Join
	Dash         []float64
}

// Text is a line of text, centred on X, with its foot on Y.
type Text struct {
	X, Y, Size float64
	Bold       bool
	String     string
}

// Paint is a colour or a gradient; the zero value paints nothing.
type Paint struct {
	Color    color.NRGBA
	Gradient *Gradient
}

// None reports whether nothing is painted.
func (p Paint) None() bool { return p.Gradient == nil && p.Color.A == 0 }

// Gradient goes from its middle outwards through its colours.
type Gradient struct {
	X, Y, R float64
	Stops   []Stop
}

// Stop is a colour so far outwards, from 0 to 1.
type Stop struct {
	At    float64
	Color color.NRGBA
}

// Cap is how strokes end.
type Cap uint8

// The caps.
const (
	Butt Cap = iota
	RoundCap
	SquareCap
)

// Join is how strokes turn.
type Join uint8

// The joins.
const (
	Miter Join = iota
	RoundJoin
)

// Point is a place in a picture.
type Point struct{ X, Y float64 }

// Op is a command of a path.
type Op uint8

// The commands, and how many points each has.
const (
	Move  Op = iota // 1
	Line            // 1
	Quad            // 2
	Cube            // 3
	Close           // 0
)

// Path is an outline.
type Path struct {
	Ops    []Op
	Points []Point
}

func (p *Path) add(op Op, points ...Point) {
	p.Ops, p.Points = append(p.Ops, op), append(p.Points, points...)
}

// Box returns the corners of the smallest rectangle with all points of a path.
func (p *Path) Box() (lo, hi Point) {
	lo, hi = Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, q := range p.Points {
		lo = Point{min(lo.X, q.X), min(lo.Y, q.Y)}
		hi = Point{max(hi.X, q.X), max(hi.Y, q.Y)}
	}
	return lo, hi
}

// round is how far the handles of a quarter of a circle reach.
const round = 0.5522847498307936

// circle adds a circle, as four curves.
func (p *Path) circle(x, y, r float64) { p.ellipse(x, y, r, r) }

func (p *Path) ellipse(x, y, rx, ry float64) {
	h, v := round*rx, round*ry
	p.add(Move, Point{x + rx, y})
	p.add(Cube, Point{x + rx, y + v}, Point{x + h, y + ry}, Point{x, y + ry})
	p.add(Cube, Point{x - h, y + ry}, Point{x - rx, y + v}, Point{x - rx, y})
	p.add(Cube, Point{x - rx, y - v}, Point{x - h, y - ry}, Point{x, y - ry})
	p.add(Cube, Point{x + h, y - ry}, Point{x + rx, y - v}, Point{x + rx, y})
	p.add(Close)
}

// rect adds a rectangle with round corners.
func (p *Path) rect(x, y, w, h, r float64) {
	if r <= 0 {
		p.add(Move, Point{x, y})
		p.add(Line, Point{x + w, y})
		p.add(Line, Point{x + w, y + h})
		p.add(Line, Point{x, y + h})
		p.add(Close)
		return
	}
	r = min(r, w/2, h/2)
	k := r - round*r
	p.add(Move, Point{x + r, y})
	p.add(Line, Point{x + w - r, y})
	p.add(Cube, Point{x + w - k, y}, Point{x + w, y + k}, Point{x + w, y + r})
	p.add(Line, Point{x + w, y + h - r})
	p.add(Cube, Point{x + w, y + h - k}, Point{x + w - k, y + h}, Point{x + w - r, y + h})
	p.add(Line, Point{x + r, y + h})
	p.add(Cube, Point{x + k, y + h}, Point{x, y + h - k}, Point{x, y + h - r})
	p.add(Line, Point{x, y + r})
	p.add(Cube, Point{x, y + k}, Point{x + k, y}, Point{x + r, y})
	p.add(Close)
}

// matrix turns, moves and scales.
type matrix struct{ a, b, c, d, e, f float64 }

var unmoved = matrix{a: 1, d: 1}

// after returns the matrix that does n first.
func (m matrix) after(n matrix) matrix {
	return matrix{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b,
		m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.e + m.c*n.f + m.e, m.b*n.e + m.d*n.f + m.f,
	}
}

func (m matrix) point(p Point) Point { return Point{m.a*p.X + m.c*p.Y + m.e, m.b*p.X + m.d*p.Y + m.f} }

// scale returns by how much lengths grow.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

// turned reports whether what is upright stays so.
func (m matrix) turned() bool { return math.Abs(m.b) > 1e-9 || math.Abs(m.c) > 1e-9 }

func (m matrix) path(p *Path) Path {
	moved := Path{Ops: p.Ops, Points: make([]Point, len(p.Points))}
	for i, q := range p.Points {
		moved.Points[i] = m.point(q)
	}
	return moved
}
