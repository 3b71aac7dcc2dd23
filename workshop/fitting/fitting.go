// Package fitting moves the weights of evaluations so that they foretell the results of
// games: a logistic regression over positions in which nothing hangs.
package fitting

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"qipu/engine/tree"
	"qipu/game"
	"qipu/record"
	"qipu/record/facts"
)

// Position is one that the fit learns from: what is seen of it, and the share of a win
// that the first side made of it.
type Position struct {
	tree.Sample
	Score float64
	Game  uint64 // positions of a game are learnt from together, or kept out together
}

// Fitted tells how well weights foretell results: the mean log loss over positions of
// games that were learnt from and of those kept out, before and after.
type Fitted struct {
	Positions, Held       int
	Before, After         float64 // of positions learnt from
	HeldBefore, HeldAfter float64
	Steepness             float64 // of the chance to win by hundredths of the least piece
}

// heldOut reports whether a game is kept out: one of ten.
func heldOut(game uint64) bool { return game%10 == 0 }

// fitter has the weights as numbers between which it can go by small steps.
type fitter struct {
	w     [][2]float64
	prior [][2]float64
	k     float64
}

// value is the worth of a position for the first side.
func (f *fitter) value(p *Position) float64 {
	v := 0.0
	for _, t := range p.Terms {
		w := &f.w[t.Weight]
		v += float64(t.Times) * (w[0]*p.Full + w[1]*(1-p.Full))
	}
	return v * p.Part
}

func (f *fitter) chance(v float64) float64 { return 1 / (1 + math.Exp(-f.k*v)) }

func loss(chance, score float64) float64 {
	chance = min(max(chance, 1e-6), 1-1e-6)
	return -score*math.Log(chance) - (1-score)*math.Log(1-chance)
}

func (f *fitter) losses(list []Position) (learnt, held float64) {
	var n, m int
	for i := range list {
		l := loss(f.chance(f.value(&list[i])), list[i].Score)
		if heldOut(list[i].Game) {
			held += l
			m++
		} else {
			learnt += l
			n++
		}
	}
	return learnt / float64(max(n, 1)), held / float64(max(m, 1))
}

// Fit moves weights so that results are foretold best, by small steps over the list in
// random order (Adam). Weights that few positions tell about stay near where they were.
func Fit(start [][2]int, list []Position, epochs int, seed uint64, tell func(epoch int, learnt, held float64)) ([][2]int, Fitted) {
	f := &fitter{w: make([][2]float64, len(start)), prior: make([][2]float64, len(start))}
	for i, w := range start {
		f.w[i] = [2]float64{float64(w[0]), float64(w[1])}
		f.prior[i] = f.w[i]
	}
	f.k = f.steepness(list)
	r := Fitted{Steepness: f.k}
	var learn []int
	for i := range list {
		if heldOut(list[i].Game) {
			r.Held++
		} else {
			r.Positions++
			learn = append(learn, i)
		}
	}
	r.Before, r.HeldBefore = f.losses(list)
	rng := rand.New(rand.NewPCG(seed, 0))
	m, v := make([][2]float64, len(f.w)), make([][2]float64, len(f.w))
	const batch, b1, b2 = 1024, 0.9, 0.999
	step := 0
	for epoch := range epochs {
		rng.Shuffle(len(learn), func(i, j int) { learn[i], learn[j] = learn[j], learn[i] })
		rate := 1.5 * (1 - float64(epoch)/float64(epochs))
		for from := 0; from < len(learn); from += batch {
			g := make([][2]float64, len(f.w))
			part := learn[from:min(from+batch, len(learn))]
			for _, i := range part {
				p := &list[i]
				e := (f.chance(f.value(p)) - p.Score) * f.k * p.Part / float64(len(part))
				for _, t := range p.Terms {
					g[t.Weight][0] += e * float64(t.Times) * p.Full
					g[t.Weight][1] += e * float64(t.Times) * (1 - p.Full)
				}
			}
			step++
			for i := range f.w {
				for h := range 2 {
					d := g[i][h] + 2e-8*(f.w[i][h]-f.prior[i][h])
					m[i][h] = b1*m[i][h] + (1-b1)*d
					v[i][h] = b2*v[i][h] + (1-b2)*d*d
					f.w[i][h] -= rate * (m[i][h] / (1 - math.Pow(b1, float64(step)))) / (math.Sqrt(v[i][h]/(1-math.Pow(b2, float64(step)))) + 1e-9)
				}
			}
		}
		if tell != nil {
			learnt, held := f.losses(list)
			tell(epoch+1, learnt, held)
		}
	}
	r.After, r.HeldAfter = f.losses(list)
	out := make([][2]int, len(f.w))
	for i := range f.w {
		out[i] = [2]int{int(math.Round(f.w[i][0])), int(math.Round(f.w[i][1]))}
	}
	return out, r
}

// steepness returns the steepness by which the weights foretell best.
func (f *fitter) steepness(list []Position) float64 {
	best, low := 0.0, math.Inf(1)
	for _, k := range []float64{0.0005, 0.001, 0.0015, 0.002, 0.0025, 0.003, 0.0035, 0.004, 0.005, 0.006, 0.008} {
		f.k = k
		if l, _ := f.losses(list); l < low {
			best, low = k, l
		}
	}
	return best
}

// Cut returns the positions of a game with a result that still accepts, every so many
// plies from one on.
func Cut(p *record.Played, from, every int, still func(game.Position) (tree.Sample, bool)) (list []Position) {
	var score float64
	switch p.Game.Facts.Result.Verdict {
	case facts.FirstWon:
		score = 1
	case facts.Drawn:
		score = 0.5
	case facts.SecondWon:
	default:
		return nil
	}
	board, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return nil
	}
	h := fnv.New64a()
	for i, s := range p.Steps {
		if s.Move == game.NoMove || board.Play(s.Move) != nil {
			break
		}
		if i < 40 {
			fmt.Fprint(h, s.Move, " ")
		}
		if i >= from && (i-from)%every == 0 {
			if seen, ok := still(board); ok {
				list = append(list, Position{Sample: seen, Score: score})
			}
		}
	}
	for i := range list {
		list[i].Game = h.Sum64()
	}
	return list
}
