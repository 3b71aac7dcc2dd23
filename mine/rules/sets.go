package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"qipu/mine/dataset"
)

// Frequent is a set of items, rising, and how many rows have all of them.
type Frequent struct {
	Items []int32
	Count int
}

// MostSets is how many frequent sets are looked at.
const MostSets = 5_000_000

// ErrTooMany tells that there are more frequent sets than anybody would read.
var ErrTooMany = errors.New("too many sets of items are frequent")

func tooMany() error {
	return fmt.Errorf("%w: more than %d; ask for a higher support or smaller sets", ErrTooMany, MostSets)
}

// Apriori returns all sets of up to size items that at least so many rows have, level by
// level: a set is a candidate if all its parts are frequent. The order is by size, then
// by items.
func Apriori(ctx context.Context, columns []dataset.Bits, least, size int) ([]Frequent, error) {
	var all, level []Frequent
	for i, c := range columns {
		if n := c.Count(); n >= least && n > 0 {
			level = append(level, Frequent{[]int32{int32(i)}, n})
		}
	}
	words := 0
	if len(columns) > 0 {
		words = len(columns[0])
	}
	prefix, part := make(dataset.Bits, words), make(dataset.Bits, words)
	for k := 1; k <= size && len(level) > 0; k++ {
		if all = append(all, level...); len(all) > MostSets {
			return nil, tooMany()
		}
		if k == size {
			break
		}
		known := newIndex(level)
		var next []Frequent
		var arena []int32
		for from := 0; from < len(level); {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			to := from + 1 // sets that differ in the last item alone
			for to < len(level) && slices.Equal(level[to].Items[:k-1], level[from].Items[:k-1]) {
				to++
			}
			for i := range prefix {
				prefix[i] = ^uint64(0)
			}
			for _, it := range level[from].Items[:k-1] {
				prefix.And(prefix, columns[it])
			}
			for i := from; i+1 < to; i++ {
				part.And(prefix, columns[level[i].Items[k-1]])
				for j := i + 1; j < to; j++ {
					last := level[j].Items[k-1]
					if !known.parts(level[i].Items, last) {
						continue
					}
					if n := part.CountAnd(columns[last]); n >= least {
						at := len(arena)
						arena = append(append(arena, level[i].Items...), last)
						next = append(next, Frequent{arena[at:len(arena):len(arena)], n})
					}
				}
			}
			if len(all)+len(next) > MostSets {
				return nil, tooMany()
			}
			from = to
		}
		level = next
	}
	return all, nil
}

// index finds sets by their items.
type index map[[8]int32]int32

func newIndex(list []Frequent) index {
	m := make(index, len(list))
	for i := range list {
		m[keyOf(list[i].Items)] = int32(i)
	}
	return m
}

// MostItems is how many items a set may have.
const MostItems = 8

func keyOf(items []int32) (k [8]int32) {
	for i, it := range items {
		k[i] = it + 1
	}
	return k
}

// parts reports whether all parts of items and a last one, one item smaller, are known. Those
// without one of the last two are.
func (m index) parts(items []int32, last int32) bool {
	var k [8]int32
	for skip := range len(items) - 1 {
		n := 0
		for i, it := range items {
			if i != skip {
				k[n] = it + 1
				n++
			}
		}
		k[n] = last + 1
		if _, ok := m[k]; !ok {
			return false
		}
	}
	return true
}

// Growth returns the same sets as Apriori, by a tree of the rows (FP-growth): items in the
// order of how frequent they are, so that rows share their beginnings; the sets that end
// with an item are found in the tree of what comes before it.
func Growth(ctx context.Context, columns []dataset.Bits, least, size int) ([]Frequent, error) {
	g := &growth{ctx: ctx, least: max(least, 1), size: size}
	var order []int32
	counts := make([]int, len(columns))
	for i, c := range columns {
		if counts[i] = c.Count(); counts[i] >= g.least {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(counts[b]-counts[a], int(a-b)) })
	t := newTree(len(order))
	if len(columns) > 0 {
		path := make([]int32, 0, len(order))
		for r := range 64 * len(columns[0]) {
			path = path[:0]
			for rank, it := range order {
				if columns[it].Has(r) {
					path = append(path, int32(rank))
				}
			}
			t.add(path, 1)
		}
	}
	if size > 0 {
		g.mine(t, order, nil)
	}
	if g.err != nil {
		return nil, g.err
	}
	slices.SortFunc(g.found, func(a, b Frequent) int {
		return cmp.Or(len(a.Items)-len(b.Items), slices.Compare(a.Items, b.Items))
	})
	return g.found, nil
}

type growth struct {
	ctx         context.Context
	least, size int
	found       []Frequent
	arena       []int32
	err         error
}

// mine finds the sets of a tree, whose ranks are items of order, together with what they
// end with.
func (g *growth) mine(t *tree, order []int32, end []int32) {
	for rank := range order {
		n := int(t.totals[rank])
		if n < g.least || g.err != nil {
			continue
		}
		if len(g.found)&0xFFF == 0 {
			g.err = g.ctx.Err()
		}
		if len(g.found) >= MostSets {
			g.err = tooMany()
			return
		}
		if cap(g.arena)-len(g.arena) < len(end)+1 {
			g.arena = make([]int32, 0, 1<<16)
		}
		at := len(g.arena)
		g.arena = append(append(g.arena, end...), order[rank])
		items := g.arena[at:len(g.arena):len(g.arena)]
		with := slices.Clone(items)
		slices.Sort(items)
		g.found = append(g.found, Frequent{items, n})
		if len(with) < g.size && rank > 0 {
			g.mine(t.before(int32(rank), g.least), order[:rank], with)
		}
	}
}

// tree is the rows of a table, as paths of ranks. Node 0 is its root.
type tree struct {
	nodes  []node
	heads  []int32 // the first node of each rank
	totals []int32
}

type node struct {
	rank, count           int32
	parent, child, beside int32 // beside is the next child of the parent
	next                  int32 // of the same rank
}

func newTree(ranks int) *tree {
	return &tree{nodes: []node{{rank: -1}}, heads: make([]int32, ranks), totals: make([]int32, ranks)}
}

// add adds a path of rising ranks.
func (t *tree) add(path []int32, count int32) {
	at := int32(0)
	for _, rank := range path {
		t.totals[rank] += count
		child := t.nodes[at].child
		for child != 0 && t.nodes[child].rank != rank {
			child = t.nodes[child].beside
		}
		if child == 0 {
			child = int32(len(t.nodes))
			t.nodes = append(t.nodes, node{rank: rank, parent: at, beside: t.nodes[at].child, next: t.heads[rank]})
			t.nodes[at].child, t.heads[rank] = child, child
		}
		t.nodes[child].count += count
		at = child
	}
}

// before returns the tree of what comes before a rank, of what is frequent there.
func (t *tree) before(rank int32, least int) *tree {
	out := newTree(int(rank))
	sums := make([]int32, rank)
	for n := t.heads[rank]; n != 0; n = t.nodes[n].next {
		for up := t.nodes[n].parent; up != 0; up = t.nodes[up].parent {
			sums[t.nodes[up].rank] += t.nodes[n].count
		}
	}
	var path []int32
	for n := t.heads[rank]; n != 0; n = t.nodes[n].next {
		path = path[:0]
		for up := t.nodes[n].parent; up != 0; up = t.nodes[up].parent {
			if int(sums[t.nodes[up].rank]) >= least {
				path = append(path, t.nodes[up].rank)
			}
		}
		slices.Reverse(path)
		out.add(path, t.nodes[n].count)
	}
	return out
}

// Closed reports for each frequent set whether no item can be added to it without losing a
// row.
func Closed(columns []dataset.Bits, list []Frequent) []bool {
	closed := make([]bool, len(list))
	if len(columns) == 0 {
		return closed
	}
	rows := make(dataset.Bits, len(columns[0]))
	for i, f := range list {
		rowsOf(rows, columns, f.Items)
		closed[i] = true
		for it, c := range columns {
			if !slices.Contains(f.Items, int32(it)) && within(rows, c) {
				closed[i] = false
				break
			}
		}
	}
	return closed
}

// rowsOf makes rows those that have all items.
func rowsOf(rows dataset.Bits, columns []dataset.Bits, items []int32) {
	copy(rows, columns[items[0]])
	for _, it := range items[1:] {
		rows.And(rows, columns[it])
	}
}

// within reports whether all of some rows are among others.
func within(rows, others dataset.Bits) bool {
	for i, w := range rows {
		if w&^others[i] != 0 {
			return false
		}
	}
	return true
}
