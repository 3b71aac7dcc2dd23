//qipu:race

package engine_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/xiangqi"
)

// slow is an engine that takes its time and notes that nobody else uses it.
type slow struct {
	engine.Random
	inUse, closed atomic.Bool
	t             *testing.T
	takes         time.Duration
}

func (s *slow) Think(ctx context.Context, t *engine.Task, l engine.Limits, w func(*engine.Report)) (*engine.Report, error) {
	if s.inUse.Swap(true) || s.closed.Load() {
		s.t.Error("an engine is used twice at once, or after it was closed")
	}
	defer s.inUse.Store(false)
	time.Sleep(s.takes)
	return s.Random.Think(ctx, t, l, w)
}

func (s *slow) Close() error {
	s.closed.Store(true)
	return nil
}

// TestPool lends a few engines to many: never more than there are, nobody is
// forgotten, and who asks often does not keep others waiting.
func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		made := map[string]int{}
		var all []*slow
		p := engine.NewPool(engine.PoolOptions{Size: 2, Queue: 40, Make: func(r game.Rules) (engine.Engine, error) {
			mu.Lock()
			defer mu.Unlock()
			made[r.Info().Name]++
			e := &slow{t: t, takes: 10 * time.Millisecond}
			all = append(all, e)
			return e, nil
		}})
		task := &engine.Task{Rules: othello.Standard}
		var order []string
		var wait sync.WaitGroup
		ask := func(name string) {
			wait.Go(func() {
				if _, err := p.Think(t.Context(), name, 1, task, engine.Limits{}, nil); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				mu.Lock()
				order = append(order, name)
				mu.Unlock()
			})
			synctest.Wait()
		}
		for range 20 {
			ask("many")
		}
		ask("one")
		ask("two")
		if p.Busy() != 2 || p.Waiting() != 20 {
			t.Errorf("%d at work, %d waiting", p.Busy(), p.Waiting())
		}
		wait.Wait()
		if at := slices.Index(order, "two"); at < 0 || at > 6 { // two at once end in any order
			t.Errorf("served in the order %v", order)
		}
		if p.Busy() != 0 || p.Waiting() != 0 || made["othello"] != 2 {
			t.Errorf("%d at work, %d waiting, made %v", p.Busy(), p.Waiting(), made)
		}
		// Another game takes the place of an engine that rests.
		if _, err := p.Think(t.Context(), "one", 0, &engine.Task{Rules: xiangqi.Standard}, engine.Limits{}, nil); err != nil {
			t.Fatal(err)
		}
		closed := 0
		for _, e := range all {
			if e.closed.Load() {
				closed++
			}
		}
		if closed != 1 || made["xiangqi"] != 1 {
			t.Errorf("%d closed, made %v", closed, made)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			if !e.closed.Load() {
				t.Error("an engine is left open")
			}
		}
	})
}

// TestPoolRefuses refuses those who are too many, come too late or went away.
func TestPoolRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := engine.NewPool(engine.PoolOptions{Size: 1, Queue: 2, Make: func(r game.Rules) (engine.Engine, error) {
			if r.Info().Name == "xiangqi" {
				return nil, errors.New("no such engine")
			}
			return &slow{t: t, takes: time.Second}, nil
		}})
		task := &engine.Task{Rules: othello.Standard}
		errs := make([]error, 3)
		var wait sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		for i := range errs {
			wait.Go(func() {
				_, errs[i] = p.Think(ctx, "a", 0, task, engine.Limits{}, nil)
			})
			synctest.Wait()
		}
		if _, err := p.Think(t.Context(), "b", 0, task, engine.Limits{}, nil); !errors.Is(err, engine.ErrBusy) {
			t.Errorf("the queue is full: %v", err)
		}
		cancel()
		synctest.Wait()
		if p.Waiting() != 0 {
			t.Errorf("%d wait that went away", p.Waiting())
		}
		wait.Wait()
		if !errors.Is(errs[1], context.Canceled) || !errors.Is(errs[2], context.Canceled) {
			t.Errorf("gone: %v", errs)
		}
		if _, err := p.Think(t.Context(), "a", 0, &engine.Task{Rules: xiangqi.Standard}, engine.Limits{}, nil); err == nil || p.Busy() != 0 {
			t.Errorf("an engine that cannot be made: %v, %d at work", err, p.Busy())
		}
		// Those who wait when the pool is closed are told.
		var late error
		wait.Go(func() { _, _ = p.Think(t.Context(), "a", 0, task, engine.Limits{}, nil) })
		synctest.Wait()
		wait.Go(func() { _, late = p.Think(t.Context(), "a", 0, task, engine.Limits{}, nil) })
		synctest.Wait()
		p.Close()
		wait.Wait()
		if !errors.Is(late, engine.ErrClosed) {
			t.Errorf("closed: %v", late)
		}
		if _, err := p.Think(t.Context(), "a", 0, task, engine.Limits{}, nil); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("closed before: %v", err)
		}
	})
}

// TestPoolCrash tells that an engine that panics is closed and not lent again,
// and that its place is free for the next one.
func TestPoolCrash(t *testing.T) {
	var all []*slow
	p := engine.NewPool(engine.PoolOptions{Make: func(game.Rules) (engine.Engine, error) {
		e := &slow{t: t}
		all = append(all, e)
		return e, nil
	}})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = p.Do(t.Context(), "ada", othello.Standard, func(engine.Engine) error { panic("out of its mind") })
	}()
	if p.Busy() != 0 || len(all) != 1 || !all[0].closed.Load() {
		t.Fatalf("%d busy, %d made, closed %v", p.Busy(), len(all), all[0].closed.Load())
	}
	if _, err := p.Think(t.Context(), "ada", 1, &engine.Task{Rules: othello.Standard}, engine.Limits{}, nil); err != nil || len(all) != 2 {
		t.Errorf("the next thought: %v, %d engines made", err, len(all))
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// TestPoolShared tells that one with many thoughts to do leaves others their turns
// in between, and waits where the queue is full.
func TestPoolShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := engine.NewPool(engine.PoolOptions{Size: 1, Queue: 1, Make: func(game.Rules) (engine.Engine, error) {
			return &slow{t: t, takes: 100 * time.Millisecond}, nil
		}})
		task := &engine.Task{Rules: othello.Standard}
		e, err := p.Shared(t.Context(), "review", othello.Standard)
		if err != nil || e.Info().Name != "random" {
			t.Fatal(err)
		}
		began := time.Now()
		var wait sync.WaitGroup
		wait.Go(func() {
			for range 20 {
				if _, err := e.Think(t.Context(), task, engine.Limits{}, nil); err != nil {
					t.Error(err)
				}
			}
		})
		time.Sleep(150 * time.Millisecond)
		if _, err := p.Think(t.Context(), "ada", 0, task, engine.Limits{}, nil); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("a single thought came after %v of two seconds of others", took)
		}
		wait.Wait()
		if err := errors.Join(e.Close(), p.Close()); err != nil {
			t.Error(err)
		}
		if _, err := e.Think(t.Context(), task, engine.Limits{}, nil); !errors.Is(err, engine.ErrClosed) {
			t.Error(err)
		}
	})
}
