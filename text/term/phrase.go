package term

// maxPhrase is the most characters of a phrase.
const maxPhrase = 7

// The states of a phrase as it is read.
const (
	phraseStart = iota
	phraseMarks // 左, 雙, 7路: which
	phraseVerb  // 進: a verb, its piece is to come
	phrasePiece // 左炮: who
	phraseDoes  // 左炮打: what it does, perhaps where or to whom
	phraseDone  // 進左炮: may still do something
	phraseAgain // 進炮打
	phraseFull  // 進炮打車
)

// phrases calls f for the length of every phrase at the start of the cells:
// marks and a piece (雙正馬), a verb and a piece (飛左象), a piece and what it does
// (右馬退), to another one (伸炮攻馬).
func (w *words) phrases(cells []cell, f func(length int)) {
	if w.piece == nil {
		return
	}
	state := phraseStart
	for i := 0; i < len(cells) && i < maxPhrase; i++ {
		if state = w.next(state, cells[i].r); state < 0 {
			return
		}
		switch state {
		case phraseDoes, phraseDone, phraseFull:
			f(i + 1)
		case phrasePiece:
			if i > 0 {
				f(i + 1)
			}
		}
	}
}

// next returns the state behind a character, -1 where a phrase cannot go on.
func (w *words) next(state int, r rune) int {
	mark := w.mark[r] || digit(r) > 0
	switch {
	case mark:
		switch state {
		case phraseStart:
			return phraseMarks
		case phraseMarks, phraseVerb, phraseDoes, phraseAgain:
			return state
		}
	case w.verb[r]:
		switch state {
		case phraseStart:
			return phraseVerb
		case phrasePiece, phraseDoes:
			return phraseDoes
		case phraseDone:
			return phraseAgain
		}
	case w.piece[r]:
		switch state {
		case phraseStart, phraseMarks:
			return phrasePiece
		case phraseVerb, phraseDoes:
			return phraseDone
		case phraseAgain:
			return phraseFull
		}
	}
	return -1
}
