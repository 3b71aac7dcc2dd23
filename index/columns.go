package index

import (
	"encoding/binary"

	"qipu/query"
)

// Columns are the facts of lines, column by column, in bytes that they do not
// own. Row i of a batch is lane i. A Columns is small and is copied freely; the
// zero value has no lines.
type Columns struct {
	set     *columnSet
	from, n int
}

// columnSet is the columns of a whole table. It is immutable and safe for
// concurrent use.
//
// The bytes are those that ColumnBuilder has appended, one part behind the
// other:
//
//	game       numbers
//	numbers    for each of the number columns of package query
//	codes      for each of the text columns
//	texts      for each dictionary that a column uses
//
// All are narrow: the values of a column are kept as what they are above its
// least one, in as many bits as the largest needs, and a column of which nothing
// is known takes a few bytes altogether.
type columnSet struct {
	lines   int
	games   array
	numbers [numberColumns]array
	codes   [query.TextColumns]array
	dicts   [dictionaries]*Dictionary
}

const numberColumns = int(query.Columns - query.TextColumns)

// The dictionaries. Columns that hold the same names share one.
const (
	playerSlot = iota
	teamSlot
	fileDict
	otherDicts   // one for each column that is left
	dictionaries = otherDicts + int(query.TextColumns) - 5
)

// dictOf returns the dictionary of each text column.
var dictOf = func() (list [query.TextColumns]uint8) {
	next := uint8(otherDicts)
	for c := range list {
		switch query.Column(c) {
		case query.FirstPlayer, query.SecondPlayer:
			list[c] = playerSlot
		case query.FirstTeam, query.SecondTeam:
			list[c] = teamSlot
		case query.File:
			list[c] = fileDict
		default:
			list[c] = next
			next++
		}
	}
	return list
}()

// array is whole numbers in so many bits each, 0 meaning unknown. A number is
// read from the eight bytes that begin with its first bit, whatever its width:
// behind the last one there are some bytes more.
//
//	u8 width | i64 base | numbers, the first in the lowest bits | 8 bytes of zero
type array struct {
	data  []byte
	mask  uint32
	base  int64 // what 1 stands for
	width uint8
}

// The widths that stand for arrays without elements.
const (
	absent   = 0  // all are 0
	maxWidth = 32 //
	ordinal  = 33 // element i is i+1
)

// arrayTail is how many bytes there are behind the numbers.
const arrayTail = 8

// at returns an element as it is stored.
func (a *array) at(i int) uint32 {
	if a.width == ordinal {
		return uint32(i) + 1
	}
	bit := uint(i) * uint(a.width)
	return uint32(binary.LittleEndian.Uint64(a.data[bit/8:])>>(bit%8)) & a.mask
}

// value returns a number, and whether it is known.
func (a *array) value(i int) (int64, bool) {
	x := a.at(i)
	return a.base + int64(x) - 1, x != 0
}

// reader cuts bytes into parts. It is bad from the first part on that is not
// there.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) cut(size int) []byte {
	if size < 0 || size > len(r.data) {
		r.bad = true
		return nil
	}
	part := r.data[:size:size]
	r.data = r.data[size:]
	return part
}

func (r *reader) u32() int {
	if b := r.cut(4); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// array reads an array of n elements.
func (r *reader) array(n int) (a array) {
	head := r.cut(9)
	if head == nil {
		return a
	}
	a.width, a.base = head[0], int64(binary.LittleEndian.Uint64(head[1:]))
	if a.width == ordinal {
		return a
	}
	if a.width > maxWidth || n < 0 {
		r.bad = true
		return a
	}
	a.mask = uint32(1<<a.width - 1)
	a.data = r.cut((n*int(a.width)+7)/8 + arrayTail)
	return a
}

// NewColumns returns the columns of n lines that a ColumnBuilder has appended.
// It reports false where the bytes are no such columns. Texts are looked at only
// as far as their places.
func NewColumns(data []byte, n int) (Columns, bool) {
	r := reader{data: data}
	set := &columnSet{lines: n, games: r.array(n)}
	for i := range set.numbers {
		set.numbers[i] = r.array(n)
	}
	var used [dictionaries]bool
	for i := range set.codes {
		set.codes[i] = r.array(n)
		used[dictOf[i]] = used[dictOf[i]] || set.codes[i].width != absent
	}
	for i := range set.dicts {
		set.dicts[i] = &Dictionary{}
		if used[i] {
			set.dicts[i] = r.dictionary(n, i == fileDict)
		}
	}
	if r.bad {
		return Columns{}, false
	}
	return Columns{set: set, n: n}, true
}

// Slice returns the columns of the lines from i to j.
func (c *Columns) Slice(i, j int) Columns { return Columns{set: c.set, from: c.from + i, n: j - i} }

// Len returns the number of lines.
func (c *Columns) Len() int { return c.n }

// Game returns the number of the game that a line is of.
func (c *Columns) Game(i int) uint32 {
	a := &c.set.games
	return uint32(a.base) + a.at(c.from+i) - 1
}

// Number returns what a column of numbers has for a line, and whether it is
// known.
func (c *Columns) Number(i int, col query.Column) (int64, bool) {
	if col < query.TextColumns || col >= query.Columns {
		return 0, false
	}
	i += c.from
	if col == query.LastDay {
		return c.set.lastDay(i)
	}
	return c.set.numbers[col-query.TextColumns].value(i)
}

// lastDay returns the last day: it is kept as what it is behind the first one,
// which is nothing for most games.
func (s *columnSet) lastDay(i int) (int64, bool) {
	day, ok := s.numbers[query.FirstDay-query.TextColumns].value(i)
	return day + int64(s.numbers[query.LastDay-query.TextColumns].at(i)), ok
}

// number returns a number, 0 where it is unknown.
func (c *Columns) number(i int, col query.Column) int64 {
	if v, ok := c.set.numbers[col-query.TextColumns].value(c.from + i); ok {
		return v
	}
	return 0
}

// Result returns how the game of a line ended.
func (c *Columns) Result(i int) Result {
	return Result(min(uint64(c.number(i, query.Result)), uint64(NoResult)))
}

// Plies returns how many plies the game of a line has.
func (c *Columns) Plies(i int) int { return int(c.number(i, query.Plies)) }

// Day returns the first day that the game may have been played on, 0 unknown.
func (c *Columns) Day(i int) int32 { return int32(c.number(i, query.FirstDay)) }

// LastDay returns the last day that the game may have been played on.
func (c *Columns) LastDay(i int) int32 {
	if day, ok := c.set.lastDay(c.from + i); ok {
		return int32(day)
	}
	return 0
}

// Rating returns the rating of the first (0) or second player, 0 unknown.
func (c *Columns) Rating(i, side int) uint16 {
	return uint16(c.number(i, query.FirstRating+query.Column(side)))
}

// Rank returns the rank of the first (0) or second player as in Facts.
func (c *Columns) Rank(i, side int) int8 {
	return int8(c.number(i, query.FirstRank+query.Column(side)))
}

// Code returns the number that a text has in the dictionary of its column, 0
// where it is unknown.
func (c *Columns) Code(i int, col query.Column) uint32 { return c.set.codes[col].at(c.from + i) }

// Dict returns the texts of a column. Both players share one dictionary, and so
// do both teams.
func (c *Columns) Dict(col query.Column) *Dictionary { return c.set.dicts[dictOf[col]] }

// Text returns a text as it was written, "" where it is unknown. It lies in the
// memory of the columns and is valid as long as they are: strings.Clone keeps
// it. That of a file is put together, which takes memory.
func (c *Columns) Text(i int, col query.Column) string { return c.Dict(col).Text(c.Code(i, col)) }

// Facts returns all facts of a line. The texts are valid as long as the columns.
func (c *Columns) Facts(i int) Facts {
	f := Facts{
		Result: c.Result(i), Day: c.Day(i), LastDay: c.LastDay(i), Plies: c.Plies(i),
		Ratings: [2]uint16{c.Rating(i, 0), c.Rating(i, 1)}, Ranks: [2]int8{c.Rank(i, 0), c.Rank(i, 1)},
		Handicap: int32(c.number(i, query.Handicap)), Margin: int32(c.number(i, query.Margin)),
	}
	komi, known := c.Number(i, query.Komi)
	if known {
		f.Komi, f.KomiKnown = int32(komi), true
	}
	for col := range query.TextColumns {
		f.Texts[col] = c.Text(i, col)
	}
	return f
}
