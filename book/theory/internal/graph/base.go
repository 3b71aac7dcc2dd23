package graph

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
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

var le = binary.LittleEndian

type baseInfo struct {
	Kind      string `json:"kind"`
	Positions int    `json:"positions"`
	Mark      Mark   `json:"mark"`
}

// Base is an open file. Its bytes are those of the map.
type Base struct {
	baseInfo
	File               *segment.File
	keys               []byte
	facts, texts, ways *segment.Section
	Failed             atomic.Bool // the disk did: it knows nothing any more, and is made anew
}

// OpenNewest opens the newest file of a folder that can be read; nil for none.
func OpenNewest(dir, name, kind string) *Base {
	names, _ := BaseFiles(dir, name)
	for _, n := range names {
		if b, err := openBase(filepath.Join(dir, n), kind); err == nil {
			return b
		}
	}
	return nil
}

// BaseFiles returns the files of a theory, the newest first, and the number of that.
func BaseFiles(dir, name string) (names []string, last int) {
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
func openBase(path, kind string) (*Base, error) {
	file, err := segment.Open(path, segment.Kinds{baseKind: {Min: baseVersion, Max: baseVersion}})
	if err != nil {
		return nil, err
	}
	b := &Base{File: file}
	err = segment.Guard(func() error { return b.open(kind) })
	if err != nil {
		file.Close()
		return nil, err
	}
	return b, nil
}

func (b *Base) open(kind string) error {
	info, ok1 := b.File.Section("info")
	keys, ok2 := b.File.Section("keys")
	facts, ok3 := b.File.Section("facts")
	texts, ok4 := b.File.Section("texts")
	ways, ok5 := b.File.Section("ways")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return fmt.Errorf("theory: %s lacks a section", b.File.Info().Path)
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
		return fmt.Errorf("theory: %s is of another game, or cut", b.File.Info().Path)
	}
	b.facts, b.texts, b.ways = facts, texts, ways
	return nil
}

// Close closes the file; of nil there is nothing to close.
func (b *Base) Close() error {
	if b == nil {
		return nil
	}
	return b.File.Close()
}

// Read runs a reader. Where the file fails under it, it has found nothing.
func (b *Base) read(fn func() error) bool {
	if b.Failed.Load() {
		return false
	}
	if err := segment.Guard(fn); err != nil {
		b.Failed.Store(true)
		return false
	}
	return true
}

func (b *Base) key(i int) book.Key {
	return book.Key{Hi: le.Uint64(b.keys[i*keySize:]), Lo: le.Uint64(b.keys[i*keySize+8:])}
}

// Find returns what the file knows of a position.
func (b *Base) Find(k book.Key) (f Fact, ok bool) {
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
func (b *Base) index(k book.Key) (int, bool) {
	low, high := 0, b.Positions
	for low < high {
		mid := int(uint(low+high) >> 1)
		if CompareKeys(b.key(mid), k) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < b.Positions && b.key(low) == k
}

func (b *Base) fact(i int) (f Fact, err error) {
	d, err := b.facts.Range(i*factSize, factSize)
	if err != nil {
		return f, err
	}
	at := func(n int) engine.Value { return engine.Value(int32(le.Uint32(d[4*n:]))) }
	f.Row = Row{Key: b.key(i), Value: at(0), Lower: at(1), Upper: at(2), Exact: at(3), Human: at(4), Level: int(d[36])}
	f.Worth = Worth{Value: at(5), Lower: at(6), Upper: at(7), Level: int16(d[37]), Partial: d[38]&flagPartial != 0}
	f.X, f.Stale, f.Shipped, f.Links = at(8), d[38]&flagStale != 0, d[38]&flagShipped != 0, d[39]
	f.Pieces = int32(le.Uint32(d[40:]))
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
	for _, to := range []*string{&f.Row.Position, &f.Row.Leaf, &f.Row.Note, &f.Row.Teacher} {
		n, used := binary.Uvarint(text)
		if used <= 0 || n > uint64(len(text)-used) {
			return f, fmt.Errorf("%w: a text of %s", segment.ErrCorrupt, b.File.Info().Path)
		}
		*to, text = string(text[used:used+int(n)]), text[used+int(n):]
	}
	return f, nil
}

// Each calls back with all positions, by key.
func (b *Base) Each(yield func(Fact) bool) {
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

func (b *Base) parents(k book.Key, yield func(book.Key)) {
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

func (b *Base) way(i int) (uint64, error) {
	d, err := b.ways.Range(i*waySize, waySize)
	if err != nil {
		return 0, err
	}
	return le.Uint64(d), nil
}

// KindOf names the game that a file is of.
func KindOf(r game.Rules) string {
	return fmt.Sprintf("%s %v", r.Info().Name, r.Geometry().Size)
}

// source is a position of a new file: that of a node, or that of the old file.
type source struct {
	key  book.Key
	node int32 // nowhere for that of the old file
	old  int
}

// Write makes a file of what an old one has and what has changed since; what came
// with the program and has not changed stays out. It only looks.
func (g *Graph) Write(old *Base, dir, name, kind string, m Mark) (*Base, error) {
	var list []source
	for id := range g.Nodes {
		if n := &g.Nodes[id]; !n.Gone && (n.Changed || !n.Shipped) {
			list = append(list, source{n.Row.Key, int32(id), 0})
		}
	}
	slices.SortFunc(list, func(x, y source) int { return CompareKeys(x.key, y.key) })
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
	load := func(s source) (Fact, error) {
		if s.node >= 0 {
			return g.whole(&g.Nodes[s.node]), nil
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
		place += len(appendTexts(nil, &f.Row))
	}
	section("texts")
	for _, s := range list {
		f, err := load(s)
		if err != nil {
			return nil, err
		}
		out.Write(appendTexts(nil, &f.Row))
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
func (g *Graph) merged(nodes []source, old *Base) []source {
	if old == nil {
		return nodes
	}
	list := make([]source, 0, len(nodes)+old.Positions)
	for i := range old.Positions {
		k := old.key(i)
		for len(nodes) > 0 && CompareKeys(nodes[0].key, k) < 0 {
			list, nodes = append(list, nodes[0]), nodes[1:]
		}
		switch {
		case g.gone[k]:
		case len(nodes) > 0 && nodes[0].key == k:
			nodes[0].old = i + 1 // its ways are in the old file
			list, nodes = append(list, nodes[0]), nodes[1:]
		default:
			list = append(list, source{k, Nowhere, i})
		}
	}
	return append(list, nodes...)
}

// writeWays writes the moves of all positions by where they lead: those of the
// old file under their new numbers, and those of nodes that it did not have. Both
// rise.
func (g *Graph) writeWays(out *bufio.Writer, list []source, old *Base) error {
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
			n := &g.Nodes[s.node]
			for j := range n.Count {
				fresh = append(fresh, wayTo(g.Edges[n.First+j].Key)<<32|uint64(i))
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

func appendFact(dst []byte, f *Fact, place int) []byte {
	for _, v := range []engine.Value{f.Row.Value, f.Row.Lower, f.Row.Upper, f.Row.Exact, f.Row.Human, f.Value, f.Lower, f.Upper, f.X} {
		dst = le.AppendUint32(dst, uint32(v))
	}
	flags := byte(0)
	for bit, set := range map[byte]bool{flagPartial: f.Partial, flagStale: f.Stale, flagShipped: f.Shipped} {
		if set {
			flags |= bit
		}
	}
	dst = append(dst, byte(f.Row.Level), byte(f.Level), flags, f.Links)
	dst = le.AppendUint32(dst, uint32(f.Pieces))
	dst = le.AppendUint64(dst, uint64(place))
	return append(dst, make([]byte, factSize-len(dst)%factSize)...)
}

func appendTexts(dst []byte, r *Row) []byte {
	for _, s := range []string{r.Position, r.Leaf, r.Note, r.Teacher} {
		dst = append(binary.AppendUvarint(dst, uint64(len(s))), s...)
	}
	return dst
}
