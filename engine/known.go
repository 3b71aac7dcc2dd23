package engine

import "context"

// Answer answers a task by what a prober knows, where that is nothing and the engine has to
// think. Where a position is drawn, thinking may find what is hard for the other side: it
// is answered only for who asks for the end of the game. The prober may be nil.
func Answer(ctx context.Context, p Prober, t *Task, l Limits, watch func(*Report)) (r *Report, ok bool, err error) {
	if p == nil || l.Record != nil { // who counts a search wants one
		return nil, false, nil
	}
	r, ok, err = p.Probe(ctx, t)
	if err != nil || !ok || len(r.Lines) == 0 || r.Lines[0].Value == 0 && !l.Exact {
		return nil, false, err
	}
	if l.Multi >= 0 {
		r.Lines = r.Lines[:min(max(l.Multi, 1), len(r.Lines))]
	}
	if watch != nil {
		watch(r)
	}
	return r, true, nil
}
