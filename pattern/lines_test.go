package pattern_test

import (
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game/xiangqi"
	"qipu/pattern"
)

// picture returns a pattern of pieces with anything around them: a letter, then
// the column and the row, from the top left.
func picture(t *testing.T, pieces string) *pattern.Pattern {
	t.Helper()
	rows := make([][]byte, 10)
	for y := range rows {
		rows[y] = []byte("*********")
	}
	for _, p := range strings.Fields(pieces) {
		rows[p[2]-'0'][p[1]-'0'] = p[0]
	}
	var lines []string
	for _, row := range rows {
		lines = append(lines, "|"+string(row)+"|")
	}
	rule := "+---------+"
	p, err := pattern.Parse(xiangqi.Standard.Geometry(), rule+"\n"+strings.Join(lines, "\n")+"\n"+rule)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The board of the paper's tables 9 to 11 is lost with its figure. This one is
// made up so that it has their numbers: twelve pieces, on files 1, 2, 4, 6 and
// 7 and on rows 2, 4, 5, 6 and 7, of the weights that table 11 adds up.
const tables9to11 = "c12 h22 e42 c72  p44 R74  P65  H26 H46  C17 E47 R67"

// The five pieces of table 12: a chariot and a horse on row 6, a lone chariot on
// row 7, two defenders on row 9.
const table12 = "R06 H76  R17  A39 E29"

// TestPaperTables checks the tables 9 to 12 of the paper, the order of lines
// without weight too.
func TestPaperTables(t *testing.T) {
	g := xiangqi.Standard.Geometry()
	unit, changed := pattern.UnitWeights(g), pattern.DefaultWeights(g)
	for _, c := range []struct {
		name    string
		pieces  string
		weights *pattern.Weights
		order   []int
		sorted  []float64
		drop    int
	}{
		{"table 10", tables9to11, &unit, []int{2, 7, 6, 4, 5, 0, 3, 1, 8, 9}, []float64{10, 6, 3, 3, 1, 0, 0, 0, 0, 0}, 5},
		{"table 11", tables9to11, &changed, []int{2, 7, 4, 6, 5, 0, 3, 1, 8, 9}, []float64{22, 17, 11, 9, 3, 0, 0, 0, 0, 0}, 5},
		{"table 12, before", table12, &unit, []int{6, 9, 7, 3, 4, 5, 0, 1, 8, 2}, []float64{3, 3, 1, 0, 0, 0, 0, 0, 0, 0}, 7},
		{"table 12, after", table12, &changed, []int{6, 7, 9, 3, 4, 5, 0, 1, 8, 2}, []float64{12, 7, 5, 0, 0, 0, 0, 0, 0, 0}, 9},
	} {
		l := picture(t, c.pieces).Lines(c.weights)
		var sorted []float64
		for _, i := range l.Order {
			sorted = append(sorted, l.Weights[i])
		}
		if !l.Across || !slices.Equal(l.Order, c.order) || !slices.Equal(sorted, c.sorted) || l.Drop() != c.drop {
			t.Errorf("%s: rows %v, lines %v of weight %v, drops %d; want %v, %v, %d", c.name, l.Across, l.Order, sorted, l.Drop(), c.order, c.sorted, c.drop)
		}
	}
	l := picture(t, tables9to11).Lines(&unit)
	if want := []int{0, 1, 1, 0, 6, 0, 1, 1, 0}; !slices.Equal(l.Columns, want) {
		t.Errorf("table 9: X %v, want %v", l.Columns, want)
	}
	if want := []int{0, 0, 6, 0, 1, 0, 1, 3, 0, 0}; !slices.Equal(l.Rows, want) {
		t.Errorf("table 9: Y %v, want %v", l.Rows, want)
	}
}

func TestLines(t *testing.T) {
	g := xiangqi.Standard.Geometry()
	w := pattern.DefaultWeights(g)
	// Three on a file, two on a row: files are compared.
	l := picture(t, "R00 R03 R09 P49").Lines(&w)
	if l.Across || l.Weights[0] != 3*1+3*7 || l.Weights[4] != 3 || l.Drop() != 4 || len(l.Order) != 9 {
		t.Errorf("%+v", l)
	}
	p := &pattern.Pattern{Size: board.Size{W: 2, H: 1}, Cells: []pattern.Set{pattern.Empty, pattern.AnyOn(14)}, To: -1}
	if l := p.Lines(&w); l.Drop() != -1 || !l.Across {
		t.Errorf("no pieces: %+v", l)
	}
	// Of several pieces the heaviest counts; one that may be missing is none.
	p.Cells = []pattern.Set{pattern.Of(xiangqi.RedSoldier) | pattern.Of(xiangqi.BlackChariot), pattern.Of(xiangqi.RedChariot) | pattern.Empty}
	if l := p.Lines(&w); l.Weights[0] != 7 || l.Drop() != 0 {
		t.Errorf("one of several: %+v", l)
	}
}
