package query

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/pattern"
)

func (q And) String() string { return join(q, " and ") }
func (q Or) String() string  { return join(q, " or ") }
func (q Not) String() string { return "not " + q.Q.String() }

func (q Const) String() string {
	if q {
		return "all"
	}
	return "none"
}

func (q When) String() string  { return "when(" + q.Q.String() + ")" }
func (q First) String() string { return "first(" + q.Q.String() + ")" }
func (q Last) String() string  { return "last(" + q.Q.String() + ")" }
func (q For) String() string   { return q.Q.String() + " for " + strconv.Itoa(q.N) + " plies" }

func (q Then) String() string {
	text := "(" + q.A.String() + " then "
	if q.Here {
		text += "here "
	}
	text += q.B.String()
	if q.Within > 0 {
		text += fmt.Sprintf(" within %d plies", q.Within)
	}
	return text + ")"
}

var opTexts = [...]string{":", "=", "<", "<=", ">", ">="}

// String returns the sign of the comparison.
func (o Op) String() string { return opTexts[o] }

func (q Field) String() string { return q.Name + q.Op.String() + quote(q.Value) }
func (q Named) String() string { return "named:" + quote(q.Name) }

func (q Diagram) String() string {
	text := q.Word + ":" + strconv.Quote(q.Text)
	if len(q.Options) == 0 {
		return text
	}
	var words []string
	for _, o := range q.Options {
		word := o.Name
		if o.Value != "" {
			word += ":" + quote(o.Value)
		}
		words = append(words, word)
	}
	return text + "{" + strings.Join(words, " ") + "}"
}

func (q Number) String() string {
	return fmt.Sprintf("count(%s)%v%d", strings.TrimSpace(q.Pieces+" "+q.Area), q.Op, q.N)
}

func (q *Shape) String() string { return q.text("board", nil) }

func (q *Shape) text(word string, more []string) string {
	p := q.Pattern
	// The diagram tells where it is fixed; on one line it reads back the same.
	diagram := strings.ReplaceAll(strings.TrimSpace(p.Format(q.Geometry)), "\n", "/")
	options := []string{p.Anchor.String()}
	if !p.Mirror {
		options = append(options, "no-mirror")
	}
	if !p.Swap {
		options = append(options, "no-swap")
	}
	if p.Turn != pattern.AnyTurn {
		options = append(options, []string{"", "turn:first", "turn:second"}[p.Turn])
	}
	if p.From > 0 || p.To >= 0 {
		options = append(options, "plies:"+span(p.From, p.To))
	}
	return word + ":" + strconv.Quote(diagram) + "{" + strings.Join(append(options, more...), " ") + "}"
}

func (q *Fuzzy) String() string {
	return q.text("fuzzy", []string{"min:" + strconv.FormatFloat(q.Min, 'g', -1, 64)})
}

func (q *Count) String() string { return fmt.Sprintf("count(%s)%v%d", q.Text, q.Op, q.N) }
func (q Ply) String() string    { return "ply:" + span(q.From, q.To) }
func (q Turn) String() string   { return [...]string{"turn:first", "turn:second"}[q.Side&1] }
func (q Games) String() string  { return q.Why }
func (q *Fact) String() string  { return q.Why }

func span(from, to int) string {
	text := ".."
	if from > 0 {
		text = strconv.Itoa(from) + ".."
	}
	if to >= 0 {
		text += strconv.Itoa(to)
	}
	return text
}

func quote(text string) string { return strconv.Quote(text) }

func join(parts []Q, word string) string {
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.String())
	}
	return "(" + strings.Join(texts, word) + ")"
}
