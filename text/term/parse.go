package term

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/text"
)

// MaxFile is the largest dictionary that is read, in bytes.
const MaxFile = 8 << 20

// Error is something wrong in a dictionary.
type Error struct {
	File   string
	Line   int
	Reason string
}

// block is one block of a file.
type block struct {
	file     string
	line     int
	kind, id string
	fields   []field
}

type field struct {
	line        int
	word, value string
}

// Parse reads a dictionary. A block that a fault lies in is left out, all others
// are there; the dictionary is never nil.
func Parse(name string, data []byte) (*Dict, []*Error) {
	d := &Dict{ids: map[string]int32{}, names: map[string]int32{}}
	if len(data) > MaxFile {
		return d, []*Error{{name, 1, fmt.Sprintf("a file of %d bytes: at most %d are read", len(data), MaxFile)}}
	}
	list, faults := blocks(name, string(data))
	// The words of the game first: they decide under which keys terms are kept.
	for i := range list {
		if list[i].kind == "game" {
			faults = append(faults, d.readGame(&list[i])...)
		}
	}
	for i := range list {
		b := &list[i]
		if b.kind != "term" {
			continue
		}
		t, err := readTerm(b)
		if err == nil {
			err = d.add(t)
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	// Forms with classes come last, so that a term of its own for one of their
	// texts goes before them.
	for i := range d.terms {
		d.enter(int32(i), false)
	}
	return d, faults
}

// blocks cuts a file into its blocks.
func blocks(name, data string) (list []block, faults []*Error) {
	data = strings.TrimPrefix(data, "\ufeff")
	var b *block
	n := 0
	for line := range strings.Lines(data) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "//"):
		case line == "":
			b = nil
		case b == nil:
			kind, id, _ := strings.Cut(line, " ")
			id = strings.TrimSpace(id)
			list = append(list, block{file: name, line: n, kind: kind, id: id})
			b = &list[len(list)-1]
			switch {
			case kind != "term" && kind != "game":
				faults = append(faults, &Error{name, n, fmt.Sprintf("a block begins with \"term ID\" or \"game NAME\", not with %q", kind)})
			case id == "" || strings.ContainsAny(id, " \t"):
				faults = append(faults, &Error{name, n, "a " + kind + " needs an id, which is one word"})
				b.kind = ""
			}
		default:
			word, value, _ := strings.Cut(line, " ")
			b.fields = append(b.fields, field{n, word, strings.TrimSpace(value)})
		}
	}
	return list, faults
}

// parts cuts a value at its bars.
func parts(value string) []string {
	list := strings.Split(value, "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

func (d *Dict) readGame(b *block) (faults []*Error) {
	if d.game != "" {
		return []*Error{{b.file, b.line, "a second game: a dictionary is of one"}}
	}
	d.game = b.id
	w := &d.words
	// Classes first: the other lines are folded by them.
	for _, f := range b.fields {
		if f.word == "same" {
			for _, group := range parts(f.value) {
				w.setSame(group)
			}
		}
	}
	set := func(to *map[rune]bool, value string) {
		if *to == nil {
			*to = map[rune]bool{}
		}
		for _, r := range w.key(value) {
			(*to)[r] = true
		}
	}
	add := func(to *[]string, value string) {
		for _, word := range parts(value) {
			if word = w.key(word); word != "" {
				*to = append(*to, word)
			}
		}
	}
	lists := map[string]*[]string{"link": &w.link, "against": &w.against, "first": &w.first, "second": &w.second}
	sets := map[string]*map[rune]bool{"piece": &w.piece, "verb": &w.verb, "mark": &w.mark}
	for _, f := range b.fields {
		switch list, chars := lists[f.word], sets[f.word]; {
		case list != nil:
			add(list, f.value)
		case chars != nil:
			set(chars, f.value)
		case f.word != "same":
			faults = append(faults, &Error{b.file, f.line, fmt.Sprintf("a game has no field %q", f.word)})
		}
	}
	w.enter(&d.trie)
	return faults
}

var termFields = []string{"kind", "name", "alias", "form", "pattern", "note"}

func readTerm(b *block) (*Term, *Error) {
	t := &Term{ID: b.id, File: b.file, Line: b.line}
	fault := func(line int, format string, args ...any) *Error {
		return &Error{b.file, line, fmt.Sprintf(format, args...)}
	}
	for _, f := range b.fields {
		if f.value == "" {
			return nil, fault(f.line, "the field %s is empty", f.word)
		}
		switch f.word {
		case "kind":
			if t.Kind = Kind(f.value); !slices.Contains(kinds, t.Kind) {
				return nil, fault(f.line, "there is no kind %q: one of %v", f.value, kinds)
			}
		case "name":
			if err := t.setNames(f.value); err != "" {
				return nil, fault(f.line, "%s", err)
			}
		case "alias":
			t.Aliases = append(t.Aliases, parts(f.value)...)
		case "form":
			for _, form := range parts(f.value) {
				if _, err := expand(form); err != nil {
					return nil, fault(f.line, "%v", err)
				}
				t.forms = append(t.forms, form)
			}
		case "pattern":
			t.Patterns = append(t.Patterns, parts(f.value)...)
		case "note":
			t.Note = f.value
		default:
			hint := text.Suggest(f.word, slices.Values(termFields))
			return nil, fault(f.line, "%s", strings.TrimSpace(fmt.Sprintf("a term has no field %q %s", f.word, hint)))
		}
	}
	switch {
	case t.Kind == "":
		return nil, fault(b.line, "the term %s has no kind", t.ID)
	case t.Names.En == "" || t.Names.Hant == "":
		return nil, fault(b.line, "the term %s needs a name in English and one in Chinese", t.ID)
	}
	return t, nil
}

// setNames reads the names of a term and returns what is wrong with them.
func (t *Term) setNames(value string) string {
	list := parts(value)
	if len(list) > 5 {
		return fmt.Sprintf("%d names: there are five languages", len(list))
	}
	var names [5]string
	for i, name := range list {
		plain, coined := strings.CutSuffix(name, "~")
		if names[i] = plain; coined {
			t.Coined = append(t.Coined, []string{"en", "zh-Hant", "zh-Hans", "ja", "ko"}[i])
		}
	}
	t.Names = board.Names{En: names[0], Hant: names[1], Hans: names[2], Ja: names[3], Ko: names[4]}
	if _, err := expand(t.Names.Hant); err != nil {
		return err.Error()
	}
	return ""
}

// add takes a term in, unless another has its id or one of its names.
func (d *Dict) add(t *Term) *Error {
	if other := d.ID(t.ID); other != nil {
		return &Error{t.File, t.Line, fmt.Sprintf("the id %s is taken by line %d", t.ID, other.Line)}
	}
	for name, coined := range t.every() {
		if i, ok := d.names[d.words.key(name)]; ok && !coined {
			return &Error{t.File, t.Line, fmt.Sprintf("%s is a name of %s too", name, d.terms[i].ID)}
		}
	}
	at := int32(len(d.terms))
	d.terms = append(d.terms, *t)
	d.ids[t.ID] = at
	for name := range t.every() {
		if _, taken := d.names[d.words.key(name)]; !taken {
			d.names[d.words.key(name)] = at
		}
	}
	d.enter(at, true)
	return nil
}

// enter makes the written forms of a term known: those without classes, or the
// others. A text that another term has already stays with it.
func (d *Dict) enter(at int32, exact bool) {
	d.terms[at].written(func(form string, is bool) bool {
		if is == exact {
			key := d.words.key(form)
			if _, taken := d.names[key]; !taken {
				d.names[key] = at
			}
			d.trie.add(key, at)
		}
		return true
	})
}
