package picture

import (
	"bytes"
	"image"
	"image/gif"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pictures returns the pictures that tests of board/draw hold.
func pictures(t testing.TB) map[string][]byte {
	t.Helper()
	list, err := filepath.Glob("../draw/testdata/*.svg")
	if err != nil || len(list) < 20 {
		t.Fatalf("%d pictures, %v", len(list), err)
	}
	all := map[string][]byte{}
	for _, name := range list {
		svg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = svg
	}
	return all
}

// TestRead: whatever board/draw draws can be taken apart and painted.
func TestRead(t *testing.T) {
	for name, svg := range pictures(t) {
		p, err := Read(svg)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var out bytes.Buffer
		if err := p.PNG(&out, 200); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if i, err := png.Decode(&out); err != nil || i.Bounds().Dx() != 200 && i.Bounds().Dy() != Widest {
			t.Errorf("%s: %v, %v", name, i.Bounds(), err)
		}
	}
}

// drawn returns a picture of elements, white on black, 100 by 100.
func drawn(t *testing.T, elements string) *image.RGBA {
	t.Helper()
	p, err := Read([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#000"/><g fill="#fff">` + elements + `</g></svg>`))
	if err != nil {
		t.Fatal(err)
	}
	return p.Image(400)
}

// TestArea: what is painted is as large as geometry says.
func TestArea(t *testing.T) {
	for _, c := range []struct {
		elements string
		area     float64
	}{
		{`<circle cx="50" cy="50" r="30"/>`, math.Pi * 900},
		{`<rect x="10" y="10" width="50" height="20"/>`, 1000},
		{`<rect x="10" y="10" width="50" height="40" rx="10"/>`, 2000 - (400 - math.Pi*100)},
		{`<path d="M10 10h80v80h-80zM30 30v40h40V30z"/>`, 6400 - 1600},
		{`<path d="M20 50a30 30 0 0 1 60 0z"/>`, math.Pi * 450},
		{`<path d="M20 50A30 30 0 1 0 80 50z"/>`, math.Pi * 450},
		{`<path d="M10 90q40-80 80 0z"/>`, 80.0 * 80 / 3},
		{`<circle cx="50" cy="50" r="30" fill="none" stroke="#fff" stroke-width="8"/>`, math.Pi * (34*34 - 26*26)},
		{`<path fill="none" stroke="#fff" stroke-width="6" d="M10 20H90"/>`, 480},
		{`<path fill="none" stroke="#fff" stroke-width="6" stroke-linecap="square" d="M20 20H80"/>`, 66 * 6},
		{`<path fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round" d="M20 20H80"/>`, 360 + math.Pi*9},
		{`<path fill="none" stroke="#fff" stroke-width="20" stroke-linecap="round" d="M50 50h.001"/>`, math.Pi * 100},
		{`<path fill="none" stroke="#fff" stroke-width="10" d="M20 20H80V80"/>`, 600 + 600 - 25 + 25},
		{`<path fill="none" stroke="#fff" stroke-width="10" d="M20 20H80V80H20z"/>`, 70*70 - 50*50},
		{`<path fill="none" stroke="#fff" stroke-width="10" stroke-dasharray="10 5" d="M5 50H95"/>`, 600},
		{`<g transform="translate(50 50)rotate(30)scale(2)"><rect x="-10" y="-5" width="20" height="10"/></g>`, 800},
	} {
		sum := 0.0
		img := drawn(t, c.elements)
		for i := 0; i < len(img.Pix); i += 4 {
			sum += float64(img.Pix[i]) / 255
		}
		if got := sum / 16; math.Abs(got-c.area) > 0.006*c.area+1 {
			t.Errorf("%s: %.1f, want %.1f", c.elements, got, c.area)
		}
	}
}

// TestGradient: colours go from the first in the middle to the last at the rim.
func TestGradient(t *testing.T) {
	img := drawn(t, `<defs><radialGradient id="g" cx=".5" cy=".5" r=".5"><stop stop-color="#ff0000"/><stop offset=".5" stop-color="#00ff00"/><stop offset="1" stop-color="#0000ff"/></radialGradient></defs><circle cx="50" cy="50" r="40" fill="url(#g)"/>`)
	for _, c := range []struct {
		x       int
		r, g, b uint8
	}{{200, 255, 0, 0}, {240, 127, 127, 0}, {280, 0, 255, 0}, {320, 0, 127, 127}, {355, 0, 8, 247}, {370, 0, 0, 0}} {
		p := img.RGBAAt(c.x, 200)
		for i, pair := range [][2]uint8{{p.R, c.r}, {p.G, c.g}, {p.B, c.b}} {
			if math.Abs(float64(pair[0])-float64(pair[1])) > 8 {
				t.Errorf("%d: %v, want %v (%d)", c.x, p, c, i)
			}
		}
	}
}

// TestRefused: what is not known is told, and never left out.
func TestRefused(t *testing.T) {
	for _, svg := range []string{
		"", "<svg", "<g/>", "<svg/>", `<svg viewBox="0 0 a b"/>`,
		`<svg viewBox="0 0 9 9"><ellipse/></svg>`, `<svg viewBox="0 0 9 9"><use href="#no"/></svg>`,
		`<svg viewBox="0 0 9 9"><g id="a"><use href="#a"/></g></svg>`, `<svg viewBox="0 0 9 9"><path d="M0 0S1 1 2 2"/></svg>`,
		`<svg viewBox="0 0 9 9"><path d="M0 x"/></svg>`, `<svg viewBox="0 0 9 9"><rect fill="red" width="2" height="2"/></svg>`,
		`<svg viewBox="0 0 9 9"><g transform="skewX(3)"/></svg>`, `<svg viewBox="0 0 9 9">` + strings.Repeat("<g>", 99) + strings.Repeat("</g>", 99) + `</svg>`,
	} {
		if p, err := Read([]byte(svg)); err == nil {
			t.Errorf("%.60s: read as %+v", svg, p)
		} else if !strings.HasPrefix(err.Error(), "picture: ") {
			t.Errorf("%.60s: %v", svg, err)
		}
	}
}

// TestFilm: the frames of a film are what its pictures are, in 256 colours.
func TestFilm(t *testing.T) {
	var film Film
	var want []*image.RGBA
	for _, name := range []string{"go.svg", "go-overlays.svg", "go.svg"} {
		p, err := Read(pictures(t)[name])
		if err != nil {
			t.Fatal(err)
		}
		film.Add(p, 240, 50)
		want = append(want, p.Image(240))
	}
	var out bytes.Buffer
	if err := film.GIF(&out); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&out)
	if err != nil || len(g.Image) != 3 || g.Delay[1] != 50 {
		t.Fatalf("%d frames, %v", len(g.Image), err)
	}
	seen := image.NewRGBA(g.Image[0].Rect)
	for i, frame := range g.Image {
		for y := frame.Rect.Min.Y; y < frame.Rect.Max.Y; y++ {
			for x := frame.Rect.Min.X; x < frame.Rect.Max.X; x++ {
				seen.Set(x, y, frame.At(x, y))
			}
		}
		off := 0.0
		for j := range seen.Pix {
			off += math.Abs(float64(seen.Pix[j]) - float64(want[i].Pix[j]))
		}
		if off /= float64(len(seen.Pix)); off > 1.5 {
			t.Errorf("frame %d: colours are off by %.2f in the mean", i, off)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`<svg viewBox="0 0 9 9"><path d="M1 1a2 3 4 0 1 5 6z" stroke="#123456" stroke-width="2"/></svg>`))
	f.Add([]byte(`<svg viewBox="0 0 9 9"><g transform="rotate(3)"><circle r="2" stroke-dasharray="1 2"/></g></svg>`))
	f.Fuzz(func(t *testing.T, svg []byte) {
		p, err := Read(svg)
		if err != nil {
			return
		}
		for i := range p.Shapes {
			if s := &p.Shapes[i]; s.Text == nil && len(s.Path.Points) > 0 && len(s.Path.Points) < 100 && s.Width > 0 {
				for _, polygon := range s.outline(0.5) {
					if len(polygon) < 3 {
						t.Fatalf("a polygon of %d corners", len(polygon))
					}
				}
			}
		}
	})
}

func BenchmarkPNG(b *testing.B) {
	svg := pictures(b)["go-overlays.svg"]
	for b.Loop() {
		p, err := Read(svg)
		if err != nil {
			b.Fatal(err)
		}
		if err := p.PNG(new(bytes.Buffer), 600); err != nil {
			b.Fatal(err)
		}
	}
}
