package search

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/query"
	"qipu/store/cluster/ledger"
)

func kindOf(t testing.TB, name string) *index.Kind {
	t.Helper()
	k, err := index.NewKinds(builtin.Games()).Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func selected(f query.Fact) index.Selected { return index.Selected{Selection: index.NewSelection(&f)} }

// TestWhere compares the statements of expressions with those that were looked
// at by somebody.
func TestWhere(t *testing.T) {
	// Game 3 has document 9 now, and 4 is gone.
	st := &ledger.State{Spans: []ledger.Span{{Low: 1, High: 10}}, Dead: roaring.BitmapOf(3, 4), Games: map[uint32]uint32{9: 3}, Docs: map[uint32]uint32{3: 9}}
	weights := map[uint16]uint64{1: 900, 2: 80, 3: 40, 4: 999, 5: 20}
	many := roaring.New()
	many.AddRange(1, mostListed+10)
	text := func(col query.Column, parts []string, whole ...string) index.Expr {
		f := query.Fact{Column: col, Text: &query.Texts{Parts: parts}}
		for _, s := range whole {
			if f.Text.Whole == nil {
				f.Text.Whole = map[string]struct{}{}
			}
			f.Text.Whole[s] = struct{}{}
		}
		return selected(f)
	}
	number := func(col query.Column, low, high int64) index.Expr {
		return selected(query.Fact{Column: col, Low: low, High: high})
	}
	classes := map[uint16]*roaring.Bitmap{1: roaring.BitmapOf(3), 2: roaring.BitmapOf(3, 5), 3: roaring.BitmapOf(2, 3), 5: roaring.BitmapOf(5), 77: many}
	var out bytes.Buffer
	for _, c := range []struct {
		name string
		expr index.Expr
	}{
		{"nothing is asked for", nil},
		{"all", index.All{}},
		{"none", index.Any{}},
		{"every of none", index.Every{}},
		{"a class", index.Window(2)},
		{"classes, of which some say little", index.Every{index.Window(1), index.Window(2), index.Window(2), index.Window(3), index.Window(4), index.Window(5)}},
		{"a class that all have", index.Window(4)},
		{"a class that is not known", index.Window(77)},
		{"a corner", index.InCorner(1 << 63)},
		{"a corner and a class", index.Every{index.Window(2), index.InCorner(7)}},
		{"a position", index.Reaches(8)},
		{"a position and a fact", index.Every{index.Reaches(8), number(query.Plies, 10, 20)}},
		{"one of two", index.Any{index.Reaches(8), index.Every{index.Window(2), index.Window(3)}}},
		{"one of two, and another", index.Every{index.Any{index.Reaches(8), index.InCorner(7)}, index.InCorner(9)}},
		{"games", index.Games{Bitmap: roaring.BitmapOf(2, 3, 4, 9, 500)}},
		{"games that are not there", index.Games{Bitmap: roaring.BitmapOf(4, 500)}},
		{"many games", index.Games{Bitmap: many}},
		{"marks", index.Every{index.Marked{Keys: []uint64{1}}, number(query.Komi, -3, 13)}},
		{"numbers without bounds", number(query.FirstRating, math.MinInt64, math.MaxInt64)},
		{"no numbers", number(query.FirstRating, 5, 4)},
		{"numbers that are too large", number(query.FirstRating, 1<<40, 1<<50)},
		{"the last day", number(query.LastDay, 700000, 700100)},
		{"texts", text(query.FirstPlayer, []string{"o'ryan\\", "nul\x00"}, "b", "a")},
		{"any text", text(query.Format, []string{""})},
		{"no text", text(query.Event, nil)},
		{"no such column", selected(query.Fact{Column: query.Columns})},
		{"a fact and a class that many have", index.Every{text(query.Event, []string{"x"}), index.Window(77)}},
		{"classes of one kind or another", index.Any{index.Window(3), index.Every{index.Window(2), index.Window(5)}}},
		{"many games, and a class", index.Every{index.Games{Bitmap: many}, index.Window(2)}},
		{"a fact or a class", index.Any{text(query.Event, []string{"x"}), index.Window(2)}},
	} {
		fmt.Fprintf(&out, "# %s\n", c.name)
		for side := range 2 {
			a := &asker{kind: kindOf(t, "weiqi 19x19"), side: side, state: st, games: 1000, weights: weights, classes: map[uint16]*roaring.Bitmap{}}
			for _, class := range a.wanted(c.expr, nil) {
				a.classes[class] = classes[class]
			}
			fmt.Fprintf(&out, "%d: %s\n", side, a.candidates(c.expr))
			if known := a.known(c.expr); known != nil {
				fmt.Fprintf(&out, "   and %d documents, 3 among them: %t; classes %v; others %d\n", known.GetCardinality(), known.Contains(3), slices.Sorted(maps.Keys(a.classes)), len(a.unknown(conjuncts(c.expr, nil))))
			}
		}
	}
	a := &asker{kind: kindOf(t, "weiqi 19x19"), state: st, games: 1000, weights: weights, bound: &ledger.Span{Low: 100000, High: 200000}}
	fmt.Fprintln(&out, "# of some documents")
	for _, e := range []index.Expr{index.Every{index.Window(2), index.Window(3)}, index.Reaches(8), index.InCorner(7), number(query.Plies, 0, 9)} {
		fmt.Fprintln(&out, a.candidates(e))
	}
	a.bound, a.bits = nil, true
	fmt.Fprintln(&out, "# by bitmaps")
	fmt.Fprintln(&out, a.candidates(index.Every{index.Window(2), index.Window(3)}))
	writeMarked(t, &out, st)
	a = &asker{kind: kindOf(t, "othello 8x8"), state: st, games: 1000}
	fmt.Fprintln(&out, "# of a board without windows and corners")
	fmt.Fprintln(&out, a.candidates(index.Every{index.Window(2), index.InCorner(7)}))
	fmt.Fprintln(&out, a.candidates(index.Every{index.Window(2), index.InCorner(7), index.Reaches(8)}))
	testkit.Golden(t, "testdata/where.txt", out.Bytes())
}

// TestWindows checks the parts that scans are cut into.
func TestWindows(t *testing.T) {
	st := &ledger.State{Spans: []ledger.Span{{Low: 1, High: 4}, {Low: 10, High: 11}, {Low: 20, High: 26}}}
	for most, want := range map[uint64]string{100: "[{1 26}]", 4: "[{1 11} {20 24} {24 26}]", 5: "[{1 21} {21 26}]"} {
		if got := fmt.Sprint(cutSpans(st, most)); got != want {
			t.Errorf("%d at most: %s, want %s", most, got, want)
		}
	}
	for in, want := range map[ledger.Span]uint64{{Low: 0, High: 100}: 10, {Low: 2, High: 10}: 2, {Low: 2, High: 11}: 3, {Low: 4, High: 10}: 0, {Low: 22, High: 23}: 1, {Low: 26, High: 99}: 0} {
		if got := st.Spans.Numbers(in); got != want {
			t.Errorf("%v has %d, want %d", in, got, want)
		}
	}
}
