package theory

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"qipu/board"
	"qipu/book"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
)

// small is Othello on a board that can be searched to its end at every point.
func small() game.Rules { return solved().keys.Rules }

// solver knows the truth about a small board.
type solver struct {
	keys *graph.Keyer
	memo map[book.Key]engine.Value
}

func newSolver(r game.Rules) *solver {
	return &solver{graph.NewKeyer(r), map[book.Key]engine.Value{}}
}

// value returns the value for the side to move, by plain minimax.
func (s *solver) value(p game.Position) engine.Value {
	if p.Outcome().Final() {
		return graph.OutcomeValue(p.Outcome(), p.Turn())
	}
	passes := s.keys.Fold(p)
	key, _ := s.keys.Key(p)
	v, ok := s.memo[key]
	if !ok {
		v = engine.NoValue
		for _, m := range p.AppendMoves(nil) {
			if err := p.Play(m); err != nil {
				panic(err)
			}
			v = max(v, -s.value(p))
			p.Undo()
		}
		s.memo[key] = v
	}
	graph.Undo(p, passes)
	if passes == 1 {
		return -v
	}
	return v
}

// guesser is an engine that is wrong by up to a bound, always in the same way.
type guesser struct {
	truth *solver
	wrong int // discs
	exact int // from so few empty points on it is right, and says so
	area  int
	asked int
	stop  int // after so many searches it fails; 0 never
}

var errStopped = errors.New("stopped")

func (g *guesser) Values(_ context.Context, p game.Position, _, n int) ([]MoveValue, error) {
	if g.asked++; g.stop > 0 && g.asked > g.stop {
		return nil, errStopped
	}
	var list []MoveValue
	side := p.Turn()
	exact := g.area-int(graph.Pieces(p)) <= g.exact
	for _, m := range p.AppendMoves(nil) {
		if err := p.Play(m); err != nil {
			return nil, err
		}
		v := g.truth.value(p)
		if p.Turn() != side {
			v = -v
		}
		key, _ := g.truth.keys.Key(p)
		if noise := engine.Value(g.wrong) * engine.Unit; noise > 0 && !exact {
			v += engine.Value(rand.New(rand.NewPCG(key.Hi, key.Lo)).IntN(int(2*noise+1))) - noise
		}
		p.Undo()
		list = append(list, MoveValue{Move: m, Value: v, Margin: engine.Value(g.wrong) * engine.Unit, Exact: exact})
	}
	slices.SortStableFunc(list, func(a, b MoveValue) int { return int(b.Value - a.Value) })
	return list[:min(n, len(list))], nil
}

// solved is the smallest board, solved once for all tests.
var solved = sync.OnceValue(func() *solver {
	r, err := othello.New(board.Size{W: 4, H: 4})
	if err != nil {
		panic(err)
	}
	s := newSolver(r)
	s.value(r.Start())
	return s
})

func newGuesser(r game.Rules, wrong, exact int) *guesser {
	return &guesser{truth: solved(), wrong: wrong, exact: exact, area: r.Geometry().Size.Area()}
}

func open(t testing.TB, r game.Rules, o Options) *Theory {
	t.Helper()
	th, err := Open(t.Context(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func position(t testing.TB, r game.Rules, text string) game.Position {
	t.Helper()
	p, err := game.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// definition works out E and X of positions from nothing, by what they are
// defined to be.
type definition struct {
	testing.TB
	th   *Theory
	keys *graph.Keyer
	memo map[int32][2]engine.Value
}

func (d *definition) of(id int32) (e, x engine.Value) {
	if v, ok := d.memo[id]; ok {
		return v[0], v[1]
	}
	g, n := d.th.graph, &d.th.graph.Nodes[id]
	p := position(d, d.th.rules, n.Row.Position)
	e, x = engine.NoValue, engine.NoValue
	all, valued := true, map[book.Key]bool{}
	given := func(k book.Key) (engine.Value, bool) {
		if d.th.options.Exact == nil {
			return 0, false
		}
		return d.th.options.Exact(k)
	}
	for _, m := range p.AppendMoves(nil) {
		s, err := d.keys.Step(p, m)
		if err != nil {
			d.Fatal(err)
		}
		v, exact, same := engine.NoValue, engine.NoValue, s.Turn == p.Turn()
		if c, ok := g.At[s.Key]; s.Over {
			v = graph.OutcomeValue(s.Outcome, p.Turn())
			exact = v
		} else if ok {
			v, exact = d.of(c)
			v, exact = graph.Turned(v, same), graph.Turned(exact, same)
			if exact != engine.NoValue {
				v = exact
			}
			if h := g.Nodes[c].Row.Human; h != engine.NoValue {
				v = graph.Turned(h, same)
			}
		} else if known, ok := given(s.Key); ok {
			v = graph.Turned(known, same)
			exact = v
		}
		valued[s.Key] = v != engine.NoValue
		all = all && exact != engine.NoValue
		e, x = max(e, v), max(x, exact)
	}
	if n.Row.Leaf != "" {
		m, err := d.th.rules.ParseMove(p, n.Row.Leaf, game.AnyNotation)
		if err != nil {
			d.Fatal(err)
		}
		if s, _ := d.keys.Step(p, m); !valued[s.Key] {
			e = max(e, n.Row.Value)
		}
	}
	if !all {
		x = engine.NoValue
	}
	if v, ok := given(n.Row.Key); ok {
		x = v
	}
	if n.Row.Exact != engine.NoValue {
		x = n.Row.Exact
	}
	d.memo[id] = [2]engine.Value{e, x}
	return e, x
}

// check holds all values of a theory against their definition, and the moves of
// the graph against the positions that they lead to.
func check(t testing.TB, th *Theory) {
	t.Helper()
	d := definition{t, th, graph.NewKeyer(th.rules), map[int32][2]engine.Value{}}
	g := th.graph
	for id := range g.Nodes {
		n := &g.Nodes[id]
		if n.Gone {
			continue
		}
		if e, x := d.of(int32(id)); n.Value != e || n.X != x {
			t.Fatalf("position %q: E %d X %d, by definition E %d X %d", n.Row.Position, n.Value, n.X, e, x)
		}
		if n.Known() && (n.Lower > n.Value || n.Upper < n.Value) {
			t.Fatalf("position %q: %d is not between %d and %d", n.Row.Position, n.Value, n.Lower, n.Upper)
		}
		for i := range n.Count {
			e := &g.Edges[n.First+i]
			if c, ok := g.At[e.Key]; ok != (e.Child >= 0) || ok && c != e.Child {
				t.Fatalf("position %q: a move leads to %d, and should to %d", n.Row.Position, e.Child, c)
			}
		}
	}
}

const all = 1000 * engine.Unit

// TestDeviateToTheEnd lets now this side and now that err as it likes: at the
// end the lines prove the value of the root from both sides, and it is that of
// plain minimax, however wrong the engine is.
func TestDeviateToTheEnd(t *testing.T) {
	r := small()
	g := newGuesser(r, 5, 0)
	th := open(t, r, Options{})
	l := Learner{Theory: th, Searcher: g}
	if _, err := l.Deviate(t.Context(), r.Start(), all, all); err != nil {
		t.Fatal(err)
	}
	check(t, th)
	e := th.Look(r.Start())
	want := g.truth.value(r.Start())
	if e.E != want {
		t.Errorf("E %d, the truth is %d", e.E, want)
	}
	again, err := l.Deviate(t.Context(), r.Start(), all, all)
	if err != nil || again.Searched != 0 || again.Added != 0 {
		t.Errorf("at the fixed point it went on: %+v %v", again, err)
	}
	// An engine that is right from some point on makes exact values.
	g = newGuesser(r, 5, 6)
	th = open(t, r, Options{})
	l = Learner{Theory: th, Searcher: g}
	if _, err := l.Deviate(t.Context(), r.Start(), all, all); err != nil {
		t.Fatal(err)
	}
	check(t, th)
	if e := th.Look(r.Start()); e.E != want || e.Lower != want || e.Upper != want {
		t.Errorf("E %d (%d to %d), the truth is %d", e.E, e.Lower, e.Upper, want)
	}
	for _, row := range th.Rows() {
		p := position(t, r, row.Position)
		if e := th.Look(p); e.X != engine.NoValue && e.X != g.truth.value(p) {
			t.Fatalf("%s: X %d, the truth is %d", row.Position, e.X, g.truth.value(p))
		}
	}
}

// TestDeviateFixedPoint checks what Deviate promises: no leaf is left on the
// lines that it speaks of. It walks over positions, and not over the graph.
func TestDeviateFixedPoint(t *testing.T) {
	r := small()
	for _, c := range []struct{ rel, abs engine.Value }{{0, all}, {200, 400}, {300, 300}} {
		th := open(t, r, Options{})
		l := Learner{Theory: th, Searcher: newGuesser(r, 3, 4)}
		report, err := l.Deviate(t.Context(), r.Start(), c.rel, c.abs)
		if err != nil {
			t.Fatal(err)
		}
		check(t, th)
		root := th.Look(r.Start())
		visited := 0
		for _, erring := range []game.Side{game.First, game.Second} {
			seen := map[string]bool{}
			var walk func(p game.Position)
			walk = func(p game.Position) {
				text := game.FormatPosition(r, p)
				e := th.Look(p)
				if seen[text] || p.Outcome().Final() || e.X != engine.NoValue {
					return
				}
				seen[text] = true
				visited++
				slack, base := engine.Value(0), root.E
				if p.Turn() == erring {
					slack = c.rel
				}
				if p.Turn() != game.First {
					base = -base
				}
				for _, m := range e.Moves {
					v, _ := m.Best()
					if v == engine.NoValue || e.E-v > slack || v-base > c.abs || base-v > c.abs {
						continue
					}
					if m.Leaf && m.Level < LevelExact {
						t.Fatalf("%v: %s has the leaf %s within reach: %d of %d", c, text, game.FormatMove(r, p, m.Move, ""), v, e.E)
					}
					if !m.Leaf && m.E != engine.NoValue {
						_ = p.Play(m.Move)
						walk(p)
						p.Undo()
					}
				}
			}
			walk(r.Start())
		}
		if visited < 5 {
			t.Errorf("%v: only %d positions", c, visited)
		}
		t.Logf("%v: %+v", c, report)
	}
}

// TestResume stops learning again and again: the result is that of learning
// without a stop.
func TestResume(t *testing.T) {
	r := small()
	whole := open(t, r, Options{})
	if _, err := (&Learner{Theory: whole, Searcher: newGuesser(r, 4, 3)}).Deviate(t.Context(), r.Start(), 400, all); err != nil {
		t.Fatal(err)
	}
	store := &Memory{}
	rounds := 0
	for {
		if rounds++; rounds > 1000 {
			t.Fatal("it does not end")
		}
		th := open(t, r, Options{Store: store}) // another process each time
		g := newGuesser(r, 4, 3)
		g.stop = 1 + rounds%7
		_, err := (&Learner{Theory: th, Searcher: g}).Deviate(t.Context(), r.Start(), 400, all)
		check(t, th)
		if err == nil {
			break
		}
		if !errors.Is(err, errStopped) {
			t.Fatal(err)
		}
	}
	th := open(t, r, Options{Store: store})
	if got, want := th.Look(r.Start()), whole.Look(r.Start()); got.E != want.E || got.X != want.X {
		t.Errorf("after %d rounds E %d X %d, in one go E %d X %d", rounds, got.E, got.X, want.E, want.X)
	}
	if rounds < 5 {
		t.Errorf("it was stopped only %d times", rounds-1)
	}
}

// TestBackUpOnTheGraph sets values by hand at random: whatever way leads to a
// position, the value there is that of the definition.
func TestBackUpOnTheGraph(t *testing.T) {
	r := small()
	th := open(t, r, Options{})
	l := Learner{Theory: th, Searcher: newGuesser(r, 6, 0), Limit: 120}
	if _, err := l.Deviate(t.Context(), r.Start(), all, all); err != nil {
		t.Fatal(err)
	}
	rows := th.Rows()
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range testkit.Scale(50, 300) {
		row := rows[rnd.IntN(len(rows))]
		p := position(t, r, row.Position)
		v := engine.Value(rnd.IntN(3200) - 1600)
		if i%3 == 0 {
			v = engine.NoValue
		}
		if err := th.Edit(t.Context(), p, v, ""); err != nil {
			t.Fatal(err)
		}
		check(t, th)
		if got := th.Look(p); got.Human != v {
			t.Fatalf("%s: set %d, got %d", row.Position, v, got.Human)
		}
	}
	report, err := l.Fix(t.Context())
	if err != nil || report.Changed != 0 {
		t.Errorf("fix found %d wrong values (%v)", report.Changed, err)
	}
	// A theory that is read anew is the same.
	before := th.Rows()
	values := map[string]Values{}
	for _, row := range before {
		values[row.Position] = th.Look(position(t, r, row.Position)).Values
	}
	if err := th.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(th.Rows(), before) {
		t.Error("the rows are others after reading them anew")
	}
	for text, want := range values {
		if got := th.Look(position(t, r, text)).Values; got != want {
			t.Fatalf("%s: %+v, before %+v", text, got, want)
		}
	}
}

// TestExactFromElsewhere: what databases know counts as X, and is not stored.
func TestExactFromElsewhere(t *testing.T) {
	r := small()
	s := solved()
	known := map[book.Key]engine.Value{}
	k := graph.NewKeyer(r)
	var walk func(p game.Position, depth int)
	walk = func(p game.Position, depth int) {
		if p.Outcome().Final() {
			return
		}
		if depth == 0 {
			_, row, _, err := k.Smallest(p)
			if err != nil {
				t.Fatal(err)
			}
			known[row.Key] = s.value(position(t, r, row.Position))
			return
		}
		for _, m := range p.AppendMoves(nil) {
			_ = p.Play(m)
			walk(p, depth-1)
			p.Undo()
		}
	}
	walk(r.Start(), 4)
	th := open(t, r, Options{Exact: func(k book.Key) (engine.Value, bool) { v, ok := known[k]; return v, ok }})
	l := Learner{Theory: th, Searcher: newGuesser(r, 5, 0)}
	// A game each through all positions of the first moves.
	var lines func(p game.Position, line []game.Move)
	lines = func(p game.Position, line []game.Move) {
		if len(line) == 3 {
			if _, err := l.Add(t.Context(), r.Start(), line); err != nil {
				t.Fatal(err)
			}
			return
		}
		for _, m := range p.AppendMoves(nil) {
			_ = p.Play(m)
			lines(p, append(line, m))
			p.Undo()
		}
	}
	lines(r.Start(), nil)
	check(t, th)
	if e := th.Look(r.Start()); e.X != s.value(r.Start()) {
		t.Errorf("X %d, the truth is %d", e.X, s.value(r.Start()))
	}
	if grade := th.Grade(r.Start()); grade != "A" {
		t.Errorf("grade %q of a solved game", grade)
	}
	for _, row := range th.Rows() {
		if _, ok := known[row.Key]; ok {
			t.Errorf("%s was stored, though it is known", row.Position)
		}
	}
}

func ExampleTheory_Look() {
	ctx := context.Background()
	r := othello.Standard
	t, err := Open(ctx, r, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := game.ParsePosition(r, "f5d6")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := t.Edit(ctx, p, -1*engine.Unit, "what most people play"); err != nil {
		fmt.Println(err)
		return
	}
	f5, _ := game.ParsePosition(r, "d3") // the same first move, turned
	for _, m := range t.Look(f5).Moves {
		if v, why := m.Best(); why != Unknown {
			fmt.Println(game.FormatMove(r, f5, m.Move, game.AnyNotation), v.Units(), why, m.Note)
		}
	}
	// Output: c5 1 human what most people play
}
