package record_test

import (
	"fmt"
	"slices"
	"testing"

	"qipu/builtin"
	"qipu/game"
	"qipu/record"
	"qipu/store/storetest"
)

// ExampleWalk shows the tree of a record with what every node changes.
func ExampleWalk() {
	rules, err := builtin.Games().Find("weiqi:5x5")
	if err != nil {
		fmt.Println(err)
		return
	}
	g := &record.Game{Kind: "weiqi", Variant: "5x5", Notation: "sgf"}
	at := g.Add(g.Add(0, record.Unstated, ""), record.First, "ab")
	at = g.Add(at, record.Second, "aa")
	g.Add(at, record.First, "ba")
	g.Add(at, record.First, "aa")
	_, err = record.Walk(rules, g, "", func(v *record.Visit) bool {
		fmt.Printf("node %d, ply %d: %q changes %d points, fault %q\n", v.Node, len(v.Line), v.Text, len(v.Changes), v.Reason)
		return true
	})
	fmt.Println(err)
	// Output:
	// node 0, ply 0: "" changes 0 points, fault ""
	// node 1, ply 1: "A4" changes 1 points, fault ""
	// node 2, ply 2: "A5" changes 1 points, fault ""
	// node 3, ply 3: "B5" changes 2 points, fault ""
	// node 4, ply 2: "aa" changes 0 points, fault "\"aa\": the point is occupied"
	// <nil>
}

// TestWalk: a walk comes to every node once, parents first; its main line is that
// of Play, and its lines are those of Lines.
func TestWalk(t *testing.T) {
	maker := storetest.NewMaker(builtin.Games(), 5)
	referee := record.NewReferee(builtin.Games())
	for i := range 300 {
		g := maker.Random(60)
		maker.Branch(g, i%5)
		rules, err := referee.Rules(g)
		if err != nil {
			t.Fatal(err)
		}
		p := record.Play(rules, g)
		var lines [][]record.Step // of all leaves
		seen := make([]bool, len(g.Nodes))
		start, err := record.Walk(rules, g, game.AnyNotation, func(v *record.Visit) bool {
			if seen[v.Node] || v.Node != 0 && !seen[g.Nodes[v.Node].Parent] {
				t.Fatalf("node %d comes twice, or before its parent", v.Node)
			}
			seen[v.Node] = true
			if len(lines) == 0 && !slices.Equal(v.Line, p.Steps[:len(v.Line)]) {
				t.Fatalf("node %d of the main line: %v, want %v", v.Node, v.Line, p.Steps)
			}
			if g.Nodes[v.Node].Child == 0 {
				lines = append(lines, slices.Clone(v.Line))
			}
			return true
		})
		if err != nil {
			if p.Start.Board != nil {
				t.Fatal(err)
			}
			continue
		}
		if slices.Contains(seen, false) || !slices.Equal(start.Board.Of, p.Start.Board.Of) {
			t.Fatal("a node is left out, or the start is another")
		}
		for l := range record.Lines(rules, g) {
			if !slices.ContainsFunc(lines, func(steps []record.Step) bool { return slices.Equal(steps, l.Steps) }) {
				t.Fatalf("no leaf has the line %v", l.Steps)
			}
		}
	}
}
