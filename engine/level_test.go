//qipu:race

package engine_test

import (
	"context"
	"fmt"
	"testing"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
)

// oracle is an engine that answers with values that are given.
type oracle struct {
	engine.Random
	values []engine.Value
	slip   engine.Value
	levels []engine.Level
	asked  engine.Limits
}

func (o *oracle) Info() engine.Info {
	return engine.Info{Name: "oracle", Slip: o.slip, Levels: o.levels}
}

func (o *oracle) Think(_ context.Context, t *engine.Task, l engine.Limits, _ func(*engine.Report)) (*engine.Report, error) {
	o.asked = l
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	r := &engine.Report{}
	for i, m := range p.AppendMoves(nil) {
		if i < len(o.values) {
			r.Lines = append(r.Lines, engine.Line{Move: m, Value: o.values[i], Moves: []game.Move{m}})
		}
	}
	return r, nil
}

// shares returns how often each of the lines is chosen at a level.
func shares(t *testing.T, level int, o *oracle) (n [8]int) {
	t.Helper()
	e := engine.AtLevel(o, level)
	for seed := range uint64(1000) {
		r, err := e.Think(t.Context(), &engine.Task{Rules: othello.Standard}, engine.Limits{Seed: seed}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range othello.Standard.Start().AppendMoves(nil) {
			if m == r.Best().Move {
				n[i]++
			}
		}
	}
	return n
}

// TestSlips holds levels to what they promise: the better a move, the more often
// it is made; the higher the level, the rarer is a mistake; absurd moves are never
// made, and high levels make the best one always.
func TestSlips(t *testing.T) {
	o := &oracle{values: []engine.Value{300, 270, 150, -5000}}
	last := 0
	for level := engine.MinLevel; level <= engine.MaxLevel; level++ {
		n := shares(t, level, o)
		if n[0] < last-60 || n[0] < n[1]-60 || n[1] < n[2]-60 || n[3] > 0 { // 60 for chance
			t.Errorf("level %d: choices %v", level, n)
		}
		if slips := engine.UsualLevels()[level-1].Slip > 0; slips == (n[0] == 1000) {
			t.Errorf("level %d: choices %v", level, n)
		}
		last = n[0]
	}
	// Where an engine counts in smaller values, the same mistake is larger.
	coarse, fine := shares(t, 5, &oracle{values: []engine.Value{100, 0}}), shares(t, 5, &oracle{values: []engine.Value{100, 0}, slip: 20})
	if coarse[1] <= fine[1] || fine[1] == 0 {
		t.Errorf("mistakes %d with slips of 100, %d with slips of 20", coarse[1], fine[1])
	}
}

// TestPrudent keeps wins and avoids losses that end the game at once, from level
// 3 on.
func TestPrudent(t *testing.T) {
	for level := engine.MinLevel; level <= 8; level++ {
		won := shares(t, level, &oracle{values: []engine.Value{engine.Win - 3, 300, 200}, slip: engine.Win})
		lost := shares(t, level, &oracle{values: []engine.Value{100, 50, -engine.Win + 2}, slip: engine.Win})
		if careful := level >= 3; careful != (won[0] == 1000) || careful != (lost[2] == 0) {
			t.Errorf("level %d: %v of a win, %v of a loss", level, won, lost)
		}
	}
	// A five that can be made is made, whatever the engine thinks of it.
	p := renju.Renju.Start()
	moves, err := game.ParseMoves(renju.Renju, p, "h8 a1 i8 a3 j8 a5 k8 a7")
	if err != nil {
		t.Fatal(err)
	}
	legal := p.AppendMoves(nil)
	o := &oracle{values: make([]engine.Value, len(legal))}
	e := engine.AtLevel(o, 3)
	for seed := range uint64(50) {
		r, err := e.Think(t.Context(), &engine.Task{Rules: renju.Renju, Moves: moves}, engine.Limits{Seed: seed}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if to := r.Best().Move.To(); to != board.At(6, 7) && to != board.At(11, 7) {
			t.Fatalf("seed %d: %v does not make the five", seed, to)
		}
	}
}

// TestLevelLimits bounds what the engine is asked by both the level and the
// caller.
func TestLevelLimits(t *testing.T) {
	o := &oracle{values: []engine.Value{3, 2, 1, 0}}
	task := &engine.Task{Rules: othello.Standard}
	for _, c := range []struct {
		level      int
		give, want engine.Limits
		lines      int
	}{
		{1, engine.Limits{}, engine.Limits{Depth: 1, Nodes: 1000, Multi: -1}, 1},
		{1, engine.Limits{Multi: 3}, engine.Limits{Depth: 1, Nodes: 1000, Multi: -1}, 3},
		{6, engine.Limits{Depth: 2, Multi: -1}, engine.Limits{Depth: 2, Nodes: 16000, Multi: -1}, 4},
		{6, engine.Limits{Depth: 9, Nodes: 5}, engine.Limits{Depth: 4, Nodes: 5, Multi: 8}, 1},
		{12, engine.Limits{Depth: 9}, engine.Limits{Depth: 9, Nodes: 960_000}, 4},
		{99, engine.Limits{}, engine.Limits{Nodes: 960_000}, 4},
	} {
		r, err := engine.AtLevel(o, c.level).Think(t.Context(), task, c.give, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := o.asked
		if got != c.want || len(r.Lines) != c.lines {
			t.Errorf("level %d with %+v: asked for %+v, want %+v; %d lines, want %d", c.level, c.give, got, c.want, len(r.Lines), c.lines)
		}
	}
	last := engine.Level{}
	for i, l := range engine.UsualLevels() {
		if l.Number != i+1 || l.Rating != nil || l.Limits.Time != 0 || l.Limits.Nodes == 0 || l.Limits.Nodes < last.Limits.Nodes || l.Limits.Depth != 0 && l.Limits.Depth < last.Limits.Depth || i > 0 && l.Slip > last.Slip {
			t.Errorf("level %d is not above the one before: %+v", i+1, l)
		}
		last = l
	}
}

// TestFormerLevels keeps the order of the twenty levels that there were.
func TestFormerLevels(t *testing.T) {
	last := 0
	for n := range 31 {
		now := engine.FormerLevel(n)
		if now < last || now > engine.MaxLevel || n > 0 && now < engine.MinLevel {
			t.Errorf("level %d became %d, and the one before %d", n, now, last)
		}
		last = now
	}
	if engine.FormerLevel(0) != 0 || last != engine.MaxLevel {
		t.Errorf("a person became level %d, the highest level %d", engine.FormerLevel(0), last)
	}
}

// TestOwnLevels plays at the levels that an engine has, where it has any.
func TestOwnLevels(t *testing.T) {
	o := &oracle{values: []engine.Value{3, 2}, levels: []engine.Level{{Number: 1, Limits: engine.Limits{Nodes: 7}}}}
	if _, err := engine.AtLevel(o, 5).Think(t.Context(), &engine.Task{Rules: othello.Standard}, engine.Limits{}, nil); err != nil || o.asked.Nodes != 7 {
		t.Errorf("asked for %+v, %v", o.asked, err)
	}
}

// known is a prober that knows some lengths of games.
type known map[int]string

func (k known) Probe(_ context.Context, t *engine.Task) (*engine.Report, bool, error) {
	text, ok := k[len(t.Moves)]
	if text == "?" {
		return nil, false, fmt.Errorf("the book is torn")
	}
	return &engine.Report{Lines: []engine.Line{{Move: othello.Move(text)}}}, ok, nil
}

// TestProber asks the book first, unless more is wanted than a move.
func TestProber(t *testing.T) {
	o := &oracle{values: []engine.Value{5, 4}}
	e := engine.WithProber(o, known{0: "f5", 2: "?"})
	task := &engine.Task{Rules: othello.Standard}
	told := 0
	r, err := e.Think(t.Context(), task, engine.Limits{}, func(*engine.Report) { told++ })
	if err != nil || r.Note != "book" || r.Best().Move != othello.Move("f5") || told != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, l := range []engine.Limits{{Multi: 2}, {Multi: -1}, {Exact: true}} {
		if r, err := e.Think(t.Context(), task, l, nil); err != nil || r.Note != "" {
			t.Errorf("%+v: %+v, %v", l, r, err)
		}
	}
	task.Moves = append(task.Moves, othello.Move("f5"))
	if r, err := e.Think(t.Context(), task, engine.Limits{}, nil); err != nil || r.Note != "" || r.Best().Value != 5 {
		t.Errorf("%+v, %v", r, err)
	}
	task.Moves = append(task.Moves, othello.Move("d6"))
	if _, err := e.Think(t.Context(), task, engine.Limits{}, nil); err == nil {
		t.Error("an error of the book is not told")
	}
}

func ExampleAtLevel() {
	e := engine.AtLevel(engine.Random{}, 5) // a real engine, in earnest
	defer e.Close()
	l := engine.UsualLevels()[4]
	fmt.Println(l.Work())
	// Output: nodes 8000, depth 3, slips 2.5 among -1
}
