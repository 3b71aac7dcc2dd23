package cluster

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Label is how an item is shown: its name, where a click on it leads, and its
// group, which colours it.
type Label struct {
	Text, Link string
	Group      int
}

// The measures of pictures.
const (
	cellWidth  = 96
	lineHeight = 13
	perCell    = 4 // items of a cell whose names are written out
	rowHeight  = 18
	treeWidth  = 420
)

// tints are the colours of groups, which come again where there are more.
var tints = []string{"#c0392b", "#2471a3", "#1e8449", "#8e44ad", "#b9770e", "#117a65", "#7b7d7d", "#a04000", "#5b2c6f", "#1a5276", "#7d6608", "#943126"}

func tint(group int) string { return tints[group%len(tints)] }

// SVG draws a map: dark cells are borders.
func (m *Map) SVG(labels []Label) string {
	const tall = cellWidth * .8660254
	width := int((float64(m.Width)+.5)*cellWidth) + 20
	height := int(float64(m.Height)*tall) + 50
	var b strings.Builder
	open(&b, width, height, `text-anchor="middle"`)
	steep := 0.0
	for c := range m.Cells {
		steep = max(steep, m.Ridge(c))
	}
	in := make([][]int, len(m.Cells))
	for i, c := range m.Place {
		in[c] = append(in[c], i)
	}
	for c := range m.Cells {
		x, y := m.At(c)
		x, y = x*cellWidth+cellWidth/2, y*cellWidth+cellWidth*.6
		shade := 250
		if steep > 0 {
			shade -= int(110 * m.Ridge(c) / steep)
		}
		b.WriteString(`<polygon points="`)
		for k := range 6 {
			a := math.Pi/6 + float64(k)*math.Pi/3
			fmt.Fprintf(&b, "%.1f,%.1f ", x+cellWidth/math.Sqrt(3)*math.Cos(a), y+cellWidth/math.Sqrt(3)*math.Sin(a))
		}
		fmt.Fprintf(&b, `" fill="rgb(%d,%d,%d)" stroke="#bbb"/>`+"\n", shade, shade, shade)
		list := in[c]
		more := 0
		if len(list) > perCell {
			list, more = list[:perCell-1], len(list)-perCell+1
		}
		top := y - float64(len(list)-1)*lineHeight/2 + 4
		if more > 0 {
			top -= lineHeight / 2
		}
		for k, i := range list {
			text(&b, x, top+float64(k*lineHeight), labels[i], 13)
		}
		if more > 0 {
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" fill="#555">+%d</text>`+"\n", x, top+float64(len(list)*lineHeight), more)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// SVG draws a hierarchy from the side, items to the right.
func (h *Hierarchy) SVG(labels []Label) string {
	height := h.N*rowHeight + 20
	var b strings.Builder
	open(&b, treeWidth+320, height, "")
	x, y := make([]float64, 2*h.N-1), make([]float64, 2*h.N-1)
	for row, i := range h.Order() {
		x[i], y[i] = treeWidth, float64(row*rowHeight+rowHeight)
		text(&b, x[i]+6, y[i]+4, labels[i], 40)
	}
	top := h.Merges[len(h.Merges)-1].Height
	for i, m := range h.Merges {
		g := h.N + i
		x[g], y[g] = treeWidth-m.Height/max(top, 1e-12)*(treeWidth-20), (y[m.A]+y[m.B])/2
		fmt.Fprintf(&b, `<path d="M%.1f %.1fH%.1fV%.1fH%.1f" fill="none" stroke="#777"/>`+"\n", x[m.A], y[m.A], x[g], y[m.B], x[m.B])
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func open(b *strings.Builder, width, height int, more string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" %s>`+"\n", width, height, width, height, more)
}

// text writes a label, with its link.
func text(b *strings.Builder, x, y float64, l Label, most int) {
	name, columns := l.Text, 0
	for i, r := range name {
		columns++
		if r >= 0x1100 {
			columns++
		}
		if columns > most {
			name = name[:i] + "…"
			break
		}
	}
	if l.Link != "" {
		fmt.Fprintf(b, `<a href="%s">`, html.EscapeString(l.Link))
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"><title>%s</title>%s</text>`, x, y, tint(l.Group), html.EscapeString(l.Text), html.EscapeString(name))
	if l.Link != "" {
		b.WriteString("</a>")
	}
	b.WriteByte('\n')
}
