package theory

import (
	"bytes"
	"context"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qipu/book"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// logStore is a Memory that tells what has changed.
type logStore struct {
	Memory
	version, drops int64
	put            map[book.Key]int64
}

func (s *logStore) Put(ctx context.Context, rows []Row) error {
	s.version++
	if s.put == nil {
		s.put = map[book.Key]int64{}
	}
	for _, r := range rows {
		s.put[r.Key] = s.version
	}
	return s.Memory.Put(ctx, rows)
}

func (s *logStore) Drop(ctx context.Context, keys []book.Key) error {
	s.version++
	s.drops++
	return s.Memory.Drop(ctx, keys)
}

func (s *logStore) Mark(context.Context) (Mark, error) {
	return Mark{Version: s.version, Time: s.version, Drops: s.drops}, nil
}

func (s *logStore) Since(ctx context.Context, time int64) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for r, err := range s.Rows(ctx) {
			if s.put[r.Key] >= time && !yield(r, err) {
				return
			}
		}
	}
}

// same holds a theory against another that is all in memory.
func same(t *testing.T, got, want *Theory) {
	t.Helper()
	if a, b := got.Info(), want.Info(); a.Positions != b.Positions || a.Solved != b.Solved || a.Stale != b.Stale || a.Links != b.Links || a.Edited != b.Edited {
		t.Fatalf("there are %+v, and should be %+v", a, b)
	}
	if !slices.Equal(got.Rows(), want.Rows()) {
		t.Fatal("the rows are others")
	}
	for _, row := range want.Rows() {
		p := position(t, want.rules, row.Position)
		a, b := got.Look(p), want.Look(p)
		if a.Values != b.Values || !slices.Equal(a.Moves, b.Moves) {
			t.Fatalf("%s is %+v, and should be %+v", row.Position, a, b)
		}
		if a, b := got.Grade(p), want.Grade(p); a != b {
			t.Fatalf("%s has the grade %s, and should have %s", row.Position, a, b)
		}
		if a, b := got.Lines(p, engine.Unit), want.Lines(p, engine.Unit); a != b {
			t.Fatalf("%s has %v lines, and should have %v", row.Position, a, b)
		}
	}
}

// TestFile does the same to a theory in a file, which is saved, opened anew,
// killed and changed by others in between, and to one in memory.
func TestFile(t *testing.T) {
	r := small()
	rng := rand.New(rand.NewPCG(3, 9))
	dir := t.TempDir()
	store := &logStore{}
	o := Options{Store: store, Dir: dir, Name: "theory-"}
	reopen := func() *Theory {
		th := open(t, r, o)
		th.least = 1
		return th
	}
	th, plain := reopen(), open(t, r, Options{})
	both := func(do func(*Theory) error) {
		t.Helper()
		for _, one := range []*Theory{th, plain} {
			if err := do(one); err != nil {
				t.Fatal(err)
			}
		}
	}
	somewhere := func() game.Position {
		p := r.Start()
		for range rng.IntN(6) {
			if moves := p.AppendMoves(nil); len(moves) > 0 {
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
		return p
	}
	for range 40 {
		switch p := somewhere(); rng.IntN(8) {
		case 0, 1, 2:
			limit := 1 + rng.IntN(20)
			both(func(th *Theory) error {
				_, err := (&Learner{Theory: th, Searcher: newGuesser(r, 3, 4), Limit: limit}).Deviate(t.Context(), p, all, all)
				return err
			})
		case 3:
			v := engine.Value(rng.IntN(900) - 450)
			both(func(th *Theory) error { return th.Edit(t.Context(), p, v, "said") })
		case 4:
			both(func(th *Theory) error { return th.Edit(t.Context(), p, engine.NoValue, "") })
		case 5:
			if rng.IntN(4) == 0 {
				both(func(th *Theory) error {
					(&Learner{Theory: th}).Prune(t.Context(), r.Start(), 3*engine.Unit, 9*engine.Unit) // where the start is there
					return nil
				})
			}
		case 6:
			if err := th.Save(t.Context()); err != nil {
				t.Fatal(err)
			}
		case 7: // another process, which has seen nothing of what is in memory
			th = reopen()
		}
		check(t, plain)
		same(t, th, plain)
	}
	if err := th.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.seg")); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
	th = reopen()
	if n := th.loose(); n != 0 {
		t.Errorf("%d positions are in memory, though the file has them all", n)
	}
	same(t, th, plain)

	// A file that is damaged is made anew.
	if err := th.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err := os.WriteFile(files[0], []byte("nonsense"), 0o666); err != nil {
		t.Fatal(err)
	}
	th = reopen()
	same(t, th, plain)
}

// TestShipped lays values of a library over those that come with the program.
func TestShipped(t *testing.T) {
	r := othello.Standard
	made := open(t, r, Options{})
	if _, err := (&Learner{Theory: made, Searcher: counter{}, Level: 16, Limit: 200}).Deviate(t.Context(), r.Start(), 3*engine.Unit, 6*engine.Unit); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	n, err := made.Ship(&file, 16)
	if err != nil || n != made.Info().Positions {
		t.Fatalf("%d of %d positions are written: %v", n, made.Info().Positions, err)
	}
	shipped, err := graph.OpenShipped(r, file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	th := open(t, r, Options{Shipped: shipped})
	for _, row := range made.Rows() {
		p := position(t, r, row.Position)
		a, b := th.Look(p), made.Look(p)
		if a.E != b.E || a.Level != b.Level || a.X != b.X || len(a.Moves) != len(b.Moves) {
			t.Fatalf("%s is %+v, and was %+v", row.Position, a.Values, b.Values)
		}
		for i := range a.Moves {
			if a.Moves[i].E != b.Moves[i].E || a.Moves[i].Leaf != b.Moves[i].Leaf {
				t.Fatalf("%s: a move is %+v, and was %+v", row.Position, a.Moves[i], b.Moves[i])
			}
		}
	}
	if i := th.Info(); i.Shipped != n || th.loose() != 0 {
		t.Errorf("%+v, %d in memory", i, th.loose())
	}
	// What a person says deep below counts at the start.
	line := "f5d6c3"
	for _, one := range []*Theory{th, made} {
		if err := one.Edit(t.Context(), position(t, r, line), -30*engine.Unit, "a blunder"); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i <= len(line); i += 2 {
		p := position(t, r, "f5d6c3"[:i])
		if a, b := th.Look(p), made.Look(p); a.E != b.E || a.Human != b.Human {
			t.Errorf("%q is %+v, and should be %+v", line[:i], a.Values, b.Values)
		}
	}
	// And when it is taken back, all is as it was shipped.
	if err := th.Edit(t.Context(), position(t, r, line), engine.NoValue, ""); err != nil {
		t.Fatal(err)
	}
	if f, ok := shipped.Find(th.Look(r.Start()).Key); !ok || th.Look(r.Start()).E != f.Value {
		t.Errorf("the start is %+v", th.Look(r.Start()).Values)
	}
	if _, err := graph.OpenShipped(r, file.Bytes()[:20]); err == nil {
		t.Error("values that are cut")
	}
}
