package index

import (
	"slices"

	"qipu/board"
	"qipu/interval"
	"qipu/pattern"
)

// cornerSide is the width of the corners that are indexed: the 7x7 of joseki.
const cornerSide = 7

// cornerPieces is how many pieces a corner may have to be indexed, and at least
// one. Fuller ones are rare, and their points find them.
const cornerPieces = 12

// HasCorners reports whether lines of this kind are found by what stood in their
// corners: those of large boards with two kinds of pieces.
func (k *Kind) HasCorners() bool {
	return k.Board.Kinds == 2 && k.Board.Size.Area() > largeBoard && k.Board.Size.W >= 2*cornerSide && k.Board.Size.H >= 2*cornerSide
}

// cornerKeys are the hash keys of a piece in a corner, by distance from both
// sides: in four pictures, as it is, over the diagonal, and both with the
// colours exchanged. They are part of the file format.
var cornerKeys = func() (t [cornerSide * cornerSide][2][4]uint64) {
	key := func(u, v, piece int) uint64 { return board.Mix(1<<40 | uint64(piece)<<16 | uint64(v)<<8 | uint64(u)) }
	for v := range cornerSide {
		for u := range cornerSide {
			for piece := range 2 {
				t[v*cornerSide+u][piece] = [4]uint64{key(u, v, piece), key(v, u, piece), key(u, v, 1-piece), key(v, u, 1-piece)}
			}
		}
	}
	return t
}()

// corner is what stands in a corner.
type corner struct {
	hashes [4]uint64
	pieces int
}

func (c *corner) toggle(at int, piece board.Piece, n int) {
	for i, k := range &cornerKeys[at][piece-1] {
		c.hashes[i] ^= k
	}
	c.pieces += n
}

// key returns the hash that all pictures of a corner have in common.
func (c *corner) key() (uint64, bool) {
	h := &c.hashes
	return min(h[0], h[1], h[2], h[3]), c.pieces >= 1 && c.pieces <= cornerPieces
}

// Corners finds what stood in the corners of lines. It holds buffers and is not
// safe for concurrent use.
type Corners struct {
	state []board.Piece
}

// locateCorner returns the corner that a point is in, and where in it, counted from
// the sides; -1 for a point in none.
func locateCorner(size board.Size, point int) (corner, at int) {
	x, y := point%size.W, point/size.W
	if x >= cornerSide {
		x = size.W - 1 - x
		corner |= 1
	}
	if y >= cornerSide {
		y = size.H - 1 - y
		corner |= 2
	}
	if x >= cornerSide || y >= cornerSide {
		return -1, 0
	}
	return corner, y*cornerSide + x
}

// Append appends the keys of all corners that stood in positions which are the
// line's own, each once.
func (s *Corners) Append(dst []uint64, k *Kind, l *interval.Line) []uint64 {
	size := k.Board.Size
	s.state = append(s.state[:0], make([]board.Piece, size.Area())...)
	var corners [4]corner
	begin := len(dst)
	note := func(which uint8) {
		for i := range corners {
			if which>>i&1 != 0 {
				if key, ok := corners[i].key(); ok {
					dst = append(dst, key)
				}
			}
		}
	}
	own := false // the position of l.From is passed
	for changes := l.Changes; len(changes) > 0; {
		slot, touched := changes[0].Slot, uint8(0)
		if !own && slot > l.From {
			own = true
			note(0xF)
		}
		for ; len(changes) > 0 && changes[0].Slot == slot; changes = changes[1:] {
			c := changes[0]
			i, at := locateCorner(size, int(c.Point))
			if i < 0 {
				continue
			}
			if old := s.state[c.Point]; old != board.Empty {
				corners[i].toggle(at, old, -1)
			}
			if c.Piece != board.Empty {
				corners[i].toggle(at, c.Piece, 1)
			}
			s.state[c.Point] = c.Piece
			touched |= 1 << i
		}
		if own {
			note(touched)
		}
	}
	if !own {
		note(0xF)
	}
	slices.Sort(dst[begin:])
	return dst[:begin+len(slices.Compact(dst[begin:]))]
}

// CornersOf returns keys that every line must have in which a pattern holds:
// those of the corners of the board that it fixes point by point.
func CornersOf(k *Kind, p *pattern.Pattern) []uint64 {
	if !k.HasCorners() || p.Size.W < cornerSide || p.Size.H < cornerSide || len(p.Cells) != p.Size.Area() {
		return nil
	}
	size := k.Board.Size
	var left, top, right, bottom bool
	switch p.Anchor {
	case pattern.Corner:
		e := p.Edges
		if e == 0 {
			e = pattern.Top | pattern.Left
		}
		left, top, right, bottom = e&pattern.Left != 0, e&pattern.Top != 0, e&pattern.Right != 0, e&pattern.Bottom != 0
	case pattern.Fixed:
		left, top = p.At.X() == 0, p.At.Y() == 0
		right, bottom = p.At.X()+p.Size.W == size.W, p.At.Y()+p.Size.H == size.H
	}
	var keys []uint64
	for _, c := range []struct{ x, y, ok bool }{{false, false, left && top}, {true, false, right && top}, {false, true, left && bottom}, {true, true, right && bottom}} {
		if !c.ok {
			continue
		}
		if key, ok := cornerOf(p, c.x, c.y); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

// cornerOf returns the key of a corner of a pattern: the right one with x, the
// lower one with y.
func cornerOf(p *pattern.Pattern, right, lower bool) (uint64, bool) {
	var c corner
	for v := range cornerSide {
		for u := range cornerSide {
			x, y := u, v
			if right {
				x = p.Size.W - 1 - u
			}
			if lower {
				y = p.Size.H - 1 - v
			}
			switch p.Cells[y*p.Size.W+x] {
			case pattern.Empty:
			case pattern.Of(1):
				c.toggle(v*cornerSide+u, 1, 1)
			case pattern.Of(2):
				c.toggle(v*cornerSide+u, 2, 1)
			default:
				return 0, false
			}
		}
	}
	return c.key()
}
