package builtin_test

import (
	"testing"

	"qipu/board"
	"qipu/book/theory"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// TestTheory holds what the values of Othello promise that come with the program: how
// many they are, how deep they were searched, and what they weigh; that values of
// neighbours fit each other, and that no other board has any.
func TestTheory(t *testing.T) {
	data := builtin.Theory(othello.Standard)
	if len(data) > 3<<20 {
		t.Errorf("the values take %d bytes", len(data))
	}
	shipped, err := theory.OpenShipped(othello.Standard, data)
	if err != nil {
		t.Fatal(err)
	}
	if shipped.Len() < 60_000 {
		t.Errorf("%d positions come with the program", shipped.Len())
	}
	th, err := theory.Open(t.Context(), othello.Standard, theory.Options{Shipped: shipped})
	if err != nil {
		t.Fatal(err)
	}
	info := th.Info()
	for level, n := range info.Levels {
		if level < 16 {
			t.Errorf("%d positions of level %d", n, level)
		}
	}
	if info.Positions != shipped.Len() || info.Shipped != info.Positions || info.Edited != 0 {
		t.Errorf("%+v of %d", info, shipped.Len())
	}
	// The first moves are alike, and most of what people play is there.
	for _, line := range []string{"", "f5", "f5d6", "f5d6c3", "f5d6c3d3c4", "f5d6c3d3c4f4f6f3"} {
		p, err := at(line)
		if err != nil {
			t.Fatal(err)
		}
		e := th.Look(p)
		best, from := e.Best()
		if !e.Known || from != theory.ByEngine || e.Partial || e.Level < 16 || best < -6*engine.Unit || best > 6*engine.Unit {
			t.Errorf("%q: %+v", line, e.Values)
		}
		over := engine.NoValue
		for _, m := range e.Moves {
			if v, _ := m.Best(); v > over {
				over = v
			}
		}
		if over != best {
			t.Errorf("%q is worth %v, and its best move %v", line, best, over)
		}
	}
	small, err := othello.New(board.Size{W: 6, H: 6})
	if err != nil {
		t.Fatal(err)
	}
	if builtin.Theory(small) != nil {
		t.Error("a small board has values of the usual one")
	}
	for _, r := range builtin.Games() {
		if data := builtin.Theory(r); data != nil && r.Info().Name != othello.Standard.Info().Name {
			t.Errorf("%s has values", r.Info().Name)
		}
	}
}

func at(line string) (game.Position, error) {
	p := othello.Standard.Start()
	_, err := game.ParseMoves(othello.Standard, p, line)
	return p, err
}
