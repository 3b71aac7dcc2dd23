package reversi

import (
	"context"

	"qipu/engine"
)

// Leaf is the best of some moves of a position.
type Leaf struct {
	Square uint8 // 8*row+column
	Value  engine.Value
	Depth  int
	Exact  bool // the game was read to its end
	Below  bool // it is worth no more than Value, which was all that was asked
}

// LeafOptions say what is asked.
type LeafOptions struct {
	Depth  int          // plies; to the end where that costs about as much
	Except uint64       // squares of moves that are left out
	Floor  engine.Value // less need not be told apart; NoValue for none

	// Keep lets the search use what earlier ones have found. It is faster where
	// positions follow from one another, and no longer the same every time.
	Keep bool
}

// Leaf searches a position, given by the discs of the side to move and those of the
// other, for the best move that is not left out; false where there is none, or
// where the context has ended.
func (e *Engine) Leaf(ctx context.Context, own, opp uint64, o LeafOptions) (l Leaf, ok bool, err error) {
	ctx, end, err := e.begin(ctx, !o.Keep)
	if err != nil {
		return l, false, err
	}
	defer end()
	q, ok := newQuest(ctx, own, opp, 1, 1, 0)
	if !ok || q.pass {
		return l, false, nil
	}
	kept := q.options[:0]
	for _, x := range q.options {
		if o.Except>>x.square&1 == 0 {
			kept = append(kept, x)
		}
	}
	if q.options = kept; len(kept) == 0 {
		return l, false, nil
	}
	if o.Floor != engine.NoValue {
		q.floor = max(q.floor, int(o.Floor))
	}
	q.tempo = true
	q.start(e.table)
	for _, s := range strides(plan(q.n, &engine.Limits{Depth: o.Depth})) {
		if !q.search(s.depth, s.sure) {
			return l, false, context.Cause(ctx)
		}
	}
	x := &q.options[0]
	l = Leaf{Square: x.square, Value: engine.Value(floor(x.value+5, 10) * 10), Depth: q.depth, Exact: x.depth >= q.n && x.sure == certain, Below: x.bound < 0}
	return l, true, nil
}

// stride is by how much depths rise from search to search: half of the time that
// every depth in turn would take, and values that differ by no more than those of
// another order of moves do.
const stride = 3

// strides leaves out of a plan with one sureness all but every third search, and the
// last.
func strides(list []step) (some []step) {
	if len(list) == 0 || list[0].sure != list[len(list)-1].sure {
		return list
	}
	for i := (len(list) - 1) % stride; i < len(list); i += stride {
		some = append(some, list[i])
	}
	return some
}
