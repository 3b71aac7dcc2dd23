package rules

import (
	"math"

	"qipu/mine/dataset"
)

// Effects returns the effects of rules about results in some rows of a table, within the
// strata of all.
func Effects(s *dataset.Set, strata *Strata, list []Rule, rows dataset.Bits) []Effect {
	n := s.Judgement(dataset.Result)
	effects := make([]Effect, len(list))
	if n == nil {
		return effects
	}
	result := make([]float64, len(s.Rows))
	for r := range result {
		result[r] = dataset.Unknown
		if rows.Has(r) {
			result[r] = n.Values[r]
		}
	}
	g := layOut(s, strata, result)
	all, cells, rest := make([]Cell, strata.N), make([]Cell, strata.N), make([]Cell, strata.N)
	g.count(all, g.all)
	for i := range list {
		g.count(cells, g.lay(list[i].Rows(s)))
		minus(rest, all, cells)
		effects[i] = Compare(cells, rest)
	}
	return effects
}

// Halves cuts the rows of a table in two by their games, as by chance.
func Halves(s *dataset.Set) (half [2]dataset.Bits) {
	for i := range half {
		half[i] = dataset.NewBits(len(s.Rows))
	}
	for r := range s.Rows {
		x := uint64(s.Rows[r].Game) * 0x9E3779B97F4A7C15
		x ^= x >> 32
		x *= 0xD6E8FEB86659FD93
		half[x>>63].Set(r)
	}
	return half
}

// Agreement is how far two halves of the games say the same about rules.
type Agreement struct {
	Rules       int     // that have an effect in both halves
	Correlation float64 // of the effects
	Same        float64 // the share of rules whose effects have the same sign
}

// Agree holds effects against each other.
func Agree(a, b []Effect) (g Agreement) {
	var x, y, xx, yy, xy float64
	same := 0
	for i := range a {
		if a[i].Strata == 0 || b[i].Strata == 0 {
			continue
		}
		g.Rules++
		p, q := a[i].Score, b[i].Score
		x, y, xx, yy, xy = x+p, y+q, xx+p*p, yy+q*q, xy+p*q
		if p*q > 0 {
			same++
		}
	}
	if n := float64(g.Rules); n > 0 {
		if v := (xx - x*x/n) * (yy - y*y/n); v > 0 {
			g.Correlation = (xy - x*y/n) / math.Sqrt(v)
		}
		g.Same = float64(same) / n
	}
	return g
}
