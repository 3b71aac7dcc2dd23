package server

import (
	"context"
	"fmt"

	"qipu/game"
	"qipu/view"
	"qipu/view/gameview"
)

func (s *Server) registerGames() {
	get(s, kept, "/games", "list-games", "games", "Kinds of game, their boards and how many records there are", s.games)
	get(s, kept, "/position", "get-position", "games", "A position, the moves that are possible in it, and what a move makes of it", s.position)
	get(s, kept, "/perft", "count-lines", "games", "Count the lines of a depth, the proof of a move generator", s.perft)
	plain(s, kept, "/draw.svg", "draw-svg", "games", "A picture of a position", "image/svg+xml", s.drawSVG)
	plain(s, kept, "/draw.txt", "draw-text", "games", "A position in letters, as terminals show it", "text/plain", s.drawText)
}

func (s *Server) games(ctx context.Context, _ *struct{}) (*view.Games, error) {
	list, err := s.tallied(ctx)
	return &view.Games{Games: list}, err
}

// stand returns the position that the parameters name. Moves are to be written
// in the notation.
func (s *Server) stand(in *Placed, notation string) (*gameview.Standing, error) {
	k, err := s.kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	write, err := k.Notation(notation)
	if err != nil {
		return nil, err
	}
	at, err := k.Stand(in.Line, in.Back, in.Play)
	if err != nil {
		return nil, err
	}
	at.Write = write
	return at, nil
}

type positionInput struct {
	Placed
	Writing
}

func (s *Server) position(ctx context.Context, in *positionInput) (*view.Position, error) {
	at, err := s.stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	return at.Position(true), nil
}

type perftInput struct {
	Placed
	Writing
	Depth int `query:"depth" minimum:"0" maximum:"6" default:"3" doc:"Small enough for some million lines"`
}

// maxLeaves bounds what one request may count: some seconds.
const maxLeaves = 30_000_000

func (s *Server) perft(ctx context.Context, in *perftInput) (*view.Perft, error) {
	at, err := s.stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	o := at.Rules.Info().Perft
	o.FreePass = false
	// How many there will be is told by the depths before, which cost a small
	// part of the last.
	for depth, before, now := 1, 1.0, 1.0; depth < in.Depth; depth++ {
		before, now = now, float64(game.Perft(at.Pos, depth, o))
		if expected := now * now / max(before, 1) * 1.2; expected > maxLeaves || ctx.Err() != nil {
			return nil, bad("too-much", fmt.Sprintf("Ask for depth %d.", depth), "about %.0f million lines are too many to count here", expected/1e6)
		}
	}
	w := &view.Perft{Depth: in.Depth, Moves: []view.PerftMove{}}
	if in.Depth == 0 {
		w.Nodes = game.Perft(at.Pos, 0, o)
		return w, nil
	}
	for m, n := range game.Divide(at.Pos, in.Depth, o) {
		w.Moves = append(w.Moves, view.PerftMove{Move: game.FormatMove(at.Rules, at.Pos, m, at.Write), Nodes: n})
		w.Nodes += n
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return w, nil
}
