package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// AppendTo appends the block of the pattern as Parse reads it, in one form for
// all that mean the same word for word.
func (p *Pattern) AppendTo(dst []byte) []byte {
	dst = fmt.Appendf(dst, "pattern %s\n", p.ID)
	dst = appendField(dst, "game", p.Game)
	dst = appendField(dst, "kind", string(p.Kind))
	dst = appendField(dst, "name", p.formatNames())
	dst = appendField(dst, "vi", p.marked(p.Vi, Vietnamese))
	dst = appendField(dst, "alias", strings.Join(p.Aliases, " | "))
	dst = appendField(dst, "parent", p.Parent)
	dst = appendField(dst, "source", p.Source)
	dst = appendField(dst, "note", p.Note)
	return append(dst, p.Definition()...)
}

// String returns the block of the pattern.
func (p *Pattern) String() string { return string(p.AppendTo(nil)) }

// Definition returns what the pattern means: the lines sides, mirror, let and
// where of its block.
func (p *Pattern) Definition() string {
	var dst []byte
	if p.only != Either {
		dst = appendField(dst, "sides", [...]string{Our: "first", Their: "second"}[p.only])
	}
	if p.still {
		dst = appendField(dst, "mirror", "no")
	}
	w := writer{p}
	for _, r := range p.Lets {
		text := r.Name + " = " + w.pieces(r.Pieces)
		if r.Area != nil {
			text += " on " + w.area(r.Area, false)
		}
		dst = appendField(dst, "let", text)
	}
	for _, c := range p.Wheres {
		dst = appendField(dst, "where", w.condition(c, false))
	}
	return string(dst)
}

// AppendTo appends the block of the check as Parse reads it.
func (c *Check) AppendTo(dst []byte) []byte {
	word := "no"
	if c.Match {
		word = "yes"
	}
	dst = fmt.Appendf(dst, "check %s %s\n", c.ID, word)
	dst = appendField(dst, "fen", c.FEN)
	dst = appendField(dst, "moves", c.Moves)
	dst = appendField(dst, "side", c.Side)
	var roles []string
	for _, r := range c.Roles {
		roles = append(roles, r.Role+"="+r.At)
	}
	dst = appendField(dst, "roles", strings.Join(roles, " "))
	return appendField(dst, "why", c.Why)
}

// String returns the block of the check.
func (c *Check) String() string { return string(c.AppendTo(nil)) }

// AppendTo appends the patterns, then the checks, parted by empty lines.
func (f *File) AppendTo(dst []byte) []byte {
	start := len(dst)
	part := func() {
		if len(dst) > start {
			dst = append(dst, '\n')
		}
	}
	for _, p := range f.Patterns {
		part()
		dst = p.AppendTo(dst)
	}
	for _, c := range f.Checks {
		part()
		dst = c.AppendTo(dst)
	}
	return dst
}

func appendField(dst []byte, word, value string) []byte {
	if value == "" {
		return dst
	}
	return fmt.Appendf(dst, "%-8s %s\n", word, value)
}

func (p *Pattern) marked(name string, t Tongues) string {
	if name != "" && p.Coined&t != 0 {
		return name + "~"
	}
	return name
}

func (p *Pattern) formatNames() string {
	n := p.Names
	var list []string
	for i, name := range []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko} {
		list = append(list, p.marked(name, English<<i))
	}
	return strings.TrimRight(strings.Join(list, " | "), " |")
}

// pieces returns pieces as they are written.
func (w writer) pieces(p Pieces) string {
	return whoWords[p.Whose] + " " + w.kinds(p.Kinds)
}

func (w writer) kinds(kinds uint8) string {
	if kinds == w.p.Board.AnyKind() {
		return PieceWord
	}
	var list []string
	for k, word := range w.p.Board.Kinds {
		if kinds>>k&1 != 0 {
			list = append(list, word)
		}
	}
	return strings.Join(list, " or ")
}

// writer writes the parts of a definition; it knows the names of roles.
type writer struct{ p *Pattern }

func (w writer) place(p Place) string {
	switch p.Role {
	case NoRole:
		return w.p.Board.pointText(p.Point)
	case RoleK:
		return "k"
	case RoleG:
		return "g"
	}
	return w.p.Lets[p.Role-FirstRole].Name
}

// area writes an area; an inner one that is made of several has parentheses.
func (w writer) area(a *Area, inner bool) string {
	switch a.Op {
	case OnFiles:
		return "file " + lineText(a.Lines)
	case OnRanks:
		return "rank " + lineText(a.Lines)
	case OnPoints:
		var list []string
		for _, p := range a.Points {
			list = append(list, w.p.Board.pointText(p))
		}
		if len(list) == 1 {
			return list[0]
		}
		return "{" + strings.Join(list, ", ") + "}"
	case NamedArea:
		return w.p.Board.Areas[a.Named].Name
	case BesideOf:
		return "beside " + w.place(a.A)
	case BetweenOf:
		return "between " + w.place(a.A) + " " + w.place(a.B)
	case ReachOf:
		return "reach " + w.place(a.A)
	case LineOf:
		return "line " + w.place(a.A)
	}
	word := map[AreaOp]string{Both: " and ", One: " or ", Without: " but "}[a.Op]
	text := w.area(a.Kids[0], true) + word + w.area(a.Kids[1], true)
	if inner {
		return "(" + text + ")"
	}
	return text
}

// lineText writes the numbers of files or ranks: three in a row as a range.
func lineText(mask uint16) string {
	var list []string
	for n := 1; n < 16; n++ {
		if mask>>n&1 == 0 {
			continue
		}
		to := n
		for mask>>(to+1)&1 != 0 {
			to++
		}
		if to < n+2 {
			list = append(list, strconv.Itoa(n))
			continue
		}
		list = append(list, fmt.Sprintf("%d..%d", n, to))
		n = to
	}
	return strings.Join(list, ",")
}

func (w writer) number(n *Number, inner bool) string {
	switch n.Op {
	case Literal:
		return strconv.Itoa(n.N)
	case Checkers, Needed, Plies:
		return wordOf(numberWords, n.Op)
	case FileOf, RankOf:
		return wordOf(numberWords, n.Op) + "(" + w.place(n.A) + ")"
	case CountPieces:
		text := "count(" + w.pieces(n.Pieces)
		if n.Area != nil {
			text += " on " + w.area(n.Area, false)
		}
		return text + ")"
	case CountPoints:
		return "count(" + w.area(n.Area, false) + ")"
	case Plus, Minus:
		sign := map[NumberOp]string{Plus: " + ", Minus: " - "}[n.Op]
		text := w.number(n.Kids[0], true) + sign + w.number(n.Kids[1], true)
		if inner {
			return "(" + text + ")"
		}
		return text
	}
	return wordOf(numberWords, n.Op) + "(" + w.place(n.A) + ", " + w.place(n.B) + ")"
}

// wordOf returns the word of an operation.
func wordOf[Op comparable](words map[string]Op, op Op) string {
	for word, o := range words {
		if o == op {
			return word
		}
	}
	return ""
}

// Text returns one of the conditions of the pattern as it is written.
func (p *Pattern) Text(c *Condition) string { return writer{p}.condition(c, false) }

// condition writes a condition; an inner list has parentheses.
func (w writer) condition(c *Condition, inner bool) string {
	switch c.Op {
	case Mated, Stalemated, InCheck, OurTurn, TheirTurn:
		return plainWords[c.Op]
	case Empty:
		return "empty " + w.area(c.Area, true)
	case Essential:
		return "essential " + w.place(c.A)
	case Compared:
		return w.number(c.Numbers[0], false) + " " + ComparisonWords[c.Compare] + " " + w.number(c.Numbers[1], false)
	case Lately, Always:
		return fmt.Sprintf("%s %d: %s", wordOf(historyWords, c.Op), c.N, w.move(c.Move)) + w.after(c)
	case Early:
		text := fmt.Sprintf("early %d: %s", c.N, w.move(c.Move))
		if c.Before != nil {
			text += " before " + w.move(c.Before)
		}
		return text
	case Last:
		return "last: " + w.move(c.Move) + w.after(c)
	case Not:
		return "not " + w.condition(c.Kids[0], true)
	case And, Or:
		var list []string
		for _, kid := range c.Kids {
			list = append(list, w.condition(kid, true))
		}
		text := strings.Join(list, map[ConditionOp]string{And: " and ", Or: " or "}[c.Op])
		if inner {
			return "(" + text + ")"
		}
		return text
	}
	text := w.place(c.A) + " " + wordOf(verbs, c.Op)
	switch c.Op {
	case Checks:
		return text
	case OnArea:
		return text + " " + w.area(c.Area, true)
	case IsKind:
		return text + " " + w.kinds(c.Kinds)
	case IsBetween:
		return text + " " + w.place(c.B) + " " + w.place(c.C)
	}
	return text + " " + w.place(c.B)
}

// after writes which move came right before, if that is said.
func (w writer) after(c *Condition) string {
	switch {
	case c.After == nil:
		return ""
	case c.Unlike:
		return " not after " + w.move(c.After)
	}
	return " after " + w.move(c.After)
}

func (w writer) move(m *Move) string {
	text := w.pieces(m.Pieces)
	if m.Role != NoRole {
		text = w.place(Place{Role: m.Role})
	}
	if m.From != nil {
		text += " from " + w.area(m.From, true)
	}
	if m.To != nil {
		text += " to " + w.area(m.To, true)
	}
	if m.Took != nil {
		text += " took " + w.pieces(*m.Took)
	}
	return text
}
