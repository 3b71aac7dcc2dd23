package arena_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/engine"
	"qipu/engine/external"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
)

// TestCountGNUGo plays games to their ends and holds our count against that of GNU
// Go: half of them it plays against itself, in the others it meets our engine, which
// leaves more dead stones behind. Where the counts differ, both dead lists are told,
// and what comes of it when GNU Go plays on until everything that it calls dead is
// taken off. A proposal that is not sure is no result: there a match plays on, too, and what
// that comes to is compared.
func TestCountGNUGo(t *testing.T) {
	program, err := findGNUGo()
	if err != nil {
		t.Skip("gnugo is not installed: make deps")
	}
	var mu sync.Mutex
	total, same, proposed, sure := 0, 0, 0, 0
	for _, c := range []struct {
		size  int
		games int
		nodes int64 // of our engine; 0 where it does not play
	}{{9, testkit.Scale(2, 28), 0}, {9, testkit.Scale(2, 28), 60}, {19, testkit.Scale(0, 1), 0}, {19, testkit.Scale(0, 8), 10}} {
		for n := range c.games {
			t.Run(fmt.Sprintf("%dx%d/%d/%d", c.size, c.size, c.nodes, n), func(t *testing.T) {
				t.Parallel()
				g := &gnugoGame{t: t, program: program, size: c.size, seed: n, nodes: c.nodes}
				g.play()
				defer g.engine.Close()
				proposal, result := g.count()
				mu.Lock()
				defer mu.Unlock()
				total++
				if proposal {
					proposed++
				}
				if result {
					same++
				}
				if g.ours.Sure {
					sure++
				}
			})
		}
	}
	t.Cleanup(func() { // behind all games
		t.Logf("%d of %d results are those of GNU Go; %d of the proposals, of which %d are sure", same, total, proposed, sure)
		if allowed := (total + 29) / 30; total-same > allowed {
			t.Errorf("%d of %d results differ from GNU Go's: at most %d may", total-same, total, allowed)
		}
	})
}

// findGNUGo returns where the program is: Debian keeps games apart.
func findGNUGo() (string, error) {
	path, err := exec.LookPath("gnugo")
	if err != nil {
		path, err = exec.LookPath("/usr/games/gnugo")
	}
	return path, err
}

// gnugoGame is a game that GNU Go takes part in.
type gnugoGame struct {
	t          *testing.T
	program    string
	size, seed int
	nodes      int64

	engine *external.Engine
	rules  game.Rules
	p      game.Position
	moves  int
	ours   *game.Settlement
}

// ask gives GNU Go one command.
func (g *gnugoGame) ask(format string, args ...any) string {
	g.t.Helper()
	answers, err := g.engine.Ask(g.t.Context(), testkit.Patience, fmt.Sprintf(format, args...))
	if err != nil {
		g.t.Fatal(err)
	}
	return answers[0]
}

// colour is whose turn it is.
func (g *gnugoGame) colour() string { return g.rules.Info().Sides[g.p.Turn()].Name }

// make makes a move, on both boards.
func (g *gnugoGame) make(m game.Move) {
	g.ask("play %s %s", g.colour(), game.FormatMove(g.rules, g.p, m, weiqi.GTP))
	g.take(m)
}

// take makes a move that GNU Go has made on its own board.
func (g *gnugoGame) take(m game.Move) {
	if err := g.p.Play(m); err != nil {
		g.t.Fatal(err)
	}
	g.moves++
}

// genmove has GNU Go move.
func (g *gnugoGame) genmove(command string) game.Move {
	text := g.ask("%s %s", command, g.colour())
	m, err := g.rules.ParseMove(g.p, text, weiqi.GTP)
	if err != nil {
		g.t.Fatalf("%s: %v", text, err)
	}
	g.take(m)
	return m
}

// play plays from some moves by chance until both pass.
func (g *gnugoGame) play() {
	t := g.t
	var err error
	if g.rules, err = weiqi.Standard.Variant(fmt.Sprintf("%dx%d,chinese", g.size, g.size)); err != nil {
		t.Fatal(err)
	}
	command := []string{g.program, "--mode", "gtp", "--chinese-rules", "--level", "1", "--never-resign", "--seed", fmt.Sprint(g.seed + 1)}
	if g.engine, err = external.Start(t.Context(), external.Options{Rules: g.rules, Command: command}); err != nil {
		t.Fatal(err)
	}
	g.p = g.rules.Start()
	g.ask("boardsize %d", g.size)
	g.ask("clear_board")
	g.ask("komi 7.5")
	random := rand.New(rand.NewPCG(uint64(g.seed), uint64(g.size)))
	for range 2 * g.size / 9 {
		moves := g.p.AppendMoves(nil)
		g.make(moves[random.IntN(len(moves)-1)])
	}
	own, err := builtin.Engine(g.rules, engine.Options{Hash: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	start, line := game.SetupOf(g.p), []game.Move(nil)
	for !g.p.Outcome().Over() && g.moves < 4*g.size*g.size {
		var m game.Move
		if g.nodes > 0 && int(g.p.Turn()) == g.seed&1 {
			var r *engine.Report
			r, err = own.Think(t.Context(), &engine.Task{Rules: g.rules, Start: &start, Moves: line}, engine.Limits{Nodes: g.nodes, Seed: uint64(g.seed) | 1}, nil)
			switch {
			case errors.Is(err, engine.ErrResigned): // the end is what is wanted
				m = g.genmove("genmove")
			case err != nil:
				t.Fatal(err)
			default:
				m = r.Best().Move
				g.make(m)
			}
		} else {
			m = g.genmove("genmove")
		}
		line = append(line, m)
	}
}

// count counts the game, and reports whether GNU Go comes to what is proposed, and to what
// is the result.
func (g *gnugoGame) count() (proposal, result bool) {
	t, settler := g.t, builtin.Settler(g.rules)
	var err error
	if g.ours, err = settler.Propose(t.Context(), g.p); err != nil {
		t.Fatal(err)
	}
	ours, theirs := g.score(g.ours), g.ask("final_score")
	t.Logf("%d moves: %s, sure: %v, taken off: %d", g.moves, ours, g.ours.Sure, len(g.ours.Dead()))
	if ours == theirs {
		return true, true
	}
	dead := strings.Fields(g.ask("final_status_list dead"))
	slices.Sort(dead)
	t.Logf("%dx%d, game %d, nodes %d, %d moves: %s (sure: %v), GNU Go %s\ndead:       %s\nby GNU Go: %s\n%s", g.size, g.size, g.seed, g.nodes, g.moves, ours, g.ours.Sure,
		theirs, strings.Join(g.names(g.ours.Dead()), " "), strings.Join(dead, " "), g.ask("showboard"))
	setup := game.SetupOf(g.p) // without the passes
	if g.p, err = g.rules.Arrange(setup); err != nil {
		t.Fatal(err)
	}
	for range 4 * g.size * g.size {
		if g.genmove("kgs-genmove_cleanup"); g.p.Outcome().Over() {
			break
		}
	}
	end, err := settler.Count(g.p, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("played on, and counted as it stands: %s", g.score(end))
	return false, !g.ours.Sure && g.score(end) == theirs
}

// score returns a result as GNU Go writes it.
func (g *gnugoGame) score(s *game.Settlement) string {
	return fmt.Sprintf("%s+%.1f", strings.ToUpper(g.rules.Info().Sides[s.Outcome.Winner].Name[:1]), float64(s.Outcome.Margin)/2)
}

// names returns points as GNU Go writes them.
func (g *gnugoGame) names(list []board.Point) (words []string) {
	for _, at := range list {
		words = append(words, g.rules.Geometry().Name(at))
	}
	slices.Sort(words)
	return words
}
