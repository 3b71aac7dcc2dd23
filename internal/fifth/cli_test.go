package fifth_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/cli"
	"qipu/cli/book"
	"qipu/cli/knowledge"
	"qipu/cli/manage"
	"qipu/cli/match"
	"qipu/cli/pictures"
	"qipu/cli/play"
	"qipu/cli/records"
	"qipu/cli/search"
	"qipu/cli/study"
	"qipu/internal/fifth"
)

// set is what a program with this game knows.
var set = append(builtin.All(), fifth.Game)

// games are three games, two of which White wins.
const games = `Ann - Bob; 2021-05-04; W+; e2e3 e7e6 e3d4 e6d5 d4c5 d5e4 c5d6 e4f3 d6c7 f3e2 c7b8
Bob - Cid; 2022-06-01; B+R; e2e3 d7d6 e3e4 d6d5 e4e5
Cid - Ann; 2023-01-02; W+R; d2d3 e7e6 d3d4 e6e5 d4e5
`

// qipu runs a command line in the present folder, and returns what it prints.
// What stands behind a bar is one argument, quotes and all.
func qipu(t *testing.T, line, stdin string) string {
	t.Helper()
	var out, err bytes.Buffer
	a := cli.App{
		Rooms: []cli.Room{search.Commands, records.Commands, pictures.Commands, knowledge.Commands, play.Commands, match.Commands, book.Commands, study.Commands, manage.Commands},
		Games: set.Games(), Formats: set.Formats(), Engine: set.Engine, In: strings.NewReader(stdin), Out: &out, Err: &err,
		LookupOS: func(name string) (string, bool) { return "library", name == "QIPU_LIBRARY" },
	}
	command, query, found := strings.Cut(line, " | ")
	args := strings.Fields(command)[1:]
	if found {
		args = append(args, query)
	}
	if code := a.Run(context.Background(), args); code != 0 {
		t.Errorf("%s: exit %d: %s", line, code, err.String())
	}
	return out.String()
}

// TestCommands takes the game through the commands.
func TestCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("games.btl", []byte(games), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line  string
		wants []string
	}{
		{"qipu games", []string{"Breakthrough"}},
		{"qipu games breakthrough", []string{"Pawns step forward"}},
		{"qipu perft breakthrough 2", []string{"484 leaves"}},
		{"qipu draw breakthrough | e2e3 e7e6", []string{"white to move", "8 p p p p p p p p 8", "3 . . . . P . . . 3"}},
		{"qipu draw breakthrough e2e3e7e6", []string{"white to move", "6 . . . .(p). . . 6", "3 . . . . P . . . 3"}},
		{"qipu draw xiangqi h2e2h9g7", []string{"red to move"}},
		{"qipu check games.btl", []string{"3"}},
		{"qipu import games.btl", []string{"3"}},
		{"qipu find player:Ann", []string{"Ann", "Bob", "Cid"}},
		{"qipu find | player:Ann result:win", []string{"1 of 3 games", "Ann scores"}},
		{"qipu find --game breakthrough | result:white", []string{"2 of 3 games"}},
		{"qipu find --game breakthrough | result:B+R", []string{"1 of 3 games", "Cid"}},
		{"qipu find date:2022", []string{"Cid"}},
		{`qipu find --game breakthrough | board:"p./.P"`, []string{"2 of 3 games", "name: floating 2x2: white b2, black a1"}},
		{`qipu find --game breakthrough | fuzzy:"PP/.P"`, []string{"3 of 3 games"}},
		{`qipu find --game breakthrough | named:"King's step"`, []string{"3 of 3 games"}},
		{`qipu find --game breakthrough | count(black in row 7)<8`, []string{"of 3 games"}},
		{"qipu explore --game breakthrough", []string{"e2e3", "white scores ~66.7%"}},
		{"qipu explore --game breakthrough --limit 1 | e2e3 e7e6 e3d4 e6d5", []string{"d4c5"}},
		{"qipu names list --game breakthrough", []string{"King's step"}},
		{"qipu show 1", []string{"white", "Ann", "white won"}},
		{"qipu show 1 --move 3", []string{"black to move"}},
		{"qipu export one.sgf --query player:Bob", nil},
		{"qipu export two.pgn --query player:Bob", nil},
		{"qipu export three.btl --query player:Bob", nil},
		{"qipu convert one.sgf back.btl", nil},
		{"qipu convert two.pgn back2.btl", nil},
		{"qipu explore --game breakthrough --tree tree.sgf --depth 3", nil},
		{"qipu convert tree.sgf tree.pgn", nil},
		{"qipu match level=1 random --game breakthrough --games 2 --seed 4", []string{"won", "2 games"}},
		{"qipu analyse one.sgf --game-number 1 --depth 2", []string{"c7b8", "only what it has proved is told"}},
		{"qipu book show --game breakthrough", []string{"e2e3"}},
	} {
		out := qipu(t, c.line, "")
		for _, want := range c.wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", c.line, want, out)
			}
		}
	}
	for _, name := range []string{"three.btl", "back.btl", "back2.btl"} {
		text, err := os.ReadFile(name)
		if want := strings.Join(strings.SplitAfter(games, "\n")[:2], ""); err != nil || string(text) != want {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// TestNamed reads records that name the game as people do.
func TestNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"title.pgn":   "[Game \"Breakthrough\"]\n\n1. e2e3 e7e6 *\n",
		"upper.pgn":   "[Game \"BREAKTHROUGH\"]\n\n1. e2e3 e7e6 *\n",
		"chinese.pgn": "[Game \"突破棋\"]\n\n1. e2e3 e7e6 *\n",
		"variant.pgn": "[Event \"x\"]\n[Variant \"Breakthrough\"]\n\n1. e2e3 e7e6 *\n",
		"title.sgf":   "(;GM[0]GAME[Breakthrough];W[e2e3];B[e7e6])",
		"chinese.sgf": "(;CA[UTF-8]GAME[突破棋];W[e2e3];B[e7e6])",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out := qipu(t, "qipu show "+name, ""); !strings.Contains(out, "4 . . . . . . . . 4") || !strings.Contains(out, "3 . . . . P . . . 3") {
			t.Errorf("%s is read as\n%s", name, out)
		}
	}
	sgf := "(;GM[0]GAME[breakthrough]PW[Ann]PB[Bob]DT[2021-05-04]RE[W+R]EV[Cup];W[e2e3];B[e7e6])"
	if err := os.WriteFile("one.sgf", []byte(sgf), 0o666); err != nil {
		t.Fatal(err)
	}
	qipu(t, "qipu convert one.sgf one.pgn", "")
	text, err := os.ReadFile("one.pgn")
	if want := `[White "Ann"]`; err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "[PW") || strings.Contains(string(text), "[DT") || strings.Contains(string(text), "[RE ") {
		t.Errorf("it is written as %v\n%s", err, text)
	}
}
