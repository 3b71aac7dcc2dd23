package theory

import (
	"context"
	"iter"
	"slices"
	"sync"

	"qipu/book"
	"qipu/book/theory/internal/graph"
	"qipu/game"
)

// Row is what cannot be derived about a position, and Mark a state of what values
// are made of; Shipped is values that come with the program.
type (
	Row     = graph.Row
	Mark    = graph.Mark
	Shipped = graph.Shipped
)

// Levels beyond those of engines, and the usual margins of searches.
const (
	LevelExact = graph.LevelExact
	LevelHuman = graph.LevelHuman
	MarginMid  = graph.MarginMid
	MarginEnd  = graph.MarginEnd
)

// OpenShipped opens values that Theory.Ship has written. It reads none of them.
func OpenShipped(r game.Rules, data []byte) (*Shipped, error) { return graph.OpenShipped(r, data) }

// Store keeps rows. A Theory calls one method of it at a time.
type Store interface {
	// Rows yields all of them, in any order, each once.
	Rows(ctx context.Context) iter.Seq2[Row, error]

	// Put stores rows in the place of those with the same keys, all of them or
	// none.
	Put(ctx context.Context, rows []Row) error

	// Drop forgets rows; keys that are not there are no error.
	Drop(ctx context.Context, keys []book.Key) error

	// Find returns the rows of which the keys have this upper half, by key.
	Find(ctx context.Context, high uint64) ([]Row, error)
}

// Log is a Store that can tell what has changed, so that values need not all be
// read again.
type Log interface {
	// Mark returns where the store is.
	Mark(ctx context.Context) (Mark, error)

	// Since yields the rows that were put at the time of a Mark or later, each once.
	Since(ctx context.Context, time int64) iter.Seq2[Row, error]
}

// Memory is a Store that keeps nothing beyond the life of the process. The zero
// value is empty and ready; it is safe for concurrent use.
type Memory struct {
	mu   sync.Mutex
	rows map[book.Key]Row
}

var _ Store = (*Memory)(nil)

// Rows yields the rows by key.
func (m *Memory) Rows(context.Context) iter.Seq2[Row, error] {
	m.mu.Lock()
	list := make([]Row, 0, len(m.rows))
	for _, r := range m.rows {
		list = append(list, r)
	}
	m.mu.Unlock()
	slices.SortFunc(list, func(a, b Row) int { return graph.CompareKeys(a.Key, b.Key) })
	return func(yield func(Row, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Put stores rows.
func (m *Memory) Put(_ context.Context, rows []Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rows == nil {
		m.rows = map[book.Key]Row{}
	}
	for _, r := range rows {
		m.rows[r.Key] = r
	}
	return nil
}

// Drop forgets rows.
func (m *Memory) Drop(_ context.Context, keys []book.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range keys {
		delete(m.rows, k)
	}
	return nil
}

// Find returns rows by the upper half of their keys.
func (m *Memory) Find(ctx context.Context, high uint64) (list []Row, err error) {
	for r := range m.Rows(ctx) {
		if r.Key.Hi == high {
			list = append(list, r)
		}
	}
	return list, nil
}
