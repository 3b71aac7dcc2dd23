package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
)

// writer is what a cluster that is open for writing remembers.
type writer struct {
	turn chan struct{} // holds a token while somebody writes
	id   uint32        // names it in the log

	// Whoever has the turn may use these.
	seq       uint32
	low, high uint32                   // numbers that were claimed and are not used
	pending   map[int][]*ledger.Commit // rows of the log that shards lack
	shorts    shorts
}

func newWriter() writer {
	// Rows of the log are known by both numbers. A library may have more writers in
	// its life than names are sure to be different, so that the other is random too.
	return writer{turn: make(chan struct{}, 1), id: rand.Uint32(), seq: rand.Uint32(), pending: map[int][]*ledger.Commit{}}
}

// maxBatch is how many documents a commit may have: their numbers are of one
// block.
const maxBatch = 1<<claimBits - 1

// enter waits for the turn to write and returns what there is. The caller calls
// leave.
func (c *Cluster) enter(ctx context.Context, write bool) (*ledger.State, error) {
	if write && c.options.ReadOnly {
		return nil, fmt.Errorf("cluster: %w: open it for writing", store.ErrReadOnly)
	}
	select {
	case c.writer.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	st, err := c.Fresh(ctx)
	if err == nil && write {
		err = c.settlePending(ctx)
	}
	if err != nil {
		c.leave()
	}
	return st, err
}

func (c *Cluster) leave() { <-c.writer.turn }

// settlePending writes the rows of the log that could not be written when they were due.
func (c *Cluster) settlePending(ctx context.Context) error {
	for i, rows := range c.writer.pending {
		if err := ledger.PutCommits(ctx, c.Shards[i], rows); err != nil {
			return err
		}
		delete(c.writer.pending, i)
	}
	return nil
}

// Add adds a batch of records: all of it, or after an error nothing. One batch is
// added at a time. Collections and inputs are not for servers: whoever keeps them
// looks after those.
//
// Two writers that add the same game at the same time may both find it new.
func (c *Cluster) Add(ctx context.Context, b store.Batch) ([]store.Added, error) {
	if len(b.Records) > maxBatch {
		return nil, fmt.Errorf("cluster: %d records at once are too many: add at most %d", len(b.Records), maxBatch)
	}
	st, err := c.enter(ctx, !b.DryRun)
	if err != nil {
		return nil, err
	}
	defer c.leave()
	repeats := false
	for try := 1; ; try++ {
		items := dedupe.Items(b.Records, c.kinds)
		existing, err := c.newExisting(ctx, st, items)
		if err != nil {
			return nil, err
		}
		if err := dedupe.Sift(ctx, existing, items); err != nil {
			return nil, err
		}
		if b.DryRun {
			return dedupe.Foretell(items), nil
		}
		a := &addition{Cluster: c, State: st, existing: existing, items: items, numbers: b.Numbers, again: b.Again, repeats: repeats}
		switch err := a.run(ctx); {
		case err == nil:
			return dedupe.Tell(items), nil
		case try == addTries || !errors.Is(err, wire.ErrUnshared) && !errors.Is(err, errUncleared):
			return nil, err
		default:
			repeats = true
			c.Logf("a batch is written again: %v", err)
		}
	}
}

// addTries is how often a batch is written of which one replica alone had a block.
const addTries = 3

// addition is a batch on its way into the tables.
type addition struct {
	*Cluster
	*ledger.State
	existing  *existing
	items     []*dedupe.Item
	numbers   []uint32 // that the records have already; nil for none
	again     bool     // they may have been sent before
	row       ledger.Commit
	documents []document // by rising numbers

	repeats bool // replicas are to take blocks that they had before: see verify
	mu      sync.Mutex
	cleared map[*wire.Shard]bool           // shards from which an earlier try was removed
	sent    map[*wire.Shard]map[string]int // rows that were written to each table
}

func (a *addition) run(ctx context.Context) error {
	if err := a.number(ctx); err != nil {
		return err
	}
	places, err := a.places(ctx)
	if err != nil {
		return err
	}
	if err := a.tally(ctx); err != nil {
		return err
	}
	if err := a.clear(ctx); err != nil {
		return err
	}
	err = a.Each(ctx, "writing", func(s *wire.Shard) error {
		s.Probe(ctx)
		return together(
			func() error { return a.Documents(ctx, s) },
			func() error { return places.put(ctx, s) },
			func() error { return a.links(ctx, s) },
		)
	})
	if err != nil || len(a.documents) == 0 {
		return err
	}
	err = a.Each(ctx, "bringing replicas up to date", func(s *wire.Shard) error { return s.Sync(ctx, a.Replicated) })
	if err != nil {
		return err
	}
	if err := a.verify(ctx); err != nil {
		return err
	}
	rows := a.runs()
	if err := a.commit(ctx, rows...); err != nil {
		return err
	}
	a.writer.shorts.add(rows, a.documents)
	return nil
}

// clear removes what an earlier try has left of records that have numbers already:
// it was killed, or failed, and would be there twice.
func (a *addition) clear(ctx context.Context) error {
	if a.numbers == nil || !a.again {
		return nil
	}
	mine := roaring.New()
	for _, p := range a.documents {
		if !a.Has(p.number) {
			mine.Add(p.number)
		}
	}
	where := fmt.Sprintf(" >= %d AND %%[1]s < %d", a.row.Low, a.row.High)
	return a.Each(ctx, "looking for what was left", func(s *wire.Shard) error {
		left := roaring.New()
		for _, t := range tables {
			var list []uint32
			var n uint32
			err := s.Read(ctx, "looking for what was left", func(line wire.Conn) error {
				list = nil
				return line.Query(ctx, fmt.Sprintf("SELECT DISTINCT %[1]s AS n FROM "+t.name+" WHERE %[1]s"+where, t.within), func() error { list = append(list, n); return nil }, &n)
			})
			if err != nil {
				return err
			}
			left.AddMany(list)
		}
		if left.And(mine); left.IsEmpty() {
			return nil
		}
		a.mu.Lock()
		if a.cleared == nil {
			a.cleared = map[*wire.Shard]bool{}
		}
		a.cleared[s] = true
		a.mu.Unlock()
		_, err := sweepShard(ctx, s, left, roaring.New())
		return err
	})
}

// errUncleared tells that there are other rows of a batch than were written.
var errUncleared = errors.New("what an interrupted import has left is not removed yet: try again in a minute")

// verify looks whether shards have the rows of records that have numbers already,
// and no others. An earlier try may have written the same, and it was removed since:
// servers do that in the background, some only after others came, and replicas
// take no block twice, though it was removed. All tables are looked at where that
// was done just now; else those for which it takes next to nothing.
func (a *addition) verify(ctx context.Context) error {
	if a.numbers == nil {
		return nil
	}
	return a.Each(ctx, "looking for what was left", func(s *wire.Shard) error {
		var list []uint32
		for _, p := range a.documents {
			if a.home(p.number) == s {
				list = append(list, p.number)
			}
		}
		if len(list) == 0 {
			return nil
		}
		if a.cleared[s] {
			if err := settleShard(ctx, s); err != nil {
				return err
			}
		}
		for i := range tables {
			t := &tables[i]
			if !a.cleared[s] && t.name != "game" && t.name != "line" {
				continue
			}
			where := t.of(&a.row)
			if t.within == "doc" {
				where = "doc IN (" + wire.Numbers(list) + ")"
			}
			var n uint64
			err := s.Read(ctx, "looking for what was left", func(line wire.Conn) error {
				return line.Query(ctx, "SELECT count() AS n FROM "+t.name+" WHERE "+where, func() error { return nil }, &n)
			})
			if err == nil && n != uint64(a.sent[s][t.name]) {
				err = fmt.Errorf("cluster: %v: the table %s: %w", s, t.name, errUncleared)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// of is the condition that rows of a table are those of a commit, whose numbers
// are in a row.
func (t *table) of(r *ledger.Commit) string {
	return fmt.Sprintf("%s >= %d AND %s < %d", t.within, r.Low, t.within, r.High)
}

// runs returns the commit as rows of the log, one for each run of numbers: those
// in between may be of documents that come later, or never.
func (a *addition) runs() []*ledger.Commit {
	rows := []*ledger.Commit{&a.row}
	last := &a.row
	last.Low, last.High = a.documents[0].number, a.documents[0].number
	for _, p := range a.documents {
		if p.number != last.High {
			last = &ledger.Commit{Low: p.number}
			rows = append(rows, last)
		}
		last.High = p.number + 1
	}
	return rows
}

// together runs functions at the same time and returns the first error.
func together(list ...func() error) error {
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	for i, f := range list {
		wait.Go(func() { errs[i] = f() })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// number gives numbers to documents and games. Documents that take the place of
// stored ones come behind the new games.
func (a *addition) number(ctx context.Context) error {
	fresh, replaced := 0, map[uint32]bool{}
	for _, it := range a.items {
		switch it.Status {
		case store.StatusNew, store.StatusTwin:
			fresh++
		case store.StatusFuller:
			if id := replaces(a.items, it); id != 0 {
				replaced[id] = true
			}
		}
	}
	low, n := uint32(0), fresh+len(replaced)
	next := uint32(0)
	switch {
	case a.numbers == nil:
		if n > 0 {
			var err error
			if low, err = a.take(ctx, n); err != nil {
				return err
			}
		}
		next = dedupe.Number(a.items, low)
		a.row.Low, a.row.High = low, low+uint32(n)
	case len(replaced) > 0:
		return fmt.Errorf("cluster: a record with a number would take the place of game %d: add it without one", slices.Sorted(maps.Keys(replaced))[0])
	default:
		dedupe.NumberAs(a.items, a.numbers)
		a.row.Low, a.row.High = a.numbers[0], a.numbers[len(a.numbers)-1]+1
	}
	now := uint32(time.Now().Unix())
	for _, it := range dedupe.Standing(a.items) {
		p := document{number: it.ID, added: now, Item: it}
		if replaced[it.ID] {
			p.number, p.added = next, a.existing.added(it.ID)
			a.row.Docs, a.row.Games = append(a.row.Docs, next), append(a.row.Games, it.ID)
			next++
		}
		a.documents = append(a.documents, p)
	}
	slices.SortFunc(a.documents, func(x, y document) int { return cmp.Compare(x.number, y.number) })
	for i := range a.documents {
		p := &a.documents[i]
		if p.run = p.number; i > 0 && a.documents[i-1].number+1 == p.number {
			p.run = a.documents[i-1].run
		}
	}
	if len(a.documents) != n {
		return fmt.Errorf("cluster: internal error: %d documents were to be stored, not %d", n, len(a.documents))
	}
	return nil
}

// replaces returns the stored game whose place a record takes, or 0 where that is
// a record of the batch.
func replaces(items []*dedupe.Item, it *dedupe.Item) uint32 {
	for it.Status == store.StatusFuller {
		if it.Of.ID != 0 {
			return it.Of.ID
		}
		it = items[it.Of.Batch]
	}
	return 0
}

// tally fills in what the commit does to the tally.
func (a *addition) tally(ctx context.Context) error {
	for _, game := range a.row.Games {
		a.row.Gone = append(a.row.Gone, a.Ledger.Standing(game)...)
	}
	add := func(p *document) {
		variations := 0
		if p.Doc != nil {
			variations = len(p.Doc.Lines) - 1
		}
		a.row.Count(p.Entry.Kind, 1, int64(variations), int64(p.Entry.Plies))
	}
	first := len(a.documents) - len(a.row.Docs) // of those that stand for older games
	for i := range a.documents[first:] {
		add(&a.documents[first+i])
	}
	sums := ledger.Commit{}
	for i := range a.documents[:first] {
		p := &a.documents[i]
		at := slices.Index(sums.Kinds, p.Entry.Kind)
		if at < 0 {
			at = len(sums.Kinds)
			sums.Count(p.Entry.Kind, 0, 0, 0)
		}
		sums.Main[at]++
		sums.Plies[at] += int64(p.Entry.Plies)
		if p.Doc != nil {
			sums.Variations[at] += int64(len(p.Doc.Lines) - 1)
		}
	}
	for i, kind := range sums.Kinds {
		a.row.Count(kind, sums.Main[i], sums.Variations[i], sums.Plies[i])
	}
	return a.takeAway(ctx, &a.row)
}

// takeAway adds to a row what the documents take from the tally that it says are
// gone.
func (c *Cluster) takeAway(ctx context.Context, r *ledger.Commit) error {
	have := map[uint32]*ledger.Edition{}
	var mu sync.Mutex
	for block := range slices.Chunk(r.Gone, listBlock) {
		err := c.Each(ctx, "counting what goes", func(s *wire.Shard) error {
			return s.Read(ctx, "counting what goes", func(db wire.Conn) error {
				var v ledger.Edition
				var plies uint32
				var lines uint64
				in := wire.Numbers(block)
				kinds := map[string]bool{}
				err := db.Query(ctx, "SELECT doc, kind, plies FROM game WHERE doc IN ("+in+")", func() error {
					mu.Lock()
					defer mu.Unlock()
					have[v.Doc] = &ledger.Edition{Doc: v.Doc, Kind: v.Kind, Share: ledger.Share{Main: 1, Plies: int64(plies)}}
					kinds[wire.Quote(v.Kind)] = true
					return nil
				}, &v.Doc, &v.Kind, &plies)
				if err != nil || len(kinds) == 0 {
					return err
				}
				of := strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")
				return db.Query(ctx, "SELECT doc, count() AS lines FROM line WHERE kind IN ("+of+") AND side = 1 AND doc IN ("+in+") GROUP BY doc", func() error {
					mu.Lock()
					defer mu.Unlock()
					if d := have[v.Doc]; d != nil {
						d.Variations = int64(lines)
					}
					return nil
				}, &v.Doc, &lines)
			})
		})
		if err != nil {
			return err
		}
	}
	for _, doc := range r.Gone {
		v := have[doc]
		if v == nil {
			v = &ledger.Edition{Kind: dedupe.UnknownKind} // its row is lost
		}
		r.Count(v.Kind, -v.Main, -v.Variations, -v.Plies)
	}
	return nil
}

// listBlock is how many numbers stand in one statement.
const listBlock = 1 << 14

// home returns the shard that rows of a number are written to.
func (c *Cluster) home(number uint32) *wire.Shard {
	return c.Shards[board.Mix(uint64(number))%uint64(len(c.Shards))]
}

// Documents writes the rows of the documents that go to a shard: their tables at
// the same time, made on as many cores as there are.
func (a *addition) Documents(ctx context.Context, s *wire.Shard) error {
	part := &shardBatch{folded: map[string]string{}}
	for _, p := range a.documents {
		if a.home(p.number) == s {
			part.documents = append(part.documents, p)
		}
	}
	if len(part.documents) == 0 {
		return nil
	}
	if a.cleared[s] || a.repeats {
		ctx = wire.WithRepeats(ctx)
	}
	fold(part.folded, part.documents)
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	jobs := make([]func() error, len(tables))
	for i := range tables {
		t := &tables[i]
		jobs[i] = func() error {
			cores <- struct{}{}
			defer func() { <-cores }()
			sent := 0
			for b := range t.build(part) {
				<-cores
				err := a.insertRows(ctx, s, t, b, &a.row, sent)
				cores <- struct{}{}
				if err != nil {
					return err
				}
				sent += b.rows
			}
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.sent == nil {
				a.sent = map[*wire.Shard]map[string]int{}
			}
			if a.sent[s] == nil {
				a.sent[s] = map[string]int{}
			}
			a.sent[s][t.name] = sent
			return nil
		}
	}
	return together(jobs...)
}

// insertRows writes a block of a table, behind so many rows of the same commit.
func (c *Cluster) insertRows(ctx context.Context, s *wire.Shard, t *table, b block, r *ledger.Commit, sent int) error {
	where := t.of(r)
	doubt, err := s.InsertOnce(ctx, t.name, t.columns, b.columns, where, uint64(sent+b.rows))
	if err != nil || !doubt || t.name != "feat" || !c.caps.Bitmaps {
		return err
	}
	// The server may have died when it had the rows, and had not passed them on.
	return s.Write(ctx, "writing the table bits", func(db wire.Conn) error { return db.Exec(s.Everywhere(ctx), ledger.FillBits(where)) })
}

// commit writes rows to the log of every shard, as one block. From the first
// shard on the batch counts: the context ends it no more, and a shard that cannot
// be reached gets its rows later.
func (c *Cluster) commit(ctx context.Context, rows ...*ledger.Commit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	for _, r := range rows {
		c.writer.seq++
		r.Writer, r.Seq = c.writer.id, c.writer.seq
	}
	errs := make([]error, len(c.Shards))
	var wait sync.WaitGroup
	for i, s := range c.Shards {
		wait.Go(func() { errs[i] = ledger.PutCommits(ctx, s, rows) })
	}
	wait.Wait()
	var failed error
	written := false
	for i, err := range errs {
		switch {
		case err == nil:
			written = true
		default:
			c.writer.pending[i] = append(c.writer.pending[i], rows...)
			if failed == nil || !wire.IsDown(err) {
				failed = err
			}
		}
	}
	if !written {
		clear(c.writer.pending)
		return fmt.Errorf("cluster: the commit failed, and it is not sure whether it counts: do it again, what is there already will be found: %w", failed)
	}
	c.Ledger.Fold(c.kinds, rows)
	if failed != nil && !wire.IsDown(failed) {
		// Not wrapped: it counts, and nobody must write it again because of errUnshared.
		return fmt.Errorf("cluster: the batch is stored, but a shard did not note it, which is repaired with the next batch: %v", failed)
	}
	return nil
}

// Delete deletes games. Numbers without a game are passed over.
func (c *Cluster) Delete(ctx context.Context, ids []uint32) error {
	st, err := c.enter(ctx, true)
	if err != nil {
		return err
	}
	defer c.leave()
	var r ledger.Commit
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		if _, ok := st.Doc(id); ok {
			r.Gone = append(r.Gone, c.Ledger.Standing(id)...)
		}
	}
	if len(r.Gone) == 0 {
		return nil
	}
	if err := c.takeAway(ctx, &r); err != nil {
		return err
	}
	return c.commit(ctx, &r)
}

// place is where a game was found.
type place struct {
	game uint32
	store.Source
}

// placeList is places to be noted, by the shard that they go to.
type placeList [][]place

// places returns the places of the batch that are not known yet: all but those of
// the records that the games have now.
func (a *addition) places(ctx context.Context) (placeList, error) {
	known := map[place]bool{}
	standing := map[uint32]bool{}
	for _, p := range a.documents {
		known[place{p.ID, p.Entry.Source}] = true
		standing[p.ID] = true
	}
	var list []place
	var stored []uint32
	for _, it := range a.items {
		first, ok := a.existing.place(it.ID)
		switch old := (place{it.ID, first}); {
		case !ok:
		case standing[it.ID]:
			list = append(list, old) // of the record that gives way
		default:
			known[old] = true
		}
		if ok {
			stored = append(stored, it.ID)
		}
		list = append(list, place{it.ID, it.Entry.Source})
	}
	list = slices.DeleteFunc(list, func(p place) bool { return known[p] })
	if len(list) == 0 {
		return nil, nil
	}
	asked := map[uint32]bool{}
	for _, p := range list {
		asked[p.game] = true
	}
	stored = slices.DeleteFunc(stored, func(id uint32) bool { return !asked[id] })
	noted, err := a.furtherPlaces(ctx, stored)
	if err != nil {
		return nil, err
	}
	for _, p := range noted {
		known[p] = true
	}
	out := make(placeList, len(a.Shards))
	for _, p := range list {
		if !known[p] {
			known[p] = true
			at := a.home(p.game).Number
			out[at] = append(out[at], p)
		}
	}
	return out, nil
}

// put writes the places that go to a shard. They are a set: one that is written
// twice counts once.
func (l placeList) put(ctx context.Context, s *wire.Shard) error {
	if l == nil || len(l[s.Number]) == 0 {
		return nil
	}
	rows := l[s.Number]
	slices.SortStableFunc(rows, func(x, y place) int { return int(x.game) - int(y.game) })
	columns := []any{
		column(rows, func(p *place) uint32 { return p.game }),
		column(rows, func(p *place) string { return p.File }),
		column(rows, func(p *place) uint32 { return uint32(p.Number) }),
		column(rows, func(p *place) int64 { return p.Offset }),
	}
	return s.Write(ctx, "writing the table source", func(db wire.Conn) error {
		return db.Insert(ctx, "source", []string{"game", "file", "number", "offset"}, columns)
	})
}

// links writes the links of twins that go to a shard: each game of a pair has
// one.
func (a *addition) links(ctx context.Context, s *wire.Shard) error {
	var game, other []uint32
	var why []string
	for _, it := range a.items {
		if it.Status != store.StatusTwin {
			continue
		}
		of := dedupe.Target(a.items, it)
		for _, pair := range [][2]uint32{{it.ID, of}, {of, it.ID}} {
			if pair[0] != pair[1] && a.home(pair[0]) == s {
				game, other, why = append(game, pair[0]), append(other, pair[1]), append(why, it.Why)
			}
		}
	}
	if len(game) == 0 {
		return nil
	}
	return s.Write(ctx, "writing the table link", func(db wire.Conn) error {
		return db.Insert(ctx, "link", []string{"game", "other", "why"}, []any{game, other, why})
	})
}
