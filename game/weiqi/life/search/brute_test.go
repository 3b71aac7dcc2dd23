package search_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/pn"
	"qipu/game/weiqi/life/proof"
	"qipu/game/weiqi/life/search"
	"qipu/internal/testkit"
)

// whole is Go on a whole small board as the proofs are about it, written apart from
// them: the attacker moves first, both may pass anywhere and answer anywhere, two
// passes end it. The attacker may retake a ko at once, the defender may not, and
// a repetition is the defender's loss. He wins if no stone of keep was ever taken,
// and every point of own is his in the end: his stone, or empty and with no
// attacking stone beside its area.
type whole struct {
	w, h      int
	at        []int8 // 0 empty, 1 defender, 2 attacker
	keep, own []bool
	defends   bool
	ko        int // where the defender must not play, or -1
	passes    int
	lost      bool
	past      []past
	zobrist   [][3]uint64
	seen      []bool
}

type past struct {
	at         []int8
	defends    bool
	ko, passes int
	lost       bool
}

func (g *whole) each(i int, f func(int)) {
	x, y := i%g.w, i/g.w
	if x > 0 {
		f(i - 1)
	}
	if x < g.w-1 {
		f(i + 1)
	}
	if y > 0 {
		f(i - g.w)
	}
	if y < g.h-1 {
		f(i + g.w)
	}
}

// chain returns the string on a point and whether it has a liberty.
func (g *whole) chain(i int) (stones []int, breathes bool) {
	clear(g.seen)
	g.seen[i] = true
	stones = append(stones, i)
	for k := 0; k < len(stones); k++ {
		g.each(stones[k], func(n int) {
			switch {
			case g.at[n] == 0:
				breathes = true
			case g.at[n] == g.at[i] && !g.seen[n]:
				g.seen[n] = true
				stones = append(stones, n)
			}
		})
	}
	return stones, breathes
}

func (g *whole) Key() (k uint64) {
	for i, c := range g.at {
		k ^= g.zobrist[i][c]
	}
	k = k*31 + uint64(g.passes)
	if g.defends {
		k = k*31 + uint64(g.ko+2)
	}
	return k
}

func (g *whole) Proves() bool { return g.defends }

func (g *whole) Evaluate() (pn.Result, uint32, uint32) {
	switch {
	case g.lost:
		return pn.Disproved, 0, 0
	case g.passes < 2:
		return pn.Unknown, 0, 0
	}
	for i := range g.at {
		if g.own[i] && !g.owned(i) {
			return pn.Disproved, 0, 0
		}
	}
	return pn.Proved, 0, 0
}

func (g *whole) owned(i int) bool {
	if g.at[i] != 0 {
		return g.at[i] == 1
	}
	clear(g.seen)
	g.seen[i] = true
	ok, list := true, []int{i}
	for k := 0; k < len(list); k++ {
		g.each(list[k], func(n int) {
			ok = ok && g.at[n] != 2
			if g.at[n] == 0 && !g.seen[n] {
				g.seen[n] = true
				list = append(list, n)
			}
		})
	}
	return ok
}

func (g *whole) AppendMoves(dst []pn.Move) []pn.Move {
	if g.passes < 2 {
		for i := range g.at {
			if g.at[i] != 0 || g.defends && g.ko == i {
				continue
			}
			g.Play(pn.Move(i))
			_, legal := g.chain(i)
			g.Undo()
			if legal {
				dst = append(dst, pn.Move(i))
			}
		}
		dst = append(dst, pn.Move(len(g.at)))
	}
	return dst
}

func (g *whole) Play(m pn.Move) {
	g.past = append(g.past, past{append([]int8(nil), g.at...), g.defends, g.ko, g.passes, g.lost})
	me := int8(2)
	if g.defends {
		me = 1
	}
	g.defends, g.ko = !g.defends, -1
	i := int(m)
	if i == len(g.at) {
		g.passes++
		return
	}
	g.passes = 0
	g.at[i] = me
	taken := []int{}
	g.each(i, func(n int) {
		if g.at[n] != 3-me {
			return
		}
		stones, breathes := g.chain(n)
		if breathes {
			return
		}
		for _, s := range stones {
			g.at[s] = 0
			g.lost = g.lost || g.keep[s] && me == 2
			taken = append(taken, s)
		}
	})
	stones, _ := g.chain(i)
	if len(taken) == 1 && len(stones) == 1 {
		alone := true // its only liberty is where it took
		g.each(i, func(n int) { alone = alone && (g.at[n] != 0 || n == taken[0]) })
		if alone {
			g.ko = taken[0]
		}
	}
}

func (g *whole) Undo() {
	p := g.past[len(g.past)-1]
	g.past = g.past[:len(g.past)-1]
	copy(g.at, p.at)
	g.defends, g.ko, g.passes, g.lost = p.defends, p.ko, p.passes, p.lost
}

// tester holds claims of a searcher against the whole game.
type tester struct {
	s       search.Searcher
	prover  proof.Prover
	b       life.Board
	j       life.Judgement
	solver  pn.Search
	zobrist [][3]uint64
	nodes   int

	claimed, checked, open int
}

func newTester(nodes int) *tester {
	t := &tester{nodes: nodes, solver: pn.Search{Size: 1 << 18}}
	r := rand.New(rand.NewPCG(7, 7))
	for range 64 {
		t.zobrist = append(t.zobrist, [3]uint64{r.Uint64(), r.Uint64(), r.Uint64()})
	}
	return t
}

// check judges a board and plays every claim of either side out.
func (c *tester) check(t *testing.T, p *board.Planes) {
	t.Helper()
	c.b.Reset(p)
	c.j.Begin("search", &c.b)
	c.s.Judge(&c.b, 20_000, false, &c.j)
	sure := c.prover.Benson(&c.b)
	for side := range game.Side(2) {
		g := &whole{w: p.Size.W, h: p.Size.H, ko: -1, zobrist: c.zobrist}
		g.fill(&c.b, side)
		claims := 0
		for i := range g.at {
			at := p.Size.Point(i)
			if v := c.j.At(&c.b, at); v != nil && v.Side == side {
				g.keep[i] = v.Status == life.Alive
			}
			// Vital regions count as owned by convention, see the documentation.
			if own := life.Owner(life.StoneOf(side)); c.j.Owner[at] == own && sure.Owner[life.CellOf(at)] != own {
				g.own[i] = true
				claims++
			}
		}
		if claims == 0 {
			continue
		}
		c.claimed++
		switch a := c.solver.Solve(g, c.nodes); a.Result {
		case pn.Proved:
			c.checked++
		case pn.Disproved:
			t.Fatalf("false claim for side %d: %v\n%s", side, a.Line, c.show(p))
		default:
			c.open++
		}
	}
}

func (c *tester) show(p *board.Planes) string {
	var s strings.Builder
	for y := range p.Size.H {
		for x := range p.Size.W {
			at := board.At(x, y)
			s.WriteByte(".XO"[c.b.Stone[life.CellOf(at)]])
			s.WriteByte("?bw="[c.j.Owner[at]])
			s.WriteByte(' ')
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// TestEveryBoard holds the claims on every legal board of 3x3, and on some of
// 4x3, against the whole game.
func TestEveryBoard(t *testing.T) {
	c := newTester(300_000)
	for _, k := range []struct{ w, h, step int }{{3, 3, testkit.Scale(17, 1)}, {4, 3, testkit.Scale(4999, 17)}} {
		size := board.Size{W: k.w, H: k.h}
		total := 1
		for range size.Area() {
			total *= 3
		}
		p := board.NewPlanes(size, 2)
		for code := 0; code < total; code += k.step {
			for i, v := 0, code; i < size.Area(); i, v = i+1, v/3 {
				p.Put(size.Point(i), board.Piece(v%3))
			}
			c.b.Reset(p)
			if c.b.Choked() < 0 {
				c.check(t, p)
			}
		}
	}
	t.Logf("%d claims, %d played out, %d left open", c.claimed, c.checked, c.open)
	if c.checked == 0 {
		t.Error("nothing was claimed")
	}
}

// TestRandomBoards does the same on larger boards with few empty points.
func TestRandomBoards(t *testing.T) {
	c := newTester(testkit.Scale(30_000, 300_000))
	r := rand.New(rand.NewPCG(3, 4))
	for i := range testkit.Scale(50, 3_000) {
		size := []board.Size{{W: 4, H: 4}, {W: 5, H: 3}, {W: 5, H: 4}, {W: 5, H: 5}, {W: 6, H: 4}}[i%5]
		if p := settledBoard(r, size, 4+r.IntN(8)); p != nil {
			// Small bounds leave open zones and parts of areas alone.
			for _, c.s.Empties = range []int{0, 1, 3} {
				c.check(t, p)
			}
		}
	}
	t.Logf("%d claims, %d played out, %d left open", c.claimed, c.checked, c.open)
	if c.checked == 0 {
		t.Error("nothing was claimed")
	}
}

// settledBoard returns a board on which each side has most stones in one part, and
// few points are empty, singly or in a row, or nil if some string would have no
// liberty.
func settledBoard(r *rand.Rand, size board.Size, empties int) *board.Planes {
	p := board.NewPlanes(size, 2)
	cut, noise := r.IntN(size.W+1), 6+r.IntN(20)
	for at := range size.Points() {
		piece := board.Piece(1)
		if at.X() >= cut {
			piece = 2
		}
		if r.IntN(noise) == 0 {
			piece = 3 - piece
		}
		p.Put(at, piece)
	}
	at := size.Point(r.IntN(size.Area()))
	for range empties {
		p.Put(at, 0)
		next := board.At(min(max(at.X()+r.IntN(3)-1, 0), size.W-1), at.Y())
		if r.IntN(2) == 0 {
			next = board.At(at.X(), min(max(at.Y()+r.IntN(3)-1, 0), size.H-1))
		}
		if at = next; r.IntN(4) == 0 {
			at = size.Point(r.IntN(size.Area()))
		}
	}
	var b life.Board
	if b.Reset(p); b.Choked() >= 0 {
		return nil
	}
	return p
}
