package data

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"qipu/record"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
)

// Preparer returns a function that does the part of Add for a record that can be
// done ahead and elsewhere. The function is for one goroutine.
func (rs *Records) Preparer() func(*record.Played) *store.Prepared {
	return dedupe.Preparer(rs.Kinds())
}

// Places returns the places where games were found beside those of their records;
// of games that have others.
func (rs *Records) Places(ctx context.Context, ids []uint32) (map[uint32][]store.Source, error) {
	further, err := rs.furtherPlaces(ctx, ids)
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
func (rs *Records) AddSources(ctx context.Context, places map[uint32][]store.Source) error {
	if len(places) == 0 {
		return nil
	}
	if _, err := rs.enter(ctx, true); err != nil {
		return err
	}
	defer rs.leave()
	noted, err := rs.furtherPlaces(ctx, slices.Sorted(maps.Keys(places)))
	if err != nil {
		return err
	}
	known := map[place]bool{}
	for _, p := range noted {
		known[p] = true
	}
	list := make(placeList, len(rs.Shards))
	for _, id := range slices.Sorted(maps.Keys(places)) {
		for _, s := range places[id] {
			if p := (place{id, s}); !known[p] {
				known[p] = true
				home := rs.Home(id)
				list[home.Number] = append(list[home.Number], p)
			}
		}
	}
	return rs.Each(ctx, "noting places", func(s *wire.Shard) error { return list.put(ctx, s) })
}

// Link notes that two games belong together, and why.
func (rs *Records) Link(ctx context.Context, a, b uint32, why string) error {
	if a == b {
		return nil
	}
	if _, err := rs.enter(ctx, true); err != nil {
		return err
	}
	defer rs.leave()
	for _, pair := range [][2]uint32{{a, b}, {b, a}} {
		if err := putLinks(ctx, rs.Home(pair[0]), pair[:1], pair[1:], []string{why}); err != nil {
			return err
		}
	}
	return nil
}

// Check looks whether the servers have what their log says: every document once in
// the tables that have a row for each, on all shards together. A deep check reads
// every record, too, and looks for games that several writers brought: see Join.
func (rs *Records) Check(ctx context.Context, deep bool, report func(name, reason string, what remedy.Remedy)) error {
	st, err := rs.Fresh(ctx)
	if err != nil {
		return err
	}
	boards, all := 0, 0
	for _, t := range st.Tally {
		boards += t.Games
	}
	for _, n := range rs.Ledger.Counts() {
		all += n
	}
	for _, t := range []struct {
		name, where string
		want        int
	}{{"game", "1", all}, {"line", "side = 0", boards}} {
		rows, distinct, err := rs.countRows(ctx, st, t.name, t.where)
		switch {
		case err != nil:
			return err
		case rows > distinct:
			report("table "+t.name, fmt.Sprintf("%d documents are there more than once", rows-distinct), remedy.Resend.With(""))
		case rows != t.want:
			report("table "+t.name, fmt.Sprintf("%d documents are there, and the log has %d", rows, t.want), remedy.Restore.With(""))
		}
	}
	if err := rs.checkPages(ctx, st, report); err != nil || !deep {
		return err
	}
	ids, err := rs.IDs(ctx, "")
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids.ToArray(), 4096) {
		for text, err := range rs.Texts(ctx, chunk) {
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
	list, err := rs.doubles(ctx, nil)
	for _, d := range list {
		report(fmt.Sprintf("game %d", d.games[0]), fmt.Sprintf("it is there %d times, also as %d", len(d.games), d.games[1]), remedy.Repair.With(""))
	}
	return err
}

// checkPages reports shards whose pages lack lines. Those of documents that were
// removed since stay in their pages.
func (rs *Records) checkPages(ctx context.Context, st *ledger.State, report func(name, reason string, what remedy.Remedy)) error {
	var mu sync.Mutex
	return rs.Each(ctx, "counting pages", func(s *wire.Shard) error {
		var lines, paged uint64
		err := s.Read(ctx, "counting pages", func(db wire.Conn) error {
			lines, paged = 0, 0
			for part := range slices.Chunk(st.Spans, ledger.GroupSpans) {
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
func (rs *Records) countRows(ctx context.Context, st *ledger.State, table, where string) (rows, distinct int, err error) {
	var mu sync.Mutex
	for g := range st.Groups(1<<32, ledger.GroupSpans, ledger.GroupDead) {
		err := rs.Each(ctx, "counting documents", func(s *wire.Shard) error {
			var n, d uint64
			err := s.Read(ctx, "counting documents", func(db wire.Conn) error {
				return db.Query(ctx, "SELECT count(), uniqExact(doc) FROM "+table+" WHERE "+where+" AND "+g.Visible(), func() error { return nil }, &n, &d)
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
