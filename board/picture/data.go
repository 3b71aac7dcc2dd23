package picture

import (
	"math"
	"strconv"
)

func turn(degrees float64) matrix {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return matrix{cos, sin, -sin, cos, 0, 0}
}

// data reads the numbers and commands of a path.
type data struct {
	text string
	r    *reader
}

func (d *data) space() {
	for d.text != "" && (d.text[0] == ' ' || d.text[0] == ',' || d.text[0] == '\n') {
		d.text = d.text[1:]
	}
}

// more reports whether a number follows.
func (d *data) more() bool {
	d.space()
	return d.text != "" && (d.text[0] >= '0' && d.text[0] <= '9' || d.text[0] == '-' || d.text[0] == '.')
}

func (d *data) number() float64 {
	d.space()
	n, dots := 0, 0
	for n < len(d.text) {
		c := d.text[n]
		if c == '.' {
			dots++
		}
		if (c < '0' || c > '9') && (c != '.' || dots > 1) && (c != '-' || n > 0) {
			break
		}
		n++
	}
	v, err := strconv.ParseFloat(d.text[:n], 64)
	if err != nil {
		d.r.fail("path data %.20q", d.text)
		d.text = ""
		return 0
	}
	d.text = d.text[n:]
	return v
}

// path reads the data of a path.
func (r *reader) path(text string) Path {
	d := data{text, r}
	var p Path
	var at, first Point
	for d.space(); d.text != "" && r.err == nil; d.space() {
		c := d.text[0]
		d.text = d.text[1:]
		near := Point{}
		if c >= 'a' {
			c -= 'a' - 'A'
			near = Point{1, 1}
		}
		point := func() Point {
			x := d.number()
			return Point{near.X*at.X + x, near.Y*at.Y + d.number()}
		}
		if c == 'Z' {
			p.add(Close)
			at = first
			continue
		}
		for again := false; !again || d.more(); again = true {
			switch c {
			case 'M':
				at = point()
				if !again {
					first = at
					p.add(Move, at)
				} else {
					p.add(Line, at)
				}
			case 'L':
				at = point()
				p.add(Line, at)
			case 'H':
				at.X = near.X*at.X + d.number()
				p.add(Line, at)
			case 'V':
				at.Y = near.Y*at.Y + d.number()
				p.add(Line, at)
			case 'Q':
				a, b := point(), point()
				at = b
				p.add(Quad, a, b)
			case 'C':
				a, b, e := point(), point(), point()
				at = e
				p.add(Cube, a, b, e)
			case 'A':
				rx, ry, tilt := d.number(), d.number(), d.number()
				large, sweep := d.number() != 0, d.number() != 0
				to := point()
				p.arc(at, to, rx, ry, tilt, large, sweep)
				at = to
			default:
				r.fail("a path command %q", c)
			}
			if r.err != nil {
				return p
			}
		}
	}
	return p
}

// arc adds a part of an ellipse as curves, by the notes of SVG about arcs.
func (p *Path) arc(from, to Point, rx, ry, tilt float64, large, sweep bool) {
	if rx == 0 || ry == 0 || from == to {
		p.add(Line, to)
		return
	}
	rx, ry = math.Abs(rx), math.Abs(ry)
	back, forth := turn(-tilt), turn(tilt)
	h := back.point(Point{(from.X - to.X) / 2, (from.Y - to.Y) / 2})
	if l := h.X*h.X/(rx*rx) + h.Y*h.Y/(ry*ry); l > 1 {
		rx, ry = rx*math.Sqrt(l), ry*math.Sqrt(l)
	}
	k := math.Sqrt(max(0, (rx*rx*ry*ry-rx*rx*h.Y*h.Y-ry*ry*h.X*h.X)/(rx*rx*h.Y*h.Y+ry*ry*h.X*h.X)))
	if large == sweep {
		k = -k
	}
	c := Point{k * rx * h.Y / ry, -k * ry * h.X / rx}
	middle := forth.point(c)
	middle.X, middle.Y = middle.X+(from.X+to.X)/2, middle.Y+(from.Y+to.Y)/2
	begin := math.Atan2((h.Y-c.Y)/ry, (h.X-c.X)/rx)
	sweepBy := math.Atan2((-h.Y-c.Y)/ry, (-h.X-c.X)/rx) - begin
	if sweep && sweepBy < 0 {
		sweepBy += 2 * math.Pi
	} else if !sweep && sweepBy > 0 {
		sweepBy -= 2 * math.Pi
	}
	on := matrix{1, 0, 0, 1, middle.X, middle.Y}.after(forth).after(matrix{rx, 0, 0, ry, 0, 0})
	n := int(math.Ceil(math.Abs(sweepBy)/(math.Pi/2) - 1e-9))
	part := sweepBy / float64(n)
	handle := 4.0 / 3 * math.Tan(part/4)
	for i := range n {
		s0, c0 := math.Sincos(begin + float64(i)*part)
		s1, c1 := math.Sincos(begin + float64(i+1)*part)
		end := on.point(Point{c1, s1})
		if i == n-1 {
			end = to
		}
		p.add(Cube, on.point(Point{c0 - handle*s0, s0 + handle*c0}), on.point(Point{c1 + handle*s1, s1 - handle*c1}), end)
	}
}
