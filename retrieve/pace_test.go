package retrieve

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"qipu/query"
)

// metronome lets so many blocks be looked at, each second one by a helper where there
// may be any.
type metronome struct {
	blocks  int64
	helps   bool
	paused  atomic.Int64
	asked   atomic.Int64
	helping atomic.Int64
	helped  atomic.Int64
}

func (m *metronome) Pause(ctx context.Context) (bool, error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return m.paused.Add(1) <= m.blocks, nil
}

func (m *metronome) Help() (func(), bool) {
	if !m.helps || m.asked.Add(1)%2 == 0 {
		return nil, false
	}
	m.helping.Add(1)
	m.helped.Add(1)
	return func() { m.helping.Add(-1) }, true
}

// TestPaced: whoever takes turns finds the same, with and without helpers; who has had
// enough tells what was found, or that it is not all.
//
//qipu:race
func TestPaced(t *testing.T) {
	w, _ := manyGames(t, 3000)
	k := w.kinds()[0]
	before := runtime.NumGoroutine()
	for name, r := range map[string]Request{
		"main lines": {Kind: k, Query: w.frequent(t, k), Workers: 3},
		"variations": {Kind: k, Query: w.frequent(t, k), Workers: 3, Variations: true},
		"one worker": {Kind: k, Query: w.frequent(t, k), Workers: 1},
		"facts":      {Kind: k, Workers: 3},
	} {
		want, err := Find(t.Context(), w.view, &r)
		if err != nil {
			t.Fatal(err)
		}
		for _, helps := range []bool{false, true} {
			m := &metronome{blocks: 1 << 40, helps: helps}
			got, err := Find(Paced(t.Context(), m), w.view, &r)
			if err != nil {
				t.Fatal(err)
			}
			if got.Games != want.Games || got.Hits != want.Hits || got.Cut || !reflect.DeepEqual(got.Rows, want.Rows) || !reflect.DeepEqual(got.Continuations, want.Continuations) {
				t.Errorf("%s: in turns %d games, %d hits; want %d, %d", name, got.Games, got.Hits, want.Games, want.Hits)
			}
			if m.paused.Load() < 5 || m.helping.Load() != 0 || (m.helped.Load() > 0) != (helps && r.Workers > 1) {
				t.Errorf("%s: %d pauses, %d helpers, of whom %d are there", name, m.paused.Load(), m.helped.Load(), m.helping.Load())
			}
		}
	}
	r := &Request{Kind: k, Query: w.frequent(t, k), Workers: 3}
	if _, err := Find(Paced(t.Context(), &metronome{blocks: 2}), w.view, r); !errors.Is(err, ErrEnough) {
		t.Errorf("who asks for all is told %v", err)
	}
	all, err := Find(t.Context(), w.view, r)
	if err != nil {
		t.Fatal(err)
	}
	r.Partly = true
	a, err := Find(Paced(t.Context(), &metronome{blocks: 2, helps: true}), w.view, r)
	if err != nil || !a.Cut || a.Games == 0 || a.Games >= all.Games || a.Explain.Lines < int64(a.Games) || a.Explain.Lines >= a.Explain.Total {
		t.Fatalf("%+v, %v", a, err)
	}
	for i := range a.Rows {
		if a.Rows[i].Game != all.Rows[i].Game {
			t.Errorf("row %d is game %d, of all %d", i, a.Rows[i].Game, all.Rows[i].Game)
		}
	}
	r.Variations = true // of several parts, each of which must be known as a whole
	r.Query = query.And{w.frequent(t, k), query.Not{Q: w.frequent(t, k)}}
	if _, err := Find(Paced(t.Context(), &metronome{blocks: 2}), w.view, r); !errors.Is(err, ErrEnough) {
		t.Errorf("a part that is cut: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r.Variations, r.Query = false, w.frequent(t, k)
	r.OnPage = func([]Row) { cancel() }
	if _, err := Find(Paced(ctx, &metronome{blocks: 1 << 40, helps: true}), w.view, r); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	settled(t, before)
}

// TestForesee: whole positions and facts are foreseen to be little work, boards that lie
// anywhere much, and those that an index leads to something between.
func TestForesee(t *testing.T) {
	w, _ := manyGames(t, 600)
	k := w.kinds()[0]
	of := func(q query.Q) time.Duration {
		d, err := Foresee(w.view, &Request{Kind: k, Query: q})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	fact, whole, any := of(nil), of(&query.Shape{Pattern: empty(k), Geometry: k.Rules.Geometry()}), of(w.frequent(t, k))
	if whole != 0 || fact == 0 || fact > time.Millisecond || any < 10*fact {
		t.Errorf("a position %v, all games %v, a board anywhere %v", whole, fact, any)
	}
	if double := of(query.Or{w.frequent(t, k), query.Not{Q: w.frequent(t, k)}}); double <= any {
		t.Errorf("two boards anywhere %v, one %v", double, any)
	}
}
