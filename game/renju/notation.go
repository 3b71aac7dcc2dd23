package renju

import (
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// The notations. No text is a point in two of them.
const (
	Plain game.Notation = "plain" // h8
	SGF   game.Notation = "sgf"   // hh
	XY    game.Notation = "xy"    // 8,8
)

var notations = []game.NotationInfo{
	{Name: Plain, Summary: "column letter from the left, row number from the bottom: h8; pass"},
	{Name: SGF, Summary: "two letters, column and row from the top left: hh; empty for a pass"},
	{Name: XY, Summary: "column and row from the top left, both from 1, as in Piskvork files: 8,8; pass"},
}

// ParseMove reads a move. Column letters may be capitals in the plain
// notation; "pass" in any case and "--" are a pass everywhere. In SGF the
// empty text is a pass too, and so is "tt" on boards up to 19x19.
func (r *Rules) ParseMove(p game.Position, text string, n game.Notation) (game.Move, error) {
	m, ok := r.Coordinates(text, n)
	if !ok {
		return game.NoMove, game.ErrSyntax
	}
	if m.To() == board.Outside {
		return game.NoMove, game.ErrOffBoard
	}
	if err := p.(*Position).legal(m); err != nil {
		return game.NoMove, err
	}
	return m, nil
}

// Coordinates reads a move without asking whether it is legal; a point that
// the board does not have is a move that Play will refuse. It is false for a
// text that is no move.
func (r *Rules) Coordinates(text string, n game.Notation) (game.Move, bool) {
	var m game.Move
	switch n {
	case game.AnyNotation:
		m = r.parseAny(text)
	case Plain:
		m = r.parsePlain(text)
	case SGF:
		m = r.parseSGF(text)
	case XY:
		m = r.parseXY(text)
	default:
		return game.NoMove, false
	}
	if m == game.NoMove && (text == "--" || strings.EqualFold(text, "pass")) {
		m = game.Pass
	}
	return m, m != game.NoMove
}

// drop returns the move to column x and row y from the top left.
func (r *Rules) drop(x, y int) game.Move {
	if x < 0 || y < 0 || x >= r.size.W || y >= r.size.H {
		return game.Drop(board.Outside)
	}
	return game.Drop(board.At(x, y))
}

// parseAny reads all notations but the empty SGF pass, which is too easily
// written by mistake.
func (r *Rules) parseAny(text string) game.Move {
	if text == "" {
		return game.NoMove
	}
	for _, parse := range []func(string) game.Move{r.parsePlain, r.parseSGF, r.parseXY} {
		if m := parse(text); m != game.NoMove {
			return m
		}
	}
	return game.NoMove
}

func (r *Rules) parsePlain(text string) game.Move {
	if len(text) < 2 {
		return game.NoMove
	}
	column := text[0] | 0x20
	row, ok := number(text[1:])
	if column < 'a' || column > 'z' || !ok {
		return game.NoMove
	}
	return r.drop(int(column-'a'), r.size.H-row)
}

func (r *Rules) parseSGF(text string) game.Move {
	if text == "" || text == "tt" && r.size.W <= 19 && r.size.H <= 19 {
		return game.Pass
	}
	if len(text) != 2 || text[0] < 'a' || text[0] > 'z' || text[1] < 'a' || text[1] > 'z' {
		return game.NoMove
	}
	return r.drop(int(text[0]-'a'), int(text[1]-'a'))
}

func (r *Rules) parseXY(text string) game.Move {
	left, right, ok := strings.Cut(text, ",")
	x, okX := number(left)
	y, okY := number(right)
	if !ok || !okX || !okY {
		return game.NoMove
	}
	return r.drop(x-1, y-1)
}

// number reads one or two digits without a leading zero.
func number(text string) (n int, ok bool) {
	if text == "" || len(text) > 2 || text[0] == '0' {
		return 0, false
	}
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// AppendMove appends the text of a move.
func (r *Rules) AppendMove(dst []byte, _ game.Position, m game.Move, n game.Notation) []byte {
	if m == game.Pass {
		if n == SGF {
			return dst
		}
		return append(dst, "pass"...)
	}
	x, y := m.To().X(), m.To().Y()
	switch n {
	case SGF:
		return append(dst, byte('a'+x), byte('a'+y))
	case XY:
		dst = strconv.AppendInt(dst, int64(x+1), 10)
		return strconv.AppendInt(append(dst, ','), int64(y+1), 10)
	}
	return strconv.AppendInt(append(dst, byte('a'+x)), int64(r.size.H-y), 10)
}

// Vertex returns a point as engines write it: capital letters without I, ranks
// from the bottom.
func (r *Rules) Vertex(m game.Move) string {
	column := byte('A' + m.To().X())
	if column >= 'I' {
		column++
	}
	return string(column) + strconv.Itoa(r.size.H-m.To().Y())
}

// RandomPlies is how many moves games between programs may begin with by chance:
// more of them leave nothing to play for.
func (r *Rules) RandomPlies() int { return 4 }
