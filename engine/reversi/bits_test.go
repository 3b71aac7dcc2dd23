package reversi

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"qipu/engine/reversi/eval"
	"qipu/game/othello"
)

// wander plays a game from the start until n empty squares are left: some moves
// by chance, the others by the evaluation with noise, so that positions are as
// various as those that a search meets, and not absurd. It begins anew where a
// game ends before or the side to move has to pass.
func wander(r *rand.Rand, n int) (own, opp uint64) {
	own, opp = 1<<28|1<<35, 1<<27|1<<36
	for {
		left := 64 - bits.OnesCount64(own|opp)
		moves := movable(own, opp)
		switch {
		case moves != 0 && left == n:
			return own, opp
		case moves == 0 && movable(opp, own) == 0 || left == n:
			return wander(r, n)
		case moves == 0:
			own, opp = opp, own
			continue
		}
		var next [2]uint64
		low := 1 << 20
		for ; moves != 0; moves &= moves - 1 {
			s := uint(bits.TrailingZeros64(moves))
			x, y := play(own, opp, flips(own, opp, s), s)
			v := r.IntN(3000)
			if left < 54 {
				v = eval.Trained().Evaluate(x, y) + int(500*r.NormFloat64())
			}
			if v < low {
				low, next = v, [2]uint64{x, y}
			}
		}
		own, opp = next[0], next[1]
	}
}

func TestClosed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		own, s := r.Uint64(), uint(r.IntN(64))
		own &^= 1 << s
		opp := ^own &^ (1 << s)
		if got, want := closed(own, s), bits.OnesCount64(othello.Flips(own, opp, s)); got != want {
			t.Fatalf("%x %d: %d, want %d", own, s, got, want)
		}
	}
}

// TestFull holds the four tests of lines against walks along them.
func TestFull(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		discs := r.Uint64() | r.Uint64() | r.Uint64() | r.Uint64()
		row, col, down, up := full(discs)
		for i, got := range []uint64{row, col, down, up} {
			step := [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}[i]
			want := uint64(0)
			for s := range 64 {
				whole := true
				for k := -7; k <= 7; k++ {
					x, y := s&7+k*step[0], s>>3+k*step[1]
					if x >= 0 && x < 8 && y >= 0 && y < 8 && discs>>(8*y+x)&1 == 0 {
						whole = false
					}
				}
				if whole {
					want |= 1 << s
				}
			}
			if got != want {
				t.Fatalf("%x, direction %d: %x, want %x", discs, i, got, want)
			}
		}
	}
}

// TestStable plays games to their end: what is called stable stays.
func TestStable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	found := 0
	for range 300 {
		own, opp := wander(r, 4+r.IntN(24))
		mine, yours := stable(edges(), own, opp), stable(edges(), opp, own)
		found += bits.OnesCount64(mine | yours)
		for range 20 {
			a, b, x, y := own, opp, mine, yours
			for {
				moves := movable(a, b)
				if moves == 0 {
					a, b, x, y = b, a, y, x
					if moves = movable(a, b); moves == 0 {
						break
					}
				}
				for range r.IntN(bits.OnesCount64(moves)) {
					moves &= moves - 1
				}
				s := uint(bits.TrailingZeros64(moves))
				f := flips(a, b, s)
				if f&y != 0 {
					t.Fatalf("%x %x: %x was called stable and turned over", own, opp, f&y)
				}
				a, b = play(a, b, f, s)
				x, y = y, x
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d stable discs in all: too few to be a test", found)
	}
}

func TestColumn(t *testing.T) {
	for b := range 256 {
		if got := column(spread(uint8(b)), 0); got != b {
			t.Errorf("%d became %d", b, got)
		}
		if got := column(spread(uint8(b))<<7, 7); got != b {
			t.Errorf("%d became %d in the last column", b, got)
		}
	}
}

func TestQuarters(t *testing.T) {
	if got := oddQuarters(1 | 1<<63 | 1<<62); got != 1 {
		t.Errorf("a1, g8 and h8 are odd in %b", got)
	}
	if got := oddQuarters(1<<7 | 1<<56); got != 0b0110 {
		t.Errorf("h1 and a8 are odd in %b", got)
	}
}
