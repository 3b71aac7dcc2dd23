package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// quiet returns a program that prints nothing but on standard error.
func quiet() (*App, *bytes.Buffer) {
	stderr := new(bytes.Buffer)
	return &App{Err: stderr}, stderr
}

func TestProgress(t *testing.T) {
	for mode, want := range map[string]string{"plain": "2 of 4 moves", "json": `"done":2`, "off": "", "auto": ""} {
		a, stderr := quiet()
		a.progress = mode
		bar := a.NewProgress("moves", 4)
		bar.Step(1)
		if stderr.Len() > 0 {
			t.Errorf("%s: talks within the first second", mode)
		}
		bar.last = bar.last.Add(-time.Hour)
		bar.Step(1)
		bar.Close()
		if got := stderr.String(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", mode, got)
		}
	}
	a, stderr := quiet()
	a.progress, a.ErrTerm = "auto", true
	bar := a.NewProgress("moves", 4)
	bar.last = bar.last.Add(-time.Hour)
	bar.Step(1)
	bar.Close()
	if got := stderr.String(); !strings.Contains(got, "1 of 4") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("at a terminal: %q", got)
	}
}

// TestSearching: a long search tells what it has found so far, as --progress
// says; a short one nothing.
func TestSearching(t *testing.T) {
	for mode, want := range map[string]string{
		"plain": "3 games, 1 hit so far\n", "auto": "\r\x1b[K3 games, 1 hit so far\r\x1b[K", "off": "", "json": `3 1 search`,
	} {
		a, stderr := quiet()
		a.ErrTerm, a.progress = true, mode
		s := a.NewSearching()
		s.Tick(1, 1)
		if stderr.Len() > 0 {
			t.Errorf("%s: at once: %q", mode, stderr.String())
		}
		s.last = s.last.Add(-2 * time.Second)
		s.Tick(3, 1)
		s.Tick(4, 4)
		s.Close()
		got := stderr.String()
		if mode == "json" {
			var line struct {
				Games, Hits int
				What        string
			}
			if err := json.Unmarshal([]byte(got), &line); err != nil {
				t.Errorf("%q: %v", got, err)
			}
			got = fmt.Sprintf("%d %d %s", line.Games, line.Hits, line.What)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", mode, got, want)
		}
	}
}

// TestNarrow: at a narrow terminal long columns are cut, and no others.
func TestNarrow(t *testing.T) {
	list := &Table{Columns: []string{"id", "event", "differs", "result"}}
	list.Add(nil, "1", "The 棋譜 Open of a long name", "R missing at d4; n c4 -> e3", "black+resignation")
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, "1   The 棋譜 Open of a long name  R missing at d4; n c4 -> e3  black+resignation\n"},
		{60, "1   The 棋譜 Open of…  R missing at d4;…   black+resignation\n"},
		{20, "1   The 棋…   R missi…  black+resignation\n"},
	} {
		var out bytes.Buffer
		a := &App{Out: &out}
		a.Width = c.width
		if err := a.PrintColumns(list); err != nil {
			t.Fatal(err)
		}
		_, row, _ := strings.Cut(out.String(), "\n")
		if row != c.want {
			t.Errorf("%d: %q, want %q", c.width, row, c.want)
		}
	}
}
