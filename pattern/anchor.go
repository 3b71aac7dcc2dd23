package pattern

import (
	"fmt"
	"strings"

	"qipu/board"
)

var anchorNames = [...]string{Floating: "floating", Fixed: "fixed", Corner: "corner", Side: "side", Centre: "centre"}

// String returns the name of the anchor: "floating", "fixed", "corner", "side"
// or "centre".
func (a Anchor) String() string {
	if int(a) < len(anchorNames) {
		return anchorNames[a]
	}
	return fmt.Sprintf("anchor %d", uint8(a))
}

// ParseAnchor reads the name of an anchor in either case; "center" is "centre".
func ParseAnchor(name string) (Anchor, error) {
	word := strings.ToLower(name)
	if word == "center" {
		return Centre, nil
	}
	for a, known := range anchorNames {
		if word == known {
			return Anchor(a), nil
		}
	}
	return 0, fmt.Errorf("pattern: %q is no anchor: write %s", name, strings.Join(anchorNames[:], ", "))
}

const allEdges = Top | Right | Bottom | Left

// meet reports whether two of the edges meet in a corner.
func (e Edges) meet() bool { return e&(Top|Bottom) != 0 && e&(Left|Right) != 0 }

// anchor returns the anchor of a region that touches these edges, where
// touching none means none.
func (e Edges) anchor(none Anchor) Anchor {
	switch {
	case e == 0:
		return none
	case e == allEdges:
		return Fixed
	case e.meet():
		return Corner
	}
	return Side
}

// touches returns the edges that a pattern anchored in a corner or along the
// side touches as drawn.
func (p *Pattern) touches() Edges {
	switch {
	case p.Edges != 0:
		return p.Edges
	case p.Anchor == Corner:
		return Top | Left
	}
	return Top
}

// transform returns the edges as they lie after a symmetry.
func (e Edges) transform(sym board.Symmetry) Edges {
	if sym&board.Transpose != 0 {
		e = e.exchange(Top, Left).exchange(Bottom, Right)
	}
	if sym&board.Mirror != 0 {
		e = e.exchange(Left, Right)
	}
	if sym&board.Flip != 0 {
		e = e.exchange(Top, Bottom)
	}
	return e
}

func (e Edges) exchange(a, b Edges) Edges {
	if e&(a|b) == a || e&(a|b) == b {
		return e ^ (a | b)
	}
	return e
}

// Guess returns how a region of a board that was cut out there is most likely
// meant: fixed if it is the whole board, in the corner or along the side that
// it touches, and off all sides if it touches none. A strip from one side to
// the opposite one touches both and slides along them.
func Guess(size board.Size, x, y, w, h int) (Anchor, Edges) {
	var e Edges
	if y <= 0 {
		e |= Top
	}
	if x <= 0 {
		e |= Left
	}
	if y+h >= size.H {
		e |= Bottom
	}
	if x+w >= size.W {
		e |= Right
	}
	return e.anchor(Centre), e
}

// FromBoard returns the pattern of a whole position. It has no bounds in time,
// and finds neither mirrored nor exchanged pictures until it is told to.
func FromBoard(pl *board.Planes) *Pattern {
	return Region(pl, 0, 0, pl.Size.W, pl.Size.H)
}

// Region returns the pattern of a part of a position, anchored as Guess says.
// What of the region lies outside the board is cut off; if nothing is left, the
// pattern is one of no points, which Compile refuses.
func Region(pl *board.Planes, x, y, w, h int) *Pattern {
	right, below := min(x+w, pl.Size.W), min(y+h, pl.Size.H)
	x, y = max(x, 0), max(y, 0)
	w, h = right-x, below-y
	if w <= 0 || h <= 0 {
		return &Pattern{To: -1}
	}
	p := &Pattern{Size: board.Size{W: w, H: h}, Cells: make([]Set, w*h), To: -1}
	for i := range p.Cells {
		p.Cells[i] = Of(pl.At(board.At(x+i%w, y+i/w)))
	}
	p.Anchor, p.Edges = Guess(pl.Size, x, y, w, h)
	return p
}

// Origin returns the point of a board on which the top left cell lies as the
// pattern is drawn, if there is but one. A shape along the side or in the open
// has no such place; one in a corner has, even if it is found in all of them.
func (p *Pattern) Origin(size board.Size) (at board.Point, ok bool) {
	switch p.Anchor {
	case Fixed:
		return p.At, true
	case Corner:
		x, y := 0, 0
		if p.Edges&Right != 0 && p.Edges&Left == 0 {
			x = size.W - p.Size.W
		}
		if p.Edges&Bottom != 0 && p.Edges&Top == 0 {
			y = size.H - p.Size.H
		}
		return board.At(max(x, 0), max(y, 0)), x >= 0 && y >= 0
	}
	return 0, false
}
