package tree

import (
	"fmt"
	"html"
	"strings"
)

// Text draws the tree for a terminal.
func (t *Tree) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "all: %s, %s\n", t.value(t.Root), thousands(t.Root.Rows))
	var walk func(n *Node, indent string)
	walk = func(n *Node, indent string) {
		for i, k := range n.Kids {
			arm, next := "├─ ", "│  "
			if i == len(n.Kids)-1 {
				arm, next = "└─ ", "   "
			}
			fmt.Fprintf(&b, "%s%s%s: %s, %s\n", indent, arm, t.Condition(n, i), t.value(k), thousands(k.Rows))
			walk(k, indent+next)
		}
	}
	walk(t.Root, "")
	return b.String()
}

// The measures of the picture.
const (
	boxWidth, boxHeight = 190, 44
	gapX, gapY          = 14, 56
	maxLabel            = 26 // characters of a condition, two columns for wide ones
)

// SVG draws the tree as a picture: the root above, values as colours.
func (t *Tree) SVG() string {
	leaves, depth := 0, 0
	place := map[*Node]float64{}
	var lay func(n *Node, level int) float64
	lay = func(n *Node, level int) float64 {
		depth = max(depth, level)
		if n.Split == nil {
			x := float64(leaves)*(boxWidth+gapX) + boxWidth/2
			leaves++
			place[n] = x
			return x
		}
		first, last := 0.0, 0.0
		for i, k := range n.Kids {
			last = lay(k, level+1)
			if i == 0 {
				first = last
			}
		}
		place[n] = (first + last) / 2
		return place[n]
	}
	lay(t.Root, 0)
	width := leaves*(boxWidth+gapX) - gapX + 20
	height := (depth+1)*(boxHeight+gapY) - gapY + 20
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12" text-anchor="middle">`+"\n", width, height, width, height)
	var draw func(n *Node, level int)
	draw = func(n *Node, level int) {
		x, y := place[n], float64(level*(boxHeight+gapY))
		for i, k := range n.Kids {
			kx, ky := place[k], float64((level+1)*(boxHeight+gapY))
			fmt.Fprintf(&b, `<path d="M%.1f %.1fV%.1fH%.1fV%.1f" fill="none" stroke="#888"/>`+"\n", x, y+boxHeight, y+boxHeight+12, kx, ky)
			c := t.Condition(n, i).String()
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" fill="currentColor"><title>%s</title>%s</text>`+"\n", kx, ky-6, html.EscapeString(c), html.EscapeString(short(c)))
			draw(k, level+1)
		}
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%d" height="%d" rx="5" fill="%s" stroke="#666"/>`+"\n", x-boxWidth/2, y, boxWidth, boxHeight, colour(t.shade(n)))
		big, small := fmt.Sprintf("%.1f %%", 100*n.Value), fmt.Sprintf("%.0f-%.0f %%, %s", 100*n.Low, 100*n.High, thousands(n.Rows))
		if t.Given {
			big, small = fmt.Sprintf("%+.1f %%", 100*n.More), fmt.Sprintf("%+.0f to %+.0f %%, %s", 100*n.Low, 100*n.High, thousands(n.Rows))
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" fill="#111" font-weight="bold">%s</text><text x="%.1f" y="%.1f" fill="#111">%s</text>`+"\n", x, y+18, big, x, y+35, small)
	}
	draw(t.Root, 0)
	b.WriteString("</svg>\n")
	return b.String()
}

// shade is the value that colours a node.
func (t *Tree) shade(n *Node) float64 {
	if t.Given {
		return .5 + 2*n.More
	}
	return n.Value
}

// short cuts a text to what fits above a box.
func short(s string) string {
	n := 0
	for i, r := range s {
		n++
		if r >= 0x1100 {
			n++
		}
		if n > maxLabel {
			return s[:i] + "…"
		}
	}
	return s
}

// colour goes from blue at 0 over white to red at 1; what scores of games reach
// lies between a quarter and three quarters.
func colour(v float64) string {
	d := min(max((v-.5)*4, -1), 1)
	fade := func(to int, d float64) int { return 255 - int(d*float64(255-to)) }
	if d < 0 {
		return fmt.Sprintf("#%02x%02x%02x", fade(120, -d), fade(170, -d), fade(235, -d))
	}
	return fmt.Sprintf("#%02x%02x%02x", fade(240, d), fade(140, d), fade(120, d))
}
