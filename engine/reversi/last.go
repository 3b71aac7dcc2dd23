package reversi

import "math/bits"

// The last few empty squares are played out by routines without lists and hash
// tables. All of them search with a window of one, from alpha to alpha+1, and
// return a value that is a bound where it lies outside: at most what is
// returned if that is at most alpha, at least what is returned otherwise.

const lost = -65 // less than any score

// last1 returns the score with one empty square left, for the side to move.
func last1(own uint64, alpha int, s uint) int {
	p := bits.OnesCount64(own)
	if n := closed(own, s); n != 0 {
		return 2*(p+n) - 62
	}
	least := 2*p - 64
	if least+2 <= alpha {
		return least + 2 // what the opponent gains there is of no matter
	}
	if n := closed(^own&^(1<<(s&63)), s); n != 0 {
		return least - 2*n
	}
	if p > 31 {
		return least + 2
	}
	return least
}

// last2 returns the score with two empty squares.
func (w *worker) last2(own, opp uint64, alpha int, a, b uint) int {
	w.nodes++
	best := lost
	if near[a&63]&opp != 0 {
		if f := flips(own, opp, a); f != 0 {
			best = -last1(opp&^f, ^alpha, b)
			if best > alpha {
				return best
			}
		}
	}
	if near[b&63]&opp != 0 {
		if f := flips(own, opp, b); f != 0 {
			return max(best, -last1(opp&^f, ^alpha, a))
		}
	}
	if best != lost {
		return best
	}
	// A pass: the opponent seeks the least.
	best = -lost
	if near[a&63]&own != 0 {
		if f := flips(opp, own, a); f != 0 {
			best = last1(own&^f, alpha, b)
			if best <= alpha {
				return best
			}
		}
	}
	if near[b&63]&own != 0 {
		if f := flips(opp, own, b); f != 0 {
			return min(best, last1(own&^f, alpha, a))
		}
	}
	if best != -lost {
		return best
	}
	return finish(own, opp)
}

// last3 returns the score with three empty squares, tried in their order.
func (w *worker) last3(own, opp uint64, alpha int, a, b, c uint) int {
	w.nodes++
	best := lost
	if near[a&63]&opp != 0 {
		if f := flips(own, opp, a); f != 0 {
			x, y := play(own, opp, f, a)
			best = -w.last2(x, y, ^alpha, b, c)
			if best > alpha {
				return best
			}
		}
	}
	if near[b&63]&opp != 0 {
		if f := flips(own, opp, b); f != 0 {
			x, y := play(own, opp, f, b)
			best = max(best, -w.last2(x, y, ^alpha, a, c))
			if best > alpha {
				return best
			}
		}
	}
	if near[c&63]&opp != 0 {
		if f := flips(own, opp, c); f != 0 {
			x, y := play(own, opp, f, c)
			return max(best, -w.last2(x, y, ^alpha, a, b))
		}
	}
	if best != lost {
		return best
	}
	if movable(opp, own) == 0 {
		return finish(own, opp)
	}
	return -w.last3(opp, own, ^alpha, a, b, c)
}

// last4 returns the score with four empty squares; odd are the quarters of the
// board with an odd number of them. Squares in odd quarters come first.
func (w *worker) last4(own, opp uint64, alpha int, odd uint8) int {
	w.nodes++
	empty := ^(own | opp)
	best := lost
	moves := empty & around(opp)
	for left, then := moves&quarters[odd&15], moves&^quarters[odd&15]; ; left, then = then, 0 {
		for ; left != 0; left &= left - 1 {
			m := uint(bits.TrailingZeros64(left)) & 63
			f := flips(own, opp, m)
			if f == 0 {
				continue
			}
			// Of three squares, at least one is in an odd quarter.
			rest := empty &^ (1 << m)
			a := rest & quarters[(odd^quadrant[m])&15]
			a &= -a
			rest ^= a
			x, y := play(own, opp, f, m)
			v := -w.last3(x, y, ^alpha, uint(bits.TrailingZeros64(a)), uint(bits.TrailingZeros64(rest)), uint(63-bits.LeadingZeros64(rest)))
			if v > best {
				if best = v; v > alpha {
					return v
				}
			}
		}
		if then == 0 {
			break
		}
	}
	if best != lost {
		return best
	}
	if movable(opp, own) == 0 {
		return finish(own, opp)
	}
	return -w.last4(opp, own, ^alpha, odd)
}

// tail searches four empty squares or fewer.
func (w *worker) tail(own, opp uint64, alpha, n int, odd uint8) int {
	var s [4]uint
	for i, e := 0, ^(own | opp); e != 0; i, e = i+1, e&(e-1) {
		s[i&3] = uint(bits.TrailingZeros64(e))
	}
	switch n {
	case 4:
		return w.last4(own, opp, alpha, odd)
	case 3:
		return w.last3(own, opp, alpha, s[0], s[1], s[2])
	case 2:
		return w.last2(own, opp, alpha, s[0], s[1])
	case 1:
		return last1(own, alpha, s[0])
	}
	return finish(own, opp)
}
