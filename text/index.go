package text

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
)

// ErrDamaged is wrapped by every error about bytes that are no index.
var ErrDamaged = errors.New("text: the index of texts is damaged: make it anew")

func damaged(what string) error { return fmt.Errorf("%w (%s)", ErrDamaged, what) }

// Index finds the documents that contain a text. It is a view of bytes that it
// does not own: they must stay as they are while it is used. It may be used by
// several goroutines at once.
type Index struct {
	docs, ends, pairs, lists, texts []byte
	n                               int // number of texts
}

// Open returns the index in data, as [Builder.AppendTo] wrote it, and nothing
// behind it. It costs the same whatever the size: only the header is read. All
// other numbers are checked when they are used.
func Open(data []byte) (*Index, error) {
	if len(data) < headerSize || string(data[:8]) != indexMagic {
		return nil, damaged("it does not begin as one")
	}
	var sizes [5]uint64
	n, pairs := binary.LittleEndian.Uint64(data[8:]), binary.LittleEndian.Uint64(data[16:])
	texts, lists := binary.LittleEndian.Uint64(data[24:]), binary.LittleEndian.Uint64(data[32:])
	rest := uint64(len(data) - headerSize)
	if n > rest || pairs > rest || texts > rest || lists > rest || n > 1<<32-2 {
		return nil, damaged("its parts are longer than the whole")
	}
	sizes = [5]uint64{n * docSize, n * endSize, pairs * pairSize, lists, texts}
	if sizes[0]+sizes[1]+sizes[2]+sizes[3]+sizes[4] != rest {
		return nil, damaged("its parts do not add up to the whole")
	}
	ix := &Index{n: int(n)}
	data = data[headerSize:]
	for i, part := range []*[]byte{&ix.docs, &ix.ends, &ix.pairs, &ix.lists, &ix.texts} {
		*part, data = data[:sizes[i]:sizes[i]], data[sizes[i]:]
	}
	return ix, nil
}

// Len returns the number of texts.
func (ix *Index) Len() int { return ix.n }

// Each calls f for every text in the order they were added, until f returns an
// error, which it returns. The bytes lie in the index.
func (ix *Index) Each(f func(doc uint32, folded []byte) error) error {
	for t := range ix.n {
		text, err := ix.text(uint32(t))
		if err != nil {
			return err
		}
		if err := f(ix.doc(uint32(t)), text); err != nil {
			return err
		}
	}
	return nil
}

// Search returns the documents that contain a text, which the caller has
// folded: exactly those whose folded text contains it. The empty text is in
// every document that has one.
func (ix *Index) Search(folded string) (*roaring.Bitmap, error) {
	if !utf8.ValidString(folded) {
		folded = strings.ToValidUTF8(folded, "\uFFFD")
	}
	if folded == "" {
		return ix.collect(all(ix.n)), nil
	}
	first, n := utf8.DecodeRuneInString(folded)
	if n == len(folded) {
		texts, err := ix.single(first)
		if err != nil {
			return nil, err
		}
		return ix.collect(texts), nil
	}
	lists, err := ix.listsOf(folded)
	if err != nil || lists == nil {
		return roaring.New(), err
	}
	texts, err := ix.common(lists)
	if err != nil {
		return nil, err
	}
	// A single pair says it all, unless its second character is the 0 that
	// also stands for the end.
	if utf8.RuneCountInString(folded) > 2 || strings.IndexByte(folded, 0) >= 0 {
		if texts, err = ix.containing(texts, []byte(folded)); err != nil {
			return nil, err
		}
	}
	return ix.collect(texts), nil
}

func all(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

// containing keeps the texts that contain a text.
func (ix *Index) containing(texts []uint32, folded []byte) ([]uint32, error) {
	keep := texts[:0]
	anchor := rarest(folded)
	for _, t := range texts {
		text, err := ix.text(t)
		if err != nil {
			return nil, err
		}
		if has(text, folded, anchor) {
			keep = append(keep, t)
		}
	}
	return keep, nil
}

// rarest returns the place of the byte of a text that other texts have least
// often. The first bytes of Han characters are few, the last ones many, which is
// why looking for the first byte of a text, as bytes.Contains does, is slow here.
func rarest(text []byte) int {
	best, least := 0, 1<<30
	for i, b := range text {
		weight := 2
		switch {
		case b >= 0xC0:
			weight = 30
		case b < 0x80:
			weight = 3
			if at := strings.IndexByte(" eatoinhsrdlmcufgwypbkv", b); at >= 0 {
				weight = 30 - at
			}
		}
		if weight <= least { // the last byte of a character rather than its second
			best, least = i, weight
		}
	}
	return best
}

// has reports whether text contains part, whose byte at anchor is looked for
// first.
func has(text, part []byte, anchor int) bool {
	behind := len(part) - anchor
	for at := anchor; at+behind <= len(text); at++ {
		n := bytes.IndexByte(text[at:len(text)-behind+1], part[anchor])
		if n < 0 {
			return false
		}
		at += n
		if bytes.Equal(text[at-anchor:at+behind], part) {
			return true
		}
	}
	return false
}

// collect returns the documents of texts.
func (ix *Index) collect(texts []uint32) *roaring.Bitmap {
	for i, t := range texts {
		texts[i] = ix.doc(t)
	}
	if !slices.IsSorted(texts) {
		slices.Sort(texts)
	}
	games := roaring.New()
	games.AddMany(texts)
	return games
}

func (ix *Index) doc(t uint32) uint32 { return binary.LittleEndian.Uint32(ix.docs[uint64(t)*docSize:]) }

// text returns one text; t is below n.
func (ix *Index) text(t uint32) ([]byte, error) {
	from, to := uint64(0), get40(ix.ends[uint64(t)*endSize:])
	if t > 0 {
		from = get40(ix.ends[uint64(t-1)*endSize:])
	}
	if from > to || to > uint64(len(ix.texts)) {
		return nil, damaged("a text lies outside")
	}
	return ix.texts[from:to], nil
}

// list is the texts of one pair as they are stored.
type list struct {
	count int
	dense bool
	data  []byte
}

// pairCount returns the number of pairs, pair the key of one.
func (ix *Index) pairCount() int { return len(ix.pairs) / pairSize }

func (ix *Index) pair(i int) uint64 {
	p := ix.pairs[i*pairSize:]
	return pairKey(rune(p[0])|rune(p[1])<<8|rune(p[2])<<16, rune(p[3])|rune(p[4])<<8|rune(p[5])<<16)
}

// lower returns the first pair that is not below key.
func (ix *Index) lower(key uint64) int {
	return sort.Search(ix.pairCount(), func(i int) bool { return ix.pair(i) >= key })
}

// list returns the texts of the pair i.
func (ix *Index) list(i int) (list, error) {
	from, to := uint64(0), get40(ix.pairs[i*pairSize+6:])
	if i > 0 {
		from = get40(ix.pairs[(i-1)*pairSize+6:])
	}
	if from > to || to > uint64(len(ix.lists)) {
		return list{}, damaged("a list lies outside")
	}
	data := ix.lists[from:to]
	head, n := binary.Uvarint(data)
	if n <= 0 || head>>1 > uint64(ix.n) {
		return list{}, damaged("a list has no length")
	}
	l := list{count: int(head >> 1), dense: head&1 != 0, data: data[n:]}
	if l.dense && len(l.data) != (ix.n+7)/8 || !l.dense && len(l.data) < l.count {
		return list{}, damaged("a list is cut off")
	}
	return l, nil
}

// listsOf returns the lists of the pairs of a text of at least two characters,
// the shortest first; none if there is a pair that no text has.
func (ix *Index) listsOf(folded string) ([]list, error) {
	var keys []uint64
	last, n := utf8.DecodeRuneInString(folded)
	for _, r := range folded[n:] {
		keys = append(keys, pairKey(last, r))
		last = r
		if len(keys) == 64 { // enough to narrow down; the texts are looked at anyway
			break
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	lists := make([]list, 0, len(keys))
	for _, key := range keys {
		i := ix.lower(key)
		if i == ix.pairCount() || ix.pair(i) != key {
			return nil, nil
		}
		l, err := ix.list(i)
		if err != nil {
			return nil, err
		}
		lists = append(lists, l)
	}
	slices.SortFunc(lists, func(a, b list) int { return a.count - b.count })
	return lists, nil
}

// few is the number of texts below which looking at them costs less than
// reading another list.
const few = 64

// common returns the texts that the lists have in common, or a few more.
func (ix *Index) common(lists []list) ([]uint32, error) {
	texts, err := ix.appendTexts(make([]uint32, 0, lists[0].count), lists[0])
	if err != nil {
		return nil, err
	}
	for _, l := range lists[1:] {
		if len(texts) < few || l.count > 16*len(texts) && !l.dense {
			break
		}
		if texts, err = ix.meet(texts, l); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// appendTexts appends the texts of a list, rising.
func (ix *Index) appendTexts(dst []uint32, l list) ([]uint32, error) {
	if l.dense {
		for i, b := range l.data {
			for ; b != 0; b &= b - 1 {
				dst = append(dst, uint32(i<<3+bits.TrailingZeros8(b)))
			}
		}
		if len(dst) > 0 && int(dst[len(dst)-1]) >= ix.n {
			return nil, damaged("a list names a text that is not there")
		}
		return dst, nil
	}
	err := ix.walk(l, func(t uint32) { dst = append(dst, t) })
	return dst, err
}

// walk calls f for the texts of a list that is not dense.
func (ix *Index) walk(l list, f func(uint32)) error {
	last, data := int64(-1), l.data
	for range l.count {
		if len(data) == 0 {
			return damaged("a list is cut off")
		}
		d, n := uint64(data[0]), 1
		if d >= 0x80 {
			d, n = binary.Uvarint(data)
		}
		if n <= 0 || d == 0 || d > uint64(int64(ix.n)-1-last) {
			return damaged("a list names a text that is not there")
		}
		last += int64(d)
		data = data[n:]
		f(uint32(last))
	}
	return nil
}

// meet keeps the texts that are in a list too.
func (ix *Index) meet(texts []uint32, l list) ([]uint32, error) {
	keep := texts[:0]
	if l.dense {
		for _, t := range texts {
			if l.data[t>>3]>>(t&7)&1 != 0 {
				keep = append(keep, t)
			}
		}
		return keep, nil
	}
	i := 0
	err := ix.walk(l, func(t uint32) {
		for i < len(texts) && texts[i] < t {
			i++
		}
		if i < len(texts) && texts[i] == t {
			keep = append(keep, t)
			i++
		}
	})
	return keep, err
}

// single returns the texts that contain a character: those of all pairs that
// begin with it.
func (ix *Index) single(r rune) ([]uint32, error) {
	set := make([]uint64, (ix.n+63)/64)
	for i := ix.lower(pairKey(r, 0)); i < ix.pairCount() && ix.pair(i) < pairKey(r+1, 0); i++ {
		l, err := ix.list(i)
		if err != nil {
			return nil, err
		}
		if l.dense {
			for j, b := range l.data {
				set[j>>3] |= uint64(b) << (j & 7 * 8)
			}
			continue
		}
		if err := ix.walk(l, func(t uint32) { set[t>>6] |= 1 << (t & 63) }); err != nil {
			return nil, err
		}
	}
	var texts []uint32
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			texts = append(texts, uint32(i<<6+bits.TrailingZeros64(w)))
		}
	}
	if len(texts) > 0 && int(texts[len(texts)-1]) >= ix.n {
		return nil, damaged("a list names a text that is not there")
	}
	return texts, nil
}

func get40(b []byte) uint64 {
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32
}
