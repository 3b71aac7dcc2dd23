package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/query"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/marks"
	"qipu/store/cluster/wire"
)

const (
	// chunkLines is how many lines are fetched at a time, and chunkFacts how many
	// where nobody asks for the boards.
	chunkLines = 2048
	chunkFacts = 16384

	// queuedBlocks is how many blocks of a shard wait for whoever reads them.
	queuedBlocks = 8

	// lateAfter is how long a shard is waited for while others have something.
	lateAfter = 250 * time.Millisecond
)

// Scan yields the blocks that have lines which a plan lets through. Shards are
// asked at once; their blocks come in the order of the first document of each, as
// long as all shards keep up: one that has nothing ready for a while is not
// waited for.
func (v *view) Scan(ctx context.Context, p *index.Plan) iter.Seq2[*index.Batch, error] {
	return func(yield func(*index.Batch, error) bool) {
		ctx, cancel := context.WithCancel(wire.Collect(ctx, &v.lost))
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		sc := v.newScan(p)
		m := newMixer(len(v.Shards))
		for i, s := range v.Shards {
			wait.Go(func() {
				m.end(i, sc.run(ctx, s, func(b *index.Batch, key uint64) error { return m.put(ctx, i, item{b, key}) }))
			})
		}
		for {
			b, err := m.next(ctx, v.Shards)
			if b == nil && err == nil {
				return
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// item is a batch and its place in the order.
type item struct {
	batch *index.Batch
	key   uint64
}

// mixer brings the batches of shards into one order.
type mixer struct {
	queues []chan item
	errs   []error       // of each shard; set before its queue is closed
	ready  chan struct{} // holds a token when some queue has changed

	heads []item // the first of each queue, where it was taken out
	ended []bool
	late  []bool // was waited for in vain, and has sent nothing since
	lost  int    // shards that the answer goes without
}

func newMixer(shards int) *mixer {
	m := &mixer{
		queues: make([]chan item, shards), errs: make([]error, shards), ready: make(chan struct{}, 1),
		heads: make([]item, shards), ended: make([]bool, shards), late: make([]bool, shards),
	}
	for i := range m.queues {
		m.queues[i] = make(chan item, queuedBlocks)
	}
	return m
}

func (m *mixer) put(ctx context.Context, shard int, it item) error {
	select {
	case m.queues[shard] <- it:
		m.ping()
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (m *mixer) end(shard int, err error) {
	m.errs[shard] = err
	close(m.queues[shard])
	m.ping()
}

func (m *mixer) ping() {
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// next returns the next batch, nil at the end.
func (m *mixer) next(ctx context.Context, shards []*wire.Shard) (*index.Batch, error) {
	var patience <-chan time.Time
	for {
		best, waiting := -1, 0
		for i := range m.queues {
			if m.heads[i].batch == nil && !m.ended[i] {
				if err := m.poll(ctx, i, shards[i]); err != nil {
					return nil, err
				}
			}
			switch {
			case m.heads[i].batch != nil:
				if m.late[i] = false; best < 0 || m.heads[i].key < m.heads[best].key {
					best = i
				}
			case !m.ended[i] && !m.late[i]:
				waiting++
			}
		}
		if best >= 0 && waiting == 0 {
			b := m.heads[best].batch
			m.heads[best] = item{}
			return b, nil
		}
		if best < 0 && !slices.Contains(m.ended, false) {
			if m.lost == len(m.queues) {
				return nil, fmt.Errorf("cluster: no shard can be reached: %w", errors.Join(m.errs...))
			}
			return nil, nil
		}
		if best >= 0 && patience == nil {
			patience = time.After(lateAfter)
		}
		select {
		case <-m.ready:
		case <-patience:
			patience = nil
			for i := range m.late {
				m.late[i] = m.late[i] || m.heads[i].batch == nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// poll takes the first batch out of a queue, if there is one.
func (m *mixer) poll(ctx context.Context, i int, s *wire.Shard) error {
	select {
	case it, ok := <-m.queues[i]:
		if ok {
			m.heads[i] = it
			return nil
		}
		m.ended[i] = true
		if err := m.errs[i]; err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if !wire.Excused(ctx, s, err) {
				return err
			}
			m.lost++
		}
	default:
	}
	return nil
}

// scan is what a plan asks of every shard.
type scan struct {
	*view
	plan    *index.Plan
	columns []query.Column // that are fetched
	tally   index.Tally
	windows []ledger.Span
	asked   []uint16 // the classes of windows that the plan asks for
	keys    []uint64 // of columns of marks that the plan asks for
	marked  bool     // its expression does

	cores    chan struct{} // a token for each core that makes blocks
	builders sync.Pool     // of *interval.Builder
}

func (v *view) newScan(p *index.Plan) *scan {
	sc := &scan{view: v, plan: p, columns: columnList(p.Columns), tally: v.tallyOf(p.Kind), windows: cutSpans(v.now, v.WindowDocs)}
	sc.cores = make(chan struct{}, runtime.GOMAXPROCS(0))
	sc.builders.New = func() any { return p.Kind.NewBuilder() }
	if p.Kind.HasWindows() {
		sc.asked = windowsIn(p.Expr, nil)
	}
	sc.keys = keysIn(p.Expr, nil)
	sc.marked = len(sc.keys) > 0
	sc.keys = append(sc.keys, p.Marks...)
	return sc
}

// sides returns which lines are looked at: main lines, variations.
func (sc *scan) sides() []int {
	switch {
	case sc.tally.Games == 0:
		return nil
	case sc.plan.Variations && !sc.plan.Facts && sc.tally.Variations > 0:
		return []int{0, 1}
	}
	return []int{0}
}

// columnList returns the columns of a set.
func columnList(set index.ColumnSet) (list []query.Column) {
	for col := range query.Columns {
		if set.Has(col) {
			list = append(list, col)
		}
	}
	return list
}

// cutSpans cuts the documents into parts of at most so many.
func cutSpans(s *ledger.State, most uint64) (list []ledger.Span) {
	size := uint64(0)
	for _, x := range s.Spans {
		for x.Low < x.High {
			if len(list) == 0 || size == most {
				list, size = append(list, ledger.Span{Low: x.Low, High: x.Low}), 0
			}
			high := uint32(min(uint64(x.High), uint64(x.Low)+most-size))
			size += uint64(high - x.Low)
			list[len(list)-1].High = high
			x.Low = high
		}
	}
	return list
}

// run sends the batches of a shard, in order.
func (sc *scan) run(ctx context.Context, s *wire.Shard, emit func(*index.Batch, uint64) error) error {
	var covered *marks.Coverage
	if len(sc.keys) > 0 {
		kept, err := sc.Index.marks.On(ctx, s, marks.Age)
		if err != nil {
			return err
		}
		covered = kept.Coverage(sc.plan.Kind.Name, sc.keys)
	}
	for _, side := range sc.sides() {
		a := &asker{kind: sc.plan.Kind, side: side, state: sc.now, bits: sc.Caps.Bitmaps, marks: covered, games: sc.tally.Games / len(sc.Shards)}
		var err error
		if a.weights, err = sc.weigh(ctx, s, side, sc.asked); err != nil {
			return err
		}
		for i := range sc.windows {
			if len(sc.windows) > 1 {
				a.bound = &sc.windows[i]
			}
			if !a.bits {
				if a.classes, err = sc.classesOf(ctx, s, a, a.wanted(sc.plan.Expr, nil)); err != nil {
					return err
				}
			}
			ch, err := sc.choose(ctx, s, a, sc.windows[i])
			if err != nil {
				return err
			}
			if err := sc.Read(ctx, s, ch, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// choice is the documents of a shard whose lines are looked at.
type choice struct {
	side  int
	docs  *roaring.Bitmap
	lines map[uint32]uint32 // how many variations each has
	marks *marks.Coverage   // the columns of marks that are fetched with them

	// anywhere tells that documents of all shards are among them, and of all
	// kinds: nobody was asked.
	anywhere bool
}

// choose asks a shard which documents the index lets through.
func (sc *scan) choose(ctx context.Context, s *wire.Shard, a *asker, window ledger.Span) (*choice, error) {
	ch := &choice{side: a.side, docs: roaring.New()}
	if !sc.plan.Facts {
		ch.marks = a.marks
	}
	visible, known := sc.Documents(), a.known(sc.plan.Expr)
	all := visible.GetCardinality()
	// To ask first is of no use where most documents are of the kind, or where
	// there are so few that their lines are fetched at once.
	most := all <= 2*uint64(sc.tally.Games) || all <= uint64(chunkLines*len(sc.Shards))
	switch parts := conjuncts(sc.plan.Expr, nil); {
	case known != nil && len(a.classes) > 0 && a.side == 0 && a.every(a.unknown(parts)) == wire.Always:
		ch.docs.AddRange(uint64(window.Low), uint64(window.High))
	case a.side == 0 && most && a.every(parts) == wire.Always:
		ch.anywhere = true
		ch.docs.AddRange(uint64(window.Low), uint64(window.High))
	default:
		sql := a.candidates(sc.plan.Expr)
		if sql == "" || known != nil && known.IsEmpty() {
			return ch, nil
		}
		err := s.Read(ctx, "candidates", func(db wire.Conn) error { return ch.Read(ctx, db, sql) })
		if err != nil {
			return nil, err
		}
	}
	ch.docs.And(visible)
	if known != nil {
		ch.docs.And(known)
	}
	return ch, nil
}

// Read reads the answer to asker.candidates.
func (ch *choice) Read(ctx context.Context, db wire.Conn, sql string) error {
	ch.docs.Clear()
	var doc, n uint32
	dest := []any{&doc}
	if ch.side == 1 {
		ch.lines = map[uint32]uint32{}
		dest = append(dest, &n)
	}
	some := make([]uint32, 0, 4096)
	err := db.Query(ctx, sql, func() error {
		if ch.lines != nil {
			ch.lines[doc] = n
		}
		if some = append(some, doc); len(some) == cap(some) {
			ch.docs.AddMany(some)
			some = some[:0]
		}
		return nil
	}, dest...)
	ch.docs.AddMany(some)
	return err
}

// fetch fetches the lines of documents, chunk by chunk, and sends them as
// batches. The next chunk is fetched while the batches of one wait in the queue.
func (sc *scan) fetch(ctx context.Context, s *wire.Shard, ch *choice, emit func(*index.Batch, uint64) error) error {
	most := chunkLines
	if sc.plan.Facts {
		most = chunkFacts
	}
	if ch.anywhere {
		most *= len(sc.Shards)
	}
	docs := make([]uint32, 0, most)
	flush := func() error {
		if len(docs) == 0 {
			return nil
		}
		rows, marks, err := sc.chunk(ctx, s, ch, docs)
		if err != nil {
			return err
		}
		docs = docs[:0]
		return sc.emit(ctx, s, ch.side == 0, rows, marks, emit)
	}
	size := 0
	for it := ch.docs.Iterator(); it.HasNext(); {
		doc, n := it.Next(), 1
		if ch.lines != nil {
			n = int(ch.lines[doc])
		}
		if size+n > most {
			if err := flush(); err != nil {
				return err
			}
			size = 0
		}
		docs, size = append(docs, doc), size+n
	}
	return flush()
}

// lineData is a line as it was fetched.
type lineData struct {
	doc   uint32
	line  uint16 // where marks are asked for
	facts index.Facts
	body  string
}

func (r *lineData) id() uint64 { return marks.LineID(r.doc, r.line) }

// chunk fetches the lines of documents, which rise, and their marks, nil for none.
func (sc *scan) chunk(ctx context.Context, s *wire.Shard, ch *choice, docs []uint32) (rows []lineData, marks *chunkMarks, err error) {
	where := sc.span(ch, docs)
	ranged := where != ""
	if !ranged {
		where = "doc IN (" + wire.Numbers(docs) + ")"
	}
	if ch.marks == nil {
		rows, err = sc.rows(ctx, s, ch, where, ranged, len(docs))
		return rows, nil, err
	}
	err = wire.Together(
		func() (err error) { rows, err = sc.rows(ctx, s, ch, where, ranged, len(docs)); return err },
		func() (err error) { marks, err = sc.marks(ctx, s, ch, where); return err },
	)
	if err != nil || !sc.marked {
		return rows, marks, err
	}
	sets := marks.setsOf(rows)
	i := -1
	rows = slices.DeleteFunc(rows, func(r lineData) bool {
		i++
		return !marks.admits(sc.plan.Expr, sets[i], r.id())
	})
	return rows, marks, nil
}

// rows fetches the lines of about so many documents that a condition names, others
// among them where it is a range.
func (sc *scan) rows(ctx context.Context, s *wire.Shard, ch *choice, where string, ranged bool, about int) (rows []lineData, err error) {
	cols := make([]string, 0, len(sc.columns)+3)
	cols = append(cols, "doc")
	if ch.marks != nil {
		cols = append(cols, "line")
	}
	for _, col := range sc.columns {
		cols = append(cols, nameSQL(col))
	}
	if !sc.plan.Facts {
		cols = append(cols, "body")
	}
	sql := fmt.Sprintf("SELECT %s FROM line WHERE kind = %s AND side = %d AND %s ORDER BY doc, line", strings.Join(cols, ", "), wire.Quote(sc.plan.Kind.Name), ch.side, where)
	err = s.Read(ctx, "lines", func(db wire.Conn) error {
		rows = slices.Grow(rows[:0], min(about, chunkFacts))
		var r lineData
		f := newFactReader(sc.columns)
		dest := []any{&r.doc}
		if ch.marks != nil {
			dest = append(dest, &r.line)
		}
		dest = append(dest, f.dest...)
		if !sc.plan.Facts {
			dest = append(dest, &r.body)
		}
		return db.Query(ctx, sql, func() error {
			if ranged && !ch.docs.Contains(r.doc) {
				return nil
			}
			f.Read(&r.facts)
			rows = append(rows, r)
			return nil
		}, dest...)
	})
	return rows, err
}

// span returns the condition for all documents between the first and the last,
// where not many others lie between them; else "".
func (sc *scan) span(ch *choice, docs []uint32) string {
	first, last := docs[0], docs[len(docs)-1]
	if !ch.anywhere {
		all := sc.Documents()
		between := all.Rank(last) - all.Rank(first) + 1
		if between/uint64(len(sc.Shards)) > 2*uint64(len(docs)) {
			return ""
		}
	}
	return fmt.Sprintf("doc >= %d AND doc <= %d", first, last)
}

// emit makes batches of lines and sends them.
func (sc *scan) emit(ctx context.Context, s *wire.Shard, main bool, rows []lineData, marks *chunkMarks, emit func(*index.Batch, uint64) error) error {
	if sc.plan.Facts {
		return sc.emitFacts(rows, emit)
	}
	runs := marks.runs(rows)
	type made struct {
		batches []*index.Batch
		firsts  []uint32
		err     error
	}
	parts := make([]made, len(runs))
	var wait sync.WaitGroup
	for i := range parts {
		sc.cores <- struct{}{} // which frees soon: nobody who has one waits
		wait.Go(func() {
			defer func() { <-sc.cores }()
			p := &parts[i]
			for rest := runs[i].rows; len(rest) > 0 && p.err == nil && ctx.Err() == nil; {
				var b *index.Batch
				if b, p.err = sc.batch(rest, main); p.err == nil {
					if runs[i].set != nil {
						b.Marks = &batchMarks{marks, runs[i].set, wire.Column(rest[:b.N()], (*lineData).id)}
					}
					p.batches, p.firsts = append(p.batches, b), append(p.firsts, rest[0].doc)
					rest = rest[b.N():]
				}
			}
		})
	}
	wait.Wait()
	for _, p := range parts {
		for j, b := range p.batches {
			key := uint64(p.firsts[j])
			if !main {
				key |= 1 << 32
			}
			if err := emit(b, key); err != nil {
				return err
			}
		}
		if p.err != nil {
			return fmt.Errorf("cluster: %v: %w", s, p.err)
		}
	}
	return context.Cause(ctx)
}

// batch makes a batch of the first of some lines, of as many as go into a block.
func (sc *scan) batch(rows []lineData, main bool) (*index.Batch, error) {
	b := sc.builders.Get().(*interval.Builder)
	defer sc.builders.Put(b)
	b.Reset()
	var columns index.ColumnBuilder
	var l interval.Line
	for i := range rows {
		r := &rows[i]
		err := interval.DecodeLine([]byte(r.body), &l)
		if err == nil && !b.Takes(&l) {
			err = errors.New("it is of another board")
		}
		if err != nil {
			return nil, fmt.Errorf("a line of document %d cannot be read: %w: delete game %d and import its record again", r.doc, err, sc.now.Game(r.doc))
		}
		if _, ok := b.Add(&l); !ok {
			break
		}
		columns.Add(sc.now.Game(r.doc), &r.facts)
	}
	out := &index.Batch{Main: main, Pages: 1}
	var err error
	if out.Block, err = interval.Open(b.Bytes()); err != nil {
		return nil, err
	}
	if out.Columns, err = columnsFrom(&columns); err != nil {
		return nil, err
	}
	out.Lanes = firstLanes(b.Len())
	return out, nil
}

// emitFacts sends the facts of lines: batches that share their columns, and with
// them the numbers of texts.
func (sc *scan) emitFacts(rows []lineData, emit func(*index.Batch, uint64) error) error {
	var columns index.ColumnBuilder
	for i := range rows {
		columns.Add(sc.now.Game(rows[i].doc), &rows[i].facts)
	}
	all, err := columnsFrom(&columns)
	if err != nil {
		return err
	}
	for i := 0; i < len(rows); i += interval.Lanes {
		n := min(interval.Lanes, len(rows)-i)
		if err := emit(&index.Batch{Main: true, Columns: all.Slice(i, i+n), Lanes: firstLanes(n)}, uint64(rows[i].doc)); err != nil {
			return err
		}
	}
	return nil
}

var errColumns = errors.New("cluster: columns that were just made cannot be read")

// columnsFrom returns what a builder has gathered.
func columnsFrom(b *index.ColumnBuilder) (index.Columns, error) {
	c, ok := index.NewColumns(b.AppendTo(nil), b.Len())
	if !ok {
		return c, errColumns
	}
	return c, nil
}

// firstLanes returns the first n lanes.
func firstLanes(n int) (m interval.Mask) {
	for i := range n {
		m.Set(i)
	}
	return m
}

// factReader takes columns of a row into facts.
type factReader struct {
	columns []query.Column
	numbers []int32
	texts   []string
	dest    []any // where the columns are read to, in their order
}

func newFactReader(columns []query.Column) *factReader {
	f := &factReader{columns: columns, numbers: make([]int32, len(columns)), texts: make([]string, len(columns))}
	for i, col := range columns {
		if col < query.TextColumns {
			f.dest = append(f.dest, &f.texts[i])
		} else {
			f.dest = append(f.dest, &f.numbers[i])
		}
	}
	return f
}

// Read fills facts in. What was not read is unknown.
func (f *factReader) Read(to *index.Facts) {
	*to = index.Facts{Plies: index.UnknownNumber}
	for i, col := range f.columns {
		if col < query.TextColumns {
			to.Texts[col] = f.texts[i]
		} else if v := f.numbers[i]; v != index.UnknownNumber {
			setNumber(to, col, v)
		}
	}
}

// setNumber is the reverse of index.Facts.Number.
func setNumber(f *index.Facts, col query.Column, v int32) {
	switch col {
	case query.Plies:
		f.Plies = int(v)
	case query.Komi:
		f.Komi, f.KomiKnown = v, true
	case query.Handicap:
		f.Handicap = v
	case query.Margin:
		f.Margin = v
	case query.Result:
		f.Result = index.Result(min(uint32(v), uint32(index.NoResult)))
	case query.FirstRating, query.SecondRating:
		f.Ratings[col-query.FirstRating] = uint16(v)
	case query.FirstRank, query.SecondRank:
		f.Ranks[col-query.FirstRank] = int8(v)
	case query.FirstDay:
		f.Day = v
	case query.LastDay:
		f.LastDay = v
	}
}

// weights keeps how many documents of a shard have a class of windows. It is
// about right: what has been added since is a fraction of it.
type weights struct {
	mu sync.Mutex
	of map[weightKey]weight
}

type weightKey struct {
	shard int
	kind  string
	side  int
	class uint16
}

type weight struct {
	docs  uint64
	games int // of the kind, when it was asked for
}

// mostWeights bounds what is kept of them.
const mostWeights = 1 << 16

// weigh returns how many documents of a shard have each of some classes of
// windows.
func (sc *scan) weigh(ctx context.Context, s *wire.Shard, side int, classes []uint16) (map[uint16]uint64, error) {
	k, games := sc.plan.Kind, sc.tally.Games
	found := map[uint16]uint64{}
	var ask []uint16
	w := &sc.Index.weights
	w.mu.Lock()
	for _, class := range classes {
		have, ok := w.of[weightKey{s.Number, k.Name, side, class}]
		if ok && have.games <= games+games/4 && games <= have.games+have.games/4 {
			found[class] = have.docs
		} else if !slices.Contains(ask, class) {
			ask = append(ask, class)
		}
	}
	w.mu.Unlock()
	if len(ask) == 0 {
		return found, nil
	}
	a := &asker{kind: k, side: side}
	sql := fmt.Sprintf("SELECT feature, toUInt64(sum(length(docs))) AS n FROM feat WHERE %s AND feature IN (%s) GROUP BY feature", a.sided(), wire.Numbers(ask))
	if sc.Caps.Bitmaps {
		sql = fmt.Sprintf("SELECT feature, toUInt64(groupBitmapMerge(docs)) AS n FROM bits WHERE %s AND feature IN (%s) GROUP BY feature", a.sided(), wire.Numbers(ask))
	}
	err := s.Read(ctx, "window classes", func(db wire.Conn) error {
		for _, class := range ask {
			found[class] = 0
		}
		var class uint16
		var n uint64
		return db.Query(ctx, sql, func() error {
			found[class] = n
			return nil
		}, &class, &n)
	})
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil || len(w.of) > mostWeights {
		w.of = map[weightKey]weight{}
	}
	for _, class := range ask {
		w.of[weightKey{s.Number, k.Name, side, class}] = weight{found[class], games}
	}
	return found, nil
}
