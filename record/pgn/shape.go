package pgn

import (
	"strings"
	"unicode/utf8"
)

// shape is what a token looks like, told without any rules. A Chinese move is
// han and perhaps hant or hans, a move by squares is square and perhaps wide
// and far; the others exclude each other.
type shape uint16

const (
	han    shape = 1 << iota // 炮二平五
	hant                     // 馬八進七: a character that only traditional text has
	hans                     // 马八进七: one that only simplified text has
	square                   // h2e2, H2-E2
	wide                     // h10g8: a square that only UCI has
	far                      // i3i4, a0a1: and one of the squares is on no chess board
	wxf                      // C2=5
	point                    // h8
	pair                     // hh, where the Format tag says so
	comma                    // 8,8
	san                      // Nf3, O-O, exd5
	null                     // --, pass

	unshaped shape = 0
)

// shapeOf returns the shape of a token.
func shapeOf(tok string, pairs bool) shape {
	if tok[0] >= utf8.RuneSelf {
		if strings.HasPrefix(tok, "♔"[:2]) && len(tok) > 3 && isSAN("N"+tok[3:]) { // a figure of a piece
			return san
		}
		return chineseShape(tok)
	}
	switch n := len(tok); {
	case n == 2 && pairs && letter(tok[0]) && letter(tok[1]):
		return pair
	case tok == "--" || n == 4 && strings.EqualFold(tok, "pass"):
		return null
	case strings.HasPrefix(tok, "0-0"):
		return san
	case tok[0] >= '0' && tok[0] <= '9':
		// "8,8"; also "7炮平五", where someone numbers pieces with plain digits.
		if isComma(tok) {
			return comma
		}
		return chineseShape(tok)
	case n < 2 || n > 10:
		return unshaped
	case n <= 3 && letter(tok[0]) && digits(tok[1:]):
		return point
	}
	if s := squareShape(tok); s != unshaped {
		return s
	}
	if isWXF(tok) {
		return wxf
	}
	if isSAN(tok) {
		return san
	}
	return unshaped
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func isComma(tok string) bool {
	x, y, ok := strings.Cut(tok, ",")
	return ok && len(x) <= 2 && len(y) <= 2 && digits(x) && digits(y)
}

// squareShape reads two squares of files a-i and ranks 0-10.
func squareShape(tok string) shape {
	s := square
	rest, ok := skipSquare(tok, &s)
	if !ok || rest == "" {
		return unshaped
	}
	if rest[0] == '-' {
		rest = rest[1:]
	}
	if rest, ok = skipSquare(rest, &s); !ok || rest != "" {
		return unshaped
	}
	return s
}

func skipSquare(s string, found *shape) (rest string, ok bool) {
	if len(s) < 2 || s[0]|0x20 < 'a' || s[0]|0x20 > 'i' || s[1] < '0' || s[1] > '9' {
		return s, false
	}
	if s[0]|0x20 == 'i' || s[1] == '0' || s[1] == '9' {
		*found |= far
	}
	if s[1] == '1' && len(s) > 2 && s[2] == '0' {
		*found |= wide | far
		return s[3:], true
	}
	return s[2:], true
}

// isWXF reads a piece, a file or a place, a direction and a number; the place
// may come first.
func isWXF(tok string) bool {
	if len(tok) != 4 && len(tok) != 5 {
		return false
	}
	piece, file := tok[0], tok[1]
	if piece == '+' || piece == '-' {
		piece, file = file, piece
	}
	if strings.IndexByte("kaerhcpbn", piece|0x20) < 0 {
		return false
	}
	if !(file >= '1' && file <= '9') && !(file|0x20 >= 'a' && file|0x20 <= 'e') && !way(file) {
		return false
	}
	if len(tok) == 5 && (tok[2] < '1' || tok[2] > '9') {
		return false
	}
	return way(tok[len(tok)-2]) && tok[len(tok)-1] >= '1' && tok[len(tok)-1] <= '9'
}

func way(c byte) bool { return c == '+' || c == '-' || c == '.' || c == '=' }

// isSAN reads the moves of chess, and those that some programs make of them for
// Xiangqi (Che2).
func isSAN(tok string) bool {
	if strings.HasPrefix(tok, "O-O") || strings.HasPrefix(tok, "0-0") {
		return true
	}
	body := strings.TrimSuffix(strings.TrimSuffix(tok, "ep"), "e.p.")
	if len(body) < 2 {
		return false
	}
	if i := strings.IndexByte(body, '='); i > 1 && i == len(body)-2 { // a promotion
		body = body[:i]
	}
	if c := body[0]; c >= 'A' && c <= 'Z' {
		if strings.IndexByte("KQRBNACHE", c) < 0 {
			return false
		}
		body = body[1:]
	}
	for i := range len(body) {
		if c := body[i]; !(c >= 'a' && c <= 'i') && c != 'x' && c != '-' && c != ':' && (c < '0' || c > '9') {
			return false
		}
	}
	n := len(body)
	return n >= 2 && body[n-1] >= '0' && body[n-1] <= '9' && letter(body[n-2]) && body[n-2] != 'x'
}

// chineseShape reads four or five characters that end with a direction and a
// number.
func chineseShape(tok string) shape {
	if len(tok) == 12 { // four characters of three bytes: all but a few
		if s := direction(tok[6:9]); s != unshaped && numeral(tok[9:]) {
			return s | script(tok[:3])
		}
	}
	if n := utf8.RuneCountInString(tok); n != 4 && n != 5 {
		return unshaped
	}
	_, last := utf8.DecodeLastRuneInString(tok)
	_, before := utf8.DecodeLastRuneInString(tok[:len(tok)-last])
	s := direction(tok[len(tok)-last-before : len(tok)-last])
	if s == unshaped || !numeral(tok[len(tok)-last:]) {
		return unshaped
	}
	for _, r := range tok[:len(tok)-last-before] {
		s |= script(string(r))
	}
	return s
}

func direction(s string) shape {
	switch s {
	case "平", "退", "上", "下":
		return han
	case "進":
		return han | hant
	case "进":
		return han | hans
	}
	return unshaped
}

func script(s string) shape {
	switch s {
	case "車", "馬", "帥", "將", "後", "俥", "傌":
		return hant
	case "车", "马", "帅", "将", "后", "伡":
		return hans
	}
	return unshaped
}

func numeral(s string) bool {
	switch s {
	case "一", "二", "三", "四", "五", "六", "七", "八", "九",
		"１", "２", "３", "４", "５", "６", "７", "８", "９",
		"1", "2", "3", "4", "5", "6", "7", "8", "9":
		return true
	}
	return false
}

// chineseMoves cuts a token that is several Chinese moves without a space
// between them, and returns nil for anything else.
func chineseMoves(tok string) []string {
	var list []string
	for tok != "" {
		end := 0
		for range 4 {
			_, n := utf8.DecodeRuneInString(tok[end:])
			end += n
		}
		if chineseShape(tok[:end]) == unshaped {
			return nil
		}
		list = append(list, tok[:end])
		tok = tok[end:]
	}
	if len(list) < 2 {
		return nil
	}
	return list
}
