package ledger

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

// Commit is a row of the log.
type Commit struct {
	Writer, Seq uint32
	Low, High   uint32   // documents that count from now on
	Gone        []uint32 // documents that count no more
	Docs, Games []uint32 // documents that stand for an older game, or did when theirs was joined with it

	// What it adds to the tally of kinds. The first len(docs) entries are those of
	// docs, one each, and the last len(gone) those of gone, with what is taken
	// away. So nothing is counted twice where two writers take the same document
	// away, or each put one in its place.
	Kinds                   []string
	Main, Variations, Plies []int64
}

// Count adds an entry to the tally.
func (r *Commit) Count(kind string, main, variations, plies int64) {
	r.Kinds, r.Main = append(r.Kinds, kind), append(r.Main, main)
	r.Variations, r.Plies = append(r.Variations, variations), append(r.Plies, plies)
}

// Key returns what a row is known by.
func (r *Commit) Key() uint64 { return uint64(r.Writer)<<32 | uint64(r.Seq) }

var LogColumns = []string{"writer", "seq", "low", "high", "gone", "docs", "games", "kinds", "main", "variations", "plies"}

// ColumnsOf returns rows as they are inserted.
func ColumnsOf(rows []*Commit) []any {
	writer, seq, low, high := make([]uint32, len(rows)), make([]uint32, len(rows)), make([]uint32, len(rows)), make([]uint32, len(rows))
	gone, docs, games, kinds := make([][]uint32, len(rows)), make([][]uint32, len(rows)), make([][]uint32, len(rows)), make([][]string, len(rows))
	main, variations, plies := make([][]int64, len(rows)), make([][]int64, len(rows)), make([][]int64, len(rows))
	for i, r := range rows {
		writer[i], seq[i], low[i], high[i] = r.Writer, r.Seq, r.Low, r.High
		gone[i], docs[i], games[i], kinds[i] = r.Gone, r.Docs, r.Games, r.Kinds
		main[i], variations[i], plies[i] = r.Main, r.Variations, r.Plies
	}
	return []any{writer, seq, low, high, gone, docs, games, kinds, main, variations, plies}
}

// Share is what documents add to the tally of their kind.
type Share struct{ Main, Variations, Plies int64 }

func (s *Share) add(o Share, times int64) {
	s.Main += times * o.Main
	s.Variations += times * o.Variations
	s.Plies += times * o.Plies
}

// Edition is a document that stands for an older game.
type Edition struct {
	Doc  uint32
	Kind string
	Share
}

// Ledger is the log, folded as far as it was read. Rows may come in any order,
// and more than once: the outcome is the same.
type Ledger struct {
	*wire.Pool
	kinds *index.Kinds

	turn chan struct{} // holds a token while somebody reads the log

	mu       sync.Mutex // guards what follows
	Now      *State     // never nil
	full     time.Time  // when the log was last read of all shards
	part     time.Time  // and of those that answered
	seen     map[uint64]struct{}
	last     []uint32 // the time of the latest row of each shard
	older    []uint64 // how many of its rows are too old to be read again
	Spans    []Span
	gone     *roaring.Bitmap // documents that rows say are gone
	lost     *roaring.Bitmap // documents whose place a later one has that knew nothing of them
	games    map[uint32]uint32
	docs     map[uint32]uint32
	editions map[uint32][]Edition // by game
	tally    map[string]*Share
	places   map[uint64]origin // the rows of the log by their places
	doubt    map[uint64]Span   // rows that have the place of another, by key, with their documents
	settled  map[uint64]bool   // of these, those that somebody has looked into
	bytes    int64
	bytesAt  time.Time
	shared   bool // games and docs are those of a state: to be copied before they change
}

// NewLedger returns the log of a library on so many shards, of which nothing was
// read.
func NewLedger(pool *wire.Pool, kinds *index.Kinds, shards int) *Ledger {
	l := &Ledger{
		Pool: pool, kinds: kinds,
		turn: make(chan struct{}, 1), seen: map[uint64]struct{}{}, last: make([]uint32, shards), older: make([]uint64, shards), gone: roaring.New(), lost: roaring.New(),
		games: map[uint32]uint32{}, docs: map[uint32]uint32{}, editions: map[uint32][]Edition{}, tally: map[string]*Share{},
		places: map[uint64]origin{}, doubt: map[uint64]Span{}, settled: map[uint64]bool{},
	}
	l.Now = &State{Dead: roaring.New(), Games: l.games, Docs: l.docs}
	l.shared = true
	return l
}

// Fold takes rows in and returns the state after them.
func (l *Ledger) Fold(rows []*Commit) *State {
	l.mu.Lock()
	defer l.mu.Unlock()
	fresh := rows[:0:0]
	for _, r := range rows {
		if _, ok := l.seen[r.Key()]; !ok {
			l.seen[r.Key()] = struct{}{}
			fresh = append(fresh, r)
		}
	}
	if len(fresh) > 0 {
		l.Merge(fresh)
		for _, r := range fresh {
			l.apply(r)
		}
		l.publish()
	}
	return l.Now
}

// Seen reports whether a row was taken in.
func (l *Ledger) Seen(key uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.seen[key]
	return ok
}

// Merge brings in the numbers of documents.
func (l *Ledger) Merge(rows []*Commit) {
	list := slices.Clone(l.Spans)
	for _, r := range rows {
		if r.Low < r.High {
			list = append(list, Span{r.Low, r.High})
		}
	}
	l.Spans = slices.Clip(Unite(list))
}

func (l *Ledger) of(kind string) *Share {
	t := l.tally[kind]
	if t == nil {
		t = new(Share)
		l.tally[kind] = t
	}
	return t
}

// apply takes one row in.
func (l *Ledger) apply(r *Commit) {
	n := len(r.Kinds)
	if len(r.Docs) != len(r.Games) || len(r.Main) != n || len(r.Variations) != n || len(r.Plies) != n || n < len(r.Docs)+len(r.Gone) {
		return // written by no program that there is
	}
	entry := func(i int) Share { return Share{r.Main[i], r.Variations[i], r.Plies[i]} }
	for i := range n - len(r.Gone) {
		if !l.takeMark(r, r.Kinds[i]) {
			l.of(r.Kinds[i]).add(entry(i), 1)
		}
	}
	if l.shared && len(r.Docs) > 0 {
		l.games, l.docs, l.shared = maps.Clone(l.games), maps.Clone(l.docs), false
	}
	for i, doc := range r.Docs {
		// One whose game was joined with another has two, of which the lower stands.
		if game, ok := l.games[doc]; !ok || r.Games[i] < game {
			l.games[doc] = r.Games[i]
		}
		l.editions[r.Games[i]] = append(l.editions[r.Games[i]], Edition{doc, r.Kinds[i], entry(i)})
	}
	for i, doc := range r.Gone {
		if !l.gone.CheckedAdd(doc) {
			continue
		}
		if at := n - len(r.Gone) + i; !l.lost.CheckedRemove(doc) {
			l.of(r.Kinds[at]).add(entry(at), 1)
		}
		if game, ok := l.games[doc]; ok {
			l.settle(game)
		}
	}
	for _, game := range r.Games {
		l.settle(game)
	}
}

// settle decides which document a game has: the one with the highest number of
// those that are not gone. There is more than one only where two writers put
// theirs in the place of the same.
func (l *Ledger) settle(game uint32) {
	var best uint32
	for _, v := range l.editions[game] {
		if !l.gone.Contains(v.Doc) {
			best = max(best, v.Doc)
		}
	}
	for _, v := range l.editions[game] {
		switch {
		case l.gone.Contains(v.Doc):
		case v.Doc != best && l.lost.CheckedAdd(v.Doc):
			l.of(v.Kind).add(v.Share, -1)
		case v.Doc == best && l.lost.CheckedRemove(v.Doc):
			l.of(v.Kind).add(v.Share, 1)
		}
	}
	if l.docs[game] == best {
		return
	}
	if l.shared {
		l.games, l.docs, l.shared = maps.Clone(l.games), maps.Clone(l.docs), false
	}
	if l.docs[game] = best; best == 0 {
		delete(l.docs, game) // it has its own, or none
	}
}

// publish makes the state of what the ledger has.
func (l *Ledger) publish() {
	st := &State{Commits: int64(len(l.seen)), Spans: l.Spans, Dead: roaring.Or(l.gone, l.lost), Games: l.games, Docs: l.docs}
	st.Doubtful, st.Doubt = l.doubtful()
	l.shared = true
	var plies int64
	for _, t := range l.tally {
		plies += t.Plies
	}
	for _, name := range slices.Sorted(maps.Keys(l.tally)) {
		t := l.tally[name]
		if t.Main <= 0 && t.Variations <= 0 {
			continue
		}
		kind, err := l.kinds.Find(name)
		if err != nil {
			continue // records without a board, or a game that this program does not know
		}
		tally := index.Tally{Kind: kind, Games: int(t.Main), Variations: int(t.Variations), Plies: t.Plies}
		if plies > 0 {
			tally.Bytes = int64(float64(l.bytes) * float64(t.Plies) / float64(plies))
		}
		st.Tally = append(st.Tally, tally)
	}
	l.Now = st
}

// Counts returns how many games of each kind there are, those without a board
// too.
func (l *Ledger) Counts() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := map[string]int{}
	for kind, t := range l.tally {
		if t.Main > 0 {
			n[kind] = int(t.Main)
		}
	}
	return n
}

// Standing returns the documents that stand for a game, or did without knowing of
// each other.
func (l *Ledger) Standing(game uint32) (docs []uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.gone.Contains(game) {
		docs = append(docs, game)
	}
	for _, v := range l.editions[game] {
		if !l.gone.Contains(v.Doc) {
			docs = append(docs, v.Doc)
		}
	}
	return docs
}

// Known returns what the log said when it was last read. No server is asked.
func (l *Ledger) Known() *State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Now
}

// State returns what the log says now, give or take a quarter of a second.
func (l *Ledger) State(ctx context.Context) (*State, error) {
	return l.stateSince(ctx, time.Now().Add(-stale))
}

// Refresh has what others have committed so far be known at once.
func (l *Ledger) Refresh(ctx context.Context) error {
	_, err := l.Fresh(ctx)
	return err
}

// Fresh returns what the log says now.
func (l *Ledger) Fresh(ctx context.Context) (*State, error) { return l.stateSince(ctx, time.Now()) }

// stateSince returns a state for which the log was read after a moment. Whoever
// asks while somebody else reads it waits for that.
func (l *Ledger) stateSince(ctx context.Context, since time.Time) (*State, error) {
	partial := index.PartialAllowed(ctx)
	current := func() *State {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.full.After(since) || partial && l.part.After(since.Add(-logPatience)) {
			return l.Now
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
	return l.readLog(ctx, partial)
}

// readLog reads what is new in the logs of all shards. The caller has the turn.
// Every shard has all of it but for what is being written: whoever puts up with
// less does not wait for those that hang.
func (l *Ledger) readLog(ctx context.Context, partial bool) (*State, error) {
	began := time.Now()
	l.mu.Lock()
	size := began.Sub(l.bytesAt) > bytesAge
	l.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan logPart, len(l.Shards))
	for _, s := range l.Shards {
		go func() {
			part := logPart{shard: s.Number}
			part.err = s.Read(ctx, "reading the log", func(db wire.Conn) (err error) { return l.Read(ctx, db, &part, size) })
			answers <- part
		}()
	}
	var all []*Commit
	var failed error
	var late <-chan time.Time
	answered, bytes := 0, int64(0)
	var parts []logPart
wait:
	for range l.Shards {
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
	l.Fold(all)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = began
	for i := range parts {
		l.last[parts[i].shard], l.older[parts[i].shard] = parts[i].last, parts[i].older
	}
	if answered == len(l.Shards) {
		if l.full = began; size {
			l.bytesAt = began
			if l.bytes != bytes {
				l.bytes = bytes
				l.publish()
			}
		}
	}
	return l.Now, nil
}

// logPart is what was new in the log of a shard.
type logPart struct {
	shard int
	err   error
	rows  []*Commit
	last  uint32
	older uint64 // rows whose time is before logFrom(last)
	bytes int64
}

// Read reads what is new in the log of a shard. Where there is nothing, that is
// one statement about a few rows and a count.
func (l *Ledger) Read(ctx context.Context, db wire.Conn, part *logPart, size bool) error {
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
		where = and + "writer IN (" + wire.Numbers(slices.Compact(writers)) + ") AND seq IN (" + wire.Numbers(seqs) + ")"
	}
	part.rows, err = ReadCommits(ctx, db, where)
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

// ReadCommits returns rows of the log.
func ReadCommits(ctx context.Context, db wire.Conn, where string) (rows []*Commit, err error) {
	var r Commit
	err = db.Query(ctx, "SELECT "+strings.Join(LogColumns, ", ")+" FROM log"+where, func() error {
		row := r
		rows = append(rows, &row)
		return nil
	}, &r.Writer, &r.Seq, &r.Low, &r.High, &r.Gone, &r.Docs, &r.Games, &r.Kinds, &r.Main, &r.Variations, &r.Plies)
	return rows, err
}

// Repair copies rows of the log to the shards that lack them. A writer does it
// when it begins: one that was killed while it committed may have left some.
func (l *Ledger) Repair(ctx context.Context) error {
	lists := make([][]*Commit, len(l.Shards))
	err := l.Each(ctx, "reading the log", func(s *wire.Shard) error {
		return s.Read(ctx, "reading the log", func(db wire.Conn) (err error) {
			lists[s.Number], err = ReadCommits(ctx, db, "")
			return err
		})
	})
	if err != nil {
		return err
	}
	all := map[uint64]*Commit{}
	for _, list := range lists {
		for _, r := range list {
			all[r.Key()] = r
		}
	}
	rows := slices.SortedFunc(maps.Values(all), func(x, y *Commit) int { return cmp.Compare(x.Key(), y.Key()) })
	err = l.Each(ctx, "repairing the log", func(s *wire.Shard) error {
		has := map[uint64]bool{}
		for _, r := range lists[s.Number] {
			has[r.Key()] = true
		}
		lacks := slices.DeleteFunc(slices.Clone(rows), func(r *Commit) bool { return has[r.Key()] })
		if len(lacks) == 0 {
			return nil
		}
		return PutCommits(ctx, s, lacks)
	})
	if err != nil {
		return err
	}
	l.Fold(rows)
	return nil
}

// PutCommits writes rows of the log. One that is there twice counts once.
func PutCommits(ctx context.Context, s *wire.Shard, rows []*Commit) error {
	_, err := s.InsertOnce(ctx, "log", LogColumns, ColumnsOf(rows), firstOf(rows), 1)
	return err
}

// firstOf is the condition on the first of some rows, which come together.
func firstOf(rows []*Commit) string {
	return fmt.Sprintf("writer = %d AND seq = %d", rows[0].Writer, rows[0].Seq)
}

// PutCommitsIf writes rows of the log of a shard if a condition is true there at
// that moment, and else is an error (wire.ErrNotInserted). All rows are one block.
func PutCommitsIf(ctx context.Context, s *wire.Shard, rows []*Commit, condition string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO log (%s) SELECT ", strings.Join(LogColumns, ", "))
	for i, column := range ColumnsOf(rows) {
		if i > 0 {
			b.WriteString(", ")
		}
		switch list := column.(type) {
		case []uint32:
			fmt.Fprintf(&b, "CAST('[%s]' AS Array(UInt32))[i]", wire.Numbers(list))
		case [][]uint32:
			fmt.Fprintf(&b, "CAST('%s' AS Array(Array(UInt32)))[i]", lists(list, func(n uint32) string { return strconv.FormatUint(uint64(n), 10) }))
		case [][]int64:
			fmt.Fprintf(&b, "CAST('%s' AS Array(Array(Int64)))[i]", lists(list, func(n int64) string { return strconv.FormatInt(n, 10) }))
		case [][]string:
			fmt.Fprintf(&b, "CAST(%s AS Array(Array(String)))[i]", wire.Quote(lists(list, wire.Quote)))
		}
	}
	fmt.Fprintf(&b, " FROM (SELECT toUInt32(number + 1) AS i FROM system.numbers LIMIT %d) AS x WHERE %s", len(rows), condition)
	return s.InsertIf(ctx, "log", b.String(), firstOf(rows), 1)
}

// PutsIf is what a statement of PutCommitsIf by a writer is like, in the language of
// servers.
func PutsIf(writer uint32) string {
	return fmt.Sprintf("INSERT INTO log (%%) SELECT CAST('[%d%%", writer)
}

// lists writes lists as servers read them.
func lists[T any](of [][]T, write func(T) string) string {
	all := make([]string, len(of))
	for i, list := range of {
		one := make([]string, len(list))
		for j, v := range list {
			one[j] = write(v)
		}
		all[i] = "[" + strings.Join(one, ",") + "]"
	}
	return "[" + strings.Join(all, ",") + "]"
}
