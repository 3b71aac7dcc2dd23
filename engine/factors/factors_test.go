package factors_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/engine"
	"qipu/engine/factors"
	"qipu/game"
	"qipu/game/checkers"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/xiangqi"
)

var grounds = []struct {
	rules game.Rules
	of    engine.Factors
	least int
}{
	{checkers.Rules{}, factors.Checkers{}, 16},
	{othello.Standard, factors.Othello{}, 10},
	{xiangqi.Standard, factors.Xiangqi{}, 10},
	{renju.Renju, factors.Rows{}, 10},
}

// TestPictures: along games by chance there is a number for every name, every factor
// varies, and a picture of a position has the same factors for the side that stands there.
func TestPictures(t *testing.T) {
	for _, g := range grounds {
		name := g.rules.Info().Name
		names := g.of.Names()
		if len(names) < g.least {
			t.Errorf("%s has %d factors, want %d", name, len(names), g.least)
		}
		varies := make([]map[int8]bool, len(names))
		for i := range varies {
			varies[i] = map[int8]bool{}
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 12 {
			p := g.rules.Start()
			for range 90 {
				moves := p.AppendMoves(nil)
				if len(moves) == 0 {
					break
				}
				if err := p.Play(moves[rng.IntN(len(moves))]); err != nil {
					t.Fatal(err)
				}
				for side := range game.Side(2) {
					want := g.of.AppendFactors(nil, p, side)
					if len(want) != len(names) {
						t.Fatalf("%s: %d numbers for %d names", name, len(want), len(names))
					}
					for i, v := range want {
						varies[i][v] = true
					}
					for _, sym := range g.rules.Info().Symmetries[1:] {
						q, err := g.rules.Arrange(game.SetupOf(p).Transform(g.rules, sym))
						if err != nil {
							continue // the rules keep no such picture
						}
						as := side
						if sym.Swap {
							as ^= 1
						}
						if got := g.of.AppendFactors(nil, q, as); !slices.Equal(got, want) {
							t.Fatalf("%s: %s has %v, its picture %v", name, game.FormatPosition(g.rules, p), want, got)
						}
					}
				}
			}
		}
		for i, seen := range varies {
			if len(seen) < 2 {
				t.Errorf("%s: %q never varies", name, names[i])
			}
		}
	}
}

// TestKnown counts factors of positions by hand.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		ground   int
		position string
		factor   string
		want     int8
	}{
		{0, "start", "men", 0},
		{0, "B:W18:B14,1", "men", 1},
		{0, "B:W18:B14,K1", "kings", 1},
		{0, "B:W18:B14,1", "threat", 1},
		{0, "W:W18:B14,1", "exposure", -1}, // 18 takes 14
		{0, "B:W18:B14,1", "back row", 1},
		{1, "8/8/8/3OX3/3XO3/8/8/8 X", "mobility", 0},
		{1, "X7/8/8/3OX3/3XO3/8/8/8 X", "corners", 1},
		{1, "X7/8/8/3OX3/3XO3/8/8/8 X", "discs", 1},
		{2, "start", "moves of the other", 0},
		{3, "start", "stretches with two", 0},
	} {
		g := grounds[c.ground]
		p, err := game.ParsePosition(g.rules, c.position)
		if err != nil {
			t.Fatal(err)
		}
		got := g.of.AppendFactors(nil, p, game.First)
		if i := slices.Index(g.of.Names(), c.factor); i < 0 || got[i] != c.want {
			t.Errorf("%s: %s is %v, want %d", c.position, c.factor, got, c.want)
		}
	}
}
