package net

import "golang.org/x/sys/cpu"

//go:noescape
func conv6x16(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr)

//go:noescape
func conv12x16(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr)

//go:noescape
func settle16(to *int16, sums *int32, scale *float32, skip *int16, skipScale float32, top int32, points, channels uintptr)

var (
	avx2 = code{"avx2", func(o *op, r *Run, in []int16, stride, points int) {
		convolveLanes(conv6x16, 6, o, r.sums, in, stride, points)
	}, settleLanes}

	vnni = code{"avx512-vnni", func(o *op, r *Run, in []int16, stride, points int) {
		convolveLanes(conv12x16, 12, o, r.sums, in, stride, points)
	}, settleLanes}
)

// codes returns all that this processor can run, the best one last.
func codes() []code {
	list := []code{portable}
	if cpu.X86.HasAVX2 {
		list = append(list, avx2)
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI {
			list = append(list, vnni)
		}
	}
	return list
}

func best() code {
	list := codes()
	return list[len(list)-1]
}

func convolveLanes(kernel func(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr), at int, o *op, sums []int32, in []int16, stride, points int) {
	pairs := o.size * o.in / 2
	each := o.size * pairs * 2 * lane
	for out := 0; out < o.out; out += lane {
		weights := o.packed[out/lane*each:]
		for p := 0; p < points; p += at {
			kernel(&sums[p*o.out+out], &in[p*o.in], &weights[0], &o.bias[out], uintptr(pairs), uintptr(o.size), uintptr(2*stride), uintptr(2*o.in), uintptr(4*o.out))
		}
	}
}

func settleLanes(to []int16, sums []int32, scale []float32, skip []int16, skipScale float32, top int32, points, channels int) {
	var from *int16
	if skip != nil {
		from = &skip[0]
	}
	settle16(&to[0], &sums[0], &scale[0], from, skipScale, top, uintptr(points), uintptr(channels))
}
