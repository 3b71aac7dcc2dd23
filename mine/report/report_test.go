package report_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/game"
	"qipu/library/ask"
	"qipu/mine/gather"
	"qipu/mine/report"
	"qipu/mine/rules"
	"qipu/record"
	"qipu/record/facts"
	"qipu/view/mineview"
)

const ply = 12

// random returns a library of games of random moves with these results; no result where
// there are none.
func random(t *testing.T, n int, won func(i int) bool) *qipu.Library {
	t.Helper()
	l, err := qipu.Open(t.Context(), t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	rules, err := builtin.Games().Find("xiangqi")
	if err != nil {
		t.Fatal(err)
	}
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	rng := rand.New(rand.NewPCG(8, 9))
	var list []*record.Played
	for i := range n {
		p := rules.Start()
		g := &record.Game{Kind: rules.Info().Name}
		at := g.Add(0, record.Unstated, "")
		for range ply + 4 {
			legal := p.AppendMoves(nil)
			m := legal[rng.IntN(len(legal))]
			at = g.Add(at, record.Unstated, game.FormatMove(rules, p, m, game.AnyNotation))
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			if p.Outcome().Over() {
				break
			}
		}
		g.Facts.Players[0].Name, g.Facts.Players[1].Name = fmt.Sprint("A", i), fmt.Sprint("B", i)
		if won != nil {
			text := "0-1"
			if won(i) {
				text = "1-0"
			}
			g.Facts.Result = facts.ParseResult(facts.Sides{}, text)
		}
		list = append(list, referee.Play(g))
	}
	if _, err := l.Records().AddAll(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestReport: what was planted is said in a sentence, and its query finds just the games
// behind the number.
func TestReport(t *testing.T) {
	const n = 240
	o := report.Options{Options: gather.Options{Game: "xiangqi", At: gather.Moment{Ply: ply}}, Rules: rules.Options{Size: 1, Support: .1}}
	blank := random(t, n, nil)
	set, err := gather.Set(t.Context(), blank.Records(), blank.Search(), &o.Options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := report.Make(t.Context(), blank.Records(), blank.Search(), o); err != rules.ErrNoResults {
		t.Errorf("games without results: %v", err)
	}
	planted, best := -1, n
	for i := range set.Items { // one that about half of the games have
		off := set.Items[i].Rows.Count() - n/2
		if off = max(off, -off); set.Items[i].Side == 0 && off < best {
			planted, best = i, off
		}
	}
	if planted < 0 {
		t.Fatal("no item to plant a rule on")
	}
	has := map[uint32]bool{}
	for row := range set.Items[planted].Rows.All() {
		has[set.Rows[row].Game] = true
	}
	l := random(t, n, func(i int) bool { return (i%8 != 0) == has[uint32(i+1)] })
	r, err := report.Make(t.Context(), l.Records(), l.Search(), o)
	if err != nil {
		t.Fatal(err)
	}
	w := mineview.Insights(r, &o.Rules, 5)
	if len(w.Findings) == 0 || w.Findings[0].Kind != "rule" || w.Findings[0].Items[0].ID != set.Items[planted].ID {
		t.Fatalf("planted %s, found %+v", set.Items[planted].ID, w.Findings)
	}
	f := w.Findings[0]
	if !strings.HasPrefix(f.Sentence, "Red's ") || !strings.Contains(f.Sentence, "red scores") || !strings.Contains(f.Sentence, "more than") || f.Effect < .5 {
		t.Errorf("%s (%v)", f.Sentence, f.Effect)
	}
	reply, err := l.Ask(t.Context(), &ask.Question{Text: f.Query})
	if err != nil || reply.Games != f.Games || !f.Exact {
		t.Errorf("%s finds %d games, the sentence says %d: %v", f.Query, reply.Games, f.Games, err)
	}
	if len(f.Samples) == 0 || f.Samples[0].Ply > ply || !reply.Found.Contains(f.Samples[0].Record) {
		t.Errorf("samples %+v", f.Samples)
	}
	if w.Tests == 0 || w.Rows < n-5 || w.Halves.Findings == 0 || w.Halves.Same != 1 {
		t.Errorf("%+v", w)
	}
}
