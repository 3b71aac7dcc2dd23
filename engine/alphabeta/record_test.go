package alphabeta_test

import (
	"reflect"
	"testing"

	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/simple"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/kalah"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/xiangqi"
)

// TestRecorded holds the recorder against a counting evaluator on trees, with
// each technique left out, and checks that being watched changes no answer.
func TestRecorded(t *testing.T) {
	for name, o := range switches {
		r := &tree{width: 4, value: random(7, 20)}
		c := &counter{}
		want := think(t, alphabeta.New(c, o), r, engine.Limits{Depth: 5})
		judged := c.leaves
		rec := trace.New(trace.Options{Nodes: 1 << 20})
		got := think(t, alphabeta.New(&counter{}, o), r, engine.Limits{Depth: 5, Record: rec})
		if !reflect.DeepEqual(got.Lines, want.Lines) || got.Nodes != want.Nodes {
			t.Errorf("%s: watched it answers %v in %d nodes, else %v in %d", name, got.Lines, got.Nodes, want.Lines, want.Nodes)
		}
		n := rec.Counters()
		nodes, leaves := n.Sum()
		if int(leaves) != judged || nodes != got.Nodes+n.Nodes[0] || n.Calls[trace.Evaluate] != leaves {
			t.Errorf("%s: %d nodes and %d leaves told, there were %d and %d, and %d roots", name, nodes, leaves, got.Nodes, judged, n.Nodes[0])
		}
		if got.Counters == nil || !reflect.DeepEqual(got.Counters.By, n.By) || want.Counters != nil {
			t.Errorf("%s: the report has the counters %v", name, got.Counters)
		}
		if o.NoCuts && n.Cuts() != 0 || !o.NoCuts && (n.By[trace.Shallow] == 0 || n.By[trace.Deep] == 0) {
			t.Errorf("%s: cuts %v", name, n.By)
		}
		if (n.Hits == 0) != o.NoTable && name != "tiny table" && name != "deepening" {
			t.Errorf("%s: %d hits of the table", name, n.Hits)
		}
		if tree := rec.Tree(); int64(len(tree.Nodes)) != nodes || tree.Left != 0 {
			t.Errorf("%s: %d of %d positions in the tree, %d left out", name, len(tree.Nodes), nodes, tree.Left)
		}
	}
}

// BenchmarkRecorder reads five games with nobody, counters, and a tree, and to one ply
// with nobody, which is what a search costs before it begins. Instructions are counted of
// the binary: "-test.bench Recorder/kalah/off -test.benchtime 1x" below cachegrind.
func BenchmarkRecorder(b *testing.B) {
	for _, g := range []struct {
		name  string
		rules game.Rules
		eval  engine.Evaluator
		depth int
	}{
		{"xiangqi", xiangqi.Standard, simple.Xiangqi{}, 4},
		{"connect4", connect4.Rules{}, simple.OpenRows{}, 8},
		{"othello", othello.Standard, simple.Discs{}, 6},
		{"renju", renju.Renju, simple.Rows{}, 4},
		{"kalah", kalah.Rules{}, simple.Stores{}, 9},
	} {
		for _, c := range []struct {
			name  string
			depth int
			make  func() *trace.Recorder
		}{
			{"none", 1, func() *trace.Recorder { return nil }},
			{"off", g.depth, func() *trace.Recorder { return nil }},
			{"counters", g.depth, func() *trace.Recorder { return trace.New(trace.Options{}) }},
			{"tree", g.depth, func() *trace.Recorder { return trace.New(trace.Options{Nodes: 100_000}) }},
		} {
			b.Run(g.name+"/"+c.name, func(b *testing.B) {
				e := alphabeta.New(g.eval, alphabeta.Options{Hash: 1 << 22})
				for b.Loop() {
					think(b, e, g.rules, engine.Limits{Depth: c.depth, Record: c.make()})
				}
			})
		}
	}
}
