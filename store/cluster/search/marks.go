package search

import (
	"context"
	"fmt"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/store/cluster/marks"
	"qipu/store/cluster/wire"
	"slices"
	"sort"
)

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

// chunkMarks are the intervals of the lines of a chunk.
type chunkMarks struct {
	*marks.Coverage
	rows []marks.Row // sorted, each once
}

// marks fetches the intervals of the lines of documents, which a condition names.
func (sc *scan) marks(ctx context.Context, s *wire.Shard, ch *choice, where string) (m *chunkMarks, err error) {
	m = &chunkMarks{Coverage: ch.marks}
	sql := fmt.Sprintf("SELECT key, bitOr(bitShiftLeft(toUInt64(doc), 16), toUInt64(line)) AS l, "+
		"bitOr(bitShiftLeft(toUInt64(low), 24), bitOr(bitShiftLeft(toUInt64(high), 8), toUInt64(owner))) AS w "+
		"FROM mark WHERE kind = %s AND key IN (%s) AND %s AND %s", wire.Quote(sc.plan.Kind.Name), wire.Numbers(m.Keys), linesSQL(ch.side), where)
	err = s.Read(ctx, "marks", func(db wire.Conn) error {
		m.rows = m.rows[:0]
		var r marks.Row
		return db.Query(ctx, sql, func() error {
			m.rows = append(m.rows, r)
			return nil
		}, &r.Key, &r.Line, &r.What)
	})
	if !slices.IsSortedFunc(m.rows, marks.Row.Order) {
		slices.SortFunc(m.rows, marks.Row.Order)
	}
	m.rows = slices.Compact(m.rows)
	return m, err
}

// from returns the intervals of a column from a line on.
func (m *chunkMarks) from(key, line uint64) []marks.Row {
	i := sort.Search(len(m.rows), func(i int) bool {
		r := &m.rows[i]
		return r.Key > key || r.Key == key && r.Line >= line
	})
	return m.rows[i:]
}

// admits reports whether an expression lets a line through, as far as marks tell.
func (m *chunkMarks) admits(e index.Expr, set marks.KeySet, line uint64) bool {
	switch e := e.(type) {
	case index.Marked:
		if !m.HasAll(set, e.Keys) {
			return true
		}
		for _, key := range e.Keys {
			for _, r := range m.from(key, line) {
				if r.Key != key || r.Line != line {
					break
				}
				if e.Of.Has(game.Side(r.What & 1)) {
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
	set   marks.KeySet
	lines []uint64 // of the lanes, rising
}

var _ index.Marks = (*batchMarks)(nil)

// Has reports whether the column of a key is kept.
func (b *batchMarks) Has(key uint64) bool { return b.Covers(b.set, key) }

// AppendMarks appends the intervals of a column.
func (b *batchMarks) AppendMarks(dst []interval.Owned, key uint64, lanes *interval.Mask) ([]interval.Owned, bool) {
	if !b.Has(key) {
		return dst, false
	}
	lane := 0
	for _, r := range b.from(key, b.lines[0]) {
		if r.Key != key {
			break
		}
		i, ok := slices.BinarySearch(b.lines[lane:], r.Line)
		if lane += i; lane == len(b.lines) {
			break
		}
		if ok && lanes.Has(lane) {
			dst = append(dst, r.Owned(lane))
		}
	}
	return dst, true
}

// setsOf returns the keys whose columns tell of each of some lines, which are in
// order. Lines that share a number have shared their intervals, too: of these
// nothing is known.
func (m *chunkMarks) setsOf(rows []lineData) []marks.KeySet {
	sets := make([]marks.KeySet, len(rows))
	for i := range rows {
		alone := (i == 0 || rows[i-1].id() != rows[i].id()) && (i+1 == len(rows) || rows[i+1].id() != rows[i].id())
		if alone {
			sets[i] = m.At(rows[i].doc)
		}
	}
	return sets
}

// run is lines that may come into one batch.
type run struct {
	rows []lineData
	set  marks.KeySet // the columns of marks that are kept of them
}

// runs cuts lines into parts of which the same columns are kept.
func (m *chunkMarks) runs(rows []lineData) (list []run) {
	var sets []marks.KeySet
	if m != nil {
		sets = m.setsOf(rows)
	}
	for from := 0; from < len(rows); {
		to := min(from+interval.Lanes, len(rows))
		one := run{}
		if m != nil {
			one.set = sets[from]
			for i := from + 1; i < to; i++ {
				if !marks.SameSet(sets[i], sets[from]) {
					to = i
				}
			}
		}
		one.rows = rows[from:to]
		list, from = append(list, one), to
	}
	return list
}
