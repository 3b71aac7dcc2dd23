package stringgraph_test

import (
	"path"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

// sample is a board whose owners are known.
type sample struct {
	set, name string
	planes    *board.Planes
	owner     [board.MaxPoints]life.Owner
}

// kept are the samples once they are read: no test changes them.
var kept []sample

// samples returns the boards of the shared collection that are labelled.
func samples(t testing.TB) (all []sample) {
	if kept != nil {
		return kept
	}
	for name, data := range testkit.Archive(t, testkit.Games(t, "go-testsets/counted.tar.gz")) {
		if path.Ext(name) != ".own" {
			continue
		}
		s := sample{set: path.Base(path.Dir(name)), name: strings.TrimSuffix(path.Base(name), ".own")}
		_, rest, _ := strings.Cut(string(data), "\n")
		stones, owners, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
		s.planes = parse(t, stones)
		for y, row := range strings.Split(owners, "\n") {
			for x, c := range row {
				s.owner[board.At(x, y)] = map[rune]life.Owner{'B': life.OwnedByBlack, 'W': life.OwnedByWhite, '=': life.Neutral}[c]
			}
		}
		all = append(all, s)
	}
	kept = all
	return all
}

// parse reads a board of rows of X, O and points.
func parse(t testing.TB, text string) *board.Planes {
	rows := strings.Split(strings.TrimSpace(text), "\n")
	size := board.Size{W: len(rows[0]), H: len(rows)}
	p := board.NewPlanes(size, 2)
	for y, row := range rows {
		if len(row) != size.W {
			t.Fatalf("row %d is %q, of another length than the first", y, row)
		}
		for x, c := range row {
			if k := strings.IndexRune(".XO", c); k > 0 {
				p.Put(board.At(x, y), board.Piece(k))
			}
		}
	}
	return p
}
