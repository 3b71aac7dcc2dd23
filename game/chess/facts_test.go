package chess_test

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
)

// pinnedBy finds what a piece pins square by square along its lines, and the squares up
// to the second piece.
func pinnedBy(b *board.Planes, from board.Point) (pinned, looked map[board.Point]bool) {
	const side = 6
	worth := map[int]float64{1: 9, 2: 5, 3: 3, 4: 3, 5: 1, 0: 100}
	kind := func(p board.Piece) int { return int(p-1) % side }
	pinned, looked = map[board.Point]bool{}, map[board.Point]bool{}
	by := b.At(from)
	for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		straight := d[0]*d[1] == 0
		if k := kind(by); k != 1 && (k != 2 || !straight) && (k != 3 || straight) {
			continue
		}
		first := board.NoPoint
		for x, y := from.X()+d[0], from.Y()+d[1]; x >= 0 && x < 8 && y >= 0 && y < 8; x, y = x+d[0], y+d[1] {
			at := board.At(x, y)
			looked[at] = true
			p := b.At(at)
			if p == board.Empty {
				continue
			}
			if (int(p-1) < side) == (int(by-1) < side) || first == board.NoPoint && kind(p) == 0 {
				break // an own piece, or a king in check
			}
			if first == board.NoPoint {
				first = at
				continue
			}
			if kind(p) == 0 || worth[kind(p)] > worth[kind(b.At(first))] && worth[kind(p)] > worth[kind(by)] {
				pinned[first] = true
			}
			break
		}
	}
	return pinned, looked
}

// What is pinned is what square by square is, and no square is left out that decides it.
func TestPinned(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	has := func(set [2]uint64, i int) bool { return set[i/64]>>(i%64)&1 != 0 }
	size := board.Size{W: 8, H: 8}
	n := 0
	for range testkit.Scale(30, 600) {
		pos := chess.Standard.Start()
		for range 120 {
			list := pos.AppendMoves(nil)
			if len(list) == 0 {
				break
			}
			if err := pos.Play(list[rng.IntN(len(list))]); err != nil {
				t.Fatal(err)
			}
			b := pos.(game.Planar).Planes()
			for i := range size.Area() {
				pinned, heed := pos.(*chess.Position).Pinned(i)
				want, looked := map[board.Point]bool{}, map[board.Point]bool{}
				if b.At(size.Point(i)) != board.Empty {
					want, looked = pinnedBy(b, size.Point(i))
				}
				for j := range size.Area() {
					at := size.Point(j)
					if has(pinned, j) != want[at] || looked[at] && !has(heed, j) {
						t.Fatalf("%v pins %v: %v, want %v; it is looked at: %v\n%v", size.Point(i), at, has(pinned, j), want[at], has(heed, j), game.SetupOf(pos))
					}
					if want[at] {
						n++
					}
				}
			}
		}
	}
	if n == 0 {
		t.Error("nothing was pinned")
	}
}
