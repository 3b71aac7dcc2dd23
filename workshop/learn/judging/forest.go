package judging

import (
	"context"
	"math"
	"slices"
	"sync"

	"qipu/game/weiqi/life/verdict"
)

// forestOptions chooses how a forest is grown.
type forestOptions struct {
	trees  int
	rate   float64 // share of each tree's advice that is taken
	least  float64 // hessian that a leaf must have
	lambda float64 // pulls leaves towards nothing
	rows   float64 // share of the examples that a tree sees
	seed   uint64
}

// samples is what a forest is grown on: rows of features as numbers of bins.
type samples struct {
	rows, columns int
	bins          []uint8     // rows x columns
	edges         [][]float32 // of a column: bin k holds values up to edges[k]
}

const mostBins = 64

// newTable sorts values into bins that hold about the same number of rows each.
func newTable(x []float32, columns int) *samples {
	t := &samples{rows: len(x) / columns, columns: columns, bins: make([]uint8, len(x)), edges: make([][]float32, columns)}
	var wait sync.WaitGroup
	for c := range columns {
		wait.Go(func() {
			list := make([]float32, 0, t.rows)
			step := max(1, t.rows/50000)
			for r := 0; r < t.rows; r += step {
				list = append(list, x[r*columns+c])
			}
			slices.Sort(list)
			values := slices.Compact(slices.Clone(list))
			var edges []float32
			if len(values) <= mostBins {
				for i := 1; i < len(values); i++ {
					edges = append(edges, (values[i-1]+values[i])/2)
				}
			} else {
				for i := 1; i < mostBins; i++ {
					if v := list[i*len(list)/mostBins]; len(edges) == 0 || v > edges[len(edges)-1] {
						edges = append(edges, v)
					}
				}
			}
			t.edges[c] = edges
			for r := range t.rows {
				k, _ := slices.BinarySearch(edges, x[r*columns+c])
				t.bins[r*columns+c] = uint8(k)
			}
		})
	}
	wait.Wait()
	return t
}

// grow fits a forest to labels: the logistic function of its sum is the chance
// that a label is 1. rows lists the rows that it may look at. Trees are grown
// level by level, each to make up for what the ones before it miss (gradient
// boosting after J. Friedman, "Greedy function approximation", 2001). It stops short
// when the context is done.
func (t *samples) grow(ctx context.Context, rows []int32, label []float32, o forestOptions) verdict.Forest {
	var positive, all float64
	for _, r := range rows {
		positive += float64(label[r])
		all++
	}
	share := 0.5 // where there is nothing to learn from
	if all > 0 {
		share = min(max(positive/all, 1e-3), 1-1e-3)
	}
	f := verdict.Forest{Bias: float32(math.Log(share / (1 - share)))}
	sum := make([]float32, t.rows)
	for _, r := range rows {
		sum[r] = f.Bias
	}
	g := &grower{samples: t, o: o, grad: make([]float32, t.rows), hess: make([]float32, t.rows), node: make([]uint8, t.rows)}
	random := o.seed
	for range o.trees {
		if ctx.Err() != nil {
			break
		}
		g.picked = g.picked[:0]
		for _, r := range rows {
			p := verdict.Chance(sum[r])
			g.grad[r] = p - label[r]
			g.hess[r] = max(p*(1-p), 1e-6)
			random = random*6364136223846793005 + 1442695040888963407
			if float64(random>>40)/(1<<24) < o.rows {
				g.picked = append(g.picked, r)
			}
		}
		tree := g.tree()
		f.Trees = append(f.Trees, tree)
		for _, r := range rows {
			sum[r] += tree.Leaf[g.leaf(&tree, r)]
		}
	}
	return f
}

// grower grows one tree at a time.
type grower struct {
	*samples
	o          forestOptions
	grad, hess []float32
	node       []uint8 // of rows, within the level
	picked     []int32
	split      [1<<verdict.Depth - 1]int // bin of the split, by node
}

// pair is a sum of gradients and one of hessians.
type pair struct{ g, h float64 }

// tree grows the next tree on the picked rows.
func (g *grower) tree() (t verdict.Tree) {
	for _, r := range g.picked {
		g.node[r] = 0
	}
	var sums []pair
	for level := range verdict.Depth {
		nodes := 1 << level
		sums = g.sums(nodes, sums)
		for n := range nodes {
			k := nodes - 1 + n
			feature, bin, ok := g.best(sums[n*g.columns*mostBins:])
			if !ok {
				// Everything goes left.
				t.Nodes[k].Threshold, g.split[k] = float32(math.Inf(1)), mostBins
				continue
			}
			t.Nodes[k], g.split[k] = verdict.Node{Feature: uint32(feature), Threshold: g.edges[feature][bin]}, bin
		}
		for _, r := range g.picked {
			k := nodes - 1 + int(g.node[r])
			g.node[r] *= 2
			if int(g.bins[int(r)*g.columns+int(t.Nodes[k].Feature)]) > g.split[k] {
				g.node[r]++
			}
		}
	}
	var leaf [1 << verdict.Depth]pair
	for _, r := range g.picked {
		leaf[g.node[r]].g += float64(g.grad[r])
		leaf[g.node[r]].h += float64(g.hess[r])
	}
	for i, l := range leaf {
		t.Leaf[i] = float32(-g.o.rate * l.g / (l.h + g.o.lambda))
	}
	return t
}

// sums returns the gradients and hessians of the picked rows by node, feature and
// bin. Only left children are summed up; what is left of their parent, above, is
// their sibling's. Features are shared out among goroutines, each summed in the
// order of rows, so that the sums are the same however many there are.
func (g *grower) sums(nodes int, above []pair) []pair {
	each := g.columns * mostBins
	sums := make([]pair, nodes*each)
	var wait sync.WaitGroup
	const stripe = 9
	for from := 0; from < g.columns; from += stripe {
		to := min(from+stripe, g.columns)
		wait.Go(func() {
			for _, r := range g.picked {
				node := int(g.node[r])
				if node&1 == 1 {
					continue
				}
				base := node * each
				grad, hess := float64(g.grad[r]), float64(g.hess[r])
				row := g.bins[int(r)*g.columns:]
				for c := from; c < to; c++ {
					s := &sums[base+c*mostBins+int(row[c])]
					s.g += grad
					s.h += hess
				}
			}
			for n := 1; n < nodes; n += 2 {
				for k := from * mostBins; k < to*mostBins; k++ {
					all, left := above[n/2*each+k], sums[(n-1)*each+k]
					sums[n*each+k] = pair{all.g - left.g, all.h - left.h}
				}
			}
		})
	}
	wait.Wait()
	return sums
}

// best returns the split that gains most.
func (g *grower) best(sums []pair) (feature, bin int, ok bool) {
	var all pair
	for _, s := range sums[:mostBins] {
		all.g += s.g
		all.h += s.h
	}
	worth := func(p pair) float64 { return p.g * p.g / (p.h + g.o.lambda) }
	most := worth(all) + 1e-9
	for c := range g.columns {
		var left pair
		for k := range g.edges[c] {
			s := sums[c*mostBins+k]
			left.g += s.g
			left.h += s.h
			right := pair{all.g - left.g, all.h - left.h}
			if left.h < g.o.least || right.h < g.o.least {
				continue
			}
			if gain := worth(left) + worth(right); gain > most {
				most, feature, bin, ok = gain, c, k, true
			}
		}
	}
	return feature, bin, ok
}

// leaf returns the leaf of a tree that a row falls into.
func (g *grower) leaf(t *verdict.Tree, r int32) int {
	n := 0
	for range verdict.Depth {
		if int(g.bins[int(r)*g.columns+int(t.Nodes[n].Feature)]) <= g.split[n] {
			n = 2*n + 1
		} else {
			n = 2*n + 2
		}
	}
	return n - (1<<verdict.Depth - 1)
}
