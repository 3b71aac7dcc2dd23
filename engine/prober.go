package engine

import "context"

// WithProber returns an engine that asks a prober first, and thinks only where
// that knows nothing. Who asks for the values of several moves, or for the end
// of the game, is not asking a book: then the engine thinks. Closing it closes
// the engine, and not the prober.
func WithProber(e Engine, p Prober) Engine { return &probing{Engine: e, prober: p} }

type probing struct {
	Engine
	prober Prober
}

func (a *probing) Think(ctx context.Context, t *Task, l Limits, watch func(*Report)) (*Report, error) {
	if l.Exact || l.Multi > 1 || l.Multi < 0 {
		return a.Engine.Think(ctx, t, l, watch)
	}
	r, ok, err := a.prober.Probe(ctx, t)
	if err != nil {
		return nil, err
	}
	if !ok || len(r.Lines) == 0 {
		return a.Engine.Think(ctx, t, l, watch)
	}
	if r.Note == "" {
		r.Note = "book"
	}
	if watch != nil {
		watch(r)
	}
	return r, nil
}
