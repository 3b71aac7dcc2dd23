package puct

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/game/weiqi"
)

func made(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func variant(t testing.TB, spec string) game.Rules {
	t.Helper()
	r, err := weiqi.Standard.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// task plays moves in the notation of GTP.
func task(t testing.TB, spec, moves string) *engine.Task {
	t.Helper()
	k := &engine.Task{Rules: variant(t, spec)}
	p := k.Rules.Start()
	for _, text := range strings.Fields(moves) {
		m, err := k.Rules.ParseMove(p, text, game.AnyNotation)
		if err == nil {
			err = p.Play(m)
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		k.Moves = append(k.Moves, m)
	}
	return k
}

// set is a task that begins with a position: X is black, O white, row by row.
func set(t testing.TB, spec, turn string, rows ...string) *engine.Task {
	t.Helper()
	first := strings.Fields(rows[0])
	b := board.NewPlanes(board.Size{W: len(first), H: len(rows)}, 2)
	for y, row := range rows {
		for x, c := range strings.Fields(row) {
			if c != "." {
				b.Of[strings.Index("XO", c)].Add(board.At(x, y))
			}
		}
	}
	return &engine.Task{Rules: variant(t, spec), Start: &game.Setup{Board: b, Turn: game.Side(strings.Index("bw", turn)), Ko: board.NoPoint}}
}

func think(t testing.TB, e engine.Engine, k *engine.Task, l engine.Limits) *engine.Report {
	t.Helper()
	r, err := e.Think(t.Context(), k, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Lines) == 0 {
		t.Fatal("no move")
	}
	return r
}

func say(k *engine.Task, m game.Move) string {
	p, err := k.Position()
	if err != nil {
		return err.Error()
	}
	return game.FormatMove(k.Rules, p, m, game.AnyNotation)
}

// TestSame holds that visits, a seed and one thread give one answer, whatever was
// thought before, and that other seeds look at the board from another side.
func TestSame(t *testing.T) {
	k := task(t, "9x9", "E5 C3 G3")
	l := engine.Limits{Nodes: 60, Multi: 4, Seed: 3}
	plain := func(r *engine.Report) string { return fmt.Sprint(r.Lines, r.Nodes, r.Depth, r.Owner[:9]) }
	e := made(t, Options{})
	first := plain(think(t, e, k, l))
	think(t, e, task(t, "9x9", "E5 C3 G3 G6"), engine.Limits{Nodes: 20, Seed: 9})
	if again := plain(think(t, e, k, l)); again != first {
		t.Errorf("%s\nis not\n%s", again, first)
	}
	if other := plain(think(t, made(t, Options{}), k, l)); other != first {
		t.Errorf("%s\nis not\n%s", other, first)
	}
	l.Seed = 4
	if other := plain(think(t, e, k, l)); other == first {
		t.Error("another seed changes nothing")
	}
}

// TestThreads has many threads grow one tree.
//
//qipu:race
func TestThreads(t *testing.T) {
	e := made(t, Options{})
	k := task(t, "7x7", "D4")
	watched := 0
	r, err := e.Think(t.Context(), k, engine.Limits{Nodes: 80, Threads: 4, Multi: 3}, func(*engine.Report) { watched++ })
	if err != nil {
		t.Fatal(err)
	}
	if r.Nodes < 80 || r.Nodes > 90 || len(r.Lines) != 3 || watched == 0 {
		t.Errorf("%d nodes, %d lines, told %d times", r.Nodes, len(r.Lines), watched)
	}
	e.tree.check(t)
}

// TestTree holds that every node has as many visits as its edges and its own look, that
// sums are those of what stands behind them, and that all ways to a node end in one
// position.
func TestTree(t *testing.T) {
	e := made(t, Options{})
	k := task(t, "7x7", "D4 D3")
	think(t, e, k, engine.Limits{Nodes: 300, Multi: 1})
	w := e.workers[0]
	seen, shared, ways := map[int32]uint64{}, 0, 0
	var walk func(at int32)
	walk = func(at int32) {
		n := &e.tree.nodes[at]
		if ways++; n.state != open || len(w.moves) > 5 {
			return
		}
		for i := n.first; i < n.first+n.count; i++ {
			x := &e.tree.edges[i]
			if x.visits == 0 {
				continue
			}
			if !w.forth(x.move) {
				t.Fatalf("after %v no %v", w.moves, x.move)
			}
			if key, ok := seen[x.child]; ok && key != w.key() || w.key() != e.tree.nodes[x.child].key {
				t.Fatalf("node %d has several positions", x.child)
			} else if ok {
				shared++
			}
			seen[x.child] = w.key()
			walk(x.child)
			w.p.Undo()
			w.last, w.moves = w.last[:len(w.last)-1], w.moves[:len(w.moves)-1]
		}
	}
	w.moves = w.moves[:0]
	walk(0)
	if shared == 0 || ways < 100 {
		t.Errorf("%d of %d ways end in a node of another", shared, ways)
	}
}

// check holds the laws of a tree that was not used again: a node is visited as often as
// the edges that lead to it, and one time more than those that lead on; where no two
// ways meet, what it is worth is the mean of its own look and of what stands behind its
// edges. It returns in how many nodes ways meet.
func (tr *tree) check(t *testing.T) (shared int) {
	t.Helper()
	come, ways := make([]int32, len(tr.nodes)), make([]int, len(tr.nodes))
	for i := range tr.edges {
		if x := &tr.edges[i]; x.child != 0 {
			come[x.child] += x.visits
			if ways[x.child]++; ways[x.child] == 2 {
				shared++
			}
		}
	}
	for i := range tr.nodes {
		n := &tr.nodes[i]
		if n.flying != 0 || n.state == looking || i > 0 && come[i] != n.visits {
			t.Fatalf("node %d, %d came: %+v", i, come[i], n)
		}
		if n.state != open {
			continue
		}
		visits, utility, lead, win := int32(1), n.own.utility, n.own.lead, n.own.win
		for _, x := range tr.edges[n.first : n.first+n.count] {
			if visits += x.visits; x.visits > 0 {
				c := &tr.nodes[x.child]
				k := float64(x.visits) / float64(c.visits)
				utility, lead, win = utility-k*c.utility, lead-k*c.lead, win+float64(x.visits)-k*c.win
			}
		}
		if mean := n.utility / float64(n.visits); visits != n.visits || math.Abs(mean) > 1 || n.win < -1e-9 || n.win > float64(n.visits)+1e-9 {
			t.Fatalf("node %d: %d visits, %d of its edges: %+v", i, n.visits, visits, n)
		}
		if shared == 0 && math.Abs(n.utility-utility)+math.Abs(n.lead-lead)+math.Abs(n.win-win) > 1e-6 {
			t.Fatalf("node %d: %+v, want %v %v %v", i, n, utility, lead, win)
		}
	}
	return shared
}

// TestMeeting holds the laws in a search in which no two ways meet, and in one in which
// many do.
func TestMeeting(t *testing.T) {
	e := made(t, Options{})
	for nodes, meet := range map[int64]bool{12: false, 250: true} {
		think(t, e, task(t, "7x7", "D4"), engine.Limits{Nodes: nodes, Multi: 2})
		if n := e.tree.check(t); n > 0 != meet {
			t.Errorf("%d visits: ways meet in %d of %d nodes", nodes, n, len(e.tree.nodes))
		}
	}
}

// TestSuperko holds that no way of the tree repeats a board where the rules forbid that,
// though ways of which only one would do so meet: two kos and a few points are left.
func TestSuperko(t *testing.T) {
	rows := []string{
		". X O . O X .",
		"X O O O O X X",
		". X O X X X .",
		"X X O O X . X",
		"O O O O O X X",
		". O X X O O X",
		"O X . X X O .",
	}
	for _, spec := range []string{"7x7,chinese", "7x7,aga", "7x7,tromp-taylor", "7x7,japanese"} {
		for _, turn := range []string{"b", "w"} {
			e := made(t, Options{})
			k := set(t, spec, turn, rows...)
			if _, err := k.Position(); err != nil {
				t.Fatal(err)
			}
			r := think(t, e, k, engine.Limits{Nodes: 300, Multi: 4})
			e.tree.check(t)
			for _, l := range r.Lines {
				if _, err := (&engine.Task{Rules: k.Rules, Start: k.Start, Moves: l.Moves}).Position(); err != nil {
					t.Errorf("%s: %v: %v", spec, l.Moves, err)
				}
			}
			if p, _ := k.Position(); e.workers[0].p.Hash() != p.Hash() {
				t.Errorf("%s: the worker is not back", spec)
			}
		}
	}
}

// TestTime holds that no thought may take longer than its clock has, however little
// that is, and that the time for a move is never more than what was asked for.
func TestTime(t *testing.T) {
	for _, left := range []time.Duration{0, time.Millisecond, 30 * time.Millisecond, time.Second, time.Minute, time.Hour} {
		for _, more := range []time.Duration{0, time.Second, time.Hour} {
			for _, moves := range []int{0, 1, 30} {
				for _, most := range []time.Duration{0, time.Millisecond, time.Minute} {
					s := search{limits: engine.Limits{Time: most, Clock: &engine.Clock{Left: left, Increment: more, Moves: moves}}}
					s.limit()
					if soft, hard := s.soft.Sub(s.began), s.hard.Sub(s.began); left > 0 && hard > left || most > 0 && hard > most || soft > hard {
						t.Errorf("left %v+%v for %d moves, at most %v: %v to %v", left, more, moves, most, soft, hard)
					}
				}
			}
		}
	}
}

// TestReuse holds that a thought by the clock goes on with the tree of the one before.
func TestReuse(t *testing.T) {
	e := made(t, Options{})
	k := task(t, "7x7", "D4")
	r := think(t, e, k, engine.Limits{Nodes: 60, Multi: 1})
	next := &engine.Task{Rules: k.Rules, Moves: append(slices.Clone(k.Moves), r.Lines[0].Moves[0])}
	e.prepare(next, engine.Limits{Time: time.Second})
	if n := e.tree.nodes[0]; n.visits == 0 || n.state != open {
		t.Errorf("%+v", n)
	}
	for i := range e.tree.nodes {
		n := &e.tree.nodes[i]
		for _, x := range e.tree.edges[n.first : n.first+n.count] {
			if int(x.child) >= len(e.tree.nodes) {
				t.Fatalf("node %d: %+v", i, x)
			}
		}
	}
	e.prepare(next, engine.Limits{Nodes: 10})
	if n := e.tree.nodes[0]; n.visits != 0 {
		t.Errorf("with a limit of nodes the tree is kept: %+v", n)
	}
}

// TestDepth: a depth is a number of visits.
func TestDepth(t *testing.T) {
	e := made(t, Options{})
	for depth, nodes := range map[int]int64{1: 1, 2: 2, 5: 16} {
		if r := think(t, e, task(t, "7x7", ""), engine.Limits{Depth: depth, Multi: 1}); r.Nodes != nodes || r.Depth != depth {
			t.Errorf("depth %d: %d nodes, depth %d", depth, r.Nodes, r.Depth)
		}
	}
}

// TestSmall holds that a full tree ends a thought.
func TestSmall(t *testing.T) {
	e := made(t, Options{Hash: 20_000})
	r := think(t, e, task(t, "7x7", ""), engine.Limits{Nodes: 5000})
	if r.Nodes >= 1000 {
		t.Errorf("%d nodes", r.Nodes)
	}
}

// TestAllocations: looking at more positions takes no more memory.
func TestAllocations(t *testing.T) {
	e := made(t, Options{})
	k := task(t, "7x7", "D4")
	think(t, e, k, engine.Limits{Nodes: 200, Multi: 1})
	count := func(nodes int64) float64 {
		return testing.AllocsPerRun(3, func() { think(t, e, k, engine.Limits{Nodes: nodes, Multi: 1}) })
	}
	if few, many := count(20), count(120); many-few > 50 {
		t.Errorf("%.0f allocations for 20 positions, %.0f for 120", few, many)
	}
}

// TestLadder: a stone that a ladder takes does not run, and one that none takes does.
func TestLadder(t *testing.T) {
	rows := []string{
		". . . . . . . . .",
		". . . . . . . . .",
		". . . . . . . . .",
		". . . . . . . . .",
		". . . . . . . . .",
		". . X . . . . . .",
		". . X O X . . . .",
		". . . X . . . . .",
		". . . . . . . . .",
	}
	share := func(rows []string) float64 {
		k := set(t, "9x9", "w", rows...)
		p, err := k.Position()
		if err != nil {
			t.Fatal(err)
		}
		w := made(t, Options{}).workers[0]
		w.begin(p.(*weiqi.Position), nil, 0)
		if err := w.see(); err != nil {
			t.Fatal(err)
		}
		w.sight.Moves[5*9+3] = 0.5 // as a net thinks that does not see ladders
		w.correct()
		return w.sight.Moves[5*9+3] / 0.5
	}
	if got := share(rows); math.Abs(got-futile) > 1e-9 {
		t.Errorf("running in a ladder: %v of what the net says is left", got)
	}
	r := think(t, made(t, Options{}), set(t, "9x9", "w", rows...), engine.Limits{Nodes: 6, Multi: 5})
	if len(r.Refuted) != 1 || r.Refuted[0] != game.Drop(board.At(3, 5)) {
		t.Errorf("refuted %v", r.Refuted)
	}
	for i, l := range r.Lines {
		if l.Likely <= 0 || l.Value == engine.NoValue || i > 0 && l.Likely > r.Lines[i-1].Likely {
			t.Errorf("line %d: %+v", i+1, l)
		}
	}
	rows[2] = ". . . O . . . . ."
	rows[3] = ". . . O . . . . ."
	if got := share(rows); got != 1 {
		t.Errorf("running to friends: %v", got)
	}
}

// finished is a board on which nothing is left: Black has the left, White the right.
var finished = []string{
	". . . X O . .",
	". X . X O . O",
	". . X X O O .",
	"X X . X O . .",
	". . X X O O O",
	". X . X O . O",
	". . . X O . .",
}

// TestPass holds that nobody plays where nothing is to be gained: by no rules, with
// and without search, before and after the other has passed; and that a neutral point
// is filled where the area is counted.
func TestPass(t *testing.T) {
	e := made(t, Options{})
	for _, spec := range []string{"7x7,japanese", "7x7,chinese", "7x7,tromp-taylor"} {
		for _, nodes := range []int64{1, 40} {
			k := set(t, spec, "b", finished...)
			for _, moves := range [][]game.Move{nil, {game.Pass}} {
				k.Moves = moves
				r := think(t, e, k, engine.Limits{Nodes: nodes})
				if m := r.Best().Move; m != game.Pass {
					t.Errorf("%s, %d nodes, after %v: %s", spec, nodes, moves, say(k, m))
				}
			}
		}
	}
	rows := slices.Clone(finished)
	rows[0] = ". . . X . O ."
	rows[1] = ". X . X O . O"
	k := set(t, "7x7,chinese", "w", rows...)
	if m := think(t, e, k, engine.Limits{Nodes: 40}).Best().Move; m == game.Pass {
		t.Error("a neutral point is left where the area is counted")
	}
}

// TestEnd holds what a game is worth that is over.
func TestEnd(t *testing.T) {
	e := made(t, Options{})
	for _, spec := range []string{"7x7,tromp-taylor,komi=0.5", "7x7,chinese,komi=0.5"} {
		k := set(t, spec, "b", finished...)
		p, err := k.Position()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := p.Play(game.Pass); err != nil {
				t.Fatal(err)
			}
		}
		w := e.workers[0]
		w.begin(p.(*weiqi.Position), nil, 0)
		w.moves = w.moves[:0]
		v, err := w.look(false)
		if err != nil || !v.over || v.win != 1 || v.lead != 6.5 {
			t.Errorf("%s: %+v, %v", spec, v, err)
		}
		k.Moves = []game.Move{game.Pass, game.Pass}
		if _, err := e.Think(t.Context(), k, engine.Limits{Nodes: 1}, nil); !errors.Is(err, engine.ErrOver) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// TestResign: who is asked for a move gives up what is lost, and nobody else does.
func TestResign(t *testing.T) {
	e := made(t, Options{Resign: true})
	k := task(t, "9x9,komi=-200", "E5 E7 C6 C7 G6 G7 B6 B7 H6 H7 D6 D7 F6 F7 A7 A8 J7 J8 B8 C8 A6")
	if _, err := e.Think(t.Context(), k, engine.Limits{Nodes: 20}, nil); !errors.Is(err, engine.ErrResigned) {
		w := e.workers[0]
		t.Errorf("a lost game goes on: %v; chance %v, lead %v, spread %v", err, w.sight.Win, w.sight.Lead, w.sight.Spread)
	}
	if r := think(t, e, k, engine.Limits{Nodes: 20, Multi: 1}); r.Best().Value > -50*engine.Unit {
		t.Errorf("lead %v", r.Best().Value)
	}
	k.Moves = k.Moves[:len(k.Moves)-1]
	if _, err := e.Think(t.Context(), k, engine.Limits{Nodes: 20}, nil); err != nil {
		t.Errorf("the winner: %v", err)
	}
	if _, err := e.Think(t.Context(), task(t, "9x9", ""), engine.Limits{Nodes: 4}, nil); err != nil {
		t.Errorf("the beginning: %v", err)
	}
}

// TestStrange: what cannot be seen is said, and nothing panics.
func TestStrange(t *testing.T) {
	e := made(t, Options{})
	for _, spec := range []string{"1x9", "9x1", "1x1", "5x5", "6x19", "25x25", "19x20"} {
		r, err := weiqi.Standard.Variant(spec)
		if err != nil {
			continue // the rules know no such board
		}
		if _, err := e.Think(t.Context(), &engine.Task{Rules: r}, engine.Limits{Nodes: 2}, nil); !errors.Is(err, engine.ErrGame) {
			t.Errorf("%s: %v", spec, err)
		}
	}
	for _, spec := range []string{"7x9", "19x7", "13x13,handicap=9", "9x9,komi=1000", "9x9,komi=-1000", "19x19,handicap=40", "9x9,japanese,komi=1000"} {
		r, err := weiqi.Standard.Variant(spec)
		if err != nil {
			continue
		}
		report := think(t, e, &engine.Task{Rules: r}, engine.Limits{Nodes: 3, Multi: 2})
		if strings.Contains(spec, "komi=1000") && (report.Best().Value > -800*engine.Unit || report.Best().Chance > 0.01) {
			t.Errorf("%s: %+v", spec, report.Best())
		}
	}
	for _, turn := range []string{"b", "w"} { // boards that no game can have
		for _, row := range []string{"X X X X X X X", "O X O X O X O", "X . X . X . X"} {
			k := set(t, "7x7", turn, row, row, row, row, row, row, row)
			_, err := e.Think(t.Context(), k, engine.Limits{Nodes: 5}, nil)
			t.Logf("%s %s: %v", row, turn, err)
		}
	}
}

// TestStop: who is stopped answers with what is there, who is closed does not.
func TestStop(t *testing.T) {
	e := made(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	r, err := e.Think(ctx, task(t, "7x7", ""), engine.Limits{}, func(r *engine.Report) {
		if r.Nodes > 5 {
			cancel()
		}
	})
	if err != nil || len(r.Lines) != 1 || r.Nodes < 5 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := e.Think(ctx, task(t, "7x7", ""), engine.Limits{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	e.Close()
	if _, err := e.Think(t.Context(), task(t, "7x7", ""), engine.Limits{}, nil); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// TestLevels: low levels choose among what the net thinks likely, by the seed.
func TestLevels(t *testing.T) {
	k := task(t, "9x9", "E5 C3")
	seen := map[game.Move]bool{}
	for seed := range uint64(12) {
		e := engine.AtLevel(made(t, Options{}), 2)
		r := think(t, e, k, engine.Limits{Seed: seed + 1})
		seen[r.Best().Move] = true
		if r.Nodes != 1 {
			t.Fatalf("%d nodes", r.Nodes)
		}
	}
	if len(seen) < 3 {
		t.Errorf("only %d moves", len(seen))
	}
	for i, l := range Levels() {
		if l.Number != i+1 || l.Limits.Nodes < 1 || l.Limits.Time != 0 {
			t.Errorf("%+v", l)
		}
	}
}

// TestPonder holds that what was thought on the other's time is used: the answer to a
// move that was expected begins with the visits that it has.
func TestPonder(t *testing.T) {
	e := made(t, Options{})
	k := task(t, "7x7", "D4")
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := e.Think(ctx, k, engine.Limits{}, func(r *engine.Report) {
		if r.Nodes > 40 {
			cancel()
		}
	}); err != nil {
		t.Fatal(err)
	}
	root := &e.tree.nodes[0]
	expected := e.tree.edges[root.first]
	for _, x := range e.tree.edges[root.first : root.first+root.count] {
		if better(&x, &expected) < 0 {
			expected = x
		}
	}
	k.Moves = append(k.Moves, expected.move)
	e.prepare(k, engine.Limits{Time: time.Second})
	if had := e.tree.nodes[0].visits; had < expected.visits || had < 2 {
		t.Errorf("%d visits are left of %d", had, expected.visits)
	}
}

// TestSettles: three points in a row are two eyes or one by who moves, and the report of
// either side's move between says what becomes of the stones around.
func TestSettles(t *testing.T) {
	e := made(t, Options{})
	for _, turn := range []string{"b", "w"} {
		k := set(t, "9x9,chinese", turn,
			". . . O X . . . .",
			"O O O O X . X . .",
			"X X X X X X . . .",
			". . . . . . . X .",
			"X . X X X X X X X",
			"O O O O O O O O O",
			". . . . . . . . .",
			". . O . . . O . .",
			". . . . . . . . .")
		r := think(t, e, k, engine.Limits{Nodes: 21, Multi: 5})
		found := 0
		for _, l := range r.Lines {
			for _, f := range l.Settles {
				if f.At == board.At(3, 0) || f.At.Y() == 1 && f.At.X() < 4 {
					if f.Side != weiqi.White || l.Move.To() == board.At(1, 0) && f.Lives != (turn == "w") {
						t.Errorf("%s: %s settles %+v", turn, say(k, l.Move), f)
					}
					if l.Move.To() == board.At(1, 0) {
						found++
					}
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: found %d times", turn, found)
			for _, l := range r.Lines {
				t.Logf("%s %v %+v", say(k, l.Move), l.Value, l.Settles)
			}
		}
		if r := think(t, e, k, engine.Limits{Nodes: 21}); len(r.Lines[0].Settles) > 0 {
			t.Error("nobody asked")
		}
	}
}
