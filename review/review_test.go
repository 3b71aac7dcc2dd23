package review_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/book"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/kalah"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/record"
	"qipu/record/recordtest"
	"qipu/record/transcript"
	"qipu/review"
)

// solver reads small games to their end, by nothing but the rules.
type solver struct {
	known  map[uint64]engine.Value
	noise  engine.Value // that readings which end early are off by
	exact  bool         // it says that it solves
	asked  []int        // moves of the tasks, in their order
	depths []int        // and their limits
	fail   error
}

func (s *solver) Info() engine.Info { return engine.Info{Name: "solver", Solves: s.exact} }
func (s *solver) Close() error      { return nil }

func (s *solver) solve(p game.Position) engine.Value {
	if v, ok := s.known[p.Hash()]; ok {
		return v
	}
	moves := p.AppendMoves(nil)
	best, side := engine.NoValue, p.Turn()
	for _, m := range moves {
		if p.Play(m) != nil {
			panic("an illegal move is listed")
		}
		if v := s.worth(p, side); best == engine.NoValue || v > best {
			best = v
		}
		p.Undo()
	}
	if len(moves) == 0 {
		o := p.Outcome()
		best = engine.Value(o.Margin) * engine.Unit / 2
		if o.State != game.Drawn && o.Winner != p.Turn() {
			best = -best
		}
	}
	s.known[p.Hash()] = best
	return best
}

// worth returns the value of a position for a side, be it to move or not.
func (s *solver) worth(p game.Position, side game.Side) engine.Value {
	if v := s.solve(p); p.Turn() == side {
		return v
	} else {
		return -v
	}
}

func (s *solver) Think(_ context.Context, t *engine.Task, l engine.Limits, _ func(*engine.Report)) (*engine.Report, error) {
	s.asked, s.depths = append(s.asked, len(t.Moves)), append(s.depths, l.Depth)
	if s.fail != nil {
		return nil, s.fail
	}
	if s.known == nil {
		s.known = map[uint64]engine.Value{}
	}
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	var best engine.Line
	side := p.Turn()
	for _, m := range p.AppendMoves(nil) {
		_ = p.Play(m)
		v := s.worth(p, side)
		p.Undo()
		if best.Move == game.NoMove || v > best.Value {
			best = engine.Line{Move: m, Value: v, Exact: l.Exact, Moves: []game.Move{m}}
		}
	}
	if best.Move == game.NoMove {
		return nil, engine.ErrOver
	}
	// Whoever is to move where the reading ends is thought too well of.
	if empty := 12 - len(t.Moves); !l.Exact && l.Depth < empty {
		if l.Depth%2 == 0 {
			best.Value += s.noise
		} else {
			best.Value -= s.noise
		}
	}
	return &engine.Report{Lines: []engine.Line{best}, Depth: max(l.Depth, 1), Selectivity: 100}, nil
}

func small(t testing.TB) game.Rules {
	r, err := othello.Standard.Variant("4x4")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// randomGame plays to the end.
func randomGame(r game.Rules, seed uint64) *engine.Task {
	rng := rand.New(rand.NewPCG(seed, 1))
	t, p := &engine.Task{Rules: r}, r.Start()
	for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(nil) {
		m := moves[rng.IntN(len(moves))]
		_ = p.Play(m)
		t.Moves = append(t.Moves, m)
	}
	return t
}

// TestLaws holds that what was lost is what is missing at the end, move by move
// and in all, whatever was played.
func TestLaws(t *testing.T) {
	r := small(t)
	s := &solver{exact: true}
	for seed := range uint64(50) {
		task := randomGame(r, seed)
		var told []int
		got, err := review.Run(context.Background(), s, task, review.Options{OnMove: func(m *review.Move) { told = append(told, m.Ply) }})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Moves) != len(task.Moves) || !got.Done || got.Unit != review.Discs || told[0] != len(task.Moves) || told[len(told)-1] != 1 {
			t.Fatalf("%d of %d moves, told %v", len(got.Moves), len(task.Moves), told)
		}
		value := got.Moves[0].Best
		for i, m := range got.Moves {
			sign := 1.0
			if m.Side != game.First {
				sign = -1
			}
			if m.Ply != i+1 || m.Loss < 0 || !m.Exact || math.Abs(m.Best-m.Value-sign*m.Loss) > 1e-9 || m.Best != value {
				t.Fatalf("seed %d: %+v behind a value of %v", seed, m, value)
			}
			if (m.Loss > 0) != (len(m.Line) > 0) || m.Mark != review.Discs.Mark(m.Loss) {
				t.Errorf("seed %d: %+v", seed, m)
			}
			value = m.Value
		}
		p, err := task.Position()
		if err != nil {
			t.Fatal(err)
		}
		o := p.Outcome()
		want := float64(o.Margin) / 2
		if o.State == game.Won && o.Winner != game.First {
			want = -want
		}
		if value != want {
			t.Errorf("seed %d: ends with %v, want %v", seed, value, want)
		}
		first, second := got.Tally(game.First), got.Tally(game.Second)
		if sum := got.Moves[0].Best - first.Loss + second.Loss; math.Abs(sum-want) > 1e-9 {
			t.Errorf("seed %d: the losses make %v of %v", seed, sum, want)
		}
	}
}

// TestTwice reviews games in which a side moves several times in a row: values
// are those of the positions, and a loss is never a gain.
func TestTwice(t *testing.T) {
	r, s := kalah.Rules{Seeds: 1}, &solver{}
	scale := review.ScaleOf(r)
	losses, rows := 0, 0
	for seed := range uint64(12) {
		task := randomGame(r, seed)
		got, err := review.Run(context.Background(), s, task, review.Options{Limits: engine.Limits{Depth: 4}, Chosen: true})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Start()
		for i, m := range got.Moves {
			side, best := p.Turn(), s.worth(p, game.First)
			if err := p.Play(task.Moves[i]); err != nil {
				t.Fatal(err)
			}
			if p.Turn() == side {
				rows++
			}
			if m.Loss > 0 {
				losses++
			}
			value := s.worth(p, game.First)
			if m.Side != side || m.Loss < 0 || math.Abs(m.Value-scale.Amount(value)) > 1e-9 || math.Abs(m.Best-scale.Amount(best)) > 1e-9 {
				t.Fatalf("seed %d: %+v, want %d before and %d behind it", seed, m, best, value)
			}
		}
	}
	if losses == 0 || rows == 0 {
		t.Errorf("%d losses, %d moves before another of the same side", losses, rows)
	}
}

// TestHorizon holds that an engine which thinks too well of whoever is to move
// where it stops reading sees no losses in that: both readings of a move end at
// the same ply.
func TestHorizon(t *testing.T) {
	r := small(t)
	truth := &solver{exact: true}
	for _, depth := range []int{2, 3, 4} {
		noisy := &solver{noise: 300}
		task := randomGame(r, 0)
		for seed := uint64(1); len(task.Moves) != 12 || slices.Contains(task.Moves, game.Pass); seed++ {
			task = randomGame(r, seed)
		}
		want, err := review.Run(context.Background(), truth, task, review.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := review.Run(context.Background(), noisy, task, review.Options{Limits: engine.Limits{Depth: depth}, Chosen: true})
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for i := range got.Moves[:12-depth-1] { // behind them the end is in sight
			if got.Moves[i].Loss != want.Moves[i].Loss {
				t.Errorf("depth %d: ply %d: %v, want %v", depth, i+1, got.Moves[i].Loss, want.Moves[i].Loss)
			}
			if want.Moves[i].Loss > 0 {
				compared++
			}
			// What is left of the noise is the same in all of the game.
			if d := got.Moves[i].Value - want.Moves[i].Value; math.Abs(d) != 3 || d != got.Moves[0].Value-want.Moves[0].Value {
				t.Errorf("depth %d: ply %d: %v, truly %v", depth, i+1, got.Moves[i].Value, want.Moves[i].Value)
			}
		}
		for i, d := range noisy.depths {
			end := noisy.asked[i] + d
			if second := i > 0 && noisy.asked[i] == noisy.asked[i-1]+1; end%2 != depth%2 || !second && d != depth-noisy.asked[i]%2 {
				t.Errorf("depth %d: read to %v at %v", depth, noisy.depths, noisy.asked)
			}
		}
		if compared == 0 {
			t.Error("no move of the game is a mistake")
		}
	}
}

// known is an engine that is never surer than its error.
type known struct {
	*solver
	accuracy []engine.Accuracy
}

func (k known) Info() engine.Info {
	return engine.Info{Name: "known", Version: "7", Accuracy: k.accuracy, Measured: "by the test"}
}

// TestOpinion holds that a review says whose word it is, that nobody is blamed for
// what the engine may be wrong about, and that an engine which nobody has measured
// or chosen tells what it has proved, and no more.
func TestOpinion(t *testing.T) {
	r := small(t)
	task := randomGame(r, 0)
	for seed := uint64(1); len(task.Moves) != 12; seed++ {
		task = randomGame(r, seed)
	}
	o := review.Options{Limits: engine.Limits{Depth: 3}, Solve: -1}
	run := func(accuracy []engine.Accuracy, o review.Options) *review.Review {
		got, err := review.Run(context.Background(), known{&solver{noise: 1}, accuracy}, task, o)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	marks := func(r *review.Review) (marked, valued int) {
		for _, m := range r.Moves {
			if m.Mark != review.Fine {
				marked++
			}
			if m.Known {
				valued++
			} else if m.Value != 0 || m.Loss != 0 || len(m.Line) > 0 {
				t.Errorf("%+v tells something", m)
			}
		}
		return marked, valued
	}
	exact := run([]engine.Accuracy{{Depth: 1, Mean: 0, Most: 0}}, o)
	if exact.By.Engine != "known" || exact.By.Version != "7" || !exact.By.Counts || exact.By.Measured != "by the test" {
		t.Errorf("%+v", exact.By)
	}
	all, valued := marks(exact)
	if all == 0 || valued != len(exact.Moves) {
		t.Fatalf("%d marks, %d values", all, valued)
	}
	proved := 0
	for _, m := range exact.Moves {
		if m.Exact {
			proved++
		}
	}
	// An error larger than every loss leaves the marks of proofs; so does one that is known of deeper readings alone.
	for _, accuracy := range [][]engine.Accuracy{{{Depth: 1, Most: 200}}, {{Depth: 30, Most: 0}}} {
		got := run(accuracy, o)
		for _, m := range got.Moves {
			if m.Mark != review.Fine && !m.Exact {
				t.Errorf("%v: %+v has a mark", accuracy, m)
			}
		}
		if _, valued := marks(got); valued != len(got.Moves) {
			t.Errorf("%v: %d values", accuracy, valued)
		}
	}
	unknown := run(nil, o)
	if _, valued := marks(unknown); unknown.By.Counts || valued != proved {
		t.Errorf("%+v: %d values, %d proofs", unknown.By, valued, proved)
	}
	o.Chosen = true
	if got := run(nil, o); !got.By.Counts || got.Moves[0].Mark != review.Fine {
		t.Errorf("%+v, %+v", got.By, got.Moves[0])
	}
	o.From = 9
	if got := run(nil, o); len(got.Moves) != 4 || got.Moves[0].Ply != 9 {
		t.Errorf("from the ninth: %+v", got.Moves)
	}
}

// TestStop holds that a review which is stopped tells what it has: the end.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	task := randomGame(small(t), 3)
	n := 0
	got, err := review.Run(ctx, &solver{exact: true}, task, review.Options{OnMove: func(*review.Move) {
		if n++; n == 4 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || got.Done || len(got.Moves) < 4 || got.Moves[len(got.Moves)-1].Ply != len(task.Moves) {
		t.Errorf("%v, %d moves", err, len(got.Moves))
	}
	if _, err := review.Run(context.Background(), &solver{fail: errors.New("out of order")}, task, review.Options{}); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Error(err)
	}
}

// TestEnds reviews games that have no result, or none that is counted.
func TestEnds(t *testing.T) {
	e, err := builtin.Engine(xiangqi.Standard, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, moves, err := game.ParseLine(xiangqi.Standard, "h2e2 h9g7 e2e6")
	if err != nil {
		t.Fatal(err)
	}
	got, err := review.Run(context.Background(), e, &engine.Task{Rules: xiangqi.Standard, Moves: moves}, review.Options{Limits: engine.Limits{Depth: 2}, Chosen: true})
	if err != nil {
		t.Fatal(err)
	}
	if got.Unit != review.Share || len(got.Moves) != 3 {
		t.Errorf("%+v", got)
	}
	for _, m := range got.Moves {
		if m.Value <= 0 || m.Value >= 1 || m.Loss < 0 || m.Loss > 1 {
			t.Errorf("%+v", m)
		}
	}
	nine, err := weiqi.Standard.Variant("9x9")
	if err != nil {
		t.Fatal(err)
	}
	g, err := builtin.Engine(nine, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	_, moves, err = game.ParseLine(nine, "E5 pass pass")
	if err != nil {
		t.Fatal(err)
	}
	got, err = review.Run(context.Background(), g, &engine.Task{Rules: nine, Moves: moves}, review.Options{Limits: engine.Limits{Depth: 1}, Chosen: true})
	if err != nil || len(got.Moves) != 3 || got.Unit != review.Points {
		t.Fatalf("%v, %+v", err, got)
	}
	if last := got.Moves[2]; last.Loss != 0 {
		t.Errorf("nobody has counted, but %v was lost", last.Loss)
	}
	if got, err := review.Run(context.Background(), g, &engine.Task{Rules: nine}, review.Options{}); err != nil || !got.Done || len(got.Moves) != 0 {
		t.Errorf("no moves: %v, %+v", err, got)
	}
}

// TestTask makes tasks of records, as far as they keep the rules.
func TestTask(t *testing.T) {
	games, _ := recordtest.ReadAll(t, transcript.Format, recordtest.Source("x.txt", []byte("f5d6c3d3c4\nf5d6a1d3\n")))
	referee := record.NewReferee(builtin.Games())
	for i, want := range []int{5, 2} {
		task, err := review.Task(referee.Play(games[i]))
		if err != nil || len(task.Moves) != want || task.Start != nil {
			t.Errorf("game %d: %v, %+v", i+1, err, task)
		}
	}
	if _, err := review.Task(&record.Played{Game: &record.Game{}}); err == nil {
		t.Error("a record of no game is a task")
	}
	g := &record.Game{Kind: "othello", Start: "8/8/8/3OX3/3XO3/8/8/8 O"}
	g.Add(g.Add(0, 0, ""), record.Second, "f4")
	task, err := review.Task(referee.Play(g))
	if err != nil || task.Start == nil || len(task.Moves) != 1 {
		t.Errorf("another start: %v, %+v", err, task)
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		game string
		v    engine.Value
		want float64
	}{
		{"othello", 350, 3.5}, {"othello", engine.Win - 3, 64}, {"othello", -engine.Win, -64},
		{"weiqi", 0, 0.5}, {"weiqi", 20 * engine.Unit, 0.731}, {"weiqi", -engine.Win, 0},
		{"xiangqi", 0, 0.5}, {"xiangqi", engine.Win - 7, 1}, {"renju", -engine.Win + 7, 0}, {"xiangqi", 380, 0.731},
	} {
		r, err := builtin.Games().Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		if got := review.ScaleOf(r).Amount(c.v); math.Abs(got-c.want) > 0.0005 {
			t.Errorf("%v in %s: %v, want %v", c.v, c.game, got, c.want)
		}
		// One rule for what is read and for what games say.
		if got, want := string(review.UnitOf(r)), string(book.UnitOf(r)); got != want {
			t.Errorf("%s is reviewed in %s, and its book counts in %s", c.game, got, want)
		}
	}
	for _, c := range []struct {
		unit review.Unit
		loss float64
		want review.Grade
	}{
		{review.Discs, 1.9, review.Fine}, {review.Discs, 2, review.Inaccuracy}, {review.Discs, 4, review.Mistake},
		{review.Discs, 8, review.Blunder}, {review.Share, 0.05, review.Inaccuracy}, {review.Share, 0.11, review.Mistake},
	} {
		if got := c.unit.Mark(c.loss); got != c.want {
			t.Errorf("%v %s: %q, want %q", c.loss, c.unit, got, c.want)
		}
	}
}

func ExampleRun() {
	r, _ := othello.Standard.Variant("4x4")
	_, moves, _ := game.ParseLine(r, "a2 a1 b1 c1 d1")
	got, err := review.Run(context.Background(), &solver{exact: true}, &engine.Task{Rules: r, Moves: moves}, review.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range got.Moves {
		text := game.FormatMove(r, r.Start(), m.Move, game.AnyNotation)
		fmt.Printf("%d %s: worth %+.0f, lost %.0f, %q\n", m.Ply, text, m.Value, m.Loss, m.Mark)
	}
	// Output:
	// 1 a2: worth -10, lost 0, ""
	// 2 a1: worth -10, lost 0, ""
	// 3 b1: worth -10, lost 0, ""
	// 4 c1: worth -10, lost 0, ""
	// 5 d1: worth -12, lost 2, "inaccuracy"
}

// steady is an engine without a horizon: it says by a table what positions are worth
// by the number of moves, at a first look and at a closer one.
type steady struct {
	first, closer []engine.Value
	asked         []int64
}

func (s *steady) Info() engine.Info {
	return engine.Info{Name: "steady", Points: true, Steady: true, Accuracy: []engine.Accuracy{{Depth: 1, Most: 1}}, Measured: "made up"}
}
func (s *steady) Close() error { return nil }

func (s *steady) Think(_ context.Context, t *engine.Task, l engine.Limits, _ func(*engine.Report)) (*engine.Report, error) {
	s.asked = append(s.asked, l.Nodes)
	list := s.first
	if l.Nodes > 1 {
		list = s.closer
	}
	return &engine.Report{Lines: []engine.Line{{Move: game.Pass, Value: list[len(t.Moves)]}}, Depth: 1, Points: true}, nil
}

// TestClosely: every position is looked at once, and those around a move that seems
// to lose something once more, by which the loss is told.
func TestClosely(t *testing.T) {
	nine, err := weiqi.Standard.Variant("9x9")
	if err != nil {
		t.Fatal(err)
	}
	_, moves, err := game.ParseLine(nine, "E5 C3 G3")
	if err != nil {
		t.Fatal(err)
	}
	s := &steady{first: []engine.Value{100, 500, 0, 0}, closer: []engine.Value{100, 200, 0, 0}}
	o := review.Options{Limits: engine.Limits{Nodes: 50}}.Closely(s.Info())
	got, err := review.Run(context.Background(), s, &engine.Task{Rules: nine, Moves: moves}, o)
	if err != nil || got.Unit != review.Points || !got.By.Counts {
		t.Fatalf("%+v, %v", got, err)
	}
	// The first move seems to make -5 of 1, a closer look says -2; the second makes 0 of 5, or of 2.
	if m := got.Moves; m[0].Loss != 3 || m[0].Mark != review.Inaccuracy || m[1].Loss != 2 || m[2].Loss != 0 {
		t.Errorf("%+v", m)
	}
	if want := []int64{1, 1, 1, 50, 50, 1, 50, 50}; !slices.Equal(s.asked, want) {
		t.Errorf("asked %v, want %v", s.asked, want)
	}
}

// TestFindings: what is proved against moves is said, and only that.
func TestFindings(t *testing.T) {
	e, err := builtin.Engine(renju.Renju, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	// White lets a three stand, and Black does not make use of it.
	_, moves, err := game.ParseLine(renju.Renju, "h8 a1 i8 a3 j8 c1 o15 g8")
	if err != nil {
		t.Fatal(err)
	}
	got, err := review.Run(context.Background(), e, &engine.Task{Rules: renju.Renju, Moves: moves}, review.Options{Limits: engine.Limits{Nodes: 2000}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int]string{6: "lets the other side win by open four in 3", 7: "misses a win by open four in 3"}
	for _, m := range got.Moves {
		text := ""
		if m.Finding != nil {
			text = m.Finding.String()
			if len(m.Finding.Line) == 0 {
				t.Errorf("ply %d: no line", m.Ply)
			}
		}
		if m.Ply > 4 && text != want[m.Ply] {
			t.Errorf("ply %d: %q, want %q", m.Ply, text, want[m.Ply])
		}
	}
}
