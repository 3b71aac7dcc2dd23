package learn

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"qipu/engine/reversi"
	"qipu/engine/reversi/eval"
	"qipu/workshop/parallel"
)

// Error is how far weights are off at a number of empty squares.
type Error struct {
	Empties   int
	Positions int
	Mean      float64 // of the absolute errors, in discs
	Root      float64 // root of the mean square, in discs
	Bias      float64 // mean of the errors themselves
	Against   string  // what the values are that it is measured against: one of the following

	abs, square, sum float64
}

func (e *Error) add(got, want float64) {
	d := got - want
	e.Positions++
	e.abs += math.Abs(d)
	e.square += d * d
	e.sum += d
}

func (e *Error) finish() {
	n := float64(max(1, e.Positions))
	e.Mean, e.Root, e.Bias = e.abs/n, math.Sqrt(e.square/n), e.sum/n
}

// What weights are measured against.
const (
	Solved   = "solved"    // exact values
	Recorded = "recorded"  // exact values that the records tell
	Played   = "recorded+" // those that the records tell for the next move: exact where the move was the best
	Searched = "search"    // a search with the same weights
)

// MeasureOptions say how errors are measured.
type MeasureOptions struct {
	Threads int  // default 1
	Most    int  // positions for each number of empty squares; default 2000
	Solve   int  // empty squares up to which positions are solved; default 12
	Depth   int  // of the search that the others are measured against; default 6
	All     bool // take all games: they are not those that the weights were fitted to
}

// Measure compares what weights say of the positions in the games that are held
// out with what they are worth: solved where few squares are empty, known from
// the records where these tell it, and else by a search with the same weights,
// which says how steady they are rather than how right. A position one move
// before one whose value is known is compared with that.
func Measure(w *eval.Weights, games []Game, o MeasureOptions) []Error {
	o.Threads, o.Most, o.Solve, o.Depth = cmp.Or(o.Threads, 1), cmp.Or(o.Most, 2000), cmp.Or(o.Solve, 12), cmp.Or(o.Depth, 6)
	var at [61][]Sample
	for i := range games {
		g := &games[i]
		if !o.All && !g.Held() {
			continue
		}
		g.walk(func(p *position) {
			s := Sample{Own: p.own, Opp: p.opp}
			if v, ok := g.known(p, 0); ok {
				s.Value, s.Weight = v, sure
			} else if v, ok := g.known(p, 1); ok {
				s.Value, s.Weight = v, 1
			}
			at[p.empties()] = append(at[p.empties()], s)
		})
	}
	result := make([]Error, len(at))
	parallel.Each(len(at), o.Threads, func(_, e int) {
		j := reversi.NewJudge(w)
		list := once(at[e])
		r := &result[e]
		r.Empties, r.Against = e, Searched
		known := slices.IndexFunc(list, func(s Sample) bool { return s.Weight != 0 })
		switch {
		case known >= 0 && list[known].Weight == sure:
			r.Against = Recorded
		case known >= 0:
			r.Against = Played
		case e <= o.Solve:
			r.Against = Solved
		}
		rng := rand.New(rand.NewPCG(1, uint64(e)))
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for i := range list {
			s := &list[i]
			got := float64(w.Evaluate(s.Own, s.Opp)) / 100
			switch {
			case known >= 0:
				if s.Weight != 0 {
					r.add(got, float64(s.Value))
				}
			case i >= o.Most:
			case r.Against == Solved:
				r.add(got, float64(j.Solve(s.Own, s.Opp)))
			default:
				r.add(got, float64(j.Search(s.Own, s.Opp, o.Depth))/100)
			}
		}
		r.finish()
	})
	return result
}
