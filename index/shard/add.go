package shard

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"qipu/catalog"
	"qipu/index"
	"qipu/record"
	"qipu/segment"
)

// Status is what became of a record that was to be added.
type Status uint8

// The states of a record.
const (
	New       Status = iota // stored
	Duplicate               // a game that is there: only its source was noted
	Fuller                  // it took the place of a record that was shorter, or said less
	Twin                    // stored, and linked to a game of the same moves that contradicts it, or has other comments
)

var statusNames = [...]string{"new", "duplicate", "fuller", "twin"}

// String returns the name of the status.
func (s Status) String() string { return statusNames[s] }

// Added tells what became of a record.
type Added struct {
	ID     uint32 // of the game that it is now
	Status Status
	Of     uint32 // the game that it is a twin of
	Key    uint64 // of its moves: records that are one game mostly share it
}

// Batch is a number of records to be added together.
type Batch struct {
	Records    []*record.Played // played with a trace
	Collection int64            // the collection they come into; 0 for none
	Inputs     []catalog.Input  // files that are read to their end with these records

	// DryRun has Add tell what would become of the records, and change nothing.
	// Games that would be new have no numbers. A store that is open for reading
	// only does it too.
	DryRun bool
}

const (
	// tableLines is from how many lines on records of a batch get a table of
	// their own, and at most how many wait in memory.
	tableLines = 256

	// fewRecords is up to how many records the catalogue is asked about keys
	// directly. For more, all keys are read first.
	fewRecords = 64
)

// Add adds a batch of records: all of it, durably, or after an error nothing.
// Tables that turn out to be damaged are made anew first.
func (s *Shard) Add(ctx context.Context, b Batch) ([]Added, error) {
	return mended(ctx, s, func() ([]Added, error) { return s.add(ctx, b) })
}

func (s *Shard) add(ctx context.Context, b Batch) ([]Added, error) {
	s.write.Lock()
	defer s.write.Unlock()
	if len(b.Records) > fewRecords || s.known != nil {
		if err := s.learn(ctx); err != nil {
			return nil, err
		}
	}
	items := make([]*item, len(b.Records))
	for i, p := range b.Records {
		items[i] = s.item(p)
	}
	if err := s.sift(ctx, items); err != nil {
		return nil, err
	}
	if b.DryRun {
		return foretell(items), nil
	}
	st, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	defer st.release()
	c := &change{Shard: s, st: st, waiting: slices.Clone(st.waiting)}
	err = s.cat.Update(ctx, func(tx *catalog.Tx) error {
		c.tx = tx
		return c.add(items, &b)
	})
	if err != nil {
		c.undo()
		return nil, err
	}
	if s.known != nil {
		for _, it := range items {
			s.known.keys.add(it.entry.Key)
			s.known.heads.add(it.entry.Head)
		}
	}
	// The games are in the catalogue and acknowledged. Where they cannot be
	// shown, the next reader will find out why.
	if err := s.publish(context.WithoutCancel(ctx), c.waiting); err != nil {
		s.forget()
	}
	s.wakeMerge()
	added := make([]Added, len(items))
	for i, it := range items {
		added[i] = Added{ID: it.id, Status: it.status, Key: it.entry.Key}
		if it.status == Twin {
			added[i].Of = target(items, it)
		}
	}
	return added, nil
}

// foretell returns what would become of items. Those that would be new have no
// numbers, nor have those that would be one with them.
func foretell(items []*item) []Added {
	added := make([]Added, len(items))
	for i, it := range items {
		added[i] = Added{Status: it.status, Key: it.entry.Key}
		switch it.status {
		case Twin:
			added[i].Of = it.of.id
		case Duplicate, Fuller:
			added[i].ID = it.of.id
		}
	}
	return added
}

// unknownKind is the kind of records that have no board.
const unknownKind = "unknown"

// item makes a record ready to be stored.
func (s *Shard) item(p *record.Played) *item {
	g := p.Game
	it := &item{played: p}
	ready, ok := p.Prepared.(*prepared)
	if !ok {
		ready = s.preparer.prepare(p)
	}
	it.doc, it.notes = ready.doc, ready.notes
	it.entry = catalog.Entry{
		Facts: &g.Facts, Format: g.Format, Encoding: g.Encoding, Marked: !p.Legal(),
		Source: catalog.Source{File: g.Place.File, Number: g.Place.Number, Offset: g.Place.Offset},
		Record: ready.record, Raw: g.Raw,
	}
	if doc := it.doc; doc != nil {
		it.entry.Kind, it.entry.Key, it.entry.Head, it.entry.Plies = doc.Kind.Name, doc.Key, doc.Head, doc.Plies
		return it
	}
	// Without a board, only the same bytes are the same game.
	it.entry.Kind = unknownKind
	it.entry.Key = xxh3.Hash(it.entry.Raw) | 1
	if len(it.entry.Raw) == 0 {
		it.entry.Key = xxh3.Hash(it.entry.Record) | 1
	}
	return it
}

// target returns the number of the game that an item is one with or linked to.
func target(items []*item, it *item) uint32 {
	for it.of.batch >= 0 && it.of.id == 0 {
		other := items[it.of.batch]
		if other.id != 0 {
			return other.id
		}
		it = other
	}
	return it.of.id
}

// change is one transaction on the store.
type change struct {
	*Shard
	tx      *catalog.Tx
	st      *state
	waiting []*index.Document
	files   []string // written, to be removed if all fails
}

// undo removes the tables of a change that failed.
func (c *change) undo() {
	for _, f := range c.files {
		os.Remove(filepath.Join(c.dir, segmentDir, f))
	}
}

// add stores the items. The tables are made while the catalogue stores the
// records: they need nothing of it but the numbers of the games, which are known
// beforehand.
func (c *change) add(items []*item, b *Batch) error {
	var entries []catalog.Entry
	next := c.tx.NextID()
	for _, it := range items {
		if it.status == New || it.status == Twin {
			it.id = next
			next++
			entries = append(entries, it.entry)
		}
	}
	for _, it := range items {
		if it.status == Duplicate || it.status == Fuller {
			it.id = target(items, it)
		}
	}
	var tables []catalog.Segment
	done := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- fmt.Errorf("shard: internal error: %v", v)
			}
		}()
		var err error
		tables, err = c.place(c.documents(items))
		done <- err
	}()
	ids, err := c.tx.Add(entries)
	if failed := <-done; err == nil {
		err = failed
	}
	for _, seg := range tables {
		c.files = append(c.files, seg.File)
	}
	if err != nil {
		return err
	}
	if len(ids) > 0 && ids[len(ids)-1] != next-1 {
		return fmt.Errorf("shard: internal error: games were to end with number %d, not %d", next-1, ids[len(ids)-1])
	}
	// Replacing marks games dead in the tables there are: the new ones come
	// after it.
	if err := c.settle(items); err != nil {
		return err
	}
	for _, seg := range tables {
		if _, err := c.tx.AddSegment(seg); err != nil {
			return err
		}
	}
	if err := c.manifest(); err != nil {
		return err
	}
	if b.Collection != 0 {
		var all []uint32
		for _, it := range items {
			all = append(all, it.id)
		}
		if err := c.tx.Collect(b.Collection, all); err != nil {
			return err
		}
	}
	for _, in := range b.Inputs {
		if err := c.tx.MarkInput(in); err != nil {
			return err
		}
	}
	return nil
}

// documents returns what of the items is to be indexed, by rising numbers: of
// several records of a game, the last that takes its place.
func (c *change) documents(items []*item) []*index.Document {
	last := map[uint32]*index.Document{} // of games with several
	var list []*index.Document
	for _, it := range items {
		if it.status == Fuller {
			last[it.id] = it.doc
			c.bury([]uint32{it.id})
		}
	}
	for _, it := range items {
		if it.status == Duplicate || it.doc == nil {
			continue
		}
		if doc, several := last[it.id]; several && doc != it.doc {
			continue
		}
		it.doc.Game = it.id
		list = append(list, it.doc)
	}
	slices.SortFunc(list, func(x, y *index.Document) int { return int(x.Game) - int(y.Game) })
	return list
}

// settle notes sources of duplicates, links twins, and replaces records by
// fuller ones.
func (c *change) settle(items []*item) error {
	for _, it := range items {
		var err error
		switch it.status {
		case Twin:
			if of := target(items, it); of != it.id {
				err = c.tx.Link(it.id, of, it.why)
			}
		case Fuller:
			err = c.tx.Replace(it.id, it.entry)
		case Duplicate:
			_, err = c.tx.AddSource(it.id, it.entry.Source)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bury takes games out of those that wait. In tables the catalogue marks them
// dead by itself when it replaces them.
func (c *change) bury(ids []uint32) {
	c.waiting = slices.DeleteFunc(c.waiting, func(d *index.Document) bool { return slices.Contains(ids, d.Game) })
}

// place puts documents where they can be found: many of a kind into a table,
// a few into the waiting ones, which get tables when they have become many. It
// returns the tables that it wrote, even beside an error.
func (c *change) place(docs []*index.Document) (tables []catalog.Segment, err error) {
	many := map[*index.Kind]int{}
	for _, d := range docs {
		many[d.Kind]++
	}
	bs := builders{lines: many}
	for _, d := range docs {
		if many[d.Kind] >= c.options.tableLines {
			bs.add(d)
		} else {
			d.Detach()
			c.waiting = append(c.waiting, d)
		}
	}
	if len(c.waiting) > c.options.tableLines {
		for _, d := range c.waiting {
			bs.add(d)
		}
		c.waiting = nil
	}
	for _, b := range bs.list {
		seg, err := c.writeFile(b)
		if err != nil {
			return tables, err
		}
		tables = append(tables, seg)
	}
	return tables, nil
}

// manifest brings the list of waiting games up to date.
func (c *change) manifest() error {
	var before, now []uint32
	for _, d := range c.st.waiting {
		before = append(before, d.Game)
	}
	for _, d := range c.waiting {
		now = append(now, d.Game)
	}
	if err := c.tx.SetWaiting(before, false); err != nil {
		return err
	}
	return c.tx.SetWaiting(now, true)
}

// writeFile writes the table of a builder and returns its row of the manifest.
func (s *Shard) writeFile(b *builder) (catalog.Segment, error) {
	var salt [8]byte
	rand.Read(salt[:])
	name := fmt.Sprintf("%s-%s.seg", slug(b.kind.Name), hex.EncodeToString(salt[:]))
	seg := catalog.Segment{Kind: b.kind.Name, Variations: b.variations, File: name, Lines: b.len(), Version: tableVersion}
	seg.Games = roaring.BitmapOf(b.columns.Games()...)
	w, err := segment.Create(filepath.Join(s.dir, segmentDir), name, tableKind, tableVersion)
	if err != nil {
		return seg, err
	}
	defer w.Abort()
	b.write(w)
	info, err := w.Commit()
	seg.Bytes = info.Size
	return seg, err
}

// slug makes a file name of a kind.
func slug(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c == ' ' || c == '/' || c == '\\' || c == ':' {
			out[i] = '-'
		}
	}
	return string(out)
}

// Delete deletes games. It needs no table: the catalogue notes itself which games
// of which tables are dead.
func (s *Shard) Delete(ctx context.Context, ids []uint32) error {
	s.write.Lock()
	defer s.write.Unlock()
	var waiting []*index.Document // nil where they are not known
	if st, err := s.current(ctx); err == nil {
		gone := roaring.BitmapOf(ids...)
		waiting = slices.DeleteFunc(slices.Clone(st.waiting), func(d *index.Document) bool { return gone.Contains(d.Game) })
		st.release()
	}
	if err := s.cat.Update(ctx, func(tx *catalog.Tx) error { return tx.Delete(ids) }); err != nil {
		return err
	}
	s.known = nil
	s.wakeMerge()
	if waiting == nil || s.publish(context.WithoutCancel(ctx), waiting) != nil {
		s.forget()
	}
	return nil
}
