package cluster

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/store/cluster/wire"
)

// count returns the rows of a table on a shard, and the host that said so.
func count(t testing.TB, s *wire.Shard, table string) (n uint64, err error) {
	t.Helper()
	err = s.Read(t.Context(), "counting", func(line wire.Conn) error {
		return line.Query(t.Context(), "SELECT count() AS n FROM "+table, func() error { return nil }, &n)
	})
	return n, err
}

// add adds a row to the table link of a shard.
func add(t testing.TB, s *wire.Shard, game uint32) error {
	t.Helper()
	return s.Write(t.Context(), "adding", func(line wire.Conn) error {
		return line.Insert(t.Context(), "link", []string{"game", "other", "why"}, []any{[]uint32{game}, []uint32{0}, []string{""}})
	})
}

// A replica that dies or hangs is not missed, one that comes back is not asked
// before it has caught up, and without ZooKeeper there are answers but no writes.
func TestReplicas(t *testing.T) {
	fullOnly(t)
	t.Parallel()
	f := clickhouse.Start(t, clickhouse.Options{Replicas: 2})
	c := settle(t, f, 2)
	s := c.Shards[0]
	if len(c.Shards) != 1 || len(s.Replicas) != 2 || len(c.Replicated()) == 0 {
		t.Fatalf("%v", c.Topology())
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
	if err := s.Sync(t.Context(), c.Replicated()); err != nil {
		t.Fatal(err)
	}
	// What takes long is asked about meanwhile, and is not done again for that.
	runs := 0
	expect("both", 1)
	if err := s.Read(t.Context(), "sleeping", func(line wire.Conn) error {
		runs++
		return line.Exec(t.Context(), "SELECT sleepEachRow(1) FROM numbers(3) SETTINGS max_block_size = 1")
	}); err != nil || runs != 1 {
		t.Errorf("%v after %d runs", err, runs)
	}
	f.Node(0, 0).Kill()
	expect("first dead", 1)
	step("first dead", 2)
	if err := s.Sync(t.Context(), c.Replicated()); err != nil {
		t.Errorf("a dead replica keeps others from being up to date: %v", err)
	}

	// Whoever opens the library finds the second, too. When the first is back and
	// the second is gone, the first has everything or does not answer.
	other := open(t, parse(t, f.URL()))
	if n, err := count(t, other.Shards[0], "link"); err != nil || n != 2 {
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
