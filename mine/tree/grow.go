package tree

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Method is a way to grow a tree.
type Method int

// The methods.
const (
	CART Method = iota // Gini, two branches, pruned by cost against complexity
	C45                // gain ratio, a branch for each level, pruned by pessimistic errors
)

func (m Method) String() string {
	if m == C45 {
		return "C4.5"
	}
	return "CART"
}

// Options are how a tree is grown. The zero value works.
type Options struct {
	Method  Method
	Depth   int     // at most so many splits above a leaf; 8 where 0
	MinLeaf float64 // weight that a leaf has at least; 1 % of all, at least 20, where 0
}

func (o Options) withDefaults(total float64) Options {
	if o.Depth <= 0 {
		o.Depth = 8
	}
	if o.MinLeaf <= 0 {
		o.MinLeaf = max(20, total/100)
	}
	return o
}

// Node is a part of the rows: those that all splits above it sent there.
type Node struct {
	Split *Split  // nil in a leaf
	Kids  []*Node // by branch
	Rows  int

	// Weight and Mean are those of the rows that the tree was grown on. Value is
	// the mean shrunk towards the parent's value; Low and High are the ends of
	// its interval of 95 %.
	Weight, Mean     float64
	Value, Low, High float64

	// More is, of a tree on top of a base, how much the value is above what the
	// base expects; Low and High are the ends of its interval then.
	More float64

	square   float64 // sum of the squares of weights
	all      sums
	add      float64 // what it adds to log odds, of a tree on top of a base
	impurity float64 // times weight
	collapse float64 // the cost of complexity from which on it is a leaf
}

// Split sends rows to the branches of a node.
type Split struct {
	Column  int
	At      float32 // of a number: branch 0 has values up to it, branch 1 the others
	Branch  []int   // of a category: the branch of each level; nil of a number
	Unknown int     // the branch of unknown values
}

// branch returns the branch of a value.
func (s *Split) branch(v float32) int {
	switch {
	case v != v:
		return s.Unknown
	case s.Branch != nil:
		return s.Branch[int(v)]
	case v <= s.At:
		return 0
	}
	return 1
}

// sums are the weight and the score of some rows.
type sums struct{ w, s float64 }

func (a sums) add(b sums) sums   { return sums{a.w + b.w, a.s + b.s} }
func (a sums) minus(b sums) sums { return sums{a.w - b.w, a.s - b.s} }

// gini and entropy are impurities times weight.
func gini(a sums) float64 {
	if a.w <= 0 {
		return 0
	}
	return 2 * a.s * (a.w - a.s) / a.w
}

func entropy(a sums) float64 { return plogp(a.w) - plogp(a.s) - plogp(a.w-a.s) }

// plogp is x log2 x, and 0 where rounding left x below 0.
func plogp(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log2(x)
}

// gained is, negative, how much log loss is gained by one step of Newton's: the
// impurity of trees on top of a base.
func gained(a sums) float64 { return -a.s * a.s / (2 * (a.w + 1)) }

// of returns what a row counts: its weight and score, or on top of a base the second
// and first derivative of log loss.
func (b *binned) of(r int32) sums {
	w := b.weights[r]
	if b.offset == nil {
		return sums{w, w * b.Score[r]}
	}
	p := sigmoid(b.offset[r])
	return sums{w * p * (1 - p), w * (b.Score[r] - p)}
}

// candidate is the best split of one column.
type candidate struct {
	split    *Split
	branches int
	gain     float64
	ratio    float64
}

// grower grows one tree.
type grower struct {
	*binned
	ctx      context.Context
	opts     Options
	impurity func(sums) float64
	hist     [256]sums
}

// grow grows a tree on some rows, which it puts into another order.
func grow(ctx context.Context, b *binned, rows []int32, opts Options) (*Node, error) {
	total := 0.0
	for _, r := range rows {
		total += b.weights[r]
	}
	g := &grower{binned: b, ctx: ctx, opts: opts.withDefaults(total), impurity: gini}
	switch {
	case b.offset != nil:
		g.impurity = gained
		g.opts.MinLeaf /= 4 // of the derivative that an even row has
	case opts.Method == C45:
		g.impurity = entropy
	}
	root := g.node(rows, 0)
	return root, ctx.Err()
}

func (g *grower) node(rows []int32, depth int) *Node {
	n := &Node{Rows: len(rows), collapse: math.Inf(1)}
	var all sums
	for _, r := range rows {
		w := g.weights[r]
		all = all.add(g.of(r))
		n.Weight += w
		n.Mean += w * g.Score[r]
		n.square += w * w
	}
	n.Mean /= n.Weight
	n.all, n.impurity = all, g.impurity(all)
	if depth >= g.opts.Depth || all.w < 2*g.opts.MinLeaf || g.offset == nil && n.impurity <= 1e-12*all.w || g.ctx.Err() != nil {
		return n
	}
	best := g.best(rows, all)
	if best == nil {
		return n
	}
	n.Split = best.split
	for _, part := range g.part(rows, best) {
		n.Kids = append(n.Kids, g.node(part, depth+1))
	}
	return n
}

// part puts the rows of each branch side by side.
func (g *grower) part(rows []int32, c *candidate) [][]int32 {
	values := g.Columns[c.split.Column].Values
	slices.SortStableFunc(rows, func(a, b int32) int {
		return cmp.Compare(c.split.branch(values[a]), c.split.branch(values[b]))
	})
	parts := make([][]int32, c.branches)
	from := 0
	for i := range parts {
		to := from
		for to < len(rows) && c.split.branch(values[rows[to]]) == i {
			to++
		}
		parts[i], from = rows[from:to], to
	}
	return parts
}

// best returns the split that the method prefers, or nil.
func (g *grower) best(rows []int32, all sums) *candidate {
	var list []candidate
	for c, codes := range g.codes {
		if codes == nil {
			continue
		}
		clear(g.hist[:])
		for _, r := range rows {
			h := &g.hist[codes[r]]
			*h = h.add(g.of(r))
		}
		k, ok := g.splitOf(c, all)
		if ok && k.gain > 1e-9*all.w {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		return nil
	}
	if g.opts.Method == CART {
		best := &list[0]
		for i := range list {
			if list[i].gain > best.gain {
				best = &list[i]
			}
		}
		return best
	}
	// Gain ratio favours splits that cut off next to nothing; C4.5 therefore asks
	// for a gain that is not below the average.
	mean := 0.0
	for _, k := range list {
		mean += k.gain / float64(len(list))
	}
	var best *candidate
	for i := range list {
		if k := &list[i]; k.gain >= mean-1e-12 && (best == nil || k.ratio > best.ratio) {
			best = k
		}
	}
	return best
}

// splitOf returns the best split of a column whose histogram was made.
func (g *grower) splitOf(c int, all sums) (candidate, bool) {
	switch {
	case g.Columns[c].Levels == nil:
		return g.splitNumber(c, all)
	case g.opts.Method == C45:
		return g.splitLevels(c, all)
	}
	return g.splitSubset(c, all)
}

// splitNumber cuts a column in two at one of its values. Rows without a value go
// where they help most.
func (g *grower) splitNumber(c int, all sums) (best candidate, ok bool) {
	order := make([]int, g.bins[c])
	for i := range order {
		order[i] = i
	}
	at, toLeft, gain, tried, ok := g.cut(order, all)
	if !ok {
		return best, false
	}
	branch := 1
	if toLeft {
		branch = 0
	}
	s := &Split{Column: c, At: g.edges[c][at], Unknown: branch}
	best = candidate{split: s, branches: 2, gain: gain}
	if g.opts.Method == C45 {
		var left sums
		for i := 0; i <= at; i++ {
			left = left.add(g.hist[i])
		}
		if toLeft {
			left = left.add(g.hist[unknown])
		}
		best.ratio = best.gain / information(all.w, left.w, all.w-left.w)
		if !g.Columns[c].Flag && tried > 1 { // many cuts were tried, and one of them is good by chance
			best.gain -= math.Log2(float64(tried))
			best.ratio = best.gain / information(all.w, left.w, all.w-left.w)
		}
	}
	return best, best.gain > 0
}

// splitSubset cuts the levels of a category in two. In the order of their means
// the best of all subsets is a beginning.
func (g *grower) splitSubset(c int, all sums) (best candidate, ok bool) {
	order := g.levels(c)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(g.hist[a].s/g.hist[a].w, g.hist[b].s/g.hist[b].w)
	})
	at, toLeft, gain, _, ok := g.cut(order, all)
	if !ok {
		return best, false
	}
	// Levels that are not here go the way of unknown values.
	s := &Split{Column: c, Branch: slices.Repeat([]int{1}, g.bins[c]), Unknown: 1}
	if toLeft {
		s.Unknown = 0
		for i := range s.Branch {
			s.Branch[i] = 0
		}
	}
	for i, level := range order {
		s.Branch[level] = 1
		if i <= at {
			s.Branch[level] = 0
		}
	}
	return candidate{split: s, branches: 2, gain: gain}, true
}

// levels returns the levels that some row has.
func (g *grower) levels(c int) (list []int) {
	for i := range g.bins[c] {
		if g.hist[i].w > 0 {
			list = append(list, i)
		}
	}
	return list
}

// cut returns after which of the codes, in an order, a cut gains most, whether
// unknown values belong before it, and how many cuts there were.
func (g *grower) cut(order []int, all sums) (at int, toLeft bool, gain float64, tried int, ok bool) {
	impurity := g.impurity
	whole, lost := impurity(all), g.hist[unknown]
	var left sums
	for i, bin := range order[:max(0, len(order)-1)] {
		if g.hist[bin].w == 0 {
			continue
		}
		left = left.add(g.hist[bin])
		tried++
		for _, first := range []bool{false, true} {
			l := left
			if first {
				if lost.w == 0 {
					break
				}
				l = l.add(lost)
			}
			r := all.minus(l)
			if l.w < g.opts.MinLeaf || r.w < g.opts.MinLeaf {
				continue
			}
			if v := whole - impurity(l) - impurity(r); !ok || v > gain {
				at, toLeft, gain, ok = i, first, v, true
			}
		}
		if lost.w == 0 && left.w > all.w-g.opts.MinLeaf {
			break
		}
	}
	return at, toLeft, gain, tried, ok
}

// splitLevels makes a branch for each level that is heavy enough, and one for the
// others and for what is not known.
func (g *grower) splitLevels(c int, all sums) (best candidate, ok bool) {
	s := &Split{Column: c, Branch: slices.Repeat([]int{-1}, g.bins[c])}
	rest, after, heavy := g.hist[unknown], 0.0, 0.0
	var weights []float64
	branches := 0
	for _, level := range g.levels(c) {
		h := g.hist[level]
		if h.w < g.opts.MinLeaf {
			rest = rest.add(h)
			continue
		}
		s.Branch[level] = branches
		branches++
		weights = append(weights, h.w)
		after += entropy(h)
		if h.w > heavy {
			heavy, s.Unknown = h.w, s.Branch[level]
		}
	}
	if rest.w >= g.opts.MinLeaf {
		s.Unknown = branches
		branches++
		weights = append(weights, rest.w)
		after += entropy(rest)
	} else if rest.w > 0 { // too few: with the most frequent level
		for level, b := range s.Branch {
			if branches > 0 && b == s.Unknown {
				h := g.hist[level]
				after += entropy(h.add(rest)) - entropy(h)
				weights[b] += rest.w
			}
		}
	}
	if branches < 2 {
		return best, false
	}
	for i, b := range s.Branch {
		if b < 0 {
			s.Branch[i] = s.Unknown
		}
	}
	gain := entropy(all) - after
	return candidate{split: s, branches: branches, gain: gain, ratio: gain / information(all.w, weights...)}, gain > 0
}

// information is what a split says about which branch a row takes, times weight.
func information(total float64, parts ...float64) float64 {
	v := plogp(total)
	for _, p := range parts {
		v -= plogp(p)
	}
	return max(v, 1e-9*total)
}
