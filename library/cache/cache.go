// Package cache keeps what was worked out, as long as what it was worked out from is
// the same.
//
//	var scores cache.Cache[*index.Kind, version, *Scores]
//	s, err := scores.Get(ctx, kind, now, func() (*Scores, error) { return count(ctx, kind) })
//
// [Cache] holds one value for each key, with the version of its sources. A version is
// a comparable struct, asked for before the work begins: what is worked out may be of a
// later one, and be taken for out of date, but never the other way round.
package cache

import (
	"context"
	"sync"
)

// most bounds how many keys are kept: of more, all are forgotten.
const most = 256

// Cache is what was worked out last for each key, and of which version. The zero value
// is empty. It is safe for concurrent use.
type Cache[K, V comparable, T any] struct {
	mu    sync.Mutex
	byKey map[K]*slot[V, T]
}

// slot is what was worked out for one key. Who has its turn may read and change it.
type slot[V comparable, T any] struct {
	turn    chan struct{}
	known   bool
	version V
	value   T
}

// Get returns what work returns, which is called where the version has changed: by one
// at a time, so that all who come meanwhile wait for it, and share what it returns.
// Where it fails, the next one who waits tries again, under a context of its own.
func (c *Cache[K, V, T]) Get(ctx context.Context, key K, version V, work func() (T, error)) (value T, err error) {
	s := c.slot(key)
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return value, context.Cause(ctx)
	}
	defer func() { <-s.turn }()
	if s.known && s.version == version {
		return s.value, nil
	}
	if value, err = work(); err == nil {
		s.known, s.version, s.value = true, version, value
	}
	return value, err
}

func (c *Cache[K, V, T]) slot(key K) *slot[V, T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.byKey[key]
	if s == nil {
		if c.byKey == nil || len(c.byKey) >= most {
			c.byKey = map[K]*slot[V, T]{}
		}
		s = &slot[V, T]{turn: make(chan struct{}, 1)}
		c.byKey[key] = s
	}
	return s
}
