package cluster

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// MapOptions are how a map is trained. The zero value works.
type MapOptions struct {
	Width, Height int // in cells; about five times the root of the items in all where 0
	Rounds        int // 60 where 0
	Seed          uint64
	Progress      func(done, all int)
}

// Map is a self-organising map. Cells lie in rows, every other row half a cell to
// the right, so that each has six neighbours.
type Map struct {
	Width, Height int
	Cells         [][]float64 // row by row
	Place         []int       // the cell of each item

	// Error is the mean distance of items to their cells; Torn the share of items
	// whose second best cell is no neighbour of the best.
	Error, Torn float64
}

// maxMapItems bounds the work of a map.
const maxMapItems = 200_000

// Train makes a map of vectors of one length, which begins with items by chance.
// All items are looked at in each round before the cells change (a batch), so that
// their order does not matter.
func Train(ctx context.Context, vectors [][]float64, o MapOptions) (*Map, error) {
	n := len(vectors)
	switch {
	case n < 3:
		return nil, ErrFew
	case n > maxMapItems:
		return nil, fmt.Errorf("%w: %d, and a map takes %d; ask for items that more games have", ErrMany, n, maxMapItems)
	}
	same := true
	for _, v := range vectors[1:] {
		same = same && square(v, vectors[0]) == 0
	}
	if same {
		return nil, ErrSame
	}
	if o.Width <= 0 || o.Height <= 0 {
		side := math.Sqrt(5 * math.Sqrt(float64(n)))
		o.Width, o.Height = min(max(int(side*1.25), 3), 40), min(max(int(side*.8), 3), 30)
	}
	if o.Rounds <= 0 {
		o.Rounds = 60
	}
	m := &Map{Width: o.Width, Height: o.Height, Place: make([]int, n)}
	m.begin(vectors, rand.New(rand.NewPCG(o.Seed, 3)))
	for round := range o.Rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(round, o.Rounds)
		}
		// From half of the map down to a cell.
		done := float64(round) / float64(max(1, o.Rounds-1))
		wide := float64(max(o.Width, o.Height)) / 2
		m.round(vectors, wide*math.Pow(.6/wide, done))
	}
	m.measure(vectors)
	return m, nil
}

// begin spreads the cells over the plane in which the items differ most: its two
// directions are found by turning any two vectors towards it.
func (m *Map) begin(vectors [][]float64, rng *rand.Rand) {
	dim := len(vectors[0])
	mean := make([]float64, dim)
	for _, v := range vectors {
		for i, x := range v {
			mean[i] += x / float64(len(vectors))
		}
	}
	var axes [2][]float64
	var spread [2]float64
	for a := range axes {
		axis := make([]float64, dim)
		for i := range axis {
			axis[i] = rng.NormFloat64()
		}
		for range 30 {
			next := make([]float64, dim)
			for _, v := range vectors {
				s := 0.0
				for i, x := range v {
					s += (x - mean[i]) * axis[i]
				}
				for i, x := range v {
					next[i] += s * (x - mean[i])
				}
			}
			if a == 1 {
				s := inner(next, axes[0])
				for i := range next {
					next[i] -= s * axes[0][i]
				}
			}
			axis = Unit(next)
		}
		axes[a] = axis
		for _, v := range vectors {
			s := 0.0
			for i, x := range v {
				s += (x - mean[i]) * axis[i]
			}
			spread[a] += s * s / float64(len(vectors))
		}
		spread[a] = math.Sqrt(spread[a])
	}
	m.Cells = make([][]float64, m.Width*m.Height)
	for c := range m.Cells {
		x := 2*float64(c%m.Width)/float64(max(1, m.Width-1)) - 1
		y := 2*float64(c/m.Width)/float64(max(1, m.Height-1)) - 1
		cell := make([]float64, dim)
		for i := range cell {
			cell[i] = mean[i] + 1.5*(x*spread[0]*axes[0][i]+y*spread[1]*axes[1][i])
		}
		m.Cells[c] = cell
	}
}

func inner(a, b []float64) (v float64) {
	for i, x := range a {
		v += x * b[i]
	}
	return v
}

// round moves every cell to the mean of the items, those nearer to it on the map
// counting more.
func (m *Map) round(vectors [][]float64, radius float64) {
	dim := len(vectors[0])
	sums, counts := make([][]float64, len(m.Cells)), make([]float64, len(m.Cells))
	for i, v := range vectors {
		c, _ := m.nearest(v)
		m.Place[i] = c
		if sums[c] == nil {
			sums[c] = make([]float64, dim)
		}
		for j, x := range v {
			sums[c][j] += x
		}
		counts[c]++
	}
	for c := range m.Cells {
		weight := 0.0
		next := make([]float64, dim)
		for from, s := range sums {
			if s == nil {
				continue
			}
			d := m.gap(c, from) / radius
			h := math.Exp(-d * d / 2)
			if h < 1e-4 {
				continue
			}
			weight += h * counts[from]
			for j, x := range s {
				next[j] += h * x
			}
		}
		if weight > 1e-6 {
			for j := range next {
				next[j] /= weight
			}
			m.Cells[c] = next
		}
	}
}

// nearest returns the cells that look most and second most like a vector.
func (m *Map) nearest(v []float64) (best, second int) {
	low, next := math.Inf(1), math.Inf(1)
	for c, cell := range m.Cells {
		switch d := square(v, cell); {
		case d < low:
			second, next, best, low = best, low, c, d
		case d < next:
			second, next = c, d
		}
	}
	return best, second
}

// measure puts the items down and tells how well they lie.
func (m *Map) measure(vectors [][]float64) {
	m.Error, m.Torn = 0, 0
	for i, v := range vectors {
		best, second := m.nearest(v)
		m.Place[i] = best
		m.Error += math.Sqrt(square(v, m.Cells[best])) / float64(len(vectors))
		if m.gap(best, second) > 1.01 {
			m.Torn += 1 / float64(len(vectors))
		}
	}
}

// At returns where a cell lies, in widths of a cell.
func (m *Map) At(cell int) (x, y float64) {
	row := cell / m.Width
	return float64(cell%m.Width) + .5*float64(row&1), float64(row) * math.Sqrt(3) / 2
}

// gap is how far two cells lie from each other; neighbours 1.
func (m *Map) gap(a, b int) float64 {
	ax, ay := m.At(a)
	bx, by := m.At(b)
	return math.Hypot(ax-bx, ay-by)
}

// Ridge returns how unlike its neighbours a cell is: where it is much, a border of
// clusters runs.
func (m *Map) Ridge(cell int) float64 {
	sum, n := 0.0, 0.0
	for other := range m.Cells {
		if other != cell && m.gap(cell, other) < 1.01 {
			sum += math.Sqrt(square(m.Cells[cell], m.Cells[other]))
			n++
		}
	}
	return sum / max(1, n)
}

// Groups parts the cells into k groups of neighbours that look alike, and returns
// the group of each item.
func (m *Map) Groups(ctx context.Context, k int) ([]int, error) {
	d, err := Distances(m.Cells)
	if err != nil {
		return nil, err
	}
	h, err := Join(ctx, d, Ward)
	if err != nil {
		return nil, err
	}
	// Cells without items may be groups; more are cut until enough have some.
	for n := k; ; n++ {
		cells := h.Cut(n)
		number := map[int]int{}
		groups := make([]int, len(m.Place))
		for i, c := range m.Place {
			if _, ok := number[cells[c]]; !ok {
				number[cells[c]] = len(number)
			}
			groups[i] = number[cells[c]]
		}
		if len(number) >= k || n >= len(m.Cells) {
			return groups, nil
		}
	}
}
