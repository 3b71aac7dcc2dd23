package draw_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"qipu/board"
	"qipu/board/draw"
	"qipu/internal/testkit"
)

func TestGoldenSVG(t *testing.T) {
	for name, s := range scenes() {
		got := draw.AppendSVG(nil, s)
		testkit.Golden(t, filepath.Join("testdata", name+".svg"), got)
		if err := wellFormed(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGoldenText(t *testing.T) {
	for name, s := range scenes() {
		var out bytes.Buffer
		for _, o := range []draw.TextOptions{{}, {Unicode: true}, {Unicode: true, Color: true}} {
			text := draw.Text(s, o)
			if o.Color {
				text = strings.ReplaceAll(text, "\x1b", "^[")
			}
			fmt.Fprintf(&out, "%+v\n%s\n", o, text)
		}
		testkit.Golden(t, filepath.Join("testdata", name+".txt"), out.Bytes())
	}
}

// wellFormed reads an XML text to its end and checks that every reference
// leads to an id.
func wellFormed(data []byte) error {
	ids, refs := map[string]bool{}, map[string]bool{}
	d := xml.NewDecoder(bytes.NewReader(data))
	for depth := 0; ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if depth++; depth == 1 && e.Name.Local != "svg" {
				return fmt.Errorf("root element is %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				switch {
				case a.Name.Local == "id" && ids[a.Value]:
					return fmt.Errorf("id %s is used twice", a.Value)
				case a.Name.Local == "id":
					ids[a.Value] = true
				case a.Name.Local == "href":
					refs[strings.TrimPrefix(a.Value, "#")] = true
				case strings.HasPrefix(a.Value, "url(#"):
					refs[strings.TrimSuffix(a.Value[5:], ")")] = true
				case a.Name.Local == "style":
					return fmt.Errorf("%s has a style, which strict pages refuse", e.Name.Local)
				}
			}
		case xml.EndElement:
			depth--
		}
	}
	for r := range refs {
		if !ids[r] {
			return fmt.Errorf("reference to %q leads nowhere", r)
		}
	}
	return nil
}

func TestDeterministic(t *testing.T) {
	first := draw.AppendSVG(nil, overlays())
	for range 20 {
		if !bytes.Equal(first, draw.AppendSVG(nil, overlays())) {
			t.Fatal("the same scene gave two pictures")
		}
	}
}

func TestAppend(t *testing.T) {
	s := opening()
	var out bytes.Buffer
	if err := draw.SVG(&out, s); err != nil {
		t.Fatal(err)
	}
	if got := draw.AppendSVG([]byte("before"), s); string(got) != "before"+out.String() {
		t.Error("AppendSVG does not append what SVG writes")
	}
	if got := draw.AppendText([]byte("before"), s, draw.TextOptions{}); string(got) != "before"+draw.Text(s, draw.TextOptions{}) {
		t.Error("AppendText does not append what Text returns")
	}
}

// TestSharedPage puts two pictures into one page: an id that both have must
// name the same drawing.
func TestSharedPage(t *testing.T) {
	def := func(data []byte) map[string]string {
		m := map[string]string{}
		for part := range strings.SplitSeq(string(data), "<defs>") {
			body, _, _ := strings.Cut(part, "</defs>")
			if _, id, ok := strings.Cut(body, `id="`); ok {
				id, _, _ = strings.Cut(id, `"`)
				m[id] = body
			}
		}
		return m
	}
	all := map[string]string{}
	for name, s := range scenes() {
		for id, body := range def(draw.AppendSVG(nil, s)) {
			if other, ok := all[id]; ok && other != body {
				t.Errorf("%s: id %s names another drawing elsewhere", name, id)
			}
			all[id] = body
		}
	}
}

func TestHostileText(t *testing.T) {
	hostile := "</text><script>alert('x')</script>&\"\x00\x1b[31m\xff"
	s := opening()
	s.Title = hostile
	s.Labels = map[board.Point]string{board.At(0, 0): hostile, board.At(3, 2): hostile, board.At(200, 200): "off"}
	s.Heat = map[board.Point]draw.Heat{board.At(1, 1): {Value: 1, Text: hostile}}
	g := *s.Geometry
	g.Texts = []board.Caption{{Text: hostile, Height: 1, Turn: 45}}
	g.Labels.Left = []string{hostile}
	g.Theme.Board = `red" onload="x`
	g.Pieces = []board.Look{{Glyph: hostile, Letters: "\x1b", Symbol: "\x1b[2J", Fill: `"><script>`}}
	s.Geometry = &g
	got := draw.AppendSVG(nil, s)
	if err := wellFormed(got); err != nil {
		t.Error(err)
	}
	if bytes.Contains(got, []byte("<script")) || bytes.Contains(got, []byte("onload")) {
		t.Errorf("hostile text got through:\n%s", got)
	}
	for _, unicode := range []bool{false, true} {
		if text := draw.Text(s, draw.TextOptions{Unicode: unicode}); strings.ContainsAny(text, "\x00\x1b") {
			t.Errorf("control characters got through: %q", text)
		}
	}
}

// TestOutlines checks that no piece, caption or Chinese coordinate needs a
// font.
func TestOutlines(t *testing.T) {
	for _, simplified := range []bool{false, true} {
		s := xiangqi()
		s.Simplified = simplified
		s.Title = ""
		for _, r := range string(draw.AppendSVG(nil, s)) {
			if r > '~' {
				t.Errorf("simplified %v: %q is written as text", simplified, r)
			}
		}
	}
}

// TestFlip turns the scene by hand and compares pictures: a flipped picture of
// a board is the picture of the turned board, save for the names around it.
func TestFlip(t *testing.T) {
	s := overlays()
	s.Coordinates = false
	s.Geometry.Lines = nil
	turned := with(s, func(c *draw.Scene) {
		size := s.Geometry.Size
		turn := func(p board.Point) board.Point { return board.HalfTurn.Apply(size, p) }
		c.Flip = true
		c.Planes = s.Planes.Transform(board.HalfTurn, nil)
		c.Last = drop(turn(s.Last.To).X(), turn(s.Last.To).Y())
		c.Labels, c.Marks, c.Heat, c.Arrows = nil, nil, nil, nil
		c.Regions = []draw.Region{{A: turn(s.Regions[0].A), B: turn(s.Regions[0].B)}}
	})
	s.Labels, s.Marks, s.Heat, s.Arrows = nil, nil, nil, nil
	count := func(s *draw.Scene) map[string]int {
		m := map[string]int{}
		for part := range strings.SplitSeq(string(draw.AppendSVG(nil, s)), "<") {
			if strings.HasPrefix(part, "circle") || strings.HasPrefix(part, "rect") {
				m[part]++
			}
		}
		return m
	}
	a, b := count(s), count(turned)
	for part, n := range a {
		if b[part] != n {
			t.Errorf("%q: %d times, %d when turned twice", part, n, b[part])
		}
	}
}

// TestTextAligned checks that all rows of a board are equally wide, whatever
// the terminal takes ambiguous characters for.
func TestTextAligned(t *testing.T) {
	for name, s := range scenes() {
		s.Coordinates = false
		s.Last = nil
		for _, ambiguous := range []int{1, 2} {
			width := -1
			for line := range strings.Lines(draw.Text(s, draw.TextOptions{Unicode: true})) {
				n := 0
				if s.Geometry.Shifts != nil {
					line = strings.TrimLeft(line, " ") // rows begin further to the right on purpose
				}
				for _, r := range strings.TrimSuffix(line, "\n") {
					switch {
					case r < 0x80:
						n++
					case r >= 0x3000 && r < 0xFFF0:
						n += 2
					default:
						n += ambiguous
					}
				}
				if width >= 0 && n != width {
					t.Errorf("%s: a row of %d cells under one of %d: %q", name, n, width, line)
				}
				width = n
			}
		}
	}
}

// TestTextPlain checks that the default is ASCII and that escape sequences
// come only when asked for.
func TestTextPlain(t *testing.T) {
	for name, s := range scenes() {
		for _, r := range draw.Text(s, draw.TextOptions{}) {
			if r > '~' || r < ' ' && r != '\n' {
				t.Fatalf("%s: %q in plain text", name, r)
			}
		}
		if strings.Contains(draw.Text(s, draw.TextOptions{Unicode: true}), "\x1b") {
			t.Errorf("%s: colours that nobody asked for", name)
		}
	}
}

func FuzzScene(f *testing.F) {
	f.Add(uint8(0), uint16(33), uint16(99), "1", 0.5, 2.5, 160)
	f.Add(uint8(255), uint16(0xFFFF), uint16(700), "</svg>\x00\xff", math.NaN(), math.Inf(1), -1)
	f.Add(uint8(3), uint16(0), uint16(1), "楚河", -1.0, math.NaN(), 1<<40)
	f.Fuzz(func(t *testing.T, kind uint8, a, b uint16, text string, value, spot float64, width int) {
		s := []*draw.Scene{opening(), othello(), xiangqi(), gomoku()}[kind&3]
		p, q := board.Point(a), board.Point(b)
		s.Last = &draw.Step{From: p, To: q}
		s.Labels = map[board.Point]string{p: text, q: text}
		s.Marks = map[board.Point]draw.Mark{p: draw.Mark(kind), q: 255}
		s.Heat = map[board.Point]draw.Heat{p: {Value: value, Text: text}, q: {Value: spot}}
		s.Arrows = []draw.Step{{From: p, To: q}, {From: q, To: p}, {From: p, To: p}}
		s.Regions = []draw.Region{{A: p, B: q}}
		s.Flip, s.Dark, s.Simplified, s.Coordinates = kind&4 != 0, kind&8 != 0, kind&16 != 0, kind&32 != 0
		s.Title, s.Width = text, width
		g := s.Geometry
		if kind&64 != 0 {
			g.Size = board.Size{W: int(a % 30), H: int(b % 30)}
		}
		if kind&128 != 0 {
			g.Pieces = g.Pieces[:1]
			g.Pieces[0] = board.Look{Glyph: text, Symbol: text, Letters: text, Fill: text, Ink: "#abc", Owner: int(a)}
			g.Theme = board.Theme{Board: text, Mark: "#123"}
		}
		g.Texts = append(g.Texts, board.Caption{At: board.Spot{X: spot, Y: value}, Text: text, Height: value, Turn: spot})
		g.Dots = append(g.Dots, board.Spot{X: spot})
		g.Ticks = append(g.Ticks, board.Spot{Y: value})
		g.Lines = append(g.Lines, board.Segment{From: board.Spot{X: value, Y: 1}, To: board.Spot{X: spot, Y: 3}})
		g.Labels.Right = []string{text}

		svg := draw.AppendSVG(nil, s)
		if err := wellFormed(svg); err != nil {
			t.Errorf("%v in\n%s", err, svg)
		}
		if bytes.Contains(svg, []byte("NaN")) && !strings.Contains(text, "NaN") {
			t.Error("a number that is none in the picture")
		}
		for _, unicode := range []bool{false, true} {
			out := draw.Text(s, draw.TextOptions{Unicode: unicode})
			if strings.Contains(out, "\x1b") {
				t.Errorf("escape sequence in %q", out)
			}
		}
	})
}

func full() *draw.Scene {
	s := opening()
	s.Coordinates = false
	n := 0
	for p := range s.Geometry.Size.Points() {
		if n < 200 && p%5 < 3 {
			s.Planes.Put(p, board.Piece(p%2+1))
			n++
		}
	}
	return s
}

func BenchmarkSVG(b *testing.B) {
	s := full()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = draw.AppendSVG(buf[:0], s)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkSVGXiangqi(b *testing.B) {
	s := xiangqi()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = draw.AppendSVG(buf[:0], s)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkText(b *testing.B) {
	s := full()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = draw.AppendText(buf[:0], s, draw.TextOptions{})
	}
}
