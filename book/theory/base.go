package theory

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"qipu/board"
	"qipu/book"
	"qipu/engine"
	"qipu/game"
	"qipu/segment"
)

// A base is a segment of kind "theory": a layer in a file that is mapped into
// memory. It is derived, from the rows of a store and from what follows from them.
//
//	info   json: see baseInfo
//	keys   of each position, by key: high 8 | low 8
//	facts  of each position, values of 4 bytes: of the leaf, lower, upper, exact, human; E, lower, upper, X;
//	       then level 1 | level of E 1 | flags 1 | links 1 | pieces 4 | place of its texts 8 | zero 12
//	texts  of each position: its text, leaf, note and teacher, each behind its length
//	ways   of each move of each position, by rising hash of where it leads: number of the position 4 | hash 4
const (
	baseKind    = "theory"
	baseVersion = 1
	keySize     = 16
	factSize    = 64
	waySize     = 8
	basePage    = 1 << 16

	flagPartial = 1
	flagStale   = 2
	flagShipped = 4
)

// maxLoose is how many positions are held beside the file before a new one is
// made, and minFile from how many on one is worth making.
const (
	maxLoose = 1 << 15
	minFile  = 512
)

var le = binary.LittleEndian

type baseInfo struct {
	Kind      string `json:"kind"`
	Positions int    `json:"positions"`
	Mark      Mark   `json:"mark"`
}

// base is an open file. Its bytes are those of the map.
type base struct {
	baseInfo
	file               *segment.File
	keys               []byte
	facts, texts, ways *segment.Section
	failed             atomic.Bool // the disk did: it knows nothing any more, and is made anew
}

// openNewest opens the newest file of a folder that can be read; nil for none.
func openNewest(dir, name, kind string) *base {
	names, _ := baseFiles(dir, name)
	for _, n := range names {
		if b, err := openBase(filepath.Join(dir, n), kind); err == nil {
			return b
		}
	}
	return nil
}

// baseFiles returns the files of a theory, the newest first, and the number of that.
func baseFiles(dir, name string) (names []string, last int) {
	if dir == "" {
		return nil, 0
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0
	}
	numbers := map[string]int{}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), name)
		rest, seg := strings.CutSuffix(rest, ".seg")
		if n, err := strconv.Atoi(rest); ours && seg && err == nil {
			names, numbers[e.Name()] = append(names, e.Name()), n
			last = max(last, n)
		}
	}
	slices.SortFunc(names, func(x, y string) int { return numbers[y] - numbers[x] })
	return names, last
}

// openBase opens a file. It reads the keys, and checks the rest when it is used.
func openBase(path, kind string) (*base, error) {
	file, err := segment.Open(path, segment.Kinds{baseKind: {Min: baseVersion, Max: baseVersion}})
	if err != nil {
		return nil, err
	}
	b := &base{file: file}
	err = segment.Guard(func() error { return b.open(kind) })
	if err != nil {
		file.Close()
		return nil, err
	}
	return b, nil
}

func (b *base) open(kind string) error {
	info, ok1 := b.file.Section("info")
	keys, ok2 := b.file.Section("keys")
	facts, ok3 := b.file.Section("facts")
	texts, ok4 := b.file.Section("texts")
	ways, ok5 := b.file.Section("ways")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return fmt.Errorf("theory: %s lacks a section", b.file.Info().Path)
	}
	data, err := info.Bytes()
	if err == nil {
		err = json.Unmarshal(data, &b.baseInfo)
	}
	if err == nil {
		b.keys, err = keys.Bytes()
	}
	if err != nil {
		return err
	}
	if b.Kind != kind || len(b.keys) != b.Positions*keySize || facts.Len() != b.Positions*factSize || ways.Len()%waySize != 0 {
		return fmt.Errorf("theory: %s is of another game, or cut", b.file.Info().Path)
	}
	b.facts, b.texts, b.ways = facts, texts, ways
	return nil
}

func (b *base) close() error {
	if b == nil {
		return nil
	}
	return b.file.Close()
}

// read runs a reader. Where the file fails under it, it has found nothing.
func (b *base) read(fn func() error) bool {
	if b.failed.Load() {
		return false
	}
	if err := segment.Guard(fn); err != nil {
		b.failed.Store(true)
		return false
	}
	return true
}

func (b *base) key(i int) book.Key {
	return book.Key{Hi: le.Uint64(b.keys[i*keySize:]), Lo: le.Uint64(b.keys[i*keySize+8:])}
}

func (b *base) find(k book.Key) (f fact, ok bool) {
	found := b.read(func() (err error) {
		i, there := b.index(k)
		if there {
			f, err = b.fact(i)
		}
		ok = there
		return err
	})
	return f, found && ok
}

// index returns the number of a position.
func (b *base) index(k book.Key) (int, bool) {
	low, high := 0, b.Positions
	for low < high {
		mid := int(uint(low+high) >> 1)
		if compareKeys(b.key(mid), k) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < b.Positions && b.key(low) == k
}

func (b *base) fact(i int) (f fact, err error) {
	d, err := b.facts.Range(i*factSize, factSize)
	if err != nil {
		return f, err
	}
	at := func(n int) engine.Value { return engine.Value(int32(le.Uint32(d[4*n:]))) }
	f.row = Row{Key: b.key(i), Value: at(0), Lower: at(1), Upper: at(2), Exact: at(3), Human: at(4), Level: int(d[36])}
	f.worth = worth{value: at(5), lower: at(6), upper: at(7), level: int16(d[37]), partial: d[38]&flagPartial != 0}
	f.x, f.stale, f.shipped, f.links = at(8), d[38]&flagStale != 0, d[38]&flagShipped != 0, d[39]
	f.pieces = int32(le.Uint32(d[40:]))
	place := int(le.Uint64(d[44:]))
	end := b.texts.Len()
	if i+1 < b.Positions {
		next, err := b.facts.Range((i+1)*factSize+44, 8)
		if err != nil {
			return f, err
		}
		end = int(le.Uint64(next))
	}
	text, err := b.texts.Range(place, end-place)
	if err != nil {
		return f, err
	}
	for _, to := range []*string{&f.row.Position, &f.row.Leaf, &f.row.Note, &f.row.Teacher} {
		n, used := binary.Uvarint(text)
		if used <= 0 || n > uint64(len(text)-used) {
			return f, fmt.Errorf("%w: a text of %s", segment.ErrCorrupt, b.file.Info().Path)
		}
		*to, text = string(text[used:used+int(n)]), text[used+int(n):]
	}
	return f, nil
}

func (b *base) each(yield func(fact) bool) {
	b.read(func() error {
		for i := range b.Positions {
			f, err := b.fact(i)
			if err != nil || !yield(f) {
				return err
			}
		}
		return nil
	})
}

// wayTo is the hash under which the moves to a position stand.
func wayTo(k book.Key) uint64 { return board.Mix(k.Hi^board.Mix(k.Lo+0x9E3779B97F4A7C15)) >> 32 }

func (b *base) parents(k book.Key, yield func(book.Key)) {
	var keys []book.Key
	b.read(func() error {
		hash := wayTo(k)
		low, high := 0, b.ways.Len()/waySize
		for low < high {
			mid := int(uint(low+high) >> 1)
			w, err := b.way(mid)
			if err != nil {
				return err
			}
			if w>>32 < hash {
				low = mid + 1
			} else {
				high = mid
			}
		}
		for i := low; i < b.ways.Len()/waySize; i++ {
			w, err := b.way(i)
			if err != nil || w>>32 != hash {
				return err
			}
			keys = append(keys, b.key(int(uint32(w))))
		}
		return nil
	})
	for _, k := range keys {
		yield(k)
	}
}

func (b *base) way(i int) (uint64, error) {
	d, err := b.ways.Range(i*waySize, waySize)
	if err != nil {
		return 0, err
	}
	return le.Uint64(d), nil
}

func kindOf(r game.Rules) string {
	return fmt.Sprintf("%s %v", r.Info().Name, r.Geometry().Size)
}

// source is a position of a new file: that of a node, or that of the old file.
type source struct {
	key  book.Key
	node int32 // nowhere for that of the old file
	old  int
}

// write makes a file of what an old one has and what has changed since; what came
// with the program and has not changed stays out. It only looks.
func (g *graph) write(old *base, dir, name, kind string, m Mark) (*base, error) {
	var list []source
	for id := range g.nodes {
		if n := &g.nodes[id]; !n.gone && (n.changed || !n.shipped) {
			list = append(list, source{n.row.Key, int32(id), 0})
		}
	}
	slices.SortFunc(list, func(x, y source) int { return compareKeys(x.key, y.key) })
	list = g.merged(list, old)
	w, err := segment.Create(dir, name, baseKind, baseVersion)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	out := bufio.NewWriterSize(pager{w}, basePage)
	section := func(name string) {
		out.Flush()
		w.Section(name)
	}
	section("keys")
	for _, s := range list {
		out.Write(le.AppendUint64(le.AppendUint64(nil, s.key.Hi), s.key.Lo))
	}
	load := func(s source) (fact, error) {
		if s.node >= 0 {
			return g.whole(&g.nodes[s.node]), nil
		}
		return old.fact(s.old)
	}
	section("facts")
	place := 0
	for _, s := range list {
		f, err := load(s)
		if err != nil {
			return nil, err
		}
		out.Write(appendFact(nil, &f, place))
		place += len(appendTexts(nil, &f.row))
	}
	section("texts")
	for _, s := range list {
		f, err := load(s)
		if err != nil {
			return nil, err
		}
		out.Write(appendTexts(nil, &f.row))
	}
	section("ways")
	if err := g.writeWays(out, list, old); err != nil {
		return nil, err
	}
	section("info")
	data, err := json.Marshal(baseInfo{Kind: kind, Positions: len(list), Mark: m})
	if err != nil {
		return nil, err
	}
	out.Write(data)
	out.Flush() // errors stay with w
	info, err := w.Commit()
	if err != nil {
		return nil, err
	}
	return openBase(info.Path, kind)
}

// merged puts the positions of an old file among those of nodes.
func (g *graph) merged(nodes []source, old *base) []source {
	if old == nil {
		return nodes
	}
	list := make([]source, 0, len(nodes)+old.Positions)
	for i := range old.Positions {
		k := old.key(i)
		for len(nodes) > 0 && compareKeys(nodes[0].key, k) < 0 {
			list, nodes = append(list, nodes[0]), nodes[1:]
		}
		switch {
		case g.gone[k]:
		case len(nodes) > 0 && nodes[0].key == k:
			nodes[0].old = i + 1 // its ways are in the old file
			list, nodes = append(list, nodes[0]), nodes[1:]
		default:
			list = append(list, source{k, nowhere, i})
		}
	}
	return append(list, nodes...)
}

// writeWays writes the moves of all positions by where they lead: those of the
// old file under their new numbers, and those of nodes that it did not have. Both
// rise.
func (g *graph) writeWays(out *bufio.Writer, list []source, old *base) error {
	var fresh []uint64
	var renumbered []int64 // by old number; -1 for gone
	if old != nil {
		renumbered = slices.Repeat([]int64{-1}, old.Positions)
	}
	for i, s := range list {
		switch {
		case s.node < 0:
			renumbered[s.old] = int64(i)
		case s.old > 0:
			renumbered[s.old-1] = int64(i)
		default:
			n := &g.nodes[s.node]
			for j := range n.count {
				fresh = append(fresh, wayTo(g.edges[n.first+j].key)<<32|uint64(i))
			}
		}
	}
	slices.Sort(fresh)
	put := func(w uint64) { out.Write(le.AppendUint64(nil, w)) }
	if old != nil {
		for i := range old.ways.Len() / waySize {
			w, err := old.way(i)
			if err != nil {
				return err
			}
			to := renumbered[uint32(w)]
			if to < 0 {
				continue
			}
			w = w>>32<<32 | uint64(to)
			for len(fresh) > 0 && fresh[0] < w {
				put(fresh[0])
				fresh = fresh[1:]
			}
			put(w)
		}
	}
	for _, w := range fresh {
		put(w)
	}
	return nil
}

// pager ends a page of a segment with every write but those of a buffer's rest.
type pager struct{ *segment.Writer }

func (p pager) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if err == nil {
		err = p.Page()
	}
	return n, err
}

func appendFact(dst []byte, f *fact, place int) []byte {
	for _, v := range []engine.Value{f.row.Value, f.row.Lower, f.row.Upper, f.row.Exact, f.row.Human, f.value, f.lower, f.upper, f.x} {
		dst = le.AppendUint32(dst, uint32(v))
	}
	flags := byte(0)
	for bit, set := range map[byte]bool{flagPartial: f.partial, flagStale: f.stale, flagShipped: f.shipped} {
		if set {
			flags |= bit
		}
	}
	dst = append(dst, byte(f.row.Level), byte(f.level), flags, f.links)
	dst = le.AppendUint32(dst, uint32(f.pieces))
	dst = le.AppendUint64(dst, uint64(place))
	return append(dst, make([]byte, factSize-len(dst)%factSize)...)
}

func appendTexts(dst []byte, r *Row) []byte {
	for _, s := range []string{r.Position, r.Leaf, r.Note, r.Teacher} {
		dst = append(binary.AppendUvarint(dst, uint64(len(s))), s...)
	}
	return dst
}

// Save makes a new file where much is held beside the old one, and lets go of what
// it holds. Where somebody changes values meanwhile, it is left for another time.
func (t *Theory) Save(ctx context.Context) error {
	if t.options.Dir == "" {
		return nil
	}
	if err := t.Flush(ctx); err != nil {
		return err
	}
	t.saving.Lock()
	defer t.saving.Unlock()
	t.mu.RLock()
	turns, changed, held := t.turns, 0, len(t.graph.nodes)
	for id := range t.graph.nodes {
		if n := &t.graph.nodes[id]; n.changed || n.gone {
			changed++
		}
	}
	var made *base
	var err error
	if changed >= t.leastFile() {
		made, err = t.make(t.graph, t.file, t.state)
	}
	t.mu.RUnlock()
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case made != nil && t.turns == turns:
		old := t.file
		t.file, t.graph = made, t.begin(made)
		t.forget()
		t.clean()
		return old.close()
	case made != nil:
		path := made.file.Info().Path
		return errors.Join(made.close(), os.Remove(path))
	case changed == 0 && held > maxLoose:
		t.graph = t.begin(t.file)
		t.forget()
	}
	return nil
}

// loose returns how many positions are held in memory.
func (t *Theory) loose() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.graph.nodes)
}

// leastFile is how many changes are worth a file: with values that came with the
// program few are, since those above them are looked for each time.
func (t *Theory) leastFile() int {
	if t.options.Shipped != nil && t.file == nil {
		return 1
	}
	return t.least
}

// make writes a new file of a graph over an old one.
func (t *Theory) make(g *graph, old *base, m Mark) (made *base, err error) {
	if err := os.MkdirAll(t.options.Dir, 0o777); err != nil {
		return nil, err
	}
	_, last := baseFiles(t.options.Dir, t.options.Name)
	name := fmt.Sprintf("%s%06d.seg", t.options.Name, last+1)
	err = segment.Guard(func() (err error) {
		made, err = g.write(old, t.options.Dir, name, kindOf(t.rules), m)
		return err
	})
	return made, err
}

// clean removes all files but the newest. On Windows those that others have open
// stay, for the next time.
func (t *Theory) clean() {
	names, _ := baseFiles(t.options.Dir, t.options.Name)
	for _, n := range names[min(1, len(names)):] {
		os.Remove(filepath.Join(t.options.Dir, n))
	}
}
