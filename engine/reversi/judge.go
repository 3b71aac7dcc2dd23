package reversi

import (
	"context"
	"math/bits"

	"qipu/engine/reversi/eval"
)

// Judge values positions for training, by weights that are still in the
// making. It forgets a position before the next one, so that a value does not
// depend on what was asked before. Each goroutine needs a judge of its own.
type Judge struct{ worker *worker }

// judgeMemory is small enough to stay in the cache: thoughts are short.
const judgeMemory = 1 << 20

// NewJudge returns a judge that holds on to the weights.
func NewJudge(w *eval.Weights) *Judge {
	k := newWorker(newTable(judgeMemory), &shared{ctx: context.Background()}, 0)
	k.weights = w
	return &Judge{k}
}

// begin makes ready for a position, and returns its empty squares and moves.
func (j *Judge) begin(own, opp uint64) (n int, moves uint64) {
	j.worker.transpositions.next(true)
	n = bits.OnesCount64(^(own | opp))
	j.worker.feat[n].Set(own, opp)
	return n, movable(own, opp)
}

// Search returns the value of a position for the side to move after reading so
// many moves ahead, in hundredths of a disc. What a shallower search thinks
// improbable is left out.
func (j *Judge) Search(own, opp uint64, depth int) int {
	n, moves := j.begin(own, opp)
	return j.deepen(own, opp, depth, n, moves)
}

// deepen searches with rising depth, since what is stored orders the moves, and
// by two moves at a time: values after an odd number of moves are too good for
// whoever has made the last.
func (j *Judge) deepen(own, opp uint64, depth, n int, moves uint64) (v int) {
	for d := 2 - depth%2; d <= depth; d += 2 {
		v = j.worker.mid(own, opp, -most, most, d, n, moves, 0)
	}
	return v
}

// Guess returns the value of a position for the side to move after reading to
// the end of the game, in discs, and leaving out what is improbable.
func (j *Judge) Guess(own, opp uint64) int {
	n, moves := j.begin(own, opp)
	j.deepen(own, opp, n/3, n, moves)
	return j.worker.exact(own, opp, -64, 64, n, moves, oddQuarters(^(own | opp)), 0)
}

// Solve returns the exact value of a position for the side to move, in discs.
func (j *Judge) Solve(own, opp uint64) int {
	n, moves := j.begin(own, opp)
	return j.worker.exact(own, opp, -64, 64, n, moves, oddQuarters(^(own | opp)), certain)
}
