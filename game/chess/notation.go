package chess

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

// The notations.
const (
	SAN    game.Notation = "san"    // Nf3, exd5, O-O, e8=Q+
	LAN    game.Notation = "lan"    // Ng1-f3, e4xd5
	UCI    game.Notation = "uci"    // g1f3, e7e8q
	German game.Notation = "german" // Sf3, e8=D+
)

// The letters of the kinds; a pawn is written by none.
const (
	englishLetters = "KQRBNP"
	germanLetters  = "KDTLSB"
)

// written is a move as a text has it, before anybody knows what is meant.
type written struct {
	kind       kind // noKind where the text does not say
	file, rank int  // of the origin, -1 where the text does not say
	to         square
	become     kind
	castle     int // files that the king goes: 2 or -2
}

// ParseMove reads a move in one notation or in any of them. English and German
// letters are told apart by themselves: no letter has two meanings.
func (r *Rules) ParseMove(gp game.Position, text string, n game.Notation) (game.Move, error) {
	p := gp.(*Position)
	switch n {
	case game.AnyNotation, SAN, LAN, UCI, German:
	default:
		return game.NoMove, fmt.Errorf("unknown notation %q: %w", n, game.ErrSyntax)
	}
	switch text {
	case "--", "Z0", "null", "@@@@", "0000":
		return game.NoMove, game.ErrNoPass
	}
	w, ok := r.read(text)
	if !ok {
		return game.NoMove, game.ErrSyntax
	}
	return p.resolve(w)
}

// read takes a text apart.
func (r *Rules) read(text string) (w written, ok bool) {
	w = written{kind: noKind, file: -1, rank: -1, become: noKind}
	text = trimmed(text)
	if n, ok := castling(text); ok {
		w.castle = n
		return w, r.castles
	}
	if k, size := readKind(text); k != noKind {
		w.kind, text = k, text[size:]
	}
	// From the end: what the pawn becomes, the target, a sign, the origin.
	text, w.become, ok = cutBecome(text)
	if !ok || len(text) < 2 {
		return w, false
	}
	if w.to = r.readSquare(text[len(text)-2:]); w.to == attack.None {
		return w, false
	}
	text = text[:len(text)-2]
	if n := len(text); n > 0 && strings.IndexByte("x:-X*", text[n-1]) >= 0 {
		text = text[:n-1]
	} else if rest, found := strings.CutSuffix(text, "×"); found {
		text = rest
	}
	if len(text) > 0 && text[0] >= 'a' && int(text[0]-'a') < r.geo.Size.W {
		w.file, text = int(text[0]-'a'), text[1:]
	}
	if len(text) > 0 && text[0] >= '1' && int(text[0]-'1') < r.geo.Size.H {
		w.rank, text = int(text[0]-'1'), text[1:]
	}
	return w, text == ""
}

// trimmed returns a move without what is written behind it: check, mate, praise, and
// that it takes in passing.
func trimmed(text string) string {
	for {
		was := text
		text = strings.TrimRight(text, "+#!?†‡= ")
		for _, word := range [...]string{"e.p.", "e.p", "ep", "mate", "dis", "dbl", "ch"} {
			text = strings.TrimSuffix(text, word)
		}
		if text == was {
			return text
		}
	}
}

// castling reads O-O and O-O-O, with noughts or small letters too.
func castling(text string) (files int, ok bool) {
	if len(text) < 2 || strings.Trim(text, "Oo0-") != "" {
		return 0, false
	}
	switch strings.ReplaceAll(text, "-", "") {
	case "OO", "oo", "00":
		return 2, true
	case "OOO", "ooo", "000":
		return -2, true
	}
	return 0, false
}

// readKind reads the letter or the figure of a piece at the beginning of a text.
func readKind(text string) (k kind, size int) {
	if text == "" {
		return noKind, 0
	}
	if c := text[0]; c < 0x80 {
		for _, letters := range [...]string{englishLetters, germanLetters[:5]} {
			if i := strings.IndexByte(letters, c); i >= 0 {
				return kind(i), 1
			}
		}
		return noKind, 0
	}
	for i, c := range [...]string{"♔", "♕", "♖", "♗", "♘", "♙", "♚", "♛", "♜", "♝", "♞", "♟"} {
		if strings.HasPrefix(text, c) {
			return kind(i) % kinds, len(c)
		}
	}
	return noKind, 0
}

// cutBecome cuts off what a pawn becomes: =Q, (Q), /Q, Q, or the small letter of
// engines behind a rank.
func cutBecome(text string) (rest string, k kind, ok bool) {
	body := strings.TrimSuffix(text, ")")
	i := len(body) - 1
	for i > 0 && body[i]&0xC0 == 0x80 { // inside a figure
		i--
	}
	if i < 1 {
		return text, noKind, true
	}
	k, size := readKind(body[i:])
	if k == noKind {
		if j := strings.IndexByte("kqrbnp", body[i]); j >= 0 && body[i-1] >= '1' && body[i-1] <= '8' {
			k, size = kind(j), 1
		}
	}
	if k == noKind || i+size != len(body) {
		return text, noKind, len(body) == len(text)
	}
	rest = body[:i]
	if n := len(rest) - 1; strings.IndexByte("=(/", rest[n]) >= 0 {
		rest = rest[:n]
	}
	return rest, k, true
}

// readSquare reads two characters; none where they are no square of the board.
func (r *Rules) readSquare(text string) square {
	x, y := int(text[0])-'a', int(text[1])-'1'
	if x < 0 || x >= r.geo.Size.W || y < 0 || y >= r.geo.Size.H {
		return attack.None
	}
	return attack.At(x, y)
}

// resolve finds the move that is meant. Where it cannot be played, it comes back
// beside the reason if the text names both squares.
func (p *Position) resolve(w written) (game.Move, error) {
	own := p.of[p.turn][king].First()
	if w.castle != 0 {
		to := p.castleTo(own, w.castle > 0)
		if to == attack.None || !p.destinations(own).Has(to) {
			return game.NoMove, p.noCastle(own)
		}
		return p.rules.step(own, to, noKind), nil
	}
	if w.file >= 0 && w.rank >= 0 {
		from := attack.At(w.file, w.rank)
		if from == own && p.rules.castles {
			w.to = p.meant(from, w.to)
		}
		m := p.rules.step(from, w.to, w.become)
		if w.kind != noKind && p.on[from] != board.Empty && kindOf(p.on[from]) != w.kind {
			return m, ErrNotThere
		}
		return m, p.try(from, w.to, w.become)
	}
	k := w.kind
	if k == noKind {
		k = pawn
	}
	found, several := attack.None, false
	for s := p.of[p.turn][k]; s != 0; {
		from := s.Pop()
		if (w.file >= 0 && from.File() != w.file) || (w.rank >= 0 && from.Rank() != w.rank) || !p.destinations(from).Has(w.to) {
			continue
		}
		if k == pawn && w.file < 0 && from.File() != w.to.File() {
			continue // a capture says the file that it comes from
		}
		several = found != attack.None
		found = from
	}
	switch {
	case found == attack.None:
		return game.NoMove, p.absence(k, w)
	case several:
		return game.NoMove, ErrAmbiguous
	}
	return p.rules.step(found, w.to, w.become), p.try(found, w.to, w.become)
}

// absence says why none of the pieces of a kind can go where they are told to: the
// reason of the one that is meant, where only one can be.
func (p *Position) absence(k kind, w written) error {
	var reason error
	for s := p.of[p.turn][k]; s != 0; {
		from := s.Pop()
		if (w.file >= 0 && from.File() != w.file) || (w.rank >= 0 && from.Rank() != w.rank) {
			continue
		}
		err := p.refusal(from, w.to)
		if err == ErrNotItsMove || err == ErrNothing {
			continue
		}
		if reason != nil && reason != err {
			return ErrNotThere
		}
		reason = err
	}
	if reason == nil {
		return ErrNotThere
	}
	return reason
}

// AppendMove appends the text of a legal move to dst.
func (r *Rules) AppendMove(dst []byte, gp game.Position, m game.Move, n game.Notation) []byte {
	p := gp.(*Position)
	from, to, become, err := r.squares(m)
	if err != nil || p.on[from] == board.Empty {
		return append(dst, "none"...)
	}
	letters := englishLetters
	if n == German {
		letters = germanLetters
	}
	k := kindOf(p.on[from])
	if n == UCI {
		dst = r.appendSquare(r.appendSquare(dst, from), to)
		if become != noKind {
			dst = append(dst, englishLetters[become]|0x20)
		}
		return dst
	}
	takes := p.on[to] != board.Empty || k == pawn && to == p.passed
	corner := attack.None
	if k == king {
		corner = p.castles(from, to)
	}
	switch {
	case corner > from && corner != attack.None:
		dst = append(dst, "O-O"...)
	case corner != attack.None:
		dst = append(dst, "O-O-O"...)
	default:
		if k != pawn {
			dst = append(dst, letters[k])
		}
		switch {
		case n == LAN:
			dst = r.appendSquare(dst, from)
			if !takes {
				dst = append(dst, '-')
			}
		case k != pawn:
			dst = p.appendOrigin(dst, k, from, to)
		case takes:
			dst = append(dst, 'a'+byte(from.File()))
		}
		if takes {
			dst = append(dst, 'x')
		}
		dst = r.appendSquare(dst, to)
		if become != noKind {
			dst = append(dst, '=', letters[become])
		}
	}
	return p.appendCheck(dst, from, to, become)
}

func (r *Rules) appendSquare(dst []byte, s square) []byte {
	return append(dst, 'a'+byte(s.File()), '1'+byte(s.Rank()))
}

// appendOrigin appends what tells a piece from others of its kind that may go to the
// same square: the file, else the rank, else both.
func (p *Position) appendOrigin(dst []byte, k kind, from, to square) []byte {
	other, file, rank := false, false, false
	for s := p.of[p.turn][k] &^ from.Bit(); s != 0; {
		if q := s.Pop(); p.destinations(q).Has(to) {
			other = true
			file = file || q.File() == from.File()
			rank = rank || q.Rank() == from.Rank()
		}
	}
	if other && (!file || rank) {
		dst = append(dst, 'a'+byte(from.File()))
	}
	if file {
		dst = append(dst, '1'+byte(from.Rank()))
	}
	return dst
}

// appendCheck appends + or # where a legal move gives check or mate.
func (p *Position) appendCheck(dst []byte, from, to square, become kind) []byte {
	if p.try(from, to, become) != nil {
		return dst
	}
	drawn := p.drawn
	p.push(from, to, become)
	if p.InCheck() {
		if p.stuck() {
			dst = append(dst, '#')
		} else {
			dst = append(dst, '+')
		}
	}
	p.Undo()
	p.drawn = drawn
	return dst
}
