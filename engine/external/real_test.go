package external

import (
	"os/exec"
	"testing"
	"time"

	"qipu/arena"
	"qipu/engine"
	"qipu/game"
	"qipu/internal/testkit"
)

// program returns the path of a real program, or skips the test: make deps installs it.
func program(t *testing.T, name string) string {
	t.Helper()
	for _, place := range []string{name, "/usr/games/" + name, "/usr/local/games/" + name} {
		if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed: make deps installs it", name)
	return ""
}

// TestReal plays a game with real programs, and has those value positions that can.
func TestReal(t *testing.T) {
	for _, c := range []struct {
		name, game string
		protocol   Protocol
		args       []string
		opaque     bool
		lines      int // that it says of a position when it is asked for two
	}{
		{"gnugo", "go:9x9", GTP, []string{"--mode", "gtp", "--level", "1"}, true, 1},
		{"fairy-stockfish", "xiangqi", UCI, nil, false, 2},
		{"fairy-stockfish", "xiangqi", UCCI, nil, false, 2},
		{"fairy-stockfish", "chess:960", UCI, nil, false, 2},
		{"stockfish", "chess", UCI, nil, false, 2},
		{"stockfish", "chess:960", UCI, nil, false, 2},
		{"gnuchess", "chess", UCI, []string{"--uci"}, false, 1},
	} {
		t.Run(c.name+"/"+c.game+"/"+string(c.protocol), func(t *testing.T) {
			path := program(t, c.name)
			rules, err := catalog.Find(c.game)
			if err != nil {
				t.Fatal(err)
			}
			start := func() (engine.Engine, error) {
				return Start(t.Context(), Options{
					Protocol: c.protocol, Rules: rules, Command: append([]string{path}, c.args...), Limits: engine.Limits{Depth: 2},
					Startup: testkit.Patience, Patience: testkit.Patience,
				})
			}
			e, err := start()
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			if e.Info().Opaque != c.opaque {
				t.Errorf("%+v", e.Info())
			}
			told := 0
			r, err := e.Think(t.Context(), &engine.Task{Rules: rules}, engine.Limits{Depth: 3, Multi: 2}, func(*engine.Report) { told++ })
			if err != nil || told == 0 || (r.Best().Value == engine.NoValue) != c.opaque || !c.opaque && (len(r.Lines) != c.lines || r.Best().Told == "") {
				t.Errorf("%+v, %v, told %d times", r, err, told)
			}
			if !c.opaque { // it is stopped, and answers with what it has
				if r, err = e.Think(t.Context(), &engine.Task{Rules: rules}, engine.Limits{Time: 50 * time.Millisecond}, nil); err != nil || r.Best().Value == engine.NoValue {
					t.Errorf("%+v, %v", r, err)
				}
			}
			guest := arena.Player{Name: "guest", Make: start}
			chance := arena.Player{Name: "chance", Make: func() (engine.Engine, error) { return engine.Random{}, nil }}
			m, err := arena.Match(t.Context(), guest, chance, arena.Options{Rules: rules, Games: 2, Plies: 2})
			if err != nil || m.Wins != 2 {
				t.Errorf("%+v, %v: want two wins against chance", m.Score, err)
			}
		})
	}
}

// TestFEN: what belongs to a position is told with it.
func TestFEN(t *testing.T) {
	for _, c := range []struct{ spec, text, want string }{
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 30", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 30"},
		{"chess", "1. e4 e6 2. e5 d5", "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"},
		{"chess:960", "4k3/8/8/8/8/8/8/1RR1K3 w B - 0 1", "4k3/8/8/8/8/8/8/1RR1K3 w Q - 0 1"},
		{"xiangqi", "start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"},
	} {
		r, err := catalog.Find(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		p, err := game.ParsePosition(r, c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := fen(r, p); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.spec, c.text, got, c.want)
		}
	}
}
