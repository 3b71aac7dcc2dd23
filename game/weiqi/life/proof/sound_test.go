package proof

import (
	"math/rand/v2"
	"testing"

	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

// everyBoard calls a function with every legal board of a size whose number is a
// multiple of step.
func everyBoard(g *small, step int, do func(black, white uint32)) {
	total := 1
	for range g.w * g.h {
		total *= 3
	}
	for n := 0; n < total; n += step {
		var of [3]uint32
		for i, rest := 0, n; rest != 0; i, rest = i+1, rest/3 {
			of[rest%3] |= 1 << i
		}
		if g.legal(of[1], of[2]) {
			do(of[1], of[2])
		}
	}
}

// TestBensonSound plays every attack on what Benson's theorem claims, the defender
// always passing, on all small boards and on random ones, with and without suicide.
func TestBensonSound(t *testing.T) {
	var b life.Board
	provers := [2]*Prover{{}, {Suicide: true}}
	check := func(g *small, black, white uint32) (claims int) {
		b.Reset(g.planes(black, white))
		for _, p := range provers {
			proof, suicide := p.Benson(&b), p.Suicide
			for colour := life.Black; colour <= life.White; colour++ {
				keep, _ := g.claims(&b, proof, colour)
				def, att := black, white
				if colour == life.White {
					def, att = white, black
				}
				if keep == 0 {
					continue
				}
				claims++
				if !g.neverTaken(def, att, keep, suicide) {
					t.Errorf("suicide %v: %s of %s can be taken", suicide, g.String(keep, 0), g.String(black, white))
				}
			}
		}
		return claims
	}
	claims, boards := 0, 0
	for _, size := range [][3]int{{3, 3, 1}, {4, 3, testkit.Scale(23, 1)}} {
		g := newSmall(size[0], size[1])
		everyBoard(g, size[2], func(black, white uint32) {
			boards++
			claims += check(g, black, white)
		})
	}
	t.Logf("%d claims on %d boards", claims, boards)
	g, rng := newSmall(5, 5), rand.New(rand.NewPCG(5, 5))
	claims = 0
	for range testkit.Scale(300, 100000) {
		black, white := randomBoard(g, rng)
		claims += check(g, black, white)
	}
	t.Logf("%d claims on random boards", claims)
}

// randomBoard returns a legal board on which one side is likely to have eyes.
func randomBoard(g *small, rng *rand.Rand) (black, white uint32) {
	for {
		black, white = 0, 0
		dark, light := 20+rng.IntN(50), 5+rng.IntN(35)
		for i := range g.w * g.h {
			switch n := rng.IntN(100); {
			case n < dark:
				black |= 1 << i
			case n < dark+light:
				white |= 1 << i
			}
		}
		if g.legal(black, white) {
			return black, white
		}
	}
}

// TestStaticSound plays out all games on what the static rules claim.
func TestStaticSound(t *testing.T) {
	var b life.Board
	var p Prover
	boards, claims := 0, 0
	for _, size := range [][3]int{{3, 3, testkit.Scale(5, 1)}, {4, 3, testkit.Scale(197, 1)}, {6, 2, testkit.Scale(97, 3)}, {12, 1, testkit.Scale(97, 3)}} {
		g := newSmall(size[0], size[1])
		w := newWar(g)
		everyBoard(g, size[2], func(black, white uint32) {
			b.Reset(g.planes(black, white))
			keep, land := g.claims(&b, p.Static(&b), life.Black)
			if boards++; keep|land == 0 {
				return
			}
			claims++
			if wrong := w.check(black, white, keep, land); wrong != "" {
				t.Errorf("%s:\n%s", wrong, g.String(black, white))
			}
		})
		t.Logf("%dx%d: %d claims on %d boards", g.w, g.h, claims, boards)
	}
}

// TestStaticSoundRandom does the same on larger random boards, where the static
// rules claim more than Benson's theorem.
func TestStaticSoundRandom(t *testing.T) {
	var b life.Board
	var p, q Prover
	rng := rand.New(rand.NewPCG(9, uint64(testkit.Scale(9, 10))))
	for _, size := range [][2]int{{4, 4}, {5, 4}, {5, 5}, {7, 3}} {
		g := newSmall(size[0], size[1])
		w := newWar(g)
		w.limit = testkit.Scale(1500, 20000)
		for claims := 0; claims < testkit.Scale(25, 1500); {
			black, white := randomBoard(g, rng)
			b.Reset(g.planes(black, white))
			proof := p.Static(&b)
			if proof.Points[0] <= q.Benson(&b).Points[0] {
				continue
			}
			claims++
			keep, land := g.claims(&b, proof, life.Black)
			if wrong := w.check(black, white, keep, land); wrong != "" {
				t.Errorf("%s:\n%s", wrong, g.String(black, white))
			}
		}
		t.Logf("%dx%d: %d boards were too much", g.w, g.h, w.skipped)
	}
}
