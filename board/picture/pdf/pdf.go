package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"qipu/board/picture"
)

// Document is what is being written.
type Document struct {
	title, lang   string
	regular, bold *face
	own           *face // for what these have not; nil for none
	natives       map[string]*native
	pages         []*Page
	shades        []string           // dictionaries of gradients
	veils         map[uint8]struct{} // opacities
}

// Options say how a document is made.
type Options struct {
	Title    string
	Language string // BCP 47: in which of their forms Han characters are set
	Font     []byte // a TrueType font for what the usual one has no letters for; nil for those that readers have
}

// New begins a document.
func New(o Options) (*Document, error) {
	d := &Document{title: o.Title, lang: o.Language, natives: map[string]*native{}, veils: map[uint8]struct{}{}}
	var err error
	if d.regular, err = newFace("QipuSans", goregular.TTF); err != nil {
		return nil, err
	}
	if d.bold, err = newFace("QipuSans-Bold", gobold.TTF); err != nil {
		return nil, err
	}
	if o.Font != nil {
		if d.own, err = newFace("QipuOwn", o.Font); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Page is a page of a document. Places are in points from the upper left.
type Page struct {
	d             *Document
	Width, Height float64
	out           bytes.Buffer
}

// Page adds a page.
func (d *Document) Page(width, height float64) *Page {
	p := &Page{d: d, Width: width, Height: height}
	fmt.Fprintf(&p.out, "1 0 0 -1 0 %s cm\n", number(height))
	d.pages = append(d.pages, p)
	return p
}

// Pages returns how many pages there are.
func (d *Document) Pages() int { return len(d.pages) }

func number(v float64) string {
	t := strconv.FormatFloat(v, 'f', 2, 64)
	t = strings.TrimRight(strings.TrimRight(t, "0"), ".")
	if t == "-0" || t == "" {
		return "0"
	}
	return t
}

func (p *Page) put(op string, values ...float64) {
	for _, v := range values {
		p.out.WriteString(number(v))
		p.out.WriteByte(' ')
	}
	p.out.WriteString(op)
	p.out.WriteByte('\n')
}

// Rule draws a thin line.
func (p *Page) Rule(x, y, to float64) {
	p.put("RG", 0.6, 0.6, 0.6)
	p.put("w", 0.6)
	p.put("m", x, y)
	p.put("l", to, y)
	p.put("S")
}

// Text writes a line whose foot is at y.
func (p *Page) Text(x, y float64, s Style, text string) {
	switch w := p.d.Width(text, s); s.Align {
	case Center:
		x -= w / 2
	case Right:
		x -= w
	}
	p.put("g", s.Gray)
	p.line(x, y, s.Size, s.Bold, text)
}

// line writes runs in the colour that is set.
func (p *Page) line(x, y, size float64, bold bool, text string) {
	for _, r := range p.d.runs(text, bold) {
		font, code := "", ""
		if r.face != nil {
			font = r.face.name
			var b strings.Builder
			for _, c := range r.text {
				g := r.face.glyph(c)
				r.face.used[g] = c
				fmt.Fprintf(&b, "%04X", g)
			}
			code = b.String()
		} else {
			r.native.used = true
			font = r.native.order
			var b strings.Builder
			for _, u := range utf16.Encode(r.text) {
				fmt.Fprintf(&b, "%04X", u)
			}
			code = b.String()
		}
		fmt.Fprintf(&p.out, "BT /%s %s Tf 1 0 0 -1 %s %s Tm <%s> Tj ET\n", font, number(size), number(x), number(y), code)
		x += r.width * size
	}
}

// Picture draws a picture so wide.
func (p *Page) Picture(pic *picture.Picture, x, y, width float64) {
	k := width / pic.W
	p.put("q")
	p.put("cm", k, 0, 0, k, x, y)
	for i := range pic.Shapes {
		p.shape(&pic.Shapes[i])
	}
	p.put("Q")
}

func (p *Page) path(path *picture.Path) {
	i := 0
	var last picture.Point
	next := func() picture.Point { i++; return path.Points[i-1] }
	for _, op := range path.Ops {
		switch op {
		case picture.Move:
			last = next()
			p.put("m", last.X, last.Y)
		case picture.Line:
			last = next()
			p.put("l", last.X, last.Y)
		case picture.Quad:
			a, b := next(), next()
			p.put("c", last.X+2*(a.X-last.X)/3, last.Y+2*(a.Y-last.Y)/3, b.X+2*(a.X-b.X)/3, b.Y+2*(a.Y-b.Y)/3, b.X, b.Y)
			last = b
		case picture.Cube:
			a, b, e := next(), next(), next()
			p.put("c", a.X, a.Y, b.X, b.Y, e.X, e.Y)
			last = e
		case picture.Close:
			p.put("h")
		}
	}
}

// veil sets an opacity.
func (p *Page) veil(a uint8) {
	p.d.veils[a] = struct{}{}
	fmt.Fprintf(&p.out, "/V%d gs\n", a)
}

func (p *Page) shape(s *picture.Shape) {
	if t := s.Text; t != nil {
		p.veil(s.Fill.Color.A)
		p.color("rg", s.Fill)
		w := p.d.Width(t.String, Style{Size: t.Size, Bold: t.Bold})
		p.line(t.X-w/2, t.Y, t.Size, t.Bold, t.String)
		return
	}
	fill := !s.Fill.None()
	if g := s.Fill.Gradient; g != nil {
		p.veil(g.Stops[0].Color.A)
		p.put("q")
		p.path(&s.Path)
		p.put("W n")
		p.put("cm", g.R, 0, 0, g.R, g.X, g.Y)
		fmt.Fprintf(&p.out, "/S%d sh\n", p.d.shade(g))
		p.put("Q")
		fill = false
	}
	stroke := !s.Stroke.None() && s.Width > 0
	if fill {
		p.veil(s.Fill.Color.A)
		p.color("rg", s.Fill)
		p.path(&s.Path)
		p.put("f")
	}
	if stroke {
		p.veil(s.Stroke.Color.A)
		p.color("RG", s.Stroke)
		p.put("w", s.Width)
		p.put("J", float64(s.Cap))
		p.put("j", float64(s.Join))
		p.out.WriteByte('[')
		for _, d := range s.Dash {
			p.out.WriteString(number(d) + " ")
		}
		p.put("] 0 d")
		p.path(&s.Path)
		p.put("S")
	}
}

func (p *Page) color(op string, c picture.Paint) {
	p.put(op, float64(c.Color.R)/255, float64(c.Color.G)/255, float64(c.Color.B)/255)
}

// shade returns the number of a gradient around the origin.
func (d *Document) shade(g *picture.Gradient) int {
	var parts, bounds, codes []string
	rgb := func(s picture.Stop) string {
		return number(float64(s.Color.R)/255) + " " + number(float64(s.Color.G)/255) + " " + number(float64(s.Color.B)/255)
	}
	stops := g.Stops
	if len(stops) == 1 {
		stops = []picture.Stop{stops[0], stops[0]}
	}
	for i := 1; i < len(stops); i++ {
		parts = append(parts, fmt.Sprintf("<</FunctionType 2/Domain[0 1]/N 1/C0[%s]/C1[%s]>>", rgb(stops[i-1]), rgb(stops[i])))
		codes = append(codes, "0 1")
		if i+1 < len(stops) {
			bounds = append(bounds, number(stops[i].At))
		}
	}
	text := fmt.Sprintf("<</ShadingType 3/ColorSpace/DeviceRGB/Coords[0 0 0 0 0 1]/Extend[true true]/Function<</FunctionType 3/Domain[0 1]/Functions[%s]/Bounds[%s]/Encode[%s]>>>>",
		strings.Join(parts, ""), strings.Join(bounds, " "), strings.Join(codes, " "))
	if i := slices.Index(d.shades, text); i >= 0 {
		return i
	}
	d.shades = append(d.shades, text)
	return len(d.shades) - 1
}

// writer numbers the objects of a file.
type writer struct {
	out bytes.Buffer
	at  []int // where each object begins; 0 for one that was promised
}

func (w *writer) promise() int { w.at = append(w.at, 0); return len(w.at) }

func (w *writer) object(id int, format string, args ...any) {
	w.at[id-1] = w.out.Len()
	fmt.Fprintf(&w.out, "%d 0 obj\n", id)
	fmt.Fprintf(&w.out, format, args...)
	w.out.WriteString("\nendobj\n")
}

func (w *writer) add(format string, args ...any) int {
	id := w.promise()
	w.object(id, format, args...)
	return id
}

func (w *writer) stream(dict string, data []byte) int {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(data)
	z.Close()
	return w.add("<<%s/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", dict, packed.Len(), packed.Bytes())
}

// text writes a string of any characters.
func text(s string) string {
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String() + ">"
}

// WriteTo writes the document.
func (d *Document) WriteTo(to io.Writer) (int64, error) {
	w := &writer{}
	w.out.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	catalog, tree := w.promise(), w.promise()
	var contents []int
	for _, p := range d.pages {
		contents = append(contents, w.stream("", p.out.Bytes()))
	}
	var fonts, shades, veils strings.Builder
	for _, f := range []*face{d.regular, d.bold, d.own} {
		if f != nil && len(f.used) > 0 {
			fmt.Fprintf(&fonts, "/%s %d 0 R", f.name, w.face(f))
		}
	}
	for _, lang := range slices.Sorted(maps.Keys(d.natives)) {
		if n := d.natives[lang]; n.used {
			fmt.Fprintf(&fonts, "/%s %d 0 R", n.order, w.native(n))
		}
	}
	for i, s := range d.shades {
		fmt.Fprintf(&shades, "/S%d %d 0 R", i, w.add("%s", s))
	}
	for _, a := range slices.Sorted(maps.Keys(d.veils)) {
		v := number(float64(a) / 255)
		fmt.Fprintf(&veils, "/V%d<</ca %s/CA %s>>", a, v, v)
	}
	resources := w.add("<</Font<<%s>>/Shading<<%s>>/ExtGState<<%s>>>>", fonts.String(), shades.String(), veils.String())
	var kids strings.Builder
	for i, p := range d.pages {
		id := w.add("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Resources %d 0 R/Contents %d 0 R>>", tree, number(p.Width), number(p.Height), resources, contents[i])
		fmt.Fprintf(&kids, "%d 0 R ", id)
	}
	w.object(tree, "<</Type/Pages/Count %d/Kids[%s]>>", len(d.pages), kids.String())
	lang := ""
	if d.lang != "" {
		lang = "/Lang " + text(d.lang)
	}
	w.object(catalog, "<</Type/Catalog/Pages %d 0 R%s/ViewerPreferences<</DisplayDocTitle true>>>>", tree, lang)
	info := w.add("<</Title %s/Producer(Qipu)>>", text(d.title))
	start := w.out.Len()
	fmt.Fprintf(&w.out, "xref\n0 %d\n0000000000 65535 f \n", len(w.at)+1)
	for _, at := range w.at {
		fmt.Fprintf(&w.out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&w.out, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(w.at)+1, catalog, info, start)
	return w.out.WriteTo(to)
}

// face writes a font with the letters that are used.
func (w *writer) face(f *face) int {
	data := f.subset()
	file := w.stream(fmt.Sprintf("/Length1 %d", len(data)), data)
	name := "QIPUAA+" + f.name
	descriptor := w.add("<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[-200 -250 1200 1000]/ItalicAngle 0/Ascent 950/Descent -250/CapHeight 720/StemV 80/FontFile2 %d 0 R>>", name, file)
	used := slices.Sorted(maps.Keys(f.used))
	var widths, codes strings.Builder
	for _, g := range used {
		fmt.Fprintf(&widths, "%d[%d]", g, f.width(g))
	}
	for block := range slices.Chunk(used, 100) {
		fmt.Fprintf(&codes, "%d beginbfchar\n", len(block))
		for _, g := range block {
			fmt.Fprintf(&codes, "<%04X> <%s>\n", g, strings.Trim(text(string(f.used[g])), "<>")[4:])
		}
		codes.WriteString("endbfchar\n")
	}
	below := w.add("<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %d 0 R/DW 600/W[%s]/CIDToGIDMap/Identity>>", name, descriptor, widths.String())
	unicode := w.stream("", []byte("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Q def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"+codes.String()+"endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"))
	return w.add("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", name, below, unicode)
}

// native writes a font that readers have.
func (w *writer) native(n *native) int {
	descriptor := w.add("<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 740/StemV 90>>", n.name)
	below := w.add("<</Type/Font/Subtype/CIDFontType0/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(%s)/Supplement 4>>/FontDescriptor %d 0 R/DW 1000>>", n.name, n.order, descriptor)
	return w.add("<</Type/Font/Subtype/Type0/BaseFont/%s-%s/Encoding/%s/DescendantFonts[%d 0 R]>>", n.name, n.encoding, n.encoding, below)
}
