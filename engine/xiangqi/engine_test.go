package xiangqi

import (
	"context"
	"testing"

	"qipu/engine"
	"qipu/engine/tree"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

// task returns the task of a position text.
func task(t testing.TB, text string) *engine.Task {
	t.Helper()
	task := &engine.Task{Rules: xiangqi.Standard}
	if text != "" {
		s, err := game.ParseSetup(xiangqi.Standard, text)
		if err != nil {
			t.Fatal(err)
		}
		task.Start = &s
	}
	return task
}

var middle = []string{
	"",
	"r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 0 1",
	"2bak4/4a4/4b1n2/p1R3p1p/4p4/2P3c2/P3P1P1P/2N1C1N2/4r4/2BAKAB2 w - - 0 1",
	"3akab2/9/2n1b4/p3p3p/6p2/2P3P2/P3P3P/2N1B4/4A4/2BAK4 w - - 0 1",
}

// BenchmarkNodes: positions a second of processor time, by the net and by the terms.
func BenchmarkNodes(b *testing.B) {
	for name, off := range map[string]Switches{"net": {}, "terms": {Net: true}} {
		b.Run(name, func(b *testing.B) {
			e := New(Options{Off: off})
			nodes := int64(0)
			began := testkit.CPU()
			for range b.N {
				for _, text := range middle {
					r, err := e.Think(context.Background(), task(b, text), engine.Limits{Nodes: 300_000}, nil)
					if err != nil {
						b.Fatal(err)
					}
					nodes += r.Nodes
				}
			}
			b.ReportMetric(float64(nodes)/(testkit.CPU()-began).Seconds(), "nodes/cpu-s")
		})
	}
}

// TestMates: the engine finds mates, tells how far they are, and what it tells is proved
// by trying every defence.
func TestMates(t *testing.T) {
	for _, c := range []struct{ text string }{
		{"4k4/9/9/9/9/9/9/9/3R5/3K1R3 w - - 0 1"},
		{"3k5/9/4P4/3P5/9/9/9/9/9/4K4 w - - 0 1"},
	} {
		e := New(Options{})
		r, err := e.Think(context.Background(), task(t, c.text), engine.Limits{Nodes: 200_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		best := r.Best()
		if best.Value < engine.Decided {
			t.Errorf("%s: %d, want a mate", c.text, best.Value)
			continue
		}
		p, err := task(t, c.text).Position()
		if err != nil {
			t.Fatal(err)
		}
		if n := int(engine.Win - best.Value); !mates(p, best.Moves[0], n) {
			t.Errorf("%s: a mate in %d plies is told, and there is none", c.text, n)
		}
	}
}

// mates tries whether a move mates within so many plies, by minimax.
func mates(p game.Position, m game.Move, plies int) bool {
	if plies < 1 || p.Play(m) != nil {
		return false
	}
	defer p.Undo()
	for _, reply := range p.AppendMoves(nil) {
		if p.Play(reply) != nil {
			return false
		}
		ok := false
		for _, next := range p.AppendMoves(nil) {
			if ok = mates(p, next, plies-2); ok {
				break
			}
		}
		p.Undo()
		if !ok {
			return false
		}
	}
	return true
}

// TestSame: with nodes and one thread the answer is the same every time, whatever was
// thought before.
func TestSame(t *testing.T) {
	var first *engine.Report
	e := New(Options{})
	for i := range 3 {
		r, err := e.Think(context.Background(), task(t, middle[1]), engine.Limits{Nodes: 20_000, Seed: 7}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = r
		} else if r.Best().Value != first.Best().Value || r.Best().Move != first.Best().Move || r.Nodes != first.Nodes {
			t.Errorf("%v in %d nodes, then %v in %d", first.Best(), first.Nodes, r.Best(), r.Nodes)
		}
		if _, err := e.Think(context.Background(), task(t, middle[2]), engine.Limits{Nodes: 5_000, Multi: 3}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInTurns: threads that take turns give the same answer every time, each with its share
// of positions.
func TestInTurns(t *testing.T) {
	var first *engine.Report
	for i := range 4 {
		e := New(Options{Threads: 3, InTurns: true})
		r, err := e.Think(context.Background(), task(t, middle[1]), engine.Limits{Nodes: 5_000, Threads: 3, Seed: 7}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = r
		} else if r.Best().Value != first.Best().Value || r.Best().Move != first.Best().Move || r.Nodes != first.Nodes {
			t.Errorf("%v in %d nodes, then %v in %d", first.Best(), first.Nodes, r.Best(), r.Nodes)
		}
	}
	if first.Nodes < 5_000 {
		t.Errorf("%d nodes", first.Nodes)
	}
}

// TestRepetition: a line that comes back is judged by the rules: perpetual check loses,
// and what nobody is to blame for is a draw.
func TestRepetition(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       []string
		want       int // for the side to move behind the line: 1 it wins, -1 it loses
	}{
		{"red checks for ever", "4k4/9/9/9/9/9/9/9/4A4/3RK4 w - - 0 1", []string{"d0d9", "e9e8", "d9d8", "e8e9", "d8d9"}, 1},
		{"both walk about", "3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1", []string{"i1i2", "d9d8", "i2i1", "d8d9"}, 0},
	} {
		tk := task(t, c.text)
		start, path := history(tk)
		w := new(worker)
		w.reset(&shared{table: tree.NewTable(1)}, start, path, true)
		w.referee = referee(tk)
		p, err := tk.Position()
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range c.line {
			m, err := tk.Rules.ParseMove(p, text, game.AnyNotation)
			if err != nil {
				t.Fatal(c.name, err)
			}
			if err := p.Play(m); err != nil {
				t.Fatal(c.name, err)
			}
			if _, ok := w.play(inner(m), i); !ok {
				t.Fatal(c.name, text)
			}
		}
		v, ok := w.repeats(len(c.line) + 1)
		if !ok || v > 0 != (c.want > 0) || v < 0 != (c.want < 0) {
			t.Errorf("%s: %d, %v", c.name, v, ok)
		}
	}
}

// TestCrowded: boards as no game has them, with all that the rules let stand on them, are read
// as others are.
func TestCrowded(t *testing.T) {
	for _, text := range []string{
		"rrrrrk3/nnnnn4/ccccc4/9/9/9/CCCCC4/NNNNN4/RRRRR4/4K4 w",
		"3k5/9/9/9/9/9/9/9/9/4K4 b",
	} {
		for _, off := range []Switches{{}, {Net: true}} {
			r, err := New(Options{Off: off}).Think(context.Background(), task(t, text), engine.Limits{Nodes: 5_000, Multi: 3}, nil)
			if err != nil || len(r.Lines) == 0 {
				t.Errorf("%s: %v, %v", text, r, err)
			}
		}
	}
}

// TestStops: a thought ends soon after its context, and has a move.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e := New(Options{Threads: 2})
	seen := 0
	r, err := e.Think(ctx, task(t, ""), engine.Limits{Threads: 2}, func(r *engine.Report) {
		if seen++; r.Depth >= 5 {
			cancel()
		}
	})
	if err != nil || len(r.Lines) != 1 || seen < 5 {
		t.Errorf("%v, %v, watched %d times", r, err, seen)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Think(context.Background(), task(t, ""), engine.Limits{Depth: 1}, nil); err != engine.ErrClosed {
		t.Errorf("a closed engine answers %v", err)
	}
}
