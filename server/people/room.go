// Package people is the room of the server in which people are known: who one is,
// log-ins and keys, the profiles of a library, and what each keeps for himself.
package people

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"

	"qipu/library/profiles"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/server/passkey"
	"qipu/store"
	"qipu/store/people"
	"qipu/view"
)

type room struct {
	*api.Service
	desk *passkey.Desk

	once sync.Once
	who  map[string]api.Who // may ask for an operation, by its id
}

// Register registers what can be asked here.
func Register(service *api.Service) {
	s := &room{Service: service, desk: passkey.NewDesk()}
	s.Mean(people.ErrNobody, http.StatusNotFound, "no-person", "List the profiles that there are.")
	s.Mean(people.ErrTaken, http.StatusConflict, "name-taken", "Choose another name.")
	s.Mean(people.ErrNoKey, http.StatusNotFound, "no-key", "List the keys that there are.")
	s.Mean(people.ErrNoThing, http.StatusNotFound, "not-found", "List what there is.")
	s.Mean(people.ErrFull, http.StatusConflict, "too-many", "Remove some first.")
	api.Get(s.Service, api.Open, "/me", "me", "people", "Who one is, and what one may ask for", s.me)
	api.Register(s.Service, api.Entering, http.MethodPost, "/enter", "enter", "people", "Log in with a key; the link of an invitation is spent by it", s.enter)
	api.Register(s.Service, api.Entering, http.MethodPost, "/leave", "leave", "people", "Log out", s.leave)
	s.registerPeople()
	s.registerAccess()
	s.registerPasskeys()
	s.registerCareer()
}

func (s *room) me(ctx context.Context, _ *struct{}) (*view.Me, error) {
	who := guard.IdentityOf(ctx)
	address, _, secure := guard.Visited(ctx)
	w := &view.Me{Role: who.Role.String(), Local: !s.Exposed, Secure: secure, Operations: s.operations(who.Role), Waits: s.Approve && !s.May(ctx, api.Editors)}
	_, w.Passkeys = siteOf(address, secure)
	if who.ID != "" {
		p, err := s.Lib.People().Profile(ctx, who.ID)
		if err != nil {
			return nil, err
		}
		w.ID, w.Name = p.ID, p.Name
	}
	return w, nil
}

// operations returns the ids of what a role may ask for.
func (s *room) operations(role guard.Role) []string {
	s.once.Do(func() {
		s.who = map[string]api.Who{}
		for path, item := range s.OpenAPI().Paths {
			for method, op := range map[string]*operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete, "PATCH": item.Patch} {
				if op != nil {
					s.who[op.OperationID] = s.Policies[method+" "+api.Prefix+path].Who
				}
			}
		}
	})
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.who)), func(id string) bool { return role < s.Needs(s.who[id]) })
}

type enterInput struct{ Body view.Enter }

// enter logs in. A wrong key costs one of the few tries that an address has. The log-in
// that the browser had before ends.
func (s *room) enter(ctx context.Context, in *enterInput) (*view.Person, error) {
	_, browser, _ := guard.Visited(ctx)
	p, login, err := s.Lib.People().Enter(ctx, in.Body.Key, browserOf(browser))
	if errors.Is(err, people.ErrNoKey) || errors.Is(err, people.ErrSpent) {
		return nil, s.wrong(ctx, "this key is not good any more, or never was")
	}
	if err != nil {
		return nil, err
	}
	return s.entered(ctx, p, login)
}

// wrong refuses what was to show who somebody is. It costs one of the few tries that an
// address has.
func (s *room) wrong(ctx context.Context, why string) *guard.Problem {
	if p := s.Guard.Wrong(ctx); p != nil {
		return p
	}
	return &guard.Problem{Status: http.StatusUnauthorized, Code: "wrong-key", Detail: why, Hint: "Ask the owner of the library for a new link."}
}

// entered gives the browser its log-in, and ends the one that it had.
func (s *room) entered(ctx context.Context, p people.Profile, login string) (*view.Person, error) {
	if old := guard.LoginOf(ctx); old != "" {
		if err := s.Lib.People().Leave(ctx, old); err != nil {
			return nil, err
		}
	}
	guard.SetLogin(ctx, login, people.LoginTime)
	w := personOf(&p)
	return &w, nil
}

func (s *room) leave(ctx context.Context, _ *struct{}) (*api.Nothing, error) {
	if login := guard.LoginOf(ctx); login != "" {
		if err := s.Lib.People().Leave(ctx, login); err != nil {
			return nil, err
		}
	}
	guard.SetLogin(ctx, "", 0)
	return nil, nil
}

// mine returns the profile of who asks.
func (s *room) mine(ctx context.Context) (string, error) {
	if id := store.Who(ctx); id != "" {
		return id, nil
	}
	return "", api.Conflict("no-profile", "Choose a name, or log in.", "this is kept for profiles, and you have none")
}

func personOf(p *people.Profile) view.Person {
	return view.Person{ID: p.ID, Name: p.Name, Role: p.Role.String(), Created: p.Created.UTC()}
}

// bad tells what is wrong with a name.
func bad(err error) error {
	if wrong, ok := errors.AsType[*profiles.NameError](err); ok {
		return api.Bad("name", "Write another name.", "%s", wrong.Why)
	}
	return err
}
