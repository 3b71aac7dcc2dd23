package rows

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"

	"qipu/index"
	"qipu/interval"
	"qipu/query"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
	"qipu/text"

	"github.com/klauspost/compress/s2"
)

// Document is a document on its way to a shard.
type Document struct {
	Number uint32
	Added  uint32             // when its game came, in seconds
	Run    uint32             // the first number of those in a row that the commit has
	Layer  []store.Correction // what was corrected of its headers: see Encoding
	*dedupe.Item
}

// Block is rows of a table that are inserted together: column by column, sorted
// as the table is, so that the server need not.
type Block struct {
	Columns []any
	Rows    int
}

// blockBytes bounds a block, beside wire.BlockRows.
const blockBytes = 256 << 20

// chunks cuts rows into parts that a block may have.
func chunks[T any](rows []T, size func(*T) int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		from, bytes := 0, 0
		for i := range rows {
			n := size(&rows[i])
			if i > from && (i-from == wire.BlockRows || bytes+n > blockBytes) {
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

// Table is one that documents have rows in.
type Table struct {
	Name    string
	Columns []string
	Within  string // the column by which the rows of a commit are told
	Build   func(*Batch) iter.Seq[Block]
}

// Of is the condition that rows of a table are those of a commit, whose numbers
// are in a row.
func (t *Table) Of(r *ledger.Commit) string {
	return fmt.Sprintf("%s >= %d AND %s < %d", t.Within, r.Low, t.Within, r.High)
}

// Batch is the documents of a commit that go to one shard, by rising numbers.
type Batch struct {
	documents []Document
	folded    map[string]string // of texts; all goroutines read it, none writes
}

// NewBatch returns a batch of documents, whose numbers rise.
func NewBatch(documents []Document) *Batch {
	folded := map[string]string{}
	for _, p := range documents {
		if p.Doc == nil {
			continue
		}
		for _, s := range p.Doc.Texts {
			if _, ok := folded[s]; !ok {
				folded[s] = text.Fold(s)
			}
		}
	}
	return &Batch{documents, folded}
}

// Tables are those that documents have rows in, the largest first.
var Tables = []Table{
	{"pos", []string{"kind", "hash", "doc", "line", "ply", "next", "pic"}, "doc", (*Batch).positions},
	{"line", lineColumns(), "doc", (*Batch).lines},
	{"feat", []string{"kind", "side", "feature", "low", "docs"}, "low", (*Batch).features},
	{"page", []string{"kind", "low", "last", "lines", "docs", "body"}, "low", (*Batch).pages},
	{"corner", []string{"kind", "side", "hash", "doc"}, "doc", (*Batch).corners},
	{"game", []string{"doc", "kind", "key", "head", "plies", "marked", "added", "format", "encoding", "file", "number", "offset", "record", "raw"}, "doc", (*Batch).games},
	{"known", []string{"k", "what", "kind", "doc", "plies"}, "doc", (*Batch).known},
	{"comment", []string{"kind", "doc", "folded"}, "doc", (*Batch).comments},
}

// kinds yields the documents of each kind, in the order of names, that have a
// board.
func (s *Batch) kinds() iter.Seq2[*index.Kind, []Document] {
	return func(yield func(*index.Kind, []Document) bool) {
		by := map[string][]Document{}
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
func found(documents []Document) iter.Seq2[lineOf, *index.Found] {
	return func(yield func(lineOf, *index.Found) bool) {
		for i := range documents {
			doc := documents[i].Doc
			for j := range doc.Lines {
				if !yield(lineOf{documents[i].Number, lineNumber(j)}, &doc.Found[j]) {
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

func (s *Batch) positions() iter.Seq[Block] {
	return func(yield func(Block) bool) {
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
				if !yield(Block{[]any{
					slices.Repeat([]string{kind.Name}, len(part)),
					wire.Column(part, func(r *position) uint64 { return r.hash }),
					wire.Column(part, func(r *position) uint32 { return r.doc }),
					wire.Column(part, func(r *position) uint16 { return r.line }),
					wire.Column(part, func(r *position) uint16 { return r.ply }),
					wire.Column(part, func(r *position) uint16 { return r.next }),
					wire.Column(part, func(r *position) uint8 { return r.pic }),
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

func (s *Batch) corners() iter.Seq[Block] {
	return func(yield func(Block) bool) {
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
					if !yield(Block{[]any{
						slices.Repeat([]string{kind.Name}, len(part)),
						slices.Repeat([]uint8{uint8(side)}, len(part)),
						wire.Column(part, func(r *corner) uint64 { return r.hash }),
						wire.Column(part, func(r *corner) uint32 { return r.doc }),
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
func (s *Batch) features() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for kind, documents := range s.kinds() {
			if !kind.HasWindows() {
				continue
			}
			for len(documents) > 0 {
				low, n := documents[0].Number, 1
				for n < len(documents) && documents[n].Number-low < 1<<16 {
					n++
				}
				if b := featureBlock(kind, documents[:n], low); b.Rows > 0 && !yield(b) {
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
func featureBlock(kind *index.Kind, documents []Document, low uint32) (b Block) {
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
	b.Rows = len(docs)
	b.Columns = []any{slices.Repeat([]string{kind.Name}, b.Rows), side, feature, slices.Repeat([]uint32{low}, b.Rows), docs}
	return b
}

// classes returns the documents of each class of windows, as what they are above
// low. They are counted first: to grow thousands of lists costs more.
func classes(documents []Document, side uint8, low uint32) [][]uint16 {
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

func (s *Batch) lines() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for kind, documents := range s.kinds() {
			for _, main := range []bool{true, false} {
				var rows []lineRow
				for i := range documents {
					for j := range documents[i].Doc.Lines {
						if main == (j == 0) {
							rows = append(rows, lineRow{lineOf{documents[i].Number, lineNumber(j)}, documents[i].Doc, j})
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
func (s *Batch) lineBlock(kind *index.Kind, rows []lineRow) Block {
	columns := []any{
		slices.Repeat([]string{kind.Name}, len(rows)),
		slices.Repeat([]uint8{rows[0].side()}, len(rows)),
		wire.Column(rows, func(r *lineRow) uint32 { return r.lineOf.doc }),
		wire.Column(rows, func(r *lineRow) uint16 { return r.line }),
	}
	for i := range ledger.NumberNames {
		columns = append(columns, wire.Column(rows, func(r *lineRow) int32 { return r.doc.Number(query.TextColumns + query.Column(i)) }))
	}
	for i := range ledger.TextNames {
		columns = append(columns, wire.Column(rows, func(r *lineRow) string { return r.doc.Texts[i] }))
	}
	for i := range ledger.TextNames {
		columns = append(columns, wire.Column(rows, func(r *lineRow) string { return s.folded[r.doc.Texts[i]] }))
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
	return Block{append(columns, bodies), len(rows)}
}

func (s *Batch) games() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for part := range chunks(s.documents, func(p *Document) int { return 256 + len(p.Entry.Record) + len(p.Entry.Raw) }) {
			if !yield(Block{[]any{
				wire.Column(part, func(p *Document) uint32 { return p.Number }),
				wire.Column(part, func(p *Document) string { return p.Entry.Kind }),
				wire.Column(part, func(p *Document) uint64 { return p.Entry.Key }),
				wire.Column(part, func(p *Document) uint64 { return p.Entry.Head }),
				wire.Column(part, func(p *Document) uint32 { return uint32(p.Entry.Plies) }),
				wire.Column(part, func(p *Document) uint8 { return flag(p.Entry.Marked) }),
				wire.Column(part, func(p *Document) uint32 { return p.Added }),
				wire.Column(part, func(p *Document) string { return p.Entry.Format }),
				wire.Column(part, func(p *Document) string { return Encoding(p.Entry.Encoding, p.Layer) }),
				wire.Column(part, func(p *Document) string { return p.Entry.Source.File }),
				wire.Column(part, func(p *Document) uint32 { return uint32(p.Entry.Source.Number) }),
				wire.Column(part, func(p *Document) int64 { return p.Entry.Source.Offset }),
				wire.Column(part, func(p *Document) string { return string(p.Entry.Record) }),
				wire.Column(part, func(p *Document) string { return string(p.Entry.Raw) }),
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
	KnownKey  = 0 // by its moves
	KnownHead = 1 // by the first of them
)

// knownRow is a row of known.
type knownRow struct {
	k    uint64
	what uint8
	*Document
}

func (s *Batch) known() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		var rows []knownRow
		for _, what := range []uint8{KnownKey, KnownHead} {
			var list []knownRow
			for i := range s.documents {
				p := &s.documents[i]
				switch {
				case what == KnownKey:
					list = append(list, knownRow{p.Entry.Key, what, p})
				case p.Entry.Head != 0:
					list = append(list, knownRow{p.Entry.Head, what, p})
				}
			}
			rows = append(rows, sortByHash(list, func(r *knownRow) uint64 { return r.k })...)
		}
		for part := range chunks(rows, func(*knownRow) int { return 64 }) {
			if !yield(Block{[]any{
				wire.Column(part, func(r *knownRow) uint64 { return r.k }),
				wire.Column(part, func(r *knownRow) uint8 { return r.what }),
				wire.Column(part, func(r *knownRow) string { return r.Entry.Kind }),
				wire.Column(part, func(r *knownRow) uint32 { return r.Number }),
				wire.Column(part, func(r *knownRow) uint32 { return uint32(r.Entry.Plies) }),
			}, len(part)}) {
				return
			}
		}
	}
}

func (s *Batch) comments() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for kind, documents := range s.kinds() {
			documents = slices.DeleteFunc(documents, func(p Document) bool { return p.Doc.Comment == "" })
			for part := range chunks(documents, func(p *Document) int { return 64 + len(p.Doc.Comment) }) {
				if !yield(Block{[]any{
					slices.Repeat([]string{kind.Name}, len(part)),
					wire.Column(part, func(p *Document) uint32 { return p.Number }),
					wire.Column(part, func(p *Document) string { return p.Doc.Comment }),
				}, len(part)}) {
					return
				}
			}
		}
	}
}

// leaf is a page on its way to a shard.
type leaf struct {
	documents []Document
	body      string
}

// pages yields pages of the main lines of each kind. A page has numbers of one run
// only: others that lie in between may be of other commits, and no two pages
// overlap.
func (s *Batch) pages() iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for kind, documents := range s.kinds() {
			var leaves []leaf
			b := kind.NewBuilder()
			from := 0
			flush := func(to int) {
				if b.Len() > 0 {
					leaves = append(leaves, leaf{documents[from:to], string(s2.EncodeBetter(nil, b.Bytes()))})
				}
				b.Reset()
				from = to
			}
			for i := range documents {
				line := &documents[i].Doc.Lines[0]
				if i > from && documents[i].Run != documents[from].Run {
					flush(i)
				}
				if _, ok := b.Add(line); !ok {
					flush(i)
					b.Add(line) // which takes any line as its first
				}
			}
			flush(len(documents))
			for part := range chunks(leaves, func(l *leaf) int { return len(l.body) }) {
				if !yield(Block{[]any{
					slices.Repeat([]string{kind.Name}, len(part)),
					wire.Column(part, func(l *leaf) uint32 { return l.documents[0].Number }),
					wire.Column(part, func(l *leaf) uint32 { return l.documents[len(l.documents)-1].Number }),
					wire.Column(part, func(l *leaf) uint16 { return uint16(len(l.documents)) }),
					wire.Column(part, (*leaf).docs),
					wire.Column(part, func(l *leaf) string { return l.body }),
				}, len(part)}) {
					return
				}
			}
		}
	}
}

// docs are the numbers of the documents, four bytes each.
func (l *leaf) docs() string {
	b := make([]byte, 0, 4*len(l.documents))
	for i := range l.documents {
		b = binary.LittleEndian.AppendUint32(b, l.documents[i].Number)
	}
	return string(b)
}
