package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/game"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
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

// settle makes the library of a fleet, and opens it.
func settle(t testing.TB, f *clickhouse.Fleet, replicas int) *Cluster {
	t.Helper()
	if _, err := ledger.Init(t.Context(), parse(t, f.URL()), ledger.InitOptions{Replicas: replicas, Logf: t.Logf}); err != nil {
		t.Fatal(err)
	}
	return open(t, parse(t, f.URL()))
}

// open opens a library, which is closed with the test.
func open(t testing.TB, cfg *wire.Config) *Cluster {
	t.Helper()
	c, err := Open(t.Context(), cfg, Options{Games: game.Catalog{}, Logf: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// refuses fails the test unless an error says something, and says it on one line.
func refuses(t testing.TB, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %q", want)
	}
	for _, part := range want {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v: want %q", err, part)
		}
	}
}

func TestInit(t *testing.T) {
	f := clickhouse.Shared(t)
	cfg := parse(t, f.URL())

	_, err := Open(t.Context(), cfg, Options{})
	if r, _ := remedy.Of(err); r.Code != remedy.Init || !strings.HasPrefix(r.Arg, "clickhouse://default@") || !errors.Is(err, store.ErrNoLibrary) {
		t.Error(err)
	}
	first, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if first.String() != again.String() || again.Epoch != 1 || len(again.Shards) != 2 || again.Replicas() != 1 {
		t.Errorf("first %+v, then %+v", first, again)
	}
	// One host is entry enough.
	one := parse(t, f.URLOf(f.Database(), f.Node(1, 0)))
	c := open(t, one)
	if len(c.Shards) != 2 || c.ID() == "" || c.Address() != one.String() || c.Caps.Version.Major == 0 {
		t.Errorf("%d shards, id %q, %+v", len(c.Shards), c.ID(), c.Caps)
	}
	for name, bad := range map[string][]*clickhouse.Node{"one left out": {f.Node(0, 0)}, "another order": {f.Node(1, 0), f.Node(0, 0)}} {
		if _, err := ledger.Init(t.Context(), parse(t, f.URLOf(f.Database(), bad...)), ledger.InitOptions{}); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			refuses(t, err, "name these hosts in this order")
		}
	}
	_, err = ledger.Init(t.Context(), cfg, ledger.InitOptions{Replicas: 2})
	refuses(t, err, "cannot be changed to 2")
}

// A library of one server gets a second one, and the documents of the first stay
// where they are.
func TestInitAddsShards(t *testing.T) {
	f := clickhouse.Shared(t)
	small := parse(t, f.URLOf(f.Database(), f.Node(0, 0)))
	if _, err := ledger.Init(t.Context(), small, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	before := open(t, small)
	got, err := ledger.Init(t.Context(), parse(t, f.URL()), ledger.InitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Epoch != 2 || len(got.Shards) != 2 {
		t.Errorf("%+v", got)
	}
	after := open(t, small)
	if len(before.Shards) != 1 || len(after.Shards) != 2 || after.ID() != before.ID() {
		t.Errorf("before %v, after %v", before.Topology(), after.Topology())
	}
}

func TestNewerLibrary(t *testing.T) {
	f := clickhouse.Shared(t)
	settle(t, f, 1).Close()
	f.Node(0, 0).Exec(t, "INSERT INTO "+f.Database()+".meta SELECT 'schema', '7', 99999999999999")
	_, err := Open(t.Context(), parse(t, f.URL()), Options{})
	refuses(t, err, "has format 7", "use a newer version")
	_, err = ledger.Init(t.Context(), parse(t, f.URL()), ledger.InitOptions{})
	refuses(t, err, "has format 7", "use a newer version")
}

// Servers that are dead do not keep others from being asked, and are named.
func TestDead(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	settle(t, f, 1).Close()
	f.Node(1, 0).Kill()
	c := open(t, parse(t, f.URL()))
	if err := c.Shards[0].Read(t.Context(), "asking", func(line wire.Conn) error { return line.Exec(t.Context(), "SELECT 1") }); err != nil {
		t.Error(err)
	}
	err := c.Each(t.Context(), "asking", func(s *wire.Shard) error {
		return s.Read(t.Context(), "asking", func(line wire.Conn) error { return line.Exec(t.Context(), "SELECT 1") })
	})
	refuses(t, err, "shard 2 cannot be reached", f.Node(1, 0).Addr())
	if !strings.Contains(err.Error(), "refused") && !strings.Contains(err.Error(), "time is up") { // on a busy machine the refusal may come late
		t.Errorf("%v: does not say why", err)
	}
	var dead *store.UnreachableError
	if !errors.As(err, &dead) || dead.Shard != "shard 2" || !wire.IsDown(err) {
		t.Errorf("%#v", err)
	}
	f.Node(1, 0).Start(t)
	if err := c.Shards[1].Read(t.Context(), "asking", func(line wire.Conn) error { return line.Exec(t.Context(), "SELECT 1") }); err != nil {
		t.Errorf("after it is back: %v", err)
	}
	f.Node(0, 0).Kill()
	f.Node(1, 0).Kill()
	_, err = Open(t.Context(), parse(t, f.URL()), Options{})
	refuses(t, err, "no server of clickhouse://", "does not answer")
}

// A server that hangs ends a statement after its limit.
func TestHung(t *testing.T) {
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{})
	settle(t, f, 1).Close()
	cfg := parse(t, f.URL()+"?timeout=1s")
	c := open(t, cfg)
	ask := func(sql string) error {
		return c.Shards[0].Read(t.Context(), "asking", func(line wire.Conn) error { return line.Exec(t.Context(), sql) })
	}
	err := ask("SELECT sleepEachRow(1) FROM numbers(30) SETTINGS max_block_size = 1")
	if refuses(t, err, "shard 1", f.Node(0, 0).Addr(), "did not finish within 1s"); !wire.IsTimeout(err) || wire.IsDown(err) {
		t.Errorf("%#v", err)
	}
	f.Node(0, 0).Stop(t)
	// The first is stuck in a connection that is there, the second gets none.
	for _, sql := range []string{"SELECT length('" + strings.Repeat("x", 15<<20) + "') AS n", "SELECT 1"} {
		err = ask(sql)
		if refuses(t, err, "shard 1 cannot be reached", f.Node(0, 0).Addr()); !wire.IsDown(err) {
			t.Errorf("%#v", err)
		}
	}
	f.Node(0, 0).Continue(t)
	if err := ask("SELECT 1"); err != nil {
		t.Errorf("after it goes on: %v", err)
	}
}

// What is cancelled here ends there.
func TestCancel(t *testing.T) {
	f := clickhouse.Shared(t)
	c := settle(t, f, 1)
	line := c.Shards[0].Replicas[0].Conn
	running := func() (n uint64) {
		t.Helper()
		sql := "SELECT count() AS n FROM system.processes WHERE query LIKE '%" + f.Database() + "%' AND query NOT LIKE '%processes%'"
		if err := line.Query(t.Context(), sql, func() error { return nil }, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	within := func(what string, want uint64) {
		t.Helper()
		for began := time.Now(); running() != want; time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > testkit.Patience {
				t.Fatalf("%s: %d statements run", what, running())
			}
		}
	}
	slow := "SELECT '" + f.Database() + "' AS x, sleepEachRow(0.2) AS y FROM numbers(1000) SETTINGS max_block_size = 1"
	for name, run := range map[string]func(ctx context.Context) error{
		"exec": func(ctx context.Context) error { return line.Exec(ctx, slow) },
		"query": func(ctx context.Context) error {
			var x string
			var y uint8
			return line.Query(ctx, slow, func() error { return nil }, &x, &y)
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- run(ctx) }()
		within(name, 1)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		within(name+", cancelled", 0)
	}
	// An error of the caller ends a long answer, and the line is of use after it.
	enough := errors.New("enough")
	var n, rows uint64
	for range 20 {
		err := line.Query(t.Context(), "SELECT number FROM system.numbers", func() error {
			if rows++; rows%1000 == 0 {
				return enough
			}
			return nil
		}, &n)
		if !errors.Is(err, enough) {
			t.Fatal(err)
		}
	}
	within("stopped", 0)
}

// An insert is all or nothing, and what comes back is what went in.
func TestInsert(t *testing.T) {
	f := clickhouse.Shared(t)
	c := settle(t, f, 1)
	line := c.Shards[0].Replicas[0].Conn
	if err := line.Exec(t.Context(), "CREATE TABLE t (a UInt32, b String, c Array(UInt16), d Int64, e Array(String)) ENGINE = MergeTree() ORDER BY a"); err != nil {
		t.Fatal(err)
	}
	const rows = 200_000
	a, b, cc, d, e := make([]uint32, rows), make([]string, rows), make([][]uint16, rows), make([]int64, rows), make([][]string, rows)
	for i := range a {
		a[i], b[i], cc[i], d[i], e[i] = uint32(i), strings.Repeat("\x00\xff棋", i%5), make([]uint16, i%3), -int64(i), []string{"x"}[:i%2]
	}
	names := []string{"a", "b", "c", "d", "e"}
	if err := line.Insert(t.Context(), "t", names, []any{a, b, cc, d, e}); err != nil {
		t.Fatal(err)
	}
	var parts, total uint64
	if err := line.Query(t.Context(), "SELECT count() AS n, sum(rows) AS r FROM system.parts WHERE database = currentDatabase() AND table = 't' AND active", func() error { return nil }, &parts, &total); err != nil {
		t.Fatal(err)
	}
	if parts != 1 || total != rows {
		t.Errorf("%d parts, %d rows", parts, total)
	}
	var x uint32
	var y string
	var z []uint16
	var w int64
	var v []string
	n := 0
	err := line.Query(t.Context(), "SELECT a, b, c, d, e FROM t ORDER BY a", func() error {
		if int(x) != n || y != b[n] || len(z) != n%3 || w != d[n] || len(v) != n%2 {
			t.Fatalf("row %d: %d %q %v %d %v", n, x, y, z, w, v)
		}
		n++
		return nil
	}, &x, &y, &z, &w, &v)
	if err != nil || n != rows {
		t.Errorf("%d rows, %v", n, err)
	}
	err = line.Insert(t.Context(), "t", names[:2], []any{a, a})
	refuses(t, err, "column b")
	err = line.Insert(t.Context(), "none", names[:1], []any{a})
	if refuses(t, err, "says: ", "doesn't exist"); wire.Code(err) != wire.CodeUnknownTable || wire.IsDown(err) {
		t.Error(err)
	}
}

func TestCredentials(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{User: "qipu", Password: "open sesame", TLS: true})
	t.Setenv(wire.PasswordVariable, "wrong")
	_, err := ledger.Init(t.Context(), parse(t, f.URL()), ledger.InitOptions{})
	refuses(t, err, "refuses the user or the password", wire.PasswordVariable)
	if strings.Contains(err.Error(), "wrong") {
		t.Error(err)
	}
	_, err = Open(t.Context(), parse(t, f.URL()), Options{})
	refuses(t, err, "refuses the user or the password")

	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("open sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := parse(t, f.URL()+"&password-file="+file)
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	if c := open(t, cfg); strings.Contains(c.Address(), "sesame") {
		t.Error(c.Address())
	}
	stranger := *cfg
	stranger.CA = ""
	_, err = Open(t.Context(), &stranger, Options{})
	refuses(t, err, "certificate is not trusted", "?ca=FILE")
	plain := *cfg
	plain.TLS = false
	_, err = Open(t.Context(), &plain, Options{})
	refuses(t, err, "no server of")
}

func TestBrief(t *testing.T) {
	for s, want := range map[string]string{
		"Table a.b doesn't exist.":                                                     "Table a.b doesn't exist.",
		"DB::Exception: Syntax error\nStack trace: 1. x":                               "Syntax error",
		"Timeout exceeded: elapsed 1 seconds, e.what() = DB::Exception (version 26.7)": "Timeout exceeded: elapsed 1 seconds",
		strings.Repeat("棋", 400):                                                       strings.Repeat("棋", 300) + "...",
	} {
		if got := wire.Brief(s); got != want {
			t.Errorf("%.50s: %s", s, got)
		}
	}
}

// fullOnly skips a test that takes replicas, and long, except at full scale.
func fullOnly(t *testing.T) {
	t.Helper()
	if !testkit.Full() {
		t.Skip("replicas and ZooKeeper are for full scale: QIPU_SCALE=full")
	}
}
