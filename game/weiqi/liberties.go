package weiqi

import (
	"qipu/board"
	"qipu/game"
)

// What follows is for readers of positions: the strings that the position keeps
// anyway, and their real liberties, which it does not keep. None of it looks at
// the turn, plays anything or allocates beyond the slice that is appended to.
// A point off the board has no stone and no string.

// Head returns the point that names the string with a stone on at: the same
// for all of its stones until the next move. It is NoPoint where no stone is.
func (p *Position) Head(at board.Point) board.Point {
	if at >= board.MaxPoints {
		return board.NoPoint
	}
	if h := p.node[cellOf(at)].head; h != 0 {
		return h.point()
	}
	return board.NoPoint
}

// SideAt returns whose stone lies on a point; ok is false where none does.
func (p *Position) SideAt(at board.Point) (side game.Side, ok bool) {
	if at >= board.MaxPoints {
		return 0, false
	}
	switch s := p.colour[cellOf(at)]; s {
	case black, white:
		return s.side(), true
	}
	return 0, false
}

// StringSize returns the number of stones of the string with a stone on at, or
// 0 where no stone is.
func (p *Position) StringSize(at board.Point) int {
	if at >= board.MaxPoints || p.node[cellOf(at)].head == 0 {
		return 0
	}
	return int(p.head(cellOf(at)).size)
}

// AppendString appends the points of the string with a stone on at, in no
// order that means anything, and returns dst.
func (p *Position) AppendString(dst []board.Point, at board.Point) []board.Point {
	if at >= board.MaxPoints || p.node[cellOf(at)].head == 0 {
		return dst
	}
	for c := cellOf(at); ; {
		dst = append(dst, c.point())
		if c = p.node[c].next; c == cellOf(at) {
			return dst
		}
	}
}

// Liberties counts the liberties of the string with a stone on at, and stops
// at limit: the answer is exact below it. It walks the string's stones, of
// which a few are enough for a small limit in the open.
func (p *Position) Liberties(at board.Point, limit int) int {
	if at >= board.MaxPoints || p.node[cellOf(at)].head == 0 || limit <= 0 {
		return 0
	}
	// A string with n pseudo-liberties has at least a quarter of that, rounded
	// up: none is counted more than four times.
	if n := int(p.head(cellOf(at)).libs+3) / 4; n >= limit {
		return limit
	}
	n := 0
	var seen board.Plane
	for c := cellOf(at); ; {
		for _, d := range c.neighbours() {
			if q := d.point(); p.colour[d] == empty && !seen.Has(q) {
				seen.Add(q)
				if n++; n >= limit {
					return n
				}
			}
		}
		if c = p.node[c].next; c == cellOf(at) {
			return n
		}
	}
}

// AppendLiberties appends the liberties of the string with a stone on at, each
// once, and stops after limit of them. The order follows the string's stones;
// it is the same whenever the position came about by the same moves.
func (p *Position) AppendLiberties(dst []board.Point, at board.Point, limit int) []board.Point {
	if at >= board.MaxPoints || p.node[cellOf(at)].head == 0 || limit <= 0 {
		return dst
	}
	first := len(dst)
	var seen board.Plane
	for c := cellOf(at); ; {
		for _, d := range c.neighbours() {
			if q := d.point(); p.colour[d] == empty && !seen.Has(q) {
				seen.Add(q)
				if dst = append(dst, q); len(dst)-first >= limit {
					return dst
				}
			}
		}
		if c = p.node[c].next; c == cellOf(at) {
			return dst
		}
	}
}

// AppendTouching appends one stone, the head, of every string of a side that
// touches the string with a stone on at, each once.
func (p *Position) AppendTouching(dst []board.Point, at board.Point, side game.Side) []board.Point {
	if at >= board.MaxPoints || p.node[cellOf(at)].head == 0 {
		return dst
	}
	s := stoneOf(side)
	own := p.node[cellOf(at)].head
	var seen board.Plane
	for c := cellOf(at); ; {
		for _, d := range c.neighbours() {
			if p.colour[d] != s {
				continue
			}
			if h := p.node[d].head; h != own && !seen.Has(h.point()) {
				seen.Add(h.point())
				dst = append(dst, h.point())
			}
		}
		if c = p.node[c].next; c == cellOf(at) {
			return dst
		}
	}
}

// Breathes reports whether a stone of a side on an empty point would have a
// liberty once what it captures is off the board. It is false for points that
// are not empty.
func (p *Position) Breathes(side game.Side, at board.Point) bool {
	return at < board.MaxPoints && p.colour[cellOf(at)] == empty && p.breathes(stoneOf(side), cellOf(at))
}

// Ko returns the point that simple ko forbids the side to move, or NoPoint.
func (p *Position) Ko() board.Point {
	if p.ko == 0 {
		return board.NoPoint
	}
	return p.ko.point()
}

// Taken returns the number of enemy stones that the last move took off.
func (p *Position) Taken() int {
	n := len(p.journal) - 1
	if n < 0 || p.journal[n].at == 0 {
		return 0
	}
	side := p.journal[n].stone.side()
	return int(p.prisoners[side] - p.journal[n].prisoners[side])
}
