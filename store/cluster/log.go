package cluster

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/store/cluster/wire"
)

const (
	// stale is how old a state may be to be still the current one.
	stale = 250 * time.Millisecond

	// logOverlap is how far a reader goes back behind what it has read of the log
	// of a shard, in seconds: rows get their time when they are written, and are
	// seen a little later, on a replica whose clock may differ.
	logOverlap = 120

	// logPatience is how long one who puts up with less waits for the logs of
	// further shards, and how old a state may be that one of them has no part in:
	// to find out again that it is away takes time.
	logPatience = time.Second

	// bytesAge is how old the size of the tables may be.
	bytesAge = time.Minute
)

// commit is a row of the log.
type commit struct {
	writer, seq uint32
	low, high   uint32   // documents that count from now on
	gone        []uint32 // documents that count no more
	docs, games []uint32 // documents that stand for an older game

	// What it adds to the tally of kinds. The first len(docs) entries are those of
	// docs, one each, and the last len(gone) those of gone, with what is taken
	// away. So nothing is counted twice where two writers take the same document
	// away, or each put one in its place.
	kinds                   []string
	main, variations, plies []int64
}

// count adds an entry to the tally.
func (r *commit) count(kind string, main, variations, plies int64) {
	r.kinds, r.main = append(r.kinds, kind), append(r.main, main)
	r.variations, r.plies = append(r.variations, variations), append(r.plies, plies)
}

// key returns what a row is known by.
func (r *commit) key() uint64 { return uint64(r.writer)<<32 | uint64(r.seq) }

var logColumns = []string{"writer", "seq", "low", "high", "gone", "docs", "games", "kinds", "main", "variations", "plies"}

// columnsOf returns rows as they are inserted.
func columnsOf(rows []*commit) []any {
	writer, seq, low, high := make([]uint32, len(rows)), make([]uint32, len(rows)), make([]uint32, len(rows)), make([]uint32, len(rows))
	gone, docs, games, kinds := make([][]uint32, len(rows)), make([][]uint32, len(rows)), make([][]uint32, len(rows)), make([][]string, len(rows))
	main, variations, plies := make([][]int64, len(rows)), make([][]int64, len(rows)), make([][]int64, len(rows))
	for i, r := range rows {
		writer[i], seq[i], low[i], high[i] = r.writer, r.seq, r.low, r.high
		gone[i], docs[i], games[i], kinds[i] = r.gone, r.docs, r.games, r.kinds
		main[i], variations[i], plies[i] = r.main, r.variations, r.plies
	}
	return []any{writer, seq, low, high, gone, docs, games, kinds, main, variations, plies}
}

// share is what documents add to the tally of their kind.
type share struct{ main, variations, plies int64 }

func (s *share) add(o share, times int64) {
	s.main += times * o.main
	s.variations += times * o.variations
	s.plies += times * o.plies
}

// edition is a document that stands for an older game.
type edition struct {
	doc  uint32
	kind string
	share
}

// ledger is the log, folded as far as it was read. Rows may come in any order,
// and more than once: the outcome is the same.
type ledger struct {
	turn chan struct{} // holds a token while somebody reads the log

	mu       sync.Mutex // guards what follows
	now      *state     // never nil
	full     time.Time  // when the log was last read of all shards
	part     time.Time  // and of those that answered
	seen     map[uint64]struct{}
	last     []uint32 // the time of the latest row of each shard
	older    []uint64 // how many of its rows are too old to be read again
	spans    []span
	gone     *roaring.Bitmap // documents that rows say are gone
	lost     *roaring.Bitmap // documents whose place a later one has that knew nothing of them
	games    map[uint32]uint32
	docs     map[uint32]uint32
	editions map[uint32][]edition // by game
	tally    map[string]*share
	bytes    int64
	bytesAt  time.Time
	shared   bool // games and docs are those of a state: to be copied before they change
}

func newLedger(shards int) *ledger {
	l := &ledger{
		turn: make(chan struct{}, 1), seen: map[uint64]struct{}{}, last: make([]uint32, shards), older: make([]uint64, shards), gone: roaring.New(), lost: roaring.New(),
		games: map[uint32]uint32{}, docs: map[uint32]uint32{}, editions: map[uint32][]edition{}, tally: map[string]*share{},
	}
	l.now = &state{dead: roaring.New(), games: l.games, docs: l.docs}
	l.shared = true
	return l
}

// fold takes rows in and returns the state after them.
func (l *ledger) fold(kinds *index.Kinds, rows []*commit) *state {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := rows[:0:0]
	for _, r := range rows {
		if _, ok := l.seen[r.key()]; !ok {
			l.seen[r.key()] = struct{}{}
			fresh = append(fresh, r)
		}
	}
	if len(fresh) > 0 {
		l.merge(fresh)
		for _, r := range fresh {
			l.apply(r)
		}
		l.publish(kinds)
	}
	return l.now
}

// merge brings in the numbers of documents.
func (l *ledger) merge(rows []*commit) {
	list := slices.Clone(l.spans)
	for _, r := range rows {
		if r.low < r.high {
			list = append(list, span{r.low, r.high})
		}
	}
	slices.SortFunc(list, func(x, y span) int { return int(x.low) - int(y.low) })
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.low <= out[n-1].high {
			out[n-1].high = max(out[n-1].high, s.high)
			continue
		}
		out = append(out, s)
	}
	l.spans = slices.Clip(out)
}

func (l *ledger) of(kind string) *share {
	t := l.tally[kind]
	if t == nil {
		t = new(share)
		l.tally[kind] = t
	}
	return t
}

// apply takes one row in.
func (l *ledger) apply(r *commit) {
	n := len(r.kinds)
	if len(r.docs) != len(r.games) || len(r.main) != n || len(r.variations) != n || len(r.plies) != n || n < len(r.docs)+len(r.gone) {
		return // written by no program that there is
	}
	entry := func(i int) share { return share{r.main[i], r.variations[i], r.plies[i]} }
	for i := range n - len(r.gone) {
		l.of(r.kinds[i]).add(entry(i), 1)
	}
	if l.shared && len(r.docs) > 0 {
		l.games, l.docs, l.shared = maps.Clone(l.games), maps.Clone(l.docs), false
	}
	for i, doc := range r.docs {
		l.games[doc] = r.games[i]
		l.editions[r.games[i]] = append(l.editions[r.games[i]], edition{doc, r.kinds[i], entry(i)})
	}
	for i, doc := range r.gone {
		if !l.gone.CheckedAdd(doc) {
			continue
		}
		if at := n - len(r.gone) + i; !l.lost.CheckedRemove(doc) {
			l.of(r.kinds[at]).add(entry(at), 1)
		}
		if game, ok := l.games[doc]; ok {
			l.settle(game)
		}
	}
	for _, game := range r.games {
		l.settle(game)
	}
}

// settle decides which document a game has: the one with the highest number of
// those that are not gone. There is more than one only where two writers put
// theirs in the place of the same.
func (l *ledger) settle(game uint32) {
	var best uint32
	for _, v := range l.editions[game] {
		if !l.gone.Contains(v.doc) {
			best = max(best, v.doc)
		}
	}
	for _, v := range l.editions[game] {
		switch {
		case l.gone.Contains(v.doc):
		case v.doc != best && l.lost.CheckedAdd(v.doc):
			l.of(v.kind).add(v.share, -1)
		case v.doc == best && l.lost.CheckedRemove(v.doc):
			l.of(v.kind).add(v.share, 1)
		}
	}
	if best == 0 || l.docs[game] == best {
		return
	}
	if l.shared {
		l.games, l.docs, l.shared = maps.Clone(l.games), maps.Clone(l.docs), false
	}
	l.docs[game] = best
}

// publish makes the state of what the ledger has.
func (l *ledger) publish(kinds *index.Kinds) {
	st := &state{commits: int64(len(l.seen)), spans: l.spans, dead: roaring.Or(l.gone, l.lost), games: l.games, docs: l.docs}
	l.shared = true
	var plies int64
	for _, t := range l.tally {
		plies += t.plies
	}
	for _, name := range slices.Sorted(maps.Keys(l.tally)) {
		t := l.tally[name]
		if t.main <= 0 && t.variations <= 0 {
			continue
		}
		kind, err := kinds.Find(name)
		if err != nil {
			continue // records without a board, or a game that this program does not know
		}
		tally := index.Tally{Kind: kind, Games: int(t.main), Variations: int(t.variations), Plies: t.plies}
		if plies > 0 {
			tally.Bytes = int64(float64(l.bytes) * float64(t.plies) / float64(plies))
		}
		st.tally = append(st.tally, tally)
	}
	l.now = st
}

// counts returns how many games of each kind there are, those without a board
// too.
func (l *ledger) counts() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := map[string]int{}
	for kind, t := range l.tally {
		if t.main > 0 {
			n[kind] = int(t.main)
		}
	}
	return n
}

// standing returns the documents that stand for a game, or did without knowing of
// each other.
func (l *ledger) standing(game uint32) (docs []uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.gone.Contains(game) {
		docs = append(docs, game)
	}
	for _, v := range l.editions[game] {
		if !l.gone.Contains(v.doc) {
			docs = append(docs, v.doc)
		}
	}
	return docs
}

// state returns what the log says now, give or take a quarter of a second.
func (c *Cluster) state(ctx context.Context) (*state, error) {
	return c.stateSince(ctx, time.Now().Add(-stale))
}

// Refresh has what others have committed so far be known at once.
func (c *Cluster) Refresh(ctx context.Context) error {
	_, err := c.fresh(ctx)
	return err
}

// fresh returns what the log says now.
func (c *Cluster) fresh(ctx context.Context) (*state, error) { return c.stateSince(ctx, time.Now()) }

// stateSince returns a state for which the log was read after a moment. Whoever
// asks while somebody else reads it waits for that.
func (c *Cluster) stateSince(ctx context.Context, since time.Time) (*state, error) {
	l := c.ledger
	partial := index.PartialAllowed(ctx)
	current := func() *state {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.full.After(since) || partial && l.part.After(since.Add(-logPatience)) {
			return l.now
		}
		return nil
	}
	if st := current(); st != nil {
		return st, nil
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if st := current(); st != nil {
		return st, nil
	}
	return c.readLog(ctx, partial)
}

// readLog reads what is new in the logs of all shards. The caller has the turn.
// Every shard has all of it but for what is being written: whoever puts up with
// less does not wait for those that hang.
func (c *Cluster) readLog(ctx context.Context, partial bool) (*state, error) {
	l := c.ledger
	began := time.Now()
	l.mu.Lock()
	size := began.Sub(l.bytesAt) > bytesAge
	l.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan logPart, len(c.Shards))
	for _, s := range c.Shards {
		go func() {
			part := logPart{shard: s.Number}
			part.err = s.Read(ctx, "reading the log", func(db wire.Conn) (err error) { return l.Read(ctx, db, &part, size) })
			answers <- part
		}()
	}
	var all []*commit
	var failed error
	var late <-chan time.Time
	answered, bytes := 0, int64(0)
	var parts []logPart
wait:
	for range c.Shards {
		select {
		case part := <-answers:
			if part.err != nil {
				if failed = part.err; !partial || !wire.IsDown(failed) {
					return nil, failed
				}
				continue
			}
			answered++
			all, bytes, parts = append(all, part.rows...), bytes+part.bytes, append(parts, part)
			if partial {
				late = time.After(logPatience)
			}
		case <-late:
			break wait
		}
	}
	if answered == 0 {
		return nil, failed
	}
	l.fold(c.kinds, all)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = began
	for i := range parts {
		l.last[parts[i].shard], l.older[parts[i].shard] = parts[i].last, parts[i].older
	}
	if answered == len(c.Shards) {
		if l.full = began; size {
			l.bytesAt = began
			if l.bytes != bytes {
				l.bytes = bytes
				l.publish(c.kinds)
			}
		}
	}
	return l.now, nil
}

// logPart is what was new in the log of a shard.
type logPart struct {
	shard int
	err   error
	rows  []*commit
	last  uint32
	older uint64 // rows whose time is before logFrom(last)
	bytes int64
}

// Read reads what is new in the log of a shard. Where there is nothing, that is
// one statement about a few rows and a count.
func (l *ledger) Read(ctx context.Context, db wire.Conn, part *logPart, size bool) error {
	l.mu.Lock()
	last, older := l.last[part.shard], l.older[part.shard]
	l.mu.Unlock()
	part.rows, part.last, part.older = nil, 0, 0
	if size {
		if err := db.Query(ctx, "SELECT toInt64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE database = currentDatabase() AND active", func() error { return nil }, &part.bytes); err != nil {
			return err
		}
	}
	where := ""
	if last > 0 {
		where = fmt.Sprintf(" WHERE at >= toDateTime(%d)", logFrom(last))
	}
	list, all, err := readHeads(ctx, db, where)
	if err == nil && where != "" && all-uint64(len(list)) != older {
		// Rows have come that are older than what is read: clocks differ.
		where = ""
		list, all, err = readHeads(ctx, db, where)
	}
	if err != nil {
		return err
	}
	for _, h := range list {
		part.last = max(part.last, h.at)
	}
	part.older = all
	var writers, seqs []uint32
	l.mu.Lock()
	for _, h := range list {
		if h.at >= logFrom(part.last) {
			part.older--
		}
		if _, known := l.seen[uint64(h.writer)<<32|uint64(h.seq)]; !known {
			writers, seqs = append(writers, h.writer), append(seqs, h.seq)
		}
	}
	l.mu.Unlock()
	if len(writers) == 0 {
		return nil
	}
	if len(writers) <= manyRows {
		slices.Sort(writers)
		and := " WHERE "
		if where != "" {
			and = where + " AND "
		}
		where = and + "writer IN (" + numbers(slices.Compact(writers)) + ") AND seq IN (" + numbers(seqs) + ")"
	}
	part.rows, err = readCommits(ctx, db, where)
	return err
}

// logFrom returns the time from which on the log is read again.
func logFrom(last uint32) uint32 { return max(last, logOverlap) - logOverlap }

// head is what a row of the log is known by, and its time.
type head struct{ writer, seq, at uint32 }

// readHeads returns some rows of the log, and how many there are in all. Rows that
// come meanwhile may be counted and not returned: then others are read once too
// often.
func readHeads(ctx context.Context, db wire.Conn, where string) (list []head, all uint64, err error) {
	var h head
	var n uint64
	err = db.Query(ctx, "SELECT writer, seq, toUInt32(at) AS time, toUInt64(0) AS n FROM log"+where+
		" UNION ALL SELECT toUInt32(0) AS writer, toUInt32(0) AS seq, toUInt32(0) AS time, count() AS n FROM log", func() error {
		if h.at == 0 {
			all = n
		} else {
			list = append(list, h)
		}
		return nil
	}, &h.writer, &h.seq, &h.at, &n)
	return list, all, err
}

// manyRows is how many rows of the log are asked for by their numbers.
const manyRows = 1000

// readCommits returns rows of the log.
func readCommits(ctx context.Context, db wire.Conn, where string) (rows []*commit, err error) {
	var r commit
	err = db.Query(ctx, "SELECT "+strings.Join(logColumns, ", ")+" FROM log"+where, func() error {
		row := r
		rows = append(rows, &row)
		return nil
	}, &r.writer, &r.seq, &r.low, &r.high, &r.gone, &r.docs, &r.games, &r.kinds, &r.main, &r.variations, &r.plies)
	return rows, err
}

// numbers returns a list of numbers as SQL has it.
func numbers[T uint8 | uint16 | uint32 | uint64](list []T) string {
	b := make([]byte, 0, 11*len(list))
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(n), 10)
	}
	return string(b)
}

// repair copies rows of the log to the shards that lack them. A writer does it
// when it begins: one that was killed while it committed may have left some.
func (c *Cluster) repair(ctx context.Context) error {
	lists := make([][]*commit, len(c.Shards))
	err := c.Each(ctx, "reading the log", func(s *wire.Shard) error {
		return s.Read(ctx, "reading the log", func(db wire.Conn) (err error) {
			lists[s.Number], err = readCommits(ctx, db, "")
			return err
		})
	})
	if err != nil {
		return err
	}
	all := map[uint64]*commit{}
	for _, list := range lists {
		for _, r := range list {
			all[r.key()] = r
		}
	}
	rows := slices.SortedFunc(maps.Values(all), func(x, y *commit) int { return cmp.Compare(x.key(), y.key()) })
	err = c.Each(ctx, "repairing the log", func(s *wire.Shard) error {
		has := map[uint64]bool{}
		for _, r := range lists[s.Number] {
			has[r.key()] = true
		}
		lacks := slices.DeleteFunc(slices.Clone(rows), func(r *commit) bool { return has[r.key()] })
		if len(lacks) == 0 {
			return nil
		}
		return putCommits(ctx, s, lacks)
	})
	if err != nil {
		return err
	}
	c.ledger.fold(c.kinds, rows)
	return nil
}
