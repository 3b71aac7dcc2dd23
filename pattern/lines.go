package pattern

import "qipu/board"

// Lines is the analysis of a pattern by rows and columns: which of its lines
// say most. It follows the paper on Xiangqi retrieval that this search goes
// back to: two pieces on a line are a segment, and the axis with more segments
// tells more of the pattern than the other.
type Lines struct {
	Rows, Columns []int // segments on each: n pieces have n(n-1)/2

	// Across tells that rows are compared, because they have at least as many
	// segments as columns.
	Across bool

	// Weights are those of the lines of that axis: of their segments and of
	// their pieces together.
	Weights []float64

	// Order lists the lines from the heaviest to the lightest.
	Order []int
}

// Lines analyses a pattern. A piece is a cell that must not be empty; where it
// allows several, the heaviest counts.
func (p *Pattern) Lines(w *Weights) Lines {
	l := Lines{Rows: make([]int, p.Size.H), Columns: make([]int, p.Size.W)}
	rows, columns := make([]float64, p.Size.H), make([]float64, p.Size.W)
	for i, set := range p.Cells {
		if !needed(set) {
			continue
		}
		heaviest := 0.
		for j, v := range w.Piece {
			if set.Has(board.Piece(j + 1)) {
				heaviest = max(heaviest, v)
			}
		}
		x, y := i%p.Size.W, i/p.Size.W
		l.Rows[y]++
		l.Columns[x]++
		rows[y] += heaviest
		columns[x] += heaviest
	}
	l.Across = segments(l.Rows) >= segments(l.Columns)
	l.Weights = columns
	counts := l.Columns
	if l.Across {
		l.Weights, counts = rows, l.Rows
	}
	for i, n := range counts {
		l.Weights[i] += float64(n) * w.Line
	}
	l.order()
	return l
}

// needed tells whether a set is that of a point that must be occupied.
func needed(set Set) bool { return set&Empty == 0 && set&^Off != 0 }

// segments makes numbers of pieces into numbers of segments, and adds them up.
func segments(counts []int) (sum int) {
	for i, n := range counts {
		counts[i] = n * (n - 1) / 2
		sum += counts[i]
	}
	return sum
}

// order sorts the lines by exchanging, as the paper must have done: its tables
// show lines of equal weight in the order that this leaves them in, which is
// neither rising nor falling.
func (l *Lines) order() {
	l.Order = make([]int, len(l.Weights))
	for i := range l.Order {
		l.Order[i] = i
	}
	for i := range l.Order {
		for j := i + 1; j < len(l.Order); j++ {
			if l.Weights[l.Order[j]] > l.Weights[l.Order[i]] {
				l.Order[i], l.Order[j] = l.Order[j], l.Order[i]
			}
		}
	}
}

// Drop returns the line that says least: the one that is left out first when
// nothing is found. It is -1 where no line has a weight.
func (l *Lines) Drop() int {
	for i := len(l.Order) - 1; i >= 0; i-- {
		if l.Weights[l.Order[i]] > 0 {
			return l.Order[i]
		}
	}
	return -1
}
