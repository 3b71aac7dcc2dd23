package livebook

import (
	"context"
	"fmt"
	"sync"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/index"
)

// theories are the values of positions that were asked for, by the names of
// their kinds.
type theories struct {
	sync.Mutex
	byKind map[string]*heldTheory
}

// heldTheory keeps the values of one kind in step with the catalogue.
type heldTheory struct {
	mu      sync.Mutex // held while they are read
	values  *theory.Theory
	version int64 // of the catalogue's values that it has read or written
	solved  int   // positions whose exact value the records told then
}

// Theory returns what engines and people say of the positions of a kind of game,
// in step with the library. It is kept, and costs some microseconds where nothing
// has changed; the first call reads everything. Exact values that records carry
// count in it, and are not stored a second time.
//
// Learning writes to the library, which is opened for writing for that while if
// it is open for reading only.
func (bs *Books) Theory(ctx context.Context, kind *index.Kind) (*theory.Theory, error) {
	b, err := bs.Book(ctx, kind)
	if err != nil {
		return nil, err
	}
	bs.theories.Lock()
	h := bs.theories.byKind[kind.Name]
	if h == nil {
		if bs.theories.byKind == nil {
			bs.theories.byKind = map[string]*heldTheory{}
		}
		h = &heldTheory{}
		bs.theories.byKind[kind.Name] = h
	}
	bs.theories.Unlock()

	h.mu.Lock()
	defer h.mu.Unlock()
	version, err := bs.library.Notes().ValuesVersion(ctx)
	if err != nil {
		return nil, err
	}
	solved := b.Info().Solved
	bs.theories.Lock()
	same := h.version == version && h.solved == solved
	bs.theories.Unlock()
	switch {
	case h.values == nil:
		h.values, err = theory.Open(ctx, kind.Rules, theory.Options{
			Store: &theoryStore{bs.library.Notes().Values(kind.Name), bs},
			Exact: func(k book.Key) (engine.Value, bool) {
				score, ok := b.Exact(k)
				return engine.Value(score) * engine.Unit, ok
			},
		})
		if err != nil {
			h.values = nil
			return nil, err
		}
	case !same:
		if err := h.values.Reload(ctx); err != nil {
			return nil, err
		}
	}
	if !same {
		bs.theories.Lock()
		h.version, h.solved = version, solved
		bs.theories.Unlock()
	}
	return h.values, nil
}

// theoryStore keeps values in the library.
type theoryStore struct {
	theory.Store
	books *Books
}

// Put stores rows.
func (s *theoryStore) Put(ctx context.Context, rows []theory.Row) error {
	return s.change(ctx, func() error { return s.Store.Put(ctx, rows) })
}

// Drop forgets rows.
func (s *theoryStore) Drop(ctx context.Context, keys []book.Key) error {
	return s.change(ctx, func() error { return s.Store.Drop(ctx, keys) })
}

// change writes to the library. What is in memory has the change already, so
// that nothing has to be read anew because of it.
func (s *theoryStore) change(ctx context.Context, do func() error) error {
	t := &s.books.theories
	t.Lock()
	defer t.Unlock()
	before, err := s.books.library.Notes().ValuesVersion(ctx)
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	after, err := s.books.library.Notes().ValuesVersion(ctx)
	if err != nil || after != before+1 {
		return err
	}
	for _, h := range t.byKind {
		if h.version == before {
			h.version = after
		}
	}
	return nil
}

// SearchWith returns a searcher for learning that asks an engine. The level is
// the depth in plies; near its end the engine reads the game out where that
// costs about as much.
func SearchWith(e engine.Engine, r game.Rules, threads int) theory.Searcher {
	return &engineSearcher{e, r, threads}
}

type engineSearcher struct {
	engine  engine.Engine
	rules   game.Rules
	threads int
}

// Values asks the engine for the best moves.
func (s *engineSearcher) Values(ctx context.Context, p game.Position, level, n int) ([]theory.MoveValue, error) {
	setup := game.SetupOf(p)
	occupied := setup.Board.Occupied()
	left := s.rules.Geometry().Size.Area() - occupied.Count()
	report, err := s.engine.Think(ctx, &engine.Task{Rules: s.rules, Start: &setup}, engine.Limits{Depth: level, Multi: n, Threads: s.threads}, nil)
	if err == nil {
		err = ctx.Err() // what is half thought is not kept
	}
	if err != nil {
		return nil, err
	}
	list := make([]theory.MoveValue, 0, len(report.Lines))
	for _, line := range report.Lines {
		v := theory.MoveValue{Move: line.Move, Value: line.Value, Margin: theory.MarginMid, Exact: line.Exact && line.Bound == engine.Even}
		switch {
		case v.Exact:
			v.Margin = 0
		case report.Depth >= left:
			v.Margin = theory.MarginEnd
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the engine %s proposes no move", s.engine.Info().Name)
	}
	return list, nil
}
