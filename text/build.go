package text

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// The layout of an index, all numbers little endian:
//
//	header   magic "QIPUTXT1" 8 | texts 8 | pairs 8 | bytes of texts 8 | bytes of lists 8
//	docs     of each text the number of its document 4
//	ends     of each text where it ends in the texts 5
//	pairs    of each pair of characters, rising: first 3 | second 3 | where its list ends in the lists 5
//	lists    of each pair the texts it occurs in
//	texts    one behind the other
//
// The last character of a text makes a pair with 0, so that the texts which
// contain a character are those of the pairs that begin with it. A list begins
// with twice its length as a varint, plus one where a bitmap of all texts
// follows; else the numbers of its texts follow as varints, each less its
// predecessor (the first less -1).
const (
	indexMagic = "QIPUTXT1"
	headerSize = 40
	docSize    = 4
	endSize    = 5
	pairSize   = 11
	runeBits   = 21
)

// pairKey is the number under which a pair of characters is looked up.
func pairKey(a, b rune) uint64 { return uint64(a)<<runeBits | uint64(b) }

// Builder makes an [Index]. The zero Builder is empty and ready to use. It
// holds the texts and four bytes for every pair of characters in them until it
// is dropped.
type Builder struct {
	docs  []uint32
	ends  []int
	texts []byte

	// slots is a hash table of the pairs met so far: its size is a power of two.
	slots []slot
	pairs []uint64 // keys in the order of their numbers
	seen  []uint32 // of each pair the last text it was met in, plus one
	count []uint32 // of each pair the number of its texts
	uses  []uint32 // the pairs of each text, one text behind the other
	cuts  []int    // of each text where its pairs end in uses
}

// slot is a place of the hash table: number is that of the pair plus one.
type slot struct {
	key    uint64
	number uint32
}

// Add adds the text of a document, which is stored as it is: the caller folds
// it. Documents may come in any order; of one that comes twice both texts are
// searched. An empty text takes no room. Bytes that are not UTF-8 become U+FFFD.
func (b *Builder) Add(doc uint32, folded string) {
	if folded == "" {
		return
	}
	if !utf8.ValidString(folded) {
		folded = strings.ToValidUTF8(folded, "\uFFFD")
	}
	b.docs = append(b.docs, doc)
	b.texts = append(b.texts, folded...)
	b.ends = append(b.ends, len(b.texts))
	last, n := utf8.DecodeRuneInString(folded)
	for _, r := range folded[n:] {
		b.use(pairKey(last, r))
		last = r
	}
	b.use(pairKey(last, 0))
	b.cuts = append(b.cuts, len(b.uses))
}

// use notes that the last text contains a pair.
func (b *Builder) use(key uint64) {
	if len(b.pairs)*2 >= len(b.slots) {
		b.grow()
	}
	mask := uint64(len(b.slots) - 1)
	for i := spread(key) & mask; ; i = (i + 1) & mask {
		s := &b.slots[i]
		if s.number == 0 {
			b.pairs = append(b.pairs, key)
			b.seen = append(b.seen, 0)
			b.count = append(b.count, 0)
			*s = slot{key, uint32(len(b.pairs))}
		} else if s.key != key {
			continue
		}
		if p := s.number - 1; b.seen[p] != uint32(len(b.docs)) {
			b.seen[p] = uint32(len(b.docs))
			b.count[p]++
			b.uses = append(b.uses, p)
		}
		return
	}
}

func (b *Builder) grow() {
	b.slots = make([]slot, max(1024, 2*len(b.slots)))
	mask := uint64(len(b.slots) - 1)
	for p, key := range b.pairs {
		i := spread(key) & mask
		for b.slots[i].number != 0 {
			i = (i + 1) & mask
		}
		b.slots[i] = slot{key, uint32(p) + 1}
	}
}

// spread mixes a key so that its low bits depend on all of it.
func spread(key uint64) uint64 {
	hi, lo := bits.Mul64(key, 0x9E3779B97F4A7C15)
	return hi ^ lo ^ lo>>29
}

// AppendTo appends the index to dst. The bytes depend only on what was added
// and in which order. The Builder stays as it is.
func (b *Builder) AppendTo(dst []byte) []byte {
	order := make([]uint32, len(b.pairs)) // pairs by rising key
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(b.pairs[x], b.pairs[y]) })
	// The texts of each pair, by counting: fill[p] is where the next text of
	// pair p goes.
	fill := make([]uint32, len(b.pairs))
	next := uint32(0)
	for _, p := range order {
		fill[p] = next
		next += b.count[p]
	}
	texts := make([]uint32, len(b.uses))
	from := 0
	for t, to := range b.cuts {
		for _, p := range b.uses[from:to] {
			texts[fill[p]] = uint32(t)
			fill[p]++
		}
		from = to
	}
	base := len(dst)
	dst = append(dst, indexMagic...)
	for _, n := range []int{len(b.docs), len(b.pairs), len(b.texts), 0} {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(n))
	}
	for _, d := range b.docs {
		dst = binary.LittleEndian.AppendUint32(dst, d)
	}
	for _, e := range b.ends {
		dst = append40(dst, e)
	}
	lists := make([]byte, 0, len(texts)*3/2)
	for _, p := range order {
		end := fill[p]
		lists = b.appendList(lists, texts[end-b.count[p]:end])
		first, second := b.pairs[p]>>runeBits, b.pairs[p]&(1<<runeBits-1)
		dst = append(dst, byte(first), byte(first>>8), byte(first>>16), byte(second), byte(second>>8), byte(second>>16))
		dst = append40(dst, len(lists))
	}
	binary.LittleEndian.PutUint64(dst[base+headerSize-8:], uint64(len(lists)))
	dst = append(dst, lists...)
	return append(dst, b.texts...)
}

// appendList writes the texts of one pair, as a bitmap where that is shorter
// than one byte for each.
func (b *Builder) appendList(dst []byte, texts []uint32) []byte {
	if size := (len(b.docs) + 7) / 8; len(texts) > size {
		dst = binary.AppendUvarint(dst, uint64(len(texts))<<1|1)
		at := len(dst)
		dst = append(dst, make([]byte, size)...)
		for _, t := range texts {
			dst[at+int(t>>3)] |= 1 << (t & 7)
		}
		return dst
	}
	dst = binary.AppendUvarint(dst, uint64(len(texts))<<1)
	last := int64(-1)
	for _, t := range texts {
		dst = binary.AppendUvarint(dst, uint64(int64(t)-last))
		last = int64(t)
	}
	return dst
}

func append40(dst []byte, n int) []byte {
	return append(dst, byte(n), byte(n>>8), byte(n>>16), byte(n>>24), byte(n>>32))
}
