package term

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Title returns the part of a header that names the opening: of
// "042-東北韓福德先勝上海胡榮華 順炮橫車對直車" it is 順炮橫車對直車. Several parts are
// put together with blanks. It is empty where no opening is named.
//
// A header is cut at blanks, brackets and dashes. A part belongs to the title if
// there is a term of openings in it, or a phrase that is said to be of one side,
// and if it either has twice as many characters of terms and phrases as unknown
// ones, or begins with such a term and says what it stands against.
func (d *Dict) Title(event string) string {
	var parts []string
	pieces := d.Split(event)
	for len(pieces) > 0 {
		end := slices.IndexFunc(pieces, func(p Piece) bool { return p.Class == Mark && breaks(p.Text) })
		if end < 0 {
			end = len(pieces)
		}
		if part := titlePart(pieces[:end]); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
		pieces = pieces[min(end+1, len(pieces)):]
	}
	return strings.Join(parts, " ")
}

// titlePart returns the text of a part if it belongs to a title, without numbers
// at its ends and names before it.
func titlePart(pieces []Piece) string {
	for len(pieces) > 0 && pieces[0].Class == Mark {
		pieces = pieces[1:]
	}
	for len(pieces) > 0 && pieces[len(pieces)-1].Class == Mark {
		pieces = pieces[:len(pieces)-1]
	}
	good, bad, opening, versus := 0, 0, false, false
	for i, p := range pieces {
		n := utf8.RuneCountInString(p.Text)
		switch p.Class {
		case Known:
			opening = opening || p.Term.Kind == Opening || p.Term.Kind == Move
			versus = versus || p.Side == First && i == 0
			good += n
		case Phrase:
			opening = opening || p.Side != Unstated
			good += n
		case Unknown:
			bad += n
		}
	}
	if !opening || 2*bad > good && !versus {
		return ""
	}
	if pieces[0].Class == Unknown && utf8.RuneCountInString(pieces[0].Text) > 1 {
		pieces = pieces[1:]
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}
