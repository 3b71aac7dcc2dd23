package tree

import "math"

// What engines have in common that try moves in the order of what was learnt of them.

// Learnt is the bound of the numbers that Adjust moves.
const Learnt = 16384

// Adjust moves a number towards its bound, the less the nearer it is.
func Adjust(n *int16, by int) {
	by = min(max(by, -2048), 2048)
	*n += int16(by - int(*n)*max(by, -by)/Learnt)
}

// Bonus is what a move that cut at a depth is rewarded with.
func Bonus(depth int) int { return min(16*depth*depth+120*depth, 2000) }

// Scored is a move in the low half and how good it looks in the high one, so that the
// larger number is the better move.
type Scored int64

// Rate returns a move with how good it looks.
func Rate(m uint16, v int32) Scored { return Scored(v)<<16 | Scored(m) }

// Move returns the move.
func (s Scored) Move() uint16 { return uint16(s) }

// First brings the best of a list to its front, and returns it.
func First(list []Scored) Scored {
	at, best := 0, list[0]
	for i, s := range list {
		if s > best {
			at, best = i, s
		}
	}
	list[0], list[at] = best, list[0]
	return best
}

var reductions = func() (r [64][64]int8) {
	for d := 1; d < 64; d++ {
		for n := 1; n < 64; n++ {
			r[d][n] = int8(0.6 + math.Log(float64(d))*math.Log(float64(n))/2.1)
		}
	}
	return r
}()

// Reduction is the depth that a move loses which comes late in the order.
func Reduction(depth, number int) int { return int(reductions[min(depth, 63)][min(number, 63)]) }

// Late is the number of quiet moves that are worth reading at a depth.
func Late(depth int, improving bool) int {
	n := 4 + depth*depth
	if !improving {
		n /= 2
	}
	return n
}

// Values are hundredths of the least piece; a mate in n plies is Mate-n.
const (
	Mate  = 30000
	Mated = Mate - 240 // where values of mates begin
)

// ToTable returns a value as the table keeps it: mates counted from the position.
func ToTable(v, ply int) int16 {
	switch {
	case v >= Mated:
		v += ply
	case v <= -Mated:
		v -= ply
	}
	return int16(v)
}

// FromTable returns a value of the table as it is so many plies from the root.
func FromTable(v int16, ply int) int {
	switch {
	case v >= Mated:
		return int(v) - ply
	case v <= -Mated:
		return int(v) + ply
	}
	return int(v)
}
