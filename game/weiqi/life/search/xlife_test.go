package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/pn"
	"qipu/game/weiqi/life/search"
	"qipu/internal/testkit"
)

// threats is the game of X-life on a whole board: nothing but the stones of keep
// matter, the attacker may stop at any time, and may move twice so many times.
type threats struct {
	whole
	demands int
	asked   []int
}

func (g *threats) Key() uint64 { return g.whole.Key()*31 + uint64(g.demands) }

func (g *threats) Evaluate() (pn.Result, uint32, uint32) {
	if g.lost {
		return pn.Disproved, 0, 0
	}
	return pn.Unknown, 0, 0
}

func (g *threats) AppendMoves(dst []pn.Move) []pn.Move {
	g.passes = 0 // they end nothing here
	from := len(dst)
	dst = g.whole.AppendMoves(dst)
	if g.defends {
		return dst
	}
	dst = dst[:len(dst)-1]
	if g.demands > 0 {
		for _, m := range dst[from:] {
			dst = append(dst, m+100)
		}
	}
	return dst
}

func (g *threats) Play(m pn.Move) {
	g.asked = append(g.asked, g.demands)
	twice := m >= 100
	if twice {
		m -= 100
		g.demands--
	}
	g.whole.Play(m)
	g.passes = 0
	if twice {
		g.defends, g.ko = false, -1
	}
}

func (g *threats) Undo() {
	g.whole.Undo()
	g.demands = g.asked[len(g.asked)-1]
	g.asked = g.asked[:len(g.asked)-1]
}

// TestXLife holds the numbers of small boards against the whole game.
func TestXLife(t *testing.T) {
	c := newTester(0)
	solver := pn.Search{Size: 1 << 18}
	r := rand.New(rand.NewPCG(5, 6))
	const most = 2
	seen := map[int]int{}
	for i := range testkit.Scale(30, 10_000) {
		size := []board.Size{{W: 3, H: 3}, {W: 4, H: 3}, {W: 4, H: 4}, {W: 5, H: 5}}[i%4]
		p := settledBoard(r, size, 2+r.IntN(6))
		if p == nil {
			continue
		}
		c.b.Reset(p)
		for n := range c.b.Strings {
			str := &c.b.Strings[n]
			x, exact := c.s.XLife(&c.b, str.Head.Point(), most, 50_000)
			side := str.Colour.Side()
			for demands := range most + 1 {
				g := &threats{whole: whole{w: size.W, h: size.H, ko: -1, zobrist: c.zobrist}, demands: demands}
				g.fill(&c.b, side)
				for _, cell := range c.b.Stones(n) {
					g.keep[size.Index(cell.Point())] = true
				}
				a := solver.Solve(g, 100_000)
				switch {
				case a.Result == pn.Proved && exact && x < demands, a.Result == pn.Disproved && x >= demands:
					t.Fatalf("string of side %d at %v: X %d (exact: %v), but with %d demands it is %v\n%s",
						side, str.Head.Point(), x, exact, demands, a.Result, c.show(p))
				case a.Result != pn.Unknown:
					seen[min(x, most+1)]++
				}
			}
		}
	}
	t.Log(seen)
	for x := -1; x <= most+1; x++ {
		if seen[x] == 0 && testkit.Full() {
			t.Errorf("no string of X-life %d among the boards", x)
		}
	}
}

// fill lays the stones out as a side's defence.
func (g *whole) fill(b *life.Board, side game.Side) {
	n := b.Size.Area()
	g.at, g.keep, g.own, g.seen = make([]int8, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for i := range n {
		switch b.Stone[life.CellOf(b.Size.Point(i))] {
		case life.StoneOf(side):
			g.at[i] = 1
		case life.StoneOf(side).Other():
			g.at[i] = 2
		}
	}
}

func ExampleSearcher_XLife() {
	// An eye space of four in a row: a move more, and it is dead.
	p := board.NewPlanes(board.Size{W: 6, H: 4}, 2)
	for y, row := range []string{"....XO", "XXXXXO", "OOOOOO", "O.OO.O"} {
		for x, c := range row {
			p.Put(board.At(x, y), board.Piece(strings.IndexRune(".XO", c)))
		}
	}
	var b life.Board
	b.Reset(p)
	var s search.Searcher
	fmt.Println(s.XLife(&b, board.At(4, 0), 3, 0))
	// Output: 0 true
}
