package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"qipu/play"
	"qipu/record"
	"qipu/store"
)

// Play returns a host of games whose sessions are kept in the library, and
// become records of it when they end. Options.Store, Keeper and Games are set by
// it. It goes on with the games that there are; the library has to be open for
// writing. Close the host before the library.
// Fresh counts what a game adds to the book.
func (l *Library) Play(ctx context.Context, o play.Options, fresh Fresh) (*play.Host, error) {
	if l.options.ReadOnly {
		return nil, fmt.Errorf("qipu: games cannot be played: %w", store.ErrReadOnly)
	}
	o.Store, o.Keeper, o.Games = &sessionStore{notes: l.Notes()}, &sessionKeeper{l, fresh}, l.options.Games
	return play.NewHost(ctx, o)
}

// sessionStore keeps sessions in the catalogue. Every move waits for the disk;
// moves that come while it is busy are written together, so that a hundred games
// cost it no more than a few.
type sessionStore struct {
	notes store.Notes

	mu      sync.Mutex
	waiting []*sessionWrite
	writing bool
}

// sessionWrite is a change that waits for its turn.
type sessionWrite struct {
	do   func(store.Tx) error
	done chan error
}

// write does a change, together with others that come at the same time.
func (s *sessionStore) write(do func(store.Tx) error) error {
	w := &sessionWrite{do: do, done: make(chan error, 1)}
	s.mu.Lock()
	s.waiting = append(s.waiting, w)
	if !s.writing {
		s.writing = true
		go s.writeAll()
	}
	s.mu.Unlock()
	return <-w.done
}

// writeAll writes until nobody waits.
func (s *sessionStore) writeAll() {
	for {
		s.mu.Lock()
		list := s.waiting
		s.waiting = nil
		if s.writing = len(list) > 0; !s.writing {
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		err := s.notes.Edit(context.Background(), func(tx store.Tx) error {
			for _, w := range list {
				if err := w.do(tx); err != nil {
					return err
				}
			}
			return nil
		})
		for _, w := range list {
			if err != nil && len(list) > 1 { // it may be the fault of another
				w.done <- s.notes.Edit(context.Background(), w.do)
			} else {
				w.done <- err
			}
		}
	}
}

func (s *sessionStore) Create(_ context.Context, x *play.Stored) (id int64, err error) {
	err = s.write(func(tx store.Tx) (err error) {
		id, err = tx.AddSession(store.Session{Token: x.Token, Kind: x.Kind, State: string(x.State), Created: x.Changed})
		return err
	})
	return id, err
}

func (s *sessionStore) Save(_ context.Context, x *play.Stored) error {
	return s.write(func(tx store.Tx) error {
		return tx.SaveSession(store.Session{ID: x.ID, State: string(x.State), Over: x.Over, Game: x.Record, Changed: x.Changed})
	})
}

func (s *sessionStore) Drop(_ context.Context, id int64) error {
	return s.write(func(tx store.Tx) error { return tx.DropSession(id) })
}

func (s *sessionStore) Tidy(_ context.Context, before time.Time) error {
	return s.write(func(tx store.Tx) error {
		_, err := tx.DropSessions(before)
		return err
	})
}

func (s *sessionStore) Load(ctx context.Context, token string) (*play.Stored, error) {
	x, err := s.notes.Session(ctx, token)
	if errors.Is(err, store.ErrNoRow) {
		return nil, play.ErrUnknown
	}
	if err != nil {
		return nil, err
	}
	return storedOf(&x), nil
}

func (s *sessionStore) Open(ctx context.Context) ([]*play.Stored, error) {
	list, err := s.notes.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*play.Stored, len(list))
	for i := range list {
		out[i] = storedOf(&list[i])
	}
	return out, nil
}

func storedOf(x *store.Session) *play.Stored {
	return &play.Stored{ID: x.ID, Token: x.Token, Kind: x.Kind, State: []byte(x.State), Over: x.Over, Record: x.Game, Changed: x.Changed}
}

// Fresh returns how many positions of a game are new in the book.
type Fresh func(ctx context.Context, p *record.Played) (int, error)

// sessionKeeper makes records of games that have ended.
type sessionKeeper struct {
	library *Library
	fresh   Fresh
}

// played returns the record of a session, played.
func (k *sessionKeeper) played(s *play.Session, id int64) (*record.Played, error) {
	g, err := s.Record(id)
	if err != nil {
		return nil, err
	}
	referee := record.NewReferee(k.library.options.Games)
	referee.Trace = true
	return referee.Play(g), nil
}

// Fresh returns how many positions of a game are new in the book.
func (k *sessionKeeper) Fresh(ctx context.Context, s *play.Session, id int64) (int, error) {
	p, err := k.played(s, id)
	if err != nil || p.Rules == nil {
		return 0, err
	}
	return k.fresh(ctx, p)
}

// Keep makes the record of a session. The remark in it is that of no other game,
// so that no record takes its place, and it is a duplicate of itself alone: when
// a crash has kept its number from being noted.
func (k *sessionKeeper) Keep(ctx context.Context, s *play.Session, id int64) (uint32, bool, error) {
	p, err := k.played(s, id)
	if err != nil {
		return 0, false, err
	}
	plies := len(p.Steps)
	added, err := k.library.Add(ctx, p)
	if err != nil {
		return 0, false, err
	}
	known, err := k.library.knownBefore(ctx, added, plies)
	return added.ID, known, err
}

// knownBefore reports whether there was a game of the same moves before a record
// was added, or before it was added for the first time.
func (l *Library) knownBefore(ctx context.Context, a store.Added, plies int) (bool, error) {
	if a.Status == store.StatusNew {
		return false, nil
	}
	sources, err := l.store.Records().Sources(ctx, a.ID)
	if err != nil || len(sources) > 1 {
		return len(sources) > 1, err // it took the place of another record of the game
	}
	links, err := l.store.Records().Links(ctx, a.ID)
	if err != nil || len(links) == 0 {
		return false, err
	}
	ids := make([]uint32, len(links))
	for i := range links {
		ids[i] = links[i].Game
	}
	others, err := l.store.Records().Games(ctx, ids)
	return slices.ContainsFunc(others, func(g store.Game) bool { return g.Plies == plies && g.ID < a.ID }), err
}
