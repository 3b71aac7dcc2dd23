package window

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// Tracker keeps what is found on a board while points change. It looks again only at the windows that a change touches; what shapes
// larger than a window have beyond it is looked at when hits are asked for. It
// is not safe for concurrent use, and allocates nothing once its lists have
// grown to what a game needs.
type Tracker struct {
	set     *Set
	windows *Windows

	// found holds what the word of every point matches, as Set.find tells it.
	found [board.MaxPoints][]uint32
}

// NewTracker returns a tracker of a set on an empty board of a valid size.
func NewTracker(set *Set, size board.Size) *Tracker {
	t := &Tracker{set: set, windows: NewWindows(size)}
	t.lookAll()
	return t
}

// Reset makes the board another one, which may be of another size.
func (t *Tracker) Reset(b *board.Planes) {
	for p := range t.windows.size.Points() {
		t.found[p] = t.found[p][:0]
	}
	t.windows.Reset(b)
	t.lookAll()
}

// Change sets points of the board, as game.Changer tells them. Points that the
// board does not have are left out.
func (t *Tracker) Change(list []game.Changed) {
	var d dirty
	for _, c := range list {
		if t.windows.size.Has(c.Point) {
			t.windows.Put(c.Point, c.Piece)
			d.touch(c.Point)
		}
	}
	t.look(&d)
}

// AppendHits appends what AppendHits of the set finds on the board, in the same
// order.
func (t *Tracker) AppendHits(dst []Hit) []Hit {
	for y := range t.windows.size.H {
		for x := range t.windows.size.W {
			for _, id := range t.found[board.At(x, y)] {
				dst = t.set.report(dst, t.windows, id, x, y)
			}
		}
	}
	return dst
}

// dirty is a set of points whose windows have changed, one word per row, moved
// by the margin so that points outside fit too.
type dirty [board.MaxSide + 2*margin]uint32

// touch adds the points whose windows see p.
func (d *dirty) touch(p board.Point) {
	row := uint32(0x1F) << p.X()
	y := p.Y()
	for i := range 2*margin + 1 {
		d[y+i] |= row
	}
}

// look finds anew what changed windows match.
func (t *Tracker) look(d *dirty) {
	width := uint32(1)<<t.windows.size.W - 1
	for y := range t.windows.size.H {
		for row := d[y+margin] >> margin & width; row != 0; row &= row - 1 {
			t.lookAt(board.At(bits.TrailingZeros32(row), y))
		}
	}
}

func (t *Tracker) lookAll() {
	for p := range t.windows.size.Points() {
		t.lookAt(p)
	}
}

func (t *Tracker) lookAt(p board.Point) {
	t.found[p] = t.set.find(t.found[p][:0], t.windows.At(p))
}
