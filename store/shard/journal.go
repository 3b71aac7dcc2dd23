package shard

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"qipu/index"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/segment"
	"qipu/store"
	"qipu/store/dedupe"
	"qipu/store/shard/internal/catalog"
)

// Journal tells what was changed in the store.
func (s *Shard) Journal() store.Journal { return s.cat }

// layers returns the corrections of games, by game.
func (s *Shard) layers(ctx context.Context, ids []uint32) (map[uint32][]store.Correction, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := s.cat.Corrections(ctx, ids)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	by := map[uint32][]store.Correction{}
	for _, c := range list {
		by[c.Game] = append(by[c.Game], c)
	}
	return by, nil
}

// sumLayer returns a hash of corrections, 0 for none.
func sumLayer(layer []store.Correction) (sum uint64) {
	for _, c := range layer {
		sum = sum*31 + xxh3.HashString(c.Field+"\x00"+*c.Value)
	}
	return sum
}

// headers returns the headers of a record with corrections laid over them.
func headers(encoded []byte, layer []store.Correction) (*facts.Facts, error) {
	g, err := record.DecodeGame(encoded)
	if err != nil {
		return nil, err
	}
	store.Lay(&g.Facts, layer)
	return &g.Facts, nil
}

// Undo undoes an entry of the journal.
func (s *Shard) Undo(ctx context.Context, id int64) (store.Undone, error) {
	return s.revert(ctx, func(tx *catalog.Tx) (*catalog.Reverted, error) { return tx.Undo(s.cat, id, headers) })
}

// UndoAround is Undo with something to be done in the same transaction before, and behind it.
func (s *Shard) UndoAround(ctx context.Context, id int64, before, behind func(Tx) error) (store.Undone, error) {
	return s.revert(ctx, func(tx *catalog.Tx) (*catalog.Reverted, error) {
		if err := before(tx); err != nil {
			return nil, err
		}
		r, err := tx.Undo(s.cat, id, headers)
		if err == nil {
			err = behind(tx)
		}
		return r, err
	})
}

// Restore brings games back out of the trash.
func (s *Shard) Restore(ctx context.Context, ids []uint32) (store.Undone, error) {
	return s.revert(ctx, func(tx *catalog.Tx) (*catalog.Reverted, error) { return tx.Restore(s.cat, ids) })
}

// Correct corrects headers of games.
func (s *Shard) Correct(ctx context.Context, list []store.Correction) (int, error) {
	nothing := func(Tx) error { return nil }
	return s.CorrectAround(ctx, list, nothing, nothing)
}

// CorrectAround is Correct with something to be done in the same transaction before, and
// behind it. Games that lie elsewhere are not counted.
func (s *Shard) CorrectAround(ctx context.Context, list []store.Correction, before, behind func(Tx) error) (int, error) {
	list = slices.Clone(list)
	for i := range list {
		c := &list[i]
		if c.Value == nil {
			if !slices.Contains(facts.Fields, c.Field) {
				return 0, new(facts.Facts).Set(c.Field, "")
			}
			continue
		}
		value, err := facts.Canon(c.Field, *c.Value)
		if err != nil {
			return 0, err
		}
		c.Value = &value
	}
	slices.SortStableFunc(list, func(a, b store.Correction) int { return int(int64(a.Game) - int64(b.Game)) })
	games := 0
	_, err := s.revert(ctx, func(tx *catalog.Tx) (*catalog.Reverted, error) {
		if err := before(tx); err != nil {
			return nil, err
		}
		changed, err := tx.Correct(s.cat, list, headers)
		if err != nil {
			return nil, err
		}
		games = len(changed)
		return &catalog.Reverted{Headers: changed}, behind(tx)
	})
	return games, err
}

// Purge deletes what has been in the trash for long.
func (s *Shard) Purge(ctx context.Context, until time.Time) (games int, err error) {
	err = s.asWriter(ctx, func(w *Shard) (err error) {
		w.write.Lock()
		defer w.write.Unlock()
		if games, err = w.cat.Purge(ctx, until); games > 0 {
			w.forget()
			w.wakeMerge()
		}
		return err
	})
	return games, err
}

// revert runs a change of the catalogue that games of the index follow: those with other
// headers get lines that have them, made of the lines that there are, and those that are to
// be indexed anew wait for a table.
func (s *Shard) revert(ctx context.Context, change func(*catalog.Tx) (*catalog.Reverted, error)) (undone store.Undone, err error) {
	err = s.asWriter(ctx, func(w *Shard) error {
		undone, err = mended(ctx, w, func() (store.Undone, error) { return w.reverted(ctx, change) })
		return err
	})
	return undone, err
}

func (s *Shard) reverted(ctx context.Context, do func(*catalog.Tx) (*catalog.Reverted, error)) (undone store.Undone, err error) {
	s.write.Lock()
	defer s.write.Unlock()
	st, err := s.current(ctx)
	if err != nil {
		return undone, err
	}
	defer st.release()
	c := &change{Shard: s, st: st}
	waits := false
	err = s.cat.Update(ctx, func(tx *catalog.Tx) error {
		c.tx = tx
		r, err := do(tx)
		if err != nil {
			return err
		}
		undone, waits = r.Undone, len(r.Again) > 0
		return c.retell(r)
	})
	if err != nil {
		c.undo()
		return undone, err
	}
	s.known = nil
	s.forget()
	s.wakeMerge()
	if waits {
		// All is stored and found; that it is found fast is no reason to fail.
		_ = s.seat(context.WithoutCancel(ctx))
	}
	return undone, nil
}

// retell writes the lines of games anew that have other headers. Those that are indexed
// anew, or have no line yet, need none.
func (c *change) retell(r *catalog.Reverted) error {
	if len(r.Headers) == 0 {
		return nil
	}
	again := roaring.BitmapOf(r.Again...)
	games := roaring.New()
	for id := range r.Headers {
		if !again.Contains(id) {
			games.Add(id)
		}
	}
	for _, doc := range c.st.waiting {
		games.Remove(doc.Game) // made of its record when the state is loaded
	}
	if games.IsEmpty() {
		return nil
	}
	bs := builders{lines: map[*index.Kind]int{}}
	var dead []*part
	err := segment.Guard(func() error {
		for _, p := range c.st.parts {
			if p.segment.ID == 0 || !p.segment.Games.Intersects(games) {
				continue
			}
			remarks, err := p.Remarks.All()
			if err != nil {
				return err
			}
			b := bs.of(p.Kind, p.Variations)
			for line := range p.Lines {
				id := p.Columns.Game(line)
				if !games.Contains(id) || p.isDead(uint32(line)) {
					continue
				}
				block, lane := p.Locate(line)
				open, err := p.Block(block)
				if err != nil {
					return err
				}
				had := p.Columns.Facts(line)
				had.Detach()
				now := index.FactsOf(r.Headers[id])
				now.Plies = had.Plies
				now.Texts[query.Format], now.Texts[query.File] = had.Texts[query.Format], had.Texts[query.File]
				l := open.Line(lane)
				b.Add(id, &now, &l, nil)
				b.Comment(remarks[uint32(line)])
			}
			dead = append(dead, p)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// In the tables that there are, the old lines are dead: the new ones come behind that.
	for _, p := range dead {
		gone := roaring.And(p.segment.Games, games)
		gone.Or(p.segment.Dead)
		if err := c.tx.SetDead(p.segment.ID, gone); err != nil {
			return err
		}
	}
	for _, b := range bs.list {
		if b.Len() == 0 {
			continue
		}
		seg, err := c.writeFile(b)
		if err != nil {
			return err
		}
		c.files = append(c.files, seg.File)
		if _, err := c.tx.AddSegment(seg); err != nil {
			return err
		}
	}
	return nil
}

// seat gives the games that wait a table, where they have become many. The caller writes.
func (s *Shard) seat(ctx context.Context) error {
	st, err := s.current(ctx)
	if err != nil {
		return err
	}
	defer st.release()
	if len(st.waiting) <= s.options.tableLines {
		return nil
	}
	c := &change{Shard: s, st: st, waiting: slices.Clone(st.waiting)}
	tables, err := c.place(nil)
	for _, seg := range tables {
		c.files = append(c.files, seg.File)
	}
	if err == nil {
		err = s.cat.Update(ctx, func(tx *catalog.Tx) error {
			c.tx = tx
			for _, seg := range tables {
				if _, err := tx.AddSegment(seg); err != nil {
					return err
				}
			}
			return c.manifest()
		})
	}
	if err != nil {
		c.undo()
		return err
	}
	return s.publish(ctx, c.waiting)
}

// Revive brings those games back out of the trash that records are of which are new
// elsewhere, as it is told. It reports whether there were any; with ask, none is brought
// back, and it is not known yet what becomes of the records.
func (s *Shard) Revive(ctx context.Context, b *store.Batch, told []store.Added, ask bool) (bool, error) {
	s.write.Lock()
	defer s.write.Unlock()
	items := dedupe.Items(b.Records, b.Prepared, s.kinds)
	if ask {
		keys := make([]uint64, len(items))
		for i, it := range items {
			keys[i] = it.Entry.Key
		}
		games, _, err := s.cat.InTrash(ctx, keys)
		return len(games) > 0, err
	}
	for i, it := range items {
		it.Status = told[i].Status
	}
	back, err := s.revive(ctx, items)
	return back != nil, err
}

// revive brings those games back out of the trash that records of a batch are of, so that they
// keep their numbers and what people made of them. Records that are one with a game in the
// store bring none back. The caller writes.
func (s *Shard) revive(ctx context.Context, items []*dedupe.Item) (*roaring.Bitmap, error) {
	byKey := map[uint64][]*dedupe.Item{}
	keys := make([]uint64, 0, len(items))
	for _, it := range items {
		if it.Status != store.StatusNew && it.Status != store.StatusTwin {
			continue
		}
		if byKey[it.Entry.Key] == nil {
			keys = append(keys, it.Entry.Key)
		}
		byKey[it.Entry.Key] = append(byKey[it.Entry.Key], it)
	}
	games, texts, err := s.cat.InTrash(ctx, keys)
	if err != nil || len(games) == 0 {
		return nil, err
	}
	back := roaring.New()
	for _, exact := range []bool{true, false} { // each record brings one game back, the very same if there is it
		for i := range games {
			if back.Contains(games[i].ID) {
				continue
			}
			list := byKey[games[i].Key]
			n := slices.IndexFunc(list, func(it *dedupe.Item) bool {
				return it.Entry.Kind == games[i].Kind && (bytes.Equal(it.Entry.Record, texts[i].Record) || !exact && it.Agrees(texts[i].Record))
			})
			if n >= 0 {
				back.Add(games[i].ID)
				byKey[games[i].Key] = slices.Delete(list, n, n+1)
			}
		}
	}
	if back.IsEmpty() {
		return nil, nil
	}
	again := false
	err = s.cat.Update(ctx, func(tx *catalog.Tx) error {
		tx.Adds()
		r, err := tx.Restore(s.cat, back.ToArray())
		if err == nil {
			again = len(r.Again) > 0
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("shard: games in the trash: %w", err)
	}
	s.known = nil
	s.forget()
	if again {
		err = s.seat(ctx)
	}
	return back, err
}
