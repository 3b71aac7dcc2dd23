package staging

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/shard"
	"qipu/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(clickhouse.Main(m)) }

// fleet returns servers with an empty library on them.
func fleet(t *testing.T) *clickhouse.Fleet {
	t.Helper()
	f := clickhouse.Shared(t)
	initialise(t, f)
	return f
}

func initialise(t *testing.T, f *clickhouse.Fleet) {
	t.Helper()
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
}

// at returns options under which the desk is a folder.
func at(dir string) Options {
	return Options{Games: builtin.Games(), Env: func(name string) (string, bool) { return dir, name == "QIPU_DESK" }}
}

func open(t *testing.T, f *clickhouse.Fleet, dir string) *Library {
	t.Helper()
	d, err := Open(t.Context(), f.URL(), at(dir))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// library is a desk as the kit wants it.
type library struct {
	*Library
	url, dir string
}

func (l *library) Add(ctx context.Context, records []*record.Played) ([]store.Added, error) {
	return l.Library.Add(ctx, store.Batch{Records: records})
}

func (l *library) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker) error {
	before := l.MarksVersion()
	done, err := l.Library.BuildMarks(ctx, markers, nil)
	if err == nil && done.Columns > 0 && l.MarksVersion() == before {
		err = errors.New("columns have come, and the version is the same")
	}
	return err
}

func (l *library) Merge(ctx context.Context) error { return l.Ship(ctx) }

func (l *library) Reopen(ctx context.Context) error {
	if err := l.Close(); err != nil {
		return err
	}
	d, err := Open(ctx, l.url, at(l.dir))
	if err == nil {
		l.Library = d
	}
	return err
}

// TestConformance has games lie on the desk and on the servers by turns.
func TestConformance(t *testing.T) {
	begin := func(t *testing.T) storetest.Library {
		f := fleet(t)
		l := &library{url: f.URL(), dir: filepath.Join(t.TempDir(), "desk")}
		l.Library = open(t, f, l.dir)
		t.Cleanup(func() {
			if err := l.Close(); err != nil {
				t.Errorf("closing: %v", err)
			}
		})
		return l
	}
	if testkit.Full() {
		storetest.Run(t, storetest.Config{Games: builtin.Games(), Seed: 11, Open: begin, Restless: true})
		return
	}
	h := storetest.NewHistory(t.Context(), builtin.Games(), begin(t), 11)
	defer h.Close()
	for range 14 {
		if err := h.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// games makes records that are all different.
func games(m *storetest.Maker, n int) (list []*record.Played) {
	for range n {
		g := m.Game("weiqi", "9x9", 30+m.Rng.IntN(20))
		m.Head(g)
		list = append(list, m.Play(g))
	}
	return list
}

func numbers(added []store.Added) (ids []uint32) {
	for _, a := range added {
		ids = append(ids, a.ID)
	}
	return ids
}

// has tells whether a desk has exactly some games, each once.
func has(t *testing.T, d *Library, want []uint32) {
	t.Helper()
	all, err := d.IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	want = slices.Compact(slices.Sorted(slices.Values(want)))
	if got := all.ToArray(); !slices.Equal(got, want) {
		t.Errorf("%d games are there, not %d: %v and %v", len(got), len(want), got, want)
	}
	v, err := d.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	n := 0
	for _, tally := range v.Tally() {
		n += tally.Games
	}
	if n != len(want) {
		t.Errorf("the view counts %d games, not %d", n, len(want))
	}
}

// TestShip follows games from the desk to the servers: collections know them by
// the same numbers, another desk sees them, and shipping twice is shipping once.
func TestShip(t *testing.T) {
	f, m := fleet(t), storetest.NewMaker(builtin.Games(), 3)
	d := open(t, f, filepath.Join(t.TempDir(), "one"))
	defer d.Close()
	other := open(t, f, filepath.Join(t.TempDir(), "two"))
	defer other.Close()
	var set int64
	err := d.near.Update(t.Context(), func(tx shard.Tx) (err error) {
		set, err = tx.CreateCollection("mine", "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	records := games(m, 12)
	added, err := d.Add(t.Context(), store.Batch{Records: records, Collection: set})
	if err != nil {
		t.Fatal(err)
	}
	ids := numbers(added)
	has(t, d, ids)
	has(t, other, nil)
	// A kill between the commit and the release leaves games in both places.
	var b store.Batch
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	for _, p := range records[:5] {
		b.Records = append(b.Records, referee.Play(p.Game))
	}
	b.Numbers = ids[:5]
	if _, err := d.far.Add(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if err := d.Ship(t.Context()); err != nil {
		t.Fatal(err)
	}
	has(t, d, ids)
	if lies, err := d.lies(t.Context()); err != nil || !lies.IsEmpty() {
		t.Errorf("%v lie on the desk after shipping (%v)", lies, err)
	}
	members, err := d.near.Notes().Members(t.Context(), set)
	if err != nil || !slices.Equal(members.ToArray(), ids) {
		t.Errorf("the collection has %v, not %v (%v)", members, ids, err)
	}
	time.Sleep(300 * time.Millisecond) // a log may be as old as that
	has(t, other, ids)
	// The same games from the other desk are known.
	again := []*record.Played{}
	for _, p := range records {
		again = append(again, referee.Play(p.Game))
	}
	known, err := other.Add(t.Context(), store.Batch{Records: again})
	if err != nil {
		t.Fatal(err)
	}
	if got := numbers(known); !slices.Equal(got, ids) {
		t.Errorf("the other desk knows the games as %v, not %v", got, ids)
	}
	// Its own have numbers of another block.
	mine, err := other.Add(t.Context(), store.Batch{Records: games(m, 3)})
	if err != nil {
		t.Fatal(err)
	}
	if mine[0].ID>>16 == ids[0]>>16 {
		t.Errorf("both desks number games in block %d", ids[0]>>16)
	}
	if err := d.Delete(t.Context(), ids[:2]); err != nil {
		t.Fatal(err)
	}
	has(t, d, ids[2:])
	if members, err = d.near.Notes().Members(t.Context(), set); err != nil || !slices.Equal(members.ToArray(), ids[2:]) {
		t.Errorf("the collection has %v after deleting, not %v (%v)", members, ids[2:], err)
	}
}

// TestDown: games that are played while the servers are down are kept, found, and
// shipped when they are back.
func TestDown(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 1, Replicas: 1})
	initialise(t, f)
	m := storetest.NewMaker(builtin.Games(), 4)
	dir := filepath.Join(t.TempDir(), "desk")
	d := open(t, f, dir)
	first, err := d.Add(t.Context(), store.Batch{Records: games(m, 2)})
	if err != nil {
		t.Fatal(err)
	}
	f.Node(0, 0).Kill()
	second, err := d.Add(t.Context(), store.Batch{Records: games(m, 2)})
	if err != nil {
		t.Fatalf("a game is not taken while the servers are down: %v", err)
	}
	ids := append(numbers(first), numbers(second)...)
	if rows, err := d.Games(t.Context(), ids); err != nil || len(rows) != 4 {
		t.Errorf("%d of 4 games are known (%v)", len(rows), err)
	}
	f.Node(0, 0).Start(t)
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(100 * time.Millisecond) {
		if err = d.Ship(t.Context()); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	has(t, d, ids)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	reader := at(dir)
	reader.ReadOnly = true
	d, err = Open(t.Context(), f.URL(), reader)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	has(t, d, ids)
}
