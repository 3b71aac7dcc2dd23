package cluster

import (
	"errors"
	"fmt"
	"math"
)

// What cannot be put together.
var (
	ErrFew  = errors.New("cluster: fewer than three items, so that there is nothing to put together")
	ErrMany = errors.New("cluster: too many items")
	ErrSame = errors.New("cluster: all items are described alike, so that nothing tells them apart")
)

// MaxItems is how many items a hierarchy may have: it compares all with all.
const MaxItems = 5000

// Matrix is how far items are from each other. It is symmetric.
type Matrix struct {
	n    int
	dist []float32 // below the diagonal, row by row
}

// NewMatrix returns the distances that a function tells.
func NewMatrix(n int, dist func(i, j int) float64) (*Matrix, error) {
	if n > MaxItems {
		return nil, fmt.Errorf("%w: %d, and a hierarchy takes %d; ask for items that more games have, or for a map", ErrMany, n, MaxItems)
	}
	m := &Matrix{n: n, dist: make([]float32, 0, n*(n-1)/2)}
	for i := range n {
		for j := range i {
			m.dist = append(m.dist, float32(dist(i, j)))
		}
	}
	return m, nil
}

// Distances returns the distances between vectors of one length.
func Distances(vectors [][]float64) (*Matrix, error) {
	return NewMatrix(len(vectors), func(i, j int) float64 { return math.Sqrt(square(vectors[i], vectors[j])) })
}

// At returns how far two items are from each other.
func (m *Matrix) At(i, j int) float64 {
	switch {
	case i == j:
		return 0
	case i < j:
		i, j = j, i
	}
	return float64(m.dist[i*(i-1)/2+j])
}

// square is the squared distance of two vectors.
func square(a, b []float64) (v float64) {
	for i, x := range a {
		d := x - b[i]
		v += d * d
	}
	return v
}

// Unit scales a vector to the length 1; that of nothing stays.
func Unit(v []float64) []float64 {
	n := 0.0
	for _, x := range v {
		n += x * x
	}
	if n = math.Sqrt(n); n > 0 {
		for i := range v {
			v[i] /= n
		}
	}
	return v
}

// Hellinger turns counts into a vector whose distances are those of Hellinger
// between distributions: the roots of the shares.
func Hellinger(counts []float64) []float64 {
	sum := 0.0
	for _, x := range counts {
		sum += x
	}
	v := make([]float64, len(counts))
	if sum > 0 {
		for i, x := range counts {
			v[i] = math.Sqrt(x / sum)
		}
	}
	return v
}
