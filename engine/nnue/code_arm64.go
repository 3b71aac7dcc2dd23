package nnue

//go:noescape
func addLanes(s, row *Sums)

//go:noescape
func shiftLanes(dst, src, more, less *Sums)

//go:noescape
func takeLanes(dst, src, more, less, gone *Sums)

//go:noescape
func dotLanes(s, w *Sums) int32

// neon is for every processor of this kind: all of them have it.
var neon = code{"neon", addLanes, shiftLanes, takeLanes, dotLanes}

// codes returns all that this processor can run, the best one last.
func codes() []code { return []code{portable, neon} }

func best() code { return neon }
