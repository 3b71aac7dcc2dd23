package livebook_test

import (
	"math/rand/v2"
	"testing"

	"qipu/game/othello"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
)

// TestExploreOrigin: records and games that were played here are counted apart in a
// position, whatever else narrows the games; where nothing was played here, nothing is
// asked for.
func TestExploreOrigin(t *testing.T) {
	lib, open := playing(t)
	importText(t, lib, "play", transcripts(rand.New(rand.NewPCG(3, 3)), 40)) // a file of that name is read all the same
	k := kindOf(t, lib, "othello")
	search := lib.Search()
	if counted, apart, err := search.Origin(t.Context(), k, nil, false); counted != nil || apart != nil || err != nil {
		t.Errorf("without played games: %v, %v, %v", counted, apart, err)
	}
	h := open()
	playGame(t, h, "a", "f5 d6 c3 d3")
	playGame(t, h, "b", "f5 f6 e6 f4")
	start, err := pattern.FromPosition(othello.Standard.Start())
	if err != nil {
		t.Fatal(err)
	}
	start.Mirror = true
	shape := &query.Shape{Pattern: start, Geometry: k.Rules.Geometry()}
	for _, c := range []struct {
		within       string
		here         bool
		games, apart int
	}{{"", false, 40, 2}, {"", true, 2, 40}, {"player:Ada", false, 0, 2}, {"player:Ada", true, 2, 0}, {"moves>30", true, 0, 40}} {
		var within query.Q
		if c.within != "" {
			if within, err = query.Parse(c.within); err != nil {
				t.Fatal(err)
			}
		}
		counted, apart, err := search.Origin(t.Context(), k, within, c.here)
		if err != nil {
			t.Fatal(err)
		}
		a, err := lib.Search().Explore(t.Context(), &retrieve.ExploreRequest{Kind: k, Position: othello.Standard.Start(), Within: counted, Mirror: true})
		if err != nil {
			t.Fatal(err)
		}
		beside, err := search.Reach(t.Context(), k, shape, apart, false)
		if err != nil || a.Games != c.games || beside != c.apart {
			t.Errorf("%+v: %d games, %d apart, %v", c, a.Games, beside, err)
		}
	}
	for text, want := range map[string]int{"played:here": 2, "not played:here": 40, "played:here player:Grace": 2} {
		if r, err := lib.Ask(t.Context(), &ask.Question{Text: text, Game: "othello"}); err != nil || r.Games != want {
			t.Errorf("%s: %+v, %v, want %d games", text, r, err, want)
		}
	}
}
