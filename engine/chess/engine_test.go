package chess

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"qipu/engine"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/chess/chesstest"
	"qipu/internal/testkit"
)

// task returns the task of a position text.
func task(t testing.TB, r *chess.Rules, text string) *engine.Task {
	t.Helper()
	task := &engine.Task{Rules: r}
	if text != "" {
		s, err := game.ParseSetup(r, text)
		if err != nil {
			t.Fatal(err)
		}
		task.Start = &s
	}
	return task
}

var middle = []string{
	"",
	"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"2rq1rk1/pp1bppbp/3p1np1/8/3NP3/1BN1BP2/PPPQ2PP/2KR3R b - - 8 12",
}

// BenchmarkNodes: positions a second of processor time.
func BenchmarkNodes(b *testing.B) {
	e := New(Options{})
	nodes := int64(0)
	began := testkit.CPU()
	for range b.N {
		for _, text := range middle {
			r, err := e.Think(context.Background(), task(b, chess.Standard, text), engine.Limits{Nodes: 300_000}, nil)
			if err != nil {
				b.Fatal(err)
			}
			nodes += r.Nodes
		}
	}
	b.ReportMetric(float64(nodes)/(testkit.CPU()-began).Seconds(), "nodes/cpu-s")
}

// TestMates: the engine finds mates, tells how far they are, and what it tells is proved by
// trying every defence.
func TestMates(t *testing.T) {
	for _, text := range []string{
		"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
		"7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",
		"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
		"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", // a rook is given away first
	} {
		r, err := New(Options{}).Think(context.Background(), task(t, chess.Standard, text), engine.Limits{Nodes: 200_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		best := r.Best()
		if best.Value < engine.Decided {
			t.Errorf("%s: %d, want a mate", text, best.Value)
			continue
		}
		p, err := task(t, chess.Standard, text).Position()
		if err != nil {
			t.Fatal(err)
		}
		if n := int(engine.Win - best.Value); !mates(p, best.Moves[0], n) {
			t.Errorf("%s: a mate in %d plies is told, and there is none", text, n)
		}
	}
}

// mates reports whether a move mates within so many plies, whatever the answer.
func mates(p game.Position, m game.Move, plies int) bool {
	if p.Play(m) != nil {
		return false
	}
	defer p.Undo()
	answers := p.AppendMoves(nil)
	if len(answers) == 0 {
		return p.Outcome().State == game.Won
	}
	if plies <= 1 {
		return false
	}
	for _, a := range answers {
		if p.Play(a) != nil {
			return false
		}
		found := false
		for _, next := range p.AppendMoves(nil) {
			if mates(p, next, plies-2) {
				found = true
				break
			}
		}
		p.Undo()
		if !found {
			return false
		}
	}
	return true
}

// TestPlays: positions in which only some answers will do, and what they are worth.
func TestPlays(t *testing.T) {
	for _, c := range []struct {
		text, want string // moves of which any is right
		low, high  engine.Value
	}{
		{"4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1", "e1e2", 700, engine.Win},
		{"7k/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2", 0, 0}, // nobody can win any more
		{"8/5P1k/8/8/8/8/1K6/8 w - - 0 1", "f7f8q f7f8r", 400, engine.Win},
		{"k7/2P5/1K6/8/8/8/8/8 w - - 0 1", "c7c8q c7c8r", engine.Decided, engine.Win},
		{"4k3/8/4K3/4P3/8/8/8/8 w - - 99 80", "e5e6 e6d6 e6f6 e6d5 e6f5", -100, 1000},
		{"8/8/8/8/8/1k6/1p6/1K5N w - - 99 80", "h1g3 h1f2", 0, 0}, // the fiftieth move of both sides
	} {
		r, err := New(Options{}).Think(context.Background(), task(t, chess.Standard, c.text), engine.Limits{Nodes: 30_000}, nil)
		if err != nil {
			t.Fatal(c.text, err)
		}
		best := r.Best()
		p, err := task(t, chess.Standard, c.text).Position()
		if err != nil {
			t.Fatal(err)
		}
		if got := game.FormatMove(chess.Standard, p, best.Move, chess.UCI); !slices.Contains(strings.Fields(c.want), got) || best.Value < c.low || best.Value > c.high {
			t.Errorf("%s: %s, %d; want %s, %d to %d", c.text, got, best.Value, c.want, c.low, c.high)
		}
	}
}

// TestLines: what is told can be played, in both games and with several lines, and a game
// against itself comes to its end by the rules.
func TestLines(t *testing.T) {
	for _, r := range []*chess.Rules{chess.Standard, chess.Shuffled} {
		e := New(Options{})
		task := &engine.Task{Rules: r}
		p := r.Start()
		if r.Onto() {
			s, err := game.ParseSetup(r, chesstest.Order(356))
			if err != nil {
				t.Fatal(err)
			}
			task.Start = &s
			if p, err = r.Arrange(s); err != nil {
				t.Fatal(err)
			}
		}
		for ply := 0; !p.Outcome().Over() && ply < testkit.Scale(60, 400); ply++ {
			report, err := e.Think(context.Background(), task, engine.Limits{Nodes: 800, Multi: 1 + ply%3}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range report.Lines {
				for i, m := range line.Moves {
					if err := p.Play(m); err != nil {
						t.Fatalf("%s: move %d of a line: %v", game.FormatPosition(r, p), i+1, err)
					}
				}
				for range line.Moves {
					p.Undo()
				}
			}
			if err := p.Play(report.Best().Move); err != nil {
				t.Fatal(err)
			}
			task.Moves = append(task.Moves, report.Best().Move)
		}
	}
}

// TestSame: with nodes and one thread the answer is the same every time, whatever was
// thought before.
func TestSame(t *testing.T) {
	var first *engine.Report
	e := New(Options{})
	for i := range 3 {
		r, err := e.Think(context.Background(), task(t, chess.Standard, middle[2]), engine.Limits{Nodes: 20_000, Seed: 7}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = r
		} else if r.Best().Value != first.Best().Value || r.Best().Move != first.Best().Move || r.Nodes != first.Nodes {
			t.Errorf("%v in %d nodes, then %v in %d", first.Best(), first.Nodes, r.Best(), r.Nodes)
		}
		if _, err := e.Think(context.Background(), task(t, chess.Standard, middle[1]), engine.Limits{Nodes: 5_000, Multi: 3}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRepeats: who is lost otherwise gives check for ever.
func TestRepeats(t *testing.T) {
	r, err := New(Options{}).Think(context.Background(), task(t, chess.Standard, "r4rk1/5p1p/5Q2/8/8/8/q5PP/7K w - - 0 1"), engine.Limits{Nodes: 50_000}, nil)
	if err != nil || r.Best().Value != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestRefuses: other games, games that are over, and thoughts that were ended are told.
func TestRefuses(t *testing.T) {
	e := New(Options{Threads: 2})
	if _, err := e.Think(context.Background(), task(t, chess.LosAlamos, ""), engine.Limits{Nodes: 10}, nil); !errors.Is(err, engine.ErrGame) {
		t.Errorf("another game: %v", err)
	}
	if _, err := e.Think(context.Background(), task(t, chess.Standard, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), engine.Limits{Nodes: 10}, nil); !errors.Is(err, engine.ErrOver) {
		t.Errorf("stalemate: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r, err := e.Think(ctx, task(t, chess.Standard, ""), engine.Limits{Threads: 2}, func(r *engine.Report) {
		if r.Depth > 2 {
			stop()
		}
	})
	if err != nil || r.Depth < 3 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
