package relation

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
	if p.only != either {
		dst = appendField(dst, "sides", [...]string{our: "first", their: "second"}[p.only])
	}
	if p.still {
		dst = appendField(dst, "mirror", "no")
	}
	w := writer{p}
	for _, r := range p.roles {
		text := r.name + " = " + r.pieces.String()
		if r.area != nil {
			text += " on " + w.area(r.area, false)
		}
		dst = appendField(dst, "let", text)
	}
	for _, c := range p.wheres {
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

// String returns the pieces as they are written.
func (p pieces) String() string {
	return whoWords[p.whose] + " " + kindText(p.kinds)
}

func kindText(kinds uint8) string {
	if kinds == anyKind {
		return pieceWord
	}
	var list []string
	for k, word := range pieceWords {
		if kinds>>k&1 != 0 {
			list = append(list, word)
		}
	}
	return strings.Join(list, " or ")
}

// writer writes the parts of a definition; it knows the names of roles.
type writer struct{ p *Pattern }

func (w writer) place(p place) string {
	switch p.role {
	case noRole:
		return pointText(p.point)
	case roleK:
		return "k"
	case roleG:
		return "g"
	}
	return w.p.roles[p.role-firstRole].name
}

func pointText(p uint8) string { return fmt.Sprintf("%d.%d", fileAt(p), rankAt(p)) }

// area writes an area; an inner one that is made of several has parentheses.
func (w writer) area(a *area, inner bool) string {
	switch a.op {
	case onFiles:
		return "file " + lineText(a.lines)
	case onRanks:
		return "rank " + lineText(a.lines)
	case onPoints:
		var list []string
		for s := a.set; !s.empty(); {
			list = append(list, pointText(s.pop()))
		}
		if len(list) == 1 {
			return list[0]
		}
		return "{" + strings.Join(list, ", ") + "}"
	case namedArea:
		return areaNames[a.named].name
	case besideOf:
		return "beside " + w.place(a.a)
	case betweenOf:
		return "between " + w.place(a.a) + " " + w.place(a.b)
	case reachOf:
		return "reach " + w.place(a.a)
	case lineOf:
		return "line " + w.place(a.a)
	}
	word := map[areaOp]string{both: " and ", one: " or ", without: " but "}[a.op]
	text := w.area(a.kids[0], true) + word + w.area(a.kids[1], true)
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

func (w writer) number(n *number, inner bool) string {
	switch n.op {
	case literal:
		return strconv.Itoa(n.n)
	case checkers, needed, plies:
		return numberWord(n.op)
	case fileOf, rankOf:
		return numberWord(n.op) + "(" + w.place(n.a) + ")"
	case countPieces:
		text := "count(" + n.pieces.String()
		if n.area != nil {
			text += " on " + w.area(n.area, false)
		}
		return text + ")"
	case countPoints:
		return "count(" + w.area(n.area, false) + ")"
	case plus, minus:
		sign := map[numberOp]string{plus: " + ", minus: " - "}[n.op]
		text := w.number(n.kids[0], true) + sign + w.number(n.kids[1], true)
		if inner {
			return "(" + text + ")"
		}
		return text
	}
	return numberWord(n.op) + "(" + w.place(n.a) + ", " + w.place(n.b) + ")"
}

func numberWord(op numberOp) string {
	for word, o := range numberWords {
		if o == op {
			return word
		}
	}
	return ""
}

// condition writes a condition; an inner list has parentheses.
func (w writer) condition(c *condition, inner bool) string {
	switch c.op {
	case mated:
		return "mated"
	case stalemated:
		return "stalemated"
	case check:
		return "check"
	case ourTurn:
		return "our turn"
	case theirTurn:
		return "their turn"
	case empty:
		return "empty " + w.area(c.area, true)
	case essential:
		return "essential " + w.place(c.a)
	case compared:
		return w.number(c.numbers[0], false) + " " + comparisonWords[c.compare] + " " + w.number(c.numbers[1], false)
	case lately:
		return fmt.Sprintf("lately %d: %s", c.n, w.move(c.move)) + w.after(c)
	case always:
		return fmt.Sprintf("always %d: %s", c.n, w.move(c.move)) + w.after(c)
	case early:
		text := fmt.Sprintf("early %d: %s", c.n, w.move(c.move))
		if c.before != nil {
			text += " before " + w.move(c.before)
		}
		return text
	case last:
		return "last: " + w.move(c.move) + w.after(c)
	case not:
		return "not " + w.condition(c.kids[0], true)
	case and, or:
		var list []string
		for _, kid := range c.kids {
			list = append(list, w.condition(kid, true))
		}
		text := strings.Join(list, map[conditionOp]string{and: " and ", or: " or "}[c.op])
		if inner {
			return "(" + text + ")"
		}
		return text
	}
	text := w.place(c.a)
	for word, op := range verbs {
		if op == c.op {
			text += " " + word
		}
	}
	switch c.op {
	case checks:
		return text
	case onArea:
		return text + " " + w.area(c.area, true)
	case isKind:
		return text + " " + kindText(c.kinds)
	case isBetween:
		return text + " " + w.place(c.b) + " " + w.place(c.c)
	}
	return text + " " + w.place(c.b)
}

// after writes which move came right before, if that is said.
func (w writer) after(c *condition) string {
	switch {
	case c.after == nil:
		return ""
	case c.unlike:
		return " not after " + w.move(c.after)
	}
	return " after " + w.move(c.after)
}

func (w writer) move(m *move) string {
	text := m.pieces.String()
	if m.role != noRole {
		text = w.place(place{role: m.role})
	}
	if m.from != nil {
		text += " from " + w.area(m.from, true)
	}
	if m.to != nil {
		text += " to " + w.area(m.to, true)
	}
	if m.took != nil {
		text += " took " + m.took.String()
	}
	return text
}
