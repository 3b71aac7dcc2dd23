package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"qipu/cli"
	"qipu/engine/external"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
)

// gnugo returns where GNU Go is, or skips the test: Debian keeps games apart.
func gnugo(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"gnugo", "/usr/games/gnugo"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("gnugo is not installed: make deps installs it")
	return ""
}

// matchLine is a line that qipu match --json prints: a game, or what all of them come to.
type matchLine struct {
	Type   string
	Game   string
	Result string
	Moves  []string
	Fault  string
	Points float64

	Games, Wins, Draws, Losses int
	Faults                     [2]int
	Elo                        *float64
}

// matchLines are those of a whole match.
func matchLines(t *testing.T, text string) (games []matchLine, sum *matchLine) {
	t.Helper()
	for line := range strings.Lines(text) {
		var x matchLine
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if x.Type == "match" {
			sum = &x
		} else {
			games = append(games, x)
		}
	}
	return games, sum
}

// TestMatchGNUGo plays matches against GNU Go by its command line alone: by the usual
// rules, and by area, where every result is held against the count of another GNU Go
// that is shown the moves.
func TestMatchGNUGo(t *testing.T) {
	program := gnugo(t)
	const guest = " --mode gtp --chinese-rules --level 1 --never-resign"
	played := func(command, game string) []matchLine {
		line := `qipu match nodes=100 "gtp:` + command + `" --game ` + game + ` --games 2 --plies 2 --seed 7 --json`
		games, sum := matchLines(t, succeed(t, line, 0))
		if len(games) != 2 || sum == nil || sum.Games != 2 || sum.Wins+sum.Draws+sum.Losses != 2 || sum.Faults != [2]int{} || sum.Elo == nil {
			t.Fatalf("%s: %+v of %+v", line, sum, games)
		}
		return games
	}
	played(program+" --mode gtp --level 1", "go:9x9")
	games := played(program+guest, "go:9x9,chinese")
	rules, err := weiqi.Standard.Variant("9x9,chinese")
	if err != nil {
		t.Fatal(err)
	}
	other, err := external.Start(t.Context(), external.Options{Rules: rules, Command: strings.Fields(program + guest), Startup: testkit.Patience})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for i := range games {
		g := &games[i]
		commands := []string{"boardsize 9", "clear_board", "komi 7.5"}
		for at, m := range g.Moves {
			commands = append(commands, "play "+[2]string{"black", "white"}[at%2]+" "+m)
		}
		answers, err := other.Ask(t.Context(), testkit.Patience, append(commands, "final_score")...)
		if err != nil {
			t.Fatal(err)
		}
		if theirs := answers[len(answers)-1]; theirs != g.Result {
			t.Errorf("game %d: %s, and GNU Go counts %s: %v", i+1, g.Result, theirs, g.Moves)
		}
	}
}

// TestMatchBroken: a program that is not there, or does not speak, makes an error of
// the match: no points, no Elo, and an exit code.
func TestMatchBroken(t *testing.T) {
	program := gnugo(t)
	for _, command := range []string{program + " --mode nonsense", "/no/such/program"} {
		a := newTestApp("")
		code := shell(a, `qipu match nodes=10 "gtp:`+command+`" --game go:9x9 --games 4 --json`)
		_, sum := matchLines(t, a.stdout.String())
		if code != cli.ExitData || sum != nil && (sum.Games > 0 || sum.Elo != nil) || a.stderr.Len() == 0 {
			t.Errorf("%s: exit %d, %+v: %s", command, code, sum, a.stderr.String())
		}
	}
}

// TestSilentEngine: GNU Go tells no values, which is found out when it is added or
// tested, and remembered.
func TestSilentEngine(t *testing.T) {
	path := gnugo(t)
	t.Chdir(t.TempDir())
	for _, c := range []struct{ line, want string }{
		{"qipu engines add gnugo --game go:9x9 --no-test -- " + path + " --mode gtp --level 1", "gnugo is in"},
		{"qipu engines list", "untested"},
		{"qipu engines test gnugo", "no values"},
		{"qipu engines list --json", `"values":false`},
		{"qipu engines remove gnugo", "no longer"},
		{"qipu engines add gnugo --game go:9x9 -- " + path + " --mode gtp --level 1", "gnugo is in"},
		{"qipu engines list --json", `"values":false`},
	} {
		a := newTestApp("")
		if code := shell(a, c.line); code != 0 || !strings.Contains(a.stdout.String(), c.want) {
			t.Fatalf("%s: exit %d: %s%s", c.line, code, a.stdout.String(), a.stderr.String())
		}
	}
}
