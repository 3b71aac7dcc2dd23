package play

import (
	"context"

	"qipu/game"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/playview"
)

func (s *room) registerEndgame() {
	api.Get(s.Service, api.Fresh, "/endgame", "get-endgame", "play", "What tables of endings know of a position: who wins, in how many plies, and by which moves", s.endgame)
}

type endgameInput struct {
	api.Placed
	api.Writing
}

// endgame is not kept: tables may come while the library stays as it is.
func (s *room) endgame(_ context.Context, in *endgameInput) (*view.Known, error) {
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	return playview.KnownOf(s.Lib.Records().Endings(), at.Rules, at.Pos, func(p game.Position, m game.Move) view.Move { return at.Move(p, m, at.Write) })
}
