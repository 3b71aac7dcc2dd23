package reversi

import "math/bits"

// most is the largest value of a position, in hundredths of a disc.
const most = 6400

func (w *Weights) evaluate(own, opp uint64) int {
	var f features
	f.set(own, opp)
	return f.score(w, 64-bits.OnesCount64(own|opp))
}

// score returns the value of the position for the side to move; empties is
// the number of its empty squares.
func (f *features) score(w *Weights, empties int) int {
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
	return max(-most, min(most, sum))
}
