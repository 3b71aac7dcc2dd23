package play

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
	"qipu/opening"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
	"qipu/view/bookview"
	"qipu/view/gameview"
)

func (s *room) registerOpenings() {
	api.Get(s.Service, api.Kept.InTurn(), "/openings", "list-openings", "book", "The named openings of a game, with what the book knows of them", s.namedOpenings)
}

type openingsInput struct {
	Game      string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"othello"`
	Threshold int    `query:"threshold" minimum:"1" maximum:"1000000" default:"20" doc:"How many games a move needs for its results to count"`
}

func (s *room) namedOpenings(ctx context.Context, in *openingsInput) (*view.Openings, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	w := &view.Openings{Openings: []view.NamedOpening{}}
	list := k.Names().List()
	if len(list) == 0 {
		return w, nil
	}
	v, err := s.volume(ctx, k.Index)
	if err != nil {
		return nil, err
	}
	for i := range list {
		o := &list[i]
		at := &gameview.Standing{Kind: k, Pos: k.Rules.Start(), Moves: o.Moves}
		for _, m := range o.Moves {
			if err := at.Pos.Play(m); err != nil {
				return nil, err
			}
		}
		l := v.Look(at, book.LookOptions{Threshold: in.Threshold, NoBelow: true})
		e := &l.Entry
		w.Openings = append(w.Openings, view.NamedOpening{
			ID: o.ID, Names: o.Names, Line: at.Line(at.Played(game.AnyNotation)), Ply: len(o.Moves), Parent: o.Parent, Games: e.N,
			Score: bookview.CountsOf(e.Counts, at.Pos.Turn()), Values: l.Values(l.Says.Values, e.R, e.HasR, e.Exact, e.HasExact),
		})
	}
	return w, nil
}

// opened returns where a new game begins.
func (s *room) opened(ctx context.Context, rules game.Rules, b *view.NewSession, seed uint64) (*gameview.Standing, error) {
	at, err := s.Stand(&api.Placed{Game: gameview.RulesSpec(rules), Line: b.Line}, "")
	if err != nil || b.Opening == "" {
		return at, err
	}
	if b.Line != "" {
		return nil, api.Bad("opening", "Send one of both.", "a game begins behind a line or behind an opening, and not behind both")
	}
	list := at.Names().List()
	switch o, ok := at.Names().Find(b.Opening); {
	case ok && o.Kind != opening.Position:
		return nil, api.Bad("opening", "Send a line that leads there.", "%s is not one position, and a game cannot begin behind it", o.Names.En)
	case ok:
		at.Moves = o.Moves
	case strings.EqualFold(b.Opening, "xot"):
		if at.Moves, err = s.balanced(ctx, rules, seed); err != nil {
			return nil, err
		}
	case strings.EqualFold(b.Opening, "random") && len(list) > 0:
		at.Moves = list[rand.New(rand.NewPCG(seed, 0)).IntN(len(list))].Moves
	default:
		return nil, api.NotFound("List the openings that there are, or send xot for a random start.", "%s has no opening %q", at.Spec, b.Opening)
	}
	for _, m := range at.Moves {
		if err := at.Pos.Play(m); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// balanced returns a beginning that was made by chance, behind which an engine
// that looks for a moment thinks neither side to be far ahead.
func (s *room) balanced(ctx context.Context, rules game.Rules, seed uint64) (moves []game.Move, err error) {
	ctx, cancel := context.WithTimeout(ctx, longestThought)
	defer cancel()
	err = s.engines.Do(ctx, guard.Client(ctx), rules, func(e engine.Engine) error {
		var err error
		moves, err = opening.Start(ctx, rules, opening.StartOptions{Seed: seed, Judge: func(ctx context.Context, p game.Position) (engine.Value, error) {
			setup := game.SetupOf(p)
			r, err := e.Think(ctx, &engine.Task{Rules: rules, Start: &setup}, engine.Limits{Depth: 4, Time: 100 * time.Millisecond}, nil)
			if err != nil {
				return engine.NoValue, err
			}
			return r.Best().Value, nil
		}})
		return err
	})
	return moves, err
}
