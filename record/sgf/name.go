package sgf

import (
	"path"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// nameFacts adds the facts that iwzq.com puts into the names of its files,
//
//	【white○_vs_●black】【opening】【result】【event】【number】.sgf
//
// where the headers lack them, and notes where they contradict each other.
func nameFacts(g *record.Game, file string) {
	if g.Kind != kindRenju || !strings.Contains(file, "○_vs_●") {
		return
	}
	fields := bracketed(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	if len(fields) < 4 {
		return
	}
	white, black, _ := strings.Cut(fields[0], "○_vs_●")
	for _, t := range []struct{ name, also, value string }{
		{"PW", "", white},
		{"PB", "", black},
		{"ON", "", fields[1]},
		{"RE", "", fields[2]},
		{"EV", "CP", fields[3]},
	} {
		stated, ok := headerOf(g, t.name)
		if !ok && t.also != "" {
			stated, ok = headerOf(g, t.also)
		}
		switch {
		case t.value == "":
		case !ok || strings.TrimSpace(stated) == "":
			g.Tags = append(g.Tags, record.Tag{Name: t.name, Value: t.value})
		case !sameInName(stated, t.value):
			g.Fault(record.Note, record.KindHeader, 0, "%s is %s, but the file name says %s", t.name, short(stated), short(t.value))
		}
	}
}

func headerOf(g *record.Game, name string) (value string, ok bool) {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value, true
		}
	}
	return "", false
}

// sameInName compares a header with its form in a file name, where characters
// that file systems refuse are left out or replaced.
func sameInName(header, name string) bool {
	return header == name || squeeze(header) == squeeze(name)
}

func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:*?"<>|_-. ＼／﹕：＊？｜`, r) || r <= ' ' {
			return -1
		}
		return r
	}, facts.CleanName(text))
}

// bracketed returns the texts between the outer pairs of 【 and 】.
func bracketed(text string) []string {
	var fields []string
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '【':
			if depth == 0 {
				from = i + len("【")
			}
			depth++
		case '】':
			if depth--; depth == 0 {
				fields = append(fields, text[from:i])
			}
			depth = max(depth, 0)
		}
	}
	return fields
}
