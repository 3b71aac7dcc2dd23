package shard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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
	notes  notes

	// What becomes of it.
	status Status
	of     candidate // the game it is one with, or linked to
	why    string    // what links a twin
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
	b := &batchIndex{byKey: map[uint64][]int{}, byHead: map[uint64][]int{}, short: map[uint64]bool{}, begins: map[uint64][]int{}, taken: map[uint32]bool{}, gone: map[int]bool{}}
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
	gone          map[int]bool     // records of the batch whose place another one takes
}

func (b *batchIndex) add(i int, it *item) {
	b.byKey[it.entry.Key] = append(b.byKey[it.entry.Key], i)
	if it.status == Fuller {
		b.taken[it.of.id] = true
		if it.of.batch >= 0 {
			b.gone[it.of.batch] = true
		}
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
			if !b.gone[i] && other.entry.Kind == it.entry.Kind && (other.entry.Key == it.entry.Key || other.doc != nil && it.doc != nil &&
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
		// The numbers of the games lie in mapped memory.
		err = v.Guard(func() error {
			for _, r := range postings.Rows {
				ids = append(ids, postings.Game(int(r.Line)))
			}
			return nil
		})
		if err != nil {
			return nil, err
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

// The reasons that link games.
const (
	whyContradict = "same moves"
	whyComments   = "same moves, other comments"
	whyNames      = "same moves, only one names the players"
	whyLonger     = "one goes on where the other ends"
)

// decide chooses what becomes of a record among its candidates: it is one with
// the first that it agrees with, best of all with one that has the same comments,
// or else linked to the first that has the same moves. The first is the one with
// the lowest number, or which the record was noted with before, so that it finds
// the same game when it comes again.
func (s *Shard) decide(ctx context.Context, items []*item, it *item, found []candidate) error {
	it.status = New
	slices.SortStableFunc(found, func(x, y candidate) int { return cmp.Compare(place(items, x), place(items, y)) })
	fit := 0 // how well the game suits that it is one with: 0 none, 2 the same comments
	var stored []candidate
	for _, c := range found {
		equal := c.plies == it.entry.Plies
		if c.plies < it.entry.Plies && c.marked || c.plies > it.entry.Plies && it.entry.Marked {
			continue
		}
		is := relate(&it.played.Game.Facts, c.facts, min(c.plies, it.entry.Plies), equal)
		if is == strangers || is == twins && !equal {
			continue
		}
		if is == twins {
			if it.status == New {
				it.of, it.status, it.why = c, Twin, whyContradict
			}
			continue
		}
		other, err := s.content(ctx, items, c)
		if err != nil {
			return err
		}
		if equal && bytes.Equal(other.record, it.entry.Record) {
			it.of, it.status = c, Duplicate
			return nil
		}
		mine := content{it.entry.Record, &it.played.Game.Facts, it.notes}
		status, why := mine.beside(&other, it.entry.Plies, c.plies)
		suits := 1
		if equal && slices.Equal(mine.notes, other.notes) {
			suits = 2
		}
		switch {
		case status == Twin:
			if it.status == New {
				it.of, it.status, it.why = c, Twin, why
			}
		case suits > fit:
			it.of, it.status, fit = c, status, suits
		}
		if status == Duplicate && c.id != 0 {
			stored = append(stored, c)
		}
	}
	if len(stored) < 2 {
		return nil
	}
	// Several games say what it says. It may be noted with one of them already.
	for _, c := range stored {
		sources, err := s.cat.Sources(ctx, c.id)
		if err != nil {
			return err
		}
		if slices.Contains(sources, it.entry.Source) {
			it.of, it.status = c, Duplicate
			break
		}
	}
	return nil
}

// place orders candidates by the numbers that their games have or will get:
// stored games come before those of the batch.
func place(items []*item, c candidate) int64 {
	for c.id == 0 && items[c.batch].status == Fuller {
		c = items[c.batch].of
	}
	if c.id != 0 {
		return int64(c.id)
	}
	return 1<<32 + int64(c.batch)
}

// content is what a record says beside its moves.
type content struct {
	record []byte // encoded
	facts  *facts.Facts
	notes  notes
}

// content returns what a candidate says. A stored record is read and decoded for
// it.
func (s *Shard) content(ctx context.Context, items []*item, c candidate) (content, error) {
	if c.batch >= 0 {
		other := items[c.batch]
		return content{other.entry.Record, &other.played.Game.Facts, other.notes}, nil
	}
	data, _, err := s.cat.Record(ctx, c.id)
	if errors.Is(err, catalog.ErrDamaged) {
		return content{facts: new(facts.Facts)}, nil // any record of the game is better than that
	}
	if err != nil {
		return content{}, err
	}
	g, err := record.DecodeGame(data)
	if err != nil {
		return content{facts: new(facts.Facts)}, nil
	}
	return content{data, &g.Facts, notesOf(g)}, nil
}

// beside decides between a record and one that is there, of the same game and of
// so many plies each. Comments are never lost: a record gives way only where it
// has none, or the same ones, and where it does not name a player whom the other
// leaves out. Between records with the same comments, headers that say more win,
// and among equal ones the longer record. Each of these only grows when a record
// takes the place of another, so that no two take turns when they come again.
func (a *content) beside(b *content, plies, others int) (Status, string) {
	switch {
	case plies > others:
		if !b.givesWay(a, others) {
			return Twin, whyLonger
		}
		return Fuller, ""
	case plies < others:
		if !a.givesWay(b, plies) {
			return Twin, whyLonger
		}
		return Duplicate, ""
	case slices.Equal(a.notes, b.notes):
		x, y := weight(a.facts), weight(b.facts)
		// Encoded records hold the place and other trifles: a little more is
		// not more.
		if x > y || x == y && len(a.record) > len(b.record)+len(b.record)/8+64 {
			return Fuller, ""
		}
		return Duplicate, ""
	case len(a.notes) > 0 && len(b.notes) > 0:
		return Twin, whyComments
	case len(b.notes) == 0 && b.givesWay(a, plies):
		return Fuller, ""
	case len(a.notes) == 0 && a.givesWay(b, plies):
		return Duplicate, ""
	}
	return Twin, whyNames
}

// givesWay reports whether a record of so many plies has no comments and no names
// that another lacks.
func (a *content) givesWay(b *content, plies int) bool {
	for i := range a.facts.Players {
		if a.facts.Players[i].Name != "" && b.facts.Players[i].Name == "" {
			return false
		}
	}
	return len(a.notes) == 0 || a.notes.sum() == b.notes.upTo(plies).sum()
}

// weight tells how much headers say: names above all, then date and result, then
// how many others there are. Headers that fill a gap in others, and lack nothing
// of them, weigh more.
func weight(f *facts.Facts) (n int) {
	add := func(known bool, by int) {
		if known {
			n += by
		}
	}
	for i := range f.Players {
		p := &f.Players[i]
		add(p.Name != "", 1000)
		add(p.Team != "", 1)
		add(p.Rank != facts.Rank{}, 1)
		add(p.Rating != 0, 1)
	}
	add(f.Date.Known(), 100)
	add(f.Result.Verdict != facts.Unknown, 100)
	add(f.Result.Margin != 0, 1)
	add(f.Komi.Known, 1)
	add(f.Handicap != 0, 1)
	for _, text := range []string{f.Event, f.Round, f.Place, f.Result.How, f.Ruleset, f.Opening, f.Code, f.Source, f.Author, f.Time} {
		add(text != "", 1)
	}
	return n
}
