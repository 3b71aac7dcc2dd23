package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/marks"
	"qipu/store/cluster/wire"
	"qipu/store/storetest"
)

// smallGames returns games of Go on small boards: those of the first size come first.
func smallGames(n int, sizes ...string) (list []*record.Played) {
	m := storetest.NewMaker(builtin.Games(), uint64(n))
	for _, size := range sizes {
		for i := range n {
			g := m.Game("weiqi", size, 5+i%12)
			if i%9 == 0 {
				m.Branch(g, 2)
			}
			list = append(list, m.Play(g))
		}
	}
	return list
}

// scanned is all intervals of a column, of which lines it is kept, and how many
// lines the column lets through.
type scanned struct {
	marks           string
	kept, lines     int
	admitted, first int
}

// scanMarks scans all lines for a column, by the servers or by walking along.
func scanMarks(t testing.TB, v index.View, p *storetest.Points, column int) (got scanned) {
	t.Helper()
	key := p.Keys()[column]
	var all []string
	plan := &index.Plan{Kind: p.Kind, Variations: true, Marks: []uint64{key}}
	for b, err := range v.Scan(t.Context(), plan) {
		if err != nil {
			t.Fatal(err)
		}
		got.lines += b.Lanes.Count()
		var list []interval.Owned
		if b.Marks != nil && b.Marks.Has(key) {
			got.kept += b.N()
			list, _ = b.Marks.AppendMarks(nil, key, &b.Lanes)
		} else {
			for lane := range b.N() {
				l := b.Block.Line(lane)
				found := p.AppendMarks(nil, &l, func(c int) bool { return c == column })
				list = append(list, interval.UniteOwned(interval.AppendMarks(nil, lane, &l, found))...)
			}
		}
		for _, o := range list {
			l := b.Block.Line(int(o.Lane))
			all = append(all, fmt.Sprint(b.Game(int(o.Lane)), b.Main, l.From, l.End, len(l.Changes), o.From, o.To, o.Side))
		}
	}
	for of, n := range map[interval.Owner]*int{interval.Anyone: &got.admitted, interval.FirstSide: &got.first} {
		plan.Expr = index.Marked{Keys: []uint64{key}, Of: of}
		for b, err := range v.Scan(t.Context(), plan) {
			if err != nil {
				t.Fatal(err)
			}
			*n += b.Lanes.Count()
		}
	}
	slices.Sort(all)
	got.marks = fmt.Sprint(all)
	return got
}

// TestBuildMarks makes columns, stops and goes on, adds games, drops columns and
// makes them anew.
func TestBuildMarks(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	put(t, l, smallGames(150, "5x5", "7x7"))
	kinds := []*index.Kind{}
	for _, name := range []string{"weiqi 5x5", "weiqi 7x7"} {
		k, err := l.Kinds().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, k)
	}
	markers := func(edition int) map[*index.Kind][]interval.Marker {
		all := map[*index.Kind][]interval.Marker{}
		for _, k := range kinds {
			all[k] = []interval.Marker{storetest.NewPoints(k, edition), storetest.NewPoints(k, edition)} // the same twice
		}
		return all
	}
	view := func() index.View {
		t.Helper()
		v, err := l.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	const column = 1 // that is often true
	look := func(edition, kind int) scanned {
		t.Helper()
		return scanMarks(t, view(), storetest.NewPoints(kinds[kind], edition), column)
	}
	build := func(edition int) store.Marked {
		t.Helper()
		before := l.MarksVersion()
		done, err := l.Cluster.BuildMarks(t.Context(), markers(edition), nil)
		if err != nil {
			t.Fatal(err)
		}
		if changed := l.MarksVersion() != before; changed != (done.Columns > 0) {
			t.Errorf("%d columns, and the version has changed: %t", done.Columns, changed)
		}
		return done
	}
	without := [2]scanned{look(0, 0), look(0, 1)}
	for _, s := range without {
		if s.kept != 0 || s.admitted != s.lines || s.first != s.lines {
			t.Fatalf("before anything was made: %+v", s)
		}
	}
	check := func(when string, edition, kind, kept int) {
		t.Helper()
		got, want := look(edition, kind), without[kind]
		if got.marks != want.marks || got.lines != want.lines || got.kept != kept {
			t.Errorf("%s: kept of %d of %d lines, want %d; the same marks: %t", when, got.kept, got.lines, kept, got.marks == want.marks)
		}
		if kept == got.lines && (got.first >= got.admitted || got.admitted >= got.lines || got.first == 0) {
			t.Errorf("%s: %d of %d lines have marks, %d of the first side", when, got.admitted, got.lines, got.first)
		}
	}
	all := func(when string, edition int) {
		t.Helper()
		for i := range kinds {
			check(when, edition, i, without[i].lines)
		}
	}

	// The first kind is done on a shard when the second is begun.
	ctx, cancel := context.WithCancel(t.Context())
	_, err := l.Cluster.BuildMarks(ctx, markers(0), func(done, total int) {
		if want := without[0].lines + without[1].lines; total != want {
			t.Errorf("%d lines in all, want %d", total, want)
		}
		if done > without[0].lines {
			cancel()
		}
	})
	cancel()
	if err == nil {
		t.Error("it was stopped, and says nothing of it")
	}
	if done := build(0); done.Lines == 0 || done.Lines >= without[0].lines+without[1].lines || done.Tables == 0 || done.Bytes == 0 {
		t.Errorf("gone on with: %+v of %d and %d lines", done, without[0].lines, without[1].lines)
	}
	all("built", 0)
	if done := build(0); done != (store.Marked{}) {
		t.Errorf("built again: %+v", done)
	}

	// Games that have come since let queries walk along them, and no others.
	kept := without[0].lines
	put(t, l, smallGames(70, "5x5"))
	without[0] = look(1, 0) // of which there are no columns
	check("more games", 0, 0, kept)
	if got := look(0, 0); got.admitted >= got.lines || got.admitted <= look(1, 0).lines-kept {
		t.Errorf("%d of %d lines are let through", got.admitted, got.lines)
	}
	held := view()
	if done := build(1); done.Columns != 4*len(kinds)*len(l.Shards) {
		t.Errorf("a changed marker: %+v", done)
	}
	all("changed", 1)
	check("dropped", 0, 0, 0)
	if got := scanMarks(t, held, storetest.NewPoints(kinds[0], 0), column); got.marks != without[0].marks {
		t.Error("a view that was kept says something else")
	}
	for _, s := range l.Shards {
		if err := l.columns.Clean(t.Context(), s, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	rows := l.intervals(t)
	for _, s := range l.Shards {
		for range 2 {
			if err := l.columns.Clean(t.Context(), s, 0); err != nil {
				t.Fatal(err)
			}
			if err := s.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if left := l.intervals(t); left >= rows || left == 0 {
		t.Errorf("%d intervals, %d after dropped ones were removed", rows, left)
	}
	all("after that", 1)
	build(0)
	all("made anew", 0)
	if err := l.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	all("opened again", 0)

	var dead []uint32
	for b, err := range view().Scan(t.Context(), &index.Plan{Kind: kinds[0]}) {
		if err != nil {
			t.Fatal(err)
		}
		for lane := 0; lane < b.N(); lane += 3 {
			dead = append(dead, b.Game(lane))
		}
	}
	rows = l.intervals(t)
	if err := l.Delete(t.Context(), dead); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Sweep(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if left := l.intervals(t); left >= rows || left == 0 {
		t.Errorf("%d intervals, %d after games were swept", rows, left)
	}
	without[0] = look(1, 0)
	all("swept", 0)
}

// intervals counts the rows of the table mark.
func (l *library) intervals(t testing.TB) (sum uint64) {
	t.Helper()
	for _, s := range l.Shards {
		n, err := count(t, s, "mark")
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return sum
}

// TestMarksTwice has two programs make the same columns at once, and keeps the
// notes of many small builds short.
func TestMarksTwice(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	other, err := l.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k, err := l.Kinds().Find("weiqi 5x5")
	if err != nil {
		t.Fatal(err)
	}
	p := storetest.NewPoints(k, 0)
	markers := map[*index.Kind][]interval.Marker{k: {p}}
	games := smallGames(marks.MostSpanRows+8, "5x5")
	for i := range marks.MostSpanRows + 8 {
		put(t, l, games[i:i+1])
		if err := wire.Together(func() error { return l.BuildMarks(t.Context(), markers) }, func() error { _, err := other.BuildMarks(t.Context(), markers, nil); return err }); err != nil {
			t.Fatal(err)
		}
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	got := scanMarks(t, v, p, 1)
	if want := scanMarks(t, v, storetest.NewPoints(k, 1), 1); got.marks != want.marks || got.kept != want.lines {
		t.Errorf("%d of %d lines have marks, want %d", got.kept, got.lines, want.lines)
	}
	for _, s := range l.Shards {
		if err := s.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		kept, err := l.columns.On(t.Context(), s, 0)
		if err != nil {
			t.Fatal(err)
		}
		if c := kept.Columns[marks.ColumnKey{Kind: k.Name, Key: p.Keys()[0]}]; c.Rows > marks.MostSpanRows+1 {
			t.Errorf("%v: %d rows tell of %d spans", s, c.Rows, len(c.Spans))
		}
	}
}

// TestMarksReplicas makes columns on replicas, drops and makes them anew, and asks
// after one of the servers has died.
func TestMarksReplicas(t *testing.T) {
	fullOnly(t)
	f := clickhouse.Start(t, clickhouse.Options{Shards: 1, Replicas: 2})
	cfg := parse(t, f.URL())
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{Replicas: 2}); err != nil {
		t.Fatal(err)
	}
	l := &library{Cluster: open(t, cfg)}
	put(t, l, smallGames(100, "5x5"))
	k, err := l.Kinds().Find("weiqi 5x5")
	if err != nil {
		t.Fatal(err)
	}
	look := func(edition int) scanned {
		t.Helper()
		v, err := l.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		return scanMarks(t, v, storetest.NewPoints(k, edition), 1)
	}
	build := func(edition int) {
		t.Helper()
		if err := l.BuildMarks(t.Context(), map[*index.Kind][]interval.Marker{k: {storetest.NewPoints(k, edition)}}); err != nil {
			t.Fatal(err)
		}
	}
	want := look(0)
	check := func(when string) {
		t.Helper()
		if got := look(0); got.marks != want.marks || got.kept != want.lines {
			t.Errorf("%s: kept of %d lines of %d, the same marks: %t", when, got.kept, want.lines, got.marks == want.marks)
		}
	}
	build(0)
	check("made")
	build(1)
	if err := l.columns.Clean(t.Context(), l.Shards[0], 0); err != nil {
		t.Fatal(err)
	}
	build(0) // the same rows once more, which are gone since
	check("made anew")
	f.Node(0, 0).Kill()
	check("by the other server")
	put(t, l, smallGames(130, "5x5"))
	want = look(1)
	build(0)
	check("made by one")
	f.Node(0, 0).Start(t)
	patiently(t, func() error {
		if l.Shards[0].Replicas[0].Down.Load() {
			return errors.New("it has not caught up")
		}
		return nil
	})
	f.Node(0, 1).Kill()
	check("by the first again")
}
