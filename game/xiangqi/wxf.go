package xiangqi

import "strings"

// wxfLetters are the letters of the kinds in the order of their numbers.
const wxfLetters = "KAERHCP"

// readWXF reads the notation of the World Xiangqi Federation: a letter, a file,
// a sign, a number. In place of the file may stand "+" for the front, "." or
// "=" for the middle, "-" for the rear piece, or a letter a-e that numbers
// the pieces on crowded files. "+C=5" for "C+=5" and "P+9=8" with both place
// and file are read too.
func readWXF(text string) (ph phrase, ok bool) {
	if len(text) != 4 && len(text) != 5 {
		return ph, false
	}
	letter, second := text[0], text[1]
	if letter == '+' || letter == '-' {
		letter, second = second, letter
	}
	if ph.kind, ok = wxfKind(letter); !ok {
		return ph, false
	}
	switch c := second | 0x20; {
	case second >= '1' && second <= '9':
		ph.file = second - '0'
	case c >= 'a' && c <= 'e':
		ph.place = place(c - 'a' + 1)
	default:
		sign, ok := wxfWay(second)
		if !ok {
			return ph, false
		}
		ph.place = [3]place{rear, middle, front}[sign+1]
	}
	rest := text[2:]
	if len(rest) == 3 {
		if ph.place == alone || rest[0] < '1' || rest[0] > '9' {
			return ph, false
		}
		ph.file, rest = rest[0]-'0', rest[1:]
	}
	if ph.way, ok = wxfWay(rest[0]); !ok || rest[1] < '1' || rest[1] > '9' {
		return ph, false
	}
	ph.n = rest[1] - '0'
	return ph, true
}

func wxfKind(letter byte) (kind, bool) {
	letter &^= 0x20
	switch letter {
	case 'B':
		letter = 'E'
	case 'N':
		letter = 'H'
	}
	i := strings.IndexByte(wxfLetters, letter)
	return kind(max(i, 0)), i >= 0
}

func wxfWay(sign byte) (way, bool) {
	switch sign {
	case '+':
		return advance, true
	case '-':
		return retreat, true
	case '.', '=':
		return sideways, true
	}
	return sideways, false
}

func (ph phrase) appendWXF(dst []byte) []byte {
	dst = append(dst, wxfLetters[ph.kind])
	switch ph.place {
	case alone:
		dst = append(dst, '0'+ph.file)
	case front:
		dst = append(dst, '+')
	case middle:
		dst = append(dst, '.')
	case rear:
		dst = append(dst, '-')
	default:
		dst = append(dst, 'a'+byte(ph.place)-1)
	}
	return append(dst, "-=+"[ph.way+1], '0'+ph.n)
}
