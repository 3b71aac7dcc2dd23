package accuracy_test

import (
	"slices"
	"testing"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/workshop/accuracy"
)

// TestMeasure holds that a depth is not wrong by its own measure, that a shallow one
// is by a deep one, and that the same seed chooses the same moves.
func TestMeasure(t *testing.T) {
	p := othello.Standard.Start()
	moves, err := game.ParseMoves(othello.Standard, p, "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6b5")
	if err != nil {
		t.Fatal(err)
	}
	games := []*engine.Task{{Rules: othello.Standard, Moves: moves}, {Rules: othello.Standard}}
	o := accuracy.Options{Depths: []int{1, 4}, Truth: 4, Solve: -1, Moves: 8, Seed: 3}
	tasks, err := accuracy.Sample(games, o)
	if err != nil || len(tasks) != o.Moves {
		t.Fatalf("%d moves: %v", len(tasks), err)
	}
	again, _ := accuracy.Sample(games, o)
	for i := range tasks {
		if !slices.Equal(tasks[i].Moves, again[i].Moves) {
			t.Error("the same seed chooses other moves")
		}
	}
	done := 0
	o.OnMove = func() { done++ }
	got, err := accuracy.Measure(t.Context(), func() (engine.Engine, error) {
		return builtin.Engine(othello.Standard, engine.Options{})
	}, tasks, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[1].Mean != 0 || got[1].Most != 0 || got[0].Mean == 0 || got[0].Moves != 8 || done != 8 {
		t.Errorf("%+v, %d done", got, done)
	}
	if none, err := accuracy.Sample(nil, o); err != nil || len(none) != 0 {
		t.Errorf("%d moves of no game: %v", len(none), err)
	}
}
