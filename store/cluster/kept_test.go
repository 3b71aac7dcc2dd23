package cluster

import (
	"maps"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/record"
	"qipu/store/storetest"
)

// TestKeptRows checks that rows that are kept are those that servers have, for
// views of every moment, while games come, change and go.
func TestKeptRows(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	fresh, err := l.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fresh.Hot.Most = 0 // it keeps nothing
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 11)
	defer h.Close()
	var views, others []index.View
	look := func(c *Cluster) index.View {
		t.Helper()
		if err := c.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		v, err := c.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	for step := range 4 {
		var batch []*record.Game
		for range 12 {
			batch = append(batch, h.Random(12))
		}
		if step > 0 {
			batch = append(batch, h.Again(), h.Again())
		}
		if err := h.Put(batch...); err != nil {
			t.Fatal(err)
		}
		if ids := h.Model.IDs(); step > 1 {
			h.Model.Delete(ids[:2])
			if err := l.Delete(t.Context(), ids[:2]); err != nil {
				t.Fatal(err)
			}
		}
		views, others = append(views, look(l.Cluster)), append(others, look(fresh))
		for _, tally := range views[step].Tally() {
			ask := &index.Lookup{Kind: tally.Kind, Keys: keysOf(t, views[step], tally.Kind, 10), Variations: step%2 == 0}
			for i := range views { // those of before too
				got, want := lookedUp(t, views[i], ask, nil), lookedUp(t, others[i], ask, nil)
				if !maps.Equal(got, want) {
					t.Fatalf("%s: after %d steps, the view of step %d has %d postings, want %d", tally.Kind.Name, step, i, len(got), len(want))
				}
			}
		}
	}
	if len(l.Hot.Of) < 10 || len(fresh.Hot.Of) != 0 {
		t.Errorf("the rows of %d positions are kept, and of %d where none should be", len(l.Hot.Of), len(fresh.Hot.Of))
	}
}
