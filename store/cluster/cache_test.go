package cluster

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/record"
	"qipu/store/cluster/ledger"
	"qipu/store/storetest"
)

// TestCache checks what is kept and what is not.
func TestCache(t *testing.T) {
	const size = 10
	c := cache[int, string]{most: 10 * size}
	older := func(value string) func(string) bool { return func(there string) bool { return there > value } }
	put := func(key int, value string, bytes int) { c.put(key, value, bytes, older(value)) }
	has := func(key int, want string) {
		t.Helper()
		if got, ok := c.get(key); got != want || ok != (want != "") {
			t.Errorf("%d: %q, %t, want %q", key, got, ok, want)
		}
	}
	for i := range 10 {
		put(i, "b", size)
	}
	has(0, "b")
	put(10, "b", size) // in the place of 1, which was not used since
	has(0, "b")
	has(1, "")
	has(10, "b")
	put(5, "a", size)
	has(5, "b") // which is the newer one
	put(5, "c", 2*size)
	has(5, "c")
	if c.bytes > c.most || len(c.of) != 9 || c.order.Len() != 9 {
		t.Errorf("%d bytes, %d, %d", c.bytes, len(c.of), c.order.Len())
	}
	put(11, "b", 11*size) // more than there is room for
	has(11, "")
}

// TestExtent compares extents with bitmaps.
func TestExtent(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 7))
	some := func() (e ledger.Extent) {
		for at := random.Uint32N(5); len(e) < random.IntN(6); {
			high := at + 1 + random.Uint32N(6)
			e = append(e, ledger.Span{Low: at, High: high})
			at = high + 1 + random.Uint32N(6)
		}
		return e
	}
	for range 2000 {
		a, b := some(), some()
		x, y := a.Documents(), b.Documents()
		if a.Size() != x.GetCardinality() {
			t.Fatalf("%v: %d documents", a, a.Size())
		}
		in := ledger.Span{Low: random.Uint32N(30), High: 30 + random.Uint32N(30)}
		within := roaring.New()
		within.AddRange(uint64(in.Low), uint64(in.High))
		if got, want := a.Numbers(in), x.AndCardinality(within); got != want {
			t.Fatalf("%v has %d of %v, want %d", a, got, in, want)
		}
		left := a.Without(b)
		if want := roaring.AndNot(x, y); !left.Documents().Equals(want) || !slices.IsSortedFunc(left, func(p, q ledger.Span) int { return int(p.Low) - int(q.Low) }) {
			t.Fatalf("%v without %v: %v", a, b, left)
		}
		for doc := range uint32(70) {
			if a.Has(doc) != x.Contains(doc) {
				t.Fatalf("%v has %d: %t", a, doc, a.Has(doc))
			}
		}
	}
}

// TestKeptRows checks that rows that are kept are those that servers have, for
// views of every moment, while games come, change and go.
func TestKeptRows(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	fresh, err := l.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fresh.hot.most = 0 // it keeps nothing
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
	if len(l.hot.of) < 10 || len(fresh.hot.of) != 0 {
		t.Errorf("the rows of %d positions are kept, and of %d where none should be", len(l.hot.of), len(fresh.hot.of))
	}
}
