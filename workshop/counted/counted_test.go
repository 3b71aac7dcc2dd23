package counted_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/record/score"

	"qipu/board"
	"qipu/builtin"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/ingest"
	"qipu/record"
	"qipu/workshop/counted"
)

// files writes files into a folder of their own: names and texts by turns.
func files(t testing.TB, list ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(list); i += 2 {
		path := filepath.Join(dir, list[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(list[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// one is a board of 5x5 where Black has the left and White the right, with a dead
// stone of White's in Black's corner and a dame in the middle of the top.
const (
	stones = "#\nOX.O.\n.XXO.\n.XXO.\n.XOO.\n.XOO.\n"
	owners = "BB=WW\nBBBWW\nBBBWW\nBBWWW\nBBWWW\n"
	setUp  = "(;GM[1]SZ[5]RU[%s]KM[0.5]RE[%s]AB[ba][bb][cb][bc][cc][bd][be]AW[aa][da][db][dc][cd][dd][ce][de]"
	marks  = "TB[ab:ae][aa]TW[ea:ee]"
)

func record1(rules, result, rest string) string {
	return fmt.Sprintf(setUp, rules, result) + rest + ")"
}

func owner(t *testing.T, b *counted.Board) string {
	t.Helper()
	var text strings.Builder
	for y := range b.Rules.Size().H {
		for x := range b.Rules.Size().W {
			text.WriteByte("?BW="[b.Owner[board.At(x, y)]])
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// TestNobodys: that a board is nobody's is known, if a file says so.
func TestNobodys(t *testing.T) {
	const text = "#\n...\n...\n\n===\n===\n"
	for _, list := range [][]*counted.Board{
		read(t, files(t, "a.own", text)), read(t, files(t, "a.own", text, "a.sgf", "(;GM[1]SZ[3:2])")),
	} {
		if len(list) != 1 || !list[0].Labelled || owner(t, list[0]) != "===\n===\n" {
			t.Errorf("%+v", list)
		}
	}
}

func TestSources(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  []string // name, labelled, counted, result, lead by the labels
	}{
		{"marks of the record", []string{"a.sgf", record1("Japanese", "B+0.5", marks)}, []string{"a true true 1 1"}},
		{"marks behind passes", []string{"a.sgf", record1("Chinese", "W+1.5", ";B[];W[];"+marks)}, []string{"a true true -3 -1"}},
		{"marks before a move", []string{"a.sgf", record1("Chinese", "W+1.5", marks+";B[ca]")}, []string{"a false true -3 0"}},
		{"marks of one side on living stones too", []string{"a.sgf", record1("Chinese", "?", "TB[aa:be][cb:cc]TW[ea:ee][da:de]")}, []string{"a true false 0 -1"}},
		{"owners beside the record", []string{"a.own", stones + "\n" + owners, "a.sgf", record1("Japanese", "B+R", "")}, []string{"a true false 0 1"}},
		{"owners alone", []string{"b.own", strings.ReplaceAll(stones+"\n"+owners, "\n", "\r\n")}, []string{"b true false 0 -11"}},
		{"a result alone", []string{"a.sgf", record1("", "W+12", "")}, []string{"a false true -24 0"}},
		{"no count at all", []string{"a.sgf", record1("", "W+R", "")}, nil},
		{"another game", []string{"a.sgf", "(;GM[2]RE[B+2];B[d3])"}, nil},
		{"several games of a file", []string{"a.sgf", record1("", "W+12", "") + record1("", "W+1", "")}, []string{"a false true -24 0", "a#2 false true -2 0"}},
		{"natural order", []string{"q11.sgf", record1("", "W+1", ""), "q2.sgf", record1("", "W+2", ""), "q02x.sgf", record1("", "W+3", "")},
			[]string{"q2 false true -4 0", "q02x false true -6 0", "q11 false true -2 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, b := range read(t, files(t, c.files...)) {
				lead := 0
				if b.Labelled {
					lead = b.Lead()
					if o := owner(t, b); o != owners {
						t.Errorf("%s: the owners are\n%s", b.Name, o)
					}
					if b.Taken.Count() != 1 || !b.Taken.Has(board.At(0, 0)) {
						t.Errorf("%s: dead are %v", b.Name, b.Taken)
					}
				}
				got = append(got, fmt.Sprint(b.Name, " ", b.Labelled, " ", b.Counted, " ", b.Result, " ", lead))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestFaultyLabels(t *testing.T) {
	o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games()}
	dir := files(t, "a.own", strings.Replace(stones, "OX.O.", "OXXO.", 1)+"\n"+owners, "a.sgf", record1("", "B+1", ""))
	if _, err := counted.Read(context.Background(), o, dir); err == nil || !strings.Contains(err.Error(), "a.own has other stones") {
		t.Errorf("labels of another board: %v", err)
	}
	for _, text := range []string{"#\n", "#\nXO\n", "#\nX?\n\nBB\n", "#\nXO\n\nBx\n", "#\nXO\n\nB\n", "#\n" + strings.Repeat("X", 30) + "\n\n" + strings.Repeat("B", 30)} {
		var faults []string
		o.OnFault = func(f *record.Fault) { faults = append(faults, f.Reason) }
		list, err := counted.Read(context.Background(), o, files(t, "a.own", text))
		if err != nil || len(list) != 0 || len(faults) != 1 {
			t.Errorf("%q: %v, %v, faults %q", text, list, err, faults)
		}
	}
}

// board5 returns the board of the tests and the picture of it.
func board5(t testing.TB, text string) (*counted.Board, *life.Board) {
	t.Helper()
	list := read(t, files(t, "a.sgf", text))
	if len(list) != 1 {
		t.Fatalf("%d boards", len(list))
	}
	b := new(life.Board)
	b.Reset(list[0].Setup.Board)
	return list[0], b
}

func TestCompare(t *testing.T) {
	c, b := board5(t, record1("Japanese", "B+0.5", marks))
	truth := c.Compare(b, c.Judgement(b))
	want := counted.Tally{Boards: 1, Points: 25, PointsRight: 25, GroupsRight: 25, Strings: 3, StringsRight: 3,
		Scores: counted.Scores{Games: 1, Exact: 1, Within1: 1, Within2: 1, Winner: 1}}
	if truth != want {
		t.Errorf("what is known against itself: %+v", truth)
	}
	j := new(life.Judgement)
	j.Begin("test", b)
	nothing := c.Compare(b, j)
	want = counted.Tally{Boards: 1, Points: 25, Strings: 3}
	if nothing != want {
		t.Errorf("a judgement that says nothing: %+v", nothing)
	}
	// The dead stone is said to live, surely and by proof, and one that stays to be
	// dead, unclearly.
	at := func(x, y int) *life.Verdict { return j.At(b, board.At(x, y)) }
	at(0, 0).Status, at(0, 0).Proved = life.Alive, true
	at(1, 0).Status = life.Seki
	at(3, 0).Status, at(3, 0).Unclear = life.Dead, true
	j.Fill(b)
	wrong := c.Compare(b, j)
	if wrong.StringsRight != 1 || wrong.StringsWrong != 2 || wrong.Proved != 1 || wrong.ProvedWrong != 1 || wrong.Unclear != 1 || wrong.UnclearWrong != 1 {
		t.Errorf("strings: %+v", wrong)
	}
	if n, of := wrong.ClearWrong(); n != 1 || of != 2 {
		t.Errorf("%d of %d sure ones are wrong, want 1 of 2", n, of)
	}
	if wrong.PointsRight+wrong.PointsWrong != 25 || wrong.PointsRight >= 12 || wrong.Scores.Exact != 0 || wrong.Scores.Games != 1 {
		t.Errorf("points and score: %+v", wrong)
	}
	var sum counted.Tally
	sum.Add(&truth)
	sum.Add(&wrong)
	if sum.Boards != 2 || sum.Points != 50 || sum.StringsRight != 4 || sum.Scores.Games != 2 || sum.Scores.Exact != 1 {
		t.Errorf("sum: %+v", sum)
	}
	// A group of strings that do not share a fate puts its stones into the wrong one.
	j = c.Judgement(b)
	for i := range j.Strings {
		if j.Strings[i].Side == weiqi.White {
			j.Strings[i].Group = 0
			j.Groups[0].Strings = []int{0, 2}
		}
	}
	if mixed := c.Compare(b, j); mixed.PointsRight != 25 || mixed.GroupsRight != 25-8 {
		t.Errorf("mixed groups: %+v", mixed)
	}
}

// TestMargins holds scores of all distances against their columns.
func TestMargins(t *testing.T) {
	for _, c := range []struct {
		result string
		want   counted.Scores
	}{
		{"B+0.5", counted.Scores{Games: 1, Exact: 1, Within1: 1, Within2: 1, Winner: 1}},
		{"B+1.5", counted.Scores{Games: 1, Within1: 1, Within2: 1, Winner: 1}},
		{"W+0.5", counted.Scores{Games: 1, Within1: 1, Within2: 1}},
		{"B+2.5", counted.Scores{Games: 1, Within2: 1, Winner: 1}},
		{"B+10.5", counted.Scores{Games: 1, Winner: 1}},
		{"W+9.5", counted.Scores{Games: 1}},
		{"W+10", counted.Scores{Games: 1, Over10: 1}},
		{"0", counted.Scores{Games: 1, Within1: 1, Within2: 1}},
	} {
		b, picture := board5(t, record1("Japanese", c.result, marks))
		if got := b.Compare(picture, b.Judgement(picture)).Scores; got != c.want {
			t.Errorf("B+0.5 for %s: %+v", c.result, got)
		}
	}
}

func TestAudit(t *testing.T) {
	for _, c := range []struct {
		rules, result, rest string
		judged              int
		scoring             weiqi.Scoring
		agrees              []score.Reading
	}{
		{"Japanese", "B+0.5", "", 1, weiqi.Territory, nil},
		{"Japanese", "W+0.5", "", 1, weiqi.Territory, []score.Reading{score.ByArea, score.OtherSide}},
		{"Chinese", "B+0.5", "", -1, weiqi.Area, []score.Reading{score.ByTerritory, score.OtherSide}},
		{"", "W+0.5", "", -1, weiqi.Area, nil},
		{"", "B+0.5", "", 1, weiqi.Territory, nil},
		{"", "B+5", "", 1, weiqi.Territory, nil},
		{"Japanese", "B+1", "", 1, weiqi.Territory, []score.Reading{score.NoKomi}},
		{"Chinese", "W+0.5", "HA[2]", -5, weiqi.Area, []score.Reading{score.NoReturn}},
	} {
		text := record1(c.rules, c.result, c.rest+marks)
		b, picture := board5(t, text)
		a := b.Audit(b.Judgement(picture))
		if a.Judged != c.judged || a.Scoring != c.scoring || !slices.Equal(a.Agrees, c.agrees) || !a.HasMark || a.Recorded != b.Result {
			t.Errorf("%s %s %s: %+v", c.rules, c.result, c.rest, a)
		}
	}
	for lead, want := range map[int]string{7: "B+3.5", -20: "W+10", 0: "Draw"} {
		if got := score.Text(lead); got != want {
			t.Errorf("%d: %s, want %s", lead, got, want)
		}
	}
}

func TestBench(t *testing.T) {
	dir := files(t, "x/a.sgf", record1("Japanese", "B+0.5", marks), "x/b.sgf", record1("Japanese", "B+0.5", marks), "y/c.sgf", record1("Japanese", "B+9", ""))
	boards := read(t, dir)
	methods, err := counted.Judges("fill")
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	methods = append(methods, counted.Method{Name: "known", Most: 2, Judge: func(_ context.Context, i int, b *counted.Board) (*life.Judgement, time.Duration, error) {
		calls++
		if boards[i] != b {
			t.Errorf("board %d is %s", i, b.Name)
		}
		var picture life.Board
		picture.Reset(b.Setup.Board)
		return b.Judgement(&picture), time.Second, nil
	}})
	last := [2]int{}
	r, err := counted.Bench(context.Background(), boards, counted.Options{Methods: methods, Mistakes: true, Progress: func(done, total int) { last = [2]int{done, total} }})
	if err != nil {
		t.Fatal(err)
	}
	if calls != 2 || last != [2]int{5, 5} {
		t.Errorf("%d calls of a slow method, progress %v", calls, last)
	}
	var rows []string
	for _, row := range r.Sets {
		rows = append(rows, fmt.Sprintf("%s %s %d/%d strings %d/%d", row.Set, row.Method, row.Boards, row.Scores.Games, row.StringsRight, row.Strings))
	}
	want := []string{"x fill 2/2 strings 4/6", "x known 1/1 strings 3/3", "y fill 0/1 strings 0/0", "y known 0/1 strings 0/0", " fill 2/3 strings 4/6", " known 1/2 strings 3/3"}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q", rows)
	}
	if len(r.Boards) != 5 || len(r.Mistakes) != 2 || r.Mistakes[0].Head != 0 || r.Mistakes[0].Board != "a" || r.Mistakes[1].Board != "b" {
		t.Errorf("%d boards, mistakes %+v", len(r.Boards), r.Mistakes)
	}
	if known := r.Sets[1].Time; known != (counted.Time{Median: 1e6, Mean: 1e6, Worst: 1e6}) {
		t.Errorf("time %+v", known)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := counted.Bench(ctx, boards, counted.Options{Methods: methods}); err == nil {
		t.Error("a context that has ended is no error")
	}
	if _, err := counted.Judges("nonsense"); err == nil || !strings.Contains(err.Error(), "fill") {
		t.Errorf("a method that is not there: %v", err)
	}
}

// TestFold tells that a board and its turned copies are in one part, and that the
// parts are about as large.
func TestFold(t *testing.T) {
	c, _ := board5(t, record1("", "B+1", ""))
	turned := *c
	for _, sym := range c.Rules.Size().Symmetries() {
		turned.Setup.Board = c.Setup.Board.Transform(sym, nil)
		if turned.Fold(1000) != c.Fold(1000) {
			t.Errorf("%v puts the board into another part", sym)
		}
	}
	parts := [4]int{}
	for p := range c.Rules.Size().Points() {
		for q := range c.Rules.Size().Points() {
			if p != q {
				turned.Setup.Board = board.NewPlanes(c.Rules.Size(), 2)
				turned.Setup.Board.Put(p, 1)
				turned.Setup.Board.Put(q, 2)
				parts[turned.Fold(4)]++
			}
		}
	}
	for _, n := range parts {
		if n < 100 || n > 200 {
			t.Errorf("600 boards in parts of %v", parts)
			break
		}
	}
}
