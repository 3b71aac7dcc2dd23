package play

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"

	"qipu/play"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
)

func (s *room) registerSeats() {
	s.Mean(play.ErrSeat, http.StatusForbidden, "no-seat", "Watch the game, or ask who plays it for an invitation.")
	s.Mean(play.ErrTaken, http.StatusConflict, "taken", "Watch the game, or ask for another invitation.")
	s.Mean(play.ErrWaiting, http.StatusConflict, "waiting", "Send the invitation to somebody, and wait.")
	s.Mean(play.ErrAsk, http.StatusConflict, "ask", "Offer it to the other side, which may agree.")
	s.Mean(play.ErrNoDraw, http.StatusConflict, "no-draw", "Play on, or resign.")
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/invite", "invite-player", "play", "An invitation to the free seat of a game; an earlier one opens nothing any more", hosted(s, s.invitePlayer))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/sit", "sit-down", "play", "Take the free seat of a game with the key of the invitation as Qipu-Seat; the answer has a new key", hosted(s, s.sitDown))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/offer", "offer", "play", "Ask the other side for something, or agree to what it has asked for", told(s, s.offer))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/decline", "decline", "play", "Answer an offer with no, or take one's own back; a move does so, too", told(s, s.decline))
	api.Register(s.Service, api.Playing, http.MethodPost, "/sessions/{id}/rematch", "rematch", "play", "Another game of the same two with colours swapped; the other side sits down with the key of its seat", told(s, s.rematch))
}

// called returns what somebody who sits down is called: as he says, else by his profile.
func (s *room) called(ctx context.Context, name string) (string, error) {
	name, err := s.Lib.People().Called(ctx, guard.IdentityOf(ctx).ID, name)
	if bad, ok := errors.AsType[reasoned](err); ok {
		return "", api.Bad("name", "Choose another name.", "%s", bad.Reason())
	}
	return name, err
}

// reasoned is an error that tells people why.
type reasoned interface {
	error
	Reason() string
}

// seated dresses a game for who has sat down with a new key.
func (s *room) seated(ctx context.Context, v *play.View, key string) (*view.Session, error) {
	w, err := s.mineOf(ctx, v)
	if err == nil && w.Seats != nil {
		w.Seats.Key = key
	}
	return w, err
}

func (s *room) invitePlayer(ctx context.Context, in *SessionInput) (*view.Invitation, error) {
	key := rand.Text()
	v, err := s.host.Invite(ctx, in.ID, key)
	if err != nil {
		return nil, err
	}
	address, _, _ := guard.Visited(ctx)
	page := url.Values{"g": {cmp.Or(v.Settings.Asked, v.Settings.Game)}, "s": {in.ID}}
	w := &view.Invitation{Key: key, Address: address + "/play?" + page.Encode() + "#" + key}
	w.QR, err = api.QR(w.Address)
	return w, err
}

type sitDownInput struct {
	SessionInput
	Body view.SitDown
}

func (s *room) sitDown(ctx context.Context, in *sitDownInput) (*view.Session, error) {
	name, err := s.called(ctx, in.Body.Name)
	if err != nil {
		return nil, err
	}
	key := rand.Text()
	v, err := s.host.Sit(ctx, in.ID, name, key)
	if err != nil {
		return nil, err
	}
	in.Seat = key
	ctx = in.Acting(ctx)
	s.noteGame(ctx, v)
	return s.seated(ctx, v, key)
}

type offerInput struct {
	SessionInput
	Body view.OfferSide
}

func (s *room) offer(ctx context.Context, in *offerInput) (*play.View, error) {
	return s.host.Offer(ctx, in.ID, play.Offer(in.Body.What))
}

func (s *room) decline(ctx context.Context, in *SessionInput) (*play.View, error) {
	return s.host.Decline(ctx, in.ID)
}

func (s *room) rematch(ctx context.Context, in *SessionInput) (*play.View, error) {
	v, err := s.host.Rematch(ctx, guard.Client(ctx), in.ID, rand.Text(), api.Seed())
	if err == nil {
		s.noteGame(ctx, v)
	}
	return v, err
}
