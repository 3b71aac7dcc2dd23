package pattern

import (
	"strings"

	"qipu/board"
)

// alphabet is what the characters of a diagram mean in one game. It is built
// for each diagram: that costs less than reading it.
type alphabet struct {
	stones  bool     // two kinds: X and O, and digits
	on      Set      // all states on the board
	of      [128]Set // by character; 0 for those that are no cell
	letters []byte   // letters[p-1] is written for piece p
	sides   [2]Set   // all pieces of the first and second side: + and - in brackets
}

func newAlphabet(g *board.Geometry) *alphabet {
	a := &alphabet{stones: len(g.Pieces) == 2, on: AnyOn(len(g.Pieces))}
	for i, look := range g.Pieces {
		piece := Of(board.Piece(i + 1))
		if look.Owner == 0 || look.Owner == 1 {
			a.sides[look.Owner] |= piece
		}
		letters := look.Letters
		if a.stones {
			// Position texts of these games take x for X; here it says more.
			letters = "XO"[i:i+1] + strings.Map(ownLetter, letters)
			a.of["xo"[i]] = piece | Empty
		}
		a.letters = append(a.letters, letters[0])
		for _, c := range []byte(letters) {
			if c|0x20 >= 'a' && c|0x20 <= 'z' {
				a.of[c] = piece
			}
		}
	}
	if !a.stones {
		a.of['0'] = a.on
	}
	a.of['.'] = Empty
	a.of['*'] = a.on
	a.of['?'] = a.on
	a.of['#'] = Off
	a.of['~'] = a.on | Off
	return a
}

// ownLetter drops the letters that mean the same in all games of two kinds.
func ownLetter(r rune) rune {
	if strings.ContainsRune("XxOo", r) {
		return -1
	}
	return r
}

// set returns what a character means as a cell, or 0.
func (a *alphabet) set(c rune) Set {
	if c < 0 || int(c) >= len(a.of) {
		return 0
	}
	return a.of[c]
}

// inside returns what a character means in brackets, or 0.
func (a *alphabet) inside(c rune) Set {
	switch c {
	case '+':
		return a.sides[0]
	case '-':
		return a.sides[1]
	}
	return a.set(c)
}

// allowed lists what may be a cell, for errors.
func (a *alphabet) allowed() string {
	return a.members() + ", or a set of them such as [" + string(a.letters[:1]) + ".] or [^.]"
}

// members lists the characters that may be cells.
func (a *alphabet) members() string {
	list := string(a.letters)
	if a.stones {
		list += "xo"
	}
	return strings.Join(strings.Split(list+".*?#~", ""), " ")
}

// digit returns the set that a digit of base 16 means; ok is false for any
// other character. The weights 1, 2 and 4 are those of Set itself.
func digit(c rune) (set Set, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		set = Set(c - '0')
	case c >= 'a' && c <= 'f':
		set = Set(c-'a') + 10
	case c >= 'A' && c <= 'F':
		set = Set(c-'A') + 10
	default:
		return 0, false
	}
	if set&8 != 0 {
		set ^= 8 | Off
	}
	return set, true
}

// text returns the canonical cell of a set.
func (a *alphabet) text(set Set) string {
	singles := string(a.letters) + ".*#~"
	if a.stones {
		singles += "xo"
	}
	for _, c := range singles {
		if a.set(c) == set {
			return string(c)
		}
	}
	list := "[" + a.list(set) + "]"
	// A complement never holds the outside.
	if set&Off == 0 {
		if not := "[^" + a.list(a.on&^set) + "]"; len(not) < len(list) {
			return not
		}
	}
	return list
}

// list returns the characters of a set in brackets.
func (a *alphabet) list(set Set) string {
	var list []byte
	for i, side := range a.sides {
		if side&(side-1) != 0 && set&side == side {
			list = append(list, "+-"[i])
			set &^= side
		}
	}
	for i, c := range a.letters {
		if set.Has(board.Piece(i + 1)) {
			list = append(list, c)
		}
	}
	if set&Empty != 0 {
		list = append(list, '.')
	}
	if set&Off != 0 {
		list = append(list, '#')
	}
	return string(list)
}
