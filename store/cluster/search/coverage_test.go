package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"qipu/index"
	"qipu/interval"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/marks"
	"slices"
	"testing"
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
		kept := &marks.Kept{Columns: map[marks.ColumnKey]*marks.Column{}}
		for key := range uint64(4) {
			kept.Columns[marks.ColumnKey{Kind: "a", Key: key}] = &marks.Column{Spans: randomSpans(rng)}
		}
		keys := []uint64{3, 0, 2, 9, 0}
		c := kept.Coverage("a", keys)
		a := &asker{state: &ledger.State{Spans: randomSpans(rng)}, marks: c}
		rows := make([]lineData, 120)
		for doc := range rows {
			rows[doc].doc = uint32(doc)
			for _, key := range keys {
				column := kept.Columns[marks.ColumnKey{Kind: "a", Key: key}]
				want := column != nil && inside(column.Spans, uint32(doc))
				if got := c != nil && c.Covers(c.At(uint32(doc)), key); got != want {
					t.Fatalf("key %d of document %d is kept: %t, want %t", key, doc, got, want)
				}
			}
		}
		if kept.Coverage("b", keys) != nil {
			t.Fatal("a kind has the columns of another")
		}
		some := []uint64{0, 3}
		lack, ok := c.Lacking(a.state.Spans, some)
		for doc := range uint32(120) {
			want := inside(a.state.Spans, doc) && (c == nil || !c.HasAll(c.At(doc), some))
			if got := inside(lack, doc); ok && got != want {
				t.Fatalf("document %d lacks a column: %t, want %t", doc, got, want)
			}
		}
		if c == nil {
			continue
		}
		n := 0
		for _, r := range (&chunkMarks{Coverage: c}).runs(rows) {
			for i := range r.rows {
				if !marks.SameSet(r.set, c.At(uint32(n+i))) {
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
	kept := &marks.Kept{Columns: map[marks.ColumnKey]*marks.Column{{Kind: "a", Key: 1}: {Spans: []ledger.Span{{Low: 1, High: 9}}}}}
	m := &chunkMarks{Coverage: kept.Coverage("a", []uint64{1})}
	runs := m.runs([]lineData{{doc: 1, line: 1}, {doc: 1, line: 2}, {doc: 1, line: 2}, {doc: 1, line: 3}})
	var got []string
	for _, r := range runs {
		got = append(got, fmt.Sprint(len(r.rows), r.set != nil))
	}
	if want := []string{"1 true", "2 false", "1 true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// writeMarked writes the statements of marks where some documents lack a column:
// see TestWhere.
func writeMarked(t testing.TB, out *bytes.Buffer, st *ledger.State) {
	fmt.Fprintln(out, "# marks that are kept")
	kept := &marks.Kept{Columns: map[marks.ColumnKey]*marks.Column{
		{Kind: "weiqi 19x19", Key: 1}: {Spans: []ledger.Span{{Low: 1, High: 10}}}, {Kind: "weiqi 19x19", Key: 2}: {Spans: []ledger.Span{{Low: 1, High: 5}, {Low: 7, High: 10}}},
	}}
	for _, e := range []index.Expr{
		index.Marked{}, index.Marked{Keys: []uint64{1}}, index.Marked{Keys: []uint64{1}, Of: interval.SecondSide}, index.Marked{Keys: []uint64{2}}, index.Marked{Keys: []uint64{1, 3}},
		index.Every{index.Marked{Keys: []uint64{1}}, index.Window(2), index.Reaches(8)}, index.Every{index.Marked{Keys: []uint64{1}}, index.Window(2)},
		index.Any{index.Marked{Keys: []uint64{2}}, index.InCorner(7)},
	} {
		for side := range 2 {
			a := &asker{kind: kindOf(t, "weiqi 19x19"), side: side, state: st, games: 1000, weights: map[uint16]uint64{2: 80}, marks: kept.Coverage("weiqi 19x19", []uint64{1, 2})}
			fmt.Fprintf(out, "%d: %s\n", side, a.candidates(e))
		}
	}
}
