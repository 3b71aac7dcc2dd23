package qipu

import (
	"context"
	"sync"

	"qipu/index"
	"qipu/library/knowledge"
)

// moment is the state of a library, as far as what is remembered depends on it.
type moment struct {
	generation int64
	patterns   knowledge.Version
	marks      uint64
}

// moment returns the state of the library. What is worked out afterwards may be of a
// later one, and be taken for out of date, but never the other way round.
func (l *Library) moment(ctx context.Context, p *knowledge.Patterns) (m moment, err error) {
	m.generation, err = l.Archive().Generation(ctx)
	m.patterns, m.marks = p.Version, l.Store().MarksVersion()
	return m, err
}

// remembered is what was worked out last for each kind of game. The zero value is
// empty.
type remembered[T any] struct {
	sync.Mutex
	byKind map[*index.Kind]*memory[T]
}

// memory is what was worked out for one kind of game. Whoever has its turn may read
// and change it.
type memory[T any] struct {
	turn  chan struct{}
	known bool
	at    moment
	value T
}

// get returns what work returns, which is called where the state of the library has
// changed: by one at a time, so that all who come meanwhile wait for it, and share
// what it returns. Where it fails, the next one who waits tries again, under a context
// of its own.
func (r *remembered[T]) get(ctx context.Context, k *index.Kind, at moment, work func() (T, error)) (value T, err error) {
	r.Lock()
	m := r.byKind[k]
	if m == nil {
		if r.byKind == nil {
			r.byKind = map[*index.Kind]*memory[T]{}
		}
		m = &memory[T]{turn: make(chan struct{}, 1)}
		r.byKind[k] = m
	}
	r.Unlock()
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return value, context.Cause(ctx)
	}
	defer func() { <-m.turn }()
	if m.known && m.at == at {
		return m.value, nil
	}
	if value, err = work(); err == nil {
		m.known, m.at, m.value = true, at, value
	}
	return value, err
}
