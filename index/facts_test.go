package index_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"qipu/index"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
)

// annotated returns a record of Go on 9x9 with headers and comments.
func annotated() *record.Game {
	g := &record.Game{
		Kind: "weiqi", Variant: "9x9", Notation: "sgf", Format: "sgf", Place: record.Place{File: "pro.zip!2019/5.sgf"},
		Facts: facts.Facts{
			Players: [2]facts.Player{{Name: "聶衛平", Rank: facts.Rank{Grade: 9, Scale: 'p'}, Team: "北京"}, {Name: "Müller", Rating: 2650, Team: "Lyon"}},
			Event:   "Cup", Round: "2", Place: "東京", Ruleset: "chinese", Opening: "中炮", Code: "C21", Source: "a book", Author: "x",
			Date:   facts.ParseDate("1985-03"),
			Result: facts.Result{Verdict: facts.SecondWon, Margin: 2.75, How: facts.Count},
			Komi:   facts.Komi{Known: true}, Handicap: 2,
		},
	}
	g.Add(0, record.Unstated, "")
	a := g.Add(0, record.First, "ee")
	g.Add(a, record.Second, "cc")
	b := g.Add(a, record.Second, "dd")
	g.Nodes[0].More().Comment = "The  FIRST\ngame"
	g.Nodes[a].More().Comment = "?!"
	g.Nodes[b].More().Comment = "Instead"
	return g
}

// TestFacts checks what a document keeps of the headers and comments of a
// record.
func TestFacts(t *testing.T) {
	b := newBench(t, 1)
	doc, _ := b.make(annotated())
	first, last, _ := facts.ParseDate("1985-03").Bounds()
	strength, _ := facts.Rank{Grade: 9, Scale: 'p'}.Strength()
	want := index.Facts{
		Result: index.SecondWon, Day: int32(first), LastDay: int32(last), Ratings: [2]uint16{0, 2650}, Ranks: [2]int8{int8(strength + 100), 0},
		Plies: 2, Komi: 0, KomiKnown: true, Handicap: 2, Margin: 11,
		Texts: [query.TextColumns]string{
			"聶衛平", "Müller", "Cup", "中炮", "C21", "2", "東京", "北京", "Lyon", "chinese", "count", "a book", "x", "sgf", "pro.zip!2019/5.sgf",
		},
	}
	if doc.Facts != want {
		t.Errorf("got  %+v\nwant %+v", doc.Facts, want)
	}
	if want := "the first game\ninstead"; doc.Comment != want {
		t.Errorf("the comment is %q, want %q", doc.Comment, want)
	}
	plain, _ := b.make(&record.Game{Kind: "weiqi", Variant: "9x9", Nodes: make([]record.Node, 1)})
	if plain.Facts != (index.Facts{}) || plain.Comment != "" {
		t.Errorf("of a record that says nothing: %+v, %q", plain.Facts, plain.Comment)
	}
}

// TestOddFacts checks that numbers of no sense are bounded, or unknown.
func TestOddFacts(t *testing.T) {
	for _, c := range []struct {
		f    facts.Facts
		want index.Facts
	}{
		{facts.Facts{Komi: facts.Komi{Half: 13}}, index.Facts{}},
		{facts.Facts{Komi: facts.Komi{Half: math.MaxInt, Known: true}}, index.Facts{Komi: 1 << 20, KomiKnown: true}},
		{facts.Facts{Handicap: math.MinInt}, index.Facts{Handicap: -1 << 20}},
		{facts.Facts{Result: facts.Result{Margin: math.NaN()}}, index.Facts{}},
		{facts.Facts{Result: facts.Result{Margin: math.Inf(1)}}, index.Facts{}},
		{facts.Facts{Result: facts.Result{Margin: 1. / 6}}, index.Facts{Margin: 1}},
		{facts.Facts{Players: [2]facts.Player{{Rating: -5}, {Rating: 1 << 20}}}, index.Facts{Ratings: [2]uint16{0, 1<<16 - 1}}},
	} {
		got := index.FactsOf(&c.f)
		if got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.f, got, c.want)
		}
		list := []index.Facts{got, {}, got}
		cols := columns(t, 1, list)
		sameColumns(t, &cols, 1, list)
	}
}

// TestDetach checks that texts stay what they are and lie elsewhere.
func TestDetach(t *testing.T) {
	all := string([]byte("Ke Jie vs 朴廷桓"))
	f := index.Facts{}
	f.Texts[query.FirstPlayer], f.Texts[query.SecondPlayer] = all[:6], all[10:]
	before := f
	if f.Detach(); f != before {
		t.Errorf("it has become %+v", f)
	}
	if unsafe.StringData(f.Texts[query.FirstPlayer]) == unsafe.StringData(all) {
		t.Error("it still lies in the memory of the file")
	}
}

// A selection decides a condition for the lines of any table.
func ExampleSelection() {
	var b index.ColumnBuilder
	for i, name := range []string{"柯潔", "Shin Jinseo", "", "柯洁"} {
		f := index.Facts{Plies: 100 * i}
		f.Texts[query.FirstPlayer] = name
		b.Add(uint32(i+1), &f)
	}
	c, _ := index.NewColumns(b.AppendTo(nil), b.Len())
	// Folded, traditional and simplified characters are the same.
	folded := c.Dict(query.FirstPlayer).Folded(1)
	s := index.NewSelection(&query.Fact{Column: query.FirstPlayer, Text: &query.Texts{Parts: []string{folded}}, Why: "first:柯潔"})
	var games []string
	for i := range c.Len() {
		if s.Match(&c, i) {
			games = append(games, fmt.Sprint(c.Game(i), " ", c.Text(i, query.FirstPlayer)))
		}
	}
	fmt.Println(s, "is", strings.Join(games, ", "))
	// Output: first:柯潔 is 1 柯潔, 4 柯洁
}
