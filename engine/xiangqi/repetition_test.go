package xiangqi

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/engine"
	"qipu/engine/tree"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

// TestRepetitionSuite: the composed cases of the rules, as the search meets them. Where a
// line leads back, it says who is to blame as the rules do when it has come back often
// enough; and who is to make the last move of the cycle does not make it where it loses by
// it, takes the win where it wins by it, and has a draw at least where it is one.
func TestRepetitionSuite(t *testing.T) {
	counts := map[string]int{}
	testkit.Script(t, "../../game/xiangqi/testdata/repetition.txt", func(t *testing.T, c testkit.Command) string {
		v, err := xiangqi.Standard.Variant(cmp.Or(c.Named["variant"], "asian"))
		if err != nil {
			t.Fatal(err)
		}
		text, line, _ := strings.Cut(c.Input, "\n")
		tk := &engine.Task{Rules: v}
		s, err := game.ParseSetup(v, text)
		if err != nil {
			t.Fatal(err)
		}
		tk.Start = &s
		if c.Name == "cycle" && c.Named["times"] == "" {
			line += " " + line
		}
		p, err := tk.Position()
		if err != nil {
			t.Fatal(err)
		}
		moves, err := game.ParseMoves(v, p, line)
		if err != nil {
			t.Fatal(err)
		}
		o := p.Outcome()
		said := o.Describe(v.Info())
		if o.Claim {
			said += ", by claim"
		}
		if !o.Over() || c.Name != "cycle" {
			return said
		}
		for name, check := range map[string]func(*testing.T, *engine.Task, []game.Move, game.Outcome) string{"line": searched, "choice": chosen} {
			if fault := check(t, tk, moves, o); fault != "" {
				said += "\n" + name + ": " + fault
			}
		}
		counts[said]++
		return said
	})
	total := 0
	for _, n := range counts {
		total += n
	}
	t.Logf("cases: %v", counts)
	if total < 60 || len(counts) < 3 {
		t.Errorf("cases: %v", counts)
	}
}

// searched compares what a search says of a line that comes back with the outcome.
func searched(t *testing.T, tk *engine.Task, moves []game.Move, o game.Outcome) string {
	start, path := history(tk)
	w := new(worker)
	w.reset(&shared{table: tree.NewTable(1)}, start, path, true)
	w.referee = referee(tk)
	for i, m := range moves {
		if _, ok := w.play(inner(m), i); !ok {
			t.Fatal("an illegal move in the line")
		}
	}
	v, ok := w.repeats(len(moves))
	want := 0
	if o.State == game.Won {
		if want = 1; int(o.Winner) != w.b.turn {
			want = -1
		}
	}
	if sign := cmp.Compare(v, 0); !ok || sign != want {
		return fmt.Sprintf("the search says %d, %v", v, ok)
	}
	return ""
}

// chosen has the engine make the last move of the line.
func chosen(t *testing.T, tk *engine.Task, moves []game.Move, o game.Outcome) string {
	last := len(moves) - 1
	before := &engine.Task{Rules: tk.Rules, Start: tk.Start, Moves: moves[:last]}
	p, err := before.Position()
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Hash: 1 << 20})
	defer e.Close()
	r, err := e.Think(context.Background(), before, engine.Limits{Nodes: 3000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	best := r.Best()
	forced := len(p.AppendMoves(nil)) == 1
	switch {
	case o.State == game.Drawn && best.Value < 0:
		return fmt.Sprintf("%v is worth %d, and a draw was to be had", best.Moves, best.Value)
	case o.State == game.Won && o.Winner == p.Turn() && best.Value < engine.Decided/2:
		return fmt.Sprintf("%v is worth %d, and a win was to be had", best.Moves, best.Value)
	case o.State == game.Won && o.Winner != p.Turn() && slices.Equal(best.Moves[:1], moves[last:]) && !forced && best.Value > -engine.Decided/2:
		return fmt.Sprintf("%v loses by the rules, and is valued %d", best.Move, best.Value)
	}
	return ""
}
