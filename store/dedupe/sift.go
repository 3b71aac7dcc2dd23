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

	// Games returns games by numbers that came of other methods. Sources returns
	// all places where a game was found.
	Games(ctx context.Context, ids []uint32) ([]store.Game, error)
	Sources(ctx context.Context, id uint32) ([]store.Source, error)

	// Record returns the record of a game, encoded, and its original bytes. One
	// that is store.ErrDamaged says nothing: any other is fuller.
	Record(ctx context.Context, id uint32) (encoded, raw []byte, err error)

	// Documents returns games as their records are played. Those that cannot be
	// are left out.
	Documents(ctx context.Context, ids []uint32) ([]*index.Document, error)

	// Reaching returns the games whose main line reaches a position.
	Reaching(ctx context.Context, k *index.Kind, key uint64) ([]uint32, error)
}

// sifter is a batch that is being sifted.
type sifter struct {
	Existing
	items []*Item
	batchIndex
}

// Sift finds out which records of a batch are new, and which are one with a
// game that is there or with another of the batch. Longer records go first, so
// that a record of the batch meets the one that it is the beginning of.
func Sift(ctx context.Context, existing Existing, items []*Item) error {
	s := &sifter{existing, items, newBatchIndex(items)}
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
	byKey, byHead map[uint64][]int
	short         map[uint64]bool  // keys of the records of the batch that have no head
	begins        map[uint64][]int // those keys, by records that begin so
	taken         map[uint32]bool  // stored games whose place a record of the batch takes
	gone          map[int]bool     // records of the batch whose place another one takes
}

func newBatchIndex(items []*Item) batchIndex {
	b := batchIndex{byKey: map[uint64][]int{}, byHead: map[uint64][]int{}, short: map[uint64]bool{}, begins: map[uint64][]int{}, taken: map[uint32]bool{}, gone: map[int]bool{}}
	for _, it := range items {
		if it.Entry.Plies < index.HeadPlies {
			b.short[it.Entry.Key] = true
		}
	}
	return b
}

// add notes a record that was sifted, and is not one with another.
func (b *batchIndex) add(i int, it *Item) {
	b.byKey[it.Entry.Key] = append(b.byKey[it.Entry.Key], i)
	if it.Status == store.StatusFuller {
		b.taken[it.Of.ID] = true
		if it.Of.Batch >= 0 {
			b.gone[it.Of.Batch] = true
		}
	}
	if it.Doc == nil {
		return
	}
	if it.Entry.Head != 0 {
		b.byHead[it.Entry.Head] = append(b.byHead[it.Entry.Head], i)
	}
	for _, key := range it.beginnings() {
		if b.short[key] {
			b.begins[key] = append(b.begins[key], i)
		}
	}
}

// candidates returns the games whose moves are those of a record, go on where
// it ends, or end where it goes on.
func (s *sifter) candidates(ctx context.Context, it *Item) ([]Candidate, error) {
	var found []Candidate
	mine := func(list []int) {
		for _, i := range list {
			other := s.items[i]
			if !s.gone[i] && other.Entry.Kind == it.Entry.Kind && (other.Entry.Key == it.Entry.Key || other.Doc != nil && it.Doc != nil &&
				other.Doc.Plies > it.Doc.Plies && other.Doc.Prefixes[it.Doc.Plies] == it.Doc.Key) {
				c := Candidate{Batch: i, Plies: other.Entry.Plies, Facts: &other.Played.Game.Facts, Marked: other.Entry.Marked}
				if other.Status == store.StatusFuller {
					c.ID = other.Of.ID
				}
				found = append(found, c)
			}
		}
	}
	key, head := it.Entry.Key, it.Entry.Head
	mine(s.byKey[key])
	if head != 0 {
		mine(s.byHead[head])
	} else {
		mine(s.begins[key])
	}
	rows, err := s.stored(ctx, it)
	if err != nil {
		return nil, err
	}
	// A game whose place is taken is not there any more: what goes on from it in
	// another way is another game.
	rows = slices.DeleteFunc(rows, func(r store.KeyRow) bool { return s.taken[r.ID] })
	return s.withFacts(ctx, it, found, rows)
}

// stored returns the stored games among the candidates.
func (s *sifter) stored(ctx context.Context, it *Item) (rows []store.KeyRow, err error) {
	if s.Has(it.Entry.Key) {
		if rows, err = s.ByKey(ctx, it.Entry.Key); err != nil {
			return nil, err
		}
	}
	if it.Doc == nil {
		return rows, nil
	}
	shorter, err := s.shorter(ctx, it)
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
	if len(ids) == 0 {
		return found, nil
	}
	games, err := s.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range games {
		found = append(found, Candidate{ID: games[i].ID, Batch: -1, Plies: games[i].Plies, Facts: &games[i].Facts, Marked: games[i].Marked})
	}
	return found, nil
}

// withHead returns the stored games that begin as a record does, which is long
// enough to have a head, and go on where it ends or end where it goes on.
func (s *sifter) withHead(ctx context.Context, it *Item) (rows []store.KeyRow, err error) {
	if !s.HasHead(it.Doc.Head) {
		return nil, nil
	}
	list, err := s.ByHead(ctx, it.Doc.Head)
	if err != nil {
		return nil, err
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

// manyDocuments is how many stored games are played at once to be compared.
const manyDocuments = 64

// goingOn returns those of some longer games that begin with all moves of a
// record. They are played for it.
func (s *sifter) goingOn(ctx context.Context, it *Item, list []store.KeyRow) (rows []store.KeyRow, err error) {
	for block := range slices.Chunk(list, manyDocuments) {
		ids := make([]uint32, len(block))
		for i := range block {
			ids[i] = block[i].ID
		}
		docs, err := s.Documents(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, doc := range docs {
			i := slices.Index(ids, doc.Game)
			if i >= 0 && len(doc.Prefixes) > it.Doc.Plies && doc.Prefixes[it.Doc.Plies] == it.Doc.Key {
				rows = append(rows, block[i])
			}
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
	ids, err := s.Reaching(ctx, it.Doc.Kind, key)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	games, err := s.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range games {
		g := &games[i]
		if g.Plies > it.Doc.Plies && g.Kind == it.Entry.Kind && relate(&g.Facts, &it.Played.Game.Facts, it.Doc.Plies, false) != strangers {
			rows = append(rows, store.KeyRow{ID: g.ID, Key: g.Key, Head: g.Head, Kind: g.Kind, Plies: g.Plies})
		}
	}
	return s.goingOn(ctx, it, rows)
}

// shorter returns the stored games that end where a record goes on, before they
// have a head.
func (s *sifter) shorter(ctx context.Context, it *Item) (rows []store.KeyRow, err error) {
	for i, key := range it.beginnings() {
		if !s.Has(key) {
			continue
		}
		list, err := s.ByKey(ctx, key)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if r.Plies == LeastBeginning+i {
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
		sources, err := s.Sources(ctx, c.ID)
		if err != nil {
			return err
		}
		if slices.Contains(sources, it.Entry.Source) {
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
// it.
func (s *sifter) content(ctx context.Context, c Candidate) (content, error) {
	if c.Batch >= 0 {
		other := s.items[c.Batch]
		return content{other.Entry.Record, &other.Played.Game.Facts, other.notes}, nil
	}
	data, _, err := s.Record(ctx, c.ID)
	if errors.Is(err, store.ErrDamaged) {
		return content{facts: new(facts.Facts)}, nil // any record of the game is better than that
	}
	if err != nil {
		return content{}, err
	}
	g, err := record.DecodeGame(data)
	if err != nil {
		return content{facts: new(facts.Facts)}, nil
	}
	return content{data, &g.Facts, NotesOf(g)}, nil
}
