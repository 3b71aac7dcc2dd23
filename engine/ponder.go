package engine

import (
	"context"
	"slices"
	"sync"
)

// Pondering returns an engine that goes on thinking while the other side does: after a
// move to play that was limited by time alone, about the position behind it, until the
// next thought or Close. What it remembers of that is the gain; answers to limits of
// depth or nodes stay what they are.
func Pondering(e Engine) Engine { return &ponderer{Engine: e} }

type ponderer struct {
	Engine
	mu    sync.Mutex
	awake func() // ends the thought on the other's time, and waits for it; nil where there is none
}

// wake ends what is thought on the other's time.
func (p *ponderer) wake() {
	p.mu.Lock()
	awake := p.awake
	p.awake = nil
	p.mu.Unlock()
	if awake != nil {
		awake()
	}
}

// Think ends the thought on the other's time first.
func (p *ponderer) Think(ctx context.Context, t *Task, l Limits, watch func(*Report)) (*Report, error) {
	p.wake()
	r, err := p.Engine.Think(ctx, t, l, watch)
	if err == nil && len(r.Lines) > 0 && l.Multi == 0 && l.Nodes == 0 && l.Depth == 0 && (l.Time > 0 || l.Clock != nil) {
		p.ponder(&Task{Rules: t.Rules, Start: t.Start, Moves: append(slices.Clip(slices.Clone(t.Moves)), r.Lines[0].Move)}, l)
	}
	return r, err
}

// ponder begins a thought that nobody waits for, in memory that the engine has anyway.
func (p *ponderer) ponder(t *Task, l Limits) {
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		p.Engine.Think(ctx, t, Limits{Threads: l.Threads, Seed: l.Seed}, nil) // a game that is over, a closed engine: nothing to think about
	}()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.awake = func() {
		stop()
		<-over
	}
}

// Close ends what is thought on the other's time, too.
func (p *ponderer) Close() error {
	p.wake()
	return p.Engine.Close()
}
