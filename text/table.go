package text

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed fold.txt
var foldText string

//go:embed pinyin.txt
var pinyinText string

// page holds what 256 characters become.
type page [256]rune

// foldTable is fold.txt as it is used: about 300 KiB, made in about a millisecond.
type foldTable struct {
	pages      [utf8.MaxRune>>8 + 1]*page // nil where all stay themselves
	expansions [][]rune
}

// loadTable makes the table when it is first needed. It is a function of the
// embedded text, and not changed after.
var loadTable = sync.OnceValue(func() *foldTable { return parseTable(foldText) })

// fold returns what a character becomes: itself, another, or one of the
// constants.
func (t *foldTable) fold(r rune) rune {
	if p := t.pages[r>>8]; p != nil {
		return p[r&0xFF]
	}
	return r
}

func (t *foldTable) set(r, to rune) {
	p := t.pages[r>>8]
	if p == nil {
		p = new(page)
		for i := range p {
			p[i] = r&^0xFF + rune(i)
		}
		t.pages[r>>8] = p
	}
	p[r&0xFF] = to
}

// parseTable reads the text that workshop/textgen writes, whose head explains it. It is
// embedded and tested: lines that are not understood are passed over.
func parseTable(text string) *foldTable {
	t := new(foldTable)
	for line := range strings.Lines(text) {
		at, targets, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || line[0] == '#' {
			continue
		}
		if at == "=" {
			first, n := utf8.DecodeRuneInString(targets)
			for _, r := range targets[n:] {
				t.set(r, first)
			}
			continue
		}
		at, times, repeated := strings.Cut(at, "*")
		start, err := strconv.ParseUint(at, 16, 21)
		if err != nil {
			continue
		}
		r := rune(start)
		if repeated {
			n, _ := strconv.Atoi(times)
			to, _ := t.target(targets)
			for range n {
				t.set(r, to)
				r++
			}
			continue
		}
		for targets != "" {
			var to rune
			if targets[0] == '.' {
				targets = targets[1:]
			} else {
				to, targets = t.target(targets)
				t.set(r, to)
			}
			r++
		}
	}
	return t
}

// target reads one target and returns what is behind it.
func (t *foldTable) target(s string) (rune, string) {
	switch s[0] {
	case '_':
		return toBlank, s[1:]
	case '~':
		return toNothing, s[1:]
	case '(':
		inner, rest, _ := strings.Cut(s[1:], ")")
		list := []rune(inner)
		for i, r := range list {
			if r == '_' {
				list[i] = toBlank
			}
		}
		t.expansions = append(t.expansions, list)
		return expanded - rune(len(t.expansions)-1), rest
	}
	r, n := utf8.DecodeRuneInString(s)
	return r, s[n:]
}

// loadPinyin makes the table of readings when it is first needed.
var loadPinyin = sync.OnceValue(func() map[rune]string {
	m := make(map[rune]string, 16<<10)
	for line := range strings.Lines(pinyinText) {
		reading, chars, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || line[0] == '#' {
			continue
		}
		for _, r := range chars {
			m[r] = reading
		}
	}
	return m
})
