package life

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
)

// TestInfluence: it fades with the distance, dead stones have none, nobody has any
// on an empty board, and both sides are treated alike, however the board lies.
func TestInfluence(t *testing.T) {
	var b Board
	size := board.Size{W: 9, H: 7}
	planes := board.NewPlanes(size, 2)
	b.Reset(planes)
	if *Influence(&b, nil) != [Cells]float32{} {
		t.Fatal("an empty board leans to somebody")
	}
	planes.Of[0].Add(board.At(1, 3))
	b.Reset(planes)
	got := Influence(&b, nil)
	at := func(x, y int) float32 { return got[CellOf(board.At(x, y))] }
	if at(1, 3) != 1 || !(at(1, 3) > at(2, 3) && at(2, 3) > at(3, 3) && at(3, 3) > at(5, 3) && at(5, 3) > at(8, 3)) || at(8, 3) < 0 {
		t.Errorf("%v %v %v %v %v", at(1, 3), at(2, 3), at(3, 3), at(5, 3), at(8, 3))
	}
	if *Influence(&b, func(int) bool { return true }) != [Cells]float32{} {
		t.Error("a dead stone is felt")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		for i := range planes.Of {
			planes.Of[i] = board.Plane{}
		}
		for i := range size.Area() {
			if n := r.IntN(6); n < 2 {
				planes.Of[n].Add(size.Point(i))
			}
		}
		b.Reset(planes)
		mine := Influence(&b, nil)
		other := board.NewPlanes(size, 2)
		for side := range planes.Of {
			for p := range planes.Of[side].Points() {
				other.Of[1-side].Add(board.At(size.W-1-p.X(), p.Y()))
			}
		}
		b.Reset(other)
		theirs := Influence(&b, nil)
		for i := range size.Area() {
			p := size.Point(i)
			if v, w := mine[CellOf(p)], theirs[CellOf(board.At(size.W-1-p.X(), p.Y()))]; v != -w || v < -1 || v > 1 {
				t.Fatalf("%v: %v, and %v mirrored with the colours exchanged", p, v, w)
			}
		}
	}
}
