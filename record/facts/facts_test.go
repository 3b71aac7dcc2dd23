package facts_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"qipu/internal/testkit"
	"qipu/record/facts"
)

// parsers read one line of a script each.
var parsers = map[string]func(line string, args []string) string{
	"dates": func(s string, _ []string) string { return facts.ParseDate(s).String() },
	"results": func(s string, args []string) string {
		return showResult(facts.ParseResult(sides[args[0]], s), sides[args[0]])
	},
	"ranks":     func(s string, _ []string) string { return facts.ParseRank(s).String() },
	"komi":      func(s string, _ []string) string { return facts.ParseKomi(s).String() },
	"rulesets":  func(s string, _ []string) string { return facts.ParseRuleset(s) },
	"handicaps": func(s string, _ []string) string { return strconv.Itoa(facts.ParseHandicap(s)) },
	"ratings":   func(s string, _ []string) string { return strconv.Itoa(facts.ParseRating(s)) },
	"fox": func(s string, _ []string) string {
		text, handicap, _ := strings.Cut(s, " ")
		n, _ := strconv.Atoi(handicap)
		return facts.ParseKomiFox(text, n).String()
	},
}

// sides are those of the games that tables are about.
var sides = map[string]facts.Sides{"weiqi": facts.BlackFirst, "renju": facts.BlackFirst, "othello": facts.BlackDiscs, "xiangqi": facts.RedFirst, "white-first": facts.WhiteFirst, "four": {First: "yellow", Second: "red"}}

func showResult(r facts.Result, kind facts.Sides) string {
	out := r.Verdict.String()
	if r.Margin != 0 {
		out += fmt.Sprintf(" by %.4g", r.Margin)
	}
	if r.How != "" {
		out += ", " + r.How
	}
	return out + "; " + r.SGF(kind) + "; " + r.PGN()
}

// TestScripts runs the golden tables: one value a line, and what it means. A
// dash stands for unknown.
func TestScripts(t *testing.T) {
	for _, name := range []string{"date", "result", "rank", "komi"} {
		testkit.Script(t, "testdata/"+name+".txt", func(t *testing.T, c testkit.Command) string {
			parse := parsers[c.Name]
			if parse == nil {
				t.Fatalf("no command %q", c.Name)
			}
			var b strings.Builder
			for _, line := range strings.Split(c.Input, "\n") {
				out := parse(line, c.Args)
				if out == "" {
					out = "-"
				}
				fmt.Fprintf(&b, "%s => %s\n", line, out)
			}
			return b.String()
		})
	}
}

func TestCleanName(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " Lee  Sedol\t": "Lee Sedol", "王　　磊": "王 磊", "　柳大華　": "柳大華", "a\u00A0b": "a b", "O'Neil-Müller 9p": "O'Neil-Müller 9p", "x\r\ny": "x y", "Ｌｅｅ": "Ｌｅｅ",
	} {
		if got := facts.CleanName(in); got != want {
			t.Errorf("CleanName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDateOrder(t *testing.T) {
	parse := facts.ParseDate
	list := []string{"196 AD", "ca. 1670", "1670-03", "1670-03-04", "1670-03-04..10", "1670-12-31", "1671", "?"}
	for i := 1; i < len(list); i++ {
		a, b := parse(list[i-1]), parse(list[i])
		if a.Compare(b) > 0 || b.Compare(a) < 0 || a.Compare(a) != 0 {
			t.Errorf("%s does not come before %s", list[i-1], list[i])
		}
	}
	for _, c := range []struct {
		text        string
		first, last int
	}{{"1000-01-01", 364877, 364877}, {"2000-02", 730150, 730178}, {"1999", 729754, 730118}} {
		first, last, ok := parse(c.text).Bounds()
		if !ok || first != c.first || last != c.last {
			t.Errorf("%s is %d to %d, want %d to %d", c.text, first, last, c.first, c.last)
		}
	}
	if _, _, ok := parse("").Bounds(); ok {
		t.Error("an unknown date has bounds")
	}
}

func TestStrength(t *testing.T) {
	last := -100
	for _, text := range []string{"30k", "2k", "1k", "1d", "9d", "10d", "1p", "9p", "WCM", "fm", "WGM", "IM", "GM"} {
		s, ok := facts.ParseRank(text).Strength()
		if !ok || s <= last {
			t.Errorf("%s has strength %d after %d", text, s, last)
		}
		last = s
	}
	if _, ok := (facts.Rank{}).Strength(); ok {
		t.Error("no rank has a strength")
	}
}

// TestAllocs guards the forms that nearly every record has.
func TestAllocs(t *testing.T) {
	n := testing.AllocsPerRun(100, func() {
		facts.ParseDate("1999-12-31")
		facts.ParseRank("9p")
		facts.ParseHandicap("2")
		facts.CleanName("Lee Sedol")
		facts.ParseRating("2451")
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkFacts(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		facts.ParseDate("1999-12-31")
		facts.ParseResult(facts.BlackFirst, "W+Resign")
		facts.ParseResult(facts.BlackFirst, "B+3.5")
		facts.ParseRank("9p")
		facts.ParseRank("9段")
		facts.ParseKomi("6.5")
		facts.ParseRuleset("Japanese")
		facts.CleanName("Lee Sedol")
	}
}

// FuzzFacts states the laws: nothing panics, and what is printed reads back
// the same.
func FuzzFacts(f *testing.F) {
	for _, s := range []string{"1999-12-31", "ca. 1670", "1934-03-04,04-01,08", "昭和60年1月5日", "12th and 13th march 94", "Fall 1886", "W+4 1/3", "黒中押し勝ち", "+10.000", "P9段", "3 3/4子", "-64.000:r", "1840s", "20050116", "0850 onwards", "100,0", "53.00", "0.0100", "0010S"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d := facts.ParseDate(s); facts.ParseDate(d.String()) != d {
			t.Errorf("date %q is %+v, printed %q, read as %+v", s, d, d, facts.ParseDate(d.String()))
		}
		facts.ParseDate(s).PGN()
		for _, kind := range sides {
			if r := facts.ParseResult(kind, s); facts.ParseResult(kind, r.SGF(kind)) != r {
				t.Errorf("%v result %q is %+v, printed %q, read as %+v", kind, s, r, r.SGF(kind), facts.ParseResult(kind, r.SGF(kind)))
			}
		}
		if r := facts.ParseRank(s); facts.ParseRank(r.String()) != r {
			t.Errorf("rank %q is %+v", s, r)
		}
		if k := facts.ParseKomi(s); facts.ParseKomi(k.String()) != k {
			t.Errorf("komi %q is %+v, printed %q", s, k, k)
		}
		if n := facts.ParseHandicap(s); n < 0 || facts.ParseHandicap(strconv.Itoa(n)) != n {
			t.Errorf("handicap %q is %d", s, n)
		}
		if c := facts.CleanName(s); facts.CleanName(c) != c {
			t.Errorf("name %q becomes %q, then %q", s, c, facts.CleanName(c))
		}
		facts.ParseRuleset(s)
		facts.ParseRating(s)
	})
}

// TestSays: what a header says beyond the facts must be carried.
func TestSays(t *testing.T) {
	f := facts.Facts{Event: "Cup", Date: facts.ParseDate("1999-03-05"), Result: facts.ParseResult(facts.BlackDiscs, "B+4"), Time: "600 + 3x30"}
	f.Players[0] = facts.Player{Name: "Anna", Rating: 1800}
	for header, want := range map[string]bool{
		"PB=Anna": true, "PB= Anna ": true, "PB=Anna (1800)": false, "PW=": true, "PW=Anna": false, "US=Anna": false, "US=": true,
		"EV=Cup": true, "EV=Cup 2": false, "DT=1999-03-05": true, "Date=1999.3.5": true, "DT=1999-03-05 10:20": false, "DT=March 5, 1999": false,
		"Year=1999": false, "RE=B+4": true, "RE=B+4.0": true, "RE=W+4": false, "RE=rain": false, "TM=600": true, "OT=3x30": true, "TM=700": false,
		"BR=1800": true, "BR=3d": false, "GM=2": true, "CA=UTF-8": true, "AP=x": false,
	} {
		name, value, _ := strings.Cut(header, "=")
		if got := f.Says(facts.BlackDiscs, name, value); got != want {
			t.Errorf("%s: %v", header, got)
		}
	}
	unknown := facts.Facts{}
	for value, want := range map[string]bool{"?": true, "*": true, "rain": false} {
		if got := unknown.Says(facts.BlackDiscs, "RE", value); got != want {
			t.Errorf("result %s: %v", value, got)
		}
	}
	f.Players[1].Name = "Bert"
	if !f.Says(facts.RedFirst, "Red", "Anna") || !f.Says(facts.RedFirst, "PB", "Bert") {
		t.Error("Red is the first player of Xiangqi")
	}
}

// TestWhite compares the short way with that of results, which know all words.
func TestWhite(t *testing.T) {
	names := []string{"", "black", "white", "red", "wolf", "sheep"}
	for _, first := range names {
		for _, second := range names {
			s := facts.Sides{First: first, Second: second}
			if first != "" && first == second {
				continue
			}
			r := facts.ParseResult(s, "W+3")
			if got := s.White(); r.Verdict != facts.Unknown && got != (r.Verdict == facts.FirstWon) {
				t.Errorf("%q before %q: %v, but a result says %v", first, second, got, r)
			}
		}
	}
}
