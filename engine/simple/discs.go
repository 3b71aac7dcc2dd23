package simple

import (
	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Discs judges Othello on a board of any size by corners, mobility and the
// discs that lie open; discs themselves count towards the end.
type Discs struct{}

// Evaluate returns the value for the side to move.
func (Discs) Evaluate(p game.Position) engine.Value {
	b := planes(p)
	me := p.Turn()
	own, other := &b.Of[me&1], &b.Of[1-me&1]
	occupied := b.Occupied()
	empty := b.Size.Full()
	empty.AndNot(&occupied)
	left, area := empty.Count(), b.Size.Area()

	v := 4 * (exposed(b.Size, other, &empty) - exposed(b.Size, own, &empty)) / 10
	if c, ok := p.(game.MoveCounter); ok {
		v += c.CountMoves() / 2
	}
	v *= 100
	w, h := b.Size.W-1, b.Size.H-1
	for _, corner := range [4][2]int{{0, 0}, {w, 0}, {0, h}, {w, h}} {
		at := board.At(corner[0], corner[1])
		inner := board.At(corner[0]+sign(w-2*corner[0]), corner[1]+sign(h-2*corner[1]))
		switch {
		case own.Has(at):
			v += 900
		case other.Has(at):
			v -= 900
		case own.Has(inner):
			v -= 400
		case other.Has(inner):
			v += 400
		}
	}
	// The last third of the game is more and more about discs.
	if late := area/3 - left; late > 0 {
		v += 100 * (own.Count() - other.Count()) * late / (area / 3)
	}
	return engine.Value(v)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// exposed counts the empty points beside discs: where the other side may move
// some day.
func exposed(s board.Size, discs, empty *board.Plane) int {
	var beside board.Plane
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			shifted := discs.Shift(s, dx, dy)
			beside.Or(&shifted)
		}
	}
	beside.And(empty)
	return beside.Count()
}
