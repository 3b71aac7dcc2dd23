package shard

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
	"qipu/store/dedupe"
	"qipu/store/shard/internal/catalog"
	"qipu/store/storetest"
)

// desk is a store with a maker of records.
type desk struct {
	testing.TB
	*Shard
	*storetest.Maker
}

func newDesk(t testing.TB, seed uint64) *desk {
	t.Helper()
	return &desk{t, newLibrary(t, small()).Shard, storetest.NewMaker(builtin.Games(), seed)}
}

// add adds records in one batch.
func (d *desk) add(games ...*record.Game) []store.Added {
	d.Helper()
	var b store.Batch
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
func (d *desk) expect(added []store.Added, want ...store.Status) {
	d.Helper()
	var got []store.Status
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
	list, err := d.cat.Sources(context.Background(), id)
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
func (d *desk) all() []store.Game {
	d.Helper()
	ids, err := d.cat.IDs(context.Background(), "")
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
	for _, b := range storetest.Boards {
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
			want := append([]store.Status{store.StatusNew}, slices.Repeat([]store.Status{store.StatusDuplicate}, len(games)-1)...)
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
			least := map[string]int{"same": dedupe.LeastBeginning, "case": dedupe.LeastBeginning, "unknown": index.HeadPlies, "none": index.HeadPlies, "different": dedupe.SurePlies}
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
					var added []store.Added
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
				list = append(list, d.Cut(whole, dedupe.LeastBeginning+d.Rng.IntN(plies-dedupe.LeastBeginning)))
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
		d.expect(added, slices.Repeat([]store.Status{store.StatusFuller}, n)...)
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
		want := []store.Status{store.StatusNew, store.StatusTwin, store.StatusDuplicate, store.StatusDuplicate}
		var added []store.Added
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
		links, err := d.cat.Links(context.Background(), added[1].ID)
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
		var added []store.Added
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

// remark writes a comment on some moves of a copy of a record.
func (d *desk) remark(g *record.Game, plies int, text string) *record.Game {
	c := d.Cut(g, plies)
	for i := 5; text != "" && i < len(c.Nodes) && i < 20; i += 7 {
		c.Nodes[i].More().Comment = text
	}
	return c
}

// addAll adds records in random order and in batches of random size.
func (d *desk) addAll(list []*record.Game, rng *rand.Rand) {
	d.Helper()
	list = slices.Clone(list)
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for len(list) > 0 {
		n := 1 + rng.IntN(len(list))
		d.add(list[:n]...)
		list = list[n:]
	}
}

// steady adds records again, in other orders: each is a duplicate, and nothing
// changes.
func (d *desk) steady(list []*record.Game, rng *rand.Rand) {
	d.Helper()
	before, games := d.counts(), fmt.Sprint(d.all())
	list = slices.Clone(list)
	for round := range 3 {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for chunk := range slices.Chunk(list, []int{len(list), 3, 1}[round]) {
			for i, a := range d.add(chunk...) {
				if a.Status != store.StatusDuplicate {
					d.Errorf("record %s became %v when it came again", chunk[i].Place.File, a.Status)
				}
			}
		}
	}
	if after := d.counts(); after != before || fmt.Sprint(d.all()) != games {
		d.Errorf("the store changes when records come again: %s, then %s", before, after)
	}
}

func (d *desk) counts() string {
	d.Helper()
	n, err := d.cat.Counts(context.Background())
	if err != nil {
		d.Fatal(err)
	}
	return fmt.Sprintf("%v games, %d sources, %d links", n.Games, n.Sources, n.Links)
}

// stored returns the record of a game.
func (d *desk) stored(id uint32) *record.Game {
	d.Helper()
	data, _, err := d.cat.Record(context.Background(), id)
	if err != nil {
		d.Fatal(err)
	}
	g, err := record.DecodeGame(data)
	if err != nil {
		d.Fatal(err)
	}
	return g
}

// TestRicher adds the same game with comments and with more and more headers:
// the richest record stays, whatever comes in which order.
func TestRicher(t *testing.T) {
	for seed := range uint64(testkit.Scale(8, 100)) {
		rng := rand.New(rand.NewPCG(seed, 0))
		d := newDesk(t, 12)
		plain := d.Game("renju", "", 60)
		plain.Facts = facts.Facts{}
		var list []*record.Game
		for i := range 7 {
			text := ""
			if i > 3 {
				text = "ok"
			}
			g := from(d.remark(plain, 60, text), fmt.Sprintf("rich/%d", i))
			if i > 0 {
				named(g, "Ito", "Park", facts.Unknown)
			}
			if i > 1 {
				g.Facts.Date = facts.ParseDate("1999-01-02")
			}
			if i > 2 {
				g.Facts.Result.Verdict = facts.FirstWon
			}
			if i > 4 {
				g.Facts.Event = "Cup"
			}
			if i > 5 {
				g.Facts.Round = "2"
			}
			list = append(list, g)
		}
		d.addAll(list, rng)
		games := d.all()
		if len(games) != 1 || games[0].Source.File != "rich/6" || games[0].Facts.Round != "2" || len(d.sources(games[0].ID)) != len(list) {
			t.Fatalf("seed %d: %d games, the first from %s; sources %v", seed, len(games), games[0].Source.File, d.sources(games[0].ID))
		}
		if g := d.stored(games[0].ID); g.Nodes[5].Text() != "ok" {
			t.Errorf("seed %d: the comments are lost", seed)
		}
		d.steady(list, rng)
		sound(t, d.Shard)
	}
}

// TestHeadersArrive adds bare moves, and then the same with headers.
func TestHeadersArrive(t *testing.T) {
	for _, together := range []bool{false, true} {
		d := newDesk(t, 4)
		bare := d.Game("weiqi", "9x9", 50)
		bare.Facts = facts.Facts{}
		full := named(from(bare, "full"), "Ito", "Park", facts.SecondWon)
		want := []store.Status{store.StatusNew, store.StatusFuller, store.StatusDuplicate, store.StatusDuplicate}
		list := []*record.Game{bare, full, from(bare, "again"), from(full, "copy")}
		if together {
			d.expect(d.add(list...), want...)
		} else {
			for i, g := range list {
				d.expect(d.add(g), want[i])
			}
		}
		games := d.all()
		if len(games) != 1 || games[0].Facts.Players[0].Name != "Ito" || games[0].Facts.Result.Verdict != facts.SecondWon {
			t.Errorf("together %t: %d games, headers %+v", together, len(games), games[0].Facts)
		}
		sound(t, d.Shard)
	}
}

// TestOtherComments adds the same moves plain, with the comments of several
// people, and with variations, in random order: all comments are kept, once
// each and linked, and the plain record is one with one of them.
func TestOtherComments(t *testing.T) {
	for seed := range uint64(testkit.Scale(12, 200)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		d := newDesk(t, 40)
		game := d.Game("weiqi", "", 60)
		varied := d.Cut(game, 60)
		d.Branch(varied, 2)
		marked := d.Cut(game, 60)
		marked.Nodes[9].More().Props = []record.Prop{{Name: "TR", Values: []string{"aa"}}}
		spaced := d.remark(game, 60, "a  good\nmove ")
		list := []*record.Game{
			d.Cut(game, 60), d.Cut(game, 60), d.Cut(game, 45), // plain, and its beginning
			d.remark(game, 60, "a good move"), spaced, d.remark(game, 45, "a good move"), // one person
			d.remark(game, 60, "a bad move"), // another one
			varied, marked,
		}
		d.addAll(list, rng)
		got := map[uint64]int{}
		for _, g := range d.all() {
			if g.Plies != 60 {
				continue
			}
			got[dedupe.NotesOf(d.stored(g.ID)).Sum()]++
			links, err := d.cat.Links(t.Context(), g.ID)
			if err != nil || len(links) == 0 {
				t.Errorf("seed %d: game %d has the links %v, %v", seed, g.ID, links, err)
			}
		}
		want := map[uint64]int{}
		for _, g := range []*record.Game{list[3], list[6], varied, marked} {
			want[dedupe.NotesOf(g).Sum()]++
		}
		if len(want) != 4 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: comments %v, want %v", seed, got, want)
		}
		d.steady(list, rng)
		sound(t, d.Shard)
	}
	d := newDesk(t, 1)
	game := d.Game("renju", "", 30)
	added := append(d.add(d.remark(game, 30, "one")), d.add(d.remark(game, 30, "two"))...)
	d.expect(added, store.StatusNew, store.StatusTwin)
	if links, err := d.cat.Links(t.Context(), added[1].ID); err != nil || len(links) != 1 || links[0].Why != dedupe.WhyComments {
		t.Errorf("links %v, %v", links, err)
	}
}

// TestNothingLost adds records of one game that differ in length, comments and
// names: whatever the order, each comment and the names are in some record of
// the store, and nothing changes when all come again.
func TestNothingLost(t *testing.T) {
	for seed := range uint64(testkit.Scale(40, 1000)) {
		rng := rand.New(rand.NewPCG(seed, 2))
		d := newDesk(t, seed)
		game := d.Game("weiqi", "9x9", 70)
		game.Facts = facts.Facts{}
		var list []*record.Game
		for range 2 + rng.IntN(7) {
			g := d.remark(game, []int{45, 70}[rng.IntN(2)], []string{"", "one", "two"}[rng.IntN(3)])
			if rng.IntN(2) == 0 {
				named(g, "Ito", "Park", facts.Unknown)
			}
			list = append(list, g)
		}
		d.addAll(list, rng)
		for _, g := range list {
			kept := false
			for _, s := range d.all() {
				have, mine := dedupe.NotesOf(d.stored(s.ID)).UpTo(g.Moves()), dedupe.NotesOf(g)
				said := len(mine) == 0 || mine.Sum() == have.Sum()
				for i, p := range g.Facts.Players {
					said = said && (p.Name == "" || s.Facts.Players[i].Name != "")
				}
				kept = kept || s.Plies >= g.Moves() && said
			}
			if !kept {
				t.Fatalf("seed %d: nothing in the store says what %s says", seed, g.Place.File)
			}
		}
		d.steady(list, rng)
		sound(t, d.Shard)
	}
}

// TestWrongCatalogue changes rows of the catalogue and the variations of records
// behind the back of the tables: Check finds out.
func TestWrongCatalogue(t *testing.T) {
	ctx := t.Context()
	for _, c := range []struct {
		want   string
		tables bool // leave the tables alone, else the game waits
		change func(d *desk, e *store.Entry)
	}{
		{"another key in the catalogue", false, func(_ *desk, e *store.Entry) { e.Key ^= 8 }},
		{"another head in the catalogue", false, func(_ *desk, e *store.Entry) { e.Head ^= 8 }},
		{"another length (44 plies, not 45) in", false, func(_ *desk, e *store.Entry) { e.Plies-- }},
		{"another header in the catalogue", false, func(_ *desk, e *store.Entry) { e.Facts = &facts.Facts{Event: "Cup"} }},
		{"another kind in the catalogue", true, func(_ *desk, e *store.Entry) { e.Kind = "weiqi 13x13" }},
		{"has 2 variations in the tables, and 3", true, func(d *desk, e *store.Entry) {
			g, _ := record.DecodeGame(e.Record)
			d.Branch(g, 1)
			e.Record = record.AppendGame(nil, g)
		}},
		{"has other variations in the table", true, func(d *desk, e *store.Entry) {
			g, _ := record.DecodeGame(e.Record)
			place := g.Place
			g = d.Cut(g, 45)
			g.Place = place
			d.Branch(g, 2)
			e.Record = record.AppendGame(nil, g)
		}},
		{"has other headers in the table", true, func(_ *desk, e *store.Entry) {
			g, _ := record.DecodeGame(e.Record)
			g.Facts.Players[1].Name = "nobody"
			e.Record, e.Facts = record.AppendGame(nil, g), &g.Facts
		}},
		{"has other comments in the table", true, func(_ *desk, e *store.Entry) {
			g, _ := record.DecodeGame(e.Record)
			g.Nodes[len(g.Nodes)-1].More().Comment = "好棋"
			e.Record = record.AppendGame(nil, g)
		}},
	} {
		d := newDesk(t, 21)
		var list []*record.Game
		for range 2 * small().tableLines {
			g := d.Game("weiqi", "9x9", 45)
			d.Head(g)
			d.Branch(g, 2)
			list = append(list, g)
		}
		id := d.add(list...)[3].ID
		sound(t, d.Shard)
		g := d.all()[id-1]
		data, raw, err := d.cat.Record(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		e := store.Entry{Kind: g.Kind, Key: g.Key, Head: g.Head, Plies: g.Plies, Facts: &g.Facts, Format: g.Format, Source: g.Source, Record: data, Raw: raw}
		c.change(d, &e)
		snapshot, err := d.cat.Snapshot(ctx)
		if err != nil {
			t.Fatal(err)
		}
		err = d.cat.Update(ctx, func(tx *catalog.Tx) error {
			if err := tx.Replace(id, e); err != nil || !c.tables {
				return errors.Join(err, tx.SetWaiting([]uint32{id}, true))
			}
			for _, seg := range snapshot.Segments {
				if err := tx.SetDead(seg.ID, seg.Dead); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := problems(d.Shard); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("game %d: has ", id)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, Check finds: %v", c.want, err)
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
	before, err := d.cat.Counts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	games := d.all()
	for _, size := range []int{len(list), 7, 1} {
		for chunk := range slices.Chunk(list, size) {
			for i, a := range d.add(chunk...) {
				if a.Status != store.StatusDuplicate {
					t.Fatalf("in batches of %d, record %s became %v", size, chunk[i].Place.File, a.Status)
				}
			}
		}
		after, err := d.cat.Counts(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(after.Games, after.Sources, after.Links) != fmt.Sprint(before.Games, before.Sources, before.Links) {
			t.Errorf("in batches of %d: %v games, %d sources, %d links become %v, %d, %d", size, before.Games, before.Sources, before.Links, after.Games, after.Sources, after.Links)
		}
	}
	if !slices.EqualFunc(games, d.all(), func(x, y store.Game) bool { return fmt.Sprint(x) == fmt.Sprint(y) }) {
		t.Error("the games are not the same any more")
	}
	sound(t, d.Shard)
}
