package net

// group is the number of points that are convolved together.
const group = 12

// code is how convolutions are computed: in Golang, or in assembly where the
// processor has what it takes. All give the same numbers.
type code struct {
	name string

	// convolve computes the sums of a convolution for points that follow on each
	// other in a register; in begins one row above and one point left of the first
	// (at it, for single points), stride is the length of a row. The sums are those
	// of the run.
	convolve func(o *op, r *Run, in []int16, stride, points int)

	// settle turns sums into activations, after adding what skips the convolution.
	settle func(to []int16, sums []int32, scale []float32, skip []int16, skipScale float32, top int32, points, channels int)
}

var portable = code{"portable", convolvePortable, settlePortable}

// convolvePortable computes two points by one multiplication: a number of 64 bits has
// the input of a point in its lower half and that of the next point in its upper half.
// Sums of both halves fit 32 bits, so that the lower one can be taken off in the end.
func convolvePortable(o *op, r *Run, in []int16, stride, points int) {
	row := o.size * o.in
	all := (o.size-1)*stride + (points+group-1)*o.in + (o.size-1)*o.in // the last one that is read
	if cap(r.pairs) < all {
		r.pairs = make([]int64, all)
	}
	pairs := r.pairs[:all]
	for i, v := range in[:all] {
		next := int64(0)
		if i+o.in < len(in) {
			next = int64(in[i+o.in])
		}
		pairs[i] = int64(v) + next<<32
	}
	sums := r.sums
	for at := 0; at < points; at += 8 {
		n := min(8, points-at)
		for out := range o.out {
			var s0, s1, s2, s3 int64
			for y := range o.size {
				w := o.plain[(out*o.size+y)*row:][:row]
				a := pairs[y*stride+at*o.in:]
				b, c, d := a[2*o.in:], a[4*o.in:], a[6*o.in:]
				a, b, c, d = a[:len(w)], b[:len(w)], c[:len(w)], d[:len(w)]
				for k, v := range w {
					v := int64(v)
					s0 += v * a[k]
					s1 += v * b[k]
					s2 += v * c[k]
					s3 += v * d[k]
				}
			}
			bias := o.bias[out]
			for i, s := range [4]int64{s0, s1, s2, s3} {
				low := int32(s)
				if 2*i < n {
					sums[(at+2*i)*o.out+out] = low + bias
				}
				if 2*i+1 < n {
					sums[(at+2*i+1)*o.out+out] = int32((s-int64(low))>>32) + bias
				}
			}
		}
	}
}

func settlePortable(to []int16, sums []int32, scale []float32, skip []int16, skipScale float32, top int32, points, channels int) {
	most := float32(top)
	for p := range points {
		at := p * channels
		for c, s := range scale {
			x := float32(float32(sums[at+c]) * s)
			if skip != nil {
				x += float32(float32(skip[at+c]) * skipScale)
			}
			to[at+c] = whole(x, most)
		}
	}
}
