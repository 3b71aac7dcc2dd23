package nnue

import "golang.org/x/sys/cpu"

//go:noescape
func addLanes(s, row *Sums)

//go:noescape
func shiftLanes(dst, src, more, less *Sums)

//go:noescape
func takeLanes(dst, src, more, less, gone *Sums)

//go:noescape
func dotLanes(s, w *Sums) int32

// codes returns all that this processor can run, the best one last.
func codes() []code {
	list := []code{portable}
	if cpu.X86.HasAVX2 {
		list = append(list, code{"avx2", addLanes, shiftLanes, takeLanes, dotLanes})
	}
	return list
}

func best() code {
	list := codes()
	return list[len(list)-1]
}
