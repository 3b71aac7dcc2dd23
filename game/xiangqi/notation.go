package xiangqi

import (
	"fmt"
	"strconv"

	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// The notations, in the order in which AnyNotation tries them.
const (
	ICCS       game.Notation = "iccs"         // h2e2, H2-E2
	UCI        game.Notation = "uci"          // h3e3, h10g8
	WXF        game.Notation = "wxf"          // C2=5, H8+7, C+-2
	Chinese    game.Notation = "chinese"      // 炮二平五, 馬８進７, 前車退一
	Simplified game.Notation = "chinese-hans" // 炮二平五, 马８进７, 前车退一
)

// ParseMove reads a move in one notation or in any of them. The two kinds of
// Chinese text are read alike.
//
// The shapes of the notations tell them apart, all but one pair: "h3e3" is
// ICCS and UCI. With AnyNotation it is ICCS wherever that is legal, and UCI
// only otherwise; records that are known to be UCI should say so.
//
// Where the error is an ErrIllegal and the text means one move all the same,
// that move is returned too.
func (r *Rules) ParseMove(gp game.Position, text string, n game.Notation) (game.Move, error) {
	p := gp.(*Position)
	switch n {
	case game.AnyNotation:
		return p.parseAny(text)
	case ICCS:
		return p.parseCoordinates(text, iccsTop)
	case UCI:
		return p.parseCoordinates(text, uciTop)
	case WXF:
		return p.parsePhrase(readWXF(text))
	case Chinese, Simplified:
		return p.parsePhrase(readChinese(text))
	}
	return game.NoMove, fmt.Errorf("unknown notation %q: %w", n, game.ErrSyntax)
}

func (p *Position) parseAny(text string) (game.Move, error) {
	m, err := p.parseCoordinates(text, iccsTop)
	if err == nil {
		return m, nil
	}
	if m, uciErr := p.parseCoordinates(text, uciTop); uciErr != game.ErrSyntax {
		if uciErr == nil || err == game.ErrSyntax {
			return m, uciErr
		}
	}
	if err != game.ErrSyntax {
		return m, err
	}
	ph, ok := readWXF(text)
	if !ok {
		ph, ok = readChinese(text)
	}
	return p.parsePhrase(ph, ok)
}

// AppendMove appends the text of a legal move to dst.
func (r *Rules) AppendMove(dst []byte, gp game.Position, m game.Move, n game.Notation) []byte {
	p := gp.(*Position)
	from, to, err := squares(m)
	if err != nil {
		return append(dst, "none"...)
	}
	switch n {
	case UCI:
		return appendSquare(appendSquare(dst, from, uciTop), to, uciTop)
	case WXF:
		return p.describe(from, to).appendWXF(dst)
	case Chinese:
		return p.describe(from, to).appendChinese(dst, p.turn, &traditional)
	case Simplified:
		return p.describe(from, to).appendChinese(dst, p.turn, &simplified)
	}
	return appendSquare(appendSquare(dst, from, iccsTop), to, iccsTop)
}

// The name of the top row in the notations by coordinates.
const (
	iccsTop = 9
	uciTop  = 10
)

func appendSquare(dst []byte, s square, top int) []byte {
	return strconv.AppendInt(append(dst, 'a'+attack.X[s]), int64(top-int(attack.Y[s])), 10)
}

func (p *Position) parseCoordinates(text string, top int) (game.Move, error) {
	from, rest := readSquare(text, top)
	if from == none {
		return game.NoMove, game.ErrSyntax
	}
	if rest != "" && rest[0] == '-' {
		rest = rest[1:]
	}
	to, rest := readSquare(rest, top)
	if to == none || rest != "" {
		return game.NoMove, game.ErrSyntax
	}
	return p.try(from, to)
}

// readSquare reads a square at the beginning of text, and returns none where
// there is none.
func readSquare(text string, top int) (square, string) {
	if len(text) < 2 {
		return none, text
	}
	x, rank := int(text[0]|0x20)-'a', int(text[1])-'0'
	if x < 0 || x >= width || rank < 0 || rank > 9 {
		return none, text
	}
	text = text[2:]
	if top == uciTop && rank == 1 && text != "" && text[0] == '0' {
		rank, text = 10, text[1:]
	}
	if y := top - rank; y >= 0 && y < height {
		return attack.At(x, y), text
	}
	return none, text
}

// try returns the move from one square to another, with the reason if it is
// not legal.
func (p *Position) try(from, to square) (game.Move, error) {
	if !p.legal(from, to) {
		return step(from, to), p.refusal(from, to)
	}
	return step(from, to), nil
}
