package theory

import (
	"math"
	"math/rand/v2"
	"testing"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// three returns a theory in which the replies to f5 have given values for the
// side that makes them.
func three(t testing.TB, d6, f6, f4 engine.Value) (*Theory, game.Position) {
	t.Helper()
	th := open(t, othello.Standard, Options{})
	for line, v := range map[string]engine.Value{"f5d6": d6, "f5f6": f6, "f5f4": f4} {
		if err := th.Edit(t.Context(), position(t, othello.Standard, line), -v, ""); err != nil {
			t.Fatal(err)
		}
	}
	return th, position(t, othello.Standard, "f5")
}

// chosen counts what is chosen with so many seeds.
func chosen(th *Theory, p game.Position, o ChoiceOptions, times int) map[string]int {
	got := map[string]int{}
	for seed := range uint64(times) {
		o.Seed = seed
		c, ok := th.Choose(p, o)
		if !ok {
			got["none"]++
			continue
		}
		got[game.FormatMove(othello.Standard, p, c.Move, "")]++
	}
	return got
}

func TestChoose(t *testing.T) {
	th, p := three(t, 100, 0, -300)
	for name, c := range map[string]struct {
		o    ChoiceOptions
		some []string // all of these and no others
	}{
		"best":           {ChoiceOptions{}, []string{"d6"}},
		"budget":         {ChoiceOptions{Budget: 100}, []string{"d6", "f6"}},
		"budget spent":   {ChoiceOptions{Budget: 100, Spent: 50}, []string{"d6"}},
		"overspent":      {ChoiceOptions{Budget: 100, Spent: 500}, []string{"d6"}},
		"large":          {ChoiceOptions{Budget: 400, Closeness: 400}, []string{"d6", "f6", "f4"}},
		"no bound":       {ChoiceOptions{Budget: -1, Closeness: 400}, []string{"d6", "f6", "f4"}},
		"people unknown": {ChoiceOptions{Human: true, Budget: -1}, []string{"none"}},
	} {
		got := chosen(th, p, c.o, 300)
		if len(got) != len(c.some) {
			t.Errorf("%s: %v", name, got)
		}
		for _, m := range c.some {
			if got[m] == 0 {
				t.Errorf("%s: %v lacks %s", name, got, m)
			}
		}
	}
	// Nearer moves are more likely, by the law that the options state.
	got := chosen(th, p, ChoiceOptions{Budget: -1, Closeness: 200}, 4000)
	if ratio := float64(got["d6"]) / float64(got["f6"]); math.Abs(ratio-math.Exp(0.5)) > 0.2 {
		t.Errorf("%v: d6 to f6 is %.2f, want %.2f", got, ratio, math.Exp(0.5))
	}
}

// TestChooseExact: a solved win is not given away, whatever the budget.
func TestChooseExact(t *testing.T) {
	r := small()
	g := newGuesser(r, 0, 16)
	th := open(t, r, Options{})
	p := r.Start()
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 6 {
		moves := p.AppendMoves(nil)
		_ = p.Play(moves[rnd.IntN(len(moves))])
	}
	// All positions behind the moves are solved.
	for _, m := range p.AppendMoves(nil) {
		_ = p.Play(m)
		if _, err := (&Learner{Theory: th, Searcher: g}).Add(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
		p.Undo()
	}
	want := g.truth.value(p)
	for seed := range uint64(50) {
		c, ok := th.Choose(p, ChoiceOptions{Budget: -1, Closeness: 100 * engine.Unit, Seed: seed})
		if !ok || c.Why != ByExact {
			t.Fatalf("%+v %v", c, ok)
		}
		_ = p.Play(c.Move)
		got := -g.truth.value(p)
		p.Undo()
		if want >= 0 && got != want || got != want-c.Loss {
			t.Errorf("the choice is worth %d and said to lose %d; the best is %d", got, c.Loss, want)
		}
	}
}

// TestChooseBudget plays whole games: no more than the budget is ever lost.
func TestChooseBudget(t *testing.T) {
	r := small()
	g := newGuesser(r, 4, 0)
	th := open(t, r, Options{})
	if _, err := (&Learner{Theory: th, Searcher: g}).Deviate(t.Context(), r.Start(), all, all); err != nil {
		t.Fatal(err)
	}
	const budget = 500
	lossy := 0
	for seed := range uint64(100) {
		p := r.Start()
		var spent [2]engine.Value
		for !p.Outcome().Final() {
			side := p.Turn()
			c, ok := th.Choose(p, ChoiceOptions{Budget: budget, Spent: spent[side], Closeness: 500, Seed: seed})
			if !ok {
				break
			}
			spent[side] += c.Loss
			if err := p.Play(c.Move); err != nil {
				t.Fatal(err)
			}
		}
		if spent[0] > budget || spent[1] > budget || spent[0] < 0 || spent[1] < 0 {
			t.Errorf("seed %d: lost %v", seed, spent)
		}
		if spent[0]+spent[1] > 0 {
			lossy++
		}
	}
	if lossy == 0 {
		t.Error("nothing was ever lost: there is no variety")
	}
}

// TestChooseByGames: results decide where nothing else is known, and people's
// moves are drawn as often as people played them.
func TestChooseByGames(t *testing.T) {
	r := othello.Standard
	b := book.New(r)
	id := uint32(0)
	add := func(line string, times, score int) {
		_, moves, err := game.ParseLine(r, line)
		if err != nil {
			t.Fatal(err)
		}
		verdict := book.FirstWon
		if score < 0 {
			verdict = book.SecondWon
		}
		for range times {
			id++
			if err := b.Add(book.Game{ID: id, Stamp: 1, Moves: moves, Result: book.Result{Verdict: verdict, Scored: true, Score: score}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("f5d6c3", 30, -4) // good for White
	add("f5f6e6", 10, 6)
	add("f5f4e3", 2, 20)
	p := position(t, r, "f5")
	entry, ok := b.Look(p, book.LookOptions{Threshold: 5})
	if !ok {
		t.Fatal("the book does not know it")
	}
	th := open(t, r, Options{})
	got := chosen(th, p, ChoiceOptions{Counts: &entry}, 50)
	if len(got) != 1 || got["d6"] != 50 {
		t.Errorf("by results: %v", got)
	}
	if c, _ := th.Choose(p, ChoiceOptions{Counts: &entry}); c.Why != ByResults {
		t.Errorf("why: %q", c.Why)
	}
	got = chosen(th, p, ChoiceOptions{Counts: &entry, Human: true, Budget: -1}, 4200)
	for m, want := range map[string]float64{"d6": 3000, "f6": 1000, "f4": 200} {
		if n := float64(got[m]); math.Abs(n-want) > 5*math.Sqrt(want) {
			t.Errorf("people: %v, want %s %.0f times", got, m, want)
		}
	}
	// The engine outranks results.
	th, p = three(t, 0, 100, 100)
	if got = chosen(th, p, ChoiceOptions{Counts: &entry}, 50); got["d6"] != 0 || got["f6"]+got["f4"] != 50 {
		t.Errorf("by an engine, beside results: %v", got)
	}
}

// TestMinLevel leaves out shallow searches.
func TestMinLevel(t *testing.T) {
	th := learnt(t) // of level 10, but for one position
	if err := th.Edit(t.Context(), position(t, othello.Standard, "f5d6c3"), engine.NoValue, ""); err != nil {
		t.Fatal(err)
	}
	p := othello.Standard.Start()
	if _, ok := th.Choose(p, ChoiceOptions{MinLevel: 10}); !ok {
		t.Error("no choice at the level there is")
	}
	if _, ok := th.Choose(p, ChoiceOptions{MinLevel: 11}); ok {
		t.Error("a choice beyond the level there is")
	}
}
