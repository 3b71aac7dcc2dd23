package life

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
)

// The kinds of vertices of a string graph.
const (
	KindBlack = "BS"
	KindWhite = "WS"
	KindEmpty = "ES"
)

// KindOf are the kinds of the strings of either side.
var KindOf = [2]string{KindBlack, KindWhite}

// Graph is a string graph as it is drawn: see package stringgraph.
type Graph struct {
	Vertices []Vertex
	Edges    []Edge
}

// Vertex is a string, an empty area or what a reduction made of them.
type Vertex struct {
	Name   string // "BS1", "WS2", "ES3", "LV1"
	Kind   string // KindBlack, KindWhite or KindEmpty; a link vertex has that of its colour
	Points []board.Point
	Alive  bool // found alive: ASG, CG or APC
	Dead   bool
}

// Edge joins two vertices by number: undirected where they are neighbours,
// directed where the first contains the second.
type Edge struct {
	From, To int
	Directed bool
}

// Tidy puts the edges in order, the lower vertex of an undirected one first, and keeps
// one of each. A directed edge stands for the undirected one beside it.
func (g *Graph) Tidy() {
	edges := g.Edges
	for i := range edges {
		if e := &edges[i]; !e.Directed && e.From > e.To {
			e.From, e.To = e.To, e.From
		}
	}
	ends := func(e Edge) (int, int) { return min(e.From, e.To), max(e.From, e.To) }
	slices.SortFunc(edges, func(e, f Edge) int {
		a, b := ends(e)
		c, d := ends(f)
		first := 1
		switch {
		case e.Directed && !f.Directed:
			first = -1
		case e.Directed == f.Directed:
			first = cmp.Compare(e.From, f.From)
		}
		return cmp.Or(cmp.Compare(a, c), cmp.Compare(b, d), first)
	})
	g.Edges = slices.CompactFunc(edges, func(e, f Edge) bool {
		a, b := ends(e)
		c, d := ends(f)
		return a == c && b == d && (e.Directed != f.Directed || e.From == f.From)
	})
}

// Apply returns the graph after a step of a judgement by the string graph, given the
// one before: so a trace can be replayed. Neither is changed; the points of vertices
// are shared.
func (g *Graph) Apply(s *Step) *Graph {
	switch s.Rule {
	case RuleSR, RuleSCSR:
		return absorb(g, s)
	case RuleER, RuleDESR:
		return vacate(g, s)
	case RuleET:
		return direct(g, s)
	case RuleTaken:
		return restore(g, s)
	}
	next := &Graph{Vertices: slices.Clone(g.Vertices), Edges: slices.Clone(g.Edges)}
	for _, i := range g.Holding(s.Strings, KindOf[s.Side]) {
		v := &next.Vertices[i]
		v.Alive, v.Dead = s.Status.Stays(), s.Status == Dead
	}
	return next
}

// Holding returns the vertices that hold one of the points, in order, of one kind
// alone if it is not empty.
func (g *Graph) Holding(points []board.Point, kind string) (list []int) {
	var wanted board.Plane
	for _, p := range points {
		wanted.Add(p)
	}
	for i := range g.Vertices {
		v := &g.Vertices[i]
		if (kind == "" || v.Kind == kind) && slices.ContainsFunc(v.Points, wanted.Has) {
			list = append(list, i)
		}
	}
	return list
}

// absorb unites vertices of one colour with the single empty points of the step
// that are beside no enemy: such links are no eyes. On a circle they stay, since
// there they are.
func absorb(g *Graph, s *Step) *Graph {
	kind := KindOf[s.Side]
	parts := g.Holding(s.Strings, kind)
	alive := !slices.ContainsFunc(parts, func(i int) bool { return !g.Vertices[i].Alive })
	var links board.Plane
	for _, p := range s.Points {
		links.Add(p)
	}
	enemy := g.Besides(KindOf[1-s.Side])
	for i := range g.Vertices {
		v := &g.Vertices[i]
		if v.Kind == KindEmpty && !alive && !enemy[i] && len(v.Points) == 1 && links.Has(v.Points[0]) {
			parts = append(parts, i)
		}
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		return g
	}
	united := Vertex{Name: "LV" + strconv.Itoa(highest(g, "LV")+1), Kind: kind}
	if s.Rule == RuleSCSR {
		united.Name = g.Vertices[parts[0]].Name
	}
	for _, i := range parts {
		v := &g.Vertices[i]
		united.Points = append(united.Points, v.Points...)
		united.Alive = united.Alive || v.Alive
	}
	slices.Sort(united.Points)
	return contract(g, parts, united)
}

// restore gives stones that lie in an empty vertex back to the vertex of the last
// string of the step. The empty vertex keeps its other points: a string has
// liberties.
func restore(g *Graph, s *Step) *Graph {
	next := &Graph{Vertices: slices.Clone(g.Vertices), Edges: slices.Clone(g.Edges)}
	var on board.Plane
	for _, p := range s.Points {
		on.Add(p)
	}
	for _, i := range g.Holding(s.Points, KindEmpty) {
		v := &next.Vertices[i]
		v.Points = slices.DeleteFunc(slices.Clone(v.Points), on.Has)
	}
	for _, i := range g.Holding(s.Strings[len(s.Strings)-1:], KindOf[s.Side]) {
		v := &next.Vertices[i]
		v.Points = append(slices.Clone(v.Points), s.Points...)
		slices.Sort(v.Points)
	}
	return next
}

// Besides tells which vertices have an edge to a living one of a kind.
func (g *Graph) Besides(kind string) []bool {
	list := make([]bool, len(g.Vertices))
	for _, e := range g.Edges {
		for _, ends := range [2][2]int{{e.From, e.To}, {e.To, e.From}} {
			if v := &g.Vertices[ends[1]]; v.Kind == kind && !v.Dead {
				list[ends[0]] = true
			}
		}
	}
	return list
}

// highest returns the highest number in the names of vertices that begin so.
func highest(g *Graph, prefix string) (n int) {
	for i := range g.Vertices {
		if name, ok := strings.CutPrefix(g.Vertices[i].Name, prefix); ok {
			k, _ := strconv.Atoi(strings.TrimPrefix(name, "'"))
			n = max(n, k)
		}
	}
	return n
}

// vacate makes one empty vertex of all that lies on the points of the step: empty
// vertices, dead stones, and links that are open again.
func vacate(g *Graph, s *Step) *Graph {
	parts := g.Holding(s.Points, "")
	made := Vertex{Kind: KindEmpty, Points: slices.Clone(s.Points)}
	slices.Sort(made.Points)
	lowest := 0
	var on board.Plane
	for _, p := range s.Points {
		on.Add(p)
	}
	left := map[int][]board.Point{}
	for _, i := range parts {
		v := &g.Vertices[i]
		if v.Kind == KindEmpty {
			n, _ := strconv.Atoi(strings.TrimLeft(v.Name, "ES'"))
			if lowest == 0 || n < lowest {
				lowest = n
			}
		}
		var rest []board.Point
		for _, p := range v.Points {
			if !on.Has(p) {
				rest = append(rest, p)
			}
		}
		if len(rest) > 0 {
			left[i] = rest
		}
	}
	if lowest == 0 { // all its empty points were links
		lowest = highest(g, KindEmpty) + 1
	}
	made.Name = "ES'" + strconv.Itoa(lowest)
	if len(left) == 0 {
		return contract(g, parts, made)
	}
	return split(g, parts, left, made)
}

// contract replaces vertices by one in the place of the first, with all their
// edges to others.
func contract(g *Graph, parts []int, by Vertex) *Graph {
	next := &Graph{Vertices: make([]Vertex, 0, len(g.Vertices))}
	moved := make([]int, len(g.Vertices))
	at := -1
	for i := range g.Vertices {
		if !slices.Contains(parts, i) {
			moved[i] = len(next.Vertices)
			next.Vertices = append(next.Vertices, g.Vertices[i])
			continue
		}
		if at < 0 {
			at = len(next.Vertices)
			next.Vertices = append(next.Vertices, by)
		}
		moved[i] = at
	}
	for _, e := range g.Edges {
		if from, to := moved[e.From], moved[e.To]; from != to {
			next.Edges = append(next.Edges, Edge{From: from, To: to, Directed: e.Directed})
		}
	}
	next.Tidy()
	return next
}

// split is contract where some of the vertices keep points of their own. It
// happens on boards alone, and there the points tell who is still beside whom.
func split(g *Graph, parts []int, left map[int][]board.Point, by Vertex) *Graph {
	next := &Graph{}
	moved := make([]int, len(g.Vertices))
	at := -1
	for i := range g.Vertices {
		v := g.Vertices[i]
		part := slices.Contains(parts, i)
		if part && at < 0 {
			at = len(next.Vertices)
			next.Vertices = append(next.Vertices, by)
		}
		moved[i] = at
		if rest := left[i]; !part || rest != nil {
			if part {
				v.Points = rest
			}
			moved[i] = len(next.Vertices)
			next.Vertices = append(next.Vertices, v)
		}
	}
	add := func(from, to int, directed bool) {
		if from != to && touching(next.Vertices[from].Points, next.Vertices[to].Points) {
			next.Edges = append(next.Edges, Edge{From: from, To: to, Directed: directed})
		}
	}
	for _, e := range g.Edges {
		from, to := slices.Contains(parts, e.From), slices.Contains(parts, e.To)
		if !from && !to {
			next.Edges = append(next.Edges, Edge{From: moved[e.From], To: moved[e.To], Directed: e.Directed})
			continue
		}
		add(moved[e.From], moved[e.To], e.Directed)
		if from && !to {
			add(at, moved[e.To], e.Directed)
		} else if to && !from {
			add(moved[e.From], at, e.Directed)
		}
	}
	for _, i := range parts {
		if left[i] != nil {
			add(min(at, moved[i]), max(at, moved[i]), false)
		}
	}
	next.Tidy()
	return next
}

// touching reports whether a point of one list is beside a point of the other.
func touching(a, b []board.Point) bool {
	var set board.Plane
	for _, p := range a {
		set.Add(p)
	}
	around := set.Neighbours(board.Size{W: board.MaxSide, H: board.MaxSide})
	return slices.ContainsFunc(b, around.Has)
}

// direct turns the edges between a vertex and the empty ones on the points of the
// step into directed ones.
func direct(g *Graph, s *Step) *Graph {
	next := &Graph{Vertices: slices.Clone(g.Vertices), Edges: slices.Clone(g.Edges)}
	owners, inside := g.Holding(s.Strings, KindOf[s.Side]), g.Holding(s.Points, KindEmpty)
	for i := range next.Edges {
		e := &next.Edges[i]
		switch {
		case slices.Contains(owners, e.From) && slices.Contains(inside, e.To):
			e.Directed = true
		case slices.Contains(owners, e.To) && slices.Contains(inside, e.From):
			*e = Edge{From: e.To, To: e.From, Directed: true}
		}
	}
	next.Tidy()
	return next
}
