package board

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var sizes = []Size{{1, 1}, {1, 25}, {25, 1}, {2, 3}, {9, 10}, {8, 8}, {19, 19}, {25, 25}, {7, 6}}

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		text string
		want Size
		ok   bool
	}{
		{"19", Size{19, 19}, true}, {"9x10", Size{9, 10}, true}, {"9X10", Size{9, 10}, true}, {"1x25", Size{1, 25}, true},
		{"26", Size{}, false}, {"0x5", Size{}, false}, {"", Size{}, false}, {"axb", Size{}, false}, {"9x", Size{}, false}, {"-3", Size{}, false},
	} {
		got, err := ParseSize(c.text)
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("ParseSize(%q) = %v, %v", c.text, got, err)
		}
	}
}

func TestPoints(t *testing.T) {
	for _, s := range sizes {
		n := 0
		for p := range s.Points() {
			if s.Index(p) != n || s.Point(n) != p || !s.Has(p) || p >= MaxPoints {
				t.Fatalf("%v: point %v has index %d, want %d", s, p, s.Index(p), n)
			}
			n++
		}
		if n != s.Area() {
			t.Errorf("%v: %d points", s, n)
		}
		if s.Has(At(s.W, 0)) || s.Has(At(0, s.H)) || s.Has(NoPoint) {
			t.Errorf("%v has points outside", s)
		}
	}
}

// TestSymmetryGroup checks that the eight symmetries are a group and act on
// points as one.
func TestSymmetryGroup(t *testing.T) {
	for _, size := range sizes {
		for s := range NumSymmetries {
			if s.Then(s.Inverse()) != Identity {
				t.Errorf("%v then %v is %v", s, s.Inverse(), s.Then(s.Inverse()))
			}
			for u := range NumSymmetries {
				for p := range size.Points() {
					once := s.Apply(size, p)
					want := u.Apply(s.Turned(size), once)
					if got := s.Then(u).Apply(size, p); got != want {
						t.Fatalf("%v: %v then %v takes %v to %v, want %v", size, s, u, p, got, want)
					}
				}
			}
		}
	}
	if got := TurnRight.Apply(Size{19, 19}, At(0, 0)); got != At(18, 0) {
		t.Errorf("turn right takes the top left corner to %v", got)
	}
	if n := len((Size{9, 10}).Symmetries()); n != 4 {
		t.Errorf("9x10 has %d symmetries", n)
	}
}

func randomPlane(rng *rand.Rand, s Size) (a Plane) {
	for p := range s.Points() {
		if rng.IntN(3) == 0 {
			a.Add(p)
		}
	}
	return a
}

// TestPlane holds every whole-row operation against its meaning point by
// point.
func TestPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, s := range sizes {
		for range 50 {
			a, b := randomPlane(rng, s), randomPlane(rng, s)
			full := s.Full()
			dx, dy := rng.IntN(2*s.W+3)-s.W-1, rng.IntN(2*s.H+3)-s.H-1
			and, or, not, shifted := a, a, a, a.Shift(s, dx, dy)
			and.And(&b)
			or.Or(&b)
			not.AndNot(&b)
			near := a.Neighbours(s)
			count, meets, within, first := 0, false, true, NoPoint
			for p := range s.Points() {
				x, y := p.X()-dx, p.Y()-dy
				came := x >= 0 && y >= 0 && x < s.W && y < s.H && a.Has(At(x, y))
				next := false
				for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					x, y := p.X()+d[0], p.Y()+d[1]
					next = next || x >= 0 && y >= 0 && x < s.W && y < s.H && a.Has(At(x, y))
				}
				if !full.Has(p) || and.Has(p) != (a.Has(p) && b.Has(p)) || or.Has(p) != (a.Has(p) || b.Has(p)) ||
					not.Has(p) != (a.Has(p) && !b.Has(p)) || shifted.Has(p) != came || near.Has(p) != (next && !a.Has(p)) {
					t.Fatalf("%v: wrong at %v (shift %d,%d)", s, p, dx, dy)
				}
				if a.Has(p) {
					count++
					if first == NoPoint {
						first = p
					}
					within = within && b.Has(p)
					meets = meets || b.Has(p)
				}
			}
			if a.Count() != count || a.Empty() != (count == 0) || a.Meets(&b) != meets || a.Within(&b) != within || a.First() != first {
				t.Fatalf("%v: count, empty, meets, within or first is wrong", s)
			}
			for _, c := range []Plane{full, and, or, not, shifted, near} {
				if !c.Within(&full) {
					t.Fatalf("%v: bits outside the board", s)
				}
			}
			if got := slices.Collect(a.Points()); len(got) != count || !slices.IsSorted(got) {
				t.Fatalf("%v: points %v", s, got)
			}
		}
	}
}

func TestTransform(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, s := range sizes {
		a := randomPlane(rng, s)
		for sym := range NumSymmetries {
			b := a.Transform(s, sym)
			if b.Count() != a.Count() {
				t.Errorf("%v %v: %d points become %d", s, sym, a.Count(), b.Count())
			}
			for p := range a.Points() {
				if !b.Has(sym.Apply(s, p)) {
					t.Errorf("%v %v loses %v", s, sym, p)
				}
			}
		}
	}
}

func TestFlood(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, s := range sizes {
		for range 30 {
			within := randomPlane(rng, s)
			extra := randomPlane(rng, s)
			within.Or(&extra)
			var seed Plane
			seed.Add(s.Point(rng.IntN(s.Area())))
			want := seed
			want.And(&within)
			for {
				next := want.Neighbours(s)
				next.And(&within)
				if next.Empty() {
					break
				}
				want.Or(&next)
			}
			if got := seed.Flood(s, &within); got != want {
				t.Fatalf("%v: flood from %v finds %d points, want %d", s, seed.First(), got.Count(), want.Count())
			}
		}
	}
}

func TestPlanes(t *testing.T) {
	s := Size{5, 4}
	b := NewPlanes(s, 3)
	b.Put(At(1, 2), 3)
	b.Put(At(1, 2), 1)
	b.Put(At(4, 3), 2)
	if b.At(At(1, 2)) != 1 || b.At(At(4, 3)) != 2 || b.At(At(0, 0)) != Empty {
		t.Error("pieces are not where they were put")
	}
	c := b.Clone()
	if !b.Equal(c) || b.Hash() != c.Hash() {
		t.Error("a clone differs")
	}
	c.Put(At(4, 3), Empty)
	if b.Equal(c) || b.Hash() == c.Hash() {
		t.Error("a clone shares its planes")
	}
	if want := Zobrist(1, At(1, 2)); c.Hash() != want {
		t.Errorf("hash %x, want %x", c.Hash(), want)
	}
	turned := b.Transform(TurnRight, []Piece{2, 1, 3})
	if turned.Size != (Size{4, 5}) || turned.At(At(1, 1)) != 2 || turned.At(At(0, 4)) != 1 {
		t.Error("the turned board is wrong")
	}
	if all := b.Occupied(); all.Count() != 2 {
		t.Errorf("%d points are occupied", all.Count())
	}
}

// TestZobristKeys pins keys: files depend on them.
func TestZobristKeys(t *testing.T) {
	for _, c := range []struct {
		piece Piece
		p     Point
		want  uint64
	}{
		{1, At(0, 0), 0x09aab36cfda2d1b3},
		{2, At(3, 3), 0xafc970db7ae85b19},
	} {
		if got := Zobrist(c.piece, c.p); got != c.want {
			t.Errorf("Zobrist(%d, %v) = %#x, want %#x", c.piece, c.p, got, c.want)
		}
	}
	if Mix(0) != 0xe220a8397b1dcdaf {
		t.Errorf("Mix(0) = %#x", Mix(0))
	}
	seen := map[uint64]bool{}
	for piece := range Piece(16) {
		for p := range Point(MaxPoints) {
			seen[Zobrist(piece, p)] = true
		}
	}
	if len(seen) != 16*MaxPoints {
		t.Errorf("%d different keys", len(seen))
	}
}

func TestGrid(t *testing.T) {
	if n := len(Grid(Size{19, 19}, false)); n != 38 {
		t.Errorf("%d lines on 19x19", n)
	}
	if n := len(Grid(Size{8, 8}, true)); n != 18 {
		t.Errorf("%d lines around 8x8 cells", n)
	}
	if got := Letters(9, 'A', "I"); got[8] != "J" {
		t.Errorf("letters %v", got)
	}
}

func TestPointNames(t *testing.T) {
	g := Geometry{Size: Size{3, 2}, Labels: Labels{Top: []string{"1", "2", "3"}, Left: []string{"x", "y"}}}
	if g.Name(At(2, 1)) != "3y" {
		t.Errorf("name %s", g.Name(At(2, 1)))
	}
	g.Columns, g.Rows = []string{"a", "b", "c"}, []string{"10", "9"}
	for p := range g.Size.Points() {
		if q, ok := g.Point(strings.ToUpper(g.Name(p))); !ok || q != p {
			t.Errorf("%s is %v, want %v", g.Name(p), q, p)
		}
	}
	if _, ok := g.Point("d9"); ok {
		t.Error("d9 is no point")
	}
}

func BenchmarkFlood(b *testing.B) {
	s := Size{19, 19}
	rng := rand.New(rand.NewPCG(5, 5))
	within := randomPlane(rng, s)
	extra := randomPlane(rng, s)
	within.Or(&extra)
	seed := Plane{}
	seed.Add(At(9, 9))
	for b.Loop() {
		seed.Flood(s, &within)
	}
}
