package term

import (
	"embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"

	"qipu/board"
	"qipu/text"
)

//go:embed *.terms
var files embed.FS

// Kind is what a term is about.
type Kind string

// The kinds of terms.
const (
	Opening Kind = "opening" // a system that names a game
	Move    Kind = "move"    // a piece that goes or stands somewhere in an opening
	Tactic  Kind = "tactic"  // a mate, a shape, a stratagem
	Place   Kind = "place"   // a part of the board
	Pieces  Kind = "piece"   // pieces
	Stage   Kind = "stage"   // a part of a game
)

var kinds = []Kind{Opening, Move, Tactic, Place, Pieces, Stage}

// Term is a word of a game.
type Term struct {
	ID      string
	Kind    Kind
	Names   board.Names
	Coined  []string // tags of the languages whose name is a transliteration of ours
	Aliases []string // other names
	Note    string

	// Patterns are the ids of the patterns that it names. Mostly it is one; a name
	// that is used for a mate and for its set-up has two.
	Patterns []string

	File string
	Line int

	forms []string // as written in the file
}

// Dict is the terms of one game. It is immutable and safe for concurrent use;
// the Terms that it returns belong to it and must not be changed.
type Dict struct {
	game  string
	terms []Term
	words words
	ids   map[string]int32
	names map[string]int32 // folded name -> term
	trie  trie
}

// shipped reads a file of this package when it is first asked for.
var shipped = sync.OnceValue(func() map[string]*Dict {
	all := map[string]*Dict{}
	entries, _ := files.ReadDir(".")
	for _, e := range entries {
		data, _ := files.ReadFile(e.Name())
		// What cannot be read is a mistake in this package, which its tests
		// find; users are not to suffer from it.
		d, _ := Parse(e.Name(), data)
		all[d.game] = d
	}
	return all
})

// Of returns the dictionary of a game, one without terms where the program
// brings none. All are read at the first call, which takes some milliseconds.
func Of(game string) *Dict {
	if d := shipped()[game]; d != nil {
		return d
	}
	return &Dict{game: game}
}

// All yields the terms in the order of the file.
func (d *Dict) All() iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		for i := range d.terms {
			if !yield(&d.terms[i]) {
				return
			}
		}
	}
}

// ID returns the term with an id, nil where there is none.
func (d *Dict) ID(id string) *Term {
	if i, ok := d.ids[id]; ok {
		return &d.terms[i]
	}
	return nil
}

// Find returns the term that has a name, an alias, a form or an id, in any
// language and spelling that folds to it; nil where there is none. A word like
// 對 before the name does not matter.
func (d *Dict) Find(name string) *Term {
	if t := d.ID(name); t != nil {
		return t
	}
	key := d.words.key(name)
	if i, ok := d.names[key]; ok {
		return &d.terms[i]
	}
	for _, word := range d.words.against {
		if rest, ok := strings.CutPrefix(key, word); ok {
			if i, ok := d.names[rest]; ok {
				return &d.terms[i]
			}
		}
	}
	return nil
}

// Nearest returns at most n names of terms that a misspelled one may mean, the
// likeliest first.
func (d *Dict) Nearest(name string, n int) []string {
	return text.Nearest(name, func(yield func(string) bool) {
		for i := range d.terms {
			t := &d.terms[i]
			for name := range t.every() {
				if !yield(name) {
					return
				}
			}
		}
	}, n)
}

// every yields the names of a term in all languages and its aliases, and whether
// they are coined.
func (t *Term) every() iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		for i, name := range []string{t.Names.Hant, t.Names.Hans, t.Names.En, t.Names.Ja, t.Names.Ko} {
			tag := [...]string{"zh-Hant", "zh-Hans", "en", "ja", "ko"}[i]
			if name != "" && !strings.Contains(name, "#") && !yield(name, slices.Contains(t.Coined, tag)) {
				return
			}
		}
		for _, name := range t.Aliases {
			if !yield(name, false) {
				return
			}
		}
	}
}

// written yields what a term looks like in a text: names of Han characters,
// aliases, and forms with their classes written out.
func (t *Term) written(yield func(form string, exact bool) bool) {
	one := func(form string) bool {
		list, err := expand(form)
		if err != nil {
			return true // told when the file was read
		}
		for _, s := range list {
			if !yield(s, len(list) == 1) {
				return false
			}
		}
		return true
	}
	for _, form := range append([]string{t.Names.Hant, t.Names.Hans}, t.Aliases...) {
		if hasHan(form) && !one(form) {
			return
		}
	}
	for _, form := range t.forms {
		if !one(form) {
			return
		}
	}
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// MaxForms is the most texts that Forms returns.
const MaxForms = 128

// Forms returns the texts that a search for a term looks for: a text in which
// the term is written, as far as the dictionary knows, contains one of them
// once both are folded by text.Fold. They are folded so, and none contains
// another. A longer word may contain one of them too, and mean something else.
func (d *Dict) Forms(t *Term) []string {
	seen := map[string]bool{}
	var list []string
	add := func(s string) {
		if s = text.Fold(s); s != "" && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	for name := range t.every() {
		add(name)
	}
	t.written(func(form string, _ bool) bool {
		for _, s := range d.words.variants(text.Fold(form)) {
			add(s)
		}
		return true
	})
	// The shortest first, so that what contains another is met behind it.
	slices.SortStableFunc(list, func(a, b string) int { return len(a) - len(b) })
	var kept []string
	for _, s := range list {
		if len(kept) < MaxForms && !slices.ContainsFunc(kept, func(k string) bool { return contains(s, k) }) {
			kept = append(kept, s)
		}
	}
	return kept
}

// contains reports whether who looks for a part need not look for the whole of
// it. Words in letters are looked for as a whole.
func contains(s, part string) bool {
	if hasHan(part) {
		return strings.Contains(s, part)
	}
	return s == part
}
