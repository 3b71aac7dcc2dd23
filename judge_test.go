package qipu_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"qipu"
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/library"
	"qipu/library/knowledge"
	"qipu/pattern/advise"
	"qipu/pattern/kb/shipped"
	"qipu/record/facts"
	"qipu/store"
)

// twoWalls is a game of two walls, with five points behind Black's and ten behind
// White's: the count hangs on what the headers say. The walls grow from another
// row each time, since a library keeps equal games once.
func twoWalls(headers string, from int) string {
	text := "(;GM[1]SZ[5]" + headers
	for i := range 5 {
		row := string(rune('a' + (from+i)%5))
		text += ";B[b" + row + "];W[c" + row + "]"
	}
	return text + ";B[];W[])"
}

func TestJudgeRecords(t *testing.T) {
	l, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	files := map[string]string{
		"a.sgf": twoWalls("RU[Japanese]KM[0.5]RE[W+5.5]", 0),
		"b.sgf": twoWalls("RU[Chinese]KM[2]HA[0]", 1),
		"c.sgf": twoWalls("PB[x]", 2),
		"d.sgf": "(;GM[2]SZ[8];B[f5];W[d6];B[c3])",
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Import(t.Context(), library.ImportOptions{}, dir); err != nil {
		t.Fatal(err)
	}
	fill := judge.Options{Method: "fill"}
	ids := map[string]uint32{}
	for id := uint32(1); id <= 4; id++ {
		g, _, err := l.Record(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		ids[filepath.Base(g.Place.File)] = id
	}
	for _, c := range []struct {
		file       string
		ply        int
		score      string
		black      int // stones on the board
		last       bool
		usualRules bool
		usualKomi  bool
	}{
		{"a.sgf", -1, "W+5.5", 5, true, false, false},
		{"b.sgf", -1, "W+7", 5, true, false, false},
		{"c.sgf", -1, "W+11.5", 5, true, true, true},
		{"a.sgf", 4, "W+0.5", 2, false, false, false},
		{"a.sgf", 12, "W+5.5", 5, true, false, false},
		{"a.sgf", 0, "W+0.5", 0, false, false, false},
	} {
		at, err := l.Judge(t.Context(), ids[c.file], c.ply, fill)
		if err != nil {
			t.Errorf("%s after ply %d: %v", c.file, c.ply, err)
			continue
		}
		if got := at.Score.String(); got != c.score || at.Last != c.last || at.Position.Planes().Of[0].Count() != c.black {
			t.Errorf("%s after ply %d: %s, last %v, %d black stones; want %+v", c.file, c.ply, got, at.Last, at.Position.Planes().Of[0].Count(), c)
		}
		if at.Counts.UsualRules != c.usualRules || at.Counts.UsualKomi != c.usualKomi {
			t.Errorf("%s: %+v", c.file, at.Counts)
		}
	}
	if at, err := l.Judge(t.Context(), ids["a.sgf"], -1, fill); err != nil || at.Result.Margin != 5.5 {
		t.Errorf("the result of the record is %+v, %v", at.Result, err)
	}
	var notGo *qipu.NotGoError
	if _, err := l.Judge(t.Context(), ids["d.sgf"], -1, fill); !errors.As(err, &notGo) || notGo.Title != "Othello" {
		t.Errorf("a game of Othello: %v", err)
	}
	if _, err := l.Judge(t.Context(), ids["a.sgf"], 13, fill); err == nil || !strings.Contains(err.Error(), "the last is 12") {
		t.Errorf("behind the end: %v", err)
	}
	if _, err := l.Judge(t.Context(), 99, -1, fill); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("a game that is not there: %v", err)
	}
	if _, err := l.Judge(t.Context(), ids["a.sgf"], -1, judge.Options{Method: "dice"}); err == nil {
		t.Error("a method that is not there is taken")
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				at, err := l.Judge(t.Context(), ids["a.sgf"], -1, judge.Options{})
				if err != nil || at.Score.String() != "W+5.5" {
					t.Errorf("many at once: %v, %v", at, err)
				}
			}
		})
	}
	group.Wait()
}

func TestCountingOf(t *testing.T) {
	nine, err := weiqi.New(weiqi.Options{Size: board.Size{W: 9, H: 9}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		facts   facts.Facts
		variant string
	}{
		{facts.Facts{}, "9x9"},
		{facts.Facts{Ruleset: "chinese", Komi: facts.Komi{Half: 14, Known: true}}, "9x9,chinese,komi=7"},
		{facts.Facts{Komi: facts.Komi{Known: true}}, "9x9,komi=0"},
		{facts.Facts{Ruleset: "aga", Handicap: 3}, "9x9,aga,handicap=3"},
		{facts.Facts{Handicap: 1}, "9x9"},
		{facts.Facts{Handicap: 25}, "9x9,komi=0.5"},
		{facts.Facts{Ruleset: "aga", Handicap: 11}, "9x9,aga,komi=10.5"}, // White gets ten of the stones back
		{facts.Facts{Komi: facts.Komi{Half: 1 << 30, Known: true}}, "9x9"},
	} {
		got := qipu.CountingOf(nine, &c.facts)
		if got.Rules.Info().Variant != c.variant {
			t.Errorf("%+v is counted by %s, want %s", c.facts, got.Rules.Info().Variant, c.variant)
		}
	}
}

// drawnBoard makes a position of a drawing as the tests of package advise have it:
// X is Black, O White, an asterisk the empty point in question.
func drawnBoard(t testing.TB, text string) (*weiqi.Position, board.Point) {
	t.Helper()
	rows := strings.Fields(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: len(rows[0]), H: len(rows)}})
	if err != nil {
		t.Fatal(err)
	}
	s, mark := game.NewSetup(r), board.NoPoint
	for y, row := range rows {
		for x, c := range row {
			switch at := board.At(x, y); c {
			case 'X':
				s.Board.Put(at, 1)
			case 'O':
				s.Board.Put(at, 2)
			case '*':
				mark = at
			}
		}
	}
	p, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*weiqi.Position), mark
}

// Figure 20 of paper 000 shows a cut by two stones that are dead. The picture is
// lost, and this one is drawn by what the text says of it: the stones have more
// liberties than reading takes away, and no room to live.
const figure20 = `
	. O . O . X . . .
	O O O O . X . . .
	O O O O X X . . .
	O O O * O O X . .
	O O . X . O X . .
	O O . X . O X . .
	O O . . . O X . .
	O O O O O O X . .
	. O . O . . X . .`

// Reading alone lets the cut stand; who knows that the stones are dead refuses it.
func TestFigure20(t *testing.T) {
	p, cut := drawnBoard(t, figure20)
	find := func(list []advise.Advice) *advise.Advice {
		for i := range list {
			if a := &list[i]; a.Point == cut && a.Entry.ID == "paper-figure-17" && a.Side == weiqi.Black {
				return a
			}
		}
		return nil
	}
	conditions, _ := advise.Parse("conditions.txt", shipped.Conditions())
	reading, err := advise.New(shipped.Base(), advise.Options{Conditions: conditions})
	if err != nil {
		t.Fatal(err)
	}
	if a := find(reading.Advise(p, advise.Ask{})); a == nil {
		t.Error("reading alone refuses the cut")
	}
	shapes := knowledge.LoadShapes()
	said := func(ask advise.Ask) *advise.Advice {
		points, err := shapes.Advise(p, ask)
		if err != nil {
			t.Fatal(err)
		}
		var list []advise.Advice
		for i := range points {
			list = append(list, points[i].Advice...)
		}
		return find(list)
	}
	if a := said(advise.Ask{Refused: true}); a == nil || !strings.Contains(a.Refused, "lost already") {
		t.Errorf("the cut is not refused: %+v", a)
	}
	if a := said(advise.Ask{}); a != nil {
		t.Errorf("unasked for what is refused it stands: %+v", a)
	}
}

func BenchmarkAdviseJudged(b *testing.B) {
	p, _ := drawnBoard(b, figure20)
	shapes := knowledge.LoadShapes()
	if _, err := shapes.Advise(p, advise.Ask{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		shapes.Advise(p, advise.Ask{})
	}
}
