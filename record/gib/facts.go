package gib

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// facts normalises the headers.
func (r *reader) facts() {
	g := r.game
	f := &g.Facts
	codes := r.codes()
	for i, side := range []string{"BLACK", "WHITE"} {
		p := &f.Players[i]
		p.Name, p.Rank = player(r.header["GAME"+side+"NAME"])
		if p.Name == "" {
			p.Name = facts.CleanName(r.header["GAME"+side+"NICK"])
		}
		if p.Rank == (facts.Rank{}) {
			p.Rank = levelRank(codes[[]string{"BLV", "WLV"}[i]])
		}
	}
	f.Event = facts.CleanName(r.header["GAMENAME"])
	f.Place = facts.CleanName(r.header["GAMEPLACE"])
	f.Author = facts.CleanName(r.header["GAMELECNAME"])
	f.Time = facts.CleanName(r.header["GAMETIME"])
	f.Date = date(r.header["GAMEDATE"])
	if n, err := strconv.Atoi(first(codes, "GONGJE", "G")); err == nil && n%5 == 0 {
		extra := first(codes, "DUM", "D")
		if n > 0 && n <= 200 || n == 0 && f.Handicap >= 2 && (extra == "" || extra == "0") {
			f.Komi = facts.Komi{Half: n / 5, Known: true}
		}
	}
	r.result(codes)
}

// codes returns the fields of the headers that hold codes, such as GRLT:3; the
// one letter fields of GAMETAG too.
func (r *reader) codes() map[string]string {
	codes := map[string]string{}
	for _, name := range []string{"GAMEINFOMAIN", "GAMEINFOSUB", "WUSERINFO", "BUSERINFO"} {
		for field := range strings.SplitSeq(r.header[name], ",") {
			if key, value, ok := strings.Cut(field, ":"); ok {
				codes[strings.TrimSpace(key)] = strings.TrimSpace(value)
			}
		}
	}
	for field := range strings.SplitSeq(r.header["GAMETAG"], ",") {
		if field = strings.TrimSpace(field); len(field) > 1 {
			codes[field[:1]] = strings.TrimPrefix(field[1:], ":")
		}
	}
	return codes
}

func first(codes map[string]string, names ...string) string {
	for _, name := range names {
		if v, ok := codes[name]; ok {
			return v
		}
	}
	return ""
}

// player splits "name (9D)" into name and rank.
func player(text string) (string, facts.Rank) {
	text = facts.CleanName(text)
	if i := strings.LastIndex(text, "("); i > 0 && strings.HasSuffix(text, ")") {
		if rank := facts.ParseRank(text[i+1 : len(text)-1]); rank != (facts.Rank{}) {
			return strings.TrimSpace(text[:i]), rank
		}
	}
	return text, facts.Rank{}
}

// levelRank reads a level: 0 is 18 kyu, 17 is 1 kyu, 18 is 1 dan, 26 is 9 dan.
func levelRank(text string) facts.Rank {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < 0 || n > 26:
		return facts.Rank{}
	case n < 18:
		return facts.Rank{Grade: 18 - n, Scale: 'k'}
	}
	return facts.Rank{Grade: n - 17, Scale: 'd'}
}

// date reads "2015- 8-29-22-56-58".
func date(text string) facts.Date {
	parts := strings.Split(text, "-")
	if len(parts) >= 3 {
		var n [3]int
		ok := true
		for i := range n {
			var err error
			n[i], err = strconv.Atoi(strings.TrimSpace(parts[i]))
			ok = ok && err == nil
		}
		if ok {
			return facts.ParseDate(fmt.Sprintf("%04d-%02d-%02d", n[0], n[1], n[2]))
		}
	}
	return facts.ParseDate(text)
}

// results are the codes of the result.
var results = map[string]facts.Result{
	"0": {Verdict: facts.FirstWon, How: facts.Count},
	"1": {Verdict: facts.SecondWon, How: facts.Count},
	"3": {Verdict: facts.FirstWon, How: facts.Resign},
	"4": {Verdict: facts.SecondWon, How: facts.Resign},
	"7": {Verdict: facts.FirstWon, How: facts.Time},
	"8": {Verdict: facts.SecondWon, How: facts.Time},
}

// result reads the code of the result, else its words.
func (r *reader) result(codes map[string]string) {
	f := &r.game.Facts
	words := facts.ParseResult(facts.BlackFirst, r.header["GAMERESULT"])
	code, ok := results[first(codes, "GRLT", "W")]
	if !ok {
		f.Result = words
		return
	}
	if code.How == facts.Count {
		n, err := strconv.Atoi(first(codes, "ZIPSU", "Z"))
		switch {
		case err == nil && n > 0:
			code.Margin = float64(n) / 10
		case words.Verdict == facts.Unknown:
			// No points and no words: the code 0 may mean no more than that there
			// is no result.
			return
		default:
			code = words
		}
	}
	f.Result = code
	if words.Verdict != facts.Unknown && words.Verdict != code.Verdict {
		r.game.Fault(record.Note, record.KindHeader, 0, "GAMERESULT is %q, but the code says %s", r.header["GAMERESULT"], code)
	}
}
