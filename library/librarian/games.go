package librarian

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// watch makes the courses of games, the latest first, until all games have one.
func (l *Librarian) watch(ctx context.Context) error {
	for {
		l.set(func(s *State) { s.Phase = Surveying })
		ids, have, err := l.courses.Lacking(ctx, l.o.Kind)
		if err != nil {
			return err
		}
		l.set(func(s *State) { s.Total, s.Valued = have+len(ids), have })
		if left := l.left(); left >= 0 {
			ids = ids[:min(len(ids), left)]
		}
		if len(ids) == 0 {
			return nil
		}
		failed, err := l.games(ctx, ids)
		switch {
		case err != nil:
			return err
		case failed == len(ids) && l.State().Searched == 0:
			return errors.New("librarian: no game can be looked at")
		case failed == len(ids):
			return nil
		}
	}
}

// games makes courses, as many at a time as there may be. It returns how many failed.
func (l *Librarian) games(ctx context.Context, ids []uint32) (failed int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	began, before := time.Now(), l.State().Searched
	var wait sync.WaitGroup
	var mu sync.Mutex
	next := 0
	take := func() (uint32, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(ids) {
			return 0, false
		}
		next++
		return ids[next-1], true
	}
	for range min(l.o.Threads, len(ids)) {
		wait.Go(func() {
			runtime.LockOSThread() // see learn
			yieldToOthers()
			one, err := l.courses.Learner(l.o.Kind)
			if err != nil {
				cancel(err)
				return
			}
			defer func() {
				if err := one.Close(context.WithoutCancel(ctx)); err != nil {
					cancel(err)
				}
			}()
			for {
				if l.wait(ctx) != nil {
					return
				}
				id, ok := take()
				if !ok {
					return
				}
				err := one.Learn(ctx, id)
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					mu.Lock()
					failed++
					mu.Unlock()
				}
				l.set(func(s *State) {
					if err != nil {
						s.Errors++
						return
					}
					s.Searched++
					s.Valued++
					s.Rate = float64(s.Searched-before) / max(time.Since(began).Minutes(), 1e-6)
				})
			}
		})
	}
	wait.Wait()
	if l.o.Changed != nil {
		l.o.Changed()
	}
	return failed, context.Cause(ctx)
}
