package index

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"

	"qipu/query"
	"qipu/text"
)

// ColumnBuilder gathers the facts of lines into columns. It keeps no texts but
// its own copies of the distinct ones.
type ColumnBuilder struct {
	games   []uint32
	numbers [numberColumns][]int32
	codes   [query.TextColumns][]uint32
	words   [dictionaries]words
	files   files

	// from is the table that Copy was last given a line of, and known the codes
	// that its texts have here, 0 where that is to be found out.
	from  *columnSet
	known [dictionaries][]uint32
}

// UnknownNumber stands for a number that is not known.
const UnknownNumber = math.MinInt32

// words numbers distinct texts from 1.
type words struct {
	codes map[string]uint32
	list  []string
	last  uint32 // asked for: neighbours are often alike
}

func (w *words) code(s string) uint32 {
	if s == "" {
		return 0
	}
	if w.last > 0 && w.list[w.last-1] == s {
		return w.last
	}
	code, ok := w.codes[s]
	if !ok {
		if w.codes == nil {
			w.codes = map[string]uint32{}
		}
		s = strings.Clone(s)
		w.list = append(w.list, s)
		code = uint32(len(w.list))
		w.codes[s] = code
	}
	w.last = code
	return code
}

// files numbers distinct files from 1.
type files struct {
	names   words
	folders map[string]uint32
	codes   map[branch]uint32 // of files
	parents []branch          // of folders
	list    []branch          // of files
}

// branch is a file or folder: its parent and its name.
type branch struct{ parent, name uint32 }

func (f *files) code(file string) uint32 {
	if file == "" {
		return 0
	}
	folder, name := cutFile(file)
	b := branch{f.folder(folder), f.names.code(name)}
	if n := len(f.list); n > 0 && f.list[n-1] == b {
		return uint32(n)
	}
	code, ok := f.codes[b]
	if !ok {
		if f.codes == nil {
			f.codes = map[branch]uint32{}
		}
		f.list = append(f.list, b)
		code = uint32(len(f.list))
		f.codes[b] = code
	}
	return code
}

func (f *files) folder(folder string) uint32 {
	if folder == "" {
		return 0
	}
	code, ok := f.folders[folder]
	if !ok {
		parent, name := cutFile(folder)
		f.parents = append(f.parents, branch{f.folder(parent), f.names.code(name)})
		code = uint32(len(f.parents))
		if f.folders == nil {
			f.folders = map[string]uint32{}
		}
		f.folders[strings.Clone(folder)] = code
	}
	return code
}

func (b *ColumnBuilder) code(dict int, s string) uint32 {
	if dict == fileDict {
		return b.files.code(s)
	}
	return b.words[dict].code(s)
}

// Len returns the number of lines.
func (b *ColumnBuilder) Len() int { return len(b.games) }

// Games returns the games of the lines. The list is not to be changed.
func (b *ColumnBuilder) Games() []uint32 { return b.games }

// Add adds a line of a game.
func (b *ColumnBuilder) Add(game uint32, f *Facts) {
	b.games = append(b.games, game)
	for i := range b.numbers {
		b.numbers[i] = append(b.numbers[i], f.Number(query.TextColumns+query.Column(i)))
	}
	for i := range b.codes {
		b.codes[i] = append(b.codes[i], b.code(int(dictOf[i]), f.Texts[i]))
	}
}

// Copy adds a line of other columns. Each text of a table is looked up once.
func (b *ColumnBuilder) Copy(c *Columns, line int) {
	if b.from != c.set {
		b.from = c.set
		for i, d := range c.set.dicts {
			b.known[i] = slices.Grow(b.known[i][:0], d.n+1)[:d.n+1]
			clear(b.known[i])
		}
	}
	b.games = append(b.games, c.Game(line))
	for i := range b.numbers {
		v, ok := c.Number(line, query.TextColumns+query.Column(i))
		if !ok {
			v = UnknownNumber
		}
		b.numbers[i] = append(b.numbers[i], int32(v))
	}
	for i := range b.codes {
		code, dict := c.Code(line, query.Column(i)), dictOf[i]
		if int(code) >= len(b.known[dict]) {
			code = 0 // as Text has it
		}
		to := b.known[dict][code]
		if to == 0 && code > 0 {
			to = b.code(int(dict), c.set.dicts[dict].Text(code))
			b.known[dict][code] = to
		}
		b.codes[i] = append(b.codes[i], to)
	}
}

// Number returns what facts have for a column of numbers; UnknownNumber where
// that is not known.
func (f *Facts) Number(col query.Column) int32 {
	v := int32(0)
	switch col {
	case query.Plies:
		return int32(f.Plies)
	case query.Komi:
		if f.KomiKnown {
			return f.Komi
		}
	case query.Handicap:
		v = f.Handicap
	case query.Margin:
		v = f.Margin
	case query.Result:
		v = int32(f.Result)
	case query.FirstRating, query.SecondRating:
		v = int32(f.Ratings[col-query.FirstRating])
	case query.FirstRank, query.SecondRank:
		v = int32(f.Ranks[col-query.FirstRank])
	case query.FirstDay:
		v = f.Day
	case query.LastDay:
		if f.Day != 0 {
			v = f.LastDay
		}
	}
	if v == 0 {
		return UnknownNumber
	}
	return v
}

// AppendTo appends the columns, for NewColumns to read.
func (b *ColumnBuilder) AppendTo(dst []byte) []byte {
	least := uint32(0)
	if len(b.games) > 0 {
		least = slices.Min(b.games)
	}
	raw := make([]uint32, len(b.games))
	for i, g := range b.games {
		raw[i] = g - least + 1
	}
	dst = appendArray(dst, int64(least), raw)
	days := b.numbers[query.FirstDay-query.TextColumns]
	for col, list := range b.numbers {
		behind := col == int(query.LastDay-query.TextColumns) // see columnSet.lastDay
		base := int64(math.MaxInt64)
		for _, v := range list {
			if v != UnknownNumber {
				base = min(base, int64(v))
			}
		}
		if behind {
			base = 1
		}
		for i, v := range list {
			raw[i] = 0
			switch {
			case v == UnknownNumber:
			case behind:
				raw[i] = uint32(max(v-days[i], 0))
			default:
				raw[i] = uint32(int64(v) - base + 1)
			}
		}
		dst = appendArray(dst, base, raw)
	}
	var used [dictionaries]bool
	for i, list := range b.codes {
		width := len(dst)
		dst = appendArray(dst, 1, list)
		used[dictOf[i]] = used[dictOf[i]] || dst[width] != absent
	}
	for i := range b.words {
		switch {
		case !used[i]:
		case i == fileDict:
			dst = b.files.appendTo(dst)
		default:
			dst = b.words[i].appendTo(dst)
		}
	}
	return dst
}

// appendArray appends numbers in as many bits as the largest needs: in none
// where all are 0, or where they count the lines.
func appendArray(dst []byte, base int64, list []uint32) []byte {
	most, counts := uint32(0), len(list) > 0
	for i, v := range list {
		most, counts = most|v, counts && v == uint32(i)+1
	}
	width := bits.Len32(most)
	if counts {
		width = ordinal
	}
	dst = append(dst, byte(width))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(base))
	if counts {
		return dst
	}
	word, used := uint64(0), 0 // bits that are not written yet
	for _, v := range list {
		word |= uint64(v) << used
		if used += width; used >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
			word, used = word>>32, used-32
		}
	}
	for ; used > 0; used -= 8 {
		dst = append(dst, byte(word))
		word >>= 8
	}
	return append(dst, make([]byte, arrayTail)...)
}

// appendTo appends a dictionary, with the texts folded where that changes one.
func (w *words) appendTo(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(w.list)))
	dst = appendTexts(dst, w.list)
	folded := make([]string, len(w.list))
	same := true
	for i, s := range w.list {
		folded[i] = text.Fold(s)
		same = same && folded[i] == s
	}
	if same {
		folded = nil
	}
	return appendTexts(dst, folded)
}

func (f *files) appendTo(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(f.list)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(f.parents)))
	dst = appendTexts(dst, f.names.list)
	for _, list := range [][]branch{f.parents, f.list} {
		parents, names := make([]uint32, len(list)), make([]uint32, len(list))
		for i, b := range list {
			parents[i], names[i] = b.parent, b.name
		}
		dst = appendArray(dst, 1, parents)
		dst = appendArray(dst, 1, names)
	}
	return dst
}

// appendTexts appends a list of texts, for reader.strs.
func appendTexts(dst []byte, list []string) []byte {
	size := 0
	for _, s := range list {
		size += len(s)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	end := 0
	for _, s := range list {
		if end += len(s); size > 1<<16-1 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(end))
		} else {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(end))
		}
	}
	for _, s := range list {
		dst = append(dst, s...)
	}
	return dst
}
