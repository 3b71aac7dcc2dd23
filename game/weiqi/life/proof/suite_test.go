package proof

import (
	"maps"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

var property = regexp.MustCompile(`(SZ|AB|AW)((?:\[[^\]]*\]\s*)+)`)

// setUp reads the size and the stones of a record without moves.
func setUp(text string) *board.Planes {
	p := board.NewPlanes(board.Size{W: 19, H: 19}, 2)
	var puts [3][]string
	for _, m := range property.FindAllStringSubmatch(text, -1) {
		values := strings.FieldsFunc(m[2], func(r rune) bool { return strings.ContainsRune("[] \r\n", r) })
		switch m[1] {
		case "SZ":
			n, _ := strconv.Atoi(values[0])
			p = board.NewPlanes(board.Size{W: n, H: n}, 2)
		case "AB":
			puts[1] = append(puts[1], values...)
		case "AW":
			puts[2] = append(puts[2], values...)
		}
	}
	for piece, list := range puts {
		for _, at := range list {
			p.Put(board.At(int(at[0]-'a'), int(at[1]-'a')), board.Piece(piece))
		}
	}
	return p
}

// gtpPoint reads a point such as A19.
func gtpPoint(size board.Size, name string) board.Point {
	x := strings.IndexByte("ABCDEFGHJKLMNOPQRSTUVWXYZ", name[0])
	y, _ := strconv.Atoi(name[1:])
	return board.At(x, size.H-y)
}

// expectation is one line of a suite: a point of a board and what it should be.
type expectation struct {
	id     string
	planes *board.Planes
	at     board.Point
	want   string
}

// readSuite reads a suite of questions after unconditional_status.
func readSuite(t *testing.T, files map[string]string, name string) (list []expectation) {
	var planes *board.Planes
	lines := strings.Split(files[name], "\n")
	for i, line := range lines {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || strings.HasPrefix(line, "#"):
		case f[0] == "loadsgf":
			text, ok := files[path.Join(path.Dir(name), f[1])]
			if !ok {
				t.Fatalf("%s: no %s", name, f[1])
			}
			planes = setUp(text)
		case f[0] == "boardsize":
			n, _ := strconv.Atoi(f[1])
			planes = board.NewPlanes(board.Size{W: n, H: n}, 2)
		case f[0] == "play":
			planes = planes.Clone()
			planes.Put(gtpPoint(planes.Size, f[2]), board.Piece(1+strings.Index("bw", f[1][:1])))
		case len(f) == 3 && f[1] == "unconditional_status":
			want := strings.Trim(strings.TrimPrefix(lines[i+1], "#?"), " []*\r")
			list = append(list, expectation{f[0], planes, gtpPoint(planes.Size, f[2]), want})
		}
	}
	return list
}

// statusAt says what a proof claims of a point, in the words of the suites.
func statusAt(b *life.Board, p *Proof, at board.Point) string {
	c := life.CellOf(at)
	switch o, s := p.Owner[c], b.Stone[c]; {
	case o == life.Nobody:
		return "undecided"
	case s == life.Empty:
		return o.String() + "_territory"
	case s == life.Stone(o):
		return "alive"
	}
	return "dead"
}

// TestSuites asks the questions of public test suites. Those of GoTraxx were
// written for the same theorems. GNU Go's unconditional status is another notion:
// the attacker may move twice in a row, the defender not; it also proves territory
// that Benson's theorem does not speak of.
func TestSuites(t *testing.T) {
	files := map[string]string{}
	for name, data := range testkit.Files(t, "go-testsets/regression.tar.gz") {
		if strings.Contains(name, "otraxx/") || strings.Contains(name, "unconditional") {
			files[path.Clean(name)] = string(data)
		}
	}
	var b life.Board
	var p Prover
	run := func(name string, prove func(*life.Board) *Proof) (agree, silent, more, wrong int) {
		for file := range maps.Keys(files) {
			if !strings.HasSuffix(file, name) {
				continue
			}
			for _, e := range readSuite(t, files, file) {
				b.Reset(e.planes)
				got := statusAt(&b, prove(&b), e.at)
				want := e.want
				if !strings.HasSuffix(want, "_territory") && want != "alive" && want != "dead" {
					want = "undecided"
				}
				switch {
				case got == want:
					agree++
				case got == "undecided":
					silent++
					t.Logf("%s %s: says nothing, they %s", name, e.id, e.want)
				case want == "undecided":
					more++
					t.Logf("%s %s: %s, they %s", name, e.id, got, e.want)
				default:
					wrong++
					t.Errorf("%s %s: %s, want %s", name, e.id, got, e.want)
				}
			}
		}
		t.Logf("%s: %d agree, %d nothing said, %d more said, %d contradicted", name, agree, silent, more, wrong)
		return agree, silent, more, wrong
	}
	if agree, silent, more, _ := run("Benson/benson.tst", p.unconditional); agree < 200 || silent+more > 0 {
		t.Errorf("GoTraxx on Benson: %d agree, %d silent, %d more", agree, silent, more)
	}
	if agree, silent, more, _ := run("Muller/muller.tst", p.Static); agree < 11 || silent+more > 0 {
		t.Errorf("GoTraxx on Müller: %d agree, %d silent, %d more", agree, silent, more)
	}
	run("gnugo/unconditional.tst", p.unconditional)
	run("gnugo/unconditional.tst", p.Static)
}
