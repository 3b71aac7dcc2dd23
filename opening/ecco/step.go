package ecco

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game"
)

// step is a move as definitions see it: which kind of piece goes from which file in
// which way. None is the zero value.
//
//	[kind 3][file 4][way 2][number 4]
type step uint16

const none step = 0

const (
	letters = "?KAERHCP" // by kind
	files   = "?123456789+.-"
	ways    = "-=+"
)

// Places of a piece among those of its kind on the same file, in place of the file.
const (
	front = 10 + iota
	middle
	rear
)

const (
	king = 1 + iota
	advisor
	elephant
	chariot
	horse
	cannon
	pawn
)

func newStep(kind, file, way, number int) step {
	return step(kind<<10 | file<<6 | way<<4 | number)
}

// String returns the move in the notation of the World Xiangqi Federation.
func (s step) String() string {
	if s == none {
		return "none"
	}
	return string([]byte{letters[s>>10&7], files[s>>6&15], ways[s>>4&3], '0' + byte(s&15)})
}

func parseStep(text string) (step, error) {
	if text == "none" {
		return none, nil
	}
	if len(text) == 4 {
		kind, file := strings.IndexByte(letters, text[0]), strings.IndexByte(files, text[1])
		way, number := strings.IndexByte(ways, text[2]), int(text[3])-'0'
		if kind > 0 && file > 0 && way >= 0 && number > 0 && number < 10 {
			return newStep(kind, file, way, number), nil
		}
	}
	return none, fmt.Errorf("%q is no move", text)
}

// mirror returns the same move on the other wing.
func (s step) mirror() step {
	kind, file, way, number := int(s>>10), int(s>>6&15), int(s>>4&3), int(s&15)
	if s == none {
		return none
	}
	if file < front {
		file = 10 - file
	}
	if way == 1 || kind == advisor || kind == elephant || kind == horse {
		number = 10 - number
	}
	return newStep(kind, file, way, number)
}

const (
	width, height = 9, 10
	rounds        = 10 // moves of a side that count
)

// line is a game as definitions see it.
type line struct {
	steps [2][rounds]step // by side
	plies int             // that count and were played
	sided int             // the ply that told the wings apart
}

// usual is the board at the start, the kind of a piece by its point, negative for
// Black.
var usual = func() (b [width * height]int8) {
	back := [width]int8{chariot, horse, elephant, advisor, king, advisor, elephant, horse, chariot}
	put := func(x, y int, kind int8) {
		b[y*width+x], b[(height-1-y)*width+x] = -kind, kind
	}
	for x, kind := range back {
		put(x, 0, kind)
		if x%2 == 0 {
			put(x, 3, pawn)
		}
	}
	put(1, 2, cannon)
	put(7, 2, cannon)
	return b
}()

// size is that of the board.
var size = board.Size{W: width, H: height}

// pack returns what counts of the moves of a game, from<<8 | to each.
func pack(buf *[2 * rounds]uint16, moves []game.Move) []uint16 {
	n := min(len(moves), len(buf))
	for i, m := range moves[:n] {
		from, to := m.From(), m.To()
		if from == board.NoPoint || !size.Has(from) || !size.Has(to) {
			return buf[:0]
		}
		buf[i] = uint16(size.Index(from)<<8 | size.Index(to))
	}
	return buf[:n]
}

// read replays moves from the usual start. It reports false where they cannot have
// been played from there: a move begins or ends where it should not.
func (l *line) read(moves []uint16) bool {
	*l = line{}
	b := usual
	for i, m := range moves[:min(len(moves), 2*rounds)] {
		from, to := int(m>>8), int(m&0xFF)
		if from >= len(b) || to >= len(b) || from == to {
			return false
		}
		sign := int8(1 - 2*(i%2))
		if b[from]*sign <= 0 || b[to]*sign > 0 {
			return false
		}
		l.steps[i%2][i/2] = describe(&b, from, to, int(sign))
		b[to], b[from] = b[from], 0
		l.plies++
	}
	l.turn()
	return l.plies > 0
}

// describe returns a move on the board before it.
func describe(b *[width * height]int8, from, to, sign int) step {
	kind := int(b[from]) * sign
	file := func(x int) int { // each side counts from its right
		if sign > 0 {
			return width - x
		}
		return x + 1
	}
	x, y := from%width, from/width
	ahead := (y - to/width) * sign
	way, number := 1, file(to%width)
	if ahead != 0 {
		way = 2
		if ahead < 0 {
			way = 0
		}
		if x == to%width {
			number = max(ahead, -ahead)
		}
	}
	f := file(x)
	if kind != advisor && kind != elephant {
		before, behind := 0, 0
		for yy := range height {
			if yy != y && b[yy*width+x] == b[from] {
				if (y-yy)*sign > 0 {
					before++
				} else {
					behind++
				}
			}
		}
		switch {
		case before > 0 && behind > 0:
			f = middle
		case before > 0:
			f = rear
		case behind > 0:
			f = front
		}
	}
	return newStep(kind, f, way, number)
}

// turn mirrors the line where its first move that tells the wings apart was played
// on the left wing.
func (l *line) turn() {
	for i := range l.plies {
		s := l.steps[i%2][i/2]
		m := s.mirror()
		if s == m {
			continue
		}
		l.sided = i + 1
		if m > s { // files come before numbers
			return
		}
		break
	}
	if l.sided == 0 {
		l.sided = l.plies
		return
	}
	for i := range l.plies {
		l.steps[i%2][i/2] = l.steps[i%2][i/2].mirror()
	}
}
