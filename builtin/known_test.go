package builtin_test

import (
	"testing"

	"qipu/builtin"
	"qipu/engine"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/xiangqi"
)

// TestKnown: engines that are given tables play an ending of these in as many plies as it
// takes, and see what captures lead to where their reading ends.
func TestKnown(t *testing.T) {
	tables := endgame.Open("")
	defer tables.Close()
	for _, c := range []struct {
		rules game.Rules
		text  string
		plies int
	}{
		{xiangqi.Standard, "4ka3/9/9/9/9/9/9/3K5/3N5/9 w", 37},
		{chess.Standard, "K7/1R6/2k5/8/8/8/8/8 w - - 0 1", 31},
		{chess.Standard, "8/8/8/8/8/2K5/1r6/k7 b - - 0 1", 31},
	} {
		s, err := game.ParseSetup(c.rules, c.text)
		if err != nil {
			t.Fatal(err)
		}
		e, err := builtin.Engine(c.rules, engine.Options{Known: tables})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		task := &engine.Task{Rules: c.rules, Start: &s}
		for {
			p, err := task.Position()
			if err != nil {
				t.Fatal(err)
			}
			if p.Outcome().Over() {
				break
			}
			r, err := e.Think(t.Context(), task, engine.Limits{Nodes: 10}, nil)
			if err != nil {
				t.Fatal(err)
			}
			task.Moves = append(task.Moves, r.Best().Move)
		}
		if len(task.Moves) != c.plies {
			t.Errorf("%s: over after %d plies, want %d", c.text, len(task.Moves), c.plies)
		}
	}
	for _, c := range []struct {
		rules game.Rules
		text  string
		move  string
	}{
		// Behind the capture lies what takes far longer than anybody reads.
		{chess.Standard, "8/8/8/2k5/8/3K4/5R2/5r2 w - - 0 1", "Rxf1"},
		{xiangqi.Standard, "3k5/9/3a5/9/9/9/9/5r3/9/3K1R3 w", "f0f2"},
	} {
		s, err := game.ParseSetup(c.rules, c.text)
		if err != nil {
			t.Fatal(err)
		}
		e, err := builtin.Engine(c.rules, engine.Options{Known: tables})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		r, err := e.Think(t.Context(), &engine.Task{Rules: c.rules, Start: &s}, engine.Limits{Nodes: 300}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.rules.Arrange(s)
		if err != nil {
			t.Fatal(err)
		}
		best := r.Best()
		if text := game.FormatMove(c.rules, p, best.Move, game.AnyNotation); text != c.move {
			t.Errorf("%s: %s, want %s", c.text, text, c.move)
		}
		if err := p.Play(best.Move); err != nil {
			t.Fatal(err)
		}
		v, ok, err := tables.Value(c.rules, p)
		if err != nil || !ok || v.Result != -1 || best.Value != engine.Win-engine.Value(v.Plies)-1 {
			t.Errorf("%s: worth %d behind %+v, %v, %v", c.text, best.Value, v, ok, err)
		}
	}
}
