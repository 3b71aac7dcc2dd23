package stringgraph_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/stringgraph"
	"qipu/internal/testkit"
)

// scatter puts stones on a board, three in a row of the same colour more often than
// not, so that there are strings, eyes and dead stones.
func scatter(seed uint64) *board.Planes {
	r := rand.New(rand.NewPCG(seed, 1))
	size := board.Size{W: 1 + r.IntN(9), H: 1 + r.IntN(9)}
	if seed%16 == 0 {
		size = board.Size{W: 1 + r.IntN(board.MaxSide), H: 1 + r.IntN(board.MaxSide)}
	}
	p := board.NewPlanes(size, 2)
	empty := 1 + r.IntN(6)
	last := 1
	for at := range size.Points() {
		if r.IntN(3) == 0 {
			last = 3 - last
		}
		if r.IntN(8) >= empty {
			p.Put(at, board.Piece(last))
		}
	}
	return p
}

// checkLaws checks what holds of every board, however odd.
func checkLaws(t *testing.T, p *board.Planes) {
	t.Helper()
	var b life.Board
	b.Reset(p)
	j := judge(&b, true)
	plain := judge(&b, false)
	for i := range j.Strings {
		v, w := j.Strings[i], plain.Strings[i]
		if v.Status == life.Unknown {
			t.Errorf("string %d: nothing is said of it", i)
		}
		if v.Steps = nil; !reflect.DeepEqual(v, w) {
			t.Errorf("string %d: %+v with a trace, %+v without", i, v, w)
		}
	}
	if j.Owner != plain.Owner || !reflect.DeepEqual(j.Groups, plain.Groups) {
		t.Error("a trace changes the owners or the groups")
	}
	for i, group := range j.Groups {
		for _, s := range group.Strings {
			if v := &j.Strings[s]; v.Group != i || v.Side != group.Side || v.Status != group.Status {
				t.Errorf("string %d is %v in group %d, which is %v", s, v.Status, i, group.Status)
			}
		}
	}
	checkReplay(t, &b, j)
	for _, sym := range p.Size.Symmetries() {
		for _, swap := range [][]board.Piece{nil, {2, 1}} {
			checkTurned(t, p, j, sym, swap)
		}
	}
}

// checkTurned checks that a board that is turned, or whose colours are exchanged,
// is judged as the board is.
func checkTurned(t *testing.T, p *board.Planes, j *life.Judgement, sym board.Symmetry, swap []board.Piece) {
	t.Helper()
	var b life.Board
	b.Reset(p.Transform(sym, swap))
	turned := judge(&b, false)
	for at := range p.Size.Points() {
		owner := j.Owner[at]
		if swap != nil && (owner == life.OwnedByBlack || owner == life.OwnedByWhite) {
			owner = 3 - owner
		}
		if got := turned.Owner[sym.Apply(p.Size, at)]; got != owner {
			t.Fatalf("%v: %v belongs to %v, turned by %v to %v", p.Size, at, owner, sym, got)
		}
	}
	for i := range j.Strings {
		v := &j.Strings[i]
		w := turned.At(&b, sym.Apply(p.Size, v.Head))
		if w.Status != v.Status || w.Unclear != v.Unclear || len(turned.Groups[w.Group].Strings) != len(j.Groups[v.Group].Strings) {
			t.Fatalf("%v: the string of %v is %+v, turned by %v %+v", p.Size, v.Head, v, sym, w)
		}
	}
}

// checkReplay checks that the steps, applied to the first graph, lead to the last,
// and that each graph is one of the board: every point is in one vertex, edges join
// vertices that exist, and in the end every group that stays is one vertex.
func checkReplay(t *testing.T, b *life.Board, j *life.Judgement) {
	t.Helper()
	g := stringgraph.Build(b)
	for i := range j.Steps {
		s := &j.Steps[i]
		if i > 0 {
			g = g.Apply(s)
		}
		if !reflect.DeepEqual(g, s.Graph) {
			t.Fatalf("step %d, %s: replayed to\n%s\nnot to\n%s", i, s.Rule, stringgraph.Format(g), stringgraph.Format(s.Graph))
		}
		if s.Rule.Text() == "" || s.Strings == nil || s.Points == nil {
			t.Fatalf("step %d, %s, lacks something", i, s.Rule)
		}
		var all board.Plane
		n := 0
		for k := range g.Vertices {
			for _, p := range g.Vertices[k].Points {
				all.Add(p)
				n++
			}
		}
		if n != b.Size.Area() || all != b.Size.Full() {
			t.Fatalf("step %d, %s: %d points in vertices", i, s.Rule, n)
		}
		for _, e := range g.Edges {
			if e.From == e.To || max(e.From, e.To) >= len(g.Vertices) || min(e.From, e.To) < 0 {
				t.Fatalf("step %d, %s: edge %v", i, s.Rule, e)
			}
		}
	}
	vertex := func(p board.Point) int {
		return slices.IndexFunc(g.Vertices, func(v life.Vertex) bool { return slices.Contains(v.Points, p) })
	}
	for i := range j.Strings {
		v := &j.Strings[i]
		at := &g.Vertices[vertex(v.Head)]
		if own := at.Kind == []string{"BS", "WS"}[v.Side]; own != v.Status.Stays() || own && !at.Alive {
			t.Errorf("string %v is %v, its vertex %s %s, alive %v", v.Head, v.Status, at.Kind, at.Name, at.Alive)
		}
		for _, s := range j.Groups[v.Group].Strings {
			if v.Status.Stays() && vertex(j.Strings[s].Head) != vertex(v.Head) {
				t.Errorf("strings %v and %v are one group and two vertices", v.Head, j.Strings[s].Head)
			}
		}
		if len(v.Steps) == 0 || !slices.IsSorted(v.Steps) || v.Steps[len(v.Steps)-1] >= len(j.Steps) {
			t.Errorf("string %v rests on steps %v", v.Head, v.Steps)
		}
	}
}

func TestLaws(t *testing.T) {
	for seed := range uint64(testkit.Scale(150, 4000)) {
		if checkLaws(t, scatter(seed)); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzLaws(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkLaws(t, scatter(seed)) })
}

// FuzzParse states that what is written can be read again, and that reducing ends
// with every string alive or dead, and can be replayed.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "BS1", "BS1->ES1, BS1--ES2--BS2", "BS1--ES1--BS2--ES2--BS1", "BS1->WS1--ES1, BS1->ES1, ES2--ES3",
		"BS1->BS2, BS2->BS1, BS1--ES1--BS2", "WS1->ES1,,WS1--WS2", "BS1-ES1", "BS1--", "LV1--ES1", "BS0", "BS1--BS1", "ES1--ES2--ES3--BS1--ES1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := stringgraph.Parse(text)
		if err != nil || len(g.Vertices) > 40 {
			return
		}
		again, err := stringgraph.Parse(stringgraph.Format(g))
		if err != nil || len(again.Vertices) != len(g.Vertices) || len(again.Edges) != len(g.Edges) {
			t.Fatalf("%q is written as %q: %v", text, stringgraph.Format(g), err)
		}
		steps := stringgraph.Reduce(g)
		for i := range steps[1:] {
			if got := steps[i].Graph.Apply(&steps[i+1]); !reflect.DeepEqual(got, steps[i+1].Graph) {
				t.Fatalf("%q: step %d cannot be replayed", text, i+1)
			}
		}
		for _, v := range steps[len(steps)-1].Graph.Vertices {
			if v.Kind != "ES" && v.Alive == v.Dead {
				t.Fatalf("%q: %s is neither alive nor dead, or both", text, v.Name)
			}
		}
	})
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"BS1-ES1", "BS1--", "--BS1", "XS1", "BS", "BS0", "BS+1", "LV1->ES1", "BS1->BS1", "BS1 ES1"} {
		if g, err := stringgraph.Parse(text); err == nil {
			t.Errorf("%q is read as %s", text, stringgraph.Format(g))
		}
	}
}
