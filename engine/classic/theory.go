package classic

import (
	"context"
	"math"
	"math/rand/v2"

	"qipu/engine"
	"qipu/game"
)

// Leaves returns how many leaves a method judges on uniform trees by chance, one for each
// seed; with branchy set leaves are sums of what the branches are worth.
func Leaves(ctx context.Context, method string, width, depth int, seeds []uint64, branchy bool) (Mean, error) {
	list := make([]float64, 0, len(seeds))
	for _, seed := range seeds {
		leaf := ByChance(seed)
		if branchy {
			leaf = ByBranch(seed)
		}
		tree := &Tree{Width: width, Deep: depth, Leaf: leaf}
		x, err := Run(ctx, method, Problem{Position: tree, Eval: tree, Depth: depth, Nodes: 1 << 40})
		if err == nil && !x.Whole {
			err = context.Cause(ctx)
		}
		if err != nil {
			return Mean{}, err
		}
		list = append(list, float64(x.Leaves))
	}
	return MeanOf(list), nil
}

// ExpectedTwo returns how many leaves alpha-beta judges in the mean on trees of depth two
// by chance, whose leaves are never alike. Behind the first move it judges all; behind
// move i+1 one after the other until one is worse than the best of the i before, which
// the first j of them are not with a chance of i! Γ(1+j/b) / Γ(i+1+j/b).
func ExpectedTwo(b int) float64 {
	sum := float64(b)
	for i := 1; i < b; i++ {
		for j := range b {
			x := float64(j) / float64(b)
			one, _ := math.Lgamma(float64(i) + 1)
			two, _ := math.Lgamma(1 + x)
			three, _ := math.Lgamma(float64(i) + 1 + x)
			sum += math.Exp(one + two - three)
		}
	}
	return sum
}

// GrowthPoint is how many times more leaves a ply more costs on trees of a width: the root
// of what two plies cost, since odd and even depths differ.
type GrowthPoint struct {
	Width, Depth, Trees int
	AlphaBeta, Shallow  Mean
	Knuth, Pearl        float64 // see Growth
}

// GrowthAt measures the growth from trees that are as deep as the leaves allow that may
// be in one of them.
func GrowthAt(ctx context.Context, width, trees int, most float64, seed uint64) (GrowthPoint, error) {
	g := GrowthPoint{Width: width, Trees: trees, Depth: 4}
	for math.Pow(float64(width), float64(g.Depth+1)) <= most {
		g.Depth++
	}
	g.Knuth, g.Pearl = Growth(width)
	for _, method := range []struct {
		name string
		into *Mean
	}{{"alphabeta", &g.AlphaBeta}, {"shallow", &g.Shallow}} {
		var at [2]Mean
		for i := range at {
			var err error
			// Different trees, so that the errors are independent.
			if at[i], err = Leaves(ctx, method.name, width, g.Depth-2*i, Seeds(seed+uint64(i), trees), false); err != nil {
				return g, err
			}
		}
		ratio := math.Sqrt(at[0].Mean / at[1].Mean)
		*method.into = Mean{Mean: ratio, Error: ratio / 2 * math.Hypot(at[0].Error/at[0].Mean, at[1].Error/at[1].Mean)}
	}
	return g, nil
}

// Compared is what a method costs on many positions of a game.
type Compared struct {
	Method    string
	Positions int
	Leaves    Mean
	Judged    Mean // beside the leaves, for ordering
	Ratio     Mean // ln(leaves of minimax) by ln(leaves); two is the limit
	Above     Mean // how much the ratio is above that of fixed ordering, position by position
}

// Orders compares orders of moves on a game, as Slagle and Dixon did on Kalah: on the
// start alone, or on so many openings by chance of two to eight plies. Openings behind
// which minimax has fewer than a hundred leaves are left out: the game is over there.
// Staged ordering is told twice, by its last stage alone and by all of them together.
func Orders(ctx context.Context, r game.Rules, e engine.Evaluator, depth, openings int, seed uint64) ([]Compared, error) {
	const least = 100
	methods := []string{"alphabeta", "fixed", "dynamic", "staged"}
	names := append(append([]string{"minimax"}, methods...), "all stages")
	const fixedAt, stagedAt = 2, 4
	rng := rand.New(rand.NewPCG(seed, 29))
	leaves, judged, ratio := make([][]float64, len(names)), make([][]float64, len(names)), make([][]float64, len(names))
	for done, tried := 0, 0; done < max(openings, 1) && tried < 100*max(openings, 1); tried++ {
		p := r.Start()
		if openings > 0 {
			for range 2 + rng.IntN(7) {
				if moves := p.AppendMoves(nil); len(moves) > 0 {
					if err := p.Play(moves[rng.IntN(len(moves))]); err != nil {
						return nil, err
					}
				}
			}
		}
		all := 0.0
		for _, n := range game.Divide(ctx, p, depth, game.PerftOptions{KeepEnded: true}) {
			all += float64(n)
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if all < least && openings > 0 || all < 2 {
			if openings == 0 {
				break
			}
			continue
		}
		done++
		add := func(i int, n, beside float64) {
			leaves[i], judged[i] = append(leaves[i], n), append(judged[i], beside)
			ratio[i] = append(ratio[i], math.Log(all)/math.Log(max(n, 2)))
		}
		add(0, all, 0)
		for i, method := range methods {
			x, err := Run(ctx, method, Problem{Position: p, Eval: e, Depth: depth, Nodes: 1 << 40})
			if err == nil && !x.Whole {
				err = context.Cause(ctx)
			}
			if err != nil {
				return nil, err
			}
			n := x.Leaves
			if method == "staged" {
				add(stagedAt+1, float64(n), float64(x.Judged))
				n = x.Stages[len(x.Stages)-1].Leaves
			}
			add(i+1, float64(n), float64(x.Judged))
		}
	}
	var list []Compared
	for i, name := range names {
		c := Compared{Method: name, Positions: len(leaves[i]), Leaves: MeanOf(leaves[i]), Judged: MeanOf(judged[i]), Ratio: MeanOf(ratio[i])}
		above := make([]float64, len(ratio[i]))
		for j := range above {
			above[j] = ratio[i][j] - ratio[fixedAt][j]
		}
		c.Above = MeanOf(above)
		list = append(list, c)
	}
	return list, nil
}
