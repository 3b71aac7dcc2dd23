package reversi

import (
	"math/rand/v2"
	"testing"
)

// TestLanes holds the routines of the processor against those in Golang: the same
// children, the same values, the same nodes.
func TestLanes(t *testing.T) {
	if !lanes {
		t.Skip("this processor has no lanes of 64 bits")
	}
	defer func() { lanes = true }()
	r := rand.New(rand.NewPCG(5, 5))
	w := testWorker(1 << 16)
	var fast, slow children
	for range 2000 {
		own, opp := wander(r, 1+r.IntN(58))
		lanes = true
		a := fast.expand(own, opp, movable(own, opp))
		lanes = false
		b := slow.expand(own, opp, movable(own, opp))
		if a != b || !a && fast != slow {
			t.Fatalf("%x %x: %+v, want %+v", own, opp, fast, slow)
		}
		// Boards with five empty squares, likely ones and any that there may be:
		// passes are rare in games.
		own, opp = wander(r, 5)
		if r.IntN(2) == 0 {
			own = r.Uint64() | r.Uint64()&r.Uint64()
			empty := uint64(0)
			for range 5 {
				for s := uint64(1) << r.IntN(64); ; s = 1 << r.IntN(64) {
					if empty&s == 0 {
						empty |= s
						break
					}
				}
			}
			own, opp = own&^empty, ^own&^empty
			if r.IntN(2) == 0 {
				own, opp = opp, own
			}
		}
		moves, odd := movable(own, opp), oddQuarters(^(own | opp))
		for alpha := -64; alpha < 64; alpha += 1 + r.IntN(4) {
			lanes, w.nodes = true, 0
			got := w.plain(own, opp, alpha, moves, odd)
			nodes := w.nodes
			lanes, w.nodes = false, 0
			if want := w.plain(own, opp, alpha, moves, odd); got != want || nodes != w.nodes {
				t.Fatalf("%x %x, alpha %d: %d in %d nodes, want %d in %d", own, opp, alpha, got, nodes, want, w.nodes)
			}
		}
	}
}
