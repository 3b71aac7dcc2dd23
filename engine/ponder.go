package engine

import (
	"context"
	"slices"

	"qipu/game"
)

// Pondering is a thought in the background, while the other side is to move.
type Pondering struct {
	// Move is the reply that is expected.
	Move game.Move

	stop context.CancelFunc
	done chan struct{}
	r    *Report
	err  error
}

// Ponder thinks, until it is stopped or the context ends, about what to answer
// to the expected reply: the task is that of the other side, whose turn it is.
// The engine must not be given another task before Stop has returned. What it
// then remembers makes its next thought shorter where the reply was the expected
// one, and does no harm where it was another. It is of no use before a thought
// whose limits can be repeated (see Limits): that begins with nothing.
func Ponder(ctx context.Context, e Engine, t *Task, reply game.Move) *Pondering {
	ctx, stop := context.WithCancel(ctx)
	p := &Pondering{Move: reply, stop: stop, done: make(chan struct{})}
	next := *t
	next.Moves = append(slices.Clip(t.Moves), reply)
	go func() {
		defer close(p.done)
		p.r, p.err = e.Think(ctx, &next, Limits{}, nil)
	}()
	return p
}

// Stop ends the thought and returns what it came to: a report on the position
// behind the expected reply. It may be called more than once.
func (p *Pondering) Stop() (*Report, error) {
	p.stop()
	<-p.done
	return p.r, p.err
}
