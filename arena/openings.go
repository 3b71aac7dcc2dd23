package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/opening"
)

// opening returns the opening of a pair.
func (m *match) opening(pair int) (Opening, error) {
	if n := len(m.Openings); n > 0 {
		return m.Openings[pair%n], nil
	}
	return Random(m.Rules, m.Plies, m.seed(-1-pair))
}

// Balanced makes an opening of moves by chance that an engine finds even.
func Balanced(ctx context.Context, r game.Rules, e engine.Engine, plies int, seed uint64) ([]game.Move, error) {
	return opening.Start(ctx, r, opening.StartOptions{Plies: plies, Seed: seed, Judge: func(ctx context.Context, p game.Position) (engine.Value, error) {
		setup := game.SetupOf(p)
		r, err := e.Think(ctx, &engine.Task{Rules: r, Start: &setup}, engine.Limits{Depth: 8, Nodes: 20_000}, nil)
		if err != nil {
			return 0, err
		}
		return r.Best().Value, nil
	}})
}

// Random makes an opening of moves by chance. On boards with much room the moves
// stay near each other, so that games begin as games do: the first in the
// middle, the others at most two steps from a piece. None of them ends the game
// or lets the next one end it.
func Random(r game.Rules, plies int, seed uint64) (Opening, error) {
	rng := rand.New(rand.NewPCG(seed, uint64(plies)))
	for range 1000 {
		if moves := stray(r, plies, rng); moves != nil {
			return Opening{Name: fmt.Sprintf("random %d-%04x", plies, seed>>48), Moves: moves}, nil
		}
	}
	return Opening{}, fmt.Errorf("arena: no opening of %d moves by chance is there in %s: try fewer", plies, r.Info().Titles.En)
}

// stray plays moves by chance, or returns nil where they end the game.
func stray(r game.Rules, plies int, rng *rand.Rand) []game.Move {
	p := r.Start()
	line := []game.Move{}
	var moves []game.Move
	for range plies {
		moves = sensible(r, p, p.AppendMoves(moves[:0]))
		if len(moves) == 0 {
			return nil
		}
		m := moves[rng.IntN(len(moves))]
		if p.Play(m) != nil || p.Outcome().Over() {
			return nil
		}
		line = append(line, m)
	}
	for _, m := range p.AppendMoves(moves[:0]) {
		if p.Play(m) != nil {
			return nil
		}
		over := p.Outcome().Over()
		p.Undo()
		if over {
			return nil
		}
	}
	return line
}

// sensible leaves the moves near other pieces out of those that put a piece
// anywhere, and passes only where nothing else is left.
func sensible(r game.Rules, p game.Position, moves []game.Move) []game.Move {
	if len(moves) > 1 {
		moves = slices.DeleteFunc(moves, func(m game.Move) bool { return m == game.Pass })
	}
	q, ok := p.(game.Planar)
	if !ok || len(moves) == 0 || moves[0].From() != board.NoPoint {
		return moves
	}
	s := r.Geometry().Size
	near := q.Planes().Occupied()
	if near.Empty() {
		near.Add(board.At(s.W/2, s.H/2))
	}
	for range 2 {
		beside := near.Neighbours(s)
		near.Or(&beside)
	}
	if kept := slices.DeleteFunc(slices.Clone(moves), func(m game.Move) bool { return m != game.Pass && !near.Has(m.To()) }); len(kept) > 0 {
		return kept
	}
	return moves
}
