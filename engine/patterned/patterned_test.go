package patterned

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/simple"
	"qipu/game"
	"qipu/game/xiangqi"
)

// TestWeights holds the weights against the patterns that there are.
func TestWeights(t *testing.T) {
	list, err := parse(weights)
	if err != nil {
		t.Fatal(err)
	}
	term, err := parse(termWeights)
	if err != nil || len(term) < 20 {
		t.Errorf("%d weights beside the engine's evaluation: %v", len(term), err)
	}
	known := map[string]bool{}
	for _, p := range Patterns(xiangqi.Standard) {
		known[p.ID] = true
	}
	if len(known) < 40 || len(list) < 20 {
		t.Errorf("%d patterns, %d weights", len(known), len(list))
	}
	for _, id := range slices.Concat(slices.Collect(maps.Keys(list)), slices.Collect(maps.Keys(term))) {
		if !known[id] {
			t.Errorf("there is no pattern %s", id)
		}
	}
	for _, text := range []string{"pin", "pin 1 2", "pin x", "pin 5000"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// TestFollows plays and takes back moves by chance: what is followed is what is seen afresh.
func TestFollows(t *testing.T) {
	followed, err := New(simple.Xiangqi{}, xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := New(simple.Xiangqi{}, xiangqi.Standard)
	rng := rand.New(rand.NewPCG(7, 0))
	differs := 0
	for range 12 {
		p := xiangqi.Standard.Start()
		followed.Begin(p)
		deep := 0
		for range 160 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 || p.Outcome().Over() || deep > 0 && rng.IntN(4) == 0 {
				if deep == 0 {
					break
				}
				p.Undo()
				followed.Undone()
				deep--
			} else {
				m := moves[rng.IntN(len(moves))]
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				followed.Made(p, m)
				deep++
			}
			fresh.Begin(p)
			if a, b := followed.Evaluate(p), fresh.Evaluate(p); a != b {
				t.Fatalf("followed %d, afresh %d", a, b)
			}
			if fresh.Evaluate(p) != (simple.Xiangqi{}).Evaluate(p) {
				differs++
			}
		}
	}
	if differs == 0 {
		t.Error("no pattern ever counts")
	}
}

// TestTerm tells lines of moves by chance, as a search does: what the term says is what the
// patterns of the position are worth, and behind a move that the rules refuse what they were
// before it.
func TestTerm(t *testing.T) {
	term, err := NewTerm(xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := NewTerm(xiangqi.Standard)
	rng := rand.New(rand.NewPCG(8, 0))
	term.Begin(xiangqi.Standard.Start())
	var line []game.Move
	differs := 0
	for range 300 {
		line = line[:rng.IntN(len(line)+1)]
		p := xiangqi.Standard.Start()
		for _, m := range line {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		for range rng.IntN(12) {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 || p.Outcome().Over() {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			line = append(line, m)
		}
		side := game.Side(rng.IntN(2))
		got := term.Worth(line, side)
		fresh.Begin(p)
		if want := fresh.Worth(nil, side); got != want || term.Worth(line, side.Opponent()) != -got {
			t.Fatalf("behind %d moves: %d, afresh %d", len(line), got, want)
		}
		if term.Worth(append(slices.Clone(line), game.Pass), side) != got {
			t.Fatal("a pass changes what stands there")
		}
		if got != 0 {
			differs++
		}
	}
	if differs == 0 {
		t.Error("no pattern ever counts")
	}
}

// TestThinks has a search follow its moves to where it began, whatever ends it.
func TestThinks(t *testing.T) {
	e, err := New(simple.Xiangqi{}, xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []engine.Limits{{Nodes: 700}, {Depth: 3}} {
		r, err := alphabeta.New(e, alphabeta.Options{}).Think(t.Context(), &engine.Task{Rules: xiangqi.Standard}, l, nil)
		if err != nil || len(r.Lines) == 0 || e.ply != 0 {
			t.Errorf("%+v: %v, %d plies are left", l, err, e.ply)
		}
	}
	list := e.Features(xiangqi.Standard.Start())
	if len(list) != len(e.patterns) || slices.ContainsFunc(list, func(x float64) bool { return x != 0 }) {
		t.Errorf("at the start: %v", list)
	}
}
