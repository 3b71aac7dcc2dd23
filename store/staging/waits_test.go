package staging

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/storetest"
)

// What is known of servers outlives a program, and what cannot be read is nothing.
func TestHealth(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, healthFile)
	if h := readHealth(dir); h.away() != nil {
		t.Errorf("of nothing: %v", h)
	}
	readHealth(dir).write(dir, []string{"host2:9000", "host1:9000"})
	first := readHealth(dir)
	if got := first.away(); !slices.Equal(got, []string{"host1:9000", "host2:9000"}) {
		t.Errorf("away are %q", got)
	}
	first.Away["host1:9000"] = first.Away["host1:9000"].Add(-time.Hour)
	first.write(dir, []string{"host1:9000", "host3:9000"})
	second := readHealth(dir)
	if got := second.away(); !slices.Equal(got, []string{"host1:9000", "host3:9000"}) || !second.Away["host1:9000"].Equal(first.Away["host1:9000"]) {
		t.Errorf("away are %v, before %v", second, first)
	}
	second.write(dir, nil)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("all are back, and the file is there: %v", err)
	}
	if err := os.WriteFile(path, []byte(`{"away": {"host1`), 0o666); err != nil {
		t.Fatal(err)
	}
	if h := readHealth(dir); h.away() != nil {
		t.Errorf("of half a file: %v", h)
	}
}

// TestWaits has commands meet a server that hangs, a shard that does and no
// ZooKeeper: none waits for long, and no game is lost.
func TestWaits(t *testing.T) {
	if !testkit.Full() {
		t.Skip("replicas need ZooKeeper and time: they are tested at full scale")
	}
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2, Replicas: 2})
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{Replicas: 2}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "desk")
	m := storetest.NewMaker(builtin.Games(), 6)
	var ids []uint32
	// command opens the library, does something, closes it, and returns how long
	// that took.
	command := func(what string, readOnly bool, do func(d *Library)) time.Duration {
		t.Helper()
		o := at(dir)
		o.ReadOnly, o.Logf = readOnly, t.Logf
		began := time.Now()
		d, err := Open(t.Context(), f.URL(), o)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		opened := time.Since(began)
		do(d)
		done := time.Since(began)
		if err := d.Close(); err != nil {
			t.Errorf("%s: closing: %v", what, err)
		}
		took := time.Since(began)
		t.Logf("%s: open after %v, done after %v, closed after %v", what, opened.Round(time.Millisecond), done.Round(time.Millisecond), took.Round(time.Millisecond))
		return took
	}
	sees := func(d *Library) {
		t.Helper()
		if got := scanned(t, d); !slices.Equal(got, ids) {
			t.Errorf("there are %v, want %v", got, ids)
		}
	}
	adds := func(n int) func(d *Library) {
		return func(d *Library) {
			t.Helper()
			added, err := d.Add(t.Context(), store.Batch{Records: games(m, n)})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, numbers(added)...)
			sees(d)
		}
	}
	within := func(took, limit time.Duration) {
		t.Helper()
		if took > limit {
			t.Errorf("it took %v, not %v", took, limit)
		}
	}
	command("all well, add", false, adds(20))
	command("all well, see", true, sees)

	f.Node(1, 0).Stop(t)
	within(command("a server hangs, see", true, sees), 5*time.Second)
	if away := readHealth(dir).away(); !slices.Equal(away, []string{f.Node(1, 0).Addr()}) {
		t.Errorf("away are %q", away)
	}
	within(command("a server hangs, see again", true, sees), 2*time.Second)
	within(command("a server hangs, add", false, adds(5)), 15*time.Second)
	within(command("a server hangs, see it all", true, sees), 2*time.Second)

	f.Node(1, 1).Stop(t)
	for _, what := range []string{"a shard hangs", "a shard hangs, again"} {
		within(command(what, true, func(d *Library) {
			v, err := d.View(t.Context())
			if _, lost := errors.AsType[*store.UnreachableError](err); !lost || !strings.Contains(err.Error(), "shard 2") {
				t.Errorf("%v", err)
			}
			if err == nil {
				v.Close()
			}
		}), 5*time.Second)
	}
	f.Node(1, 0).Continue(t)
	f.Node(1, 1).Continue(t)
	for until := time.Now().Add(testkit.Patience); len(readHealth(dir).away()) > 0 && time.Now().Before(until); {
		command("all back", true, func(*Library) { time.Sleep(time.Second) })
	}
	if away := readHealth(dir).away(); away != nil {
		t.Errorf("all are back, and away are %q", away)
	}

	f.ZooKeeper().Kill()
	var kept *Library
	within(command("no ZooKeeper, add", false, func(d *Library) {
		kept = d
		adds(1)(d)
		_, err := d.Merge(t.Context())
		if staged, ok := errors.AsType[*store.StagedError](err); !ok || staged.Games != 1 || staged.Dir != dir {
			t.Errorf("%v", err)
		}
		// One that the servers have.
		records := games(storetest.NewMaker(builtin.Games(), 6), 1)
		records[0].Game.Place = record.Place{File: "elsewhere.sgf", Number: 1}
		added, err := d.Add(t.Context(), store.Batch{Records: records})
		if err != nil || added[0].Status != store.StatusDuplicate || slices.Contains(ids, added[0].ID) {
			t.Errorf("a record of a game on the servers is %+v, %v", added, err)
		}
	}), 30*time.Second)
	// A desk that never had numbers cannot keep a game, and says so.
	old := dir
	dir = filepath.Join(t.TempDir(), "fresh")
	within(command("no ZooKeeper, a fresh desk", false, func(d *Library) {
		_, err := d.Add(t.Context(), store.Batch{Records: games(m, 1)})
		if todo, _ := remedy.Of(err); err == nil || !strings.Contains(err.Error(), "has no numbers for new games") || todo.Code != remedy.Servers {
			t.Errorf("a game for a fresh desk: %v", err)
		}
	}), 30*time.Second)
	dir = old
	if _, staged := errors.AsType[*store.StagedError](kept.Trouble()); !staged {
		t.Errorf("the trouble is %v", kept.Trouble())
	}
	f.ZooKeeper().Start(t)
	for until := time.Now().Add(testkit.Patience); time.Now().Before(until); {
		var left error
		command("ZooKeeper is back", false, func(d *Library) { left = d.Ship(t.Context()) })
		if left == nil {
			break
		}
		time.Sleep(time.Second)
	}
	command("all is shipped", true, func(d *Library) {
		if lies, err := d.lies(t.Context()); err != nil || !lies.IsEmpty() {
			t.Errorf("%v, %v", lies, err)
		}
		sees(d)
	})
}
