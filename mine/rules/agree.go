package rules

import (
	"cmp"
	"math"
	"slices"

	"qipu/mine/dataset"
)

// Effects returns the effects of rules about a judgement in some rows of a table, within
// the strata of all.
func Effects(s *dataset.Set, strata *Strata, judge string, list []Rule, rows dataset.Bits) []Effect {
	n := s.Judgement(judge)
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

// Years cuts the rows of a table in two by the year of their games: those until a year, and
// those behind it, as near to two halves as years allow. It returns the year, and 0 where
// there is nothing to cut: no years are known, or they are all the same.
func Years(s *dataset.Set) (part [2]dataset.Bits, until int) {
	n := s.Number("year")
	if n == nil {
		return part, 0
	}
	var known []float64
	for _, y := range n.Values {
		if dataset.Known(y) {
			known = append(known, y)
		}
	}
	if len(known) == 0 {
		return part, 0
	}
	slices.Sort(known)
	last := known[len(known)-1]
	cut := known[(len(known)-1)/2]
	if cut == last { // more than a half are of the last year
		at, _ := slices.BinarySearch(known, last)
		if at == 0 {
			return part, 0
		}
		cut = known[at-1]
	}
	for i := range part {
		part[i] = dataset.NewBits(len(s.Rows))
	}
	for r, y := range n.Values {
		switch {
		case !dataset.Known(y):
		case y <= cut:
			part[0].Set(r)
		default:
			part[1].Set(r)
		}
	}
	return part, int(cut)
}

// Touched returns the share of the rows of a table that some of its rules are about.
func Touched(s *dataset.Set, list []Rule) float64 {
	some, all, one := 0.0, 0.0, dataset.NewBits(len(s.Rows))
	for i := range list {
		for row := range list[i].Rows(s).All() {
			one.Set(row)
		}
	}
	for r := range s.Rows {
		all += s.Rows[r].Weight
		if one.Has(r) {
			some += s.Rows[r].Weight
		}
	}
	if all == 0 {
		return 0
	}
	return some / all
}

// Interest returns the places of rules, from 1, by how interesting several measures find
// them together: each measure ranks all rules, and the mean of the ranks counts. The
// measures are the effect that is there at least (of rules about results), q, lift, leverage
// and conviction, away from what says nothing in either direction.
func Interest(list []Rule) []int {
	measures := []func(r *Rule) float64{
		func(r *Rule) float64 { return r.sure() },
		func(r *Rule) float64 { return -r.Q },
		func(r *Rule) float64 { return away(r.Lift()) },
		func(r *Rule) float64 { return math.Abs(r.Leverage()) },
		func(r *Rule) float64 { return away(r.Conviction()) },
	}
	sum := make([]float64, len(list))
	order := make([]int, len(list))
	for _, measure := range measures {
		values := make([]float64, len(list))
		for i := range list {
			values[i], order[i] = measure(&list[i]), i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
		for from := 0; from < len(order); {
			to := from + 1
			for to < len(order) && values[order[to]] == values[order[from]] {
				to++
			}
			for _, i := range order[from:to] { // those that are equal share their ranks
				sum[i] += float64(from+to-1) / 2
			}
			from = to
		}
	}
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sum[a], sum[b]) })
	places := make([]int, len(list))
	for n, i := range order {
		places[i] = n + 1
	}
	return places
}

// away is how far a ratio is from 1, by which factor it may be.
func away(ratio float64) float64 {
	if ratio <= 0 {
		return math.Inf(1)
	}
	return math.Abs(math.Log(ratio))
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
