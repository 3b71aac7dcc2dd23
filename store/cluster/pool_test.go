package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
)

// count returns the rows of a table on a shard, and the host that said so.
func count(t testing.TB, s *shard, table string) (n uint64, err error) {
	t.Helper()
	err = s.read(t.Context(), "counting", func(line conn) error {
		return line.query(t.Context(), "SELECT count() AS n FROM "+table, func() error { return nil }, &n)
	})
	return n, err
}

// add adds a row to the table link of a shard.
func add(t testing.TB, s *shard, game uint32) error {
	t.Helper()
	return s.write(t.Context(), "adding", func(line conn) error {
		return line.insert(t.Context(), "link", []string{"game", "other", "why"}, []any{[]uint32{game}, []uint32{0}, []string{""}})
	})
}

// A replica that dies or hangs is not missed, one that comes back is not asked
// before it has caught up, and without ZooKeeper there are answers but no writes.
func TestReplicas(t *testing.T) {
	fullOnly(t)
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Replicas: 2})
	c := settle(t, f, 2)
	s := c.shards[0]
	if len(c.shards) != 1 || len(s.replicas) != 2 || len(c.replicated) == 0 {
		t.Fatalf("%v", c.topology)
	}
	expect := func(what string, want uint64) {
		t.Helper()
		if n, err := count(t, s, "link"); err != nil || n != want {
			t.Errorf("%s: %d rows, %v, want %d", what, n, err, want)
		}
	}
	step := func(what string, game uint32) {
		t.Helper()
		if err := add(t, s, game); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	step("both", 1)
	if err := s.sync(t.Context(), c.replicated); err != nil {
		t.Fatal(err)
	}
	// What takes long is asked about meanwhile, and is not done again for that.
	runs := 0
	expect("both", 1)
	if err := s.read(t.Context(), "sleeping", func(line conn) error {
		runs++
		return line.exec(t.Context(), "SELECT sleepEachRow(1) FROM numbers(3) SETTINGS max_block_size = 1")
	}); err != nil || runs != 1 {
		t.Errorf("%v after %d runs", err, runs)
	}
	f.Node(0, 0).Kill()
	expect("first dead", 1)
	step("first dead", 2)
	if err := s.sync(t.Context(), c.replicated); err != nil {
		t.Errorf("a dead replica keeps others from being up to date: %v", err)
	}

	// Whoever opens the library finds the second, too. When the first is back and
	// the second is gone, the first has everything or does not answer.
	other := open(t, parse(t, f.URL()))
	if n, err := count(t, other.shards[0], "link"); err != nil || n != 2 {
		t.Errorf("%d rows, %v", n, err)
	}
	f.Node(0, 0).Start(t)
	expect("first back", 2)
	f.Node(0, 1).Kill()
	if n, err := count(t, s, "link"); err == nil && n != 2 {
		t.Errorf("an answer without what was written meanwhile: %d rows", n)
	}
	f.Node(0, 1).Start(t)
	patiently(t, func() error {
		if n, err := count(t, s, "link"); err != nil || n != 2 {
			return fmt.Errorf("%d rows: %w", n, err)
		}
		return nil
	})

	f.Node(0, 0).Stop(t)
	expect("first hangs", 2)
	f.Node(0, 0).Continue(t)

	f.ZooKeeper().Kill()
	expect("no ZooKeeper", 2)
	done := make(chan error)
	go func() { done <- add(t, s, 3) }()
	select {
	case err := <-done:
		t.Errorf("written without ZooKeeper: %v", err)
	case <-time.After(3 * time.Second):
	}
	patiently(t, func() error {
		st := statusOf(t, parse(t, f.URL()))
		if said := strings.Join(st.Problems, "\n"); !strings.Contains(said, "takes no writes: see whether its ZooKeeper") {
			return errors.New(said)
		}
		return nil
	})
	f.ZooKeeper().Start(t)
	if err := <-done; err != nil {
		t.Error(err)
	}
	expect("ZooKeeper is back", 3)
}

// patiently tries until it works.
func patiently(t testing.TB, f func() error) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		err := f()
		if err == nil {
			return
		}
		if time.Since(began) > testkit.Patience {
			t.Fatal(err)
		}
	}
}

// fake is a line that does what a test says.
type fake struct{ do func() error }

func (f *fake) exec(context.Context, string) error                        { return f.do() }
func (f *fake) query(context.Context, string, func() error, ...any) error { return f.do() }
func (f *fake) insert(context.Context, string, []string, []any) error     { return f.do() }
func (f *fake) close() error                                              { return nil }

// fakes returns a cluster of shards with one replica each.
func fakes(t testing.TB, lines ...func() error) *Cluster {
	c := &Cluster{patience: time.Second, options: Options{Logf: t.Logf}}
	c.closing, c.close = context.WithCancel(context.Background())
	for i, do := range lines {
		s := &shard{cluster: c, number: i}
		s.replicas = []*replica{{host: fmt.Sprintf("host%d", i+1), conn: &fake{do}}}
		c.shards = append(c.shards, s)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestEach(t *testing.T) {
	well := func() error { return nil }
	down := func() error { return &downError{host: "h", fresh: true, err: errors.New("gone")} }
	ill := func() error { return &refusal{host: "h", code: 47, message: "no such column"} }
	partial := index.AllowPartial(t.Context())
	for _, c := range []struct {
		name  string
		ctx   context.Context
		lines []func() error
		want  string // of the error; empty for none
		gone  string
	}{
		{"all well", t.Context(), []func() error{well, well}, "", ""},
		{"one down", t.Context(), []func() error{well, down}, "shard 2 cannot be reached (host2): h does not answer: gone", ""},
		{"one down, partial", partial, []func() error{down, well, down}, "", "shard 1 shard 3"},
		{"all down, partial", partial, []func() error{down, down}, "no shard answers", "shard 1 shard 2"},
		{"one ill, partial", partial, []func() error{well, ill}, "asking: shard 2: h says: no such column (code 47)", ""},
	} {
		var m missing
		f := fakes(t, c.lines...)
		err := f.each(collect(c.ctx, &m), "asking", func(s *shard) error {
			return s.read(c.ctx, "asking", func(line conn) error { return line.exec(c.ctx, "") })
		})
		if text := fmt.Sprint(err); (err == nil) != (c.want == "") || !strings.Contains(text, c.want) && c.want != "" {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if got := strings.Join(m.list(), " "); got != c.gone {
			t.Errorf("%s: missing %q, want %q", c.name, got, c.gone)
		}
	}
	f := fakes(t, down)
	if err := f.each(partial, "asking", func(s *shard) error { return s.read(partial, "", func(l conn) error { return l.exec(partial, "") }) }); err == nil {
		t.Error("a shard is left out where nobody keeps account")
	}
}

// A write waits for a shard that takes none, and not for ever.
func TestWriteWaits(t *testing.T) {
	var tries atomic.Int64
	c := fakes(t, func() error {
		if tries.Add(1) < 3 {
			return &refusal{host: "h", code: codeReadOnly, message: "readonly mode"}
		}
		return nil
	}, func() error { return &refusal{host: "h", code: codeReadOnly, message: "readonly mode"} })
	put := func(s *shard) error {
		return s.write(t.Context(), "adding", func(line conn) error { return line.exec(t.Context(), "") })
	}
	if err := put(c.shards[0]); err != nil || tries.Load() != 3 {
		t.Errorf("%v after %d tries", err, tries.Load())
	}
	refuses(t, put(c.shards[1]), "adding: shard 2", "readonly mode")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := c.shards[1].write(ctx, "adding", func(line conn) error { return line.exec(ctx, "") })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
