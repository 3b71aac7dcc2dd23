package simple

import (
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Weiqi judges Go by area: stones, and the empty points that are nearer to one
// side. Strings in atari are given up where the other side is to move. It knows
// nothing of life and death beyond that an own eye is not filled, but it plays a
// game to its end: where no point is worth a stone any more, it passes.
type Weiqi struct {
	// Width is how many moves are read in a position; 0 for 12.
	Width int
}

// most is more than a board has strings, or regions.
const most = board.MaxSide*board.MaxSide/2 + 8

// goban is what is seen of a board of Go. Strings and regions are numbered from
// 1.
type goban struct {
	size    board.Size
	cells   cells
	string  [board.MaxPoints]int16 // number of the string of a stone
	region  [board.MaxPoints]int16 // number of the region of an empty point
	near    [board.MaxPoints]int8  // an empty point: 1 Black's, 2 White's, 3 neither's
	far     [board.MaxPoints]int8  // steps to the nearest stone
	strings int16
	chains  [most]chain
	regions int16
	lands   [most]land
	queue   [board.MaxPoints]board.Point
}

// chain is a string of stones of one colour.
type chain struct {
	colour uint8
	stones int16
	free   int16       // liberties
	last   board.Point // one of them
}

// land is a region of empty points.
type land struct {
	points int16
	beside uint8 // the colours around it, as bits
}

var sides = [4]int{1, -1, board.Stride, -board.Stride}

// Slip is two points.
func (Weiqi) Slip() engine.Value { return 2 * engine.Unit }

// step returns the point beside another, and whether it is on the board.
func (g *goban) step(p board.Point, by int) (board.Point, bool) {
	q := board.Point(int(p) + by)
	return q, int(p)+by >= 0 && g.size.Has(q)
}

// look finds strings, regions and what is near to whom.
func (g *goban) look(p game.Position) {
	b := planes(p)
	g.size = b.Size
	g.cells.fill(b)
	for at := range b.Size.Points() {
		switch {
		case g.cells[at] != 0 && g.string[at] == 0:
			g.follow(at)
		case g.cells[at] == 0 && g.region[at] == 0:
			g.spread(at)
		}
	}
	g.measure()
}

// follow makes a string of a stone and all that are connected with it.
func (g *goban) follow(at board.Point) {
	g.strings++
	id := g.strings
	c := chain{colour: g.cells[at]}
	queue := append(g.queue[:0], at)
	g.string[at] = id
	var seen board.Plane
	for i := 0; i < len(queue); i++ {
		c.stones++
		for _, by := range sides {
			q, ok := g.step(queue[i], by)
			switch {
			case !ok:
			case g.cells[q] == 0 && !seen.Has(q):
				seen.Add(q)
				c.free, c.last = c.free+1, q
			case g.cells[q] == c.colour && g.string[q] == 0:
				g.string[q] = id
				queue = append(queue, q)
			}
		}
	}
	g.chains[id] = c
}

// spread makes a region of an empty point and all that are connected with it.
func (g *goban) spread(at board.Point) {
	g.regions++
	id := g.regions
	var l land
	queue := append(g.queue[:0], at)
	g.region[at] = id
	for i := 0; i < len(queue); i++ {
		l.points++
		for _, by := range sides {
			q, ok := g.step(queue[i], by)
			switch {
			case !ok:
			case g.cells[q] != 0:
				l.beside |= g.cells[q]
			case g.region[q] == 0:
				g.region[q] = id
				queue = append(queue, q)
			}
		}
	}
	g.lands[id] = l
}

// reach is how far stones look.
const reach = 5

// holds is what a point is worth by its distance from the nearest stone.
var holds = [reach + 1]int{100, 95, 75, 50, 30, 15}

// measure finds for every empty point the side that is nearer.
func (g *goban) measure() {
	queue := g.queue[:0]
	for at := range g.size.Points() {
		if g.near[at] = int8(g.cells[at]); g.cells[at] != 0 {
			queue = append(queue, at)
		}
	}
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		if g.far[p] == reach {
			continue
		}
		for _, by := range sides {
			q, ok := g.step(p, by)
			switch {
			case !ok || g.cells[q] != 0:
			case g.near[q] == 0:
				g.near[q], g.far[q] = g.near[p], g.far[p]+1
				queue = append(queue, q)
			case g.far[q] == g.far[p]+1:
				g.near[q] |= g.near[p] // as near to both
			}
		}
	}
}

// Evaluate returns the value for the side to move.
func (Weiqi) Evaluate(p game.Position) engine.Value {
	var g goban
	g.look(p)
	me := uint8(p.Turn()) + 1
	v := 0
	for at := range g.size.Points() {
		switch g.near[at] {
		case int8(me):
			v += holds[g.far[at]]
		case int8(3 - me):
			v -= holds[g.far[at]]
		}
	}
	for _, c := range g.chains[1 : g.strings+1] {
		// What a string in danger loses: its stones, and the points that they
		// take with them.
		danger, stones := 0, int(c.stones)
		switch {
		case c.free == 1 && c.colour != me:
			danger = 200 * stones
		case c.free == 1:
			danger = 70 + 60*stones
		case c.free == 2:
			danger = 30 + 15*stones
		case c.free == 3:
			danger = 10 + 3*stones
		}
		if c.colour == me {
			danger = -danger
		}
		v += danger
	}
	return engine.Value(v)
}

// Candidates keeps the moves that are worth a stone, and a pass where there is
// none.
func (w Weiqi) Candidates(p game.Position, moves []game.Move) []game.Move {
	var g goban
	g.look(p)
	last := board.NoPoint
	if c, ok := p.(game.Changer); ok {
		var room [8]game.Changed
		if list := c.AppendChanged(room[:0]); len(list) > 0 {
			last = list[0].Point
		}
	}
	me := uint8(p.Turn()) + 1
	var rank [board.MaxPoints]int
	n := 0
	for _, m := range moves {
		if m == game.Pass {
			continue
		}
		if worth, ok := g.worth(me, m.To(), last); ok {
			rank[m.To()] = worth
			moves[n] = m
			n++
		}
	}
	if n == 0 {
		moves[0] = game.Pass // always possible
		return moves[:1]
	}
	moves = moves[:n]
	byRank(moves, func(m game.Move) int { return rank[m.To()] })
	width := w.Width
	if width <= 0 {
		width = 12
	}
	return moves[:min(width, n)]
}

// worth returns how much a point promises, in tenths of a point; it is false for
// one that is not worth a stone: an eye, settled land, a stone given away.
func (g *goban) worth(me uint8, at, last board.Point) (v int, ok bool) {
	taken, saved, free, friends, foes := 0, 0, 0, 0, 0
	var seen [4]int16
	for i, by := range sides {
		q, ok := g.step(at, by)
		switch {
		case !ok:
			continue
		case g.cells[q] == 0:
			free++
			continue
		case slices.Contains(seen[:i], g.string[q]):
			continue
		}
		seen[i] = g.string[q]
		c := &g.chains[g.string[q]]
		if c.colour == me {
			friends++
			free += int(c.free) - 1
			if c.free == 1 {
				saved += int(c.stones)
			}
			continue
		}
		foes++
		switch c.free {
		case 1:
			taken += int(c.stones)
			free++
		case 2:
			v += 20 + 4*int(c.stones)
		}
	}
	l := g.lands[g.region[at]]
	if taken == 0 && (free == 0 || free == 1 && (friends > 0 || foes > 1)) {
		return 0, false // suicide, or into atari
	}
	if taken == 0 && saved == 0 && l.beside != 0 && l.beside != 3 && (l.beside == me || l.points < 7) && int(l.points)*3 < g.size.Area() {
		return 0, false // an eye, or land that belongs to one side
	}
	v += 90 * taken
	if saved > 0 && free > 1 {
		v += 80 * saved
	}
	if friends > 1 && foes > 0 {
		v += 20
	}
	if foes > 0 {
		v += 8
	}
	if last != board.NoPoint && away(at, last) <= 2 {
		v += 15
	}
	switch side := min(at.X(), at.Y(), g.size.W-1-at.X(), g.size.H-1-at.Y()); {
	case side == 0:
		v -= 30
	case side == 1:
		v -= 5
	case side == 2 || side == 3:
		v += 8
	}
	// Open land is worth the more the farther the stones are; what is as near
	// to both decides.
	switch far := int(g.far[at]); {
	case far == 0:
		v += 25 // out of reach of all
	case g.near[at] == 3:
		v += 12
	default:
		v += 3 * min(far, 3)
	}
	return v, true
}

// Loud returns the moves that take strings in atari, the largest first.
func (Weiqi) Loud(p game.Position, moves []game.Move) []game.Move {
	var g goban
	g.look(p)
	me := uint8(p.Turn()) + 1
	var takes [board.MaxPoints]int
	for _, c := range g.chains[1 : g.strings+1] {
		if c.colour != me && c.free == 1 {
			takes[c.last] += int(c.stones)
		}
	}
	moves = slices.DeleteFunc(moves, func(m game.Move) bool { return m == game.Pass || takes[m.To()] < 2 })
	byRank(moves, func(m game.Move) int { return takes[m.To()] })
	return moves
}
