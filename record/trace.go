package record

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// Change is one point that a step changed. A step changes a point at most once;
// the point where its move ends comes first, the others row by row.
type Change struct {
	Step  int32 // 0 for the start position, i for what Steps[i-1] did
	Point board.Point
	Piece board.Piece // what stands there now; Empty where a piece has left
}

// tracer finds what steps change by comparing boards. It knows no rules, so that
// captures, discs turned over, moves against the rules and whole set-ups are
// all the same to it. Its memory is used again for the next record.
type tracer struct {
	before  []board.Plane // the board after the last step
	changes []Change
}

// begin starts a record: all pieces of its start position are changes.
func (t *tracer) begin(pos game.Position) {
	planes := pos.(game.Planar).Planes()
	t.before = append(t.before[:0], planes.Of...)
	clear(t.before)
	t.changes = t.changes[:0]
	t.compare(0, planes)
}

// add notes what a step has changed. A pass changes nothing, as game.Move
// promises.
func (t *tracer) add(step int, pos game.Position, m game.Move) {
	if m == game.Pass {
		return
	}
	planes := pos.(game.Planar).Planes()
	// Nearly all that happens is that a piece appears on the point of the move
	// and leaves the one it came from. That done, boards are most often equal,
	// and finding out is cheap.
	if to := m.To(); to != board.NoPoint {
		t.settle(step, planes, to)
		if from := m.From(); from != board.NoPoint {
			t.settle(step, planes, from)
		}
	}
	for i := range t.before {
		if t.before[i] != planes.Of[i] {
			t.compare(step, planes)
			break
		}
	}
}

// settle notes the change of one point, if there is one.
func (t *tracer) settle(step int, now *board.Planes, p board.Point) {
	y, bit := p.Y(), uint32(1)<<p.X()
	piece, changed := board.Empty, uint32(0)
	of := now.Of[:len(t.before)]
	for i := range t.before {
		is := of[i][y] & bit
		if is != 0 {
			piece = board.Piece(i + 1)
		}
		d := (t.before[i][y] ^ is) & bit
		t.before[i][y] ^= d
		changed |= d
	}
	if changed != 0 {
		t.changes = append(t.changes, Change{int32(step), p, piece})
	}
}

// compare notes the changes of all points.
func (t *tracer) compare(step int, now *board.Planes) {
	for y := range now.Size.H {
		diff := uint32(0)
		for i := range t.before {
			diff |= t.before[i][y] ^ now.Of[i][y]
		}
		for ; diff != 0; diff &= diff - 1 {
			t.settle(step, now, board.At(bits.TrailingZeros32(diff), y))
		}
	}
}

// back returns to the board after so many steps, which is that of pos.
func (t *tracer) back(steps int, pos game.Position) {
	n := len(t.changes)
	for n > 0 && int(t.changes[n-1].Step) > steps {
		n--
	}
	t.changes = t.changes[:n]
	copy(t.before, pos.(game.Planar).Planes().Of)
}
