package interval

import "golang.org/x/sys/cpu"

//go:noescape
func filterAVX2(base *byte, offs *int32, a, b, m int) uint64

// canFilter tells whether filter does more than let every lane through.
var canFilter = cpu.X86.HasAVX2

// filter returns those of 64 lanes in which a placement may hold, from the
// bytes of first: the row of each point is at an offset from base. The first a
// offsets are of points that the first side must have occupied, the next b of
// the second side, the last m of points that must be empty. It lets too many
// through, never too few; len(offs) must be a+b+m and not 0.
func filter(base []byte, offs []int32, a, b, m int) uint64 {
	return filterAVX2(&base[0], &offs[0], a, b, m)
}
