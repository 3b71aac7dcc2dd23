package draw

import (
	"strings"
	"unicode"

	"qipu/board"
)

// alphabet is a set of characters that take equally many cells in a terminal.
//
//	plainAlphabet  ASCII, one cell
//	stoneAlphabet  East Asian ambiguous: one cell or two, but all alike
//	wideAlphabet   Chinese characters and full-width forms: always two cells
type alphabet struct {
	width int // cells, where ambiguous characters take one
	ascii bool
	grid  string // nine characters for the corners, sides and inside of a grid

	star, shade, legal, left, water string

	// letters turns a letter or number into a character of the alphabet, or
	// returns 0.
	letters func(text string) rune
}

var (
	plainAlphabet = alphabet{width: 1, ascii: true, grid: ".........", star: "+", shade: "+", legal: "-", left: "_", water: "~", letters: plainLetter}
	stoneAlphabet = alphabet{width: 1, grid: "┌┬┐├┼┤└┴┘", star: "╋", shade: "░", legal: "×", left: "□", water: "～", letters: circled}
	cellAlphabet  = alphabet{width: 1, grid: "·········", star: "·", shade: "░", legal: "×", left: "□", water: "～", letters: circled}
	wideAlphabet  = alphabet{width: 2, grid: "・・・・・・・・・", star: "＋", shade: "＋", legal: "＊", left: "＿", water: "～", letters: fullWidth}
)

// chooseAlphabet returns the alphabet that the pieces of a game belong to.
func chooseAlphabet(g *board.Geometry, o TextOptions) *alphabet {
	if !o.Unicode {
		return &plainAlphabet
	}
	for i := range g.Pieces {
		if Cells(g.Pieces[i].Symbol) > 1 {
			return &wideAlphabet
		}
	}
	if g.Cells {
		return &cellAlphabet
	}
	return &stoneAlphabet
}

// point returns the character of an empty point as it is seen.
func (a *alphabet) point(x, y int, s board.Size) string {
	i := 0
	if x > 0 {
		i++
	}
	if x == s.W-1 && x > 0 {
		i++
	}
	if y > 0 {
		i += 3
	}
	if y == s.H-1 && y > 0 {
		i += 3
	}
	size := len(a.grid) / 9
	return a.grid[i*size : (i+1)*size]
}

// place returns a name as it stands above a column or on a point: as one
// character of the alphabet if there is one.
func (a *alphabet) place(name string) string {
	if r := a.letters(name); r != 0 {
		return string(r)
	}
	return a.plain(name)
}

// plain returns a text that is safe to send to a terminal. Chinese numerals
// become digits where only ASCII will do.
func (a *alphabet) plain(text string) string {
	if !a.ascii {
		return a.keep(text)
	}
	switch i := strings.Index(numerals, text); {
	case text == "十":
		return "10"
	case i >= 0 && len(text) == len("一"):
		return string(rune('1' + i/len("一")))
	}
	return a.keep(text)
}

const numerals = "一二三四五六七八九"

// keep replaces what the alphabet cannot show, above all control characters.
func (a *alphabet) keep(text string) string {
	return strings.Map(func(r rune) rune {
		if a.ascii && r > '~' || r != ' ' && !unicode.IsGraphic(r) || unicode.Is(unicode.M, r) {
			return '?'
		}
		return r
	}, text)
}

func plainLetter(string) rune { return 0 }

// circled returns the circled form of a letter or a number up to 20. These
// have the same ambiguous width as stones.
func circled(text string) rune {
	switch {
	case len(text) == 1 && text[0] >= 'A' && text[0] <= 'Z':
		return 'Ⓐ' + rune(text[0]-'A')
	case len(text) == 1 && text[0] >= 'a' && text[0] <= 'z':
		return 'ⓐ' + rune(text[0]-'a')
	case len(text) == 1 && text[0] >= '1' && text[0] <= '9':
		return '①' + rune(text[0]-'1')
	case len(text) == 2 && text[0] == '1' && text[1] >= '0' && text[1] <= '9':
		return '⑩' + rune(text[1]-'0')
	case text == "20":
		return '⑳'
	}
	return 0
}

// fullWidth returns the form of a printable ASCII character that is two cells
// wide.
func fullWidth(text string) rune {
	if len(text) == 1 && text[0] > ' ' && text[0] < 0x7f {
		return '！' + rune(text[0]-'!')
	}
	return 0
}

// Cells returns the number of terminal cells that a text takes, where
// characters of ambiguous width take one.
func Cells(text string) int {
	n := 0
	for _, r := range text {
		n++
		if wide(r) {
			n++
		}
	}
	return n
}

// wide reports whether a character takes two cells in every terminal: the
// blocks that Unicode's EastAsianWidth table gives as W or F, coarsely.
func wide(r rune) bool {
	return r >= 0x1100 && r <= 0x115F ||
		r == 0x26AA || r == 0x26AB ||
		r >= 0x2E80 && r <= 0x303E ||
		r >= 0x3041 && r <= 0xA4CF ||
		r >= 0xAC00 && r <= 0xD7A3 ||
		r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFE30 && r <= 0xFE6F ||
		r >= 0xFF00 && r <= 0xFF60 ||
		r >= 0xFFE0 && r <= 0xFFE6 ||
		r >= 0x1F300 && r <= 0x1F64F ||
		r >= 0x1F900 && r <= 0x1F9FF ||
		r >= 0x20000 && r <= 0x3FFFD
}
