package tree

import (
	"context"
	"math"
	"slices"
)

// Tree is what was learnt.
type Tree struct {
	Root    *Node
	Columns []Column // of the table, without values
	Method  Method

	// Given tells that the tree stands on top of a base: its nodes tell what is to
	// be added to what a regression on other columns says.
	Given bool
	base  *Logit

	// Cost is the cost of a leaf at which the tree was pruned, Shrink how many
	// rows the parent's value counts for in a leaf's. Both were chosen by
	// cross-validation, whose log loss at the choice is Loss.
	Cost, Shrink, Loss float64
}

// shrinks are the weights of the parent's value that are tried.
var shrinks = []float64{0, 4, 16, 64, 256}

// maxCosts bounds how many costs of complexity are tried.
const maxCosts = 40

// Fit grows a tree on all rows, and prunes and shrinks it as the folds advise.
func Fit(ctx context.Context, t *Table, folds []Fold, opts Options) (*Tree, error) {
	b, err := bin(t)
	if err != nil {
		return nil, err
	}
	return b.fit(ctx, t.rows(), folds, opts)
}

// FitGiven grows a tree on top of a regression on the columns of a base, which the
// tree itself does not see: it tells what the others add. The method is CART, with
// the gain of log loss in the place of Gini's.
func FitGiven(ctx context.Context, t *Table, folds []Fold, base []int, opts Options) (*Tree, error) {
	b, err := bin(t)
	if err != nil {
		return nil, err
	}
	rows := t.rows()
	return b.fitGiven(ctx, rows, folds, base, b.logit(base, rows), opts)
}

func (b *binned) fitGiven(ctx context.Context, rows []int32, folds []Fold, base []int, l *Logit, opts Options) (*Tree, error) {
	own := *b
	own.codes = slices.Clone(b.codes)
	for _, c := range base {
		own.codes[c] = nil
	}
	own.offset = make([]float64, len(b.Score))
	for r := range own.offset {
		own.offset[r] = l.odds(func(c int) float32 { return b.Columns[c].Values[r] })
	}
	opts.Method = CART
	t, err := own.fit(ctx, rows, folds, opts)
	if err == nil {
		t.Given, t.base = true, l
	}
	return t, err
}

// fit grows a tree on some rows. Of the folds only these rows are used.
func (b *binned) fit(ctx context.Context, rows []int32, folds []Fold, opts Options) (*Tree, error) {
	root, err := b.plant(ctx, slices.Clone(rows), opts)
	if err != nil {
		return nil, err
	}
	list := []float64{0}
	if opts.Method == CART {
		list = between(costs(root))
	}
	use := make([]bool, len(b.Score))
	for _, r := range rows {
		use[r] = true
	}
	only := func(list []int32) []int32 {
		return slices.DeleteFunc(slices.Clone(list), func(r int32) bool { return !use[r] })
	}
	loss := make([][]float64, len(list)*len(shrinks)) // by cost and shrink, then fold
	var weight []float64
	for _, f := range folds {
		train, test := only(f.Train), only(f.Test)
		if len(train) == 0 || len(test) == 0 {
			continue
		}
		sub, err := b.plant(ctx, train, opts)
		if err != nil {
			return nil, err
		}
		w := 0.0
		sum := make([]float64, len(loss))
		var path []*Node
		for _, r := range test {
			path = b.path(path[:0], sub, r)
			w += b.weights[r]
			for j, m := range shrinks {
				value, at := path[0].all.s/path[0].all.w, 0
				for i := len(list) - 1; i >= 0; i-- { // dearest first: shortest first
					for at+1 < len(path) && (path[at].collapse > list[i] || list[i] == 0) {
						at++
						value = b.shrunk(path[at], value, m)
					}
					sum[i*len(shrinks)+j] += b.weights[r] * logLoss(b.Score[r], b.expects(r, value))
				}
			}
		}
		weight = append(weight, w)
		for i := range loss {
			loss[i] = append(loss[i], sum[i]/w)
		}
	}
	cost, shrink, best := choose(loss, weight, list, opts.Method)
	fell(root, cost)
	b.settle(root, root.all.s/root.all.w, shrink)
	tree := &Tree{Root: root, Method: opts.Method, Cost: cost, Shrink: shrink, Loss: best}
	for _, c := range b.Columns {
		tree.Columns = append(tree.Columns, Column{Name: c.Name, Levels: c.Levels, Flag: c.Flag})
	}
	return tree, nil
}

// plant grows a tree and makes it ready for pruning.
func (b *binned) plant(ctx context.Context, rows []int32, opts Options) (*Node, error) {
	root, err := grow(ctx, b, rows, opts)
	if err != nil {
		return nil, err
	}
	if opts.Method == C45 {
		pessimistic(root, float64(root.Rows)/root.Weight)
	} else {
		weakest(root)
	}
	return root, nil
}

// between returns costs that stand for those of a sequence: the geometric means of
// neighbours, and not too many of them.
func between(list []float64) []float64 {
	var mids []float64
	for i, c := range list {
		if i+1 < len(list) {
			mids = append(mids, math.Sqrt(c*list[i+1]))
		} else {
			mids = append(mids, c*1.01)
		}
	}
	for len(mids) > maxCosts {
		var half []float64
		for i := 0; i < len(mids); i += 2 {
			half = append(half, mids[i])
		}
		if last := mids[len(mids)-1]; half[len(half)-1] != last {
			half = append(half, last)
		}
		mids = half
	}
	return mids
}

// choose returns the cost and the shrinking with the least loss. Of costs it
// returns the highest that is not worse by more than one standard error: the
// smallest tree that may be as good.
func choose(loss [][]float64, weight []float64, costs []float64, m Method) (cost, shrink, least float64) {
	if len(weight) == 0 {
		return costs[0], shrinks[2], math.NaN()
	}
	total := 0.0
	for _, w := range weight {
		total += w
	}
	mean := func(i int) (v float64) {
		for f, l := range loss[i] {
			v += l * weight[f] / total
		}
		return v
	}
	best := 0
	for i := range loss {
		if mean(i) < mean(best) {
			best = i
		}
	}
	j := best % len(shrinks)
	if m == CART {
		// The error is that of the difference: folds differ, and all trees with them.
		for i := len(costs) - 1; i > best/len(shrinks); i-- {
			c := i*len(shrinks) + j
			d, v := mean(c)-mean(best), 0.0
			for f := range weight {
				e := loss[c][f] - loss[best][f] - d
				v += e * e
			}
			if d <= math.Sqrt(v/float64(len(weight))/float64(max(1, len(weight)-1))) {
				best = c
				break
			}
		}
	}
	return costs[best/len(shrinks)], shrinks[j], mean(best)
}

// shrunk is what a node says, whose parent's word is known.
func (b *binned) shrunk(n *Node, parent, m float64) float64 {
	if b.offset != nil {
		m /= 4
	}
	return (n.all.s + m*parent) / (n.all.w + m)
}

// expects returns the value of a row by what its node says.
func (b *binned) expects(r int32, says float64) float64 {
	if b.offset == nil {
		return says
	}
	return sigmoid(b.offset[r] + says)
}

// settle gives all nodes below one their values and intervals.
func (b *binned) settle(n *Node, parent, m float64) {
	says := parent
	if n.all.w > 0 {
		says = b.shrunk(n, parent, m)
	}
	if b.offset == nil {
		// Wilson's interval on as many rows of equal weight as say the same.
		n.Value = says
		n.Low, n.High = wilson(says, n.Weight*n.Weight/n.square+m)
	} else {
		// Log odds become shares by the mean slope of the rows.
		slope := n.all.w / n.Weight
		heavy := n.square / n.Weight // rows that weigh less say less
		half := 1.959963984540054 * math.Sqrt(heavy/(n.all.w+m/4)) * slope
		n.add, n.More = says, says*slope
		n.Value = n.Mean - n.all.s/n.Weight + n.More
		n.Low, n.High = n.More-half, n.More+half
	}
	for _, k := range n.Kids {
		b.settle(k, says, m)
	}
}

// wilson returns the interval of 95 % of a share of n.
func wilson(p, n float64) (low, high float64) {
	const z = 1.959963984540054
	if !(n > 0) {
		return 0, 1
	}
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, mid-half), min(1, mid+half)
}

// path appends the nodes that a row passes, from the root to a leaf.
func (b *binned) path(dst []*Node, n *Node, row int32) []*Node {
	dst = append(dst, n)
	for n.Split != nil {
		n = n.Kids[n.Split.branch(b.Columns[n.Split.Column].Values[row])]
		dst = append(dst, n)
	}
	return dst
}

// Value returns what the tree foretells of values, one for each column.
func (t *Tree) Value(values func(column int) float32) float64 {
	n := t.leaf(values)
	if t.Given {
		return sigmoid(t.base.odds(values) + n.add)
	}
	return n.Value
}

func (t *Tree) leaf(values func(column int) float32) *Node {
	n := t.Root
	for n.Split != nil {
		n = n.Kids[n.Split.branch(values(n.Split.Column))]
	}
	return n
}

// logLoss is how much a foretold value is surprised by a score, in nats.
func logLoss(score, value float64) float64 {
	const least = 1e-6
	v := min(max(value, least), 1-least)
	return -score*math.Log(v) - (1-score)*math.Log(1-v)
}
