package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/retrieve"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/storetest"
)

// timed runs something, and logs how long it took.
func timed(t testing.TB, what string, run func()) {
	t.Helper()
	began := time.Now()
	run()
	t.Logf("%s: %v", what, time.Since(began).Round(time.Millisecond))
}

// library returns the cluster of a desk as others want it.
func (d *desk) library() *library { return &library{Cluster: d.Cluster} }

// kind returns a kind of game.
func (d *desk) kind(name string) *index.Kind {
	d.Helper()
	k, err := d.Cluster.Kinds().Find(name)
	if err != nil {
		d.Fatal(err)
	}
	return k
}

// findAll finds all games of a kind, and returns them and what is told.
func (d *desk) findAll(ctx context.Context, k *index.Kind, onPage func([]retrieve.Row)) (games *roaring.Bitmap, a *retrieve.Answer, lost []string, err error) {
	v, err := d.View(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	defer v.Close()
	games = roaring.New()
	a, err = retrieve.Find(ctx, v, &retrieve.Request{Kind: k, Into: games, Limit: 5, NoContinuations: true, OnPage: onPage})
	return games, a, v.Missing(), err
}

// TestShardLost asks a library of which a shard hangs, and is dead then: there is
// an error that names it, soon, or an answer that tells what it goes without.
func TestShardLost(t *testing.T) {
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	cfg := foundOn(t, f)
	d := newDesk(t, cfg, 91)
	hurried := *cfg
	hurried.Timeout = time.Second
	impatient := newDesk(t, &hurried, 91)
	k := d.kind("weiqi 9x9")
	put(t, d.library(), remarked(testkit.Scale(200, 5000)))
	all := roaring.BitmapOf(d.ids()...)
	left := roaring.New()
	for _, id := range d.ids() {
		if d.Home(id).Number == 0 {
			left.Add(id)
		}
	}
	whole := func(what string) {
		t.Helper()
		games, a, lost, err := d.findAll(t.Context(), k, nil)
		if err != nil || !games.Equals(all) || a.Partial || lost != nil {
			t.Fatalf("%s: %v games of %d, missing %q: %v", what, games, all.GetCardinality(), lost, err)
		}
	}
	partly := func(what string) {
		t.Helper()
		began, first := time.Now(), time.Duration(0)
		games, a, lost, err := d.findAll(index.AllowPartial(t.Context()), k, func([]retrieve.Row) { first = time.Since(began) })
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if !games.Equals(left) || !a.Partial || a.Games != int(left.GetCardinality()) || !slices.Equal(lost, []string{"shard 2"}) {
			t.Errorf("%s: %d games of %d, partial %v, missing %q", what, games.GetCardinality(), left.GetCardinality(), a.Partial, lost)
		}
		if first == 0 {
			t.Errorf("%s: no page came", what)
		}
		t.Logf("%s: the first page after %v", what, first.Round(time.Millisecond))
	}
	fails := func(what string, d *desk) {
		t.Helper()
		_, _, _, err := d.findAll(t.Context(), k, nil)
		var lost *store.UnreachableError
		if refuses(t, err, "shard 2", f.Node(1, 0).Addr()); !errors.As(err, &lost) {
			t.Errorf("%s: %#v", what, err)
		}
	}
	whole("all well")
	f.Node(1, 0).Stop(t)
	timed(t, "hung, a part", func() { partly("hung") })
	timed(t, "hung, a part again", func() { partly("hung, again") })
	timed(t, "hung, an error", func() { fails("hung", impatient) })
	f.Node(1, 0).Continue(t)
	whole("goes on")
	f.Node(1, 0).Kill()
	timed(t, "dead, an error", func() { fails("dead", d) })
	timed(t, "dead, a part", func() { partly("dead") })
	f.Node(1, 0).Start(t)
	whole("back")
}

// TestScanCancelled cancels a scan while servers work for it: they stop.
func TestScanCancelled(t *testing.T) {
	f := clickhouse.Shared(t)
	d := newDesk(t, foundOn(t, f), 92)
	k := d.kind("weiqi 9x9")
	n := put(t, d.library(), remarked(300))
	cfg := d.Config
	dial, err := cfg.Dial()
	if err != nil {
		t.Fatal(err)
	}
	slow, err := openWith(t.Context(), &cfg, Options{Games: builtin.Games(), ReadOnly: true}, func(host, database string) (wire.Conn, error) {
		line, err := dial(host, database)
		return &slowly{line, f.Database()}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	v, err := slow.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	running := func() uint64 {
		return d.Count("SELECT count() AS n FROM system.processes WHERE query LIKE '%" + f.Database() + "%' AND query NOT LIKE '%processes%'")
	}
	until := func(want uint64) {
		t.Helper()
		for began := time.Now(); running() != want; time.Sleep(5 * time.Millisecond) {
			if time.Since(began) > testkit.Patience {
				t.Fatalf("%d statements run, not %d", running(), want)
			}
		}
	}
	for name, scan := range map[string]*index.Plan{"boards": {Kind: k}, "facts": {Kind: k, Facts: true}} {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			lines := 0
			for b, err := range v.Scan(ctx, scan) {
				if err != nil {
					done <- err
					return
				}
				lines += b.Lanes.Count()
			}
			done <- fmt.Errorf("it ended with %d lines of %d", lines, n)
		}()
		until(2)
		cancel()
		timed(t, name+", ended here", func() {
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		})
		timed(t, name+", ended there", func() { until(0) })
	}
}

// slowly is a line on which lines of games come slowly, in statements that can be
// told from those of others.
type slowly struct {
	wire.Conn
	database string
}

func (s *slowly) Query(ctx context.Context, sql string, row func() error, dest ...any) error {
	if before, after, ok := strings.Cut(sql, " FROM line WHERE "); ok {
		sql = before + " FROM line WHERE sleepEachRow(0.02) = 0 AND '" + s.database + "' != '' AND " + after + " SETTINGS max_block_size = 10"
	}
	return s.Conn.Query(ctx, sql, row, dest...)
}

// TestClocks has writers at whose servers it is another time. Readers who have
// seen later rows of the log see theirs, and read no more than they must.
func TestClocks(t *testing.T) {
	cfg := foundOn(t, clickhouse.Shared(t))
	dial, err := cfg.Dial()
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int64
	reader, err := openWith(t.Context(), cfg, Options{Games: builtin.Games(), ReadOnly: true}, func(host, database string) (wire.Conn, error) {
		line, err := dial(host, database)
		return &counted{line, &asked}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	m := storetest.NewMaker(builtin.Games(), 93)
	var want []uint32
	see := func(what string) {
		t.Helper()
		if _, err := reader.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := (&desk{t, reader, m}).ids(); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: a reader sees %v, want %v", what, got, want)
		}
		before := asked.Load()
		if _, err := reader.Fresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := asked.Load() - before; n != int64(len(reader.Shards)) {
			t.Errorf("%s: where nothing is new, %d statements are asked", what, n)
		}
	}
	var hours atomic.Int64
	c, err := openWith(t.Context(), cfg, Options{Games: builtin.Games()}, func(host, database string) (wire.Conn, error) {
		line, err := dial(host, database)
		return &elsewhen{line, &hours}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	d := &desk{t, c, m}
	for _, at := range []int64{0, -1, 0, 1, 0, -30, 1, -1} {
		hours.Store(at)
		want = append(want, d.add(d.Game("othello", "", 30))[0].ID)
		see(fmt.Sprintf("at %+d hours", at))
	}
	// Rows that are there twice are counted twice.
	hours.Store(-2)
	for _, s := range c.Shards {
		rows, err := ledger.ReadCommits(t.Context(), s.Replicas[0].Conn, "")
		if err == nil {
			err = s.Replicas[0].Conn.Insert(t.Context(), "log", ledger.LogColumns, ledger.ColumnsOf(rows[:2]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	see("twice")
}

// elsewhen is a line to a server whose clock is some hours ahead.
type elsewhen struct {
	wire.Conn
	hours *atomic.Int64
}

func (e *elsewhen) Insert(ctx context.Context, table string, names []string, columns []any) error {
	if table == "log" {
		at := make([]time.Time, len(columns[0].([]uint32)))
		for i := range at {
			at[i] = time.Now().Add(time.Duration(e.hours.Load()) * time.Hour)
		}
		names, columns = append(slices.Clone(names), "at"), append(slices.Clone(columns), at)
	}
	return e.Conn.Insert(ctx, table, names, columns)
}

// counted is a line that counts what it is asked.
type counted struct {
	wire.Conn
	asked *atomic.Int64
}

func (c *counted) Query(ctx context.Context, sql string, row func() error, dest ...any) error {
	c.asked.Add(1)
	return c.Conn.Query(ctx, sql, row, dest...)
}
