// Package selfplay makes the library of games that the engine has played against
// itself: from every opening that has a name, by players of several levels, so
// that there is something to search, study and learn openings from before
// anybody has brought records along.
//
//	games, err := selfplay.Play(ctx, selfplay.Options{Rules: othello.Standard, Seed: sample.Seed, Games: 1000})
//	err = selfplay.Write(w, othello.Standard, games)
//
// A game depends on the seed and on its number alone: with the seed of the set
// in package sample the first games are the first games of that set, on every
// machine and however many are played at once. A change of the engine changes
// them; then the set is made anew.
package selfplay

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"qipu/arena"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/opening"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/sgf"
)

// Event is the event in the records.
const Event = "Qipu selfplay"

// Options say what is played.
type Options struct {
	Rules    game.Rules // with names of openings
	Seed     uint64
	Games    int // rounded up to whole rounds; see Play
	Parallel int // games at once; default 1

	Progress func(done, total int) // may be nil
}

// strengths are the levels that meet. A game of a round is of each of them in
// both colours, so that every opening is seen at every strength.
var strengths = []struct{ a, b int }{{4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}}

// Round is how many games a round has: a pair of each strength.
var Round = 2 * len(strengths)

// made is the day that all records bear: the games are not of any day.
var made = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Play plays the games, round by round: the pairs of a round begin with
// openings that follow each other in the list of the game's openings.
func Play(ctx context.Context, o Options) ([]*record.Game, error) {
	names := opening.Of(o.Rules)
	var openings []arena.Opening
	for _, line := range names.List() {
		if line.Source == opening.Egaroucid {
			continue // the set was made with the others alone
		}
		openings = append(openings, arena.Opening{Name: line.Names.En, Moves: line.Moves})
	}
	if len(openings) == 0 {
		return nil, fmt.Errorf("selfplay: %s has no openings with names", o.Rules.Info().Titles.En)
	}
	rounds := (o.Games + Round - 1) / Round
	done := 0
	played := make([][]*arena.Game, len(strengths))
	for i, s := range strengths {
		// Each strength goes through all openings, from another one on.
		from := i * len(openings) / len(strengths)
		result, err := arena.Match(ctx, player(o.Rules, s.a), player(o.Rules, s.b), arena.Options{
			Rules: o.Rules, Settlers: builtin.Settler, Games: 2 * rounds, Parallel: o.Parallel, Seed: o.Seed + uint64(i), Event: Event,
			Openings: slices.Concat(openings[from:], openings[:from]),
			Now:      func() time.Time { return made },
			Done: func(*arena.Game) {
				if done++; o.Progress != nil {
					o.Progress(done, rounds*Round)
				}
			},
		})
		if err != nil {
			return nil, err
		}
		played[i] = result.Games
	}
	var list []*record.Game
	for round := range rounds {
		for i := range strengths {
			for _, g := range played[i][2*round : 2*round+2] {
				list = append(list, header(g.Record, g.Opening, len(list)+1))
			}
		}
	}
	return list, nil
}

// player plays as well as a level. The levels that meet here read so little that
// nodes bound them and never time: moves do not depend on the machine.
func player(r game.Rules, level int) arena.Player {
	return arena.Player{Name: "Qipu level " + strconv.Itoa(level), Make: func() (engine.Engine, error) {
		e, err := builtin.Engine(r, engine.Options{})
		if err != nil {
			return nil, err
		}
		return engine.AtLevel(e, level), nil
	}}
}

// header writes what is known of a game into its record.
func header(g *record.Game, name string, number int) *record.Game {
	f := &g.Facts
	f.Opening, f.Round, f.Date = name, strconv.Itoa(number), facts.Date{}
	return g
}

// Write writes games as the set has them: a collection of SGF.
func Write(w io.Writer, r game.Rules, games []*record.Game) error {
	fit := make([]*record.Game, len(games))
	for i, g := range games {
		var err error
		if fit[i], err = record.Fit(sgf.Format, record.Play(r, g), ""); err != nil {
			return fmt.Errorf("selfplay: game %d: %w", i+1, err)
		}
	}
	return sgf.Format.(record.Writer).Write(w, slices.Values(fit))
}
