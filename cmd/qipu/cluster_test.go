package main

import (
	"fmt"
	"os"
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
	ownPlace   = regexp.MustCompile(`^qipu .*\b(doctor|backup|restore|reindex|stats|serve|completion|names build)\b|--library|^qipu (bench|train|match|solve|analyse|perft|demo|help|games|convert|check|gtp|uci|ucci|gomocup|nboard)\b|query explain|book merge`)
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

// TestNoZooKeeper imports a game while the servers take no writes: it is there at
// once, the command says where, and ends well.
func TestNoZooKeeper(t *testing.T) {
	if !testkit.Full() {
		t.Skip("replicas need ZooKeeper and time: they are tested at full scale")
	}
	f := clickhouse.Start(t, clickhouse.Options{Replicas: 2})
	withGames(t)
	run := func(line string) *testApp {
		t.Helper()
		a := newTestApp("")
		a.env["QIPU_LIBRARY"], a.env["QIPU_DESK"] = f.URL(), "desk"
		if code := shell(a, line); code != 0 {
			t.Fatalf("%s: exit %d\n%s", line, code, a.stderr.String())
		}
		t.Logf("%s\n%s%s", line, a.stdout.String(), a.stderr.String())
		return a
	}
	run("qipu cluster init --replicas 2 " + f.URL())
	run("qipu import games/xiangqi-mates.pgn")
	f.ZooKeeper().Kill()
	if err := os.WriteFile("one.sgf", []byte("(;GM[1]SZ[9]PB[Alone]PW[Waiting]RE[B+R];B[ee];W[gc];B[cc])"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := run("qipu import one.sgf")
	for _, want := range []string{"wait to be shipped: 1.", "/desk and found as all others", "shipped by the next command that writes", "see qipu cluster status"} {
		if !strings.Contains(a.stderr.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, a.stderr.String())
		}
	}
	if a := run("qipu find player:Alone"); !strings.Contains(a.stdout.String(), "Waiting") {
		t.Errorf("the game is not found:\n%s", a.stdout.String())
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
