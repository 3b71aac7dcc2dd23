package people

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"qipu/server/api"
	"qipu/server/guard"
	"qipu/server/passkey"
	"qipu/store/people"
	"qipu/view"
)

func (s *room) registerPasskeys() {
	api.Register(s.Service, api.Keeping, http.MethodPost, "/me/passkeys/offer", "offer-passkey", "people", "What a browser needs to make a passkey", s.offer)
	api.Register(s.Service, api.Keeping, http.MethodPost, "/me/passkeys", "add-passkey", "people", "Keep a passkey that the browser has made", s.addPasskey)
	api.Register(s.Service, api.Keeping, http.MethodDelete, "/me/passkeys/{key}", "revoke-passkey", "people", "Revoke a passkey, and log out who came by it", s.revokePasskey)
	api.Register(s.Service, api.Entering, http.MethodPost, "/enter/offer", "offer-enter", "people", "What a browser needs to ask a passkey", s.offerEnter)
	api.Register(s.Service, api.Entering, http.MethodPost, "/enter/passkey", "enter-passkey", "people", "Log in with a passkey", s.enterPasskey)
}

// siteOf returns the site of an address, and whether browsers make passkeys for it: these
// are bound to a name, and want a connection that is encrypted or stays on the machine.
func siteOf(address string, secure bool) (site passkey.Site, ok bool) {
	u, err := url.Parse(strings.ToLower(address))
	if err != nil || u.Hostname() == "" {
		return site, false
	}
	name := u.Hostname()
	if _, err := netip.ParseAddr(name); err == nil {
		return site, false
	}
	return passkey.Site{Origin: u.Scheme + "://" + u.Host, Name: name}, secure || name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// site returns the site of a request. The guard has seen that its name is one of ours.
func site(ctx context.Context) (passkey.Site, error) {
	address, _, secure := guard.Visited(ctx)
	at, ok := siteOf(address, secure)
	if !ok {
		return at, api.Conflict("no-passkeys", "Open the page by the name of the server, under https://.", "passkeys are bound to a name, and want an encrypted connection")
	}
	return at, nil
}

// What a challenge is for: a passkey is made by who has asked for that, in the browser in
// which he is logged in.
const entering = "enter"

func making(ctx context.Context, id string) string { return "make " + id + " " + guard.LoginOf(ctx) }

func (s *room) offer(ctx context.Context, _ *struct{}) (*view.PasskeyOffer, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	at, err := site(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Lib.People().Profile(ctx, id)
	if err != nil {
		return nil, err
	}
	w := &view.PasskeyOffer{Challenge: s.desk.Challenge(making(ctx, id)), Site: at.Name, User: passkey.Text([]byte(p.ID)), Name: p.Name, Algorithms: slices.Clone(passkey.Algorithms)}
	list, err := s.Lib.People().Passkeys(ctx, id)
	for i := range list {
		w.Have = append(w.Have, passkey.Text(list[i].Credential))
	}
	return w, err
}

type newPasskeyInput struct{ Body view.NewPasskey }

func (s *room) addPasskey(ctx context.Context, in *newPasskeyInput) (*view.PasskeyRow, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	at, err := site(ctx)
	if err != nil {
		return nil, err
	}
	signed, err := signedOf(in.Body.Client, in.Body.Data, "")
	if err != nil {
		return nil, badPasskey(err)
	}
	key, err := s.desk.New(making(ctx, id), at, signed)
	if err != nil {
		return nil, badPasskey(err)
	}
	_, browser, _ := guard.Visited(ctx)
	k, err := s.Lib.People().AddPasskey(ctx, people.Passkey{Profile: id, Credential: key.ID, Site: at.Name, Public: key.Public, Count: key.Count, Label: browserOf(browser)})
	if errors.Is(err, people.ErrSpent) {
		return nil, api.Conflict("passkey-taken", "Make another one.", "this passkey is somebody's already")
	}
	if err != nil {
		return nil, err
	}
	w := passkeyOf(&k)
	return &w, nil
}

func badPasskey(err error) error {
	return api.Bad("passkey", "Try it again, from the page of this server.", "%s", strings.TrimPrefix(err.Error(), "passkey: "))
}

func signedOf(client, data, signature string) (s passkey.Signed, err error) {
	for _, x := range []struct {
		from string
		to   *[]byte
	}{{client, &s.Client}, {data, &s.Data}, {signature, &s.Signature}} {
		if *x.to, err = passkey.Bytes(x.from); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *room) revokePasskey(ctx context.Context, in *keyInput) (*api.Nothing, error) {
	id, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.People().RevokePasskey(ctx, id, in.Key)
}

func (s *room) passkeys(ctx context.Context, id string) ([]view.PasskeyRow, error) {
	list, err := s.Lib.People().Passkeys(ctx, id)
	rows := make([]view.PasskeyRow, len(list))
	for i := range list {
		rows[i] = passkeyOf(&list[i])
	}
	return rows, err
}

func passkeyOf(k *people.Passkey) view.PasskeyRow {
	return view.PasskeyRow{ID: k.ID, Label: k.Label, Site: k.Site, Created: k.Created.UTC(), Used: maybe(k.Used)}
}

// offerEnter tells the same of everybody: who is asked for shows when a passkey answers.
func (s *room) offerEnter(ctx context.Context, _ *struct{}) (*view.PasskeyOffer, error) {
	at, err := site(ctx)
	if err != nil {
		return nil, err
	}
	return &view.PasskeyOffer{Challenge: s.desk.Challenge(entering), Site: at.Name}, nil
}

type enterPasskeyInput struct{ Body view.PasskeyAnswer }

// enterPasskey logs in. What is wrong with an answer is not told: it costs a try, as a
// wrong key does. That a passkey was copied is, to who has it.
func (s *room) enterPasskey(ctx context.Context, in *enterPasskeyInput) (*view.Person, error) {
	at, err := site(ctx)
	if err != nil {
		return nil, err
	}
	refused := func() error { return s.wrong(ctx, "this passkey is not good any more, or never was") }
	id, err := passkey.Bytes(in.Body.ID)
	if err != nil {
		return nil, refused()
	}
	user, err := passkey.Bytes(in.Body.User)
	if err != nil {
		return nil, refused()
	}
	signed, err := signedOf(in.Body.Client, in.Body.Data, in.Body.Signature)
	if err != nil {
		return nil, refused()
	}
	k, err := s.Lib.People().Passkey(ctx, id)
	if errors.Is(err, people.ErrNoKey) || err == nil && (k.Site != at.Name || k.Profile != string(user)) {
		return nil, refused()
	}
	if err != nil {
		return nil, err
	}
	count, err := s.desk.Verify(entering, at, k.Public, signed)
	if err != nil {
		return nil, refused()
	}
	_, browser, _ := guard.Visited(ctx)
	p, login, err := s.Lib.People().EnterPasskey(ctx, id, count, browserOf(browser))
	switch {
	case errors.Is(err, people.ErrCopied):
		s.Log.Warn("a passkey was used that was copied", "profile", k.Profile, "passkey", k.ID)
		return nil, s.wrong(ctx, "this passkey was used elsewhere meanwhile: there is a copy of it; revoke it")
	case errors.Is(err, people.ErrNoKey):
		return nil, refused()
	case err != nil:
		return nil, err
	}
	return s.entered(ctx, p, login)
}
