package livebook

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/play"
	"qipu/store"
)

// How an engine's side plays from the book: what it may give away in a game for
// variety, how long it waits for a book that is being made, how many moves each
// level knows by heart, and from which level on it trusts its own reading more
// than the results of games.
const (
	playBudget  = 2 * engine.Unit
	bookWait    = 300 * time.Millisecond
	pliesLearnt = 4
	ownMind     = 11

	// Where games are won and not counted, results go from -1 to 1: there the
	// budget is a tenth of a game, and a twentieth is close.
	shareBudget = engine.Unit / 5
	shareClose  = engine.Unit / 10
)

// Volume is all that is known of the positions of a kind of game.
type Volume struct {
	Book   *book.Book // of the records
	Here   *book.Book // of the games that were played here
	Theory *theory.Theory
}

// Volume returns the books of a kind and its values, as BookOf and Theory do. Where
// they have to be made first, which may take many seconds, that goes on when the
// context ends: for the next one who asks, until the library is closed.
func (bs *Books) Volume(ctx context.Context, kind *index.Kind) (Volume, error) {
	type made struct {
		Volume
		err error
	}
	done := make(chan made, 1)
	bs.mu.Lock()
	if bs.closed {
		bs.mu.Unlock()
		return Volume{}, store.ErrClosed
	}
	making := bs.ctx
	bs.making.Go(func() {
		v, err := bs.VolumeWith(making, kind, nil)
		done <- made{v, err}
	})
	bs.mu.Unlock()
	select {
	case m := <-done:
		return m.Volume, m.err
	case <-ctx.Done():
		return Volume{}, context.Cause(ctx)
	}
}

// VolumeWith is Volume for somebody who waits: progress is told how far the making of
// books is, where they have to be made. It may be nil.
func (bs *Books) VolumeWith(ctx context.Context, kind *index.Kind, progress store.Progress) (v Volume, err error) {
	if v.Book, err = bs.BookOf(ctx, kind, Recorded, progress); err != nil {
		return v, err
	}
	if v.Here, err = bs.BookOf(ctx, kind, Here, progress); err != nil {
		return v, err
	}
	v.Theory, err = bs.Theory(ctx, kind)
	return v, err
}

// Opponent returns what an engine's side plays by heart: the book of the library.
// In the style play.Best a move is the best one, with a little variety, and one
// that only results speak for has to have enough of them; in the style play.Human
// it is one as people play it. Results are those of the records; where no record has
// come to a position, those of games that were played here. Low levels know few moves of it. It does not wait
// for a book that has to be made: the next move may be from it.
func (bs *Books) Opponent() play.Book { return (*opponent)(bs) }

type opponent Books

// Choose returns a move of the book.
func (o *opponent) Choose(ctx context.Context, q *play.Query) (play.Reply, bool, error) {
	human := q.Style == play.Human
	if !human && len(q.Moves) >= pliesLearnt*q.Level {
		return play.Reply{}, false, nil
	}
	bs := (*Books)(o)
	ctx, cancel := context.WithTimeout(ctx, bookWait)
	defer cancel()
	// The kind is that of the usual rules: a variant of them has the same book.
	kind, err := bs.library.Kinds().Find(fmt.Sprintf("%s %v", q.Rules.Info().Name, q.Rules.Geometry().Size))
	if err != nil {
		return play.Reply{}, false, err
	}
	v, err := bs.Volume(ctx, kind)
	if err != nil {
		return play.Reply{}, false, err
	}
	p, err := q.Position()
	if err != nil {
		return play.Reply{}, false, err
	}
	look := book.LookOptions{NoBelow: true, Prior: book.UsualPrior}
	entry, known := v.Book.Look(p, look)
	if !known {
		entry, _ = v.Here.Look(p, look)
	}
	choice := theory.ChoiceOptions{
		Budget: playBudget, Spent: engine.Value(q.Spent * float64(engine.Unit)), MinLevel: min(q.Level, 10), Counts: &entry, Seed: q.Seed,
	}
	if v.Book.Unit() != book.Discs {
		choice.Budget, choice.Closeness = shareBudget, shareClose
	}
	if human {
		choice.Human, choice.Budget, choice.MinLevel = true, -1, 0
	}
	c, ok := v.Theory.Choose(p, choice)
	if !ok || !human && c.Why == theory.ByResults && q.Level >= ownMind {
		return play.Reply{}, false, nil
	}
	return play.Reply{Move: c.Move, By: play.By{Note: "book", Loss: c.Loss.Units()}}, true, nil
}

// BookProber asks a book on behalf of an engine that plays at a level: what that
// level knows by heart. See engine.WithProber.
type BookProber struct {
	Book  play.Book
	Level int    // 0 for the highest
	Seed  uint64 // of the choices

	mu    sync.Mutex
	moves int     // of the last task
	spent float64 // in the game
}

var _ engine.Prober = (*BookProber)(nil)

// Probe asks the book. What it may give away is for a game: that begins anew when
// a task has fewer moves than the one before. A book that cannot be read is no
// reason not to play.
func (b *BookProber) Probe(ctx context.Context, t *engine.Task) (*engine.Report, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(t.Moves) < b.moves {
		b.spent = 0
	}
	b.moves = len(t.Moves)
	began := time.Now()
	r, ok, err := b.Book.Choose(ctx, &play.Query{Task: t, Level: cmp.Or(b.Level, engine.MaxLevel), Style: play.Best, Seed: b.Seed, Spent: b.spent})
	if err != nil || !ok {
		return nil, false, nil
	}
	b.spent += r.Loss
	line := engine.Line{Move: r.Move, Value: engine.NoValue, Moves: []game.Move{r.Move}}
	return &engine.Report{Lines: []engine.Line{line}, Note: r.Note, Elapsed: time.Since(began)}, true, nil
}
