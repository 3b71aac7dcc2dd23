// Package alike is the room of the server for what is alike: games like a record, what
// goes with a name, how a player plays, maps of patterns, openings and players.
package alike

import (
	"context"
	"errors"
	"slices"

	"qipu/library/players"
	"qipu/mine/alike"
	"qipu/mine/cluster"
	"qipu/mine/profile"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/alikeview"
)

type room struct {
	*api.Service
	ask *alike.Room
}

// Register registers what can be asked here. The first question about a game reads all
// its records, at most alike.MostGames of them; later ones find them read.
func Register(service *api.Service) {
	s := &room{Service: service}
	if service.Lib != nil {
		s.ask = alike.New(service.Lib.Records(), service.Lib.Search(), service.Lib.Players())
	}
	api.Get(s.Service, api.Kept.InTurn(), "/records/{id}/like", "records-like", "mining", "The records that are most like one, by what is done on the board", s.like)
	api.Get(s.Service, api.Kept.InTurn(), "/names/{id}/with", "goes-with", "mining", "What goes with something that has a name, and what goes against it", s.with)
	api.Get(s.Service, api.Kept.InTurn(), "/players/{name}/style", "player-style", "mining", "How a player plays: like whom, and what others do not do", s.style)
	api.Get(s.Service, api.Kept.InTurn(), "/clusters", "clusters", "mining", "Patterns, openings or players that are alike: groups, and a map to walk on", s.clusters)
}

type likeInput struct {
	ID    uint32 `path:"id" doc:"The number of the record"`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"10" doc:"How many"`
}

func (s *room) like(ctx context.Context, in *likeInput) (*view.LikeGames, error) {
	g, _, err := s.Lib.Record(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	likes, err := s.ask.Like(ctx, g, in.ID, in.Limit, nil)
	if err != nil {
		return nil, plainly(err)
	}
	return alikeview.LikesOf(in.ID, likes), nil
}

type withInput struct {
	ID    string `path:"id" maxLength:"200" doc:"Its id, or a name in any language"`
	Game  string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"12" doc:"How many of each"`
}

func (s *room) with(ctx context.Context, in *withInput) (*view.Habits, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	book, err := s.Lib.Knowledge().Names(k.Index)
	if err != nil {
		return nil, err
	}
	it := book.Find(in.ID)
	if it == nil {
		return nil, api.NotFound("List the names that there are.", "%s has nothing that is called %q", k.Spec, in.ID)
	}
	h, err := s.ask.With(ctx, k.Index, it.ID, nil)
	if err != nil {
		return nil, plainly(err)
	}
	w := alikeview.HabitsOf(h, in.Limit)
	return &w, nil
}

type styleInput struct {
	Name  string `path:"name" maxLength:"400" doc:"One of the names of the player"`
	Game  string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Limit int    `query:"limit" minimum:"1" maximum:"200" default:"12" doc:"How many of each"`
}

// Players who are compared with one: those with most games, at least so many.
const (
	mostPlayers = 200
	leastGames  = 10
)

func (s *room) style(ctx context.Context, in *styleInput) (*view.PlayerStyle, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	w, err := alikeview.Style(ctx, s.ask, k.Index, in.Name, mostPlayers, leastGames, in.Limit, nil)
	if _, several := errors.AsType[*players.SeveralPlayersError](err); several {
		return nil, api.Bad("several-players", "Give the whole name, or look for it in the list.", "%v", err)
	}
	return w, plainly(err)
}

type clustersInput struct {
	Game   string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"xiangqi"`
	Sort   string `query:"sort" enum:"patterns,openings,players" default:"patterns" doc:"What is put together"`
	By     string `query:"by" enum:"together,place,follows,all" default:"all" doc:"What makes patterns alike"`
	Groups int    `query:"groups" minimum:"0" maximum:"200" doc:"How many groups; as many as look best where 0"`
	Seed   uint64 `query:"seed" default:"1" doc:"Of what is done by chance"`
}

func (s *room) clusters(ctx context.Context, in *clustersInput) (*view.MinedClusters, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	c, err := s.ask.Cluster(ctx, k.Index, alike.Sort(in.Sort), alike.ClusterOptions{By: cluster.By(in.By), Link: cluster.Ward, Groups: in.Groups, Seed: in.Seed})
	if err != nil {
		return nil, plainly(err)
	}
	return alikeview.ClustersOf(c, k.Spec, in.By), nil
}

// few are the errors that say that there is too little to compare.
var few = []error{alike.ErrNoGames, alike.ErrNoBoard, alike.ErrNoMoves, profile.ErrFewPlayers, profile.ErrFewOpenings, cluster.ErrFew, cluster.ErrSame}

// plainly returns an error as clients get it.
func plainly(err error) error {
	if slices.ContainsFunc(few, func(kind error) bool { return errors.Is(err, kind) }) {
		return api.NotFound("Bring in more records of the game.", "%v", err)
	}
	return err
}
