package guard

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Gate admits heavy work: so many at once, and the others wait for a while.
// Work that shares the processors among too many is late for all of them.
type Gate struct {
	slots   chan struct{}
	wait    time.Duration
	waiting atomic.Int64
	refused atomic.Int64
}

// NewGate returns a gate for n at once, twice the processors where n is 0, at
// which others wait as long as wait, 10 seconds where it is 0.
func NewGate(n int, wait time.Duration) *Gate {
	return &Gate{slots: make(chan struct{}, cmp.Or(n, 2*runtime.NumCPU())), wait: cmp.Or(wait, 10*time.Second)}
}

// Enter waits for a place. The caller calls leave when the work is done; calling
// it twice does no harm. The error is a *Problem with status 503 where no place
// became free in time, or the cause of the end of the context.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	leave = sync.OnceFunc(func() { <-g.slots })
	if ctx.Err() != nil {
		return nil, fmt.Errorf("guard: gave up before the work: %w", context.Cause(ctx))
	}
	select {
	case g.slots <- struct{}{}:
		return leave, nil
	default:
	}
	g.waiting.Add(1)
	defer g.waiting.Add(-1)
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("guard: gave up waiting for other work: %w", context.Cause(ctx))
	case <-timer.C:
		g.refused.Add(1)
		return nil, g.busy()
	}
}

func (g *Gate) busy() *Problem {
	return NewProblem(http.StatusServiceUnavailable, "busy",
		"the server is busy with other requests",
		"try again when Retry-After says, or ask for less").After(g.wait / 2)
}
