package stringgraph

import (
	"slices"
	"strconv"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
)

// tracer writes down what a Judge does, as steps that change a graph.
type tracer struct {
	g     *Judge
	j     *life.Judgement
	graph *life.Graph // as it is now
}

// build makes the graph of strings and empty vertices as they are now: of the
// whole board, as long as nothing is dead.
func (g *Judge) build() *life.Graph {
	b := g.b
	n := &life.Graph{Edges: []life.Edge{}}
	counts := [2]int{}
	for i := range b.Strings {
		side := b.Strings[i].Colour.Side()
		counts[side]++
		n.Vertices = append(n.Vertices, life.Vertex{Kind: life.KindOf[side], Name: life.KindOf[side] + strconv.Itoa(counts[side]),
			Points: pointsOf(b.Stones(i))})
	}
	first := len(n.Vertices)
	for i := range g.es {
		e := &g.es[i]
		n.Vertices = append(n.Vertices, life.Vertex{Kind: life.KindEmpty, Name: life.KindEmpty + strconv.Itoa(i+1), Points: pointsOf(g.cellsOf(e))})
		for _, s := range g.stringsOf(e) {
			n.Edges = append(n.Edges, life.Edge{From: int(s), To: first + i,
				Directed: e.closed() && len(g.stringsOf(e)) == 1})
		}
		for _, c := range g.cellsOf(e) {
			for _, step := range life.Steps {
				if d := c + step; g.stone[d] == life.Empty && g.of[d] != int16(i) {
					n.Edges = append(n.Edges, life.Edge{From: first + i, To: first + int(g.of[d])})
				}
			}
		}
	}
	for i := range b.Strings {
		for _, e := range b.Enemies(i) {
			n.Edges = append(n.Edges, life.Edge{From: i, To: int(e)})
		}
		g.contained(i, func(c life.Cell) {
			to := int(g.b.Of[c])
			if g.stone[c] == life.Empty {
				if to = first + int(g.of[c]); !slices.Contains(g.stringsOf(&g.es[g.of[c]]), int16(i)) {
					return
				}
			}
			n.Edges = append(n.Edges, life.Edge{From: i, To: to, Directed: true})
		})
	}
	n.Tidy()
	return n
}

// contained calls found for every cell inside a string: in a part of the rest of
// the board that has no enemy stones; or in a part between stones of its colour
// that touches no other string of that colour, and is the smaller part of the
// board, since both sides of a wall would be inside it otherwise.
func (g *Judge) contained(number int, found func(life.Cell)) {
	b, colour := g.b, g.b.Strings[number].Colour
	for _, apart := range [2]bool{false, true} { // whether other strings of the colour are walls too
		g.mark.Begin()
		for _, head := range b.On {
			if g.mark.Has(head) || int(b.Of[head]) == number && g.stone[head] == colour || apart && g.stone[head] == colour {
				continue
			}
			alone, enemies := true, false
			part := []life.Cell{head}
			g.mark.Add(head)
			for i := 0; i < len(part); i++ {
				enemies = enemies || g.stone[part[i]] == colour.Other()
				for _, step := range life.Steps {
					d := part[i] + step
					own := g.stone[d] == colour
					switch {
					case g.stone[d] == life.Wall || g.mark.Has(d) || own && int(b.Of[d]) == number:
					case own && apart:
						alone = false
					default:
						g.mark.Add(d)
						part = append(part, d)
					}
				}
			}
			if apart && alone && 2*len(part) < len(b.On) || !apart && !enemies {
				for _, c := range part {
					found(c)
				}
			}
		}
	}
}

func pointsOf(cells []life.Cell) []board.Point {
	points := make([]board.Point, len(cells))
	for i, c := range cells {
		points[i] = c.Point()
	}
	slices.Sort(points)
	return points
}

// add writes a step down, with the graph after it.
func (t *tracer) add(s life.Step) {
	if s.Strings == nil {
		s.Strings = []board.Point{}
	}
	if s.Points == nil {
		s.Points = []board.Point{}
	}
	if t.graph != nil {
		t.graph = t.graph.Apply(&s)
	} else {
		t.graph = t.g.build()
	}
	s.Graph = t.graph
	t.j.Steps = append(t.j.Steps, s)
}

func (t *tracer) side(s int16) game.Side { return t.g.b.Strings[s].Colour.Side() }

// heads returns the heads of the strings for which a test holds.
func (t *tracer) heads(test func(s int16) bool) (heads []board.Point) {
	for i := range t.g.group {
		if test(int16(i)) {
			heads = append(heads, t.g.b.Strings[i].Head.Point())
		}
	}
	return heads
}

// group returns the heads of the strings of a group that are not dead.
func (t *tracer) group(of int16) []board.Point {
	r := t.g.group.Root(of)
	return t.heads(func(s int16) bool { return t.g.group.Root(s) == r && t.g.status[s] != life.Dead })
}

// areas follows the empty vertices as they grow over the dead: DESR, then ER.
func (t *tracer) areas() {
	g := t.g
	if t.graph == nil {
		t.add(life.Step{Rule: life.RuleGraph})
		return
	}
	for i := range g.es {
		e := &g.es[i]
		points := pointsOf(g.cellsOf(e))
		parts := t.graph.Holding(points, "")
		if v := &t.graph.Vertices[parts[0]]; len(parts) == 1 && !v.Dead {
			continue // as it was, or still a link
		}
		var on, made board.Plane
		for _, p := range points {
			on.Add(p)
		}
		for _, k := range parts {
			if v := &t.graph.Vertices[k]; v.Dead {
				addAll(&made, v.Points, &on)
			}
		}
		if !made.Empty() {
			s := life.Step{Rule: life.RuleDESR}
			for _, edge := range t.graph.Edges {
				from, to := &t.graph.Vertices[edge.From], &t.graph.Vertices[edge.To]
				if from.Kind == life.KindEmpty && to.Dead {
					from, to = to, from
				}
				if from.Dead && to.Kind == life.KindEmpty && on.Has(to.Points[0]) {
					addAll(&made, to.Points, &on)
				}
			}
			s.Points = slices.Collect(made.Points())
			s.Strings = t.heads(func(n int16) bool {
				head := g.b.Strings[n].Head
				return made.Has(head.Point()) && t.graph.Vertices[t.vertex(head)].Dead
			})
			if len(s.Strings) > 0 {
				s.Side = t.side(g.b.Of[life.CellOf(s.Strings[0])])
			}
			t.add(s)
		}
		if made.Count() < len(points) {
			t.add(life.Step{Rule: life.RuleER, Side: game.Side(e.touch&1 ^ 1), Points: points})
		}
	}
}

func addAll(set *board.Plane, points []board.Point, within *board.Plane) {
	for _, p := range points {
		if within.Has(p) {
			set.Add(p)
		}
	}
}

// vertex returns the vertex that holds a cell.
func (t *tracer) vertex(c life.Cell) int {
	p := c.Point()
	return slices.IndexFunc(t.graph.Vertices, func(v life.Vertex) bool { return slices.Contains(v.Points, p) })
}

// inside reports whether a string is around another: without the outer one the
// board falls apart, and the inner one is in less than half of it.
func (t *tracer) inside(outer, inner int16) bool {
	b := t.g.b
	part := []life.Cell{b.Strings[inner].Head}
	t.g.mark.Begin()
	t.g.mark.Add(part[0])
	for i := 0; i < len(part); i++ {
		for _, step := range life.Steps {
			c := part[i] + step
			if s := b.Stone[c]; s != life.Wall && (s == life.Empty || b.Of[c] != outer) && t.g.mark.Add(c) {
				part = append(part, c)
			}
		}
	}
	return 2*len(part) < len(b.On)
}

// circles writes down the strings that were found on circles: CG, one step for
// every circle or net of circles. Where one string contains the others, it is SCSR
// that will say so.
func (t *tracer) circles() {
	g := t.g
	done := make([]bool, len(g.circle))
	for i, on := range g.circle {
		if !on || done[i] {
			continue
		}
		net, cells := []int16{int16(i)}, []life.Cell{}
		done[i] = true
		for k := 0; k < len(net); k++ {
			for n := range g.es {
				e := &g.es[n]
				around := g.stringsOf(e)
				if !e.closed() || e.open || !slices.Contains(around, net[k]) {
					continue
				}
				more := 0
				for _, s := range around {
					if g.circle[s] {
						more++
						if !done[s] {
							done[s] = true
							net = append(net, s)
						}
					}
				}
				if more > 1 && !slices.Contains(cells, g.cellsOf(e)[0]) {
					cells = append(cells, g.cellsOf(e)...)
				}
			}
		}
		if len(net) < 2 || t.told(net) {
			continue
		}
		t.add(life.Step{Rule: life.RuleCG, Side: t.side(net[0]), Strings: t.heads(func(s int16) bool { return slices.Contains(net, s) }),
			Points: pointsOf(cells), Status: life.Alive, Count: len(net)})
	}
}

// told reports whether all the strings of a circle are known to be alive, or are
// inside one of them, or one vertex already.
func (t *tracer) told(net []int16) bool {
	at := make([]int, len(net))
	alive := true
	for i, s := range net {
		at[i] = t.vertex(t.g.b.Strings[s].Head)
		alive = alive && t.graph.Vertices[at[i]].Alive
	}
	slices.Sort(at)
	if len(slices.Compact(at)) == 1 || alive {
		return true
	}
	return slices.ContainsFunc(net, func(outer int16) bool {
		return !slices.ContainsFunc(net, func(inner int16) bool { return inner != outer && !t.inside(outer, inner) })
	})
}

// joinOver writes down that two strings are joined by the area between them: SR,
// or SCSR if one is inside the other.
func (t *tracer) joinOver(a, b int16, e *es) {
	s := life.Step{Rule: life.RuleSR, Side: t.side(a)}
	if t.shared(a, b) >= 2 && (t.inside(a, b) || t.inside(b, a)) {
		s.Rule = life.RuleSCSR
	} else {
		s.Points = t.between(a, b, e)
	}
	s.Strings = append(t.group(a), t.group(b)...)
	slices.Sort(s.Strings)
	t.add(s)
}

// shared counts the areas without enemies that two strings are beside.
func (t *tracer) shared(a, b int16) (n int) {
	g := t.g
	for i := range g.es {
		if e := &g.es[i]; e.closed() && slices.Contains(g.stringsOf(e), a) && slices.Contains(g.stringsOf(e), b) {
			n++
		}
	}
	return n
}

// between returns the points of an area that are beside both groups; all of them
// where none is.
func (t *tracer) between(a, b int16, e *es) (points []board.Point) {
	g := t.g
	ra, rb := g.group.Root(a), g.group.Root(b)
	for _, c := range g.cellsOf(e) {
		has := [2]bool{}
		for _, step := range life.Steps {
			if s := g.stone[c+step]; s == life.Black || s == life.White {
				r := g.group.Root(g.b.Of[c+step])
				has[0], has[1] = has[0] || r == ra, has[1] || r == rb
			}
		}
		if has[0] && has[1] {
			points = append(points, c.Point())
		}
	}
	slices.Sort(points)
	return points
}

// joinAt writes down that two groups are joined by liberties that they share
// beside the enemy: SR.
func (t *tracer) joinAt(a, b int16, at ...life.Cell) {
	s := life.Step{Rule: life.RuleSR, Side: t.side(a), Strings: append(t.group(a), t.group(b)...), Points: pointsOf(at)}
	slices.Sort(s.Strings)
	t.add(s)
}

// eyes writes down the areas that one group alone surrounds: ET.
func (t *tracer) eyes() {
	g := t.g
	for i := range g.es {
		e := &g.es[i]
		if !e.closed() || e.halves == 0 && !g.circle[g.stringsOf(e)[0]] {
			continue
		}
		around := t.vertex(g.b.Strings[g.stringsOf(e)[0]].Head)
		at := t.vertex(g.cellsOf(e)[0])
		edge := life.Edge{From: min(at, around), To: max(at, around)}
		if t.graph.Vertices[at].Kind == life.KindEmpty && slices.Contains(t.graph.Edges, edge) {
			r := g.stringsOf(e)[0]
			t.add(life.Step{Rule: life.RuleET, Side: t.side(r), Strings: t.group(r), Points: pointsOf(g.cellsOf(e)), Count: e.halves})
		}
	}
}

// eyesOf returns the points of the areas that are eyes of a group; where they are
// to be two eyes each, those of the first alone.
func (t *tracer) eyesOf(r int16, halves int) (points []board.Point) {
	g := t.g
	for i := range g.es {
		if e := &g.es[i]; e.closed() && e.halves >= halves && g.group.Root(g.stringsOf(e)[0]) == r {
			points = append(points, pointsOf(g.cellsOf(e))...)
			if halves == twoEyes {
				break
			}
		}
	}
	slices.Sort(points)
	return points
}

// alive writes down why a group is alive: APC, wide room, or the ASG verdict.
func (t *tracer) alive(r int16) {
	g := t.g
	if t.graph.Vertices[t.vertex(g.b.Strings[r].Head)].Alive {
		return
	}
	s := life.Step{Rule: life.RuleASG, Side: t.side(r), Strings: t.group(r), Status: life.Alive}
	if s.Points = t.eyesOf(r, twoEyes); len(s.Points) == 0 {
		s.Points, s.Count = t.eyesOf(r, 1), g.halves[r]
	} else if s.Count = cutsOf(s.Points); s.Count >= 2 {
		s.Rule = life.RuleAPC
	} else {
		s.Rule, s.Count = life.RuleRoom, len(s.Points)
	}
	t.add(s)
}

// cutsOf counts the points without which a set of points falls apart.
func cutsOf(points []board.Point) (n int) {
	size := board.Size{W: board.MaxSide, H: board.MaxSide}
	var all board.Plane
	for _, p := range points {
		all.Add(p)
	}
	for _, p := range points {
		rest := all
		rest.Remove(p)
		if rest.Empty() {
			continue
		}
		var seed board.Plane
		seed.Add(rest.First())
		if seed = seed.Flood(size, &rest); seed.Count() < len(points)-1 {
			n++
		}
	}
	return n
}

func (t *tracer) dead(r int16) {
	t.add(life.Step{Rule: life.RuleNone, Side: t.side(r), Strings: t.group(r), Points: t.eyesOf(r, 1), Status: life.Dead, Count: t.g.halves[r]})
}

func (t *tracer) seki(r int16) {
	t.add(life.Step{Rule: life.RuleSeki, Side: t.side(r), Strings: t.group(r), Points: t.eyesOf(r, 1), Status: life.Seki, Count: t.g.halves[r]})
}

// revive writes down that a string was dead only until those around it died.
func (t *tracer) revive(i, around int16) {
	t.add(life.Step{Rule: life.RuleTaken, Side: t.side(i), Status: t.g.status[i], Points: pointsOf(t.g.b.Stones(int(i))),
		Strings: []board.Point{t.g.b.Strings[i].Head.Point(), t.g.b.Strings[around].Head.Point()}})
}

// finish lists for every string the steps that its status rests on: those about
// its group, and those that made the areas in it, with what died there.
func (t *tracer) finish() {
	j := t.j
	lists := make([][]int, len(j.Groups))
	for i := range lists {
		lists[i] = t.reasons(&j.Groups[i])
	}
	for i := range j.Strings {
		j.Strings[i].Steps = lists[j.Strings[i].Group]
	}
}

func (t *tracer) reasons(group *life.Group) (list []int) {
	g := t.g
	heads := map[board.Point]bool{}
	for _, s := range group.Strings {
		heads[g.b.Strings[s].Head.Point()] = true
	}
	var eyes board.Plane
	for i := range g.es {
		e := &g.es[i]
		if e.closed() && slices.Contains(group.Strings, int(g.stringsOf(e)[0])) {
			for _, c := range g.cellsOf(e) {
				eyes.Add(c.Point())
				if g.b.Stone[c] != life.Empty { // who died here, died for this group
					heads[g.b.Strings[g.b.Of[c]].Head.Point()] = true
				}
			}
		}
	}
	last := 0 // the step that decided
	for i := range t.j.Steps {
		s := &t.j.Steps[i]
		own := slices.ContainsFunc(s.Strings, func(p board.Point) bool {
			return slices.Contains(group.Strings, int(g.b.Of[life.CellOf(p)]))
		})
		if own && s.Rule != life.RuleDESR && s.Rule != life.RuleET {
			last = i
		}
	}
	for i := range t.j.Steps[:last+1] {
		s := &t.j.Steps[i]
		if slices.ContainsFunc(s.Strings, func(p board.Point) bool { return heads[p] }) ||
			s.Rule == life.RuleER && eyes.Has(s.Points[0]) {
			list = append(list, i)
		}
	}
	return list
}
