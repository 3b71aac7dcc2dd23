package stringgraph

import (
	"qipu/board"
	"qipu/game/weiqi/life"
)

// Method is the name of the judgements made here.
const Method = "graph"

// es is an empty vertex of the graph: a maximal area of empty points, or a single
// point beside stones of both colours. Points of dead stones are empty.
type es struct {
	cells, strings span
	touch          uint8 // 1 if black stones are beside it, 2 if white ones, 3 if both
	dame           bool  // a single point beside both colours
	open           bool  // such a point is beside it
	ring           bool  // on a circle, as far as is known
	halves         int   // of eyes, to the group around it
}

type span struct{ from, to uint16 }

// Judge judges boards by their string graphs. The zero value is ready; it is
// large and is meant to be reused. It is not safe for use by two at once.
type Judge struct {
	b     *life.Board
	size  board.Size
	stone [life.Cells]life.Stone // the board without its dead
	of    [life.Cells]int16      // the es of an empty cell
	touch [life.Cells]uint8      // colours beside an empty cell
	link  [life.Cells]bool       // single points that join what nothing else joins

	es      []es
	cells   []life.Cell // of all es
	strings []int16     // likewise, the strings beside them

	// Of every string.
	group  life.Sets // that SR makes
	status []life.Status
	circle []bool // on a circle of strings and empty areas
	unsure []bool // its status is the better guess of two
	degree []int16

	// Of every group, at the number of its root.
	first, next []int16 // its strings, as a list
	halves      []int   // of eyes
	stones      []int
	asg         []bool

	pairs  []pair
	doomed []int16
	enemy  []int16
	space  []life.Cell
	field  [2][life.Cells]int32 // influence, zero on walls
	self   [life.Cells]int32    // how often a cell counts itself when influence spreads
	mark   life.Marks
	seen   life.Marks // beside those of mark

	trace *tracer
}

// pair is a liberty that two groups share.
type pair struct {
	a, b int16
	at   life.Cell
}

// Judge fills a judgement that was begun on the board: the status and the group of
// every string, the owner of every point, and under trace the steps that led there,
// each with the graph after it. Without trace it allocates nothing but what the
// judgement keeps.
func (g *Judge) Judge(b *life.Board, trace bool, j *life.Judgement) {
	g.begin(b)
	if trace {
		g.trace = &tracer{g: g, j: j}
	}
	for {
		g.findAreas()
		g.findCircles()
		g.join()
		g.countEyes()
		if !g.removeWeakest() {
			break
		}
	}
	g.revive()
	g.finish(j)
	g.b, g.trace = nil, nil
}

func (g *Judge) begin(b *life.Board) {
	if b.Size != g.size {
		g.size = b.Size
		g.field = [2][life.Cells]int32{}
		for _, c := range b.On {
			g.self[c] = 1
			for _, step := range life.Steps {
				if b.Stone[c+step] == life.Wall {
					g.self[c]++
				}
			}
		}
	}
	g.b = b
	n := len(b.Strings)
	g.stone = b.Stone
	clear(g.link[:])
	g.group.Reset(n)
	g.status, g.circle = life.Zeros(g.status, n), life.Zeros(g.circle, n)
	g.degree, g.first, g.next = life.Zeros(g.degree, n), life.Zeros(g.first, n), life.Zeros(g.next, n)
	g.halves, g.stones, g.asg, g.unsure = life.Zeros(g.halves, n), life.Zeros(g.stones, n), life.Zeros(g.asg, n), life.Zeros(g.unsure, n)
	g.trace = nil
}

// countEyes counts the eyes of every group, and says which are alive: ET, APC and
// the ASG verdict.
func (g *Judge) countEyes() {
	for i := range g.group {
		g.first[i], g.halves[i], g.stones[i] = -1, 0, 0
	}
	for i := len(g.group) - 1; i >= 0; i-- {
		if g.status[i] == life.Dead {
			continue
		}
		r := g.group.Root(int16(i))
		g.next[i], g.first[r] = g.first[r], int16(i)
		g.stones[r] += g.b.Strings[i].Stones
		if g.circle[i] {
			g.halves[r] = twoEyes
		}
		g.asg[r] = g.asg[r] || g.asg[i]
	}
	for i := range g.es {
		e := &g.es[i]
		e.halves = 0
		if !e.closed() {
			continue
		}
		cells := g.cellsOf(e)
		if len(cells) == 1 {
			e.halves = g.single(e, cells[0])
		} else {
			e.halves = areaEyes(cells, g.taken)
		}
		g.halves[g.group.Root(g.stringsOf(e)[0])] += e.halves
	}
	if g.trace != nil {
		g.trace.eyes()
	}
	for i := range g.group {
		if g.first[i] < 0 {
			continue
		}
		if g.halves[i] >= twoEyes && !g.asg[i] {
			g.asg[i] = true
			if g.trace != nil {
				g.trace.alive(int16(i))
			}
		}
		g.leaveSeki(int16(i))
	}
}

// leaveSeki takes back that strings are in seki if their group is alive by now, or
// has grown by strings that are not.
func (g *Judge) leaveSeki(r int16) {
	seki := !g.asg[r]
	for s := g.first[r]; s >= 0; s = g.next[s] {
		seki = seki && g.status[s] == life.Seki
	}
	for s := g.first[r]; s >= 0 && !seki; s = g.next[s] {
		g.status[s] = life.Unknown
	}
}

// taken reports whether a dead stone lies on a cell that counts as empty.
func (g *Judge) taken(c life.Cell) bool { return g.b.Stone[c] != life.Empty }

// single returns the halves of eyes of a single point: none where enemy stones
// hold the diagonals and it takes several strings to surround it, one where it is
// needed as a link.
func (g *Judge) single(e *es, c life.Cell) int {
	switch {
	case e.open:
		return 0
	case len(g.stringsOf(e)) == 1:
		return oneEye
	}
	enemy := life.Stone(3 - e.touch)
	held, allowed := 0, 1
	for _, v := range [2]life.Cell{life.Up, life.Down} {
		for _, h := range [2]life.Cell{life.Left, life.Right} {
			switch g.stone[c+v+h] {
			case enemy:
				held++
			case life.Wall:
				allowed = 0
			}
		}
	}
	switch {
	case held > allowed:
		return 0
	case g.link[c]:
		return 1
	}
	return oneEye
}

// revive takes back what was found dead and now lies inside what belongs to its
// own side, since those around it died as well.
func (g *Judge) revive() {
	for i := range g.status {
		if g.status[i] != life.Dead {
			continue
		}
		head := g.b.Strings[i].Head
		e := &g.es[g.of[head]]
		if e.touch != uint8(g.b.Strings[i].Colour) {
			continue
		}
		around := g.stringsOf(e)[0]
		g.status[i], g.unsure[i] = max(g.status[around], life.Alive), true
		if g.trace != nil {
			g.trace.revive(int16(i), around)
		}
		halves := g.halves[g.group.Root(around)]
		g.group.Join(int16(i), around)
		g.halves[g.group.Root(around)] = halves
	}
}

// finish writes the judgement.
func (g *Judge) finish(j *life.Judgement) {
	for i := range g.first {
		g.first[i] = -1
	}
	arena := make([]int, 0, len(g.group))
	groups := int16(0)
	for i := range g.group {
		if g.group.Root(int16(i)) != int16(i) {
			continue
		}
		g.first[i] = groups
		groups++
	}
	j.Groups = j.Groups[:groups]
	for i := range g.group {
		r := g.group.Root(int16(i))
		v := &j.Strings[i]
		if v.Status = g.status[i]; v.Status == life.Unknown {
			v.Status = life.Alive
		}
		v.Group = int(g.first[r])
		v.Unclear = g.unsure[i]
		v.Chance = 1
		if v.Status == life.Dead {
			v.Chance = 0
		}
		if int16(i) == r {
			at := len(arena)
			for k := i; k < len(g.group); k++ {
				if g.group.Root(int16(k)) == r {
					arena = append(arena, k)
				}
			}
			j.Groups[v.Group] = life.Group{Side: v.Side, Status: v.Status, Strings: arena[at:len(arena):len(arena)],
				Eyes: float64(g.halves[r]) / 2}
		}
	}
	j.Fill(g.b)
	for i := range g.es {
		e := &g.es[i]
		if e.closed() && g.status[g.stringsOf(e)[0]] == life.Seki {
			for _, c := range g.cellsOf(e) {
				j.Owner[c.Point()] = life.Neutral
			}
		}
	}
	if g.trace != nil {
		g.trace.finish()
	}
}
