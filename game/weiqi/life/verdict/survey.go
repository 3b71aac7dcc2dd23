package verdict

import (
	"math"
	"slices"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/stringgraph"
	"qipu/game/weiqi/tactics"
)

// Survey holds what is known of a board that is judged. The parts that depend on
// the stones alone are made once; those that depend on which strings are thought
// to be dead are made for every round. Both work on strings and areas, of which a
// board has a hundred, and hardly ever on points.
type Survey struct {
	b *life.Board

	// Of the stones alone.
	graph   life.Judgement // by the string graph
	grapher stringgraph.Judge
	read    [][2]float32 // what reading found out, if the string moves first and second
	reader  *tactics.Reader
	strings []stringFacts
	shared  []uint8   // strings x strings: liberties in common
	guarded []uint8   // of these, points where an enemy stone can be taken at once
	pairs   []link    // strings that share a liberty
	fixed   []float32 // features that depend on the stones alone, of all strings
	touch   []contact

	// Of the round.
	chance []float32 // of every string: to stay on the board
	dead   []bool
	rounds []round
	lands  []land
	landOf []int16 // of nodes: areas and dead strings, or -1
	pocket [2][]pocket
	pockOf [2][]int16
	family []int16 // of strings: those of a side that are connected, as things stand
	kin    []kin
	pull   [2][life.Cells]float32 // influence and its last sweep
	share  [life.Cells]float32    // one over the number of neighbours
	shares board.Size             // the board that it is for
	sets   life.Sets
	marks  life.Marks
	cells  []life.Cell
}

// stringFacts are what the stones tell of a string.
type stringFacts struct {
	reach    int     // empty points within two steps
	line     int     // of its stone nearest to the side, from 1
	height   float32 // mean of that over its stones
	contacts int     // pairs of its stones and enemy stones beside them
	group    int16   // strings that cannot be cut apart: the lowest of their numbers
	friends  int     // strings that share a liberty with it
	firm     int     // of them, those that cannot be cut off at once
	proved   bool

	// Of all strings of its group, held by the one that names it.
	stones, strings, liberties int
}

// round are what the present chances tell of a string.
type round struct {
	group        float32 // chances of its group, by stones; held by the one that names it
	best         float32 // chance of the best string that shares a liberty with it, or -1
	sum, weights float32 // chances of all of these, those that cannot be cut off thrice
}

// link is a pair of strings of a side that share liberties.
type link struct{ a, b int16 }

// contact is a pair of strings of different sides that touch, and how often.
type contact struct {
	a, b  int16
	count int16
}

// land is a connected set of empty points and dead stones: what is left when the
// dead stones are taken off.
type land struct {
	size, empties int
	dead          [2]int // stones of either side
	border        [2]int // living strings of either side beside it
	only          [2]int16
	eye           float32 // how many eyes it is worth to its owner
	owner         life.Stone
}

// pocket is what a side can reach without passing living stones of the other: its
// own stones, empty points and dead enemy stones, connected.
type pocket struct {
	size, empties int
	own, alive    int // own stones, and those thought alive
	dead          int // enemy stones thought dead
	strings       int
	lands, ground int // own lands in it, and their points
	best          float32
	second        float32
	safe          int // own stones proved alive
}

// kin is what is known of a family: of strings of a side that are connected as
// things stand.
type kin struct {
	stones, strings int
	lands, ground   int
	first, second   int // the largest lands
	eyes            float32
	false_          int
	captives        int
	chance          float32 // mean over the stones
	proved          int
}

// Look finds what depends on the stones alone. What is proved of strings is told,
// by number; the board is read until the next Look.
func (s *Survey) Look(b *life.Board, proved []life.Status) {
	s.b = b
	n := len(b.Strings)
	s.strings = life.Zeros(s.strings, n)
	s.setShares()
	s.shared, s.guarded = life.Zeros(s.shared, n*n), life.Zeros(s.guarded, n*n)
	s.pairs, s.touch = s.pairs[:0], s.touch[:0]
	for i := range s.strings {
		s.lookAt(i)
		s.strings[i].proved = proved[i].Stays()
	}
	for i := range b.Areas {
		for _, c := range b.Empties(i) {
			s.meet(c)
		}
	}
	s.read = life.Zeros(s.read, n)
	for i := range s.read {
		s.read[i] = [2]float32{unread, unread}
	}
	s.graph.Begin(stringgraph.Method, b)
	s.grapher.Judge(b, false, &s.graph)
	s.sets.Reset(n)
	for _, l := range s.pairs {
		k := int(l.a)*n + int(l.b)
		s.strings[l.a].friends++
		s.strings[l.b].friends++
		if s.firm(k) {
			s.strings[l.a].firm++
			s.strings[l.b].firm++
			s.sets.Join(l.a, l.b)
		}
	}
	for i := range s.strings {
		g := s.sets.Root(int16(i))
		s.strings[i].group = g
		s.strings[g].stones += b.Strings[i].Stones
		s.strings[g].strings++
		s.strings[g].liberties += len(b.Liberties(i))
	}
	s.fixed = s.fixed[:0]
	for i := range s.strings {
		s.fixed = s.fix(s.fixed, i)
	}
}

// firm tells that two strings cannot be cut apart by one stone.
func (s *Survey) firm(k int) bool { return s.shared[k] >= 2 || s.guarded[k] > 0 }

// lookAt fills in the facts of one string.
func (s *Survey) lookAt(i int) {
	b, f := s.b, &s.strings[i]
	size := b.Size
	f.line = 99
	sum := 0
	colour := b.Strings[i].Colour
	first := len(s.touch)
	for _, c := range b.Stones(i) {
		p := c.Point()
		line := 1 + min(p.X(), p.Y(), size.W-1-p.X(), size.H-1-p.Y())
		f.line = min(f.line, line)
		sum += line
		for _, step := range life.Steps {
			if b.Stone[c+step] != colour.Other() {
				continue
			}
			f.contacts++
			if colour == life.White {
				continue
			}
			other := b.Of[c+step]
			k := first
			for k < len(s.touch) && s.touch[k].b != other {
				k++
			}
			if k == len(s.touch) {
				s.touch = append(s.touch, contact{a: int16(i), b: other})
			}
			s.touch[k].count++
		}
	}
	f.height = float32(sum) / float32(b.Strings[i].Stones)
	s.marks.Begin()
	for _, c := range b.Liberties(i) {
		s.marks.Add(c)
	}
	f.reach = len(b.Liberties(i))
	for _, c := range b.Liberties(i) {
		for _, step := range life.Steps {
			if d := c + step; b.Stone[d] == life.Empty && s.marks.Add(d) {
				f.reach++
			}
		}
	}
}

// meet notes which strings of a side meet on an empty point.
func (s *Survey) meet(c life.Cell) {
	b, n := s.b, len(s.strings)
	var met [2][4]int16
	var count [2]int
	free := 0
	for _, step := range life.Steps {
		d := c + step
		switch stone := b.Stone[d]; stone {
		case life.Empty:
			free++
		case life.Black, life.White:
			side, k := stone-1, b.Of[d]
			if !slices.Contains(met[side][:count[side]], k) {
				met[side][count[side]] = k
				count[side]++
			}
		}
	}
	for side := range met {
		list := met[side][:count[side]]
		for i, x := range list {
			for _, y := range list[i+1:] {
				x, y := min(x, y), max(x, y)
				k := int(x)*n + int(y)
				if s.shared[k] == 0 {
					s.pairs = append(s.pairs, link{x, y})
				}
				if s.shared[k] < 255 {
					s.shared[k]++
				}
				if count[1-side] == 0 && free <= 1 {
					s.guarded[k] = 1
				}
			}
		}
	}
}

// grain is what chances are multiples of, so that their sums are exact and do not
// depend on the order of strings.
const grain = 4096

// Think finds what depends on which strings are thought to be dead: those that are
// less likely to stay on the board than not.
func (s *Survey) Think(chance []float32) {
	n := len(s.strings)
	s.chance = life.Zeros(s.chance, n)
	for i, c := range chance {
		s.chance[i] = float32(math.Round(float64(c)*grain)) / grain
	}
	s.dead = life.Zeros(s.dead, n)
	for i := range s.dead {
		s.dead[i] = s.chance[i] < 0.5
	}
	s.rounds = life.Zeros(s.rounds, n)
	for i := range s.rounds {
		s.rounds[i].best = -1
		s.rounds[s.strings[i].group].group += s.chance[i] * float32(s.b.Strings[i].Stones)
	}
	for _, l := range s.pairs {
		w := float32(1)
		if s.firm(int(l.a)*n + int(l.b)) {
			w = 3
		}
		s.rounds[l.a].friend(s.chance[l.b], w)
		s.rounds[l.b].friend(s.chance[l.a], w)
	}
	s.makeLands()
	s.makePockets(life.Black)
	s.makePockets(life.White)
	s.makeFamilies()
	s.diffuse()
}

// friend adds the chance of a string that shares a liberty.
func (r *round) friend(chance, weight float32) {
	r.best = max(r.best, chance)
	r.sum += weight * chance
	r.weights += weight
}

// join makes sets of areas and of some strings, as they are connected: a string has
// its own number, an area that of the strings on top.
func (s *Survey) join(in func(i int) bool) {
	n := len(s.b.Strings)
	s.sets.Reset(n + len(s.b.Areas))
	for i := range n {
		if in(i) {
			for _, a := range s.b.AreasOf(i) {
				s.sets.Join(int16(i), int16(n)+a)
			}
		}
	}
	for _, t := range s.touch {
		if in(int(t.a)) && in(int(t.b)) {
			s.sets.Join(t.a, t.b)
		}
	}
}

// makeLands finds the lands.
func (s *Survey) makeLands() {
	b := s.b
	n := len(b.Strings)
	s.join(func(i int) bool { return s.dead[i] })
	s.lands = s.lands[:0]
	s.landOf = life.Zeros(s.landOf, n+len(b.Areas))
	for x := range s.landOf {
		s.landOf[x] = -1
		if x < n && !s.dead[x] {
			continue
		}
		r := s.sets.Root(int16(x))
		if int(r) == x {
			s.landOf[x] = int16(len(s.lands))
			s.lands = append(s.lands, land{only: [2]int16{-1, -1}})
		} else {
			s.landOf[x] = s.landOf[r]
		}
		l := &s.lands[s.landOf[x]]
		if x < n {
			l.size += b.Strings[x].Stones
			l.dead[b.Strings[x].Colour-1] += b.Strings[x].Stones
		} else {
			l.size += b.Areas[x-n].Size
			l.empties += b.Areas[x-n].Size
		}
	}
	// A string may meet a land through several areas: it is counted once.
	for i := range b.Strings {
		if s.dead[i] {
			continue
		}
		s.marks.Begin()
		s.eachLand(i, func(k int16) {
			if s.marks.Add(life.Cell(k)) {
				side := b.Strings[i].Colour - 1
				s.lands[k].border[side]++
				s.lands[k].only[side] = int16(i)
			}
		})
	}
	for k := range s.lands {
		l := &s.lands[k]
		switch {
		case l.border[0] > 0 && l.border[1] == 0:
			l.owner = life.Black
		case l.border[1] > 0 && l.border[0] == 0:
			l.owner = life.White
		default:
			continue
		}
		l.eye = s.eyeValue(int16(k))
	}
}

// landCells returns the cells of a land; the list is good until the next call.
func (s *Survey) landCells(k int16) []life.Cell {
	b, n := s.b, len(s.b.Strings)
	s.cells = s.cells[:0]
	for x, of := range s.landOf {
		if of != k {
			continue
		}
		if x < n {
			s.cells = append(s.cells, b.Stones(x)...)
		} else {
			s.cells = append(s.cells, b.Empties(x-n)...)
		}
	}
	return s.cells
}

// eyeValue tells how many eyes a land is worth to its owner: 2 where no single
// enemy stone can make it one, 1.5 where one can and the owner has no stone on the
// vital point yet, 1 where it is one eye whoever plays, 0 for a false eye.
func (s *Survey) eyeValue(k int16) float32 {
	l := &s.lands[k]
	if l.size > 6 {
		return 2
	}
	cells := s.landCells(k)
	if l.size == 1 {
		if l.border[l.owner-1] > 1 && s.falseEye(cells[0], l.owner) {
			return 0
		}
		return 1
	}
	if l.size == 2 {
		return 1
	}
	s.marks.Begin()
	for _, c := range cells {
		s.marks.Add(c)
	}
	most, edges, taken := 0, 0, false
	var ends int
	for _, c := range cells {
		degree := 0
		for _, step := range life.Steps {
			if s.marks.Has(c + step) {
				degree++
			}
		}
		edges += degree
		if degree == 1 {
			ends++
		}
		stone := s.b.Stone[c]
		switch {
		case degree > most:
			most, taken = degree, stone == l.owner.Other()
		case degree == most:
			taken = taken || stone == l.owner.Other()
		}
	}
	edges /= 2
	unsettled := false
	switch l.size {
	case 3:
		unsettled = true
	case 4:
		if edges == 4 {
			return 1 // the square
		}
		unsettled = most == 3
	case 5:
		unsettled = most == 4 || edges == 5
	case 6:
		unsettled = most == 4 && edges == 6
	}
	switch {
	case unsettled && taken:
		return 1
	case unsettled:
		return 1.5
	}
	return 2
}

// falseEye tells that enemy stones on the diagonals make an eye of one point
// false, unless its strings are connected otherwise.
func (s *Survey) falseEye(c life.Cell, owner life.Stone) bool {
	b := s.b
	foes, walls := 0, 0
	for _, d := range [...]life.Cell{life.Up - 1, life.Up + 1, life.Down - 1, life.Down + 1} {
		switch stone := b.Stone[c+d]; {
		case stone == life.Wall:
			walls++
		case stone == owner.Other() && !s.dead[b.Of[c+d]]:
			foes++
		}
	}
	return foes >= 2 || walls > 0 && foes >= 1
}

// makePockets finds the pockets of a side.
func (s *Survey) makePockets(colour life.Stone) {
	b := s.b
	n := len(b.Strings)
	side := colour - 1
	in := func(i int) bool { return b.Strings[i].Colour == colour || s.dead[i] }
	s.join(in)
	list := s.pocket[side][:0]
	of := life.Zeros(s.pockOf[side], n+len(b.Areas))
	for x := range of {
		of[x] = -1
		if x < n && !in(x) {
			continue
		}
		r := s.sets.Root(int16(x))
		if int(r) == x {
			of[x] = int16(len(list))
			list = append(list, pocket{})
		} else {
			of[x] = of[r]
		}
		p := &list[of[x]]
		if x >= n {
			p.size += b.Areas[x-n].Size
			p.empties += b.Areas[x-n].Size
			continue
		}
		stones := b.Strings[x].Stones
		p.size += stones
		if b.Strings[x].Colour != colour {
			p.dead += stones
			continue
		}
		p.own += stones
		p.strings++
		if !s.dead[x] {
			p.alive += stones
		}
		if s.strings[x].proved {
			p.safe += stones
		}
		switch c := s.chance[x]; {
		case c > p.best:
			p.best, p.second = c, p.best
		case c > p.second:
			p.second = c
		}
	}
	for k := range s.lands {
		if s.lands[k].owner != colour {
			continue
		}
		for x, l := range s.landOf {
			if int(l) == k {
				p := &list[of[x]]
				p.lands++
				p.ground += s.lands[k].size
				break
			}
		}
	}
	s.pocket[side], s.pockOf[side] = list, of
}

// makeFamilies joins strings of a side that cannot be cut apart, or that lie
// around the same land of their own.
func (s *Survey) makeFamilies() {
	b := s.b
	n := len(b.Strings)
	s.sets.Reset(n)
	for _, l := range s.pairs {
		if s.dead[l.a] == s.dead[l.b] && s.firm(int(l.a)*n+int(l.b)) {
			s.sets.Join(l.a, l.b)
		}
	}
	for i := range b.Strings {
		if s.dead[i] {
			continue
		}
		s.eachLand(i, func(k int16) {
			if l := &s.lands[k]; l.owner == b.Strings[i].Colour {
				s.sets.Join(int16(i), l.only[l.owner-1])
			}
		})
	}
	s.family = life.Zeros(s.family, n)
	s.kin = life.Zeros(s.kin, n)
	for i := range b.Strings {
		r := s.sets.Root(int16(i))
		s.family[i] = r
		f := &s.kin[r]
		stones := b.Strings[i].Stones
		f.stones += stones
		f.strings++
		f.chance += s.chance[i] * float32(stones)
		if s.strings[i].proved {
			f.proved += stones
		}
	}
	for k := range s.lands {
		l := &s.lands[k]
		if l.owner == life.Empty {
			continue
		}
		f := &s.kin[s.family[l.only[l.owner-1]]]
		f.lands++
		f.ground += l.size
		f.captives += l.dead[l.owner.Other()-1]
		f.eyes += l.eye
		if l.eye == 0 {
			f.false_++
		}
		switch {
		case l.size > f.first:
			f.first, f.second = l.size, f.first
		case l.size > f.second:
			f.second = l.size
		}
	}
	for i := range s.kin {
		if f := &s.kin[i]; f.stones > 0 {
			f.chance /= float32(f.stones)
		}
	}
}

// eachLand calls back for every land beside a living string; for some more than
// once.
func (s *Survey) eachLand(i int, yield func(k int16)) {
	n := len(s.b.Strings)
	for _, a := range s.b.AreasOf(i) {
		yield(s.landOf[n+int(a)])
	}
	for _, e := range s.b.Enemies(i) {
		if s.dead[e] {
			yield(s.landOf[e])
		}
	}
}

// sweeps is how often influence is averaged.
const sweeps = 10

// diffuse spreads the influence of living stones, 1 for Black and -1 for White,
// over the points without: each takes the mean of its neighbours.
func (s *Survey) diffuse() {
	b := s.b
	from, to := &s.pull[0], &s.pull[1]
	s.cells = s.cells[:0]
	for _, c := range b.On {
		v := float32(0)
		switch stone := b.Stone[c]; {
		case stone == life.Empty || s.dead[b.Of[c]]:
			s.cells = append(s.cells, c)
		case stone == life.Black:
			v = 1
		default:
			v = -1
		}
		from[c], to[c] = v, v
	}
	for range sweeps {
		for _, c := range s.cells {
			sum := from[c+life.Up] + from[c+life.Down] + (from[c+life.Left] + from[c+life.Right])
			to[c] = sum * s.share[c]
		}
		from, to = to, from
	}
	for _, c := range s.cells {
		from[c] = float32(int32(from[c]*grain)) / grain
	}
}

// setShares finds one over the number of neighbours of every point.
func (s *Survey) setShares() {
	if s.shares == s.b.Size {
		return
	}
	s.shares = s.b.Size
	clear(s.pull[0][:]) // walls have no influence, and other cells are set each time
	clear(s.pull[1][:])
	for _, c := range s.b.On {
		n := 0
		for _, step := range life.Steps {
			if s.b.Stone[c+step] != life.Wall {
				n++
			}
		}
		s.share[c] = 1 / float32(max(n, 1))
	}
}

// unread is the feature of a string that was not read. Others are the verdicts of
// package tactics.
const unread = -1

const (
	readNodes     = 300 // moves that a reading may play: a tenth of a millisecond
	readLiberties = 4   // more are not captured by force
)

// Read reads whether strings can be captured when they move first, and when they
// move second: those that which tells, and that have few liberties. It plays on the
// position, which is that of the board, and takes all moves back.
func (s *Survey) Read(p *weiqi.Position, which func(i int) bool) {
	if s.reader == nil {
		s.reader = tactics.New(p)
		s.reader.Limit(readNodes)
	}
	s.reader.Reset(p)
	for i := range s.read {
		if len(s.b.Liberties(i)) > readLiberties || !which(i) {
			continue
		}
		at, side := s.b.Strings[i].Head.Point(), s.b.Strings[i].Colour.Side()
		s.read[i][0] = float32(s.reader.Capture(at, side).Verdict)
		s.read[i][1] = float32(s.reader.Capture(at, side.Opponent()).Verdict)
	}
}

func logit(p float32) float32 {
	p = min(max(p, 1e-4), 1-1e-4)
	return float32(math.Log(float64(p / (1 - p))))
}
