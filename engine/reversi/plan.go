package reversi

import (
	"time"

	"qipu/engine"
)

// step is one search of a thought.
type step struct{ depth, sure int }

// solvesFrom returns from how many empty squares on a search that is limited to
// a depth goes to the end instead: what costs about as much.
func solvesFrom(depth int) int {
	switch {
	case depth <= 9:
		return 2 * depth
	case depth <= 18:
		return max(20, depth+2)
	default:
		return depth + 3
	}
}

// toEnd lists the searches, behind the glance at the start, that lead to the exact value with n empty squares:
// shallow ones that order the moves, then those to the end that leave out more
// and more unlikely moves less. Each fills the hash table for the next.
func toEnd(n int) (list []step) {
	if n > 10 {
		for d := 2 + n&1; d <= n/2 && d <= n-8; d += 2 {
			list = append(list, step{d, 0})
		}
	}
	if n >= 17 {
		list = append(list, step{n, 0})
	}
	if n >= 21 {
		list = append(list, step{n, 2})
	}
	if n >= 28 {
		list = append(list, step{n, 3})
	}
	return append(list, step{n, certain})
}

// plan lists the searches of a thought with n empty squares, behind the glance
// at the start.
func plan(n int, l *engine.Limits) []step {
	if l.Exact || n <= 10 && l.Depth == 0 || l.Depth > 0 && n <= solvesFrom(l.Depth) {
		return toEnd(n)
	}
	last := n - 9
	if l.Depth > 0 {
		last = min(l.Depth, n-1)
	}
	var list []step
	for d := 2; d <= last; d++ {
		list = append(list, step{d, 0})
	}
	if l.Depth > 0 {
		return list
	}
	for s := range certain + 1 {
		list = append(list, step{n, s})
	}
	return list
}

// share returns how much of a clock a move may take: usually, and at the most.
// The moves that matter are those before the end is solved; about a dozen of
// the last need next to nothing.
func share(c *engine.Clock, n int) (usual, most time.Duration) {
	moves := max((n-12)/2, 2)
	if c.Moves > 0 {
		moves = min(moves, c.Moves)
	}
	usual = c.Left/time.Duration(moves+1) + c.Increment*3/4
	// A little is kept for what lies between the engine and the clock.
	rest := max(c.Left-c.Left/20-20*time.Millisecond, c.Left/4)
	most = min(3*usual, rest)
	return min(usual, most), most
}
