package stringgraph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
)

// The figures of the paper are graphs without boards, since the drawings are lost.
// What is here reads, reduces and writes such graphs, for the tests alone: [Judge]
// works on boards, and [life.Graph.Apply] is what both share.

// Build returns the string graph of a board before any reduction.
func Build(b *life.Board) *life.Graph {
	g := new(Judge)
	g.begin(b)
	g.findAreas()
	return g.build()
}

// maxVertices bounds graphs that are read from text.
const maxVertices = board.MaxPoints / 2

// Parse reads a graph from text: edges separated by commas, "--" between
// neighbours, "->" from what contains to what is contained, and chains of both.
//
//	BS1->ES1, BS1--ES2--BS2--ES3--BS3, BS3->ES4
//
// Vertices are numbered in the order in which they are named first. As there is no
// board, each has one point, which means nothing but that vertex.
func Parse(text string) (*life.Graph, error) {
	g := new(life.Graph)
	numbers := map[string]int{}
	for chain := range strings.SplitSeq(text, ",") {
		chain = strings.TrimSpace(chain)
		for last, directed := -1, false; chain != ""; {
			name, rest := chain, ""
			next, arrow := false, false
			if i := strings.IndexByte(chain, '-'); i >= 0 {
				name, rest = chain[:i], chain[i:]
				next, arrow = true, strings.HasPrefix(rest, "->")
				if !arrow && !strings.HasPrefix(rest, "--") {
					return nil, fmt.Errorf(`stringgraph: %q: write "--" between neighbours and "->" for what contains the next`, chain)
				}
				rest = rest[2:]
			}
			name = strings.TrimSpace(name)
			kind, ok := kindOf(name)
			if !ok {
				return nil, fmt.Errorf("stringgraph: %q names no vertex: write BS, WS or ES and a number", name)
			}
			at, ok := numbers[name]
			if !ok {
				if at = len(g.Vertices); at == maxVertices {
					return nil, fmt.Errorf("stringgraph: more than %d vertices: leave some out", maxVertices)
				}
				numbers[name] = at
				g.Vertices = append(g.Vertices, life.Vertex{Name: name, Kind: kind, Points: []board.Point{board.Point(at)}})
			}
			if last == at {
				return nil, fmt.Errorf("stringgraph: %s cannot be beside itself", name)
			}
			if last >= 0 {
				g.Edges = append(g.Edges, life.Edge{From: last, To: at, Directed: directed})
			}
			if chain = strings.TrimSpace(rest); next && chain == "" {
				return nil, fmt.Errorf("stringgraph: a vertex is missing after the edge of %s", name)
			}
			last, directed = at, arrow
		}
	}
	g.Tidy()
	return g, nil
}

// kindOf returns the kind of a vertex by its name: two letters and a number.
func kindOf(name string) (kind string, ok bool) {
	if len(name) < 3 {
		return "", false
	}
	if n, err := strconv.Atoi(name[2:]); err != nil || n <= 0 || name[2] == '+' {
		return "", false
	}
	switch kind = name[:2]; kind {
	case life.KindBlack, life.KindWhite, life.KindEmpty:
		return kind, true
	}
	return "", false
}

// Format writes a graph as [Parse] reads it, one edge at a time; a vertex without
// edges stands alone. What is alive is followed by +, what is dead by x.
func Format(g *life.Graph) string {
	var parts []string
	alone := make([]bool, len(g.Vertices))
	name := func(i int) string {
		alone[i] = false
		switch v := &g.Vertices[i]; {
		case v.Alive:
			return v.Name + "+"
		case v.Dead:
			return v.Name + "x"
		default:
			return v.Name
		}
	}
	for i := range alone {
		alone[i] = true
	}
	for _, e := range g.Edges {
		between := "--"
		if e.Directed {
			between = "->"
		}
		parts = append(parts, name(e.From)+between+name(e.To))
	}
	for i, a := range alone {
		if a {
			parts = append(parts, name(i))
		}
	}
	return strings.Join(parts, ", ")
}

// Reduce applies the rules to a graph alone, as the paper draws it, until none is
// left, and returns the steps; the first is the graph as it is given, the last ones
// say of everything that is not alive that it is not. Where there is no board, an
// enemy string is dead if it is contained and not alive, and nothing is removed
// that is not contained: [Judge] knows more.
func Reduce(g *life.Graph) []life.Step {
	r := reducer{graph: g}
	r.steps = []life.Step{{Rule: life.RuleGraph, Strings: []board.Point{}, Points: []board.Point{}, Graph: g}}
	inner := []func(game.Side) (life.Step, bool){r.cg, r.sr, r.er, r.et, r.scsr, r.apc, r.asg}
	for r.all(inner) || r.all([]func(game.Side) (life.Step, bool){r.desr}) {
	}
	for side := range game.Side(2) {
		for i := range r.graph.Vertices {
			if v := &r.graph.Vertices[i]; v.Kind == life.KindOf[side] && !v.Alive {
				r.add(life.Step{Rule: life.RuleNone, Side: side, Strings: v.Points, Status: life.Dead})
			}
		}
	}
	return r.steps
}

// reducer finds where rules can be applied. Graphs that are read from text are
// small, so everything is a walk over all edges.
type reducer struct {
	graph *life.Graph
	steps []life.Step
}

// all applies the first rule that can be applied, once for a side, and reports
// whether there was one.
func (r *reducer) all(rules []func(game.Side) (life.Step, bool)) bool {
	for side := range game.Side(2) {
		for _, rule := range rules {
			if s, ok := rule(side); ok {
				s.Side = side
				r.add(s)
				return true
			}
		}
	}
	return false
}

func (r *reducer) add(s life.Step) {
	if s.Points == nil {
		s.Points = []board.Point{}
	}
	if s.Strings == nil {
		s.Strings = []board.Point{}
	}
	r.graph = r.graph.Apply(&s)
	s.Graph = r.graph
	r.steps = append(r.steps, s)
}

func (r *reducer) kind(i int) string { return r.graph.Vertices[i].Kind }

// beside returns the neighbours of a vertex over undirected edges, of one kind.
func (r *reducer) beside(i int, kind string) (list []int) {
	for _, e := range r.graph.Edges {
		other := e.To
		if e.To == i {
			other = e.From
		} else if e.From != i {
			continue
		}
		if !e.Directed && r.kind(other) == kind {
			list = append(list, other)
		}
	}
	return list
}

// contains returns what a vertex contains, of one kind.
func (r *reducer) contains(i int, kind string) (list []int) {
	for _, e := range r.graph.Edges {
		if e.Directed && e.From == i && r.kind(e.To) == kind {
			list = append(list, e.To)
		}
	}
	return list
}

// points returns the points of vertices.
func (r *reducer) points(list ...int) (points []board.Point) {
	for _, i := range list {
		points = append(points, r.graph.Vertices[i].Points...)
	}
	slices.Sort(points)
	return points
}

// each calls test for the vertices of a kind until it finds something.
func (r *reducer) each(kind string, test func(i int) (life.Step, bool)) (life.Step, bool) {
	for i := range r.graph.Vertices {
		if r.kind(i) == kind {
			if s, ok := test(i); ok {
				return s, true
			}
		}
	}
	return life.Step{}, false
}

// cg finds strings on circles: what is left when everything with fewer than two
// neighbours is taken away, again and again.
func (r *reducer) cg(side game.Side) (life.Step, bool) {
	near := make([][]int, len(r.graph.Vertices))
	enemy := r.graph.Besides(life.KindOf[1-side])
	for i := range near {
		switch {
		case r.kind(i) == life.KindOf[side]:
			near[i] = slices.DeleteFunc(r.beside(i, life.KindEmpty), func(e int) bool { return enemy[e] })
		case r.kind(i) == life.KindEmpty && !enemy[i]:
			near[i] = r.beside(i, life.KindOf[side])
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range near {
			if len(near[i]) != 1 {
				continue
			}
			k := near[i][0]
			near[i], changed = nil, true
			near[k] = slices.DeleteFunc(near[k], func(n int) bool { return n == i })
		}
	}
	return r.each(life.KindOf[side], func(i int) (life.Step, bool) {
		if len(near[i]) == 0 || r.graph.Vertices[i].Alive {
			return life.Step{}, false
		}
		net := []int{i}
		for k := 0; k < len(net); k++ {
			for _, n := range near[net[k]] {
				if !slices.Contains(net, n) {
					net = append(net, n)
				}
			}
		}
		s := life.Step{Rule: life.RuleCG, Status: life.Alive}
		for _, n := range net {
			if r.kind(n) == life.KindEmpty {
				s.Points = append(s.Points, r.points(n)...)
			} else {
				s.Strings = append(s.Strings, r.points(n)...)
				s.Count++
			}
		}
		slices.Sort(s.Points)
		slices.Sort(s.Strings)
		return s, true
	})
}

func (r *reducer) sr(side game.Side) (life.Step, bool) {
	enemy := r.graph.Besides(life.KindOf[1-side])
	return r.each(life.KindEmpty, func(i int) (life.Step, bool) {
		v := r.beside(i, life.KindOf[side])
		if len(v) < 2 || enemy[i] {
			return life.Step{}, false
		}
		return life.Step{Rule: life.RuleSR, Strings: r.points(v[0], v[1]), Points: r.points(i)}, true
	})
}

// er finds neighbouring empty vertices beside one link vertex: it is SR that makes
// them one.
func (r *reducer) er(side game.Side) (life.Step, bool) {
	return r.each(life.KindEmpty, func(i int) (life.Step, bool) {
		for _, k := range r.beside(i, life.KindEmpty) {
			for _, v := range r.beside(i, life.KindOf[side]) {
				if strings.HasPrefix(r.graph.Vertices[v].Name, "LV") && slices.Contains(r.beside(k, life.KindOf[side]), v) {
					return life.Step{Rule: life.RuleER, Points: r.points(i, k)}, true
				}
			}
		}
		return life.Step{}, false
	})
}

func (r *reducer) et(side game.Side) (life.Step, bool) {
	return r.each(life.KindEmpty, func(i int) (life.Step, bool) {
		v := r.beside(i, life.KindOf[side])
		contained := slices.ContainsFunc(r.graph.Edges, func(e life.Edge) bool { return e.Directed && e.To == i })
		if contained || len(v) != 1 || len(r.beside(i, life.KindOf[1-side])) > 0 || len(r.beside(i, life.KindEmpty)) > 0 {
			return life.Step{}, false
		}
		return life.Step{Rule: life.RuleET, Strings: r.points(v[0]), Points: r.points(i)}, true
	})
}

// desr finds dead strings of the side inside an enemy, with empty vertices beside
// them that it contains too.
func (r *reducer) desr(side game.Side) (life.Step, bool) {
	return r.each(life.KindOf[1-side], func(outer int) (life.Step, bool) {
		inside := r.contains(outer, life.KindEmpty)
		for _, w := range r.contains(outer, life.KindOf[side]) {
			near := append(r.beside(w, life.KindEmpty), r.contains(w, life.KindEmpty)...)
			near = slices.DeleteFunc(near, func(e int) bool {
				return !slices.Contains(inside, e) && !slices.Contains(r.contains(w, life.KindEmpty), e)
			})
			if !r.graph.Vertices[w].Alive && len(near) > 0 {
				return life.Step{Rule: life.RuleDESR, Strings: r.points(w), Points: r.points(append(near, w)...)}, true
			}
		}
		return life.Step{}, false
	})
}

func (r *reducer) scsr(side game.Side) (life.Step, bool) {
	return r.each(life.KindOf[side], func(outer int) (life.Step, bool) {
		inside := r.contains(outer, life.KindEmpty)
		for _, w := range r.contains(outer, life.KindOf[side]) {
			n := 0
			for _, e := range r.beside(w, life.KindEmpty) {
				if slices.Contains(inside, e) && len(r.beside(e, life.KindOf[1-side])) == 0 {
					n++
				}
			}
			if n >= 2 {
				return life.Step{Rule: life.RuleSCSR, Strings: r.points(outer, w), Count: n}, true
			}
		}
		return life.Step{}, false
	})
}

// rooms returns what a vertex contains as sets of empty vertices that are
// neighbours of one another. Those beside an enemy are none before DESR.
func (r *reducer) rooms(i int) (rooms [][]int) {
	enemy := life.KindBlack
	if r.kind(i) == life.KindBlack {
		enemy = life.KindWhite
	}
	left := slices.DeleteFunc(r.contains(i, life.KindEmpty), func(e int) bool { return len(r.beside(e, enemy)) > 0 })
	for len(left) > 0 {
		room := r.flood(left, left[0])
		left = slices.DeleteFunc(left, func(e int) bool { return slices.Contains(room, e) })
		rooms = append(rooms, room)
	}
	return rooms
}

// flood returns the vertices of a set that can be reached from one of them.
func (r *reducer) flood(set []int, from int) []int {
	room := []int{from}
	for k := 0; k < len(room); k++ {
		for _, n := range r.beside(room[k], life.KindEmpty) {
			if slices.Contains(set, n) && !slices.Contains(room, n) {
				room = append(room, n)
			}
		}
	}
	return room
}

// apc counts the vertices, or the points of a single one, that divide a room.
func (r *reducer) apc(side game.Side) (life.Step, bool) {
	return r.each(life.KindOf[side], func(i int) (life.Step, bool) {
		for _, room := range r.rooms(i) {
			n := 0
			if points := r.points(room...); len(points) > len(room) {
				n = cutsOf(points)
			} else {
				for _, cut := range room {
					rest := slices.DeleteFunc(slices.Clone(room), func(e int) bool { return e == cut })
					if len(rest) > 0 && len(r.flood(rest, rest[0])) < len(rest) {
						n++
					}
				}
			}
			if n >= 2 && !r.graph.Vertices[i].Alive {
				return life.Step{Rule: life.RuleAPC, Status: life.Alive, Strings: r.points(i), Points: r.points(room...), Count: n}, true
			}
		}
		return life.Step{}, false
	})
}

func (r *reducer) asg(side game.Side) (life.Step, bool) {
	return r.each(life.KindOf[side], func(i int) (life.Step, bool) {
		if rooms := r.rooms(i); len(rooms) >= 2 && !r.graph.Vertices[i].Alive {
			return life.Step{Rule: life.RuleASG, Status: life.Alive, Strings: r.points(i),
				Points: r.points(r.contains(i, life.KindEmpty)...), Count: 2 * len(rooms)}, true
		}
		return life.Step{}, false
	})
}
