package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/engine/classic"
	"qipu/engine/exact"
	"qipu/internal/testkit"
	"qipu/view"
)

// TestLabTables measures what docs/lab.md tells, and under -rewrite puts the tables there.
// It takes some minutes at full scale; every day all of it is done in small.
func TestLabTables(t *testing.T) {
	section := func(t *testing.T, name, text string) {
		if testkit.Full() {
			testkit.Section(t, "../../docs/lab.md", name, text)
		} else {
			t.Logf("%s\n%s", name, text)
		}
	}
	t.Run("solved", func(t *testing.T) {
		var b strings.Builder
		b.WriteString("| board | value for the side that begins | positions entered | of them known from before |\n|---|---|---|---|\n")
		for _, game := range strings.Fields(pick("go:3x1 kalah:houses=3,seeds=2 hex:2x2",
			"go:1x1 go:2x1 go:3x1 go:4x1 go:5x1 go:6x1 go:2x2 go:3x2 "+
				"kalah:houses=3,seeds=1 kalah:houses=3,seeds=2 kalah:houses=3,seeds=3 kalah:houses=3,seeds=4 kalah:houses=3,seeds=5 kalah:houses=3,seeds=6 "+
				"kalah:houses=4,seeds=1 kalah:houses=4,seeds=2 kalah:houses=4,seeds=3 kalah:houses=4,seeds=4 kalah:houses=4,seeds=5 "+
				"kalah:houses=6,seeds=1 kalah:houses=6,seeds=2 kalah:houses=6,seeds=3 hex:2x2 hex:3x3 tictactoe")) {
			r, err := builtin.Whole().Games().Find(game)
			if err != nil {
				t.Fatal(err)
			}
			a, err := exact.Solve(context.Background(), r, r.Start(), exact.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "| `%s` | %+d | %s | %s |\n", game, a.Value, thousands(float64(a.Nodes)), thousands(float64(a.Hits)))
		}
		section(t, "solved", b.String())
	})
	t.Run("kalah", func(t *testing.T) {
		openings := testkit.Scale(3, 100)
		rows := labRows[view.LabKalah](t, fmt.Sprintf("qipu lab kalah --six --depth %s --openings %d --json", pick("3", "4-8"), openings), "kalah")
		var b strings.Builder
		b.WriteString("| board | depth | leaves of minimax | alpha-beta | fixed | dynamic | staged, last stage | all stages | dynamic above fixed |\n|---|---|---|---|---|---|---|---|---|\n")
		for ; len(rows) >= 6; rows = rows[6:] {
			fmt.Fprintf(&b, "| %s | %d | %s", strings.TrimPrefix(rows[0].Game, "kalah:houses=6,"), rows[0].Depth, thousands(rows[0].Leaves))
			for _, r := range rows[1:6] {
				fmt.Fprintf(&b, " | %s: %.2f ± %.2f", thousands(r.Leaves), r.Ratio, 1.96*r.RatioError)
			}
			fmt.Fprintf(&b, " | %+.3f ± %.3f |\n", rows[3].Above, 1.96*rows[3].AboveError)
		}
		section(t, "kalah", b.String())
	})
	t.Run("trees", func(t *testing.T) {
		var b strings.Builder
		b.WriteString("| width, depth | alpha-beta | independent | shallow cuts alone | independent | deep cuts save |\n|---|---|---|---|---|---|\n")
		for _, c := range []struct {
			b, d       int
			independ   string
			shallow    string
			smallAlone bool
		}{
			{2, 8, "109.7 ± 1.2", "151.6", true}, {4, 6, "919 ± 9", "1,355", false}, {8, 6, "21,714 ± 193", "37,624", false},
			{16, 4, "8,743 ± 75", "11,265", false}, {32, 3, "6,726 ± 47", "the same", false},
		} {
			if !c.smallAlone && !testkit.Full() {
				continue
			}
			var m [2]classic.Mean
			for i, method := range []string{"alphabeta", "shallow"} {
				var err error
				if m[i], err = classic.Leaves(context.Background(), method, c.b, c.d, classic.Seeds(uint64(c.b*100+c.d), testkit.Scale(10, 400)), false); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Fprintf(&b, "| %d, %d | %s ± %.1f | %s | %s ± %.1f | %s | %.0f %% |\n", c.b, c.d, thousands(m[0].Mean), m[0].Error, c.independ, thousands(m[1].Mean), m[1].Error, c.shallow, 100*(1-m[0].Mean/m[1].Mean))
		}
		section(t, "trees", b.String())
	})
	t.Run("table", func(t *testing.T) {
		rows := labRows[view.LabTable](t, fmt.Sprintf("qipu lab theory --table --width %d --trees %d --json", testkit.Scale(3, 32), testkit.Scale(5, 200)), "table")
		var b strings.Builder
		b.WriteString("| depth | width | all | least | by chance | exact | shallow cuts alone | by branches | shallow cuts alone |\n|---|---|---|---|---|---|---|---|---|\n")
		for _, r := range rows {
			expected := ""
			if r.Expected > 0 {
				expected = fmt.Sprintf("%.1f", r.Expected)
			}
			fmt.Fprintf(&b, "| %d | %d | %s | %s | %s | %s | %s | %s | %s |\n", r.Depth, r.Width, thousands(r.All), thousands(float64(r.Best)), spread(r.Means[0]), expected, spread(r.Means[1]), spread(r.Means[2]), spread(r.Means[3]))
		}
		section(t, "table", b.String())
	})
	t.Run("growth", func(t *testing.T) {
		command := fmt.Sprintf("qipu lab theory --growth --width %d --trees %d", testkit.Scale(3, 32), testkit.Scale(3, 100))
		rows := labRows[view.LabGrowth](t, command+" --json", "growth")
		var b strings.Builder
		b.WriteString("| width | depths | alpha-beta | shallow cuts alone | x/(1-x) | b/ln b | root of b |\n|---|---|---|---|---|---|---|\n")
		for _, r := range rows {
			fmt.Fprintf(&b, "| %d | %d, %d | %.2f ± %.2f | %.2f ± %.2f | %.2f | %.2f | %.2f |\n", r.Width, r.Depth-2, r.Depth, r.AlphaBeta, r.AlphaBetaError, r.Shallow, r.ShallowError, r.Pearl, r.Knuth, r.Least)
		}
		section(t, "growth", b.String())
		a := newTestApp("")
		if code := shell(a, command+" --svg"); code != 0 {
			t.Fatalf("%s: exit %d: %s", command, code, a.stderr.String())
		}
		testkit.WellFormed(t, a.stdout.Bytes())
		if testkit.Full() && testkit.Rewriting() {
			if err := os.WriteFile("../../docs/pictures/lab-growth.svg", a.stdout.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// labRows runs a command and returns what it tells as JSON.
func labRows[T any](t *testing.T, command, kind string) (list []T) {
	t.Helper()
	a := newTestApp("")
	if code := shell(a, command); code != 0 {
		t.Fatalf("%s: exit %d: %s", command, code, a.stderr.String())
	}
	for line := range strings.Lines(a.stdout.String()) {
		var row T
		if !strings.Contains(line, `"type":"`+kind+`"`) {
			t.Fatalf("%s: %s", command, line)
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		list = append(list, row)
	}
	if len(list) == 0 {
		t.Fatalf("%s: nothing", command)
	}
	return list
}

func spread(m view.LabMean) string { return fmt.Sprintf("%s ± %.1f", thousands(m.Mean), m.Error) }

// thousands writes a number as people read it; small ones with a decimal.
func thousands(x float64) string {
	if x < 1000 && x != float64(int(x)) {
		return fmt.Sprintf("%.1f", x)
	}
	text := fmt.Sprintf("%.0f", x)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// pick returns the first text, or the second at full scale.
func pick(small, full string) string { return []string{small, full}[testkit.Scale(0, 1)] }
