package search

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// view is the library at one moment: a state of the log. Documents never change,
// so that all that it says is of that moment, though servers are asked later.
type view struct {
	*Index
	now  *ledger.State
	lost wire.Missing

	gone    atomic.Bool // it is closed
	once    sync.Once
	visible *roaring.Bitmap // see documents
}

var _ index.Store = (*Index)(nil)

// View returns the library as it is now, give or take what others have committed
// within a quarter of a second.
func (x *Index) View(ctx context.Context) (index.View, error) {
	st, err := x.State(ctx)
	if err != nil {
		return nil, err
	}
	if err := x.Use(); err != nil {
		return nil, err
	}
	return &view{Index: x, now: st}, nil
}

// Has reports whether there is a game.
func (v *view) Has(game uint32) bool {
	_, ok := v.now.Doc(game)
	return ok
}

// Hide has the view know nothing of some games, but for its tally. It is for who
// opened the view, and has not used it yet.
func (v *view) Hide(games *roaring.Bitmap) {
	now := *v.now
	now.Dead = now.Dead.Clone()
	for it := games.Iterator(); it.HasNext(); {
		if doc, ok := now.Doc(it.Next()); ok {
			now.Dead.Add(doc)
		}
	}
	v.now = &now
}

// Tally returns how many games of each kind there are.
func (v *view) Tally() []index.Tally { return slices.Clone(v.now.Tally) }

// tallyOf returns the tally of one kind.
func (v *view) tallyOf(k *index.Kind) index.Tally {
	for _, t := range v.now.Tally {
		if t.Kind.Name == k.Name {
			return t
		}
	}
	return index.Tally{Kind: k}
}

// Missing names the shards that could not be asked.
func (v *view) Missing() []string { return v.lost.List() }

// Guard runs code that reads batches, which are in memory.
func (v *view) Guard(read func() error) error { return read() }

// Close gives the view up.
func (v *view) Close() error {
	if v.gone.Swap(true) {
		return nil
	}
	return v.Release()
}

// Documents returns the documents that there are. The set is not to be changed.
func (v *view) Documents() *roaring.Bitmap {
	v.once.Do(func() {
		v.visible = v.now.Spans.Documents()
		v.visible.AndNot(v.now.Dead)
	})
	return v.visible
}

// ask asks all shards at once and waits for them. Those that cannot be reached
// are noted where partial answers are allowed.
func (v *view) ask(ctx context.Context, what string, f func(ctx context.Context, s *wire.Shard) error) error {
	ctx = wire.Collect(ctx, &v.lost)
	return v.Each(ctx, what, func(s *wire.Shard) error { return f(ctx, s) })
}
