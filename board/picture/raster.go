package picture

import (
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"math"
	"slices"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Widest is the greatest width and height of pictures of pixels.
const Widest = 4096

// Image paints a picture so many pixels wide.
func (p *Picture) Image(width int) *image.RGBA {
	width = min(max(width, 1), Widest)
	k := float64(width) / p.W
	if p.H*k > Widest {
		k = Widest / p.H
	}
	c := canvas{dst: image.NewRGBA(image.Rect(0, 0, max(1, int(math.Round(p.W*k))), max(1, int(math.Round(p.H*k))))), k: k}
	for i := range p.Shapes {
		c.shape(&p.Shapes[i])
	}
	return c.dst
}

// PNG writes a picture as PNG.
func (p *Picture) PNG(w io.Writer, width int) error { return png.Encode(w, p.Image(width)) }

// canvas is an image that is being painted.
type canvas struct {
	dst *image.RGBA
	k   float64 // pixels a unit
	r   vector.Rasterizer
}

func (c *canvas) shape(s *Shape) {
	off := 0.15 / c.k
	if s.Text != nil {
		for _, p := range outlines(s.Text) {
			c.fill(&p, s.Fill)
		}
		return
	}
	if !s.Fill.None() {
		c.fill(&s.Path, s.Fill)
	}
	if s.Stroke.None() || s.Width <= 0 {
		return
	}
	var p Path
	for _, polygon := range s.outline(off) {
		p.add(Move, polygon[0])
		for _, q := range polygon[1:] {
			p.add(Line, q)
		}
		p.add(Close)
	}
	c.fill(&p, s.Stroke)
}

// fill paints what a path encloses.
func (c *canvas) fill(p *Path, with Paint) {
	if len(p.Points) == 0 || with.None() {
		return
	}
	lo, hi := p.Box()
	area := image.Rect(int(math.Floor(lo.X*c.k)), int(math.Floor(lo.Y*c.k)), int(math.Ceil(hi.X*c.k)), int(math.Ceil(hi.Y*c.k))).Intersect(c.dst.Bounds())
	if area.Empty() {
		return
	}
	c.r.Reset(area.Dx(), area.Dy())
	c.r.DrawOp = draw.Over
	at := func(q Point) (float32, float32) {
		return float32(q.X*c.k - float64(area.Min.X)), float32(q.Y*c.k - float64(area.Min.Y))
	}
	i := 0
	for _, op := range p.Ops {
		switch op {
		case Move:
			c.r.MoveTo(at(p.Points[i]))
			i++
		case Line:
			c.r.LineTo(at(p.Points[i]))
			i++
		case Quad:
			ax, ay := at(p.Points[i])
			bx, by := at(p.Points[i+1])
			c.r.QuadTo(ax, ay, bx, by)
			i += 2
		case Cube:
			ax, ay := at(p.Points[i])
			bx, by := at(p.Points[i+1])
			ex, ey := at(p.Points[i+2])
			c.r.CubeTo(ax, ay, bx, by, ex, ey)
			i += 3
		case Close:
			c.r.ClosePath()
		}
	}
	if with.Gradient == nil {
		c.r.Draw(c.dst, area, image.NewUniform(with.Color), image.Point{})
		return
	}
	c.r.Draw(c.dst, area, &glow{with.Gradient, c.k, c.dst.Bounds()}, area.Min)
}

// glow is a gradient as an image.
type glow struct {
	*Gradient
	k      float64
	bounds image.Rectangle
}

func (g *glow) ColorModel() color.Model { return color.NRGBAModel }
func (g *glow) Bounds() image.Rectangle { return g.bounds }

func (g *glow) At(x, y int) color.Color {
	return g.Gradient.At(math.Hypot((float64(x)+0.5)/g.k-g.X, (float64(y)+0.5)/g.k-g.Y) / g.R)
}

// At returns the colour so far from the middle, from 0 to 1.
func (g *Gradient) At(t float64) color.NRGBA {
	i := slices.IndexFunc(g.Stops, func(s Stop) bool { return s.At >= t })
	if i < 0 {
		return g.Stops[len(g.Stops)-1].Color
	}
	if i == 0 {
		return g.Stops[0].Color
	}
	a, b := g.Stops[i-1], g.Stops[i]
	share := (t - a.At) / (b.At - a.At)
	blend := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.NRGBA{blend(a.Color.R, b.Color.R), blend(a.Color.G, b.Color.G), blend(a.Color.B, b.Color.B), blend(a.Color.A, b.Color.A)}
}

// The fonts for names of columns and numbers on stones; pieces carry their own outlines.
var (
	regular = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(goregular.TTF) })
	bold    = sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(gobold.TTF) })
)

// outlines returns a line of text as outlines. What the font has no letter for is a box.
func outlines(t *Text) (list []Path) {
	f, err := regular()
	if t.Bold {
		f, err = bold()
	}
	if err != nil {
		panic(err) // the fonts are linked in
	}
	const em = 1024
	var buf sfnt.Buffer
	ppem := fixed.I(em)
	k := t.Size / em
	x := 0.0
	for _, r := range t.String {
		g, err := f.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		segments, err := f.LoadGlyph(&buf, g, ppem, nil)
		if err != nil {
			continue
		}
		var p Path
		for _, s := range segments {
			at := func(i int) Point {
				return Point{t.X + (x+float64(s.Args[i].X)/64)*k, t.Y + float64(s.Args[i].Y)/64*k}
			}
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if len(p.Ops) > 0 {
					p.add(Close)
				}
				p.add(Move, at(0))
			case sfnt.SegmentOpLineTo:
				p.add(Line, at(0))
			case sfnt.SegmentOpQuadTo:
				p.add(Quad, at(0), at(1))
			case sfnt.SegmentOpCubeTo:
				p.add(Cube, at(0), at(1), at(2))
			}
		}
		if len(p.Ops) > 0 {
			p.add(Close)
			list = append(list, p)
		}
		if wide, err := f.GlyphAdvance(&buf, g, ppem, font.HintingNone); err == nil {
			x += float64(wide) / 64
		}
	}
	for i := range list {
		for j := range list[i].Points {
			list[i].Points[j].X -= x * k / 2
		}
	}
	return list
}

// Film is an animated picture.
type Film struct {
	frames []*image.RGBA
	delays []int
}

// Add adds a frame that is seen for so many hundredths of a second. Frames are as large as
// the first one.
func (f *Film) Add(p *Picture, width, delay int) {
	f.frames, f.delays = append(f.frames, p.Image(width)), append(f.delays, delay)
}

// GIF writes the film, which begins again at its end. All frames share the 256 colours that
// are seen most, and each holds only what differs from the one before.
func (f *Film) GIF(w io.Writer) error {
	colors := f.palette()
	index := map[color.RGBA]uint8{}
	g := gif.GIF{}
	var last *image.RGBA
	for i, frame := range f.frames {
		area := frame.Bounds()
		if last != nil {
			area = changed(last, frame)
		}
		last = frame
		q := image.NewPaletted(area, colors)
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				c := frame.RGBAAt(x, y)
				n, ok := index[c]
				if !ok {
					n = uint8(colors.Index(c))
					index[c] = n
				}
				q.SetColorIndex(x, y, n)
			}
		}
		g.Image, g.Delay = append(g.Image, q), append(g.Delay, f.delays[i])
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	return gif.EncodeAll(w, &g)
}

// changed returns the rectangle in which two frames differ: a point where they do not.
func changed(a, b *image.RGBA) image.Rectangle {
	area := image.Rectangle{}
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if area.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return area
}

// palette returns the colours that are seen most in the first and the last frame, those of
// like look once.
func (f *Film) palette() color.Palette {
	seen := map[color.RGBA]int{}
	for _, frame := range []*image.RGBA{f.frames[0], f.frames[len(f.frames)-1]} {
		for i := 0; i+3 < len(frame.Pix); i += 4 {
			seen[color.RGBA{frame.Pix[i] &^ 7, frame.Pix[i+1] &^ 7, frame.Pix[i+2] &^ 7, 255}]++
		}
	}
	exact := map[color.RGBA]map[color.RGBA]int{}
	last := f.frames[len(f.frames)-1]
	for i := 0; i+3 < len(last.Pix); i += 4 {
		c := color.RGBA{last.Pix[i], last.Pix[i+1], last.Pix[i+2], 255}
		like := color.RGBA{c.R &^ 7, c.G &^ 7, c.B &^ 7, 255}
		if exact[like] == nil {
			exact[like] = map[color.RGBA]int{}
		}
		exact[like][c]++
	}
	list := make([]color.RGBA, 0, len(seen))
	for c := range seen {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b color.RGBA) int {
		if seen[a] != seen[b] {
			return seen[b] - seen[a]
		}
		return int(a.R)<<16 + int(a.G)<<8 + int(a.B) - (int(b.R)<<16 + int(b.G)<<8 + int(b.B))
	})
	var p color.Palette
	for _, like := range list[:min(len(list), 256)] {
		best, most := like, 0
		for c, n := range exact[like] {
			if n > most || n == most && (c.R < best.R || c.R == best.R && c.G < best.G) {
				best, most = c, n
			}
		}
		p = append(p, best)
	}
	return p
}
