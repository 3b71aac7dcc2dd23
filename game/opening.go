package game

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu/board"
)

// OpeningRule is a rule by which two players share out the first moves of a game, so
// that neither has an advantage: somebody puts stones of both colours, somebody else
// chooses which colour to play.
type OpeningRule struct {
	Name   string // "taraguchi-10"
	Titles board.Names
	Howto  board.Names // in a sentence or two
}

// OpeningAct is what is to be done next in such an opening.
type OpeningAct string

// The acts.
const (
	PutStone    OpeningAct = "put"    // a stone of the colour that is to move goes onto a point
	OfferStone  OpeningAct = "offer"  // a point is offered for the next stone
	TakeOffered OpeningAct = "take"   // the next stone goes onto one of the points that were offered
	ChooseWord  OpeningAct = "choose" // one of some words
)

// The words that rules share. A number is a word, too.
const (
	SwapSides = "swap" // who answers takes the other colour
	KeepSides = "stay" // and keeps the own one
	PutMore   = "more" // puts more stones, and leaves the choice to the other player
	OfferMany = "many" // offers many points for the next stone instead
)

// OpeningAnswer is one decision: a point, or a word where Word is not empty.
type OpeningAnswer struct {
	Word string
	At   board.Point
}

// OpeningAsk is what is to be decided next.
type OpeningAsk struct {
	Act  OpeningAct
	Side Side // who decides: the player of this colour, as colours are held now

	Words   []string      // of ChooseWord
	Points  []board.Point // where else a point may be; row by row
	Offered []board.Point // so far, in their order

	// Left is how many points have to be told in a row, this one included.
	Left int
}

// Opener is a Rules whose games can be opened by such rules. An opening begins on the
// empty board, and is over when nothing is asked any more.
type Opener interface {
	// OpeningRules lists them, the usual one first; nil where the board has room for none.
	OpeningRules() []OpeningRule

	// OpeningAsk returns what is to be decided after some answers, and the moves that they
	// were; nil where the opening is over. The error tells the rule or the answer that
	// cannot be, and wraps ErrIllegal in the latter case.
	OpeningAsk(rule string, answers []OpeningAnswer) (*OpeningAsk, []Move, error)
}

// ErrOpening tells that there is no opening rule of that name.
var ErrOpening = errors.New("there is no such opening rule")

// Check reports why an answer is none to this question; the error wraps ErrIllegal.
func (a *OpeningAsk) Check(r Rules, x OpeningAnswer) error {
	if a.Act == ChooseWord {
		if slices.Contains(a.Words, x.Word) {
			return nil
		}
		return fmt.Errorf("one of %s is wanted: %w", strings.Join(a.Words, ", "), ErrIllegal)
	}
	if x.Word != "" {
		return fmt.Errorf("a point is wanted, and not %q: %w", x.Word, ErrIllegal)
	}
	if slices.Contains(a.Points, x.At) {
		return nil
	}
	name := r.Geometry().Name(x.At)
	switch {
	case a.Act == TakeOffered:
		return fmt.Errorf("%s was not offered: %w", name, ErrIllegal)
	case a.Act == OfferStone && slices.Contains(a.Offered, x.At):
		return fmt.Errorf("%s was offered already: %w", name, ErrIllegal)
	case a.Act == OfferStone:
		return fmt.Errorf("%s is taken, or symmetrical to a point that was offered: %w", name, ErrIllegal)
	}
	return fmt.Errorf("a stone on %s is not allowed by the opening rule: %w", name, ErrIllegal)
}
