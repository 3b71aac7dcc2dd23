package dedupe

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"github.com/zeebo/xxh3"

	"qipu/index"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
)

// Item is a record on its way into a store.
type Item struct {
	Played *record.Played
	Doc    *index.Document // nil where it has no board
	Entry  store.Entry
	notes  Notes
	marks  *tags // see tags

	// What becomes of it: see Sift.
	Status store.Status
	Of     Candidate // the game it is one with, or linked to
	Why    string    // what links a twin

	// ID is the number of its game: see Number.
	ID uint32
}

// Candidate is a game that a record may be one with.
type Candidate struct {
	ID    uint32 // 0 for a record of the same batch that takes the place of none
	Batch int    // the index of a record in the batch; -1 for a stored one
	Plies int
	Facts *facts.Facts

	// Marked tells that a move of it breaks the rules. There may be more moves
	// behind, which no board took: it is the beginning of no other game.
	Marked bool
}

// Agrees reports whether the record would be one with another of the same moves, if
// that were stored: nothing either says is lost with the other.
func (it *Item) Agrees(encoded []byte) bool {
	if bytes.Equal(encoded, it.Entry.Record) {
		return true
	}
	g, err := record.DecodeGame(encoded)
	if err != nil || relate(&it.Played.Game.Facts, &g.Facts, it.Entry.Plies, true) != same {
		return false
	}
	mine, other := content{it.Entry.Record, &it.Played.Game.Facts, it.notes}, content{encoded, &g.Facts, NotesOf(g)}
	status, _ := mine.beside(&other, it.Entry.Plies, it.Entry.Plies)
	return status != store.StatusTwin
}

// Lay lays corrections over the headers that the record is stored and found by. What it is
// compared by stays.
func (it *Item) Lay(layer []store.Correction) {
	f := *it.Entry.Facts
	store.Lay(&f, layer)
	it.Entry.Facts = &f
	if it.Doc == nil {
		return
	}
	doc := *it.Doc // others may use the one that was prepared
	doc.Facts = index.FactsOf(&f)
	doc.Plies = it.Doc.Plies
	doc.Texts[query.Format], doc.Texts[query.File] = it.Doc.Texts[query.Format], it.Doc.Texts[query.File]
	it.Doc = &doc
}

// tags returns by what the record is found among many of the same moves.
func (it *Item) tags() *tags {
	if it.marks == nil {
		t := tagsOf(&it.Played.Game.Facts, it.notes)
		it.marks = &t
	}
	return it.marks
}

// preparer prepares records. It holds buffers and is not safe for concurrent
// use.
type preparer struct {
	docs    index.Documents
	finder  index.Finder
	found   index.Found
	encoded []byte
}

// Preparer returns a function that does the part of Items for a record that can
// be done ahead and elsewhere. The function is for one goroutine.
func Preparer(kinds *index.Kinds) func(*record.Played) *store.Prepared {
	p := &preparer{docs: index.Documents{Kinds: kinds}}
	return func(played *record.Played) *store.Prepared {
		ready := p.prepare(played)
		played.Changes = nil // the document has them
		return ready
	}
}

func (p *preparer) prepare(played *record.Played) *store.Prepared {
	p.encoded = record.AppendGame(p.encoded[:0], played.Game)
	ready := &store.Prepared{Record: slices.Clone(p.encoded), Remarks: NotesOf(played.Game)}
	doc, ok := p.docs.Make(played)
	if !ok {
		return ready
	}
	ready.Doc = doc
	doc.Found = make([]index.Found, len(doc.Lines))
	for i := range doc.Lines {
		p.finder.Find(&p.found, doc.Kind, &doc.Lines[i])
		doc.Found[i] = index.Found{Positions: slices.Clone(p.found.Positions), Windows: slices.Clone(p.found.Windows), Corners: slices.Clone(p.found.Corners)}
	}
	return ready
}

// Items makes records ready to be sifted and stored. Those that went through a
// Preparer cost next to nothing.
func Items(records []*record.Played, ready store.Preparations, kinds *index.Kinds) []*Item {
	p := &preparer{docs: index.Documents{Kinds: kinds}}
	items := make([]*Item, len(records))
	for i, played := range records {
		items[i] = p.item(played, ready[played])
	}
	return items
}

func (p *preparer) item(played *record.Played, ready *store.Prepared) *Item {
	if ready == nil {
		ready = p.prepare(played)
	}
	g := played.Game
	it := &Item{Played: played, Doc: ready.Doc, notes: ready.Remarks}
	it.Entry = store.Entry{
		Facts: &g.Facts, Format: g.Format, Encoding: g.Encoding, Marked: !played.Legal(),
		Source: store.Source{File: g.Place.File, Number: g.Place.Number, Offset: g.Place.Offset},
		Record: ready.Record, Raw: g.Raw,
	}
	if doc := it.Doc; doc != nil {
		it.Entry.Kind, it.Entry.Key, it.Entry.Head, it.Entry.Plies = doc.Kind.Name, doc.Key, doc.Head, doc.Plies
		return it
	}
	// Without a board, only the same bytes are the same game.
	it.Entry.Kind = store.UnknownKind
	it.Entry.Key = xxh3.Hash(it.Entry.Raw) | 1
	if len(it.Entry.Raw) == 0 {
		it.Entry.Key = xxh3.Hash(it.Entry.Record) | 1
	}
	return it
}

// Keys yields the keys that Sift may ask a Existing for: that of the moves of the
// record, and those of its beginnings that are too short to have a head. Longer
// beginnings are found by the head, which they share.
func (it *Item) Keys() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if !yield(it.Entry.Key) {
			return
		}
		for _, key := range it.beginnings() {
			if !yield(key) {
				return
			}
		}
	}
}

// beginnings returns the keys of the beginnings of a record that are long enough
// to count and too short to have a head, from leastBeginning plies on.
func (it *Item) beginnings() []uint64 {
	if it.Doc == nil || it.Doc.Plies <= LeastBeginning {
		return nil
	}
	return it.Doc.Prefixes[LeastBeginning:min(index.HeadPlies, it.Doc.Plies)]
}

// Reaches returns the key of the position that Sift may ask a Existing for, by
// Reaching: the last one of a record that is too short to have a head, long
// enough to be the beginning of another, and names both players. It is computed
// anew every time.
func (it *Item) Reaches() (key uint64, ok bool) {
	if it.Doc == nil || it.Doc.Head != 0 || it.Doc.Plies < LeastBeginning || !bothNamed(&it.Played.Game.Facts, &it.Played.Game.Facts) {
		return 0, false
	}
	list := new(index.Positions).Append(nil, it.Doc.Kind, &it.Doc.Lines[0])
	if len(list) == 0 {
		return 0, false
	}
	return list[len(list)-1].Key, true
}

// Target returns the number of the game that an item is one with or linked to;
// 0 where that is a record of the batch which has no number yet.
func Target(items []*Item, it *Item) uint32 {
	for it.Of.Batch >= 0 && it.Of.ID == 0 {
		other := items[it.Of.Batch]
		if other.ID != 0 {
			return other.ID
		}
		it = other
	}
	return it.Of.ID
}

// Number gives the items of new games numbers, from first on, and to others the
// number of the game that they are. It returns the number behind the last.
func Number(items []*Item, first uint32) (next uint32) {
	next = first
	for _, it := range items {
		if it.Status == store.StatusNew || it.Status == store.StatusTwin {
			it.ID = next
			next++
		}
	}
	follow(items)
	return next
}

// NumberAs is Number for records that have numbers already, which they keep
// where they are new games.
func NumberAs(items []*Item, numbers []uint32) {
	for i, it := range items {
		if it.Status == store.StatusNew || it.Status == store.StatusTwin {
			it.ID = numbers[i]
		}
	}
	follow(items)
}

// follow gives items that are no new games the numbers of theirs.
func follow(items []*Item) {
	for _, it := range items {
		if it.Status == store.StatusDuplicate || it.Status == store.StatusFuller {
			it.ID = Target(items, it)
		}
	}
}

// Standing returns the items whose records are those of their games when all of
// the batch is stored, by rising numbers of the games: of several records of one,
// the last that takes its place. The items have numbers.
func Standing(items []*Item) []*Item {
	last := map[uint32]*Item{} // of games with several
	for _, it := range items {
		if it.Status == store.StatusFuller {
			last[it.ID] = it
		}
	}
	var list []*Item
	for _, it := range items {
		if it.Status == store.StatusDuplicate {
			continue
		}
		if other, several := last[it.ID]; several && other != it {
			continue
		}
		list = append(list, it)
	}
	slices.SortFunc(list, func(x, y *Item) int { return cmp.Compare(x.ID, y.ID) })
	return list
}

// Tell returns what became of items that have numbers.
func Tell(items []*Item) []store.Added {
	added := make([]store.Added, len(items))
	for i, it := range items {
		added[i] = store.Added{ID: it.ID, Status: it.Status, Key: it.Entry.Key}
		if it.Status == store.StatusTwin {
			added[i].Of = Target(items, it)
		}
	}
	return added
}

// Foretell returns what would become of items. Those that would be new have no
// numbers, nor have those that would be one with them.
func Foretell(items []*Item) []store.Added {
	added := make([]store.Added, len(items))
	for i, it := range items {
		added[i] = store.Added{Status: it.Status, Key: it.Entry.Key}
		switch it.Status {
		case store.StatusTwin:
			added[i].Of = it.Of.ID
		case store.StatusDuplicate, store.StatusFuller:
			added[i].ID = it.Of.ID
		}
	}
	return added
}
