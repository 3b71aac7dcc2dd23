package index

import "encoding/binary"

// Columns are the facts of lines, column by column, in bytes that they do not
// own. Row i of a batch is lane i.
type Columns struct {
	n int

	games   []byte // u32
	days    []byte // i32
	lasts   []byte // i32
	ratings []byte // u16 first, u16 second
	ranks   []byte // i8 first, i8 second
	results []byte // u8
}

// ColumnBytes is the size of the columns of n lines.
func ColumnBytes(n int) int { return 19 * n }

// AppendColumns appends the columns of documents: Game and Facts of each.
func AppendColumns(dst []byte, games []uint32, list []Facts) []byte {
	for _, g := range games {
		dst = binary.LittleEndian.AppendUint32(dst, g)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(list[i].Day))
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(list[i].LastDay))
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, list[i].Ratings[0])
		dst = binary.LittleEndian.AppendUint16(dst, list[i].Ratings[1])
	}
	for i := range list {
		dst = append(dst, byte(list[i].Ranks[0]), byte(list[i].Ranks[1]))
	}
	for i := range list {
		dst = append(dst, byte(list[i].Result))
	}
	return dst
}

// NewColumns returns the columns of n lines that AppendColumns has made.
func NewColumns(data []byte, n int) (Columns, bool) {
	if len(data) < ColumnBytes(n) {
		return Columns{}, false
	}
	c := Columns{n: n}
	cut := func(size int) []byte {
		part := data[: size*n : size*n]
		data = data[size*n:]
		return part
	}
	c.games, c.days, c.lasts, c.ratings, c.ranks, c.results = cut(4), cut(4), cut(4), cut(4), cut(2), cut(1)
	return c, true
}

// Slice returns the columns of the lines from i to j.
func (c *Columns) Slice(i, j int) Columns {
	return Columns{
		n: j - i, games: c.games[4*i : 4*j], days: c.days[4*i : 4*j], lasts: c.lasts[4*i : 4*j],
		ratings: c.ratings[4*i : 4*j], ranks: c.ranks[2*i : 2*j], results: c.results[i:j],
	}
}

// Len returns the number of lines.
func (c *Columns) Len() int { return c.n }

// Game returns the number of the game that a line is of.
func (c *Columns) Game(i int) uint32 { return binary.LittleEndian.Uint32(c.games[4*i:]) }

// Result returns how the game of a line ended.
func (c *Columns) Result(i int) Result { return min(Result(c.results[i]), NoResult) }

// Day returns the first day that the game may have been played on, 0 unknown.
func (c *Columns) Day(i int) int32 { return int32(binary.LittleEndian.Uint32(c.days[4*i:])) }

// LastDay returns the last day that the game may have been played on.
func (c *Columns) LastDay(i int) int32 { return int32(binary.LittleEndian.Uint32(c.lasts[4*i:])) }

// Rating returns the rating of the first (0) or second player, 0 unknown.
func (c *Columns) Rating(i, side int) uint16 {
	return binary.LittleEndian.Uint16(c.ratings[4*i+2*side:])
}

// Rank returns the rank of the first (0) or second player as in Facts.
func (c *Columns) Rank(i, side int) int8 { return int8(c.ranks[2*i+side]) }

// Facts returns all facts of a line.
func (c *Columns) Facts(i int) Facts {
	return Facts{
		Result: c.Result(i), Day: c.Day(i), LastDay: c.LastDay(i),
		Ratings: [2]uint16{c.Rating(i, 0), c.Rating(i, 1)}, Ranks: [2]int8{c.Rank(i, 0), c.Rank(i, 1)},
	}
}
