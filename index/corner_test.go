package index_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/pattern"
)

// TestCorners holds the corners of lines against their boards: whatever is cut
// out of a corner of a position, in whatever picture, has a key of the line, and
// the line has no others.
func TestCorners(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	kinds := index.NewKinds(builtin.Games())
	cut, none := 0, 0
	for _, name := range []string{"weiqi 19x19", "weiqi 14x16", "renju 15x15"} {
		k, err := kinds.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		var corners index.Corners
		for range testkit.Scale(60, 1000) {
			l := randomLine(rng, k)
			keys := corners.Append([]uint64{1}, k, l)[1:]
			if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) {
				t.Fatalf("%s: keys out of order, or twice: %x", name, keys)
			}
			want := map[uint64]bool{}
			b := board.NewPlanes(k.Board.Size, 2)
			next := 0
			for slot := uint16(0); slot < l.End; slot++ {
				for ; next < len(l.Changes) && l.Changes[next].Slot == slot; next++ {
					b.Put(k.Board.Size.Point(int(l.Changes[next].Point)), l.Changes[next].Piece)
				}
				if slot < l.From || slices.Contains(l.Skips, slot) {
					continue
				}
				for _, p := range cornersOf(rng, k, b) {
					list := index.CornersOf(k, p)
					if len(list) == 0 {
						none++
						continue
					}
					cut++
					for _, key := range list {
						want[key] = true
						if !slices.Contains(keys, key) {
							t.Fatalf("%s: a corner at slot %d is not among the keys of its line: %+v", name, slot, p)
						}
					}
				}
			}
			if len(want) != len(keys) {
				t.Fatalf("%s: the line has %d corners and %d keys", name, len(want), len(keys))
			}
		}
	}
	if cut < 1000 || none < 100 {
		t.Errorf("%d corners had keys, %d had none: the test has become empty", cut, none)
	}
}

// randomLine is a line of drops, most of them in corners, with captures.
func randomLine(rng *rand.Rand, k *index.Kind) *interval.Line {
	size := k.Board.Size
	l := &interval.Line{}
	state := make([]board.Piece, size.Area())
	slot := uint16(0)
	for range 20 + rng.IntN(80) {
		slot++
		if rng.IntN(20) == 0 {
			l.Skips = append(l.Skips, slot)
			slot++
		}
		at := rng.IntN(size.Area())
		if rng.IntN(3) > 0 {
			at = rng.IntN(4)*size.W + rng.IntN(5)
		}
		piece := board.Piece(1 + rng.IntN(2))
		if state[at] != board.Empty {
			piece = board.Empty
		}
		state[at] = piece
		l.Changes = append(l.Changes, interval.Change{Slot: slot, Point: uint16(at), Piece: piece})
	}
	l.End = slot + 1
	if rng.IntN(2) == 0 {
		for l.From = uint16(rng.IntN(int(slot))); slices.Contains(l.Skips, l.From); l.From++ {
		}
	}
	return l
}

// cornersOf cuts all corners out of a board, each in a random picture and size.
func cornersOf(rng *rand.Rand, k *index.Kind, b *board.Planes) []*pattern.Pattern {
	var list []*pattern.Pattern
	for range 4 {
		syms := k.Board.Images()
		sym := syms[rng.IntN(len(syms))]
		turned := b.Transform(sym.Board, swapOf(k, sym))
		size := k.Board.Size
		w, h := 7+rng.IntN(2), 7+rng.IntN(2)
		for _, at := range [][2]int{{0, 0}, {size.W - w, 0}, {0, size.H - h}, {size.W - w, size.H - h}} {
			list = append(list, pattern.Region(turned, at[0], at[1], w, h))
		}
	}
	return list
}

func swapOf(k *index.Kind, sym game.Symmetry) []board.Piece {
	if sym.Swap {
		return k.Board.Swap
	}
	return nil
}
