package shard

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/record"
	"qipu/segment"
	"qipu/store"
	"qipu/store/dedupe"
	"qipu/store/shard/internal/catalog"
	"qipu/store/shard/internal/table"
)

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
func (s *Shard) Add(ctx context.Context, b store.Batch) ([]store.Added, error) {
	return mended(ctx, s, func() ([]store.Added, error) { return s.add(ctx, b) })
}

func (s *Shard) add(ctx context.Context, b store.Batch) ([]store.Added, error) {
	s.write.Lock()
	defer s.write.Unlock()
	if len(b.Records) > fewRecords || s.known != nil {
		if err := s.learn(ctx); err != nil {
			return nil, err
		}
	}
	items := dedupe.Items(b.Records, b.Prepared, s.kinds)
	if err := dedupe.Sift(ctx, existing{s}, items); err != nil {
		return nil, err
	}
	if b.DryRun {
		return dedupe.Foretell(items), nil
	}
	// What comes back and what is added are one change.
	ctx = store.Within(ctx, store.Deed{Key: "add:" + rand.Text(), Op: store.OpAdd})
	revived, err := s.revive(ctx, items)
	if err != nil {
		return nil, err
	}
	if revived != nil {
		if len(b.Records) > fewRecords {
			if err := s.learn(ctx); err != nil {
				return nil, err
			}
		}
		items = dedupe.Items(b.Records, b.Prepared, s.kinds)
		if err := dedupe.Sift(ctx, existing{s}, items); err != nil {
			return nil, err
		}
	}
	st, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	defer st.release()
	c := &change{Shard: s, st: st, waiting: slices.Clone(st.waiting), revived: revived}
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
			s.known.keys.add(it.Entry.Key)
			s.known.heads.add(it.Entry.Head)
		}
		s.known.crowds.Stored(items)
	}
	// The games are in the catalogue and acknowledged. Where they cannot be
	// shown, the next reader will find out why.
	if err := s.publish(context.WithoutCancel(ctx), c.waiting); err != nil {
		s.forget()
	}
	s.wakeMerge()
	return c.tell(items), nil
}

// tell returns what became of items. The first record of a game that it brought back out of
// the trash is a new one.
func (c *change) tell(items []*dedupe.Item) []store.Added {
	added := dedupe.Tell(items)
	if c.revived == nil {
		return added
	}
	left := c.revived.Clone()
	for i := range added {
		if a := &added[i]; a.Status == store.StatusDuplicate && left.CheckedRemove(a.ID) {
			a.Status = store.StatusNew
		}
	}
	return added
}

// change is one transaction on the store.
type change struct {
	*Shard
	tx      *catalog.Tx
	st      *state
	waiting []*index.Document
	layer   map[uint32][]store.Correction // of games whose records fuller ones take the place of
	files   []string                      // written, to be removed if all fails
	revived *roaring.Bitmap               // games that came back out of the trash for it; nil for none
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
func (c *change) add(items []*dedupe.Item, b *store.Batch) error {
	c.tx.Adds()
	next := dedupe.Number(items, c.tx.NextID())
	var entries []store.Entry
	var fuller []uint32
	for _, it := range items {
		if it.Status == store.StatusFuller {
			fuller = append(fuller, it.ID)
		}
	}
	var err error
	if c.layer, err = c.layers(context.Background(), fuller); err != nil {
		return err
	}
	for _, it := range items {
		if it.Status == store.StatusNew || it.Status == store.StatusTwin {
			entries = append(entries, it.Entry)
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
			all = append(all, it.ID)
		}
		if err := c.tx.Collect(b.Collection, all); err != nil {
			return err
		}
	}
	told := c.tell(items)
	c.tx.Tally(told)
	for _, in := range b.Noted(told) {
		if err := c.tx.MarkInput(in); err != nil {
			return err
		}
	}
	return nil
}

// documents returns what of the items is to be indexed, by rising numbers.
func (c *change) documents(items []*dedupe.Item) (list []*index.Document) {
	for _, it := range items {
		if it.Status == store.StatusFuller {
			c.bury([]uint32{it.ID})
		}
	}
	c.relayer(items)
	for _, it := range dedupe.Standing(items) {
		if it.Doc != nil {
			it.Doc.Game = it.ID
			list = append(list, it.Doc)
		}
	}
	return list
}

// relayer lays the corrections of games over the headers of records that take the places of
// theirs.
func (c *change) relayer(items []*dedupe.Item) {
	for _, it := range items {
		layer := c.layer[it.ID]
		if it.Status != store.StatusFuller || layer == nil {
			continue
		}
		it.Lay(layer)
	}
}

// settle notes sources of duplicates, links twins, and replaces records by
// fuller ones.
func (c *change) settle(items []*dedupe.Item) error {
	for _, it := range items {
		var err error
		switch it.Status {
		case store.StatusTwin:
			if of := dedupe.Target(items, it); of != it.ID {
				err = c.tx.Link(it.ID, of, it.Why)
			}
		case store.StatusFuller:
			err = c.tx.Replace(it.ID, it.Entry)
		case store.StatusDuplicate:
			_, err = c.tx.AddSource(it.ID, it.Entry.Source)
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
func (s *Shard) writeFile(b *table.Builder) (catalog.Segment, error) {
	var salt [8]byte
	rand.Read(salt[:])
	name := fmt.Sprintf("%s-%s.seg", slug(b.Kind.Name), hex.EncodeToString(salt[:]))
	seg := catalog.Segment{Kind: b.Kind.Name, Variations: b.Variations, File: name, Lines: b.Len(), Version: table.Version}
	seg.Games = roaring.BitmapOf(b.Columns.Games()...)
	w, err := segment.Create(filepath.Join(s.dir, segmentDir), name, table.Kind, table.Version)
	if err != nil {
		return seg, err
	}
	defer w.Abort()
	b.Write(w)
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

// Preparer returns a function that does the part of Add for a record that can
// be done ahead and elsewhere: see dedupe.Preparer.
func (s *Shard) Preparer() func(*record.Played) *store.Prepared { return dedupe.Preparer(s.kinds) }

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

// AddSources notes further places where games were found.
func (s *Shard) AddSources(ctx context.Context, places map[uint32][]store.Source) error {
	if len(places) == 0 {
		return nil
	}
	return s.cat.Update(ctx, func(tx *catalog.Tx) error {
		for _, id := range slices.Sorted(maps.Keys(places)) {
			for _, place := range places[id] {
				if _, err := tx.AddSource(id, place); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
