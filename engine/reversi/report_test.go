//go:build unix

package reversi

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/engine"
	"qipu/engine/reversi/eval"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
)

// cost is what something took.
type cost struct {
	nodes     int64
	cpu, wall time.Duration
}

func (c *cost) add(d cost) {
	c.nodes += d.nodes
	c.cpu += d.cpu
	c.wall += d.wall
}

func measure(run func() int64) cost {
	cpu, wall := testkit.CPU(), time.Now()
	n := run()
	return cost{n, testkit.CPU() - cpu, time.Since(wall)}
}

// solveFresh solves with an engine that knows nothing; making its table is
// part of the cost.
func solveFresh(t *testing.T, p *othello.Position, threads, value int) cost {
	return measure(func() int64 {
		e := New(engine.Options{Hash: 256 << 20, Threads: threads})
		defer e.Close()
		s, err := e.Solve(t.Context(), p, SolveOptions{Threads: threads}, nil)
		if err != nil || !s.Exact || s.Value != value {
			t.Errorf("%s: %+v, %v, want %+d", game.FormatPosition(othello.Standard, p), s, err, value)
			return 0
		}
		return s.Nodes
	})
}

// TestReport measures the engine against its goals. It runs under QIPU_BENCH=1;
// -rewrite puts the figures into docs/othello.md. With QIPU_SCALE=full all 200
// recorded positions are solved, which takes a quarter of an hour.
func TestReport(t *testing.T) {
	if os.Getenv("QIPU_BENCH") == "" {
		t.Skip("measures for minutes: QIPU_BENCH=1")
	}
	list := theoretical(t) // or skips, before anything is measured
	eval.Trained()
	var goals, table strings.Builder
	row := func(what, got, must, stretch string) {
		fmt.Fprintf(&goals, "| %s | %s | %s | %s |\n", what, got, must, stretch)
		t.Logf("%s: %s", what, got)
	}
	goals.WriteString("| measure | got | must | stretch |\n|---|---:|---:|---:|\n")

	const leaves = 212_258_800
	c := measure(func() int64 {
		return int64(game.Perft(othello.Standard.Start(), 11, game.PerftOptions{KeepEnded: true}))
	})
	if c.nodes != leaves {
		t.Errorf("perft(11) is %d, want %d", c.nodes, leaves)
	}
	row("perft(11), million leaves/s of one core", fmt.Sprintf("%.0f", leaves/1e6/c.cpu.Seconds()), ">= 200", ">= 300")

	table.WriteString("| position | empty squares | value | million nodes | CPU s | million nodes/s |\n|---:|---:|---:|---:|---:|---:|\n")
	var all, one, two cost
	for i, x := range ffo {
		p, err := othello.Standard.Arrange(*setup(t, x.board))
		if err != nil {
			t.Fatal(err)
		}
		c := solveFresh(t, p.(*othello.Position), 1, x.score)
		all.add(c)
		if i >= 5 {
			one.add(c)
			two.add(solveFresh(t, p.(*othello.Position), 2, x.score))
		}
		fmt.Fprintf(&table, "| %d | %d | %+d | %.1f | %.2f | %.1f |\n", 40+i, strings.Count(x.board, "-"), x.score,
			float64(c.nodes)/1e6, c.cpu.Seconds(), float64(c.nodes)/1e6/c.cpu.Seconds())
	}
	fmt.Fprintf(&table, "| all | | | %.1f | %.2f | %.1f |\n", float64(all.nodes)/1e6, all.cpu.Seconds(), float64(all.nodes)/1e6/all.cpu.Seconds())
	row("FFO 40-49 all right, CPU s of one thread", fmt.Sprintf("%.1f", all.cpu.Seconds()), "<= 100", "<= 45")
	row("FFO 45-49, two threads against one: times faster by the clock", fmt.Sprintf("%.2f", one.wall.Seconds()/two.wall.Seconds()), ">= 1.6", ">= 1.8")
	row("the same on two idle cores, as the CPU promises: 2 x one thread's / two threads'", fmt.Sprintf("%.2f", 2*one.cpu.Seconds()/two.cpu.Seconds()), "", "")
	row("the same: times the nodes, times the CPU", fmt.Sprintf("%.2f, %.2f", float64(two.nodes)/float64(one.nodes), two.cpu.Seconds()/one.cpu.Seconds()), "", "")

	sample := testkit.Scale(20, 200)
	r := rand.New(rand.NewPCG(24, 24))
	var sum cost
	var each []float64
	for range sample {
		x := list[r.IntN(len(list))]
		c := solveFresh(t, x.position, 1, x.value)
		sum.add(c)
		each = append(each, c.cpu.Seconds())
	}
	slices.Sort(each)
	row(fmt.Sprintf("%d positions with 24 empty squares as recorded, mean CPU s", sample), fmt.Sprintf("%.2f", sum.cpu.Seconds()/float64(sample)), "all right", "<= 5")
	row("the same: half of them, the slowest, mean million nodes",
		fmt.Sprintf("%.2f, %.2f, %.1f", each[sample/2], each[sample-1], float64(sum.nodes)/1e6/float64(sample)), "", "")

	for _, depth := range []int{8, 12, 16} {
		c := measure(func() (nodes int64) {
			e := New(engine.Options{})
			defer e.Close()
			r := rand.New(rand.NewPCG(36, 36))
			for range 20 {
				own, opp := wander(r, 36)
				nodes += think(t, e, task(t, own, opp), engine.Limits{Depth: depth}).Nodes
			}
			return nodes
		})
		row(fmt.Sprintf("36 empty squares, depth %d, mean CPU s and million nodes", depth),
			fmt.Sprintf("%.3f, %.2f", c.cpu.Seconds()/20, float64(c.nodes)/20e6), "", "")
	}
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if s.Key == "GOAMD64" {
				row("built with", "GOAMD64="+s.Value, "", "")
			}
		}
	}
	testkit.Section(t, "../../docs/othello.md", "goals", goals.String())
	testkit.Section(t, "../../docs/othello.md", "ffo", table.String())
}

// TestMultiple measures how many times the CPU of perft(11) the solver needs for FFO
// 40-49. Both take turns, so that whatever else the machine does slows both. It runs
// under QIPU_BENCH=1.
func TestMultiple(t *testing.T) {
	if os.Getenv("QIPU_BENCH") == "" {
		t.Skip("measures for minutes: QIPU_BENCH=1")
	}
	eval.Trained()
	for round := range 3 {
		var perft, solver cost
		for _, x := range ffo {
			perft.add(measure(func() int64 {
				return int64(game.Perft(othello.Standard.Start(), 11, game.PerftOptions{KeepEnded: true}))
			}))
			p, err := othello.Standard.Arrange(*setup(t, x.board))
			if err != nil {
				t.Fatal(err)
			}
			solver.add(solveFresh(t, p.(*othello.Position), 1, x.score))
		}
		each := perft.cpu.Seconds() / float64(len(ffo))
		t.Logf("round %d: perft(11) %.2f s, FFO 40-49 %.2f s and %.1f million nodes: %.1f times", round+1, each,
			solver.cpu.Seconds(), float64(solver.nodes)/1e6, solver.cpu.Seconds()/each)
	}
}
