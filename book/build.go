package book

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"

	"qipu/segment"
)

// none is a place that is none.
const none = math.MaxUint32

// builder gathers games into a base. All that it holds are flat lists: some 24
// bytes for each position that a game visits, and as many for each node.
type builder struct {
	*tracer
	info
	prints []uint64 // of nodes
	heads  []uint32 // of nodes: the last visit
	table  []uint32 // a hash table of nodes: see node

	visits []seen
	votes  []vote
	ids    []byte
	games  []byte
	path   []uint32 // nodes of the game at hand
}

// seen is a visit to a node.
type seen struct {
	child   uint32
	earlier uint32 // visit to the same node
	move    uint16 // code, and above it two bits
	outcome outcome
}

const (
	seenSame  = 1 << 13 // the side moves again
	seenAgain = 1 << 14 // the game was there before: only its move counts
)

// vote is what a game says of the exact score of a node.
type vote struct {
	id    uint32
	score int32
}

func newBuilder(t *tracer) *builder {
	return &builder{tracer: t, table: make([]uint32, 1<<12)}
}

// add adds a game. Games come by rising number.
func (b *builder) add(g *Game) error {
	if n := len(b.ids); n > 0 && le.Uint32(b.ids[n-idSize:]) >= g.ID {
		return fmt.Errorf("book: game %d comes behind one with a higher number", g.ID)
	}
	visits := b.trace(g)
	if len(b.visits)+len(visits) >= none || len(b.prints)+len(visits) >= none {
		return fmt.Errorf("book: more positions than one file can hold")
	}
	b.path = b.path[:0]
	for i := range visits {
		b.path = append(b.path, b.node(visits[i].key.print()))
	}
	for i := range visits {
		v, id := &visits[i], b.path[i]
		s := seen{child: none, earlier: b.heads[id], move: v.edge, outcome: g.Result.of(v.turn)}
		if v.edge != noCode {
			s.child = b.path[v.next]
		}
		if v.same {
			s.move |= seenSame
		}
		if v.again {
			if s.move |= seenAgain; v.edge == noCode {
				continue
			}
		}
		b.heads[id] = uint32(len(b.visits))
		b.visits = append(b.visits, s)
		if v.exact {
			b.votes = append(b.votes, vote{id, int32(v.best(g))})
		}
	}
	b.games = appendGame(b.games, b.Keyer, g)
	b.ids = le.AppendUint64(le.AppendUint32(b.ids, g.ID), 0)[:len(b.ids)+8]
	b.ids = le.AppendUint64(le.AppendUint64(b.ids, g.Stamp), uint64(len(b.games)))
	b.Games++
	if g.Start != "" {
		b.Strange++
	}
	return nil
}

// best returns the exact score of a game for the side to move.
func (v *visit) best(g *Game) int {
	if v.turn != 0 {
		return -g.Exact
	}
	return g.Exact
}

// node returns the number of the node of a print, which is made where there is
// none. A slot has, above the number + 1, as many bits of the print as there is
// room for: to look at another node costs a cache miss.
func (b *builder) node(print uint64) uint32 {
	mask := uint64(len(b.table) - 1)
	tag := uint32(print>>32) &^ uint32(mask)
	i := print & mask
	for ; b.table[i] != 0; i = (i + 1) & mask {
		if slot := b.table[i]; slot&^uint32(mask) == tag {
			if id := slot&uint32(mask) - 1; b.prints[id] == print {
				return id
			}
		}
	}
	id := uint32(len(b.prints))
	b.table[i] = tag | (id + 1)
	b.prints, b.heads = append(b.prints, print), append(b.heads, none)
	if len(b.prints)*3 > len(b.table)*2 {
		b.grow()
	}
	return id
}

// reserve makes room for some times what there is. Early games share less than
// those behind, so that it is enough.
func (b *builder) reserve(times int) {
	b.visits = slices.Grow(b.visits, times*len(b.visits))
	b.prints = slices.Grow(b.prints, times*len(b.prints))
	b.heads = slices.Grow(b.heads, times*len(b.heads))
}

// grow doubles the table.
func (b *builder) grow() {
	b.table = make([]uint32, 2*len(b.table))
	mask := uint64(len(b.table) - 1)
	for id, print := range b.prints {
		i := print & mask
		for b.table[i] != 0 {
			i = (i + 1) & mask
		}
		b.table[i] = uint32(print>>32)&^uint32(mask) | uint32(id+1)
	}
}

// pageBytes is how long pages of sections are: a multiple of 64, so that there
// is nothing between them.
const pageBytes = 1 << 20

// write writes the segment. The same games give the same bytes.
func (b *builder) write(w *segment.Writer) error {
	b.table = nil // the file has its own
	b.Nodes, b.Loops = len(b.prints), b.loops
	votes := b.tally()
	page := make([]byte, 0, pageBytes)
	flush := func() {
		w.Write(page)
		w.Page()
		page = page[:0]
	}
	w.Section("nodes")
	var many []byte
	var n node
	next := 0 // vote
	for id, head := range b.heads {
		var body uint64
		if s := &b.visits[head]; s.earlier == none {
			body = packOne(s.outcome, s.move&noCode, s.move&seenSame != 0, s.child)
			if s.move&noCode != noCode {
				b.Edges++
			}
		} else {
			body = uint64(len(many))<<2 | bodyMany
			b.gather(head, &n)
			b.Edges += len(n.edges)
			many = appendNode(many, &n)
		}
		for ; next < len(votes)/exactSize && le.Uint32(votes[next*exactSize:]) == uint32(id); next++ {
			body |= bodyExact
		}
		page = le.AppendUint64(le.AppendUint64(page, b.prints[id]), body)
		if len(page) == pageBytes {
			flush()
		}
	}
	flush()
	b.heads, b.visits = nil, nil
	data, err := json.Marshal(&b.info)
	if err != nil {
		return err
	}
	section(w, "slots", slotsOf(b.prints))
	section(w, "many", many)
	section(w, "exact", votes)
	section(w, "ids", b.ids)
	section(w, "games", b.games)
	section(w, "info", data)
	return nil // those of w stay with it
}

// section writes a section in pages.
func section(w *segment.Writer, name string, data []byte) {
	w.Section(name)
	for page := range slices.Chunk(data, pageBytes) {
		w.Write(page)
		w.Page()
	}
}

// gather sums the visits to a node up.
func (b *builder) gather(head uint32, n *node) {
	n.Counts, n.edges = Counts{}, n.edges[:0]
	for at := head; at != none; {
		s := &b.visits[at]
		c := s.outcome.counts()
		if s.move&seenAgain == 0 {
			n.Counts = n.Counts.plus(c, 1)
		}
		if code := s.move & noCode; code != noCode {
			n.count(edge{code: code, same: s.move&seenSame != 0, child: s.child, Counts: c}, 1)
		}
		at = s.earlier
	}
	slices.SortFunc(n.edges, func(x, y edge) int { return cmp.Compare(x.code, y.code) })
}

// count adds sign times the counts of an edge, and reports whether the edge is
// new.
func (n *node) count(e edge, sign int) bool {
	for i := range n.edges {
		if n.edges[i].code == e.code {
			n.edges[i].Counts = n.edges[i].Counts.plus(e.Counts, sign)
			return false
		}
	}
	e.Counts = Counts{}.plus(e.Counts, sign)
	n.edges = append(n.edges, e)
	return true
}

// appendNode appends what base.load reads.
func appendNode(dst []byte, n *node) []byte {
	dst = appendCounts(dst, n.Counts)
	dst = binary.AppendUvarint(dst, uint64(len(n.edges)))
	for i := range n.edges {
		e := &n.edges[i]
		code := uint64(e.code) << 1
		if e.same {
			code |= 1
		}
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, code), uint64(e.child))
		dst = appendCounts(dst, e.Counts)
	}
	return dst
}

// tally sums the votes up, by rising node and score.
func (b *builder) tally() []byte {
	slices.SortFunc(b.votes, func(x, y vote) int {
		return cmp.Or(cmp.Compare(x.id, y.id), cmp.Compare(x.score, y.score))
	})
	var out []byte
	last := vote{id: none}
	for _, v := range b.votes {
		if v == last {
			n := out[len(out)-4:]
			le.PutUint32(n, le.Uint32(n)+1)
			continue
		}
		if v.id != last.id {
			b.Solved++
		}
		out = le.AppendUint32(le.AppendUint32(le.AppendUint32(out, v.id), uint32(v.score)), 1)
		last = v
	}
	return out
}

// gatherGames adds games until they end.
func (b *builder) gatherGames(ctx context.Context, games iter.Seq2[*Game, error], total int, progress func(done, total int)) error {
	n := 0
	for g, err := range games {
		if err == nil {
			err = b.add(g)
		}
		if err != nil {
			return err
		}
		if n++; n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if n == 1024 && total > n {
				b.reserve(total / n)
			}
			if progress != nil {
				progress(n, total)
			}
		}
	}
	return ctx.Err()
}

// publish makes the base: under a name in a folder, or in memory where the folder
// is empty.
func (b *builder) publish(dir, name string) (*base, error) {
	var file *segment.File
	var err error
	if dir == "" {
		file, err = segment.Memory(fileKind, fileVersion, b.write)
	} else {
		file, err = b.file(dir, name)
	}
	if err != nil {
		return nil, err
	}
	made, err := openBase(file)
	if err != nil {
		file.Close()
	}
	return made, err
}

func (b *builder) file(dir, name string) (*segment.File, error) {
	w, err := segment.Create(dir, name, fileKind, fileVersion)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	if err := b.write(w); err != nil {
		return nil, err
	}
	done, err := w.Commit()
	if err != nil {
		return nil, err
	}
	return segment.Open(done.Path, kinds)
}

var kinds = segment.Kinds{fileKind: {Min: mixedFile, Max: fileVersion}}
