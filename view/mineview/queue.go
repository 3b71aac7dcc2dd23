package mineview

import (
	"slices"

	"qipu/mine/queue"
	"qipu/view"
)

// Queued returns a finding of a report as it is put into the queue.
func Queued(in *view.QueueFinding, day string) queue.Finding {
	f := &in.Finding
	q := queue.Finding{
		Kind: f.Kind, Game: in.Game, Among: in.Query, At: in.At, Title: f.Title, Sentence: f.Sentence, Query: f.Query,
		Games: f.Games, Effect: f.Effect, Error: f.Error, Q: f.Q, Day: day,
	}
	for _, p := range f.Samples {
		q.Samples = append(q.Samples, queue.Place{Record: p.Record, Ply: p.Ply})
	}
	for _, list := range [][]view.FindingItem{f.Items, f.Then} {
		for _, it := range list {
			if it.Name != "" && !slices.Contains(q.Names, it.Name) {
				q.Names, q.Sides = append(q.Names, it.Name), append(q.Sides, it.Side)
			}
		}
	}
	q.Identify()
	return q
}

// QueueOf returns the findings of a queue that have one of the states, or all of them,
// those that want work first.
func QueueOf(q *queue.Queue, states ...string) *view.FindingsQueue {
	w := &view.FindingsQueue{Findings: []view.QueuedFinding{}, States: []view.QueueState{}, Agreements: []view.ReaderAgreement{}}
	for _, state := range queue.States() {
		n := 0
		for i := range q.Findings {
			if q.Findings[i].State() != state {
				continue
			}
			n++
			if len(states) == 0 || slices.Contains(states, state) {
				w.Findings = append(w.Findings, QueuedOf(&q.Findings[i]))
			}
		}
		w.States = append(w.States, view.QueueState{State: state, Findings: n})
	}
	for _, a := range q.Agreements() {
		w.Agreements = append(w.Agreements, view.ReaderAgreement{Readers: a.Readers[:], Findings: a.Findings, Same: a.Same, Chance: a.Chance, Kappa: a.Kappa})
	}
	return w
}

// QueuedOf returns one finding of a queue.
func QueuedOf(f *queue.Finding) view.QueuedFinding {
	w := view.QueuedFinding{
		ID: f.ID, Kind: f.Kind, Game: f.Game, Among: f.Among, At: f.At, Title: f.Title, Sentence: f.Sentence, Query: f.Query,
		Games: f.Games, Effect: f.Effect, Error: f.Error, Q: f.Q, Samples: []view.FindingPlace{}, Found: f.Day, State: f.State(),
		Verdicts: []view.FindingVerdict{}, Names: append([]string{}, f.Names...), Entry: f.Entry, As: f.As, Entered: f.Entered,
	}
	if w.As == "" {
		w.As = queue.AsQuery
	}
	for _, p := range f.Samples {
		w.Samples = append(w.Samples, view.FindingPlace{Record: p.Record, Ply: p.Ply})
	}
	for _, v := range f.Verdicts {
		w.Verdicts = append(w.Verdicts, view.FindingVerdict{Reader: v.Reader, Says: v.Says, Reason: v.Reason, Day: v.Day})
	}
	return w
}
