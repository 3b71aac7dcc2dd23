package net

import (
	"math"
	"slices"
)

// Run evaluates a net on boards of one size. It is not safe for use by two at once.
type Run struct {
	net   *Net
	w, h  int
	code  code
	input [][]int16 // a plane for each input, row by row

	// Registers have a border of a point around the board, and all channels of a
	// point beside each other. Behind them lies what the assembly may read too much.
	grids [][]int16
	plots [][]float32
	lists [][]float32
	sums  []int32 // of one convolution, for all points with the border left and right

	pairs []int64 // of the portable code: what is convolved, two points in a number

	// Of poolings and shifts, by channel.
	means []int64
	tops  []int16
	adds  []float32
}

// NewRun returns a run for boards of w columns and h rows.
func (n *Net) NewRun(w, h int) *Run { return n.newRun(w, h, best()) }

func (n *Net) newRun(w, h int, c code) *Run {
	r := &Run{net: n, w: w, h: h, code: c}
	for range n.head.Planes {
		r.input = append(r.input, make([]int16, w*h))
	}
	widest := lane
	for _, channels := range n.wide {
		r.grids = append(r.grids, make([]int16, ((w+2)*(h+2)+group)*channels))
		widest = max(widest, channels)
	}
	for range n.plots {
		r.plots = append(r.plots, make([]float32, w*h))
	}
	for _, n := range n.long {
		r.lists = append(r.lists, make([]float32, n))
	}
	r.sums = make([]int32, (r.span()+group)*widest)
	r.means, r.tops, r.adds = make([]int64, widest), make([]int16, widest), make([]float32, widest)
	return r
}

// span is the number of points that a convolution computes: all rows of the board as
// they lie in a register, from the first point to the last, borders between them.
func (r *Run) span() int { return (r.w+2)*(r.h-1) + r.w }

// Plane returns the i-th plane of the input, to be filled row by row.
func (r *Run) Plane(i int) []int16 { return r.input[i] }

// Evaluate computes everything from the planes.
func (r *Run) Evaluate() {
	in, channels := r.grids[0], r.net.wide[0]
	for i, plane := range r.input {
		for y := range r.h {
			at := ((y+1)*(r.w+2)+1)*channels + i
			for _, v := range plane[y*r.w : (y+1)*r.w] {
				in[at] = v
				at += channels
			}
		}
	}
	for i := range r.net.ops {
		o := &r.net.ops[i]
		switch o.kind {
		case opConv:
			r.convolve(o)
			var skip []int16
			if o.skip >= 0 {
				skip = r.from(o.skip, o.out)
			}
			r.code.settle(r.from(o.to, o.out), r.sums, o.scale, skip, o.factor, int32(r.net.head.Top), r.span(), o.out)
			r.clear(r.grids[o.to], o.out)
		case opPlot:
			r.convolve(o)
			r.plot(o)
		case opPool:
			r.pool(o)
		case opDense:
			dense(o, r.lists[o.from], r.lists[o.to])
		case opShift:
			r.shift(o)
		}
	}
}

// from returns a register from the first point of the board on.
func (r *Run) from(grid, channels int) []int16 { return r.grids[grid][(r.w+3)*channels:] }

// convolve computes the sums of a convolution.
func (r *Run) convolve(o *op) {
	in := r.grids[o.from]
	if o.size == 1 {
		in = r.from(o.from, o.in)
	}
	r.code.convolve(o, r, in, (r.w+2)*o.in, r.span())
}

// clear makes the borders between the rows zero again.
func (r *Run) clear(grid []int16, channels int) {
	for y := 1; y <= r.h; y++ {
		end := (y*(r.w+2) + r.w + 1) * channels
		clear(grid[end : end+2*channels])
	}
	clear(grid[(r.h+1)*(r.w+2)*channels:])
}

func (r *Run) plot(o *op) {
	to := r.plots[o.to]
	for y := range r.h {
		for x := range r.w {
			to[y*r.w+x] = float32(r.sums[(y*(r.w+2)+x)*o.out]) * o.scale[0]
		}
	}
}

// pool writes the means of all channels, then their largest values.
func (r *Run) pool(o *op) {
	from, to := r.from(o.from, o.in), r.lists[o.to]
	sums, tops := r.means[:o.in], r.tops[:o.in]
	clear(sums)
	clear(tops)
	for y := range r.h {
		row := from[y*(r.w+2)*o.in:][:r.w*o.in]
		for ; len(row) > 0; row = row[o.in:] {
			for c, v := range row[:o.in] {
				sums[c] += int64(v)
				tops[c] = max(tops[c], v)
			}
		}
	}
	points := float64(r.w * r.h)
	for c := range o.in {
		to[c] = float32(float64(sums[c]) / points * float64(o.factor))
		to[o.in+c] = float32(tops[c]) * o.factor
	}
}

// dense computes in float64, rounding each product, so that no machine fuses them.
func dense(o *op, from, to []float32) {
	for i := range o.out {
		sum := float64(o.shift[i])
		for j, w := range o.dense[i*o.in : (i+1)*o.in] {
			sum += float64(float64(w) * float64(from[j]))
		}
		if o.relu {
			sum = max(sum, 0)
		}
		to[i] = float32(sum)
	}
}

func (r *Run) shift(o *op) {
	from, to, by := r.from(o.from, o.out), r.from(o.to, o.out), r.lists[o.by]
	add := r.adds[:o.out]
	for c := range add {
		add[c] = by[c] * o.unit
	}
	top := float32(r.net.head.Top)
	for y := range r.h {
		at := y * (r.w + 2) * o.out
		for range r.w {
			for c, v := range from[at : at+o.out] {
				to[at+c] = whole(float32(float32(v)*o.factor)+add[c], top)
			}
			at += o.out
		}
	}
}

// whole rounds to the nearest whole number from 0 to top, halves to even ones.
func whole(x, top float32) int16 {
	return int16(math.RoundToEven(float64(min(max(x, 0), top))))
}

// Plot returns a register that has a number for each point, row by row; nil for one
// that is not there. It is good until the next Evaluate.
func (r *Run) Plot(name string) []float32 {
	if i := slices.Index(r.net.plots, name); i >= 0 {
		return r.plots[i]
	}
	return nil
}

// Vector returns a register that has a few numbers for the whole board.
func (r *Run) Vector(name string) []float32 {
	if i := slices.Index(r.net.lists, name); i >= 0 {
		return r.lists[i]
	}
	return nil
}
