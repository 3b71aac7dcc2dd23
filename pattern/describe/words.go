package describe

import (
	"cmp"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// word is a word that means a state. In Xiangqi some mean a piece of either
// side, and who reads them knows by the numerals which.
type word struct {
	runes []rune
	sets  [3]pattern.Set // for the first side, for the second, and for who does not know; 0 is not to be told
}

// anySide is for who does not know the side of a word.
const anySide = 2

// The words that all games share.
var (
	emptyWord    = text{"空", "empty"}
	outsideWord  = text{"外", "outside"}
	anyWord      = text{"任意", "any"}
	anythingWord = text{"任何", "anything"}
	notWord      = text{"非", "not "}
	orWord       = text{"或", " or "}
)

// learn fills in the words of a game.
func (n *Namer) learn(info *game.Info) {
	n.sides = [2]text{{"先", "first"}, {"後", "second"}}
	if len(info.Sides) == 2 {
		var known [2]text
		for i, s := range info.Sides {
			known[i] = text{strings.TrimSuffix(s.Titles.Hant, "方"), strings.ToLower(s.Name)}
		}
		if apart(known[0], known[1]) {
			n.sides = known
		}
	}
	for i, look := range n.g.Pieces {
		set := pattern.Of(board.Piece(i + 1))
		full := text{look.Names.Hant, strings.ToLower(look.Names.En)}
		short := full
		if look.Owner == 0 || look.Owner == 1 {
			n.men[look.Owner] |= set
		}
		if len(n.g.Pieces) == 2 {
			short = n.sides[i]
			full = short
		}
		if look.Glyph != "" {
			short[zh] = strings.ReplaceAll(look.Glyph, "砲", "包")
		}
		n.pieces, n.full = append(n.pieces, short), append(n.full, full)
		for _, w := range []string{short[zh], short[en], full[zh], full[en], look.Names.Hant, look.Names.En} {
			n.add(w, set, set, set)
		}
	}
	if len(n.g.Pieces) > 2 {
		for i, side := range n.sides {
			n.add(side[zh]+"子", n.men[i], n.men[i], n.men[i])
			n.add(side[en]+" piece", n.men[i], n.men[i], n.men[i])
		}
	}
	for _, generic := range []struct {
		text text
		set  pattern.Set
	}{{emptyWord, pattern.Empty}, {outsideWord, pattern.Off}, {anyWord, n.on}, {anythingWord, n.on | pattern.Off}} {
		n.add(generic.text[zh], generic.set, generic.set, generic.set)
		n.add(generic.text[en], generic.set, generic.set, generic.set)
	}
	if n.posts != nil {
		n.learnXiangqi()
	}
	slices.SortStableFunc(n.words, func(a, b word) int { return cmp.Compare(len(b.runes), len(a.runes)) })
}

// label gives the points their names: those of the geometry where all are
// letters and a number, as names need them; otherwise, in a game that numbers
// its columns, letters from the left and numbers from the top.
func (n *Namer) label() {
	s := n.g.Size
	for _, name := range []func(board.Point) string{n.g.Name, func(p board.Point) string { return local(p.X(), p.Y()) }} {
		n.labels, n.at = nil, make(map[string]board.Point, s.Area())
		for p := range s.Points() {
			label := strings.ToLower(name(p))
			digits := strings.TrimLeft(label, "abcdefghijklmnopqrstuvwxyz")
			if digits != "" && len(digits) < len(label) && strings.Trim(digits, "0123456789") == "" {
				n.at[label] = p
			}
			n.labels = append(n.labels, name(p))
		}
		if len(n.at) == s.Area() {
			return
		}
	}
}

// name returns the name of a point of the board.
func (n *Namer) name(p board.Point) string { return n.labels[n.g.Size.Index(p)] }

// apart reports whether two words can be told apart in both languages.
func apart(a, b text) bool {
	for lang := range a {
		if a[lang] == "" || b[lang] == "" || a[lang] == b[lang] {
			return false
		}
	}
	return true
}

// add adds a word; the last meaning of a word is the one that counts.
func (n *Namer) add(w string, sets ...pattern.Set) {
	if w == "" {
		return
	}
	runes := []rune(strings.ToLower(w))
	for i := range runes {
		runes[i] = fold(runes[i])
	}
	n.words = slices.DeleteFunc(n.words, func(old word) bool { return slices.Equal(old.runes, runes) })
	n.words = append(n.words, word{runes, [3]pattern.Set(sets)})
}

// fold returns a character as the reader knows it: full-width forms are those
// of ASCII, and simplified characters the traditional ones, as far as names
// hold them. 车 and 马 stay, for they may mean a piece of either side.
func fold(c rune) rune {
	switch {
	case c >= '！' && c <= '～':
		return c - '！' + '!'
	case c == '\u3000' || c == '\t' || c == '\n' || c == '\r':
		return ' '
	}
	if to, ok := folded[c]; ok {
		return to
	}
	return c
}

var folded = func() map[rune]rune {
	m := map[rune]rune{'×': 'x', '〇': '0', '砲': '包', '礮': '包', '伡': '俥', '㐷': '傌', '后': '後'}
	hant := []rune(traditional)
	for i, c := range []rune(simplified) {
		m[c] = hant[i]
	}
	return m
}()

// The characters of names that are simplified, one by one in both. Those of
// pieces that both sides share then are not folded back: see learnXiangqi.
const (
	traditional = "紅壓牽對線圖邊盤動鏡調輪餘兩樣帥將於"
	simplified  = "红压牵对线图边盘动镜调轮余两样帅将于"
)

// spell returns a name in the characters of the namer's language.
func (n *Namer) spell(name string) string {
	if !n.hans {
		return name
	}
	hant, hans := []rune(traditional+"俥車傌馬包砲"), []rune(simplified+"车车马马炮炮")
	return strings.Map(func(c rune) rune {
		if i := slices.Index(hant, c); i >= 0 {
			return hans[i]
		}
		return c
	}, name)
}

// states returns what is written for a set, and of how many states it tells.
// Where sided is true, pieces are named with their side.
func (n *Namer) states(set pattern.Set, sided bool) (string, int) {
	switch set {
	case n.on:
		return anyWord[n.lang], 1
	case n.on | pattern.Off:
		return anythingWord[n.lang], 1
	}
	list := n.items(set, sided)
	if not := n.items(n.on&^set, sided); set&pattern.Off == 0 && len(n.g.Pieces) > 2 && len(not) < len(list) {
		return notWord[n.lang] + strings.Join(not, orWord[n.lang]), len(not)
	}
	return strings.Join(list, orWord[n.lang]), len(list)
}

// items returns the words of the states in a set.
func (n *Namer) items(set pattern.Set, sided bool) (list []string) {
	if len(n.g.Pieces) > 2 {
		for i, side := range n.men {
			if side != 0 && set&side == side {
				list = append(list, n.side(i))
				set &^= side
			}
		}
	}
	words := n.pieces
	if sided {
		words = n.full
	}
	for i, w := range words {
		if set.Has(board.Piece(i + 1)) {
			list = append(list, w[n.lang])
		}
	}
	if set&pattern.Empty != 0 {
		list = append(list, emptyWord[n.lang])
	}
	if set&pattern.Off != 0 {
		list = append(list, outsideWord[n.lang])
	}
	return list
}

// side returns what all pieces of a side are called.
func (n *Namer) side(i int) string {
	return n.sides[i][n.lang] + text{"子", " piece"}[n.lang]
}
