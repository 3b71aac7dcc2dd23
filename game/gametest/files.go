package gametest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"qipu/game"
	"qipu/internal/testkit"
)

// Perft checks published leaf counts. Each line of the file is a position (as
// in game.ParsePosition; "start"), then depths and counts:
//
//	start ; 1 44 ; 2 1920 ; 3 79666
//
// A depth with a "+" ("9+ 3005320") counts passes as no ply. Lines that start
// with # name the source. Counts beyond ten million leaves run at full scale
// only.
func Perft(t *testing.T, r game.Rules, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	limit := uint64(testkit.Scale(10_000_000, 1<<62))
	ran := 0
	for i, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, ";")
		p, err := game.ParsePosition(r, fields[0])
		if err != nil {
			t.Errorf("%s:%d: %v", path, i+1, err)
			continue
		}
		for _, f := range fields[1:] {
			depth, want, free := parseCount(t, path, i+1, f)
			if want > limit {
				continue
			}
			o := r.Info().Perft
			o.FreePass = free
			if got := game.Perft(p, depth, o); got != want {
				t.Errorf("%s:%d: depth %d: %d leaves, want %d", path, i+1, depth, got, want)
			}
			ran++
		}
	}
	if ran == 0 {
		t.Errorf("%s: no counts", path)
	}
}

func parseCount(t *testing.T, path string, line int, field string) (depth int, want uint64, free bool) {
	t.Helper()
	words := strings.Fields(field)
	if len(words) == 2 {
		d, f := strings.CutSuffix(words[0], "+")
		depth, err1 := strconv.Atoi(d)
		want, err2 := strconv.ParseUint(words[1], 10, 64)
		if err1 == nil && err2 == nil {
			return depth, want, f
		}
	}
	t.Fatalf("%s:%d: %q is no depth and count", path, line, field)
	return 0, 0, false
}

// Playthrough runs a script (see testkit.Script) whose steps are
//
//	play [variant=SPEC]
//	a position and moves, as in game.ParsePosition
//	----
//	everything observable at every ply
func Playthrough(t *testing.T, r game.Rules, path string) {
	testkit.Script(t, path, func(t *testing.T, c testkit.Command) string {
		rules := r
		if spec := c.Named["variant"]; spec != "" {
			var err error
			if rules, err = r.(game.Varied).Variant(spec); err != nil {
				return err.Error()
			}
		}
		if c.Name != "play" {
			t.Fatalf("unknown command %q", c.Name)
		}
		head, moves := strings.TrimSpace(c.Input), ""
		if before, after, ok := strings.Cut(head, "moves"); ok {
			head, moves = before, after
		}
		p, err := game.ParsePosition(rules, head)
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		describe(&b, rules, p)
		for _, text := range strings.Fields(moves) {
			m, err := rules.ParseMove(p, text, game.AnyNotation)
			if err != nil {
				fmt.Fprintf(&b, "%s: %v\n", text, err)
				break
			}
			for i, n := range rules.Info().Notations {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(game.FormatMove(rules, p, m, n.Name))
			}
			b.WriteByte('\n')
			if err := p.Play(m); err != nil {
				fmt.Fprintf(&b, "%s: %v\n", text, err)
				break
			}
			describe(&b, rules, p)
		}
		return b.String()
	})
}

func describe(b *strings.Builder, r game.Rules, p game.Position) {
	fmt.Fprintf(b, "  %s | hash %016x | %d moves", game.FormatPosition(r, p), p.Hash(), len(p.AppendMoves(nil)))
	if o := p.Outcome(); o.Over() {
		b.WriteString(" | " + o.Describe(r.Info()))
		if o.Claim {
			b.WriteString(", by claim")
		}
	}
	b.WriteByte('\n')
}
