package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// Columns of marks lie in two tables of each shard. A row of mark is an interval of
// a line; one that is there twice counts once. A row of marked tells of which
// documents all intervals of a column are there. It comes behind them, so that
// what an interrupted build has left says nothing.
//
// A column that nobody asks for is dropped by a row of marked without documents,
// low = high = 0: from then on rows of the same turn do not count, and one who
// makes the column anew takes the next turn. Rows of mark stay for those who have
// looked before: see Cluster.cleanMarks.

// marksAge is how old what is known of the columns on a shard may be.
const marksAge = 2 * time.Second

// marksCache is which columns of marks shards have. It is safe for concurrent use;
// the zero value knows nothing.
type marksCache struct {
	building sync.Mutex // by whoever makes columns

	mu sync.Mutex
	of map[int]*keptMarks // by shard
}

// keptMarks are the columns of marks of one shard. They do not change.
type keptMarks struct {
	at      time.Time // when they were asked for
	sum     uint64    // of the table: it is another one when something has changed
	columns map[columnKey]*keptColumn
}

type columnKey struct {
	kind string
	key  uint64
}

// keptColumn is a column of marks.
type keptColumn struct {
	turn  uint32
	spans []ledger.Span // of the documents that it is kept of: rising, apart
	rows  int           // of the table that say so
}

// marksOn returns the columns of a shard, as they were so long ago at most.
func (c *Cluster) marksOn(ctx context.Context, s *wire.Shard, age time.Duration) (*keptMarks, error) {
	m := &c.marks
	m.mu.Lock()
	have := m.of[s.Number]
	m.mu.Unlock()
	if have != nil && time.Since(have.at) < age {
		return have, nil
	}
	next := &keptMarks{at: time.Now()}
	err := s.Read(ctx, "columns of marks", func(db wire.Conn) error {
		var rows, sum uint64
		sql := "SELECT count() AS n, sum(cityHash64(kind, key, turn, low, high)) AS h FROM marked"
		if err := db.Query(ctx, sql, func() error { return nil }, &rows, &sum); err != nil {
			return err
		}
		next.sum = sum + rows
		if have != nil && have.sum == next.sum {
			next.columns = have.columns
			return nil
		}
		return next.Read(ctx, db)
	})
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(s.Number, next)
	return next, nil
}

// Read reads the whole table.
func (k *keptMarks) Read(ctx context.Context, db wire.Conn) error {
	k.columns = map[columnKey]*keptColumn{}
	var kind string
	var key uint64
	var turn uint32
	var docs ledger.Span
	err := db.Query(ctx, "SELECT DISTINCT kind, key, turn, low, high FROM marked", func() error {
		of := columnKey{kind, key}
		c := k.columns[of]
		if c == nil {
			c = &keptColumn{}
			k.columns[of] = c
		}
		dropped := docs.Low >= docs.High
		if dropped {
			turn++
		}
		if turn > c.turn {
			*c = keptColumn{turn: turn}
		}
		if turn == c.turn && !dropped {
			c.rows++
			c.spans = append(c.spans, docs)
		}
		return nil
	}, &kind, &key, &turn, &docs.Low, &docs.High)
	for _, c := range k.columns {
		c.spans = unite(c.spans)
	}
	return err
}

// unite puts spans into order, and makes one of those that touch.
func unite(list []ledger.Span) []ledger.Span {
	slices.SortFunc(list, func(x, y ledger.Span) int { return cmp.Compare(x.Low, y.Low) })
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.Low <= out[n-1].High {
			out[n-1].High = max(out[n-1].High, s.High)
			continue
		}
		out = append(out, s)
	}
	return out
}

// MarksVersion is the same as long as no columns of marks have come or gone. What
// others have done it may learn some seconds later; while a shard does not answer,
// it is what it was.
func (c *Cluster) MarksVersion() store.Version {
	ctx := wire.WithLimit(c.Closing, marksAge)
	var wait sync.WaitGroup
	for _, s := range c.Shards {
		wait.Go(func() {
			if _, err := c.marksOn(ctx, s, marksAge); err != nil {
				c.marks.postpone(s.Number) // or everybody would wait for it
			}
		})
	}
	wait.Wait()
	c.marks.mu.Lock()
	defer c.marks.mu.Unlock()
	var sum uint64
	for number, k := range c.marks.of {
		sum += k.sum * uint64(2*number+1)
	}
	return store.Version{Far: int64(sum)}
}

// postpone has nobody ask a shard for its columns for a while.
func (m *marksCache) postpone(shard int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := keptMarks{}
	if have := m.of[shard]; have != nil {
		next = *have
	}
	next.at = time.Now()
	m.set(shard, &next)
}

// set notes what a shard has. The caller holds mu.
func (m *marksCache) set(shard int, k *keptMarks) {
	if m.of == nil {
		m.of = map[int]*keptMarks{}
	}
	m.of[shard] = k
}

// keySet is a set of keys, by their place among those that a plan asks for. Sets
// of a coverage are the same where they are equal.
type keySet []bool

// coverage is which of the columns that a plan asks for are kept of which
// documents of a shard.
type coverage struct {
	keys    []uint64 // rising
	borders []uint32 // rising
	sets    []keySet // of the documents from a border on, below the next; nil for none
}

// coverage returns what is kept of columns of a kind; nil for nothing.
func (k *keptMarks) coverage(kind string, keys []uint64) *coverage {
	c := &coverage{keys: slices.Compact(slices.Sorted(slices.Values(keys)))}
	spans := make([][]ledger.Span, len(c.keys))
	for i, key := range c.keys {
		if column := k.columns[columnKey{kind, key}]; column != nil {
			spans[i] = column.spans
		}
		for _, s := range spans[i] {
			c.borders = append(c.borders, s.Low, s.High)
		}
	}
	if len(c.borders) == 0 {
		return nil
	}
	slices.Sort(c.borders)
	c.borders = slices.Compact(c.borders)
	same := map[string]keySet{}
	for _, at := range c.borders {
		set, name, some := make(keySet, len(c.keys)), make([]byte, len(c.keys)), false
		for i := range spans {
			for len(spans[i]) > 0 && spans[i][0].High <= at {
				spans[i] = spans[i][1:]
			}
			if len(spans[i]) > 0 && spans[i][0].Low <= at {
				set[i], name[i], some = true, 1, true
			}
		}
		switch have, ok := same[string(name)]; {
		case !some:
			set = nil
		case ok:
			set = have
		default:
			same[string(name)] = set
		}
		c.sets = append(c.sets, set)
	}
	return c
}

// at returns the keys whose columns are kept of a document.
func (c *coverage) at(doc uint32) keySet {
	i := sort.Search(len(c.borders), func(i int) bool { return c.borders[i] > doc })
	if i == 0 {
		return nil
	}
	return c.sets[i-1]
}

// Has reports whether a key is in a set.
func (c *coverage) covers(set keySet, key uint64) bool {
	i, ok := slices.BinarySearch(c.keys, key)
	return ok && set != nil && set[i]
}

// hasAll reports whether keys are all in a set.
func (c *coverage) hasAll(set keySet, keys []uint64) bool {
	return !slices.ContainsFunc(keys, func(key uint64) bool { return !c.covers(set, key) })
}

func same(x, y keySet) bool { return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0]) }

// unmarked returns the documents of which not all columns of keys are kept. It
// reports false where that is all of them, or where there are too many spans of
// them to be named.
func (a *asker) unmarked(keys []uint64) (lack []ledger.Span, ok bool) {
	if len(keys) == 0 {
		return nil, true
	}
	if a.marks == nil {
		return nil, false
	}
	var kept []ledger.Span
	for i, set := range a.marks.sets {
		if i+1 < len(a.marks.sets) && a.marks.hasAll(set, keys) {
			kept = append(kept, ledger.Span{Low: a.marks.borders[i], High: a.marks.borders[i+1]})
		}
	}
	lack = without(a.state.Spans, unite(kept))
	return lack, len(lack) <= spansAtOnce && !slices.Equal(lack, a.state.Spans)
}

// keysIn appends the keys that an expression asks for.
func keysIn(e index.Expr, list []uint64) []uint64 {
	switch e := e.(type) {
	case index.Marked:
		return append(list, e.Keys...)
	case index.Every:
		for _, x := range e {
			list = keysIn(x, list)
		}
	case index.Any:
		for _, x := range e {
			list = keysIn(x, list)
		}
	}
	return list
}

// markRow is a row of the table mark.
type markRow struct {
	key  uint64
	line uint64 // the document << 16 | the line
	what uint64 // low << 24 | high << 8 | owner
}

func lineID(doc uint32, line uint16) uint64 { return uint64(doc)<<16 | uint64(line) }

func newMarkRow(key, line uint64, o interval.Owned) markRow {
	return markRow{key, line, uint64(o.From)<<24 | uint64(o.To)<<8 | uint64(o.Side&1)}
}

func (r *markRow) owned(lane int) interval.Owned {
	return interval.Owned{Span: interval.Span{Lane: uint16(lane), From: uint16(r.what >> 24), To: uint16(r.what >> 8)}, Side: game.Side(r.what & 1)}
}

func (r markRow) order(o markRow) int {
	if c := cmp.Compare(r.key, o.key); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(r.line, o.line), cmp.Compare(r.what, o.what))
}

// chunkMarks are the intervals of the lines of a chunk.
type chunkMarks struct {
	*coverage
	rows []markRow // sorted, each once
}

// marks fetches the intervals of the lines of documents, which a condition names.
func (sc *scan) marks(ctx context.Context, s *wire.Shard, ch *choice, where string) (m *chunkMarks, err error) {
	m = &chunkMarks{coverage: ch.marks}
	sql := fmt.Sprintf("SELECT key, bitOr(bitShiftLeft(toUInt64(doc), 16), toUInt64(line)) AS l, "+
		"bitOr(bitShiftLeft(toUInt64(low), 24), bitOr(bitShiftLeft(toUInt64(high), 8), toUInt64(owner))) AS w "+
		"FROM mark WHERE kind = %s AND key IN (%s) AND %s AND %s", wire.Quote(sc.plan.Kind.Name), wire.Numbers(m.keys), linesSQL(ch.side), where)
	err = s.Read(ctx, "marks", func(db wire.Conn) error {
		m.rows = m.rows[:0]
		var r markRow
		return db.Query(ctx, sql, func() error {
			m.rows = append(m.rows, r)
			return nil
		}, &r.key, &r.line, &r.what)
	})
	if !slices.IsSortedFunc(m.rows, markRow.order) {
		slices.SortFunc(m.rows, markRow.order)
	}
	m.rows = slices.Compact(m.rows)
	return m, err
}

// from returns the intervals of a column from a line on.
func (m *chunkMarks) from(key, line uint64) []markRow {
	i := sort.Search(len(m.rows), func(i int) bool {
		r := &m.rows[i]
		return r.key > key || r.key == key && r.line >= line
	})
	return m.rows[i:]
}

// admits reports whether an expression lets a line through, as far as marks tell.
func (m *chunkMarks) admits(e index.Expr, set keySet, line uint64) bool {
	switch e := e.(type) {
	case index.Marked:
		if !m.hasAll(set, e.Keys) {
			return true
		}
		for _, key := range e.Keys {
			for _, r := range m.from(key, line) {
				if r.key != key || r.line != line {
					break
				}
				if e.Of.Has(game.Side(r.what & 1)) {
					return true
				}
			}
		}
		return false
	case index.Every:
		return !slices.ContainsFunc(e, func(x index.Expr) bool { return !m.admits(x, set, line) })
	case index.Any:
		return slices.ContainsFunc(e, func(x index.Expr) bool { return m.admits(x, set, line) })
	}
	return true
}

// batchMarks are the intervals of the lines of a batch.
type batchMarks struct {
	*chunkMarks
	set   keySet
	lines []uint64 // of the lanes, rising
}

var _ index.Marks = (*batchMarks)(nil)

// Has reports whether the column of a key is kept.
func (b *batchMarks) Has(key uint64) bool { return b.covers(b.set, key) }

// AppendMarks appends the intervals of a column.
func (b *batchMarks) AppendMarks(dst []interval.Owned, key uint64, lanes *interval.Mask) ([]interval.Owned, bool) {
	if !b.Has(key) {
		return dst, false
	}
	lane := 0
	for _, r := range b.from(key, b.lines[0]) {
		if r.key != key {
			break
		}
		i, ok := slices.BinarySearch(b.lines[lane:], r.line)
		if lane += i; lane == len(b.lines) {
			break
		}
		if ok && lanes.Has(lane) {
			dst = append(dst, r.owned(lane))
		}
	}
	return dst, true
}

// setsOf returns the keys whose columns tell of each of some lines, which are in
// order. Lines that share a number have shared their intervals, too: of these
// nothing is known.
func (m *chunkMarks) setsOf(rows []lineData) []keySet {
	sets := make([]keySet, len(rows))
	for i := range rows {
		alone := (i == 0 || rows[i-1].id() != rows[i].id()) && (i+1 == len(rows) || rows[i+1].id() != rows[i].id())
		if alone {
			sets[i] = m.at(rows[i].doc)
		}
	}
	return sets
}

// run is lines that may come into one batch.
type run struct {
	rows []lineData
	set  keySet // the columns of marks that are kept of them
}

// runs cuts lines into parts of which the same columns are kept.
func (m *chunkMarks) runs(rows []lineData) (list []run) {
	var sets []keySet
	if m != nil {
		sets = m.setsOf(rows)
	}
	for from := 0; from < len(rows); {
		to := min(from+interval.Lanes, len(rows))
		one := run{}
		if m != nil {
			one.set = sets[from]
			for i := from + 1; i < to; i++ {
				if !same(sets[i], sets[from]) {
					to = i
				}
			}
		}
		one.rows = rows[from:to]
		list, from = append(list, one), to
	}
	return list
}
