package facts

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Rank is a playing strength in kyu, dan or professional dan, or a title of chess. The
// zero value is unknown.
type Rank struct {
	Grade int
	Scale byte // 'k', 'd', 'p' or 't'
}

// titles are those of FIDE, by the ratings that they ask for, rising: that of grade n is
// the nth.
var titles = []string{"WCM", "WFM", "CM", "WIM", "FM", "WGM", "IM", "GM"}

// String returns "9p", "5d", "18k", "GM", or "" for an unknown rank.
func (r Rank) String() string {
	if r == (Rank{}) {
		return ""
	}
	if r.Scale == 't' && r.Grade >= 1 && r.Grade <= len(titles) {
		return titles[r.Grade-1]
	}
	return strconv.Itoa(r.Grade) + string(rune(r.Scale))
}

// Strength orders ranks from the weakest to the strongest: 30k -29, 1k 0, 1d
// 1, 9d 9; a professional dan counts above all amateur ones: 1p 11. Titles of chess go
// from 20 to 27. It is a scale for sorting, not for odds. Unknown ranks have ok false.
func (r Rank) Strength() (strength int, ok bool) {
	switch r.Scale {
	case 'k':
		return 1 - r.Grade, true
	case 'd':
		return r.Grade, true
	case 'p':
		return 10 + r.Grade, true
	case 't':
		return 19 + r.Grade, true
	}
	return 0, false
}

// rankUnits are the words behind a grade, longer ones first.
var rankUnits = []struct {
	word  string
	scale byte
}{
	{"kyu", 'k'}, {"k", 'k'}, {"級", 'k'}, {"级", 'k'}, {"급", 'k'},
	{"dan pro", 'p'}, {"dan", 'd'}, {"d", 'd'}, {"段", 'd'}, {"단", 'd'}, {"pro", 'p'}, {"p", 'p'},
}

// proWords make a dan professional, wherever they stand.
var proWords = []string{"pro", "프로", "プロ", "职业", "職業", "专业", "專業"}

// ParseRank reads "9p", "5 dan", "初段", "九段", "P9段", "프로 9단", "18k*",
// "5d ama", "9p, Honinbo". A dan without a word for professionals is 'd', as
// servers and amateurs write it, and titles ("Meijin", "名人") are no ranks, but for
// those of FIDE by their letters ("GM", "wim"). A text with several ranks ("6p & 9p", "6p or 7p", "5-7d") is unknown, as is an
// honorary one.
func ParseRank(text string) Rank {
	if len(text) == 2 && isDigit(text[0]) && text[0] != '0' && strings.IndexByte("kdp", text[1]) >= 0 {
		return Rank{int(text[0] - '0'), text[1]}
	}
	if len(text) == 2 || len(text) == 3 {
		if i := slices.Index(titles, strings.ToUpper(text)); i >= 0 {
			return Rank{i + 1, 't'}
		}
	}
	s := fold(text)
	if strings.ContainsAny(s, "&/") || hasWord(s, "or") || strings.HasPrefix(s, "hon") && !strings.HasPrefix(s, "honi") || strings.Contains(s, "名誉") || strings.Contains(s, "名譽") {
		return Rank{}
	}
	s = strings.ReplaceAll(s, "初", "一")
	s = strings.ReplaceAll(s, "十段", "") // the title Judan
	var found Rank
	for i := 0; i < len(s); {
		grade, n := number(s[i:])
		if n == 0 {
			_, width := utf8.DecodeRuneInString(s[i:])
			i += width
			continue
		}
		r := rankAt(s, i, i+n, grade)
		i += n
		if r == (Rank{}) {
			continue
		}
		if found != (Rank{}) {
			return Rank{}
		}
		found = r
	}
	if found.Scale == 'd' {
		for _, w := range proWords {
			if strings.Contains(s, w) && !strings.Contains(s, "prov") {
				found.Scale = 'p'
			}
		}
	}
	if found.Scale == 'p' && found.Grade > 9 {
		return Rank{}
	}
	return found
}

// rankAt returns the rank whose grade stands at s[from:to], if one does.
func rankAt(s string, from, to, grade int) Rank {
	p := false
	if from > 0 {
		c := s[from-1]
		p = c == 'p' && (from == 1 || !isLetter(s[from-2]))
		if c == '-' || c == '.' || isLetter(c) && !p {
			return Rank{}
		}
	}
	rest := strings.TrimLeft(s[to:], " ")
	for _, u := range rankUnits {
		if !strings.HasPrefix(rest, u.word) {
			continue
		}
		after := rest[len(u.word):]
		if isLetter(u.word[0]) && after != "" && (isLetter(after[0]) || isDigit(after[0])) {
			continue
		}
		if p && u.scale == 'd' {
			return ranked(grade, 'p')
		}
		return ranked(grade, u.scale)
	}
	if p && rest == "" {
		return ranked(grade, 'p') // P9
	}
	return Rank{}
}

// ranked returns a rank if there is such a grade.
func ranked(grade int, scale byte) Rank {
	if grade < 1 || scale == 'k' && grade > 50 || scale != 'k' && grade > 10 {
		return Rank{}
	}
	return Rank{grade, scale}
}

// ParseRating reads a rating: "2345", "1800?", "1698*", "2345.6"; 0 where
// there is none.
func ParseRating(text string) int {
	s := strings.TrimRight(fold(text), "?*+ ")
	value, n := decimal(s)
	if n == 0 || n < len(s) || value < 1 || value >= 10000 {
		return 0
	}
	return int(value)
}
