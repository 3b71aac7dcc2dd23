package learn

import (
	"context"

	"qipu/engine/reversi/eval"
	"qipu/workshop/parallel"
)

// Sample is a position with what it is worth to the side to move, in discs.
type Sample struct {
	Own, Opp uint64
	Value    float32
	Weight   float32 // how much it counts; more where the value is sure

	beside bool // it is no position of a game
}

// problem is a least-squares problem: weights such that the sum of those that
// a position uses comes near its value, and is not far from what is known
// before.
//
// The numbers of the weights lie in columns, one for each pattern place: a
// place has weights of its own pattern only, so that gradients are summed
// column by column by several goroutines, always in the same order. The result
// is the same with any number of threads.
type problem struct {
	threads int
	ridge   float64 // how many samples' worth the weights hold on to the start
	size    int     // weights
	weight  []float32
	columns [][]uint32
	groups  [][]int // columns that share weights
}

const block = 1 << 14 // samples that a goroutine takes at a time

func newProblem(samples []Sample, size, threads int, ridge float64) *problem {
	p := &problem{threads: threads, ridge: ridge, size: size, weight: make([]float32, len(samples))}
	p.columns = make([][]uint32, eval.Instances)
	for i := range p.columns {
		p.columns[i] = make([]uint32, len(samples))
	}
	p.each(len(samples), func(from, to int) {
		var list []uint32
		for i := from; i < to; i++ {
			s := &samples[i]
			list = eval.AppendFeatures(list[:0], s.Own, s.Opp)
			for c, f := range list {
				p.columns[c][i] = f
			}
			p.weight[i] = s.Weight
		}
	})
	p.groups = eval.Groups()
	return p
}

// each calls do for blocks of n samples, on several goroutines.
func (p *problem) each(n int, do func(from, to int)) {
	parallel.Each((n+block-1)/block, p.threads, func(_, i int) { do(i*block, min(n, (i+1)*block)) })
}

// apply puts the sums of the weights of every sample into out.
func (p *problem) apply(w []float32, out []float32) {
	p.each(len(out), func(from, to int) {
		part := out[from:to]
		clear(part)
		for _, col := range p.columns {
			for i, f := range col[from:to] {
				part[i] += w[f]
			}
		}
	})
}

// gather adds the values of the samples, times their weight, to the weights
// they use: the transpose of apply.
func (p *problem) gather(v []float32, out []float64) {
	clear(out)
	parallel.Each(len(p.groups), p.threads, func(_, g int) {
		for _, c := range p.groups[g] {
			for i, f := range p.columns[c] {
				out[f] += float64(v[i] * p.weight[i])
			}
		}
	})
}

// solve improves the weights by so many steps of conjugate gradients.
func (p *problem) solve(ctx context.Context, w []float32, target []float32, steps int) error {
	n := len(target)
	rest := make([]float32, n)
	p.apply(w, rest)
	for i := range rest {
		rest[i] = target[i] - rest[i]
	}
	// The preconditioner is the diagonal: how often a weight is used. Several
	// uses in one position count as their square; that is what keeps empty
	// edges, which every early position has four times, from running away.
	scale := p.diagonal()
	g := make([]float64, p.size)
	dir := make([]float32, p.size)
	delta := make([]float64, p.size)
	step := make([]float32, n)
	back := make([]float64, p.size)
	p.gather(rest, g)
	z := make([]float64, p.size)
	var rho float64
	for i := range g {
		z[i] = g[i] / scale[i]
		rho += g[i] * z[i]
		dir[i] = float32(z[i])
	}
	for range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if rho < 1e-6 {
			break
		}
		p.apply(dir, step)
		p.gather(step, back)
		var curve float64
		for i := range dir {
			back[i] += p.ridge * float64(dir[i])
			curve += back[i] * float64(dir[i])
		}
		length := rho / curve
		var next float64
		for i := range dir {
			delta[i] += length * float64(dir[i])
			g[i] -= length * back[i]
			z[i] = g[i] / scale[i]
			next += g[i] * z[i]
		}
		ratio := next / rho
		rho = next
		for i := range dir {
			dir[i] = float32(z[i] + ratio*float64(dir[i]))
		}
	}
	for i := range w {
		w[i] += float32(delta[i])
	}
	return nil
}

func (p *problem) diagonal() []float64 {
	d := make([]float64, p.size)
	for i := range d {
		d[i] = p.ridge
	}
	parallel.Each(len(p.groups), p.threads, func(_, g int) {
		group := p.groups[g]
		for i, w := range p.weight {
			for _, c := range group {
				f := p.columns[c][i]
				times := 0
				for _, other := range group {
					if p.columns[other][i] == f {
						times++
					}
				}
				d[f] += float64(w) * float64(times) // times² over the times it is met
			}
		}
	})
	return d
}
