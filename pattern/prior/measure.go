package prior

import (
	"math"
	"sync"
	"sync/atomic"

	"qipu/board"
)

// Figures tell how well moves were foretold.
type Figures struct {
	Positions int
	Top1      float64 // share of the moves that were the first guess
	Top5      float64 // that were among the first five
	Top10     float64
	LogLoss   float64 // mean of -ln of the probability of the move

	hits [3]int
	loss float64
}

func (f *Figures) add(rank int, p float64) {
	f.Positions++
	f.loss -= math.Log(p)
	for i, most := range [3]int{1, 5, 10} {
		if rank < most {
			f.hits[i]++
		}
	}
}

func (f *Figures) join(g *Figures) {
	f.Positions += g.Positions
	f.loss += g.loss
	for i := range f.hits {
		f.hits[i] += g.hits[i]
	}
	n := float64(max(1, f.Positions))
	f.Top1, f.Top5, f.Top10 = float64(f.hits[0])/n, float64(f.hits[1])/n, float64(f.hits[2])/n
	f.LogLoss = f.loss / n
}

// Report is what Measure finds.
type Report struct {
	Games int
	Figures
	Phases []PhaseFigures // by move number, from the first
}

// PhaseFigures are those of the moves of a part of the game.
type PhaseFigures struct {
	From, To int // numbers of moves, both in it; To is 0 for the last part
	Figures
}

// phaseLength is how many moves a part of the game has in a report; the last
// part has all that follow.
const phaseLength = 60

// Measure foretells every move of the games and compares. Passes are left out,
// and moves that are against the rules. The result is the same with any number
// of threads, down to the rounding of the loss.
func (m *Model) Measure(games []*Game, threads int) Report {
	const parts = 5
	type tally [parts]Figures
	each := make([]tally, len(games))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range max(1, threads) {
		wait.Go(func() {
			var b Board
			var list []Guess
			for {
				i := int(next.Add(1)) - 1
				if i >= len(games) {
					return
				}
				games[i].Walk(&b, func(to board.Point) bool {
					list = m.score(list[:0], &b)
					rank, p := place(list, to)
					each[i][min(parts-1, (len(b.line)-2)/phaseLength)].add(rank, p)
					return true
				})
			}
		})
	}
	wait.Wait()
	r := Report{Games: len(games)}
	for part := range parts {
		f := PhaseFigures{From: part*phaseLength + 1, To: (part + 1) * phaseLength}
		if part == parts-1 {
			f.To = 0
		}
		for i := range each {
			f.join(&each[i][part])
		}
		r.join(&f.Figures)
		r.Phases = append(r.Phases, f)
	}
	return r
}

// place returns how many points come before to in the order of Predict, and
// its probability, of a list of scores.
func place(list []Guess, to board.Point) (rank int, p float64) {
	var own, sum float64
	for _, g := range list {
		if g.Point == to {
			own = g.P
		}
	}
	for _, g := range list {
		sum += math.Exp(g.P - own)
		if g.P > own || g.P == own && g.Point < to {
			rank++
		}
	}
	return rank, 1 / sum
}
