package shipped_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/game/xiangqi"
	"qipu/pattern/relation/syntax"
)

// Every name that the definitions give to the reviewed mates has been judged, and
// nearly all are right.
func TestReviewedMates(t *testing.T) {
	const file = "testdata/mates-reviewed.tsv"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type mate struct {
		number, fen, moves string
		listed             []string
	}
	var list []*mate
	by := map[string]*mate{}
	right, all, unnamed := 0, 0, 0
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 6 && (len(f) != 7 || f[6] != "second") || slices.Contains(f, "") {
			t.Fatalf("%s:%d: %d columns, want six that say something, and a seventh that is \"second\"", file, i+1, len(f))
		}
		m := by[f[0]]
		if m == nil {
			m = &mate{number: f[0], fen: f[1], moves: f[2]}
			by[f[0]] = m
			list = append(list, m)
		}
		if m.fen != f[1] || m.moves != f[2] {
			t.Errorf("%s:%d: mate %s is another one than above", file, i+1, f[0])
		}
		switch {
		case f[3] == "-" && f[4] == "unnamed":
			unnamed++
			continue
		case f[3] == "-" || f[4] != "right" && f[4] != "wrong":
			t.Fatalf("%s:%d: the verdict on %q is %q", file, i+1, f[3], f[4])
		case f[4] == "right":
			right++
		}
		all++
		m.listed = append(m.listed, f[3])
	}
	set, _ := mates(t)
	for _, m := range list {
		c := syntax.Check{FEN: m.fen, Moves: m.moves}
		v, err := c.View(xiangqi.Standard)
		if err != nil {
			t.Fatalf("mate %s: %v", m.number, err)
		}
		var given []string
		for _, match := range set.AppendMatches(nil, v) {
			given = append(given, match.ID)
		}
		slices.Sort(given)
		slices.Sort(m.listed)
		if !slices.Equal(given, m.listed) {
			t.Errorf("mate %s has the names %v, judged are %v: look at %s %s", m.number, given, m.listed, m.fen, m.moves)
		}
	}
	if len(list) != 200 {
		t.Errorf("%d mates are reviewed, want 200", len(list))
	}
	share := float64(right) / float64(all)
	t.Logf("%d of %d names of %d mates are right: %.3f; %d mates have no name", right, all, len(list), share, unnamed)
	if share < .98 {
		t.Errorf("%.3f of the names are right, want .98", share)
	}
}
