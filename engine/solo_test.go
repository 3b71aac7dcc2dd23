package engine_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"qipu/engine"
)

// Thoughts wait for each other, Close ends the one that is going on and waits for it,
// and those who wait and who come later are told that the engine is closed.
func TestSolo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s engine.Solo
		ctx, end, err := s.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var second, later error
		var order []string
		var all sync.WaitGroup
		all.Go(func() {
			_, end, err := s.Begin(t.Context())
			if second = err; err == nil {
				order = append(order, "second")
				end()
			}
		})
		synctest.Wait()
		if len(order) > 0 {
			t.Fatal("a second thought began beside the first")
		}
		end()
		if ctx.Err() == nil {
			t.Error("the context of a thought outlives it")
		}
		all.Wait()
		if second != nil || len(order) != 1 {
			t.Fatalf("the second thought: %v, %v", order, second)
		}

		ctx, end, err = s.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() { _, _, later = s.Begin(t.Context()) })
		all.Go(func() { s.Close(func() { order = append(order, "freed") }) })
		synctest.Wait()
		if !errors.Is(context.Cause(ctx), engine.ErrClosed) {
			t.Errorf("cause of a thought whose engine is closed: %v", context.Cause(ctx))
		}
		if len(order) != 1 {
			t.Error("freed while the engine thought")
		}
		end()
		all.Wait()
		if len(order) != 2 || !errors.Is(later, engine.ErrClosed) {
			t.Errorf("after Close: %v, %v", order, later)
		}
		if _, _, err := s.Begin(t.Context()); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("a thought of a closed engine: %v", err)
		}
		s.Close(nil) // twice is once
	})
}
