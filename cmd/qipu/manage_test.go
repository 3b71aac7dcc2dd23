package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu"
	"qipu/cli"
	"qipu/library"
)

// demoGames is how many games the demo set has, as numbers of JSON are.
const demoGames = 28.0

// must runs a command line that ends with a code.
func must(t *testing.T, line string, code int) *testApp {
	t.Helper()
	a := newTestApp("")
	if got := shell(a, line); got != code {
		t.Fatalf("%s: exit %d, want %d: %s%s", line, got, code, a.stdout.String(), a.stderr.String())
	}
	return a
}

// total returns the last object that a command prints with --json.
func total(t *testing.T, a *testApp) map[string]any {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(a.stdout.String()), "\n")
	var object map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &object); err != nil {
		t.Fatalf("%v: %s", err, a.stdout.String())
	}
	return object
}

// waiting is a reader without end that tells when it is asked.
type waiting struct {
	ctx   context.Context
	asked func()
}

func (w *waiting) Read([]byte) (int, error) {
	w.asked()
	<-w.ctx.Done()
	return 0, io.EOF
}

// TestInterruptedImport stops an import that waits for input, and goes on: in
// the end everything is there once.
//
//qipu:race
func TestInterruptedImport(t *testing.T) {
	withGames(t)
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	a := newTestApp("")
	a.In = &waiting{ctx, func() { once.Do(func() { time.AfterFunc(300*time.Millisecond, cancel) }) }}
	if code := a.Run(ctx, []string{"import", "games", "-", "--json"}); code != cli.ExitInterrupted {
		t.Fatalf("exit %d: %s", code, a.stderr.String())
	}
	if got := a.stderr.String(); !strings.Contains(got, "run the command again to go on") {
		t.Errorf("it does not say how to go on: %s", got)
	}
	first := total(t, a)
	if first["complete"] != false {
		t.Errorf("it passes for complete: %v", first)
	}
	second := total(t, must(t, "qipu import games --json", 0))
	sum := func(name string) float64 { return first[name].(float64) + second[name].(float64) }
	if sum("new") != demoGames || sum("files") < 23 || second["unchanged"].(float64) > first["files"].(float64) {
		t.Errorf("first %v\nsecond %v", first, second)
	}
	if games := total(t, must(t, "qipu stats --json", 0))["records"]; games != demoGames {
		t.Errorf("%v games", games)
	}
	must(t, "qipu doctor --deep", 0)
}

// TestRejected imports what cannot be read beside what can.
func TestRejected(t *testing.T) {
	withGames(t)
	for _, name := range []string{"games/a.zip", "games/b.zip"} {
		if err := os.WriteFile(name, []byte("PK\x03\x04 no archive"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a := must(t, "qipu import games --faults faults.ndjson", cli.ExitData)
	if out := a.stdout.String(); strings.Count(out, "rejected: games/") != 2 || strings.Contains(out, "marked: ") {
		t.Errorf("it says\n%s", out)
	}
	report, err := os.ReadFile("faults.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	severities := map[string]int{}
	for line := range bytes.Lines(report) {
		var f struct{ File, Reason, Severity string }
		if err := json.Unmarshal(line, &f); err != nil || f.File == "" || f.Reason == "" {
			t.Errorf("%v: %s", err, line)
		}
		severities[f.Severity]++
	}
	if severities["rejected"] != 2 || severities["marked"] != 1 || len(severities) != 2 {
		t.Errorf("the report has %v", severities)
	}
	a = must(t, "qipu import games --again --max-errors 1", cli.ExitData)
	if !strings.Contains(a.stderr.String(), "too many errors") || !strings.Contains(a.stderr.String(), "go on") {
		t.Errorf("it says %s", a.stderr.String())
	}
	must(t, "qipu import games --faults no/such/folder/faults", cli.ExitData)
	if left, _ := filepath.Glob(".qipu-*"); len(left) > 0 {
		t.Errorf("drafts are left: %v", left)
	}
}

// TestDryRun checks that dry runs agree with what they foretell, and change no
// file of the library.
func TestDryRun(t *testing.T) {
	withGames(t)
	counts := func(line string) (list [4]any) {
		all := total(t, must(t, line, 0))
		for i, name := range []string{"new", "duplicates", "fuller", "twins"} {
			list[i] = all[name]
		}
		return list
	}
	for _, paths := range []string{"games/othello-1.sgf games/othello-3.txt", "games"} {
		before := tree(t, "data")
		foretold := counts("qipu import --dry-run --json --again " + paths)
		if after := tree(t, "data"); after != before {
			t.Errorf("the dry run changed files:\n%s\nbefore:\n%s", after, before)
		}
		if got := counts("qipu import --json --again " + paths); got != foretold {
			t.Errorf("%s: foretold %v, got %v", paths, foretold, got)
		}
	}
	before := tree(t, "data")
	must(t, "qipu import games --again --dry-run --collection new", 0)
	must(t, "qipu delete 1 2 --dry-run", 0)
	must(t, "qipu export --all --dry-run --output out", 0)
	if after := tree(t, "data"); after != before {
		t.Errorf("dry runs changed files:\n%s\nbefore:\n%s", after, before)
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("a dry run has made a folder")
	}
}

// tree lists the files of a folder with their checksums, but for those that readers
// of the database come and go with.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "-shm") || strings.HasSuffix(path, "-wal") {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			fmt.Fprintf(&b, "%s %d bytes %x\n", path, len(data), crc32.ChecksumIEEE(data))
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return b.String()
}

// TestExportKeepsBytes checks that exported files hold the bytes of the files
// that the games came from, and that everything can be imported again.
func TestExportKeepsBytes(t *testing.T) {
	withLibrary(t)
	must(t, "qipu export --all --output out", 0)
	whole := 0
	files, err := filepath.Glob("out/*")
	if err != nil || len(files) < demoGames {
		t.Fatal(files, err)
	}
	for _, name := range files {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, base, _ := strings.Cut(filepath.Base(name), "-")
		from, err := filepath.Glob("games/" + strings.TrimSuffix(base, filepath.Ext(base)) + ".*")
		if err != nil || len(from) == 0 {
			t.Fatalf("%s comes from nowhere: %v", name, err)
		}
		want, err := os.ReadFile(from[0])
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(want, bytes.TrimSpace(got)) {
			whole++
		} else if ext := filepath.Ext(name); ext != ".wtb" && ext != ".jou" && ext != ".trn" {
			t.Errorf("%s: %d bytes that are not in %s", name, len(got), base)
		}
	}
	if whole < 23 {
		t.Errorf("%d files have their original bytes", whole)
	}
	again := total(t, must(t, "qipu import out --library other --json", 0))
	if again["new"] != demoGames {
		t.Errorf("imported again: %v", again)
	}
}

// TestDeleteAsks asks at a terminal, and deletes nothing where there is none.
func TestDeleteAsks(t *testing.T) {
	withLibrary(t)
	for _, c := range []struct {
		line, typed string
		terminal    bool
		code        int
		asks        bool
	}{
		{"qipu delete 1", "n\n", true, cli.ExitNothing, true},
		{"qipu delete 1", "", true, cli.ExitNothing, true},
		{"qipu delete 1", "y\n", true, cli.ExitOK, true},
		{"qipu delete 2 --yes", "", true, cli.ExitOK, false},
		{"qipu delete 3", "", false, cli.ExitUsage, false},
		{"qipu delete 3 --yes", "", false, cli.ExitOK, false},
	} {
		a := newTestApp(c.typed)
		a.InTerm, a.ErrTerm = c.terminal, c.terminal
		code := shell(a, c.line)
		if code != c.code || strings.Contains(a.stderr.String(), "[y/N]") != c.asks {
			t.Errorf("%s, %q typed: exit %d: %s", c.line, c.typed, code, a.stderr.String())
		}
	}
	if games := total(t, must(t, "qipu stats --json", 0))["records"]; games != demoGames-3 {
		t.Errorf("%v games are left of 28 after three were deleted", games)
	}
}

// TestDamagedCatalogue has the doctor say what nobody can repair.
func TestDamagedCatalogue(t *testing.T) {
	withLibrary(t)
	must(t, "qipu backup safe", 0)
	if err := os.WriteFile("data/qipu/catalog.db", []byte(strings.Repeat("no database ", 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"qipu doctor", "qipu doctor --repair"} {
		if got := must(t, line, cli.ExitData).stderr.String(); !strings.Contains(got, "qipu restore") {
			t.Errorf("%s: %s", line, got)
		}
	}
	if err := os.Rename("data/qipu", "data/broken"); err != nil {
		t.Fatal(err)
	}
	must(t, "qipu restore safe", 0)
	must(t, "qipu doctor --deep", 0)
}

// TestInterruptedKeeping interrupts the other commands before they begin.
//
//qipu:race
func TestInterruptedKeeping(t *testing.T) {
	withLibrary(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{"qipu reindex", "qipu doctor", "qipu backup b", "qipu export --all --output out"} {
		a := newTestApp("")
		if code := a.Run(ctx, cli.Words(line)[1:]); code != cli.ExitInterrupted {
			t.Errorf("%s: exit %d: %s%s", line, code, a.stdout.String(), a.stderr.String())
		}
	}
	if _, err := os.Stat("b"); err == nil {
		t.Error("half a backup is left")
	}
	must(t, "qipu doctor --deep", 0)
}

// TestDoctorBesideWriter runs the doctor while somebody writes: what is sound
// at every moment has no problems.
func TestDoctorBesideWriter(t *testing.T) {
	withLibrary(t)
	l, err := qipu.Open(t.Context(), "data/qipu", qipu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done := make(chan error, 1)
	stop := make(chan struct{})
	go func() {
		for id := uint32(1); ; id++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := l.Records().Delete(t.Context(), id%demoGames+1); err != nil {
				done <- err
				return
			}
			if _, err := l.Import(t.Context(), library.ImportOptions{Again: true}, "games"); err != nil {
				done <- err
				return
			}
		}
	}()
	for range 5 {
		must(t, "qipu doctor", 0)
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
