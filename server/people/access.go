package people

import (
	"context"
	"net/http"
	"strings"
	"time"

	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
)

func (s *room) registerAccess() {
	api.Get(s.Service, api.Mine, "/me/access", "my-access", "people", "One's own keys, and where one is logged in", s.access)
	api.Plain(s.Service, api.Mine, "/me/export", "export-me", "people", "All that one keeps, as one file", "application/json", s.export)
	api.Register(s.Service, api.Keeping, http.MethodPut, "/me", "rename-me", "people", "Give oneself another name", s.renameMe)
	api.Register(s.Service, api.Keeping, http.MethodDelete, "/me", "remove-me", "people", "Remove one's own profile with all that it keeps", s.removeMe)
	api.Register(s.Service, api.Keeping, http.MethodPost, "/me/keys", "add-key", "people", "A key to take along, or for a program, which is good until it is revoked", s.addKey)
	api.Register(s.Service, api.Keeping, http.MethodPost, "/me/link", "link-me", "people", "A link that logs another browser of one's own in, once", s.linkMe)
	api.Register(s.Service, api.Keeping, http.MethodDelete, "/me/keys/{key}", "revoke-key", "people", "Revoke a key, and log out who came by it", s.revokeKey)
	api.Register(s.Service, api.Keeping, http.MethodDelete, "/me/logins/{login}", "end-login", "people", "Log out a browser of one's own", s.endLogin)
}

func (s *room) access(ctx context.Context, _ *struct{}) (*view.Access, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	w := &view.Access{Keys: []view.KeyRow{}, Logins: []view.LoginRow{}}
	keys, err := s.Lib.People().Keys(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		w.Keys = append(w.Keys, view.KeyRow{ID: k.ID, Label: k.Label, Once: k.Once, Created: k.Created.UTC(), Expires: maybe(k.Expires), Used: maybe(k.Used), Revoked: maybe(k.Revoked)})
	}
	if w.Passkeys, err = s.passkeys(ctx, id); err != nil {
		return nil, err
	}
	logins, here, err := s.Lib.People().Logins(ctx, id, guard.LoginOf(ctx))
	for _, l := range logins {
		w.Logins = append(w.Logins, view.LoginRow{ID: l.ID, Label: l.Label, Here: l.ID == here, Created: l.Created.UTC(), Seen: l.Seen.UTC(), Expires: l.Expires.UTC()})
	}
	return w, err
}

func maybe(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func (s *room) export(ctx context.Context, _ *struct{}, w http.ResponseWriter, _ *http.Request) error {
	id, err := s.mine(ctx)
	if err != nil {
		return err
	}
	all, err := s.Lib.People().Export(ctx, id)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="qipu-profile.json"`)
	w.Header().Set("Cache-Control", "no-store")
	return api.WriteJSON(w, all)
}

type renameMeInput struct{ Body view.NewName }

func (s *room) renameMe(ctx context.Context, in *renameMeInput) (*view.Person, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Lib.People().Rename(ctx, id, in.Body.Name); err != nil {
		return nil, bad(err)
	}
	p, err := s.Lib.People().Profile(ctx, id)
	if err != nil {
		return nil, err
	}
	w := personOf(&p)
	return &w, nil
}

func (s *room) removeMe(ctx context.Context, _ *struct{}) (*api.Nothing, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Lib.People().Remove(ctx, id); err != nil {
		return nil, err
	}
	guard.SetLogin(ctx, "", 0)
	return nil, nil
}

type newKeyInput struct{ Body view.NewKey }

func (s *room) addKey(ctx context.Context, in *newKeyInput) (*view.KeyLink, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	_, key, err := s.Lib.People().AddKey(ctx, id, in.Body.Label)
	if err != nil {
		return nil, err
	}
	return linkOf(ctx, key, nil)
}

func (s *room) linkMe(ctx context.Context, _ *struct{}) (*view.KeyLink, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	return s.invite(ctx, &PersonInput{ID: id})
}

type keyInput struct {
	Key string `path:"key" maxLength:"40" doc:"The id of the key in the list"`
}

func (s *room) revokeKey(ctx context.Context, in *keyInput) (*api.Nothing, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.People().RevokeKey(ctx, id, in.Key)
}

type loginInput struct {
	Login string `path:"login" maxLength:"40" doc:"The id of the log-in in the list"`
}

func (s *room) endLogin(ctx context.Context, in *loginInput) (*api.Nothing, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.People().EndLogin(ctx, id, in.Login)
}

// browserOf returns the browser and system of a User-Agent, as people know them.
func browserOf(agent string) string {
	find := func(words ...string) string {
		for _, w := range words {
			token, name, _ := strings.Cut(w, "=")
			if strings.Contains(agent, token) {
				return name
			}
		}
		return ""
	}
	name := find("Firefox/=Firefox", "Edg/=Edge", "OPR/=Opera", "Chrome/=Chrome", "Safari/=Safari")
	system := find("Android=Android", "iPhone=iPhone", "iPad=iPad", "Windows=Windows", "Mac OS=macOS", "Linux=Linux")
	return strings.TrimSpace(strings.TrimSuffix(name+", "+system, ", "))
}
