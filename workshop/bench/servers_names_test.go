package bench_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/game/xiangqi"
	"qipu/internal/clickhouse"
	"qipu/library/ask"
	"qipu/record"
)

// TestServersNames asks servers for names: without an index of them, with one, and
// with games behind it that lie on the servers or on the desk. The answers are
// those of a folder, each time.
func TestServersNames(t *testing.T) {
	near, far := openNew(t), openServers(t, clickhouse.Start(t, clickhouse.Options{Shards: 2}), 1)
	list := xiangqiRecords(t, 320)
	add := func(n int, ship bool) {
		t.Helper()
		for _, l := range []*qipu.Library{near, far} {
			if _, err := l.Records().AddAll(t.Context(), list[:n]); err != nil {
				t.Fatal(err)
			}
			if !ship {
				continue
			}
			if _, err := l.Records().Keeper().Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		list = list[n:]
	}
	queries := []string{
		"named:炮鎮中路", "named:hobbled-horse and player:\"Red 3\"", "named:過河兵 then named:缺象", "not named:連環馬 and ply:..1",
		"named:A or named:B0", "named.red:炮鎮中路", "named.black:hobbled-horse then named.first:hobbled-horse", "when(named:巡河車 and turn:red)",
	}
	compare := func(when string, indexed bool) {
		t.Helper()
		for _, q := range queries {
			a, b := mustAsk(t, near, ask.Question{Text: q}), mustAsk(t, far, ask.Question{Text: q})
			if got, want := fmt.Sprint(b.Games, b.Hits, b.Score), fmt.Sprint(a.Games, a.Hits, a.Score); got != want || b.Games == 0 {
				t.Errorf("%s: %s: %s, want %s", when, q, got, want)
			}
			if told := strings.Contains(strings.Join(b.Hints, ";"), "index of names"); told == indexed {
				t.Errorf("%s: %s: that games were read through is told: %t", when, q, told)
			}
		}
	}
	of := func(l *qipu.Library) *ask.NameScores {
		t.Helper()
		kind, err := l.Records().Kind("xiangqi")
		if err != nil {
			t.Fatal(err)
		}
		s, err := l.Search().NameScores(t.Context(), kind)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	scores := func(when string, ready bool) {
		t.Helper()
		a, b := of(near), of(far)
		if b.Ready != ready {
			t.Errorf("%s: the scores are ready: %t", when, b.Ready)
		}
		if ready && (!maps.Equal(a.Scores, b.Scores) || len(b.Scores) < 100) {
			t.Errorf("%s: %d scores, those of the folder are %d, and others", when, len(b.Scores), len(a.Scores))
		}
	}
	build := func(lines int) {
		t.Helper()
		if _, err := near.Records().BuildNames(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		done, err := far.Records().BuildNames(t.Context(), nil)
		if err != nil || done.Lines != lines || (done.Columns >= 100) != (lines > 0) {
			t.Fatalf("%+v for %d lines, %v", done, lines, err)
		}
	}
	add(280, true)
	compare("without an index", false)
	scores("without an index", false)
	build(280)
	build(0)
	compare("with one", true)
	scores("with one", true)
	add(20, false)
	compare("with games on the desk", true)
	scores("with games on the desk", true)
	add(20, true)
	compare("with games behind it", false)
	scores("with games behind it", false)
	build(40)
	compare("made complete", true)
	scores("made complete", true)
}

// xiangqiRecords returns so many games of random moves.
func xiangqiRecords(t *testing.T, n int) (list []*record.Played) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	for i := range n {
		p := xiangqi.Standard.Start()
		var moves []string
		for range 40 {
			legal := p.AppendMoves(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[rng.IntN(len(legal))]
			moves = append(moves, string(xiangqi.Standard.AppendMove(nil, p, m, "iccs")))
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, referee.Play(xiangqiGame(fmt.Sprintf("Red %d", i%7), fmt.Sprintf("Black %d", i%5), strings.Join(moves, " "))))
	}
	return list
}

// xiangqiGame returns a game of Xiangqi by its moves.
func xiangqiGame(red, black, moves string) *record.Game {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs"}
	g.Facts.Players[0].Name, g.Facts.Players[1].Name = red, black
	at := g.Add(0, record.Unstated, "")
	for _, m := range strings.Fields(moves) {
		at = g.Add(at, record.Unstated, m)
	}
	return g
}
