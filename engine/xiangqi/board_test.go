package xiangqi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/game/xiangqi/attack"
)

// walk plays random games by the rules, and shows every position with the board that was
// kept beside it.
func walk(t *testing.T, games int, look func(p *xiangqi.Position, b *position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for range games {
		p := xiangqi.Standard.Start().(*xiangqi.Position)
		b := arrange(p)
		var undo []former
		var line []move
		for range 160 {
			look(p, &b)
			if p.Outcome().Over() {
				break
			}
			moves := p.AppendMoves(nil)
			// Captures now and then, so that boards become empty.
			m := moves[rng.IntN(len(moves))]
			if rng.IntN(2) == 0 {
				for _, c := range moves {
					if b.on[inner(c).to()] != 0 {
						m = c
					}
				}
			}
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			line = append(line, inner(m))
			undo = append(undo, b.play(inner(m)))
		}
		for i := len(line) - 1; i >= 0; i-- {
			b.back(line[i], undo[i])
		}
		if start := arrange(xiangqi.Standard.Start()); b != start {
			t.Fatal("taking all moves back does not lead to the start")
		}
	}
}

// TestBoard holds the board of the engine against the rules, move by move.
func TestBoard(t *testing.T) {
	n := 0
	walk(t, 60, func(p *xiangqi.Position, b *position) {
		n++
		if fresh := arrange(p); fresh != *b {
			t.Fatalf("the board that was kept is not that of the position: %+v, want %+v", *b, fresh)
		}
		if b.attacked(b.turn) != p.InCheck() {
			t.Fatal("check is seen otherwise than by the rules")
		}
		var own []game.Move
		for _, m := range b.moves(nil, b.captures().Or(b.empty())) {
			if !b.can(m) {
				t.Fatalf("%v is listed and cannot be made", m.outer())
			}
			f := b.play(m)
			if !b.attacked(b.turn ^ 1) {
				own = append(own, m.outer())
			}
			b.back(m, f)
		}
		want := p.AppendMoves(nil)
		slices.Sort(own)
		slices.Sort(want)
		if !slices.Equal(own, want) {
			t.Fatalf("moves %v, want %v", own, want)
		}
	})
	if n < 2000 {
		t.Errorf("only %d positions were looked at", n)
	}
}

// TestMirror: a position is worth as much mirrored, and for the other side with colours
// exchanged.
func TestMirror(t *testing.T) {
	walk(t, 20, func(_ *xiangqi.Position, b *position) {
		var left, other position
		for s, p := range b.on {
			if p == 0 {
				continue
			}
			x, y := int(attack.X[s]), int(attack.Y[s])
			left.put(attack.At(8-x, y), p)
			other.put(attack.At(x, 9-y), pieceOf(sideOf(p)^1, kindOf[p]))
		}
		left.turn, other.turn = b.turn, b.turn^1
		if v := b.evaluate(); left.evaluate() != v || other.evaluate() != v {
			t.Fatalf("%d, mirrored %d, colours exchanged %d", v, left.evaluate(), other.evaluate())
		}
	})
}

// TestExchange holds the exchange of pieces against playing all captures on the square
// out.
func TestExchange(t *testing.T) {
	n, right := 0, 0
	walk(t, 40, func(_ *xiangqi.Position, b *position) {
		for _, m := range b.moves(nil, b.captures()) {
			for _, least := range []int{-300, 0, 1, 250} {
				n++
				if b.gains(m, least) == (b.exchange(m) >= least) {
					right++
				}
			}
		}
	})
	// Pinned pieces and kings that face each other are not looked at.
	if n < 2000 || right*1000 < n*985 {
		t.Errorf("%d of %d exchanges are right", right, n)
	}
}

// exchange plays captures on a square out: the least piece takes first.
func (b *position) exchange(m move) int {
	won := 0
	if p := b.on[m.to()]; p != 0 {
		won = worth[kindOf[p]]
	}
	f := b.play(m)
	defer b.back(m, f)
	best, low := move(0), 1<<30
	for _, c := range b.moves(nil, b.captures()) {
		if c.to() == m.to() && worth[kindOf[b.on[c.from()]]] < low {
			best, low = c, worth[kindOf[b.on[c.from()]]]
		}
	}
	if best != 0 {
		won -= max(0, b.exchange(best))
	}
	return won
}
