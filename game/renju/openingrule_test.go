package renju_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/renju"
	"qipu/internal/testkit"
)

// TestOpeningRules runs the openings of testdata: answers, several on a line, and what is
// asked behind each line.
func TestOpeningRules(t *testing.T) {
	testkit.Script(t, "testdata/openingrules.txt", func(t *testing.T, c testkit.Command) string {
		r, err := renju.Renju.Variant(c.Args[0])
		if err != nil {
			return err.Error()
		}
		rules := r.(*renju.Rules)
		if len(c.Args) == 1 {
			var names []string
			for _, o := range rules.OpeningRules() {
				names = append(names, o.Name)
			}
			return strings.Join(names, " ")
		}
		points := map[string]board.Point{}
		for p := range rules.Geometry().Size.Points() {
			points[rules.Geometry().Name(p)] = p
		}
		var out strings.Builder
		var answers []game.OpeningAnswer
		for _, line := range append([]string{""}, strings.Split(c.Input, "\n")...) {
			was := len(answers)
			for _, word := range strings.Fields(line) {
				a := game.OpeningAnswer{Word: word}
				if p, ok := points[word]; ok {
					a = game.OpeningAnswer{At: p}
				}
				answers = append(answers, a)
			}
			ask, moves, err := rules.OpeningAsk(c.Args[1], answers)
			switch {
			case err != nil:
				answers = answers[:was]
				fmt.Fprintln(&out, err)
			case ask == nil:
				fmt.Fprintf(&out, "over behind %d moves\n", len(moves))
			case ask.Act == game.ChooseWord:
				fmt.Fprintf(&out, "%d moves; %s: %s\n", len(moves), rules.Info().Sides[ask.Side].Name, strings.Join(ask.Words, " "))
			default:
				fmt.Fprintf(&out, "%d moves; %s: %s %d, one of %d points\n", len(moves), rules.Info().Sides[ask.Side].Name, ask.Act, ask.Left, len(ask.Points))
			}
		}
		return out.String()
	})
}

// TestSymmetricOffers holds that of all fifth moves behind a position that is the same in
// a mirror only one of two that mirror each other can be offered.
func TestSymmetricOffers(t *testing.T) {
	at := func(x, y int) game.OpeningAnswer { return game.OpeningAnswer{At: board.At(x, y)} }
	answers := []game.OpeningAnswer{at(7, 7), at(7, 6), at(7, 5), {Word: game.KeepSides}, at(7, 9)}
	ask, _, err := renju.Renju.OpeningAsk("rif", answers)
	if err != nil || ask.Act != game.OfferStone || len(ask.Points) != 221 {
		t.Fatalf("%v, %+v", err, ask)
	}
	for _, p := range ask.Points {
		next, _, err := renju.Renju.OpeningAsk("rif", append(answers[:len(answers):len(answers)], game.OpeningAnswer{At: p}))
		if err != nil {
			t.Fatal(err)
		}
		mirror := board.At(14-p.X(), p.Y())
		for _, other := range next.Points {
			if other == mirror {
				t.Errorf("%v and %v can both be offered", p, other)
			}
		}
		if want := 221 - 1; p.X() == 7 && len(next.Points) > want || p.X() != 7 && len(next.Points) > want-1 {
			t.Errorf("%v leaves %d points", p, len(next.Points))
		}
	}
}
