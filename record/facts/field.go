package facts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fields are the names of the headers that Set sets. Those of players are by side, the first
// mover first.
var Fields = []string{
	"first", "second", "result", "date", "event", "round", "place", "komi", "handicap", "ruleset",
	"first-rank", "second-rank", "first-rating", "second-rating", "first-team", "second-team",
	"opening", "code", "source", "author", "time",
}

// ErrField tells that there is no header of a name, or that a value cannot be one.
var ErrField = errors.New("not a header")

// maxField is how many letters a header may have.
const maxField = 1000

// Canon returns a value of a field in the form in which Get gives it back, or an error that
// says what is wrong with it. An empty one is unknown.
func Canon(field, value string) (string, error) {
	var f Facts
	if err := f.Set(field, value); err != nil {
		return "", err
	}
	return f.Get(field), nil
}

// Get returns a header as a text that Set understands; "" for an unknown one.
func (f *Facts) Get(field string) string {
	side := 0
	if strings.HasPrefix(field, "second") {
		side = 1
	}
	p := &f.Players[side]
	switch field {
	case "first", "second":
		return p.Name
	case "first-rank", "second-rank":
		if p.Rank == (Rank{}) {
			return ""
		}
		return p.Rank.String()
	case "first-rating", "second-rating":
		return numberText(p.Rating)
	case "result":
		return f.Result.field()
	case "date":
		if !f.Date.Known() {
			return ""
		}
		return f.Date.SGF()
	case "komi":
		if !f.Komi.Known {
			return ""
		}
		return f.Komi.String()
	case "handicap":
		return numberText(f.Handicap)
	}
	if to := f.text(field); to != nil {
		return *to
	}
	return ""
}

// Set sets a header to what a text says, in the words that records use. An empty text makes
// it unknown; one that cannot be understood is an error (ErrField), and changes nothing.
func (f *Facts) Set(field, value string) error {
	value = strings.TrimSpace(value)
	if !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl) {
		return fmt.Errorf("%w: the value of %s has control characters, or is no UTF-8", ErrField, field)
	}
	if utf8.RuneCountInString(value) > maxField {
		return fmt.Errorf("%w: the value of %s is longer than %d characters", ErrField, field, maxField)
	}
	side := 0
	if strings.HasPrefix(field, "second") {
		side = 1
	}
	p := &f.Players[side]
	bad := func(example string) error {
		return fmt.Errorf("%w: %q is no %s: write it as %s", ErrField, value, field, example)
	}
	switch field {
	case "first", "second":
		p.Name = value
	case "first-rank", "second-rank":
		rank := ParseRank(value)
		if value != "" && rank == (Rank{}) {
			return bad("5d, 3k, 9p or GM")
		}
		p.Rank = rank
	case "first-rating", "second-rating":
		n, err := strconv.Atoi(value)
		if value != "" && (err != nil || n <= 0 || n > 9999) {
			return bad("a number such as 2450")
		}
		p.Rating = n
	case "result":
		r, ok := parseField(value)
		if !ok {
			return bad("first, second, draw, void or unfinished, with a margin or reason if you like: \"first 3.5\", \"second resign\"")
		}
		f.Result = r
	case "date":
		d := ParseDate(value)
		if value != "" && !d.Known() {
			return bad("1992-05-14, 1992-05 or 1992")
		}
		f.Date = d
	case "komi":
		k := ParseKomi(value)
		if value != "" && !k.Known {
			return bad("a number such as 6.5")
		}
		f.Komi = k
	case "handicap":
		n, err := strconv.Atoi(value)
		if value != "" && (err != nil || n < 0 || n > 99) {
			return bad("a number of stones")
		}
		f.Handicap = n
	case "ruleset":
		set := ParseRuleset(value)
		if value != "" && set == "" {
			return bad("japanese, chinese, aga, new-zealand or tromp-taylor")
		}
		f.Ruleset = set
	default:
		to := f.text(field)
		if to == nil {
			return fmt.Errorf("%w: %q: there are %s", ErrField, field, strings.Join(Fields, ", "))
		}
		*to = value
	}
	return nil
}

// text returns the header of a field that is any text, nil for others.
func (f *Facts) text(field string) *string {
	switch field {
	case "event":
		return &f.Event
	case "round":
		return &f.Round
	case "place":
		return &f.Place
	case "first-team":
		return &f.Players[0].Team
	case "second-team":
		return &f.Players[1].Team
	case "opening":
		return &f.Opening
	case "code":
		return &f.Code
	case "source":
		return &f.Source
	case "author":
		return &f.Author
	case "time":
		return &f.Time
	}
	return nil
}

func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// verdictWords are results as Set has them, by Verdict.
var verdictWords = []string{"", "first", "second", "draw", "both-lost", "void", "unfinished"}

// field returns a result as Set has it.
func (r Result) field() string {
	if int(r.Verdict) >= len(verdictWords) {
		return ""
	}
	s := verdictWords[r.Verdict]
	if r.Margin != 0 {
		s += " " + strconv.FormatFloat(r.Margin, 'f', -1, 64)
	}
	if r.How != "" {
		s += " " + r.How
	}
	return s
}

// parseField reads a result: a word of verdictWords, then a margin, then how it came.
func parseField(text string) (r Result, ok bool) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return r, true
	}
	if r, ok := wholeResults[strings.ToLower(text)]; ok { // "1-0"
		return r, true
	}
	i := slices.Index(verdictWords, strings.ToLower(words[0]))
	if i <= 0 {
		return r, false
	}
	r.Verdict = Verdict(i)
	if words = words[1:]; len(words) > 0 {
		if m, err := strconv.ParseFloat(words[0], 64); err == nil {
			if m < 0 || m > 1000 || m != m {
				return r, false
			}
			r.Margin, words = m, words[1:]
		}
	}
	r.How = strings.Join(words, " ")
	return r, true
}
