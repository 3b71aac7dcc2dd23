package shard

import (
	"context"
	"errors"
	"sync"
	"time"

	"qipu/play"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// Sessions keeps the games that are being played.
func (n notes) Sessions() play.Store { return &sessions{cat: n.DB} }

// sessions keeps sessions in the catalogue. Every move waits for the disk;
// moves that come while it is busy are written together, so that a hundred games
// cost it no more than a few.
type sessions struct {
	cat *catalog.DB

	mu      sync.Mutex
	waiting []*sessionWrite
	writing bool
}

// sessionWrite is a change that waits for its turn.
type sessionWrite struct {
	do   func(*catalog.Tx) error
	done chan error
}

// write does a change, together with others that come at the same time.
func (s *sessions) write(do func(*catalog.Tx) error) error {
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
func (s *sessions) writeAll() {
	for {
		s.mu.Lock()
		list := s.waiting
		s.waiting = nil
		if s.writing = len(list) > 0; !s.writing {
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		err := s.cat.Update(context.Background(), func(tx *catalog.Tx) error {
			for _, w := range list {
				if err := w.do(tx); err != nil {
					return err
				}
			}
			return nil
		})
		for _, w := range list {
			if err != nil && len(list) > 1 { // it may be the fault of another
				w.done <- s.cat.Update(context.Background(), w.do)
			} else {
				w.done <- err
			}
		}
	}
}

func (s *sessions) Create(_ context.Context, x *play.Stored) (id int64, err error) {
	err = s.write(func(tx *catalog.Tx) (err error) {
		id, err = tx.AddSession(x)
		return err
	})
	return id, err
}

func (s *sessions) Save(_ context.Context, x *play.Stored) error {
	return s.write(func(tx *catalog.Tx) error { return tx.SaveSession(x) })
}

func (s *sessions) Drop(_ context.Context, id int64) error {
	return s.write(func(tx *catalog.Tx) error { return tx.DropSession(id) })
}

func (s *sessions) Tidy(_ context.Context, before time.Time) error {
	return s.write(func(tx *catalog.Tx) error {
		_, err := tx.DropSessions(before)
		return err
	})
}

func (s *sessions) Load(ctx context.Context, token string) (*play.Stored, error) {
	x, err := s.cat.Session(ctx, token)
	if errors.Is(err, store.ErrNoRow) {
		return nil, play.ErrUnknown
	}
	return x, err
}

func (s *sessions) Open(ctx context.Context) ([]*play.Stored, error) { return s.cat.Sessions(ctx) }
