package dedupe

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"qipu/index"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
)

// Existing is what is there already. Sift asks it from one goroutine.
type Existing interface {
	// Has reports whether a game may have moves of a key: false only where
	// surely none has. HasHead is the same for the first moves.
	Has(key uint64) bool
	HasHead(head uint64) bool

	// ByKey returns the games whose moves have a key, ByHead those whose first
	// index.HeadPlies moves have.
	ByKey(ctx context.Context, key uint64) ([]store.KeyRow, error)
	ByHead(ctx context.Context, head uint64) ([]store.KeyRow, error)

	// Games returns games by numbers that came of other methods.
	Games(ctx context.Context, ids []uint32) ([]store.Game, error)

	// Noted reports whether a game was found at a place, which is that of a record
	// of the batch. What it costs does not depend on how many places the game has.
	Noted(ctx context.Context, id uint32, place store.Source) (bool, error)

	// Record returns the record of a game, encoded, and its original bytes. One
	// that is store.ErrDamaged says nothing: any other is fuller.
	Record(ctx context.Context, id uint32) (encoded, raw []byte, err error)

	// Documents returns games as their records are played. Those that cannot be
	// are left out.
	Documents(ctx context.Context, ids []uint32) ([]*index.Document, error)

	// Reaching returns the games whose main line reaches a position.
	Reaching(ctx context.Context, k *index.Kind, key uint64) ([]uint32, error)

	// Crowds returns what was learnt of the games in batches before.
	Crowds() *Crowds
}

// sifter is a batch that is being sifted.
type sifter struct {
	Existing
	items []*Item
	batchIndex
	crowds *Crowds

	// Stored games that records were compared with lately: what they say, and the
	// hashes of their beginnings.
	games    map[uint32]*store.Game
	contents map[uint32]content
	prefixes map[uint32][]uint64
}

// keptGames bounds the games that are kept, keptBytes how large a record of them is.
const (
	keptGames = 2048
	keptBytes = 16 << 10
)

// keep puts a game into one of the maps of a sifter.
func keep[V any](m map[uint32]V, id uint32, v V) {
	if len(m) >= keptGames {
		clear(m)
	}
	m[id] = v
}

func newSifter(existing Existing, items []*Item) *sifter {
	s := &sifter{
		Existing: existing, items: items, batchIndex: newBatchIndex(items), crowds: existing.Crowds(),
		games: map[uint32]*store.Game{}, contents: map[uint32]content{}, prefixes: map[uint32][]uint64{},
	}
	s.crowds.bound(0)
	return s
}

// Sift finds out which records of a batch are new, and which are one with a
// game that is there or with another of the batch. Longer records go first, so
// that a record of the batch meets the one that it is the beginning of.
func Sift(ctx context.Context, existing Existing, items []*Item) error {
	s := newSifter(existing, items)
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return items[y].Entry.Plies - items[x].Entry.Plies })
	for _, i := range order {
		it := items[i]
		found, err := s.candidates(ctx, it)
		if err != nil {
			return err
		}
		if err := s.decide(ctx, it, found); err != nil {
			return err
		}
		if it.Status != store.StatusDuplicate {
			s.add(i, it)
		}
	}
	return nil
}

// batchIndex finds the records of a batch that were sifted already.
type batchIndex struct {
	byKey, byHead map[uint64]*crowd
	begins        map[uint64]*crowd // by keys of ends, records that begin so
	ends          map[uint64]bool   // keys of the records of the batch that have no head, or one that many have
	many          map[uint64]bool   // heads that many records of the batch have
	taken         map[uint32]bool   // stored games whose place a record of the batch takes
	gone          map[uint32]bool   // records of the batch whose place another one takes
}

func newBatchIndex(items []*Item) batchIndex {
	b := batchIndex{byKey: map[uint64]*crowd{}, byHead: map[uint64]*crowd{}, begins: map[uint64]*crowd{}, ends: map[uint64]bool{}, many: map[uint64]bool{}, taken: map[uint32]bool{}, gone: map[uint32]bool{}}
	heads := map[uint64]int{}
	for _, it := range items {
		if heads[it.Entry.Head]++; it.Entry.Head != 0 && heads[it.Entry.Head] > fewGames {
			b.many[it.Entry.Head] = true
		}
	}
	for _, it := range items {
		if it.Entry.Plies < index.HeadPlies || b.many[it.Entry.Head] {
			b.ends[it.Entry.Key] = true
		}
	}
	return b
}

// add notes a record that was sifted, and is not one with another.
func (b *batchIndex) add(i int, it *Item) {
	put := func(to map[uint64]*crowd, key uint64) {
		c := to[key]
		if c == nil {
			c = new(crowd)
			to[key] = c
		}
		c.drop(func(other uint32) bool { return b.gone[other] })
		c.add(uint32(i), it.tags())
	}
	if it.Status == store.StatusFuller {
		b.taken[it.Of.ID] = true
		if it.Of.Batch >= 0 {
			b.gone[uint32(it.Of.Batch)] = true
		}
	}
	put(b.byKey, it.Entry.Key)
	if it.Doc == nil {
		return
	}
	begun := it.beginnings()
	if b.many[it.Entry.Head] {
		begun = it.Doc.Prefixes[LeastBeginning:it.Doc.Plies]
	} else if it.Entry.Head != 0 {
		put(b.byHead, it.Entry.Head)
	}
	for _, key := range begun {
		if b.ends[key] {
			put(b.begins, key)
		}
	}
}

// candidates returns the games whose moves are those of a record, go on where
// it ends, or end where it goes on.
func (s *sifter) candidates(ctx context.Context, it *Item) ([]Candidate, error) {
	var found []Candidate
	mine := func(list []uint32) {
		for _, i := range list {
			other := s.items[i]
			if !s.gone[i] && other.Entry.Kind == it.Entry.Kind && (other.Entry.Key == it.Entry.Key || other.Doc != nil && it.Doc != nil &&
				other.Doc.Plies > it.Doc.Plies && other.Doc.Prefixes[it.Doc.Plies] == it.Doc.Key) {
				c := Candidate{Batch: int(i), Plies: other.Entry.Plies, Facts: &other.Played.Game.Facts, Marked: other.Entry.Marked}
				if other.Status == store.StatusFuller {
					c.ID = other.Of.ID
				}
				found = append(found, c)
			}
		}
	}
	rows, err := s.stored(ctx, it)
	if err != nil {
		return nil, err
	}
	key, head, equal := it.Entry.Key, it.Entry.Head, 0
	for i := range rows {
		if rows[i].Key == key {
			equal++
		}
	}
	mine(s.byKey[key].behind(s.crowds.keys[key], equal, it.tags(), func(i uint32) *tags { return s.items[i].tags() }))
	if head != 0 && !s.many[head] {
		mine(s.byHead[head].pick(it.tags()))
	} else {
		mine(s.begins[key].pick(it.tags()))
	}
	// A game whose place is taken is not there any more: what goes on from it in
	// another way is another game.
	rows = slices.DeleteFunc(rows, func(r store.KeyRow) bool { return s.taken[r.ID] })
	return s.withFacts(ctx, it, found, rows)
}

// stored returns the stored games among the candidates.
func (s *sifter) stored(ctx context.Context, it *Item) (rows []store.KeyRow, err error) {
	if s.Has(it.Entry.Key) {
		if rows, err = s.withKey(ctx, it, it.Entry.Key); err != nil {
			return nil, err
		}
	}
	if it.Doc == nil {
		return rows, nil
	}
	shorter, err := s.shorter(ctx, it, it.beginnings(), LeastBeginning)
	if err != nil {
		return nil, err
	}
	long := s.reaching
	if it.Doc.Head != 0 {
		long = s.withHead
	}
	others, err := long(ctx, it)
	return slices.Concat(rows, shorter, others), err
}

// withFacts adds stored games to the candidates.
func (s *sifter) withFacts(ctx context.Context, it *Item, found []Candidate, rows []store.KeyRow) ([]Candidate, error) {
	var ids []uint32
	for _, r := range rows {
		if r.Kind == it.Entry.Kind && !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	games, err := s.gamesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, g := range games {
		found = append(found, Candidate{ID: g.ID, Batch: -1, Plies: g.Plies, Facts: &g.Facts, Marked: g.Marked})
	}
	return found, nil
}

// gamesOf is Games for numbers of which some come again and again.
func (s *sifter) gamesOf(ctx context.Context, ids []uint32) (games []*store.Game, err error) {
	var unknown []uint32
	for _, id := range ids {
		if g := s.games[id]; g != nil {
			games = append(games, g)
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return games, nil
	}
	list, err := s.Games(ctx, unknown)
	for i := range list {
		keep(s.games, list[i].ID, &list[i])
		games = append(games, &list[i])
	}
	return games, err
}

// rowsOf returns games as those that share moves come.
func (s *sifter) rowsOf(ctx context.Context, ids []uint32) (rows []store.KeyRow, err error) {
	games, err := s.gamesOf(ctx, ids)
	for _, g := range games {
		rows = append(rows, store.KeyRow{ID: g.ID, Key: g.Key, Head: g.Head, Kind: g.Kind, Plies: g.Plies})
	}
	return rows, err
}

// withKey returns the stored games of some moves that a record is compared with.
func (s *sifter) withKey(ctx context.Context, it *Item, key uint64) ([]store.KeyRow, error) {
	return s.among(ctx, it, s.crowds.keys, key, s.ByKey, true)
}

// among returns those of the stored games that share a hash which a record is
// compared with: all where they are few.
func (s *sifter) among(ctx context.Context, it *Item, crowds map[uint64]*crowd, hash uint64, ask func(context.Context, uint64) ([]store.KeyRow, error), notes bool) ([]store.KeyRow, error) {
	c := crowds[hash]
	if c == nil {
		rows, err := ask(ctx, hash)
		if err != nil || len(rows) <= fewGames {
			return rows, err
		}
		ids := make([]uint32, len(rows))
		for i := range rows {
			ids[i] = rows[i].ID
		}
		if c, err = s.learn(ctx, ids, notes); err != nil {
			return nil, err
		}
		if !notes {
			c.unplayed = ids
		}
		crowds[hash] = c
	}
	return s.rowsOf(ctx, c.pick(it.tags()))
}

// learnGames is how many games are read at once to learn of them.
const learnGames = 256

// learn makes a crowd of stored games, with what their notes say where that counts.
func (s *sifter) learn(ctx context.Context, ids []uint32, notes bool) (*crowd, error) {
	s.crowds.games += len(ids)
	c := new(crowd)
	for block := range slices.Chunk(slices.Sorted(slices.Values(ids)), learnGames) {
		games, err := s.Games(ctx, block)
		if err != nil {
			return nil, err
		}
		for i := range games {
			g := &games[i]
			var said content
			if notes && len(c.few) == fewGames {
				if said, err = s.content(ctx, Candidate{ID: g.ID, Batch: -1}); err != nil {
					return nil, err
				}
			}
			t := tagsOf(&g.Facts, said.notes)
			c.add(g.ID, &t)
		}
	}
	return c, nil
}

// learnBeginnings plays the games of a crowd of one head, once.
func (s *sifter) learnBeginnings(ctx context.Context, c *crowd) error {
	for block := range slices.Chunk(c.unplayed, manyDocuments) {
		docs, err := s.Documents(ctx, block)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			s.crowds.begin(c, doc.Game, doc.Prefixes)
		}
	}
	c.unplayed = nil
	return nil
}

// manyDocuments is how many stored games are played at once.
const manyDocuments = 64

// withHead returns the stored games that begin as a record does, which is long
// enough to have a head, and go on where it ends or end where it goes on.
func (s *sifter) withHead(ctx context.Context, it *Item) (rows []store.KeyRow, err error) {
	if !s.HasHead(it.Doc.Head) {
		return nil, nil
	}
	list, err := s.among(ctx, it, s.crowds.heads, it.Doc.Head, s.ByHead, false)
	if err != nil {
		return nil, err
	}
	if c := s.crowds.heads[it.Doc.Head]; c != nil {
		if err := s.learnBeginnings(ctx, c); err != nil {
			return nil, err
		}
		// Those that end or go on as the record does may be behind the first.
		if rows, err = s.shorter(ctx, it, it.Doc.Prefixes[index.HeadPlies:it.Doc.Plies], index.HeadPlies); err != nil {
			return nil, err
		}
		if longer, ok := c.begun[it.Doc.Key]; ok {
			more, err := s.rowsOf(ctx, []uint32{longer})
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
	}
	var longer []store.KeyRow
	for _, r := range list {
		switch {
		case r.Kind != it.Entry.Kind:
		case r.Plies > it.Doc.Plies:
			longer = append(longer, r)
		case r.Plies >= index.HeadPlies && r.Plies < it.Doc.Plies && r.Key == it.Doc.Prefixes[r.Plies]:
			rows = append(rows, r)
		}
	}
	longer, err = s.goingOn(ctx, it, longer)
	return append(rows, longer...), err
}

// goingOn returns those of some longer games that begin with all moves of a
// record. They are played for it.
func (s *sifter) goingOn(ctx context.Context, it *Item, list []store.KeyRow) (rows []store.KeyRow, err error) {
	var unknown []uint32
	for _, r := range list {
		if _, ok := s.prefixes[r.ID]; !ok {
			unknown = append(unknown, r.ID)
		}
	}
	played := map[uint32][]uint64{}
	if len(unknown) > 0 {
		docs, err := s.Documents(ctx, unknown)
		if err != nil {
			return nil, err
		}
		for _, doc := range docs {
			played[doc.Game] = doc.Prefixes
		}
	}
	for _, r := range list {
		prefixes, ok := s.prefixes[r.ID]
		if !ok {
			prefixes = played[r.ID]
		}
		if len(prefixes) > it.Doc.Plies && prefixes[it.Doc.Plies] == it.Doc.Key {
			rows = append(rows, r)
		}
	}
	for _, id := range unknown {
		if prefixes := played[id]; len(prefixes) <= keptBytes/8 {
			keep(s.prefixes, id, slices.Clone(prefixes))
		}
	}
	return rows, nil
}

// reaching returns the games that go on where a record ends that is too short to
// have a head: they pass through its last position.
func (s *sifter) reaching(ctx context.Context, it *Item) (rows []store.KeyRow, err error) {
	key, ok := it.Reaches()
	if !ok {
		return nil, nil
	}
	at := reached{it.Doc.Kind.Name, key}
	c := s.crowds.positions[at]
	if c == nil {
		ids, err := s.Reaching(ctx, it.Doc.Kind, key)
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		if ids = slices.Compact(slices.Sorted(slices.Values(ids))); len(ids) <= fewGames {
			c = &crowd{few: ids}
		} else if c, err = s.learn(ctx, ids, false); err == nil {
			s.crowds.positions[at] = c
		}
		if err != nil {
			return nil, err
		}
	}
	games, err := s.gamesOf(ctx, c.pick(it.tags()))
	if err != nil {
		return nil, err
	}
	for _, g := range games {
		if g.Plies > it.Doc.Plies && g.Kind == it.Entry.Kind && relate(&g.Facts, &it.Played.Game.Facts, it.Doc.Plies, false) != strangers {
			rows = append(rows, store.KeyRow{ID: g.ID, Key: g.Key, Head: g.Head, Kind: g.Kind, Plies: g.Plies})
		}
	}
	return s.goingOn(ctx, it, rows)
}

// shorter returns the stored games that end where a record goes on, by the hashes
// of its beginnings from so many plies on: the longest of them, where they are many.
func (s *sifter) shorter(ctx context.Context, it *Item, beginnings []uint64, plies int) (rows []store.KeyRow, err error) {
	for i, key := range slices.Backward(beginnings) {
		if len(rows) >= fewGames {
			break
		}
		if !s.Has(key) {
			continue
		}
		list, err := s.withKey(ctx, it, key)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if r.Plies == plies+i {
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

// decide chooses what becomes of a record among its candidates: it is one with
// the first that it agrees with, best of all with one that has the same comments,
// or else linked to the first that has the same moves. The first is the one with
// the lowest number, or which the record was noted with before, so that it finds
// the same game when it comes again.
func (s *sifter) decide(ctx context.Context, it *Item, found []Candidate) error {
	it.Status = store.StatusNew
	slices.SortStableFunc(found, func(x, y Candidate) int { return cmp.Compare(s.place(x), s.place(y)) })
	fit := 0 // how well the game suits that it is one with: 0 none, 2 the same comments
	var stored []Candidate
	for _, c := range found {
		equal := c.Plies == it.Entry.Plies
		if c.Plies < it.Entry.Plies && c.Marked || c.Plies > it.Entry.Plies && it.Entry.Marked {
			continue
		}
		is := relate(&it.Played.Game.Facts, c.Facts, min(c.Plies, it.Entry.Plies), equal)
		if is == strangers || is == twins && !equal {
			continue
		}
		if is == twins {
			if it.Status == store.StatusNew {
				it.Of, it.Status, it.Why = c, store.StatusTwin, WhyContradict
			}
			continue
		}
		other, err := s.content(ctx, c)
		if err != nil {
			return err
		}
		if equal && bytes.Equal(other.record, it.Entry.Record) {
			it.Of, it.Status = c, store.StatusDuplicate
			return nil
		}
		mine := content{it.Entry.Record, &it.Played.Game.Facts, it.notes}
		status, why := mine.beside(&other, it.Entry.Plies, c.Plies)
		suits := 1
		if equal && slices.Equal(mine.notes, other.notes) {
			suits = 2
		}
		switch {
		case status == store.StatusTwin:
			if it.Status == store.StatusNew {
				it.Of, it.Status, it.Why = c, store.StatusTwin, why
			}
		case suits > fit:
			it.Of, it.Status, fit = c, status, suits
		}
		if status == store.StatusDuplicate && c.ID != 0 {
			stored = append(stored, c)
		}
	}
	if len(stored) < 2 {
		return nil
	}
	// Several games say what it says. It may be noted with one of them already.
	for _, c := range stored {
		noted, err := s.Noted(ctx, c.ID, it.Entry.Source)
		if err != nil {
			return err
		}
		if noted {
			it.Of, it.Status = c, store.StatusDuplicate
			break
		}
	}
	return nil
}

// place orders candidates by the numbers that their games have or will get:
// stored games come before those of the batch.
func (s *sifter) place(c Candidate) int64 {
	for c.ID == 0 && s.items[c.Batch].Status == store.StatusFuller {
		c = s.items[c.Batch].Of
	}
	if c.ID != 0 {
		return int64(c.ID)
	}
	return 1<<32 + int64(c.Batch)
}

// content returns what a candidate says. A stored record is read and decoded for
// it, once for many records that are compared with it.
func (s *sifter) content(ctx context.Context, c Candidate) (content, error) {
	if c.Batch >= 0 {
		other := s.items[c.Batch]
		return content{other.Entry.Record, &other.Played.Game.Facts, other.notes}, nil
	}
	if known, ok := s.contents[c.ID]; ok {
		return known, nil
	}
	said := content{facts: new(facts.Facts)} // any record is better than one that cannot be read
	data, _, err := s.Record(ctx, c.ID)
	if err != nil && !errors.Is(err, store.ErrDamaged) {
		return content{}, err
	}
	if err == nil {
		if g, err := record.DecodeGame(data); err == nil {
			said = content{data, &g.Facts, NotesOf(g)}
		}
	}
	if len(data) <= keptBytes {
		keep(s.contents, c.ID, said)
	}
	return said, nil
}
