package proof

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

// planesOf reads rows of X, O and points.
func planesOf(t testing.TB, rows []string) *board.Planes {
	t.Helper()
	p := board.NewPlanes(board.Size{W: len(rows[0]), H: len(rows)}, 2)
	for y, row := range rows {
		for x, c := range row {
			switch c {
			case 'X':
				p.Put(board.At(x, y), 1)
			case 'O':
				p.Put(board.At(x, y), 2)
			case '.':
			default:
				t.Fatalf("row %q", row)
			}
		}
	}
	return p
}

// counted is a final board with its owners.
type counted struct {
	set, name string
	planes    *board.Planes
	owners    []string
}

// owner returns 'B', 'W' or '='.
func (c *counted) owner(p board.Point) byte { return c.owners[p.Y()][p.X()] }

// readCounted returns the boards of the counted sets, and the rows of their
// tables of what is expected, by set and name.
func readCounted(t testing.TB, kgs int) (boards []counted, expected map[string][]string) {
	t.Helper()
	expected = map[string][]string{}
	for name, data := range testkit.Archive(t, testkit.Games(t, "go-testsets/counted.tar.gz")) {
		set, file := path.Base(path.Dir(name)), path.Base(name)
		switch {
		case file == "EXPECTED.tsv":
			for line := range strings.Lines(string(data)) {
				f := strings.Fields(line)
				expected[set+"/"+f[0]] = f
			}
		case path.Ext(file) == ".own":
			if set == "kgs" {
				if kgs == 0 {
					continue
				}
				kgs--
			}
			lines := strings.Split(string(bytes.TrimSpace(data)), "\n")
			rows := lines[1:]
			n := (len(rows) - 1) / 2
			boards = append(boards, counted{set, strings.TrimSuffix(file, ".own"), planesOf(t, rows[:n]), rows[n+1:]})
		}
	}
	return boards, expected
}

// TestCounted compares the proofs with the published counts of safe points, and
// with the owners that players and programs agree on.
func TestCounted(t *testing.T) {
	boards, expected := readCounted(t, testkit.Scale(60, 1000))
	var b life.Board
	var p Prover
	type sum struct{ boards, points, benson, static, fuego, shared int }
	sums := map[string]*sum{}
	for i := range boards {
		c := &boards[i]
		b.Reset(c.planes)
		s := sums[c.set]
		if s == nil {
			s = new(sum)
			sums[c.set] = s
		}
		s.boards++
		s.points += c.planes.Size.Area()
		proof := p.Benson(&b)
		s.benson += proof.Points[0] + proof.Points[1]
		contradict(t, "benson", c, &b, proof)
		if want := expected[c.set+"/"+c.name]; want != nil {
			if got := fmt.Sprint(proof.Points[0], proof.Points[1]); got != want[5]+" "+want[6] {
				t.Errorf("%s/%s: benson %s, want %s %s", c.set, c.name, got, want[5], want[6])
			}
		}
		proof = p.Static(&b)
		s.static += proof.Points[0] + proof.Points[1]
		contradict(t, "static", c, &b, proof)
		if want := expected[c.set+"/"+c.name]; want != nil {
			if testing.Verbose() {
				t.Logf("%s/%s: static %d %d, others %s %s", c.set, c.name, proof.Points[0], proof.Points[1], want[8], want[9])
			}
			black, _ := strconv.Atoi(want[8])
			white, _ := strconv.Atoi(want[9])
			s.fuego += black + white
			s.shared += min(black, proof.Points[0]) + min(white, proof.Points[1])
		}
	}
	for set, s := range sums {
		t.Logf("%s: %+v", set, *s)
		if !testkit.Shared() && s.benson*100 < 90*s.points {
			t.Errorf("%s: %d points of %d proved", set, s.benson, s.points)
		}
		if s.static < s.fuego {
			t.Errorf("%s: %d points proved, others prove %d", set, s.static, s.fuego)
		}
	}
}

// unmarked are games whose players left a dead stone on the board and counted
// around it: one liberty is left to it, or two that Black fills one by one, inside an
// eye of living stones. GNU Go 3.8 calls these stones dead too.
var unmarked = map[string]string{
	"kgs-19-2017-01-new_2017-01-15-17": "2,5 2,6",
	"kgs-19-2017-03-new_2017-03-13-3":  "17,13 17,14 18,13 18,14",
	"kgs-19-2017-05-new_2017-05-12-25": "3,18 4,18",
}

// contradict fails where a proof says other than the owners.
func contradict(t *testing.T, method string, c *counted, b *life.Board, proof *Proof) {
	t.Helper()
	for _, cell := range b.On {
		at := cell.Point()
		if o := proof.Owner[cell]; o != life.Nobody && c.owner(at) != " BW"[o] {
			if strings.Contains(" "+unmarked[c.name]+" ", fmt.Sprintf(" %d,%d ", at.X(), at.Y())) {
				continue
			}
			t.Errorf("%s/%s: %s says %s owns %d,%d, the board says %c", c.set, c.name, method, o, at.X(), at.Y(), c.owner(at))
		}
	}
}
