package livebook

import (
	"context"
	"fmt"
	"path/filepath"
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
	sync.Mutex // taken first
	byKind     map[string]*heldTheory
}

// heldTheory keeps the values of one kind in step with the catalogue.
type heldTheory struct {
	mu     sync.Mutex // held while they are opened
	values *theory.Theory
}

// Theory returns what engines and people say of the positions of a kind of game,
// in step with the library. It is kept, and costs some microseconds where nothing
// has changed; the first call opens its file, and reads what has changed since.
// Exact values that records carry count in it, and are not stored a second time, nor
// are those that came with the program.
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
	if h.values == nil {
		h.values, err = bs.openTheory(ctx, kind, b)
		return h.values, err
	}
	if same, err := h.values.InStep(ctx); same || err != nil {
		return h.values, err
	}
	return h.values, h.values.Reload(ctx)
}

func (bs *Books) openTheory(ctx context.Context, kind *index.Kind, b *book.Book) (*theory.Theory, error) {
	var shipped *theory.Shipped
	if data := bs.library.Theory(kind.Rules); data != nil {
		var err error
		if shipped, err = theory.OpenShipped(kind.Rules, data); err != nil {
			return nil, err
		}
	}
	o := theory.Options{
		Store:   bs.library.Notes().Values(kind.Name),
		Shipped: shipped,
		Exact: func(k book.Key) (engine.Value, bool) {
			score, ok := b.Exact(k)
			return engine.Value(score) * engine.Unit, ok
		},
		ExactStamp: func() int64 { return int64(b.Info().Solved) },
		Dir:        filepath.Join(bs.library.Dir(), bookFolder),
		Name:       "theory-" + slug(kind),
		ReadOnly:   !bs.library.Leads(),
	}
	t, err := theory.Open(ctx, kind.Rules, o)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// closeTheories makes files of values that have changed much, and frees all.
func (bs *Books) closeTheories(ctx context.Context) {
	bs.theories.Lock()
	defer bs.theories.Unlock()
	for _, h := range bs.theories.byKind {
		h.mu.Lock()
		if h.values != nil {
			h.values.Save(ctx) // what could not be made now is made another time
			h.values.Close()
		}
		h.mu.Unlock()
	}
}

// SearchWith returns a searcher for learning that asks an engine. The level is
// the depth in plies; near its end the engine reads the game out where that
// costs about as much. Another program may come less far, and then its values have
// the level that it came to.
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
	l := engine.Limits{Depth: level, Multi: n, Threads: s.threads}
	guest := s.engine.Info().Guest
	if guest {
		l.Threads = 0 // as its owner has said
	}
	report, err := s.engine.Think(ctx, &engine.Task{Rules: s.rules, Start: &setup}, l, nil)
	if err == nil {
		err = ctx.Err() // what is half thought is not kept
	}
	if err != nil {
		return nil, err
	}
	list := make([]theory.MoveValue, 0, len(report.Lines))
	for _, line := range report.Lines {
		if line.Value == engine.NoValue {
			continue
		}
		v := theory.MoveValue{Move: line.Move, Value: line.Value, Margin: theory.MarginMid, Exact: line.Exact && line.Bound == engine.Even}
		switch {
		case v.Exact:
			v.Margin = 0
		case report.Depth >= left:
			v.Margin = theory.MarginEnd
		case guest && report.Depth < level:
			v.Level = max(report.Depth, 1) // some know no plies: they think as long as their owner has said
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the engine %s proposes no move", s.engine.Info().Name)
	}
	return list, nil
}
