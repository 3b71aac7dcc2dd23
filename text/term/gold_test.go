package term

import (
	"os"
	"strings"
	"testing"
)

// gold returns titles as they are cut by hand.
func gold(t *testing.T) (list [][]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/titles.gold")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "//") {
			list = append(list, strings.Split(line, "/"))
		}
	}
	return list
}

// bounds returns the places within a text at which it is cut.
func bounds(pieces []string) map[int]bool {
	at, set := 0, map[int]bool{}
	for _, p := range pieces[:len(pieces)-1] {
		at += len(p)
		set[at] = true
	}
	return set
}

// quality compares the splits of a dictionary with those made by hand.
func quality(t *testing.T, d *Dict, log bool) (f1 float64, same int) {
	both, want, got := 0, 0, 0
	for _, g := range gold(t) {
		var pieces []string
		for _, p := range d.Split(strings.Join(g, "")) {
			pieces = append(pieces, p.Text)
		}
		a, b := bounds(g), bounds(pieces)
		want += len(a)
		got += len(b)
		for at := range b {
			if a[at] {
				both++
			}
		}
		if mine, hand := strings.Join(pieces, "/"), strings.Join(g, "/"); mine == hand {
			same++
		} else if log {
			t.Logf("%s, by hand %s", mine, hand)
		}
	}
	return 2 * float64(both) / float64(want+got), same
}

// TestGold measures how well titles are cut.
func TestGold(t *testing.T) {
	f1, same := quality(t, Of("xiangqi"), true)
	t.Logf("boundaries F1 %.4f, %d of %d titles as by hand", f1, same, len(gold(t)))
	if f1 < .98 {
		t.Errorf("boundaries F1 %.4f, want at least .98", f1)
	}
}

// TestGoldUnknown measures how well titles are cut whose terms are not all in the
// dictionary: a fifth of them is left out, five times.
func TestGoldUnknown(t *testing.T) {
	data, err := files.ReadFile("xiangqi.terms")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(data), "\n\n")
	const folds = 5
	sum := 0.0
	for fold := range folds {
		var kept []string
		for i, b := range blocks {
			if i%folds != fold || !strings.HasPrefix(b, "term ") {
				kept = append(kept, b)
			}
		}
		d, faults := Parse("xiangqi.terms", []byte(strings.Join(kept, "\n\n")))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		f1, same := quality(t, d, false)
		t.Logf("%d terms: boundaries F1 %.4f, %d titles as by hand", d.Len(), f1, same)
		sum += f1
	}
	if mean := sum / folds; mean < .95 {
		t.Errorf("boundaries F1 %.4f, want at least .95", mean)
	}
}
