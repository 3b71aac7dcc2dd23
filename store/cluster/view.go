package cluster

import (
	"context"
	"iter"
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
	*Cluster
	now  *ledger.State
	lost wire.Missing

	gone    atomic.Bool // it is closed
	once    sync.Once
	visible *roaring.Bitmap // see documents
}

var _ index.Store = (*Cluster)(nil)

// View returns the library as it is now, give or take what others have committed
// within a quarter of a second.
func (c *Cluster) View(ctx context.Context) (index.View, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.use(1); err != nil {
		return nil, err
	}
	return &view{Cluster: c, now: st}, nil
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
	return v.use(-1)
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

// groupsOf yields the spans of committed documents in groups of at most so
// many numbers, spans and dead documents, so that each can be asked about by one
// statement.
func groupsOf(s *ledger.State, numbers, spans, dead uint64) iter.Seq[group] {
	return func(yield func(group) bool) {
		var g group
		var size uint64
		flush := func() bool {
			full := g
			g, size = group{}, 0
			return len(full.spans) == 0 || yield(full)
		}
		for _, x := range s.Spans {
			for x.Low < x.High {
				if (size >= numbers || uint64(len(g.spans)) >= spans || uint64(len(g.dead)) >= dead) && !flush() {
					return
				}
				part := x
				part.High = uint32(min(uint64(x.High), uint64(x.Low)+numbers-size))
				it := s.Dead.Iterator()
				it.AdvanceIfNeeded(part.Low)
				for it.HasNext() && it.PeekNext() < part.High {
					if uint64(len(g.dead)) >= dead {
						part.High = it.PeekNext()
						break
					}
					g.dead = append(g.dead, it.Next())
				}
				if part.Low < part.High {
					g.spans = append(g.spans, part)
					size += uint64(part.High - part.Low)
				}
				x.Low = part.High
			}
		}
		flush()
	}
}

// group are spans of documents and those among them that are dead.
type group struct {
	spans ledger.Extent
	dead  []uint32
}

// visible returns the condition that a document is of the group, and alive.
func (g *group) visible() string {
	cond := g.spans.Where("doc")
	if len(g.dead) > 0 {
		cond += " AND doc NOT IN (" + wire.Numbers(g.dead) + ")"
	}
	return cond
}
