package dhtmlxq

import (
	"fmt"
	"strconv"
	"strings"
)

// board holds the letters of the pieces by column + 9*row from the top left, 0
// for none.
type board [90]byte

const (
	pieces     = "RNBAKABNRCCPPPPPrnbakabnrccppppp" // in the order of binit
	usualBinit = "0919293949596979891777062646668600102030405060708012720323436383"
	usualRows  = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
	absent     = "99"
)

var usualBoard, _ = readBinit(usualBinit)

// readBinit reads the squares of the pieces. The board is nil where the text
// is something else; a fault may come with a board, too.
func readBinit(text string) (b *board, fault string) {
	if len(text) != 2*len(pieces) {
		return nil, fmt.Sprintf("%d characters, want %d", len(text), 2*len(pieces))
	}
	b = new(board)
	for i := range len(pieces) {
		at := text[2*i : 2*i+2]
		if at == absent {
			continue
		}
		n, ok := square(at)
		switch {
		case !ok && !digit(at[0]) || !digit(at[1]):
			return nil, fmt.Sprintf("%q is no square", at)
		case !ok:
			fault = fmt.Sprintf("%q is no square: the piece was left out", at)
		case b[n] != 0:
			fault = fmt.Sprintf("two pieces stand on %q: the first was kept", at)
		default:
			b[n] = pieces[i]
		}
	}
	return b, fault
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// square reads a column and a row.
func square(at string) (int, bool) {
	x, y := int(at[0])-'0', int(at[1])-'0'
	return x + 9*y, x >= 0 && x < 9 && y >= 0 && y < 10
}

// blackAt reports whether a black piece stands on a square.
func (b *board) blackAt(at string) bool {
	if len(at) != 2 {
		return false
	}
	n, ok := square(at)
	return ok && b[n] >= 'a'
}

// text returns the position text, empty for the usual start.
func (b *board) text(black bool) string {
	var s strings.Builder
	for y := range 10 {
		if y > 0 {
			s.WriteByte('/')
		}
		empty := 0
		for x := range 9 {
			c := b[x+9*y]
			if c == 0 {
				empty++
				continue
			}
			if empty > 0 {
				s.WriteString(strconv.Itoa(empty))
				empty = 0
			}
			s.WriteByte(c)
		}
		if empty > 0 {
			s.WriteString(strconv.Itoa(empty))
		}
	}
	if black {
		return s.String() + " b - - 0 1"
	}
	if s.String() == usualRows {
		return ""
	}
	return s.String() + " w - - 0 1"
}

// readRows reads the board of a position text.
func readRows(text string) (b *board, ok bool) {
	rows := strings.Split(text, "/")
	if len(rows) != 10 {
		return nil, false
	}
	b = new(board)
	for y, row := range rows {
		x := 0
		for i := range len(row) {
			c := row[i]
			if c >= '1' && c <= '9' {
				x += int(c - '0')
				continue
			}
			switch c {
			case 'E', 'e':
				c -= 'E' - 'B'
			case 'H', 'h':
				c += 'N' - 'H'
			}
			if x > 8 || strings.IndexByte(pieces, c) < 0 {
				return nil, false
			}
			b[x+9*y] = c
			x++
		}
		if x != 9 {
			return nil, false
		}
	}
	return b, true
}

// binit returns the squares of the pieces; ok is false where there are more
// pieces of a kind than the format has places for.
func (b *board) binit() (text string, ok bool) {
	var at [len(pieces)]string
	for n, c := range b {
		if c == 0 {
			continue
		}
		i := 0
		for i < len(pieces) && (pieces[i] != c || at[i] != "") {
			i++
		}
		if i == len(pieces) {
			return "", false
		}
		at[i] = string([]byte{byte('0' + n%9), byte('0' + n/9)})
	}
	var s strings.Builder
	for _, a := range at {
		if a == "" {
			a = absent
		}
		s.WriteString(a)
	}
	return s.String(), true
}

// moveText returns the ICCS text of four digits, or the digits themselves
// where they are no squares.
func moveText(digits string) string {
	_, ok1 := square(digits[:2])
	_, ok2 := square(digits[2:])
	if !ok1 || !ok2 {
		return digits
	}
	return string([]byte{digits[0] - '0' + 'a', '0' + '9' - digits[1], digits[2] - '0' + 'a', '0' + '9' - digits[3]})
}

// moveTexts returns moveText of all moves, four bytes each, in one text.
func moveTexts(digits string) string {
	var b strings.Builder
	b.Grow(len(digits))
	for i := 0; i+4 <= len(digits); i += 4 {
		b.WriteString(moveText(digits[i : i+4]))
	}
	return b.String()
}

// readMove reads a move as moveText returns it, in ICCS or in UCI, where the
// top row is number top.
func readMove(text string, top int) (from, to string, ok bool) {
	if len(text) == 4 && digit(text[0]) && digit(text[1]) && digit(text[2]) && digit(text[3]) {
		return text[:2], text[2:], moveText(text) == text
	}
	from, rest, ok := readSquare(text, top)
	if !ok {
		return "", "", false
	}
	to, rest, ok = readSquare(strings.TrimPrefix(rest, "-"), top)
	return from, to, ok && rest == ""
}

func readSquare(s string, top int) (at, rest string, ok bool) {
	if len(s) < 2 || s[0]|0x20 < 'a' || s[0]|0x20 > 'i' || !digit(s[1]) {
		return "", s, false
	}
	rank, n := int(s[1]-'0'), 2
	if top == 10 && rank == 1 && len(s) > 2 && s[2] == '0' {
		rank, n = 10, 3
	}
	y := top - rank
	if y < 0 || y > 9 {
		return "", s, false
	}
	return string([]byte{s[0] | 0x20 - 'a' + '0', byte('0' + y)}), s[n:], true
}
