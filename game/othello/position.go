package othello

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
)

// Position is a position on 8x8. Bit 8*row+column of a word is a square:
//
//	a1 = bit 0   b1 = bit 1 ... h1 = bit 7
//	a2 = bit 8   ...            h8 = bit 63
type Position struct {
	discs   [2]uint64 // by side
	turn    game.Side
	history []undo
	planes  board.Planes // filled by Planes
	rows    [2]board.Plane
}

// undo is what a move turned over; a pass has turned nothing over.
type undo struct{ flips, square uint64 }

var (
	_ game.Position    = (*Position)(nil)
	_ game.Planar      = (*Position)(nil)
	_ game.Changer     = (*Position)(nil)
	_ game.MoveCounter = (*Position)(nil)
	_ game.Copier      = (*Position)(nil)
)

func newPosition(s game.Setup) *Position {
	p := &Position{turn: s.Turn, history: make([]undo, 0, 64)}
	for side := range p.discs {
		for y := range 8 {
			p.discs[side] |= uint64(s.Board.Of[side][y]) << (8 * y)
		}
	}
	p.planes = board.Planes{Size: s.Board.Size, Of: p.rows[:]}
	return p
}

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	c := *p
	c.history = slices.Clone(p.history)
	c.planes.Of = c.rows[:]
	return &c
}

// Discs returns the squares of a side, one bit each.
func (p *Position) Discs(s game.Side) uint64 { return p.discs[s] }

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Legal returns the squares where the side to move can play, one bit each.
func (p *Position) Legal() uint64 {
	return Movable(p.discs[p.turn], p.discs[p.turn^1])
}

// AppendMoves appends the legal moves, a1 first.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	legal := p.Legal()
	if legal == 0 && p.opponentMoves() {
		return append(dst, game.Pass)
	}
	for ; legal != 0; legal &= legal - 1 {
		dst = append(dst, game.Drop(point(legal)))
	}
	return dst
}

// CountMoves returns the number of legal moves.
func (p *Position) CountMoves() int {
	legal := p.Legal()
	if legal == 0 && p.opponentMoves() {
		return 1
	}
	return bits.OnesCount64(legal)
}

// opponentMoves reports whether the side not to move could.
func (p *Position) opponentMoves() bool {
	return Movable(p.discs[p.turn^1], p.discs[p.turn]) != 0
}

// Play makes a move.
func (p *Position) Play(m game.Move) error {
	square, flips, err := p.effect(m)
	if err != nil {
		return err
	}
	p.discs[p.turn] |= flips | square
	p.turn ^= 1
	p.discs[p.turn] &^= flips
	p.history = append(p.history, undo{flips, square})
	return nil
}

// effect returns the square of a move and the discs it turns over, or why it
// is refused.
func (p *Position) effect(m game.Move) (square, flips uint64, err error) {
	to := m.To()
	if to == board.NoPoint || m != game.Drop(to) {
		return 0, 0, passable(m, p.Legal() != 0, p.opponentMoves())
	}
	if to&(board.Stride-1) > 7 || to >= 8*board.Stride {
		return 0, 0, game.ErrOffBoard
	}
	b := uint(to/board.Stride<<3 | to&7)
	square = 1 << b
	if (p.discs[0]|p.discs[1])&square != 0 {
		return 0, 0, game.ErrOccupied
	}
	flips = Flips(p.discs[p.turn], p.discs[p.turn^1], b)
	if flips == 0 {
		return 0, 0, errNoFlip
	}
	return square, flips, nil
}

func (p *Position) legal(m game.Move) error {
	_, _, err := p.effect(m)
	return err
}

// Undo takes back the last move.
func (p *Position) Undo() {
	last := len(p.history) - 1
	u := p.history[last]
	p.history = p.history[:last]
	p.discs[p.turn] |= u.flips
	p.turn ^= 1
	p.discs[p.turn] &^= u.flips | u.square
}

// AppendChanged appends the disc of the last move and those it turned over.
func (p *Position) AppendChanged(dst []game.Changed) []game.Changed {
	last := len(p.history) - 1
	if last < 0 || p.history[last].square == 0 {
		return dst
	}
	u := p.history[last]
	piece := board.Piece(p.turn^1) + 1
	dst = append(dst, game.Changed{Point: point(u.square), Piece: piece})
	for f := u.flips; f != 0; f &= f - 1 {
		dst = append(dst, game.Changed{Point: point(f), Piece: piece})
	}
	return dst
}

// point returns the point of the lowest square of a set.
func point(squares uint64) board.Point {
	b := uint(bits.TrailingZeros64(squares))
	return board.Point(b>>3*board.Stride | b&7)
}

// Outcome tells the score once neither side can move.
func (p *Position) Outcome() game.Outcome {
	if p.Legal() != 0 || p.opponentMoves() {
		return game.Outcome{}
	}
	return outcome(bits.OnesCount64(p.discs[0]), bits.OnesCount64(p.discs[1]), 64)
}

// Hash mixes the two words and the turn. It is computed, not kept: a move
// turns several discs over, and mixing three words is cheaper than updating.
func (p *Position) Hash() uint64 {
	return board.Mix(board.Mix(board.Mix(uint64(p.turn))^p.discs[0]) ^ p.discs[1])
}

// Planes spreads the two words over rows; it costs about 10 ns.
func (p *Position) Planes() *board.Planes {
	for side, word := range p.discs {
		for y := range 8 {
			p.rows[side][y] = uint32(word >> (8 * y) & 0xFF)
		}
	}
	return &p.planes
}

// Columns b to g: a run of discs to be turned over sideways or diagonally
// cannot leave them.
const inner = 0x7E7E7E7E7E7E7E7E

// Movable returns the empty squares from which a run of opposing discs ends
// on an own one. Each direction fills runs of up to six discs in three steps,
// doubling the reach (parallel prefix).
func Movable(own, opp uint64) uint64 {
	mid := opp & inner
	across, down := mid&(mid<<1), opp&(opp<<8)
	left, right := mid&(mid<<7), mid&(mid<<9)
	moves := rising(own, mid, across, 1) | falling(own, mid, across, 1)
	moves |= rising(own, opp, down, 8) | falling(own, opp, down, 8)
	moves |= rising(own, mid, left, 7) | falling(own, mid, left, 7)
	moves |= rising(own, mid, right, 9) | falling(own, mid, right, 9)
	return moves &^ (own | opp)
}

// rising returns the squares one step behind the runs that start next to own
// and go towards higher bits; pairs are the opposing discs that have another
// one a step below. It is small enough to be inlined with its constant step.
func rising(own, opp, pairs uint64, step uint) uint64 {
	run := opp & (own << step)
	run |= opp & (run << step)
	run |= pairs & (run << (2 * step))
	run |= pairs & (run << (2 * step))
	return run << step
}

// falling is rising towards lower bits.
func falling(own, opp, pairs uint64, step uint) uint64 {
	pairs >>= step
	run := opp & (own >> step)
	run |= opp & (run >> step)
	run |= pairs & (run >> (2 * step))
	run |= pairs & (run >> (2 * step))
	return run >> step
}

// rays[b] holds the squares beyond b in four directions of rising bits (right,
// down-left, down, down-right) and the four opposite ones: one cache line.
var rays = makeRays()

func makeRays() (table [64][8]uint64) {
	for b := range table {
		for d, s := range directions {
			x, y := b%8+s[0], b/8+s[1]
			for x >= 0 && x < 8 && y >= 0 && y < 8 {
				table[b][d] |= 1 << (8*y + x)
				x, y = x+s[0], y+s[1]
			}
		}
	}
	return table
}

// Flips returns the opposing discs that a disc on square b turns over. Along
// a ray, the first square that holds no opposing disc decides: if an own disc
// stands there, everything before it turns over.
func Flips(own, opp uint64, b uint) uint64 {
	r := &rays[b&63]
	next := own << 1
	return below(own, opp, r[0]) | below(own, opp, r[1]) | below(own, opp, r[2]) | below(own, opp, r[3]) |
		above(next, opp, r[4]) | above(next, opp, r[5]) | above(next, opp, r[6]) | above(next, opp, r[7])
}

// below returns what turns over along a ray of rising bits, without a branch.
func below(own, opp, ray uint64) uint64 {
	stop := ray &^ opp
	end := stop & -stop & own          // the own disc that closes the run, if any
	none := uint64(int64(end-1) >> 63) // all ones if there is none
	return ray & (end - 1) &^ none
}

// above returns what turns over along a ray of falling bits. next are the own
// discs, moved up by one bit: the length of a word is the number of the bit
// above its highest one. Such a ray never holds the last square, so that the
// length fits.
func above(next, opp, ray uint64) uint64 {
	end := uint64(1) << (uint(bits.Len64(ray&^opp)) & 63) & next
	return ray & -end // nothing if end is 0
}
