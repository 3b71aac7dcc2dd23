package judge

import (
	"math/rand/v2"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// playouts plays a board to its end by chance, many times and with either side
// first, and tells how often every point was Black's then less how often it was
// White's, from -1 to 1. No move fills a point that all its neighbours make an eye.
// The same board is always played alike. It leaves the position as it is.
func playouts(p *weiqi.Position, times int) (owner [board.MaxPoints]float64) {
	size := p.Rules().Size()
	random := rand.New(rand.NewPCG(p.Hash(), uint64(times)))
	o := playout{p: p.Copy().(*weiqi.Position), size: size, random: random}
	empty := size.Full()
	empty.AndNot(&p.Planes().Of[0])
	empty.AndNot(&p.Planes().Of[1])
	for n := range times {
		o.free = appendPoints(o.free[:0], &empty)
		o.run(game.Side(n & 1))
		planes := o.p.Planes()
		for at := range size.Points() {
			switch {
			case planes.Of[0].Has(at) || o.eye(at, 0):
				owner[at]++
			case planes.Of[1].Has(at) || o.eye(at, 1):
				owner[at]--
			}
		}
		for range o.moves {
			o.p.Undo()
		}
		o.moves = 0
	}
	for at := range size.Points() {
		owner[at] /= float64(times)
	}
	return owner
}

// playout is a board that is being played out.
type playout struct {
	p      *weiqi.Position
	size   board.Size
	random *rand.Rand
	moves  int
	free   []board.Point // without a stone, in any order
	taken  []game.Changed
}

// run plays until neither side has a move, or for so long that it must be a cycle.
func (o *playout) run(side game.Side) {
	for passes := 0; passes < 2 && o.moves < 3*o.size.Area(); side = side.Opponent() {
		if o.move(side) {
			passes = 0
		} else {
			passes++
		}
	}
}

// move makes a move by chance, and reports whether there was one.
func (o *playout) move(side game.Side) bool {
	for n := len(o.free); n > 0; n-- {
		i := o.random.IntN(n)
		at := o.free[i]
		o.free[i], o.free[n-1] = o.free[n-1], at
		if at == o.p.Ko() || o.eye(at, int(side)) || !o.p.Breathes(side, at) || o.p.Force(side, game.Drop(at)) != nil {
			continue
		}
		last := len(o.free) - 1
		o.free[n-1] = o.free[last]
		o.free = o.free[:last]
		o.taken = o.p.AppendChanged(o.taken[:0])
		for _, c := range o.taken[1:] {
			o.free = append(o.free, c.Point)
		}
		o.moves++
		return true
	}
	return false
}

// eye reports whether a point is empty, all points beside it are stones of a side,
// and so many of those across that it cannot be made false.
func (o *playout) eye(at board.Point, side int) bool {
	planes := o.p.Planes()
	own, other := &planes.Of[side], &planes.Of[1-side]
	if own.Has(at) || other.Has(at) {
		return false
	}
	x, y := at.X(), at.Y()
	on := func(x, y int) bool { return x >= 0 && y >= 0 && x < o.size.W && y < o.size.H }
	for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		if q := [2]int{x + d[0], y + d[1]}; on(q[0], q[1]) && !own.Has(board.At(q[0], q[1])) {
			return false
		}
	}
	hostile, edge := 0, 0
	for _, d := range [4][2]int{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		switch q := [2]int{x + d[0], y + d[1]}; {
		case !on(q[0], q[1]):
			edge = 1
		case other.Has(board.At(q[0], q[1])):
			hostile++
		}
	}
	return hostile+edge < 2
}
