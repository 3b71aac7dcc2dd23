package cleanup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/record/charset"
	"qipu/store"
	"qipu/text"
)

// misread are pairs of encodings: text of the second that was read as the first.
var misread = [][2]string{{"windows-1252", "utf-8"}, {"big5", "gb18030"}, {"gb18030", "big5"}, {"windows-1252", "gb18030"}, {"windows-1252", "big5"}, {"windows-1252", "shift_jis"}, {"windows-1252", "euc-kr"}}

// garbled proposes what a text says in its own encoding, where that is sure, and nothing where
// none of it can be read.
func (f *finder) garbled(g *store.Game) {
	for _, field := range []string{"first", "second", "event", "round", "place", "first-team", "second-team", "opening"} {
		value := g.Facts.Get(field)
		if value == "" || isASCII(value) {
			continue
		}
		if !readable(value) {
			f.add(g.ID, Garbled, ByNothing, field+"\x00"+value, value, "", set(field, ""))
			continue
		}
		if now, ok := f.reread(field, value); ok {
			f.add(g.ID, Garbled, ByEncoding, field+"\x00"+value, value, now, set(field, now))
		}
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// readable reports whether a text has a letter or a digit that is one.
func readable(s string) bool {
	if !strings.ContainsRune(s, utf8.RuneError) {
		return true
	}
	return strings.ContainsFunc(s, func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) })
}

// reread returns what a text is in the encoding that it was not read in. UTF-8 that was read as
// Latin letters shows itself; of other encodings the result has to be a text that the library
// has elsewhere, or a round.
func (f *finder) reread(field, value string) (string, bool) {
	if strings.ContainsRune(value, utf8.RuneError) {
		return "", false
	}
	for _, pair := range misread {
		data, err := charset.Encode(value, pair[0])
		if err != nil {
			continue
		}
		t, err := charset.Decode(data, "", pair[1])
		if err != nil || t.Broken > 0 {
			continue
		}
		now := strings.TrimSpace(string(t.UTF8))
		if now == value || now == "" || strings.ContainsFunc(now, unicode.IsControl) {
			continue
		}
		switch {
		case pair[1] == "utf-8" && utf8.RuneCountInString(now) < utf8.RuneCountInString(value):
			return now, true
		case (field == "first" || field == "second") && f.lexicon.Player(now),
			field == "event" && f.events[text.Fold(now)],
			field == "round" && isRound(now):
			return now, true
		}
	}
	return "", false
}

// isRound reports whether a text is a round in Chinese: 第01轮.
func isRound(s string) bool {
	rest, first := strings.CutPrefix(s, "第")
	for _, end := range []string{"轮", "輪", "局", "场", "場"} {
		if n, last := strings.CutSuffix(rest, end); first && last && n != "" && strings.Trim(n, "0123456789一二三四五六七八九十") == "" {
			return true
		}
	}
	return false
}
