package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"qipu/index"
	"qipu/record"
	headers "qipu/record/facts"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
)

// gameRow is a row of game.
type gameRow struct {
	doc         uint32
	kind        string
	key, head   uint64
	plies       uint32
	marked      uint8
	added       uint32
	format      string
	encoding    string
	file        string
	number      uint32
	offset      int64
	record, raw []byte
	layer       []store.Correction // what was corrected of the headers
}

// source returns where the record was found.
func (g *gameRow) source() store.Source {
	return store.Source{File: g.file, Number: int(g.number), Offset: g.offset}
}

// Game returns the game of a number without its record. Headers are those of the
// record, which are decoded, with what was corrected of them. A record that is damaged has
// none.
func (g *gameRow) Game(id uint32) store.Game { return g.gameWith(id, g.layer) }

// gameWith is Game with corrections of the caller's.
func (g *gameRow) gameWith(id uint32, layer []store.Correction) store.Game {
	game := store.Game{
		ID: id, Kind: g.kind, Key: g.key, Head: g.head, Plies: int(g.plies), Format: g.format, Encoding: g.encoding, Marked: g.marked == 1,
		Source: g.source(), Added: time.Unix(int64(g.added), 0),
	}
	if rec, err := record.DecodeGame(g.record); err == nil {
		store.Lay(&rec.Facts, layer)
		game.Facts = store.Storable(rec.Facts)
	}
	return game
}

// What gameRows fetches of a record.
const (
	withoutTexts = iota
	withRecord
	withTexts // the original bytes too
)

// gameRows calls f for the rows of documents that are there, in no order, from one
// goroutine at a time.
func (rs *Records) gameRows(ctx context.Context, docs []uint32, texts int, f func(*gameRow)) error {
	columns := "doc, kind, key, head, plies, marked, added, format, encoding, file, number, offset"
	switch texts {
	case withRecord:
		columns += ", record"
	case withTexts:
		columns += ", record, raw"
	}
	for block := range slices.Chunk(docs, listBlock) {
		sql := "SELECT " + columns + " FROM game WHERE doc IN (" + wire.Numbers(block) + ")"
		var mu sync.Mutex
		got := map[uint32]bool{} // a statement may run again
		err := rs.Each(ctx, "reading records", func(s *wire.Shard) error {
			return s.Read(ctx, "reading records", func(db wire.Conn) error {
				var g gameRow
				dest := []any{&g.doc, &g.kind, &g.key, &g.head, &g.plies, &g.marked, &g.added, &g.format, &g.encoding, &g.file, &g.number, &g.offset}
				switch texts {
				case withRecord:
					dest = append(dest, &g.record)
				case withTexts:
					dest = append(dest, &g.record, &g.raw)
				}
				return db.Query(ctx, sql, func() error {
					mu.Lock()
					defer mu.Unlock()
					if !got[g.doc] {
						got[g.doc] = true
						row := g
						row.encoding, row.layer = rows.Layer(g.encoding)
						f(&row)
					}
					return nil
				}, dest...)
			})
		})
		// A shard that cannot be reached is not missed where the others have all.
		if _, down := errors.AsType[*store.UnreachableError](err); err != nil && !(down && len(got) == len(block)) {
			return err
		}
	}
	return nil
}

func noGame(id uint32) error { return fmt.Errorf("cluster: %w: %d", store.ErrNoGame, id) }

// docsOf returns the documents of games, or ErrNoGame.
func docsOf(s *ledger.State, ids []uint32) ([]uint32, error) {
	docs := make([]uint32, len(ids))
	for i, id := range ids {
		doc, ok := s.Doc(id)
		if !ok {
			return nil, noGame(id)
		}
		docs[i] = doc
	}
	return docs, nil
}

// Version is another one after every commit, whoever makes it.
func (rs *Records) Version(ctx context.Context) (store.Version, error) {
	st, err := rs.State(ctx)
	if err != nil {
		return store.Version{}, err
	}
	return store.Version{Far: st.Commits}, nil
}

// Games returns games in the order asked. A number without a game is an error
// (store.ErrNoGame). Headers are decoded from the records, at some ten
// microseconds each.
func (rs *Records) Games(ctx context.Context, ids []uint32) ([]store.Game, error) {
	st, err := rs.State(ctx)
	if err != nil {
		return nil, err
	}
	docs, err := docsOf(st, ids)
	if err != nil {
		return nil, err
	}
	rows := make(map[uint32]*gameRow, len(docs))
	if err := rs.gameRows(ctx, docs, withRecord, func(g *gameRow) { rows[g.doc] = g }); err != nil {
		return nil, err
	}
	games := make([]store.Game, len(ids))
	for i, id := range ids {
		g := rows[docs[i]]
		if g == nil {
			return nil, lostRow(id)
		}
		games[i] = g.Game(id)
	}
	return games, nil
}

func lostRow(id uint32) error {
	return fmt.Errorf("%w: the record of game %d is on no server", store.ErrDamaged, id)
}

// Record returns the encoded record of a game and its original bytes. They are
// the caller's.
func (rs *Records) Record(ctx context.Context, id uint32) (record, raw []byte, err error) {
	for text, err := range rs.Texts(ctx, []uint32{id}) {
		if err != nil {
			return nil, nil, err
		}
		record, raw = text.Record, text.Raw
	}
	return record, raw, nil
}

// textBlock is how many records are fetched at a time; the next ones are on their
// way meanwhile.
const textBlock = 1024

// Texts yields the texts of games in the order asked. A text that is not there
// comes as an error store.ErrDamaged beside the number of its game, and the
// others after it; any other error is the end.
func (rs *Records) Texts(ctx context.Context, ids []uint32) iter.Seq2[store.Text, error] {
	return func(yield func(store.Text, error) bool) {
		st, err := rs.State(ctx)
		var docs []uint32
		if err == nil {
			docs, err = docsOf(st, ids)
		}
		if err != nil {
			yield(store.Text{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		next := rs.textsAhead(ctx, docs)
		for from := 0; from < len(ids); from += textBlock {
			got := <-next
			if got.err != nil {
				yield(store.Text{}, got.err)
				return
			}
			for i := from; i < min(from+textBlock, len(ids)); i++ {
				text, err := store.Text{ID: ids[i]}, error(nil)
				if g := got.rows[docs[i]]; g != nil {
					text.Record, text.Raw = g.record, g.raw
				} else {
					err = lostRow(ids[i])
				}
				if !yield(text, err) {
					return
				}
			}
		}
	}
}

// textPart is some records, by document.
type textPart struct {
	rows map[uint32]*gameRow
	err  error
}

// textsAhead fetches records block by block, one ahead of who reads them. It ends
// with the context.
func (rs *Records) textsAhead(ctx context.Context, docs []uint32) <-chan textPart {
	out := make(chan textPart, 1)
	go func() {
		for block := range slices.Chunk(docs, textBlock) {
			part := textPart{rows: make(map[uint32]*gameRow, len(block))}
			part.err = rs.gameRows(ctx, block, withTexts, func(g *gameRow) { part.rows[g.doc] = g })
			select {
			case out <- part:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// IDs returns the games of a kind, or all for "". The bitmap is the caller's.
func (rs *Records) IDs(ctx context.Context, kind string) (*roaring.Bitmap, error) {
	st, err := rs.State(ctx)
	if err != nil {
		return nil, err
	}
	docs := roaring.New()
	if kind == "" {
		docs = st.Spans.Documents()
	} else if err := rs.docsWhere(ctx, "kind = "+wire.Quote(kind), docs); err != nil {
		return nil, err
	}
	ids := roaring.New()
	it := docs.Iterator()
	for it.HasNext() {
		if doc := it.Next(); st.Has(doc) {
			ids.Add(st.Game(doc))
		}
	}
	ids.RunOptimize()
	return ids, nil
}

// docsWhere adds the documents that a condition on rows of game lets through.
func (rs *Records) docsWhere(ctx context.Context, condition string, docs *roaring.Bitmap) error {
	var mu sync.Mutex
	return rs.Each(ctx, "reading numbers", func(s *wire.Shard) error {
		return s.Read(ctx, "reading numbers", func(db wire.Conn) error {
			list, doc := roaring.New(), uint32(0)
			err := db.Query(ctx, "SELECT doc FROM game WHERE "+condition, func() error {
				list.Add(doc)
				return nil
			}, &doc)
			mu.Lock()
			defer mu.Unlock()
			docs.Or(list)
			return err
		})
	})
}

// Counts returns the figures of the library: those that there are on servers.
func (rs *Records) Counts(ctx context.Context) (n store.Counts, err error) {
	ctx = wire.Collect(ctx, new(wire.Missing)) // games are counted by the log, which every shard has
	if _, err := rs.State(ctx); err != nil {
		return n, err
	}
	n.Games = rs.Ledger.Counts()
	var mu sync.Mutex
	err = rs.Each(ctx, "counting", func(s *wire.Shard) error {
		var sources, links, parts uint64
		var records, bytes int64
		err := s.Read(ctx, "counting", func(db wire.Conn) error {
			none := func() error { return nil }
			err := db.Query(ctx, "SELECT count() AS n FROM (SELECT DISTINCT game, file, number, offset FROM source)", none, &sources)
			if err == nil {
				err = db.Query(ctx, "SELECT count() AS n FROM (SELECT DISTINCT game, other, why FROM link WHERE game < other)", none, &links)
			}
			if err == nil {
				err = db.Query(ctx, "SELECT count() AS n, toInt64(sum(bytes_on_disk)) AS bytes, toInt64(sumIf(bytes_on_disk, table = 'game')) AS records FROM system.parts WHERE database = currentDatabase() AND active", none, &parts, &bytes, &records)
			}
			return err
		})
		mu.Lock()
		defer mu.Unlock()
		n.Sources += int(sources)
		n.Links += int(links)
		n.Segments += int(parts)
		n.ChunkBytes += records
		n.Bytes += bytes
		return err
	})
	return n, err
}

// Sources returns all places where a game was found, that of the record it has
// first.
func (rs *Records) Sources(ctx context.Context, id uint32) ([]store.Source, error) {
	st, err := rs.State(ctx)
	if err != nil {
		return nil, err
	}
	g, err := rs.gameOf(ctx, st, id)
	if err != nil {
		return nil, err
	}
	return rs.sources(ctx, id, g)
}

// gameOf returns the row of a game, without texts.
func (rs *Records) gameOf(ctx context.Context, st *ledger.State, id uint32) (*gameRow, error) {
	docs, err := docsOf(st, []uint32{id})
	if err != nil {
		return nil, err
	}
	var found *gameRow
	if err := rs.gameRows(ctx, docs, withoutTexts, func(g *gameRow) { found = g }); err != nil {
		return nil, err
	}
	if found == nil {
		return nil, lostRow(id)
	}
	return found, nil
}

// sources returns the places of a game whose row is known.
func (rs *Records) sources(ctx context.Context, id uint32, g *gameRow) ([]store.Source, error) {
	further, err := rs.furtherPlaces(ctx, []uint32{id})
	if err != nil {
		return nil, err
	}
	list := []store.Source{g.source()}
	for _, p := range further {
		if p.Source != list[0] {
			list = append(list, p.Source)
		}
	}
	slices.SortStableFunc(list[1:], compareSources)
	return list, nil
}

// compareSources orders places by folder, file and number.
func compareSources(x, y store.Source) int {
	i, j := base(x.File), base(y.File)
	return cmp.Or(cmp.Compare(x.File[:i], y.File[:j]), cmp.Compare(x.File[i:], y.File[j:]), cmp.Compare(x.Number, y.Number), cmp.Compare(x.Offset, y.Offset))
}

// base returns where the name of a file begins behind its folder.
func base(file string) int { return strings.LastIndexAny(file, `/\!`) + 1 }

// furtherPlaces returns the places that are noted of games, each once.
func (rs *Records) furtherPlaces(ctx context.Context, ids []uint32) (list []place, err error) {
	for block := range slices.Chunk(ids, listBlock) {
		some, err := rs.placesWhere(ctx, "game IN ("+wire.Numbers(block)+")")
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return list, nil
}

// Origins returns the files that deleted games came from, and whether these are all:
// nobody knows where a document came from that was swept.
func (rs *Records) Origins(ctx context.Context, st *ledger.State, games *roaring.Bitmap) (files []string, all bool, err error) {
	var docs []uint32
	for it := st.Dead.Iterator(); it.HasNext(); {
		if doc := it.Next(); games.Contains(st.Game(doc)) {
			docs = append(docs, doc)
		}
	}
	found := 0
	err = rs.gameRows(ctx, docs, withoutTexts, func(g *gameRow) {
		found++
		files = append(files, g.file)
	})
	if err != nil {
		return nil, false, err
	}
	places, err := rs.furtherPlaces(ctx, games.ToArray())
	for _, p := range places {
		files = append(files, p.File)
	}
	return files, found == len(docs), err
}

// placesWhere returns the places that a condition picks, each once.
func (rs *Records) placesWhere(ctx context.Context, condition string) (list []place, err error) {
	var mu sync.Mutex
	seen := map[place]bool{}
	err = rs.Each(ctx, "reading places", func(s *wire.Shard) error {
		return s.Read(ctx, "reading places", func(db wire.Conn) error {
			var p place
			var number uint32
			return db.Query(ctx, "SELECT DISTINCT game, file, number, offset FROM source WHERE "+condition, func() error {
				mu.Lock()
				defer mu.Unlock()
				if p.Number = int(number); !seen[p] {
					seen[p] = true
					list = append(list, p)
				}
				return nil
			}, &p.game, &p.File, &number, &p.Offset)
		})
	})
	return list, err
}

// Links returns the games that a game is linked to.
func (rs *Records) Links(ctx context.Context, id uint32) (list []store.Link, err error) {
	st, err := rs.State(ctx)
	if err != nil {
		return nil, err
	}
	if _, ok := st.Doc(id); !ok {
		return nil, nil
	}
	var mu sync.Mutex
	err = rs.Each(ctx, "reading links", func(s *wire.Shard) error {
		return s.Read(ctx, "reading links", func(db wire.Conn) error {
			var l store.Link
			return db.Query(ctx, fmt.Sprintf("SELECT DISTINCT other, why FROM link WHERE game = %d", id), func() error {
				mu.Lock()
				defer mu.Unlock()
				if _, ok := st.Doc(l.Game); ok && !slices.Contains(list, l) {
					list = append(list, l)
				}
				return nil
			}, &l.Game, &l.Why)
		})
	})
	slices.SortFunc(list, func(x, y store.Link) int {
		return cmp.Or(cmp.Compare(x.Game, y.Game), cmp.Compare(x.Why, y.Why))
	})
	return list, err
}

// resultSpan is how many numbers are asked for in one statement.
const resultSpan = 1 << 16

// ScanResults yields all games of a kind by rising number. It ends after an error.
//
// Verdict and margin are those of the index: games without a result are one
// verdict, and margins are in quarters of a point.
func (rs *Records) ScanResults(ctx context.Context, kind string) iter.Seq2[store.ResultRow, error] {
	return func(yield func(store.ResultRow, error) bool) {
		st, err := rs.State(ctx)
		if err != nil {
			yield(store.ResultRow{}, err)
			return
		}
		replaced := slices.Sorted(maps.Keys(st.Docs)) // whose documents are elsewhere
		for _, s := range st.Spans {
			for low := uint64(s.Low); low < uint64(s.High); low += resultSpan {
				high := min(low+resultSpan, uint64(s.High))
				where := fmt.Sprintf("(doc >= %d AND doc < %d)", low, high)
				from, _ := slices.BinarySearch(replaced, uint32(low))
				to, _ := slices.BinarySearch(replaced, uint32(high-1)+1)
				if from < to {
					docs := make([]uint32, 0, to-from)
					for _, game := range replaced[from:to] {
						docs = append(docs, st.Docs[game])
					}
					where = "(" + where + " OR doc IN (" + wire.Numbers(docs) + "))"
				}
				rows, err := rs.results(ctx, st, kind, where)
				if err != nil {
					yield(store.ResultRow{}, err)
					return
				}
				for _, r := range rows {
					if uint64(r.ID) < low || uint64(r.ID) >= high {
						continue // of a game that comes elsewhere
					}
					if !yield(r, nil) {
						return
					}
				}
			}
		}
	}
}

// Results yields some games, given by rising number: those of them that there
// are, and are of a kind. It ends after an error. See ScanResults.
func (rs *Records) Results(ctx context.Context, kind string, ids []uint32) iter.Seq2[store.ResultRow, error] {
	return func(yield func(store.ResultRow, error) bool) {
		st, err := rs.State(ctx)
		if err != nil {
			yield(store.ResultRow{}, err)
			return
		}
		for block := range slices.Chunk(ids, listBlock) {
			var docs []uint32
			for _, id := range block {
				if doc, ok := st.Doc(id); ok {
					docs = append(docs, doc)
				}
			}
			if len(docs) == 0 {
				continue
			}
			rows, err := rs.results(ctx, st, kind, "doc IN ("+wire.Numbers(docs)+")")
			if err != nil {
				yield(store.ResultRow{}, err)
				return
			}
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// results returns the games of a kind that a condition on documents lets through,
// by rising number.
func (rs *Records) results(ctx context.Context, st *ledger.State, kind, where string) (rows []store.ResultRow, err error) {
	var mu sync.Mutex
	err = rs.Each(ctx, "reading results", func(s *wire.Shard) error {
		var list map[uint32]*store.ResultRow
		err := s.Read(ctx, "reading results", func(db wire.Conn) error {
			list = map[uint32]*store.ResultRow{}
			var doc, plies uint32
			var key uint64
			var format string
			var here uint8
			err := db.Query(ctx, fmt.Sprintf("SELECT doc, key, plies, format, toUInt8(format = '' AND file = %s) FROM game WHERE kind = %s AND %s", wire.Quote(record.PlayFile), wire.Quote(kind), where), func() error {
				if st.Has(doc) {
					list[doc] = &store.ResultRow{ID: st.Game(doc), Key: key, Plies: int(plies), Format: int64(xxh3.HashString(format) >> 16), Here: here != 0}
				}
				return nil
			}, &doc, &key, &plies, &format, &here)
			if err != nil {
				return err
			}
			var result, margin int32
			return db.Query(ctx, fmt.Sprintf("SELECT doc, result, margin FROM line WHERE kind = %s AND side = 0 AND %s", wire.Quote(kind), where), func() error {
				if r := list[doc]; r != nil {
					r.Verdict = verdicts[min(uint32(result), uint32(index.NoResult))]
					if result == index.UnknownNumber {
						r.Verdict = headers.Unknown
					}
					if margin != index.UnknownNumber {
						r.Margin = float64(margin) / 4
					}
				}
				return nil
			}, &doc, &result, &margin)
		})
		mu.Lock()
		defer mu.Unlock()
		for _, r := range list {
			rows = append(rows, *r)
		}
		return err
	})
	slices.SortFunc(rows, func(x, y store.ResultRow) int { return cmp.Compare(x.ID, y.ID) })
	return rows, err
}

// verdicts are those of the results of an index.
var verdicts = [...]headers.Verdict{index.Unknown: headers.Unknown, index.FirstWon: headers.FirstWon, index.SecondWon: headers.SecondWon, index.Draw: headers.Drawn, index.NoResult: headers.Unfinished}
