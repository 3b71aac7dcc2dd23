//qipu:race

package external

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"qipu/arena"
	"qipu/engine"
	"qipu/engine/external/tricks"
	"qipu/game"
	"qipu/internal/testkit"
)

// adapters are all protocols, each with a game that it tells and a line of it.
var adapters = []struct {
	protocol   Protocol
	game, line string
}{
	{GTP, "othello", "f5"},
	{GTP, "go:9x9", "E5"},
	{UCI, "xiangqi", "h2e2"},
	{UCCI, "xiangqi", "h2e2"},
	{NBoard, "othello", "f5"},
	{Gomocup, "gomoku", "h8"},
}

// each runs a test for every adapter and every one of some tricks.
func each(t *testing.T, list []tricks.Trick, f func(t *testing.T, o Options, line string, trick tricks.Trick)) {
	for _, a := range adapters {
		for _, trick := range list {
			t.Run(string(a.protocol)+"/"+a.game+"/"+string(trick), func(t *testing.T) {
				t.Parallel()
				r, err := catalog.Find(a.game)
				if err != nil {
					t.Fatal(err)
				}
				o := Options{
					Protocol: a.protocol, Rules: r, Command: tricks.Command(), Env: tricks.Env(string(a.protocol), a.game, trick),
					Startup: testkit.Patience, Patience: testkit.Patience,
				}
				f(t, o, a.line, trick)
			})
		}
	}
}

// TestHarmless gets the right move in spite of what is odd, question after question.
func TestHarmless(t *testing.T) {
	each(t, tricks.Harmless, func(t *testing.T, o Options, text string, trick tricks.Trick) {
		e, err := Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if e.Info().Name != "trickster" {
			t.Errorf("its name is %q", e.Info().Name)
		}
		task := &engine.Task{Rules: o.Rules}
		for range 4 {
			p, err := task.Position()
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Think(t.Context(), task, engine.Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := p.AppendMoves(nil)[0]; r.Best().Move != want && o.Protocol != Gomocup {
				t.Errorf("behind %d moves: %v, want %v", len(task.Moves), r.Best().Move, want)
			}
			task.Moves = append(task.Moves, r.Best().Move)
		}
	})
}

// TestHarmful survives every fault, says what was wrong, and is as usable as before:
// the next thought ends the same way, and Close ends.
func TestHarmful(t *testing.T) {
	words := map[tricks.Trick]string{
		tricks.Crash: "cannot open weights", tricks.Hang: "no answer to", tricks.Late: "no answer to", tricks.Brood: "no answer to",
		tricks.Flood: "bytes that are no answer", tricks.Huge: "a line of more than", tricks.Illegal: "it answered",
		tricks.Deaf: "no answer to", tricks.Closed: "it ended",
	}
	each(t, tricks.Harmful, func(t *testing.T, o Options, text string, trick tricks.Trick) {
		thoughts := 2
		switch trick {
		case tricks.Hang, tricks.Late, tricks.Brood, tricks.Deaf, tricks.Garbage, tricks.Empty:
			// To some protocols what is no move is noise, and the move is missing in the end.
			o.Patience, o.Thought, thoughts = 300*time.Millisecond, time.Millisecond, 1
		}
		e, err := Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		for range thoughts {
			r, err := e.Think(t.Context(), line(t, o.Rules, text), engine.Limits{}, nil)
			if err == nil {
				t.Fatalf("a report: %+v", r)
			}
			if !strings.Contains(err.Error(), words[trick]) || !strings.Contains(err.Error(), os.Args[0]) || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
				t.Errorf("%v: want it to say %q", err, words[trick])
			}
			if !errors.Is(err, ErrBroken) && !errors.Is(err, game.ErrIllegal) && !errors.Is(err, game.ErrSyntax) {
				t.Errorf("%v is no fault that callers know", err)
			}
		}
	})
}

// TestUnready tells what is wrong with a program that never begins.
func TestUnready(t *testing.T) {
	words := map[tricks.Trick]string{tricks.Exit: "no licence", tricks.Mute: "no answer to", tricks.Loud: "bytes that are no answer"}
	each(t, tricks.Unready, func(t *testing.T, o Options, _ string, trick tricks.Trick) {
		if trick == tricks.Mute {
			o.Startup = 400 * time.Millisecond
		}
		e, err := Start(t.Context(), o)
		if err == nil {
			e.Close()
			t.Fatal("it is ready")
		}
		if !strings.Contains(err.Error(), words[trick]) {
			t.Errorf("%v: want it to say %q", err, words[trick])
		}
	})
}

// TestScoresNothing has a program that fails in every game play a match.
func TestScoresNothing(t *testing.T) {
	each(t, []tricks.Trick{tricks.Crash, tricks.Illegal, tricks.Huge}, func(t *testing.T, o Options, _ string, _ tricks.Trick) {
		guest := arena.Player{Name: "guest", Make: func() (engine.Engine, error) { return Start(context.Background(), o) }}
		host := arena.Player{Name: "host", Make: func() (engine.Engine, error) { return engine.Random{}, nil }}
		r, err := arena.Match(t.Context(), host, guest, arena.Options{Rules: o.Rules, Games: 10, Plies: 2})
		fault, ok := errors.AsType[*arena.FaultError](err)
		if !ok || fault.Player != "guest" || r.Score.Games != 0 || r.Wins != 0 || r.Elo != 0 || r.Faults[0] != 0 {
			t.Errorf("%+v, %v: want a fault of the guest", r.Score, err)
		}
	})
}

// TestGone sees that nothing is left of a program that hangs with its children.
func TestGone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it looks into /proc")
	}
	each(t, []tricks.Trick{tricks.Brood}, func(t *testing.T, o Options, text string, _ tricks.Trick) {
		mark := "QIPU_MARK=" + strings.ReplaceAll(t.Name(), "/", "-") + time.Now().String()
		o.Env = append(o.Env, mark)
		e, err := Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		e.o.Patience = 100 * time.Millisecond // of what is told to stop
		if _, err := e.Think(ctx, line(t, o.Rules, text), engine.Limits{}, nil); err == nil {
			t.Error("it answers")
		}
		e.Close()
		dirs, _ := os.ReadDir("/proc")
		for _, d := range dirs {
			if env, _ := os.ReadFile("/proc/" + d.Name() + "/environ"); strings.Contains(string(env), mark) {
				t.Errorf("process %s is still there", d.Name())
			}
		}
	})
}
