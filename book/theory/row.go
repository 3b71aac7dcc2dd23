package theory

import (
	"context"
	"iter"
	"slices"
	"sync"

	"qipu/book"
	"qipu/engine"
)

// Levels beyond those of engines.
const (
	LevelExact = 100 // the game was read to its end
	LevelHuman = 101 // a person said so
)

// Row is what cannot be derived about a position. Values are for the side to
// move in it; engine.NoValue stands for what is unknown.
type Row struct {
	Key      book.Key
	Position string // the position text, in its smallest picture, passes folded

	// The best move that leads to no valued position, in that picture and the
	// first notation of the game; empty where there is none. A leaf whose move
	// has come to lead to a valued position is stale: it counts no more, and
	// learning looks for another one.
	Leaf         string
	Value        engine.Value // of the leaf
	Lower, Upper engine.Value // between which it lies
	Level        int          // of the search that found it; 0 where there was none

	// Teacher is the engine that searched; empty for that of the program.
	Teacher string

	Exact engine.Value // the value of the position, where it was solved
	Human engine.Value // what a person set
	Note  string
}

// closed reports whether the position was searched and has no leaf: all its moves
// were valued then, or the engine does not think of the others.
func (r *Row) closed() bool { return r.Leaf == "" && r.Level > 0 }

// empty reports whether the row says nothing.
func (r *Row) empty() bool {
	return r.Leaf == "" && r.Level == 0 && r.Exact == engine.NoValue && r.Human == engine.NoValue && r.Note == ""
}

// blank returns the row of a position of which nothing is known.
func blank(key book.Key, text string) Row {
	return Row{Key: key, Position: text, Value: engine.NoValue, Lower: engine.NoValue, Upper: engine.NoValue, Exact: engine.NoValue, Human: engine.NoValue}
}

// Store keeps rows. A Theory calls one method of it at a time.
type Store interface {
	// Rows yields all of them, in any order, each once.
	Rows(ctx context.Context) iter.Seq2[Row, error]

	// Put stores rows in the place of those with the same keys, all of them or
	// none.
	Put(ctx context.Context, rows []Row) error

	// Drop forgets rows; keys that are not there are no error.
	Drop(ctx context.Context, keys []book.Key) error
}

// Log is a Store that can tell what has changed, so that values need not all be
// read again.
type Log interface {
	// Mark returns where the store is.
	Mark(ctx context.Context) (Mark, error)

	// Since yields the rows that were put at the time of a Mark or later, each once.
	Since(ctx context.Context, time int64) iter.Seq2[Row, error]
}

// Mark is a state of what values are made of.
type Mark struct {
	Version int64 `json:"version"` // another one after every change
	Time    int64 `json:"time"`    // rows that were put before are part of it
	Drops   int64 `json:"drops"`   // another one whenever rows were dropped
	Exact   int64 `json:"exact"`   // Options.ExactStamp
	Shipped int64 `json:"shipped"` // of what came with the program
}

// is reports whether two states say the same.
func (m Mark) is(now Mark) bool {
	m.Time = now.Time
	return m == now
}

// follows reports whether rows that were put since are all that is new.
func (m Mark) follows(now Mark) bool {
	return m.Version > 0 && m.Version <= now.Version && m.Drops == now.Drops && m.Exact == now.Exact && m.Shipped == now.Shipped
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
	slices.SortFunc(list, func(a, b Row) int { return compareKeys(a.Key, b.Key) })
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
