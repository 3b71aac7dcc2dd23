package mine

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/pattern/kb/shipped"
	"qipu/pattern/window"
)

// ownGames returns games that a simple player makes up: it takes and saves
// stones, and else plays close to the last move, so that there are shapes.
func ownGames(t testing.TB, n, moves int, size int) []Game {
	t.Helper()
	rules, err := weiqi.New(weiqi.Options{Size: board.Size{W: size, H: size}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]Game, n)
	for i := range list {
		g := Game{File: fmt.Sprintf("own/%d.sgf", i), Title: fmt.Sprintf("A%d - B%d", i, i), rules: rules}
		p := rules.Start().(*weiqi.Position)
		last := board.At(r.IntN(size), r.IntN(size))
		var legal []game.Move
		for range moves {
			legal = p.AppendMoves(legal[:0])
			best, m := -1, game.Pass
			for _, c := range legal {
				to := c.To()
				if to == board.NoPoint {
					continue
				}
				far := max(abs(to.X()-last.X()), abs(to.Y()-last.Y()))
				score := r.IntN(60) + 40/(far+1)
				for _, q := range neighbours(to) {
					if size := rules.Size(); size.Has(q) {
						if _, stone := p.SideAt(q); stone && p.Liberties(q, 2) == 1 {
							score += 30
						}
					}
				}
				if score > best {
					best, m = score, c
				}
			}
			step := uint16(passing)
			if to := m.To(); to != board.NoPoint {
				step, last = uint16(to), to
			}
			g.steps = append(g.steps, step|uint16(p.Turn())<<15)
			if p.Play(m) != nil {
				break
			}
		}
		list[i] = g
	}
	return list
}

func abs(x int) int { return max(x, -x) }

// smallBase has shapes of several kinds: with edges, with a place, larger than a
// window, symmetric with a good point off the axis, without good points.
const smallBase = `
shape hane
terms hane
urgency 3
ours a
draw
  . a _
  O X _

shape edge
terms block
ours a
theirs b
draw
  _ X b
  _ a O
  _ # #

shape third
terms stretch
ours a
theirs a
place 30
draw
  _ X _
  O a .
  _ . _

shape long
terms peep
ours a
draw
  X . _ _ _ _ O
  _ a _ _ _ _ _

shape pair
terms stretch
ours a
draw
  a O .

shape stone
terms ponnuki
draw
  _ O _
  O . O
  _ O _

shape bad
terms empty-triangle
purpose avoid
ours a
draw
  O a
  O .
`

func parse(t testing.TB, text string) *kb.Base {
	t.Helper()
	f := kb.Parse("test.shapes", []byte(text))
	for _, fault := range f.Faults {
		t.Fatal(fault)
	}
	return kb.New(f)
}

// standing is one occurrence as the oracle knows it.
type standing struct {
	entry int
	sym   game.Symmetry
	x, y  int
}

// stands finds every place of every picture of every entry by looking at each
// cell.
func stands(base *kb.Base, b *board.Planes) map[standing]bool {
	found := map[standing]bool{}
	for i := range base.Entries {
		s := base.Entries[i].Shape()
		for _, p := range s.Variants() {
			for y := -p.Size.H; y <= b.Size.H; y++ {
				for x := -p.Size.W; x <= b.Size.W; x++ {
					if fits(&p, b, x, y) {
						found[standing{i, p.Symmetry, x, y}] = true
					}
				}
			}
		}
	}
	return found
}

func fits(p *window.Picture, b *board.Planes, x, y int) bool {
	for i, set := range p.Cells {
		cx, cy := x+i%p.Size.W, y+i/p.Size.W
		state := pattern.Off
		if cx >= 0 && cy >= 0 && cx < b.Size.W && cy < b.Size.H {
			state = pattern.Of(b.At(board.At(cx, cy)))
		}
		if set&state == 0 {
			return false
		}
	}
	px, py := x+p.X, y+p.Y
	return (p.Line[0] == 0 || min(py+1, b.Size.H-py) == int(p.Line[0])) && (p.Line[1] == 0 || min(px+1, b.Size.W-px) == int(p.Line[1]))
}

func TestCountIsExact(t *testing.T) {
	base := parse(t, smallBase)
	games := ownGames(t, 6, 70, 9)
	got, err := Count(t.Context(), base, list(games), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]kb.Evidence, len(base.Entries))
	for i := range games {
		var before map[standing]bool
		begin := func(p *weiqi.Position) {
			before = stands(base, p.Planes())
			for s := range before {
				want[s.entry].Seen++
			}
		}
		games[i].replay(begin, func(m *move) bool {
			m.play()
			after := stands(base, m.pos.Planes())
			for s := range before {
				if after[s] {
					continue
				}
				e := &base.Entries[s.entry]
				hit := window.Hit{Symmetry: s.sym, X: int16(s.x), Y: int16(s.y)}
				on := func(spots []kb.Spot) bool {
					return slices.ContainsFunc(spots, func(p kb.Spot) bool { return hit.Point(e.Size, int(p.X), int(p.Y)) == m.to })
				}
				if hit.Side() == m.side && on(e.Ours) {
					want[s.entry].Ours++
				}
				if hit.Side() != m.side && on(e.Theirs) {
					want[s.entry].Theirs++
				}
			}
			for s := range after {
				if !before[s] {
					want[s.entry].Seen++
				}
			}
			before = after
			return true
		})
	}
	for i, v := range got {
		e := &base.Entries[i]
		if v.Seen != want[i].Seen || v.Ours != want[i].Ours || v.Theirs != want[i].Theirs {
			t.Errorf("%s: seen %d, ours %d, theirs %d; by looking at every point %d, %d, %d",
				v.ID, v.Seen, v.Ours, v.Theirs, want[i].Seen, want[i].Ours, want[i].Theirs)
		}
		if v.Seen == 0 {
			t.Errorf("%s never occurs: the test says nothing of it", v.ID)
		}
		if v.ID != e.ID || v.Print != e.Fingerprint() {
			t.Errorf("%s has the print %08x of another entry", v.ID, v.Print)
		}
		for _, x := range v.Examples {
			k := slices.IndexFunc(games, func(g Game) bool { return g.File == x.File })
			if k < 0 || x.Title != games[k].Title {
				t.Fatalf("%s: the example %v is of no game", v.ID, x)
			}
			switch stands, plays := shows(&games[k], e, x.Ply); {
			case !stands:
				t.Errorf("%s does not stand after %d moves of %s", v.ID, x.Ply, x.File)
			case len(e.Ours) > 0 && !e.Avoids() && !plays:
				t.Errorf("%s: after %d moves of %s no good point of it was played", v.ID, x.Ply, x.File)
			}
		}
	}
}

// shows tells whether an entry stands after ply moves, and whether the next move
// is on a good point of it.
func shows(g *Game, e *kb.Entry, ply int) (there, ok bool) {
	base := kb.New(&kb.File{Entries: []kb.Entry{*e}})
	g.replay(func(*weiqi.Position) {}, func(m *move) bool {
		if m.ply < ply {
			m.play()
			return true
		}
		for s := range stands(base, m.pos.Planes()) {
			there = true
			hit := window.Hit{Symmetry: s.sym, X: int16(s.x), Y: int16(s.y)}
			for _, p := range e.Ours {
				ok = ok || hit.Side() == m.side && hit.Point(e.Size, int(p.X), int(p.Y)) == m.to
			}
		}
		return false
	})
	return there, ok
}

func TestCountIsTheSameForAllWorkers(t *testing.T) {
	base := parse(t, smallBase)
	games := ownGames(t, 12, 60, 9)
	one, err := Count(t.Context(), base, list(games), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(games)
	many, err := Count(t.Context(), base, list(games), Options{Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, many) {
		t.Errorf("one worker counts\n%s\nthree in another order\n%s", kb.FormatEvidence(one), kb.FormatEvidence(many))
	}
}

func TestErrorsAndCancellation(t *testing.T) {
	base := parse(t, smallBase)
	games := ownGames(t, 3, 30, 9)
	broken := func(yield func(Game, error) bool) {
		_ = yield(games[0], nil) && yield(Game{}, context.DeadlineExceeded)
	}
	if _, err := Count(t.Context(), base, broken, Options{}); err == nil {
		t.Error("an error of the games is lost by Count")
	}
	if _, err := Mine(t.Context(), base, broken, Options{}); err == nil {
		t.Error("an error of the games is lost by Mine")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(ctx, base, nil, list(games), Options{}); err == nil {
		t.Error("Measure goes on when it is cancelled")
	}
	if _, err := Mine(t.Context(), base, list(nil), Options{}); err == nil {
		t.Error("Mine makes shapes of no games")
	}
}

// mineOwn mines games that were made up.
func mineOwn(t testing.TB, games []Game, workers int) *Result {
	t.Helper()
	base := kb.New(&kb.File{Terms: shipped.Base().Terms})
	r, err := Mine(t.Context(), base, list(games), Options{Workers: workers, MinPlayed: 25, MinGain: 15, MinRate: .05, MaxOften: 1e6, Shapes: 60, Corpus: "games made up"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMine(t *testing.T) {
	games := ownGames(t, 80, 100, 13)
	r := mineOwn(t, games, 1)
	if len(r.Candidates) < 10 {
		t.Fatalf("%d shapes of %d contexts, %d sprouts, %d forms", len(r.Candidates), r.Contexts, r.Sprouts, r.Forms)
	}
	// They are fit for a base: they read back, their checks hold, and lint has
	// nothing to say.
	files := Format(r.Candidates)
	var read []*kb.File
	n := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := kb.Parse(name+".shapes", files[name])
		for _, fault := range f.Faults {
			t.Error(fault)
		}
		n += len(f.Entries)
		read = append(read, f)
	}
	if n != len(r.Candidates) {
		t.Errorf("%d shapes were written, %d read", len(r.Candidates), n)
	}
	base := kb.New(append([]*kb.File{{Terms: shipped.Base().Terms}}, read...)...)
	for _, f := range base.Lint(kb.LintOptions{}) {
		if base.Entry(f.ID) != nil {
			t.Error(f.String())
		}
	}
	for _, c := range r.Candidates {
		if c.Entry.Origin != kb.Mined || c.Entry.Source == "" || c.Entry.Note == "" || len(c.Checks) != 2 {
			t.Errorf("%s lacks something", c.Entry.ID)
		}
		if !c.Entry.Avoids() && (c.Found.Low() < .05 || c.Confirmed.Low() < .04) {
			t.Errorf("%s is played %v and %v: too seldom", c.Entry.ID, c.Found, c.Confirmed)
		}
	}
	// The same games in another order, by more workers, give the same bytes.
	slices.Reverse(games)
	again := Format(mineOwn(t, games, 3).Candidates)
	for name := range files {
		if !bytes.Equal(files[name], again[name]) {
			t.Fatalf("%s differs the second time", name)
		}
	}
	if len(again) != len(files) {
		t.Errorf("%d files, then %d", len(files), len(again))
	}
}

func TestMeasure(t *testing.T) {
	base := parse(t, smallBase)
	games := ownGames(t, 6, 60, 9)
	got, err := Measure(t.Context(), base, nil, list(games), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want Coverage
	for i := range games {
		want.Games++
		games[i].replay(func(*weiqi.Position) {}, func(m *move) bool {
			want.Moves++
			good, bad := map[board.Point]bool{}, map[board.Point]bool{}
			for s := range stands(base, m.pos.Planes()) {
				e := &base.Entries[s.entry]
				hit := window.Hit{Symmetry: s.sym, X: int16(s.x), Y: int16(s.y)}
				spots, to := e.Ours, good
				if hit.Side() != m.side {
					spots = e.Theirs
				}
				if e.Avoids() {
					to = bad
				}
				for _, p := range spots {
					to[hit.Point(e.Size, int(p.X), int(p.Y))] = true
				}
			}
			want.Suggested += len(good)
			if good[m.to] {
				want.Covered++
			}
			for p := range bad {
				if !good[p] {
					want.Warned++
					if p == m.to {
						want.Avoided++
					}
				}
			}
			m.play()
			return true
		})
	}
	if got.Top1 == 0 || got.Top1 > got.Top5 || got.Top5 > got.Covered {
		t.Errorf("%d first, %d among five, %d covered", got.Top1, got.Top5, got.Covered)
	}
	got.Top1, got.Top5 = 0, 0
	if got != want {
		t.Errorf("measured %+v, by looking at every point %+v", got, want)
	}
}
