package eval

import "math/bits"

// Most is the largest value of a position, in hundredths of a disc.
const Most = 6400

// Evaluate returns the value of a position for the side to move, whose discs
// are own, in hundredths of a disc. It reads all of the board; a search keeps
// features instead.
func (w *Weights) Evaluate(own, opp uint64) int {
	var f Features
	f.Set(own, opp)
	return f.Score(w, 64-bits.OnesCount64(own|opp))
}

// Score returns the value of the position for the side to move; empties is
// the number of its empty squares.
func (f *Features) Score(w *Weights, empties int) int {
	st := &w.stages[stageOf(empties)]
	sum := int(w.base[empties&63])
	if f.flip {
		for i := range f.index {
			x, t := lay.full[i]-f.index[i], st[i]
			sum += int(t[uint16(x)]) + int(t[uint16(x>>16)]) + int(t[uint16(x>>32)]) + int(t[x>>48])
		}
	} else {
		for i := range f.index {
			x, t := f.index[i], st[i]
			sum += int(t[uint16(x)]) + int(t[uint16(x>>16)]) + int(t[uint16(x>>32)]) + int(t[x>>48])
		}
	}
	return max(-Most, min(Most, sum))
}
