package play

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"qipu/cli"
	"qipu/game"
	"qipu/play"
	"qipu/view/playview"
)

// asked returns what the opening of a game asks; nil where nothing is asked.
func asked(v *play.View) *game.OpeningAsk {
	if v.Opening == nil || v.State == play.Over {
		return nil
	}
	return v.Opening.Ask
}

// ask tells what is to be decided.
func (x *parlour) ask(v *play.View) error {
	if x.app.JSON {
		return x.app.PrintJSON(cli.Typed("opening", playview.SharingOf(v)))
	}
	a := asked(v)
	side := v.Rules.Info().Sides[a.Side].Name
	var text string
	switch a.Act {
	case game.PutStone:
		text = "put a stone"
		if a.Left > 1 {
			text = fmt.Sprintf("put %d stones, the colours in turn", a.Left)
		}
		switch n := square(a, v); {
		case n == 1:
			text += ", the next in the centre"
		case n > 1:
			text += fmt.Sprintf(", the next within the central %dx%d", n, n)
		}
	case game.OfferStone:
		text = fmt.Sprintf("offer %d points for the next stone, no two of them symmetrical", a.Left)
		if a.Left == 1 {
			text = "offer one point for the next stone"
		}
	case game.TakeOffered:
		var names []string
		for _, p := range a.Offered {
			names = append(names, v.Rules.Geometry().Name(p))
		}
		text = "choose where the next stone goes: " + strings.Join(names, ", ")
	default:
		text = "type " + strings.Join(a.Words, ", ")
	}
	_, err := fmt.Fprintf(x.app.Out, "%s: %s\n", side, text)
	return err
}

// square returns the side of the central square that a stone must stand in; 0 for the whole board.
func square(a *game.OpeningAsk, v *play.View) int {
	size := v.Rules.Geometry().Size
	if len(a.Points) == 0 || len(a.Points)+len(v.Task.Moves) >= size.Area() {
		return 0
	}
	first, last := a.Points[0], a.Points[len(a.Points)-1]
	return max(last.Y()-first.Y()+1, 1)
}

// answer gives the answers on a line, one word or several points.
func (x *parlour) answer(ctx context.Context, v *play.View, line string) (err error) {
	for word := range strings.FieldsSeq(line) {
		if v, err = x.host.Answer(ctx, x.token, v.Version, v.AnswerOf(word)); err != nil {
			return err
		}
	}
	return nil
}

// decisions tells of what was decided where so many moves were made, and was not told yet.
func (x *parlour) decisions(v *play.View, moves int) error {
	o := v.Opening
	if o == nil {
		return nil
	}
	x.decided = min(x.decided, len(o.Answers)) // some were taken back
	for ; x.decided < len(o.Answers) && o.After[x.decided] <= moves; x.decided++ {
		i := x.decided
		a, name := o.Answers[i], v.Rules.Info().Sides[o.Sides[i]].Name
		if x.app.JSON || o.Acts[i] != game.ChooseWord && o.Acts[i] != game.OfferStone {
			continue
		}
		text := "asks for " + a.Word
		switch {
		case o.Acts[i] == game.OfferStone:
			text = "offers " + v.Rules.Geometry().Name(a.At)
		case a.Word == game.SwapSides:
			// Whoever decided has the other colour since.
			text = "swaps colours"
		case a.Word == game.KeepSides:
			text = "keeps the colours"
		case a.Word == game.PutMore:
			text = "puts more stones"
		case a.Word == game.OfferMany:
			text = "offers many points instead of swapping"
		}
		if _, err := fmt.Fprintf(x.app.Out, "%s %s\n", name, text); err != nil {
			return err
		}
	}
	return nil
}

// refused reports whether an error is about what somebody typed and leaves the game as it is.
func refused(err error) bool {
	for _, why := range []error{game.ErrSyntax, game.ErrIllegal, play.ErrNoUndo, play.ErrTurn, play.ErrSettling, play.ErrPlaying, play.ErrAsked} {
		if errors.Is(err, why) {
			return true
		}
	}
	return false
}
