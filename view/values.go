package view

import (
	"math"
	"time"

	"qipu/board"
)

// Pieces returns what stands on every point, row by row.
func Pieces(b *board.Planes) []int {
	list := make([]int, b.Size.Area())
	for i := range b.Of {
		for p := range b.Of[i].Points() {
			list[b.Size.Index(p)] = i + 1
		}
	}
	return list
}

// Indices returns points as answers have them, row by row from the top left. Those that the board does not have are left out.
func Indices(size board.Size, list []board.Point) []int {
	out := make([]int, 0, len(list))
	for _, p := range list {
		if size.Has(p) {
			out = append(out, size.Index(p))
		}
	}
	return out
}

// Texts returns what is written on every point, row by row; nil where nothing is.
func Texts(size board.Size, cells map[board.Point]string) []string {
	if len(cells) == 0 {
		return nil
	}
	list := make([]string, size.Area())
	for p, text := range cells {
		list[size.Index(p)] = text
	}
	return list
}

// IndexIn returns the number of a point; -1 for none.
func IndexIn(size board.Size, p board.Point) int {
	if !size.Has(p) {
		return -1
	}
	return size.Index(p)
}

// Rounded returns a share as exact as anybody needs it, without what is left of reckoning in floating point.
func Rounded(f float64) float64 { return math.Round(f*1e6) / 1e6 }

// Milliseconds returns the time since a moment.
func Milliseconds(began time.Time) float64 {
	return float64(time.Since(began).Microseconds()) / 1000
}
