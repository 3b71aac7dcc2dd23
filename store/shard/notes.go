package shard

import (
	"context"
	"errors"
	"iter"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/book"
	"qipu/book/theory"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// Records returns the games of the store.
func (s *Shard) Records() store.Records { return s.cat }

// Notes returns what people have made in the store.
func (s *Shard) Notes() store.Notes { return notes{s.cat, s} }

type notes struct {
	*catalog.DB
	shard *Shard
}

func (n notes) Edit(ctx context.Context, change func(store.Tx) error) error {
	return n.shard.asWriter(ctx, func(w *Shard) error {
		return w.Update(ctx, func(tx Tx) error { return change(tx) })
	})
}

// ValuesVersion is another one after every change of values.
func (n notes) ValuesVersion(ctx context.Context) (int64, error) { return n.TheoryVersion(ctx) }

// Values keeps what is said of the positions of a kind of game.
func (n notes) Values(kind string) theory.Store { return values{n.shard, kind} }

type values struct {
	shard *Shard
	kind  string
}

var _ theory.Log = values{}

func (v values) Rows(ctx context.Context) iter.Seq2[theory.Row, error] {
	return v.shard.cat.Theory(ctx, v.kind, 0)
}

func (v values) Since(ctx context.Context, time int64) iter.Seq2[theory.Row, error] {
	return v.shard.cat.Theory(ctx, v.kind, time)
}

func (v values) Find(ctx context.Context, high uint64) ([]theory.Row, error) {
	return v.shard.cat.FindTheory(ctx, v.kind, high)
}

func (v values) Mark(ctx context.Context) (theory.Mark, error) { return v.shard.cat.TheoryMark(ctx) }

func (v values) Put(ctx context.Context, rows []theory.Row) error {
	return v.change(ctx, func(tx *catalog.Tx) error { return tx.PutTheory(v.kind, rows) })
}

func (v values) Drop(ctx context.Context, keys []book.Key) error {
	return v.change(ctx, func(tx *catalog.Tx) error { return tx.DropTheory(v.kind, keys) })
}

func (v values) change(ctx context.Context, do func(*catalog.Tx) error) error {
	return v.shard.asWriter(ctx, func(w *Shard) error { return w.cat.Update(ctx, do) })
}

// Tx is a transaction of Update: that of notes, with what the games need that lie
// in the store on their way to another one.
type Tx interface {
	store.Tx

	// SetNumbers has the games that are added from now on get the numbers from
	// low to below high, and the store know that there are games elsewhere.
	// TakeIDs takes n of these numbers in a row for games elsewhere.
	SetNumbers(low, high uint32) error
	TakeIDs(n int) (low uint32, err error)

	// Release drops games that are elsewhere now, under the same numbers; what
	// people made of them stays. Forget takes games that are gone elsewhere out
	// of what people made.
	Release(ids []uint32) error
	Forget(ids []uint32) error

	// Adopt stores games that lie elsewhere under the numbers that they have there, so
	// that they can be deleted, or be taken back, here: they are found by nothing else,
	// and are to be deleted or released in the same transaction. Alive returns those of
	// some games that are in the store.
	Adopt(games []store.Game, texts []store.Text) error
	Alive(games *roaring.Bitmap) (*roaring.Bitmap, error)
	Delete(ids []uint32) error

	// Served tells of games that lie elsewhere, and of all that was corrected of them
	// there, so that corrections of them can be made or undone here. Where they stay
	// there, it is told at the end of the transaction that there are none: what is
	// kept of them here is what they have while they are here, or in the trash.
	// Corrections returns what was corrected of games, as the transaction sees it.
	Served(ids []uint32, list []store.Correction) error
	Corrections(ids []uint32) ([]store.Correction, error)

	// Came tells the journal of games that came to lie elsewhere, and of places where
	// games were found that lie there; Tally of what became of records.
	Came(games []uint32, places map[uint32]store.Source) error
	Tally(added []store.Added)

	// Silent has the transaction be no entry of the journal: what it does was done, and
	// noted, on another machine. Keep keeps something under a name, until it is replaced:
	// see Shard.Turn.
	Silent()
	Keep(name string, data []byte) error

	// ForgetInputs has the files that games came from be read again, ForgetFiles all
	// files.
	ForgetInputs(sources []string) error
	ForgetFiles() error
}

// Update changes notes and numbers in one transaction. A store that is open for reading
// only takes the place of the writer for that while.
func (s *Shard) Update(ctx context.Context, change func(Tx) error) error {
	return s.asWriter(ctx, func(w *Shard) error {
		return w.cat.Update(ctx, func(tx *catalog.Tx) error { return change(tx) })
	})
}

// Numbers returns the range of the numbers that games get from now on; high is 0
// where it has no end, because no games are elsewhere.
func (s *Shard) Numbers(ctx context.Context) (low, high uint32, err error) { return s.cat.Numbers(ctx) }

// Turn returns the number of the last write of a lane and what was told of it: see
// store.Once.
func (s *Shard) Turn(ctx context.Context, lane string) (int64, []byte, error) {
	return s.cat.Turn(ctx, lane)
}

// Exclusive runs a change of files beside the tables, while nobody else writes.
func (s *Shard) Exclusive(ctx context.Context, change func() error) error {
	return s.asWriter(ctx, func(*Shard) error { return change() })
}

// asWriter runs something that needs the place of the writer. A store that is
// open for reading only opens a second one for that while, in which no table is
// merged; it fails with a *store.LockedError where another process writes. No
// lock may be held that the second store takes, which has all of its own.
func (s *Shard) asWriter(ctx context.Context, do func(w *Shard) error) error {
	if !s.options.ReadOnly {
		return do(s)
	}
	o := s.options
	o.ReadOnly, o.NoMerge = false, true
	w, err := Open(ctx, s.dir, o)
	if err != nil {
		return err
	}
	return errors.Join(do(w), w.Close())
}

// Compact gives back the space of games that were deleted or replaced. It needs
// as much free space as the catalogue has.
func (s *Shard) Compact(ctx context.Context) error { return s.cat.Compact(ctx) }
