package cluster

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Linkage is what the distance of two groups is made of.
type Linkage int

// The linkages.
const (
	Average Linkage = iota // the mean distance of their items
	Ward                   // how much wider they are together
)

// Merge is a step of a hierarchy: two groups become one. Items are the groups 0
// to n-1, the group that merge i makes is n+i.
type Merge struct {
	A, B   int
	Height float64
	Items  int
}

// Hierarchy is groups within groups.
type Hierarchy struct {
	N      int
	Merges []Merge // n-1, by height
}

// Join makes a hierarchy of items by their distances. It follows chains of nearest
// neighbours, so that its time grows with the square of the items; the matrix is
// not changed.
func Join(ctx context.Context, m *Matrix, link Linkage) (*Hierarchy, error) {
	if m.n < 3 {
		return nil, ErrFew
	}
	d := make([]float64, len(m.dist))
	same := true
	for i, x := range m.dist {
		d[i] = float64(x)
		if link == Ward {
			d[i] *= d[i]
		}
		same = same && x == 0
	}
	if same {
		return nil, ErrSame
	}
	at := func(i, j int) *float64 {
		if i < j {
			i, j = j, i
		}
		return &d[i*(i-1)/2+j]
	}
	size := slices.Repeat([]float64{1}, m.n)
	alive := make([]int, m.n)
	for i := range alive {
		alive[i] = i
	}
	type pair struct {
		a, b   int // any item of each
		height float64
	}
	var pairs []pair
	var chain []int
	for len(alive) > 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(chain) == 0 {
			chain = append(chain, alive[0])
		}
		a := chain[len(chain)-1]
		b, low := -1, math.Inf(1)
		if len(chain) > 1 { // the one before wins a tie, so that chains end
			b = chain[len(chain)-2]
			low = *at(a, b)
		}
		for _, x := range alive {
			if x != a && *at(a, x) < low {
				b, low = x, *at(a, x)
			}
		}
		if len(chain) < 2 || b != chain[len(chain)-2] {
			chain = append(chain, b)
			continue
		}
		chain = chain[:len(chain)-2]
		pairs = append(pairs, pair{a, b, low})
		// b becomes both.
		for _, x := range alive {
			if x == a || x == b {
				continue
			}
			to := at(b, x)
			switch na, nb, nx := size[a], size[b], size[x]; link {
			case Ward:
				*to = ((na+nx)*(*at(a, x)) + (nb+nx)*(*to) - nx*low) / (na + nb + nx)
			default:
				*to = (na*(*at(a, x)) + nb*(*to)) / (na + nb)
			}
		}
		size[b] += size[a]
		alive = slices.DeleteFunc(alive, func(x int) bool { return x == a })
	}
	// Chains find pairs out of order; groups are numbered by height.
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(x.height, y.height) })
	h := &Hierarchy{N: m.n}
	parent := make([]int, m.n) // of items, and the group of each root
	group, count := make([]int, m.n), make([]int, m.n)
	for i := range parent {
		parent[i], group[i], count[i] = i, i, 1
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, p := range pairs {
		a, b := root(p.a), root(p.b)
		height := max(p.height, 0)
		if link == Ward {
			height = math.Sqrt(height)
		}
		count[b] += count[a]
		h.Merges = append(h.Merges, Merge{min(group[a], group[b]), max(group[a], group[b]), height, count[b]})
		parent[a], group[b] = b, m.n+len(h.Merges)-1
	}
	return h, nil
}

// Cut returns the group of each item where there are k groups. Groups are numbered
// in the order of their first items.
func (h *Hierarchy) Cut(k int) []int {
	k = min(max(k, 1), h.N)
	owner := make([]int, 2*h.N-1) // the group above each
	for i := range owner {
		owner[i] = i
	}
	for i, m := range h.Merges[:h.N-k] {
		owner[m.A], owner[m.B] = h.N+i, h.N+i
	}
	groups, number := make([]int, h.N), map[int]int{}
	for i := range groups {
		g := i
		for owner[g] != g {
			g = owner[g]
		}
		if _, ok := number[g]; !ok {
			number[g] = len(number)
		}
		groups[i] = number[g]
	}
	return groups
}

// Order returns the items in an order in which every group lies together, the
// tighter part of each first.
func (h *Hierarchy) Order() []int {
	list := make([]int, 0, h.N)
	stack := []int{2*h.N - 2}
	for len(stack) > 0 {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g < h.N {
			list = append(list, g)
			continue
		}
		m := h.Merges[g-h.N]
		stack = append(stack, m.B, m.A)
	}
	return list
}

// Best returns the number of groups, from 2 to most, at which items are nearest to
// their own group and farthest from the next: the largest mean silhouette.
func (h *Hierarchy) Best(m *Matrix, most int) (k int, silhouette float64) {
	k, silhouette = 2, math.Inf(-1)
	for n := 2; n <= min(most, h.N-1); n++ {
		if s := Silhouette(m, h.Cut(n)); s > silhouette+1e-9 {
			k, silhouette = n, s
		}
	}
	return k, silhouette
}
