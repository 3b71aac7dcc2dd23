package retrieve

import (
	"context"
	"slices"
	"testing"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/query"
	"qipu/store/storetest"
)

// edges is a marker of what is seldom: column 0 begins where the line has ended;
// column 1 begins for both sides at once, and ends first for the second; column 2 is
// true for a moment of every other line.
type edges struct{}

func (edges) Keys() []uint64 { return []uint64{101, 102, 103} }

func (edges) AppendMarks(dst []interval.Mark, l *interval.Line, want func(int) bool) []interval.Mark {
	for _, m := range []interval.Mark{
		{Column: 0, From: l.End, To: l.End + 2},
		{Column: 1, From: 1, To: 4},
		{Column: 1, Side: game.Second, From: 1, To: 3},
		{Column: 2, Side: game.Side(l.End & 1), From: l.End & 1, To: 2 * (l.End & 1)},
	} {
		if (want == nil || want(int(m.Column))) && m.From < m.To {
			dst = append(dst, m)
		}
	}
	return dst
}

// TestCensus: columns that are counted all at once are counted as one by one, with
// tables that have columns and with games that wait for a table.
func TestCensus(t *testing.T) {
	w := newWorld(t, 91, 330)
	w.more(t, 600)
	markers := map[*index.Kind][]interval.Marker{}
	for _, k := range w.kinds() {
		markers[k] = []interval.Marker{storetest.NewPoints(k, 0), edges{}}
	}
	counted, fresh, waiting := 0, 0, 0
	count := func(stage string) {
		t.Helper()
		w.reopen(t)
		for _, k := range w.kinds() {
			tables := 0
			for batch, err := range w.view.Scan(t.Context(), &index.Plan{Kind: k, Expr: index.All{}}) {
				if err != nil {
					t.Fatal(err)
				}
				if batch.Fresh {
					fresh++
				} else {
					tables++
				}
			}
			scores, missing, err := Census(t.Context(), w.view, k, markers[k])
			ready := !slices.ContainsFunc(missing, func(list []bool) bool { return slices.Contains(list, true) })
			if err != nil || ready != (stage != "without columns" || tables == 0) {
				t.Fatalf("%s, %s: ready %t, %v", stage, k.Name, ready, err)
			}
			if !ready {
				waiting++
				continue
			}
			for i, m := range markers[k] {
				for column := range m.Keys() {
					q := &query.Mark{Marker: m, Columns: []int{column}, Name: "x"}
					a, err := Find(t.Context(), w.view, &Request{Kind: k, Query: q, Limit: 1, NoContinuations: true})
					if err != nil {
						t.Fatal(err)
					}
					if got := scores[i][column]; got != a.Score || got.Count != a.Games {
						t.Errorf("%s, %s, marker %d, column %d: counted %+v, found %+v in %d games", stage, k.Name, i, column, got, a.Score, a.Games)
					}
					counted += a.Games
				}
			}
		}
	}
	count("without columns")
	if _, err := w.store.BuildMarks(t.Context(), markers, nil); err != nil {
		t.Fatal(err)
	}
	count("with columns")
	if counted < 1000 || fresh == 0 || waiting == 0 {
		t.Errorf("%d games counted, %d batches in memory, %d times it was not ready: the test tests little", counted, fresh, waiting)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Census(ctx, w.view, w.kinds()[0], nil); err == nil {
		t.Error("it was counted although nobody wants to know any more")
	}
}
