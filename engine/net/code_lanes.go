//go:build amd64 || arm64

package net

// kernel computes the sums of a few points and of sixteen outputs: see convolveLanes.
type kernel func(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr)

// convolveLanes convolves by a kernel that takes so many points at once.
func convolveLanes(k kernel, at int, o *op, sums []int32, in []int16, stride, points int) {
	pairs := o.size * o.in / 2
	each := o.size * pairs * 2 * lane
	for out := 0; out < o.out; out += lane {
		weights := o.packed[out/lane*each:]
		for p := 0; p < points; p += at {
			k(&sums[p*o.out+out], &in[p*o.in], &weights[0], &o.bias[out], uintptr(pairs), uintptr(o.size), uintptr(2*stride), uintptr(2*o.in), uintptr(4*o.out))
		}
	}
}

//go:noescape
func settle16(to *int16, sums *int32, scale *float32, skip *int16, skipScale float32, top int32, points, channels uintptr)

func settleLanes(to []int16, sums []int32, scale []float32, skip []int16, skipScale float32, top int32, points, channels int) {
	var from *int16
	if skip != nil {
		from = &skip[0]
	}
	settle16(&to[0], &sums[0], &scale[0], from, skipScale, top, uintptr(points), uintptr(channels))
}
