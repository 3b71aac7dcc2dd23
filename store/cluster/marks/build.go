package marks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"qipu/index"
	"qipu/interval"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

const (
	// markRows is how many intervals are inserted together, and markTime how long
	// they wait for others: what was worked out is lost with the process until
	// then.
	markRows = 1 << 17
	markTime = 20 * time.Second

	// markLines is how many lines are fetched at a time, about.
	markLines = 2048

	// markGrace is how long the intervals of a dropped column stay for those who
	// read them.
	markGrace = time.Hour

	// MostSpanRows is how many rows may tell of one column before they are made
	// into few.
	MostSpanRows = 32
)

// Build makes the columns of what markers know, of all documents of their
// kinds of game that lack them, and drops columns that nobody asks for any more.
// Kinds that are not named keep what they have. Scans see columns some seconds
// later, those of this process at once.
//
// Here it is done by one at a time; two programs that do it at once do the same
// work twice, which does no harm. Where it fails or is stopped, what was written
// until then is of use. Progress counts lines.
func (c *Columns) Build(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress store.Progress) (store.Marked, error) {
	if err := c.Writable(); err != nil {
		return store.Marked{}, err
	}
	c.building.Lock()
	defer c.building.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.Closing, func() { cancel(store.ErrClosed) })()
	st, err := c.Fresh(ctx)
	if err != nil {
		return store.Marked{}, err
	}
	m := &marking{Columns: c, State: st, progress: progress, cores: make(chan struct{}, runtime.GOMAXPROCS(0))}
	kinds := slices.SortedFunc(maps.Keys(markers), func(x, y *index.Kind) int { return strings.Compare(x.Name, y.Name) })
	for _, t := range st.Tally {
		if slices.ContainsFunc(kinds, func(k *index.Kind) bool { return k.Name == t.Kind.Name }) {
			m.total += t.Games + t.Variations
		}
	}
	err = c.Each(ctx, "columns of marks", func(s *wire.Shard) error {
		columns := 0
		for _, k := range kinds {
			n, err := m.shard(ctx, s, k, markers[k])
			if columns += n; err != nil {
				return err
			}
		}
		if columns > 0 {
			m.add(store.Marked{Tables: 1, Columns: columns})
		}
		return c.Clean(ctx, s, markGrace)
	})
	return m.done, err
}

// marking is a call of Build.
type marking struct {
	*Columns
	*ledger.State
	cores    chan struct{} // a token for each that works
	progress store.Progress

	mu    sync.Mutex
	done  store.Marked
	total int // lines
}

// add counts what was done.
func (m *marking) add(d store.Marked) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done.Tables += d.Tables
	m.done.Columns += d.Columns
	m.done.Lines += d.Lines
	m.done.Bytes += d.Bytes
	if m.progress != nil && d.Lines > 0 {
		m.progress(min(m.done.Lines, m.total), m.total)
	}
}

// shard makes the columns of a kind on a shard, and returns how many.
func (m *marking) shard(ctx context.Context, s *wire.Shard, k *index.Kind, markers []interval.Marker) (columns int, err error) {
	kept, err := m.On(ctx, s, 0)
	if err != nil {
		return 0, err
	}
	wanted := map[uint64]bool{}
	for _, marker := range markers {
		for _, key := range marker.Keys() {
			wanted[key] = true
		}
	}
	if err := m.drop(ctx, s, k, kept, wanted); err != nil {
		return 0, err
	}
	lacks := map[uint64]bool{}
	w := &markWriter{marking: m, shard: s, kind: k, kept: kept, began: time.Now(), notes: map[uint64][]ledger.Span{}}
	for docs, keys := range m.lacking(kept, k, slices.Sorted(maps.Keys(wanted))) {
		for _, key := range keys {
			lacks[key] = true
		}
		if err := w.walk(ctx, docs, newLegs(markers, keys)); err != nil {
			return len(lacks), err
		}
	}
	if err := w.flush(ctx); err != nil || len(lacks) == 0 {
		return len(lacks), err
	}
	return len(lacks), m.tidy(ctx, s, k)
}

// lacking yields spans of documents with the keys whose columns are not kept of
// them.
func (m *marking) lacking(kept *Kept, k *index.Kind, keys []uint64) func(yield func(ledger.Span, []uint64) bool) {
	return func(yield func(ledger.Span, []uint64) bool) {
		if len(keys) == 0 {
			return
		}
		c := kept.Coverage(k.Name, keys)
		if c == nil {
			for _, s := range m.Spans {
				if !yield(s, keys) {
					return
				}
			}
			return
		}
		for _, s := range m.Spans {
			for s.Low < s.High {
				part := s
				for _, border := range c.borders {
					if border > s.Low {
						part.High = min(s.High, border)
						break
					}
				}
				set := c.At(s.Low)
				var lack []uint64
				for _, key := range keys {
					if !c.Covers(set, key) {
						lack = append(lack, key)
					}
				}
				if len(lack) > 0 && !yield(part, lack) {
					return
				}
				s.Low = part.High
			}
		}
	}
}

// leg is what one marker has to do: keys has those of its columns that are asked
// for.
type leg struct {
	interval.Marker
	keys map[int]uint64
}

func (l *leg) wants(column int) bool { _, ok := l.keys[column]; return ok }

// newLegs shares keys out to the markers that know them, each to one.
func newLegs(markers []interval.Marker, keys []uint64) (legs []leg) {
	left := map[uint64]bool{}
	for _, key := range keys {
		left[key] = true
	}
	for _, m := range markers {
		l := leg{m, map[int]uint64{}}
		for column, key := range m.Keys() {
			if left[key] {
				l.keys[column] = key
				delete(left, key)
			}
		}
		if len(l.keys) > 0 {
			legs = append(legs, l)
		}
	}
	return legs
}

// mark appends the intervals of a line.
func (l *leg) mark(dst []Row, id uint64, line *interval.Line) []Row {
	found := l.AppendMarks(nil, line, l.wants)
	slices.SortStableFunc(found, func(x, y interval.Mark) int { return cmp.Compare(x.Column, y.Column) })
	for len(found) > 0 {
		n := 1
		for n < len(found) && found[n].Column == found[0].Column {
			n++
		}
		if key, ok := l.keys[int(found[0].Column)]; ok {
			for _, o := range interval.UniteOwned(interval.AppendMarks(nil, 0, line, found[:n])) {
				dst = append(dst, NewRow(key, id, o))
			}
		}
		found = found[n:]
	}
	return dst
}

// markWriter makes columns of one kind on one shard.
type markWriter struct {
	*marking
	shard *wire.Shard
	kind  *index.Kind
	kept  *Kept

	rows  []Row                    // that are not written yet
	notes map[uint64][]ledger.Span // the documents of each key that they are of
	began time.Time
	width uint32 // how many numbers of documents have about markLines lines here
}

// walk makes columns of all documents of a span, dead ones too: a document may
// come to life again where two writers have taken each other's away.
func (w *markWriter) walk(ctx context.Context, docs ledger.Span, legs []leg) error {
	if w.width == 0 {
		w.width = uint32(markLines * len(w.Shards))
	}
	for docs.Low < docs.High {
		part := ledger.Span{Low: docs.Low, High: uint32(min(uint64(docs.High), uint64(docs.Low)+uint64(w.width)))}
		lines, err := w.fetch(ctx, part)
		if err != nil {
			return err
		}
		if err := w.mark(ctx, lines, legs); err != nil {
			return err
		}
		for _, l := range legs {
			for _, key := range l.keys {
				w.notes[key] = ledger.Unite(append(w.notes[key], part))
			}
		}
		switch {
		case len(lines) < markLines/2 && w.width < 1<<28:
			w.width *= 2
		case len(lines) > 2*markLines && w.width > 1:
			w.width /= 2
		}
		docs.Low = part.High
		if len(w.rows) >= markRows || time.Since(w.began) > markTime {
			if err := w.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// markLine is a line whose marks are looked for.
type markLine struct {
	id   uint64
	body string
}

// fetch returns the lines of documents.
func (w *markWriter) fetch(ctx context.Context, docs ledger.Span) (lines []markLine, err error) {
	sql := fmt.Sprintf("SELECT doc, line, body FROM line WHERE kind = %s AND %s", wire.Quote(w.kind.Name), ledger.Extent{docs}.Where("doc"))
	err = w.shard.Read(ctx, "lines", func(db wire.Conn) error {
		lines = lines[:0]
		var doc uint32
		var line uint16
		var body string
		return db.Query(ctx, sql, func() error {
			lines = append(lines, markLine{LineID(doc, line), body})
			return nil
		}, &doc, &line, &body)
	})
	return lines, err
}

// mark looks for the marks of lines, on all cores.
func (w *markWriter) mark(ctx context.Context, lines []markLine, legs []leg) error {
	const few = 64
	parts := make([][]Row, (len(lines)+few-1)/few)
	errs := make([]error, len(parts))
	var wait sync.WaitGroup
	for i, part := range slices.Collect(slices.Chunk(lines, few)) {
		w.cores <- struct{}{} // which frees soon: nobody who has one waits
		wait.Go(func() {
			defer func() { <-w.cores }()
			parts[i], errs[i] = markAll(ctx, part, legs)
		})
	}
	wait.Wait()
	for i := range parts {
		if errs[i] != nil {
			return fmt.Errorf("cluster: %v: %w", w.shard, errs[i])
		}
		w.rows = append(w.rows, parts[i]...)
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	w.add(store.Marked{Lines: len(lines)})
	return nil
}

// markAll returns the intervals of lines.
func markAll(ctx context.Context, lines []markLine, legs []leg) (rows []Row, err error) {
	var l interval.Line
	var body []byte
	for _, line := range lines {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		body = append(body[:0], line.body...)
		if err := interval.DecodeLine(body, &l); err != nil {
			return nil, fmt.Errorf("a line of document %d cannot be read: %w: delete it and import its record again", line.id>>16, err)
		}
		for i := range legs {
			rows = legs[i].mark(rows, line.id, &l)
		}
	}
	return rows, nil
}

// turn returns the turn of the column of a key.
func (w *markWriter) turn(key uint64) uint32 {
	if c := w.kept.Columns[ColumnKey{w.kind.Name, key}]; c != nil {
		return c.turn
	}
	return 0
}

var markColumns = []string{"kind", "key", "doc", "line", "owner", "low", "high", "turn"}

// flush writes what was found, and then of which documents that is all.
func (w *markWriter) flush(ctx context.Context) error {
	w.began = time.Now()
	if len(w.notes) == 0 {
		return nil
	}
	slices.SortFunc(w.rows, Row.Order)
	for part := range slices.Chunk(w.rows, wire.BlockRows) {
		columns := []any{
			slices.Repeat([]string{w.kind.Name}, len(part)),
			wire.Column(part, func(r *Row) uint64 { return r.Key }),
			wire.Column(part, func(r *Row) uint32 { return uint32(r.Line >> 16) }),
			wire.Column(part, func(r *Row) uint16 { return uint16(r.Line) }),
			wire.Column(part, func(r *Row) uint8 { return uint8(r.What & 1) }),
			wire.Column(part, func(r *Row) uint16 { return uint16(r.What >> 24) }),
			wire.Column(part, func(r *Row) uint16 { return uint16(r.What >> 8) }),
			wire.Column(part, func(r *Row) uint32 { return w.turn(r.Key) }),
		}
		err := w.shard.Write(ctx, "writing marks", func(db wire.Conn) error {
			return db.Insert(w.shard.Everywhere(ctx), "mark", markColumns, columns)
		})
		if err != nil {
			return err
		}
	}
	// What a server takes for a block that it has heard of may be on a replica
	// that is dead: that shows here.
	if err := w.shard.Sync(ctx, []string{"mark"}); err != nil {
		return err
	}
	var notes []markNote
	for _, key := range slices.Sorted(maps.Keys(w.notes)) {
		for _, docs := range w.notes[key] {
			notes = append(notes, markNote{key, w.turn(key), docs})
		}
	}
	w.add(store.Marked{Bytes: int64(len(w.rows)) * 20})
	w.rows = w.rows[:0]
	clear(w.notes)
	return w.note(ctx, w.shard, w.kind, notes)
}

// markNote is a row of marked without the kind.
type markNote struct {
	key  uint64
	turn uint32
	ledger.Span
}

// note writes rows of marked.
func (c *Columns) note(ctx context.Context, s *wire.Shard, k *index.Kind, list []markNote) error {
	columns := []any{
		slices.Repeat([]string{k.Name}, len(list)),
		wire.Column(list, func(n *markNote) uint64 { return n.key }),
		wire.Column(list, func(n *markNote) uint32 { return n.turn }),
		wire.Column(list, func(n *markNote) uint32 { return n.Low }),
		wire.Column(list, func(n *markNote) uint32 { return n.High }),
	}
	err := s.Write(ctx, "noting columns of marks", func(db wire.Conn) error {
		return db.Insert(s.Everywhere(ctx), "marked", []string{"kind", "key", "turn", "low", "high"}, columns)
	})
	if err != nil {
		return err
	}
	_, err = c.On(ctx, s, 0)
	return err
}

// drop drops the columns of a kind that nobody wants.
func (c *Columns) drop(ctx context.Context, s *wire.Shard, k *index.Kind, kept *Kept, wanted map[uint64]bool) error {
	var list []markNote
	for of, column := range kept.Columns {
		if of.Kind == k.Name && len(column.Spans) > 0 && !wanted[of.Key] {
			list = append(list, markNote{key: of.Key, turn: column.turn})
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(x, y markNote) int { return cmp.Compare(x.key, y.key) })
	return c.note(ctx, s, k, list)
}

// tidy makes few rows of many that tell of the columns of a kind.
func (c *Columns) tidy(ctx context.Context, s *wire.Shard, k *index.Kind) error {
	kept, err := c.On(ctx, s, 0)
	if err != nil {
		return err
	}
	var list []markNote
	alike := map[string][]uint64{} // the keys of which the same rows are superfluous
	for of, column := range kept.Columns {
		if of.Kind != k.Name || column.Rows <= MostSpanRows || 2*len(column.Spans) > column.Rows {
			continue
		}
		var within []string
		for _, docs := range column.Spans {
			list = append(list, markNote{of.Key, column.turn, docs})
			within = append(within, fmt.Sprintf("(low >= %d AND high <= %d AND high - low < %d)", docs.Low, docs.High, docs.High-docs.Low))
		}
		cond := fmt.Sprintf("turn = %d AND (%s)", column.turn, strings.Join(within, " OR "))
		alike[cond] = append(alike[cond], of.Key)
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(x, y markNote) int { return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.Low, y.Low)) })
	if err := c.note(ctx, s, k, list); err != nil {
		return err
	}
	if err := s.Sync(ctx, []string{"marked"}); err != nil {
		return err
	}
	for _, cond := range slices.Sorted(maps.Keys(alike)) {
		sql := fmt.Sprintf("ALTER TABLE marked DELETE WHERE kind = %s AND key IN (%s) AND %s", wire.Quote(k.Name), wire.Numbers(alike[cond]), cond)
		if err := s.Write(ctx, "tidying columns of marks", func(db wire.Conn) error { return db.Exec(ctx, sql) }); err != nil {
			return err
		}
	}
	return nil
}

// Clean removes the intervals of columns that were dropped so long ago that
// nobody reads them any more, which servers do in the background. The row that
// tells of it stays, so that turns are never begun again: servers take no block
// twice.
func (c *Columns) Clean(ctx context.Context, s *wire.Shard, grace time.Duration) error {
	type dropped struct {
		kind string
		key  uint64
		turn uint32
	}
	var list []dropped
	err := s.Read(ctx, "dropped columns of marks", func(db wire.Conn) error {
		list = nil
		var d dropped
		sql := fmt.Sprintf("SELECT kind, key, max(turn) AS t FROM marked WHERE high = 0 AND at <= now() - %d GROUP BY kind, key", int64(grace/time.Second))
		err := db.Query(ctx, sql, func() error {
			list = append(list, d)
			return nil
		}, &d.kind, &d.key, &d.turn)
		if err != nil || len(list) == 0 {
			return err
		}
		// What was removed already has no spans left.
		left := map[ColumnKey]uint32{}
		err = db.Query(ctx, "SELECT kind, key, min(turn) AS t FROM marked WHERE high > 0 GROUP BY kind, key", func() error {
			left[ColumnKey{d.kind, d.key}] = d.turn
			return nil
		}, &d.kind, &d.key, &d.turn)
		list = slices.DeleteFunc(list, func(d dropped) bool {
			turn, ok := left[ColumnKey{d.kind, d.key}]
			return !ok || turn > d.turn
		})
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	for part := range slices.Chunk(list, ledger.SpansAtOnce) {
		var conds []string
		for _, d := range part {
			conds = append(conds, fmt.Sprintf("(kind = %s AND key = %d AND turn <= %d)", wire.Quote(d.kind), d.key, d.turn))
		}
		cond := strings.Join(conds, " OR ")
		for _, sql := range []string{"ALTER TABLE mark DELETE WHERE " + cond, "ALTER TABLE marked DELETE WHERE high > 0 AND (" + cond + ")"} {
			if err := s.Write(ctx, "removing dropped columns of marks", func(db wire.Conn) error { return db.Exec(ctx, sql) }); err != nil {
				return err
			}
		}
	}
	return nil
}
