package bench_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
)

// textQueries ask for names and words, in corpora of real games.
var textQueries = []struct{ corpus, text string }{
	{"othello", `player:Tamenori`},
	{"othello", `player:taninori or player:Nicolet`}, // a name that nobody has: what sounds like it is looked for
	{"othello", `event:"world championship"`},
	{"othello", `player:Tastet and result:win and date:1985..1995`},
	{"othello", `player:Takizwa`}, // likewise, and is asked whether it is somebody else
	{"othello", `Murakami`},
	{"weiqi", `player:武宮`},
	{"weiqi", `player:"Cho Chikun" and white:Kobayashi`},
	{"weiqi", `event:Honinbo and date:1990..`},
	{"weiqi", `comment:joseki`},
	{"weiqi", `棋聖`},
	{"xiangqi", `player:胡荣华 and result:loss`},
	{"xiangqi", `event:過河車 and code:C and date:1980..`},
}

// ask answers a query in the language on one core.
func asked(tb testing.TB, l *qipu.Library, game, text string) *ask.Reply {
	tb.Helper()
	reply, err := l.Ask(tb.Context(), &ask.Question{Text: text, Game: game, Request: retrieve.Request{Workers: 1}})
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return reply
}

// measureText measures queries for names and words.
func measureText(t *testing.T, r *report) {
	out := newTable("games", "query", "found", "CPU ms", "best")
	worst := time.Duration(0)
	for _, q := range textQueries {
		l := openLibrary(t, q.corpus)
		found := asked(t, l, q.corpus, q.text)
		c := measure(samples, func() { asked(t, l, q.corpus, q.text) })
		worst = max(worst, c.CPU)
		out.row(fmt.Sprintf("%s, %s", q.corpus, count(found.Explain.Total)), "`"+strings.ReplaceAll(q.text, "|", `\|`)+"`", count(found.Games), ms(c.CPU), ms(c.Least))
	}
	r.bar(t, bar{name: "names and words, worst", got: millis(worst), must: 5, unit: "ms"})
	r.section(t, "text", out.String())
}

// measureFilters measures what conditions on headers cost on top of a pattern:
// conditions that nearly all games meet, for those that few meet make it
// cheaper.
func measureFilters(t *testing.T, r *report) {
	l := openLibrary(t, "weiqi")
	list, err := readQueries(builtin.Games(), "weiqi")
	if err != nil {
		t.Fatal(err)
	}
	const all = `not player:nobody-of-this-name and moves:1..`
	filter, err := query.Parse(all)
	if err != nil {
		t.Fatal(err)
	}
	k := kindOf(t, l, "weiqi")
	find := func(q query.Q) {
		if _, err := l.Search().Find(t.Context(), &retrieve.Request{Kind: k, Query: q, Workers: 1}); err != nil {
			t.Fatal(err)
		}
	}
	// The dictionaries are looked at once for the filter, which is bound ahead:
	// that is measured with the names above.
	p, err := l.Search().Prepare(t.Context(), &ask.Question{Tree: filter, Game: "weiqi"})
	if err != nil {
		t.Fatal(err)
	}
	bound := p.Parts[slices.IndexFunc(p.Parts, func(p retrieve.Part) bool { return p.Kind == k })].Query
	out := newTable("pattern", "CPU ms", "with conditions", "more")
	var plain, filtered time.Duration
	for i := range list {
		q := &list[i]
		if q.class == "board" {
			continue // by its hash: microseconds, and as many for the conditions
		}
		a := measure(samples, func() { find(q.shape) })
		b := measure(samples, func() { find(query.And{q.shape, bound}) })
		plain, filtered = plain+a.Least, filtered+b.Least
		out.row(q.name, ms(a.Least), ms(b.Least), fmt.Sprintf("%+.1f %%", 100*(b.Least.Seconds()/a.Least.Seconds()-1)))
	}
	r.bar(t, bar{name: "conditions on top of patterns, all together", got: 100 * (filtered.Seconds()/plain.Seconds() - 1), must: 10, unit: "%"})
	r.section(t, "filters", "Conditions: `"+all+"`.\n\n"+out.String())
}

// measureThen measures sequences of boards against their parts.
func measureThen(t *testing.T, r *report) {
	l := openLibrary(t, "weiqi")
	const (
		stars     = `board:"+------/|. . . . . ./|. . . . . ./|. . . . . ./|. . . X . ."{corner}`
		invaded   = `board:"+------/|. . . . . ./|. . . . . ./|. . O . . ./|. . . X . ."{corner}`
		ponnuki   = `board:"* X */X . X/* X *"`
		crosscut  = `board:"X O/O X"`
		extension = `board:". . . . ./X . . X ./. . . . ./-----"{side}`
	)
	out := newTable("query", "games", "CPU ms", "parts", "ratio")
	worst := 0.0
	for _, q := range []struct{ name, a, b, text string }{
		{"star point, then invaded", stars, invaded, "%s then %s"},
		{"the same, in the same corner, within 60 plies", stars, invaded, "%s then here %s within 60 plies"},
		{"cross-cut, then ponnuki within 20 plies", crosscut, ponnuki, "%s then %s within 20 plies"},
		{"extension, then cross-cut", extension, crosscut, "%s then %s"},
		{"cross-cut for 50 plies, then ponnuki", crosscut, ponnuki, "%s for 50 plies then %s"},
	} {
		text := fmt.Sprintf(q.text, q.a, q.b)
		games := asked(t, l, "weiqi", text).Games
		whole := measure(samples, func() { asked(t, l, "weiqi", text) })
		a := measure(samples, func() { asked(t, l, "weiqi", q.a) })
		b := measure(samples, func() { asked(t, l, "weiqi", q.b) })
		ratio := whole.Least.Seconds() / (a.Least + b.Least).Seconds()
		worst = max(worst, ratio)
		out.row(q.name, count(games), ms(whole.Least), ms(a.Least+b.Least), number(ratio))
	}
	r.bar(t, bar{name: "sequences against their parts, worst", got: worst, must: 2, unit: "x"})
	r.section(t, "then", out.String())
}
