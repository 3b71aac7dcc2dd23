package weiqi_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
)

// points returns the set of points named in GTP notation.
func points(t testing.TB, r *weiqi.Rules, names string) (set board.Plane) {
	t.Helper()
	for _, name := range strings.Fields(names) {
		m, _ := r.ParseMove(r.Start(), name, weiqi.GTP)
		if m == game.NoMove {
			t.Fatalf("%q is no point", name)
		}
		set.Add(m.To())
	}
	return set
}

func TestScore(t *testing.T) {
	const wall = "2XO1/2XO1/2XO1/2XO1/2XO1 b"
	const invaded = "O1XO1/2XO1/2XO1/1OXO1/1OXO1 b" // A5 and B2, B1 are White's
	for _, c := range []struct {
		spec, text string
		dead, seki string
		scoring    weiqi.Scoring
		want       string // totals in points and result
	}{
		{"5x5,komi=0", wall, "", "", 0, "10-5 B+5"},
		{"5x5,komi=0", wall, "", "", weiqi.Area, "15-10 B+5"},
		{"5x5,tromp-taylor", wall, "", "", 0, "15-17.5 W+2.5"},
		{"5x5,komi=5", wall, "", "", 0, "10-10 Draw"},
		{"5x5,komi=0", wall + " prisoners=1,3", "", "", 0, "11-8 B+3"},
		{"5x5,chinese,komi=0", wall + " prisoners=1,3", "", "", 0, "15-10 B+5"},

		// Dead stones: one point names a string; points without stones do not
		// matter; a dead string that is not named makes a dame of its region.
		{"5x5,komi=0", invaded, "A5 B1", "", 0, "13-5 B+8"},
		{"5x5,komi=0", invaded, "A5 B1 A4", "", weiqi.Area, "15-10 B+5"},
		{"5x5,komi=0", invaded, "A5", "", 0, "1-5 W+4"},
		{"5x5,komi=0", invaded, "", "", weiqi.Area, "5-13 W+8"},
		{"5x5,komi=0", wall, "C3", "", 0, "0-25 W+25"}, // 20 empty points and 5 prisoners
		{"5x5,komi=0", wall, "C3 D3", "", 0, "5-5 Draw"},

		// Each side has an eye and they share a liberty.
		{"6x1,komi=0", "1X1O2 b", "", "", 0, "1-2 W+1"},
		{"6x1,komi=0", "1X1O2 b", "", "B1 D1", 0, "0-0 Draw"},
		{"6x1,komi=0", "1X1O2 b", "", "B1", 0, "0-2 W+2"},
		{"6x1,komi=0", "1X1O2 b", "", "E1 C1", 0, "1-1 Draw"},
		{"6x1,komi=0", "1X1O2 b", "", "B1 D1", weiqi.Area, "2-3 W+1"},
		{"6x1,chinese,komi=0", "1X1O2 b", "", "B1 D1", 0, "2-3 W+1"},
		{"6x1,chinese,komi=0", "1X1O2 b", "", "B1 D1", weiqi.Territory, "1-2 W+1"},

		{"3x3,tromp-taylor", "3/3/3 b", "", "", 0, "0-7.5 W+7.5"},
		{"3x3,tromp-taylor,komi=-1", "3/3/3 b", "", "", 0, "0--1 B+1"},
		{"1x1,komi=0", "1 b", "", "", 0, "0-0 Draw"},

		// Handicap: what White gets back.
		{"9x9,handicap=2", "start", "", "", 0, "79-0.5 B+78.5"},
		{"9x9,chinese,handicap=2", "start", "", "", 0, "81-2.5 B+78.5"},
		{"9x9,aga,handicap=2", "start", "", "", 0, "81-1.5 B+79.5"},
		{"9x9,tromp-taylor,handicap=2", "start", "", "", 0, "81-0.5 B+80.5"},
		{"9x9,chinese", "start", "", "", 0, "0-7.5 W+7.5"},
	} {
		r := variant(t, c.spec)
		p := parse(t, r, c.text)
		before := game.FormatPosition(r, p)
		s := p.Score(weiqi.ScoreOptions{Dead: points(t, r, c.dead), Seki: points(t, r, c.seki), Scoring: c.scoring})
		half := func(n int) float64 { return float64(n) / 2 }
		if got := fmt.Sprintf("%v-%v %v", half(s.Total[0]), half(s.Total[1]), s); got != c.want {
			t.Errorf("%s %s dead %q seki %q: %s, want %s", c.spec, c.text, c.dead, c.seki, got, c.want)
		}
		if got := s.Stones[0] + s.Stones[1] + s.Territory[0].Count() + s.Territory[1].Count() + s.Dame.Count(); got != r.Size().Area() {
			t.Errorf("%s %s: %d points in all", c.spec, c.text, got)
		}
		if after := game.FormatPosition(r, p); after != before {
			t.Errorf("counting changed %s to %s", before, after)
		}
	}
}

// TestScoreOracle compares area counts of random positions with the oracle.
func TestScoreOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range testkit.Scale(300, 10000) {
		r := variant(t, fmt.Sprintf("%dx%d,tromp-taylor,komi=0", 1+rng.IntN(9), 1+rng.IntN(9)))
		p, o := r.Start().(*weiqi.Position), newOracle(r)
		for range rng.IntN(2 * r.Size().Area()) {
			moves := p.AppendMoves(nil)
			if m := moves[rng.IntN(len(moves))]; m != game.Pass && p.Play(m) == nil {
				o.play(r.Size().Index(m.To()))
			}
		}
		s := p.Score(weiqi.ScoreOptions{})
		if got, want := s.Total[0]-s.Total[1], 2*o.area(); got != want {
			t.Fatalf("%s: lead of %d half points, want %d", game.FormatPosition(r, p), got, want)
		}
	}
}

// TestAGA checks what the pass stones are for: area and territory counts of a
// finished game agree, also with handicap.
func TestAGA(t *testing.T) {
	for _, spec := range []string{"5x5,aga", "7x4,aga", "9x9,aga,handicap=3", "7x7,aga,handicap=2"} {
		r := variant(t, spec)
		for seed := range uint64(testkit.Scale(20, 500)) {
			rng := rand.New(rand.NewPCG(5, seed))
			p := r.Start().(*weiqi.Position)
			stop := 1 + rng.IntN(2*r.Size().Area())
			for ply := 0; !p.Outcome().Over(); ply++ {
				moves := p.AppendMoves(nil)
				m := moves[rng.IntN(len(moves))]
				if ply >= stop {
					m = game.Pass
				}
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			area := p.Score(weiqi.ScoreOptions{Scoring: weiqi.Area})
			territory := p.Score(weiqi.ScoreOptions{Scoring: weiqi.Territory})
			if area.String() != territory.String() {
				t.Fatalf("%s %s: area %v, territory %v", spec, game.FormatPosition(r, p), area, territory)
			}
		}
	}
}
