package caption

import (
	_ "embed"
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"qipu/text"
)

//go:embed teams.txt
var teamsText string

// teams are those that every lexicon knows, folded.
var teams = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for line := range strings.Lines(teamsText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, s := range strings.Fields(line) {
			m[text.Fold(s)] = true
		}
	}
	return m
})

// IsTeam reports whether a folded word is a province, city, association or country for which
// players of Xiangqi play.
func IsTeam(folded string) bool { return teams()[folded] }

// Surnames of two characters: a name may have four then.
var compound = map[string]bool{"歐陽": true, "司馬": true, "上官": true, "諸葛": true, "司徒": true, "東方": true, "令狐": true, "夏侯": true, "皇甫": true, "公孫": true}

// Lexicon knows which words are players and which are teams, from the headers of records. It
// is not changed once it is made.
type Lexicon struct {
	players  map[string]int // folded, to the number of records in which they stand by themselves
	teams    map[string]int // folded, to the number of players that were seen behind it
	surnames map[rune]int
}

// A word is taken for a team where so many players who are known by themselves stand behind
// it, with a blank between or without. A surname has to begin so many names.
const (
	teamParted  = 3
	teamJoined  = 4
	surnameSeen = 3
)

// Learn makes a lexicon of the names of players as headers of records have them, each with the
// number of records.
func Learn(names iter.Seq2[string, int]) *Lexicon {
	x := &Lexicon{players: map[string]int{}, teams: map[string]int{}, surnames: map[rune]int{}}
	var all []string
	for name, n := range names {
		all = append(all, name)
		if runes := hanLen(name); runes >= 2 && runes <= 3 && !IsTeam(text.Fold(name)) && personal(name) {
			x.players[text.Fold(name)] += n
		}
	}
	parted, joined := map[string]map[string]bool{}, map[string]map[string]bool{}
	see := func(m map[string]map[string]bool, team, player string) {
		if m[team] == nil {
			m[team] = map[string]bool{}
		}
		m[team][player] = true
	}
	for _, name := range all {
		if words := strings.Fields(name); len(words) == 2 {
			if p := text.Fold(words[1]); x.players[p] > 0 {
				see(parted, words[0], p)
			}
			continue
		}
		if n := hanLen(name); n >= 4 && n <= 9 {
			for i := range name {
				if i > 3 && x.players[text.Fold(name[i:])] > 0 {
					see(joined, name[:i], text.Fold(name[i:]))
				}
			}
		}
	}
	for team := range teams() {
		x.teams[team] = teamJoined
	}
	for m, least := range map[*map[string]map[string]bool]int{&parted: teamParted, &joined: teamJoined} {
		for team, list := range *m {
			key := text.Fold(team)
			if len(list) >= least && hanLen(team) >= 2 && x.players[key] < len(list) {
				x.teams[key] = max(x.teams[key], len(list))
			}
		}
	}
	for team := range x.teams {
		delete(x.players, team)
	}
	for p := range x.players {
		r, _ := utf8.DecodeRuneInString(p)
		x.surnames[r]++
	}
	return x
}

// Player reports whether a name stands by itself in headers of records.
func (x *Lexicon) Player(name string) bool { return x.players[text.Fold(name)] > 0 }

// Team reports whether a word is a team: one of those that every lexicon knows, one that known
// players stand behind, or several of them joined.
func (x *Lexicon) Team(word string) bool {
	if r, _ := utf8.DecodeRuneInString(word); !unicode.IsLetter(r) {
		return false
	}
	if x.teams[text.Fold(word)] > 0 {
		return true
	}
	for _, end := range []string{"市", "省"} {
		if w, ok := strings.CutSuffix(word, end); ok && x.teams[text.Fold(w)] > 0 {
			return true
		}
	}
	for _, end := range []string{"隊", "队"} { // 湖南隊, 湖南耒陽蔡倫隊
		w, ok := strings.CutSuffix(word, end)
		if !ok || hanLen(w) == 0 {
			continue
		}
		for i := range w {
			if i > 3 && x.teams[text.Fold(w[:i])] > 0 {
				return true
			}
		}
		return x.teams[text.Fold(w)] > 0
	}
	if a, b, ok := strings.Cut(word, "-"); ok {
		return x.Team(a) && x.Team(b)
	}
	return false
}

// likely reports whether a word looks like the name of a person: a known one, or one of two or
// three characters that begins with a surname.
func (x *Lexicon) likely(name string) bool {
	if x.Player(name) {
		return true
	}
	n := hanLen(name)
	if x.Team(name) || !personal(name) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text.Fold(name))
	switch {
	case n == 4 || n == 3:
		if len(name) >= 6 && compound[name[:6]] {
			return true
		}
		return n == 3 && x.surnames[r] >= surnameSeen
	case n == 2:
		return x.surnames[r] >= surnameSeen
	}
	return false
}

// Split parts the team from a name that a header has, as in 廣東呂欽, 廣東 呂欽 and 阮武軍（越南）.
// The name has to be one of a person whom other records know without a team, or to look like one
// behind a team that many stand behind.
func (x *Lexicon) Split(name string) (team, player string, ok bool) {
	if name = strings.TrimSpace(name); !fit(name) {
		return "", "", false
	}
	if i := strings.IndexAny(name, "（("); i > 0 {
		inner := strings.Trim(name[i:], "（()） ")
		if p := tight(name[:i]); x.likely(p) && x.Team(inner) {
			return inner, p, true
		}
		return "", "", false
	}
	words := strings.Fields(name)
	if len(words) >= 2 {
		p := tight(strings.Join(words[1:], " "))
		if x.Team(words[0]) && x.likely(p) {
			return words[0], p, true
		}
		name = strings.Join(words, "") // 廣東呂 欽
	}
	if hanLen(name) < 4 {
		return "", "", false
	}
	for i := range name {
		if i < 6 || hanLen(name[i:]) < 2 || !x.Team(name[:i]) {
			continue
		}
		p := name[i:]
		switch {
		case x.Player(p):
			return name[:i], p, true
		case x.likely(p) && team == "":
			team, player, ok = name[:i], p, true
		}
	}
	return team, player, ok
}

// tight takes the blanks out of a name that is padded with them: 李　群.
func tight(name string) string {
	if joined := strings.Join(strings.Fields(name), ""); hanLen(joined) > 0 {
		return joined
	}
	return strings.TrimSpace(name)
}

// personal reports whether a word has nothing in it that names of persons do not have.
func personal(name string) bool {
	return !strings.ContainsAny(name, "第輪轮屆届賽赛隊队局杯盃年月日組组炮砲棋")
}

// hanLen returns how many characters a text of Han characters has; 0 for another text.
func hanLen(s string) (n int) {
	for _, r := range s {
		if !unicode.Is(unicode.Han, r) {
			return 0
		}
		n++
	}
	return n
}
