package net

//go:noescape
func conv4x16(sums *int32, in, weights *int16, bias *int32, pairs, rows, stride, point, sum uintptr)

// neon is for every processor of this kind: all of them have it.
var neon = code{"neon", func(o *op, r *Run, in []int16, stride, points int) {
	convolveLanes(conv4x16, 4, o, r.sums, in, stride, points)
}, settleLanes}

// codes returns all that this processor can run, the best one last.
func codes() []code { return []code{portable, neon} }

func best() code { return neon }
