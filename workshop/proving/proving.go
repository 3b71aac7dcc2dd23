// Package proving measures the methods of the laboratory that promise more or less than a
// value on tactical positions of real games: B*, which proves which move is best, and
// band width, which states how wrong it may be.
package proving

import (
	"context"
	"math/rand/v2"

	"qipu/engine"
	"qipu/engine/classic"
	"qipu/game"
)

// Options say what is measured.
type Options struct {
	Positions int          // how many
	Depth     int          // of the search that finds tactical positions, and of band width
	Gap       engine.Value // by which the best move must be better than the next
	Nodes     int64        // that B* may enter
	Band      engine.Value // that band width states
	Seed      uint64
}

// Tactical is a position in which one move is much better than all others.
type Tactical struct {
	Task *engine.Task
	Best game.Move
	Mate bool // it wins the game
}

// Cut finds tactical positions in games: those in which an engine that reads to the depth
// finds one move better than the next by the gap. Games are taken by chance, one position
// of each at a time. Found is told of each; it may be nil.
func Cut(ctx context.Context, e engine.Engine, games []*engine.Task, o Options, found func()) (list []Tactical, tried int, err error) {
	rng := rand.New(rand.NewPCG(o.Seed, 6))
	for ; len(list) < o.Positions && len(games) > 0 && tried < 100*o.Positions; tried++ {
		g := games[rng.IntN(len(games))]
		n := rng.IntN(len(g.Moves) + 1)
		t := &engine.Task{Rules: g.Rules, Start: g.Start, Moves: g.Moves[:n:n]}
		p, err := t.Position()
		if err != nil {
			return nil, tried, err
		}
		if p.Outcome().Over() || len(p.AppendMoves(nil)) < 2 {
			continue
		}
		r, err := e.Think(ctx, t, engine.Limits{Depth: o.Depth, Multi: 2}, nil)
		if err := context.Cause(ctx); err != nil {
			return nil, tried, err
		}
		if err != nil {
			return nil, tried, err
		}
		if len(r.Lines) < 2 || r.Lines[0].Value-r.Lines[1].Value < o.Gap {
			continue
		}
		list = append(list, Tactical{Task: t, Best: r.Lines[0].Move, Mate: r.Lines[0].Value >= engine.Decided})
		if found != nil {
			found()
		}
	}
	return list, tried, nil
}

// Proof is what became of one position.
type Proof struct {
	Proved bool  // B* proved a move best
	Agrees bool  // it is the move of the search that found the position
	Nodes  int64 // of B*

	AlphaBeta int64 // nodes of alpha-beta to the depth, moves ordered by judgement
	Banded    int64 // nodes of band width to the same depth, in the same order
	Error     engine.Value
	Within    bool // the error is not larger than the band
}

// Prove runs the methods on a position.
func Prove(ctx context.Context, eval engine.Evaluator, t Tactical, o Options) (r Proof, err error) {
	p, err := t.Task.Position()
	if err != nil {
		return r, err
	}
	run := func(method string, problem classic.Problem) (*classic.Result, error) {
		problem.Position, problem.Eval = p, eval
		x, err := classic.Run(ctx, method, problem)
		if err == nil {
			err = context.Cause(ctx)
		}
		return x, err
	}
	x, err := run("bstar", classic.Problem{Depth: 1, Nodes: o.Nodes})
	if err != nil {
		return r, err
	}
	r.Proved, r.Agrees, r.Nodes = x.Proved, x.Move == t.Best, x.Nodes
	deep := classic.Problem{Depth: o.Depth, Nodes: 1 << 40, Order: classic.Static, Band: o.Band}
	if x, err = run("alphabeta", deep); err != nil {
		return r, err
	}
	truth := x.Value
	r.AlphaBeta = x.Nodes
	if x, err = run("bandwidth", deep); err != nil {
		return r, err
	}
	r.Banded, r.Error = x.Nodes, max(x.Value-truth, truth-x.Value)
	r.Within = r.Error <= o.Band
	return r, nil
}
