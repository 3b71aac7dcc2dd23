package net

// group is the number of points that are convolved together.
const group = 12

// code is how convolutions are computed: in Golang, or in assembly where the
// processor has what it takes. All give the same numbers.
type code struct {
	name string

	// convolve computes the sums of a convolution for points that follow on each
	// other in a register; in begins one row above and one point left of the first
	// (at it, for single points), stride is the length of a row.
	convolve func(o *op, sums []int32, in []int16, stride, points int)

	// settle turns sums into activations, after adding what skips the convolution.
	settle func(to []int16, sums []int32, scale []float32, skip []int16, skipScale float32, top int32, points, channels int)
}

var portable = code{"portable", convolvePortable, settlePortable}

func convolvePortable(o *op, sums []int32, in []int16, stride, points int) {
	row := o.size * o.in
	for at := 0; at < points; at += 4 {
		n := min(4, points-at)
		for out := range o.out {
			s := [4]int32{o.bias[out], o.bias[out], o.bias[out], o.bias[out]}
			for y := range o.size {
				w := o.plain[(out*o.size+y)*row:][:row]
				a := in[y*stride+at*o.in:]
				b, c, d := a[o.in:][:row], a[2*o.in:][:row], a[3*o.in:][:row]
				a = a[:row]
				for k, v := range w {
					v := int32(v)
					s[0] += v * int32(a[k])
					s[1] += v * int32(b[k])
					s[2] += v * int32(c[k])
					s[3] += v * int32(d[k])
				}
			}
			for i := range n {
				sums[(at+i)*o.out+out] = s[i]
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
