package reversi

import (
	"cmp"
	"context"
	"slices"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// SolveOptions say what is asked about the end of a game.
type SolveOptions struct {
	// All values every move; without it one best move is enough.
	All bool

	// Best finds all moves that are as good as the best.
	Best bool

	// Win asks only who wins: values are 1, 0 and -1, and it takes a fraction of
	// the time.
	Win bool

	Threads int
	Time    time.Duration // 0 for as long as it takes
}

// Solution is the truth about a position, unless it is marked otherwise.
type Solution struct {
	// Value is the difference of discs at the end for the side to move; with
	// SolveOptions.Win it is 1, 0 or -1.
	Value int

	// Exact tells that the value is proven. Without it the time was over, and
	// the value is a guess.
	Exact bool

	// Moves are the moves that were asked for, the best first; empty where the
	// game is over.
	Moves []Solved

	Nodes   int64
	Elapsed time.Duration
}

// Solved is a move and what it leads to.
type Solved struct {
	Move  game.Move
	Value int // as that of the Solution
	Exact bool
	Line  []game.Move // the move and what both sides do best then; may end early
}

// Solve reads a position to the end of the game. watch, which may be nil, is
// told what is known so far. It returns what it has when the context ends or
// the time is over, and an error only where that is nothing.
func (e *Engine) Solve(ctx context.Context, p *othello.Position, o SolveOptions, watch func(*engine.Report)) (*Solution, error) {
	own, opp := p.Discs(p.Turn()), p.Discs(p.Turn()^1)
	ctx, end, err := e.begin(ctx, false)
	if err != nil {
		return nil, err
	}
	defer end()
	multi := 1
	if o.All && !o.Win {
		multi = -1
	}
	q, ok := newQuest(ctx, own, opp, e.threads(o.Threads), multi, 0)
	if !ok {
		s := &Solution{Value: finish(own, opp), Exact: true, Moves: []Solved{}}
		if o.Win {
			s.Value = cmp.Compare(s.Value, 0)
		}
		return s, nil
	}
	if o.Time > 0 {
		q.deadline = q.began.Add(o.Time)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	q.start(e.table)
	for _, s := range toEnd(q.n) {
		if o.Win && s.depth == q.n {
			q.floor, q.ceiling = -scale, scale
		}
		if !q.search(s.depth, s.sure) {
			break
		}
		if watch != nil {
			watch(q.report())
		}
	}
	proven := q.depth == q.n && q.sure == certain
	if proven && (o.Best || o.All && o.Win) {
		proven = q.compare(o.All)
	}
	return q.solution(o, proven), nil
}

// compare finds out about every move whether it is as good as the best, or with
// all set whether it wins, draws or loses.
func (q *quest) compare(all bool) bool {
	w := q.workers[0]
	best := max(q.floor, min(q.ceiling, q.options[0].value))
	q.options[0].value = best
	for i := 1; i < len(q.options); i++ {
		x := &q.options[i]
		w.feat[q.n].Set(q.own, q.opp)
		w.enter(&x.child, q.own, q.n)
		a, b := best-1, best
		if all {
			a, b = q.floor, q.ceiling
		}
		v := 64 * scale
		if x.own != 0 {
			v = -w.mid(x.own, x.opp, -b, -a, q.n-1, q.n-1, x.moves, certain)
		}
		if w.stopped {
			return false
		}
		x.value, x.bound, x.depth, x.sure = max(q.floor, min(q.ceiling, v)), 0, q.n, certain
		if !all && v < best {
			x.bound = -1
		}
	}
	// Equal ones stand in the order of the board.
	slices.SortFunc(q.options, func(x, y option) int {
		return cmp.Or(cmp.Compare(y.value, x.value), cmp.Compare(x.square, y.square))
	})
	return true
}

func (q *quest) solution(o SolveOptions, proven bool) *Solution {
	s := &Solution{Exact: proven, Nodes: q.nodes(), Elapsed: time.Since(q.began), Moves: []Solved{}}
	s.Value = discs(q.options[0].value)
	if o.Win {
		s.Value = cmp.Compare(s.Value, 0)
	}
	for i := range q.options {
		x := &q.options[i]
		v := discs(x.value)
		if o.Win {
			v = cmp.Compare(v, 0)
		}
		if i > 0 && !o.All && (!o.Best || !proven || x.bound < 0 || v != s.Value) {
			continue
		}
		s.Moves = append(s.Moves, Solved{Move: move(x.square), Value: v, Exact: proven && x.sure == certain && x.depth == q.n, Line: q.line(x)})
	}
	return s
}

// discs rounds hundredths to whole discs.
func discs(v int) int { return floor(v+scale/2, scale) }
