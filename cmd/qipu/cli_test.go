package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/builtin"
	"qipu/cli"
	"qipu/cli/engines"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/internal/testkit"
)

// testApp is a program with captured streams.
type testApp struct {
	cli.App
	stdout, stderr bytes.Buffer
	env            map[string]string
}

func newTestApp(stdin string) *testApp {
	// Where no test names a library, it is in the present folder and not in that
	// of the user.
	a := &testApp{env: map[string]string{"XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config"}}
	a.App = cli.App{
		Rooms: rooms, Games: builtin.Games(), Formats: builtin.Formats(), Settlers: builtin.Settler, Taught: builtin.Taught, In: strings.NewReader(stdin), Out: &a.stdout, Err: &a.stderr,
		LookupOS: func(name string) (string, bool) { v, ok := a.env[name]; return v, ok }, Completion: testkit.Patience,
	}
	a.Engine = engines.Maker(&a.App, builtin.Engine)
	return a
}

// shell runs a command line of the form [echo TEXT |] qipu ARGS.
func shell(a *testApp, line string) int {
	if left, right, piped := strings.Cut(line, " | "); piped {
		text := strings.TrimPrefix(left, "echo ") + "\n"
		if printed, ok := strings.CutPrefix(left, "printf "); ok {
			text = strings.ReplaceAll(strings.Trim(printed, "'"), `\n`, "\n")
		}
		a.In = strings.NewReader(text)
		line = right
	}
	return a.Run(context.Background(), cli.Words(line)[1:])
}

// TestScripts runs command lines and compares everything they print.
//
//qipu:race full
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for i := range files {
		if files[i], err = filepath.Abs(files[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			withGames(t)
			var w world
			defer w.unlock()
			testkit.Script(t, path, func(t *testing.T, c testkit.Command) string {
				if c.Name != "qipu" && c.Name != "echo" {
					return w.do(t, c)
				}
				a := newTestApp(c.Input)
				code := shell(a, c.Line)
				out := a.stdout.String()
				if a.stderr.Len() > 0 {
					out += "[stderr]\n" + a.stderr.String()
				}
				if code != 0 {
					out += fmt.Sprintf("[exit %d]\n", code)
				}
				return steady(t, out)
			})
		})
	}
}

// withGames goes to an empty folder that has the demo set in games/.
func withGames(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if a := newTestApp(""); shell(a, "qipu sample") != 0 {
		t.Fatal(a.stderr.String())
	}
}

// withLibrary goes to an empty folder that has the demo set in games/ and in
// the library.
func withLibrary(t *testing.T) {
	t.Helper()
	withGames(t)
	if a := newTestApp(""); shell(a, "qipu import games") != 0 {
		t.Fatal(a.stderr.String())
	}
}

// commands returns a command and all below it that users see.
func commands(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			list = append(list, commands(c)...)
		}
	}
	return list
}

// manyGames is how miners say that there is too little to learn from.
var manyGames = regexp.MustCompile(`too few rows|fewer than (two|three) |no player is called so|games of \d+ kinds|in the queue|verdicts.json|there is nothing to mine|no result|result alone|too few games`)

// learns tells whether a line learns from games.
func learns(line string) bool {
	return strings.Contains(line, "qipu mine ") || strings.Contains(line, "qipu workshop sight ") || strings.Contains(line, "qipu workshop chess ")
}

// TestExamples runs every example of every help text.
func TestExamples(t *testing.T) {
	withLibrary(t)
	run := map[string]bool{}
	for _, cmd := range commands(newTestApp("").Root()) {
		lines := strings.Split(strings.TrimSpace(cmd.Example), "\n")
		if len(lines) < 2 {
			t.Errorf("%s: help should begin with two examples", cmd.CommandPath())
		}
		if cmd.Name() == "serve" {
			continue // it does not end by itself: see TestServe
		}
		if cmd.Name() == "fetch" {
			continue // tests ask nobody outside: see library/fetch
		}
		for _, line := range lines {
			if cmd.CommandPath() == "qipu engines test" {
				continue // the program may not be there: see engine/external
			}
			if line = onHosts(t, line); line == "" {
				continue // without servers it cannot be run
			}
			if line = strings.TrimSpace(line); run[line] {
				continue // a command and its parent show it
			}
			run[line] = true
			a := newTestApp("")
			code := shell(a, line)
			if (code == cli.ExitData || code == cli.ExitNothing) && learns(line) && manyGames.MatchString(a.stderr.String()) {
				continue // the demo set is too small, which it says: see testdata/mine.txt
			}
			if code != 0 {
				t.Errorf("%s: exit %d: %s", line, code, a.stderr.String())
			}
			if a.stdout.Len()+a.stderr.Len() == 0 && !strings.Contains(line, "--output") {
				t.Errorf("%s: no output", line)
			}
			if bytes.ContainsRune(a.stdout.Bytes(), '\x1b') {
				t.Errorf("%s: escape codes in a pipe", line)
			}
		}
	}
	if picture, err := os.ReadFile("board.svg"); err != nil || !bytes.HasPrefix(picture, []byte("<svg")) {
		t.Errorf("the picture was not written: %v", err)
	}
}

// TestMarkdown runs the console blocks of the documents and compares their
// output; -rewrite brings them up to date.
func TestMarkdown(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	withGames(t)
	for _, name := range []string{"README.md", "docs/adding-a-game.md", "docs/formats.md", "docs/shapes.md", "docs/life.md", "docs/patterns.md"} {
		path := filepath.Join(root, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Golden(t, path, rerun(t, string(data)))
	}
}

// rerun returns a document with the output of its console blocks made anew.
func rerun(t *testing.T, text string) []byte {
	var out strings.Builder
	inside := false
	for _, line := range strings.SplitAfter(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```console"):
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && strings.HasPrefix(line, "$ qipu"), inside && strings.HasPrefix(line, "$ echo"):
			out.WriteString(line)
			a := newTestApp("")
			a.Theory = builtin.Theory // as the program has it: scripts learn values of their own
			if code := shell(a, strings.TrimSpace(line[2:])); code != 0 && code != cli.ExitData && code != cli.ExitUsage {
				t.Errorf("%s: exit %d: %s", line, code, a.stderr.String())
			}
			out.WriteString(steady(t, a.stdout.String()+a.stderr.String()))
			continue
		case inside:
			continue
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}

// TestJSON checks that --json prints one object a line, and never null, in
// every command that prints data.
func TestJSON(t *testing.T) {
	withLibrary(t)
	for _, line := range []string{
		"qipu games --json", "qipu games othello --json", "qipu version --json", "qipu perft othello 3 --json",
		"qipu draw othello f5d6 --json", "qipu draw othello --json", "qipu sample --json",
		"qipu check games/xiangqi-mates.pgn --json", "qipu show games/xiangqi-mates.pgn --json",
		"qipu import games --again --verbose --json", "qipu collections create a --json", "qipu collections add a 1 2 --json",
		"qipu collections --json", "qipu delete 1 --yes --json", "qipu stats --json", "qipu doctor --json", "qipu reindex --json",
		"qipu backup b --json", "qipu restore b --library c --json", "qipu export 2 3 --json", "qipu show 2 --json",
		"qipu shapes list --json", "qipu shapes show cut --json", "qipu shapes match games/go-9x9-1.sgf --side both --all --json", "qipu shapes test --json",
		"qipu shapes stats --json", "qipu workshop count --json", "qipu shapes export --origin paper --json", "qipu workshop mine --support 1000 --json",
	} {
		a := newTestApp("")
		if code := shell(a, line); code != 0 {
			t.Errorf("%s: exit %d: %s", line, code, a.stderr.String())
		}
		for _, text := range strings.Split(strings.TrimSpace(a.stdout.String()), "\n") {
			var object map[string]any
			if err := json.Unmarshal([]byte(text), &object); err != nil {
				t.Errorf("%s: %v: %s", line, err, text)
			}
			if path := findNull("", object); path != "" {
				t.Errorf("%s: %s is null", line, path)
			}
		}
	}
	for _, line := range []string{"qipu games --csv", "qipu perft othello 3 --csv", "qipu check games/othello.wtb --csv",
		"qipu import games --again --csv", "qipu collections --csv", "qipu collections add a 3 --csv", "qipu stats --csv", "qipu export 4 --csv",
		"qipu shapes list --csv", "qipu shapes match games/go-9x9-1.sgf --csv", "qipu shapes stats --csv"} {
		a := newTestApp("")
		shell(a, line)
		if rows, err := csv.NewReader(&a.stdout).ReadAll(); err != nil || len(rows) < 2 {
			t.Errorf("%s: %d rows, %v", line, len(rows), err)
		}
	}
}

func findNull(path string, v any) string {
	switch v := v.(type) {
	case nil:
		return path
	case map[string]any:
		for k, w := range v {
			if found := findNull(path+"."+k, w); found != "" {
				return found
			}
		}
	case []any:
		for _, w := range v {
			if found := findNull(path+"[]", w); found != "" {
				return found
			}
		}
	}
	return ""
}

func TestColor(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		env, arg string
		want     bool
	}{
		{false, "", "auto", false}, {true, "", "auto", true}, {true, "1", "auto", false}, {false, "", "always", true}, {true, "", "never", false},
	} {
		a := newTestApp("")
		a.OutTerm = c.terminal
		a.env["NO_COLOR"] = c.env
		a.Run(context.Background(), []string{"draw", "othello", "f5", "--color", c.arg})
		if got := bytes.ContainsRune(a.stdout.Bytes(), '\x1b'); got != c.want {
			t.Errorf("terminal %v, NO_COLOR=%q, --color %s: colours %v", c.terminal, c.env, c.arg, got)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, sh := range []string{"bash", "zsh", "fish", "powershell"} {
		a := newTestApp("")
		if code := shell(a, "qipu completion "+sh); code != 0 || !strings.Contains(a.stdout.String(), "qipu") {
			t.Errorf("%s: exit %d: %s", sh, code, a.stderr.String())
		}
	}
	a := newTestApp("")
	shell(a, "qipu "+cobra.ShellCompRequestCmd+" draw oth")
	if !strings.Contains(a.stdout.String(), "othello") {
		t.Errorf("games are not completed: %s", a.stdout.String())
	}
}

// TestFifthGame takes a game that the tests' library does not know through drawing
// and the commands: all it needs is an entry in the catalogue. Package fifth has one
// from outside the tree.
func TestFifthGame(t *testing.T) {
	run := func(line string) *testApp {
		t.Helper()
		a := newTestApp("")
		a.Games = append(a.Games, connect4.Rules{})
		if code := shell(a, line); code != 0 {
			t.Fatalf("%s: exit %d: %s", line, code, a.stderr.String())
		}
		return a
	}
	if out := run("qipu games --lab").stdout.String(); !strings.Contains(out, "Connect Four") {
		t.Errorf("not listed:\n%s", out)
	}
	if out := run("qipu perft four-in-a-row 7").stdout.String(); !strings.Contains(out, "823536 leaves") {
		t.Errorf("perft says %s", out)
	}
	want := `  1 2 3 4 5 6 7
6 . . . . . . . 6
5 . . . . . . . 5
4 . . . . . . . 4
3 . . . . . . . 3
2 . . X(O). . . 2
1 . . O X . . . 1
  1 2 3 4 5 6 7
yellow to move
`
	if out := run(`qipu draw connect4 "4 3 3 4"`).stdout.String(); out != want {
		t.Errorf("drawn as\n%s", out)
	}
	a := run(`qipu draw connect4 "4 3 3 4" --svg --numbers --legal`)
	testkit.WellFormed(t, a.stdout.Bytes())
}

// TestPictures draws every game in every way.
func TestPictures(t *testing.T) {
	for _, r := range builtin.Games() {
		for _, flags := range []string{"--svg", "--svg --flip --dark --width 300", "--ascii", "--unicode", "--legal --svg --no-coordinates --simplified"} {
			a := newTestApp("")
			if code := shell(a, "qipu draw "+r.Info().Name+" start "+flags); code != 0 || a.stdout.Len() < 100 {
				t.Errorf("%s %s: exit %d: %s", r.Info().Name, flags, code, a.stderr.String())
			}
			if strings.Contains(flags, "--svg") {
				testkit.WellFormed(t, a.stdout.Bytes())
			}
		}
		a := newTestApp("")
		shell(a, "qipu draw "+r.Info().Name)
		for _, c := range a.stdout.String() {
			if c > 126 {
				t.Errorf("%s: %q in an ASCII board", r.Info().Name, c)
				break
			}
		}
	}
}

// TestDocPictures keeps the pictures of the documents up to date.
func TestDocPictures(t *testing.T) {
	for name, line := range map[string]string{
		"weiqi":   `qipu draw weiqi "Q16 D4 Q3 D17 C15 F17 C10 R14 O17 R10 O4 D14 C14 D12" --svg --numbers`,
		"xiangqi": `qipu draw xiangqi "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 c6c5" --svg`,
		"othello": `qipu draw othello f5d6c3d3c4f4f6f3e6e7d7c5 --svg --legal`,
		"renju":   `qipu draw renju "h8 i9 j8 h10 i7 g9 i10 i8" --svg --numbers`,
	} {
		a := newTestApp("")
		if code := shell(a, line); code != 0 {
			t.Fatalf("%s: %s", line, a.stderr.String())
		}
		testkit.Golden(t, "../../docs/pictures/"+name+".svg", a.stdout.Bytes())
	}
}

//qipu:race
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	a := newTestApp("")
	began := testkit.CPU()
	if code := a.Run(ctx, []string{"perft", "othello", "30"}); code != cli.ExitInterrupted {
		t.Errorf("exit %d, want %d", code, cli.ExitInterrupted)
	}
	if d := testkit.CPU() - began; d > 5*time.Second {
		t.Errorf("took %v of processor time to stop", d)
	}
}

// TestInterruptedInput waits for a user who does not type.
//
//qipu:race
func TestInterruptedInput(t *testing.T) {
	for _, args := range [][]string{{"draw", "othello", "-"}, {"check", "-"}} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		silence, typist := io.Pipe()
		a := newTestApp("")
		a.In = silence
		if code := a.Run(ctx, args); code != cli.ExitInterrupted {
			t.Errorf("%v: exit %d: %s", args, code, a.stderr.String())
		}
		typist.Close()
	}
}

// panicky is a game with a bug.
type panicky struct{ connect4.Rules }

func (panicky) Geometry() *board.Geometry { panic("out of paint") }

var _ game.Rules = panicky{}

func TestNoPanicEscapes(t *testing.T) {
	a := newTestApp("")
	a.Games = game.Catalog{panicky{}}
	if code := shell(a, "qipu draw connect4"); code != cli.ExitBug || !strings.Contains(a.stderr.String(), "internal error: out of paint") {
		t.Errorf("exit %d: %s", code, a.stderr.String())
	}
}

// TestConvertKeeps checks that a conversion that breaks off leaves the old file.
func TestConvertKeeps(t *testing.T) {
	withGames(t)
	if err := os.WriteFile("out.sgf", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("games/a.zip", []byte("PK\x03\x04 no archive"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := newTestApp("")
	if code := shell(a, "qipu convert games out.sgf --force --max-errors 1"); code != cli.ExitData {
		t.Errorf("exit %d: %s", code, a.stderr.String())
	}
	if got, _ := os.ReadFile("out.sgf"); string(got) != "old" {
		t.Errorf("the old file is gone: %d bytes", len(got))
	}
	a = newTestApp("")
	if code := shell(a, "qipu convert games out.sgf --skip --force"); code != cli.ExitData {
		t.Errorf("exit %d: %s", code, a.stderr.String())
	}
	if info, err := os.Stat("out.sgf"); err != nil || info.Size() < 1000 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if left, _ := filepath.Glob(".qipu-*"); len(left) > 0 {
		t.Errorf("drafts are left: %v", left)
	}
}

func TestOutputFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svg")
	a := newTestApp("")
	if code := shell(a, "qipu draw othello --svg -o "+path); code != 0 {
		t.Fatal(a.stderr.String())
	}
	a = newTestApp("")
	if code := shell(a, "qipu draw othello --svg -o "+filepath.Join(dir, "no", "a.svg")); code != cli.ExitData || !strings.Contains(a.stderr.String(), "a.svg") {
		t.Errorf("exit %d: %s", code, a.stderr.String())
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
}
