package shard

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/catalog"
	"qipu/game"
	"qipu/index"
	"qipu/index/indextest"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
)

// desk is a store with a maker of records.
type desk struct {
	testing.TB
	*Shard
	*indextest.Maker
}

func newDesk(t testing.TB, seed uint64) *desk {
	t.Helper()
	return &desk{t, newLibrary(t, small()).Shard, indextest.NewMaker(builtin.Games(), seed)}
}

// add adds records in one batch.
func (d *desk) add(games ...*record.Game) []Added {
	d.Helper()
	var b Batch
	for _, g := range games {
		b.Records = append(b.Records, d.Play(g))
	}
	added, err := d.Add(context.Background(), b)
	if err != nil {
		d.Fatal(err)
	}
	return added
}

// expect compares the states of records that were added.
func (d *desk) expect(added []Added, want ...Status) {
	d.Helper()
	var got []Status
	for _, a := range added {
		got = append(got, a.Status)
	}
	if !slices.Equal(got, want) {
		d.Errorf("the records became %v, want %v", got, want)
	}
}

// sources returns the files that a game was found in, in order.
func (d *desk) sources(id uint32) []string {
	d.Helper()
	list, err := d.Catalog().Sources(context.Background(), id)
	if err != nil {
		d.Fatal(err)
	}
	var files []string
	for _, s := range list {
		files = append(files, s.File)
	}
	slices.Sort(files)
	return files
}

// all returns the games of the store.
func (d *desk) all() []catalog.Game {
	d.Helper()
	ids, err := d.Catalog().IDs(context.Background(), "")
	if err != nil {
		d.Fatal(err)
	}
	return gamesOf(d, d.Shard, ids.ToArray()...)
}

// named gives a record players and a result.
func named(g *record.Game, first, second string, v facts.Verdict) *record.Game {
	g.Facts.Players[0].Name, g.Facts.Players[1].Name, g.Facts.Result.Verdict = first, second, v
	return g
}

// from gives a copy of a record another source.
func from(g *record.Game, file string) *record.Game {
	c := *g
	c.Place.File = file
	return &c
}

// picture returns a record as it is in a mirror.
func picture(t testing.TB, p *record.Played, sym game.Symmetry) *record.Game {
	t.Helper()
	g := *p.Game
	g.Nodes, g.Faults = nil, nil
	g.Place.File = fmt.Sprintf("picture/%v.txt", sym)
	at := g.Add(0, record.Unstated, "")
	pos := p.Rules.Start()
	for _, s := range p.Steps {
		m := s.Move.Transform(p.Rules.Geometry().Size, sym.Board)
		at = g.Add(at, record.Side(s.Side)+record.First, game.FormatMove(p.Rules, pos, m, game.Notation(g.Notation)))
		if err := pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return &g
}

// TestPictures adds the same game in all its pictures: it is kept once, with
// all sources.
func TestPictures(t *testing.T) {
	for _, b := range indextest.Boards {
		for _, together := range []bool{false, true} {
			d := newDesk(t, 31)
			p := d.Play(d.Game(b.Kind, b.Variant, 45))
			var games []*record.Game
			start := game.SetupOf(p.Rules.Start())
			for _, sym := range p.Rules.Info().Symmetries {
				if !sym.Swap && start.Transform(p.Rules, sym).Board.Equal(start.Board) {
					games = append(games, picture(t, p, sym))
				}
			}
			want := append([]Status{New}, slices.Repeat([]Status{Duplicate}, len(games)-1)...)
			if together {
				d.expect(d.add(games...), want...)
			} else {
				for i, g := range games {
					d.expect(d.add(g), want[i])
				}
			}
			list := d.all()
			if len(list) != 1 || len(d.sources(list[0].ID)) != len(games) {
				t.Errorf("%v: %d games, %d sources, want one with %d", b, len(list), len(d.sources(list[0].ID)), len(games))
			}
		}
	}
}

// TestBeginnings adds a game and its beginning in every order.
func TestBeginnings(t *testing.T) {
	const whole = 130
	names := map[string][2]string{"same": {"Ito", "Ito"}, "case": {"Ito", "ITO"}, "unknown": {"Ito", ""}, "none": {"", ""}, "different": {"Ito", "Kuroda"}}
	for name, n := range names {
		for _, cut := range []int{9, 10, 39, 40, 99, 100} {
			least := map[string]int{"same": leastBeginning, "case": leastBeginning, "unknown": index.HeadPlies, "none": index.HeadPlies, "different": surePlies}
			one := cut >= least[name]
			if name != "same" && cut != least[name] && cut != least[name]-1 {
				continue // the bounds are what matters
			}
			for _, order := range []string{"short first", "long first", "one batch, short first", "one batch, long first"} {
				t.Run(fmt.Sprintf("%s/%d/%s", name, cut, order), func(t *testing.T) {
					d := newDesk(t, uint64(cut))
					long := named(d.Game("weiqi", "", whole), n[0], "Park", facts.Unknown)
					short := named(d.Cut(long, cut), n[1], "Park", facts.Unknown)
					long.Facts.Result.Verdict = facts.FirstWon
					list := []*record.Game{short, long}
					if strings.HasSuffix(order, "long first") {
						slices.Reverse(list)
					}
					var added []Added
					if strings.HasPrefix(order, "one batch") {
						added = d.add(list...)
					} else {
						added = append(d.add(list[0]), d.add(list[1])...)
					}
					if got := added[0].ID == added[1].ID; got != one {
						t.Fatalf("one game: %t, want %t: %v", got, one, added)
					}
					games := d.all()
					if !one {
						if len(games) != 2 {
							t.Fatalf("%d games, want 2", len(games))
						}
						return
					}
					if len(games) != 1 || games[0].Plies != whole || games[0].Facts.Result.Verdict != facts.FirstWon {
						t.Fatalf("%d games, the first of %d plies, result %v", len(games), games[0].Plies, games[0].Facts.Result)
					}
					if got := d.sources(games[0].ID); len(got) != 2 {
						t.Errorf("sources %v, want both", got)
					}
					sound(t, d.Shard)
				})
			}
		}
	}
}

// TestBeginningsShuffled adds many beginnings of a few games in random batches:
// each game is kept once and whole, with all sources.
func TestBeginningsShuffled(t *testing.T) {
	for seed := range uint64(testkit.Scale(6, 60)) {
		d := newDesk(t, seed)
		var list []*record.Game
		want := map[int]int{} // sources, by plies of the whole game
		for i := range 3 {
			b := []struct{ kind, variant string }{{"weiqi", ""}, {"renju", ""}, {"othello", ""}}[i]
			whole := named(d.Game(b.kind, b.variant, 50+3*i), "Ito", "Park", facts.Unknown)
			plies := len(d.Play(whole).Steps)
			list = append(list, whole)
			for range 8 {
				list = append(list, d.Cut(whole, leastBeginning+d.Rng.IntN(plies-leastBeginning)))
			}
			want[plies] += 9
		}
		d.Rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		first := map[string]uint32{}
		for len(list) > 0 {
			n := 1 + d.Rng.IntN(len(list))
			for i, a := range d.add(list[:n]...) {
				if id, ok := first[list[i].Kind]; ok && id != a.ID {
					t.Errorf("seed %d: %s: game %d becomes %d", seed, list[i].Kind, id, a.ID)
				}
				first[list[i].Kind] = a.ID
			}
			list = list[n:]
		}
		got := map[int]int{}
		for _, g := range d.all() {
			got[g.Plies] += len(d.sources(g.ID))
		}
		if len(d.all()) != 3 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("seed %d: %d games; sources by plies %v, want %v", seed, len(d.all()), got, want)
		}
		sound(t, d.Shard)
	}
}

// TestFullerTogether replaces many games at once: their new records go into a
// table of their own, and into that alone.
func TestFullerTogether(t *testing.T) {
	for _, n := range []int{small().tableLines - 1, 3 * small().tableLines, fewRecords + 10} {
		d := newDesk(t, 6)
		var short, long []*record.Game
		for i := range n {
			g := named(d.Game("weiqi", "9x9", 45), "Ito", "Park", facts.FirstWon)
			if i%3 == 0 {
				d.Branch(g, 2)
			}
			long, short = append(long, g), append(short, d.Cut(g, 30))
		}
		d.add(short...)
		added := d.add(long...)
		d.expect(added, slices.Repeat([]Status{Fuller}, n)...)
		for i, a := range added {
			k, key := lastKey(d.Kinds(), d.Play(long[i]))
			if ids, err := reachingGames(d.Shard, k, key); err != nil || !slices.Contains(ids, a.ID) {
				t.Errorf("%d records: the fuller record of game %d is not found: %v, %v", n, a.ID, ids, err)
			}
		}
		if len(d.all()) != n {
			t.Errorf("%d games, want %d", len(d.all()), n)
		}
		sound(t, d.Shard)
	}
}

// TestTwins adds the same moves with results that contradict each other: all
// are kept, linked, and known again.
func TestTwins(t *testing.T) {
	for _, together := range []bool{false, true} {
		d := newDesk(t, 5)
		won := named(d.Game("othello", "", 60), "Ito", "Park", facts.FirstWon)
		lost := named(from(won, "b"), "Ito", "Park", facts.SecondWon)
		list := []*record.Game{won, lost, named(from(won, "c"), "Ito", "Park", facts.SecondWon), named(from(won, "d"), "Ito", "Park", facts.Unknown)}
		want := []Status{New, Twin, Duplicate, Duplicate}
		var added []Added
		if together {
			added = d.add(list...)
		} else {
			for _, g := range list {
				added = append(added, d.add(g)...)
			}
		}
		d.expect(added, want...)
		if added[1].Of != added[0].ID || added[2].ID != added[1].ID {
			t.Errorf("the twin is not of the first game, or the third not the second: %v", added)
		}
		links, err := d.Catalog().Links(context.Background(), added[1].ID)
		if err != nil || len(links) != 1 || links[0].Game != added[0].ID {
			t.Errorf("links %v, %v", links, err)
		}
	}
}

// TestStrangers adds games that begin alike, and are different games.
func TestStrangers(t *testing.T) {
	for _, together := range []bool{false, true} {
		d := newDesk(t, 8)
		opening := d.Game("xiangqi", "", 12)
		var list []*record.Game
		for i := range 6 {
			g := d.Cut(opening, 12)
			d.Grow(g, 20)
			list = append(list, named(g, fmt.Sprintf("Red %d", i), fmt.Sprintf("Black %d", i), facts.FirstWon))
		}
		list = append(list, named(d.Cut(opening, 12), "Red 8", "Black 8", facts.Drawn))
		list = append(list, named(d.Cut(opening, 12), "Red 9", "Black 9", facts.Drawn))
		var added []Added
		if together {
			added = d.add(list...)
		} else {
			for _, g := range list {
				added = append(added, d.add(g)...)
			}
		}
		ids := map[uint32]bool{}
		for _, a := range added {
			ids[a.ID] = true
		}
		if len(ids) != len(list) {
			t.Errorf("together %t: %d games by different players became %d: %v", together, len(list), len(ids), added)
		}
	}
}

// TestFork adds two games that go on from the same fragment in different ways:
// one of them takes its place, and neither is lost.
func TestFork(t *testing.T) {
	for _, together := range []bool{false, true} {
		d := newDesk(t, 9)
		fragment := d.Game("weiqi", "", 50)
		a, b := d.Cut(fragment, 50), d.Cut(fragment, 50)
		d.Grow(a, 30)
		d.Grow(b, 40)
		added := d.add(fragment)
		if together {
			added = append(added, d.add(a, b)...)
		} else {
			added = append(append(added, d.add(a)...), d.add(b)...)
		}
		var plies []int
		for _, g := range d.all() {
			plies = append(plies, g.Plies)
		}
		slices.Sort(plies)
		if !slices.Equal(plies, []int{80, 90}) {
			t.Errorf("together %t: games of %v plies, want both: %v", together, plies, added)
		}
		sound(t, d.Shard)
	}
}

// TestRicher adds the same game with comments: the richest record stays,
// whatever comes in which order.
func TestRicher(t *testing.T) {
	for seed := range uint64(6) {
		for _, together := range []bool{false, true} {
			d := newDesk(t, 12)
			plain := d.Game("renju", "", 60)
			var list []*record.Game
			for i := range 4 {
				g := d.Cut(plain, 60)
				g.Place.File = fmt.Sprintf("rich/%d", i)
				for j := range g.Nodes {
					if i > 0 {
						g.Nodes[j].More().Comment = strings.Repeat("a word on this move ", i*i)
					}
				}
				list = append(list, g)
			}
			rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if together {
				d.add(list...)
			} else {
				for _, g := range list {
					d.add(g)
				}
			}
			games := d.all()
			if len(games) != 1 || games[0].Source.File != "rich/3" || len(d.sources(games[0].ID)) != 4 {
				t.Errorf("seed %d, together %t: %d games, the first from %s; sources %v", seed, together, len(games), games[0].Source.File, d.sources(games[0].ID))
			}
			data, _, err := d.Catalog().Record(context.Background(), games[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			g, err := record.DecodeGame(data)
			if err != nil || !strings.Contains(g.Nodes[5].Text(), "a word") {
				t.Errorf("the comments are lost: %v", err)
			}
		}
	}
}

// TestAgain adds everything again, in other batches: nothing changes.
func TestAgain(t *testing.T) {
	ctx := context.Background()
	d := newDesk(t, 77)
	var list []*record.Game
	for range testkit.Scale(60, 500) {
		g := d.Random(60)
		list = append(list, g)
		if d.Rng.IntN(3) == 0 {
			list = append(list, d.Cut(g, d.Rng.IntN(60)))
		}
	}
	for chunk := range slices.Chunk(list, 20) {
		d.add(chunk...)
	}
	before, err := d.Catalog().Counts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	games := d.all()
	for _, size := range []int{len(list), 7, 1} {
		for chunk := range slices.Chunk(list, size) {
			for i, a := range d.add(chunk...) {
				if a.Status != Duplicate {
					t.Fatalf("in batches of %d, record %s became %v", size, chunk[i].Place.File, a.Status)
				}
			}
		}
		after, err := d.Catalog().Counts(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(after.Games, after.Sources, after.Links) != fmt.Sprint(before.Games, before.Sources, before.Links) {
			t.Errorf("in batches of %d: %v games, %d sources, %d links become %v, %d, %d", size, before.Games, before.Sources, before.Links, after.Games, after.Sources, after.Links)
		}
	}
	if !slices.EqualFunc(games, d.all(), func(x, y catalog.Game) bool { return fmt.Sprint(x) == fmt.Sprint(y) }) {
		t.Error("the games are not the same any more")
	}
	sound(t, d.Shard)
}
