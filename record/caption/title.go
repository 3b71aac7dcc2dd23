package caption

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/record/facts"
)

// Title is what a title says, taken apart.
type Title struct {
	Event   string
	Round   string
	Opening string
	Caption *Caption // nil for none
}

// eventWords are in the names of events.
var eventWords = []string{"賽", "赛", "杯", "盃", "錦標", "锦标", "運動會", "运动会", "大會", "大会", "邀請", "邀请", "擂臺", "擂台", "名人戰", "名人战", "爭霸", "争霸", "對抗", "对抗", "棋王", "國手", "国手", "冠軍", "冠军"}

func hasEvent(word string) bool {
	for _, w := range eventWords {
		if strings.Contains(word, w) {
			return true
		}
	}
	return false
}

// Take takes a title apart. Headers may tell who plays; their names are then looked for, whoever
// else is known. It fails where the title has words that are neither of the event nor of the
// game: then nothing of it is understood.
func (x *Lexicon) Take(title, first, second string) (t Title, ok bool) {
	if !fit(title) {
		return t, false
	}
	title = x.neat(title)
	if t.Caption = x.Between(title, first, second); t.Caption == nil {
		t.Caption = x.Find(title)
	}
	head, tail := title, ""
	if c := t.Caption; c != nil {
		head, tail = title[:c.from], title[c.to:]
	}
	words := strings.FieldsFunc(head, func(r rune) bool { return unicode.IsSpace(r) || r == '：' || r == ':' || r == ';' || r == '；' })
	at := slices.IndexFunc(words, func(w string) bool { return hasEvent(w) && !isOpening(w) })
	if at < 0 {
		return t, x.alone(&t, words) && x.rest(&t, tail)
	}
	event := strings.Join(words[:at+1], " ")
	words = words[at+1:]
	for i, w := range words {
		round, is := roundOf(w)
		numbered := i+1 < len(words) && utf8.RuneCountInString(w) <= 7 && isNumber(words[i+1]) // 智運男個 9-3
		switch {
		case strings.Contains(event, w), x.idle(w), numbered:
		case is:
			t.Round = round
		case isOpening(w):
			t.Opening = strings.TrimLeft(w, digits)
		case hasEvent(w) && strings.Contains(w, event):
			event = w
		case hasEvent(w) || isGroup(w):
			event += " " + w
		default:
			return t, false
		}
	}
	t.Event = event
	if name, round, is := cutRound(event); is {
		t.Event, t.Round = name, round
	}
	t.Event = strings.Trim(t.Event, " ，,：:；;-－_")
	t.Opening = strings.TrimRight(t.Opening, opening)
	return t, t.Event != "" && x.rest(&t, tail)
}

// alone reads what stands before a caption where no event does: numbers, chapters, dates, or
// without a caption nothing but an opening.
func (x *Lexicon) alone(t *Title, words []string) bool {
	openings := 0
	for _, w := range words {
		switch {
		case x.idle(w) || isChapter(w):
		case isOpening(w):
			openings++
			t.Opening = strings.TrimSpace(t.Opening + " " + strings.TrimLeft(w, digits))
		default:
			return false
		}
	}
	return t.Caption != nil || openings > 0
}

const digits = "0123456789"

// neat writes what is one word as one: 第 12 輪, 謝 靖, 飛 相 局.
func (x *Lexicon) neat(title string) string {
	words := strings.Fields(title)
	var out []string
	for _, w := range words {
		if n := len(out); n > 0 {
			had := out[n-1]
			last, size := utf8.DecodeLastRuneInString(had)
			single := hanLen(w) == 1 || hanLen(strings.TrimRight(w, digits)) == 1
			switch {
			case strings.HasSuffix(had, "第") && isNumber(w), isCounter(w) && strings.ContainsAny(had[len(had)-1:], digits),
				hanLen(w) == 1 && size == len(had) && unicode.Is(unicode.Han, last) && !isVerb(w) && !isVerb(had),
				single && len(had) > size && unicode.Is(unicode.Han, last) && !isVerb(w) && x.Player(had[len(had)-size:]+strings.TrimRight(w, digits)),
				hanLen(w) == 1 && isRun(had) && !isVerb(w):
				out[n-1] = had + w
				continue
			}
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// isRun reports whether a word may be the beginning of an opening that was written with blanks.
func isRun(w string) bool { return hanLen(w) == 2 && strings.ContainsAny(w, "炮馬兵相象") }

// isVerb reports whether a word is what stands between two players.
func isVerb(w string) bool {
	return slices.ContainsFunc(verbs, func(v struct {
		word    string
		verdict facts.Verdict
		ordered bool
	}) bool {
		return v.word == w
	})
}

// isNumber reports whether a word is a number, or several: 9-3.
func isNumber(w string) bool {
	return strings.ContainsAny(w, digits) && strings.Trim(w, digits+"-－.ABC") == ""
}

func isCounter(w string) bool {
	for _, c := range []string{"輪", "轮", "局", "屆", "届"} {
		if strings.HasPrefix(w, c) {
			return true
		}
	}
	return false
}

// isChapter reports whether a word is the place of the game in a book: 第五章, 第19局, 十八、.
func isChapter(w string) bool {
	if n, ok := strings.CutSuffix(w, "、"); ok || strings.Trim(w, numerals) == "" {
		return strings.Trim(n, numerals) == ""
	}
	rest, ok := strings.CutPrefix(w, "第")
	for _, end := range []string{"章", "節", "节", "局", "篇"} {
		if n, is := strings.CutSuffix(rest, end); ok && is && n != "" && strings.Trim(n, numerals) == "" {
			return true
		}
	}
	return false
}

// rest reads what stands behind a caption: marks, numbers, an opening.
func (x *Lexicon) rest(t *Title, tail string) bool {
	for _, w := range strings.Fields(tail) {
		switch w = strings.Trim(w, marks); {
		case w == "" || x.idle(w) || isChapter(w) || x.Team(w) || w == "精彩":
		case isOpening(w):
			t.Opening = w
		default:
			return false
		}
	}
	return true
}

// idle reports whether a word says nothing that has to be kept: numbers, dates and codes.
func (x *Lexicon) idle(w string) bool {
	for _, r := range w {
		if r >= 0x80 && !strings.ContainsRune("年月日時点第號号（）()－—～“”", r) {
			return false
		}
	}
	return strings.ContainsAny(w, "0123456789") || strings.Trim(w, marks) == ""
}

// isGroup reports whether a word names a part of an event.
func isGroup(w string) bool {
	return len(w) <= 15 && (strings.HasSuffix(w, "組") || strings.HasSuffix(w, "组") || strings.HasSuffix(w, "男子") || strings.HasSuffix(w, "女子"))
}

// isOpening reports whether a word is the name of an opening.
func isOpening(w string) bool {
	w = strings.Trim(w, marks+digits)
	if bare := strings.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789０１２３４５６７８９（）()-", r) {
			return -1
		}
		return r
	}, w); hanLen(bare) < 2 || strings.ContainsAny(w, "賽赛杯盃屆届年") {
		return false
	}
	for _, s := range []string{"炮", "砲", "馬", "傌", "马", "兵", "相局", "象局", "仙人指路", "過宮", "飛相", "士角", "仕角", "左象", "右象"} {
		if strings.Contains(w, s) {
			return true
		}
	}
	return false
}

const numerals = "0123456789一二三四五六七八九十"

// roundOf reads a word that is a round: 第3輪, 第十二輪, R3.
func roundOf(w string) (round string, ok bool) {
	if n, is := strings.CutPrefix(w, "R"); is && n != "" && strings.Trim(n, "0123456789") == "" {
		return n, true
	}
	if name, round, is := cutRound(w); is && name == "" {
		return round, true
	}
	return "", false
}

// cutRound cuts a round from the end of the name of an event: 全國冠軍賽B組第二輪.
func cutRound(s string) (name, round string, ok bool) {
	for _, end := range []string{"輪", "轮"} {
		rest, is := strings.CutSuffix(s, end)
		if !is {
			continue
		}
		name = strings.TrimRight(rest, numerals)
		if round = rest[len(name):]; round == "" {
			return s, "", false
		}
		name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(name, " "), "第"), " ")
		return name, round, true
	}
	return s, "", false
}
