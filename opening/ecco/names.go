package ecco

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/board"
)

// languages is how many there are, in the order of names.txt.
const languages = 5

// term is a word in all languages.
type term [languages]string

// style is how names are composed of terms in a language: what stands between the
// sides, before the second, between further ones and before the last term of a
// side, and between terms of which either is meant.
type style struct{ against, with, comma, and, or string }

var styles = [languages]style{
	{against: "對", or: "、"},
	{against: "对", or: "、"},
	{against: " v. ", with: " with ", comma: ", ", and: " and ", or: " or "},
	{against: "対", or: "・"},
	{against: " 대 ", with: " ", comma: " ", and: " ", or: "·"},
}

// parseNames reads the names of groups and codes.
func parseNames(file, text string) (map[string]board.Names, error) {
	terms, named := map[string]term{}, map[string]board.Names{}
	for i, s := range strings.Split(text, "\n") {
		if s == "" || s[0] == '#' {
			continue
		}
		fault := func(format string, args ...any) error {
			return fmt.Errorf("ecco: %s:%d: %s", file, i+1, fmt.Sprintf(format, args...))
		}
		cells := strings.Split(s, "|")
		switch len(cells) {
		case languages:
			if _, ok := terms[cells[0]]; ok {
				return nil, fault("the term %s is there already", cells[0])
			}
			var t term
			for j, c := range cells {
				if t[j] = strings.TrimSuffix(c, "~"); t[j] == "" {
					return nil, fault("the term %s is not given in all languages", cells[0])
				}
			}
			terms[cells[0]] = t
		case 3:
			if _, ok := named[cells[0]]; ok || !isPrefix(cells[0]) {
				return nil, fault("%q is no code, or there already", cells[0])
			}
			n, err := compose(terms, cells[1], cells[2])
			if err != nil {
				return nil, fault("%v", err)
			}
			named[cells[0]] = n
		default:
			return nil, fault("want a term in %d languages, or a code and the terms of both sides, parted by bars", languages)
		}
	}
	return named, nil
}

func isPrefix(s string) bool {
	return s != "" && len(s) <= 3 && isCode((s + "000")[:3])
}

// compose makes a name of the terms of both sides; Black may have none.
func compose(terms map[string]term, red, black string) (board.Names, error) {
	var names [languages]string
	for lang, st := range styles {
		r, err := st.side(terms, lang, red)
		if err != nil {
			return board.Names{}, err
		}
		b, err := st.side(terms, lang, black)
		if err != nil {
			return board.Names{}, err
		}
		if r == "" {
			return board.Names{}, fmt.Errorf("want terms for Red")
		}
		if names[lang] = upper(r); b != "" {
			names[lang] += st.against + b
		}
	}
	return board.Names{Hant: names[0], Hans: names[1], En: names[2], Ja: names[3], Ko: names[4]}, nil
}

// side makes a name of the terms of one side.
func (st style) side(terms map[string]term, lang int, words string) (string, error) {
	var listed []string
	added := ""
	for word := range strings.FieldsSeq(words) {
		var either []string
		for w := range strings.SplitSeq(word, "/") {
			t, ok := terms[w]
			if !ok {
				return "", fmt.Errorf("%q is no term", w)
			}
			either = append(either, t[lang])
		}
		if s := strings.Join(either, st.or); strings.HasPrefix(s, ", ") {
			added += s
		} else {
			listed = append(listed, s)
		}
	}
	var b strings.Builder
	for i, s := range listed {
		switch {
		case i == 1:
			b.WriteString(st.with)
		case i > 1 && i == len(listed)-1:
			b.WriteString(st.and)
		case i > 1:
			b.WriteString(st.comma)
		}
		b.WriteString(s)
	}
	if b.Len() == 0 {
		return strings.TrimPrefix(added, ", "), nil
	}
	return b.String() + added, nil
}

// upper returns a text that begins with a capital letter.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// each returns names that f made of others.
func each(n board.Names, f func(string) string) board.Names {
	return board.Names{En: f(n.En), Hant: f(n.Hant), Hans: f(n.Hans), Ja: f(n.Ja), Ko: f(n.Ko)}
}
