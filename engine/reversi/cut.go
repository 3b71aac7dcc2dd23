package reversi

import "math"

// sureness are the ways to search: each leaves out what a shallower search says
// is outside of the window by so many standard errors. The last leaves nothing
// out.
var sureness = [...]struct {
	percent int
	width   float64
}{{73, 1.1}, {87, 1.5}, {95, 2.0}, {99, 2.6}, {100, 0}}

const certain = len(sureness) - 1

// The least depths that a shallower search may stand for.
const (
	cutFrom    = 3
	endCutFrom = 12 // in a search to the end
)

// shallow returns the depth of the search that stands for one of a depth: about
// half of it, and of the same parity, since values at odd and at even depths
// differ.
func shallow(depth, n int) int {
	d := depth/4*2 + depth&1
	if depth >= n && d > 8 {
		d = 8 + depth&1
	}
	return max(d, 1)
}

// deviation returns the standard error, in hundredths of a disc, of a search of
// depth d as a guess of what one of depth says, with n empty squares. The
// numbers were fitted to those that TestDeviation measures.
func deviation(n, depth, d int) float64 {
	x, l := float64(n), math.Log(float64(1+d))
	if depth >= n {
		return math.Exp(6.70 + 0.0224*x - 0.428*l)
	}
	return math.Exp(6.53 - 0.0209*x + 0.36*math.Log(float64(depth-d)) - 0.41*l)
}

// far holds, for each sureness, how far outside of the window the shallower
// search has to be, by empty squares and depth.
var far = makeFar()

func makeFar() *[certain][61][61]int16 {
	t := new([certain][61][61]int16)
	for s := range t {
		for n := range t[s] {
			for depth := cutFrom; depth <= n; depth++ {
				t[s][n][depth] = int16(min(2*most, sureness[s].width*deviation(n, depth, shallow(depth, n))))
			}
		}
	}
	return t
}

// probable asks a shallower search whether the value is probably outside of the
// window of one, unless the look of the position already speaks against that.
func (w *worker) probable(own, opp uint64, alpha, depth, n int, moves uint64, sure int) (int, bool) {
	if r := w.record; r != nil {
		w.record = nil
		v, ok := w.probable(own, opp, alpha, depth, n, moves, sure)
		w.record = r
		return v, ok
	}
	d := shallow(depth, n)
	margin := int(far[sure][n][depth])
	look := w.judge(n)
	if up := alpha + margin; up < most && look > alpha-margin/2 {
		if w.mid(own, opp, up, up+1, d, n, moves, sure) > up {
			return alpha + 1, !w.stopped
		}
	}
	if down := alpha + 1 - margin; down > -most && look < alpha+margin/2 {
		if w.mid(own, opp, down-1, down, d, n, moves, sure) < down {
			return alpha, !w.stopped
		}
	}
	return 0, false
}
