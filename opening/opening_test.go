package opening

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/book"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/weiqi"
)

// TestTable checks that the table can be read as a whole: Of keeps silent.
func TestTable(t *testing.T) {
	data, err := files.ReadFile("names/othello.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := Of(othello.Standard)
	fresh := &Names{rules: n.rules, at: map[book.Key]int{}}
	fresh.keyers.New = func() any { return book.NewKeyer(n.rules) }
	if err := fresh.read(string(data)); err != nil {
		t.Fatal(err)
	}
	list := n.List()
	if len(list) != 76 {
		t.Errorf("%d openings, want 76", len(list))
	}
	ids := map[string]int{}
	for i, o := range list {
		ids[o.ID] = i
		if i > 0 && len(o.Moves) < len(list[i-1].Moves) {
			t.Errorf("%s comes behind a longer one", o.ID)
		}
		for _, s := range []string{o.Names.En, o.Names.Ja, o.Names.Hant, o.Names.Hans, o.Names.Ko} {
			if s == "" || strings.TrimSpace(s) != s {
				t.Errorf("%s: name %q", o.ID, s)
			}
		}
	}
	for _, o := range list {
		p := position(t, o.ID)
		if got, ok := n.At(p); !ok || got.ID != o.ID {
			t.Errorf("at %s: %v", o.ID, got)
		}
		if got, ok := n.Deepest(nil, o.Moves); !ok || got.ID != o.ID {
			t.Errorf("deepest of %s: %v", o.ID, got)
		}
		if got, ok := n.Find(o.Names.En); !ok || got.Names.En != o.Names.En {
			t.Errorf("find %q: %v", o.Names.En, got)
		}
		if len(o.Moves) > 2 {
			if at, ok := ids[o.Parent]; !ok || len(list[at].Moves) >= len(o.Moves) {
				t.Errorf("%s has the parent %q", o.ID, o.Parent)
			}
		} else if o.Parent != "" {
			t.Errorf("%s has the parent %q", o.ID, o.Parent)
		}
	}
}

// TestTurned finds openings in every picture of the board.
func TestTurned(t *testing.T) {
	r := othello.Standard
	n := Of(r)
	for _, o := range n.List() {
		for sym := range board.NumSymmetries {
			p := r.Start()
			legal := true
			var moves []game.Move
			for _, m := range o.Moves {
				m = m.Transform(r.Geometry().Size, sym)
				if legal = p.Play(m) == nil; !legal {
					break // this picture exchanges the colours of the start
				}
				moves = append(moves, m)
			}
			if !legal {
				continue
			}
			if got, ok := n.At(p); !ok || got.ID != o.ID {
				t.Errorf("%s by %v: %v", o.ID, sym, got.ID)
			}
			if got, ok := n.Deepest(r.Start(), moves); !ok || got.ID != o.ID {
				t.Errorf("deepest of %s by %v: %v", o.ID, sym, got.ID)
			}
		}
	}
}

func TestDeepest(t *testing.T) {
	n := Of(othello.Standard)
	for line, want := range map[string]string{
		"":                       "",
		"f5":                     "",
		"f5d6c3d3c4f4f6b3":       "Stephenson",
		"f5d6c4d3c3":             "Tiger", // by another order of moves
		"f5d6c3d3c4f4c5b3c2b4a2": "Central Rose-Bill / Dead draw",
	} {
		_, moves, err := game.ParseLine(othello.Standard, line)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := n.Deepest(nil, moves)
		if want != "" && got.Names.En != want || ok != (got.ID != "") {
			t.Errorf("%s: %q, want %q", line, got.Names.En, want)
		}
		if line == "f5" && ok {
			t.Errorf("%s: %q", line, got.Names.En)
		}
	}
	if got, ok := n.Deepest(nil, []game.Move{othello.Move("f5"), othello.Move("d6"), othello.Move("a1")}); !ok || got.ID != "f5d6" {
		t.Errorf("behind an illegal move: %v", got)
	}
}

func TestNone(t *testing.T) {
	small, err := othello.New(board.Size{W: 6, H: 6})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []game.Rules{weiqi.Standard, small} {
		n := Of(r)
		p := r.Start()
		if _, ok := n.At(p); ok || len(n.List()) != 0 {
			t.Errorf("%s has openings", r.Info().Name)
		}
		if _, ok := n.Deepest(p, p.AppendMoves(nil)[:1]); ok {
			t.Errorf("%s has openings", r.Info().Name)
		}
	}
}

func TestStart(t *testing.T) {
	r := othello.Standard
	seen := map[string]bool{}
	for seed := range uint64(50) {
		judge := func(_ context.Context, p game.Position) (engine.Value, error) {
			return engine.Value(len(p.AppendMoves(nil))-8) * engine.Unit, nil // some measure
		}
		line, err := Start(t.Context(), r, StartOptions{Seed: seed, Judge: judge, Limit: 2 * engine.Unit})
		if err != nil || len(line) != 8 {
			t.Fatalf("seed %d: %v %v", seed, line, err)
		}
		p := r.Start()
		for _, m := range line {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if v, _ := judge(t.Context(), p); max(v, -v) > 2*engine.Unit {
			t.Errorf("seed %d: value %d", seed, v)
		}
		again, _ := Start(t.Context(), r, StartOptions{Seed: seed, Judge: judge, Limit: 2 * engine.Unit})
		if !slices.Equal(line, again) {
			t.Errorf("seed %d makes two beginnings", seed)
		}
		seen[string(othello.AppendTranscript(nil, line))] = true
	}
	if len(seen) < 45 {
		t.Errorf("50 seeds make %d beginnings", len(seen))
	}
	if _, err := Start(t.Context(), r, StartOptions{Plies: 100}); err == nil {
		t.Error("a beginning longer than the game")
	}
}

func position(t *testing.T, line string) game.Position {
	t.Helper()
	p, err := game.ParsePosition(othello.Standard, line)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ExampleNames_Deepest() {
	names := Of(othello.Standard)
	_, moves, err := game.ParseLine(othello.Standard, "f5d6c3d3c4f4f6b4a5")
	if err != nil {
		fmt.Println(err)
		return
	}
	o, ok := names.Deepest(nil, moves)
	fmt.Println(o.Names.En, o.ID, o.Parent, ok)
	// Output: Kung f5d6c3d3c4f4f6b4 f5d6c3d3c4f4f6 true
}
