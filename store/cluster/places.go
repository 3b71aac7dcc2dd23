package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"qipu/index"
	"qipu/record"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
)

// Kinds returns the kinds of game that the library knows.
func (c *Cluster) Kinds() *index.Kinds { return c.kinds }

// Preparer returns a function that does the part of Add for a record that can be
// done ahead and elsewhere. The function is for one goroutine.
func (c *Cluster) Preparer() func(*record.Played) { return dedupe.Preparer(c.kinds) }

// Places returns the places where games were found beside those of their records;
// of games that have others.
func (c *Cluster) Places(ctx context.Context, ids []uint32) (map[uint32][]store.Source, error) {
	further, err := c.furtherPlaces(ctx, ids)
	if err != nil {
		return nil, err
	}
	places := map[uint32][]store.Source{}
	for _, p := range further {
		places[p.game] = append(places[p.game], p.Source)
	}
	for _, list := range places {
		slices.SortFunc(list, compareSources)
	}
	return places, nil
}

// AddSources notes further places where games were found.
func (c *Cluster) AddSources(ctx context.Context, places map[uint32][]store.Source) error {
	if len(places) == 0 {
		return nil
	}
	if _, err := c.enter(ctx, true); err != nil {
		return err
	}
	defer c.leave()
	noted, err := c.furtherPlaces(ctx, slices.Sorted(maps.Keys(places)))
	if err != nil {
		return err
	}
	known := map[place]bool{}
	for _, p := range noted {
		known[p] = true
	}
	list := make(placeList, len(c.Shards))
	for _, id := range slices.Sorted(maps.Keys(places)) {
		for _, s := range places[id] {
			if p := (place{id, s}); !known[p] {
				known[p] = true
				home := c.home(id)
				list[home.Number] = append(list[home.Number], p)
			}
		}
	}
	return c.Each(ctx, "noting places", func(s *wire.Shard) error { return list.put(ctx, s) })
}

// Link notes that two games belong together, and why.
func (c *Cluster) Link(ctx context.Context, a, b uint32, why string) error {
	if a == b {
		return nil
	}
	if _, err := c.enter(ctx, true); err != nil {
		return err
	}
	defer c.leave()
	for _, pair := range [][2]uint32{{a, b}, {b, a}} {
		err := c.home(pair[0]).Write(ctx, "writing the table link", func(db wire.Conn) error {
			return db.Insert(ctx, "link", []string{"game", "other", "why"}, []any{[]uint32{pair[0]}, []uint32{pair[1]}, []string{why}})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Check looks whether the servers have what their log says: every document once in
// the tables that have a row for each, on all shards together. A deep check reads
// every record, too.
func (c *Cluster) Check(ctx context.Context, deep bool, report func(name, reason string, what remedy.Remedy)) error {
	st, err := c.Fresh(ctx)
	if err != nil {
		return err
	}
	boards, all := 0, 0
	for _, t := range st.Tally {
		boards += t.Games
	}
	for _, n := range c.Ledger.Counts() {
		all += n
	}
	for _, t := range []struct {
		name, where string
		want        int
	}{{"game", "1", all}, {"line", "side = 0", boards}} {
		rows, distinct, err := c.countRows(ctx, st, t.name, t.where)
		switch {
		case err != nil:
			return err
		case rows > distinct:
			report("table "+t.name, fmt.Sprintf("%d documents are there more than once", rows-distinct), remedy.Resend.With(""))
		case rows != t.want:
			report("table "+t.name, fmt.Sprintf("%d documents are there, and the log has %d", rows, t.want), remedy.Restore.With(""))
		}
	}
	if err := c.checkPages(ctx, st, report); err != nil || !deep {
		return err
	}
	ids, err := c.IDs(ctx, "")
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids.ToArray(), 4096) {
		for text, err := range c.Texts(ctx, chunk) {
			if err == nil {
				_, err = record.DecodeGame(text.Record)
			}
			if err != nil && text.ID == 0 {
				return err
			}
			if err != nil {
				report(fmt.Sprintf("game %d", text.ID), err.Error(), remedy.Replace.With(fmt.Sprint(text.ID)))
			}
		}
	}
	return nil
}

// checkPages reports shards whose pages lack lines. Those of documents that were
// removed since stay in their pages.
func (c *Cluster) checkPages(ctx context.Context, st *ledger.State, report func(name, reason string, what remedy.Remedy)) error {
	var mu sync.Mutex
	return c.Each(ctx, "counting pages", func(s *wire.Shard) error {
		var lines, paged uint64
		err := s.Read(ctx, "counting pages", func(db wire.Conn) error {
			lines, paged = 0, 0
			for part := range slices.Chunk(st.Spans, groupSpans) {
				var n, p uint64
				err := db.Query(ctx, "SELECT count() AS n FROM line WHERE side = 0 AND "+part.Where("doc"), func() error { lines += n; return nil }, &n)
				if err == nil {
					err = db.Query(ctx, "SELECT toUInt64(sum(lines)) AS n FROM page WHERE "+part.Where("low"), func() error { paged += p; return nil }, &p)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil && paged < lines {
			mu.Lock()
			defer mu.Unlock()
			report(fmt.Sprintf("table page of %v", s), fmt.Sprintf("it has %d lines of %d", paged, lines), remedy.Restore.With(""))
		}
		return err
	})
}

// countRows counts the rows of the documents of a state in a table, and how many
// documents they are of.
func (c *Cluster) countRows(ctx context.Context, st *ledger.State, table, where string) (rows, distinct int, err error) {
	var mu sync.Mutex
	for g := range groupsOf(st, 1<<32, groupSpans, groupDead) {
		err := c.Each(ctx, "counting documents", func(s *wire.Shard) error {
			var n, d uint64
			err := s.Read(ctx, "counting documents", func(db wire.Conn) error {
				return db.Query(ctx, "SELECT count(), uniqExact(doc) FROM "+table+" WHERE "+where+" AND "+g.visible(), func() error { return nil }, &n, &d)
			})
			mu.Lock()
			defer mu.Unlock()
			rows, distinct = rows+int(n), distinct+int(d)
			return err
		})
		if err != nil {
			return 0, 0, err
		}
	}
	return rows, distinct, nil
}
