package window

import (
	"math/bits"

	"qipu/board"
)

// margin is how far outside the board windows reach it.
const margin = 2

// cells is the number of words of a Windows: those of a margin around the board
// too, with the row length of points.
const cells = board.Stride * (board.MaxSide + 2*margin)

// origin is the index of the point in column 0 and row 0.
const origin = margin*board.Stride + margin

// Windows holds a board as words, one for every point: the 25 points around it,
// with the first side's stones as own. It is kept over changes of single
// points. It takes 15 KB and allocates nothing after it is made; it is not safe
// for concurrent changes.
type Windows struct {
	size  board.Size
	words [cells]uint64
	blank [cells]uint64 // the words of the empty board
}

// NewWindows returns the windows of an empty board of a valid size.
func NewWindows(size board.Size) *Windows {
	w := &Windows{}
	w.shape(size)
	return w
}

// shape makes the words of an empty board of a size.
func (w *Windows) shape(size board.Size) {
	w.size, w.blank = size, [cells]uint64{}
	for y := -margin; y < size.H+margin; y++ {
		for x := -margin; x < size.W+margin; x++ {
			word := uint64(0)
			for i, d := range offsets {
				if px, py := x+d[0], y+d[1]; px < 0 || py < 0 || px >= size.W || py >= size.H {
					word |= 3 << (2 * i)
				}
			}
			for d := -2; d <= 2; d++ {
				if x+d < 0 || x+d >= size.W {
					word |= 1 << (columnShift + 2 + d)
				}
				if y+d < 0 || y+d >= size.H {
					word |= 1 << (rowShift + 2 + d)
				}
			}
			w.blank[origin+y*board.Stride+x] = word
		}
	}
	w.words = w.blank
}

// Size returns the size of the board.
func (w *Windows) Size() board.Size { return w.size }

// Reset makes the windows those of a board, which may be of another size.
func (w *Windows) Reset(b *board.Planes) {
	if b.Size != w.size {
		w.shape(b.Size)
	} else {
		w.words = w.blank
	}
	for piece := range min(2, len(b.Of)) {
		for y, row := range b.Of[piece][:b.Size.H] {
			for ; row != 0; row &= row - 1 {
				w.flip(origin+y*board.Stride+bits.TrailingZeros32(row), uint64(piece)+1)
			}
		}
	}
}

// Put sets what stands on a point of the board: Empty, the first or the second
// side's stone. Other points and pieces change nothing.
func (w *Windows) Put(p board.Point, piece board.Piece) {
	if !w.size.Has(p) || piece > 2 {
		return
	}
	at := origin + int(p)
	if diff := w.words[at]&3 ^ uint64(piece); diff != 0 {
		w.flip(at, diff)
	}
}

// Piece returns what stands on a point of the board.
func (w *Windows) Piece(p board.Point) board.Piece { return board.Piece(w.words[origin+int(p)] & 3) }

// At returns the word around a point of the board.
func (w *Windows) At(p board.Point) uint64 { return w.words[origin+int(p)] }

// word returns the word around any place, on the board or not.
func (w *Windows) word(x, y int) uint64 {
	if uint(x+margin) >= uint(w.size.W+2*margin) || uint(y+margin) >= uint(w.size.H+2*margin) {
		return outside
	}
	return w.words[origin+y*board.Stride+x]
}

// flip changes the bits of one point in the 25 windows that see it.
func (w *Windows) flip(at int, diff uint64) {
	for dy := range 5 {
		row := w.words[at+(2-dy)*board.Stride-2:][:5]
		s := &shifts[dy]
		row[0] ^= diff << s[4]
		row[1] ^= diff << s[3]
		row[2] ^= diff << s[2]
		row[3] ^= diff << s[1]
		row[4] ^= diff << s[0]
	}
}
