package renju

import (
	"context"
	"testing"

	"qipu/board"
	"qipu/engine"
	fives "qipu/engine/renju"
	"qipu/engine/swap"
	"qipu/game"
	"qipu/game/renju"
)

// TestValue: an opening is valued by searches alone, and what the engine knows of it spares
// them: who is asked whether to swap decides by the table.
func TestValue(t *testing.T) {
	e := fives.New(engine.Options{Hash: 1 << 20})
	defer e.Close()
	v, err := value(context.Background(), e, "rif", &renju.Openings[3], 300)
	if err != nil || v.Code != "4D" || v.Nodes < 300 || v.Value >= engine.Decided || v.Value <= -engine.Decided {
		t.Errorf("%+v, %v", v, err)
	}
	idle := func(context.Context, *engine.Task, int) (*engine.Report, error) {
		t.Error("a search, though the opening is known")
		return nil, engine.ErrClosed
	}
	for i := range renju.Openings {
		o := &renju.Openings[i]
		stones := []game.OpeningAnswer{{At: board.At(7, 7)}, {At: o.Second}, {At: o.Third}}
		got, err := swap.Decide(context.Background(), &swap.Opening{Rules: renju.Renju, Rule: "rif", Answers: stones, Known: e}, idle, 1)
		if err != nil || len(got) != 1 {
			t.Fatal(got, err)
		}
		known, _ := e.Balance(renju.Renju, "rif", []game.Move{game.Drop(board.At(7, 7)), game.Drop(o.Second), game.Drop(o.Third)})
		if swaps := got[0].Word == game.SwapSides; swaps != (known > 0) && known != 0 {
			t.Errorf("%s is worth %d for Black, and White's player says %s", o.Code, known, got[0].Word)
		}
	}
	// Who puts all three stones finds an opening that is even.
	got, err := swap.Decide(context.Background(), &swap.Opening{Rules: renju.Renju, Rule: "rif", Known: e}, idle, 5)
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	var moves []game.Move
	for _, a := range got {
		moves = append(moves, game.Drop(a.At))
	}
	if v, ok := e.Balance(renju.Renju, "rif", moves); !ok || v > engine.Unit/4 || v < -engine.Unit/4 {
		t.Errorf("three stones worth %d, %v", v, ok)
	}
}
