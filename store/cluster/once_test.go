package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"qipu/builtin"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/record"
	headers "qipu/record/facts"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/wire"
	"qipu/store/storetest"
)

// crowd is writers that bring the same games, and what each was told.
type crowd struct {
	testing.TB
	cfg   *wire.Config
	games []*record.Game
	short []*record.Game // the same games up to their middle

	mu   sync.Mutex
	told [][]store.Added // by game
}

// newCrowd makes games of which each has its players, so that none is taken for
// another one.
func newCrowd(t testing.TB, cfg *wire.Config, games int) *crowd {
	t.Helper()
	c := &crowd{TB: t, cfg: cfg, told: make([][]store.Added, games)}
	m := storetest.NewMaker(builtin.Games(), 77)
	for i := range games {
		g := named(from(m.Game("weiqi", "19x19", 90), fmt.Sprintf("game %d", i)), fmt.Sprint("Black ", i), fmt.Sprint("White ", i), headers.FirstWon)
		cut := from(m.Cut(g, 60), g.Place.File)
		cut.Facts = g.Facts
		c.games, c.short = append(c.games, g), append(c.short, cut)
	}
	return c
}

// bring has a writer add some of the games in batches. Half of them are cut short
// where that is wanted.
func (c *crowd) bring(d *desk, which []int, batch int, cut func(i int) bool) {
	for part := range slices.Chunk(which, batch) {
		var list []*record.Game
		for _, i := range part {
			g := c.games[i]
			if cut(i) {
				g = c.short[i]
			}
			list = append(list, from(g, fmt.Sprintf("%s of %p", g.Place.File, d)))
		}
		added, err := d.Add(d.Context(), d.batch(list...))
		if err != nil {
			c.Error(err)
			return
		}
		c.mu.Lock()
		for k, i := range part {
			c.told[i] = append(c.told[i], added[k])
		}
		c.mu.Unlock()
	}
}

// once checks that every game that was brought is there once, and that those who
// brought it were told so.
func (c *crowd) once(d *desk, sources bool) {
	c.Helper()
	if err := d.Refresh(d.Context()); err != nil { // what others committed a moment ago is seen by and by
		c.Fatal(err)
	}
	want := map[uint32]bool{}
	for i, list := range c.told {
		if len(list) == 0 {
			continue
		}
		fresh := 0
		for _, a := range list {
			if a.ID != list[0].ID {
				c.Errorf("game %d is %v", i, list)
			}
			if a.Status == store.StatusNew {
				fresh++
			}
		}
		if fresh != 1 {
			c.Errorf("game %d is new to %d of %d writers", i, fresh, len(list))
		}
		want[list[0].ID] = true
		if !sources {
			continue
		}
		if found, err := d.Sources(d.Context(), list[0].ID); err != nil || len(found) != len(list) {
			c.Errorf("game %d was found in %v, %v, by %d writers", i, found, err, len(list))
		}
	}
	if got := d.ids(); len(got) != len(want) {
		c.Errorf("there are %d games, want %d", len(got), len(want))
	}
}

// meet has so many writers bring the same games at once, and then others that
// overlap, each in an order of its own and some only their beginnings.
func (c *crowd) meet(writers int) {
	c.Helper()
	var desks []*desk
	for i := range writers {
		desks = append(desks, newDesk(c, c.cfg, uint64(i)))
	}
	all := func(f func(i int, d *desk)) {
		var wait sync.WaitGroup
		for i, d := range desks {
			wait.Go(func() { f(i, d) })
		}
		wait.Wait()
	}
	half := len(c.games) / 2
	whole := func(int) bool { return false }
	all(func(_ int, d *desk) {
		which := make([]int, half)
		for k := range which {
			which[k] = k
		}
		c.bring(d, which, half, whole)
	})
	all(func(i int, d *desk) {
		r := rand.New(rand.NewPCG(uint64(i), uint64(writers)))
		var which []int
		for _, k := range r.Perm(len(c.games)) {
			if k >= half && r.IntN(3) > 0 {
				which = append(which, k)
			}
		}
		c.bring(d, which, max(1, half/3), func(int) bool { return r.IntN(2) == 0 })
	})
	c.once(desks[0], true)
}

// TestSameGames has two, four and eight writers bring the same games at the same
// time: each game is there once, and new to one of them.
//
//qipu:race
func TestSameGames(t *testing.T) {
	t.Parallel()
	for _, writers := range []int{2, 4, 8} {
		t.Run(fmt.Sprint(writers), func(t *testing.T) {
			newCrowd(t, foundOn(t, clickhouse.Shared(t)), testkit.Scale(24, 240)).meet(writers)
		})
	}
}

// TestSameGamesReplicas does so on replicas.
func TestSameGamesReplicas(t *testing.T) {
	fullOnly(t)
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Replicas: 2})
	settle(t, f, 2)
	newCrowd(t, parse(t, f.URL()), 48).meet(4)
}

// blind takes the log of a library away, as though the servers that have it were
// dead, and returns what brings it back.
func blind(t testing.TB, f *clickhouse.Fleet) (back func()) {
	t.Helper()
	all := func(statements ...string) {
		t.Helper()
		for _, n := range f.Nodes() {
			for _, sql := range statements {
				n.Exec(t, strings.ReplaceAll(sql, "DB", f.Database()))
			}
		}
	}
	all("RENAME TABLE DB.log TO DB.hidden", "CREATE TABLE DB.log AS DB.hidden")
	return func() { all("INSERT INTO DB.log SELECT * FROM DB.hidden") }
}

// TestJoin has two writers that know nothing of each other bring the same games,
// and fuller and shorter records of them, with twins. Then they become one, with
// the places and links of both, and with what was corrected of either.
func TestJoin(t *testing.T) {
	t.Parallel()
	f := clickhouse.Shared(t)
	cfg := foundOn(t, f)
	c := newCrowd(t, cfg, 8)
	one := newDesk(t, cfg, 1)
	place := func(list []*record.Game, at string) (out []*record.Game) {
		for _, g := range list {
			out = append(out, from(g, g.Place.File+" "+at))
		}
		return out
	}
	g, short := c.games, c.short
	first := one.add(place([]*record.Game{g[0], g[1], short[2], g[3], g[4], g[5], g[6]}, "one")...)
	cup := "Joined Cup"
	var fix []store.Correction
	for _, a := range first {
		fix = append(fix, store.Correction{Game: a.ID, Field: "event", Value: &cup})
	}
	if n, err := one.Correct(t.Context(), fix); err != nil || n != len(first) {
		t.Fatalf("%d games were corrected, %v", n, err)
	}
	back := blind(t, f)
	other := newDesk(t, cfg, 2)
	twin := *g[3]
	twin.Facts.Result.Verdict = headers.SecondWon
	second := other.add(place([]*record.Game{g[0], short[1], g[2], g[3], short[4], g[7]}, "other")...)
	other.expect(other.add(place([]*record.Game{&twin, g[4], g[5]}, "later")...), store.StatusTwin, store.StatusFuller, store.StatusNew)
	back()

	d := newDesk(t, cfg, 3)
	if n := len(d.ids()); n != 7+6+2 {
		t.Fatalf("there are %d games", n)
	}
	check := func() (problems []string) {
		t.Helper()
		if err := d.Check(t.Context(), true, func(name, reason string, _ remedy.Remedy) { problems = append(problems, name+": "+reason) }); err != nil {
			t.Fatal(err)
		}
		return problems
	}
	if got := check(); len(got) != 6 || !strings.Contains(got[0], "it is there 2 times") {
		t.Errorf("problems are %q", got)
	}
	if n, err := d.Join(t.Context()); err != nil || n != 6 {
		t.Errorf("%d games were joined, %v", n, err)
	}
	if n, err := d.Join(t.Context()); err != nil || n != 0 {
		t.Errorf("%d games were joined again, %v", n, err)
	}
	if got := check(); len(got) > 0 {
		t.Errorf("problems are %q", got)
	}
	for _, d := range []*desk{d, one, newDesk(t, cfg, 4)} {
		if err := d.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		counts, err := d.Counts(t.Context())
		if got := d.ids(); err != nil || len(got) != 7+1+1 || counts.Games["weiqi 19x19"] != 9 {
			t.Errorf("there are %v, %v, %v", got, counts.Games, err)
		}
		for i := range 6 {
			id := first[i].ID
			if i < 5 {
				if to := d.Known().Joined(second[i].ID); to != id {
					t.Errorf("game %d is known as %d, want %d", second[i].ID, to, id)
				}
				if _, err := d.Games(t.Context(), []uint32{second[i].ID}); !errors.Is(err, store.ErrNoGame) {
					t.Errorf("game %d: %v", second[i].ID, err)
				}
			}
			list, err := d.Games(t.Context(), []uint32{id})
			if err != nil || list[0].Plies != 90 || list[0].Facts.Event != cup {
				t.Fatalf("game %d is %v, %v", id, list, err)
			}
			sources, err := d.Sources(t.Context(), id)
			want := 2
			if i == 4 {
				want = 3
			}
			if err != nil || len(sources) != want {
				t.Errorf("game %d was found in %v, %v", id, sources, err)
			}
		}
		links, err := d.Links(t.Context(), first[3].ID)
		if err != nil || len(links) != 1 {
			t.Fatalf("links are %v, %v", links, err)
		}
		if links, err := d.Links(t.Context(), links[0].Game); err != nil || len(links) != 1 || links[0].Game != first[3].ID {
			t.Errorf("links of the twin are %v, %v", links, err)
		}
	}
	for i := range 7 {
		for _, a := range d.add(g[i], short[i]) {
			if a.Status != store.StatusDuplicate || a.ID != first[i].ID {
				t.Errorf("game %d comes again as %v", first[i].ID, a)
			}
		}
	}
	if err := d.Delete(t.Context(), []uint32{first[2].ID, first[4].ID}); err != nil {
		t.Fatal(err)
	}
	if got := d.ids(); len(got) != 7 {
		t.Errorf("after two were deleted there are %v", got)
	}
	if got := check(); len(got) > 0 {
		t.Errorf("problems are %q", got)
	}
}

// TestUnaware has writers that know nothing of each other bring the same games, and then
// somebody who brings others: the log tells that there may be doubles, and they become
// one before anything else is written. Nobody looks a second time.
func TestUnaware(t *testing.T) {
	t.Parallel()
	f := clickhouse.Shared(t)
	cfg := foundOn(t, f)
	c := newCrowd(t, cfg, 9)
	one := newDesk(t, cfg, 1)
	first := one.add(c.games[:6]...)
	back := blind(t, f)
	other := newDesk(t, cfg, 2)
	other.add(c.games[2:8]...)
	other.add(c.games[1])
	back()
	d := newDesk(t, cfg, 3)
	if n := len(d.ids()); n != 6+6+1 || len(d.Known().Doubtful) != 2 {
		t.Errorf("there are %d games, in doubt are %v", n, d.Known().Doubtful)
	}
	d.expect(d.add(c.games[8]), store.StatusNew)
	for _, d := range []*desk{d, newDesk(t, cfg, 4)} {
		if got := d.ids(); len(got) != 9 || len(d.Known().Doubtful) != 0 {
			t.Errorf("there are %v, in doubt are %v", got, d.Known().Doubtful)
		}
	}
	for i, a := range d.add(c.games[:6]...) {
		if a.Status != store.StatusDuplicate || a.ID != first[i].ID {
			t.Errorf("game %d comes again as %+v", first[i].ID, a)
		}
	}
}
