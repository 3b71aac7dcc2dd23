package data

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
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
)

// writer is what a cluster that is open for writing remembers.
type writer struct {
	turn chan struct{} // holds a token while somebody writes
	id   uint32        // names it in the log; never 0

	// Whoever has the turn may use these.
	seq       uint32
	low, high uint32                   // numbers that were claimed and are not used
	pending   map[int][]*ledger.Commit // rows of the log that shards lack
	held      uint64                   // the turn to commit that it has, or has asked for; 0 for none
	quit      func()                   // ends what tells others that the turn is in use; nil for none
	shorts    shorts
}

func newWriter() writer {
	// Rows of the log are known by both numbers. A library may have more writers in
	// its life than names are sure to be different, so that the other is random too.
	return writer{turn: make(chan struct{}, 1), id: max(1, rand.Uint32()), seq: rand.Uint32(), pending: map[int][]*ledger.Commit{}}
}

// key is what the row of the log is known by that was made last, or which a turn
// was taken for.
func (w *writer) key() uint64 { return (&ledger.Commit{Writer: w.id, Seq: w.seq}).Key() }

// rest is what to do when the turn to commit has ended, or is to be.
func (w *writer) rest() {
	w.held = 0
	if w.quit != nil {
		w.quit()
		w.quit = nil
	}
}

// MaxBatch is how many documents a commit may have: their numbers are of one
// block.
const MaxBatch = 1<<ClaimBits - 1

// enter waits for the turn to write and returns what there is. Whoever is to write
// has games joined first that are in doubt. The caller calls leave.
func (rs *Records) enter(ctx context.Context, write bool) (*ledger.State, error) {
	st, err := rs.begin(ctx, write)
	if err != nil || !write || len(st.Doubtful) == 0 {
		return st, err
	}
	joined, err := rs.settle(ctx, st, st.Doubt)
	if joined > 0 {
		rs.Logf("writers knew nothing of each other for a while: games that both brought, and that are one now: %d", joined)
	}
	if err == nil {
		st, err = rs.Fresh(ctx)
	}
	if err != nil {
		rs.leave()
	}
	return st, err
}

// begin is enter without looking into what is in doubt.
func (rs *Records) begin(ctx context.Context, write bool) (*ledger.State, error) {
	if write {
		if err := rs.Writable(); err != nil {
			return nil, err
		}
	}
	select {
	case rs.writer.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	st, err := rs.Fresh(ctx)
	if err == nil && write {
		err = rs.settlePending(ctx)
	}
	if err != nil {
		rs.leave()
	}
	return st, err
}

func (rs *Records) leave() { <-rs.writer.turn }

// settlePending writes the rows of the log that could not be written when they were due.
func (rs *Records) settlePending(ctx context.Context) error {
	for i, rows := range rs.writer.pending {
		if err := ledger.PutCommits(ctx, rs.Shards[i], rows); err != nil {
			return err
		}
		delete(rs.writer.pending, i)
	}
	return nil
}

// Add adds a batch of records: all of it, or after an error nothing. One batch is
// added at a time. Collections and inputs are not for servers: whoever keeps them
// looks after those.
//
// Writers of all processes commit one at a time: see takeTurn. With the turn in hand
// it is looked whether commits made since a batch was sifted bear on it. Then it is
// sifted anew, and what was written of it is left to be swept.
func (rs *Records) Add(ctx context.Context, b store.Batch) ([]store.Added, error) {
	return rs.add(ctx, b, false)
}

// Revive is Add for games that were deleted, and have their numbers again: their documents
// do not count any more, so that they get new ones.
func (rs *Records) Revive(ctx context.Context, b store.Batch) ([]store.Added, error) {
	return rs.add(ctx, b, true)
}

func (rs *Records) add(ctx context.Context, b store.Batch, revive bool) ([]store.Added, error) {
	if len(b.Records) > MaxBatch {
		return nil, fmt.Errorf("cluster: %d records at once are too many: add at most %d", len(b.Records), MaxBatch)
	}
	st, err := rs.enter(ctx, !b.DryRun)
	if err != nil {
		return nil, err
	}
	defer rs.leave()
	// What has numbers already cannot be left and written under others: such
	// batches, which are small, have the turn from the start.
	repeats, early := false, b.Numbers != nil
	for try, overtaken := 1, 0; ; {
		items := dedupe.Items(b.Records, b.Prepared, rs.Kinds())
		a := &addition{Records: rs, State: st, items: items, numbers: b.Numbers, repeats: repeats}
		if revive {
			a.numbers, a.games = nil, b.Numbers
		} else if b.Numbers != nil && !b.DryRun && (b.Again || try+overtaken > 1) {
			if a.State, err = rs.still(ctx); err == nil {
				a.cleared, err = rs.clear(ctx, a.State, b.Numbers)
			}
			if err != nil {
				return nil, err
			}
		}
		err := a.sifted(ctx, b.DryRun, early)
		switch {
		case err == nil && b.DryRun:
			return dedupe.Foretell(items), nil
		case err == nil:
			return dedupe.Tell(items), nil
		case errors.Is(err, errOvertaken):
			// Each time others got on. One whom that happens to often goes first.
			overtaken++
			early = early || overtaken == overtakenOften
			rs.Logf("a batch is sifted anew: %v", err)
		case try == addTries || !errors.Is(err, wire.ErrUnshared) && !errors.Is(err, ErrUncleared):
			return nil, err
		default:
			try++
			repeats = true
			rs.Logf("a batch is written again: %v", err)
		}
		if st, err = rs.Fresh(ctx); err != nil {
			return nil, err
		}
	}
}

// overtakenOften is how often a batch is overtaken before it has the turn from the
// start.
const overtakenOften = 3

// sifted sifts a batch and writes it, if it is not only to be told what would
// become of it. It may take the turn to commit before.
func (a *addition) sifted(ctx context.Context, dry, early bool) (err error) {
	if early && !dry {
		if err := a.takeTurn(ctx); err != nil {
			return err
		}
		defer a.endTurn(ctx)
		if a.State, err = a.Fresh(ctx); err != nil {
			return err
		}
	}
	if a.existing, err = a.newExisting(ctx, a.State, a.items); err != nil {
		return err
	}
	if err := dedupe.Sift(ctx, a.existing, a.items); err != nil || dry {
		return err
	}
	return a.run(ctx)
}

// addTries is how often a batch is written of which one replica alone had a block.
const addTries = 3

// addition is a batch on its way into the tables.
type addition struct {
	*Records
	*ledger.State
	existing  *existing
	items     []*dedupe.Item
	numbers   []uint32 // that the records have already; nil for none
	games     []uint32 // that the records are of, which were deleted; nil for none
	row       ledger.Commit
	documents []rows.Document // by rising numbers

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
	return a.store(ctx, places)
}

// store writes documents that have numbers, and commits them.
func (a *addition) store(ctx context.Context, places placeList) error {
	if err := a.tally(ctx); err != nil {
		return err
	}
	err := a.Each(ctx, "writing", func(s *wire.Shard) error {
		s.Probe(ctx)
		return wire.Together(
			func() error { return a.Documents(ctx, s) },
			func() error { return places.put(ctx, s) },
			func() error { return a.links(ctx, s) },
		)
	})
	if err != nil || len(a.documents) == 0 {
		return err
	}
	err = a.Each(ctx, "bringing replicas up to date", func(s *wire.Shard) error { return s.Sync(ctx, a.Replicated()) })
	if err != nil {
		return err
	}
	if err := a.verify(ctx); err != nil {
		return err
	}
	if a.writer.held == 0 {
		if err := a.takeTurn(ctx); err != nil {
			return err
		}
		defer a.endTurn(ctx)
	}
	if err := a.overtaken(ctx); err != nil {
		return err
	}
	rows := a.runs()
	if err := a.commit(ctx, rows...); err != nil {
		return err
	}
	a.writer.shorts.add(rows, a.documents)
	return nil
}

// still returns what there is when no writer that was killed can commit any more: one
// may have sent its commit before.
func (rs *Records) still(ctx context.Context) (*ledger.State, error) {
	if err := rs.takeTurn(ctx); err != nil {
		return nil, err
	}
	defer rs.endTurn(ctx)
	return rs.Fresh(ctx)
}

// clear removes what an earlier try has left of records that have numbers already: it
// was killed, or failed, and would be there twice. It returns the shards that had
// something. That takes long where servers fail, and others must not wait for it: the
// caller does not have the turn to commit, but had it since that try: see still.
func (rs *Records) clear(ctx context.Context, st *ledger.State, numbers []uint32) (map[*wire.Shard]bool, error) {
	mine := roaring.BitmapOf(slices.DeleteFunc(slices.Clone(numbers), st.Has)...)
	if mine.IsEmpty() {
		return nil, nil
	}
	var mu sync.Mutex
	cleared := map[*wire.Shard]bool{}
	where := fmt.Sprintf(" >= %d AND %%[1]s <= %d", mine.Minimum(), mine.Maximum())
	return cleared, rs.Each(ctx, "looking for what was left", func(s *wire.Shard) error {
		left := roaring.New()
		for _, t := range rows.Tables {
			var list []uint32
			var n uint32
			err := s.Read(ctx, "looking for what was left", func(line wire.Conn) error {
				list = nil
				return line.Query(ctx, fmt.Sprintf("SELECT DISTINCT %[1]s AS n FROM "+t.Name+" WHERE %[1]s"+where, t.Within), func() error { list = append(list, n); return nil }, &n)
			})
			if err != nil {
				return err
			}
			left.AddMany(list)
		}
		if left.And(mine); left.IsEmpty() {
			return nil
		}
		mu.Lock()
		cleared[s] = true
		mu.Unlock()
		// Another deletion does nothing while a server has not done those before it.
		if done, err := s.Settled(ctx, clearTime); err != nil || !done {
			return cmp.Or(err, fmt.Errorf("cluster: %v: %w", s, ErrUncleared))
		}
		_, err := sweepShard(ctx, s, left, roaring.New())
		return err
	})
}

// clearTime is how long a batch waits with the turn to commit, or before it sees to
// what an earlier try has left, for servers that do not get on with deleting.
const clearTime = 3 * time.Second

// ErrUncleared tells that there are other rows of a batch than were written. Servers
// remove them in the background.
var ErrUncleared = errors.New("what an interrupted import has left is not removed yet: try again in a minute")

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
			if a.Home(p.Number) == s {
				list = append(list, p.Number)
			}
		}
		if len(list) == 0 {
			return nil
		}
		if a.cleared[s] {
			if _, err := s.Settled(ctx, clearTime); err != nil {
				return err
			}
		}
		for i := range rows.Tables {
			t := &rows.Tables[i]
			if !a.cleared[s] && t.Name != "game" && t.Name != "line" {
				continue
			}
			where := t.Of(&a.row)
			if t.Within == "doc" {
				where = "doc IN (" + wire.Numbers(list) + ")"
			}
			var n uint64
			err := s.Read(ctx, "looking for what was left", func(line wire.Conn) error {
				return line.Query(ctx, "SELECT count() AS n FROM "+t.Name+" WHERE "+where, func() error { return nil }, &n)
			})
			if err == nil && n != uint64(a.sent[s][t.Name]) {
				err = fmt.Errorf("cluster: %v: the table %s: %w", s, t.Name, ErrUncleared)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// runs returns the commit as rows of the log, one for each run of numbers: those
// in between may be of documents that come later, or never.
func (a *addition) runs() []*ledger.Commit {
	rows := []*ledger.Commit{&a.row}
	last := &a.row
	last.Low, last.High = a.documents[0].Number, a.documents[0].Number
	for _, p := range a.documents {
		if p.Number != last.High {
			last = &ledger.Commit{Low: p.Number}
			rows = append(rows, last)
		}
		last.High = p.Number + 1
	}
	return rows
}

// ErrTakesPlace tells that a record which has a number would take the place of a
// game, which has one, too: it is to be added without. Nothing was written.
var ErrTakesPlace = errors.New("a record with a number would take the place of a game")

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
	since := map[uint32]uint32{} // when games came that were deleted
	switch {
	case len(replaced) > 0 && a.games != nil:
		return fmt.Errorf("cluster: %w: %d", ErrTakesPlace, slices.Sorted(maps.Keys(replaced))[0])
	case a.games != nil:
		if n > 0 {
			var err error
			if low, err = a.takeNumbers(ctx, n); err != nil {
				return err
			}
		}
		dedupe.NumberAs(a.items, a.games)
		next = low
		a.row.Low, a.row.High = low, low+uint32(n)
		if err := a.gameRows(ctx, a.games, withoutTexts, func(g *gameRow) { since[g.doc] = g.added }); err != nil {
			return err
		}
	case a.numbers == nil:
		if n > 0 {
			var err error
			if low, err = a.takeNumbers(ctx, n); err != nil {
				return err
			}
		}
		next = dedupe.Number(a.items, low)
		a.row.Low, a.row.High = low, low+uint32(n)
	case len(replaced) > 0:
		return fmt.Errorf("cluster: %w: %d", ErrTakesPlace, slices.Sorted(maps.Keys(replaced))[0])
	default:
		dedupe.NumberAs(a.items, a.numbers)
		a.row.Low, a.row.High = a.numbers[0], a.numbers[len(a.numbers)-1]+1
	}
	now := uint32(time.Now().Unix())
	for _, it := range dedupe.Standing(a.items) {
		p := rows.Document{Number: it.ID, Added: now, Item: it}
		if a.games != nil || replaced[it.ID] {
			p.Number = next
			if p.Added = cmp.Or(since[it.ID], now); a.games == nil {
				p.Added = a.existing.added(it.ID)
				if p.Layer = a.existing.layer(it.ID); p.Layer != nil {
					it.Lay(p.Layer)
				}
			}
			a.row.Docs, a.row.Games = append(a.row.Docs, next), append(a.row.Games, it.ID)
			next++
		}
		a.documents = append(a.documents, p)
	}
	slices.SortFunc(a.documents, func(x, y rows.Document) int { return cmp.Compare(x.Number, y.Number) })
	for i := range a.documents {
		p := &a.documents[i]
		if p.Run = p.Number; i > 0 && a.documents[i-1].Number+1 == p.Number {
			p.Run = a.documents[i-1].Run
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
	add := func(p *rows.Document) {
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
func (rs *Records) takeAway(ctx context.Context, r *ledger.Commit) error {
	have := map[uint32]*ledger.Edition{}
	var mu sync.Mutex
	for block := range slices.Chunk(r.Gone, listBlock) {
		err := rs.Each(ctx, "counting what goes", func(s *wire.Shard) error {
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
			v = &ledger.Edition{Kind: store.UnknownKind} // its row is lost
		}
		r.Count(v.Kind, -v.Main, -v.Variations, -v.Plies)
	}
	return nil
}

// listBlock is how many numbers stand in one statement.
const listBlock = 1 << 14

// Home returns the shard that rows of a number are written to.
func (rs *Records) Home(number uint32) *wire.Shard {
	return rs.Shards[board.Mix(uint64(number))%uint64(len(rs.Shards))]
}

// Documents writes the rows of the documents that go to a shard: their tables at
// the same time, made on as many cores as there are.
func (a *addition) Documents(ctx context.Context, s *wire.Shard) error {
	var documents []rows.Document
	for _, p := range a.documents {
		if a.Home(p.Number) == s {
			documents = append(documents, p)
		}
	}
	if len(documents) == 0 {
		return nil
	}
	if a.cleared[s] || a.repeats {
		ctx = wire.WithRepeats(ctx)
	}
	batch := rows.NewBatch(documents)
	cores := make(chan struct{}, runtime.GOMAXPROCS(0))
	jobs := make([]func() error, len(rows.Tables))
	for i := range rows.Tables {
		t := &rows.Tables[i]
		jobs[i] = func() error {
			cores <- struct{}{}
			defer func() { <-cores }()
			sent := 0
			for b := range t.Build(batch) {
				<-cores
				err := a.insertRows(ctx, s, t, b, &a.row, sent)
				cores <- struct{}{}
				if err != nil {
					return err
				}
				sent += b.Rows
			}
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.sent == nil {
				a.sent = map[*wire.Shard]map[string]int{}
			}
			if a.sent[s] == nil {
				a.sent[s] = map[string]int{}
			}
			a.sent[s][t.Name] = sent
			return nil
		}
	}
	return wire.Together(jobs...)
}

// insertRows writes a block of a table, behind so many rows of the same commit.
func (rs *Records) insertRows(ctx context.Context, s *wire.Shard, t *rows.Table, b rows.Block, r *ledger.Commit, sent int) error {
	where := t.Of(r)
	doubt, err := s.InsertOnce(ctx, t.Name, t.Columns, b.Columns, where, uint64(sent+b.Rows))
	if err != nil || !doubt || t.Name != "feat" || !rs.Caps.Bitmaps {
		return err
	}
	// The server may have died when it had the rows, and had not passed them on.
	return s.Write(ctx, "writing the table bits", func(db wire.Conn) error { return db.Exec(s.Everywhere(ctx), ledger.FillBits(where)) })
}

// commit writes rows to the log of every shard, as one block, and ends the turn that
// the caller has with it: it is an error (errOvertaken) where that has ended before.
// The shard that has the turns is the first. From then on the batch counts: the context
// ends it no more, and a shard that cannot be reached gets its rows later.
func (rs *Records) commit(ctx context.Context, rows ...*ledger.Commit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	before := rs.Known().Commits
	for i, r := range rows {
		if i > 0 {
			rs.writer.seq++
		}
		r.Writer, r.Seq = rs.writer.id, rs.writer.seq
		r.Put(before + int64(i))
	}
	err := ledger.PutCommitsIf(ctx, rs.Shards[0], rows, turnHeld(rows[0].Key()))
	switch {
	case errors.Is(err, wire.ErrNotInserted):
		return errOvertaken
	case err != nil:
		return fmt.Errorf("cluster: the commit failed, and it is not sure whether it counts: do it again, what is there already will be found: %w", err)
	}
	rs.writer.rest()
	errs := make([]error, len(rs.Shards))
	var wait sync.WaitGroup
	for i, s := range rs.Shards[1:] {
		wait.Go(func() { errs[1+i] = ledger.PutCommits(ctx, s, rows) })
	}
	wait.Wait()
	var failed error
	for i, err := range errs {
		if err != nil {
			rs.writer.pending[i] = append(rs.writer.pending[i], rows...)
			if failed == nil || !wire.IsDown(err) {
				failed = err
			}
		}
	}
	rs.Fold(rows)
	if failed != nil && !wire.IsDown(failed) {
		// Not wrapped: it counts, and nobody must write it again because of errUnshared.
		return fmt.Errorf("cluster: the batch is stored, but a shard did not note it, which is repaired with the next batch: %v", failed)
	}
	return nil
}

// Delete deletes games. Numbers without a game are passed over.
func (rs *Records) Delete(ctx context.Context, ids []uint32) error {
	st, err := rs.enter(ctx, true)
	if err != nil {
		return err
	}
	defer rs.leave()
	// Somebody may put another record in the place of one of them meanwhile, which
	// would stay.
	ids = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id uint32) bool {
		_, ok := st.Doc(id)
		return !ok
	})
	for len(ids) > 0 {
		if err := rs.delete(ctx, ids); !errors.Is(err, errOvertaken) {
			return err
		}
	}
	return nil
}

// delete deletes games in one commit.
func (rs *Records) delete(ctx context.Context, ids []uint32) error {
	if err := rs.takeTurn(ctx); err != nil {
		return err
	}
	defer rs.endTurn(ctx)
	var r ledger.Commit
	for _, id := range ids {
		r.Gone = append(r.Gone, rs.Ledger.Standing(id)...)
	}
	if len(r.Gone) == 0 {
		return nil // somebody else did
	}
	if err := rs.takeAway(ctx, &r); err != nil {
		return err
	}
	return rs.commit(ctx, &r)
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
			at := a.Home(p.game).Number
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
		wire.Column(rows, func(p *place) uint32 { return p.game }),
		wire.Column(rows, func(p *place) string { return p.File }),
		wire.Column(rows, func(p *place) uint32 { return uint32(p.Number) }),
		wire.Column(rows, func(p *place) int64 { return p.Offset }),
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
			if pair[0] != pair[1] && a.Home(pair[0]) == s {
				game, other, why = append(game, pair[0]), append(other, pair[1]), append(why, it.Why)
			}
		}
	}
	return putLinks(ctx, s, game, other, why)
}

// putLinks writes links. They are a set: one that is written twice counts once.
func putLinks(ctx context.Context, s *wire.Shard, game, other []uint32, why []string) error {
	if len(game) == 0 {
		return nil
	}
	return s.Write(ctx, "writing the table link", func(db wire.Conn) error {
		return db.Insert(ctx, "link", []string{"game", "other", "why"}, []any{game, other, why})
	})
}
