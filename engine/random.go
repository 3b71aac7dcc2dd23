package engine

import (
	"context"
	"math/rand/v2"
)

// Random is an engine that makes any legal move, each as likely as the others:
// the weakest player that there is, and the measure of whether another one
// understands anything. The move depends on Limits.Seed and the number of moves
// that were made.
type Random struct{}

// Info describes the engine.
func (Random) Info() Info { return Info{Name: "random", Version: "1"} }

// Close does nothing.
func (Random) Close() error { return nil }

// Think answers at once. The value of the move is not known.
func (Random) Think(ctx context.Context, t *Task, l Limits, _ func(*Report)) (*Report, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, ErrOver
	}
	rng := rand.New(rand.NewPCG(l.Seed, uint64(len(t.Moves))))
	m := moves[rng.IntN(len(moves))]
	return &Report{Lines: []Line{{Move: m, Value: NoValue, Moves: append(moves[:0], m)}}}, nil
}
