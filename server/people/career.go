package people

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"qipu/game"
	"qipu/library/career"
	"qipu/library/players"
	"qipu/library/profiles"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/careerview"
	"qipu/view/gameview"
)

func (s *room) registerCareer() {
	api.Get(s.Service, api.Mine.InTurn(), "/me/career", "my-career", "people", "How one's own games went: those played here, or those of the library under one's names", s.career)
	api.Get(s.Service, api.Mine.InTurn(), "/me/repertoire", "my-repertoire", "people", "What one plays from the start on, and how it goes", s.repertoire)
	api.Get(s.Service, api.Mine.InTurn(), "/me/mistakes", "my-mistakes", "people", "One's own mistakes, in the games that one has had reviewed", s.mistakes)
	api.Get(s.Service, api.Mine.InTurn(), "/me/names", "my-names", "people", "The players of the library that one is", s.myNames)
	api.Register(s.Service, api.Keeping, http.MethodPut, "/me/names/{name}", "add-name", "people", "Say that one is a player of the library; nobody else sees it", s.addName)
	api.Register(s.Service, api.Keeping, http.MethodDelete, "/me/names/{name}", "drop-name", "people", "Say that one is not that player", s.dropName)
	api.Get(s.Service, api.Mine, "/me/boxes", "my-boxes", "people", "Questions of quizzes that come back to one", s.boxes)
	api.Register(s.Service, api.Keeping, http.MethodPost, "/me/boxes", "answer-card", "people", "Keep how a question of a quiz was answered", s.answerCard)
}

// CareerInput says which games are meant. It is embedded, which needs an exported type.
type CareerInput struct {
	From string `query:"from" enum:"here,library" default:"library" doc:"Games that one played here, or those of the library under one's names"`
	Game string `query:"game" maxLength:"100" doc:"Only games of this kind, as a spec"`
}

// seats returns the games that are meant, after waiting for the turn of the request.
func (s *room) seats(ctx context.Context, in *CareerInput) (id string, list []career.Seat, err error) {
	if id, err = s.mine(ctx); err != nil {
		return "", nil, err
	}
	if err = s.Meant(in.Game); err == nil {
		err = s.Wait(ctx)
	}
	if err == nil {
		list, err = s.Lib.Careers().Seats(ctx, id, in.From == "here", in.Game)
	}
	return id, list, err
}

type careerInput struct {
	CareerInput
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"30" doc:"Games a page"`
	Cursor string `query:"cursor" maxLength:"400" doc:"Of the page: next of the answer before"`
}

func (s *room) career(ctx context.Context, in *careerInput) (*view.Career, error) {
	id, seats, err := s.seats(ctx, &in.CareerInput)
	if err != nil {
		return nil, err
	}
	c, err := s.Lib.Careers().Of(ctx, seats, careerview.Namer(s.Kinds))
	if err != nil {
		return nil, err
	}
	kinds := s.Lib.Records().Kinds()
	w := careerview.Of(kinds, c)
	page, next, err := api.Page(c.Seats, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	w.Games, w.Next = careerview.GamesOf(kinds, page), next
	if w.Names, err = s.namesOf(ctx, id); err == nil && in.From != "here" {
		w.Query = careerview.QueryOf(w.Names)
	}
	return w, err
}

func (s *room) namesOf(ctx context.Context, id string) ([]view.MyName, error) {
	names, err := s.Lib.People().Names(ctx, id)
	if err != nil {
		return nil, err
	}
	persons, _, err := s.Lib.Careers().Names(ctx, names, "")
	return careerview.NamesOf(names, persons), err
}

type repertoireInput struct {
	CareerInput
	Plies int `query:"plies" minimum:"1" maximum:"12" default:"6" doc:"Moves from the start, counting those of both sides"`
	Least int `query:"least" minimum:"1" maximum:"1000" default:"2" doc:"Leave out what fewer games have"`
	api.Writing
}

func (s *room) repertoire(ctx context.Context, in *repertoireInput) (*view.Repertoire, error) {
	_, seats, err := s.seats(ctx, &in.CareerInput)
	if err != nil {
		return nil, err
	}
	w := &view.Repertoire{Game: cmp.Or(in.Game, s.frequent(seats)), Least: in.Least, Sides: []view.MyTree{}}
	if w.Game == "" {
		return w, nil
	}
	k, err := s.Kinds.Find(w.Game)
	if err != nil {
		return nil, err
	}
	n, err := k.Notation(in.Write)
	if err != nil {
		return nil, err
	}
	for _, side := range []game.Side{game.First, game.Second} {
		t, err := s.Lib.Careers().Repertoire(ctx, seats, w.Game, side, in.Plies, in.Least)
		if err != nil {
			return nil, err
		}
		if t != nil {
			w.Sides = append(w.Sides, careerview.TreeOf(t, side, n))
		}
	}
	return w, nil
}

// frequent returns the kind of game that most games are of, as a spec.
func (s *room) frequent(seats []career.Seat) (spec string) {
	count := map[string]int{}
	most := ""
	for i := range seats {
		kind := seats[i].Game.Kind
		if count[kind]++; count[kind] > count[most] {
			most = kind
		}
	}
	if k, err := s.Lib.Records().Kinds().Find(most); err == nil {
		spec = gameview.SpecOf(k)
	}
	return spec
}

func (s *room) mistakes(ctx context.Context, _ *struct{}) (*view.Mistakes, error) {
	id, seats, err := s.seats(ctx, &CareerInput{From: "here"})
	if err != nil {
		return nil, err
	}
	more, err := s.Lib.Careers().Seats(ctx, id, false, "")
	if err != nil {
		return nil, err
	}
	reviews, err := s.Lib.People().Reviews(ctx, id)
	if err != nil {
		return nil, err
	}
	return careerview.MistakesOf(s.Lib.Records().Kinds(), reviews, slices.Concat(more, seats)), nil
}

func (s *room) myNames(ctx context.Context, _ *struct{}) (*view.MyNames, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	list, err := s.namesOf(ctx, id)
	return &view.MyNames{Names: list}, err
}

type nameInput struct {
	Name string `path:"name" maxLength:"400" doc:"One of the names of the player"`
}

func (s *room) addName(ctx context.Context, in *nameInput) (*view.MyNames, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.Lib.Players().Register(ctx, "")
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
	if err := s.Lib.People().AddName(ctx, id, p.Name); err != nil {
		return nil, bad(err)
	}
	list, err := s.namesOf(ctx, id)
	return &view.MyNames{Names: list}, err
}

func (s *room) dropName(ctx context.Context, in *nameInput) (*api.Nothing, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.People().DropName(ctx, id, in.Name)
}

func (s *room) boxes(ctx context.Context, _ *struct{}) (*view.Cards, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	cards, err := s.Lib.People().Boxes(ctx, id)
	w := &view.Cards{Cards: make([]view.Card, len(cards))}
	for i := range cards {
		c := &cards[i]
		w.Cards[i] = view.Card{Deck: c.Deck, Key: c.Key, Box: c.Box, Due: c.Due}
		if len(c.Task) > 0 {
			w.Cards[i].Task = c.Task
		}
	}
	return w, err
}

type cardInput struct{ Body view.CardAnswer }

func (s *room) answerCard(ctx context.Context, in *cardInput) (*api.Nothing, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	var task json.RawMessage
	if in.Body.Task != nil {
		if task, err = json.Marshal(in.Body.Task); err != nil {
			return nil, err
		}
	}
	err = s.Lib.People().Answered(ctx, id, in.Body.Deck, in.Body.Key, in.Body.Right, task)
	if wrong, ok := errors.AsType[*profiles.CardError](err); ok {
		return nil, api.Bad("card", "Send less.", "%s", wrong.Why)
	}
	return nil, err
}
