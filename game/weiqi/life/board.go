package life

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// Cell is a point of a [Board]: the [board.Point] moved by a row and a column, so
// that every point has four neighbours and those off the board are walls.
type Cell uint16

// Up, Left, Right and Down are the steps from a cell to its neighbours.
const (
	Up    = Cell(0xFFFF - board.Stride + 1)
	Left  = Cell(0xFFFF)
	Right = Cell(1)
	Down  = Cell(board.Stride)
)

// Steps are the four steps.
var Steps = [4]Cell{Up, Left, Right, Down}

// Cells bounds every Cell: tables indexed by Cell have this length.
const Cells = (board.MaxSide + 2) * board.Stride

const moved = board.Stride + 1

// CellOf returns the cell of a point.
func CellOf(p board.Point) Cell { return Cell(p) + moved }

// Point returns the point of a cell on the board.
func (c Cell) Point() board.Point { return board.Point(c - moved) }

// Stone is what lies on a cell.
type Stone uint8

// What lies on a cell. Black and White are those of [weiqi] plus one.
const (
	Empty Stone = iota
	Black
	White
	Wall // off the board
)

// StoneOf returns the stone of a side.
func StoneOf(s game.Side) Stone { return Stone(s) + 1 }

// Side returns whose stone it is: only for Black and White.
func (s Stone) Side() game.Side { return game.Side(s - 1) }

// Other returns the stone of the other side: only for Black and White.
func (s Stone) Other() Stone { return 3 - s }

// String is a string of stones: all that are connected along lines, and are
// taken together.
type String struct {
	Colour Stone
	Head   Cell // the first of its stones, row by row: what names it
	Stones int

	stones, liberties, areas, enemies span
}

// Area is a maximal set of connected empty points.
type Area struct {
	Head   Cell
	Size   int
	Border [2]int // stones of Black and of White beside it, a stone counted once for each side it touches from

	cells, strings span
}

// Touches reports whether a colour has stones beside the area.
func (a *Area) Touches(colour Stone) bool { return a.Border[colour-1] > 0 }

// span is a stretch of one of the lists of a Board, or of Regions.
type span struct{ from, to uint16 }

// Board is a still picture of the stones on a board. Its lists are
// good until the next Reset. The zero value is ready for Reset; it is
// large, so keep and reuse it. It is not safe for use by two at once, except to
// read.
type Board struct {
	Size    board.Size
	Stone   [Cells]Stone
	Strings []String
	Areas   []Area

	// On are the cells of the board, row by row.
	On []Cell

	// Of tells for a cell with a stone its string, for an empty one its area; walls
	// have none, -1.
	Of [Cells]int16

	stones    []Cell  // of all strings, one after the other
	liberties []Cell  // likewise
	empties   []Cell  // of all areas
	links     []int16 // strings of areas, areas of strings, enemies of strings
	marks     Marks
}

// Reset takes the picture of a board: plane 0 holds the black stones, plane 1 the
// white ones. Strings and areas are numbered in the order of their heads. Cost on
// 19x19: some ten microseconds.
func (b *Board) Reset(planes *board.Planes) {
	if size := planes.Size; b.Size != size || len(b.On) == 0 {
		b.Size = size
		b.On = b.On[:0]
		for i := range b.Stone {
			b.Stone[i], b.Of[i] = Wall, -1
		}
		for y := range size.H {
			for x := range size.W {
				b.On = append(b.On, CellOf(board.At(x, y)))
			}
		}
	}
	for _, c := range b.On {
		b.Stone[c] = Empty
	}
	for colour := Black; colour <= White; colour++ {
		for y, row := range planes.Of[colour-1][:b.Size.H] {
			for ; row != 0; row &= row - 1 {
				b.Stone[CellOf(board.At(bits.TrailingZeros32(row), y))] = colour
			}
		}
	}
	b.Link()
}

// Link finds strings and areas anew, after Stone was changed by hand.
func (b *Board) Link() {
	b.Strings, b.Areas = b.Strings[:0], b.Areas[:0]
	b.stones, b.liberties, b.empties, b.links = b.stones[:0], b.liberties[:0], b.empties[:0], b.links[:0]
	for _, c := range b.On {
		b.Of[c] = -1
	}
	for _, c := range b.On {
		if b.Of[c] < 0 && b.Stone[c] != Empty {
			b.addString(c)
		}
	}
	for _, c := range b.On {
		if b.Of[c] < 0 {
			b.addArea(c)
		}
	}
	for i := range b.Strings {
		b.linkString(i)
	}
}

// addString adds the string with its first stone on a cell.
func (b *Board) addString(head Cell) {
	colour, number := b.Stone[head], int16(len(b.Strings))
	b.marks.Begin()
	from, breath := len(b.stones), len(b.liberties)
	b.Of[head] = number
	b.stones = append(b.stones, head)
	for i := from; i < len(b.stones); i++ {
		for _, step := range Steps {
			c := b.stones[i] + step
			switch b.Stone[c] {
			case colour:
				if b.Of[c] < 0 {
					b.Of[c] = number
					b.stones = append(b.stones, c)
				}
			case Empty:
				if b.marks.Add(c) {
					b.liberties = append(b.liberties, c)
				}
			}
		}
	}
	b.Strings = append(b.Strings, String{Colour: colour, Head: head, Stones: len(b.stones) - from,
		stones: spanOf(from, len(b.stones)), liberties: spanOf(breath, len(b.liberties))})
}

// addArea adds the area whose first point is a cell.
func (b *Board) addArea(head Cell) {
	number := int16(len(b.Areas))
	b.marks.Begin()
	from, links := len(b.empties), len(b.links)
	a := Area{Head: head}
	b.Of[head] = number
	b.empties = append(b.empties, head)
	for i := from; i < len(b.empties); i++ {
		for _, step := range Steps {
			c := b.empties[i] + step
			switch stone := b.Stone[c]; stone {
			case Empty:
				if b.Of[c] < 0 {
					b.Of[c] = number
					b.empties = append(b.empties, c)
				}
			case Black, White:
				a.Border[stone-1]++
				if n := b.Of[c]; b.marks.Add(b.Strings[n].Head) {
					b.links = append(b.links, n)
				}
			}
		}
	}
	a.Size, a.cells, a.strings = len(b.empties)-from, spanOf(from, len(b.empties)), spanOf(links, len(b.links))
	b.Areas = append(b.Areas, a)
}

// linkString finds the areas and the enemies beside a string.
func (b *Board) linkString(number int) {
	s := &b.Strings[number]
	b.marks.Begin()
	from := len(b.links)
	for _, c := range b.liberties[s.liberties.from:s.liberties.to] {
		if n := b.Of[c]; b.marks.Add(b.Areas[n].Head) {
			b.links = append(b.links, n)
		}
	}
	s.areas = spanOf(from, len(b.links))
	from = len(b.links)
	for _, stone := range b.stones[s.stones.from:s.stones.to] {
		for _, step := range Steps {
			c := stone + step
			if b.Stone[c] != s.Colour.Other() {
				continue
			}
			if n := b.Of[c]; b.marks.Add(b.Strings[n].Head) {
				b.links = append(b.links, n)
			}
		}
	}
	s.enemies = spanOf(from, len(b.links))
}

func spanOf(from, to int) span { return span{uint16(from), uint16(to)} }

// Stones returns the cells of a string.
func (b *Board) Stones(i int) []Cell {
	return b.stones[b.Strings[i].stones.from:b.Strings[i].stones.to]
}

// Liberties returns the empty cells beside a string.
func (b *Board) Liberties(i int) []Cell {
	return b.liberties[b.Strings[i].liberties.from:b.Strings[i].liberties.to]
}

// AreasOf returns the areas beside a string, by number.
func (b *Board) AreasOf(i int) []int16 { return b.links[b.Strings[i].areas.from:b.Strings[i].areas.to] }

// Enemies returns the strings of the other colour beside a string, by number.
func (b *Board) Enemies(i int) []int16 {
	return b.links[b.Strings[i].enemies.from:b.Strings[i].enemies.to]
}

// Empties returns the cells of an area.
func (b *Board) Empties(i int) []Cell { return b.empties[b.Areas[i].cells.from:b.Areas[i].cells.to] }

// StringsOf returns the strings beside an area, by number.
func (b *Board) StringsOf(i int) []int16 {
	return b.links[b.Areas[i].strings.from:b.Areas[i].strings.to]
}

// Choked returns a string without liberties, or -1: no position of the game has
// one, and no method says anything sensible of a board that does.
func (b *Board) Choked() int {
	for i := range b.Strings {
		if s := &b.Strings[i]; s.liberties.from == s.liberties.to {
			return i
		}
	}
	return -1
}

// Early reports that a board is not that of a finished game: an empty area between
// both sides is as large as half of it, or any area as two thirds, or many strings are
// unclear, two of five of those that are not proved, and a fifth of the board lies
// between both sides.
func (b *Board) Early(unclear, unproved int) bool {
	between, largest, any := 0, 0, 0
	for i := range b.Areas {
		any = max(any, b.Areas[i].Size)
		if a := &b.Areas[i]; a.Touches(Black) && a.Touches(White) {
			between += a.Size
			largest = max(largest, a.Size)
		}
	}
	const many = 8
	return 2*largest > len(b.On) || 3*any > 2*len(b.On) || unclear >= many && 5*unclear > 2*unproved && 5*between > len(b.On)
}
