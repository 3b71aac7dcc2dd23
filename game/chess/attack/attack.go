package attack

import (
	"math/bits"
	"sync"
)

// Square is one of 64, a1 is 0, b1 is 1, a2 is 8.
type Square uint8

// None is no square.
const None Square = 64

// Set is a set of squares, a bit each.
type Set uint64

// Bit is the set of one square; File and Rank count from 0.
func (s Square) Bit() Set  { return 1 << (s & 63) }
func (s Square) File() int { return int(s & 7) }
func (s Square) Rank() int { return int(s >> 3) }

// Has, Count, First, Last, Pop and Several ask a set; Pop takes the first square out.
func (b Set) Has(s Square) bool { return b>>(s&63)&1 != 0 }
func (b Set) Count() int        { return bits.OnesCount64(uint64(b)) }
func (b Set) First() Square     { return Square(bits.TrailingZeros64(uint64(b))) }
func (b *Set) Pop() (s Square)  { s = b.First(); *b &= *b - 1; return s }
func (b Set) Several() bool     { return b&(b-1) != 0 }
func (b Set) Last() Square      { return Square(63 - bits.LeadingZeros64(uint64(b))) }

// At returns a square.
func At(file, rank int) Square   { return Square(rank*8 + file) }
func inside(file, rank int) bool { return file >= 0 && file < 8 && rank >= 0 && rank < 8 }

// Lines of squares.
const (
	FileA Set = 0x0101010101010101
	FileH     = FileA << 7
	Rank1 Set = 0xFF
	Dark  Set = 0xAA55AA55AA55AA55 // squares of the colour of a1
)

// The tables; Fill makes them before the first position.
var (
	Leaps   [2][64]Set    // of a king and of a knight
	Strikes [2][64]Set    // where a pawn of a side takes
	Between [64][64]Set   // squares between two on one line
	Through [64][64]Set   // the whole line through two squares; empty where there is none
	lines   [2][64]slider // of a bishop and of a rook
	reached [102400 + 5248]Set
)

// The indices of Leaps and lines.
const (
	OfKing, OfKnight = 0, 1
	OfBishop, OfRook = 0, 1
)

// slider finds where a piece on one square slides to: what stands on the squares of
// mask, multiplied by magic, has the place of the answer in its upper bits.
type slider struct {
	mask  Set
	magic uint64
	shift uint8
	at    int32 // of its first answer in reached
}

// Slide returns the squares that a bishop or a rook reaches, the first piece on each
// of its ways included.
func Slide(how int, s Square, occupied Set) Set {
	l := &lines[how][s&63]
	return reached[uint64(l.at)+uint64(occupied&l.mask)*l.magic>>l.shift]
}

var directions = [2][4][2]int{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}}

// walked is Slide by walking, for the tables.
func walked(how int, s Square, occupied Set) (to Set) {
	for _, d := range directions[how] {
		for x, y := s.File()+d[0], s.Rank()+d[1]; inside(x, y); x, y = x+d[0], y+d[1] {
			to |= At(x, y).Bit()
			if occupied.Has(At(x, y)) {
				break
			}
		}
	}
	return to
}

// masked returns the squares that matter to a slider: those on its ways, without the
// last of each, behind which nothing is.
func masked(how int, s Square) (m Set) {
	for _, d := range directions[how] {
		for x, y := s.File()+d[0], s.Rank()+d[1]; inside(x+d[0], y+d[1]); x, y = x+d[0], y+d[1] {
			m |= At(x, y).Bit()
		}
	}
	return m
}

// Fill makes the tables: some milliseconds, for those alone who have a position.
var Fill = sync.OnceFunc(func() {
	next := int32(0)
	for s := range None {
		for _, d := range [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}} {
			if x, y := s.File()+d[0], s.Rank()+d[1]; inside(x, y) {
				Leaps[OfKing][s] |= At(x, y).Bit()
			}
		}
		for _, d := range [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			if x, y := s.File()+d[0], s.Rank()+d[1]; inside(x, y) {
				Leaps[OfKnight][s] |= At(x, y).Bit()
			}
		}
		b := s.Bit()
		Strikes[0][s] = b&^FileA<<7 | b&^FileH<<9
		Strikes[1][s] = b&^FileA>>9 | b&^FileH>>7
		for how := range lines {
			l := &lines[how][s]
			l.mask, l.magic, l.at = masked(how, s), magics[how][s], next
			l.shift = uint8(64 - l.mask.Count())
			for occupied := Set(0); ; {
				reached[uint64(l.at)+uint64(occupied)*l.magic>>l.shift] = walked(how, s, occupied)
				if occupied = (occupied - l.mask) & l.mask; occupied == 0 { // the next subset
					break
				}
			}
			next += 1 << l.mask.Count()
			for t := range None {
				if t != s && walked(how, s, 0).Has(t) {
					Through[s][t] = walked(how, s, 0)&walked(how, t, 0) | b | t.Bit()
					Between[s][t] = walked(how, s, t.Bit()) & walked(how, t, b)
				}
			}
		}
	}
})
