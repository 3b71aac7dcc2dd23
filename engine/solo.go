package engine

import (
	"context"
	"sync"
)

// Solo has an engine think one thought at a time, and ends it when the engine is
// closed. The zero value is that of an open engine.
type Solo struct {
	mu     sync.Mutex
	over   *sync.Cond              // a thought is; nil before the first
	stop   context.CancelCauseFunc // of the thought that is going on; nil where there is none
	closed bool
}

// rest locks, when no thought is going on.
func (s *Solo) rest() {
	s.mu.Lock()
	if s.over == nil {
		s.over = sync.NewCond(&s.mu)
	}
	for s.stop != nil {
		s.over.Wait()
	}
}

// Begin waits for the thought before, and begins one. The context that it returns ends
// with the other or, the cause being ErrClosed, with the engine; end is to be called when
// the thought is over. Of a closed engine it returns ErrClosed.
func (s *Solo) Begin(ctx context.Context) (thought context.Context, end func(), err error) {
	s.rest()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	ctx, s.stop = context.WithCancelCause(ctx)
	return ctx, s.end, nil
}

func (s *Solo) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop(nil)
	s.stop = nil
	s.over.Broadcast()
}

// Close ends the thought that is going on, and lets nobody begin another. Where free is
// not nil, it waits until the thought is over and calls free then.
func (s *Solo) Close(free func()) {
	s.mu.Lock()
	s.closed = true
	if s.stop != nil {
		s.stop(ErrClosed)
	}
	s.mu.Unlock()
	if free != nil {
		s.rest()
		defer s.mu.Unlock()
		free()
	}
}
