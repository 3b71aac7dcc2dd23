package guests_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/engine"
	"qipu/engine/external/tricks"
	"qipu/engine/guests"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
)

func TestMain(m *testing.M) {
	tricks.Main()
	os.Exit(m.Run())
}

var games = game.Catalog{weiqi.Standard, othello.Standard, xiangqi.Standard, renju.Renju}

func rules(t *testing.T, spec string) game.Rules {
	t.Helper()
	r, err := games.Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const written = `# my engines
[[engine]]
name = "gnugo" # the old one
protocol = "gtp"
command = ["gnugo", "--mode", "gtp"]
games = ["go"]

[[engine]]
name = "Fairy"
protocol = "uci"
command = ["fairy-stockfish"]
options = ["Hash=64"]
[engine.limits]
time = "500ms"
threads = 2

# five in a row
[[engine]]
name = "rapfi"
protocol = "gomocup"
command = ["./pbrain-rapfi"]
dir = "/opt/rapfi"
games = ["gomoku"]
`

// TestFile reads a file, adds to it and takes out of it, and leaves all else as it is.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings", "qipu.toml")
	f := guests.Open(path, games)
	if list, err := f.All(); err != nil || len(list) != 0 {
		t.Fatalf("a file that is not there: %v, %v", list, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(written), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := f.Find("fairy")
	if err != nil || g.Name != "Fairy" || g.Limits.Time != 500*time.Millisecond || g.Limits.Threads != 2 || strings.Join(g.Games, " ") != "xiangqi" {
		t.Errorf("%+v, %v", g, err)
	}
	for _, c := range []struct{ spec, want string }{
		{"go:9x9", "gnugo"}, {"go:9x9,computer", "gnugo"}, {"xiangqi", "Fairy"}, {"gomoku", "rapfi"}, {"gomoku:20x20", "rapfi"}, {"renju", ""}, {"othello", ""},
	} {
		list, err := f.For(rules(t, c.spec))
		got := ""
		for _, g := range list {
			got += g.Name
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.spec, got, err, c.want)
		}
	}
	edax := guests.Guest{Name: "edax", Protocol: "nboard", Command: []string{"edax", "-nboard", `a "b"`}, Limits: guests.Limits{Depth: 12, Memory: 512}}
	if err := f.Add(edax); err != nil {
		t.Fatal(err)
	}
	if g, err = f.Find("edax"); err != nil || g.Command[2] != `a "b"` || g.Limits.Depth != 12 || g.Limits.Memory != 512 || g.Games[0] != "othello" {
		t.Errorf("%+v, %v", g, err)
	}
	if err := f.Add(edax); err == nil || !strings.Contains(err.Error(), `two engines are called "edax"`) {
		t.Errorf("a second time: %v", err)
	}
	for _, name := range []string{"EDAX", "fairy"} {
		if err := f.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := os.ReadFile(path)
	want := strings.Replace(written, written[strings.Index(written, "[[engine]]\nname = \"Fairy\""):strings.Index(written, "# five")], "", 1)
	// The remark above an engine is part of the one before it: nobody can tell whose it is.
	if got := string(text); strings.TrimSpace(got) != strings.TrimSpace(strings.Replace(want, "# five in a row\n", "", 1)) {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if _, err := f.Find("fairy"); !errors.Is(err, guests.ErrUnknown) {
		t.Errorf("after it was removed: %v", err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := guests.Open(path, games).All(); err == nil || !strings.Contains(err.Error(), "everybody may write it") {
		t.Errorf("a file that everybody may write: %v", err)
	}
}

// TestNote: what a test has found stands beside the engine, and changes no other line.
func TestNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "qipu.toml")
	const first, second = "# mine\n[[engine]]\n", "name = \"gnugo\" # Go\ncommand = [\"gnugo\"]\ngames = [\"go\"]\n[engine.limits]\ndepth = 3\n# five\n[[engine]]\nname = \"other\"\ncommand = [\"o\"]\ngames = [\"go\"]\n"
	if err := os.WriteFile(path, []byte(first+second), 0o600); err != nil {
		t.Fatal(err)
	}
	f := guests.Open(path, game.Catalog{weiqi.Standard})
	if g, err := f.Find("gnugo"); err != nil || g.Values != nil || g.Silent() {
		t.Fatalf("%+v, %v", g, err)
	}
	for _, tells := range []bool{false, false, true, false} {
		if err := f.Note("GnuGo", tells); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if want := first + fmt.Sprintf("values = %v\n", tells) + second; err != nil || string(text) != want {
			t.Fatalf("the file is\n%s\nwant\n%s", text, want)
		}
		if g, err := f.Find("gnugo"); err != nil || g.Silent() == tells || g.Limits.Depth != 3 {
			t.Errorf("%+v, %v", g, err)
		}
		if g, err := f.Find("other"); err != nil || g.Values != nil {
			t.Errorf("%+v, %v", g, err)
		}
	}
}

// TestWrong refuses what makes no sense, and says why.
func TestWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[[engine]]\nname = \"a b\"\ncommand = [\"x\"]\ngames = [\"go\"]", "a name is one word"},
		{"[[engine]]\nname = \"a\"\ngames = [\"go\"]", "it has no command"},
		{"[[engine]]\nname = \"a\"\ncommand = [\"x\"]", "which games does it play"},
		{"[[engine]]\nname = \"a\"\ncommand = [\"x\"]\nprotocol = \"usi\"", `there is no protocol "usi"`},
		{"[[engine]]\nname = \"a\"\ncommand = [\"x\"]\nprotocol = \"nboard\"\ngames = [\"go\"]", "nboard cannot tell games of Go"},
		{"[[engine]]\nname = \"a\"\ncommand = [\"x\"]\ngames = [\"ludo\"]", "ludo"},
		{"[[engine]]\nname = \"a\"\ncommand = \"x\"", "incompatible types"},
		{"[[engine]]\nname = \"a\"\ncomand = [\"x\"]", "comand is not known here"},
		{"[[engine]]\nname = \"a\"\ncommand = [\"x\"]\nlimits = { time = \"soon\" }", "invalid duration"},
		{"[[engine]\n", "qipu.toml"},
	} {
		path := filepath.Join(t.TempDir(), "qipu.toml")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, err := guests.Open(path, games).All(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v, %v, want %s", c.text, list, err, c.want)
		}
	}
}

// TestStart starts an engine by its name, and thinks as long as its limits say where
// nobody gives others.
func TestStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "qipu.toml")
	f := guests.Open(path, games)
	if err := f.Add(guests.Guest{Name: "trickster", Protocol: "uci", Command: tricks.Command()}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QIPU_TRICK", "uci xiangqi none")
	if _, err := f.Start(t.Context(), "trickster", rules(t, "othello")); !errors.Is(err, engine.ErrGame) {
		t.Errorf("another game: %v", err)
	}
	e, err := f.Start(t.Context(), "Trickster", rules(t, "xiangqi"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, err := e.Think(t.Context(), &engine.Task{Rules: rules(t, "xiangqi")}, engine.Limits{}, nil)
	if err != nil || e.Info().Name != "trickster" || r.Best().Told != "cp 12" || r.Best().Value != 12 {
		t.Errorf("%+v, %v", r, err)
	}
	if g, ok := guests.Direct("ucci:ElephantEye -x"); !ok || g.Protocol != "ucci" || len(g.Command) != 2 {
		t.Errorf("%+v, %v", g, ok)
	}
	if _, ok := guests.Direct("level=5"); ok {
		t.Error("a level is no program")
	}
}
