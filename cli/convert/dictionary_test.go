package convert

import (
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/record"
)

// TestPlayable takes moves that a board cannot take out of a tree, with what
// follows them, and leaves all others.
func TestPlayable(t *testing.T) {
	rules, err := builtin.Games().Find("go:9x9")
	if err != nil {
		t.Fatal(err)
	}
	node := func(parent int32, side record.Side, move string) record.Node {
		return record.Node{Parent: parent, Side: side, Move: move}
	}
	g := &record.Game{Kind: "weiqi", Variant: "9x9", Nodes: []record.Node{
		{Extra: &record.Extra{Setup: []record.Put{{Piece: board.Piece(1), Point: "C3"}}}},
		node(0, record.Second, "D3"), // 1
		node(1, record.First, "C3"),  // 2: occupied by the set-up
		node(2, record.Second, "E5"), // 3: behind it
		node(1, record.First, "E4"),  // 4
		node(4, record.Second, "D3"), // 5: occupied by move 1
		node(4, record.First, "F5"),  // 6: one side twice, as after play elsewhere
		node(0, record.Second, "G7"), // 7
		node(7, record.First, "D3"),  // 8: free in this line
	}}
	g.Link()
	kept := playable(rules, g)
	want := []record.Node{{}, node(0, record.Second, "D3"), node(1, record.First, "E4"), node(2, record.First, "F5"), node(0, record.Second, "G7"), node(4, record.First, "D3")}
	if len(kept.Nodes) != len(want) {
		t.Fatalf("%d nodes are kept: %v", len(kept.Nodes), kept.Nodes)
	}
	for i, n := range kept.Nodes {
		if n.Parent != want[i].Parent || n.Move != want[i].Move || n.Side != want[i].Side {
			t.Errorf("node %d is %v, want %v", i, n, want[i])
		}
	}
	fit, err := record.Translate(rules, kept, "sgf", false)
	if err != nil {
		t.Fatal(err)
	}
	setUp(rules, fit)
	if at := fit.Nodes[0].Setup[0].Point; at != "cg" {
		t.Errorf("the set-up is on %s", at)
	}
	if at := g.Nodes[0].Setup[0].Point; at != "C3" {
		t.Errorf("the record that was given has changed: %s", at)
	}
	if len(g.Nodes) != 9 || g.Nodes[1].Child != 2 {
		t.Error("the tree that was given has changed")
	}
}
