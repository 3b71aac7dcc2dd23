package data

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"qipu/index"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
	"qipu/text"
)

// existing is what there is already that the records of a batch may be one with. It
// is asked for in a few statements, however many records there are.
type existing struct {
	*Records
	now    *ledger.State
	byKey  map[uint64][]store.KeyRow
	byHead map[uint64][]store.KeyRow
	byGame map[uint32]*gameRow
	reach  map[reachKey][]uint32
	made   map[uint32]*index.Document
	crowds dedupe.Crowds

	files map[string]numbers                   // where the records of the batch come from
	noted map[uint32]map[store.Source]struct{} // places of games there that were asked for
}

// numbers are those of records in a file, from low to high.
type numbers struct{ low, high int }

var _ dedupe.Existing = (*existing)(nil)

// reachKey names a position.
type reachKey struct {
	kind string
	hash uint64
}

// newExisting fetches what a batch may be compared with.
func (rs *Records) newExisting(ctx context.Context, st *ledger.State, items []*dedupe.Item) (*existing, error) {
	s := &existing{
		Records: rs, now: st, byKey: map[uint64][]store.KeyRow{}, byHead: map[uint64][]store.KeyRow{}, byGame: map[uint32]*gameRow{},
		reach: map[reachKey][]uint32{}, made: map[uint32]*index.Document{}, files: map[string]numbers{}, noted: map[uint32]map[store.Source]struct{}{},
	}
	for _, it := range items {
		place := &it.Entry.Source
		n, ok := s.files[place.File]
		if !ok {
			n = numbers{place.Number, place.Number}
		}
		s.files[place.File] = numbers{min(n.low, place.Number), max(n.high, place.Number)}
	}
	if err := rs.writer.shorts.follow(ctx, rs, st); err != nil {
		return nil, err
	}
	docs := map[uint32]struct{}{}
	if err := s.lookup(ctx, items, docs); err != nil {
		return nil, err
	}
	if err := s.reaching(ctx, items, docs); err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Sorted(maps.Keys(docs)), func(doc uint32) bool { return !st.Has(doc) })
	err := rs.gameRows(ctx, list, withRecord, func(g *gameRow) {
		id := st.Game(g.doc)
		row := store.KeyRow{ID: id, Key: g.key, Head: g.head, Kind: g.kind, Plies: int(g.plies)}
		s.byGame[id] = g
		s.byKey[g.key] = append(s.byKey[g.key], row)
		if g.head != 0 {
			s.byHead[g.head] = append(s.byHead[g.head], row)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, by := range []map[uint64][]store.KeyRow{s.byKey, s.byHead} {
		for _, rows := range by {
			slices.SortFunc(rows, func(x, y store.KeyRow) int { return int(x.ID) - int(y.ID) })
		}
	}
	return s, nil
}

// lookup adds the documents that share moves with a record. What has the moves of
// a record that is long enough to have a head has the same head.
func (s *existing) lookup(ctx context.Context, items []*dedupe.Item, docs map[uint32]struct{}) error {
	var keys, heads []uint64
	for _, it := range items {
		for key := range it.Keys() {
			if own := key == it.Entry.Key; own && it.Entry.Head == 0 || !own && s.writer.shorts.Has(key) {
				keys = append(keys, key)
			}
		}
		if it.Entry.Head != 0 {
			heads = append(heads, it.Entry.Head)
		}
	}
	for what, list := range map[uint8][]uint64{rows.KnownKey: keys, rows.KnownHead: heads} {
		slices.Sort(list)
		for block := range slices.Chunk(slices.Compact(list), keyBlock) {
			sql := fmt.Sprintf("SELECT doc FROM known WHERE what = %d AND k IN (%s)", what, wire.Numbers(block))
			if err := s.gather(ctx, "looking for duplicates", sql, docs); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyBlock is how many hashes stand in one statement.
const keyBlock = 1 << 15

// gather adds the documents that a statement yields on any shard.
func (s *existing) gather(ctx context.Context, what, sql string, docs map[uint32]struct{}) error {
	var mu sync.Mutex
	return s.Each(ctx, what, func(sh *wire.Shard) error {
		return sh.Read(ctx, what, func(db wire.Conn) error {
			var doc uint32
			return db.Query(ctx, sql, func() error {
				mu.Lock()
				defer mu.Unlock()
				docs[doc] = struct{}{}
				return nil
			}, &doc)
		})
	})
}

// reaching adds the documents that pass through the last position of a short
// record. A position of the opening may have millions of games: only those are of
// use that name the same players.
func (s *existing) reaching(ctx context.Context, items []*dedupe.Item, docs map[uint32]struct{}) error {
	type names [2]string
	hashes := map[string][]uint64{} // by kind
	players := map[string][]string{}
	wanted := map[reachKey]map[names]bool{}
	pairs := map[names]bool{} // of all
	for _, it := range items {
		hash, ok := it.Reaches()
		if !ok {
			continue
		}
		kind := it.Entry.Kind
		both := names{text.Fold(it.Played.Game.Facts.Players[0].Name), text.Fold(it.Played.Game.Facts.Players[1].Name)}
		hashes[kind] = append(hashes[kind], hash)
		players[kind] = append(players[kind], wire.Quote(both[0]))
		key := reachKey{kind, hash}
		if wanted[key] == nil {
			wanted[key] = map[names]bool{}
		}
		wanted[key][both], pairs[both] = true, true
	}
	for kind, list := range hashes {
		slices.Sort(list)
		slices.Sort(players[kind])
		at := fmt.Sprintf("kind = %s AND hash IN (%s) AND line = 0", wire.Quote(kind), wire.Numbers(slices.Compact(list)))
		first := strings.Join(slices.Compact(players[kind]), ", ")
		var mu sync.Mutex
		err := s.Each(ctx, "looking for duplicates", func(sh *wire.Shard) error {
			return sh.Read(ctx, "looking for duplicates", func(db wire.Conn) error {
				named := map[uint32]names{}
				var doc uint32
				var both names
				err := db.Query(ctx, fmt.Sprintf("SELECT doc, first_f, second_f FROM line WHERE kind = %s AND side = 0 AND doc IN (SELECT doc FROM pos WHERE %s) AND first_f IN (%s)", wire.Quote(kind), at, first), func() error {
					if pairs[both] {
						named[doc] = both
					}
					return nil
				}, &doc, &both[0], &both[1])
				if err != nil || len(named) == 0 {
					return err
				}
				key := reachKey{kind: kind}
				return db.Query(ctx, fmt.Sprintf("SELECT DISTINCT hash, doc FROM pos WHERE %s AND doc IN (%s)", at, wire.Numbers(slices.Collect(maps.Keys(named)))), func() error {
					mu.Lock()
					defer mu.Unlock()
					if wanted[key][named[doc]] && s.now.Has(doc) {
						docs[doc] = struct{}{}
						s.reach[key] = append(s.reach[key], s.now.Game(doc))
					}
					return nil
				}, &key.hash, &doc)
			})
		})
		if err != nil {
			return err
		}
	}
	for key, list := range s.reach {
		slices.Sort(list)
		s.reach[key] = slices.Compact(list)
	}
	return nil
}

// overtaken looks whether commits since the batch was sifted bear on it: they have
// documents that may be one with a record of it, or took away or replaced one that
// a record belongs to. Then it is an error (errOvertaken). The caller has the turn,
// so that nobody commits documents meanwhile.
func (a *addition) overtaken(ctx context.Context) error {
	now, err := a.Fresh(ctx)
	if err != nil || now.Commits == a.Commits {
		return err
	}
	for _, it := range a.items {
		id := it.Of.ID
		if id == 0 {
			continue
		}
		then, _ := a.State.Doc(id)
		if doc, ok := now.Doc(id); !ok || doc != then {
			return errOvertaken
		}
	}
	fresh := now.Spans.Without(a.State.Spans)
	if len(fresh) == 0 {
		return nil
	}
	var mu sync.Mutex
	keys := map[uint64]bool{} // of moves, and of heads
	for part := range fresh.Parts() {
		err := a.Each(ctx, "looking for duplicates", func(s *wire.Shard) error {
			return s.Read(ctx, "looking for duplicates", func(db wire.Conn) error {
				var key, head uint64
				return db.Query(ctx, "SELECT key, head FROM game WHERE "+part.Where("doc"), func() error {
					mu.Lock()
					defer mu.Unlock()
					keys[key], keys[head] = true, true
					return nil
				}, &key, &head)
			})
		})
		if err != nil {
			return err
		}
	}
	delete(keys, 0)
	for _, it := range a.items {
		if keys[it.Entry.Head] {
			return errOvertaken
		}
		for key := range it.Keys() {
			if keys[key] {
				return errOvertaken
			}
		}
	}
	docs := map[uint32]struct{}{}
	later := &existing{Records: a.Records, now: now, reach: map[reachKey][]uint32{}}
	if err := later.reaching(ctx, a.items, docs); err != nil {
		return err
	}
	for doc := range docs {
		if fresh.Has(doc) {
			return errOvertaken
		}
	}
	return nil
}

// Crowds returns those of the batch: others may write between two.
func (s *existing) Crowds() *dedupe.Crowds { return &s.crowds }

// Has reports whether a game has moves of a key.
func (s *existing) Has(key uint64) bool { return len(s.byKey[key]) > 0 }

// HasHead reports whether a game has first moves of a key.
func (s *existing) HasHead(head uint64) bool { return len(s.byHead[head]) > 0 }

// ByKey returns the games whose moves have a key.
func (s *existing) ByKey(_ context.Context, key uint64) ([]store.KeyRow, error) {
	return s.byKey[key], nil
}

// ByHead returns the games whose first moves have a key.
func (s *existing) ByHead(_ context.Context, head uint64) ([]store.KeyRow, error) {
	return s.byHead[head], nil
}

// Games returns games with the headers of their records, corrected or not: that is what
// records are compared with.
func (s *existing) Games(_ context.Context, ids []uint32) (games []store.Game, err error) {
	for _, id := range ids {
		if g := s.byGame[id]; g != nil {
			games = append(games, g.gameWith(id, nil))
		}
	}
	return games, nil
}

// Noted reports whether a game was found at a place of the batch. All those places
// of the game are fetched at once: a game may have many more.
func (s *existing) Noted(ctx context.Context, id uint32, place store.Source) (bool, error) {
	g := s.byGame[id]
	if g == nil {
		return false, fmt.Errorf("cluster: %w: %d", store.ErrNoGame, id)
	}
	if g.source() == place {
		return true, nil
	}
	if s.noted[id] == nil {
		list, err := s.places(ctx, id)
		if err != nil {
			return false, err
		}
		s.noted[id] = list
	}
	_, ok := s.noted[id][place]
	return ok, nil
}

// places returns where a game was found further, as far as the records of the
// batch may come from there.
func (s *existing) places(ctx context.Context, id uint32) (map[store.Source]struct{}, error) {
	list := map[store.Source]struct{}{}
	for block := range slices.Chunk(slices.Sorted(maps.Keys(s.files)), fileBlock) {
		var quoted []string
		all := s.files[block[0]]
		for _, file := range block {
			quoted = append(quoted, wire.Quote(file))
			all = numbers{min(all.low, s.files[file].low), max(all.high, s.files[file].high)}
		}
		further, err := s.placesWhere(ctx, fmt.Sprintf("game = %d AND number >= %d AND number <= %d AND file IN (%s)", id, all.low, all.high, strings.Join(quoted, ", ")))
		if err != nil {
			return nil, err
		}
		for _, p := range further {
			list[p.Source] = struct{}{}
		}
	}
	return list, nil
}

// fileBlock is how many names of files stand in one statement.
const fileBlock = 1 << 10

// Record returns the record of a game. The original bytes are not fetched.
func (s *existing) Record(_ context.Context, id uint32) (encoded, raw []byte, err error) {
	if g := s.byGame[id]; g != nil {
		return g.record, nil, nil
	}
	return nil, nil, fmt.Errorf("cluster: %w: game %d", store.ErrDamaged, id)
}

// Documents returns games as their records are played.
func (s *existing) Documents(_ context.Context, ids []uint32) (docs []*index.Document, err error) {
	maker := index.Documents{Kinds: s.Kinds()}
	referee := record.NewReferee(s.games)
	referee.Trace = true
	for _, id := range ids {
		doc, ok := s.made[id]
		if g := s.byGame[id]; !ok && g != nil {
			if rec, err := record.DecodeGame(g.record); err == nil {
				if doc, ok = maker.Make(referee.Play(rec)); ok {
					doc.Game = id
				}
			}
			s.made[id] = doc
		}
		if doc != nil {
			docs = append(docs, doc)
		}
	}
	return docs, nil
}

// Reaching returns the games whose main line reaches a position, of those that
// name the players of a record that asks for it.
func (s *existing) Reaching(_ context.Context, k *index.Kind, key uint64) ([]uint32, error) {
	return s.reach[reachKey{k.Name, key}], nil
}

// place returns where a game was found first, if it was there before.
func (s *existing) place(id uint32) (store.Source, bool) {
	if g := s.byGame[id]; g != nil {
		return g.source(), true
	}
	return store.Source{}, false
}

// layer returns what was corrected of a game.
func (s *existing) layer(id uint32) []store.Correction { return s.byGame[id].layer }

// added returns when a game came, in seconds.
func (s *existing) added(id uint32) uint32 { return s.byGame[id].added }

// shorts are the keys of all games that are long enough to be the beginning of
// another, and too short to have a head. There are few, and to ask for all
// beginnings of all records of a batch takes longer than to write it. The
// zero value knows of none.
type shorts struct {
	keys    map[uint64]struct{}
	covered ledger.Extent // documents whose keys are there
	many    bool          // there are too many to be kept: all are asked for
}

// maxShorts bounds the keys, at some 40 bytes each.
const maxShorts = 1 << 22

// fewSpans is up to how many spans of documents are asked for one by one.
const fewSpans = 8

// shortGames is the condition on rows of game.
var shortGames = fmt.Sprintf("plies >= %d AND plies < %d", dedupe.LeastBeginning, index.HeadPlies)

func (s *shorts) Has(key uint64) bool {
	if s.many {
		return true
	}
	_, ok := s.keys[key]
	return ok
}

// follow brings the keys up to date with a state.
func (s *shorts) follow(ctx context.Context, rs *Records, st *ledger.State) error {
	if s.keys == nil {
		s.keys = map[uint64]struct{}{}
	}
	rest := st.Spans.Without(s.covered)
	if n := len(rest); n > fewSpans {
		rest = []ledger.Span{{Low: rest[0].Low, High: rest[n-1].High}} // some are asked for again, which costs less
	}
	var mu sync.Mutex
	for _, x := range rest {
		if s.many {
			break
		}
		err := rs.Each(ctx, "looking for short games", func(sh *wire.Shard) error {
			return sh.Read(ctx, "looking for short games", func(db wire.Conn) error {
				var key uint64
				err := db.Query(ctx, fmt.Sprintf("SELECT key FROM game WHERE doc >= %d AND doc < %d AND %s", x.Low, x.High, shortGames), func() error {
					mu.Lock()
					defer mu.Unlock()
					if s.keys[key] = struct{}{}; len(s.keys) > maxShorts {
						return errTooMany
					}
					return nil
				}, &key)
				if errors.Is(err, errTooMany) {
					return nil
				}
				return err
			})
		})
		if err != nil {
			return err
		}
		s.bound()
	}
	s.covered = st.Spans
	return nil
}

var errTooMany = errors.New("cluster: too many")

func (s *shorts) bound() {
	if len(s.keys) > maxShorts {
		s.many = true
		clear(s.keys)
	}
}

// add takes in a batch that was committed.
func (s *shorts) add(rows []*ledger.Commit, documents []rows.Document) {
	for _, p := range documents {
		if n := p.Entry.Plies; n >= dedupe.LeastBeginning && n < index.HeadPlies && !s.many {
			s.keys[p.Entry.Key] = struct{}{}
		}
	}
	s.bound()
	l := ledger.Ledger{Spans: s.covered}
	l.Merge(rows)
	s.covered = l.Spans
}
