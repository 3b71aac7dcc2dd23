package dhtmlxq

import (
	"fmt"
	"strings"

	"qipu/record/fen"
)

const (
	usualBinit = "0919293949596979891777062646668600102030405060708012720323436383"
	absent     = "99"
)

var usualBoard, _ = readBinit(usualBinit)

// readBinit reads the squares of the pieces. The board is nil where the text
// is something else; a fault may come with a board, too.
func readBinit(text string) (b *fen.Board, fault string) {
	if len(text) != 2*len(fen.Pieces) {
		return nil, fmt.Sprintf("%d characters, want %d", len(text), 2*len(fen.Pieces))
	}
	b = new(fen.Board)
	for i := range len(fen.Pieces) {
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
			b[n] = fen.Pieces[i]
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
func blackAt(b *fen.Board, at string) bool {
	if len(at) != 2 {
		return false
	}
	n, ok := square(at)
	return ok && b[n] >= 'a'
}

// binit returns the squares of the pieces; ok is false where there are more
// pieces of a kind than the format has places for.
func binit(b *fen.Board) (text string, ok bool) {
	var at [len(fen.Pieces)]string
	for n, c := range b {
		if c == 0 {
			continue
		}
		i := 0
		for i < len(fen.Pieces) && (fen.Pieces[i] != c || at[i] != "") {
			i++
		}
		if i == len(fen.Pieces) {
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
	from, ok1 := square(digits[:2])
	to, ok2 := square(digits[2:])
	if !ok1 || !ok2 {
		return digits
	}
	return fen.Move(from, to)
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
