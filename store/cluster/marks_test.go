package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/storetest"
)

// randomSpans returns spans that rise and lie apart.
func randomSpans(rng *rand.Rand) (list []ledger.Span) {
	at := uint32(0)
	for range rng.IntN(5) {
		low := at + 1 + uint32(rng.IntN(9))
		at = low + 1 + uint32(rng.IntN(9))
		list = append(list, ledger.Span{Low: low, High: at})
	}
	return list
}

func inside(list []ledger.Span, n uint32) bool {
	return slices.ContainsFunc(list, func(s ledger.Span) bool { return s.Low <= n && n < s.High })
}

// TestCoverage compares what is kept with the spans that say so.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for range 500 {
		kept := &keptMarks{columns: map[columnKey]*keptColumn{}}
		for key := range uint64(4) {
			kept.columns[columnKey{"a", key}] = &keptColumn{spans: randomSpans(rng)}
		}
		keys := []uint64{3, 0, 2, 9, 0}
		c := kept.coverage("a", keys)
		a := &asker{state: &ledger.State{Spans: randomSpans(rng)}, marks: c}
		rows := make([]lineData, 120)
		for doc := range rows {
			rows[doc].doc = uint32(doc)
			for _, key := range keys {
				column := kept.columns[columnKey{"a", key}]
				want := column != nil && inside(column.spans, uint32(doc))
				if got := c != nil && c.covers(c.at(uint32(doc)), key); got != want {
					t.Fatalf("key %d of document %d is kept: %t, want %t", key, doc, got, want)
				}
			}
		}
		if kept.coverage("b", keys) != nil {
			t.Fatal("a kind has the columns of another")
		}
		some := []uint64{0, 3}
		lack, ok := a.unmarked(some)
		for doc := range uint32(120) {
			want := inside(a.state.Spans, doc) && (c == nil || !c.hasAll(c.at(doc), some))
			if got := inside(lack, doc); ok && got != want {
				t.Fatalf("document %d lacks a column: %t, want %t", doc, got, want)
			}
		}
		if c == nil {
			continue
		}
		n := 0
		for _, r := range (&chunkMarks{coverage: c}).runs(rows) {
			for i := range r.rows {
				if !same(r.set, c.at(uint32(n+i))) {
					t.Fatalf("documents %d and %d in one run", n, n+i)
				}
			}
			n += len(r.rows)
		}
		if n != len(rows) {
			t.Fatalf("%d of %d lines in runs", n, len(rows))
		}
	}
}

// TestSharedNumber checks that nothing is said of lines that have one number.
func TestSharedNumber(t *testing.T) {
	kept := &keptMarks{columns: map[columnKey]*keptColumn{{"a", 1}: {spans: []ledger.Span{{Low: 1, High: 9}}}}}
	m := &chunkMarks{coverage: kept.coverage("a", []uint64{1})}
	runs := m.runs([]lineData{{doc: 1, line: 1}, {doc: 1, line: 2}, {doc: 1, line: 2}, {doc: 1, line: 3}})
	var got []string
	for _, r := range runs {
		got = append(got, fmt.Sprint(len(r.rows), r.set != nil))
	}
	if want := []string{"1 true", "2 false", "1 true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

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
		if err := l.cleanMarks(t.Context(), s, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	rows := l.intervals(t)
	for _, s := range l.Shards {
		for range 2 {
			if err := l.cleanMarks(t.Context(), s, 0); err != nil {
				t.Fatal(err)
			}
			if err := settleShard(t.Context(), s); err != nil {
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
	games := smallGames(mostSpanRows+8, "5x5")
	for i := range mostSpanRows + 8 {
		put(t, l, games[i:i+1])
		if err := together(func() error { return l.BuildMarks(t.Context(), markers) }, func() error { _, err := other.BuildMarks(t.Context(), markers, nil); return err }); err != nil {
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
		if err := settleShard(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		kept, err := l.marksOn(t.Context(), s, 0)
		if err != nil {
			t.Fatal(err)
		}
		if c := kept.columns[columnKey{k.Name, p.Keys()[0]}]; c.rows > mostSpanRows+1 {
			t.Errorf("%v: %d rows tell of %d spans", s, c.rows, len(c.spans))
		}
	}
}

// TestMarkRow packs an interval.
func TestMarkRow(t *testing.T) {
	for _, o := range []interval.Owned{{}, {Span: interval.Span{Lane: 3, From: 1, To: 1<<16 - 1}, Side: game.Second}, {Span: interval.Span{Lane: 3, From: interval.MaxSlot, To: interval.MaxSlot + 2}}} {
		r := newMarkRow(7, lineID(1<<32-1, 1<<16-1), o)
		if got := r.owned(int(o.Lane)); got != o {
			t.Errorf("%+v becomes %+v", o, got)
		}
	}
}

// writeMarked writes the statements of marks where some documents lack a column:
// see TestWhere.
func writeMarked(t testing.TB, out *bytes.Buffer, st *ledger.State) {
	fmt.Fprintln(out, "# marks that are kept")
	kept := &keptMarks{columns: map[columnKey]*keptColumn{
		{"weiqi 19x19", 1}: {spans: []ledger.Span{{Low: 1, High: 10}}}, {"weiqi 19x19", 2}: {spans: []ledger.Span{{Low: 1, High: 5}, {Low: 7, High: 10}}},
	}}
	for _, e := range []index.Expr{
		index.Marked{}, index.Marked{Keys: []uint64{1}}, index.Marked{Keys: []uint64{1}, Of: interval.SecondSide}, index.Marked{Keys: []uint64{2}}, index.Marked{Keys: []uint64{1, 3}},
		index.Every{index.Marked{Keys: []uint64{1}}, index.Window(2), index.Reaches(8)}, index.Every{index.Marked{Keys: []uint64{1}}, index.Window(2)},
		index.Any{index.Marked{Keys: []uint64{2}}, index.InCorner(7)},
	} {
		for side := range 2 {
			a := &asker{kind: kindOf(t, "weiqi 19x19"), side: side, state: st, games: 1000, weights: map[uint16]uint64{2: 80}, marks: kept.coverage("weiqi 19x19", []uint64{1, 2})}
			fmt.Fprintf(out, "%d: %s\n", side, a.candidates(e))
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
	if err := l.cleanMarks(t.Context(), l.Shards[0], 0); err != nil {
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
