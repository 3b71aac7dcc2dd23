package play

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"qipu/record/facts"
)

// Offer is what one side asks the other for.
type Offer string

// The offers.
const (
	OfferDraw Offer = "draw"
	OfferUndo Offer = "undo" // of the last move of who asks, and of what followed
)

// The errors of games that two people play at screens of their own.
var (
	ErrSeat    = errors.New("you have no seat at this game: you can watch it")
	ErrTaken   = errors.New("the seat is taken, or the invitation is an old one")
	ErrWaiting = errors.New("the other side has not come yet")
	ErrAsk     = errors.New("the other side has to agree: ask for it")
	ErrNoDraw  = errors.New("nobody agrees upon a draw in this game")
)

// Actor is who does something: the key of a seat, or the profile that sits on it.
type Actor struct{ Key, Who string }

type actorKey struct{}

// As returns a context in which somebody acts.
func As(ctx context.Context, a Actor) context.Context { return context.WithValue(ctx, actorKey{}, a) }

func actorOf(ctx context.Context) Actor {
	a, _ := ctx.Value(actorKey{}).(Actor)
	return a
}

// Seats are those of a game that two people play at screens of their own: nobody but
// who sits there moves for a side. Of keys there are only their sums.
type Seats struct {
	Keys  [2]string `json:"keys"`
	Taken [2]bool   `json:"taken"`
	Offer Offer     `json:"offer,omitempty"` // that waits for an answer
	By    int       `json:"by,omitempty"`    // the side that has made it
	Next  string    `json:"next,omitempty"`  // the game that followed: its token
}

func sum(key string) string {
	s := sha256.Sum256([]byte(key))
	return hex.EncodeToString(s[:])
}

// has reports whether a key is that of a side.
func (s *Seats) has(side int, key string) bool {
	return key != "" && s.Keys[side] != "" && subtle.ConstantTimeCompare([]byte(s.Keys[side]), []byte(sum(key))) == 1
}

// Reserve has the game be played at two screens: one side sits there with a key, and
// the other is invited. It is called before the game is anybody's.
func (g *Session) Reserve(side int, key string) error {
	for _, p := range g.settings.Players {
		if p.Level > 0 {
			return fmt.Errorf("%w: only people take seats", ErrInvalid)
		}
	}
	g.seats = &Seats{}
	g.seats.Keys[side], g.seats.Taken[side] = sum(key), true
	return nil
}

// sideOf returns the side of an actor; -1 for who has none. Somebody who sits on both
// sides is known by keys alone.
func (s *Seats) sideOf(players *[2]Player, a Actor) int {
	if s == nil {
		return -1
	}
	mine := [2]bool{}
	for i, p := range players {
		if s.Taken[i] && s.has(i, a.Key) {
			return i
		}
		mine[i] = s.Taken[i] && a.Who != "" && p.Who == a.Who
	}
	switch mine {
	case [2]bool{true, false}:
		return 0
	case [2]bool{false, true}:
		return 1
	}
	return -1
}

// SideOf returns the side of who acts in a context; -1 for who has none.
func (v *View) SideOf(ctx context.Context) int {
	return v.Seats.sideOf(&v.Settings.Players, actorOf(ctx))
}

// invite gives the seat that is free another key; one that was given out before opens
// nothing any more.
func (g *Session) invite(side int, key string) error {
	if g.seats.Taken[1-side] {
		return ErrTaken
	}
	g.seats.Keys[1-side] = sum(key)
	return nil
}

// sit has somebody take the free seat whose key he has, or which is kept for him, and
// gives it a key that nobody else knows.
func (g *Session) sit(a Actor, name, key string) error {
	if g.seats == nil {
		return fmt.Errorf("%w: it has no seats", ErrInvalid)
	}
	for i := range g.seats.Keys {
		p := &g.settings.Players[i]
		if g.seats.Taken[i] || !g.seats.has(i, a.Key) && (a.Who == "" || p.Who != a.Who) {
			continue
		}
		was := *p
		if p.Who = a.Who; name != "" {
			p.Name = name
		}
		if err := g.nameOf(p); err != nil {
			*p = was
			return err
		}
		g.seats.Keys[i], g.seats.Taken[i] = sum(key), true
		g.version++
		return nil
	}
	return ErrTaken
}

// both refuses what needs two people where there is one.
func (g *Session) both() error {
	if g.seats != nil && g.seats.Taken != [2]bool{true, true} {
		return ErrWaiting
	}
	return nil
}

// offer asks the other side for something, or agrees to it where that has asked first.
func (g *Session) offer(side int, what Offer, now time.Time) error {
	switch {
	case g.result != nil:
		return ErrOver
	case g.Flag(now):
		return nil
	case g.count != nil:
		return ErrSettling
	case what == OfferDraw && !g.rules.Info().Draws:
		return ErrNoDraw
	}
	if err := g.both(); err != nil {
		return err
	}
	s := g.seats
	if s.Offer != what || s.By == side {
		if what == OfferUndo && !g.canTakeBack(side) {
			return ErrNoUndo
		}
		s.Offer, s.By = what, side
		g.version++
		return nil
	}
	if what == OfferUndo {
		g.takeBackOf(s.By, now)
	} else {
		g.version++
		g.end(&Result{Winner: -1, Reason: ByAgreement, Facts: facts.Result{Verdict: facts.Drawn}}, now)
	}
	s.Offer = ""
	return nil
}

// decline answers an offer with no, or takes one's own back.
func (g *Session) decline() error {
	if g.result != nil {
		return ErrOver
	}
	if g.seats.Offer != "" {
		g.seats.Offer = ""
		g.version++
	}
	return nil
}

// moved answers offers by a move: that of a draw is open until the other side has moved.
func (g *Session) moved(side int) {
	if s := g.seats; s != nil && (s.Offer == OfferUndo || s.By != side) {
		s.Offer = ""
	}
}

// again returns the next game of the same two, with colours swapped. The seat of who
// asks for it is taken; that of the other is kept for who has its key.
func (g *Session) again(side int, seed uint64, now time.Time) (*Session, error) {
	set := g.settings
	set.Players[0], set.Players[1] = set.Players[1], set.Players[0]
	set.Seed = seed
	next, err := New(g.rules, g.settler, set, g.Task().Moves[:g.given], now)
	if err != nil {
		return nil, err
	}
	next.seats = &Seats{Keys: [2]string{g.seats.Keys[1], g.seats.Keys[0]}}
	next.seats.Taken[1-side] = true
	return next, nil
}
