package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/record"
	headers "qipu/record/facts"
	"qipu/store"
	"qipu/store/cluster/data"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	embedded "qipu/store/shard"
	"qipu/store/storetest"
)

// foundOn makes the library of a fleet.
func foundOn(t testing.TB, f *clickhouse.Fleet) *wire.Config {
	t.Helper()
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// desk is a writer with a maker of records.
type desk struct {
	testing.TB
	*Cluster
	*storetest.Maker
}

func newDesk(t testing.TB, cfg *wire.Config, seed uint64) *desk {
	t.Helper()
	c, err := Open(t.Context(), cfg, Options{Games: builtin.Games()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &desk{t, c, storetest.NewMaker(builtin.Games(), seed)}
}

// batch plays records.
func (d *desk) batch(games ...*record.Game) (b store.Batch) {
	for _, g := range games {
		b.Records = append(b.Records, d.Play(g))
	}
	return b
}

// add adds records in one batch.
func (d *desk) add(games ...*record.Game) []store.Added {
	d.Helper()
	added, err := d.Add(d.Context(), d.batch(games...))
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

// ids returns the games that there are.
func (d *desk) ids() []uint32 {
	d.Helper()
	all, err := d.IDs(d.Context(), "")
	if err != nil {
		d.Fatal(err)
	}
	return all.ToArray()
}

// Count returns what a statement counts over all shards.
func (d *desk) Count(sql string) (sum uint64) {
	d.Helper()
	var mu sync.Mutex
	err := d.Each(d.Context(), "counting", func(s *wire.Shard) error {
		var n uint64 // the statement may run again
		err := s.Read(d.Context(), "counting", func(db wire.Conn) error {
			return db.Query(d.Context(), sql, func() error { return nil }, &n)
		})
		mu.Lock()
		defer mu.Unlock()
		sum += n
		return err
	})
	if err != nil {
		d.Fatal(err)
	}
	return sum
}

// from gives a copy of a record another source.
func from(g *record.Game, file string) *record.Game {
	c := *g
	c.Place.File = file
	return &c
}

func named(g *record.Game, first, second string, v headers.Verdict) *record.Game {
	g.Facts.Players[0].Name, g.Facts.Players[1].Name, g.Facts.Result.Verdict = first, second, v
	return g
}

// TestAdd adds, finds again, replaces, links and deletes games.
func TestAdd(t *testing.T) {
	t.Parallel()
	d := newDesk(t, foundOn(t, clickhouse.Shared(t)), 1)
	long := named(from(d.Game("weiqi", "19x19", 120), "a/long.sgf"), "Shusai", "Kitani", headers.SecondWon)
	short := from(d.Cut(long, 60), "a/short.sgf")
	short.Facts = long.Facts
	added := d.add(short)
	d.expect(added, store.StatusNew)
	d.expect(d.add(from(short, "b/again.sgf")), store.StatusDuplicate)
	id := added[0].ID
	more := d.add(long)
	d.expect(more, store.StatusFuller)
	if more[0].ID != id {
		t.Errorf("the fuller record is game %d, not %d", more[0].ID, id)
	}
	other := from(d.Cut(long, 120), "c/other.sgf")
	other.Facts = long.Facts
	other.Facts.Result.Verdict = headers.FirstWon
	twin := d.add(other)
	d.expect(twin, store.StatusTwin)
	if twin[0].Of != id {
		t.Errorf("it is the twin of game %d, not %d", twin[0].Of, id)
	}
	sources, err := d.Sources(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, s := range sources {
		files = append(files, s.File)
	}
	if want := []string{"a/long.sgf", "a/short.sgf", "b/again.sgf"}; !slices.Equal(files, want) {
		t.Errorf("sources are %q, want %q", files, want)
	}
	links, err := d.Links(t.Context(), id)
	if err != nil || len(links) != 1 || links[0].Game != twin[0].ID {
		t.Errorf("links are %v, %v", links, err)
	}
	if err := d.Delete(t.Context(), []uint32{twin[0].ID, 4000000000}); err != nil {
		t.Fatal(err)
	}
	if got := d.ids(); !slices.Equal(got, []uint32{id}) {
		t.Errorf("games are %v, want %d", got, id)
	}
	if links, err := d.Links(t.Context(), id); err != nil || len(links) != 0 {
		t.Errorf("links are %v, %v", links, err)
	}
	if _, err := d.Games(t.Context(), []uint32{twin[0].ID}); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("a game that is gone: %v", err)
	}
	foretold, err := d.Add(t.Context(), store.Batch{Records: d.batch(long, d.Game("othello", "", 30)).Records, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	d.expect(foretold, store.StatusDuplicate, store.StatusNew)
	if got := d.ids(); !slices.Equal(got, []uint32{id}) {
		t.Errorf("games are %v after a dry run, want %d", got, id)
	}
	reader, err := Open(t.Context(), &d.Config, Options{Games: builtin.Games(), ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if _, err := reader.Add(t.Context(), d.batch(long)); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a reader adds: %v", err)
	}
	if err := reader.Delete(t.Context(), []uint32{id}); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a reader deletes: %v", err)
	}
}

// TestTwoWriters has two writers add games of their own at the same time. Each sees
// what the other did within a second, and no number is given out twice. See
// TestSameGames for writers that bring the same.
//
//qipu:race
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	cfg := foundOn(t, clickhouse.Shared(t))
	writers := []*desk{newDesk(t, cfg, 11), newDesk(t, cfg, 12)}
	var lists [2][]uint32
	var wait sync.WaitGroup
	for i, d := range writers {
		wait.Go(func() {
			for range 5 {
				var games []*record.Game
				for range 10 {
					games = append(games, d.Game("othello", "", 50))
				}
				for _, a := range d.add(games...) {
					lists[i] = append(lists[i], a.ID)
				}
			}
		})
	}
	wait.Wait()
	all := slices.Sorted(slices.Values(slices.Concat(lists[0], lists[1])))
	if len(slices.Compact(slices.Clone(all))) != 100 {
		t.Fatalf("100 games have numbers %v", all)
	}
	if lists[0][0]>>data.ClaimBits == lists[1][0]>>data.ClaimBits {
		t.Errorf("both claim block %d", lists[0][0]>>data.ClaimBits)
	}
	time.Sleep(time.Second / 2)
	for _, d := range writers {
		if got := d.ids(); !slices.Equal(got, all) {
			t.Errorf("a writer sees %v, want %v", got, all)
		}
	}
	claims := make([]uint32, 8)
	for i := range claims {
		wait.Go(func() {
			low, high, err := writers[i%2].Claim(t.Context())
			if err != nil || high-low < data.MaxBatch {
				t.Errorf("claimed %d to %d: %v", low, high, err)
			}
			claims[i] = low >> data.ClaimBits
		})
	}
	wait.Wait()
	if slices.Sort(claims); len(slices.Compact(claims)) != 8 {
		t.Errorf("claimed blocks %v", claims)
	}
}

// TestRepair takes a row of the log from one shard: readers do without, and the
// next writer puts it back.
func TestRepair(t *testing.T) {
	t.Parallel()
	f := clickhouse.Shared(t)
	cfg := foundOn(t, f)
	d := newDesk(t, cfg, 31)
	var want []uint32
	for range 3 {
		want = append(want, d.add(d.Game("othello", "", 50))[0].ID)
	}
	// A deletion may wait long for its turn on a busy server; another table does not.
	db := f.Database()
	for _, sql := range []string{
		fmt.Sprintf("CREATE TABLE %s.less AS %s.log", db, db),
		fmt.Sprintf("INSERT INTO %s.less SELECT * FROM %s.log WHERE seq != (SELECT max(seq) FROM %s.log) - 1", db, db, db),
		fmt.Sprintf("RENAME TABLE %s.log TO %s.more, %s.less TO %s.log", db, db, db, db),
	} {
		f.Node(1, 0).Exec(t, sql)
	}
	if n := d.Count("SELECT count() AS n FROM log"); n != 5 {
		t.Fatalf("the logs have %d rows, not 5", n)
	}
	reader, err := Open(t.Context(), cfg, Options{Games: builtin.Games(), ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if got := (&desk{t, reader, d.Maker}).ids(); !slices.Equal(got, want) {
		t.Errorf("a reader sees %v, want %v", got, want)
	}
	other := newDesk(t, cfg, 32)
	if n := other.Count("SELECT count() AS n FROM log"); n != 6 {
		t.Errorf("the log has %d rows, want 6", n)
	}
	if got := other.ids(); !slices.Equal(got, want) {
		t.Errorf("a writer sees %v, want %v", got, want)
	}
}

// TestCut kills a server in the middle of a batch and starts it again: the batch
// is stored once.
func TestCut(t *testing.T) {
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	d := newDesk(t, foundOn(t, f), 41)
	d.add(d.Game("weiqi", "19x19", 50))
	var games []*record.Game
	for range testkit.Scale(300, 3000) {
		games = append(games, d.Game("weiqi", "19x19", 100))
	}
	batch := d.batch(games...)
	done := make(chan error, 1)
	go func() {
		_, err := d.Add(t.Context(), batch)
		done <- err
	}()
	for began := time.Now(); time.Since(began) < testkit.Patience; time.Sleep(time.Millisecond) {
		var n uint64
		err := d.Shards[0].Replicas[0].Conn.Query(t.Context(), "SELECT count() AS n FROM known WHERE doc > 1", func() error { return nil }, &n)
		if err != nil || n > 0 {
			break
		}
	}
	f.Node(0, 0).Kill()
	f.Node(0, 0).Start(t)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	d.unique(len(games) + 1)
}

// TestReplicaDies kills a replica in the middle of a batch, the one that is asked
// and the other one in turn: the batch is stored once, on the one that is left.
func TestReplicaDies(t *testing.T) {
	fullOnly(t)
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Replicas: 2})
	d := &desk{t, settle(t, f, 2), storetest.NewMaker(builtin.Games(), 81)}
	want := 0
	for round := range testkit.Scale(1, 4) {
		var games []*record.Game
		for range testkit.Scale(300, 1500) {
			games = append(games, d.Game("weiqi", "19x19", 100))
		}
		batch := d.batch(games...)
		done := make(chan error, 1)
		go func() {
			_, err := d.Add(t.Context(), batch)
			done <- err
		}()
		before := d.Count("SELECT count() AS n FROM known")
		for began := time.Now(); time.Since(began) < testkit.Patience; time.Sleep(time.Millisecond) {
			var n uint64
			err := d.Shards[0].Replicas[0].Conn.Query(t.Context(), "SELECT count() AS n FROM known", func() error { return nil }, &n)
			if err != nil || n > before {
				break
			}
		}
		f.Node(0, round%2).Kill()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		want += len(games)
		d.unique(want)
		d.expect(d.add(games[0]), store.StatusDuplicate)
		f.Node(0, round%2).Start(t)
		patiently(t, func() error {
			for _, r := range d.Shards[0].Replicas {
				if r.Down.Load() {
					return fmt.Errorf("%s is down", r.Host)
				}
			}
			return nil
		})
		d.unique(want)
	}
}

// unique checks that every game is stored once.
func (d *desk) unique(want int) {
	d.Helper()
	if n := len(d.ids()); n != want {
		d.Errorf("there are %d games, want %d", n, want)
	}
	for table, columns := range map[string]string{"game": "doc", "known": "k, what, doc", "pos": "hash, doc, line, ply", "line": "doc, line", "corner": "side, hash, doc", "feat": "side, feature, low", "page": "kind, low"} {
		n, different := d.Count("SELECT count() AS n FROM "+table), d.Count("SELECT uniqExact("+columns+") AS n FROM "+table)
		if n < uint64(min(want, 1)) || n != different {
			d.Errorf("the table %s has %d rows, of which %d are different", table, n, different)
		}
	}
	// A batch that was written again has left its first try, which no commit has.
	st, err := d.Fresh(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	if n := d.Count("SELECT count() AS n FROM game WHERE " + st.Spans.Where("doc")); n != uint64(want) {
		d.Errorf("there are %d records, want %d", n, want)
	}
}

// TestShardAway has a shard hang and then die: nothing is written, readers are
// told, and those who put up with less are answered soon.
func TestShardAway(t *testing.T) {
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	cfg := foundOn(t, f)
	d := newDesk(t, cfg, 71)
	id := d.add(d.Game("othello", "", 50))[0].ID
	late := d.Game("othello", "", 50)
	partial := func() {
		t.Helper()
		st, err := d.Fresh(index.AllowPartial(t.Context()))
		if err != nil || st.Commits != 1 || !st.Has(id) {
			t.Errorf("what is left says %v, %v", st, err)
		}
	}
	f.Node(1, 0).Stop(t)
	partial()
	f.Node(1, 0).Continue(t)
	f.Node(1, 0).Kill()
	partial()
	var down *store.UnreachableError
	if _, err := d.Fresh(t.Context()); !errors.As(err, &down) || !strings.Contains(err.Error(), f.Node(1, 0).Addr()) {
		t.Errorf("a shard is dead: %v", err)
	}
	if _, err := d.Add(t.Context(), d.batch(late)); !errors.As(err, &down) {
		t.Errorf("adding while a shard is dead: %v", err)
	}
	f.Node(1, 0).Start(t)
	if got := d.ids(); !slices.Equal(got, []uint32{id}) {
		t.Errorf("games are %v, want %d", got, id)
	}
	d.expect(d.add(late), store.StatusNew)
}

// broken is a line that breaks once in the middle of every table, before or after
// the rows have come through.
type broken struct {
	wire.Conn
	after bool
	mu    *sync.Mutex
	seen  map[string]int // how often a table was written
}

func (b *broken) Insert(ctx context.Context, table string, names []string, columns []any) error {
	b.mu.Lock()
	b.seen[table]++
	first := b.seen[table] == 1
	b.mu.Unlock()
	if first && !b.after {
		return &wire.DownError{Host: "here", Err: errors.New("broken")}
	}
	err := b.Conn.Insert(ctx, table, names, columns)
	if err == nil && first {
		err = &wire.DownError{Host: "here", Err: errors.New("broken")}
	}
	return err
}

// TestDoubt has the connection break while every table is written. What came
// through is not written again, and what did not is.
func TestDoubt(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		cfg := foundOn(t, clickhouse.Shared(t))
		dial, err := cfg.Dial()
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		c, err := openWith(t.Context(), cfg, Options{Games: builtin.Games()}, func(host, database string) (wire.Conn, error) {
			line, err := dial(host, database)
			return &broken{line, after, &mu, map[string]int{}}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		d := &desk{t, c, storetest.NewMaker(builtin.Games(), 61)}
		var games []*record.Game
		for range 20 {
			g := d.Game("weiqi", "19x19", 60)
			d.Branch(g, 3)
			d.Remark(g)
			games = append(games, g)
		}
		d.add(games...)
		d.unique(len(games))
		tally, want := c.Ledger.Now.Tally, int(d.Count("SELECT countIf(side = 1) AS n FROM line"))
		if len(tally) != 1 || tally[0].Games != len(games) || tally[0].Variations != want {
			t.Errorf("the tally is %+v, want %d games and %d variations", tally, len(games), want)
		}
	}
}

// TestLikeEmbedded feeds the same records to an embedded store and to a cluster:
// the same becomes of them, and both tell the same of them.
func TestLikeEmbedded(t *testing.T) {
	t.Parallel()
	d := newDesk(t, foundOn(t, clickhouse.Shared(t)), 51)
	near, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{Create: true, Games: builtin.Games()})
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	pair := map[uint32]uint32{} // numbers of the cluster, by those of the embedded store
	var all []*record.Game
	var became [4]int // by status
	for step := range testkit.Scale(15, 200) {
		var games []*record.Game
		for range 1 + d.Rng.IntN(20) {
			g := d.Random(60)
			switch n := d.Rng.IntN(8); {
			case n < 3 && len(all) > 0:
				g = all[d.Rng.IntN(len(all))]
			case n < 5 && len(all) > 0:
				old := all[d.Rng.IntN(len(all))]
				g = d.Cut(old, d.Rng.IntN(old.Moves()+1))
				if g.Facts = old.Facts; d.Rng.IntN(4) == 0 {
					g.Facts.Result.Verdict = headers.Drawn
				}
				if d.Rng.IntN(4) == 0 && len(g.Nodes) > 3 {
					g.Nodes[3].More().Comment = fmt.Sprintf("comment %d", step)
				}
			case n < 7:
				b := storetest.Boards[d.Rng.IntN(len(storetest.Boards))]
				whole := named(d.Game(b.Kind, b.Variant, 20+d.Rng.IntN(50)), fmt.Sprint("player ", step), "her opponent", headers.FirstWon)
				all = append(all, whole) // comes later
				if g = d.Cut(whole, 10+d.Rng.IntN(50)); d.Rng.IntN(3) == 0 {
					g.Facts.Players[1].Name = ""
				}
			}
			if n := d.Rng.IntN(3); n > 0 {
				g = from(g, fmt.Sprintf("folder %d/file %d.sgf", n, d.Rng.IntN(9)))
			} else if step%3 == 0 {
				g = from(g, record.PlayFile)
				g.Format = ""
			}
			games = append(games, g)
		}
		all = append(all, games...)
		want, err := near.Add(t.Context(), d.batch(games...))
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range d.add(games...) {
			became[got.Status]++
			if old, ok := pair[want[i].ID]; !ok {
				pair[want[i].ID] = got.ID
			} else if old != got.ID {
				t.Fatalf("step %d: record %d is game %d, want %d", step, i, got.ID, old)
			}
			if got.Status != want[i].Status || got.Key != want[i].Key || want[i].Of != 0 && pair[want[i].Of] != got.Of {
				t.Fatalf("step %d: record %d became %+v, want %+v", step, i, got, want[i])
			}
		}
		if step%5 == 4 {
			var gone, far []uint32
			for _, id := range slices.Sorted(maps.Keys(pair)) { // the same ones in each run
				if d.Rng.IntN(20) == 0 {
					gone, far = append(gone, id), append(far, pair[id])
				}
			}
			if err := near.Delete(t.Context(), gone); err != nil {
				t.Fatal(err)
			}
			if err := d.Delete(t.Context(), far); err != nil {
				t.Fatal(err)
			}
		}
	}
	if slices.Contains(became[:], 0) {
		t.Errorf("the records became %v: something is missing", became)
	}
	compare(t, near, d.Cluster, pair)
	here := 0
	for _, b := range storetest.Boards {
		for row, err := range d.ScanResults(t.Context(), strings.TrimSpace(b.Kind+" "+b.Variant)) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Here {
				here++
			}
		}
	}
	if here == 0 {
		t.Error("no game was played here")
	}
}

// compare compares all that an embedded store tells of records with what a
// cluster does.
func compare(t *testing.T, folder *embedded.Shard, far *Cluster, pair map[uint32]uint32) {
	ctx, near := t.Context(), folder.Records()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	counts, err := near.Counts(ctx)
	must(err)
	others, err := far.Counts(ctx)
	must(err)
	if !reflect.DeepEqual(counts.Games, others.Games) {
		t.Errorf("there are %v games, want %v", others.Games, counts.Games)
	}
	v, err := folder.View(ctx)
	must(err)
	defer v.Close()
	st, err := far.State(ctx)
	must(err)
	for _, want := range v.Tally() {
		i := slices.IndexFunc(st.Tally, func(t index.Tally) bool { return t.Kind.Name == want.Kind.Name })
		if i < 0 {
			if want.Games > 0 {
				t.Errorf("there is no tally of %s", want.Kind.Name)
			}
			continue
		}
		if got := st.Tally[i]; got.Games != want.Games || got.Variations != want.Variations || got.Plies != want.Plies {
			t.Errorf("the tally is %+v, want %+v", got, want)
		}
	}
	for kind := range counts.Games {
		ids, err := near.IDs(ctx, kind)
		must(err)
		list := ids.ToArray()
		var want []uint32
		for _, id := range list {
			want = append(want, pair[id])
		}
		got, err := far.IDs(ctx, kind)
		must(err)
		if !slices.Equal(got.ToArray(), slices.Sorted(slices.Values(want))) {
			t.Fatalf("games of %s are %v, want %v", kind, got.ToArray(), want)
		}
		a, err := near.Games(ctx, list)
		must(err)
		b, err := far.Games(ctx, want)
		must(err)
		for i := range a {
			a[i].ID, a[i].Added, b[i].Added = pair[a[i].ID], time.Time{}, time.Time{}
			if a[i] != b[i] {
				t.Fatalf("game %d is\n%+v, want\n%+v", b[i].ID, b[i], a[i])
			}
		}
		texts := map[uint32]store.Text{}
		for text, err := range near.Texts(ctx, list) {
			must(err)
			texts[pair[text.ID]] = text
		}
		n := 0
		for text, err := range far.Texts(ctx, want) {
			must(err)
			if text.ID != want[n] || !slices.Equal(text.Record, texts[text.ID].Record) || !slices.Equal(text.Raw, texts[text.ID].Raw) {
				t.Fatalf("the record of game %d differs", text.ID)
			}
			n++
		}
		if n != len(want) {
			t.Fatalf("%d records come, want %d", n, len(want))
		}
		for i, id := range list {
			a, err := near.Sources(ctx, id)
			must(err)
			b, err := far.Sources(ctx, want[i])
			must(err)
			if !slices.Equal(a, b) {
				t.Fatalf("sources of game %d are\n%v, want\n%v", want[i], b, a)
			}
			l, err := near.Links(ctx, id)
			must(err)
			for i := range l {
				l[i].Game = pair[l[i].Game]
			}
			slices.SortFunc(l, func(x, y store.Link) int { return int(x.Game) - int(y.Game) })
			m, err := far.Links(ctx, want[i])
			must(err)
			if !slices.Equal(l, m) {
				t.Fatalf("links of game %d are %v, want %v", want[i], m, l)
			}
		}
		results := map[uint32]store.ResultRow{}
		for row, err := range near.ScanResults(ctx, kind) {
			must(err)
			results[pair[row.ID]] = row
		}
		for _, scan := range []bool{true, false} {
			rows := far.ScanResults(ctx, kind)
			if !scan {
				rows = far.Results(ctx, kind, slices.Sorted(slices.Values(want)))
			}
			n, last := 0, uint32(0)
			for row, err := range rows {
				must(err)
				if row.ID <= last {
					t.Fatalf("the result of game %d comes behind that of %d", row.ID, last)
				}
				last = row.ID
				want := results[row.ID]
				if want.Verdict > headers.Drawn {
					want.Verdict = headers.Unfinished
				}
				if row.Key != want.Key || row.Plies != want.Plies || row.Verdict != want.Verdict || row.Margin != want.Margin || row.Here != want.Here {
					if kind != store.UnknownKind {
						t.Fatalf("the result of game %d is %+v, want %+v", row.ID, row, want)
					}
				}
				n++
			}
			if n != len(results) {
				t.Fatalf("%d results come, want %d", n, len(results))
			}
		}
	}
	if _, err := far.Sources(ctx, 4_000_000_000); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("sources of no game: %v", err)
	}
	for _, err := range far.Texts(ctx, []uint32{4_000_000_000}) {
		if !errors.Is(err, store.ErrNoGame) {
			t.Errorf("the record of no game: %v", err)
		}
	}
	for id := range pair {
		if games, err := far.Games(ctx, []uint32{pair[id]}); err == nil {
			place := store.Source{File: "elsewhere", Number: 7}
			for range 2 { // the second time it is known
				if err := far.AddSources(ctx, map[uint32][]store.Source{games[0].ID: {place}}); err != nil {
					t.Errorf("adding a source: %v", err)
				}
			}
			list, err := far.Sources(ctx, games[0].ID)
			if n := len(slices.DeleteFunc(list, func(s store.Source) bool { return s != place })); err != nil || n != 1 {
				t.Errorf("a source that was added twice is there %d times: %v", n, err)
			}
			break
		}
	}
}
