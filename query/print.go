package query

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"qipu/board"
	"qipu/interval"
	"qipu/pattern"
)

// The levels of binding, from the loosest.
const (
	orLevel = iota
	andLevel
	notLevel
	thenLevel
	forLevel
	termLevel
)

// level returns how tightly the text of a node holds together.
func level(q Q) int {
	switch q := q.(type) {
	case Or:
		return listLevel(q, orLevel)
	case And:
		return listLevel(q, andLevel)
	case Not:
		return notLevel
	case Then:
		return thenLevel
	case For:
		return forLevel
	}
	return termLevel
}

func listLevel(parts []Q, many int) int {
	switch len(parts) {
	case 0:
		return termLevel
	case 1:
		return level(parts[0])
	}
	return many
}

// write appends the text of a node, in parentheses where it would fall apart
// otherwise. One builder for the whole tree keeps the time of printing in
// proportion to the text.
func write(out *strings.Builder, q Q, least int) {
	if level(q) < least {
		out.WriteByte('(')
		defer out.WriteByte(')')
	}
	list := func(parts []Q, word, none string, part int) {
		if len(parts) == 0 {
			out.WriteString(none)
		}
		if len(parts) == 1 {
			part = orLevel
		}
		for i, p := range parts {
			if i > 0 {
				out.WriteString(word)
			}
			write(out, p, part)
		}
	}
	call := func(word string, q Q) {
		out.WriteString(word + "(")
		write(out, q, orLevel)
		out.WriteByte(')')
	}
	switch q := q.(type) {
	case And:
		list(q, " and ", "all", notLevel)
	case Or:
		list(q, " or ", "none", andLevel)
	case Not:
		out.WriteString("not ")
		write(out, q.Q, notLevel)
	case When:
		call("when", q.Q)
	case First:
		call("first", q.Q)
	case Last:
		call("last", q.Q)
	case For:
		write(out, q.Q, termLevel)
		fmt.Fprintf(out, " for %d plies", q.N)
	case Then:
		write(out, q.A, thenLevel)
		out.WriteString(" then ")
		if q.Here {
			out.WriteString("here ")
		}
		write(out, q.B, forLevel)
		if q.Within > 0 {
			fmt.Fprintf(out, " within %d plies", q.Within)
		}
	default:
		out.WriteString(q.String())
	}
}

func render(q Q) string {
	var out strings.Builder
	write(&out, q, orLevel)
	return out.String()
}

func (q And) String() string   { return render(q) }
func (q Or) String() string    { return render(q) }
func (q Not) String() string   { return render(q) }
func (q When) String() string  { return render(q) }
func (q Then) String() string  { return render(q) }
func (q For) String() string   { return render(q) }
func (q First) String() string { return render(q) }
func (q Last) String() string  { return render(q) }

func (q Const) String() string {
	if q {
		return "all"
	}
	return "none"
}

var opTexts = [...]string{":", "=", "<", "<=", ">", ">="}

// String returns the sign of the comparison.
func (o Op) String() string { return opTexts[o] }

func (q Field) String() string { return q.Name + q.Op.String() + value(q.Value) }

func (q Named) String() string {
	if q.Side != "" {
		return "named." + q.Side + ":" + value(q.Name)
	}
	return "named:" + value(q.Name)
}

func (q Diagram) String() string {
	text := q.Word + ":" + quote(q.Text)
	if len(q.Options) == 0 {
		return text
	}
	var words []string
	for _, o := range q.Options {
		words = append(words, o.String())
	}
	return text + "{" + strings.Join(words, " ") + "}"
}

// String returns the option as braces have it.
func (o Option) String() string {
	if o.Value == "" {
		return o.Name
	}
	return o.Name + ":" + value(o.Value)
}

func (q Number) String() string {
	area := q.Area
	if first, _, _ := strings.Cut(area, " "); first != "" && !placeLike(first) {
		area = "on " + area // or it would be read as a part of the pieces
	}
	return fmt.Sprintf("count(%s)%v%d", strings.TrimSpace(q.Pieces+" "+area), q.Op, q.N)
}

func (q *Shape) String() string { return q.text("board", nil) }

// text returns the shape as a board with all of its options.
func (q *Shape) text(word string, more []string) string {
	p := q.Pattern
	// The diagram tells where it is fixed; on one line it reads back the same.
	diagram := strings.ReplaceAll(strings.TrimSpace(p.Format(q.Geometry)), "\n", "/")
	on := func(b bool, word string) string {
		if b {
			return word
		}
		return "no-" + word
	}
	options := []string{p.Anchor.String(), on(p.Mirror, "mirror"), on(p.Swap, "swap")}
	if p.Turn != pattern.AnyTurn {
		options = append(options, []string{"", "turn:first", "turn:second"}[p.Turn])
	}
	if p.From > 0 || p.To >= 0 {
		options = append(options, "plies:"+span(p.From, p.To))
	}
	if len(q.Next) > 0 {
		options = append(options, "next:"+quote(q.next()))
	}
	return word + ":" + quote(diagram) + "{" + strings.Join(append(options, more...), " ") + "}"
}

func (q *Fuzzy) String() string {
	number := func(name string, x float64) string { return name + ":" + strconv.FormatFloat(x, 'g', -1, 64) }
	w := &q.Weights
	more := []string{number("min", q.Min), number("moved", w.Moved), number("line", w.Line), number("empty", w.Empty), number("relation", w.Relation)}
	for i, x := range w.Piece {
		more = append(more, number(q.Geometry.Pieces[i].Letters[:1], x))
	}
	return q.text("fuzzy", more)
}

func (q *Mark) String() string {
	if q.Word != "" {
		return Field{Name: q.Word + [...]string{interval.FirstSide: ".first", interval.SecondSide: ".second"}[q.Of], Value: q.Name}.String()
	}
	return Named{Name: q.Name, Side: [...]string{interval.FirstSide: "first", interval.SecondSide: "second"}[q.Of]}.String()
}

func (q *Count) String() string { return fmt.Sprintf("count(%s)%v%d", q.Text, q.Op, q.N) }
func (q Ply) String() string    { return "ply:" + span(q.From, q.To) }
func (q Turn) String() string   { return [...]string{"turn:first", "turn:second"}[q.Side&1] }
func (q Games) String() string  { return q.Why }
func (q *Fact) String() string  { return q.Why }

// span returns a range of plies, To < 0 for one without end.
func span(from, to int) string {
	switch {
	case from == to:
		return strconv.Itoa(from)
	case to < 0:
		return strconv.Itoa(from) + ".."
	case from <= 0:
		return ".." + strconv.Itoa(to)
	}
	return strconv.Itoa(from) + ".." + strconv.Itoa(to)
}

// value returns a value as it is written behind a field: in quotes where it
// would be read as something else without them.
func value(text string) string {
	for _, r := range text {
		letter := (unicode.IsLetter(r) || unicode.IsDigit(r)) && ascii(r) == r
		if !letter && !strings.ContainsRune(".-_+/:", r) {
			return quote(text)
		}
	}
	if text == "" {
		return quote(text)
	}
	return text
}

var escapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`)

// quote returns a string in quotes.
func quote(text string) string { return `"` + escapes.Replace(text) + `"` }

// CellName returns the name of a cell of a pattern by its column and row from
// the top left: that of the point of the board where the pattern has a place,
// else a letter for the column and a number for the row, from a1 at the top
// left to the right and down.
func CellName(g *board.Geometry, p *pattern.Pattern, x, y int) string {
	if at, ok := p.Origin(g.Size); ok {
		if q := board.At(at.X()+x, at.Y()+y); at.X()+x < g.Size.W && at.Y()+y < g.Size.H {
			return g.Name(q)
		}
	}
	return columnName(x) + strconv.Itoa(y+1)
}

// columnName returns a to z, then aa, ab and so on.
func columnName(x int) string {
	if x >= 26 {
		return "a" + string(rune('a'+x%26))
	}
	return string(rune('a' + x))
}

// next returns the moves behind a shape as the option next reads them.
func (q *Shape) next() string {
	var words []string
	for _, s := range q.Next {
		who := "+-"[s.Side&1 : s.Side&1+1]
		if s.Piece != board.Empty {
			who = q.Geometry.Pieces[s.Piece-1].Letters[:1]
		}
		words = append(words, who+":"+CellName(q.Geometry, q.Pattern, int(s.X), int(s.Y)))
	}
	return strings.Join(words, " ")
}
