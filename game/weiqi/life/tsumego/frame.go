package tsumego

import (
	"errors"
	"fmt"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// frame is a problem cut out of its board: the zone with what lies in it, all else
// stones of the attacker that cannot be taken, since they have two eyes on lines of
// their own. The defender is Black, and the board is turned so that problems that
// are the same but for colours, turns and mirrors become the same frame: then they
// have the same answer, found in the same number of steps.
type frame struct {
	position *weiqi.Position
	target   board.Plane
	zone     board.Plane
	kills    bool // White moves first

	dx, dy int // from the given board to the frame, before it is turned
	plain  board.Size
	sym    board.Symmetry
}

// lines is how many lines of the attacker are added on a side that is not an edge
// of the board; thick as many on boards of two lines, where fewer hold no two eyes.
const (
	lines = 2
	thick = 4
)

// newFrame cuts out a problem.
func newFrame(q *Problem) (*frame, error) {
	size := q.Position.Planes().Size
	if q.Target.Empty() {
		return nil, errors.New("tsumego: no target: name a stone whose life is asked")
	}
	if n := q.Zone.Count(); n > mostPoints {
		return nil, fmt.Errorf("tsumego: the zone has %d points, more than %d: name fewer with --zone", n, mostPoints)
	}
	x0, y0, x1, y1 := bounds(&q.Zone)
	add := lines
	if min(size.W, size.H) < 3 {
		add = thick
	}
	side := func(edge bool) int {
		if edge {
			return 0
		}
		return add
	}
	left, top := side(x0 == 0), side(y0 == 0)
	right, bottom := side(x1 == size.W-1), side(y1 == size.H-1)
	f := &frame{dx: left - x0, dy: top - y0, kills: q.Kills(),
		plain: board.Size{W: x1 - x0 + 1 + left + right, H: y1 - y0 + 1 + top + bottom}}
	whole := q.Zone == size.Full()
	switch {
	case !f.plain.Valid():
		return nil, fmt.Errorf("tsumego: the zone is too wide: with what encloses it it fills %v, the largest board is 25x25; name fewer points with --zone", f.plain)
	case !whole && left+right+top+bottom == 0, !whole && min(f.plain.W, f.plain.H) < 2:
		return nil, errors.New("tsumego: the zone reaches all edges and leaves no room for what encloses it: name fewer points with --zone, or all points")
	}
	planes := board.NewPlanes(f.plain, 2)
	planes.Of[1] = f.plain.Full()
	for at := range q.Zone.Points() {
		to := board.At(at.X()+f.dx, at.Y()+f.dy)
		f.zone.Add(to)
		switch side, stone := q.Position.SideAt(at); {
		case !stone:
			planes.Put(to, board.Empty)
		case side == q.Side:
			planes.Put(to, 1)
		}
		if q.Target.Has(at) {
			f.target.Add(to)
		}
	}
	if !whole {
		for _, eye := range f.eyes(left, top, right, bottom) {
			planes.Put(eye, board.Empty)
		}
	}
	ko := board.NoPoint
	if at := q.Position.Ko(); at != board.NoPoint && q.Zone.Has(at) && q.Position.Turn() == q.First {
		ko = board.At(at.X()+f.dx, at.Y()+f.dy)
	}
	return f, f.arrange(planes, ko)
}

// bounds returns the columns and rows that a set fills.
func bounds(set *board.Plane) (x0, y0, x1, y1 int) {
	x0, y0 = board.MaxSide, board.MaxSide
	for at := range set.Points() {
		x0, x1 = min(x0, at.X()), max(x1, at.X())
		y0, y1 = min(y0, at.Y()), max(y1, at.Y())
	}
	return x0, y0, x1, y1
}

// eyes returns two points for the eyes of what encloses the zone, in the outermost of
// the lines that were added.
func (f *frame) eyes(left, top, right, bottom int) [2]board.Point {
	w, h := f.plain.W, f.plain.H
	x, y := 0, 0
	if left == 0 && right > 0 {
		x = w - 1
	}
	if top == 0 && bottom > 0 {
		y = h - 1
	}
	inward := func(at, side int) int {
		if at == 0 {
			return side
		}
		return at - side
	}
	if left+right > 0 {
		if h >= 3 {
			return [2]board.Point{board.At(x, 0), board.At(x, h-1)}
		}
		return [2]board.Point{board.At(x, 0), board.At(inward(x, 2), 0)}
	}
	if w >= 3 {
		return [2]board.Point{board.At(0, y), board.At(w-1, y)}
	}
	return [2]board.Point{board.At(0, y), board.At(0, inward(y, 2))}
}

// arrange turns the frame as all that are the same are turned, and sets it up.
func (f *frame) arrange(planes *board.Planes, ko board.Point) error {
	type turn struct {
		size         board.Size
		planes       *board.Planes
		zone, target board.Plane
	}
	var best turn
	for sym := range board.NumSymmetries {
		t := turn{sym.Turned(f.plain), planes.Transform(sym, nil), f.zone.Transform(f.plain, sym), f.target.Transform(f.plain, sym)}
		order := 1
		if best.planes != nil {
			order = cmpTurns(t.size.W-best.size.W, &best.planes.Of[0], &t.planes.Of[0], &best.planes.Of[1], &t.planes.Of[1], &best.zone, &t.zone, &best.target, &t.target)
		}
		if order > 0 {
			best, f.sym = t, sym
		}
	}
	rules, err := weiqi.New(weiqi.Options{Size: best.size})
	if err != nil {
		return fmt.Errorf("tsumego: %w", err)
	}
	setup := game.NewSetup(rules)
	setup.Board = best.planes
	if f.kills {
		setup.Turn = weiqi.White
	}
	if ko != board.NoPoint {
		setup.Ko = f.sym.Apply(f.plain, ko)
	}
	p, err := rules.Arrange(setup)
	if err != nil {
		return fmt.Errorf("tsumego: enclosed on all sides, the stones cannot stand like that: %w; name more points with --zone", err)
	}
	f.position, f.zone, f.target = p.(*weiqi.Position), best.zone, best.target
	return nil
}

// cmpTurns compares pairs of sets in order, the sizes first.
func cmpTurns(first int, sets ...*board.Plane) int {
	if first != 0 {
		return first
	}
	for i := 0; i < len(sets); i += 2 {
		if c := slices.Compare(sets[i][:], sets[i+1][:]); c != 0 {
			return c
		}
	}
	return 0
}

// outer returns the point of the given board that a point of the frame is.
func (f *frame) outer(at board.Point) board.Point {
	at = f.sym.Inverse().Apply(f.position.Planes().Size, at)
	return board.At(at.X()-f.dx, at.Y()-f.dy)
}
