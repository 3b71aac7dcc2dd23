package search

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/index"
	"qipu/query"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

const (
	// keysAtOnce is how many positions one statement asks for.
	keysAtOnce = 4096

	// fewKeys is for how many of them a server needs one core alone: to start
	// others takes longer.
	fewKeys = 32
)

// reached is a line that reaches a position.
type reached struct {
	key  uint64
	at   uint64 // the document << 24 | the line << 8 | pic
	next uint32 // ply | next << 16
}

func (r *reached) Doc() uint32  { return uint32(r.at >> 24) }
func (r *reached) line() uint16 { return uint16(r.at >> 8) }

func (r *reached) posting(line int) index.Posting {
	pic := uint8(r.at)
	return index.Posting{Line: uint32(line), Ply: uint16(r.next), Next: uint16(r.next >> 16), Image: pic & 0x7F, Turn: game.Side(pic >> 7)}
}

// Positions yields the lines that reach positions. All keys are asked for at
// once, on all shards; the facts of documents are kept for the next time.
func (v *view) Positions(ctx context.Context, l *index.Lookup) iter.Seq2[*index.Postings, error] {
	return func(yield func(*index.Postings, error) bool) {
		for keys := range slices.Chunk(l.Keys, keysAtOnce) {
			parts, err := v.lookUp(ctx, l, keys)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, key := range keys {
				for _, p := range parts {
					if p != nil && !p.yield(key, yield) {
						return
					}
				}
			}
		}
	}
}

// part is what one shard knows of some positions.
type part struct {
	view  *view
	rows  map[uint64][]reached // of each position; sorted, and may be shared
	facts []*facts             // of all documents of the rows

	postings []index.Posting
}

// lookUp asks all shards; those that cannot be reached have no part.
func (v *view) lookUp(ctx context.Context, l *index.Lookup, keys []uint64) ([]*part, error) {
	parts := make([]*part, len(v.Shards))
	err := v.ask(ctx, "positions", func(ctx context.Context, s *wire.Shard) error {
		rows, err := v.rowsOf(ctx, s, l, keys)
		if err != nil {
			return err
		}
		p := &part{view: v, rows: rows}
		for key, list := range rows {
			rows[key] = v.alive(list)
		}
		if p.facts, err = v.factsOf(ctx, s, l, p.Documents()); err != nil {
			return err
		}
		parts[s.Number] = p
		return nil
	})
	return parts, err
}

// positionsSQL returns the statement for the lines that reach positions, or ""
// where there can be none.
func (v *view) positionsSQL(l *index.Lookup, keys []uint64, among ledger.Extent) string {
	where := "kind = " + wire.Quote(l.Kind.Name)
	cols, settings := "", ""
	if len(keys) == 1 {
		where += fmt.Sprintf(" AND hash = %d", keys[0])
	} else {
		where += " AND hash IN (" + wire.Numbers(keys) + ")"
		cols = ", hash"
	}
	if len(keys) <= fewKeys {
		settings = " SETTINGS max_threads = 1"
	}
	if !l.Variations {
		where += " AND line = 0"
	}
	cond := v.narrow(l, where)
	if cond == wire.Never {
		return ""
	}
	if among != nil {
		cond = wire.And(cond, among.Where("doc"))
	}
	return "SELECT bitOr(bitShiftLeft(toUInt64(doc), 24), bitOr(bitShiftLeft(toUInt64(line), 8), toUInt64(pic))) AS at, " +
		"bitOr(toUInt32(ply), bitShiftLeft(toUInt32(next), 16)) AS n" + cols + " FROM pos WHERE " + wire.And(where, cond) + settings
}

// fetchReached fetches the lines that reach positions, of all documents or of
// some. It tells nothing of positions that none reaches.
func (v *view) fetchReached(ctx context.Context, s *wire.Shard, l *index.Lookup, keys []uint64, among ledger.Extent) (map[uint64][]reached, error) {
	of := map[uint64][]reached{}
	if len(keys) == 0 {
		return of, nil
	}
	sql := v.positionsSQL(l, keys, among)
	if sql == "" {
		return of, nil
	}
	var rows []reached
	err := s.Read(ctx, "positions", func(db wire.Conn) error {
		rows = rows[:0]
		r := reached{key: keys[0]}
		dest := []any{&r.at, &r.next}
		if len(keys) > 1 {
			dest = append(dest, &r.key)
		}
		return db.Query(ctx, sql, func() error {
			rows = append(rows, r)
			return nil
		}, dest...)
	})
	if err != nil {
		return nil, err
	}
	sortReached(rows)
	for len(rows) > 0 {
		key := rows[0].key
		n := sort.Search(len(rows), func(i int) bool { return rows[i].key > key })
		of[key], rows = rows[:n:n], rows[n:]
	}
	return of, nil
}

// sortReached sorts by position, document, line and ply.
func sortReached(rows []reached) {
	before := func(x, y reached) int {
		if c := cmp.Compare(x.key, y.key); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(x.at>>8, y.at>>8), cmp.Compare(uint16(x.next), uint16(y.next)), cmp.Compare(x.at, y.at))
	}
	if !slices.IsSortedFunc(rows, before) {
		slices.SortFunc(rows, before)
	}
}

// alive returns the rows whose documents are there: the same slice where all are.
func (v *view) alive(rows []reached) []reached {
	spans, dead := v.now.Spans, v.now.Dead.Iterator()
	there := func(doc uint32) bool { // documents rise
		for len(spans) > 0 && spans[0].High <= doc {
			spans = spans[1:]
		}
		dead.AdvanceIfNeeded(doc)
		return len(spans) > 0 && spans[0].Low <= doc && (!dead.HasNext() || dead.PeekNext() != doc)
	}
	n := 0
	for n < len(rows) && there(rows[n].Doc()) {
		n++
	}
	if n == len(rows) {
		return rows
	}
	left := append(make([]reached, 0, len(rows)), rows[:n]...)
	for i := n; i < len(rows); i++ {
		if there(rows[i].Doc()) {
			left = append(left, rows[i])
		}
	}
	return left
}

// narrow returns the part of a look-up's condition that saves more than it
// costs: conditions on texts, which are not kept here, and few games. Whoever
// asks decides the rest by the facts.
func (v *view) narrow(l *index.Lookup, where string) string {
	a := &asker{kind: l.Kind, state: v.now}
	var lines, docs []string
	for _, part := range conjuncts(l.Expr, nil) {
		switch e := part.(type) {
		case index.Games:
			docs = append(docs, a.Where(e))
		case index.Selected, index.Any:
			if texts, only := asksTexts(part); texts && only {
				lines = append(lines, a.Where(part))
			}
		}
	}
	if cond := wire.And(lines...); cond == wire.Never {
		return wire.Never
	} else if cond != wire.Always {
		docs = append(docs, fmt.Sprintf("doc IN (SELECT doc FROM line WHERE %s AND side = 0 AND doc IN (SELECT doc FROM pos WHERE %s) AND %s)", a.kindIs(), where, cond))
	}
	return wire.And(docs...)
}

// asksTexts reports whether an expression asks for texts, and whether for facts
// only.
func asksTexts(e index.Expr) (texts, only bool) {
	var list []index.Expr
	switch e := e.(type) {
	case index.Selected:
		return e.Fact().Column < query.TextColumns, true
	case index.Any:
		list = e
	case index.Every:
		list = e
	default:
		return false, false
	}
	only = true
	for _, x := range list {
		t, o := asksTexts(x)
		texts, only = texts || t, only && o
	}
	return texts, only
}

// Documents returns the documents of the rows.
func (p *part) Documents() *roaring.Bitmap {
	docs := roaring.New()
	some := make([]uint32, 0, 4096)
	for _, rows := range p.rows {
		for i := range rows {
			if doc := rows[i].Doc(); i == 0 || doc != rows[i-1].Doc() {
				if some = append(some, doc); len(some) == cap(some) {
					docs.AddMany(some)
					some = some[:0]
				}
			}
		}
	}
	docs.AddMany(some)
	return docs
}

// yield yields the postings of a key: those of main lines, part by part of the
// facts, and then those of variations.
func (p *part) yield(key uint64, yield func(*index.Postings, error) bool) bool {
	rows := p.rows[key]
	variations := 0
	next := 0
	for next < len(rows) {
		f := p.Of(rows[next].Doc())
		p.postings = p.postings[:0]
		for ; next < len(rows) && (f == nil || rows[next].Doc() < f.High); next++ {
			r := &rows[next]
			if r.line() > 0 {
				variations++
				continue
			}
			if f == nil { // the line is gone: the document has been dead for long
				next++
				break
			}
			if row, ok := f.row(r.Doc()); ok {
				p.postings = append(p.postings, r.posting(row))
			}
		}
		if len(p.postings) > 0 && !yield(&index.Postings{Key: key, Columns: f.columns, Rows: p.postings, Main: true}, nil) {
			return false
		}
	}
	if variations == 0 {
		return true
	}
	return p.variations(key, rows, yield)
}

// variations yields the postings of variations, each of which has a row of facts
// of its own: what one line is, the row tells.
func (p *part) variations(key uint64, rows []reached, yield func(*index.Postings, error) bool) bool {
	var columns index.ColumnBuilder
	p.postings = p.postings[:0]
	last := uint64(1<<64 - 1)
	for i := range rows {
		r := &rows[i]
		if r.line() == 0 {
			continue
		}
		if r.at>>8 != last {
			f := p.Of(r.Doc())
			if f == nil {
				continue
			}
			row, ok := f.row(r.Doc())
			if !ok {
				continue
			}
			columns.Copy(&f.columns, row)
			last = r.at >> 8
		}
		p.postings = append(p.postings, r.posting(columns.Len()-1))
	}
	if len(p.postings) == 0 {
		return true
	}
	all, err := columnsFrom(&columns)
	if err != nil {
		yield(nil, err)
		return false
	}
	return yield(&index.Postings{Key: key, Columns: all, Rows: p.postings}, nil)
}

// Of returns the facts that have a document, nil for none.
func (p *part) Of(doc uint32) *facts { return factsAmong(p.facts, doc) }

func factsAmong(list []*facts, doc uint32) *facts {
	i := sort.Search(len(list), func(i int) bool { return list[i].High > doc })
	if i == len(list) || list[i].Low > doc {
		return nil
	}
	return list[i]
}

// facts are those of documents of one shard and kind from a number on, below
// another. They never change.
type facts struct {
	ledger.Span
	columns index.Columns
	docs    []uint32 // of the rows, rising
	rows    []uint16 // or, by number less low: the row + 1, 0 for none

	numbers uint64 // how many of the span had been committed
}

// row returns the row of a document.
func (f *facts) row(doc uint32) (int, bool) {
	if f.rows != nil {
		row := int(f.rows[doc-f.Low])
		return row - 1, row > 0
	}
	return slices.BinarySearch(f.docs, doc)
}

const (
	// chunkDocs is how many numbers facts are kept of together, and chunksAtOnce
	// for how many of these one statement asks.
	chunkDocs    = 4096
	chunksAtOnce = 32

	// keptBytes is what the facts that are kept may take, and keptDocs of how many
	// documents that is about, where they are numbers.
	keptBytes = 64 << 20
	keptDocs  = 2 << 20

	// denseDocs is how many documents of a chunk must be asked for to fetch all of
	// it, where not all chunks can be kept, or texts are asked for; else only those
	// that are asked for are fetched, so many at once.
	denseDocs  = 64
	listedDocs = 16384
)

// factsOf returns the facts of documents, by rising documents.
func (v *view) factsOf(ctx context.Context, s *wire.Shard, l *index.Lookup, docs *roaring.Bitmap) ([]*facts, error) {
	if docs.IsEmpty() {
		return nil, nil
	}
	columns := columnList(l.Columns)
	texts := textsIn(columns)
	many := v.Documents().GetCardinality() > keptDocs
	if texts != 0 && (many || texts.Has(query.File)) {
		return v.listFacts(ctx, s, l.Kind, columns, docs) // they would take too much room
	}
	var have []*facts
	var lack ledger.Extent
	for it := docs.Iterator(); it.HasNext(); {
		low := it.PeekNext() &^ (chunkDocs - 1)
		chunk := ledger.Span{Low: low, High: uint32(min(uint64(low)+chunkDocs, 1<<32-1))} // no document has the last number
		if f, ok := v.Facts.get(factsKey{s.Number, l.Kind.Name, low, texts}); ok && f.numbers >= v.now.Spans.Numbers(chunk) {
			have = append(have, f)
		} else {
			lack = append(lack, chunk)
		}
		it.AdvanceIfNeeded(chunk.High)
	}
	if len(lack) > 0 && (many || texts != 0) && docs.GetCardinality() < uint64(denseDocs*len(lack)) {
		return v.listFacts(ctx, s, l.Kind, columns, docs)
	}
	for chunks := range slices.Chunk(lack, chunksAtOnce) {
		list, err := v.chunkFacts(ctx, s, l.Kind, texts, chunks)
		if err != nil {
			return nil, err
		}
		have = append(have, list...)
	}
	slices.SortFunc(have, func(x, y *facts) int { return cmp.Compare(x.Low, y.Low) })
	return have, nil
}

// textsIn returns the columns of texts among some; 0 for none.
func textsIn(columns []query.Column) (set index.ColumnSet) {
	for _, col := range columns {
		if col < query.TextColumns {
			set |= index.ColumnsOf(col)
		}
	}
	return set
}

// numberColumns are all columns of numbers.
var numberColumns = func() (list []query.Column) {
	for col := query.TextColumns; col < query.Columns; col++ {
		list = append(list, col)
	}
	return list
}()

// chunkFacts fetches the numbers of all documents of some chunks, and the texts of
// some columns, and keeps them.
func (v *view) chunkFacts(ctx context.Context, s *wire.Shard, k *index.Kind, texts index.ColumnSet, chunks ledger.Extent) ([]*facts, error) {
	columns := numberColumns
	if texts != 0 {
		columns = append(columnList(texts), columns...)
	}
	builders := make([]index.ColumnBuilder, len(chunks))
	list := make([]*facts, len(chunks))
	begin := func() {
		for i, c := range chunks {
			builders[i] = index.ColumnBuilder{}
			list[i] = &facts{Span: c, rows: make([]uint16, c.High-c.Low), numbers: v.now.Spans.Numbers(c)}
		}
	}
	err := v.readFacts(ctx, s, k, columns, chunks.Where("doc"), begin, func(doc uint32, f *index.Facts) {
		i := sort.Search(len(list), func(i int) bool { return list[i].High > doc })
		if i == len(list) || list[i].Low > doc || !v.now.Spans.Has(doc) {
			return // the game of a document is not known before
		}
		builders[i].Add(v.now.Game(doc), f)
		list[i].rows[doc-list[i].Low] = uint16(builders[i].Len())
	})
	if err != nil {
		return nil, err
	}
	for i, f := range list {
		data := builders[i].AppendTo(nil)
		var ok bool
		if f.columns, ok = index.NewColumns(data, builders[i].Len()); !ok {
			return nil, errColumns
		}
		v.Facts.put(factsKey{s.Number, k.Name, f.Low, texts}, f, 2*len(f.rows)+len(data)+512, func(there *facts) bool { return there.numbers > f.numbers })
	}
	return list, nil
}

// listFacts fetches columns of documents.
func (v *view) listFacts(ctx context.Context, s *wire.Shard, k *index.Kind, columns []query.Column, docs *roaring.Bitmap) (list []*facts, err error) {
	for part := range slices.Chunk(docs.ToArray(), listedDocs) {
		where := "doc IN (" + wire.Numbers(part) + ")"
		low, high := part[0], part[len(part)-1]
		if between := v.Documents().Rank(high) - v.Documents().Rank(low) + 1; between/uint64(len(v.Shards)) <= 2*uint64(len(part)) {
			where = fmt.Sprintf("doc >= %d AND doc <= %d", low, high)
		}
		var b index.ColumnBuilder
		f := &facts{Span: ledger.Span{Low: low, High: high + 1}}
		begin := func() { b, f.docs = index.ColumnBuilder{}, f.docs[:0] }
		err := v.readFacts(ctx, s, k, columns, where, begin, func(doc uint32, one *index.Facts) {
			if docs.Contains(doc) {
				b.Add(v.now.Game(doc), one)
				f.docs = append(f.docs, doc)
			}
		})
		if err != nil {
			return nil, err
		}
		if f.columns, err = columnsFrom(&b); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// readFacts reads columns of documents, which rise.
func (v *view) readFacts(ctx context.Context, s *wire.Shard, k *index.Kind, columns []query.Column, where string, begin func(), take func(doc uint32, f *index.Facts)) error {
	names := []string{"doc"}
	for _, col := range columns {
		names = append(names, nameSQL(col))
	}
	sql := fmt.Sprintf("SELECT %s FROM line WHERE kind = %s AND side = 0 AND %s ORDER BY doc", strings.Join(names, ", "), wire.Quote(k.Name), where)
	return s.Read(ctx, "facts", func(db wire.Conn) error {
		begin()
		var doc uint32
		var one index.Facts
		f := newFactReader(columns)
		return db.Query(ctx, sql, func() error {
			f.Read(&one)
			take(doc, &one)
			return nil
		}, append([]any{&doc}, f.dest...)...)
	})
}

// factsKey names facts that are kept: the chunk from low on of a kind on a shard,
// with some columns of texts beside all numbers.
type factsKey struct {
	shard int
	kind  string
	low   uint32
	Texts index.ColumnSet // 0 for none
}
