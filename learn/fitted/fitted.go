// Package fitted is what stands beside the historical learners: the weights of the same
// factors that make the moves of the games likeliest (a conditional logistic model), by
// gradient descent. What it does better than they do is said wherever they are compared.
package fitted

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"qipu/engine"
	"qipu/game"
	"qipu/learn"
	"qipu/record"
)

// CardNow says what the fit is.
var CardNow = learn.Card{
	Name: "logistic", Title: "Logistic fit", Year: 1974, People: "Daniel McFadden (conditional logit)",
	Learns:  "what each factor of a position is worth",
	From:    "games: the moves that were made, beside those that could have been",
	How:     "weights that make the moves of the games likeliest, by gradient descent with a fixed seed",
	Kept:    "one number a factor",
	Effect:  "none of its own: it is the measure for the others",
	Reading: "ten passes; the step falls with each",
}

const (
	passes = 10
	step   = 0.05
)

// New returns a learner of the fit.
func New(of engine.Factors, seed uint64) learn.Learner {
	return &learner{set: learn.Set{Of: of}, seed: seed}
}

type learner struct {
	set  learn.Set
	seed uint64
}

func (l *learner) Card() *learn.Card     { return &CardNow }
func (l *learner) Look(g *record.Played) { l.set.Look(g) }

func (l *learner) Done() (learn.Model, error) {
	if err := l.set.Check(); err != nil {
		return nil, err
	}
	names := l.set.Of.Names()
	k := len(names)
	m := &Model{of: l.set.Of, Factors: names, Weights: make([]float64, k), Spread: make([]float64, k)}
	var squares, sums = make([]float64, k), make([]float64, k)
	n := len(l.set.Factors) / k
	for i, v := range l.set.Factors {
		squares[i%k] += float64(v) * float64(v)
		sums[i%k] += float64(v)
	}
	for f := range k {
		mean := sums[f] / float64(n)
		m.Spread[f] = math.Sqrt(max(0, squares[f]/float64(n)-mean*mean))
	}
	rng := rand.New(rand.NewPCG(l.seed, 0xF17))
	order := rng.Perm(len(l.set.Ends))
	var likely []float64
	for pass := range passes {
		rate := step / float64(1+pass)
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, pos := range order {
			first, n, made := l.set.At(pos)
			likely = likely[:0]
			most := math.Inf(-1)
			for j := range n {
				v := m.sum(l.set.Factors[(first+j)*k : (first+j+1)*k])
				likely = append(likely, v)
				most = max(most, v)
			}
			total := 0.0
			for j := range likely {
				likely[j] = math.Exp(likely[j] - most)
				total += likely[j]
			}
			for j := range likely {
				off := -likely[j] / total
				if j == made {
					off++
				}
				for f := range k {
					if m.Spread[f] > 0 {
						m.Weights[f] += rate * off * float64(l.set.Factors[(first+j)*k+f]) / m.Spread[f]
					}
				}
			}
		}
	}
	return m, nil
}

// Model is a sum of factors with weights.
type Model struct {
	Factors []string  `json:"factors"`
	Weights []float64 `json:"weights"`
	Spread  []float64 `json:"spread"`

	of engine.Factors
}

// With gives the model what counts its factors, after it was read from a file.
func (m *Model) With(of engine.Factors) error {
	m.of = of
	return learn.Same(m.Factors, of, len(m.Weights), len(m.Spread))
}

func (m *Model) sum(factors []int8) (v float64) {
	for i, f := range factors {
		if m.Spread[i] > 0 {
			v += m.Weights[i] * float64(f) / m.Spread[i]
		}
	}
	return v
}

// Prefer returns the sums behind the moves.
func (m *Model) Prefer(dst []float64, p game.Position, moves []game.Move) []float64 {
	k := len(m.Weights)
	all := learn.After(nil, m.of, p, moves)
	for i := range moves {
		dst = append(dst, m.sum(all[i*k:(i+1)*k]))
	}
	return dst
}

// Judge returns the sum for the side that has moved.
func (m *Model) Judge(p game.Position) (float64, bool) {
	return m.sum(m.of.AppendFactors(nil, p, p.Turn().Opponent())), true
}

// Lines tells the weights.
func (m *Model) Lines() (list []learn.Line) {
	for i, name := range m.Factors {
		list = append(list, learn.Line{Text: name, Value: m.Weights[i]})
	}
	slices.SortStableFunc(list, func(a, b learn.Line) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return list
}
