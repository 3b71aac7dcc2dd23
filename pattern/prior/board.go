package prior

import (
	"fmt"
	"math/bits"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// Board follows a position and keeps the contexts of all of its points up to
// date. The zero value is ready for Reset. It is for one goroutine at a time,
// takes about 800 kB for 19x19, and allocates nothing once it has grown.
type Board struct {
	geo  *geometry
	pos  *weiqi.Position
	size board.Size

	// rings holds for every point what lies in each disc and not in the one
	// before it, as Black sees it; base is the same of an empty board.
	rings, base [][Levels]vec

	colour [board.MaxPoints]uint8 // 0 black, 1 white, 2 empty, 3 outside
	libs   [board.MaxPoints]uint8 // of the string on a point, less one; 3 for four and more
	stones int

	line    []turn         // moves since Reset, and those before it that are known
	given   int            // how many were before it
	changes []game.Changed // of all moves since Reset

	// Marks of a search through a string, by number of the search.
	mark  [board.MaxPoints]uint32
	stamp uint32
	queue []board.Point
	found []uint32

	view  view
	still still
}

// turn is a move and where its changes begin.
type turn struct {
	to    board.Point
	first int
}

const (
	vacant  = 2
	outside = 3
	phases  = 10
)

var keys = sync.OnceValue(newGeometry)

// Reset has the board follow another position. The recent moves are those that
// led to it, the last one last; the last two count, and what is not told is not
// known. From now on moves are made through the board. It costs about a tenth
// of a millisecond, more when the size of the board changes.
func (b *Board) Reset(pos *weiqi.Position, recent ...game.Move) {
	b.pos = pos
	if b.geo == nil {
		b.geo = keys()
	}
	if s := pos.Planes().Size; s != b.size {
		b.size = s
		b.lay()
	}
	copy(b.rings, b.base)
	b.still.words = nil
	for p := range b.size.Points() {
		b.colour[p] = vacant
	}
	b.stones = 0
	b.changes = b.changes[:0]
	b.line = append(b.line[:0], turn{to: board.NoPoint}, turn{to: board.NoPoint})
	for _, m := range recent[max(0, len(recent)-2):] {
		b.line = append(b.line, turn{to: m.To()})
	}
	b.given = len(b.line)
	for c := range pos.Planes().Of {
		for y, row := range pos.Planes().Of[c] {
			for ; row != 0; row &= row - 1 {
				b.put(board.At(bits.TrailingZeros32(row), y), uint8(c))
			}
		}
	}
	b.stamp++
	for p := range b.size.Points() {
		if b.colour[p] < vacant && b.mark[p] != b.stamp {
			b.count(p)
		}
	}
}

// lay makes the hashes of an empty board of the size.
func (b *Board) lay() {
	b.base = make([][Levels]vec, b.size.Area())
	b.rings = make([][Levels]vec, b.size.Area())
	for p := range b.colour {
		b.colour[p] = outside
	}
	for i := range b.base {
		x, y := i%b.size.W, i/b.size.W
		for dy, row := range b.geo.rows {
			for k := range row {
				s := &row[k]
				if uint(x+s.dx) >= uint(b.size.W) || uint(y+dy-radius) >= uint(b.size.H) {
					b.base[i][s.level].xor(&s.off)
				}
			}
		}
	}
}

// put lays a stone on a point or takes it off, in the hashes of all points
// around.
func (b *Board) put(p board.Point, c uint8) {
	if b.colour[p] == vacant {
		b.colour[p] = c
		b.stones++
	} else {
		c = b.colour[p]
		b.colour[p] = vacant
		b.stones--
	}
	x, y, w := p.X(), p.Y(), b.size.W
	for dy := max(-radius, y-b.size.H+1); dy <= min(radius, y); dy++ {
		line := b.rings[(y-dy)*w : (y-dy+1)*w]
		row := b.geo.rows[dy+radius]
		for k := range row {
			s := &row[k]
			if at := x - s.dx; uint(at) < uint(len(line)) {
				line[at][s.level].xor(&s.stone[c&1])
				if q := int(p) - dy*board.Stride - s.dx; s.level <= int(b.still.depth[q]) {
					b.still.depth[q] = stale
				}
			}
		}
	}
	b.still.depth[p] = stale
}

// count finds the liberties of the string on p. Its stones bear the mark of the
// present stamp then, but for liberties, which have marks of their own.
func (b *Board) count(p board.Point) {
	c := b.colour[p]
	b.queue = append(b.queue[:0], p)
	b.mark[p] = b.stamp
	free := 0
	for i := 0; i < len(b.queue); i++ {
		for _, q := range neighbours(b.queue[i]) {
			if q >= board.MaxPoints || b.mark[q] == b.stamp {
				continue
			}
			switch b.colour[q] {
			case c:
				b.mark[q] = b.stamp
				b.queue = append(b.queue, q)
			case vacant:
				b.mark[q] = b.stamp
				free++
			}
		}
	}
	// Another string may have the same liberties.
	libs := uint8(min(free, 4) - 1)
	for _, q := range b.queue {
		same := b.libs[q] == libs
		b.libs[q] = libs
		for _, r := range neighbours(q) {
			if r < board.MaxPoints && b.colour[r] == vacant {
				b.mark[r] = 0
				if !same {
					b.still.depth[r] = stale
				}
			}
		}
	}
}

// neighbours of a point; those above the board are far beyond MaxPoints, and
// those beside and below it are outside by colour.
func neighbours(p board.Point) [4]board.Point {
	return [4]board.Point{p - board.Stride, p - 1, p + 1, p + board.Stride}
}

// Play makes a legal move; any other changes nothing.
func (b *Board) Play(m game.Move) error {
	if err := b.pos.Play(m); err != nil {
		return fmt.Errorf("prior: %w", err)
	}
	b.follow(m)
	return nil
}

// Force makes a move as records demand it: see weiqi.Position.Force.
func (b *Board) Force(by game.Side, m game.Move) error {
	if err := b.pos.Force(by, m); err != nil {
		return fmt.Errorf("prior: %w", err)
	}
	b.follow(m)
	return nil
}

func (b *Board) follow(m game.Move) {
	n := len(b.changes)
	b.changes = b.pos.AppendChanged(b.changes)
	b.line = append(b.line, turn{to: m.To(), first: n})
	for _, c := range b.changes[n:] {
		b.put(c.Point, uint8(c.Piece-1))
	}
	b.recount(b.changes[n:])
}

// Undo takes back the last move made through the board. It panics where there
// is none, as that of positions does: moves from before Reset are not its own.
func (b *Board) Undo() {
	if len(b.line) == b.given {
		panic("prior: no move was made through the board since Reset")
	}
	t := b.line[len(b.line)-1]
	b.line = b.line[:len(b.line)-1]
	undone := b.changes[t.first:]
	b.changes = b.changes[:t.first]
	b.pos.Undo()
	for _, c := range undone {
		b.put(c.Point, uint8(b.pos.Planes().At(c.Point)-1))
	}
	b.recount(undone)
}

// recount counts the liberties of all strings on and beside the points.
func (b *Board) recount(list []game.Changed) {
	b.stamp++
	for _, c := range list {
		if b.colour[c.Point] < vacant && b.mark[c.Point] != b.stamp {
			b.count(c.Point)
		}
		for _, q := range neighbours(c.Point) {
			if q < board.MaxPoints && b.colour[q] < vacant && b.mark[q] != b.stamp {
				b.count(q)
			}
		}
	}
}
