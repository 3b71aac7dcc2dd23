package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/klauspost/compress/s2"

	"qipu/index"
	"qipu/interval"
	"qipu/remedy"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// A page is main lines of one kind that came together, as the block that
// questions are decided on. Where many lines of it are wanted it takes a fraction
// of the time to fetch the page: to put a block together from single lines costs
// more than all else.
const (
	// pagesAtOnce is how many pages are fetched at a time, of Lanes lines each.
	pagesAtOnce = 8

	// densePage is which part of the lines of a page must be wanted, one in so
	// many, to fetch it.
	densePage = 3

	// openBytes is what the pages that are kept may take. Where all of a kind would
	// take more, none is: one after the other would push out the next.
	openBytes = 128 << 20
)

// pageKey names the pages of a kind on a shard.
type pageKey struct {
	shard int
	kind  string
}

// pageAt tells where a page is: its first document names it.
type pageAt struct {
	low, last uint32
	lines     uint16
}

// pageList is where the pages of an extent are, by rising documents. No two of
// them overlap.
type pageList struct {
	ledger.Extent
	pages []pageAt
}

// pageBytes is what one takes in a list, and listBytes what all lists may take.
const (
	pageBytes = 12
	listBytes = 64 << 20
)

// pagesOf returns where the pages of a shard are.
func (sc *scan) pagesOf(ctx context.Context, s *wire.Shard) ([]pageAt, error) {
	key := pageKey{s.Number, sc.plan.Kind.Name}
	old, _ := sc.Index.pages.get(key)
	gap := sc.now.Spans.Without(old.Extent)
	if len(gap) == 0 {
		return old.pages, nil
	}
	if len(gap) > mostGaps {
		old, gap = pageList{}, sc.now.Spans
	}
	var list []pageAt
	err := s.Read(ctx, "pages", func(db wire.Conn) error {
		list = slices.Clone(old.pages)
		var p pageAt
		sql := fmt.Sprintf("SELECT low, last, lines FROM page WHERE kind = %s AND %s", wire.Quote(key.kind), gap.Where("low"))
		return db.Query(ctx, sql, func() error {
			if sc.now.Spans.Has(p.low) && !old.Has(p.low) {
				list = append(list, p)
			}
			return nil
		}, &p.low, &p.last, &p.lines)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(x, y pageAt) int { return cmp.Compare(x.low, y.low) })
	for i := 1; i < len(list); i++ {
		if list[i].low <= list[i-1].last {
			return nil, remedy.For(fmt.Errorf("cluster: %v: the pages of documents %d and %d overlap", s, list[i-1].low, list[i].low), remedy.Check)
		}
	}
	all := pageList{sc.now.Spans, list}
	sc.Index.pages.put(key, all, pageBytes*len(list)+256, func(there pageList) bool { return there.Size() > all.Size() })
	return list, nil
}

// Read fetches what is wanted and sends it as batches, in order: pages where many
// of their lines are, or where they are here anyway, and single lines elsewhere.
func (sc *scan) Read(ctx context.Context, s *wire.Shard, ch *choice, emit func(*index.Batch, uint64) error) error {
	if ch.side == 1 || sc.plan.Facts || len(sc.keys) > 0 || ch.docs.IsEmpty() {
		return sc.fetch(ctx, s, ch, emit)
	}
	pages, err := sc.pagesOf(ctx, s)
	if err != nil {
		return err
	}
	var chosen []pageAt
	next, single := uint64(0), uint64(0) // what was sent, and how many single lines wait
	for _, p := range pages {
		n := ch.wanted(uint64(p.low), uint64(p.last)+1)
		switch {
		case n == 0:
			continue
		case ch.anywhere || n*densePage >= uint64(p.lines) || sc.here(s, p.low):
			chosen = append(chosen, p)
		default:
			single += n
		}
		if len(chosen) == pagesAtOnce || single >= chunkLines {
			if err := sc.turn(ctx, s, ch, next, uint64(p.last)+1, chosen, emit); err != nil {
				return err
			}
			chosen, next, single = chosen[:0], uint64(p.last)+1, 0
		}
	}
	return sc.turn(ctx, s, ch, next, 1<<32, chosen, emit)
}

// wanted returns how many documents are wanted from one number on, below another.
func (ch *choice) wanted(low, high uint64) uint64 {
	n := ch.docs.Rank(uint32(high - 1))
	if low > 0 {
		n -= ch.docs.Rank(uint32(low - 1))
	}
	return n
}

// turn sends what is wanted from one document on, below another: some pages, and
// the lines of all other documents. Where nobody was asked which documents the
// shard has, the pages have all.
func (sc *scan) turn(ctx context.Context, s *wire.Shard, ch *choice, low, high uint64, pages []pageAt, emit func(*index.Batch, uint64) error) error {
	var items []item
	gather := func(b *index.Batch, key uint64) error {
		items = append(items, item{b, key})
		return nil
	}
	if !ch.anywhere {
		rest := *ch
		rest.docs = roaring.New()
		rest.docs.AddRange(low, high)
		for _, p := range pages {
			rest.docs.RemoveRange(uint64(p.low), uint64(p.last)+1)
		}
		if rest.docs.And(ch.docs); len(pages) == 0 {
			return sc.fetch(ctx, s, &rest, emit)
		}
		if err := sc.fetch(ctx, s, &rest, gather); err != nil {
			return err
		}
	}
	if err := sc.send(ctx, s, ch, pages, gather); err != nil {
		return err
	}
	slices.SortFunc(items, func(x, y item) int { return cmp.Compare(x.key, y.key) })
	for _, it := range items {
		if err := emit(it.batch, it.key); err != nil {
			return err
		}
	}
	return nil
}

// openKey names a page of a shard.
type openKey struct {
	pageKey
	low uint32
}

// openPage is a page that was fetched. It is never changed.
type openPage struct {
	docs  []uint32 // of the lanes
	block *interval.Block
}

func (sc *scan) openKey(s *wire.Shard, low uint32) openKey {
	return openKey{pageKey{s.Number, sc.plan.Kind.Name}, low}
}

// here reports whether a page is kept.
func (sc *scan) here(s *wire.Shard, low uint32) bool {
	_, ok := sc.Leaves.get(sc.openKey(s, low))
	return ok
}

// send sends the lines of pages that are wanted.
func (sc *scan) send(ctx context.Context, s *wire.Shard, ch *choice, pages []pageAt, emit func(*index.Batch, uint64) error) error {
	list, err := sc.opened(ctx, s, pages)
	if err != nil {
		return err
	}
	wanted := roaring.New()
	for _, p := range list {
		wanted.AddMany(p.docs)
	}
	wanted.And(ch.docs)
	known, err := sc.factsOf(ctx, s, &index.Lookup{Kind: sc.plan.Kind, Columns: sc.plan.Columns}, wanted)
	if err != nil {
		return err
	}
	batches := make([]*index.Batch, len(list))
	err = sc.inParallel(len(list), func(i int) (err error) {
		batches[i], err = list[i].batch(wanted, known)
		return err
	})
	if err != nil {
		return fmt.Errorf("cluster: %v: %w", s, err)
	}
	for i, b := range batches {
		if b.Lanes.Empty() {
			continue
		}
		if err := emit(b, uint64(pages[i].low)); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// inParallel does several things, as many at once as there are cores. All of them
// have ended when it returns.
func (sc *scan) inParallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		sc.cores <- struct{}{} // which frees soon: nobody who has one waits
		wait.Go(func() {
			defer func() { <-sc.cores }()
			errs[i] = do(i)
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// opened returns pages, and fetches those that are not kept.
func (sc *scan) opened(ctx context.Context, s *wire.Shard, pages []pageAt) ([]openPage, error) {
	list := make([]openPage, len(pages))
	var lack []uint32
	for i, p := range pages {
		var ok bool
		if list[i], ok = sc.Leaves.get(sc.openKey(s, p.low)); !ok {
			lack = append(lack, p.low)
		}
	}
	if len(lack) == 0 {
		return list, nil
	}
	docs, bodies := make([]string, len(pages)), make([]string, len(pages))
	err := s.Read(ctx, "pages", func(db wire.Conn) error {
		clear(bodies)
		var low uint32
		var numbered, body string
		sql := fmt.Sprintf("SELECT low, docs, body FROM page WHERE kind = %s AND low IN (%s)", wire.Quote(sc.plan.Kind.Name), wire.Numbers(lack))
		return db.Query(ctx, sql, func() error {
			i := sort.Search(len(pages), func(i int) bool { return pages[i].low >= low })
			if i < len(pages) && pages[i].low == low {
				docs[i], bodies[i] = numbered, body
			}
			return nil
		}, &low, &numbered, &body)
	})
	if err != nil {
		return nil, err
	}
	keep := int64(sc.tally.Games)*1024 < openBytes
	err = sc.inParallel(len(pages), func(i int) error {
		if list[i].block != nil {
			return nil
		}
		data, err := s2.Decode(nil, []byte(bodies[i]))
		if err == nil {
			list[i].docs = unpack(docs[i])
			list[i].block, err = interval.Open(data)
		}
		if err == nil && list[i].block.N != len(list[i].docs) {
			err = fmt.Errorf("it has %d lines of %d documents", list[i].block.N, len(list[i].docs))
		}
		if err != nil {
			return remedy.For(fmt.Errorf("cluster: %v: the page of document %d cannot be read: %w", s, pages[i].low, err), remedy.Check)
		}
		if keep {
			sc.Leaves.put(sc.openKey(s, pages[i].low), list[i], len(data)+4*len(list[i].docs)+512, func(openPage) bool { return true })
		}
		return nil
	})
	return list, err
}

// unpack is the reverse of leaf.docs.
func unpack(text string) []uint32 {
	docs := make([]uint32, len(text)/4)
	for i := range docs {
		docs[i] = uint32(text[4*i]) | uint32(text[4*i+1])<<8 | uint32(text[4*i+2])<<16 | uint32(text[4*i+3])<<24
	}
	return docs
}

// batch makes a batch of the lines of a page that are wanted.
func (p *openPage) batch(wanted *roaring.Bitmap, known []*facts) (*index.Batch, error) {
	out := &index.Batch{Main: true, Pages: 1, Block: p.block}
	var columns index.ColumnBuilder
	for lane, doc := range p.docs {
		if !wanted.Contains(doc) {
			columns.Add(0, &index.Facts{})
			continue
		}
		if f := factsAmong(known, doc); f != nil {
			if row, ok := f.row(doc); ok {
				columns.Copy(&f.columns, row)
				out.Lanes.Set(lane)
				continue
			}
		}
		columns.Add(0, &index.Facts{}) // its line is gone: it has been dead for long
	}
	var err error
	out.Columns, err = columnsFrom(&columns)
	return out, err
}
