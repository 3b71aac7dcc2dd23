package opening

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"qipu/engine"
	"qipu/game"
)

// StartOptions say how a beginning is made. The zero value makes eight random
// plies.
type StartOptions struct {
	Plies int // default 8
	Seed  uint64

	// Judge returns the value of a position for the side to move; with it only
	// beginnings count that neither side has won: those within Limit. It may be
	// a book, an engine of few milliseconds, or both. Nil takes any.
	Judge func(context.Context, game.Position) (engine.Value, error)
	Limit engine.Value // default four discs
}

// tries is how many beginnings are made before one is taken that is not
// balanced, the least unbalanced of all.
const tries = 64

// Start returns the moves of a beginning that was made by chance: no two games
// from different seeds are alike, and neither side is lost. The same seed makes
// the same beginning, if the judge judges the same.
func Start(ctx context.Context, r game.Rules, o StartOptions) ([]game.Move, error) {
	if o.Plies <= 0 {
		o.Plies = 8
	}
	if o.Limit <= 0 {
		o.Limit = 4 * engine.Unit
	}
	rnd := rand.New(rand.NewPCG(o.Seed, 0x9E3779B97F4A7C15))
	var best []game.Move
	least := engine.Value(0)
	for range tries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, line := r.Start(), []game.Move(nil)
		for len(line) < o.Plies {
			moves := p.AppendMoves(nil)
			if len(moves) > 1 && moves[len(moves)-1] == game.Pass { // a pass is no beginning
				moves = moves[:len(moves)-1]
			}
			if len(moves) == 0 {
				break
			}
			m := moves[rnd.IntN(len(moves))]
			if err := p.Play(m); err != nil {
				return nil, fmt.Errorf("opening: %w", err)
			}
			line = append(line, m)
		}
		if len(line) < o.Plies || p.Outcome().Over() {
			continue
		}
		if o.Judge == nil {
			return line, nil
		}
		v, err := o.Judge(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("opening: %w", err)
		}
		if v = max(v, -v); v <= o.Limit {
			return line, nil
		}
		if best == nil || v < least {
			best, least = line, v
		}
	}
	if best == nil {
		return nil, errors.New("opening: every beginning ends the game: ask for fewer plies")
	}
	return best, nil
}
