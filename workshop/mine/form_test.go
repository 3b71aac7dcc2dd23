package mine

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/pattern/window"
)

func randomForm(r *rand.Rand) form {
	f := loose()
	for range 1 + r.IntN(8) {
		f.cells[1+r.IntN(len(f.cells)-1)] = uint8(1 + r.IntN(15))
	}
	if r.IntN(3) == 0 {
		f.line[r.IntN(2)] = uint8(3 + r.IntN(2))
	}
	return f
}

func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		f := randomForm(r)
		c := f.canonical()
		for sym := range board.NumSymmetries {
			g := f.turn(sym)
			if g.canonical() != c {
				t.Fatalf("%v and its picture %v have other canonical forms", f, sym)
			}
			if back := g.turn(sym.Inverse()); back != f {
				t.Fatalf("%v turned there and back is %v", f, back)
			}
			if !f.implies(&g) || !g.implies(&f) {
				t.Fatalf("%v does not imply its own picture", f)
			}
		}
		if s := f.swap(); s.swap() != f {
			t.Fatalf("%v swapped twice is another", f)
		}
		n := 0
		seen := map[uint16]bool{}
		f.codes(func(code uint16) { n++; seen[code] = true })
		if n != f.codes(nil) || len(seen) != n {
			t.Fatalf("%d codes are visited, %d of them different, %d are counted", n, len(seen), f.codes(nil))
		}
		looser := f
		i := 1 + r.IntN(len(f.cells)-1)
		looser.cells[i] |= uint8(r.IntN(16))
		if !f.implies(&looser) {
			t.Fatalf("%v does not imply the looser %v", f, looser)
		}
	}
}

// TestFormsMatch checks that the miner and the matcher mean the same by a form:
// on real positions, a form holds in a context exactly where its entry stands.
func TestFormsMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	games := ownGames(t, 2, 80, 11)
	w := window.NewWindows(board.Size{W: 11, H: 11})
	for range 150 {
		f := randomForm(r)
		e := f.entry()
		shape := e.Shape()
		set, err := window.Compile([]window.Shape{shape}, window.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var last *weiqi.Position
		games[r.IntN(2)].replay(func(p *weiqi.Position) { last = p }, func(m *move) bool {
			m.play()
			return m.ply < 60
		})
		w.Reset(last.Planes())
		hit := map[board.Point]bool{}
		for _, h := range set.AppendHits(nil, w) {
			if !h.Symmetry.Swap {
				hit[h.Point(e.Size, int(e.Ours[0].X), int(e.Ours[0].Y))] = true
			}
		}
		for y := range 11 {
			for x := range 11 {
				p := board.At(x, y)
				if got := f.holdsAt(w, p); got != hit[p] {
					t.Fatalf("%v at %d,%d: the miner says %v, the matcher %v", f, x, y, got, hit[p])
				}
			}
		}
	}
}

// holdsAt tells by table lookups whether a form holds around a point.
func (f *form) holdsAt(w *window.Windows, p board.Point) bool {
	word := w.At(p)
	if word&3 != 0 {
		return false
	}
	lo, hi := planes(word)
	lines := lineClass(p.Y(), w.Size().H) | lineClass(p.X(), w.Size().W)<<3
	for sym := range board.NumSymmetries {
		g := f.turn(sym)
		m := g.allowed()
		near := true
		for i := range numNear {
			near = near && g.cells[1+i]>>state(uint16(lo), uint16(hi), i)&1 != 0
		}
		if near && wrong(uint16(lo>>8), uint16(hi>>8), &m) == 0 && g.lies(lines) {
			return true
		}
	}
	return false
}

// TestAround checks that what a looser form adds is what it is said to add.
func TestAround(t *testing.T) {
	tab, err := gather(t.Context(), ownGames(t, 20, 90, 11), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(tab.rows) < 1000 {
		t.Fatalf("%d contexts only", len(tab.rows))
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		f := randomForm(r)
		for f.codes(nil) > 4096 {
			f.cells[1+r.IntN(numNear)] = 1 << r.IntN(4)
		}
		here, added := tab.around(&f)
		if n := tab.count(&f); n != here {
			t.Fatalf("%v: %v and %v", f, here, n)
		}
		for c := 1; c < len(f.cells); c++ {
			for st := range 4 {
				if f.cells[c]>>st&1 != 0 {
					continue
				}
				g := f
				g.cells[c] |= 1 << st
				sum := here
				sum.add(added[c][st])
				if n := tab.count(&g); n != sum {
					t.Fatalf("%v with state %d in cell %d: %v, but %v were said to be added to %v", f, st, c, n, added[c][st], here)
				}
			}
		}
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 0, 0, 1}, {0, 10, 0, .286}, {5, 10, .232, .768}, {100, 1000, .083, .121}} {
		if low, high := wilson(c.k, c.n, -1), wilson(c.k, c.n, 1); abs(int(1e3*(low-c.low))) > 2 || abs(int(1e3*(high-c.high))) > 2 {
			t.Errorf("%d of %d: %.3f to %.3f, not %.3f to %.3f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}
