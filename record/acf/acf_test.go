package acf_test

import (
	"strings"
	"testing"

	"qipu/game/checkers"
	"qipu/record"
	"qipu/record/acf"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, acf.Format, "testdata/*.txt") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, acf.Format, "testdata/*.txt") }

// TestLegal: the squares are those of the rules.
func TestLegal(t *testing.T) {
	games, faults := recordtest.ReadAll(t, acf.Format, recordtest.FileSource(t, "testdata/two.txt"))
	if len(games) != 2 || len(faults) != 0 {
		t.Fatalf("%d games, faults %v", len(games), faults)
	}
	for _, g := range games {
		played := record.Play(checkers.Rules{}, g)
		if len(played.Marks) > 0 || len(played.Steps) != g.Moves() {
			t.Errorf("%d steps, marks %v", len(played.Steps), played.Marks)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"10-13 32-5\t1-0": "squares are 0 to 31", "10-13": "result behind a tab", "10\t1-0": "no move", "\t1-0": "no move", "": "empty",
	} {
		_, faults := recordtest.ReadAll(t, acf.Format, recordtest.Source("x", []byte(text)))
		if len(faults) != 1 || !strings.Contains(faults[0].Reason, want) {
			t.Errorf("%q: %v, want %s", text, faults, want)
		}
	}
}
