package builtin_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/connect4"
)

// TestEngines plays a game of every kind to its end, at a low level: whatever
// the program knows can be played.
func TestEngines(t *testing.T) {
	games := builtin.Games()
	kinds := []game.Rules{connect4.Rules{}}
	for _, spec := range []string{"othello", "othello:6x6", "xiangqi", "renju", "renju:free", "renju:standard", "go:7x7,tromp-taylor"} {
		r, err := games.Find(spec)
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, r)
	}
	for _, r := range kinds {
		t.Run(r.Info().Name+" "+r.Info().Variant, func(t *testing.T) {
			e, err := builtin.Engine(r, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if e.Info().Name == "" || len(e.Info().Games) == 0 {
				t.Errorf("the engine says nothing of itself: %+v", e.Info())
			}
			e = engine.AtLevel(e, 3)
			defer e.Close()
			p := r.Start()
			task := &engine.Task{Rules: r}
			for !p.Outcome().Over() {
				if len(task.Moves) > 400 {
					t.Fatalf("no end after %d moves: %s", len(task.Moves), game.FormatPosition(r, p))
				}
				report, err := e.Think(t.Context(), task, engine.Limits{Seed: 4}, nil)
				if err != nil {
					t.Fatalf("move %d: %v", len(task.Moves)+1, err)
				}
				m := report.Best().Move
				if err := p.Play(m); err != nil {
					t.Fatalf("move %d: %v", len(task.Moves)+1, err)
				}
				task.Moves = append(task.Moves, m)
			}
			if p.Outcome().Final() {
				if _, err := e.Think(t.Context(), task, engine.Limits{}, nil); !errors.Is(err, engine.ErrOver) {
					t.Errorf("at the end: %v", err)
				}
			}
			t.Logf("%d moves, %s", len(task.Moves), p.Outcome().Describe(r.Info()))
		})
	}
}

// TestPatterns: whoever asks for patterns with names to count gets another opinion, and the
// same one again, from the engines that have weights for them.
func TestPatterns(t *testing.T) {
	for spec, moves := range map[string]int{"xiangqi": 14, "go:9x9": 8} {
		r, err := builtin.Games().Find(spec)
		if err != nil {
			t.Fatal(err)
		}
		task := &engine.Task{Rules: r}
		rng := rand.New(rand.NewPCG(3, 0))
		p := r.Start()
		for range moves {
			list := p.AppendMoves(nil)
			m := list[rng.IntN(len(list))]
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			task.Moves = append(task.Moves, m)
		}
		for _, general := range []bool{false, true} {
			said := func(patterns bool) string {
				e, err := builtin.Engine(r, engine.Options{Patterns: patterns, General: general})
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				a, err := e.Think(t.Context(), task, engine.Limits{Nodes: 30, Multi: 3, Seed: 1}, nil)
				if err != nil {
					t.Fatal(err)
				}
				return fmt.Sprint(a.Lines)
			}
			with := said(true)
			if again := said(true); again != with {
				t.Errorf("%s, general %v: %s, then %s", spec, general, with, again)
			}
			if without := said(false); (without == with) != (general && spec != "xiangqi") {
				t.Errorf("%s, general %v: with patterns %s, without %s", spec, general, with, without)
			}
		}
	}
}
