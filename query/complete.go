package query

import (
	"slices"
	"strings"
)

// Completer knows the names in a library.
type Completer interface {
	// Names returns up to limit values of a field that begin with a prefix, or
	// have a word that does: collections, tags, players, events.
	Names(field, prefix string, limit int) []string
}

// Suggestion is a way to go on with a query: Text in place of the bytes from
// From to To.
type Suggestion struct {
	Text  string `json:"text"`
	Label string `json:"label"` // what it is called, to be shown
	Help  string `json:"help"`  // one line
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// maxSuggestions bounds a list.
const maxSuggestions = 50

// keywords are the words of the language with what they mean.
var keywords = []struct{ word, text, help string }{
	{"and", "and ", "both conditions"},
	{"or", "or ", "one of the conditions"},
	{"not", "not ", "games without what follows"},
	{"when", "when(", "conditions at one moment"},
	{"then", "then ", "a moment behind another one"},
	{"then here", "then here ", "a board behind another one in the same place"},
	{"within", "within ", "behind then: at most so many plies later"},
	{"for", "for ", "it lasts for so many plies"},
	{"first", "first(", "the first position at which it holds"},
	{"last", "last(", "the last position at which it holds"},
	{"count", "count(", "how many pieces stand somewhere"},
	{"has", "has(", "a piece stands somewhere"},
	{"no", "no(", "no such piece stands there"},
	{"since", "since ", "played in this year or later"},
	{"until", "until ", "played in this year or earlier"},
	{"before", "before ", "played before this year"},
	{"after", "after ", "played after this year"},
	{"all", "all", "every game"},
	{"none", "none", "no game"},
}

// optionHelp is what the options of boards mean.
var optionHelp = map[string]string{
	"corner": "in a corner", "side": "along one side", "centre": "off all sides", "floating": "anywhere", "fixed": "where it is drawn",
	"at": "the point of the top left cell", "region": "only the points between two corners",
	"mirror": "turned and mirrored too", "no-mirror": "only as it is drawn", "swap": "with the sides exchanged too", "no-swap": "only in the colours that are drawn",
	"turn": "the side to move", "plies": "only when so many moves have been played", "next": "moves that followed",
	"min": "the least likeness, up to 1", "moved": "what a piece counts that stands a step away, up to 1", "line": "weight of two pieces on one line",
	"empty": "weight of an empty point", "relation": "the share of attacks and protections, up to 1",
}

// Complete returns ways to go on at a place in a query, which may be unfinished.
// The Completer may be nil.
func Complete(text string, cursor int, c Completer) []Suggestion {
	cursor = max(0, min(cursor, len(text), MaxText))
	s := situate(text[:cursor])
	a := adder{from: s.from, to: cursor}
	switch {
	case s.board != "" && s.field != "":
		if s.field == "turn" {
			a.words(SideWords, s.prefix, "")
		}
	case s.board != "":
		for _, name := range OptionNames(s.board) {
			end := " "
			if _, value := optionExamples[name]; value {
				end = ":"
			}
			if strings.HasPrefix(name, strings.ToLower(s.prefix)) {
				a.add(name+end, name, optionHelp[name])
			}
		}
	case s.field != "":
		a.values(s, c)
	case !s.quoted:
		a.terms(s.prefix)
	}
	return a.list
}

// situation is what the end of an unfinished query asks for.
type situation struct {
	board  string // the board in whose options it stands
	field  string // the field or option whose value it is
	prefix string // what of it is there
	quoted bool   // in a quote that is open
	from   int    // where that begins
}

// situate reads an unfinished query to its end. What is wrong with it does not
// matter here.
func situate(text string) situation {
	l := lexer{text: text}
	s := situation{from: len(text)}
	m := termMode
	var word token // the last word, where it may be a field
	board := ""    // whose options may follow
	for {
		t, err := l.next(m)
		if err != nil {
			return s
		}
		// What ends at the end of the text may go on.
		open := t.to == len(text)
		switch t.kind {
		case endToken:
			return s
		case openString:
			s.prefix, s.quoted, s.from = t.text, true, t.from
			return s
		case wordToken:
			if open {
				s.prefix, s.from = t.text, t.from
				return s
			}
		}
		switch {
		case t.kind == opToken && word.kind == wordToken:
			s.field = strings.ToLower(word.text)
			if s.board == "" {
				f, _ := FieldOf(word.text)
				if s.field = f.Name; f.Kind == BoardValue {
					board = f.Name
				}
			}
			if m = valueMode; s.board != "" {
				m = optionValueMode
			}
			word = token{}
			continue
		case t.kind == braceToken && board != "":
			s.board, board = board, ""
		case t.kind == bracedToken:
			s.board = ""
		case m == termMode && t.kind != wordToken:
			board = ""
		}
		if word = (token{}); t.kind == wordToken && (m == termMode || m == optionMode) {
			word, board = t, ""
		}
		s.field = ""
		if m = termMode; s.board != "" {
			m = optionMode
		}
	}
}

// adder gathers suggestions.
type adder struct {
	list     []Suggestion
	from, to int
}

func (a *adder) add(text, label, help string) {
	if len(a.list) < maxSuggestions && !slices.ContainsFunc(a.list, func(s Suggestion) bool { return s.Text == text }) {
		a.list = append(a.list, Suggestion{text, label, help, a.from, a.to})
	}
}

func (a *adder) words(list []string, prefix, help string) {
	for _, w := range list {
		if strings.HasPrefix(w, strings.ToLower(prefix)) {
			a.add(value(w), w, help)
		}
	}
}

// terms suggests what a condition may begin with: fields in the language in
// which they were begun, and keywords.
func (a *adder) terms(prefix string) {
	prefix = strings.TrimPrefix(prefix, "-")
	lower := strings.ToLower(prefix)
	for i := range fields {
		f := &fields[i]
		for _, name := range f.names() {
			if strings.HasPrefix(strings.ToLower(name), lower) {
				a.add(name+":", name, f.Help)
				break
			}
		}
		if base, _, dotted := strings.Cut(lower, "."); f.Sided && dotted && base == f.Name {
			for _, side := range append([]string{"any"}, SideWords...) {
				if name := f.Name + "." + side; strings.HasPrefix(name, lower) {
					a.add(name+":", name, f.Help)
				}
			}
		}
	}
	for _, k := range keywords {
		if strings.HasPrefix(k.word, lower) {
			a.add(k.text, k.word, k.help)
		}
	}
}

// values suggests values of a field.
func (a *adder) values(s situation, c Completer) {
	f, ok := FieldOf(s.field)
	if !ok {
		return
	}
	if !s.quoted {
		a.words(f.Values, s.prefix, f.Help)
	}
	if c == nil || f.Kind != NameValue && f.Kind != TextValue && f.Kind != GameValue {
		return
	}
	for _, name := range c.Names(f.Name, s.prefix, maxSuggestions) {
		text := value(name)
		if s.quoted {
			text = quote(name)
		}
		a.add(text, name, f.Help)
	}
}
