package retrieve

import (
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/query"
)

// TestAnchor: the board whose occurrences an answer counts is the first that is
// not negated; of boards in the order of time, the last.
func TestAnchor(t *testing.T) {
	a, b := &query.Shape{}, &query.Shape{}
	set := query.Games{Set: roaring.New()}
	for i, c := range []struct {
		q    query.Q
		want *query.Shape
	}{
		{a, a}, {set, nil}, {query.Const(true), nil}, {query.Not{Q: a}, nil},
		{query.And{a, b}, a}, {query.Or{b, a}, b}, {query.And{set, query.Not{Q: a}, b}, b},
		{query.Or{query.And{set, query.Not{Q: a}}, query.And{set, query.Or{set, b}}, a}, b},
		{query.And{query.Not{Q: a}, query.Not{Q: b}}, nil}, {query.And{}, nil},
		{query.And{query.Ply{From: 3, To: -1}, b}, b}, {query.Ply{From: 3, To: -1}, nil},
		{query.Then{A: a, B: b}, b}, {query.Then{A: a, B: query.Ply{From: 3, To: -1}}, nil},
		{query.First{Q: a}, a}, {query.For{Q: query.When{Q: query.And{query.Ply{From: 1, To: 9}, b}}, N: 4}, b},
	} {
		if got := Anchor(c.q); got != c.want {
			t.Errorf("case %d: another board", i)
		}
	}
}

// TestMarked: where no board is counted, it is the first mark, and of several in
// the order of time the last. Counts and plies come behind it.
func TestMarked(t *testing.T) {
	shape, a, b := &query.Shape{}, &query.Mark{Name: "a"}, &query.Mark{Name: "b"}
	ply := query.Ply{From: 3, To: -1}
	for i, c := range []struct {
		q     query.Q
		want  *query.Mark
		timed bool
	}{
		{a, a, true}, {query.And{ply, b, a}, b, true}, {query.Not{Q: a}, nil, false}, {query.And{query.Not{Q: a}, ply}, nil, true},
		{query.And{shape, a}, nil, true}, {query.And{a, shape}, a, true}, {query.When{Q: query.And{a, shape}}, nil, true},
		{query.Then{A: a, B: b}, b, true}, {query.Then{A: shape, B: b}, b, true}, {query.Then{A: a, B: ply}, nil, true},
		{query.First{Q: query.When{Q: query.Or{ply, a}}}, a, true}, {query.Last{Q: query.For{Q: b, N: 2}}, b, true},
	} {
		if got := Marked(c.q); got != c.want {
			t.Errorf("case %d: %v, want %v", i, got, c.want)
		}
		if Timed(c.q) != c.timed {
			t.Errorf("case %d: timed %t", i, !c.timed)
		}
	}
}
