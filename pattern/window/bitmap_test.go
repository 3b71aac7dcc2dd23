package window

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// The figures of the paper whose bits it prints. Figure 10 is lost and rebuilt
// from figure 12, figure 11 from figure 13; of figure 17 one symbol is lost, its
// empty centre.
const (
	figure10 = "_____ __O._ _X.&& __O&_ _____"
	figure11 = ".....  .XX.. .O..O .OX.. ....."
	figure12 = `O = 00000 00100 00000 00100 00000
X = 00000 00000 01000 00000 00000
. = 00000 00010 00100 00000 00000
& = 00000 00000 00011 00010 00000
@ = 00000 00000 00000 00000 00000
_ = 11111 11001 10000 11001 11111
`
	figure13 = `00000 01100 00000 00100 00000
00000 00000 01001 01000 00000
11111 10011 10110 10011 11111`
	figure17 = "_____ __XO_ _X.X_ __O__ _____"
)

func TestFigures(t *testing.T) {
	s := parse(t, figure10)
	m, ok := BitmapOf(&s)
	if !ok || m.String() != figure12 {
		t.Errorf("figure 10 is stored as\n%s, the paper prints\n%s", m, figure12)
	}
	b := parseBoard(t, figure11)
	w := windowsOf(b)
	mid := board.At(2, 2)
	black, white, empty := w.Bits(mid)
	if got := strings.Join([]string{black.String(), white.String(), empty.String()}, "\n"); got != figure13 {
		t.Errorf("figure 11 is stored as\n%s, the paper prints\n%s", got, figure13)
	}
	// The steps that the paper prints.
	if got := (^m.D & (1<<25 - 1)).String(); got != "00000 00110 01111 00110 00000" {
		t.Errorf("NOT D is %s", got)
	}
	if got := (^m.K & (1<<25 - 1)).String(); got != "11111 11111 11100 11101 11111" {
		t.Errorf("NOT & is %s", got)
	}
	if forBlack, forWhite := Bitmapping(m, black, white, empty); !forBlack || forWhite {
		t.Errorf("figure 10 on figure 11: %v for Black, %v for White", forBlack, forWhite)
	}
	hits := compile(t, s).AppendHits(nil, w)
	if !slices.Contains(hits, Hit{}) || slices.ContainsFunc(hits, func(h Hit) bool { return h.Symmetry.Swap }) {
		t.Errorf("figure 10 on figure 11: hits %v", hits)
	}
}

func TestFigure17(t *testing.T) {
	s := parse(t, figure17)
	m, ok := BitmapOf(&s)
	want := `O = 00000 00010 00000 00100 00000
X = 00000 00100 01010 00000 00000
. = 00000 00000 00100 00000 00000
& = 00000 00000 00000 00000 00000
@ = 00000 00000 00000 00000 00000
_ = 11111 11001 10001 11011 11111
`
	if !ok || m.String() != want {
		t.Errorf("figure 17 is stored as\n%s", m)
	}
	if n := len(s.Variants()) / 2; n != 8 {
		t.Errorf("figure 17 has %d orientations, the paper says 8", n)
	}
	b := parseBoard(t, ".......  .......  ...OX..  ..O.O..  ...X...  .......  .......")
	hits := compile(t, s).AppendHits(nil, windowsOf(b))
	if len(hits) != 1 || hits[0].Point(s.Size, 2, 2) != board.At(3, 3) || hits[0].Symmetry.Swap {
		t.Errorf("figure 17 as a whole: hits %v", hits)
	}
	if back := mustBitmap(t, m.Shape()); back != m {
		t.Errorf("figure 17 does not come back")
	}
}

func mustBitmap(t *testing.T, s Shape) Bitmap {
	m, ok := BitmapOf(&s)
	if !ok {
		t.Fatal("no bitmap")
	}
	return m
}

func TestBitmapOf(t *testing.T) {
	for text, want := range map[string]bool{
		figure10:                        true,
		"O":                             false,
		"_____ _____ __O#_ _____ _____": false,
		"_____ _____ __O*_ _____ _____": false,
		"@@@@@ &&&&& OX._O _____ @@@@@": true,
		"O____ _____ _____ _____":       false,
	} {
		s := parse(t, text)
		if _, ok := BitmapOf(&s); ok != want {
			t.Errorf("%s: a bitmap %v", text, ok)
		}
	}
}

// sixSymbols draws a 5x5 in the paper's symbols of what is around a point.
func sixSymbols(r *rand.Rand, b *board.Planes, x, y int) Shape {
	s := Shape{Size: board.Size{W: 5, H: 5}, Cells: make([]pattern.Set, 25)}
	for i := range s.Cells {
		set := stateAt(b, x+i%5-2, y+i/5-2)
		switch n := r.IntN(10); {
		case set == pattern.Off:
			// The paper has no word for it: whatever, or what it takes it for.
			set = []pattern.Set{Any, pattern.Empty | Own, pattern.Empty | Enemy}[n%3]
		case n < 4:
			set = Any
		case n < 6 && set&(pattern.Empty|Own) != 0:
			set = pattern.Empty | Own
		case n < 8 && set&(pattern.Empty|Enemy) != 0:
			set = pattern.Empty | Enemy
		}
		s.Cells[i] = set
	}
	s.Cells[12] = stateAt(b, x, y)
	if r.IntN(3) == 0 {
		s.Cells[r.IntN(25)] = []pattern.Set{Own, Enemy, pattern.Empty}[r.IntN(3)]
	}
	return s
}

// TestBitmapping compares the paper's algorithm with sets at every point of
// random boards. It is the same except over the edge, where it takes points
// outside the board for & and @: that is, it is what is found of the pattern
// with the outside added to those.
func TestBitmapping(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	edge, inside, falseHits := 0, 0, 0
	for n := 0; n < testkit.Scale(50_000, 1_000_000); {
		b := randomBoard(r, randomSize(r))
		w := windowsOf(b)
		s := sixSymbols(r, b, r.IntN(b.Size.W), r.IntN(b.Size.H))
		m := mustBitmap(t, s)
		wide := Shape{Size: s.Size, Cells: append([]pattern.Set(nil), s.Cells...)}
		for i, set := range wide.Cells {
			if set == pattern.Empty|Own || set == pattern.Empty|Enemy {
				wide.Cells[i] |= pattern.Off
			}
		}
		upright := drawn(&s, b)
		loose := drawn(&wide, b)
		form := s.Variable()
		for p := range b.Size.Points() {
			n++
			b3, w3, e3 := w.Bits(p)
			black, white := Bitmapping(m, b3, w3, e3)
			for side, got := range []bool{black, white} {
				swap := side == 1
				at := place{p.X() - 2, p.Y() - 2, swap}
				if got != loose[at] {
					t.Fatalf("board %v, point %v, side %d: the paper says %v", b.Size, p, side, got)
				}
				if form.Matches(w, p.X(), p.Y(), swap) != upright[at] {
					t.Fatalf("board %v, point %v, side %d: the variable form says %v", b.Size, p, side, !upright[at])
				}
				if p.X() >= 2 && p.Y() >= 2 && p.X() < b.Size.W-2 && p.Y() < b.Size.H-2 {
					if got != upright[at] {
						t.Fatalf("board %v, point %v, side %d: the paper says %v inside the board", b.Size, p, side, got)
					}
					if got {
						inside++
					}
				} else if got {
					edge++
					if !upright[at] {
						falseHits++
					}
				}
			}
		}
	}
	if inside == 0 || edge == 0 || falseHits == 0 {
		t.Errorf("%d hits inside, %d at the edge, %d false there: too few to say anything", inside, edge, falseHits)
	}
	t.Logf("%d hits inside, all right; %d at the edge, %d of them false", inside, edge, falseHits)
}

// place is where and for whom the upright picture of a shape lies.
type place struct {
	x, y int
	swap bool
}

// drawn finds the upright picture of a 5x5 by the plain look at every place.
func drawn(s *Shape, b *board.Planes) map[place]bool {
	found := map[place]bool{}
	for y := -2; y < b.Size.H-2; y++ {
		for x := -2; x < b.Size.W-2; x++ {
			for _, swap := range []bool{false, true} {
				ok := true
				for i, set := range s.Cells {
					state := stateAt(b, x+i%5, y+i/5)
					if swap {
						state = Swapped(state)
					}
					ok = ok && set&state != 0
				}
				if ok {
					found[place{x, y, swap}] = true
				}
			}
		}
	}
	return found
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		figure10:                   {Fixed: 24, Packed: 16, Variable: 1 + 3*8},
		figure17:                   {Fixed: 24, Packed: 16, Variable: 1 + 3*6},
		"O___X":                    {Fixed: 24, Packed: 16, Variable: 1 + 3*2},
		strings.Repeat("O....", 2): {Fixed: 48, Packed: 32, Variable: 1 + 3*10},
	} {
		if s := parse(t, text); s.Bytes() != want {
			t.Errorf("%s: %+v, want %+v", text, s.Bytes(), want)
		}
	}
}
