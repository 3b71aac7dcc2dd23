package describe

import (
	"qipu/pattern"
)

// relation is how one piece of Xiangqi stands to another. They are in the order
// in which a name prefers them: what says more comes first.
type relation int

const (
	presses relation = iota
	blocks
	pins
	attacks
	faces
	guards
	relations
)

var relationWords = [relations]text{
	presses: {"壓", "presses"},
	blocks:  {"塞", "blocks"},
	pins:    {"牽", "pins"},
	attacks: {"捉", "attacks"},
	faces:   {"對", "faces"},
	guards:  {"保", "guards"},
}

// cells is the board of Xiangqi as far as a pattern tells.
type cells [ranks][files]pattern.Set

// cellsOf returns the board of a fixed pattern. Points outside its region may
// hold anything.
func cellsOf(p *pattern.Pattern) *cells {
	var b cells
	for y := range b {
		for x := range b[y] {
			b[y][x] = pattern.AnyOn(2 * kinds)
			if dx, dy := x-p.At.X(), y-p.At.Y(); dx >= 0 && dy >= 0 && dx < p.Size.W && dy < p.Size.H {
				b[y][x] = p.Cells[dy*p.Size.W+dx]
			}
		}
	}
	return &b
}

// occupied reports whether a piece must stand on a point.
func (b *cells) occupied(x, y int) bool { return b[y][x]&pattern.Empty == 0 }

// between counts the points between two of one line that must be occupied.
func (b *cells) between(x1, y1, x2, y2 int) (n int) {
	dx, dy := sign(x2-x1), sign(y2-y1)
	for x, y := x1+dx, y1+dy; x != x2 || y != y2; x, y = x+dx, y+dy {
		if b.occupied(x, y) {
			n++
		}
	}
	return n
}

// near reports whether two pieces stand to each other as a relation asks,
// whatever else is on the board.
func near(rel relation, p, q *man) bool {
	dx, dy := q.x()-p.x(), q.y()-p.y()
	if dx == 0 && dy == 0 {
		return false
	}
	enemies, same, line := p.side != q.side, p.kind() == q.kind(), dx == 0 || dy == 0
	switch rel {
	case presses:
		return enemies && !same && dx == 0 && dy == -ahead(q.side) && home(q.side, p.y())
	case blocks:
		switch q.kind() {
		case horse:
			return enemies && dx*dx+dy*dy == 1
		case elephant:
			x, y := p.x()-dx, p.y()-dy
			return enemies && dx*dx == 1 && dy*dy == 1 && x >= 0 && x < files && home(q.side, y)
		}
		return false
	case pins:
		return enemies && line && (p.kind() == chariot || p.kind() == cannon) && q.kind() != king
	case faces:
		return enemies && same && line
	case attacks:
		return enemies && q.kind() != king && !(same && line) && reaches(p, dx, dy)
	case guards:
		return !enemies && reaches(p, dx, dy)
	}
	return false
}

// holds reports whether a relation is true of two pieces on a board.
func (b *cells) holds(rel relation, p, q *man) bool {
	if !near(rel, p, q) {
		return false
	}
	dx, dy := q.x()-p.x(), q.y()-p.y()
	switch rel {
	case pins:
		return b.pinned(p, q)
	case faces:
		return b.between(p.x(), p.y(), q.x(), q.y()) == 0
	case attacks, guards:
		switch p.kind() {
		case chariot:
			return b.between(p.x(), p.y(), q.x(), q.y()) == 0
		case cannon:
			return b.between(p.x(), p.y(), q.x(), q.y()) == 1
		case horse, elephant: // the leg and the eye
			return !b.occupied(p.x()+dx/2, p.y()+dy/2)
		}
	}
	return true
}

// pinned reports whether the king or a chariot of q's side stands behind q, and
// p could take it but for q.
func (b *cells) pinned(p, q *man) bool {
	screens := 1
	if p.kind() == cannon {
		screens = 2
	}
	dx, dy := sign(q.x()-p.x()), sign(q.y()-p.y())
	for x, y := q.x()+dx, q.y()+dy; x >= 0 && x < files && y >= 0 && y < ranks; x, y = x+dx, y+dy {
		if !b.occupied(x, y) {
			continue
		}
		m := manAt(b[y][x], x, y)
		if m.piece != 0 && m.side == q.side && (m.kind() == king || m.kind() == chariot) &&
			b.between(p.x(), p.y(), x, y) == screens {
			return true
		}
	}
	return false
}

// reaches reports whether the step is one of the piece's, on an empty board;
// that of a cannon is the one of a capture.
func reaches(p *man, dx, dy int) bool {
	x, y, far := p.x()+dx, p.y()+dy, dx*dx+dy*dy
	switch p.kind() {
	case king:
		return far == 1 && palace(p.side, x, y)
	case advisor:
		return far == 2 && palace(p.side, x, y)
	case elephant:
		return far == 8 && dx*dx == 4 && home(p.side, y)
	case chariot:
		return dx == 0 || dy == 0
	case horse:
		return far == 5
	case cannon:
		return (dx == 0 || dy == 0) && far > 1
	}
	if dx == 0 {
		return dy == ahead(p.side)
	}
	return far == 1 && !home(p.side, p.y())
}

// ahead returns the step forward of a side.
func ahead(side int) int { return 2*side - 1 }

// home reports whether a row lies on a side's own half of the board.
func home(side, y int) bool { return y >= 0 && y < ranks && (y < ranks/2) == (side == 1) }

func palace(side, x, y int) bool {
	return x >= 3 && x <= 5 && home(side, y) && (y < 3 || y >= ranks-3)
}

func sign(v int) int {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}
