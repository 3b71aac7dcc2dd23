package tsumego

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/pn"
	"qipu/game/weiqi/life/proof"
)

// Cut says which static verdicts end a line of the search before its stones are
// taken or nothing is left to try. None of them changes an outcome, only the cost.
type Cut uint8

// The settings. All but CutNone have Benson's theorem.
const (
	CutDefault Cut = iota // CutShapes
	CutNone               // nothing: stones are taken, or they are not
	CutBenson             // what no attack captures is alive
	CutStatic             // and what the static rules after Müller prove, alive or dead
	CutShapes             // Benson, no room for two eyes, and the shapes of single eyes
	CutAll                // all of these
)

var cutNames = [...]string{"default", "none", "benson", "static", "shapes", "all"}

// String returns the name of a setting, as ParseCut reads it.
func (c Cut) String() string { return cutNames[c] }

// ParseCut reads the name of a setting.
func ParseCut(name string) (Cut, error) {
	for i, n := range cutNames[1:] {
		if n == name {
			return Cut(i + 1), nil
		}
	}
	return 0, fmt.Errorf("tsumego: no cut-offs %q: want %s", name, strings.Join(cutNames[1:], ", "))
}

// cutter finds static verdicts. The defender is Black.
type cutter struct {
	benson, static, shapes bool

	board   life.Board
	prover  proof.Prover
	planes  *board.Planes // of the frame, for the static rules
	corners set
	regions []region
}

// region is a maximal set of connected points without black stones.
type region struct {
	free, near set  // its empty points, and the black stones around it
	out        bool // no eye: not all of these are safe
}

func (c *cutter) reset(f *frame, cut Cut) {
	c.benson = cut != CutNone
	c.static = cut == CutStatic || cut == CutAll
	c.shapes = cut == CutDefault || cut == CutShapes || cut == CutAll
	c.planes = f.position.Planes().Clone()
	c.corners = set{}
	n, size := 0, c.planes.Size
	for at := range f.zone.Points() {
		if x, y := at.X(), at.Y(); (x == 0 || x == size.W-1) && (y == 0 || y == size.H-1) {
			c.corners = or(c.corners, bit(n))
		}
		n++
	}
}

// judge returns what is known of the target without search. To be alive it has to
// get two eyes.
func (c *cutter) judge(l *little, eyes bool) pn.Result {
	attacked := l.now().turn == weiqi.White
	if c.shapes {
		if r := c.shape(l, attacked); r != pn.Unknown {
			return r
		}
	}
	// One that White made safe is so still when Black has passed, if he may.
	if (eyes || c.benson && attacked) && c.alive(l) {
		return pn.Disproved
	}
	if c.static && attacked {
		return c.proved(l)
	}
	return pn.Unknown
}

// proved asks the static rules.
func (c *cutter) proved(l *little) pn.Result {
	s := l.now()
	for i, at := range l.points {
		piece := board.Empty
		for side := range s.stones {
			if has(s.stones[side], i) {
				piece = board.Piece(side + 1)
			}
		}
		c.planes.Put(at, piece)
	}
	c.board.Reset(c.planes)
	found, dead := c.prover.Static(&c.board), true
	for left := s.left; !empty(left); {
		switch found.Strings[c.board.Of[life.CellOf(l.points[pop(&left)])]] {
		case life.Alive:
			return pn.Disproved
		case life.Dead:
		default:
			dead = false
		}
	}
	if dead {
		return pn.Proved
	}
	return pn.Unknown
}

// alive reports whether any of the target is alive by Benson's theorem. A region that
// reaches what encloses the zone is no eye.
func (c *cutter) alive(l *little) bool {
	s := l.now()
	black := s.stones[weiqi.Black]
	c.regions = c.regions[:0]
	for rest := andNot(l.full, black); !empty(rest); {
		points := l.flood(bit(first(rest)), rest)
		rest = andNot(rest, points)
		if !meets(points, l.wallside) {
			c.regions = append(c.regions, region{free: andNot(points, s.occupied()), near: and(l.beside(points), black)})
		}
	}
	if len(c.regions) < 2 {
		return false
	}
	safe := black
	for changed := true; changed; {
		changed = false
		for rest := safe; !empty(rest); {
			b := s.at(first(rest))
			rest = andNot(rest, b.stones)
			eyes := 0
			for i := range c.regions {
				if g := &c.regions[i]; !g.out && meets(g.near, b.stones) && within(g.free, b.near) {
					eyes++
				}
			}
			if eyes < 2 {
				safe = andNot(safe, b.stones)
				changed = true
			}
		}
		for i := range c.regions {
			if g := &c.regions[i]; !g.out && !within(g.near, safe) {
				g.out, changed = true, true
			}
		}
	}
	return meets(safe, s.left)
}

// shape judges the target by the room that is left to it.
//
// White stones that hang together with what encloses the zone cannot be taken, and
// Black has no eye beside them: the room is all other points, but for the target
// itself where that is one string. White can fill every point outside the room,
// one after the other, whatever Black does; what is left to Black's strings are
// liberties in the room. If it has no two points that do not touch, the target is
// taken in the end, even by a player who moves second and has no ko threats.
//
// Where the target is one string around a single empty area, the area decides: see
// eyeShape. Corners are left to the search, since liberties run short there.
func (c *cutter) shape(l *little, attacked bool) pn.Result {
	if empty(l.wallside) {
		return pn.Unknown
	}
	s := l.now()
	room := l.room(s)
	target := s.at(first(s.left)).stones
	alone := within(s.left, target)
	if alone {
		room = andNot(room, target)
	}
	if l.narrow(room) {
		return pn.Proved
	}
	space := and(s.liberties(s.at(first(target))), room)
	if !alone || empty(space) {
		return pn.Unknown
	}
	in := andNot(l.full, target)
	area := bit(first(space))
	for {
		next := and(l.beside(area), in)
		if within(next, area) {
			break
		}
		if area = or(area, next); count(area) > mostEye || meets(area, s.occupied()) {
			return pn.Unknown
		}
	}
	if meets(area, or(c.corners, l.wallside)) {
		return pn.Unknown
	}
	switch shape := l.eyeShape(area); {
	case shape == twoEyes, shape == oneMove && !attacked:
		return pn.Disproved
	case within(room, area):
		// There is no other room: one eye is all, and White can wait with the
		// liberties outside.
		return pn.Proved
	}
	return pn.Unknown
}

// room returns the points that hang together with the target and are not beside
// white stones that cannot be taken.
func (l *little) room(s *state) set {
	room := andNot(s.reach, l.wallside)
	for i := range s.blocks {
		if b := &s.blocks[i]; b.safe {
			room = andNot(room, b.near)
		}
	}
	return room
}

// narrow reports whether a set has no two points that do not touch.
func (l *little) narrow(s set) bool {
	switch count(s) {
	case 0, 1:
		return true
	case 2:
		return meets(l.near[first(s)], s)
	}
	return false
}

// mostEye is the largest eye that shapes are known of.
const mostEye = 6

// What an eye is worth to the string around it.
const (
	oneEye  = iota // never two
	oneMove        // two if its owner moves first
	twoEyes        // two even if he does not
)

// eyeShape tells what an empty area of at most six points, none of them a corner of
// the board, is worth to the one string around it. Points that divide the area make
// the difference: two of them cannot both be taken, one belongs to who moves first.
// The block of two by three has none, and is two eyes all the same. The test solves
// every shape without cut-offs to see that this is so.
func (l *little) eyeShape(area set) int {
	n, dividing := count(area), 0
	if n == 1 {
		return oneEye
	}
	for points := area; !empty(points); {
		rest := andNot(area, bit(pop(&points)))
		if l.flood(bit(first(rest)), rest) != rest {
			dividing++
		}
	}
	switch {
	case dividing >= 2, dividing == 0 && n == mostEye:
		return twoEyes
	case dividing == 1:
		return oneMove
	}
	return oneEye
}

// guess returns first guesses of how much work a position is to prove and to
// disprove, by the points of the room of which eyes can be made: the more cost little,
// the harder it is to kill, and the more moves the two cheapest that do not touch
// take, the harder it is to live, harder yet if White moves first.
func (c *cutter) guess(l *little) (proof, disproof uint32) {
	const dear = 9
	s := l.now()
	room := andNot(l.room(s), s.stones[weiqi.Black])
	best, at, cheap := dear, 0, 0
	for rest := room; !empty(rest); {
		i := pop(&rest)
		cost := l.cost(s, i)
		if cost <= 2 {
			cheap++
		}
		if cost < best {
			best, at = cost, i
		}
	}
	next := dear
	for rest := andNot(room, or(l.near[at], bit(at))); !empty(rest); {
		next = min(next, l.cost(s, pop(&rest)))
	}
	if disproof = 1 + uint32(best+next); s.turn == weiqi.White {
		disproof += 2
	}
	return 1 + uint32(cheap), disproof
}

// cost returns about how many moves it takes Black to make an eye of a point.
func (l *little) cost(s *state, i int) int {
	cost := count(andNot(l.near[i], s.stones[weiqi.Black])) + 2*count(and(l.near[i], s.stones[weiqi.White]))
	if has(s.stones[weiqi.White], i) {
		cost++
	}
	return cost
}
