package data

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
)

// double is several games that are one: writers that knew nothing of each other
// have brought it.
type double struct {
	games  []uint32 // rising
	docs   []uint32 // the documents that they have
	stands int      // the one of them whose record says most
}

// scanRows is how many rows of the table known are looked at together.
const scanRows = 1 << 20

// joinGames is how many games one commit joins at most.
const joinGames = 4096

// doubles returns the games that are there more than once, by the rules that new
// records are sifted by. Every game is looked at by its key and its head, which is
// a few bytes each; records are read of those that share one. It may be only about
// those that some documents are of.
func (rs *Records) doubles(ctx context.Context, only ledger.Extent) (list []double, err error) {
	st, err := rs.Fresh(ctx)
	if err != nil {
		return nil, err
	}
	var batch []uint32
	met := map[uint32]bool{} // some share both, and are found twice
	flush := func() error {
		some, err := rs.alike(ctx, st, batch)
		batch = nil
		for _, d := range some {
			if !slices.ContainsFunc(d.games, func(game uint32) bool { return met[game] }) {
				list = append(list, d)
			}
			for _, game := range d.games {
				met[game] = true
			}
		}
		return err
	}
	for group, err := range rs.suspects(ctx, st, only) {
		if err == nil && len(batch)+len(group) > joinGames {
			err = flush()
		}
		if err != nil {
			return nil, err
		}
		batch = append(batch, group...)
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return list, nil
}

// suspects yields documents of different games that share a key or a head, all of
// them or those that share one with some documents.
func (rs *Records) suspects(ctx context.Context, st *ledger.State, only ledger.Extent) func(yield func([]uint32, error) bool) {
	// look asks for keys and heads.
	look := func(where string, row func(k uint64, doc uint32)) error {
		var mu sync.Mutex
		sql := fmt.Sprintf("SELECT k, doc FROM known WHERE what IN (%d, %d) AND ", rows.KnownKey, rows.KnownHead) + where
		return rs.Each(ctx, "looking for doubles", func(s *wire.Shard) error {
			return s.Read(ctx, "looking for doubles", func(db wire.Conn) error {
				var k uint64
				var doc uint32
				return db.Query(ctx, sql, func() error {
					mu.Lock()
					defer mu.Unlock()
					row(k, doc)
					return nil
				}, &k, &doc)
			})
		})
	}
	parts := func() (list []string, err error) {
		if only == nil {
			n := 2*st.Spans.Size()/scanRows + 1
			step := math.MaxUint64/n + 1 // 0 for all in one
			for part := range n - 1 {
				list = append(list, fmt.Sprintf("k >= %d AND k < %d", part*step, (part+1)*step))
			}
			return append(list, fmt.Sprintf("k >= %d", (n-1)*step)), nil
		}
		keys := map[uint64]bool{}
		for part := range only.Parts() {
			if err := look(part.Where("doc"), func(k uint64, _ uint32) { keys[k] = true }); err != nil {
				return nil, err
			}
		}
		for block := range slices.Chunk(slices.Sorted(maps.Keys(keys)), listBlock) {
			list = append(list, "k IN ("+wire.Numbers(block)+")")
		}
		return list, nil
	}
	return func(yield func([]uint32, error) bool) {
		list, err := parts()
		if err != nil {
			yield(nil, err)
			return
		}
		for _, part := range list {
			first, more := map[uint64]uint32{}, map[uint64][]uint32{}
			err := look(part, func(k uint64, doc uint32) {
				switch one, ok := first[k]; {
				case !st.Has(doc):
				case !ok:
					first[k] = doc
				case one != doc && !slices.Contains(more[k], doc):
					more[k] = append(more[k], doc)
				}
			})
			if err != nil {
				yield(nil, err)
				return
			}
			for _, k := range slices.Sorted(maps.Keys(more)) {
				if !yield(append(more[k], first[k]), nil) {
					return
				}
			}
		}
	}
}

// alike returns which of some documents are one game: what a library would make of
// their records if it had no others.
func (rs *Records) alike(ctx context.Context, st *ledger.State, docs []uint32) (list []double, err error) {
	slices.Sort(docs)
	docs = slices.Compact(docs)
	texts := map[uint32]*gameRow{}
	if err := rs.gameRows(ctx, docs, withTexts, func(g *gameRow) { texts[g.doc] = g }); err != nil {
		return nil, err
	}
	slices.SortFunc(docs, func(x, y uint32) int { return int(st.Game(x)) - int(st.Game(y)) })
	referee := record.NewReferee(rs.games)
	referee.Trace = true
	var played []*record.Played
	var of []uint32 // their documents
	for _, doc := range docs {
		if g := texts[doc]; g != nil {
			rec, err := record.DecodeGame(g.record)
			if err != nil {
				continue // a check tells
			}
			rec.Raw = g.raw
			played, of = append(played, referee.Play(rec)), append(of, doc)
		}
	}
	items := dedupe.Items(played, nil, rs.Kinds())
	if err := dedupe.Sift(ctx, &existing{Records: rs, now: st}, items); err != nil {
		return nil, err
	}
	root := func(i int) int { // the first that it was found to be one with
		for items[i].Status == store.StatusDuplicate || items[i].Status == store.StatusFuller {
			i = items[i].Of.Batch
		}
		return i
	}
	one := map[int][]int{}
	for i := range items {
		one[root(i)] = append(one[root(i)], i)
	}
	for _, r := range slices.Sorted(maps.Keys(one)) {
		if len(one[r]) < 2 {
			continue
		}
		d := double{}
		for at, i := range one[r] {
			d.games, d.docs = append(d.games, st.Game(of[i])), append(d.docs, of[i])
			if i == r && d.stands == 0 || items[i].Status == store.StatusFuller {
				d.stands = at // of those that took the place of others, the last: see dedupe.Standing
			}
		}
		list = append(list, d)
	}
	return list, nil
}

// Join makes one game of those that are there more than once, and returns how many
// there are less. The lowest number stands, with the record that says most, and has
// the places and links of all. The others are known by it: see ledger.State.Joined.
func (rs *Records) Join(ctx context.Context) (joined int, err error) {
	st, err := rs.begin(ctx, true)
	if err != nil {
		return 0, err
	}
	defer rs.leave()
	return rs.settle(ctx, st, nil)
}

// settle joins games that are there more than once, all or those of some documents,
// and notes that rows of the log are in doubt no more.
func (rs *Records) settle(ctx context.Context, st *ledger.State, only ledger.Extent) (joined int, err error) {
	joined, all, err := rs.joinOf(ctx, only)
	if err != nil || !all || len(st.Doubtful) == 0 {
		return joined, err
	}
	if err := rs.takeTurn(ctx); err != nil {
		return joined, err
	}
	defer rs.endTurn(ctx)
	var r ledger.Commit
	r.Settle(st.Doubtful)
	if err = rs.commit(ctx, &r); errors.Is(err, errOvertaken) {
		err = nil // the next writer looks again
	}
	return joined, err
}

// joinOf joins games that are there more than once: see doubles. It reports whether
// it could join all of them.
func (rs *Records) joinOf(ctx context.Context, only ledger.Extent) (joined int, all bool, err error) {
	var list []double
	if only == nil || len(only) > 0 {
		list, err = rs.doubles(ctx, only)
	}
	all = true
	for err == nil && len(list) > 0 {
		part, games := 0, 0
		for part < len(list) && (part == 0 || games+len(list[part].games) <= joinGames) {
			games += len(list[part].games)
			part++
		}
		var n int
		if n, err = rs.join(ctx, list[:part]); errors.Is(err, errOvertaken) {
			err, all = nil, false // others commit; what is left is found the next time
		}
		joined += n
		list = list[part:]
	}
	return joined, all, err
}

// handLayers has the games whose records will stand have what was corrected of the others,
// where nothing else was corrected of them. The caller has entered.
func (rs *Records) handLayers(ctx context.Context, list []double) error {
	var docs []uint32
	for _, d := range list {
		docs = append(docs, d.docs...)
	}
	layers := map[uint32][]store.Correction{}
	err := rs.gameRows(ctx, docs, withoutTexts, func(g *gameRow) {
		if g.layer != nil {
			layers[g.doc] = g.layer
		}
	})
	if err != nil || len(layers) == 0 {
		return err
	}
	by := map[uint32][]store.Correction{}
	for _, d := range list {
		had := slices.Clone(layers[d.docs[d.stands]])
		for _, doc := range d.docs {
			for _, c := range layers[doc] {
				if !slices.ContainsFunc(had, func(o store.Correction) bool { return o.Field == c.Field }) {
					c.Game = d.games[d.stands]
					had, by[c.Game] = append(had, c), append(by[c.Game], c)
				}
			}
		}
	}
	st, err := rs.Fresh(ctx)
	if err != nil || len(by) == 0 {
		return err
	}
	if _, err := rs.correctIn(ctx, st, slices.Sorted(maps.Keys(by)), by); err != nil {
		return err
	}
	if st, err = rs.Fresh(ctx); err != nil {
		return err
	}
	for _, d := range list {
		if game := d.games[d.stands]; by[game] != nil {
			d.docs[d.stands], _ = st.Doc(game)
		}
	}
	return nil
}

// join joins some games in one commit.
func (rs *Records) join(ctx context.Context, list []double) (joined int, err error) {
	if err := rs.handLayers(ctx, list); err != nil {
		return 0, err
	}
	if err := rs.takeTurn(ctx); err != nil {
		return 0, err
	}
	defer rs.endTurn(ctx)
	st, err := rs.Fresh(ctx)
	if err != nil {
		return 0, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(d double) bool {
		for i, game := range d.games {
			if doc, ok := st.Doc(game); !ok || doc != d.docs[i] {
				return true // somebody has changed it meanwhile
			}
		}
		return false
	})
	if len(list) == 0 {
		return 0, nil
	}
	if err := rs.handOver(ctx, list); err != nil {
		return 0, err
	}
	var r ledger.Commit
	for _, d := range list {
		for i, game := range d.games {
			standing := rs.Ledger.Standing(game)
			if i > 0 {
				for _, doc := range append([]uint32{game}, standing...) {
					if !slices.Contains(r.Docs, doc) {
						r.Docs, r.Games = append(r.Docs, doc), append(r.Games, d.games[0])
					}
				}
				joined++
			}
			for _, doc := range standing {
				if doc != d.docs[d.stands] {
					r.Gone = append(r.Gone, doc)
				}
			}
		}
	}
	// Each was counted when it came: here it is, and is not, so that the tally is
	// the same whoever else takes it away.
	shares := ledger.Commit{Gone: slices.Clone(r.Docs)}
	if err := rs.takeAway(ctx, &shares); err != nil {
		return 0, err
	}
	for i, kind := range shares.Kinds {
		r.Count(kind, -shares.Main[i], -shares.Variations[i], -shares.Plies[i])
	}
	for i, kind := range shares.Kinds {
		r.Count(kind, shares.Main[i], shares.Variations[i], shares.Plies[i])
	}
	if err := rs.takeAway(ctx, &r); err != nil {
		return 0, err
	}
	if err := rs.commit(ctx, &r); err != nil {
		return 0, err
	}
	return joined, nil
}

// handOver notes the places and links of games with those that will stand for them.
func (rs *Records) handOver(ctx context.Context, list []double) error {
	to := map[uint32]uint32{}
	own := map[uint32]uint32{} // the game of a document that stands
	var docs, games []uint32
	for _, d := range list {
		for i, game := range d.games {
			to[game] = d.games[0]
			docs, games = append(docs, d.docs[i]), append(games, game)
		}
		own[d.docs[d.stands]] = d.games[0]
	}
	found, err := rs.furtherPlaces(ctx, games)
	if err != nil {
		return err
	}
	st, err := rs.State(ctx)
	if err != nil {
		return err
	}
	known := map[place]bool{}
	for i := range found {
		known[found[i]] = true
		found[i].game = to[found[i].game]
	}
	err = rs.gameRows(ctx, docs, withoutTexts, func(g *gameRow) {
		if game, stands := own[g.doc]; stands {
			known[place{game, g.source()}] = true
		} else {
			found = append(found, place{to[st.Game(g.doc)], g.source()})
		}
	})
	if err != nil {
		return err
	}
	places := make(placeList, len(rs.Shards))
	for _, p := range found {
		if !known[p] {
			known[p] = true
			at := rs.Home(p.game).Number
			places[at] = append(places[at], p)
		}
	}
	pairs, err := rs.linksOf(ctx, games)
	if err != nil {
		return err
	}
	return rs.Each(ctx, "joining games", func(s *wire.Shard) error {
		if err := places.put(ctx, s); err != nil {
			return err
		}
		var game, other []uint32
		var why []string
		for _, l := range pairs {
			a, b := l.game, l.other
			if n, ok := to[a]; ok {
				a = n
			}
			if n, ok := to[b]; ok {
				b = n
			}
			if a != b && (a != l.game || b != l.other) {
				for _, pair := range [][2]uint32{{a, b}, {b, a}} {
					if rs.Home(pair[0]) == s {
						game, other, why = append(game, pair[0]), append(other, pair[1]), append(why, l.why)
					}
				}
			}
		}
		return putLinks(ctx, s, game, other, why)
	})
}

// linkRow is a row of link.
type linkRow struct {
	game, other uint32
	why         string
}

// linksOf returns the links that games have.
func (rs *Records) linksOf(ctx context.Context, games []uint32) (list []linkRow, err error) {
	var mu sync.Mutex
	for block := range slices.Chunk(games, listBlock) {
		err := rs.Each(ctx, "reading links", func(s *wire.Shard) error {
			return s.Read(ctx, "reading links", func(db wire.Conn) error {
				var l linkRow
				return db.Query(ctx, "SELECT DISTINCT game, other, why FROM link WHERE game IN ("+wire.Numbers(block)+")", func() error {
					mu.Lock()
					defer mu.Unlock()
					list = append(list, l)
					return nil
				}, &l.game, &l.other, &l.why)
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
