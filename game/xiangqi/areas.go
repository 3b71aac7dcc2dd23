package xiangqi

import (
	"qipu/board"
	"qipu/game"
)

// Area returns which points are a place of the board as a side sees it: its
// "own" half or that of the "enemy", both palaces, or the two ranks at the river.
func (r *Rules) Area(name string, side game.Side) func(board.Point) bool {
	own := func(p board.Point) bool { return p.Y() >= height/2 == (side == game.First) }
	switch name {
	case "own":
		return own
	case "enemy":
		return func(p board.Point) bool { return !own(p) }
	case "palace":
		return func(p board.Point) bool { return p.X() >= 3 && p.X() <= 5 && (p.Y() <= 2 || p.Y() >= 7) }
	case "river":
		return func(p board.Point) bool { return p.Y() == height/2 || p.Y() == height/2-1 }
	}
	return nil
}

// Posts returns the ranks that the kinds of pieces usually stand on, as their
// side counts.
func (r *Rules) Posts() []int { return []int{1, 1, 1, 1, 3, 3, 4} }
