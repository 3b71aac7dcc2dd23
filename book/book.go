package book

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"qipu/game"
	"qipu/segment"
)

// Book is the statistics of the positions of one game on one board. It is safe
// for concurrent use: any number look things up while one adds or removes.
type Book struct {
	rules  game.Rules
	kind   string
	first  Key       // of the usual start
	keyers sync.Pool // of *Keyer

	mu     sync.RWMutex
	base   *base
	delta  delta
	tracer *tracer // for the one that holds mu for writing
	values values
	below  below

	rebuilding sync.Mutex
	failed     atomic.Pointer[error]
}

// New returns an empty book in memory.
func New(r game.Rules) *Book {
	b := &Book{rules: r, kind: kindOf(r), tracer: newTracer(r)}
	b.first, _ = b.tracer.Key(r.Start())
	b.keyers.New = func() any { return NewKeyer(r) }
	b.reset(&base{info: info{Kind: b.kind, Plies: Plies(r)}})
	return b
}

func kindOf(r game.Rules) string {
	return fmt.Sprintf("%s %v", r.Info().Name, r.Geometry().Size)
}

// Open opens the book in a file. It reads and checks all of it. A file that is
// damaged, or of another game or version, is an error, which is answered by
// making it anew.
func Open(path string, r game.Rules) (*Book, error) {
	file, err := segment.Open(path, kinds)
	if err != nil {
		return nil, err
	}
	b := New(r)
	var opened *base
	err = segment.Guard(func() (err error) {
		opened, err = openBase(file)
		return err
	})
	if err == nil && (opened.Kind != b.kind || opened.Plies != Plies(r)) {
		err = opened.bad("it is the book of " + opened.Kind + ", and not of " + b.kind)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	b.reset(opened)
	return b, nil
}

// BuildOptions say how a book is made. The zero value makes it in memory.
type BuildOptions struct {
	Dir, Name string // the file; in memory where Dir is empty
	Note      int64  // kept in the file for the caller: see Book.Note
	Total     int    // games, for Progress; 0 where it is not known

	// Progress is told how many of how many games are done. It may be nil.
	Progress func(done, total int)
}

func (b *Book) make(ctx context.Context, games iter.Seq2[*Game, error], o BuildOptions) (*base, error) {
	build := newBuilder(newTracer(b.rules))
	build.Kind, build.info.Plies, build.Note = b.kind, Plies(b.rules), o.Note
	if err := build.gatherGames(ctx, games, o.Total, o.Progress); err != nil {
		return nil, err
	}
	return build.publish(o.Dir, o.Name)
}

// reset takes a base, with nothing added to it.
func (b *Book) reset(to *base) {
	b.base = to
	b.delta.reset(to)
	b.values.reset()
	b.below.reset()
}

// Close frees the file of the book, which is not to be used any more.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.base
	b.reset(&base{info: info{Kind: b.kind, Plies: Plies(b.rules)}})
	return old.close()
}

func (b *base) close() error {
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}

// Rules returns the rules of the game.
func (b *Book) Rules() game.Rules { return b.rules }

// Kind returns game and board: "othello 8x8".
func (b *Book) Kind() string { return b.kind }

// Unit returns what scores are counted in.
func (b *Book) Unit() Unit { return UnitOf(b.rules) }

// Err returns why the file of the book could not be read, nil while it can. Such
// a book answers that it knows nothing, and is to be made anew.
func (b *Book) Err() error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// read runs a reader. Where the file fails under it, it has found nothing.
func (b *Book) read(fn func()) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if err := segment.Guard(func() error { fn(); return nil }); err != nil {
		b.failed.Store(&err)
	}
}

// Info are figures of a book.
type Info struct {
	Games     int   // that are counted in it
	Positions int   //
	Moves     int   // from all of them
	Solved    int   // positions whose exact score records tell
	Bytes     int64 // of its file
	Waiting   int   // games added or removed since the file was made
	Note      int64 // of the file
}

// Info returns figures of the book.
func (b *Book) Info() (i Info) {
	b.read(func() {
		i = Info{Games: b.base.Games - len(b.delta.gone) + len(b.delta.games), Positions: b.base.Nodes + b.delta.positions,
			Moves: b.base.Edges + b.delta.moves, Solved: b.base.Solved + b.delta.solved, Waiting: len(b.delta.log), Note: b.base.Note}
		if b.base.file != nil {
			i.Bytes = b.base.file.Info().Size
		}
	})
	return i
}

// Games returns how many games are counted.
func (b *Book) Games() int { return b.Info().Games }

// Positions returns how many positions there are.
func (b *Book) Positions() int { return b.Info().Positions }

// Mixed reports whether the file of the book is of an earlier version of the program,
// which had one book of all games, wherever they came from. Games that are not those
// of this one are to be removed from it; the next file is not mixed.
func (b *Book) Mixed() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.base.file != nil && b.base.file.Info().Version == mixedFile
}

// Has reports whether a game is counted.
func (b *Book) Has(id uint32) (ok bool) {
	b.read(func() {
		_, there := b.base.game(id)
		ok = b.delta.games[id] != nil || there && !b.delta.gone[id]
	})
	return ok
}

// Stamps returns the stamps of all games by their numbers. They are the caller's.
func (b *Book) Stamps() map[uint32]uint64 {
	var all map[uint32]uint64
	b.read(func() {
		all = make(map[uint32]uint64, b.base.Games+len(b.delta.games))
		for i := range b.base.Games {
			if id, stamp := b.base.stamp(i); !b.delta.gone[id] {
				all[id] = stamp
			}
		}
		for id, g := range b.delta.games {
			all[id] = g.Stamp
		}
	})
	return all
}

// Add counts games, in place of those of the same numbers. They belong to the
// book from then on. The next look-up sees them.
func (b *Book) Add(games ...Game) error {
	for i := range games {
		if err := games[i].Result.check(); err != nil {
			return fmt.Errorf("%w (game %d)", err, games[i].ID)
		}
	}
	return b.change(func() {
		for i := range games {
			b.remove(games[i].ID)
			b.put(&games[i])
		}
	})
}

// Remove subtracts games. Numbers that are not there are left alone.
func (b *Book) Remove(ids ...uint32) error {
	return b.change(func() {
		for _, id := range ids {
			b.remove(id)
		}
	})
}

func (b *Book) change(fn func()) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := segment.Guard(func() error { fn(); return nil })
	if err != nil {
		b.failed.Store(&err)
	}
	return err
}

func (b *Book) put(g *Game) {
	b.delta.games[g.ID] = g
	b.delta.log = append(b.delta.log, op{g, g.ID})
	b.apply(g, 1)
}

func (b *Book) remove(id uint32) {
	if g := b.delta.games[id]; g != nil {
		delete(b.delta.games, id)
		b.apply(g, -1)
	} else if i, ok := b.base.game(id); ok && !b.delta.gone[id] {
		b.delta.gone[id] = true
		g := new(Game)
		if b.base.decode(i, b.tracer.Keyer, g) == nil {
			b.apply(g, -1)
		}
	} else {
		return
	}
	b.delta.log = append(b.delta.log, op{nil, id})
}

// all yields the games of a book by rising number: those of a base that are not
// gone, and those that were added to it. A game is used again by the next one.
func all(k *Keyer, from *base, gone map[uint32]bool, added []*Game) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		var g Game
		for i := range from.Games {
			id, _ := from.stamp(i)
			for len(added) > 0 && added[0].ID < id {
				if !yield(added[0], nil) {
					return
				}
				added = added[1:]
			}
			if gone[id] {
				continue
			}
			if err := from.decode(i, k, &g); !yield(&g, err) || err != nil {
				return
			}
		}
		for _, g := range added {
			if !yield(g, nil) {
				return
			}
		}
	}
}

// sorted returns the games that were added since the base was made.
func (d *delta) sorted() []*Game {
	return slices.SortedFunc(maps.Values(d.games), func(x, y *Game) int { return cmp.Compare(x.ID, y.ID) })
}

// Change is a number of games that are to be added and removed together.
type Change struct {
	// Added come by rising number, in place of those of the same numbers; nil for
	// none. A game may be used again by the sequence when it goes on.
	Added iter.Seq2[*Game, error]
	Gone  map[uint32]bool
	Anew  bool // all that was there is gone, and not even read
}

// games yields old games as a change leaves them, by rising number.
func (c *Change) games(old iter.Seq2[*Game, error]) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		next, stop := func() (*Game, error, bool) { return nil, nil, false }, func() {}
		if c.Added != nil {
			next, stop = iter.Pull2(c.Added)
		}
		defer stop()
		added, err, more := next()
		for g, failed := range old {
			for more && err == nil && failed == nil && added.ID < g.ID {
				if !yield(added, nil) {
					return
				}
				added, err, more = next()
			}
			if bad := cmp.Or(err, failed); bad != nil {
				yield(nil, bad)
				return
			}
			if c.Gone[g.ID] || more && added.ID == g.ID {
				continue
			}
			if !yield(g, nil) {
				return
			}
		}
		for ; more; added, err, more = next() {
			if !yield(added, err) || err != nil {
				return
			}
		}
	}
}

// Rebuild makes a new file of the book as a change leaves it, and goes over to
// it: what Add and Remove do too, but cheaper for many games. Others may look up,
// add and remove meanwhile; that is kept beside the new file. Where it fails, the
// book is as it was.
func (b *Book) Rebuild(ctx context.Context, c Change, o BuildOptions) error {
	b.rebuilding.Lock()
	defer b.rebuilding.Unlock()
	b.mu.RLock()
	from, added, gone, done := b.base, b.delta.sorted(), maps.Clone(b.delta.gone), len(b.delta.log)
	held := from.file != nil && from.file.Acquire()
	b.mu.RUnlock()
	if held {
		defer from.file.Release()
	}
	if o.Total == 0 {
		o.Total = from.Games - len(gone) + len(added) - len(c.Gone)
	}
	var made *base
	err := segment.Guard(func() (err error) {
		old := all(NewKeyer(b.rules), from, gone, added)
		if c.Anew {
			old = func(func(*Game, error) bool) {}
		}
		made, err = b.make(ctx, c.games(old), o)
		return err
	})
	if err != nil {
		return err
	}
	return b.change(func() {
		since := slices.Clone(b.delta.log[done:])
		b.reset(made)
		b.failed.Store(nil)
		for _, op := range since {
			b.remove(op.id)
			if op.game != nil {
				b.put(op.game)
			}
		}
		from.close()
	})
}

// List yields the games of the book by rising number. A game is used again by the
// next one. Nothing can be added meanwhile.
func (b *Book) List() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		b.mu.RLock()
		defer b.mu.RUnlock()
		err := segment.Guard(func() error {
			var copied Game
			for g, err := range all(NewKeyer(b.rules), b.base, b.delta.gone, b.delta.sorted()) {
				if err == nil {
					copied = *g // what yield does to it is nobody's affair
				}
				if !yield(&copied, err) {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			b.failed.Store(&err)
			yield(nil, err)
		}
	}
}
