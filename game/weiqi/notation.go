package weiqi

import (
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// ParseMove reads a move in any case. With AnyNotation the form of the text
// tells the notation: a letter and digits are GTP, two letters SGF, numbers
// with a dash 1-1; the empty text is a pass in SGF alone. "resign" is not a
// move.
//
// Where the text is a move that cannot be played, the move comes back together
// with the error, so that a reader of records can force it.
func (r *Rules) ParseMove(p game.Position, text string, n game.Notation) (game.Move, error) {
	m, ok := r.Coordinates(text, n)
	if !ok {
		return game.NoMove, game.ErrSyntax
	}
	if m.To() == board.Outside {
		return game.NoMove, game.ErrOffBoard
	}
	if q, ok := p.(*Position); ok {
		return m, q.Check(m)
	}
	return m, nil
}

// Coordinates reads a move without asking whether it is legal; a point that
// the board does not have is board.Outside. It is false for a text that is no
// move in that notation.
func (r *Rules) Coordinates(text string, n game.Notation) (game.Move, bool) {
	var x, y int
	ok := false
	switch n {
	case SGF:
		x, y, ok = readSGF(text)
	case GTP:
		x, y, ok = r.readGTP(text)
	case Numbers:
		x, y, ok = readNumbers(text)
	case game.AnyNotation:
		if x, y, ok = r.readGTP(text); !ok {
			x, y, ok = readSGF(text)
		}
		if !ok {
			x, y, ok = readNumbers(text)
		}
	}
	switch {
	case (!ok || x == passLetter && y == passLetter) && r.isPass(text, n):
		return game.Pass, true
	case !ok:
		return game.NoMove, false
	case x < 0 || x >= r.size.W || y < 0 || y >= r.size.H:
		return game.Drop(board.Outside), true
	}
	return game.Drop(board.At(x, y)), true
}

// passLetter is the column and row of tt.
const passLetter = 't' - 'a'

// isPass reports whether the text means a pass. SGF writes it as nothing, and
// wrote it as tt while no board was larger than 19x19.
func (r *Rules) isPass(text string, n game.Notation) bool {
	if strings.EqualFold(text, "pass") {
		return true
	}
	small := r.size.W <= 19 && r.size.H <= 19
	return n == SGF && text == "" || (n == SGF || n == game.AnyNotation) && small && strings.EqualFold(text, "tt")
}

// readGTP reads a column letter and a row number, which counts from 1 at the
// bottom.
func (r *Rules) readGTP(text string) (x, y int, ok bool) {
	x, row, ok := splitGTP(text)
	return x, r.size.H - row, ok
}

func splitGTP(text string) (x, row int, ok bool) {
	if len(text) < 2 {
		return 0, 0, false
	}
	x, ok = letter(text[0])
	if !ok || x == 'i'-'a' {
		return 0, 0, false
	}
	if x > 'i'-'a' {
		x--
	}
	row, ok = number(text[1:])
	return x, row, ok
}

// readSGF reads two letters.
func readSGF(text string) (x, y int, ok bool) {
	if len(text) != 2 {
		return 0, 0, false
	}
	x, ok1 := letter(text[0])
	y, ok2 := letter(text[1])
	return x, y, ok1 && ok2
}

// readNumbers reads two numbers from 1 with a dash between them.
func readNumbers(text string) (x, y int, ok bool) {
	left, right, dash := strings.Cut(text, "-")
	x, ok1 := number(left)
	y, ok2 := number(right)
	return x - 1, y - 1, dash && ok1 && ok2
}

func letter(c byte) (int, bool) {
	c |= 0x20
	return int(c) - 'a', c >= 'a' && c <= 'z'
}

// number reads one to three digits without sign.
func number(text string) (int, bool) {
	if len(text) < 1 || len(text) > 3 {
		return 0, false
	}
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = n*10 + int(text[i]-'0')
	}
	return n, true
}

// AppendMove appends the text of a move. The position does not matter.
func (r *Rules) AppendMove(dst []byte, _ game.Position, m game.Move, n game.Notation) []byte {
	if m == game.Pass {
		if n == SGF {
			return dst
		}
		return append(dst, "pass"...)
	}
	p := m.To()
	switch n {
	case SGF:
		return append(dst, 'a'+byte(p.X()), 'a'+byte(p.Y()))
	case Numbers:
		dst = strconv.AppendInt(dst, int64(p.X()+1), 10)
		dst = append(dst, '-')
		return strconv.AppendInt(dst, int64(p.Y()+1), 10)
	}
	return append(dst, r.gtp(p)...)
}

// gtp writes a point as "Q16".
func (r *Rules) gtp(p board.Point) string {
	if !r.size.Has(p) {
		return p.String()
	}
	return r.geometry.Labels.Top[p.X()] + r.geometry.Labels.Left[p.Y()]
}
