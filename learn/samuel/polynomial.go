// Package samuel learns as Arthur Samuel's programs for checkers did: a polynomial of
// factors (1959) and signature tables (1967).
package samuel

import (
	"cmp"
	"math"
	"slices"

	"qipu/engine"
	"qipu/game"
	"qipu/learn"
	"qipu/record"
)

// Card1959 says what the polynomial is.
var Card1959 = learn.Card{
	Name: "samuel59", Title: "Polynomial of factors", Year: 1959, People: "Arthur L. Samuel (IBM 704)",
	Learns:  "what each factor of a position is worth",
	From:    "games of masters: the moves that were made, beside those that could have been",
	How:     "C = (L-H)/(L+H) for each factor: H (L) is how often it was higher (lower) behind another move than behind the one of the book",
	Kept:    "one number a factor",
	Effect:  "his program came to play a better than average game",
	Reading: "the numbers are taken as weights of the factors, each divided by how much it changes among the moves of a position; there is one set for the whole game",
}

// NewPolynomial returns a learner of the polynomial.
func NewPolynomial(of engine.Factors) learn.Learner { return &polynomial{set: learn.Set{Of: of}} }

type polynomial struct{ set learn.Set }

func (l *polynomial) Card() *learn.Card     { return &Card1959 }
func (l *polynomial) Look(g *record.Played) { l.set.Look(g) }
func (l *polynomial) Done() (learn.Model, error) {
	if err := l.set.Check(); err != nil {
		return nil, err
	}
	names := l.set.Of.Names()
	k := len(names)
	m := &Polynomial{of: l.set.Of, Factors: names, C: make([]float64, k), Spread: make([]float64, k), Met: make([]int, k)}
	for f := range names {
		lower, higher := 0, 0
		var squares float64
		moves := 0
		for i := range l.set.Ends {
			first, n, made := l.set.At(i)
			book := l.set.Factors[(first+made)*k+f]
			var sum, square float64
			for j := range n {
				v := l.set.Factors[(first+j)*k+f]
				sum += float64(v)
				square += float64(v) * float64(v)
				switch {
				case v < book:
					lower++
				case v > book:
					higher++
				}
			}
			squares += square - sum*sum/float64(n)
			moves += n
		}
		m.Met[f] = lower + higher
		if lower+higher > 0 { // one that never varies says nothing
			m.C[f] = float64(lower-higher) / float64(lower+higher)
			m.Spread[f] = math.Sqrt(squares / float64(moves))
		}
	}
	return m, nil
}

// Polynomial is a sum of factors with weights.
type Polynomial struct {
	Factors []string  `json:"factors"`
	C       []float64 `json:"c"`
	Spread  []float64 `json:"spread"`
	Met     []int     `json:"met"`

	of engine.Factors
}

// With gives the model what counts its factors, after it was read from a file.
func (m *Polynomial) With(of engine.Factors) error {
	m.of = of
	return learn.Same(m.Factors, of, len(m.C), len(m.Spread), len(m.Met))
}

func (m *Polynomial) sum(factors []int8) (v float64) {
	for i, f := range factors {
		if m.Spread[i] > 0 {
			v += m.C[i] * float64(f) / m.Spread[i]
		}
	}
	return v
}

// Prefer returns the sums behind the moves.
func (m *Polynomial) Prefer(dst []float64, p game.Position, moves []game.Move) []float64 {
	k := len(m.C)
	all := learn.After(nil, m.of, p, moves)
	for i := range moves {
		dst = append(dst, m.sum(all[i*k:(i+1)*k]))
	}
	return dst
}

// Judge returns the sum for the side that has moved.
func (m *Polynomial) Judge(p game.Position) (float64, bool) {
	return m.sum(m.of.AppendFactors(nil, p, p.Turn().Opponent())), true
}

// Lines tells the weights.
func (m *Polynomial) Lines() []learn.Line {
	var list []learn.Line
	for i, name := range m.Factors {
		list = append(list, learn.Line{Text: name, Value: m.C[i], Weight: m.Met[i]})
	}
	slices.SortStableFunc(list, func(a, b learn.Line) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return list
}
