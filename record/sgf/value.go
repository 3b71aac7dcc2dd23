package sgf

import (
	"strings"

	"qipu/board"
	"qipu/record"
	"qipu/record/sgf/split"
)

// isSyntax tells which bytes end text that means nothing.
var isSyntax = func() (syntax [256]bool) {
	for c := range syntax {
		syntax[c] = split.IsIdent[c] || c <= ' ' || strings.IndexByte(";()[", byte(c)) >= 0
	}
	return syntax
}()

// isUpper reports whether a name is an identifier of FF[4], where digits are
// let pass, or no name at all.
func isUpper(name string) bool {
	for i := range len(name) {
		if c := name[i]; !split.IsIdent[c] || split.IsLower(c) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return split.IsLower(c | 0x20) }

// plainText resolves the escapes of a value and makes every line end a "\n".
func plainText(value string, escaped bool) string {
	if !escaped && strings.IndexByte(value, '\r') < 0 {
		return value
	}
	var b strings.Builder
	b.Grow(len(value))
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '\\':
			if i++; i == len(value) {
				return b.String()
			}
			if n := lineEnd(value[i:]); n > 0 {
				i += n - 1 // a line broken for looks
			} else {
				b.WriteByte(value[i])
			}
		case c == '\r' || c == '\n':
			i += lineEnd(value[i:]) - 1
			b.WriteByte('\n')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// lineFeeds makes every line end a "\n", as plainText does.
func lineFeeds(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return string(appendLineFeeds(make([]byte, 0, len(text)), text))
}

func appendLineFeeds(dst []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		if n := lineEnd(text[i:]); n > 0 {
			i += n - 1
			dst = append(dst, '\n')
		} else {
			dst = append(dst, text[i])
		}
	}
	return dst
}

// lineEnd returns the length of the line end that text begins with: LF, CR, or
// one of each.
func lineEnd(text string) int {
	if text == "" || text[0] != '\n' && text[0] != '\r' {
		return 0
	}
	if len(text) > 1 && text[0]+text[1] == '\n'+'\r' {
		return 2
	}
	return 1
}

// appendEscaped appends a text so that it reads back as it is.
func appendEscaped(dst []byte, text string) []byte {
	if !strings.ContainsAny(text, "\\]\r") {
		return append(dst, text...)
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\', ']':
			dst = append(dst, '\\', c)
		case '\r':
			i += lineEnd(text[i:]) - 1
			dst = append(dst, '\n')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// escapeBrackets escapes the closing brackets that are not.
func escapeBrackets(value string) string {
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == ']':
			b.WriteString(`\]`)
		case c == '\\' && i+1 < len(value):
			b.WriteString(value[i : i+2])
			i++
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// wellFormed reports whether a value can stand between brackets as it is.
func wellFormed(value string) bool {
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case ']':
			return false
		case '\\':
			if i++; i == len(value) {
				return false
			}
		}
	}
	return true
}

// The points of the largest board that letters can name, 52x52, as texts: they
// are made once, so that spreading out rectangles allocates nothing.
var pointTexts = makePointTexts()

const maxSide = 52

func makePointTexts() string {
	var b strings.Builder
	for y := range maxSide {
		for x := range maxSide {
			b.WriteByte(coordinateLetter(x))
			b.WriteByte(coordinateLetter(y))
		}
	}
	return b.String()
}

func coordinateLetter(n int) byte {
	if n < 26 {
		return 'a' + byte(n)
	}
	return 'A' + byte(n-26)
}

// pointText returns the letters of column x and row y from the top left.
func pointText(x, y int) string {
	i := 2 * (y*maxSide + x)
	return pointTexts[i : i+2]
}

// coordinate returns the column or row that a letter means.
func coordinate(c byte) int {
	if split.IsLower(c) {
		return int(c - 'a')
	}
	return int(c-'A') + 26
}

func isPoint(text string) bool { return len(text) == 2 && isLetter(text[0]) && isLetter(text[1]) }

// allPoints reports whether a text is points with commas between them.
func allPoints(text string) bool {
	for point := range strings.SplitSeq(text, ",") {
		if !isPoint(strings.TrimSpace(point)) {
			return false
		}
	}
	return true
}

// sideOf returns the side that a value of PL names, black being the first.
func sideOf(value string) record.Side {
	switch word := strings.ToLower(strings.TrimSpace(value)); {
	case word == "1" || strings.HasPrefix(word, "b"):
		return record.First
	case word == "2" || strings.HasPrefix(word, "w"):
		return record.Second
	}
	return record.Unstated
}

func colourName(s record.Side) string {
	if s == record.Second {
		return "W"
	}
	return "B"
}

// groupPuts brings the stones of one colour together, in the order in which
// the colours first appear, unless a point is set up twice: then the order of
// the file decides what is on it.
func groupPuts(puts []record.Put) []record.Put {
	grouped := make([]record.Put, 0, len(puts))
	if _, twice := overlap(puts); twice {
		return append(grouped, puts...)
	}
	var done [3]bool
	for i := range puts {
		piece := puts[i].Piece
		if int(piece) >= len(done) || done[piece] {
			continue
		}
		done[piece] = true
		for _, put := range puts[i:] {
			if put.Piece == piece {
				grouped = append(grouped, put)
			}
		}
	}
	return grouped
}

// overlap returns a point that is set up twice, and differently.
func overlap(puts []record.Put) (point string, twice bool) {
	if len(puts) < 2 {
		return "", false
	}
	var seen [maxSide][maxSide]board.Piece // piece + 1
	for _, put := range puts {
		if !isPoint(put.Point) {
			continue
		}
		at := &seen[coordinate(put.Point[1])][coordinate(put.Point[0])]
		if *at != 0 && *at != put.Piece+1 {
			return put.Point, true
		}
		*at = put.Piece + 1
	}
	return "", false
}

// pieceName returns the property that sets up a piece.
func pieceName(p board.Piece) string {
	switch p {
	case board.Empty:
		return "AE"
	case 1:
		return "AB"
	case 2:
		return "AW"
	}
	return ""
}
