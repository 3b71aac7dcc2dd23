package storetest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/store"
)

// Library is a store that takes records. The kit looks for [Merger], [Reopener],
// [Keeper] and [Undoer] too.
type Library interface {
	index.Store

	// Kinds returns the kinds of game that views of this store know.
	Kinds() *index.Kinds

	// Add adds records, played with a trace, and tells what became of each.
	Add(ctx context.Context, records []*record.Played) ([]store.Added, error)

	// Delete deletes games.
	Delete(ctx context.Context, ids []uint32) error
}

// Merger is a Library that can be told to tidy up.
type Merger interface {
	Merge(ctx context.Context) error
}

// Reopener is a Library that can be closed and opened again. Views that are
// open stay so.
type Reopener interface {
	Reopen(ctx context.Context) error
}

// Config says what to test.
type Config struct {
	Games   game.Catalog
	Samples []*record.Played // further records to begin with
	Open    func(t *testing.T) Library
	Seed    uint64

	// Steps is how long the random history is; 0 for as long as usual.
	Steps int

	// Restless tells that the store merges tables by itself, so that columns of
	// marks may be gone at any time.
	Restless bool
}

// Run checks that a store keeps the laws of index.Store.
func Run(t *testing.T, c Config) {
	t.Helper()
	for _, h := range []struct {
		name string
		run  func(*History) error
	}{
		{"empty", func(h *History) error { return h.Check(Effort{}) }},
		{"samples", func(h *History) error { return h.samples(c.Samples) }},
		{"batches", (*History).batches},
		{"history", (*History).random},
		{"marks", (*History).marks},
		{"journal", (*History).journal},
	} {
		t.Run(h.name, func(t *testing.T) {
			history := NewHistory(t.Context(), c.Games, c.Open(t), c.Seed)
			defer history.Close()
			history.restless, history.length = c.Restless, c.Steps
			if err := h.run(history); err != nil {
				t.Fatalf("after %v: %v", history.steps, err)
			}
		})
	}
}

// History drives a store and a model through the same changes.
type History struct {
	Library
	*Maker
	Model *Model

	ctx   context.Context
	steps []string
	added []*record.Game // what was added, to be added again
	held  []held

	restless bool // see Config
	length   int
}

// held is a view that was kept, with what it must go on to say.
type held struct {
	view  index.View
	kinds *index.Kinds
	model *Model
}

// NewHistory returns a history that begins with an empty store.
func NewHistory(ctx context.Context, games game.Catalog, l Library, seed uint64) *History {
	return &History{Library: l, Maker: NewMaker(games, seed), Model: NewModel(games), ctx: ctx}
}

// Close gives up the views that were kept.
func (h *History) Close() {
	for _, x := range h.held {
		x.view.Close()
	}
	h.held = nil
}

// Put adds records to the store and the model.
func (h *History) Put(games ...*record.Game) error {
	var batch []*record.Played
	for _, g := range games {
		batch = append(batch, h.Play(g))
	}
	h.added = append(h.added, games...)
	return h.put(batch)
}

func (h *History) put(batch []*record.Played) error {
	h.steps = append(h.steps, fmt.Sprintf("add %d", len(batch)))
	added, err := h.Library.Add(h.ctx, batch)
	if err != nil {
		return err
	}
	if len(added) != len(batch) {
		return fmt.Errorf("%d records were added, and %d told of", len(batch), len(added))
	}
	for i, a := range added {
		switch back := a.Status != store.StatusFuller && h.Model.Revive(a.ID); {
		case back, a.Status == store.StatusDuplicate:
			// The store has the record that it had.
		case a.Status != store.StatusFuller && h.Model.games[a.ID] != nil:
			// A fuller record of the batch has taken the place of one that came back.
		default:
			if err := h.Model.Put(a.ID, batch[i]); err != nil {
				return err
			}
		}
	}
	for i, a := range added {
		if h.Model.games[a.ID] == nil {
			return fmt.Errorf("record %d became game %d, which there is not", i, a.ID)
		}
	}
	return nil
}

// Check compares the store with the model, and the views that were kept with
// theirs.
func (h *History) Check(e Effort) error {
	v, err := h.View(h.ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := Check(h.ctx, v, h.Kinds(), h.Model, h.Rng, e); err != nil {
		return err
	}
	for i, x := range h.held {
		if err := Check(h.ctx, x.view, x.kinds, x.model, h.Rng, Effort{Exprs: 1, Keys: 1, Patterns: 1}); err != nil {
			return fmt.Errorf("a view that was kept (%d of %d): %w", i+1, len(h.held), err)
		}
	}
	return nil
}

// hold keeps a view of the store as it is, and gives an older one up.
func (h *History) hold() error {
	v, err := h.View(h.ctx)
	if err != nil {
		return err
	}
	h.held = append(h.held, held{v, h.Kinds(), h.Model.Clone()})
	if len(h.held) > 3 {
		h.held[0].view.Close()
		h.held = h.held[1:]
	}
	return nil
}

// samples adds records that the caller has, one by one and again together.
func (h *History) samples(list []*record.Played) error {
	for _, p := range list {
		if err := h.put([]*record.Played{p}); err != nil {
			return err
		}
	}
	if err := h.Check(Effort{Exprs: 20, Keys: 20, Patterns: testkit.Scale(15, 200)}); err != nil {
		return err
	}
	before := h.Model.Len()
	if err := h.put(list); err != nil {
		return err
	}
	if h.Model.Len() != before {
		return fmt.Errorf("%d games become %d when they are added again", before, h.Model.Len())
	}
	return h.Check(Effort{Exprs: 5, Keys: 5, Patterns: 3})
}

// batches adds many small games, so that batches cross the sizes at which
// stores cut: blocks have 512 lines.
func (h *History) batches() error {
	for _, n := range []int{1, 300, 400, 255, 1, testkit.Scale(50, 1600)} {
		var games []*record.Game
		for range n {
			g := h.Game("weiqi", []string{"5x5", "9x9", "9x9"}[h.Rng.IntN(3)], 3+h.Rng.IntN(9))
			h.Head(g)
			if h.Rng.IntN(10) == 0 {
				h.Branch(g, 2)
			}
			games = append(games, g)
		}
		if err := h.Put(games...); err != nil {
			return err
		}
		if err := h.Check(Effort{Exprs: 4, Keys: 8, Patterns: testkit.Scale(2, 20)}); err != nil {
			return err
		}
	}
	if err := h.forget(h.Model.Len() / 3); err != nil {
		return err
	}
	for range 4 {
		if err := h.merge(); err != nil {
			return err
		}
	}
	return h.Check(Effort{Exprs: 10, Keys: 10, Patterns: testkit.Scale(5, 50)})
}

// forget deletes random games.
func (h *History) forget(n int) error {
	ids := h.Model.IDs()
	h.Rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	ids = ids[:min(n, len(ids))]
	h.steps = append(h.steps, fmt.Sprintf("delete %d", len(ids)))
	h.Model.Delete(ids)
	return h.Library.Delete(h.ctx, ids)
}

func (h *History) merge() error {
	if m, ok := h.Library.(Merger); ok {
		h.steps = append(h.steps, "merge")
		return m.Merge(h.ctx)
	}
	return nil
}

func (h *History) reopen() error {
	if r, ok := h.Library.(Reopener); ok {
		h.steps = append(h.steps, "reopen")
		return r.Reopen(h.ctx)
	}
	return nil
}

// random is a random history. It begins with games that share corners, which
// those by chance seldom do.
func (h *History) random() error {
	var games []*record.Game
	for i := range 24 {
		games = append(games, h.Corner([]string{"weiqi", "renju"}[i%2]))
	}
	if err := h.Put(games...); err != nil {
		return err
	}
	for range cmp.Or(h.length, testkit.Scale(30, 400)) {
		if err := h.Step(); err != nil {
			return err
		}
	}
	return h.Check(Effort{Exprs: 20, Keys: 30, Patterns: testkit.Scale(20, 300)})
}

// Step does one random thing and checks a little.
func (h *History) Step() error {
	if err := h.act(h.Rng); err != nil {
		return err
	}
	return h.Check(Effort{Exprs: 1, Keys: 3, Patterns: 1})
}

func (h *History) act(rng *rand.Rand) error {
	switch n := rng.IntN(22); {
	case n >= 20:
		return h.build(rng.IntN(editions), rng.IntN(2) == 0)
	case n < 5:
		return h.Put(h.Random(40))
	case n < 9:
		var games []*record.Game
		for range 2 + rng.IntN(24) {
			games = append(games, h.Random(40))
		}
		return h.Put(games...)
	case n < 12 && len(h.added) > 0:
		return h.Put(h.Again(), h.Again(), h.Again())
	case n < 14:
		return h.forget(rng.IntN(6))
	case n < 16:
		return h.merge()
	case n < 18:
		return h.reopen()
	}
	h.steps = append(h.steps, "hold")
	return h.hold()
}

// Again returns a record that was added before, or something like it: its
// beginning, the same with comments, the same with other headers.
func (h *History) Again() *record.Game {
	g := h.added[h.Rng.IntN(len(h.added))]
	c := h.Cut(g, g.Moves())
	switch h.Rng.IntN(5) {
	case 0:
		return g
	case 1:
		c = h.Cut(g, h.Rng.IntN(g.Moves()+1))
	case 2:
		for i := range c.Nodes {
			c.Nodes[i].More().Comment = fmt.Sprintf("comment %d on this move by somebody who has much to say", h.Rng.IntN(1000))
		}
	case 3:
		h.Head(c)
	}
	return c
}
