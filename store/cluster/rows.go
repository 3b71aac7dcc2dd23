package cluster

import (
	"iter"
	"maps"
	"slices"

	"qipu/index"
	"qipu/interval"
	"qipu/query"
	"qipu/store/cluster/ledger"
	"qipu/store/dedupe"
	"qipu/text"
)

// document is a document on its way to a shard.
type document struct {
	number uint32
	added  uint32 // when its game came, in seconds
	run    uint32 // the first number of those in a row that the commit has
	*dedupe.Item
}

// block is rows of a table that are inserted together: column by column, sorted
// as the table is, so that the server need not.
type block struct {
	columns []any
	rows    int
}

const (
	// blockRows and blockBytes bound a block.
	blockRows  = 1 << 20
	blockBytes = 256 << 20
)

// chunks cuts rows into parts that a block may have.
func chunks[T any](rows []T, size func(*T) int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		from, bytes := 0, 0
		for i := range rows {
			n := size(&rows[i])
			if i > from && (i-from == blockRows || bytes+n > blockBytes) {
				if !yield(rows[from:i]) {
					return
				}
				from, bytes = i, 0
			}
			bytes += n
		}
		if from < len(rows) {
			yield(rows[from:])
		}
	}
}

// column makes one of rows.
func column[T, C any](rows []T, get func(*T) C) []C {
	list := make([]C, len(rows))
	for i := range rows {
		list[i] = get(&rows[i])
	}
	return list
}

// table is one that documents have rows in.
type table struct {
	name    string
	columns []string
	within  string // the column by which the rows of a commit are told
	build   func(*shardBatch) iter.Seq[block]
}

// shardBatch is the documents of a commit that go to one shard, by rising numbers.
type shardBatch struct {
	documents []document
	folded    map[string]string // of texts; all goroutines read it, none writes
}

// tables are those that documents have rows in, the largest first.
var tables = []table{
	{"pos", []string{"kind", "hash", "doc", "line", "ply", "next", "pic"}, "doc", (*shardBatch).positions},
	{"line", lineColumns(), "doc", (*shardBatch).lines},
	{"feat", []string{"kind", "side", "feature", "low", "docs"}, "low", (*shardBatch).features},
	{"page", []string{"kind", "low", "last", "lines", "docs", "body"}, "low", (*shardBatch).pages},
	{"corner", []string{"kind", "side", "hash", "doc"}, "doc", (*shardBatch).corners},
	{"game", []string{"doc", "kind", "key", "head", "plies", "marked", "added", "format", "encoding", "file", "number", "offset", "record", "raw"}, "doc", (*shardBatch).games},
	{"known", []string{"k", "what", "kind", "doc", "plies"}, "doc", (*shardBatch).known},
	{"comment", []string{"kind", "doc", "folded"}, "doc", (*shardBatch).comments},
}

// kinds yields the documents of each kind, in the order of names, that have a
// board.
func (s *shardBatch) kinds() iter.Seq2[*index.Kind, []document] {
	return func(yield func(*index.Kind, []document) bool) {
		by := map[string][]document{}
		for _, p := range s.documents {
			if p.Doc != nil {
				by[p.Doc.Kind.Name] = append(by[p.Doc.Kind.Name], p)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(by)) {
			if !yield(by[name][0].Doc.Kind, by[name]) {
				return
			}
		}
	}
}

// found yields what can be found of the lines of documents, with their numbers
// in the tables.
func found(documents []document) iter.Seq2[lineOf, *index.Found] {
	return func(yield func(lineOf, *index.Found) bool) {
		for i := range documents {
			doc := documents[i].Doc
			for j := range doc.Lines {
				if !yield(lineOf{documents[i].number, lineNumber(j)}, &doc.Found[j]) {
					return
				}
			}
		}
	}
}

// lineOf names a line: 0 is the main line of a document.
type lineOf struct {
	doc  uint32
	line uint16
}

func (l lineOf) side() uint8 {
	if l.line > 0 {
		return 1
	}
	return 0
}

// lineNumber returns the number of a line. Libraries may have more variations
// than there are numbers: then some share one, and what is found of one is found
// of the other too.
func lineNumber(i int) uint16 {
	if i == 0 {
		return 0
	}
	return uint16((i-1)%(1<<16-1) + 1)
}

// position is a row of pos without the kind.
type position struct {
	hash uint64
	lineOf
	ply, next uint16
	pic       uint8
}

func (s *shardBatch) positions() iter.Seq[block] {
	return func(yield func(block) bool) {
		for kind, documents := range s.kinds() {
			n := 0
			for _, f := range found(documents) {
				n += len(f.Positions)
			}
			rows := make([]position, 0, n)
			for at, f := range found(documents) {
				for _, p := range f.Positions {
					rows = append(rows, position{p.Key, at, p.Ply, p.Next, p.Image | uint8(p.Turn)<<7})
				}
			}
			rows = sortByHash(rows, func(r *position) uint64 { return r.hash })
			for part := range chunks(rows, func(*position) int { return 32 }) {
				if !yield(block{[]any{
					slices.Repeat([]string{kind.Name}, len(part)),
					column(part, func(r *position) uint64 { return r.hash }),
					column(part, func(r *position) uint32 { return r.doc }),
					column(part, func(r *position) uint16 { return r.line }),
					column(part, func(r *position) uint16 { return r.ply }),
					column(part, func(r *position) uint16 { return r.next }),
					column(part, func(r *position) uint8 { return r.pic }),
				}, len(part)}) {
					return
				}
			}
		}
	}
}

// sortByHash returns rows in the order of hashes; those of one stay in order.
// The first bits of hashes spread the rows into short runs, which costs a
// fraction of a general sort.
func sortByHash[T any](rows []T, hash func(*T) uint64) []T {
	bits := 1
	for len(rows)>>bits > 4 && bits < 20 {
		bits++
	}
	shift := 64 - bits
	at := make([]uint32, 1<<bits+1)
	for i := range rows {
		at[hash(&rows[i])>>shift+1]++
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	out := make([]T, len(rows))
	for i := range rows {
		b := hash(&rows[i]) >> shift
		out[at[b]] = rows[i]
		at[b]++
	}
	from := uint32(0)
	for _, to := range at[:len(at)-1] {
		sortRun(out[from:to], hash)
		from = to
	}
	return out
}

func sortRun[T any](run []T, hash func(*T) uint64) {
	if len(run) > 32 {
		slices.SortStableFunc(run, func(x, y T) int {
			switch a, b := hash(&x), hash(&y); {
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		})
		return
	}
	for i := 1; i < len(run); i++ {
		r := run[i]
		j := i
		for ; j > 0 && hash(&run[j-1]) > hash(&r); j-- {
			run[j] = run[j-1]
		}
		run[j] = r
	}
}

// corner is a row of corner without kind and side.
type corner struct {
	hash uint64
	doc  uint32
}

func (s *shardBatch) corners() iter.Seq[block] {
	return func(yield func(block) bool) {
		for kind, documents := range s.kinds() {
			var counts [2]int
			for at, f := range found(documents) {
				counts[at.side()] += len(f.Corners)
			}
			sides := [2][]corner{make([]corner, 0, counts[0]), make([]corner, 0, counts[1])}
			for at, f := range found(documents) {
				for _, key := range f.Corners {
					sides[at.side()] = append(sides[at.side()], corner{key, at.doc})
				}
			}
			for side, rows := range sides {
				rows = slices.Compact(sortByHash(rows, func(r *corner) uint64 { return r.hash }))
				for part := range chunks(rows, func(*corner) int { return 32 }) {
					if !yield(block{[]any{
						slices.Repeat([]string{kind.Name}, len(part)),
						slices.Repeat([]uint8{uint8(side)}, len(part)),
						column(part, func(r *corner) uint64 { return r.hash }),
						column(part, func(r *corner) uint32 { return r.doc }),
					}, len(part)}) {
						return
					}
				}
			}
		}
	}
}

// features yields, of each kind and side, a row for each class of windows: the
// documents that have it. Numbers that lie too far apart for one row get several.
func (s *shardBatch) features() iter.Seq[block] {
	return func(yield func(block) bool) {
		for kind, documents := range s.kinds() {
			if !kind.HasWindows() {
				continue
			}
			for len(documents) > 0 {
				low, n := documents[0].number, 1
				for n < len(documents) && documents[n].number-low < 1<<16 {
					n++
				}
				if b := featureBlock(kind, documents[:n], low); b.rows > 0 && !yield(b) {
					return
				}
				documents = documents[n:]
			}
		}
	}
}

// featureBlock makes a block of the classes of documents, whose numbers are less
// than 65,536 above that of the first: it names the rows, so that they belong to a
// document as all others do.
func featureBlock(kind *index.Kind, documents []document, low uint32) (b block) {
	var side []uint8
	var feature []uint16
	var docs [][]uint16
	for i := range uint8(2) {
		for class, have := range classes(documents, i, low) {
			if len(have) > 0 {
				side, feature, docs = append(side, i), append(feature, uint16(class)), append(docs, have)
			}
		}
	}
	b.rows = len(docs)
	b.columns = []any{slices.Repeat([]string{kind.Name}, b.rows), side, feature, slices.Repeat([]uint32{low}, b.rows), docs}
	return b
}

// classes returns the documents of each class of windows, as what they are above
// low. They are counted first: to grow thousands of lists costs more.
func classes(documents []document, side uint8, low uint32) [][]uint16 {
	counts, sum := make([]int, index.NumWindows()), 0
	for at, f := range found(documents) {
		if at.side() == side {
			for _, class := range f.Windows {
				counts[class]++
			}
			sum += len(f.Windows)
		}
	}
	room := make([]uint16, sum)
	lists := make([][]uint16, len(counts))
	for class, n := range counts {
		lists[class], room = room[:0:n], room[n:]
	}
	for at, f := range found(documents) {
		if at.side() != side {
			continue
		}
		doc := uint16(at.doc - low)
		for _, class := range f.Windows {
			list := lists[class]
			if n := len(list); n == 0 || list[n-1] != doc { // several variations may have it
				lists[class] = append(list, doc)
			}
		}
	}
	return lists
}

func lineColumns() []string {
	list := append([]string{"kind", "side", "doc", "line"}, ledger.NumberNames...)
	list = append(list, ledger.TextNames...)
	for _, name := range ledger.TextNames {
		list = append(list, name+"_f")
	}
	return append(list, "body")
}

// lineRow is a row of line.
type lineRow struct {
	lineOf
	doc  *index.Document
	body int // where it ends
}

func (s *shardBatch) lines() iter.Seq[block] {
	return func(yield func(block) bool) {
		for kind, documents := range s.kinds() {
			for _, main := range []bool{true, false} {
				var rows []lineRow
				for i := range documents {
					for j := range documents[i].Doc.Lines {
						if main == (j == 0) {
							rows = append(rows, lineRow{lineOf{documents[i].number, lineNumber(j)}, documents[i].Doc, j})
						}
					}
				}
				for part := range chunks(rows, func(r *lineRow) int { return 512 + 8*len(r.doc.Lines[r.body].Changes) }) {
					if !yield(s.lineBlock(kind, part)) {
						return
					}
				}
			}
		}
	}
}

// lineBlock makes a block of lines of one kind and side.
func (s *shardBatch) lineBlock(kind *index.Kind, rows []lineRow) block {
	columns := []any{
		slices.Repeat([]string{kind.Name}, len(rows)),
		slices.Repeat([]uint8{rows[0].side()}, len(rows)),
		column(rows, func(r *lineRow) uint32 { return r.lineOf.doc }),
		column(rows, func(r *lineRow) uint16 { return r.line }),
	}
	for i := range ledger.NumberNames {
		columns = append(columns, column(rows, func(r *lineRow) int32 { return r.doc.Number(query.TextColumns + query.Column(i)) }))
	}
	for i := range ledger.TextNames {
		columns = append(columns, column(rows, func(r *lineRow) string { return r.doc.Texts[i] }))
	}
	for i := range ledger.TextNames {
		columns = append(columns, column(rows, func(r *lineRow) string { return s.folded[r.doc.Texts[i]] }))
	}
	var all []byte
	ends := make([]int, len(rows))
	for i := range rows {
		all = interval.AppendLine(all, &rows[i].doc.Lines[rows[i].body])
		ends[i] = len(all)
	}
	text, from := string(all), 0
	bodies := make([]string, len(rows))
	for i, to := range ends {
		bodies[i], from = text[from:to], to
	}
	return block{append(columns, bodies), len(rows)}
}

// fold adds the texts of documents to those that are known folded.
func fold(known map[string]string, documents []document) {
	for _, p := range documents {
		if p.Doc == nil {
			continue
		}
		for _, s := range p.Doc.Texts {
			if _, ok := known[s]; !ok {
				known[s] = text.Fold(s)
			}
		}
	}
}

func (s *shardBatch) games() iter.Seq[block] {
	return func(yield func(block) bool) {
		for part := range chunks(s.documents, func(p *document) int { return 256 + len(p.Entry.Record) + len(p.Entry.Raw) }) {
			if !yield(block{[]any{
				column(part, func(p *document) uint32 { return p.number }),
				column(part, func(p *document) string { return p.Entry.Kind }),
				column(part, func(p *document) uint64 { return p.Entry.Key }),
				column(part, func(p *document) uint64 { return p.Entry.Head }),
				column(part, func(p *document) uint32 { return uint32(p.Entry.Plies) }),
				column(part, func(p *document) uint8 { return flag(p.Entry.Marked) }),
				column(part, func(p *document) uint32 { return p.added }),
				column(part, func(p *document) string { return p.Entry.Format }),
				column(part, func(p *document) string { return p.Entry.Encoding }),
				column(part, func(p *document) string { return p.Entry.Source.File }),
				column(part, func(p *document) uint32 { return uint32(p.Entry.Source.Number) }),
				column(part, func(p *document) int64 { return p.Entry.Source.Offset }),
				column(part, func(p *document) string { return string(p.Entry.Record) }),
				column(part, func(p *document) string { return string(p.Entry.Raw) }),
			}, len(part)}) {
				return
			}
		}
	}
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// The ways in which known has a game.
const (
	knownKey  = 0 // by its moves
	knownHead = 1 // by the first of them
)

// knownRow is a row of known.
type knownRow struct {
	k    uint64
	what uint8
	*document
}

func (s *shardBatch) known() iter.Seq[block] {
	return func(yield func(block) bool) {
		var rows []knownRow
		for _, what := range []uint8{knownKey, knownHead} {
			var list []knownRow
			for i := range s.documents {
				p := &s.documents[i]
				switch {
				case what == knownKey:
					list = append(list, knownRow{p.Entry.Key, what, p})
				case p.Entry.Head != 0:
					list = append(list, knownRow{p.Entry.Head, what, p})
				}
			}
			rows = append(rows, sortByHash(list, func(r *knownRow) uint64 { return r.k })...)
		}
		for part := range chunks(rows, func(*knownRow) int { return 64 }) {
			if !yield(block{[]any{
				column(part, func(r *knownRow) uint64 { return r.k }),
				column(part, func(r *knownRow) uint8 { return r.what }),
				column(part, func(r *knownRow) string { return r.Entry.Kind }),
				column(part, func(r *knownRow) uint32 { return r.number }),
				column(part, func(r *knownRow) uint32 { return uint32(r.Entry.Plies) }),
			}, len(part)}) {
				return
			}
		}
	}
}

func (s *shardBatch) comments() iter.Seq[block] {
	return func(yield func(block) bool) {
		for kind, documents := range s.kinds() {
			documents = slices.DeleteFunc(documents, func(p document) bool { return p.Doc.Comment == "" })
			for part := range chunks(documents, func(p *document) int { return 64 + len(p.Doc.Comment) }) {
				if !yield(block{[]any{
					slices.Repeat([]string{kind.Name}, len(part)),
					column(part, func(p *document) uint32 { return p.number }),
					column(part, func(p *document) string { return p.Doc.Comment }),
				}, len(part)}) {
					return
				}
			}
		}
	}
}
