package rules

import (
	"sort"

	"qipu/mine/dataset"
)

// What is so by definition is no finding: a name that is a case of another one, two names of
// one thing, a code of openings and the system that it is a code of. Names do not say so of
// each other, but games do: whenever the one comes to stand, the other one stands.
const (
	always     = .99 // of the times that the narrower one comes to stand: records have mistakes
	seldomness = 1.1 // by how much more often than elsewhere: what is nearly always there is implied by nothing
)

// Implies reports whether an item of a table stands, as good as always, wherever another one
// comes to stand: at the same ply where both are a matter of time, else in the same row.
func Implies(s *dataset.Set, narrow, wide int) bool {
	a, b := &s.Items[narrow], &s.Items[wide]
	n, both := a.Rows.Count(), a.Rows.CountAnd(b.Rows)
	if n == 0 || float64(both) < always*float64(n) ||
		float64(both)*float64(len(s.Rows)) < seldomness*float64(n)*float64(b.Rows.Count()) {
		return false
	}
	if len(a.Spans) == 0 || len(b.Spans) == 0 {
		return true
	}
	there := 0
	for _, x := range a.Spans {
		// The last interval of the other one that has begun by then.
		k := sort.Search(len(b.Spans), func(k int) bool {
			return b.Spans[k].Row > x.Row || b.Spans[k].Row == x.Row && b.Spans[k].From > x.From
		})
		if k > 0 && b.Spans[k-1].Row == x.Row && b.Spans[k-1].To > x.From {
			there++
		}
	}
	return float64(there) >= always*float64(len(a.Spans))
}

// defined tells which pairs of items are so by definition, each asked for once.
type defined struct {
	set   *dataset.Set
	known map[[2]int]bool
}

// pair reports whether one of two items implies the other.
func (d *defined) pair(a, b int) bool {
	key := [2]int{min(a, b), max(a, b)}
	v, ok := d.known[key]
	if !ok {
		v = Implies(d.set, a, b) || Implies(d.set, b, a)
		d.known[key] = v
	}
	return v
}

// any reports whether two of some items are so by definition.
func (d *defined) any(items []int32, ids []int) bool {
	for i, a := range items {
		for _, b := range items[i+1:] {
			if d.pair(ids[a], ids[b]) {
				return true
			}
		}
	}
	return false
}
