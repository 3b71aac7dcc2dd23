package chess

import (
	"math/bits"
	"sync"
)

// square is one of 64, a1 is 0, b1 is 1, a2 is 8.
type square uint8

// none is no square.
const none square = 64

// set is a set of squares, a bit each.
type set uint64

func (s square) bit() set        { return 1 << (s & 63) }
func (s square) file() int       { return int(s & 7) }
func (s square) rank() int       { return int(s >> 3) }
func (b set) has(s square) bool  { return b>>(s&63)&1 != 0 }
func (b set) count() int         { return bits.OnesCount64(uint64(b)) }
func (b set) first() square      { return square(bits.TrailingZeros64(uint64(b))) }
func (b *set) pop() (s square)   { s = b.first(); *b &= *b - 1; return s }
func (b set) several() bool      { return b&(b-1) != 0 }
func (b set) last() square       { return square(63 - bits.LeadingZeros64(uint64(b))) }
func at(file, rank int) square   { return square(rank*8 + file) }
func inside(file, rank int) bool { return file >= 0 && file < 8 && rank >= 0 && rank < 8 }

const (
	fileA set = 0x0101010101010101
	fileH     = fileA << 7
	rank1 set = 0xFF
	dark  set = 0xAA55AA55AA55AA55 // squares of the colour of a1
)

// The tables; fill makes them before the first position.
var (
	leaps   [2][64]set    // of a king and of a knight
	strikes [2][64]set    // where a pawn of a side takes
	between [64][64]set   // squares between two on one line
	through [64][64]set   // the whole line through two squares; empty where there is none
	lines   [2][64]slider // of a bishop and of a rook
	reached [102400 + 5248]set
)

// The indices of leaps and lines.
const (
	ofKing, ofKnight = 0, 1
	ofBishop, ofRook = 0, 1
)

// slider finds where a piece on one square slides to: what stands on the squares of
// mask, multiplied by magic, has the place of the answer in its upper bits.
type slider struct {
	mask  set
	magic uint64
	shift uint8
	at    int32 // of its first answer in reached
}

// slide returns the squares that a bishop or a rook reaches, the first piece on each
// of its ways included.
func slide(how int, s square, occupied set) set {
	l := &lines[how][s&63]
	return reached[uint64(l.at)+uint64(occupied&l.mask)*l.magic>>l.shift]
}

var directions = [2][4][2]int{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}}

// walked is slide by walking, for the tables.
func walked(how int, s square, occupied set) (to set) {
	for _, d := range directions[how] {
		for x, y := s.file()+d[0], s.rank()+d[1]; inside(x, y); x, y = x+d[0], y+d[1] {
			to |= at(x, y).bit()
			if occupied.has(at(x, y)) {
				break
			}
		}
	}
	return to
}

// masked returns the squares that matter to a slider: those on its ways, without the
// last of each, behind which nothing is.
func masked(how int, s square) (m set) {
	for _, d := range directions[how] {
		for x, y := s.file()+d[0], s.rank()+d[1]; inside(x+d[0], y+d[1]); x, y = x+d[0], y+d[1] {
			m |= at(x, y).bit()
		}
	}
	return m
}

// fill makes the tables: some milliseconds, for those alone who have a position.
var fill = sync.OnceFunc(func() {
	next := int32(0)
	for s := range none {
		for _, d := range [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}} {
			if x, y := s.file()+d[0], s.rank()+d[1]; inside(x, y) {
				leaps[ofKing][s] |= at(x, y).bit()
			}
		}
		for _, d := range [8][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			if x, y := s.file()+d[0], s.rank()+d[1]; inside(x, y) {
				leaps[ofKnight][s] |= at(x, y).bit()
			}
		}
		b := s.bit()
		strikes[0][s] = b&^fileA<<7 | b&^fileH<<9
		strikes[1][s] = b&^fileA>>9 | b&^fileH>>7
		for how := range lines {
			l := &lines[how][s]
			l.mask, l.magic, l.at = masked(how, s), magics[how][s], next
			l.shift = uint8(64 - l.mask.count())
			for occupied := set(0); ; {
				reached[uint64(l.at)+uint64(occupied)*l.magic>>l.shift] = walked(how, s, occupied)
				if occupied = (occupied - l.mask) & l.mask; occupied == 0 { // the next subset
					break
				}
			}
			next += 1 << l.mask.count()
			for t := range none {
				if t != s && walked(how, s, 0).has(t) {
					through[s][t] = walked(how, s, 0)&walked(how, t, 0) | b | t.bit()
					between[s][t] = walked(how, s, t.bit()) & walked(how, t, b)
				}
			}
		}
	}
})
