package kb

import (
	"fmt"
	"slices"

	"qipu/board"
	"qipu/pattern"
)

// Fails tells why a check fails; it is empty where it does not.
func (e *Entry) Fails(c *Check) string {
	pl, x, y, err := c.Board()
	if err != nil {
		return err.Error()
	}
	good := e.Ours
	if len(good) == 0 {
		good = e.Theirs
	}
	var hit []Spot // in the frame of the check
	found := false
	e.Find(pl, func(to func(Spot) board.Point) bool {
		found = true
		for _, s := range good {
			p := to(s)
			hit = append(hit, Spot{int8(p.X() - x), int8(p.Y() - y)})
		}
		return true
	})
	meets := func(s Spot) bool { return slices.Contains(hit, s) }
	switch {
	case c.Match && !found:
		return "the shape does not stand there"
	case c.Match && !all(c.Spots, meets):
		return "the shape stands there, but its good points are not where the letters are"
	case !c.Match && len(c.Spots) == 0 && found:
		return "the shape stands there and should not"
	case !c.Match && slices.ContainsFunc(c.Spots, meets):
		return "the shape stands there with a good point on a letter, and should not"
	}
	return ""
}

func all(list []Spot, f func(Spot) bool) bool {
	return !slices.ContainsFunc(list, func(s Spot) bool { return !f(s) })
}

// Board returns the board that a check draws, with O as the first side, and where
// the first cell of the drawing lies there: outside where that is a #.
func (c *Check) Board() (pl *board.Planes, x, y int, err error) {
	var on struct{ left, right, top, below int }
	on.left, on.top = c.Size.W, c.Size.H
	on.right, on.below = -1, -1
	for i, set := range c.Cells {
		if set != pattern.Off {
			x, y := i%c.Size.W, i/c.Size.W
			on.left, on.right = min(on.left, x), max(on.right, x)
			on.top, on.below = min(on.top, y), max(on.below, y)
		}
	}
	if on.right < 0 {
		return nil, 0, 0, fmt.Errorf("kb: a check without a board: draw points that are not #")
	}
	size := func(from, to, n int) (side, first int) {
		switch w := to - from + 1; {
		case from > 0 && to < n-1: // both edges are drawn
			return w, -from
		case from > 0:
			return 19, -from
		case to < n-1:
			return 19, 19 - w - from
		default:
			return 19, (19 - w) / 2
		}
	}
	var s board.Size
	s.W, x = size(on.left, on.right, c.Size.W)
	s.H, y = size(on.top, on.below, c.Size.H)
	pl = board.NewPlanes(s, 2)
	for i, set := range c.Cells {
		col, row := i%c.Size.W, i/c.Size.W
		inside := col >= on.left && col <= on.right && row >= on.top && row <= on.below
		if inside != (set != pattern.Off) {
			return nil, 0, 0, fmt.Errorf("kb: row %d, column %d of the check: # stands outside the board only", row+1, col+1)
		}
		if piece, ok := set.Only(); ok && piece != board.Empty {
			pl.Put(board.At(col+x, row+y), piece)
		}
	}
	return pl, x, y, nil
}

// Find calls f with every place where the entry stands on a board with own as
// the first side, in each of its pictures even where they look alike, until f
// returns false. To takes points of the diagram to the board. It looks at every
// place by itself: package window finds many shapes at once.
func (e *Entry) Find(pl *board.Planes, f func(to func(Spot) board.Point) bool) {
	for sym := range board.NumSymmetries {
		v := newView(e, Spot{}, false, sym)
		for y := -MaxSide; y < pl.Size.H+MaxSide; y++ {
			for x := -MaxSide; x < pl.Size.W+MaxSide; x++ {
				if !v.stands(pl, x, y) {
					continue
				}
				to := func(s Spot) board.Point {
					o := offset{s.X, s.Y}.turn(sym)
					return board.At(x+int(o.x), y+int(o.y))
				}
				if !f(to) {
					return
				}
			}
		}
	}
}

// stands tells whether the view holds with its origin on a point.
func (v *view) stands(pl *board.Planes, x, y int) bool {
	for _, c := range v.cells {
		state := pattern.Off
		if cx, cy := x+int(c.x), y+int(c.y); cx >= 0 && cy >= 0 && cx < pl.Size.W && cy < pl.Size.H {
			state = pattern.Of(pl.At(board.At(cx, cy)))
		}
		if c.set&state == 0 {
			return false
		}
	}
	return v.fits(room{x, pl.Size.W - 1 - x, y, pl.Size.H - 1 - y})
}
