package score_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/score"
	"qipu/record/sgf"
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
	files := map[string]string{
		"a.sgf": twoWalls("RU[Japanese]KM[0.5]RE[W+5.5]", 0),
		"b.sgf": twoWalls("RU[Chinese]KM[2]HA[0]", 1),
		"c.sgf": twoWalls("PB[x]", 2),
		"d.sgf": "(;GM[2]SZ[8];B[f5];W[d6];B[c3])",
	}
	var judges judge.Pool
	judged := func(file string, ply int, o judge.Options) (*score.Counted, *judge.Report, error) {
		var at *score.Counted
		var err error
		for g, e := range sgf.Format.Read(&record.Source{Name: file, Reader: strings.NewReader(files[file])}) {
			if e != nil {
				t.Fatal(e)
			}
			at, err = score.CountedAt(record.NewReferee(builtin.Games()).Play(g), ply)
		}
		if err != nil {
			return nil, nil, err
		}
		var r *judge.Report
		judges.Do(func(j *judge.Judge) { r, err = j.Judge(at.Position, o) })
		return at, r, err
	}
	fill := judge.Options{Method: "fill"}
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
		at, r, err := judged(c.file, c.ply, fill)
		if err != nil {
			t.Errorf("%s after ply %d: %v", c.file, c.ply, err)
			continue
		}
		if got := r.Score.String(); got != c.score || at.Last != c.last || at.Position.Planes().Of[0].Count() != c.black {
			t.Errorf("%s after ply %d: %s, last %v, %d black stones; want %+v", c.file, c.ply, got, at.Last, at.Position.Planes().Of[0].Count(), c)
		}
		if at.Counts.UsualRules != c.usualRules || at.Counts.UsualKomi != c.usualKomi {
			t.Errorf("%s: %+v", c.file, at.Counts)
		}
	}
	if at, _, err := judged("a.sgf", -1, fill); err != nil || at.Result.Margin != 5.5 {
		t.Errorf("the result of the record is %+v, %v", at.Result, err)
	}
	var notGo *score.NotGoError
	if _, _, err := judged("d.sgf", -1, fill); !errors.As(err, &notGo) || notGo.Title != "Othello" {
		t.Errorf("a game of Othello: %v", err)
	}
	if _, _, err := judged("a.sgf", 13, fill); err == nil || !strings.Contains(err.Error(), "the last is 12") {
		t.Errorf("behind the end: %v", err)
	}
	if _, _, err := judged("a.sgf", -1, judge.Options{Method: "dice"}); err == nil {
		t.Error("a method that is not there is taken")
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				_, r, err := judged("a.sgf", -1, judge.Options{})
				if err != nil || r.Score.String() != "W+5.5" {
					t.Errorf("many at once: %v, %v", r, err)
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
		got := score.CountingOf(nine, &c.facts)
		if got.Rules.Info().Variant != c.variant {
			t.Errorf("%+v is counted by %s, want %s", c.facts, got.Rules.Info().Variant, c.variant)
		}
	}
}
