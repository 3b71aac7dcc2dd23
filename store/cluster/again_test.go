package cluster

import (
	"fmt"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/dedupe"
)

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
	a := &addition{Cluster: d.Cluster, State: st, items: dedupe.Items(b.Records, d.kinds), numbers: b.Numbers, again: true}
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

func added(t *testing.T, d *desk, b store.Batch) []store.Added {
	t.Helper()
	list, err := d.Add(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
