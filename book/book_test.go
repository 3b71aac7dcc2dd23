package book_test

import (
	"bytes"
	"errors"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"qipu/book"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
	"qipu/segment"
)

func each(list []book.Game) iter.Seq2[*book.Game, error] { return games(list).all() }

func build(t testing.TB, r game.Rules, list []book.Game, o book.BuildOptions) *book.Book {
	t.Helper()
	b, err := book.Build(t.Context(), r, each(list), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// TestModel holds books against the plainest way to count: made at once, game by
// game, with games removed, and merged, for every game.
func TestModel(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.spec, func(t *testing.T) {
			r := rulesOf(t, kind.spec)
			rng := rand.New(rand.NewPCG(1, 2))
			list := randomGames(r, rng, testkit.Scale(24, 200), kind.plies)
			plain := strip(r, list)
			whole := newModel(r, plain...)
			whole.compare(t, build(t, r, list, book.BuildOptions{}), plain)

			b := book.New(r)
			for _, i := range rng.Perm(len(list)) {
				if err := b.Add(list[i]); err != nil {
					t.Fatal(err)
				}
			}
			whole.compare(t, b, plain)

			half := len(list) / 2
			b = build(t, r, list[:half], book.BuildOptions{})
			b.Value(startKey(r), 2) // values that have to follow
			if err := b.Add(list[half:]...); err != nil {
				t.Fatal(err)
			}
			whole.compare(t, b, plain)
			var odd []uint32
			var even []book.Game
			for i := range list {
				if i%2 == 0 {
					odd = append(odd, list[i].ID)
				} else {
					even = append(even, plain[i])
				}
			}
			if err := b.Remove(odd...); err != nil {
				t.Fatal(err)
			}
			left := newModel(r, even...)
			left.compare(t, b, plain)
			if err := b.Rebuild(t.Context(), book.Change{}, book.BuildOptions{}); err != nil {
				t.Fatal(err)
			}
			left.compare(t, b, plain)

			merged, err := book.Merge(t.Context(), r, b, build(t, r, list, book.BuildOptions{}))
			if err != nil {
				t.Fatal(err)
			}
			newModel(r, slices.Concat(even, plain)...).compare(t, merged, plain)
		})
	}
}

func startKey(r game.Rules) book.Key {
	key, _ := book.NewKeyer(r).Key(r.Start())
	return key
}

// TestFollow checks that values that were kept through random changes are those
// of a book that never had any, and that files made on the way change nothing.
func TestFollow(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.spec, func(t *testing.T) {
			r := rulesOf(t, kind.spec)
			rng := rand.New(rand.NewPCG(3, 4))
			list := randomGames(r, rng, testkit.Scale(40, 300), kind.plies)
			b := build(t, r, list[:20], book.BuildOptions{})
			in := map[uint32]book.Game{}
			for _, g := range list[:20] {
				in[g.ID] = g
			}
			for round := range testkit.Scale(40, 400) {
				for _, th := range thresholds {
					b.Value(startKey(r), th)
				}
				g := list[rng.IntN(len(list))]
				if _, ok := in[g.ID]; ok && rng.IntN(2) == 0 {
					delete(in, g.ID)
					b.Remove(g.ID)
				} else {
					g.Result = randomResult(book.UnitOf(r), rng)
					in[g.ID] = g
					b.Add(g)
				}
				if round%16 == 15 {
					if err := b.Rebuild(t.Context(), book.Change{}, book.BuildOptions{}); err != nil {
						t.Fatal(err)
					}
				}
				if round%5 != 0 {
					continue
				}
				var now []book.Game
				for _, g := range list {
					if g, ok := in[g.ID]; ok {
						now = append(now, g)
					}
				}
				fresh := build(t, r, now, book.BuildOptions{})
				equal(t, b, fresh)
			}
		})
	}
}

// TestLone has games join the ends of others, where one game alone had been: those
// nodes are not kept for a threshold of one, and all in front of them have to
// follow all the same.
func TestLone(t *testing.T) {
	r := rulesOf(t, "othello:4x4")
	rng := rand.New(rand.NewPCG(7, 8))
	for range testkit.Scale(40, 3000) {
		list := make([]book.Game, 16)
		for i := range list {
			list[i] = book.Game{ID: uint32(i + 1), Result: randomResult(book.Discs, rng)}
			p := r.Start()
			for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(moves[:0]) {
				m := moves[rng.IntN(len(moves))]
				list[i].Moves = append(list[i].Moves, m)
				p.Play(m)
			}
		}
		b := build(t, r, list[:8], book.BuildOptions{})
		b.Value(startKey(r), 1)
		for i := 8; i < len(list); i++ {
			b.Add(list[i])
			equal(t, b, build(t, r, list[:i+1], book.BuildOptions{}))
		}
		for i := range 4 {
			b.Remove(list[i].ID)
			equal(t, b, build(t, r, list[i+1:], book.BuildOptions{}))
		}
	}
}

// equal checks that two books say the same of all positions.
func equal(t *testing.T, b, o *book.Book) {
	t.Helper()
	bi, oi := b.Info(), o.Info()
	if bi.Games != oi.Games || bi.Positions != oi.Positions || bi.Moves != oi.Moves || bi.Solved != oi.Solved {
		t.Fatalf("%+v, and not %+v", bi, oi)
	}
	var keys []book.Key
	o.Walk(func(s *book.Spot) bool {
		keys = append(keys, s.Key)
		return true
	})
	if len(keys) != oi.Positions {
		t.Fatalf("a walk comes to %d of %d positions", len(keys), oi.Positions)
	}
	for _, k := range keys {
		bc, _ := b.Node(k)
		oc, _ := o.Node(k)
		bx, bok := b.Exact(k)
		ox, ook := o.Exact(k)
		if bc != oc || bx != ox || bok != ook {
			t.Fatalf("%+v %d %v, and not %+v %d %v", bc, bx, bok, oc, ox, ook)
		}
		for _, th := range thresholds {
			bv, bok := b.Value(k, th)
			ov, ook := o.Value(k, th)
			if bv != ov || bok != ook {
				t.Fatalf("T %d: %v %v, and not %v %v", th, bv, bok, ov, ook)
			}
		}
	}
}

func moves(t testing.TB, text string) []game.Move {
	t.Helper()
	list, err := game.ParseMoves(othello.Standard, othello.Standard.Start(), text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestTransposition shows that a game changes the value of a position that it
// never passed, where that leads to one that it did by another order of moves.
func TestTransposition(t *testing.T) {
	black := func(n int) book.Result { return book.Result{Verdict: book.FirstWon, Scored: true, Score: n} }
	b := book.New(othello.Standard)
	// Both lines end in one position.
	one, other := "f5d6c3d3c4", "f5d6c4d3c3"
	for i, line := range []string{one, other} {
		if err := b.Add(book.Game{ID: uint32(i + 1), Moves: moves(t, line), Result: black(10)}); err != nil {
			t.Fatal(err)
		}
	}
	look := func(line string) book.Entry {
		p, _, err := game.ParseLine(othello.Standard, line)
		if err != nil {
			t.Fatal(err)
		}
		e, ok := b.Look(p, book.LookOptions{Threshold: 2})
		if !ok {
			t.Fatalf("%s is not in the book", line)
		}
		return e
	}
	if e := look(one); e.N != 2 {
		t.Fatalf("the lines do not meet: %+v", e.Counts)
	}
	if e := look("f5d6c4d3"); e.N != 1 || e.R != 10 {
		t.Fatalf("before: %d games, R %v", e.N, e.R)
	}
	// Through the first line alone.
	if err := b.Add(book.Game{ID: 3, Moves: moves(t, one), Result: black(40)}); err != nil {
		t.Fatal(err)
	}
	e := look("f5d6c4d3")
	if e.N != 1 || e.R != 20 {
		t.Fatalf("after: %d games, R %v, where three games mean 20", e.N, e.R)
	}
	if m := e.Moves[0]; m.N != 1 || m.Reached.N != 3 || m.R != 20 {
		t.Fatalf("%d games made the move and %d came behind it, not 1 and 3; R %v", m.N, m.Reached.N, m.R)
	}
}

// TestThreshold shows what the threshold is for: one lucky win does not make a
// bad move good.
func TestThreshold(t *testing.T) {
	b := book.New(othello.Standard)
	id := uint32(0)
	add := func(n int, line string, r book.Result) {
		for range n {
			id++
			if err := b.Add(book.Game{ID: id, Moves: moves(t, line), Result: r}); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(30, "f5d6", book.Result{Verdict: book.Drawn, Scored: true})
	add(1, "f5f4", book.Result{Verdict: book.SecondWon, Scored: true, Score: -64})
	p, _, _ := game.ParseLine(othello.Standard, "f5")
	for th, want := range map[int]float64{1: 64, 2: 0, 20: 0, 30: 0, 31: float64(64) / 31} {
		if e, _ := b.Look(p, book.LookOptions{Threshold: th}); e.R != want {
			t.Errorf("R at T %d is %v, and not %v", th, e.R, want)
		}
	}
}

// TestExact checks that solved scores of records are those of the positions with
// so many empty squares, that most games decide, and that they can be taken back.
func TestExact(t *testing.T) {
	line := moves(t, "f5d6c3d3c4")
	b := book.New(othello.Standard)
	add := func(id uint32, score int) {
		if err := b.Add(book.Game{ID: id, Moves: line, HasExact: true, Exact: score, Empties: 56}); err != nil {
			t.Fatal(err)
		}
	}
	p, _, _ := game.ParseLine(othello.Standard, "f5d6c3d3")
	key, _ := book.NewKeyer(othello.Standard).Key(p)
	check := func(want int, ok bool, solved int) {
		t.Helper()
		if got, has := b.Exact(key); got != want || has != ok {
			t.Fatalf("%d %v, and not %d %v", got, has, want, ok)
		}
		if got := b.Info().Solved; got != solved {
			t.Fatalf("%d positions are solved, and not %d", got, solved)
		}
	}
	add(1, 4)
	check(4, true, 1)
	add(2, 6)
	add(3, 6)
	check(6, true, 1)
	b.Rebuild(t.Context(), book.Change{}, book.BuildOptions{})
	check(6, true, 1)
	e, _ := b.Look(p, book.LookOptions{})
	if !e.HasExact || e.Exact != 6 || e.Moves[0].HasExact {
		t.Fatalf("%+v", e)
	}
	q, _, _ := game.ParseLine(othello.Standard, "f5d6c3")
	if e, _ := b.Look(q, book.LookOptions{}); !e.Moves[0].HasExact || e.Moves[0].Exact != -6 {
		t.Fatalf("for White %+v", e.Moves[0])
	}
	b.Remove(2, 3)
	check(4, true, 1)
	b.Remove(1)
	check(0, false, 0)
}

// TestFresh counts the positions of a game that are new.
func TestFresh(t *testing.T) {
	b := book.New(othello.Standard)
	g := book.Game{ID: 1, Moves: moves(t, "f5d6c3")}
	if n := b.Fresh(&g); n != 4 {
		t.Fatalf("%d positions are new in an empty book", n)
	}
	b.Add(g)
	for line, want := range map[string]int{"f5d6c3": 0, "c4e3f6": 0, "f5d6c3d3c4": 2, "f5f6": 1, "": 0} {
		if n := b.Fresh(&book.Game{Moves: moves(t, line)}); n != want {
			t.Errorf("%s: %d are new, and not %d", line, n, want)
		}
	}
	b.Remove(1)
	if n := b.Fresh(&g); n != 4 {
		t.Errorf("%d positions are new in a book that is empty again", n)
	}
}

// TestSame checks that the same games make the same file, byte by byte, however
// they came into the book.
func TestSame(t *testing.T) {
	dir := t.TempDir()
	list := randomGames(othello.Standard, rand.New(rand.NewPCG(5, 6)), 200, 30)
	build(t, othello.Standard, list, book.BuildOptions{Dir: dir, Name: "a.seg", Note: 7})
	b := book.New(othello.Standard)
	for i := len(list) - 1; i >= 0; i-- {
		b.Add(list[i])
		if i == 100 {
			b.Rebuild(t.Context(), book.Change{}, book.BuildOptions{})
		}
	}
	b.Remove(17)
	b.Add(list[16])
	if err := b.Rebuild(t.Context(), book.Change{}, book.BuildOptions{Dir: dir, Name: "b.seg", Note: 7}); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	x, err1 := os.ReadFile(filepath.Join(dir, "a.seg"))
	y, err2 := os.ReadFile(filepath.Join(dir, "b.seg"))
	if err1 != nil || err2 != nil || !bytes.Equal(x, y) {
		t.Fatalf("%v %v: %d and %d bytes differ", err1, err2, len(x), len(y))
	}
	again, err := book.Open(filepath.Join(dir, "a.seg"), othello.Standard)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Info().Note != 7 {
		t.Error("the note is lost")
	}
	equal(t, again, b)
}

// TestDamage checks that a file with any byte changed, cut, or of another game
// is refused.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	list := randomGames(othello.Standard, rand.New(rand.NewPCG(7, 8)), 20, 20)
	build(t, othello.Standard, list, book.BuildOptions{Dir: dir, Name: "a.seg"}).Close()
	path := filepath.Join(dir, "a.seg")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := book.Open(path, rulesOf(t, "othello:6x6")); !errors.Is(err, segment.ErrCorrupt) {
		t.Errorf("a book of another board: %v", err)
	}
	try := func(data []byte) error {
		bad := filepath.Join(dir, "bad")
		if err := os.WriteFile(bad, data, 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := book.Open(bad, othello.Standard)
		if err == nil {
			b.Close()
		}
		return err
	}
	for i := 0; i < len(whole); i += testkit.Scale(97, 7) {
		data := bytes.Clone(whole)
		data[i] ^= 0x10
		if try(data) == nil {
			t.Fatalf("byte %d of %d may be changed", i, len(whole))
		}
	}
	for _, n := range []int{0, 1, 64, len(whole) / 2, len(whole) - 1} {
		if try(whole[:n]) == nil {
			t.Errorf("the first %d bytes are a book", n)
		}
	}
	if err := try(whole); err != nil {
		t.Error(err)
	}
}

// TestConcurrent looks up while games come and go and files are made.
//
//qipu:race
func TestConcurrent(t *testing.T) {
	list := randomGames(othello.Standard, rand.New(rand.NewPCG(9, 10)), 120, 30)
	b := build(t, othello.Standard, list[:60], book.BuildOptions{})
	var wait sync.WaitGroup
	stop := make(chan struct{})
	for i := range 4 {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(11, uint64(i)))
			for {
				select {
				case <-stop:
					return
				default:
				}
				p := othello.Standard.Start()
				for _, m := range list[rng.IntN(60)].Moves {
					p.Play(m)
				}
				if _, ok := b.Look(p, book.LookOptions{Threshold: 1 + rng.IntN(6)}); !ok {
					t.Error("a game that was always there is gone")
					return
				}
			}
		})
	}
	for round := range testkit.Scale(4, 20) {
		for i := range 60 {
			if (i+round)%2 == 0 {
				b.Add(list[60+i])
			} else {
				b.Remove(list[60+i].ID)
			}
			if i == 30 {
				wait.Go(func() {
					if err := b.Rebuild(t.Context(), book.Change{}, book.BuildOptions{}); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
	close(stop)
	wait.Wait()
	var left []book.Game
	for _, g := range list {
		if _, ok := b.Stamp(g.ID); ok {
			left = append(left, g)
		}
	}
	equal(t, b, build(t, othello.Standard, left, book.BuildOptions{}))
}

// TestRebuild checks changes of many games at once, against those one by one.
func TestRebuild(t *testing.T) {
	list := randomGames(othello.Standard, rand.New(rand.NewPCG(12, 13)), 90, 20)
	b := build(t, othello.Standard, list[:40], book.BuildOptions{})
	b.Add(list[40:50]...)
	b.Remove(3, 45)
	other := slices.Clone(list[30:70]) // some in place of old ones
	for i := range other {
		other[i].Result, other[i].Stamp = book.Result{}, 5
	}
	if err := b.Rebuild(t.Context(), book.Change{Added: each(other), Gone: map[uint32]bool{1: true, 2: true, 99: true}}, book.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	want := slices.Concat(list[3:30], other)
	equal(t, b, build(t, othello.Standard, want, book.BuildOptions{}))
	if stamp, ok := b.Stamp(45); !ok || stamp != 5 {
		t.Errorf("stamp %d %v", stamp, ok)
	}
	if stamps := b.Stamps(); len(stamps) != len(want) {
		t.Errorf("%d stamps of %d games", len(stamps), len(want))
	}
	if err := b.Rebuild(t.Context(), book.Change{Added: each(list[:5]), Anew: true}, book.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	equal(t, b, build(t, othello.Standard, list[:5], book.BuildOptions{}))
	bad := errors.New("bad")
	err := b.Rebuild(t.Context(), book.Change{Added: func(yield func(*book.Game, error) bool) { yield(nil, bad) }}, book.BuildOptions{})
	if !errors.Is(err, bad) || b.Games() != 5 {
		t.Errorf("%v, and %d games are left", err, b.Games())
	}
}

// TestMerge checks that it does not matter how books are merged, and that what
// was merged can be taken away again.
func TestMerge(t *testing.T) {
	r := rulesOf(t, "othello:4x4")
	rng := rand.New(rand.NewPCG(14, 15))
	list := randomGames(r, rng, 90, 14)
	for i := range list {
		if rng.IntN(2) == 0 {
			list[i].HasExact, list[i].Exact, list[i].Empties = true, 2*rng.IntN(9)-8, 4
		}
	}
	merge := func(books ...*book.Book) *book.Book {
		t.Helper()
		m, err := book.Merge(t.Context(), r, books...)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	a := build(t, r, list[:30], book.BuildOptions{})
	b := build(t, r, list[20:60], book.BuildOptions{}) // some games are in both
	c := build(t, r, list[60:], book.BuildOptions{})
	equal(t, merge(a, merge(b, c)), merge(merge(a, b), c))
	equal(t, merge(a, b), merge(b, a))
	equal(t, merge(a), a)
	equal(t, merge(a, book.New(r)), a)
	both := merge(a, c)
	for id := range c.Games() {
		both.Remove(uint32(a.Games() + id + 1)) // numbers are given in order
	}
	equal(t, both, a)
	if _, err := book.Merge(t.Context(), othello.Standard, a); err == nil {
		t.Error("a book of 4x4 is merged into one of 8x8")
	}
}
