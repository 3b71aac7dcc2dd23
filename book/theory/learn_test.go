package theory

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"qipu/book"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// counter is an engine for the usual board that counts discs and moves: cheap,
// and the same every time.
type counter struct{}

func (counter) Values(_ context.Context, p game.Position, _, n int) ([]MoveValue, error) {
	var list []MoveValue
	for _, m := range p.AppendMoves(nil) {
		if err := p.Play(m); err != nil {
			return nil, err
		}
		v := -engine.Value(len(p.AppendMoves(nil))) * engine.Unit
		p.Undo()
		list = append(list, MoveValue{Move: m, Value: v, Margin: MarginMid})
	}
	slices.SortStableFunc(list, func(a, b MoveValue) int { return int(b.Value - a.Value) })
	return list[:min(n, len(list))], nil
}

func seq(rows []Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func learnt(t testing.TB) *Theory {
	t.Helper()
	th := open(t, othello.Standard, Options{})
	l := Learner{Theory: th, Searcher: counter{}, Limit: 60}
	if _, err := l.Deviate(t.Context(), othello.Standard.Start(), 2*engine.Unit, 6*engine.Unit); err != nil {
		t.Fatal(err)
	}
	p := position(t, othello.Standard, "f5d6c3")
	if err := th.Edit(t.Context(), p, -150, "a \"note\", with a comma\nand a line"); err != nil {
		t.Fatal(err)
	}
	return th
}

// TestEnhance searches until the best move is sure: the value is then right to
// within the tolerance, and the move is a best one.
func TestEnhance(t *testing.T) {
	r := small()
	g := newGuesser(r, 3, 5)
	th := open(t, r, Options{})
	if _, err := (&Learner{Theory: th, Searcher: g}).Enhance(t.Context(), r.Start(), 0); err != nil {
		t.Fatal(err)
	}
	check(t, th)
	p := r.Start()
	for !p.Outcome().Final() {
		e := th.Look(p)
		if !e.Known || e.X != engine.NoValue {
			break
		}
		best := engine.NoValue
		var by game.Move
		for _, m := range e.Moves {
			if v, _ := m.Best(); v > best {
				best, by = v, m.Move
			}
		}
		want := g.truth.value(p)
		if err := p.Play(by); err != nil {
			t.Fatal(err)
		}
		if got := -g.truth.value(p); got != want {
			t.Errorf("ply: the move is worth %d, the best one %d", got, want)
		}
	}
	if e := th.Look(r.Start()); e.Lower > g.truth.value(r.Start()) || e.Upper < g.truth.value(r.Start()) {
		t.Errorf("the truth %d is not between %d and %d", g.truth.value(r.Start()), e.Lower, e.Upper)
	}
}

// TestExtendAndFill go on where lines end, and join lines.
func TestExtendAndFill(t *testing.T) {
	r := small()
	th := open(t, r, Options{})
	l := Learner{Theory: th, Searcher: newGuesser(r, 3, 0)}
	for round := range 4 {
		before := th.Info().Positions
		report, err := l.Extend(t.Context(), r.Start())
		if err != nil || report.Added == 0 || th.Info().Positions != before+report.Added {
			t.Fatalf("round %d: %+v %v, %d positions after %d", round, report, err, th.Info().Positions, before)
		}
		check(t, th)
	}
	before := th.Info()
	report, err := l.Fill(t.Context(), r.Start(), 2)
	if err != nil {
		t.Fatal(err)
	}
	check(t, th)
	after := th.Info()
	if after.Links < before.Links+2*report.Added {
		t.Errorf("%d positions were added, and links went from %d to %d", report.Added, before.Links, after.Links)
	}
	again, err := l.Fill(t.Context(), r.Start(), 2)
	if err != nil || again.Added > report.Added {
		t.Errorf("filled again: %+v %v", again, err)
	}
}

// TestPrune keeps the value of the root, and what deviating reaches.
func TestPrune(t *testing.T) {
	r := small()
	g := newGuesser(r, 4, 3)
	th := open(t, r, Options{})
	l := Learner{Theory: th, Searcher: g}
	if _, err := l.Deviate(t.Context(), r.Start(), 600, all); err != nil {
		t.Fatal(err)
	}
	human := position(t, r, th.Rows()[len(th.Rows())/2].Position)
	if err := th.Edit(t.Context(), human, engine.NoValue, "mine"); err != nil {
		t.Fatal(err)
	}
	before := th.Look(r.Start())
	report, err := l.Prune(t.Context(), r.Start(), 0, all)
	if err != nil || report.Removed == 0 {
		t.Fatalf("%+v %v", report, err)
	}
	check(t, th)
	if after := th.Look(r.Start()); after.E != before.E {
		t.Errorf("E went from %d to %d", before.E, after.E)
	}
	if !th.Look(human).Known {
		t.Error("what a person wrote was removed")
	}
	if again, err := l.Prune(t.Context(), r.Start(), 0, all); err != nil || again.Removed != 0 {
		t.Errorf("pruned again: %+v %v", again, err)
	}
	p := r.Start()
	if _, err := l.Prune(t.Context(), position(t, r, "start"), 0, 0); err != nil {
		t.Error(err)
	}
	// Only what lies below a position stays; a position that is not known
	// removes nothing.
	_ = p.Play(p.AppendMoves(nil)[0])
	_ = p.Play(p.AppendMoves(nil)[0])
	if th.Look(p).Known {
		if _, err := l.Subtree(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		check(t, th)
		if th.Look(r.Start()).Known {
			t.Error("the start is below its own second move")
		}
	}
	empty := open(t, r, Options{})
	if _, err := (&Learner{Theory: empty}).Subtree(t.Context(), p); err == nil {
		t.Error("a position that is not known")
	}
}

// TestMerge is like learning in one place: neither the order of two theories nor
// merging them twice matters, and human edits stay.
func TestMerge(t *testing.T) {
	r := small()
	learn := func(level int, moves ...int) *Theory {
		th := open(t, r, Options{})
		p := r.Start()
		var line []game.Move
		for _, i := range moves {
			list := p.AppendMoves(nil)
			line = append(line, list[i%len(list)])
			_ = p.Play(line[len(line)-1])
		}
		if _, err := (&Learner{Theory: th, Searcher: newGuesser(r, 4, 0), Level: level}).Add(t.Context(), r.Start(), line); err != nil {
			t.Fatal(err)
		}
		check(t, th)
		return th
	}
	a, b := learn(4, 0, 1, 2, 0, 1), learn(8, 0, 2, 1, 1, 0)
	join := func(list ...*Theory) *Theory {
		th := open(t, r, Options{})
		for _, o := range list {
			if _, err := (&Learner{Theory: th}).Merge(t.Context(), seq(o.Rows())); err != nil {
				t.Fatal(err)
			}
			check(t, th)
		}
		return th
	}
	ab, ba, aab := join(a, b), join(b, a), join(a, a, b)
	if !slices.Equal(ab.Rows(), ba.Rows()) || !slices.Equal(ab.Rows(), aab.Rows()) {
		t.Error("the order matters")
	}
	if n := len(ab.Rows()); n <= len(a.Rows()) || n > len(a.Rows())+len(b.Rows()) {
		t.Errorf("%d positions of %d and %d", n, len(a.Rows()), len(b.Rows()))
	}
	stale := ab.Info().Stale
	report, err := (&Learner{Theory: ab, Searcher: newGuesser(r, 4, 0)}).Fix(t.Context())
	if err != nil || ab.Info().Stale != 0 || report.Searched != stale {
		t.Errorf("%d stale; fix: %+v %v, %d stale", stale, report, err, ab.Info().Stale)
	}
	check(t, ab)
	deep, err := (&Learner{Theory: ab, Searcher: newGuesser(r, 4, 0), Level: 9}).Deepen(t.Context(), r.Start())
	if err != nil || deep.Searched == 0 {
		t.Errorf("deepen: %+v %v", deep, err)
	}
	for _, row := range ab.Rows() {
		if row.Leaf != "" && row.Level < 9 && ab.Look(position(t, r, row.Position)).X == engine.NoValue {
			t.Errorf("%s: a leaf of level %d is left", row.Position, row.Level)
		}
	}
}

// TestStop ends learning by its context: the error is that of the context, and
// what was found is in the store.
//
//qipu:race
func TestStop(t *testing.T) {
	r := small()
	store := &Memory{}
	th := open(t, r, Options{Store: store})
	ctx, cancel := context.WithCancel(t.Context())
	l := Learner{Theory: th, Searcher: newGuesser(r, 4, 0), Progress: func(p Report) {
		if p.Added == 7 {
			cancel()
		}
	}}
	report, err := l.Deviate(ctx, r.Start(), all, all)
	if !errors.Is(err, context.Canceled) || report.Added != 7 {
		t.Fatalf("%+v %v", report, err)
	}
	if again := open(t, r, Options{Store: store}); again.Info().Positions != 7 {
		t.Errorf("%d positions are stored", again.Info().Positions)
	}
}

// TestUsualBoard learns on 8x8, where keys are the position itself.
func TestUsualBoard(t *testing.T) {
	th := learnt(t)
	check(t, th)
	p := othello.Standard.Start()
	e := th.Look(p)
	if !e.Known || len(e.Moves) != 1 || e.Moves[0].Move != othello.Move("f5") {
		t.Errorf("the start: %+v", e)
	}
	// Every picture of a position has the same values.
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, row := range th.Rows() {
		q := position(t, othello.Standard, row.Position)
		syms := othello.Standard.Info().Symmetries
		sym := syms[rnd.IntN(len(syms))]
		turnedBoard, err := othello.Standard.Arrange(game.SetupOf(q).Transform(othello.Standard, sym))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := th.Look(q), th.Look(turnedBoard); a.Values != b.Values || len(a.Moves) != len(b.Moves) {
			t.Errorf("%s by %v: %+v and %+v", row.Position, sym, a.Values, b.Values)
		}
	}
}

func TestGradeAndLines(t *testing.T) {
	r := othello.Standard
	th := open(t, r, Options{})
	if th.Grade(r.Start()) != "" || th.Lines(r.Start(), 0) != [2]int{} {
		t.Error("an empty theory has a grade")
	}
	// A tree by hand: the start is followed by f5, and that by all three replies,
	// of which two are equally good, and the third loses three discs.
	set := func(line string, v engine.Value) {
		if err := th.Edit(t.Context(), position(t, r, line), v, ""); err != nil {
			t.Fatal(err)
		}
	}
	row := func(line, leaf string, v engine.Value, level int) {
		k := graph.NewKeyer(r)
		b := graph.Blank(book.Key{}, game.FormatPosition(r, position(t, r, line)))
		b.Leaf, b.Value, b.Lower, b.Upper, b.Level = leaf, v, v-200, v+200, level
		b, err := k.Normal(b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&Learner{Theory: th}).Merge(t.Context(), seq([]Row{b})); err != nil {
			t.Fatal(err)
		}
	}
	row("f5d6", "c3", 100, 12)
	row("f5f6", "e6", 100, 18)
	row("f5f4", "e3", 400, 3)
	row("f5", "", engine.NoValue, 12)
	row("", "", engine.NoValue, 12)
	check(t, th)
	if e := th.Look(r.Start()); e.E != 100 || e.Level != 18 {
		t.Errorf("E %d of level %d", e.E, e.Level)
	}
	if g := th.Grade(r.Start()); g != "D" {
		t.Errorf("grade %q, want that of level 12", g)
	}
	if g := th.Grade(position(t, r, "f5f4")); g != "F" {
		t.Errorf("grade %q, want that of level 3", g)
	}
	// Black has to know two lines, three where replies may lose three discs;
	// White, who chooses, one.
	if lines := th.Lines(r.Start(), 0); lines != [2]int{2, 1} {
		t.Errorf("lines %v", lines)
	}
	if lines := th.Lines(r.Start(), 300); lines != [2]int{3, 1} {
		t.Errorf("lines with slack %v", lines)
	}
	set("f5d6", 300) // now f6 is the best reply alone
	if lines := th.Lines(r.Start(), 0); lines != [2]int{1, 1} {
		t.Errorf("lines after an edit %v", lines)
	}
	set("f5d6c3d3", 100)
	for line, want := range map[string]Grade{"f5d6": "D", "f5d6c3d3": ""} {
		if g := th.Grade(position(t, r, line)); g != want {
			t.Errorf("%s was set by hand, which is no proof: grade %q, want %q", line, g, want)
		}
	}
	v := th.Look(r.Start()).Values
	if v.Apart(7) || !v.Apart(8) || !v.Apart(-6) {
		t.Errorf("apart from %d", v.E)
	}
}

// TestConcurrent looks things up, chooses and edits while others learn.
//
//qipu:race
func TestConcurrent(t *testing.T) {
	r := small()
	th := open(t, r, Options{})
	var wait sync.WaitGroup
	done := make(chan struct{})
	for i := range 3 {
		wait.Go(func() {
			p := r.Start()
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if e := th.Look(p); e.Known && e.E != engine.NoValue && (e.Lower != engine.NoValue && e.Lower > e.E) {
					t.Errorf("E %d, at least %d", e.E, e.Lower)
				}
				th.Choose(p, ChoiceOptions{Budget: -1, Seed: uint64(n)})
				th.Grade(p)
				th.Lines(p, 200)
				th.Info()
				if i == 0 && n%50 == 0 {
					if err := th.Edit(t.Context(), p, engine.NoValue, fmt.Sprint(n)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	g := newGuesser(r, 5, 0)
	_, err := (&Learner{Theory: th, Searcher: g, Limit: 40}).Deviate(t.Context(), r.Start(), all, all)
	close(done)
	wait.Wait()
	if err != nil {
		t.Fatal(err)
	}
	check(t, th)
}

// TestMergeNothing leaves out rows that say nothing.
func TestMergeNothing(t *testing.T) {
	r := othello.Standard
	th := open(t, r, Options{})
	rows := []Row{graph.Blank(book.Key{}, game.FormatPosition(r, r.Start()))}
	if report, err := (&Learner{Theory: th}).Merge(t.Context(), seq(rows)); err != nil || report.Added != 0 || th.Info().Positions != 0 {
		t.Errorf("%+v, %v, %d positions", report, err, th.Info().Positions)
	}
}

// TestEditTakenBack leaves nothing behind.
func TestEditTakenBack(t *testing.T) {
	r := othello.Standard
	th := open(t, r, Options{})
	p := position(t, r, "f5d6")
	for range 2 {
		if err := th.Edit(t.Context(), p, engine.NoValue, ""); err != nil || th.Info().Positions != 0 {
			t.Fatalf("%v, %d positions", err, th.Info().Positions)
		}
		if err := th.Edit(t.Context(), p, 300, "why"); err != nil || th.Info().Edited != 1 {
			t.Fatalf("%v, %+v", err, th.Info())
		}
	}
	if err := th.Edit(t.Context(), p, engine.NoValue, ""); err != nil || len(th.Rows()) != 0 {
		t.Errorf("%v, %d rows", err, len(th.Rows()))
	}
}

// TestDamagedRows are left out, and stay in the store.
func TestDamagedRows(t *testing.T) {
	store := &Memory{}
	good := learnt(t).Rows()
	bad := []Row{good[0], good[1], good[2]}
	bad[0].Position = "nonsense"
	bad[1].Leaf = "a1"
	bad[2].Key.Lo ^= 1 << 40
	if err := store.Put(t.Context(), append(slices.Clone(good[3:]), bad...)); err != nil {
		t.Fatal(err)
	}
	th := open(t, othello.Standard, Options{Store: store})
	check(t, th)
	if n := len(th.Rows()); n != len(good)-3 || len(th.Faults()) != 3 {
		t.Errorf("%d rows of %d, faults %v", n, len(good), th.Faults())
	}
	if err := th.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	stored := 0
	for range store.Rows(t.Context()) {
		stored++
	}
	if stored != len(good) {
		t.Errorf("%d rows are stored, were %d", stored, len(good))
	}
}

// lateStore has something done while its rows are read.
type lateStore struct {
	Memory
	reading func()
}

func (s *lateStore) Rows(ctx context.Context) iter.Seq2[Row, error] {
	rows := s.Memory.Rows(ctx)
	return func(yield func(Row, error) bool) {
		if s.reading != nil {
			s.reading()
		}
		rows(yield)
	}
}

// TestReloadKeepsEdits checks that what changes while the rows are read anew is
// neither forgotten nor taken out of the store.
func TestReloadKeepsEdits(t *testing.T) {
	ctx := t.Context()
	store := &lateStore{}
	r := small()
	th := open(t, r, Options{Store: store})
	first, second := position(t, r, ""), position(t, r, "")
	if err := second.Play(second.AppendMoves(nil)[0]); err != nil {
		t.Fatal(err)
	}
	for _, p := range []game.Position{first, second} {
		if err := th.Edit(ctx, p, 3*engine.Unit, "before"); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 2)
	store.reading = func() {
		go func() { done <- th.Edit(ctx, first, 5*engine.Unit, "after") }()
		go func() { done <- th.Edit(ctx, second, engine.NoValue, "") }()
		for th.waiting() < 2 {
			runtime.Gosched()
		}
	}
	if err := th.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	store.reading = nil
	for _, th := range []*Theory{th, open(t, r, Options{Store: store})} {
		if e := th.Look(first); e.Human != 5*engine.Unit || e.Note != "after" {
			t.Errorf("what was set while the rows were read is %v %q", e.Human, e.Note)
		}
		if e := th.Look(second); e.Known {
			t.Errorf("what was taken back while the rows were read is %v", e.Human)
		}
		check(t, th)
	}
}
