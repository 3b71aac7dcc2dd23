package tsumego

import (
	"errors"
	"fmt"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// Problem is a question of life and death: can Side keep any stone of Target on
// the board, if First moves first and both play in Zone alone?
type Problem struct {
	// Position holds the stones. Whose turn it says it is does not matter; its ko
	// point counts.
	Position *weiqi.Position

	First  game.Side
	Side   game.Side   // whose the target is: the defender
	Target board.Plane // stones of the defender
	Zone   board.Plane // where moves are tried, stones that may be taken included
}

// Kills reports whether the side that moves first is the attacker.
func (p *Problem) Kills() bool { return p.First != p.Side }

// Find tells what is not given in the position: zero values mean that it is to be
// worked out.
type Find struct {
	// Target marks stones of one side, a stone standing for its string.
	Target board.Plane

	// Zone marks points where moves are tried.
	Zone board.Plane

	// Most is the largest number of empty points of a zone; 0 means MostEmpty.
	Most int
}

// MostEmpty is how many empty points a zone has at the most, unless told. Larger ones
// are rarely solved, and rarely what the diagram meant.
const MostEmpty = 40

// ErrOpen is the reason of a position that is no enclosed problem.
var ErrOpen = errors.New("no enclosed group")

// far is how many lines a point is away from every stone to be surely outside.
const far = 3

// In finds the problem in a position: the side whose stones are enclosed, those
// stones, and the zone. A group is enclosed if from the open board no way leads to
// it: ways do not pass between enemy stones that touch at a corner, then, where
// that encloses nobody, nor through jumps and knight's moves of the enemy, ever
// wider. Three quarters of the stones of the side have to be in there, so that the
// answer is about what the diagram shows. It refuses what is not enclosed.
func (f Find) In(p *weiqi.Position, first game.Side) (Problem, error) {
	q := Problem{Position: p, First: first}
	sides := []game.Side{weiqi.Black, weiqi.White}
	if !f.Target.Empty() {
		side, err := f.side(p)
		if err != nil {
			return q, err
		}
		sides = []game.Side{side}
	}
	if !f.Zone.Empty() {
		if f.Target.Empty() {
			return q, errors.New("tsumego: a zone alone does not tell whose life is asked: name a stone of the target too")
		}
		q.Side, q.Target, q.Zone = sides[0], f.strings(p), f.Zone
		q.complete()
		return q, q.check(f.most())
	}
	var best *enclosure
	for width := range widths {
		for _, side := range sides {
			if e := f.enclose(p, side, width); e != nil && (best == nil || e.better(best)) {
				best = e
			}
		}
		if best != nil {
			break
		}
	}
	if best == nil {
		return q, fmt.Errorf("tsumego: %w: enclose the stones on all sides, or name a stone with --target and the points to try with --zone", ErrOpen)
	}
	q.Side, q.Target, q.Zone = best.side, best.target, best.zone
	if f.Target.Empty() {
		q.Target = largest(p.Planes().Size, q.Target)
	}
	return q, q.check(f.most())
}

func (f Find) most() int {
	if f.Most > 0 {
		return f.Most
	}
	return MostEmpty
}

// side returns whose the stones of the target are.
func (f Find) side(p *weiqi.Position) (game.Side, error) {
	planes, found := p.Planes(), -1
	for at := range f.Target.Points() {
		piece := planes.At(at)
		switch {
		case piece == board.Empty:
			return 0, fmt.Errorf("tsumego: the target %s is an empty point: name one with a stone", p.Rules().Geometry().Name(at))
		case found >= 0 && found != int(piece)-1:
			return 0, errors.New("tsumego: the target has stones of both sides: name those of one")
		}
		found = int(piece) - 1
	}
	return game.Side(found), nil
}

// strings returns all stones of the strings of the target.
func (f Find) strings(p *weiqi.Position) board.Plane {
	side, _ := p.SideAt(f.Target.First())
	return f.Target.Flood(p.Planes().Size, &p.Planes().Of[side])
}

// complete adds to a zone that was named the stones that can be taken in it: the
// target, the strings of the defender that touch it, and those of the attacker that
// have no liberty outside.
func (q *Problem) complete() {
	planes := q.Position.Planes()
	size := planes.Size
	q.Zone.Or(&q.Target)
	near := q.Zone.Neighbours(size)
	near.Or(&q.Zone)
	near.And(&planes.Of[q.Side])
	own := near.Flood(size, &planes.Of[q.Side])
	q.Zone.Or(&own)
	empty := size.Full()
	for i := range planes.Of {
		empty.AndNot(&planes.Of[i])
	}
	free := empty
	free.AndNot(&q.Zone)
	enemy := planes.Of[1-q.Side]
	reach := free.Neighbours(size)
	reach.And(&enemy)
	walls := reach.Flood(size, &enemy)
	q.Zone.AndNot(&walls)
	enemy.AndNot(&walls)
	inner := q.Zone.Neighbours(size)
	inner.And(&enemy)
	inner = inner.Flood(size, &enemy)
	q.Zone.Or(&inner)
}

// check tells why the problem makes no sense, or nil.
func (q *Problem) check(most int) error {
	planes := q.Position.Planes()
	empty := planes.Size.Full()
	for i := range planes.Of {
		empty.AndNot(&planes.Of[i])
	}
	empty.And(&q.Zone)
	if n := empty.Count(); n > most {
		return fmt.Errorf("tsumego: the zone has %d empty points, more than %d: enclose the stones closer, or name fewer points with --zone", n, most)
	}
	return nil
}

// enclosure is a group of one side and what the other side encloses it with.
type enclosure struct {
	side         game.Side
	target, zone board.Plane
	inside, all  int // stones of the side enclosed, and on the board
}

// better reports whether an enclosure is likelier to be meant: more of its side's
// stones are enclosed, then the smaller zone.
func (e *enclosure) better(o *enclosure) bool {
	if a, b := e.inside*o.all, o.inside*e.all; a != b {
		return a > b
	}
	return e.zone.Count() < o.zone.Count()
}

// enclose returns what of a side is enclosed by fences of a width, or nil.
func (f Find) enclose(p *weiqi.Position, side game.Side, width int) *enclosure {
	planes := p.Planes()
	size := planes.Size
	own, enemy := &planes.Of[side], &planes.Of[1-side]
	if own.Empty() || enemy.Empty() {
		return nil
	}
	outside := open(planes)
	within := size.Full()
	within.AndNot(enemy)
	fence := fences(size, enemy, own, width)
	within.AndNot(&fence)
	outside.And(&within)
	outside = outside.Flood(size, &within)

	// Enemy strings that touch nothing outside are inside as well: their stones
	// can be taken, and what lies behind them belongs to the problem.
	inside := size.Full()
	inside.AndNot(&outside)
	beside := outside.Neighbours(size)
	beside.And(enemy)
	walls := beside.Flood(size, enemy)
	inside.AndNot(&walls)

	stones := *own
	stones.And(&inside)
	if !f.Target.Empty() {
		stones = f.strings(p)
		if !stones.Within(&inside) {
			return nil
		}
	}
	var best *enclosure
	for rest := stones; !rest.Empty(); {
		var seed board.Plane
		seed.Add(rest.First())
		zone := seed.Flood(size, &inside)
		target := stones
		target.And(&zone)
		rest.AndNot(&zone)
		if e := (&enclosure{side: side, target: target, zone: zone, inside: target.Count(), all: own.Count()}); best == nil || e.inside > best.inside {
			best = e
		}
	}
	if best == nil || f.Target.Empty() && best.inside*4 < best.all*3 {
		return nil
	}
	return best
}

// open returns the points that are far from all stones, or at least from those of a
// crowded board.
func open(planes *board.Planes) board.Plane {
	size := planes.Size
	near := planes.Occupied()
	for range far - 1 {
		for _, step := range [][2]int{{1, 0}, {-1, 0}} {
			s := near.Shift(size, step[0], step[1])
			near.Or(&s)
		}
		for _, step := range [][2]int{{0, 1}, {0, -1}} {
			s := near.Shift(size, step[0], step[1])
			near.Or(&s)
		}
	}
	out := size.Full()
	out.AndNot(&near)
	return out
}

// gap is a way in which two stones of a side, or a stone and the edge, hang together
// over empty points: the step from one to the other and the points between.
type gap struct {
	dx, dy  int
	between [][2]int
}

// widths are the gaps that close a fence, ever wider: those of a width count with
// all widths above it. The first has none: stones that touch at a corner let no
// way through by themselves.
var widths = [...][]gap{
	{},
	{{2, 0, [][2]int{{1, 0}}}},
	{{2, 1, [][2]int{{1, 0}, {1, 1}}}, {2, 2, [][2]int{{1, 1}}}, {3, 0, [][2]int{{1, 0}, {2, 0}}}},
	{{3, 1, [][2]int{{1, 0}, {2, 0}, {1, 1}, {2, 1}}}, {4, 0, [][2]int{{1, 0}, {2, 0}, {3, 0}}}},
}

// fences returns the empty points in the gaps between stones of a side, and between
// them and the edge, as far as the other side has no stone there.
func fences(size board.Size, stones, others *board.Plane, width int) (fence board.Plane) {
	for at := range stones.Points() {
		for _, list := range widths[:width+1] {
			for i := range list {
				for turn := range board.NumSymmetries {
					list[i].close(&fence, size, at, turn, stones, others)
				}
			}
		}
	}
	return fence
}

// close adds the points of a gap, turned, from a stone, if it is one.
func (g *gap) close(fence *board.Plane, size board.Size, at board.Point, turn board.Symmetry, stones, others *board.Plane) {
	to, on := turned(size, at, g.dx, g.dy, turn)
	// A straight gap may also end just behind the edge.
	if !on {
		if last, ok := turned(size, at, g.dx-1, g.dy, turn); g.dy != 0 || !ok || stones.Has(last) {
			return
		}
	} else if !stones.Has(to) {
		return
	}
	var points board.Plane
	for _, b := range g.between {
		p, ok := turned(size, at, b[0], b[1], turn)
		if !ok || others.Has(p) {
			return
		}
		points.Add(p)
	}
	points.AndNot(stones)
	fence.Or(&points)
}

// turned returns the point a step away, the step turned in one of eight ways; false
// where that is off the board.
func turned(size board.Size, at board.Point, dx, dy int, turn board.Symmetry) (board.Point, bool) {
	dx, dy = turn.Step(dx, dy)
	x, y := at.X()+dx, at.Y()+dy
	if x < 0 || y < 0 || x >= size.W || y >= size.H {
		return board.NoPoint, false
	}
	return board.At(x, y), true
}

// largest returns the largest string of a set, the first of several.
func largest(size board.Size, set board.Plane) (big board.Plane) {
	for !set.Empty() {
		var one board.Plane
		one.Add(set.First())
		one = one.Flood(size, &set)
		set.AndNot(&one)
		if one.Count() > big.Count() {
			big = one
		}
	}
	return big
}
