package renju

import (
	"flag"
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
	rules "qipu/game/renju"
)

// variants are rules that differ in what wins.
func variants(t testing.TB, specs ...string) (list []*rules.Rules) {
	for _, spec := range specs {
		r, err := rules.Renju.Variant(spec)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r.(*rules.Rules))
	}
	return list
}

// crowd plays some moves, most of them near others; it may stop at a position where the
// game is over.
func crowd(rng *rand.Rand, r *rules.Rules, plies int) *rules.Position {
	p := r.Start().(*rules.Position)
	size := r.Geometry().Size
	x, y := rng.IntN(size.W), rng.IntN(size.H)
	for range plies {
		if p.Outcome().Final() {
			break
		}
		dx, dy := rng.IntN(7)-3, rng.IntN(7)-3
		if x+dx < 0 || y+dy < 0 || x+dx >= size.W || y+dy >= size.H {
			dx, dy = 0, 0
		}
		if p.Play(game.Drop(board.At(x+dx, y+dy))) == nil && rng.IntN(6) == 0 {
			x, y = rng.IntN(size.W), rng.IntN(size.H)
		}
	}
	return p
}

// same compares what is kept with what is found anew.
func same(t *testing.T, kept, fresh *table) {
	t.Helper()
	if kept.hash != fresh.hash || kept.free != fresh.free || kept.count != fresh.count || kept.sets != fresh.sets {
		t.Fatal("what is kept differs from what is found anew")
	}
	for _, c := range kept.places[:kept.size.Area()] {
		if a, b := kept.cells[c], fresh.cells[c]; a.stone != b.stone || a.stone == free && a.code != b.code {
			t.Fatalf("%v: %v, anew %v", pointOf(c), a, b)
		}
	}
}

// TestKept puts stones and takes them away: all that is kept is what a board set up anew
// tells.
func TestKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, r := range variants(t, "", "standard", "free", "19x19", "7x9,free", "25x25") {
		for range 20 {
			p := crowd(rng, r, 30)
			kept := newTable(p, r)
			var fresh []*table
			for range 12 {
				fresh = append(fresh, newTable(p, r))
				moves := p.AppendMoves(nil)
				if len(moves) < 2 {
					break
				}
				m, side := moves[rng.IntN(len(moves)-1)], int(p.Turn())
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				kept.put(side, cellOf(m.To()))
			}
			for i := len(fresh) - 1; i >= 0; i-- {
				if len(kept.path) > i {
					kept.take()
				}
				same(t, kept, fresh[i])
			}
		}
	}
}

var rulesPositions = flag.Int("rules", 1500, "positions whose points are held against the rules")

// TestRules: fives and fouls are those of the rules, on every point of many positions.
func TestRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 6))
	positions, points, fouls := *rulesPositions, 0, 0
	list := variants(t, "", "", "standard", "free", "9x9", "6x6")
	for i := range positions {
		r := list[i%len(list)]
		p := crowd(rng, r, 10+rng.IntN(90))
		if p.Outcome().Final() {
			continue
		}
		b := newTable(p, r)
		for _, m := range p.AppendMoves(nil) {
			if m == game.Pass {
				continue
			}
			points++
			c := cellOf(m.To())
			foul := p.Foul(m.To()) != rules.NoFoul
			if foul {
				fouls++
			}
			if b.forbidden(0, c) != foul || b.forbidden(1, c) {
				t.Fatalf("%s: %v: foul %v", game.FormatPosition(r, p), m.To(), foul)
			}
			_ = p.Play(m)
			o := p.Outcome()
			side := int(p.Turn().Opponent())
			p.Undo()
			if won := o.State == game.Won && o.Reason == game.ByLine; won != (b.cells[c].grade[side] == gFive) {
				t.Fatalf("%s: %v: five %v", game.FormatPosition(r, p), m.To(), won)
			}
		}
	}
	if fouls < positions/10 {
		t.Errorf("only %d fouls", fouls)
	}
	t.Logf("%d points of %d positions, %d fouls", points, positions, fouls)
}

func BenchmarkPut(b *testing.B) {
	p := crowd(rand.New(rand.NewPCG(3, 7)), rules.Renju, 40)
	t := newTable(p, rules.Renju)
	c := t.first(int(p.Turn()), kindThree)
	for b.Loop() {
		t.put(0, c)
		t.take()
	}
}
