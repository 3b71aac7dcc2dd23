package server

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"qipu/board"
	"qipu/book"
	"qipu/engine"
	"qipu/game"
	"qipu/opening"
	"qipu/opening/ecco"
	"qipu/server/guard"
	"qipu/view"
)

func (s *Server) registerOpenings() {
	get(s, "/openings", "list-openings", "book", "The named openings of a game, with what the book knows of them", s.namedOpenings)
}

// opener is a game whose rules know the names of openings.
type opener interface {
	Opening(moves []game.Move) (names board.Names, code string, ok bool)
}

// coded are the openings of a game that has codes for them.
type coded struct{}

func (coded) Opening(moves []game.Move) (names board.Names, code string, ok bool) {
	code, _ = ecco.Classify(moves)
	e, ok := ecco.Lookup(code)
	return e.Names, code, ok
}

// opener returns who knows openings by the moves of a line; nil where positions are
// known instead.
func (at *standing) opener() opener {
	if rules, ok := at.rules.(opener); ok {
		return rules
	}
	if ecco.Holds(at.rules) {
		return coded{}
	}
	return nil
}

// opening returns the deepest named opening of the line: by its moves, or as the
// position is called.
func (at *standing) opening() (o view.Opening) {
	if known := at.opener(); known != nil {
		if at.base != "" {
			return o
		}
		if names, code, ok := known.Opening(at.moves); ok {
			o = view.Opening{Name: names.En, Code: code, Names: &names}
		}
		return o
	}
	var start game.Position
	if at.base != "" {
		setup, err := game.ParseSetup(at.rules, at.base)
		if err != nil {
			return o
		}
		if start, err = at.rules.Arrange(setup); err != nil {
			return o
		}
	}
	known, ok := at.names().Deepest(start, at.moves)
	if !ok {
		known, ok = at.names().Fuseki(start, at.moves)
	}
	if ok {
		o = view.Opening{Name: known.Names.En, Names: &known.Names}
	}
	return o
}

// makes returns the opening that a move makes, which is played on the position.
func (at *standing) makes(m game.Move) (o view.Opening) {
	if at.pos.Play(m) != nil {
		return o
	}
	defer at.pos.Undo()
	if at.opener() != nil {
		before := at.opening()
		at.moves = append(at.moves, m)
		after := at.opening()
		at.moves = at.moves[:len(at.moves)-1]
		if after.Name != before.Name || after.Code != before.Code {
			return after
		}
		return o
	}
	if known, ok := at.names().At(at.pos); ok {
		o = view.Opening{Name: known.Names.En, Names: &known.Names}
	}
	return o
}

type openingsInput struct {
	Game      string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"othello"`
	Threshold int    `query:"threshold" minimum:"1" maximum:"1000000" default:"20" doc:"How many games a move needs for its results to count"`
}

func (s *Server) namedOpenings(ctx context.Context, in *openingsInput) (*view.Openings, error) {
	k, err := s.kind(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	w := &view.Openings{Openings: []view.NamedOpening{}}
	list := k.names().List()
	if len(list) == 0 {
		return w, nil
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	v, err := s.volume(ctx, k.Kind)
	if err != nil {
		return nil, err
	}
	for i := range list {
		o := &list[i]
		at := &standing{kind: k, pos: k.rules.Start(), moves: o.Moves}
		for _, m := range o.Moves {
			if err := at.pos.Play(m); err != nil {
				return nil, err
			}
		}
		l := v.look(at, book.LookOptions{Threshold: in.Threshold, NoBelow: true})
		e := &l.entry
		w.Openings = append(w.Openings, view.NamedOpening{
			ID: o.ID, Names: o.Names, Line: at.line(at.played(game.AnyNotation)), Ply: len(o.Moves), Parent: o.Parent, Games: e.N,
			Score: countsOf(e.Counts, at.pos.Turn()), Values: l.values(l.says.Values, e.R, e.HasR, e.Exact, e.HasExact),
		})
	}
	return w, nil
}

// opened returns where a new game begins.
func (s *Server) opened(ctx context.Context, rules game.Rules, b *view.NewSession, seed uint64) (*standing, error) {
	at, err := s.stand(ctx, &Placed{Game: specFor(rules), Line: b.Line}, "")
	if err != nil || b.Opening == "" {
		return at, err
	}
	if b.Line != "" {
		return nil, bad("opening", "Send one of both.", "a game begins behind a line or behind an opening, and not behind both")
	}
	list := at.names().List()
	switch o, ok := at.names().Find(b.Opening); {
	case ok && o.Kind != opening.Position:
		return nil, bad("opening", "Send a line that leads there.", "%s is not one position, and a game cannot begin behind it", o.Names.En)
	case ok:
		at.moves = o.Moves
	case strings.EqualFold(b.Opening, "xot"):
		if at.moves, err = s.balanced(ctx, rules, seed); err != nil {
			return nil, err
		}
	case strings.EqualFold(b.Opening, "random") && len(list) > 0:
		at.moves = list[rand.New(rand.NewPCG(seed, 0)).IntN(len(list))].Moves
	default:
		return nil, notFound("List the openings that there are, or send xot for a random start.", "%s has no opening %q", at.spec, b.Opening)
	}
	for _, m := range at.moves {
		if err := at.pos.Play(m); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// balanced returns a beginning that was made by chance, behind which an engine
// that looks for a moment thinks neither side to be far ahead.
func (s *Server) balanced(ctx context.Context, rules game.Rules, seed uint64) (moves []game.Move, err error) {
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
