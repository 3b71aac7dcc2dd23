package pattern

import (
	"strings"

	"qipu/board"
)

// Format returns the pattern as a diagram of the game, one row a line, from
// which Parse makes the same Size, Cells, Anchor, Edges and At. It is
// canonical: equal patterns give equal texts. Edges that a corner or a side
// leaves open are drawn as what Compile takes them for, and those of other
// anchors as what they are. A pattern that Compile refuses may give a text that
// Parse refuses.
func (p *Pattern) Format(g *board.Geometry) string {
	if p.Size.W < 1 || p.Size.H < 1 || len(p.Cells) != p.Size.Area() {
		return ""
	}
	a := newAlphabet(g)
	var out strings.Builder
	edges := Edges(0)
	switch whole := p.At == 0 && p.Size == g.Size; {
	case p.Anchor == Centre:
		out.WriteString("@centre\n")
	case p.Anchor == Fixed && whole:
		edges = allEdges
	case p.Anchor == Fixed && g.Size.Has(p.At):
		out.WriteString("@" + g.Name(p.At) + "\n")
	case p.Anchor == Corner || p.Anchor == Side:
		edges = p.touches()
	}
	texts, widths := make([]string, len(p.Cells)), make([]int, p.Size.W)
	for i, set := range p.Cells {
		texts[i] = a.text(set)
		widths[i%p.Size.W] = max(widths[i%p.Size.W], len(texts[i]))
	}
	rule := 1
	for _, w := range widths {
		rule += w + 1
	}
	border := func(edge Edges) {
		if edges&edge == 0 {
			return
		}
		line := strings.Repeat("-", rule)
		if edges&Left != 0 {
			line = "+" + line
		}
		if edges&Right != 0 {
			line += "+"
		}
		out.WriteString(line + "\n")
	}
	border(Top)
	for y := range p.Size.H {
		line := ""
		if edges&Left != 0 {
			line = "|"
		}
		for x, w := range widths {
			text := texts[y*p.Size.W+x]
			line += " " + text + strings.Repeat(" ", w-len(text))
		}
		if edges&Right != 0 {
			line += " |"
		}
		if edges == 0 {
			line = line[1:]
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	border(Bottom)
	return out.String()
}
