package tree

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// BoostOptions are how a forest is grown. The zero value works.
type BoostOptions struct {
	Trees int     // at most; 400 where 0
	Depth int     // of each tree; 3 where 0
	Rate  float64 // how much of each tree is believed; .1 where 0
	Seed  uint64
}

// Forest is a sum of small trees, each fitted to what those before it left
// unexplained: gradient boosting with log loss and Newton's leaves.
type Forest struct {
	Start float64 // the log odds that all begin with
	Trees []*twig
}

// twig is a node of one of its trees.
type twig struct {
	split *Split
	kids  [2]*twig
	add   float64
}

// What each tree sees of the data, and how much its leaves are held back.
const (
	rowShare    = .5
	columnShare = .3
	ridge       = 4.0
	patience    = 25 // trees without a gain, after which no more are grown
)

// boost grows a forest on some rows, and stops when those of watch gain no more;
// where there are none, when it has all its trees.
func (b *binned) boost(ctx context.Context, rows, watch []int32, opts BoostOptions) (*Forest, error) {
	if opts.Trees <= 0 {
		opts.Trees = 400
	}
	if opts.Depth <= 0 {
		opts.Depth = 3
	}
	if opts.Rate <= 0 {
		opts.Rate = .1
	}
	rng := rand.New(rand.NewPCG(opts.Seed, 2))
	var all sums
	for _, r := range rows {
		all = all.add(sums{b.weights[r], b.weights[r] * b.Score[r]})
	}
	p := min(max(all.s/all.w, 1e-4), 1-1e-4)
	f := &Forest{Start: math.Log(p / (1 - p))}
	odds := slices.Repeat([]float64{f.Start}, len(b.Score))
	g := &booster{binned: b, gradient: make([]float64, len(b.Score)), curve: make([]float64, len(b.Score)), opts: opts}
	var columns []int
	for c, codes := range b.codes {
		if codes != nil {
			columns = append(columns, c)
		}
	}
	best, kept := math.Inf(1), 0
	for len(f.Trees) < opts.Trees && len(f.Trees)-kept < patience {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.rows = g.rows[:0]
		for _, r := range rows {
			if rng.Float64() < rowShare {
				p := sigmoid(odds[r])
				g.gradient[r] = b.weights[r] * (b.Score[r] - p)
				g.curve[r] = b.weights[r] * p * (1 - p)
				g.rows = append(g.rows, r)
			}
		}
		rng.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		g.columns = columns[:max(min(len(columns), 30), int(columnShare*float64(len(columns))))]
		t := g.grow(g.rows, 0)
		f.Trees = append(f.Trees, t)
		for _, list := range [][]int32{rows, watch} {
			for _, r := range list {
				odds[r] += t.value(func(c int) float32 { return b.Columns[c].Values[r] })
			}
		}
		loss := 0.0
		for _, r := range watch {
			loss += b.weights[r] * logLoss(b.Score[r], sigmoid(odds[r]))
		}
		if loss < best || len(watch) == 0 {
			best, kept = loss, len(f.Trees)
		}
	}
	f.Trees = f.Trees[:kept]
	return f, nil
}

// Value returns what the forest foretells of values, one for each column.
func (f *Forest) Value(values func(column int) float32) float64 {
	odds := f.Start
	for _, t := range f.Trees {
		odds += t.value(values)
	}
	return sigmoid(odds)
}

func (t *twig) value(values func(column int) float32) float64 {
	for t.split != nil {
		t = t.kids[t.split.branch(values(t.split.Column))]
	}
	return t.add
}

// booster grows the trees of a forest.
type booster struct {
	*binned
	gradient, curve []float64 // by row: first and second derivative of the log loss
	rows            []int32
	columns         []int
	opts            BoostOptions
	hist            [256]sums // gradient in s, curve in w
}

func (g *booster) grow(rows []int32, depth int) *twig {
	var all sums
	for _, r := range rows {
		all = all.add(sums{g.curve[r], g.gradient[r]})
	}
	t := &twig{add: g.opts.Rate * all.s / (all.w + ridge)}
	if depth >= g.opts.Depth || len(rows) < 40 {
		return t
	}
	s := g.best(rows, all)
	if s == nil {
		return t
	}
	left := 0
	values := g.Columns[s.Column].Values
	for i, r := range rows {
		if s.branch(values[r]) == 0 {
			rows[i], rows[left] = rows[left], r
			left++
		}
	}
	if left == 0 || left == len(rows) {
		return t
	}
	t.split = s
	t.kids = [2]*twig{g.grow(rows[:left], depth+1), g.grow(rows[left:], depth+1)}
	return t
}

// best returns the split that lessens the loss most, to second order.
func (g *booster) best(rows []int32, all sums) (best *Split) {
	worth := func(a sums) float64 { return a.s * a.s / (a.w + ridge) }
	least := 1e-6
	for _, c := range g.columns {
		codes := g.codes[c]
		h := g.hist[:]
		clear(h)
		for _, r := range rows {
			e := &h[codes[r]]
			e.w += g.curve[r]
			e.s += g.gradient[r]
		}
		order := make([]int, 0, g.bins[c])
		for i := range g.bins[c] {
			if h[i].w > 0 {
				order = append(order, i)
			}
		}
		levels := g.Columns[c].Levels != nil
		if levels {
			slices.SortStableFunc(order, func(a, b int) int {
				x, y := h[a].s/(h[a].w+ridge), h[b].s/(h[b].w+ridge)
				switch {
				case x < y:
					return -1
				case x > y:
					return 1
				}
				return 0
			})
		}
		var left sums
		for i, code := range order {
			left = left.add(h[code])
			for u := range 2 {
				l := left
				if u == 0 {
					l = l.add(h[unknown])
				}
				gain := worth(l) + worth(all.minus(l)) - worth(all)
				if gain <= least || u == 0 && h[unknown].w == 0 {
					continue
				}
				least, best = gain, &Split{Column: c, Unknown: u}
				if !levels {
					best.At = g.edges[c][code]
					continue
				}
				best.Branch = slices.Repeat([]int{1}, g.bins[c])
				for _, in := range order[:i+1] {
					best.Branch[in] = 0
				}
			}
		}
	}
	return best
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
