package graph

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"qipu/board"
	"qipu/book"
	"qipu/engine"
	"qipu/game"
)

// Shipped is values that come with the program. They are read where they lie: in
// blocks of positions by key, each position behind the one before.
//
//	magic "QIPUTHEO" 8 | positions 4 | blocks 4
//	of each block: key of its first position 16 | place behind the table 4
//	of each position:
//	  key    but of the first of a block: what Hi is more than that before, as a number of variable length,
//	         and Lo, of 8 bytes
//	  E      in tenths, zigzag | what the leaf is worth more than E, likewise
//	  leaf 1 square, 64 for none | level 1 | level of E 1 | links 1 | flags 1: see below
//
// Keys of Othello on 8x8 are its positions, which is why no other game has any.
type Shipped struct {
	rules game.Rules
	data  []byte // the positions
	heads []byte
	count int
	stamp int64

	once sync.Once
	ways []uint64 // as those of a base, and by number
	keys []book.Key
}

const (
	shippedMagic = "QIPUTHEO"
	shippedBlock = 64
	shippedHead  = 20

	shippedPartial = 1
	shippedSolved  = 2 // X is E
	shippedStale   = 4
)

// OpenShipped opens values that Theory.Ship has written. It reads none of them.
func OpenShipped(r game.Rules, data []byte) (*Shipped, error) {
	if err := UsualOthello(r, "shipped"); err != nil {
		return nil, err
	}
	if len(data) < 16 || string(data[:8]) != shippedMagic {
		return nil, errors.New("theory: these are no shipped values")
	}
	count, blocks := int(le.Uint32(data[8:])), int(le.Uint32(data[12:]))
	if blocks != (count+shippedBlock-1)/shippedBlock || len(data) < 16+blocks*shippedHead {
		return nil, errors.New("theory: the shipped values are cut")
	}
	return &Shipped{rules: r, heads: data[16 : 16+blocks*shippedHead], data: data[16+blocks*shippedHead:], count: count, stamp: int64(xxh3.Hash(data) >> 1)}, nil
}

// Stamp is another number for other values.
func (s *Shipped) Stamp() int64 { return s.stamp }

// Len returns how many positions there are.
func (s *Shipped) Len() int { return s.count }

func (s *Shipped) head(i int) (book.Key, int) {
	h := s.heads[i*shippedHead:]
	return book.Key{Hi: le.Uint64(h), Lo: le.Uint64(h[8:])}, int(le.Uint32(h[16:]))
}

// block calls back with the positions of a block until that returns false: with
// the key, and what makes the rest of it.
func (s *Shipped) block(i int, yield func(k book.Key, rest func() Fact) bool) bool {
	k, at := s.head(i)
	d := s.data[at:]
	for n := range min(shippedBlock, s.count-i*shippedBlock) {
		if n > 0 {
			more, used := binary.Uvarint(d)
			k = book.Key{Hi: k.Hi + more, Lo: le.Uint64(d[used:])}
			d = d[used+8:]
		}
		e, used := binary.Varint(d)
		over, also := binary.Varint(d[used:])
		rest := d[used+also : used+also+5]
		d = d[used+also+5:]
		if !yield(k, func() Fact { return s.fact(k, engine.Value(e)*10, engine.Value(e+over)*10, rest) }) {
			return false
		}
	}
	return true
}

// Fact makes a position of what is written of it.
func (s *Shipped) fact(k book.Key, e, leaf engine.Value, rest []byte) Fact {
	text := s.text(k)
	f := Fact{Row: Blank(k, text), Pieces: int32(bits.OnesCount64(k.Hi | k.Lo)), X: engine.NoValue, Shipped: true}
	f.Row.Level = int(rest[1])
	margin := func(level byte) engine.Value {
		if level >= LevelExact {
			return 0
		}
		return MarginMid
	}
	if rest[0] < 64 {
		f.Row.Leaf = string([]byte{'a' + rest[0]&7, '1' + rest[0]>>3})
		f.Row.Value = leaf
		f.Row.Lower, f.Row.Upper = leaf-margin(rest[1]), leaf+margin(rest[1])
	}
	f.Worth = Worth{Value: e, Lower: e - margin(rest[2]), Upper: e + margin(rest[2]), Level: int16(rest[2]), Partial: rest[4]&shippedPartial != 0}
	if f.Partial {
		f.Upper = unbounded
	}
	if rest[4]&shippedSolved != 0 {
		f.X = e
		if f.Row.Level >= LevelExact {
			f.Row.Exact = e
		}
	}
	f.Stale, f.Links = rest[4]&shippedStale != 0, rest[3]
	return f
}

// text returns the position that a key is.
func (s *Shipped) text(k book.Key) string {
	var b strings.Builder
	for i := range 64 {
		b.WriteByte("-XO"[k.Hi>>i&1|k.Lo>>i&1<<1])
	}
	p, err := game.ParsePosition(s.rules, b.String()+" X")
	if err != nil {
		return ""
	}
	return game.FormatPosition(s.rules, p)
}

// Find returns what came with the program of a position.
func (s *Shipped) Find(k book.Key) (f Fact, ok bool) {
	blocks := len(s.heads) / shippedHead
	i := sort.Search(blocks, func(i int) bool {
		first, _ := s.head(i)
		return CompareKeys(first, k) > 0
	})
	if i == 0 {
		return f, false
	}
	s.block(i-1, func(at book.Key, rest func() Fact) bool {
		if at == k {
			f, ok = rest(), true
		}
		return CompareKeys(at, k) < 0
	})
	return f, ok
}

// Each calls back with all positions, by key.
func (s *Shipped) Each(yield func(Fact) bool) {
	for i := range len(s.heads) / shippedHead {
		if !s.block(i, func(_ book.Key, rest func() Fact) bool { return yield(rest()) }) {
			return
		}
	}
}

// parents looks all moves of all positions up the first time, which takes some
// microseconds a position: only those need it who change values.
func (s *Shipped) parents(k book.Key, yield func(book.Key)) {
	s.once.Do(func() {
		keys := NewKeyer(s.rules)
		s.Each(func(f Fact) bool {
			id := uint64(len(s.keys))
			s.keys = append(s.keys, f.Row.Key)
			p, err := game.ParsePosition(s.rules, f.Row.Position)
			if err != nil {
				return true
			}
			for _, m := range p.AppendMoves(nil) {
				if to, err := keys.Step(p, m); err == nil {
					s.ways = append(s.ways, wayTo(to.Key)<<32|id)
				}
			}
			return true
		})
		slices.Sort(s.ways)
		s.ways = slices.Compact(s.ways)
	})
	hash := wayTo(k)
	i, _ := slices.BinarySearch(s.ways, hash<<32)
	for ; i < len(s.ways) && s.ways[i]>>32 == hash; i++ {
		yield(s.keys[uint32(s.ways[i])])
	}
}

// WriteShipped writes positions for a program to bring along, by key.
func WriteShipped(w io.Writer, r game.Rules, list []Fact) (err error) {
	var heads, data []byte
	for i := range list {
		f := &list[i]
		k := f.Row.Key
		if i%shippedBlock == 0 {
			heads = le.AppendUint32(le.AppendUint64(le.AppendUint64(heads, k.Hi), k.Lo), uint32(len(data)))
		} else {
			data = le.AppendUint64(binary.AppendUvarint(data, k.Hi-list[i-1].Row.Key.Hi), k.Lo)
		}
		if data, err = appendShipped(data, r, f); err != nil {
			return err
		}
	}
	out := bufio.NewWriter(w)
	out.WriteString(shippedMagic)
	out.Write(le.AppendUint32(le.AppendUint32(nil, uint32(len(list))), uint32(len(heads)/shippedHead)))
	out.Write(heads)
	out.Write(data)
	return out.Flush()
}

func appendShipped(dst []byte, r game.Rules, f *Fact) ([]byte, error) {
	best := f.Decides()
	e := int64(tenths(best.Value))
	square, over := byte(64), int64(0)
	if f.Row.Leaf != "" && f.Row.Value != engine.NoValue {
		p, err := game.ParsePosition(r, f.Row.Position)
		if err != nil {
			return nil, err
		}
		m, err := r.ParseMove(p, f.Row.Leaf, game.AnyNotation)
		if err != nil {
			return nil, fmt.Errorf("theory: the leaf of %q: %w", f.Row.Position, err)
		}
		square, over = byte(r.Geometry().Size.Index(m.To())), int64(tenths(f.Row.Value))-e
	}
	flags := byte(0)
	if f.Partial {
		flags |= shippedPartial
	}
	if f.X != engine.NoValue {
		flags |= shippedSolved
	}
	if f.Stale {
		flags |= shippedStale
	}
	dst = binary.AppendVarint(binary.AppendVarint(dst, e), over)
	return append(dst, square, byte(f.Row.Level), byte(best.Level), f.Links, flags), nil
}

// tenths rounds a value to tenths of a disc.
func tenths(v engine.Value) engine.Value {
	if v < 0 {
		return -((-v + 5) / 10)
	}
	return (v + 5) / 10
}

var _, _ Layer = (*Base)(nil), (*Shipped)(nil)

// UsualOthello checks that a format of others is asked for the game they play.
func UsualOthello(r game.Rules, f string) error {
	if r.Info().Name != "othello" || r.Geometry().Size != (board.Size{W: 8, H: 8}) {
		return fmt.Errorf("theory: the format %s is of Othello on 8x8 alone: use csv for other games", f)
	}
	return nil
}
