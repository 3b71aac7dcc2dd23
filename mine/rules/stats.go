package rules

import (
	"math"
	"slices"
)

// Square is a table of two by two: rows with something or without it, and among each
// those of which something else is true.
type Square struct {
	With, Both   int // rows with it, and those of them that are true
	Rows, Truths int // all rows, and all that are true
}

// Support returns the share of rows that have both.
func (q Square) Support() float64 { return ratio(q.Both, q.Rows) }

// Confidence returns the share of those with it that are true.
func (q Square) Confidence() float64 { return ratio(q.Both, q.With) }

// Base returns the share of all rows that are true.
func (q Square) Base() float64 { return ratio(q.Truths, q.Rows) }

// Lift returns how many times more often it is true with it than at all.
func (q Square) Lift() float64 {
	if b := q.Base(); b > 0 {
		return q.Confidence() / b
	}
	return 0
}

// Leverage returns how much more often both are seen than if neither knew of the other.
func (q Square) Leverage() float64 { return q.Support() - ratio(q.With, q.Rows)*q.Base() }

// Conviction returns how many times more often the rule would be wrong if neither knew of
// the other; a rule that is never wrong has the largest number.
func (q Square) Conviction() float64 {
	wrong := 1 - q.Confidence()
	if wrong <= 0 {
		return math.MaxFloat64
	}
	return (1 - q.Base()) / wrong
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Logs are the logarithms of factorials up to a number.
type Logs []float64

// NewLogs returns those up to n.
func NewLogs(n int) Logs {
	l := make(Logs, n+1)
	for i := 2; i <= n; i++ {
		l[i] = l[i-1] + math.Log(float64(i))
	}
	return l
}

func (l Logs) choose(n, k int) float64 { return l[n] - l[k] - l[n-k] }

// Fisher returns the probability of a square that is as unlikely as this one or more so, on
// either side, if neither knows of the other: Fisher's exact test.
func (l Logs) Fisher(q Square) float64 {
	low, high := max(0, q.With+q.Truths-q.Rows), min(q.With, q.Truths)
	if low >= high {
		return 1
	}
	whole := l.choose(q.Rows, q.With)
	chance := func(k int) float64 {
		return math.Exp(l.choose(q.Truths, k) + l.choose(q.Rows-q.Truths, q.With-k) - whole)
	}
	here := chance(q.Both)
	most := here * (1 + 1e-7)
	// The likeliest one parts the tails. Each is gone along outwards, and cut off where
	// nothing comes of it any more.
	mode := int(float64(q.With+1) * float64(q.Truths+1) / float64(q.Rows+2))
	mode = max(low, min(high, mode))
	tail := func(k, step int) (sum float64) {
		p := chance(k)
		for k >= low && k <= high && p > 0 {
			sum += p
			if p < sum*1e-17 {
				break
			}
			if step > 0 {
				p *= float64(q.Truths-k) * float64(q.With-k) / (float64(k+1) * float64(q.Rows-q.Truths-q.With+k+1))
			} else {
				p *= float64(k) * float64(q.Rows-q.Truths-q.With+k) / (float64(q.Truths-k+1) * float64(q.With-k+1))
			}
			k += step
		}
		return sum
	}
	// The other tail begins at the first one that is no likelier.
	if q.Both >= mode {
		sum := tail(q.Both, 1)
		if other := edge(low, min(mode, q.Both-1), func(k int) bool { return chance(k) <= most }); other >= low {
			sum += tail(other, -1)
		}
		return min(1, sum)
	}
	sum := tail(q.Both, -1)
	if other := high + mode - edge(mode, high, func(k int) bool { return chance(high+mode-k) <= most }); other <= high {
		sum += tail(other, 1)
	}
	return min(1, sum)
}

// edge returns the last number from low to high that holds, where those that hold come
// first; low-1 where none does.
func edge(low, high int, holds func(int) bool) int {
	lo, hi := low-1, high
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		if holds(mid) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// Control is how false discoveries are controlled.
type Control string

// The controls.
const (
	Yekutieli Control = "yekutieli" // under any dependence
	Hochberg  Control = "hochberg"  // under independence, or positive dependence
)

// Adjust returns for each p the least rate of false discoveries at which it is one,
// among tests of which there may be more than are listed: those have a p of 1.
func Adjust(c Control, p []float64, tests int) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	factor := 1.0
	if c == Yekutieli {
		factor = harmonic(tests)
	}
	q := make([]float64, len(p))
	least := 1.0
	for i := len(order) - 1; i >= 0; i-- {
		least = min(least, p[order[i]]*float64(tests)*factor/float64(i+1))
		q[order[i]] = least
	}
	return q
}

func harmonic(n int) (sum float64) {
	if n > 1000 {
		return math.Log(float64(n)) + 0.57721566490153286 + 1/(2*float64(n))
	}
	for i := 1; i <= n; i++ {
		sum += 1 / float64(i)
	}
	return sum
}

// Cell is the rows of a stratum that have something: how many, what they scored, and
// how much the squares of their scores sum up to; Wins are those that the first side won.
type Cell struct {
	N, Wins, Draws float64
}

func (c Cell) score() float64   { return c.Wins + c.Draws/2 }
func (c Cell) squares() float64 { return c.Wins + c.Draws/4 }

// Effect is by how much a score differs between two groups of rows of the same strata: the
// mean of the differences, by the weights of Mantel and Haenszel, with the error of 95 %.
// Odds are the odds ratio of winning by Mantel and Haenszel, with the interval of Robins,
// Breslow and Greenland.
type Effect struct {
	Score, Error        float64
	Odds, Low, High     float64
	P                   float64
	Strata              int // in which both groups have rows
	Compared, Remaining float64
}

const sigma95 = 1.959963984540054

// Compare returns the effect of having something, stratum by stratum.
func Compare(with, without []Cell) (e Effect) {
	var sum, weight, variance float64
	var r, s, pr, prqs, qs float64
	for i := range with {
		a, b := with[i], without[i]
		if a.N <= 0 || b.N <= 0 {
			continue
		}
		e.Strata++
		e.Compared += a.N
		e.Remaining += b.N
		n := a.N + b.N
		w := a.N * b.N / n
		sum += w * (a.score()/a.N - b.score()/b.N)
		weight += w
		mean := (a.score() + b.score()) / n
		spread := max(0, (a.squares()+b.squares())/n-mean*mean)
		if n > 1 {
			spread *= n / (n - 1)
		}
		variance += w * w * spread * (1/a.N + 1/b.N)
		R, S := a.Wins*(b.N-b.Wins)/n, b.Wins*(a.N-a.Wins)/n
		P, Q := (a.Wins+b.N-b.Wins)/n, (b.Wins+a.N-a.Wins)/n
		r, s, pr, prqs, qs = r+R, s+S, pr+P*R, prqs+P*S+Q*R, qs+Q*S
	}
	e.P, e.High = 1, math.MaxFloat64
	if weight == 0 {
		return e
	}
	e.Score = sum / weight
	sd := math.Sqrt(variance) / weight
	e.Error = sigma95 * sd
	if sd > 0 {
		e.P = math.Erfc(math.Abs(e.Score) / sd / math.Sqrt2)
	}
	if r > 0 && s > 0 {
		e.Odds = r / s
		log := math.Sqrt(pr/(2*r*r) + prqs/(2*r*s) + qs/(2*s*s))
		e.Low, e.High = e.Odds*math.Exp(-sigma95*log), e.Odds*math.Exp(sigma95*log)
	}
	return e
}
