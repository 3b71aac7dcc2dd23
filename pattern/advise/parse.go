package advise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/pattern/kb"
)

// Conditions are the rules that advice must meet.
type Conditions struct {
	Rules []Rule
}

// Rule is one of them.
type Rule struct {
	About  []Subject
	Except []Subject
	Expr   *Expr
	Reason string // why, in words; may be empty

	File string
	Line int
}

// Subject is what a rule is about: kind "all", or "purpose", "term" or "shape"
// with a name.
type Subject struct{ Kind, Name string }

// The kinds of subjects.
const (
	all     = "all"
	purpose = "purpose"
	term    = "term"
	shape   = "shape"
)

// is reports whether an entry is what the subject speaks of.
func (s Subject) is(e *kb.Entry) bool {
	switch s.Kind {
	case purpose:
		p, err := kb.ParsePurpose(s.Name)
		return err == nil && e.Purpose&p != 0
	case term:
		return slices.Contains(e.Terms, s.Name)
	case shape:
		return e.ID == s.Name
	}
	return true
}

// Covers reports whether the rule is about an entry.
func (r *Rule) Covers(e *kb.Entry) bool {
	is := func(s Subject) bool { return s.is(e) }
	return slices.ContainsFunc(r.About, is) && !slices.ContainsFunc(r.Except, is)
}

// String returns the rule as Parse reads it.
func (r *Rule) String() string {
	var b strings.Builder
	writeSubjects(&b, r.About)
	if len(r.Except) > 0 {
		b.WriteString(" except ")
		writeSubjects(&b, r.Except)
	}
	b.WriteString(": " + r.Expr.String())
	if r.Reason != "" {
		b.WriteString(" // " + r.Reason)
	}
	return b.String()
}

func writeSubjects(b *strings.Builder, list []Subject) {
	kind := ""
	for i, s := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		if s.Kind != kind {
			b.WriteString(s.Kind)
			kind = s.Kind
			if s.Name != "" {
				b.WriteByte(' ')
			}
		}
		b.WriteString(s.Name)
	}
}

// words returns why a rule refuses.
func (r *Rule) words() string {
	if r.Reason == "" {
		return "needs " + r.Expr.String()
	}
	return r.Reason + " (needs " + r.Expr.String() + ")"
}

// Parse reads a file of conditions. What cannot be read is a fault that names
// its line, and left out; the name stands in faults.
func Parse(name string, data []byte) (c *Conditions, faults []*kb.Error) {
	c = &Conditions{}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		body, reason, _ := strings.Cut(line, "//")
		if body = strings.TrimSpace(body); body == "" {
			continue
		}
		r, err := parseRule(body)
		if err != nil {
			faults = append(faults, &kb.Error{File: name, Line: n, Reason: err.Error()})
			continue
		}
		r.File, r.Line, r.Reason = name, n, strings.TrimSpace(reason)
		c.Rules = append(c.Rules, r)
	}
	return c, faults
}

func parseRule(text string) (r Rule, err error) {
	head, body, ok := strings.Cut(text, ":")
	if !ok {
		return r, fmt.Errorf("a rule needs a colon between what it is about and what must hold")
	}
	about, except, _ := strings.Cut(head+" ", " except ")
	if r.About, err = parseSubjects(about); err != nil {
		return r, err
	}
	if len(r.About) == 0 {
		return r, fmt.Errorf("the rule is about nothing: begin with all, purpose, term or shape")
	}
	if r.Except, err = parseSubjects(except); err != nil {
		return r, err
	}
	p := parser{tokens: tokens(body)}
	if r.Expr, err = p.or(0); err != nil {
		return r, err
	}
	if len(p.tokens) > 0 {
		return r, fmt.Errorf("%q is too much: join questions by and, or", strings.Join(p.tokens, " "))
	}
	return r, nil
}

func parseSubjects(text string) (list []Subject, err error) {
	kind := ""
	names := 0
	for _, word := range strings.Fields(text) {
		switch {
		case word == all:
			list = append(list, Subject{Kind: all})
			kind = ""
		case word == purpose || word == term || word == shape:
			if kind != "" && names == 0 {
				return nil, fmt.Errorf("%s needs a name", kind)
			}
			kind, names = word, 0
		case kind == "":
			return nil, fmt.Errorf("%q: say all, purpose, term or shape before names", word)
		default:
			if p, err := kb.ParsePurpose(word); kind == purpose && (err != nil || p == 0) {
				return nil, fmt.Errorf("%q is no purpose: write some of %v", word, purposeWords())
			}
			list = append(list, Subject{kind, word})
			names++
		}
	}
	if kind != "" && names == 0 {
		return nil, fmt.Errorf("%s needs a name", kind)
	}
	return list, nil
}

func purposeWords() string {
	var every kb.Purpose
	for _, p := range kb.Purposes() {
		every |= p
	}
	return every.String()
}

// tokens parts a condition into words, numbers, comparisons and the signs
// ( , ).
func tokens(text string) (list []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := strings.IndexAny(text, " \t(),<>=!")
		switch {
		case n < 0:
			n = len(text)
		case n == 0:
			n = 1
			for _, c := range compares {
				if strings.HasPrefix(text, c) {
					n = len(c)
					break
				}
			}
		}
		list = append(list, text[:n])
		text = text[n:]
	}
	return list
}

// parser reads a condition by recursive descent.
type parser struct{ tokens []string }

// maxDepth bounds how deep parentheses and nots may stand.
const maxDepth = 50

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) next() string {
	t := p.peek()
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (p *parser) take(t string) bool {
	if p.peek() != t {
		return false
	}
	p.next()
	return true
}

func (p *parser) or(depth int) (*Expr, error) {
	return p.joined(depth, Or, p.and)
}

func (p *parser) and(depth int) (*Expr, error) {
	return p.joined(depth, And, p.not)
}

// joined reads one or more parts with a word between them. Parts that are
// joined by the same word are one list.
func (p *parser) joined(depth int, op Op, part func(int) (*Expr, error)) (*Expr, error) {
	e := &Expr{Op: op}
	for {
		arg, err := part(depth)
		if err != nil {
			return nil, err
		}
		if arg.Op == op {
			e.Args = append(e.Args, arg.Args...)
		} else {
			e.Args = append(e.Args, arg)
		}
		if !p.take(grammar[op].word) {
			break
		}
	}
	if len(e.Args) == 1 {
		return e.Args[0], nil
	}
	return e, nil
}

func (p *parser) not(depth int) (*Expr, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the condition is nested too deep: write it in several rules")
	}
	switch {
	case p.take("not"):
		arg, err := p.not(depth + 1)
		if err != nil {
			return nil, err
		}
		return &Expr{Op: Not, Args: []*Expr{arg}}, nil
	case p.take("("):
		e, err := p.or(depth + 1)
		if err == nil && !p.take(")") {
			err = fmt.Errorf("a parenthesis is not closed")
		}
		return e, err
	}
	return p.question()
}

func (p *parser) question() (*Expr, error) {
	word := p.next()
	for op := Liberties; op < numOps; op++ {
		if g := &grammar[op]; g.word == word {
			e := &Expr{Op: op}
			if g.cell && p.take("(") {
				if err := p.cell(e); err != nil {
					return nil, err
				}
			}
			if g.number {
				if err := p.comparison(e); err != nil {
					return nil, err
				}
			}
			if g.works {
				if e.Works = p.take("works"); !e.Works && !p.take("fails") {
					return nil, fmt.Errorf("%s needs works or fails", word)
				}
			}
			return e, nil
		}
	}
	var words []string
	for op := Liberties; op < numOps; op++ {
		words = append(words, grammar[op].word)
	}
	return nil, fmt.Errorf("%q is no question: ask for one of %s", word, strings.Join(words, " "))
}

func (p *parser) cell(e *Expr) error {
	row, err1 := strconv.Atoi(p.next())
	comma := p.take(",")
	column, err2 := strconv.Atoi(p.next())
	if err1 != nil || err2 != nil || !comma || !p.take(")") || row < 1 || column < 1 || row > kb.MaxSide || column > kb.MaxSide {
		return fmt.Errorf("a cell is a row and a column from 1 to %d, as in (4,3)", kb.MaxSide)
	}
	e.Row, e.Column = row, column
	return nil
}

// maxNumber bounds what can be compared with.
const maxNumber = 999

func (p *parser) comparison(e *Expr) error {
	e.Compare = p.next()
	n, err := strconv.Atoi(p.next())
	if !slices.Contains(compares, e.Compare) || err != nil || n < 0 || n > maxNumber {
		return fmt.Errorf("%s needs a comparison with a number up to %d, as in >= 2", grammar[e.Op].word, maxNumber)
	}
	e.Number = n
	return nil
}
