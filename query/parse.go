package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of a query as it is written.
const (
	MaxText   = 64 << 10 // bytes
	MaxLeaves = 2000     // conditions
	MaxDepth  = 100      // of parentheses, negations and steps of then
	maxPlies  = 1 << 20  // behind within and for
)

// words are the keywords between and before terms, in all languages.
var words = map[string]string{
	"and": "and", "且": "and", "和": "and", "かつ": "and", "그리고": "and",
	"or": "or", "或": "or", "または": "or", "또는": "or",
	"not": "not", "非": "not", "不": "not", "でない": "not", "아닌": "not",
	"then": "then", "within": "within", "for": "for", "all": "all", "none": "none",
}

// calls are the keywords that an opening parenthesis makes keywords; those of
// numbers are the last.
var calls = []string{"when", "first", "last", "count", "has", "no"}

// dates are the words before a date.
var dates = map[string]Op{"since": AtLeast, "until": AtMost, "before": Below, "after": Above}

// units may stand behind a number of plies.
var units = []string{"plies", "ply", "moves", "move"}

// Parse reads a query. Its errors are of type *Error. Any text within the
// bounds is read in time that grows with its length alone.
//
//	query = and { ( "or" | "|" | "||" ) and }
//	and   = not { [ "and" | "&" | "&&" ] not }
//	not   = ( "not" | "-" | "!" ) not | then
//	then  = held { "then" ["here"] held [ "within" N ["plies"] ] }
//	held  = term [ "for" N ["plies"] ]
//	term  = "(" query ")" | ( "when" | "first" | "last" ) "(" query ")"
//	      | "count" "(" PIECES [AREA] ")" OP N | ( "has" | "no" ) "(" PIECES [AREA] ")"
//	      | ( "discs" | "stones" | "pieces" ) OP N
//	      | FIELD OP value [ "{" options "}" ]
//	      | ( "since" | "until" | "before" | "after" ) date
//	      | string | word | "all" | "none"
func Parse(text string) (Q, error) {
	if len(text) > MaxText {
		return nil, NewError(text, MaxText, 0, fmt.Sprintf("a query of %d bytes is too long: at most %d", len(text), MaxText), "save a part of it and use it by its name")
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return nil, NewError(text, i, 1, "a byte that is no character of UTF-8", "write the query as UTF-8")
			}
		}
	}
	p := &parser{lexer: lexer{text: text}}
	q, err := p.whole()
	if err != nil {
		return nil, err // an *Error that is nil would be an error that is not
	}
	return q, nil
}

// parser reads one query. Its methods return what they read and how deep that
// tree is.
type parser struct {
	lexer
	deep   int // parentheses and negations around the place
	leaves int
}

// ahead returns the next token without taking it. What cannot be a token is the
// end of the text here: taking it gives the error.
func (p *parser) ahead() token {
	after := p.lexer
	t, err := after.next(termMode)
	if err != nil {
		return token{}
	}
	return t
}

// keyword returns the keyword that comes next, or "". A word is none where it
// names a field or stands in quotes.
func (p *parser) keyword() string {
	after := p.lexer
	t, err := after.next(termMode)
	switch {
	case err == nil && t.kind == signToken:
		return t.text
	case err != nil || t.kind != wordToken:
		return ""
	}
	word := strings.ToLower(t.text)
	next, err := after.next(termMode)
	switch {
	case err == nil && next.kind == opToken:
		return ""
	case err == nil && next.kind == openToken && slices.Contains(calls, word):
		return word
	}
	return words[word]
}

// take takes the next token, which ahead has seen.
func (p *parser) take() token {
	t, _ := p.next(termMode)
	return t
}

func (p *parser) errorAt(t token, message, hint string) *Error {
	return NewError(p.text, t.from, t.to-t.from, message, hint)
}

func (p *parser) whole() (Q, *Error) {
	if t := p.ahead(); t.kind == endToken && t.from >= len(p.text) {
		return nil, NewError(p.text, len(p.text), 0, "an empty query", `write what to find, as in player:"Ke Jie", or all`)
	}
	q, _, err := p.or()
	if err != nil {
		return nil, err
	}
	t, err := p.next(termMode)
	switch {
	case err != nil:
		return nil, err
	case t.kind == closeToken:
		return nil, p.errorAt(t, "a closing parenthesis without an opening one", "leave it out, or put what it belongs to in quotes")
	case t.kind != endToken:
		return nil, p.unexpected(t)
	}
	return q, nil
}

// unexpected tells that a token cannot stand where it is.
func (p *parser) unexpected(t token) *Error {
	switch t.kind {
	case endToken:
		return p.errorAt(t, "the query ends where a condition should follow", "write one, or leave out the word before it")
	case openString:
		e := p.errorAt(t, "a quote that is never closed", "add the closing quote")
		e.Length = 1
		return e
	case closeToken:
		return p.errorAt(t, "a condition is missing before this parenthesis", "write one inside the parentheses")
	case braceToken, bracedToken:
		return p.errorAt(t, "a brace that belongs to no board", `options follow a board at once, as in board:"XO/OX"{corner}; text with braces needs quotes`)
	case opToken:
		return p.errorAt(t, fmt.Sprintf("nothing stands before %q that it could compare", t.text), "write a field before it, as in moves>200, or put the text in quotes")
	case wordToken, signToken:
		switch words[strings.ToLower(t.text)] {
		case "within":
			return p.errorAt(t, `"within" without "then" before it`, `write A then B within 10 plies, or put the word in quotes`)
		case "for":
			return p.errorAt(t, `"for" stands behind a condition, once`, `write A for 10 plies, or put the word in quotes`)
		case "":
		default:
			return p.errorAt(t, fmt.Sprintf("%q stands where a condition should", p.text[t.from:t.to]), "write a condition before and behind it, or put the word in quotes")
		}
	}
	return p.errorAt(t, fmt.Sprintf("%q cannot stand here", p.text[t.from:t.to]), "put it in quotes to search for it")
}

// or reads a query, and a part of it that no parenthesis ends.
func (p *parser) or() (Q, int, *Error) { return p.list("or", p.and) }

func (p *parser) and() (Q, int, *Error) { return p.list("and", p.not) }

// list reads parts that a word joins. One alone is what it is.
func (p *parser) list(word string, part func() (Q, int, *Error)) (Q, int, *Error) {
	var list []Q
	depth := 0
	for len(list) == 0 || p.joins(word) {
		q, d, err := part()
		if err != nil {
			return nil, 0, err
		}
		list, depth = append(list, q), max(depth, d)
	}
	switch {
	case len(list) == 1:
		return list[0], depth, nil
	case word == "or":
		return p.node(Or(list), depth)
	}
	return p.node(And(list), depth)
}

// joins reports whether a list of parts that a word joins goes on, and takes the
// word. Parts side by side are joined by and.
func (p *parser) joins(word string) bool {
	next := p.keyword()
	if next == word {
		p.take()
		return true
	}
	t := p.ahead()
	end := t.kind == endToken && t.from >= len(p.text)
	return word == "and" && next != "or" && t.kind != closeToken && !end
}

// node returns a node above parts of a depth.
func (p *parser) node(q Q, depth int) (Q, int, *Error) {
	if p.deep+depth+1 > MaxDepth {
		return nil, 0, NewError(p.text, p.at, 0, fmt.Sprintf("a query is at most %d conditions deep", MaxDepth), "save a part of it and use it by its name")
	}
	return q, depth + 1, nil
}

// enter goes one step deeper; the caller leaves with p.deep--.
func (p *parser) enter(t token) *Error {
	if p.deep++; p.deep > MaxDepth {
		return p.errorAt(t, fmt.Sprintf("parentheses and negations are at most %d deep", MaxDepth), "leave out those that are not needed")
	}
	return nil
}

func (p *parser) not() (Q, int, *Error) {
	if t := p.ahead(); t.kind == minusToken || p.keyword() == "not" {
		p.take()
		if err := p.enter(t); err != nil {
			return nil, 0, err
		}
		q, depth, err := p.not()
		p.deep--
		if err != nil {
			return nil, 0, err
		}
		return p.node(Not{q}, depth)
	}
	return p.then()
}

func (p *parser) then() (Q, int, *Error) {
	q, depth, err := p.held()
	for err == nil && p.keyword() == "then" {
		p.take()
		then := Then{A: q}
		if t := p.ahead(); t.kind == wordToken && strings.EqualFold(t.text, "here") && !p.compared() {
			p.take()
			then.Here = true
		}
		var d int
		if then.B, d, err = p.held(); err != nil {
			return nil, 0, err
		}
		if p.keyword() == "within" {
			word := p.take()
			if then.Within, err = p.plies(word, 1); err != nil {
				return nil, 0, err
			}
		}
		q, depth, err = p.node(then, max(depth, d))
	}
	return q, depth, err
}

// compared reports whether an operator follows the next token.
func (p *parser) compared() bool {
	after := p.lexer
	_, err1 := after.next(termMode)
	t, err2 := after.next(termMode)
	return err1 == nil && err2 == nil && t.kind == opToken
}

func (p *parser) held() (Q, int, *Error) {
	q, depth, err := p.term()
	if err != nil || p.keyword() != "for" {
		return q, depth, err
	}
	word := p.take()
	n, err := p.plies(word, 0)
	if err != nil {
		return nil, 0, err
	}
	return p.node(For{q, n}, depth)
}

// plies reads the number behind within and for.
func (p *parser) plies(word token, least int) (int, *Error) {
	t, err := p.next(termMode)
	if err != nil {
		return 0, err
	}
	n, bad := strconv.Atoi(t.text)
	if bad != nil || t.kind != wordToken {
		return 0, p.errorAt(t, fmt.Sprintf("a number of plies should follow %q", word.text), fmt.Sprintf("write %s 10 plies, or put the word in quotes", word.text))
	}
	if n < least || n > maxPlies {
		return 0, p.errorAt(t, fmt.Sprintf("%d plies are out of range", n), fmt.Sprintf("write a number from %d to %d", least, maxPlies))
	}
	if t := p.ahead(); t.kind == wordToken && slices.Contains(units, strings.ToLower(t.text)) && !p.compared() {
		p.take()
	}
	return n, nil
}

// leaf counts a condition.
func (p *parser) leaf(q Q, t token) (Q, int, *Error) {
	if p.leaves++; p.leaves > MaxLeaves {
		return nil, 0, p.errorAt(t, fmt.Sprintf("a query has at most %d conditions", MaxLeaves), "put games in a collection or under a tag, and ask for that")
	}
	return q, 1, nil
}

func (p *parser) term() (Q, int, *Error) {
	word := p.keyword()
	t, err := p.next(termMode)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case t.kind == openToken:
		return p.group(t)
	case t.kind == stringToken:
		if next := p.ahead(); next.kind == opToken {
			return nil, 0, p.errorAt(t, "a field in quotes", "write the field without quotes, or put the whole text in quotes")
		}
		return p.leaf(Field{Name: "text", Value: t.text, At: t.from}, t)
	case t.kind != wordToken:
		return nil, 0, p.unexpected(t)
	case word == "all" || word == "none":
		return p.leaf(Const(word == "all"), t)
	case word == "count" || word == "has" || word == "no":
		return p.number(t, word)
	case word == "when" || word == "first" || word == "last":
		q, depth, err := p.group(p.take())
		if err != nil {
			return nil, 0, err
		}
		switch word {
		case "when":
			q = When{q}
		case "first":
			q = First{q}
		default:
			q = Last{q}
		}
		return p.node(q, depth)
	case word != "":
		return nil, 0, p.unexpected(t)
	}
	next := p.ahead()
	if next.kind == opToken {
		return p.field(t)
	}
	if op, ok := dates[strings.ToLower(t.text)]; ok && next.kind == wordToken {
		if _, _, bad := Days(next.text); bad == nil || next.text[0] >= '0' && next.text[0] <= '9' {
			value := p.take()
			return p.leaf(Field{Name: "date", Op: op, Value: value.text, At: t.from}, t)
		}
	}
	if slices.Contains(calls[3:], strings.ToLower(t.text)) {
		if pieces := p.piecesAhead(); pieces != "" {
			return nil, 0, p.errorAt(t, fmt.Sprintf("%q wants its pieces in parentheses", t.text), fmt.Sprintf("write %s(%s), or put the word in quotes", strings.ToLower(t.text), pieces))
		}
	}
	return p.leaf(Field{Name: "text", Value: t.text, At: t.from}, t)
}

// piecesAhead returns the plain words that follow, where they name pieces: who
// writes "no elephants" does not look for these words.
func (p *parser) piecesAhead() string {
	after, list := *p, []string(nil)
	for after.keyword() == "" && !after.compared() {
		t := after.ahead()
		if t.kind != wordToken || !pieceWord(t.text) {
			break
		}
		list = append(list, after.take().text)
	}
	return strings.Join(list, " ")
}

// group reads a query behind its opening parenthesis.
func (p *parser) group(open token) (Q, int, *Error) {
	if err := p.enter(open); err != nil {
		return nil, 0, err
	}
	q, depth, err := p.or()
	p.deep--
	if err != nil {
		return nil, 0, err
	}
	switch t, err := p.next(termMode); {
	case err != nil:
		return nil, 0, err
	case t.kind == closeToken:
		return q, depth, nil
	case t.kind != endToken:
		return nil, 0, p.unexpected(t)
	}
	return nil, 0, p.errorAt(open, "a parenthesis that is never closed", "add the closing one")
}

// ops are the operators but for !=, which is the negation of =.
var ops = map[string]Op{":": Is, "=": Equal, "<": Below, "<=": AtMost, ">": Above, ">=": AtLeast, "!=": Equal}

// negated reads != as what it means.
func (p *parser) negated(op string, q Q, t token) (Q, int, *Error) {
	q, depth, err := p.leaf(q, t)
	if err != nil || op != "!=" {
		return q, depth, err
	}
	return p.node(Not{q}, depth)
}

// field reads a field from its operator on.
func (p *parser) field(name token) (Q, int, *Error) {
	op := p.take()
	if word := strings.ToLower(name.text); word == "discs" || word == "stones" || word == "pieces" {
		n, err := p.amount(op)
		if err != nil {
			return nil, 0, err
		}
		return p.negated(op.text, Number{Pieces: word, Op: sign(op.text), N: n, At: name.from}, name)
	}
	f, ok := FieldOf(name.text)
	if !ok {
		hint := Suggest(name.text, FieldWords(name.text), "put it in quotes to search for the text, or choose a field from the reference")
		if pieceWord(name.text) {
			hint = fmt.Sprintf("write count(%s) %s and a number", name.text, op.text)
		}
		return nil, 0, p.errorAt(name, fmt.Sprintf("there is no field %q", name.text), hint)
	}
	value, err := p.next(valueMode)
	switch {
	case err != nil:
		return nil, 0, err
	case value.kind == openString:
		return nil, 0, p.unexpected(value)
	case value.kind == openToken:
		return nil, 0, p.errorAt(value, "a parenthesis where a value should stand", fmt.Sprintf("write (%s%sA or %s%sB)", f.Name, op.text, f.Name, op.text))
	case value.kind != wordToken && value.kind != stringToken:
		return nil, 0, NewError(p.text, op.from, op.to-op.from, fmt.Sprintf("%s has no value", f.Name), "write one behind it, as in "+f.Example)
	}
	switch {
	case f.Kind == BoardValue:
		if op.text != ":" && op.text != "=" {
			return nil, 0, p.errorAt(op, fmt.Sprintf("%s cannot be compared by %s", f.Name, op.text), "write "+f.Example)
		}
		options, err := p.options(f.Name)
		if err != nil {
			return nil, 0, err
		}
		return p.leaf(Diagram{Word: f.Name, Text: value.text, Options: options, At: name.from}, name)
	case isNamed(f.Name):
		if op.text != ":" && op.text != "=" && op.text != "!=" {
			return nil, 0, p.errorAt(op, fmt.Sprintf("%s cannot be compared by %s", f.Name, op.text), "write "+f.Example)
		}
		_, side, _ := strings.Cut(f.Name, ".")
		if side == "any" {
			side = ""
		}
		return p.negated(op.text, Named{Name: value.text, Side: side, At: name.from}, name)
	}
	return p.negated(op.text, Field{Name: f.Name, Op: ops[op.text], Value: value.text, At: name.from}, name)
}

// isNamed reports whether a field is that of names, of a side or of either.
func isNamed(field string) bool { return field == "named" || strings.HasPrefix(field, "named.") }

// sign returns the comparison of a number that an operator means.
func sign(op string) Op {
	if op == ":" {
		return Equal
	}
	return ops[op]
}

// amount reads the number behind an operator.
func (p *parser) amount(op token) (int, *Error) {
	t, err := p.next(valueMode)
	if err != nil {
		return 0, err
	}
	if t.kind == wordToken && strings.EqualFold(t.text, "count") && p.ahead().kind == openToken {
		return 0, p.errorAt(t, "a count is compared with a number, and not with another count", "ask for each of them, as in when(count(red chariot) >= 2 and count(black chariot) <= 1)")
	}
	n, bad := strconv.Atoi(t.text)
	if bad != nil || t.kind != wordToken || n < 0 || n > maxPlies {
		if t.kind == endToken {
			t = op
		}
		return 0, p.errorAt(t, "a number should stand behind "+op.text, "write one, as in >= 3")
	}
	return n, nil
}

// number reads a count behind its word.
func (p *parser) number(word token, name string) (Q, int, *Error) {
	p.take() // the parenthesis
	from := p.at
	list, end := p.counted()
	pieces, area, cut := splitCount(list)
	switch {
	case end < 0:
		return nil, 0, p.errorAt(word, "a parenthesis that is never closed", "add the closing one")
	case len(pieces) == 0:
		return nil, 0, NewError(p.text, from, end-from, "pieces are missing", "name them by letter or word, as in "+name+"(R file 4)")
	case cut:
		return nil, 0, p.errorAt(list[len(list)-1], "a place should stand here", "write one, as in "+name+"(R on file 4)")
	}
	c := Number{Pieces: spaced(pieces), Area: spaced(area), Op: AtLeast, N: 1, At: word.from}
	op := ""
	switch name {
	case "no":
		c.Op, c.N = Equal, 0
	case "count":
		t, err := p.next(termMode)
		if err == nil && t.kind != opToken {
			err = NewError(p.text, word.from, p.at-word.from, "a count that is compared with nothing", "write a number behind it, as in count(R) >= 2, or has(R)")
		}
		if err != nil {
			return nil, 0, err
		}
		if c.N, err = p.amount(t); err != nil {
			return nil, 0, err
		}
		c.Op, op = sign(t.text), t.text
	}
	return p.negated(op, c, word)
}

// options reads what stands in braces behind a board.
func (p *parser) options(word string) ([]Option, *Error) {
	open := p.ahead()
	if open.kind != braceToken {
		return nil, nil
	}
	p.take()
	var list []Option
	for {
		t, err := p.next(optionMode)
		switch {
		case err != nil:
			return nil, err
		case t.kind == bracedToken:
			return list, nil
		case t.kind == endToken:
			return nil, p.errorAt(open, "a brace that is never closed", "add the closing one behind the options")
		case t.kind == openString:
			return nil, p.unexpected(t)
		case t.kind != wordToken:
			return nil, p.errorAt(t, "an option should stand here", "the options are "+strings.Join(OptionNames(word), ", "))
		}
		if len(list) >= MaxLeaves {
			return nil, p.errorAt(t, "too many options", "name each once")
		}
		o := Option{Name: optionName(t.text), At: t.from}
		values, known := OptionTakes(word, o.Name)
		if !known {
			list := OptionNames(word)
			return nil, p.errorAt(t, fmt.Sprintf("%s has no option %q", word, t.text), Suggest(t.text, list, "the options are "+strings.Join(list, ", ")))
		}
		after := p.lexer
		if next, err := after.next(optionMode); err == nil && next.kind == opToken && (next.text == ":" || next.text == "=") {
			p.lexer = after
			value, err := p.next(optionValueMode)
			switch {
			case err != nil:
				return nil, err
			case !values:
				return nil, p.errorAt(t, fmt.Sprintf("the option %s takes no value", o.Name), "leave out what follows it")
			case value.kind == openString:
				return nil, p.unexpected(value)
			case value.kind != wordToken && value.kind != stringToken || value.text == "":
				return nil, p.errorAt(t, fmt.Sprintf("the option %s has no value", o.Name), "write one behind it")
			}
			o.Value = value.text
		} else if values {
			return nil, p.errorAt(t, fmt.Sprintf("the option %s has no value", o.Name), "write one behind it, as in "+optionExamples[o.Name])
		}
		list = append(list, o)
	}
}
