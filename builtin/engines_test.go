package builtin_test

import (
	"errors"
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
