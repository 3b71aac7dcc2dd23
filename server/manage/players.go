package manage

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"qipu/library/players"
	"qipu/server/api"
	"qipu/text"
	"qipu/view"
	"qipu/view/answerview"
)

func (s *room) registerPlayers() {
	api.Get(s.Service, api.Kept.InTurn(), "/players", "list-players", "players", "Players with their games and scores", s.players)
	who := edits{func() *players.Directory { return s.Lib.Players() }}
	api.Get(s.Service, api.Kept, "/players/edits", "list-player-edits", "players", "What was said about the names of players", who.list)
	api.Register(s.Service, api.Change, http.MethodPost, "/players/edits", "edit-players", "players", "Merge, split or rename players; records stay as they are", who.edit)
	api.Register(s.Service, api.Change, http.MethodDelete, "/players/edits/{id}", "undo-player-edit", "players", "Take back what was said about the names of players", who.undo)
	what := edits{func() *players.Directory { return s.Lib.Players().Events() }}
	api.Get(s.Service, api.Kept.InTurn(), "/events", "list-events", "players", "Events with their games", s.events)
	api.Get(s.Service, api.Kept, "/events/edits", "list-event-edits", "players", "What was said about the names of events", what.list)
	api.Register(s.Service, api.Change, http.MethodPost, "/events/edits", "edit-events", "players", "Merge, split or rename events; records stay as they are", what.edit)
	api.Register(s.Service, api.Change, http.MethodDelete, "/events/edits/{id}", "undo-event-edit", "players", "Take back what was said about the names of events", what.undo)
	api.Get(s.Service, api.Kept.InTurn(), "/players/{name}", "get-player", "players", "A player: names, results, opponents, openings", s.player)
}

type playersInput struct {
	Query  string `query:"q" maxLength:"400" doc:"Part of a name, in any script"`
	Game   string `query:"game" maxLength:"100" doc:"Only of this game, as a spec; without a size all sizes"`
	Sort   string `query:"sort" enum:"games,name," doc:"The most games first, or by name; else those that fit the query best, and without one those with the most games"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"How many a page"`
	Cursor string `query:"cursor" maxLength:"400" doc:"Of the page: next of the answer before"`
}

func (s *room) players(ctx context.Context, in *playersInput) (*view.Players, error) {
	list, err := s.named(ctx, s.Lib.Players(), in)
	if err != nil {
		return nil, err
	}
	w := &view.Players{Players: []view.PlayerRow{}, Total: len(list)}
	if list, w.Next, err = api.Page(list, in.Cursor, in.Limit); err != nil {
		return nil, err
	}
	for _, p := range list {
		w.Players = append(w.Players, answerview.PlayerOf(p))
	}
	return w, nil
}

// named returns whom or what a page of names asks for, in its order.
func (s *room) named(ctx context.Context, d *players.Directory, in *playersInput) ([]*players.Person, error) {
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	r, err := d.Register(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	list := r.All()
	if in.Query != "" {
		list = r.Find(in.Query)
	}
	switch in.Sort {
	case "games":
		slices.SortStableFunc(list, func(x, y *players.Person) int { return y.Games - x.Games })
	case "name":
		keys := make(map[*players.Person]string, len(list))
		for _, p := range list {
			keys[p] = text.Fold(p.Name)
		}
		slices.SortStableFunc(list, func(x, y *players.Person) int { return cmp.Compare(keys[x], keys[y]) })
	}
	return list, nil
}

func (s *room) events(ctx context.Context, in *playersInput) (*view.Events, error) {
	list, err := s.named(ctx, s.Lib.Players().Events(), in)
	if err != nil {
		return nil, err
	}
	w := &view.Events{Events: []view.EventRow{}, Total: len(list)}
	if list, w.Next, err = api.Page(list, in.Cursor, in.Limit); err != nil {
		return nil, err
	}
	for _, p := range list {
		w.Events = append(w.Events, answerview.EventOf(p))
	}
	return w, nil
}

// maxRivals is how many opponents and openings are told of one player.
const maxRivals = 100

// playersOf returns the players of a game, or of all.
func (s *room) playersOf(ctx context.Context, spec string) (*players.Register, error) {
	if err := s.Meant(spec); err != nil {
		return nil, err
	}
	return s.Lib.Players().Register(ctx, spec)
}

type playerInput struct {
	Name string `path:"name" maxLength:"400" doc:"One of the names of the player"`
	Game string `query:"game" maxLength:"100" doc:"Only games of this kind, as a spec; without a size all sizes"`
}

func (s *room) player(ctx context.Context, in *playerInput) (*view.PlayerDetail, error) {
	r, err := s.playersOf(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	p, err := r.One(in.Name)
	if _, several := errors.AsType[*players.SeveralPlayersError](err); several {
		return nil, api.Bad("several-players", "Give the whole name, or look for it in the list.", "%v", err)
	}
	if err != nil {
		return nil, err
	}
	portrait, err := s.Lib.Search().Portrait(ctx, r, p, in.Game)
	if err != nil {
		return nil, err
	}
	return answerview.PlayerDetailOf(r, p, portrait, maxRivals), nil
}

// edits is what was said of the names of players, or of events.
type edits struct{ of func() *players.Directory }

func (e edits) list(ctx context.Context, _ *struct{}) (*view.PlayerEdits, error) {
	list, err := e.of().Edits(ctx)
	if err != nil {
		return nil, err
	}
	w := &view.PlayerEdits{Edits: []view.PlayerEdited{}}
	for i := range slices.Backward(list) {
		w.Edits = append(w.Edits, answerview.EditOf(&list[i]))
	}
	return w, nil
}

type playerEditInput struct{ Body view.PlayerEdit }

func (e edits) edit(ctx context.Context, in *playerEditInput) (*view.PlayerEdited, error) {
	b, o := &in.Body, players.EditOptions{DryRun: in.Body.DryRun, Force: in.Body.Force}
	for _, name := range b.Names {
		if text.Fold(name) == "" {
			return nil, api.Bad("name", "Write a name with at least one letter.", "%q is no name", name)
		}
	}
	if b.Into == "" && b.Op != players.Split {
		return nil, api.Bad("name", "Give the name to list under.", "the name is missing")
	}
	var done *players.Edited
	var err error
	switch b.Op {
	case players.Merge:
		done, err = e.of().Merge(ctx, b.Into, b.Names, o)
	case players.Split:
		done, err = e.of().Split(ctx, b.Into, b.Names, o)
	case players.Rename:
		done, err = e.of().Rename(ctx, b.Names[0], b.Into, o)
	}
	if err != nil {
		return nil, err
	}
	w := answerview.EditedOf(done)
	return &w, nil
}

type editIDInput struct {
	ID int64 `path:"id" doc:"The number of the change"`
}

func (e edits) undo(ctx context.Context, in *editIDInput) (*api.Nothing, error) {
	list, err := e.of().Edits(ctx)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(list, func(e players.Edit) bool { return e.ID == in.ID && e.Undone }) {
		return nil, api.Conflict("undone", "Make it again to have it back.", "change %d is undone already", in.ID)
	}
	_, err = e.of().Undo(ctx, in.ID, false)
	return nil, err
}
