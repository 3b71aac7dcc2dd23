package cluster

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/record"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/wire"
	"qipu/store/storetest"
)

// lines returns the moves of the lines that a scan lets through, by their games.
func lines(t *testing.T, v index.View, p *index.Plan) map[uint32]string {
	t.Helper()
	found := map[uint32]string{}
	for b, err := range v.Scan(t.Context(), p) {
		if err != nil {
			t.Fatal(err)
		}
		for lane := range b.N() {
			if !b.Lanes.Has(lane) {
				continue
			}
			if _, twice := found[b.Game(lane)]; twice {
				t.Fatalf("game %d comes twice", b.Game(lane))
			}
			line := b.Block.Line(lane)
			text := make([]byte, 0, 2*len(line.Moves))
			for _, m := range line.Moves {
				text = append(text, byte(m), byte(m>>8))
			}
			found[b.Game(lane)] = string(text)
		}
	}
	return found
}

// TestPages asks for few and for many of the games of pages, some of which are
// gone, of who keeps pages and of who does not.
func TestPages(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 21)
	defer h.Close()
	for range 3 {
		var batch []*record.Game
		for range 60 {
			batch = append(batch, h.Corner("weiqi"))
		}
		if err := h.Put(batch...); err != nil {
			t.Fatal(err)
		}
	}
	// Two batches whose numbers lie between each other's, as when a desk ships what
	// came one by one beside an import.
	low, _, err := l.Claim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	referee := record.NewReferee(builtin.Games())
	var mixed [2]store.Batch
	for i := range uint32(80) {
		b := &mixed[i/4%2]
		b.Records = append(b.Records, referee.Play(h.Corner("weiqi")))
		b.Numbers = append(b.Numbers, low+i)
	}
	for _, b := range mixed {
		if _, err := l.Cluster.Add(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	gone := h.Model.IDs()[10:25]
	h.Model.Delete(gone)
	if err := l.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	k, err := l.Kinds().Find("weiqi 19x19")
	if err != nil {
		t.Fatal(err)
	}
	view := func(c *Cluster) index.View {
		v, err := c.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	v := view(l.Cluster)
	all := lines(t, v, &index.Plan{Kind: k})
	if len(all) != v.Tally()[0].Games || len(l.Leaves.Of) == 0 {
		t.Fatalf("%d of %d games, %d pages are kept", len(all), v.Tally()[0].Games, len(l.Leaves.Of))
	}
	ids := roaring.New()
	for id := range all {
		ids.Add(id)
	}
	for _, in := range []int{1, 2, 4, 10, 40} { // one in so many
		games := roaring.New()
		want := map[uint32]string{}
		for i, id := range ids.ToArray() {
			// Of some pages more than of others.
			if i%in == 0 || in == 10 && i > 60 && i < 100 || in == 40 && slices.Contains(mixed[0].Numbers, id) {
				games.Add(id)
				want[id] = all[id]
			}
		}
		games.Add(gone[0])
		p := &index.Plan{Kind: k, Expr: index.Games{Bitmap: games}}
		fresh, err := l.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(t, view(fresh), p); !maps.Equal(got, want) {
			t.Errorf("one in %d: %d games, want %d", in, len(got), len(want))
		}
		if got := lines(t, v, p); !maps.Equal(got, want) {
			t.Errorf("one in %d, of pages that are kept: %d games, want %d", in, len(got), len(want))
		}
	}
	var told []string
	check := func() {
		t.Helper()
		told = nil
		if err := l.Check(t.Context(), false, func(name, reason string, _ remedy.Remedy) { told = append(told, name+": "+reason) }); err != nil {
			t.Fatal(err)
		}
	}
	if check(); len(told) > 0 {
		t.Errorf("%q", told)
	}
	err = l.Shards[1].Write(t.Context(), "a fault", func(db wire.Conn) error { return db.Exec(t.Context(), "TRUNCATE TABLE page") })
	if err != nil {
		t.Fatal(err)
	}
	if check(); len(told) != 1 || !strings.HasPrefix(told[0], "table page of shard 2: it has 0 lines of ") {
		t.Errorf("%q", told)
	}
}
