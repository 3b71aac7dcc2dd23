package record

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// Change is one point that a step changed. A step changes a point at most once;
// the point where its move ends comes first, then the one where it starts, the
// others row by row.
type Change struct {
	Step  int32 // 0 for the start position, i for what Steps[i-1] did
	Point board.Point
	Piece board.Piece // what stands there now; Empty where a piece has left
}

// tracer finds what steps change: it asks positions that know (game.Changer) and
// compares the boards of others. Set-ups are always compared. It knows no rules,
// so that captures, discs turned over and moves against the rules are all the
// same to it. Its memory is used again for the next record. Positions without a
// board of pieces change nothing that it could tell.
type tracer struct {
	pos     game.Position // after the last step; a set-up leaves the old one as it was
	changer game.Changer  // pos, or nil where it does not know
	before  []board.Plane // the board of pos, where changer is nil
	asked   []game.Changed
	changes []Change
}

// begin starts a record: all pieces of its start position are changes.
func (t *tracer) begin(pos game.Position) {
	t.changes = t.changes[:0]
	if planes, _ := game.Shown(pos); planes != nil {
		t.compare(0, nil, planes)
	}
	t.turnTo(pos)
}

// turnTo goes on with a position that the last step did not come from.
func (t *tracer) turnTo(pos game.Position) {
	t.pos = pos
	t.before = t.before[:0]
	if t.changer, _ = pos.(game.Changer); t.changer != nil {
		return
	}
	if planes, _ := game.Shown(pos); planes != nil {
		t.before = append(t.before, planes.Of...)
	}
}

// add notes what a step has changed. A pass changes nothing, as game.Move
// promises.
func (t *tracer) add(step int, pos game.Position, m game.Move) {
	switch {
	case m == game.Pass:
	case m == game.NoMove:
		was, _ := game.Shown(t.pos)
		if now, _ := game.Shown(pos); was != nil && now != nil {
			t.compare(step, was.Of, now)
		}
		t.turnTo(pos)
	case t.changer != nil:
		t.asked = t.changer.AppendChanged(t.asked[:0])
		for _, c := range t.asked {
			t.changes = append(t.changes, Change{int32(step), c.Point, c.Piece})
		}
	default:
		if now, _ := game.Shown(pos); now != nil {
			t.find(step, m, now)
		}
	}
}

// find notes what a move has changed, by comparing boards.
func (t *tracer) find(step int, m game.Move, now *board.Planes) {
	// Nearly all that happens is that a piece appears on the point of the move
	// and leaves the one it came from. That done, boards are most often equal,
	// and finding out is cheap.
	if to := m.To(); to != board.NoPoint {
		t.settle(step, now, to)
		if from := m.From(); from != board.NoPoint {
			t.settle(step, now, from)
		}
	}
	for i := range t.before {
		if t.before[i] != now.Of[i] {
			t.compare(step, t.before, now)
			copy(t.before, now.Of)
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

// compare notes the changes of all points from one board to another; nil is an
// empty board.
func (t *tracer) compare(step int, was []board.Plane, now *board.Planes) {
	for y := range now.Size.H {
		diff := uint32(0)
		for i := range now.Of {
			d := now.Of[i][y]
			if was != nil {
				d ^= was[i][y]
			}
			diff |= d
		}
		if diff == 0 {
			continue
		}
		var row [board.Stride]board.Piece // what stands there now
		for i := range now.Of {
			for is := now.Of[i][y] & diff; is != 0; is &= is - 1 {
				row[bits.TrailingZeros32(is)] = board.Piece(i + 1)
			}
		}
		for ; diff != 0; diff &= diff - 1 {
			x := bits.TrailingZeros32(diff)
			t.changes = append(t.changes, Change{int32(step), board.At(x, y), row[x]})
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
	t.turnTo(pos)
}
