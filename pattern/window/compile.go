package window

import (
	"fmt"
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// Options bound what Compile may spend. The zero value is good for thousands of
// shapes.
type Options struct {
	// MaxTests is how many tests one picture of a shape may be expanded into
	// where sets need several; cells beyond that are looked at one by one after
	// the rest has matched. 0 is 8.
	MaxTests int

	// MaxCodes is how many 3x3 the middle of a shape may read as to stand in
	// the index; a shape that says less is tested at every point. 0 is 4096.
	MaxCodes int
}

// maxShapes is what the numbers in lists have room for.
const maxShapes = 1 << 27

// Compile makes a set of shapes that can be looked for. The error names the
// first shape that cannot, by its index.
func Compile(shapes []Shape, o Options) (*Set, error) {
	if o.MaxTests <= 0 {
		o.MaxTests = 8
	}
	if o.MaxCodes <= 0 {
		o.MaxCodes = 4096
	}
	if len(shapes) > maxShapes {
		return nil, fmt.Errorf("window: %d shapes are too many: make sets of at most %d", len(shapes), maxShapes)
	}
	c := compiler{options: o, set: &Set{
		canon:    canons(),
		variants: make([]variant, 0, len(shapes)*int(board.NumSymmetries)),
		rests:    make([]rest, 1), // rest 0 is none
	}}
	for i := range shapes {
		if err := shapes[i].Check(); err != nil {
			return nil, fmt.Errorf("window: shape %d: %w", i, err)
		}
		c.add(uint32(i), &shapes[i])
	}
	c.index()
	return c.set, nil
}

// compiler gathers the pictures before they are indexed.
type compiler struct {
	options Options
	set     *Set
	nines   []nine
}

// nine is a picture that is indexed by its middle 3x3: what the points of its
// window may be, and its number in lists.
type nine struct {
	points [25]nibble
	id     uint32
	rings  []ringTest // what tests has returned
}

// odds are rough chances of the four states of a point near stones, as a weight
// of what is rare; their exact values only move speed.
var odds = [4]float64{.50, .21, .21, .08}

// chance returns how likely a point is in a nibble.
func chance(n nibble) (p float64) {
	for state := range odds {
		if n>>state&1 != 0 {
			p += odds[state]
		}
	}
	return p
}

// anchor returns the cell of a shape that its window is centred on: one that
// must be on the board, and among those the one whose 3x3 says most.
func anchor(s *Shape) (ax, ay int) {
	said := 0
	for _, set := range s.Cells {
		if set != Any {
			said++
		}
	}
	best := 0.0
	for y := range s.Size.H {
		for x := range s.Size.W {
			if s.At(x, y)&pattern.Off != 0 {
				continue
			}
			middle, all, seen := 1.0, 1.0, 0
			for i, d := range offsets {
				if set := s.At(x+d[0], y+d[1]); set != Any {
					seen++
					all *= chance(nibbleOf(set))
				}
				if i == 8 {
					middle = all
				}
			}
			// In nanoseconds: a ring in a block costs next to nothing, to look
			// at what the window does not see costs much.
			cost := .15 * middle
			if seen < said {
				cost += 20 * all
			}
			if best == 0 || cost < best {
				best, ax, ay = cost, x, y
			}
		}
	}
	return ax, ay
}

// add makes the variants of a shape and what finds them.
func (c *compiler) add(shape uint32, s *Shape) {
	ax, ay := anchor(s)
	open, alone := c.kind(s, ax, ay)
	var drawn [board.NumSymmetries]Picture
	for g := range drawn {
		drawn[g] = s.Picture(game.Symmetry{Board: board.Symmetry(g)})
	}
	// Where the centre of the window lies in each picture, seen from the first
	// column and row that say something: pictures that look the same may lie
	// elsewhere in their regions.
	type place struct{ x, y int }
	var at [board.NumSymmetries]place
	var low [board.NumSymmetries]area
	for g := range board.NumSymmetries {
		p, a := &drawn[g], g.Apply(s.Size, board.At(ax, ay))
		low[g] = p.said()
		at[g] = place{a.X() - low[g].x, a.Y() - low[g].y}

		// The first that looks the same stands for all; where its window has
		// another centre, it is found there. Their lines may differ: a place
		// that is right for one is right.
		first, known := g, false
		r := rest{}
		for f := range board.NumSymmetries {
			q := &drawn[f]
			if !p.looks(q) {
				continue
			}
			first = min(first, f)
			known = known || f < g && at[f] == at[g]
			if q.Line != [2]uint8{} {
				of := q.said()
				r.limits = append(r.limits, limit{q.Line, int8(q.X - of.x - at[g].x), int8(q.Y - of.y - at[g].y)})
			}
		}
		v := variant{first: first, x: int8(at[g].x + low[first].x), y: int8(at[g].y + low[first].y), silent: at[first] != at[g]}
		n := nine{id: shape<<4 | uint32(g)}
		for i, d := range offsets {
			n.points[i] = nibbleOf(p.At(a.X()+d[0], a.Y()+d[1]))
		}
		var whole test
		for i, d := range offsets {
			t, ok := single(n.points[i], d[0], d[1])
			whole = whole.and(t)
			if open && !ok || alone && !open && i >= 9 && len(pairs[n.points[i]]) > 1 {
				r.lone = append(r.lone, lone{int8(d[0]), int8(d[1]), n.points[i]})
			}
		}
		r.tile(p, a.X(), a.Y())
		if !r.none() {
			v.rest = int32(len(c.set.rests))
			c.set.rests = append(c.set.rests, r)
		}
		c.set.variants = append(c.set.variants, v)
		switch {
		case known:
		case open && !v.silent:
			c.set.open = append(c.set.open, openTest{whole, n.id})
		case !open:
			c.nines = append(c.nines, n, n.swapped())
		}
	}
}

// kind tells whether the middle of a shape's window is too open for the index,
// and whether its ring has too many cells that need several tests: those are
// looked at alone then, all of them, for what is found in one orientation is
// looked at further in another.
func (c *compiler) kind(s *Shape, ax, ay int) (open, alone bool) {
	codes, expanded := 1, 1
	for i, d := range offsets {
		n := nibbleOf(s.At(ax+d[0], ay+d[1]))
		if i < 9 {
			codes *= bits.OnesCount8(uint8(n & 7))
		} else {
			expanded *= len(pairs[n])
		}
	}
	return codes > c.options.MaxCodes, expanded > c.options.MaxTests
}

// swapped returns the picture with the colours exchanged.
func (n nine) swapped() nine {
	n.id |= 8
	for i := range n.points {
		n.points[i] = n.points[i].swapped()
	}
	return n
}

// tests returns disjoint tests that together are the ring, or, where those are
// more than the limit, one of what can be said so.
func (n *nine) tests(limit int) []ringTest {
	if n.rings != nil {
		return n.rings
	}
	expanded := 1
	for _, may := range n.points[9:] {
		expanded *= len(pairs[may])
	}
	list := append(make([]ringTest, 0, min(expanded, limit)), ringTest{})
	for i, may := range n.points[9:] {
		two := pairs[may]
		if len(two) > 1 && expanded > limit {
			continue
		}
		for k := range list {
			if len(two) > 1 {
				list = append(list, list[k].and(two[1], i))
			}
			list[k] = list[k].and(two[0], i)
		}
	}
	n.rings = list
	return list
}

// and returns the test of a ring with that of its point i.
func (t ringTest) and(u test, i int) ringTest {
	return ringTest{t.mask | uint32(u.mask)<<(2*i), t.want | uint32(u.want)<<(2*i)}
}

// index sorts the pictures into the classes of the 3x3 and writes the lists.
func (c *compiler) index() {
	s := c.set
	classes := make([][]uint32, s.canon.classes)
	for i := range c.nines {
		codes(c.nines[i].points[:9], func(code uint32) {
			if of := s.canon.of[code]; of&15 == 0 {
				classes[of>>4] = append(classes[of>>4], uint32(i))
			}
		})
	}
	s.lists = make([]list, len(classes))
	for i, members := range classes {
		l := &s.lists[i]
		l.blocks = uint32(len(s.blocks))
		for len(members) >= minLanes {
			n := min(lanes, len(members))
			s.blocks = append(s.blocks, c.block(members[:n]))
			members = members[n:]
		}
		l.blocksEnd = uint32(len(s.blocks))
		l.tests = uint32(len(s.tests))
		for _, m := range members {
			n := &c.nines[m]
			for _, t := range n.tests(c.options.MaxTests) {
				s.tests = append(s.tests, t)
				s.ids = append(s.ids, n.id)
			}
		}
		l.testsEnd = uint32(len(s.tests))
	}
}

// block makes a block of at most lanes pictures.
func (c *compiler) block(members []uint32) (b block) {
	for lane, m := range members {
		n := &c.nines[m]
		ring := n.points[9:]
		b.ids[lane] = n.id
		for i := range b.may {
			for reading := range b.may[i] {
				if ring[2*i]>>(reading&3)&(ring[2*i+1]>>(reading>>2))&1 != 0 {
					b.may[i][reading] |= 1 << lane
				}
			}
		}
	}
	return b
}

// variant is a shape as one symmetry of the board shows it.
type variant struct {
	rest   int32          // what the tests do not say, or 0
	first  board.Symmetry // the first that looks the same
	x, y   int8           // the cell of that one that the window is centred on
	silent bool           // the one that looks the same is found elsewhere
}

// rest is what is left to look at after the first window has matched.
type rest struct {
	limits []limit // one of them must hold, where there are any
	tiles  []tile
	lone   []lone
}

// limit says on which line a cell lies, x columns right of and y rows below the
// centre of the window.
type limit struct {
	line [2]uint8
	x, y int8
}

// tile is a further window, some cells from the first.
type tile struct {
	test
	dx, dy int8
}

// lone is a cell whose set takes several tests.
type lone struct {
	dx, dy int8
	may    nibble
}

func (r *rest) none() bool { return len(r.limits) == 0 && len(r.tiles) == 0 && len(r.lone) == 0 }

func (l *limit) holds(size board.Size, x, y int) bool {
	x, y = x+int(l.x), y+int(l.y)
	row, column := int(l.line[0]), int(l.line[1])
	return (row == 0 || row == min(y+1, size.H-y)) && (column == 0 || column == min(x+1, size.W-x))
}

// tile covers what lies outside the first window with others, five cells apart.
func (r *rest) tile(p *Picture, ax, ay int) {
	span := func(at, n int) (from, to int) { return -(at + 2) / 5, (n - 1 - at + 2) / 5 }
	left, right := span(ax, p.Size.W)
	top, bottom := span(ay, p.Size.H)
	for ty := top; ty <= bottom; ty++ {
		for tx := left; tx <= right; tx++ {
			if tx == 0 && ty == 0 {
				continue
			}
			t := tile{dx: int8(5 * tx), dy: int8(5 * ty)}
			for _, d := range offsets {
				may := nibbleOf(p.At(ax+5*tx+d[0], ay+5*ty+d[1]))
				if one, ok := single(may, d[0], d[1]); ok {
					t.test = t.test.and(one)
				} else {
					r.lone = append(r.lone, lone{t.dx + int8(d[0]), t.dy + int8(d[1]), may})
				}
			}
			if t.mask != 0 {
				r.tiles = append(r.tiles, t)
			}
		}
	}
}

// holds reports whether the rest is so around a point. Words are swapped where
// own is the second side.
func (r *rest) holds(w *Windows, x, y int, swap bool) bool {
	ok := len(r.limits) == 0
	for i := range r.limits {
		ok = ok || r.limits[i].holds(w.size, x, y)
	}
	if !ok {
		return false
	}
	for i := range r.tiles {
		t := &r.tiles[i]
		word := w.word(x+int(t.dx), y+int(t.dy))
		if swap {
			word = Swap(word)
		}
		if !t.holds(word) {
			return false
		}
	}
	for _, l := range r.lone {
		word := w.word(x+int(l.dx), y+int(l.dy))
		if swap {
			word = Swap(word)
		}
		if l.may>>(word&3)&1 == 0 {
			return false
		}
	}
	return true
}
