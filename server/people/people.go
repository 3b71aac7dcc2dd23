package people

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"qipu/library/profiles"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/store/people"
	"qipu/view"
)

type operation = huma.Operation

func (s *room) registerPeople() {
	api.Get(s.Service, api.Private, "/people", "list-people", "people", "The profiles of the library", s.people)
	api.Register(s.Service, api.Governing, http.MethodPost, "/people", "add-person", "people", "Make a profile", s.addPerson)
	api.Register(s.Service, api.Governing, http.MethodPut, "/people/{id}", "change-person", "people", "Give a profile another name or role", s.changePerson)
	api.Register(s.Service, api.Governing, http.MethodDelete, "/people/{id}", "remove-person", "people", "Remove a profile with its keys and all that it keeps for itself", s.removePerson)
	api.Register(s.Service, api.Governing, http.MethodPost, "/people/{id}/link", "invite-person", "people", "A link that logs one browser in as the profile", s.invite)
	api.Register(s.Service, api.Governing, http.MethodPost, "/people/{id}/choose", "choose-person", "people", "Be somebody: on the own machine alone", s.choose)
	api.Register(s.Service, api.Governing, http.MethodDelete, "/people/{id}/keys", "revoke-person", "people", "Revoke all keys of a profile, and log it out everywhere", s.revoke)
}

// PersonInput names a profile. It is embedded, which needs an exported type.
type PersonInput struct {
	ID string `path:"id" maxLength:"40" doc:"Of the profile"`
}

func (s *room) people(ctx context.Context, _ *struct{}) (*view.People, error) {
	list, err := s.Lib.People().List(ctx)
	w := &view.People{People: make([]view.Person, len(list))}
	for i := range list {
		w.People[i] = personOf(&list[i])
	}
	return w, err
}

type newPersonInput struct{ Body view.NewPerson }

func (s *room) addPerson(ctx context.Context, in *newPersonInput) (*view.Person, error) {
	role := people.Member
	if in.Body.Role != "" {
		var err error
		if role, err = people.ParseRole(in.Body.Role); err != nil {
			return nil, api.Bad("role", "Choose guest, member, editor or owner.", "%v", err)
		}
	}
	p, err := s.Lib.People().Add(ctx, in.Body.Name, role)
	if err != nil {
		return nil, bad(err)
	}
	w := personOf(&p)
	return &w, nil
}

type changePersonInput struct {
	PersonInput
	Body view.PersonChange
}

func (s *room) changePerson(ctx context.Context, in *changePersonInput) (*view.Person, error) {
	if in.Body.Name != "" {
		if err := s.Lib.People().Rename(ctx, in.ID, in.Body.Name); err != nil {
			return nil, bad(err)
		}
	}
	if in.Body.Role != "" {
		role, err := people.ParseRole(in.Body.Role)
		if err != nil {
			return nil, api.Bad("role", "Choose guest, member, editor or owner.", "%v", err)
		}
		if err := s.Lib.People().SetRole(ctx, in.ID, role); err != nil {
			return nil, err
		}
	}
	p, err := s.Lib.People().Profile(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	w := personOf(&p)
	return &w, nil
}

func (s *room) removePerson(ctx context.Context, in *PersonInput) (*api.Nothing, error) {
	return nil, s.Lib.People().Remove(ctx, in.ID)
}

func (s *room) invite(ctx context.Context, in *PersonInput) (*view.KeyLink, error) {
	key, err := s.Lib.People().Invite(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(profiles.InviteTime).UTC().Truncate(time.Second)
	return linkOf(ctx, key, &until)
}

// linkOf returns what is told of a new key. The address is that under which the server
// was asked: the guard has seen that it is one of its own.
func linkOf(ctx context.Context, key string, until *time.Time) (*view.KeyLink, error) {
	address, _, _ := guard.Visited(ctx)
	w := &view.KeyLink{Key: key, Address: address + "/enter#" + key, Expires: until}
	var err error
	w.QR, err = api.QR(w.Address)
	return w, err
}

func (s *room) choose(ctx context.Context, in *PersonInput) (*view.Person, error) {
	if s.Exposed {
		return nil, api.Conflict("not-local", "Log in with a key.", "others can reach this server: names are not chosen here")
	}
	_, browser, _ := guard.Visited(ctx)
	p, err := s.Lib.People().Profile(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	login, err := s.Lib.People().Choose(ctx, in.ID, browserOf(browser))
	if err != nil {
		return nil, err
	}
	return s.entered(ctx, p, login)
}

func (s *room) revoke(ctx context.Context, in *PersonInput) (*api.Nothing, error) {
	if _, err := s.Lib.People().Profile(ctx, in.ID); err != nil {
		return nil, err
	}
	return nil, s.Lib.People().RevokeAll(ctx, in.ID)
}
