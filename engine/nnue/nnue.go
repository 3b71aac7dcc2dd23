// Package nnue values positions by nets whose first layer is kept in step with the board:
// the sums of the rows of all inputs that hold, seen by each side, change by a few rows with
// a move. The second layer takes the squares of the sums, cut off at one, of the side to move
// and then of the other; there is one for each range of how many pieces are left.
//
// All is in whole numbers: the sums in 16 bits, the second layer in 8, so that processors of
// all kinds say the same.
package nnue

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Width is the number of sums of a side.
const Width = 256

// Sums are what a side sees.
type Sums [Width]int16

// Net is a net that was read from a file.
type Net struct {
	Inputs  int
	Buckets int
	scale   int64 // hundredths for one
	unit    int64 // steps for one
	rows    []Sums
	bias    Sums
	out     [][2]Sums
	shift   []int32
}

const (
	magic = "QNNU1\n"
	top   = 255 // steps of a sum that are one
)

var errShort = errors.New("nnue: the file ends early")

// Read reads a net: the word QNNU1, then in 32 bits each the inputs, the width, the ranges,
// the hundredths and the steps that make one, then the rows (16 bits), what sums begin with
// (16), the second layers (8) and what they begin with (32), all little endian.
func Read(data []byte) (*Net, error) {
	if len(data) < len(magic)+20 || string(data[:len(magic)]) != magic {
		return nil, errors.New("nnue: not a net of this kind")
	}
	data = data[len(magic):]
	word := func(i int) int64 { return int64(binary.LittleEndian.Uint32(data[4*i:])) }
	inputs, width, buckets := word(0), word(1), word(2)
	n := &Net{Inputs: int(inputs), Buckets: int(buckets), scale: word(3), unit: word(4)}
	if width != Width || inputs < 1 || inputs > 1<<20 || buckets < 1 || buckets > 64 || n.scale < 1 || n.unit < 1 {
		return nil, fmt.Errorf("nnue: a net of %d inputs, %d sums and %d ranges", inputs, width, buckets)
	}
	data = data[20:]
	if want := (inputs+1)*Width*2 + buckets*(2*Width+4); int64(len(data)) != want {
		return nil, fmt.Errorf("%w: %d bytes of numbers, want %d", errShort, len(data), want)
	}
	sums := func(s *Sums) {
		for i := range s {
			s[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
		}
		data = data[2*Width:]
	}
	n.rows = make([]Sums, inputs)
	for i := range n.rows {
		sums(&n.rows[i])
	}
	sums(&n.bias)
	n.out = make([][2]Sums, buckets)
	for i := range n.out {
		for half := range 2 {
			for j := range Width {
				n.out[i][half][j] = int16(int8(data[j]))
				if data[j] == 0x80 {
					return nil, errors.New("nnue: a weight of the second layer is -128")
				}
			}
			data = data[Width:]
		}
	}
	for range n.out {
		n.shift = append(n.shift, int32(binary.LittleEndian.Uint32(data)))
		data = data[4:]
	}
	return n, nil
}

// Begin has sums begin with no input.
func (n *Net) Begin(s *Sums) { *s = n.bias }

// Add adds the row of an input.
func (n *Net) Add(s *Sums, input int) { now.add(s, &n.rows[input]) }

// Shift has dst be src with one input more and one less.
func (n *Net) Shift(dst, src *Sums, more, less int) {
	now.shift(dst, src, &n.rows[more], &n.rows[less])
}

// Take has dst be src with one input more and two less.
func (n *Net) Take(dst, src *Sums, more, less, gone int) {
	now.take(dst, src, &n.rows[more], &n.rows[less], &n.rows[gone])
}

// Value returns what the side to move may hope for, in hundredths.
func (n *Net) Value(own, other *Sums, bucket int) int {
	w := &n.out[bucket]
	sum := now.dot(own, &w[0]) + now.dot(other, &w[1]) + n.shift[bucket]
	return int(int64(sum) * n.scale / n.unit)
}

// code is how a processor reckons.
type code struct {
	name  string
	add   func(s, row *Sums)
	shift func(dst, src, more, less *Sums)
	take  func(dst, src, more, less, gone *Sums)
	dot   func(s, w *Sums) int32
}

var now = best()

var portable = code{
	name: "portable",
	add: func(s, row *Sums) {
		for i := range s {
			s[i] += row[i]
		}
	},
	shift: func(dst, src, more, less *Sums) {
		for i := range dst {
			dst[i] = src[i] + more[i] - less[i]
		}
	},
	take: func(dst, src, more, less, gone *Sums) {
		for i := range dst {
			dst[i] = src[i] + more[i] - less[i] - gone[i]
		}
	},
	dot: func(s, w *Sums) (sum int32) {
		for i := range s {
			v := int32(min(max(s[i], 0), top))
			sum += v * v * int32(w[i])
		}
		return sum
	},
}
