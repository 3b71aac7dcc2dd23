package cluster

import (
	"context"
	"errors"
	"fmt"
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
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
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

// TestSortByHash sorts rows of which many share a hash.
func TestSortByHash(t *testing.T) {
	m := storetest.NewMaker(builtin.Games(), 4)
	for _, n := range []int{0, 1, 5, 1000, 20000} {
		rows := make([]corner, n)
		for i := range rows {
			rows[i] = corner{m.Rng.Uint64(), uint32(i)}
			if m.Rng.IntN(3) == 0 {
				rows[i].hash = 7 << (m.Rng.IntN(3) * 30)
			}
		}
		want := slices.Clone(rows)
		slices.SortStableFunc(want, func(x, y corner) int {
			switch {
			case x.hash < y.hash:
				return -1
			case x.hash > y.hash:
				return 1
			}
			return 0
		})
		if got := sortByHash(rows, func(c *corner) uint64 { return c.hash }); !slices.Equal(got, want) {
			t.Errorf("%d rows are not sorted", n)
		}
	}
}

// TestLedger folds the same rows in several orders, and more than once.
//
//qipu:race
func TestLedger(t *testing.T) {
	kinds := index.NewKinds(builtin.Games())
	go19 := "weiqi 19x19"
	rows := []*ledger.Commit{
		{Writer: 1, Seq: 1, Low: 1, High: 4, Kinds: []string{go19}, Main: []int64{3}, Variations: []int64{2}, Plies: []int64{300}},
		{Writer: 2, Seq: 1, Low: 65536, High: 65538, Docs: []uint32{65537}, Games: []uint32{2}, Gone: []uint32{2},
			Kinds: []string{go19, go19, go19}, Main: []int64{1, 1, -1}, Variations: []int64{5, 0, -1}, Plies: []int64{150, 80, -100}},
		{Writer: 3, Seq: 1, Low: 131072, High: 131073, Docs: []uint32{131072}, Games: []uint32{2}, Gone: []uint32{2}, // at the same time
			Kinds: []string{go19, go19}, Main: []int64{1, -1}, Variations: []int64{7, -1}, Plies: []int64{170, -100}},
		{Writer: 1, Seq: 2, Gone: []uint32{3}, Kinds: []string{go19}, Main: []int64{-1}, Variations: []int64{0}, Plies: []int64{-90}},
		{Writer: 2, Seq: 2, Gone: []uint32{3}, Kinds: []string{go19}, Main: []int64{-1}, Variations: []int64{0}, Plies: []int64{-90}}, // both delete it
	}
	check := func(st *ledger.State) {
		t.Helper()
		if want := []ledger.Span{{Low: 1, High: 4}, {Low: 65536, High: 65538}, {Low: 131072, High: 131073}}; !slices.Equal(st.Spans, want) {
			t.Errorf("spans are %v, want %v", st.Spans, want)
		}
		var there []uint32
		for doc := range uint32(200000) {
			if st.Has(doc) {
				there = append(there, doc)
			}
		}
		if want := []uint32{1, 65536, 131072}; !slices.Equal(there, want) {
			t.Errorf("there are %v, want %v", there, want)
		}
		if doc, ok := st.Doc(2); doc != 131072 || !ok || st.Game(131072) != 2 {
			t.Errorf("game 2 has document %d, %v", doc, ok)
		}
		for _, id := range []uint32{3, 65537, 131072, 99} {
			if _, ok := st.Doc(id); ok {
				t.Errorf("game %d is there", id)
			}
		}
		if st.Commits != 5 || len(st.Tally) != 1 {
			t.Fatalf("%d commits, tally %v", st.Commits, st.Tally)
		}
		if got := st.Tally[0]; got.Games != 3 || got.Variations != 8 || got.Plies != 300-100-90+80+170 {
			t.Errorf("tally is %+v", got)
		}
	}
	m := storetest.NewMaker(builtin.Games(), 5)
	for range 50 {
		order := m.Rng.Perm(len(rows))
		l := ledger.NewLedger(nil, nil, 1)
		before := l.Now
		for _, i := range order {
			l.Fold(kinds, []*ledger.Commit{rows[i], rows[i]})
		}
		check(l.Fold(kinds, rows))
		if before.Commits != 0 || len(before.Spans) != 0 || len(before.Games) != 0 || !before.Dead.IsEmpty() {
			t.Fatal("a state has changed")
		}
		// One who deletes the game takes both documents away.
		if got, want := l.Standing(2), []uint32{65537, 131072}; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("game 2 has documents %v, want %v", got, want)
		}
	}
	l := ledger.NewLedger(nil, nil, 1)
	check(l.Fold(kinds, rows))
}

// TestWithout subtracts spans.
func TestWithout(t *testing.T) {
	m := storetest.NewMaker(builtin.Games(), 6)
	random := func() (list []ledger.Span) {
		at := uint32(0)
		for range m.Rng.IntN(6) {
			low := at + 1 + uint32(m.Rng.IntN(9))
			at = low + 1 + uint32(m.Rng.IntN(9))
			list = append(list, ledger.Span{Low: low, High: at})
		}
		return list
	}
	in := func(list []ledger.Span, n uint32) bool {
		return slices.ContainsFunc(list, func(s ledger.Span) bool { return s.Low <= n && n < s.High })
	}
	for range 1000 {
		a, b := random(), random()
		rest := without(a, b)
		for n := range uint32(130) {
			if got, want := in(rest, n), in(a, n) && !in(b, n); got != want {
				t.Fatalf("%v without %v is %v", a, b, rest)
			}
		}
	}
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
	reader, err := Open(t.Context(), &d.config, Options{Games: builtin.Games(), ReadOnly: true})
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

// TestTwoWriters has two writers add at the same time. Each sees what the other
// did within a second, and no number is given out twice.
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
	if lists[0][0]>>claimBits == lists[1][0]>>claimBits {
		t.Errorf("both claim block %d", lists[0][0]>>claimBits)
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
			if err != nil || high-low < maxBatch {
				t.Errorf("claimed %d to %d: %v", low, high, err)
			}
			claims[i] = low >> claimBits
		})
	}
	wait.Wait()
	if slices.Sort(claims); len(slices.Compact(claims)) != 8 {
		t.Errorf("claimed blocks %v", claims)
	}
}

// TestNoCommit writes a batch whose row of the log never comes.
func TestNoCommit(t *testing.T) {
	t.Parallel()
	cfg := foundOn(t, clickhouse.Shared(t))
	d := newDesk(t, cfg, 21)
	first := d.add(d.Game("weiqi", "9x9", 50))
	lost := d.Game("weiqi", "9x9", 50)
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := &desk{t, d.Cluster, d.Maker}
	st, err := d.enter(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	items := dedupe.Items(d.batch(lost).Records, d.kinds)
	existing, err := d.newExisting(ctx, st, items)
	if err == nil {
		err = dedupe.Sift(ctx, existing, items)
	}
	if err != nil {
		t.Fatal(err)
	}
	a := &addition{Cluster: d.Cluster, State: st, existing: existing, items: items}
	if err := a.number(ctx); err != nil {
		t.Fatal(err)
	}
	if err := a.Each(ctx, "writing", func(s *wire.Shard) error { return a.Documents(ctx, s) }); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := a.commit(ctx, &a.row); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit that was cancelled: %v", err)
	}
	d.leave()
	if n := d.Count("SELECT count() AS n FROM game"); n != 2 {
		t.Fatalf("there are %d rows, want 2", n)
	}
	if got := cancelled.ids(); !slices.Equal(got, []uint32{first[0].ID}) {
		t.Errorf("games are %v, want %v", got, first[0].ID)
	}
	added := d.add(lost)
	d.expect(added, store.StatusNew)
	other := newDesk(t, cfg, 22)
	if got, want := other.ids(), []uint32{first[0].ID, added[0].ID}; !slices.Equal(got, want) {
		t.Errorf("games are %v, want %v", got, want)
	}
	other.expect(other.add(lost), store.StatusDuplicate)
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
		fmt.Sprintf("INSERT INTO %s.less SELECT * FROM %s.log WHERE seq != %d", db, db, d.writer.seq-1),
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
			for id, other := range pair {
				if d.Rng.IntN(20) == 0 {
					gone, far = append(gone, id), append(far, other)
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
				if row.Key != want.Key || row.Plies != want.Plies || row.Verdict != want.Verdict || row.Margin != want.Margin {
					if kind != dedupe.UnknownKind {
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
			for _, want := range []bool{true, false} {
				if added, err := far.AddSource(ctx, games[0].ID, place); err != nil || added != want {
					t.Errorf("adding a source: %v, %v", added, err)
				}
			}
			break
		}
	}
}
