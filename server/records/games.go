package records

import (
	"context"
	"fmt"
	"slices"

	"qipu/game"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/libraryview"
)

func (s *room) registerGames() {
	api.Get(s.Service, api.Kept, "/games", "list-games", "games", "Kinds of game, their boards and how many records there are", s.games)
	api.Get(s.Service, api.Kept, "/position", "get-position", "games", "A position, the moves that are possible in it, and what a move makes of it", s.position)
	api.Get(s.Service, api.Kept.InTurn(), "/perft", "count-lines", "games", "Count the lines of a depth, the proof of a move generator", s.perft)
	api.Plain(s.Service, api.Kept, "/draw.svg", "draw-svg", "games", "A picture of a position", "image/svg+xml", s.drawSVG)
	api.Plain(s.Service, api.Kept, "/draw.png", "draw-png", "games", "A picture of a position, as pixels: 600 wide, or up to 1600", "image/png", s.drawPNG)
	api.Plain(s.Service, api.Kept, "/draw.txt", "draw-text", "games", "A position in letters, as terminals show it", "text/plain", s.drawText)
}

type gamesInput struct {
	Game string `query:"game" maxLength:"100" doc:"This kind alone, on any board that it can be played on" example:"weiqi:7x7"`
}

func (s *room) games(ctx context.Context, in *gamesInput) (*view.Games, error) {
	list, err := libraryview.GamesOf(ctx, s.Lib.Records(), s.Kinds)
	if err != nil || in.Game == "" {
		return &view.Games{Games: list}, err
	}
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(list, func(g view.Game) bool { return g.Spec == k.Spec }); i >= 0 {
		return &view.Games{Games: list[i : i+1]}, nil
	}
	return &view.Games{Games: []view.Game{k.Game}}, nil
}

type positionInput struct {
	api.Placed
	api.Writing
}

func (s *room) position(ctx context.Context, in *positionInput) (*view.Position, error) {
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	return at.Position(true), nil
}

type perftInput struct {
	api.Placed
	api.Writing
	Depth int `query:"depth" minimum:"0" maximum:"6" default:"3" doc:"Small enough for some million lines"`
}

// maxLeaves bounds what one request may count: some seconds.
const maxLeaves = 30_000_000

func (s *room) perft(ctx context.Context, in *perftInput) (*view.Perft, error) {
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	o := at.Rules.Info().Perft
	o.FreePass = false
	// How many there will be is told by the depths before, which cost a small
	// part of the last.
	for depth, before, now := 1, 1.0, 1.0; depth < in.Depth; depth++ {
		before, now = now, float64(game.Perft(at.Pos, depth, o))
		if expected := now * now / max(before, 1) * 1.2; expected > maxLeaves || ctx.Err() != nil {
			return nil, api.Bad("too-much", fmt.Sprintf("Ask for depth %d.", depth), "about %.0f million lines are too many to count here", expected/1e6)
		}
	}
	w := &view.Perft{Depth: in.Depth, Moves: []view.PerftMove{}}
	if in.Depth == 0 {
		w.Nodes = game.Perft(at.Pos, 0, o)
		return w, nil
	}
	for m, n := range game.Divide(ctx, at.Pos, in.Depth, o) {
		w.Moves = append(w.Moves, view.PerftMove{Move: game.FormatMove(at.Rules, at.Pos, m, at.Write), Nodes: n})
		w.Nodes += n
	}
	return w, ctx.Err()
}
