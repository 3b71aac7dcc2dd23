package net

import "golang.org/x/sys/cpu"

//go:noescape
func conv6x16(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr)

//go:noescape
func conv12x16(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr)

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
