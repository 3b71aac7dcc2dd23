package advise_test

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"qipu/game"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
	"qipu/pattern/advise"
	"qipu/record"
	"qipu/record/sgf"
)

// games reads some records of professional games, one of every few.
func games(t testing.TB, n, every int) (list []*record.Played) {
	t.Helper()
	referee := record.NewReferee(game.Catalog{weiqi.Standard})
	seen := 0
	for name, data := range testkit.Files(t, "go/go-pro-6300.tar.gz") {
		if path.Ext(name) != ".sgf" {
			continue
		}
		if seen++; seen%every != 0 {
			continue
		}
		for g, err := range sgf.Format.Read(&record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			if err == nil {
				list = append(list, referee.Play(g))
			}
			break
		}
		if len(list) == n {
			break
		}
	}
	return list
}

// walk calls f before every move of a game.
func walk(t testing.TB, g *record.Played, f func(p *weiqi.Position, next record.Step)) {
	t.Helper()
	pos, err := record.At(g, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := pos.(*weiqi.Position)
	for _, s := range g.Steps {
		if s.Move != game.Pass && p.Turn() == s.Side {
			f(p, s)
		}
		if err := p.Force(s.Side, s.Move); err != nil {
			t.Fatal(err)
		}
	}
}

// What conditions refuse, professionals do not play: the share of it that they
// do play is a small part of the share of the advice that stands. And the bad
// shapes they avoid.
func TestPlayed(t *testing.T) {
	a := shippedAdviser(t, true)
	type tally struct{ played, all int }
	count := map[string]*tally{}
	var list []advise.Advice
	positions := 0
	for _, g := range games(t, testkit.Scale(4, 100), testkit.Scale(7, 60)) {
		walk(t, g, func(p *weiqi.Position, next record.Step) {
			positions++
			list = a.AppendAdvice(list[:0], p, advise.Ask{Refused: true})
			for _, v := range list {
				kind := "stands"
				switch {
				case v.Avoid && v.Refused == "":
					kind = "avoid"
				case v.Avoid || strings.HasPrefix(v.Refused, "replaced"):
					continue
				case v.Refused != "":
					kind = v.Refused
				}
				c := count[kind]
				if c == nil {
					c = &tally{}
					count[kind] = c
				}
				c.all++
				if game.Drop(v.Point) == next.Move {
					c.played++
				}
			}
		})
	}
	share := func(kind string) float64 {
		c := count[kind]
		if c == nil || c.all == 0 {
			return 0
		}
		return float64(c.played) / float64(c.all)
	}
	refused := tally{}
	for kind, c := range count {
		t.Logf("%5d of %7d, %.2f %%: %s", c.played, c.all, 100*share(kind), kind)
		if kind != "stands" && kind != "avoid" {
			refused.played += c.played
			refused.all += c.all
		}
	}
	t.Logf("%d positions", positions)
	stands := share("stands")
	if rate := float64(refused.played) / float64(max(refused.all, 1)); refused.all == 0 || rate > stands/3 {
		t.Errorf("%.2f %% of the refused advice was played, and %.2f %% of what stands", 100*rate, 100*stands)
	}
	if share("avoid") > stands/5 {
		t.Errorf("%.2f %% of the points to avoid were played, and %.2f %% of what stands", 100*share("avoid"), 100*stands)
	}
}

// boards returns positions of real games, one of every 40 moves.
func boards(tb testing.TB) (list []*weiqi.Position) {
	for _, g := range games(tb, 20, 3) {
		for n := 20; n < len(g.Steps); n += 40 {
			p, err := record.At(g, n)
			if err != nil {
				tb.Fatal(err)
			}
			list = append(list, p.(*weiqi.Position))
		}
	}
	return list
}

func BenchmarkAdvise(b *testing.B) {
	list := boards(b)
	for name, rules := range map[string]bool{"plain": false, "conditions": true} {
		a := shippedAdviser(b, rules)
		b.Run(name, func(b *testing.B) {
			var dst []advise.Advice
			said := 0
			i := 0
			for b.Loop() {
				dst = a.AppendAdvice(dst[:0], list[i%len(list)], advise.Ask{Who: advise.Both})
				said += len(dst)
				i++
			}
			b.ReportMetric(float64(said)/float64(i), "advice/op")
		})
	}
}

func TestNoAllocation(t *testing.T) {
	p, _ := draw(t, figures[3].board)
	a := shippedAdviser(t, true)
	var dst []advise.Advice
	ask := func() { dst = a.AppendAdvice(dst[:0], p, advise.Ask{Who: advise.Both, Refused: true}) }
	ask()
	ask()
	if n := testing.AllocsPerRun(20, ask); n >= 1 {
		t.Errorf("%v allocations for %d pieces of advice", n, len(dst))
	}
}
