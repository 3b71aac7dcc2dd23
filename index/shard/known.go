package shard

import (
	"context"
	"slices"
	"strings"

	"qipu/catalog"
	"qipu/index"
	"qipu/record"
	"qipu/record/facts"
)

// known holds the keys of all games of a store, so that an import need not ask
// the catalogue for every beginning of every game. It takes about 32 bytes a
// game.
type known struct{ keys, heads keySet }

// keySet is a set of hashes that are not 0.
type keySet struct {
	slots []uint64
	n     int
}

func (s *keySet) has(key uint64) bool {
	if s.n == 0 {
		return false
	}
	mask := uint64(len(s.slots) - 1)
	for i := key & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i] == key {
			return true
		}
	}
	return false
}

func (s *keySet) add(key uint64) {
	if key == 0 {
		return
	}
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots, s.n = make([]uint64, max(1<<10, 2*len(old))), 0
		for _, k := range old {
			s.add(k)
		}
	}
	mask := uint64(len(s.slots) - 1)
	i := key & mask
	for ; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i] == key {
			return
		}
	}
	s.slots[i] = key
	s.n++
}

// learn fills the sets from the catalogue.
func (s *Shard) learn(ctx context.Context) error {
	if s.known != nil {
		return nil
	}
	k := new(known)
	for row, err := range s.cat.ScanKeys(ctx) {
		if err != nil {
			return err
		}
		k.keys.add(row.Key)
		k.heads.add(row.Head)
	}
	s.known = k
	return nil
}

// Games that begin alike are common; ones that go on alike are one game.
const (
	// leastBeginning is how many plies a record must have to count as the
	// beginning of another.
	leastBeginning = 10
	// surePlies is from how many equal plies on two records are one game even if
	// their headers name different players: names are spelt in many ways.
	surePlies = 100
)

// relation is what two records are to each other.
type relation uint8

const (
	strangers relation = iota
	same               // one game: the same moves, or one goes on where the other breaks off
	twins              // the same moves, but headers that contradict each other
)

// relate compares the headers of two records of which the shorter one, of so
// many plies, is the beginning of the other.
func relate(a, b *facts.Facts, plies int, equal bool) relation {
	results := a.Result.Verdict != b.Result.Verdict && decided(a.Result.Verdict) && decided(b.Result.Verdict)
	names := clash(a.Players[0].Name, b.Players[0].Name) || clash(a.Players[1].Name, b.Players[1].Name)
	years := a.Date.Known() && b.Date.Known() && !overlap(a.Date, b.Date)
	switch {
	case !equal && (plies < leastBeginning || names && years || (names || years) && plies < surePlies):
		return strangers
	case !equal && plies < index.HeadPlies && !bothNamed(a, b):
		return strangers // theory that many games have in common
	case results || names && years || (names || years) && plies < index.HeadPlies:
		return twins
	}
	return same
}

// bothNamed reports whether both records name both players. They do not contradict
// each other, or nobody would ask.
func bothNamed(a, b *facts.Facts) bool {
	return a.Players[0].Name != "" && a.Players[1].Name != "" && b.Players[0].Name != "" && b.Players[1].Name != ""
}

func decided(v facts.Verdict) bool {
	return v == facts.FirstWon || v == facts.SecondWon || v == facts.Drawn
}

func clash(a, b string) bool { return a != "" && b != "" && !strings.EqualFold(a, b) }

func overlap(a, b facts.Date) bool {
	af, al, _ := a.Bounds()
	bf, bl, _ := b.Bounds()
	const year = 366 // dates of one game differ by the calendar, or by the day it was published
	return af <= bl+year && bf <= al+year
}

// candidate is a game that a new record may be one with.
type candidate struct {
	id    uint32 // 0 for a record of the same batch
	batch int    // its index there
	plies int
	facts *facts.Facts

	// marked tells that a move of it breaks the rules. There may be more moves
	// behind, which no board took: it is the beginning of no other game.
	marked bool
}

// item is a record on its way into the store.
type item struct {
	played *record.Played
	doc    *index.Document // nil where it has no board
	entry  catalog.Entry

	// What becomes of it.
	status Status
	of     candidate // the game it is one with, or linked to
	id     uint32
}

// sift finds out which records of a batch are new, and which are one with a
// game that is there or with another of the batch. Longer records go first, so
// that a record of the batch meets the one that it is the beginning of.
func (s *Shard) sift(ctx context.Context, items []*item) error {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return items[y].entry.Plies - items[x].entry.Plies })
	b := &batchIndex{byKey: map[uint64][]int{}, byHead: map[uint64][]int{}, short: map[uint64]bool{}, begins: map[uint64][]int{}, taken: map[uint32]bool{}}
	for _, it := range items {
		if it.entry.Plies < index.HeadPlies {
			b.short[it.entry.Key] = true
		}
	}
	for _, i := range order {
		it := items[i]
		found, err := s.candidates(ctx, items, b, it)
		if err != nil {
			return err
		}
		if err := s.decide(ctx, items, it, found); err != nil {
			return err
		}
		if it.status != Duplicate {
			b.add(i, it)
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
}

func (b *batchIndex) add(i int, it *item) {
	b.byKey[it.entry.Key] = append(b.byKey[it.entry.Key], i)
	if it.status == Fuller {
		b.taken[it.of.id] = true
	}
	if it.doc == nil {
		return
	}
	if it.entry.Head != 0 {
		b.byHead[it.entry.Head] = append(b.byHead[it.entry.Head], i)
	}
	for n := leastBeginning; n < min(index.HeadPlies, it.doc.Plies); n++ {
		if key := it.doc.Prefixes[n]; b.short[key] {
			b.begins[key] = append(b.begins[key], i)
		}
	}
}

// candidates returns the games whose moves are those of a record, go on where
// it ends, or end where it goes on.
func (s *Shard) candidates(ctx context.Context, items []*item, b *batchIndex, it *item) ([]candidate, error) {
	var found []candidate
	mine := func(list []int) {
		for _, i := range list {
			other := items[i]
			if other.entry.Kind == it.entry.Kind && (other.entry.Key == it.entry.Key || other.doc != nil && it.doc != nil &&
				other.doc.Plies > it.doc.Plies && other.doc.Prefixes[it.doc.Plies] == it.doc.Key) {
				c := candidate{batch: i, plies: other.entry.Plies, facts: &other.played.Game.Facts, marked: other.entry.Marked}
				if other.status == Fuller {
					c.id = other.of.id
				}
				found = append(found, c)
			}
		}
	}
	key, head := it.entry.Key, it.entry.Head
	mine(b.byKey[key])
	if head != 0 {
		mine(b.byHead[head])
	} else {
		mine(b.begins[key])
	}
	var rows []catalog.KeyRow
	if s.has(key) {
		list, err := s.cat.ByKey(ctx, key)
		if err != nil {
			return nil, err
		}
		rows = append(rows, list...)
	}
	if it.doc != nil {
		longer, err := s.longer(ctx, it)
		if err != nil {
			return nil, err
		}
		shorter, err := s.shorter(ctx, it)
		if err != nil {
			return nil, err
		}
		rows = append(append(rows, longer...), shorter...)
	}
	// A game whose place is taken is not there any more: what goes on from it in
	// another way is another game.
	rows = slices.DeleteFunc(rows, func(r catalog.KeyRow) bool { return b.taken[r.ID] })
	return s.withFacts(ctx, it, found, rows)
}

func (s *Shard) has(key uint64) bool { return s.known == nil || s.known.keys.has(key) }

// withFacts adds the games of the catalogue to the candidates.
func (s *Shard) withFacts(ctx context.Context, it *item, found []candidate, rows []catalog.KeyRow) ([]candidate, error) {
	var ids []uint32
	for _, r := range rows {
		if r.Kind == it.entry.Kind && !slices.Contains(ids, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return found, nil
	}
	games, err := s.cat.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range games {
		found = append(found, candidate{id: games[i].ID, batch: -1, plies: games[i].Plies, facts: &games[i].Facts, marked: games[i].Marked})
	}
	return found, nil
}

// longer returns the stored games that go on where a record ends.
func (s *Shard) longer(ctx context.Context, it *item) (rows []catalog.KeyRow, err error) {
	if it.doc.Plies < leastBeginning {
		return nil, nil
	}
	var list []catalog.KeyRow
	if it.doc.Head != 0 {
		if s.known != nil && !s.known.heads.has(it.doc.Head) {
			return nil, nil
		}
		if list, err = s.cat.ByHead(ctx, it.doc.Head); err != nil {
			return nil, err
		}
	} else if list, err = s.reaching(ctx, it); err != nil {
		return nil, err
	}
	for _, r := range list {
		if r.Plies <= it.doc.Plies || r.Kind != it.entry.Kind {
			continue
		}
		docs, err := s.documents(ctx, []uint32{r.ID})
		if err != nil {
			return nil, err
		}
		if len(docs) == 1 && len(docs[0].Prefixes) > it.doc.Plies && docs[0].Prefixes[it.doc.Plies] == it.doc.Key {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// reaching returns the games that pass through the last position of a record
// that is too short to have a head.
func (s *Shard) reaching(ctx context.Context, it *item) ([]catalog.KeyRow, error) {
	if !bothNamed(&it.played.Game.Facts, &it.played.Game.Facts) {
		return nil, nil
	}
	line := &it.doc.Lines[0]
	list := new(index.Positions).Append(nil, it.doc.Kind, line)
	if len(list) == 0 {
		return nil, nil
	}
	v, err := s.View(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	var ids []uint32
	for postings, err := range v.Positions(ctx, it.doc.Kind, false, []uint64{list[len(list)-1].Key}) {
		if err != nil {
			return nil, err
		}
		for _, r := range postings.Rows {
			ids = append(ids, postings.Game(int(r.Line)))
		}
	}
	games, err := s.cat.Games(ctx, ids)
	var rows []catalog.KeyRow
	for i := range games {
		g := &games[i]
		if relate(&g.Facts, &it.played.Game.Facts, it.doc.Plies, false) != strangers {
			rows = append(rows, catalog.KeyRow{ID: g.ID, Key: g.Key, Head: g.Head, Kind: g.Kind, Plies: g.Plies})
		}
	}
	return rows, err
}

// shorter returns the stored games that end where a record goes on.
func (s *Shard) shorter(ctx context.Context, it *item) (rows []catalog.KeyRow, err error) {
	for n := leastBeginning; n < it.doc.Plies; n++ {
		key := it.doc.Prefixes[n]
		if !s.has(key) {
			continue
		}
		list, err := s.cat.ByKey(ctx, key)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if r.Plies == n {
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

// decide chooses what becomes of a record among its candidates.
func (s *Shard) decide(ctx context.Context, items []*item, it *item, found []candidate) error {
	it.status = New
	for _, c := range found {
		equal := c.plies == it.entry.Plies
		if c.plies < it.entry.Plies && c.marked || c.plies > it.entry.Plies && it.entry.Marked {
			continue
		}
		is := relate(&it.played.Game.Facts, c.facts, min(c.plies, it.entry.Plies), equal)
		if is == same && !equal {
			// The longer record takes the place of the shorter one, unless that
			// says more for all its shortness: comments are not to be lost.
			other, err := s.recordLen(ctx, items, c)
			if err != nil {
				return err
			}
			if short, long := len(it.entry.Record), other; c.plies < it.entry.Plies && long > short || c.plies > it.entry.Plies && short > long {
				is = twins
			}
		} else if is == twins && !equal {
			continue
		}
		switch is {
		case same:
			it.of, it.status = c, Duplicate
			if c.plies < it.entry.Plies {
				it.status = Fuller
			}
			return nil
		case twins:
			if it.status == New {
				it.of, it.status = c, Twin
			}
		}
	}
	return nil
}

// recordLen returns the length of the encoded record of a candidate.
func (s *Shard) recordLen(ctx context.Context, items []*item, c candidate) (int, error) {
	if c.batch >= 0 {
		return len(items[c.batch].entry.Record), nil
	}
	data, _, err := s.cat.Record(ctx, c.id)
	return len(data), err
}
