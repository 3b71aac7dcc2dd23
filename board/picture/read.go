package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"
)

// node is an element.
type node struct {
	name string
	attr map[string]string
	text string
	kids []*node
}

// deepest is how far elements may lie in each other, drawings used in drawings counted.
const deepest = 24

// Read takes a picture apart.
func Read(svg []byte) (*Picture, error) {
	root, err := parse(svg)
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	r := reader{ids: map[string]*node{}, p: &Picture{}}
	r.index(root)
	box := strings.Fields(root.attr["viewBox"])
	if root.name != "svg" || len(box) != 4 {
		return nil, errors.New("picture: no svg with a viewBox")
	}
	r.p.W, r.p.H = r.number(box[2]), r.number(box[3])
	s := style{fill: "#000", stroke: "none", fillOpacity: 1, strokeOpacity: 1, width: 1}
	if r.err == nil {
		r.draw(root, s, unmoved, 0)
	}
	if r.err != nil {
		return nil, fmt.Errorf("picture: %w", r.err)
	}
	return r.p, nil
}

func parse(svg []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(svg))
	top := &node{}
	open := []*node{top}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		last := open[len(open)-1]
		switch t := t.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, attr: map[string]string{}}
			for _, a := range t.Attr {
				n.attr[a.Name.Local] = a.Value
			}
			last.kids = append(last.kids, n)
			if open = append(open, n); len(open) > deepest {
				return nil, errors.New("elements lie too deep in each other")
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			last.text += string(t)
		}
	}
	if len(top.kids) != 1 {
		return nil, errors.New("no single element")
	}
	return top.kids[0], nil
}

// style is what elements inherit.
type style struct {
	fill, stroke               string
	fillOpacity, strokeOpacity float64
	width                      float64
	cap                        Cap
	join                       Join
	dash                       []float64
	bold                       bool
}

type reader struct {
	ids map[string]*node
	p   *Picture
	err error
}

func (r *reader) index(n *node) {
	if id := n.attr["id"]; id != "" {
		r.ids[id] = n
	}
	for _, k := range n.kids {
		r.index(k)
	}
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) number(text string) float64 {
	if text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		r.fail("%q is no number", text)
	}
	return v
}

// styled returns the style of an element.
func (r *reader) styled(n *node, s style) style {
	for name, v := range n.attr {
		switch name {
		case "fill":
			s.fill = v
		case "stroke":
			s.stroke = v
		case "fill-opacity":
			s.fillOpacity = r.number(v)
		case "stroke-opacity":
			s.strokeOpacity = r.number(v)
		case "stroke-width":
			s.width = r.number(v)
		case "stroke-linecap":
			s.cap = map[string]Cap{"round": RoundCap, "square": SquareCap}[v]
		case "stroke-linejoin":
			s.join = map[string]Join{"round": RoundJoin}[v]
		case "stroke-dasharray":
			s.dash = nil
			for _, part := range strings.FieldsFunc(v, func(c rune) bool { return c == ' ' || c == ',' }) {
				s.dash = append(s.dash, r.number(part))
			}
		case "font-weight":
			s.bold = v != "400" && v != "normal"
		}
	}
	return s
}

func (r *reader) draw(n *node, s style, m matrix, depth int) {
	if r.err != nil {
		return
	}
	if depth > deepest {
		r.fail("drawings use each other without end")
		return
	}
	s = r.styled(n, s)
	if t := n.attr["transform"]; t != "" {
		m = m.after(r.transform(t))
	}
	num := func(name string) float64 { return r.number(n.attr[name]) }
	var p Path
	switch n.name {
	case "title":
		r.p.Title = n.text
		return
	case "defs":
		return
	case "svg", "g":
		for _, k := range n.kids {
			r.draw(k, s, m, depth+1)
		}
		return
	case "use":
		of := r.ids[strings.TrimPrefix(n.attr["href"], "#")]
		if of == nil {
			r.fail("there is no drawing %q", n.attr["href"])
			return
		}
		r.draw(of, s, m.after(matrix{1, 0, 0, 1, num("x"), num("y")}), depth+1)
		return
	case "text":
		at := m.point(Point{num("x"), num("y")})
		if m.turned() {
			r.fail("text that is turned")
			return
		}
		fill := r.paint(s.fill, s.fillOpacity, nil, m)
		r.p.Shapes = append(r.p.Shapes, Shape{Text: &Text{at.X, at.Y, m.scale() * num("font-size"), s.bold, n.text}, Fill: fill})
		return
	case "path":
		p = r.path(n.attr["d"])
	case "circle":
		p.circle(num("cx"), num("cy"), num("r"))
	case "rect":
		p.rect(num("x"), num("y"), num("width"), num("height"), num("rx"))
	default:
		r.fail("an element %q", n.name)
		return
	}
	moved := m.path(&p)
	shape := Shape{
		Path: moved, Width: s.width * m.scale(), Cap: s.cap, Join: s.join,
		Fill: r.paint(s.fill, s.fillOpacity, &moved, m), Stroke: r.paint(s.stroke, s.strokeOpacity, &moved, m),
	}
	for _, d := range s.dash {
		shape.Dash = append(shape.Dash, d*m.scale())
	}
	r.p.Shapes = append(r.p.Shapes, shape)
}

// paint returns what an attribute names, for a path whose box gradients fill.
func (r *reader) paint(text string, opacity float64, p *Path, m matrix) Paint {
	if text == "none" || text == "" {
		return Paint{}
	}
	if id, ok := strings.CutPrefix(text, "url(#"); ok {
		n := r.ids[strings.TrimSuffix(id, ")")]
		if n == nil || n.name != "radialGradient" || p == nil {
			r.fail("there is no gradient %q", text)
			return Paint{}
		}
		lo, hi := p.Box()
		w, h := hi.X-lo.X, hi.Y-lo.Y
		g := &Gradient{X: lo.X + w*r.number(n.attr["cx"]), Y: lo.Y + h*r.number(n.attr["cy"]), R: max(w, h) * r.number(n.attr["r"])}
		for _, k := range n.kids {
			g.Stops = append(g.Stops, Stop{r.number(k.attr["offset"]), r.color(k.attr["stop-color"], opacity)})
		}
		if len(g.Stops) == 0 {
			r.fail("a gradient without colours")
			return Paint{}
		}
		return Paint{Gradient: g}
	}
	return Paint{Color: r.color(text, opacity)}
}

func (r *reader) color(text string, opacity float64) color.NRGBA {
	hex := strings.TrimPrefix(text, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	v, err := strconv.ParseUint(hex, 16, 24)
	if err != nil || len(hex) != 6 {
		r.fail("%q is no colour", text)
		return color.NRGBA{}
	}
	return color.NRGBA{byte(v >> 16), byte(v >> 8), byte(v), byte(min(max(opacity, 0), 1)*255 + 0.5)}
}

// transform reads a list of translations, turns and scalings.
func (r *reader) transform(text string) matrix {
	m := unmoved
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		name, rest, ok := strings.Cut(text, "(")
		inner, after, ok2 := strings.Cut(rest, ")")
		if !ok || !ok2 {
			r.fail("a transformation %q", text)
			return m
		}
		text = after
		var v []float64
		for _, part := range strings.FieldsFunc(inner, func(c rune) bool { return c == ' ' || c == ',' }) {
			v = append(v, r.number(part))
		}
		switch {
		case name == "translate" && len(v) == 2:
			m = m.after(matrix{1, 0, 0, 1, v[0], v[1]})
		case name == "scale" && len(v) == 1:
			m = m.after(matrix{v[0], 0, 0, v[0], 0, 0})
		case name == "rotate" && len(v) == 1:
			m = m.after(turn(v[0]))
		default:
			r.fail("a transformation %s of %d numbers", name, len(v))
			return m
		}
	}
	return m
}
