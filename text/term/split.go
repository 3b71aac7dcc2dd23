package term

import (
	"slices"
	"strings"
)

// Class is what a piece of a text is.
type Class uint8

// The classes of pieces.
const (
	Mark    Class = iota // blanks, punctuation and numbers
	Known                // a term
	Link                 // a word between terms
	Phrase               // made of words of the game, but not in the dictionary
	Unknown              // anything else
)

// Side is whose a term of a title is.
type Side uint8

// The sides.
const (
	Unstated Side = iota
	First
	Second
	Both
)

// Wing is the half of the board that a term of a title names.
type Wing uint8

// The wings, as the owner sees them.
const (
	NoWing Wing = iota
	Left
	Right
)

// Piece is a part of a text.
type Piece struct {
	Text  string // as it stands there
	At    int    // where, in bytes
	Class Class
	Term  *Term // of a Known piece
	Side  Side  // of a Known piece or a Phrase
	File  int   // the number of a file that it names, as 7 in 進7卒; 0 for none
	Wing  Wing
}

// What the ways to cut a text cost. A term is cheap whatever its length, so that
// few and long ones win; two terms are cheaper than a phrase over both, and a
// phrase is cheaper than a term and a character that is left over.
const (
	costTerm        = 10
	costLink        = 8
	costMark        = 1
	costNumber      = 5
	costPhrase      = 16
	costPhraseChar  = 3
	costUnknown     = 14
	costUnknownChar = 9
)

const never = int32(1) << 29

// step is the cheapest way to a place in a text: behind a known piece, or within
// an unknown run, which goes on more cheaply than it begins.
type step struct {
	cost  int32
	from  int32
	term  int32
	class Class
}

// The numbers under which the trie holds words that are no terms.
const (
	isLink    = -2
	isAgainst = -3
	isFirst   = -4
	isSecond  = -5
)

// enter puts the words between terms into a trie.
func (w *words) enter(t *trie) {
	for i, list := range [][]string{w.link, w.against, w.first, w.second} {
		for _, word := range list {
			t.add(word, int32(isLink-i))
		}
	}
}

// Split cuts a text into pieces, which put together are the text. Where it is a
// title in which one part stands against another (中炮對屏風馬), or which says
// whose it is (紅中炮黑屏風馬), each term has its side; a blank begins anew.
//
// It takes about a microsecond a character.
func (d *Dict) Split(s string) []Piece {
	if s == "" {
		return nil
	}
	cells := d.words.cells(s)
	steps := d.cheapest(cells)
	pieces := d.trace(s, cells, steps)
	for i := range pieces {
		d.detail(&pieces[i])
	}
	d.sides(pieces)
	return pieces
}

// cheapest fills the table of ways: two entries a place, known and unknown.
func (d *Dict) cheapest(cells []cell) []step {
	n := len(cells)
	steps := make([]step, 2*(n+1))
	for i := range steps {
		steps[i].cost = never
	}
	steps[0].cost = 0
	reach := func(from, to int, cost int32, class Class, term int32) {
		if c := steps[from].cost + cost; c < steps[to].cost {
			steps[to] = step{c, int32(from), term, class}
		}
	}
	for i := range cells {
		known, unknown := 2*i, 2*i+1
		// An unknown run may end anywhere, for nothing.
		if steps[unknown].cost < steps[known].cost {
			steps[known] = steps[unknown]
			steps[known].from = int32(unknown)
			steps[known].class = ended
		}
		if steps[known].cost == never {
			continue
		}
		r := cells[i].r
		switch {
		case r == 0:
			reach(known, known+2, costMark, Mark, -1)
			continue
		case digit(r) > 0 || r >= '0' && r <= '9':
			reach(known, known+2, costNumber, Mark, -1)
		}
		if n := counter(cells[i:]); n > 0 {
			reach(known, 2*(i+n), costMark, Mark, -1)
		}
		reach(known, unknown+2, costUnknown+costUnknownChar, Unknown, -1)
		if steps[unknown].cost < never {
			reach(unknown, unknown+2, costUnknownChar, Unknown, -1)
		}
		d.trie.from(cells[i:], func(length int, term int32) {
			if term <= isLink {
				reach(known, 2*(i+length), costLink, Link, term)
			} else {
				reach(known, 2*(i+length), costTerm, Known, term)
			}
		})
		d.words.phrases(cells[i:], func(length int) {
			reach(known, 2*(i+length), costPhrase+costPhraseChar*int32(length), Phrase, -1)
		})
	}
	if steps[2*n+1].cost < steps[2*n].cost {
		steps[2*n] = steps[2*n+1]
		steps[2*n].from = int32(2*n + 1)
		steps[2*n].class = ended
	}
	return steps
}

// counter returns the length of a number of a chapter or a game, as 第105局, at the
// start of the cells; 0 where there is none.
func counter(cells []cell) int {
	if cells[0].r != '第' {
		return 0
	}
	n := 1
	for n < len(cells) && (digit(cells[n].r) > 0 || strings.ContainsRune("0十百零〇", cells[n].r)) {
		n++
	}
	if n > 1 && n < len(cells) && strings.ContainsRune("局章节轮届种盘台篇回", cells[n].r) {
		return n + 1
	}
	return 0
}

// ended marks the step from within an unknown run to behind it.
const ended Class = 255

// from calls f for every key that begins with the first of the cells.
func (t *trie) from(cells []cell, f func(length int, term int32)) {
	if t.next == nil {
		return
	}
	at := int32(0)
	for i := range cells {
		to, ok := t.next[edge{at, cells[i].r}]
		if !ok {
			return
		}
		if at = to; t.terms[at] != -1 {
			f(i+1, t.terms[at])
		}
	}
}

// trace follows the cheapest way back and makes pieces of it. Neighbours that
// are marks, and characters of one unknown run, are one piece.
func (d *Dict) trace(s string, cells []cell, steps []step) []Piece {
	var pieces []Piece
	end := len(s)
	for at := 2 * len(cells); at > 0; {
		st := steps[at]
		if st.class == ended {
			at = int(st.from)
			continue
		}
		start := cells[st.from/2].start
		if n := len(pieces); n > 0 && pieces[n-1].Class == st.class && (st.class == Mark || st.class == Unknown && at%2 == 1) {
			pieces[n-1].At, pieces[n-1].Text = start, s[start:pieces[n-1].At+len(pieces[n-1].Text)]
		} else {
			p := Piece{Text: s[start:end], At: start, Class: st.class}
			switch {
			case st.class == Known:
				p.Term = &d.terms[st.term]
			case st.class == Link:
				p.File = int(st.term) // until sides has read it
			}
			pieces = append(pieces, p)
		}
		end = start
		at = int(st.from)
	}
	slices.Reverse(pieces)
	return pieces
}

// detail reads the file and the wing that a piece names.
func (d *Dict) detail(p *Piece) {
	if p.Class != Known && p.Class != Phrase {
		return
	}
	cells := d.words.cells(p.Text)
	for i, c := range cells {
		switch r := c.r; {
		case r == '左' && p.Wing == NoWing:
			p.Wing = Left
		case r == '右' && p.Wing == NoWing:
			p.Wing = Right
		case i+1 < len(cells) && digit(r) > 0 && (cells[i+1].r == '路' || d.words.piece[cells[i+1].r]):
			if p.Term == nil || p.Term.Kind == Move {
				p.File = digit(r)
			}
		}
	}
}

// sides says whose each term is, part by part.
func (d *Dict) sides(pieces []Piece) {
	for len(pieces) > 0 {
		end := slices.IndexFunc(pieces, func(p Piece) bool { return p.Class == Mark && breaks(p.Text) })
		if end < 0 {
			end = len(pieces)
		}
		partSides(pieces[:end])
		pieces = pieces[min(end+1, len(pieces)):]
	}
}

// breaks reports whether a mark parts what is before it from what is behind.
func breaks(mark string) bool {
	return strings.ContainsFunc(mark, func(r rune) bool { return r < '0' || r > '9' })
}

// partSides says whose each term of a part is, and takes the numbers of links
// away.
func partSides(pieces []Piece) {
	side := Unstated
	against := slices.IndexFunc(pieces, func(p Piece) bool { return p.Class == Link && p.File == isAgainst })
	if against > 0 && against < len(pieces)-1 {
		side = First
	}
	for i := range pieces {
		p := &pieces[i]
		switch p.Class {
		case Link:
			switch {
			case p.File == isFirst:
				side = First
			case p.File == isSecond:
				side = Second
			case p.File == isAgainst && i > 0:
				side = Second
			}
			p.File = 0
		case Known, Phrase:
			if p.Side = side; strings.HasPrefix(p.Text, "互") {
				p.Side = Both
			}
		}
	}
}
