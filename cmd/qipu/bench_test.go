package main

import (
	"encoding/csv"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"qipu/cli"
	"qipu/internal/testkit"
)

// TestBenchLife compares the tables of the demo set, but for the times.
func TestBenchLife(t *testing.T) {
	a := newTestApp("")
	if code := shell(a, "qipu workshop bench life --methods fill --per-game --errors --gnugo off"); code != 0 {
		t.Fatalf("exit %d: %s", code, a.stderr.String())
	}
	tables, times, ok := strings.Cut(a.stdout.String(), "\nMicroseconds for a board\n")
	if !ok || !strings.Contains(times, "median") {
		t.Errorf("no times: %s", times)
	}
	testkit.Golden(t, "testdata/bench-life.golden", []byte(tables))
}

// TestBenchLifeJSON reads what --json prints.
func TestBenchLifeJSON(t *testing.T) {
	a := newTestApp("")
	if code := shell(a, "qipu workshop bench life --methods fill --per-game --errors --gnugo off --json"); code != 0 {
		t.Fatalf("exit %d: %s", code, a.stderr.String())
	}
	count := map[string]int{}
	for line := range strings.Lines(a.stdout.String()) {
		var o struct {
			Type         string `json:"type"`
			Strings      int    `json:"strings"`
			StringsRight int    `json:"stringsRight"`
			Class        string `json:"class"`
			Time         struct {
				Worst float64 `json:"worst"`
			} `json:"time"`
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		count[o.Type]++
		if o.Type == "set" && (o.Strings != 63 || o.StringsRight != 51 || o.Time.Worst <= 0) {
			t.Errorf("the set: %s", line)
		}
		if o.Type == "mistake" && o.Class == "" {
			t.Errorf("a mistake without a kind: %s", line)
		}
		if strings.Contains(line, "null") {
			t.Errorf("null in %s", line)
		}
	}
	if count["set"] != 1 || count["board"] != 4 || count["mistake"] != 12 || count["class"] == 0 {
		t.Errorf("objects: %v", count)
	}
}

// TestBenchLifeRival measures GNU Go where it is installed: on the small boards of
// the demo set it is right.
func TestBenchLifeRival(t *testing.T) {
	found := false
	for _, place := range []string{"gnugo", "/usr/games/gnugo", "/usr/local/games/gnugo"} {
		_, err := exec.LookPath(place)
		found = found || err == nil
	}
	if !found {
		t.Skip("GNU Go is not installed")
	}
	withGames(t)
	a := newTestApp("")
	if code := shell(a, "qipu workshop bench life games/go-9x9-gbk.sgf --methods fill --json"); code != 0 {
		t.Fatalf("exit %d: %s", code, a.stderr.String())
	}
	for _, want := range []string{`"method":"fill","proof":false,"boards":1,"points":81,"pointsRight":69`, `"method":"gnugo","proof":false,"boards":1,"points":81,"pointsRight":81`} {
		if !strings.Contains(a.stdout.String(), want) {
			t.Errorf("no %s in\n%s", want, a.stdout.String())
		}
	}
}

// TestBenchLifeCSV reads the rows of boards and of sets, and asks for a method
// that is not there.
func TestBenchLifeCSV(t *testing.T) {
	for line, rows := range map[string]int{"qipu workshop bench life --methods fill --gnugo off --csv": 2, "qipu workshop bench life --methods fill --gnugo off --csv --per-game --limit 3": 4} {
		a := newTestApp("")
		code := shell(a, line)
		all, err := csv.NewReader(&a.stdout).ReadAll()
		if code != 0 || err != nil || len(all) != rows || all[0][10] != "strings_right" {
			t.Errorf("%s: exit %d, %v: %q", line, code, err, all)
		}
	}
	a := newTestApp("")
	if code := shell(a, "qipu workshop bench life --methods fill,nonsense"); code != cli.ExitUsage || !strings.Contains(a.stderr.String(), `no method "nonsense": there are `) {
		t.Errorf("exit %d: %s", code, a.stderr.String())
	}
}
