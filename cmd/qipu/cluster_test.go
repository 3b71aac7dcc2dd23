package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// hosts are the servers that stand for those of examples.
var hosts struct {
	once sync.Once
	url  string
}

// onHosts has an example speak of servers that there are; "" where there are none.
func onHosts(t *testing.T, line string) string {
	const named = "clickhouse://default@host1,host2/games"
	if !strings.Contains(line, named) {
		return line
	}
	hosts.once.Do(func() {
		t.Run("servers", func(t *testing.T) { // which skips where there are none
			hosts.url = clickhouse.Shared(t).URL()
		})
	})
	if hosts.url == "" {
		return ""
	}
	return strings.ReplaceAll(line, named, hosts.url)
}

// ownPlace are commands that are about the place of a library, or that speak of
// it, and lines that do.
var (
	ownPlace   = regexp.MustCompile(`^qipu .*\b(doctor|backup|restore|reindex|stats|serve|completion|names build)\b|--library|^qipu (bench|train|match|solve|analyse|perft|demo|help|games|convert|check|gtp|nboard)\b|query explain|book merge`)
	placeLines = regexp.MustCompile(`(?m)^.*(a new library is made in|SIZE|columns? kept|no column for).*\n`)
)

// neutral returns what a command printed without what depends on the place of
// the library.
func neutral(out string) string {
	return strings.TrimSuffix(placeLines.ReplaceAllString(out, ""), "[stderr]\n")
}

// TestOnCluster runs the scripts once more on a library on servers: the same
// commands print the same.
func TestOnCluster(t *testing.T) {
	files := []string{"find.txt", "tags.txt"}
	if testkit.Full() {
		all, err := filepath.Glob("testdata/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		files = nil
		for _, name := range all {
			if base := filepath.Base(name); base != "gtp.txt" && base != "shapes.txt" { // which look into the folder
				files = append(files, base)
			}
		}
	}
	for i := range files {
		var err error
		if files[i], err = filepath.Abs(filepath.Join("testdata", files[i])); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) { onServers(t, path) })
	}
}

// said is a command of a script and what it printed.
type said struct {
	testkit.Command
	out string
}

func onServers(t *testing.T, path string) {
	f := clickhouse.Shared(t)
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	run := func(c testkit.Command, library string) string {
		a := newTestApp(c.Input)
		if library != "" {
			a.env["QIPU_LIBRARY"] = library
		}
		code := shell(a, c.Line)
		out := a.stdout.String()
		if a.stderr.Len() > 0 {
			out += "[stderr]\n" + a.stderr.String()
		}
		if code != 0 {
			out += fmt.Sprintf("[exit %d]\n", code)
		}
		return steady(t, out)
	}
	var script []said
	t.Run("folder", func(t *testing.T) {
		withGames(t)
		var w world
		defer w.unlock()
		testkit.Script(t, path, func(t *testing.T, c testkit.Command) string {
			out := ""
			if c.Name != "qipu" && c.Name != "echo" {
				out = w.do(t, c)
			} else {
				out = run(c, "")
			}
			script = append(script, said{c, out})
			return out
		})
	})
	withGames(t)
	var w world
	compared, made := 0, false
	for _, s := range script {
		switch {
		case s.Name == "lock" || s.Name == "flip":
			return // what follows is about the files of a folder
		case s.Name == "unlock" || ownPlace.MatchString(s.Line):
			continue
		case s.Name != "qipu" && s.Name != "echo":
			w.do(t, s.Command)
			continue
		}
		got := run(s.Command, f.URL())
		made = made || strings.HasPrefix(s.Line, "qipu import")
		if !made || strings.Contains(s.out, "there is no library in") {
			continue // there is one on the servers, which is empty
		}
		compared++
		if x, y := neutral(got), neutral(s.out); x != y {
			t.Errorf("%s\nprints on servers\n%s\nand in a folder\n%s", s.Line, x, y)
		}
	}
	t.Logf("%d commands print the same", compared)
}
