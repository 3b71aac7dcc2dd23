package mine

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/workshop/parallel"
)

// sprout is a form that a tree has found, with what it was parted from.
type sprout struct {
	form
	tallies
	parent tallies // of the node above it, or of all contexts
	avoid  bool
}

// grow finds forms in all families of a table, in the order of their codes.
func (t *contexts) grow(o *Options) []sprout {
	var found [1 << 16][]sprout
	parallel.Each(len(found), o.workers(), func(_, code int) {
		if t.first[code+1] > t.first[code] {
			found[code] = t.family(uint16(code), o)
		}
	})
	return slices.Concat(found[:]...)
}

// family grows the tree of one family.
func (t *contexts) family(code uint16, o *Options) (list []sprout) {
	rows := t.of(code)
	f := loose()
	for i := range numNear {
		f.cells[1+i] = 1 << (code>>i&1 | code>>(8+i)&1<<1)
	}
	var all tallies
	for i := range rows {
		all.add(rows[i].tallies)
	}
	if int(all.own) < o.MinPlayed && int(all.seen) < 20*o.MinPlayed {
		return nil
	}
	g := grower{options: o, code: code}
	g.node(f, slices.Clone(rows), all, t.total, 0)
	return g.found
}

type grower struct {
	options *Options
	code    uint16
	found   []sprout
}

// maxDepth bounds how many tests a branch has.
const maxDepth = 7

// test is a split of contexts: a ring point in a state, or the middle on a line.
type test struct {
	ring  int // or -1
	state int
	axis  int
	line  uint8
}

func (s *test) holds(r *row) bool {
	if s.ring >= 0 {
		return state(r.lo, r.hi, s.ring) == s.state
	}
	return r.lines>>(3*s.axis)&7 == s.line
}

// node notes a node and grows its branches. The rows are its own.
func (g *grower) node(f form, rows []row, all, parent tallies, depth int) {
	g.consider(f, all, parent)
	if depth == maxDepth || int(all.own) < 2*g.options.MinPlayed {
		return
	}
	s, yes := g.split(rows, all, &f)
	if s == nil {
		return
	}
	at := 0
	for i := range rows {
		if s.holds(&rows[i]) {
			rows[at], rows[i] = rows[i], rows[at]
			at++
		}
	}
	with, without := f, f
	if s.ring >= 0 {
		with.cells[1+numNear+s.ring] = 1 << s.state
		without.cells[1+numNear+s.ring] &^= 1 << s.state
	} else {
		with.line[s.axis] = s.line
	}
	no := tallies{all.seen - yes.seen, all.own - yes.own, all.enemy - yes.enemy}
	g.node(with, rows[:at], yes, all, depth+1)
	// A form cannot say "on any line but this": that branch goes on with the
	// rest and stays open there.
	g.node(without, rows[at:], no, all, depth+1)
}

// split returns the test that tells most about who plays, and what holds where it
// does; nil where none tells enough.
func (g *grower) split(rows []row, all tallies, f *form) (best *test, yes tallies) {
	var ring [numRing][4]tallies
	var line [2][8]tallies
	for i := range rows {
		r := &rows[i]
		for k := range numRing {
			ring[k][state(r.lo, r.hi, k)].add(r.tallies)
		}
		line[0][r.lines&7].add(r.tallies)
		line[1][r.lines>>3].add(r.tallies)
	}
	most := g.options.MinGain
	try := func(t tallies, s test) {
		if t.seen == 0 || t.seen == all.seen {
			return
		}
		if gain := gain(t, all); gain > most {
			most, best, yes = gain, &s, t
		}
	}
	for k := range ring {
		if bits.OnesCount8(f.cells[1+numNear+k]) == 1 {
			continue
		}
		for s := range 4 {
			try(ring[k][s], test{ring: k, state: s})
		}
	}
	for axis := range line {
		// Lines one and two show in the cells. Others are worth a test where the
		// form can say them.
		for _, l := range []uint8{3, 4} {
			if f.line[axis] == 0 {
				try(line[axis][l], test{ring: -1, axis: axis, line: l})
			}
		}
	}
	return best, yes
}

// gain is twice the logarithm of how much likelier the plays are where the rates
// of a part and of the rest are told apart (the statistic G of one degree of
// freedom).
func gain(part, all tallies) float64 {
	like := func(k, n uint32) float64 {
		a, b := float64(k), float64(n-k)
		l := 0.0
		if a > 0 {
			l += a * math.Log(a/float64(n))
		}
		if b > 0 {
			l += b * math.Log(b/float64(n))
		}
		return l
	}
	return 2 * (like(part.own, part.seen) + like(all.own-part.own, all.seen-part.seen) - like(all.own, all.seen))
}

// minLift is how much more often than the node above it a node must be played to
// be a form of its own.
const minLift = 1.15

// consider keeps the form of a node if it is played, or left alone, enough.
func (g *grower) consider(f form, all, parent tallies) {
	o := g.options
	switch {
	case int(all.own) >= o.MinPlayed && wilson(int(all.own), int(all.seen), -1) >= max(o.MinRate/2, minLift*parent.rate()):
		g.found = append(g.found, sprout{form: f, tallies: all, parent: parent})
	case int(all.seen) >= 20*o.MinPlayed && parent.rate() >= .03 && wilson(int(all.own), int(all.seen), 1) < parent.rate()/8:
		g.found = append(g.found, sprout{form: f, tallies: all, parent: parent, avoid: true})
	}
}

// wilson returns the lower (-1) or upper (1) bound of the interval of Wilson for
// a rate, at two standard deviations.
func wilson(k, n int, side float64) float64 {
	if n == 0 {
		return (1 + side) / 2
	}
	const z = 2
	p, m := float64(k)/float64(n), float64(n)
	return (p + z*z/(2*m) + side*z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))) / (1 + z*z/m)
}

// maxCodes bounds how many 3x3 a form may allow: what is looser is too vague to
// be looked at.
const maxCodes = 128

// looser are the sets that a point may be given instead of one: those that people
// read as one idea. A stone or the edge is a wall; nothing is said of own and
// enemy stones alike.
var looser = [16][]uint8{
	empty:               {empty | own, empty | enemy, onBoard, anyCell},
	own:                 {empty | own, own | off, empty | own | off, onBoard, anyCell},
	enemy:               {empty | enemy, enemy | off, empty | enemy | off, onBoard, anyCell},
	off:                 {own | off, enemy | off, empty | own | off, empty | enemy | off, anyCell},
	empty | own:         {empty | own | off, onBoard, anyCell},
	empty | enemy:       {empty | enemy | off, onBoard, anyCell},
	own | enemy:         {onBoard, anyCell},
	onBoard:             {anyCell},
	own | off:           {empty | own | off, anyCell},
	enemy | off:         {empty | enemy | off, anyCell},
	empty | off:         {empty | own | off, empty | enemy | off, anyCell},
	empty | own | off:   {anyCell},
	empty | enemy | off: {anyCell},
	own | enemy | off:   {anyCell},
}

// Contexts that a looser form adds must be played between so many times as often
// as those that it began with.
const (
	leastLike = .72
	mostLike  = 1.8
)

// loosen drops from a form what does not matter: it lets points be in further
// states as long as the contexts that this adds are played about as often (for
// shapes to avoid: nearly as seldom). What occurs too rarely to tell is let in.
func (t *contexts) loosen(s sprout) sprout {
	goal := s.rate()
	for range 10 {
		_, added := t.around(&s.form)
		type choice struct {
			cell  int
			set   uint8
			score float64
		}
		var list []choice
		for c := 1; c < len(s.cells); c++ {
			best := choice{cell: c}
			for _, set := range looser[s.cells[c]] {
				if score := s.like(set&^s.cells[c], &added[c], goal); score > best.score {
					best.set, best.score = set, score
				}
			}
			if best.score > 0 {
				list = append(list, best)
			}
		}
		slices.SortStableFunc(list, func(a, b choice) int {
			return cmp.Or(cmp.Compare(b.score, a.score), b.cell-a.cell)
		})
		done := false
		for _, c := range list[:min(len(list), 5)] {
			f := s.form
			f.cells[c.cell] = c.set
			if f.codes(nil) > maxCodes {
				continue
			}
			s.form, done = f, true
		}
		if !done {
			break
		}
	}
	s.tallies = t.count(&s.form)
	return s
}

// like tells how well the contexts that some states add to a form fit in, more
// than 0 if they do: first of all states that are met, and many of them.
func (s *sprout) like(states uint8, added *[4]tallies, goal float64) float64 {
	score := 0.0
	for st := range 4 {
		if states>>st&1 == 0 {
			continue
		}
		a := added[st]
		expected := float64(a.seen) * goal
		if s.avoid {
			// The rate that the parent has is what a bad shape must stay far below.
			limit := s.parent.rate() / 5
			if float64(a.own)+1 > float64(a.seen)*limit+2 {
				return 0
			}
		} else if ratio := (float64(a.own) + 3) / (expected + 3); ratio < leastLike || ratio > mostLike {
			// Three plays at the goal's rate steady what is rare.
			return 0
		}
		score += .1 + math.Log1p(expected)
	}
	if states == off && added[3].seen == 0 {
		return 0 // an edge that cannot be there is not worth a word
	}
	return score
}

// around counts the contexts that a form holds in, and for every point and state
// those that it would hold in besides, were that state allowed there.
func (t *contexts) around(f *form) (here tallies, added [len(spots)][4]tallies) {
	t.each(f, func(_ int32, rows []row, g *form, sym board.Symmetry) {
		m := g.allowed()
		var ring [numRing][4]tallies
		for i := range rows {
			r := &rows[i]
			bad := wrong(r.lo, r.hi, &m)
			if bad&(bad-1) != 0 || !g.lies(r.lines) {
				continue
			}
			if bad == 0 {
				here.add(r.tallies)
				continue
			}
			k := bits.TrailingZeros16(bad)
			ring[k][state(r.lo, r.hi, k)].add(r.tallies)
		}
		back := &turned[sym.Inverse()]
		for k := range ring {
			for st := range 4 {
				added[back[1+numNear+k]][st].add(ring[k][st])
			}
		}
	})
	for c := 1; c <= numNear; c++ {
		for st := range 4 {
			if f.cells[c]>>st&1 == 0 {
				g := *f
				g.cells[c] = 1 << st
				added[c][st] = t.count(&g)
			}
		}
	}
	return here, added
}

// count counts the contexts that a form holds in.
func (t *contexts) count(f *form) (here tallies) {
	t.each(f, func(_ int32, rows []row, g *form, _ board.Symmetry) {
		m := g.allowed()
		for i := range rows {
			if r := &rows[i]; wrong(r.lo, r.hi, &m) == 0 && g.lies(r.lines) {
				here.add(r.tallies)
			}
		}
	})
	return here
}

// each calls visit with the rows of every family that a form allows, and the form
// turned as they are; from is the number of the first row.
func (t *contexts) each(f *form, visit func(from int32, rows []row, g *form, sym board.Symmetry)) {
	fams := families()
	var turns [board.NumSymmetries]*form
	f.codes(func(code uint16) {
		fam := fams[code]
		rows := t.of(fam.code)
		if len(rows) == 0 {
			return
		}
		sym := board.Symmetry(bits.TrailingZeros8(fam.syms))
		if turns[sym] == nil {
			g := f.turn(sym)
			turns[sym] = &g
		}
		visit(t.first[fam.code], rows, turns[sym], sym)
	})
}

// lies tells whether lines are those of a form.
func (f *form) lies(lines uint8) bool {
	return (f.line[0] == 0 || lines&7 == f.line[0]) && (f.line[1] == 0 || lines>>3 == f.line[1])
}
