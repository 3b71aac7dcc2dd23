package tree

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Table is what is learnt from: a row for each case, kept by columns.
type Table struct {
	Columns []Column
	Score   []float64 // of each row, from 0 to 1: what is to be foretold
	Weight  []float64 // of each row; nil where all weigh 1
}

// Column is one thing that is known of every row.
type Column struct {
	Name   string
	Values []float32 // NaN where it is not known; of a category the index in Levels
	Levels []string  // nil where values are numbers
	Flag   bool      // 1 where the thing is there, 0 where it is not
}

// What cannot be learnt from.
var (
	ErrEmpty    = errors.New("tree: there are no rows to learn from")
	ErrFew      = errors.New("tree: too few rows to learn from")
	ErrOneScore = errors.New("tree: all rows have the same score, so that there is nothing to tell apart")
	ErrConstant = errors.New("tree: every column is the same in all rows, so that nothing can be learnt from them")
	ErrTooLarge = errors.New("tree: the table is too large")
)

// The largest table: a cell takes five bytes.
const (
	maxColumns = 20_000
	maxCells   = 400_000_000
)

// maxBins is how many different values of a column are told apart. The last code
// is that of unknown values.
const (
	maxBins = 255
	unknown = 255
)

// binned is a table in the form that trees grow on: values as codes of one byte.
type binned struct {
	*Table
	codes   [][]uint8   // by column; nil where a column is constant
	edges   [][]float32 // the largest value of each code, of numbers
	bins    []int
	weights []float64
	offset  []float64 // log odds that a tree is grown on top of; nil for none
}

// bin checks a table and codes it.
func bin(t *Table) (*binned, error) {
	n := len(t.Score)
	switch {
	case n == 0:
		return nil, ErrEmpty
	case len(t.Columns) > maxColumns || n > maxCells/max(1, len(t.Columns)):
		return nil, fmt.Errorf("%w: %d rows of %d columns; ask for columns that more games have, or for fewer games", ErrTooLarge, n, len(t.Columns))
	case t.Weight != nil && len(t.Weight) != n:
		return nil, fmt.Errorf("tree: %d weights for %d rows", len(t.Weight), n)
	}
	b := &binned{Table: t, weights: t.Weight}
	if b.weights == nil {
		b.weights = slices.Repeat([]float64{1}, n)
	}
	one := true
	for i, s := range t.Score {
		if !(s >= 0 && s <= 1) {
			return nil, fmt.Errorf("tree: the score of row %d is %v, and has to lie from 0 to 1", i, s)
		}
		if w := b.weights[i]; !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("tree: the weight of row %d is %v, and has to be above 0", i, w)
		}
		one = one && s == t.Score[0]
	}
	if one {
		return nil, ErrOneScore
	}
	varied := false
	for _, c := range t.Columns {
		if len(c.Values) != n {
			return nil, fmt.Errorf("tree: column %s has %d values for %d rows", c.Name, len(c.Values), n)
		}
		codes, edges, bins, err := code(&c)
		if err != nil {
			return nil, err
		}
		varied = varied || codes != nil
		b.codes, b.edges, b.bins = append(b.codes, codes), append(b.edges, edges), append(b.bins, bins)
	}
	if !varied {
		return nil, ErrConstant
	}
	return b, nil
}

// code returns the codes of a column, which are in the order of its values; none
// where it is constant.
func code(c *Column) (codes []uint8, edges []float32, bins int, err error) {
	if c.Levels != nil {
		return codeLevels(c)
	}
	known := make([]float32, 0, len(c.Values))
	for _, v := range c.Values {
		if v == v {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	edges = slices.Compact(slices.Clone(known))
	if len(edges) > maxBins {
		edges = edges[:0]
		for i := range maxBins {
			edges = append(edges, known[(i+1)*len(known)/maxBins-1])
		}
		edges = slices.Compact(edges)
	}
	if len(edges) == 0 || len(edges) == 1 && len(known) == len(c.Values) {
		return nil, nil, 0, nil
	}
	codes = make([]uint8, len(c.Values))
	for i, v := range c.Values {
		codes[i] = codeOf(edges, v)
	}
	return codes, edges, len(edges), nil
}

func codeOf(edges []float32, v float32) uint8 {
	if v != v {
		return unknown
	}
	at, _ := slices.BinarySearch(edges, v)
	return uint8(min(at, len(edges)-1))
}

// codeLevels returns the codes of a category, which are its levels.
func codeLevels(c *Column) ([]uint8, []float32, int, error) {
	if len(c.Levels) > maxBins {
		return nil, nil, 0, fmt.Errorf("tree: column %s has %d levels, and can have %d; join the rare ones", c.Name, len(c.Levels), maxBins)
	}
	codes := make([]uint8, len(c.Values))
	constant := true
	for i, v := range c.Values {
		switch {
		case v != v:
			codes[i] = unknown
		case v < 0 || int(v) >= len(c.Levels) || v != float32(int(v)):
			return nil, nil, 0, fmt.Errorf("tree: column %s has no level %v", c.Name, v)
		default:
			codes[i] = uint8(v)
		}
		constant = constant && codes[i] == codes[0]
	}
	if constant {
		return nil, nil, 0, nil
	}
	return codes, nil, len(c.Levels), nil
}

// rows returns the numbers of all rows.
func (t *Table) rows() []int32 {
	rows := make([]int32, len(t.Score))
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
