package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/cli"
	"qipu/internal/testkit"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
	"qipu/view"
)

// wall is a shape of no other base: its point is urgent, and White's answer to it
// is to be avoided.
const wall = `term t-wall
name  T wall | 測試 | 测试 | テスト | 시험

shape t-wall-end
terms t-wall
purpose press
urgency 4
ours a
draw
  O O O a .
  X X X . .

shape t-wall-bad
terms t-wall
purpose avoid
theirs a
draw
  O O O . a
  X X X . .
`

func withWall(t *testing.T) {
	t.Helper()
	withLibrary(t)
	if err := os.MkdirAll("mine", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("mine", "wall.shapes"), []byte(wall), 0o666); err != nil {
		t.Fatal(err)
	}
}

// succeed runs a command line and returns what it printed.
func succeed(t *testing.T, line string, code int) string {
	t.Helper()
	a := newTestApp("")
	if got := shell(a, line); got != code {
		t.Errorf("%s: exit %d, want %d: %s", line, got, code, a.stderr.String())
	}
	return a.stdout.String()
}

// TestShapesMatch: the board shows the good points by urgency, and below it why;
// folders of shapes come by the flag and by the environment.
func TestShapesMatch(t *testing.T) {
	withWall(t)
	const moves = `"D5 D4 E5 E4 F5 F4"` // Black to move
	out := succeed(t, "qipu shapes match "+moves+" --game go:9x9 --shapes mine", 0)
	rows := strings.Split(out, "\n")
	// Black's good points are at both ends of the wall.
	if got := rows[5]; !strings.Contains(got, " 4 X X X 4 ") {
		t.Errorf("the row of the wall is %q:\n%s", got, out)
	}
	for _, want := range []string{"black to move", "G5     black  4        t-wall-end", "T wall"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	a := newTestApp("")
	a.env["QIPU_SHAPES"] = "mine"
	if code := shell(a, "qipu shapes match "+moves+" --game go:9x9 --side white --svg board.svg --json"); code != 0 {
		t.Fatal(a.stderr.String())
	}
	avoided := 0
	for line := range strings.Lines(a.stdout.String()) {
		var p struct{ view.AdvicePoint }
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		if p.Side != 1 {
			t.Errorf("%+v", p)
		}
		for _, r := range p.Reasons {
			if r.Shape == "t-wall-bad" && p.Avoid && r.Avoid {
				avoided++
			}
		}
	}
	if avoided != 2 {
		t.Errorf("%d points to keep away from:\n%s", avoided, a.stdout.String())
	}
	picture, err := os.ReadFile("board.svg")
	if err != nil {
		t.Fatal(err)
	}
	testkit.WellFormed(t, picture)
	succeed(t, "qipu shapes show t-wall-bad --shapes mine --svg shape.svg", 0)
	if picture, err = os.ReadFile("shape.svg"); err != nil {
		t.Fatal(err)
	}
	testkit.WellFormed(t, picture)
	// A game of the library, and a record of a file, are the same board.
	stored := succeed(t, "qipu shapes match 4#20 --json", 0)
	if file := succeed(t, "qipu shapes match games/go-9x9-1.sgf#20 --json", 0); file != stored {
		t.Errorf("the file says\n%s\nand the library\n%s", file, stored)
	}
}

// TestShapesLint: errors are told with their place and by the exit code.
func TestShapesLint(t *testing.T) {
	withWall(t)
	bad := strings.Replace(wall, "purpose avoid\ntheirs a", "purpose avoid\nours a", 1)
	if err := os.WriteFile("bad.shapes", []byte(strings.Replace(bad, "O O O . a\n  X X X . .", "O O O a .\n  X X X . .", 1)+"\nshape worse\nhey\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := succeed(t, "qipu shapes lint bad.shapes --json", 1)
	kinds := map[string]int{}
	for line := range strings.Lines(out) {
		var f struct {
			Type string
			view.ShapeFinding
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if f.Type == "finding" {
			kinds[f.Kind]++
			if f.File != "bad.shapes" && f.Other == "" {
				t.Errorf("%+v", f)
			}
		}
	}
	if kinds["syntax"] != 1 || kinds["contradictory"]+kinds["override"] == 0 || kinds["fixture"] == 0 {
		t.Errorf("%v in\n%s", kinds, out)
	}
	if err := os.WriteFile("paper.txt", []byte("_ _ _ _ _\n_ _ X O _\n_ X . X _\n_ _ O _ _\n_ _ _ _ _\n33 33 11 4 2 00\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := succeed(t, "qipu shapes lint paper.txt --form paper", 1); !strings.Contains(out, "8 orientations, not 2") || !strings.Contains(out, "paper-figure-17") {
		t.Errorf("the count of orientations that is typed, and the same shape in the base:\n%s", out)
	}
}

// TestShapesForms: shapes in the older forms are added as they are, and exported
// again without loss.
func TestShapesForms(t *testing.T) {
	withWall(t)
	forms := map[string]string{
		"paper":  "; old-wall\n_ O O O _\n_ X . X _\n_ X . X _\n_ X O X _\n_ _ _ _ _\n33 00 16 2 4 00\n",
		"digits": "; old-bend\n2 2 2 2\n4 * 1 4\n4 4 4 5\n",
	}
	for form, text := range forms {
		if err := os.WriteFile("old.txt", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		succeed(t, "qipu shapes add old.txt --force --form "+form, 0)
		if out := succeed(t, "qipu shapes export --layer library --form "+form, 0); !strings.Contains(out, text) {
			t.Errorf("%s: added\n%s\nexported\n%s", form, text, out)
		}
	}
	fail := newTestApp("")
	if code := shell(fail, "qipu shapes add old.txt --form sky"); code != cli.ExitUsage {
		t.Errorf("exit %d", code)
	}
}

// TestShapesExport: what is exported is the base, shape by shape, and can be laid
// above another.
func TestShapesExport(t *testing.T) {
	withWall(t)
	succeed(t, "qipu shapes export --shapes mine --out all.shapes", 0)
	data, err := os.ReadFile("all.shapes")
	if err != nil {
		t.Fatal(err)
	}
	got := kb.New(kb.Parse("all.shapes", data))
	for _, f := range got.Faults {
		t.Error(f)
	}
	base := knowledge.LoadShapes("mine").Base
	if len(got.Entries) != len(base.Entries) || len(got.Checks) != len(base.Checks) {
		t.Errorf("%d shapes and %d fixtures, want %d and %d", len(got.Entries), len(got.Checks), len(base.Entries), len(base.Checks))
	}
	for i := range base.Entries {
		e := &base.Entries[i]
		x := got.Entry(e.ID)
		if x == nil || x.Fingerprint() != e.Fingerprint() || x.Names != e.Names || !slices.Equal(x.Overrides, e.Overrides) || x.Urgency != e.Urgency || x.Purpose != e.Purpose {
			t.Errorf("%s came back as %+v", e.ID, x)
		}
	}
}

// TestShapesRefused: what makes no sense is refused with a reason, and changes
// nothing.
func TestShapesRefused(t *testing.T) {
	withWall(t)
	for name, text := range map[string]string{
		"twice.shapes": "shape same\nurgency 2\ndraw\n  O X\n\nshape same\nurgency 2\ndraw\n  O X X\n",
		"taken.shapes": "shape new\nurgency 2\ndraw\n  O X O .\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"shapes add twice.shapes --force", "two that are called same", cli.ExitData},
		{"shapes add taken.shapes --force", "choose another", cli.ExitData},
		{"shapes lint taken.shapes", "", cli.ExitNothing},
		{"shapes list --term hanee", "is it hane", cli.ExitUsage},
		{"shapes match E5 --game go:9x9 --least 5", "--least 5", cli.ExitUsage},
		{"shapes export --csv", "no CSV form", cli.ExitUsage},
		{"workshop mine --often -1", "--often", cli.ExitUsage},
		{"workshop mine --lift -1", "--lift", cli.ExitUsage},
	} {
		a := newTestApp("")
		if code := shell(a, "qipu "+c.line); code != c.code || !strings.Contains(a.stderr.String(), c.want) {
			t.Errorf("%s: exit %d, want %d and %q: %s", c.line, code, c.code, c.want, a.stderr.String())
		}
	}
	succeed(t, "qipu shapes list --layer library", cli.ExitNothing)
}

// TestShapesEdit: an editor changes the text of a shape, which is kept once it can
// be read; else the draft is, and told.
func TestShapesEdit(t *testing.T) {
	withWall(t)
	editor := filepath.Join(t.TempDir(), "editor")
	write := func(script string) {
		if err := os.WriteFile(editor, []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no shell to edit by")
	}
	edit := func() (*testApp, int) {
		a := newTestApp("")
		a.OutTerm = true
		a.env["EDITOR"] = editor
		return a, shell(a, "qipu shapes edit paper-figure-17 --force")
	}
	write(`sed -i.old 's/^urgency.*/urgency 1/' "$1"`)
	if a, code := edit(); code != 0 {
		t.Fatal(a.stderr.String())
	}
	if out := succeed(t, "qipu shapes show paper-figure-17", 0); !strings.Contains(out, "urgency      1 (special)") || !strings.Contains(out, "(library)") {
		t.Error(out)
	}
	write("true")
	if a, code := edit(); code != 0 || !strings.Contains(a.stderr.String(), "nothing was changed") {
		t.Errorf("exit %d: %s", code, a.stderr.String())
	}
	write(`echo nonsense > "$1"`)
	a, code := edit()
	_, path, _ := strings.Cut(a.stderr.String(), "the text is in ")
	path, _, _ = strings.Cut(path, ": ")
	if draft, err := os.ReadFile(path); code != cli.ExitData || err != nil || string(draft) != "nonsense\n" {
		t.Errorf("exit %d, %v: %s", code, err, a.stderr.String())
	}
	os.RemoveAll(filepath.Dir(path))
	t.Setenv("TMPDIR", t.TempDir())
	write("false")
	if a, code := edit(); code != cli.ExitData || !strings.Contains(a.stderr.String(), "the editor") {
		t.Errorf("exit %d: %s", code, a.stderr.String())
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%s is left of an editor that failed", left[0])
	}
	succeed(t, "qipu shapes delete paper-figure-17", 0)
	if out := succeed(t, "qipu shapes show paper-figure-17", 0); !strings.Contains(out, "urgency      4 (urgent)") {
		t.Error(out)
	}
}

// TestShapesGames: counting and mining tell the same whether games come from files
// or from the library, and every time.
func TestShapesGames(t *testing.T) {
	withWall(t)
	count := func(flags string) []byte {
		t.Helper()
		succeed(t, "qipu workshop count --write evidence.tsv --shapes mine "+flags, 0)
		data, err := os.ReadFile("evidence.tsv")
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	stored := count("")
	if again := count(""); string(again) != string(stored) {
		t.Error("counted twice, it is not the same")
	}
	list, faults := kb.ParseEvidence("evidence.tsv", stored)
	if len(faults) > 0 || len(list) != len(knowledge.LoadShapes("mine").Base.Entries) {
		t.Fatalf("%d shapes, %v", len(list), faults)
	}
	files, _ := kb.ParseEvidence("evidence.tsv", count("--files games"))
	for i := range list {
		if x, y := &list[i], &files[i]; x.Seen != y.Seen || x.Ours != y.Ours || x.Theirs != y.Theirs {
			t.Errorf("%s: %+v of the library, %+v of files", x.ID, x, y)
		}
	}
	// Evidence in a folder of shapes is what shapes there have.
	if err := os.WriteFile(filepath.Join("mine", "evidence.tsv"), stored, 0o666); err != nil {
		t.Fatal(err)
	}
	if out := succeed(t, "qipu shapes show t-wall-end --shapes mine", 0); !strings.Contains(out, "evidence     stood ") {
		t.Error(out)
	}
}
