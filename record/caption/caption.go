package caption

import (
	"strings"
	"unicode/utf8"

	"qipu/record/facts"
)

// Side is who is named in a caption, and for whom they play.
type Side struct{ Name, Team string }

// Caption is the part of a title that tells a game.
type Caption struct {
	Sides   [2]Side       // in the order in which they are named
	Verdict facts.Verdict // as if who is named first moved first; Unknown where it tells none
	Ordered bool          // it says that who is named first moved first: 先勝
	from    int           // where it stands in the title
	to      int
}

// verbs are what stands between two players, longer ones first.
var verbs = []struct {
	word    string
	verdict facts.Verdict
	ordered bool
}{
	{"紅先勝", facts.FirstWon, true}, {"红先胜", facts.FirstWon, true}, {"紅先負", facts.SecondWon, true}, {"红先负", facts.SecondWon, true},
	{"紅先和", facts.Drawn, true}, {"红先和", facts.Drawn, true}, {"先勝", facts.FirstWon, true}, {"先胜", facts.FirstWon, true},
	{"先負", facts.SecondWon, true}, {"先负", facts.SecondWon, true}, {"先和", facts.Drawn, true}, {"紅勝", facts.FirstWon, true},
	{"紅負", facts.SecondWon, true}, {"紅和", facts.Drawn, true}, {"勝", facts.FirstWon, false}, {"胜", facts.FirstWon, false},
	{"負", facts.SecondWon, false}, {"负", facts.SecondWon, false}, {"和", facts.Drawn, false}, {"先對", facts.Unknown, true}, {"先对", facts.Unknown, true},
	{"對", facts.Unknown, false}, {"对", facts.Unknown, false}, {"VS", facts.Unknown, false}, {"vs", facts.Unknown, false}, {"-", facts.Unknown, false},
}

const (
	opening = " \u3000（(【["
	closing = " \u3000）)】]"
	around  = opening + "）)】]"
	marks   = " \u3000，,。.：:；;、-－—_（）()【】[]“”\"'《》!！?？"
)

// fit reports whether a text may be a title: what is longer, or no UTF-8, is none.
func fit(title string) bool { return len(title) <= 600 && utf8.ValidString(title) }

// longest is how many characters the name of a team may have.
const longest = 15

// Find returns the one caption in a title; nil where there is none, or where there may be
// several.
func (x *Lexicon) Find(title string) *Caption {
	if !fit(title) {
		return nil
	}
	var found *Caption
	for at := 0; at < len(title); {
		c, next := x.at(title, at)
		at = next
		switch {
		case c == nil:
		case found != nil && found.Sides != c.Sides:
			return nil
		default:
			found = c
		}
	}
	return found
}

// at looks for a caption around the first verb from a place on, and returns where to go on.
func (x *Lexicon) at(title string, from int) (*Caption, int) {
	for i := from; i < len(title); {
		for _, v := range verbs {
			if !strings.HasPrefix(title[i:], v.word) {
				continue
			}
			left, right := strings.TrimRight(title[:i], opening), i+len(v.word)
			if strings.HasPrefix(v.word, "紅") || strings.HasPrefix(v.word, "红") {
				if _, _, known := x.last(title[:i+len("紅")]); known { // 徐天紅和呂欽
					continue
				}
			}
			if c := x.around(title, left, title[right:]); c != nil {
				for side := range c.Sides {
					c.Sides[side].Team = strings.Trim(c.Sides[side].Team, opening)
				}
				c.Verdict, c.Ordered = v.verdict, v.ordered
				return c, c.to
			}
			break
		}
		_, n := utf8.DecodeRuneInString(title[i:])
		i += n
	}
	return nil, len(title)
}

// around reads who is named before a verb and who behind it. One of the two has to be known.
func (x *Lexicon) around(title, left, right string) *Caption {
	skipped := len(right) - len(strings.TrimLeft(right, closing))
	a, start, sure := x.last(left)
	if a == nil || x.Player(lastWord(title[:start])) {
		return nil // two who play together
	}
	right = right[skipped:]
	b, end, known := x.first(right)
	if b == nil {
		return nil
	}
	if next := firstWord(right[end:]); x.Player(next) {
		if known || x.Player(firstWord(right)) {
			return nil
		}
		at := end + strings.Index(right[end:], next) // 廣東王老吉 呂欽
		b, end, known = &Side{Name: next, Team: strings.TrimSpace(right[:at])}, at+len(next), true
	}
	if !sure && !known || a.Name == b.Name {
		return nil
	}
	return &Caption{Sides: [2]Side{*a, *b}, from: start, to: len(title) - len(right) + end}
}

// firstWord and lastWord return what blanks part from the rest of a text, if it begins or ends
// with one.
func firstWord(s string) string {
	if t := strings.TrimLeft(s, " "); len(t) < len(s) {
		word, _, _ := strings.Cut(t, " ")
		return strings.Trim(word, marks)
	}
	return ""
}

func lastWord(s string) string {
	t := strings.TrimRight(s, " ")
	return strings.Trim(t[strings.LastIndex(t, " ")+1:], marks)
}

// Between returns the caption of two players whose names are known from elsewhere, in the order
// in which the title names them; nil where it does not name both, with a verb between them and at
// most a team.
func (x *Lexicon) Between(title, first, second string) *Caption {
	if first == "" || second == "" || first == second {
		return nil
	}
	for _, pair := range [][2]string{{first, second}, {second, first}} {
		i := strings.Index(title, pair[0])
		if i < 0 {
			continue
		}
		behind := i + len(pair[0])
		j := strings.Index(title[behind:], pair[1])
		if j < 0 || j > 60 {
			continue
		}
		between := strings.TrimLeft(title[behind:behind+j], around)
		for _, v := range verbs {
			team, ok := strings.CutPrefix(between, v.word)
			if !ok {
				continue
			}
			if team = strings.Trim(team, around); hasEvent(team) || strings.ContainsAny(team, ",，;；") {
				return nil
			}
			c := &Caption{Verdict: v.verdict, Ordered: v.ordered, from: i, to: behind + j + len(pair[1])}
			c.Sides[0].Name, c.Sides[1] = pair[0], Side{Name: pair[1], Team: team}
			c.Sides[0].Team, c.from = x.wordBefore(title[:i])
			return c
		}
	}
	return nil
}

// wordBefore returns the word in front of a player, which may be an unknown team, and where it
// begins.
func (x *Lexicon) wordBefore(s string) (team string, begin int) {
	if team, begin, ok := x.teamBefore(s); ok && team != "" {
		return team, begin
	}
	t := strings.TrimRight(s, opening)
	at := strings.LastIndexAny(t, marks) + 1
	for at > 0 && at < len(t) && !utf8.RuneStart(t[at]) {
		at++
	}
	if word := t[at:]; at > 0 && hanLen(word) > 0 && !hasEvent(word) && !isOpening(word) {
		return word, at
	}
	return "", len(s)
}

// last reads a player at the end of a text, and returns where their team or name begins, and
// whether other records know them.
func (x *Lexicon) last(s string) (side *Side, start int, known bool) {
	var sure, likely *Side
	at := map[*Side]int{}
	runes := 0
	for i := len(s); i > 0 && runes < 4; {
		_, n := utf8.DecodeLastRuneInString(s[:i])
		i -= n
		if runes++; runes < 2 || hanLen(s[i:]) == 0 || !x.likely(s[i:]) {
			continue
		}
		team, begin, ok := x.teamBefore(s[:i])
		if !ok {
			continue
		}
		p := &Side{Name: s[i:], Team: team}
		at[p] = begin
		if x.Player(p.Name) {
			sure = p
		} else {
			likely = p
		}
	}
	if sure != nil {
		return sure, at[sure], true
	}
	return likely, at[likely], false
}

// teamBefore returns the team at the end of what stands before a name, which is "" where the
// name stands for itself. Anything else than a mark or a team there means that it is no name.
func (x *Lexicon) teamBefore(s string) (team string, begin int, ok bool) {
	t := strings.TrimRight(s, " \u3000")
	runes := 0
	for i := len(t); i > 0 && runes < longest; {
		_, n := utf8.DecodeLastRuneInString(t[:i])
		i -= n
		if runes++; runes > 1 && x.Team(t[i:]) && x.edge(t[:i], false) {
			team, begin = t[i:], i
		}
	}
	if team != "" {
		return team, begin, true
	}
	return "", len(s), x.edge(s, false)
}

// edge reports whether a text ends (or, after a name, begins) where a word may end: with
// nothing, a mark or a digit.
func (x *Lexicon) edge(s string, behind bool) bool {
	if s == "" {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	if behind {
		r, _ = utf8.DecodeRuneInString(s)
	}
	return r < utf8.RuneSelf && !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') || strings.ContainsRune(marks, r)
}

// first reads a player at the beginning of a text, and returns where their name ends, and
// whether other records know them.
func (x *Lexicon) first(s string) (side *Side, end int, known bool) {
	var sure, likely *Side
	ends := map[*Side]int{}
	try := func(team string, from int) {
		rest := s[from:]
		skip := len(rest) - len(strings.TrimLeft(rest, " \u3000"))
		if team == "" && skip > 0 {
			return
		}
		runes := 0
		for i, r := range rest[skip:] {
			to := skip + i + utf8.RuneLen(r)
			if runes++; runes > 4 {
				return
			}
			name := rest[skip:to]
			if runes < 2 || hanLen(name) == 0 || !x.likely(name) || !x.edge(rest[to:], true) {
				continue
			}
			p := &Side{Name: name, Team: team}
			ends[p] = from + to
			if x.Player(name) {
				sure = p
			} else {
				likely = p
			}
		}
	}
	try("", 0)
	runes := 0
	for i, r := range s {
		if runes++; runes > longest {
			break
		}
		if to := i + utf8.RuneLen(r); runes > 1 && x.Team(s[:to]) {
			try(s[:to], to)
		}
	}
	if sure != nil {
		return sure, ends[sure], true
	}
	return likely, ends[likely], false
}
