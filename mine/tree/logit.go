package tree

import "math"

// Logit is a logistic regression.
type Logit struct {
	columns     []int
	mean, scale []float64
	weights     []float64 // the constant, then two of each column: value, and that it is unknown
}

// logit fits a logistic regression on some columns and rows by Newton's method,
// with a ridge that a dozen rows outweigh. A category is left out.
func (b *binned) logit(columns []int, rows []int32) *Logit {
	m := &Logit{}
	for _, c := range columns {
		if b.codes[c] == nil || b.Columns[c].Levels != nil {
			continue
		}
		n, sum, square := 0.0, 0.0, 0.0
		for _, r := range rows {
			if v := float64(b.Columns[c].Values[r]); v == v {
				n, sum, square = n+1, sum+v, square+v*v
			}
		}
		if n == 0 {
			continue
		}
		mean := sum / n
		sd := math.Sqrt(max(square/n-mean*mean, 0))
		if sd < 1e-9 {
			sd = 1
		}
		m.columns, m.mean, m.scale = append(m.columns, c), append(m.mean, mean), append(m.scale, sd)
	}
	k := 1 + 2*len(m.columns)
	m.weights = make([]float64, k)
	x := make([]float64, k)
	for range 25 {
		h, g := make([][]float64, k), make([]float64, k)
		for i := range h {
			h[i] = make([]float64, k)
			if i > 0 {
				h[i][i] = 1
				g[i] = -m.weights[i]
			}
		}
		for _, r := range rows {
			m.terms(x, func(c int) float32 { return b.Columns[c].Values[r] })
			p := sigmoid(dot(m.weights, x))
			w := b.weights[r]
			for i, xi := range x {
				if xi == 0 {
					continue
				}
				g[i] += w * (b.Score[r] - p) * xi
				for j := range i + 1 {
					h[i][j] += w * p * (1 - p) * xi * x[j]
				}
			}
		}
		step := solve(h, g)
		size := 0.0
		for i := range step {
			m.weights[i] += step[i]
			size = max(size, math.Abs(step[i]))
		}
		if size < 1e-8 {
			break
		}
	}
	return m
}

// terms fills in what the weights are multiplied with.
func (m *Logit) terms(x []float64, values func(column int) float32) {
	x[0] = 1
	for i, c := range m.columns {
		v := float64(values(c))
		x[1+2*i], x[2+2*i] = 0, 1
		if v == v {
			x[1+2*i], x[2+2*i] = (v-m.mean[i])/m.scale[i], 0
		}
	}
}

// Value returns what the regression foretells.
func (m *Logit) Value(values func(column int) float32) float64 { return sigmoid(m.odds(values)) }

// odds returns the same as log odds.
func (m *Logit) odds(values func(column int) float32) float64 {
	x := make([]float64, len(m.weights))
	m.terms(x, values)
	return dot(m.weights, x)
}

func dot(a, b []float64) (v float64) {
	for i := range a {
		v += a[i] * b[i]
	}
	return v
}

// solve solves h x = g, where h is positive definite and given by its lower half,
// which it overwrites (Cholesky).
func solve(h [][]float64, g []float64) []float64 {
	n := len(g)
	for i := range n {
		for j := range i + 1 {
			v := h[i][j]
			for k := range j {
				v -= h[i][k] * h[j][k]
			}
			if i == j {
				h[i][i] = math.Sqrt(max(v, 1e-12))
			} else {
				h[i][j] = v / h[j][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		v := g[i]
		for k := range i {
			v -= h[i][k] * x[k]
		}
		x[i] = v / h[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		v := x[i]
		for k := i + 1; k < n; k++ {
			v -= h[k][i] * x[k]
		}
		x[i] = v / h[i][i]
	}
	return x
}
