package cluster

import (
	"context"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/store/cluster/wire"
)

// view is the library at one moment: a state of the log. Documents never change,
// so that all that it says is of that moment, though servers are asked later.
type view struct {
	*Cluster
	now  *state
	lost wire.Missing

	gone    atomic.Bool // it is closed
	once    sync.Once
	visible *roaring.Bitmap // see documents
}

var _ index.Store = (*Cluster)(nil)

// View returns the library as it is now, give or take what others have committed
// within a quarter of a second.
func (c *Cluster) View(ctx context.Context) (index.View, error) {
	st, err := c.state(ctx)
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
	_, ok := v.now.doc(game)
	return ok
}

// Hide has the view know nothing of some games, but for its tally. It is for who
// opened the view, and has not used it yet.
func (v *view) Hide(games *roaring.Bitmap) {
	now := *v.now
	now.dead = now.dead.Clone()
	for it := games.Iterator(); it.HasNext(); {
		if doc, ok := now.doc(it.Next()); ok {
			now.dead.Add(doc)
		}
	}
	v.now = &now
}

// Tally returns how many games of each kind there are.
func (v *view) Tally() []index.Tally { return slices.Clone(v.now.tally) }

// tallyOf returns the tally of one kind.
func (v *view) tallyOf(k *index.Kind) index.Tally {
	for _, t := range v.now.tally {
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

// documents returns the documents that there are. The set is not to be changed.
func (v *view) documents() *roaring.Bitmap {
	v.once.Do(func() {
		v.visible = v.now.spans.documents()
		v.visible.AndNot(v.now.dead)
	})
	return v.visible
}

// ask asks all shards at once and waits for them. Those that cannot be reached
// are noted where partial answers are allowed.
func (v *view) ask(ctx context.Context, what string, f func(ctx context.Context, s *wire.Shard) error) error {
	ctx = wire.Collect(ctx, &v.lost)
	return v.Each(ctx, what, func(s *wire.Shard) error { return f(ctx, s) })
}

// groups yields the spans of committed documents in groups of at most so
// many numbers, spans and dead documents, so that each can be asked about by one
// statement.
func (s *state) groups(numbers, spans, dead uint64) iter.Seq[group] {
	return func(yield func(group) bool) {
		var g group
		var size uint64
		flush := func() bool {
			full := g
			g, size = group{}, 0
			return len(full.spans) == 0 || yield(full)
		}
		for _, x := range s.spans {
			for x.low < x.high {
				if (size >= numbers || uint64(len(g.spans)) >= spans || uint64(len(g.dead)) >= dead) && !flush() {
					return
				}
				part := x
				part.high = uint32(min(uint64(x.high), uint64(x.low)+numbers-size))
				it := s.dead.Iterator()
				it.AdvanceIfNeeded(part.low)
				for it.HasNext() && it.PeekNext() < part.high {
					if uint64(len(g.dead)) >= dead {
						part.high = it.PeekNext()
						break
					}
					g.dead = append(g.dead, it.Next())
				}
				if part.low < part.high {
					g.spans = append(g.spans, part)
					size += uint64(part.high - part.low)
				}
				x.low = part.high
			}
		}
		flush()
	}
}

// group are spans of documents and those among them that are dead.
type group struct {
	spans extent
	dead  []uint32
}

// visible returns the condition that a document is of the group, and alive.
func (g *group) visible() string {
	cond := g.spans.where("doc")
	if len(g.dead) > 0 {
		cond += " AND doc NOT IN (" + numbers(g.dead) + ")"
	}
	return cond
}
