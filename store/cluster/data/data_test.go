package data

import (
	"context"
	"errors"
	"fmt"
	"os"
	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
	"qipu/store/storetest"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestMain(m *testing.M) { os.Exit(clickhouse.Main(m)) }

// parse reads an address.
func parse(t testing.TB, url string) *wire.Config {
	t.Helper()
	cfg, err := wire.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

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
	*Records
	*storetest.Maker
}

func newDesk(t testing.TB, cfg *wire.Config, seed uint64) *desk {
	t.Helper()
	dial, err := cfg.Dial()
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), cfg, ledger.Options{Kinds: index.NewKinds(builtin.Games()), Logf: t.Logf}, dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &desk{t, New(l, builtin.Games(), nil), storetest.NewMaker(builtin.Games(), seed)}
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

func added(t *testing.T, d *desk, b store.Batch) []store.Added {
	t.Helper()
	list, err := d.Add(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestWrittenAgain writes records with numbers twice to replicas, the first time
// without a commit: what the first try left is removed, and the same blocks, which
// replicas know, come and stay.
func TestWrittenAgain(t *testing.T) {
	if !testkit.Full() {
		t.Skip("replicas need ZooKeeper and time: they are tested at full scale")
	}
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Shards: 1, Replicas: 2})
	cfg := parse(t, f.URL())
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{Replicas: 2}); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, cfg, 77)
	low, _, err := d.Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	games := []*record.Game{d.Game("othello", "", 50), d.Game("othello", "", 40)}
	batch := func() store.Batch {
		b := d.batch(games...)
		b.Numbers, b.Again = []uint32{low, low + 1}, true
		return b
	}
	st, err := d.enter(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	b := batch()
	a := &addition{Records: d.Records, State: st, items: dedupe.Items(b.Records, nil, d.Kinds()), numbers: b.Numbers}
	if a.existing, err = d.newExisting(t.Context(), st, a.items); err != nil {
		t.Fatal(err)
	}
	if err := dedupe.Sift(t.Context(), a.existing, a.items); err != nil {
		t.Fatal(err)
	}
	if err := a.number(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := a.Documents(t.Context(), d.Shards[0]); err != nil {
		t.Fatal(err)
	}
	d.leave()
	rows := func() (text string) {
		for _, table := range []string{"game", "line", "pos", "known"} {
			text += fmt.Sprintf(" %s %d", table, d.Count(fmt.Sprintf("SELECT count() AS n FROM %s WHERE doc >= %d AND doc < %d", table, low, low+2)))
		}
		return text
	}
	want := rows()
	d.expect(added(t, d, batch()), store.StatusNew, store.StatusNew)
	for range 3 { // which has servers remove what they have not yet
		if got := rows(); got != want {
			t.Fatalf("there are%s, want%s", got, want)
		}
		d.add(d.Game("othello", "", 50))
		time.Sleep(2 * time.Second)
	}
}

// TestLeft adds records that have numbers, after a try that was killed has left
// some of their rows, and more.
func TestLeft(t *testing.T) {
	d := newDesk(t, foundOn(t, clickhouse.Shared(t)), 94)
	low, _, err := d.Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b store.Batch
	for i := range uint32(40) {
		g := d.Game("weiqi", "19x19", 40)
		d.Branch(g, 1)
		b.Records, b.Numbers = append(b.Records, d.Play(g)), append(b.Numbers, low+i)
	}
	try := func(b store.Batch) *addition {
		t.Helper()
		st, err := d.enter(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		defer d.leave()
		a := &addition{Records: d.Records, State: st, items: dedupe.Items(b.Records, nil, d.Kinds()), numbers: b.Numbers}
		a.existing, err = d.newExisting(t.Context(), st, a.items)
		if err == nil {
			err = dedupe.Sift(t.Context(), a.existing, a.items)
		}
		if err == nil {
			err = a.number(t.Context())
		}
		if err == nil {
			err = a.Each(t.Context(), "writing", func(s *wire.Shard) error { return a.Documents(t.Context(), s) })
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := try(b)
	second := store.Batch{Records: b.Records[:30], Numbers: b.Numbers[:30], Again: true}
	if _, err := d.Add(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if a.State, err = d.Fresh(t.Context()); err == nil {
		_, err = d.clear(t.Context(), a.State, b.Numbers) // which removes nothing that counts
	}
	if err != nil {
		t.Fatal(err)
	}
	added, err := d.Add(t.Context(), store.Batch{Records: b.Records[30:], Numbers: b.Numbers[30:], Again: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range added {
		if got.ID != b.Numbers[30+i] || got.Status != store.StatusNew {
			t.Errorf("a record became %+v, want game %d", got, b.Numbers[30+i])
		}
	}
	d.unique(40)
}

// TestNoCommit writes a batch whose row of the log never comes.
func TestNoCommit(t *testing.T) {
	t.Parallel()
	cfg := foundOn(t, clickhouse.Shared(t))
	d := newDesk(t, cfg, 21)
	first := d.add(d.Game("weiqi", "9x9", 50))
	lost := d.Game("weiqi", "9x9", 50)
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := &desk{t, d.Records, d.Maker}
	st, err := d.enter(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	items := dedupe.Items(d.batch(lost).Records, nil, d.Kinds())
	existing, err := d.newExisting(ctx, st, items)
	if err == nil {
		err = dedupe.Sift(ctx, existing, items)
	}
	if err != nil {
		t.Fatal(err)
	}
	a := &addition{Records: d.Records, State: st, existing: existing, items: items}
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
