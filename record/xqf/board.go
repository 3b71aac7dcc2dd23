package xqf

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	files   = 9
	ranks   = 10
	squares = files * ranks
	slots   = 32 // places for pieces in the header

	off = 0xFF // the square of a piece that is not on the board
)

// A square is a number 10*file+rank, from Red's left and Red's side.

// moves holds the texts of all moves from square to square, four characters
// each, so that a move costs no memory.
var moves = allMoves()

func allMoves() string {
	var b strings.Builder
	b.Grow(4 * squares * squares)
	for from := range squares {
		for to := range squares {
			for _, s := range [2]int{from, to} {
				b.WriteByte(byte('a' + s/ranks))
				b.WriteByte(byte('0' + s%ranks))
			}
		}
	}
	return b.String()
}

// moveText returns the ICCS text of a move; ok is false where a square is
// outside the board, and the text is then the two numbers.
func moveText(from, to byte) (text string, ok bool) {
	if from >= squares || to >= squares {
		return fmt.Sprintf("%d-%d", from, to), false
	}
	at := 4 * (int(from)*squares + int(to))
	return moves[at : at+4], true
}

// parseMove reads what moveText returns, and ICCS in the usual spellings.
func parseMove(text string) (from, to byte, ok bool) {
	if left, right, pair := strings.Cut(text, "-"); pair {
		a, err1 := strconv.ParseUint(left, 10, 8)
		b, err2 := strconv.ParseUint(right, 10, 8)
		if err1 == nil && err2 == nil {
			return byte(a), byte(b), a >= squares || b >= squares
		}
		text = left + right
	}
	if len(text) != 4 {
		return 0, 0, false
	}
	from, ok1 := parseSquare(text[0], text[1])
	to, ok2 := parseSquare(text[2], text[3])
	return from, to, ok1 && ok2
}

func parseSquare(file, rank byte) (byte, bool) {
	x, y := file|0x20-'a', rank-'0'
	return x*ranks + y, x < files && y < ranks
}

// pieces are the letters of the 32 places in the header.
const pieces = "RNBAKABNRCCPPPPPrnbakabnrccppppp"

// layout is where the 32 pieces stand.
type layout [slots]byte

const usualRows = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

// grid holds the letters of the pieces by square, 0 for none.
type grid [squares]byte

// grid returns the board. Of two pieces on a square the first is kept; ok is
// then false.
func (l *layout) grid() (g grid, ok bool) {
	ok = true
	for i, s := range l {
		switch {
		case s >= squares:
		case g[s] != 0:
			ok = false
		default:
			g[s] = pieces[i]
		}
	}
	return g, ok
}

// start returns the text of a position, empty for the usual start.
func (g *grid) start(black bool) string {
	var b strings.Builder
	for y := ranks - 1; y >= 0; y-- {
		empty := 0
		for x := range files {
			c := g[x*ranks+y]
			if c == 0 {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteByte(byte('0' + empty))
				empty = 0
			}
			b.WriteByte(c)
		}
		if empty > 0 {
			b.WriteByte(byte('0' + empty))
		}
		if y > 0 {
			b.WriteByte('/')
		}
	}
	if black {
		b.WriteString(" b - - 0 1")
	} else {
		if b.String() == usualRows {
			return ""
		}
		b.WriteString(" w - - 0 1")
	}
	return b.String()
}

// parseStart reads the position text of a game: the board and whether Black is
// to move. It takes the letters E and H for B and N too.
func parseStart(text string) (g grid, black bool, err error) {
	rows, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if rows == "" {
		rows = usualRows
	}
	x, y := 0, ranks-1
	for _, c := range []byte(rows) {
		switch {
		case c == '/':
			if x != files || y == 0 {
				return g, false, fmt.Errorf("the position %q has no 10 rows of 9 points", text)
			}
			x, y = 0, y-1
			continue
		case c >= '1' && c <= '9':
			x += int(c - '0')
		default:
			if piece := normal(c); piece != 0 && x < files {
				g[x*ranks+y] = piece
			} else if piece == 0 {
				return g, false, fmt.Errorf("the position %q: %q is no piece", text, c)
			}
			x++
		}
		if x > files {
			return g, false, fmt.Errorf("the position %q has no 10 rows of 9 points", text)
		}
	}
	if x != files || y != 0 {
		return g, false, fmt.Errorf("the position %q has no 10 rows of 9 points", text)
	}
	if rest = strings.TrimLeft(rest, " "); rest != "" {
		black = rest[0]|0x20 == 'b'
	}
	return g, black, nil
}

func normal(c byte) byte {
	switch c {
	case 'e', 'E':
		c -= 'e' - 'b'
	case 'h', 'H':
		c += 'n' - 'h'
	}
	if strings.IndexByte("RNBAKCPrnbakcp", c) < 0 {
		return 0
	}
	return c
}

// layout gives the pieces their places in the header, in the order of the usual
// start: Red from the right, Black from the left. It reports a piece of which
// there are too many.
func (g *grid) layout() (l layout, surplus byte) {
	for i := range l {
		l[i] = off
	}
	used := [slots]bool{}
	place := func(s int) {
		if g[s] == 0 {
			return
		}
		for i := range l {
			if !used[i] && pieces[i] == g[s] {
				l[i], used[i] = byte(s), true
				return
			}
		}
		surplus = g[s]
	}
	for s := range squares {
		if c := g[s]; c >= 'a' {
			place(s)
		}
	}
	for s := squares - 1; s >= 0; s-- {
		if c := g[s]; c < 'a' {
			place(s)
		}
	}
	return l, surplus
}
