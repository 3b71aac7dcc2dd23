// Package accuracy measures how wrong an engine is about what moves give away: what
// a review may call a mistake depends on it.
package accuracy

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/review"
	"qipu/workshop/parallel"
)

// Options say what is measured, and by what.
type Options struct {
	Depths []int // of the reviews that are measured
	Truth  int   // the depth that they are measured by
	Solve  int   // empty points up to which the truth is exact
	Moves  int   // how many are looked at
	Seed   uint64

	// Threads is how many moves are looked at beside each other, each by an engine of
	// its own; 0 for one.
	Threads int

	// OnMove is told when a move is done; may be nil. Calls may come at once.
	OnMove func()
}

// Error is how wrong reviews of a depth are.
type Error struct {
	Depth int     // that the review was asked for
	Mean  float64 // of all moves
	Most  float64 // by how much at most it accuses nineteen of twenty moves wrongly that it says give something away
	Lose  int     // how many those are
	Moves int

	// Blunders is how many moves a review with that error calls so, and Unjust how many
	// of these the truth does not blame at all.
	Blunders, Unjust int

	// Nodes is how many positions were read for a move, in the mean, and Truth how many
	// for the truth.
	Nodes, Truth float64
}

// counting counts the positions that an engine reads. Of its proofs it knows nothing.
type counting struct {
	engine.Engine
	nodes int64
}

func (c *counting) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	r, err := c.Engine.Think(ctx, t, l, watch)
	if err == nil {
		c.nodes += r.Nodes
	}
	return r, err
}

// Sample chooses moves of games: none where there was no choice, or where reviews
// solve anyway.
func Sample(games []*engine.Task, o Options) (list []*engine.Task, err error) {
	rng := rand.New(rand.NewPCG(o.Seed, 1))
	for range 50 * o.Moves {
		if len(list) == o.Moves || len(games) == 0 {
			break
		}
		g := games[rng.IntN(len(games))]
		if len(g.Moves) < 2 {
			continue
		}
		n := 1 + rng.IntN(len(g.Moves)-1)
		before := &engine.Task{Rules: g.Rules, Start: g.Start, Moves: g.Moves[:n:n]}
		p, err := before.Position()
		if err != nil {
			return nil, err
		}
		if len(p.AppendMoves(nil)) > 1 && empty(p, g.Rules.Geometry().Size) > solvedAnyway {
			list = append(list, &engine.Task{Rules: g.Rules, Start: g.Start, Moves: g.Moves[: n+1 : n+1]})
		}
	}
	return list, nil
}

// solvedAnyway is one point more than reviews solve by default: the position behind
// the move counts, too.
const solvedAnyway = 17

func empty(p game.Position, size board.Size) int {
	planar, ok := p.(game.Planar)
	if !ok {
		return size.W * size.H
	}
	all := planar.Planes().Occupied()
	return size.W*size.H - all.Count()
}

// Measure reviews the last move of each task at every depth and by the truth, and
// compares what it is said to give away.
func Measure(ctx context.Context, open func() (engine.Engine, error), tasks []*engine.Task, o Options) ([]Error, error) {
	engines := make([]*counting, max(o.Threads, 1))
	for i := range engines {
		e, err := open()
		if err != nil {
			return nil, err
		}
		defer e.Close()
		engines[i] = &counting{Engine: e}
	}
	loss := func(e *counting, t *engine.Task, depth, solve int) (x float64, nodes int64, err error) {
		before := e.nodes
		r, err := review.Run(ctx, e, t, review.Options{
			Limits: engine.Limits{Depth: depth}, Solve: solve, From: len(t.Moves), Chosen: true,
		})
		if err != nil {
			return 0, 0, err
		}
		return r.Moves[0].Loss, e.nodes - before, nil
	}
	said := make([][]float64, len(tasks))
	read := make([][]int64, len(tasks))
	truth := make([]float64, len(tasks))
	errs := make([]error, len(tasks))
	parallel.Each(len(tasks), len(engines), func(worker, i int) {
		// The shallow ones first: what the deep one leaves in the table would
		// make them better than they are.
		for _, depth := range append(slices.Clone(o.Depths), o.Truth) {
			solve := -1
			if len(said[i]) == len(o.Depths) {
				solve = o.Solve
			}
			x, nodes, err := loss(engines[worker], tasks[i], depth, solve)
			if errs[i] = err; err != nil {
				return
			}
			said[i], read[i] = append(said[i], x), append(read[i], nodes)
		}
		truth[i] = said[i][len(o.Depths)]
		if o.OnMove != nil {
			o.OnMove()
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	off := make([][]float64, len(o.Depths))  // of all moves
	lost := make([][]float64, len(o.Depths)) // of those that are said to give something away
	for at := range tasks {
		for i := range o.Depths {
			x := said[at][i] - truth[at]
			off[i] = append(off[i], math.Abs(x))
			if said[at][i] > 0 {
				lost[i] = append(lost[i], max(x, 0))
			}
		}
	}
	var result []Error
	for i, depth := range o.Depths {
		r := Error{Depth: depth, Moves: len(off[i]), Lose: len(lost[i])}
		for _, d := range off[i] {
			r.Mean += d / float64(len(off[i]))
		}
		if len(lost[i]) > 0 {
			slices.Sort(lost[i])
			r.Most = lost[i][min(len(lost[i])-1, len(lost[i])*19/20)]
		}
		for at, t := range tasks {
			r.Nodes += float64(read[at][i]) / float64(len(tasks))
			r.Truth += float64(read[at][len(o.Depths)]) / float64(len(tasks))
			unit := review.UnitOf(t.Rules)
			if x := said[at][i]; x > r.Most && unit.Mark(x) == review.Blunder {
				r.Blunders++
				if unit.Mark(truth[at]) == review.Fine {
					r.Unjust++
				}
			}
		}
		result = append(result, r)
	}
	return result, nil
}
