package query

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"qipu/internal/testkit"
)

// show returns an error as users see it.
func show(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return "not an *Error: " + err.Error()
	}
	return strings.TrimSuffix(e.Show(), "\n")
}

func TestParse(t *testing.T) {
	testkit.Script(t, "testdata/parse.txt", func(t *testing.T, c testkit.Command) string {
		var out []string
		for line := range strings.SplitSeq(c.Input, "\n") {
			q, err := Parse(line)
			if err != nil {
				out = append(out, show(err))
				continue
			}
			if err := printed(q); err != nil {
				t.Error(err)
			}
			out = append(out, q.String())
		}
		return strings.Join(out, "\n")
	})
}

// placeless returns a tree whose leaves stand nowhere, so that trees of
// different texts compare.
func placeless(q Q) Q {
	q, _ = Map(q, func(q Q) (Q, error) { q, _ = Moved(q, 0); return q, nil })
	return q
}

// printed checks that a tree prints as a text that reads back as the tree, and
// prints the same again. Longer texts than a user may write are beyond the law.
func printed(q Q) error {
	text := q.String()
	if len(text) > MaxText {
		return nil
	}
	again, err := Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	if !reflect.DeepEqual(placeless(q), placeless(again)) {
		return fmt.Errorf("%s reads back as another tree: %#v, not %#v", text, placeless(again), placeless(q))
	}
	if again.String() != text {
		return fmt.Errorf("%s prints as %s", text, again)
	}
	return nil
}

// placed checks that an error points into the text.
func placed(text string, err error) error {
	e, ok := err.(*Error)
	if !ok {
		return fmt.Errorf("%q: an error of type %T", text, err)
	}
	column := 0
	if e.At >= 0 && e.At <= len(text) {
		column = utf8.RuneCountInString(text[:e.At]) + 1
	}
	if e.At < 0 || e.Length < 0 || e.At+e.Length > len(text) || text != "" && e.Column != column || e.Message == "" {
		return fmt.Errorf("%q: %#v", text, e)
	}
	if strings.Count(e.Show(), "\n") > 4 {
		return fmt.Errorf("%q: shown as %q", text, e.Show())
	}
	return nil
}

// FuzzParse: no text is too much; what is read prints as a text that reads back
// as the same tree; an error has a place in the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "a", `player:"Ke Jie" or -date:1990..`, "（棋手：柯潔）且 和", `board:"XO/OX"{corner next:"c3 d4"} then here board:XO within 3 for 2`,
		"count([R r] file 3)!=2", "first(a)last(b)when(c)", `"\n\"\\\/"`, "((((a", "since 1990 moves>5", "a,b、c", "'x' “y” ＂z\"", "\xff", "discs<=3",
		`fuzzy:R{min:.8,R:7;k:1}`, "no(x)", "a for 5 moves>3", "a then here:b", "rating.white!=5", "<<=>>=!=:",
		"a & b || !c", "before 1990 after 昭和21年", "has([R, r] on the D4) no(車 過河", "has(R on filee 3)", "no elephants", "count(R)>count(r)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			if err := placed(text, err); err != nil {
				t.Error(err)
			}
			return
		}
		if err := printed(q); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if err := printed(Simplify(q)); err != nil {
			t.Errorf("%q, made simple: %v", text, err)
		}
		Complete(text, len(text)/2, nil)
	})
}

// TestPrintLaws: trees made by hand print as texts that read back as them.
func TestPrintLaws(t *testing.T) {
	g := &maker{rng: rand.New(rand.NewPCG(1, 1)), leaf: (*maker).written}
	for range testkit.Scale(3000, 100000) {
		if err := printed(g.tree(6)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHostile: texts that would take long, or forever, are refused at once.
func TestHostile(t *testing.T) {
	deep := func(open, close string, n int) string {
		return strings.Repeat(open, n) + "a" + strings.Repeat(close, n)
	}
	for name, c := range map[string]struct{ text, want string }{
		"parentheses":    {deep("(", ")", 30000), "100 deep"},
		"when":           {deep("when(", ")", 10000), "100 deep"},
		"negations":      {strings.Repeat("-", 60000) + "a", "100 deep"},
		"not":            {strings.Repeat("not ", 15000) + "a", "100 deep"},
		"then":           {strings.Repeat("a then ", 9000) + "a", "100 conditions deep"},
		"alternatives":   {strings.Repeat("a or ", 12000) + "a", "2000 conditions"},
		"conjunctions":   {strings.Repeat("a ", 30000), "2000 conditions"},
		"fields":         {strings.Repeat("player:a ", 7000), "2000 conditions"},
		"open ones":      {strings.Repeat("(", 60000), "100 deep"},
		"long":           {strings.Repeat("a or ", 200000) + "a", "too long"},
		"megabyte":       {strings.Repeat("x", 1<<20), "too long"},
		"commas":         {strings.Repeat(",", 60000), "empty query"},
		"commas in word": {"a" + strings.Repeat(",b", 30000) + ")", "without an opening"},
		"quotes":         {strings.Repeat(`"`, 60001), "2000 conditions"},
		"backslashes":    {`"` + strings.Repeat(`\\`, 30000), "never closed"},
		"options":        {"board:X{" + strings.Repeat("mirror ", 9000) + "}", "too many options"},
		"pieces":         {"count([" + strings.Repeat("R ", 30000) + ")", "compared with nothing"},
		"operators":      {strings.Repeat("<", 60000), "nothing stands before"},
	} {
		var err error
		testkit.Within(t, name, 5*time.Second, func() { _, err = Parse(c.text) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v, want %s", name, err, c.want)
			continue
		}
		if err := placed(c.text, err); err != nil {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	// The largest that is allowed is read, printed and made simple.
	for name, text := range map[string]string{
		"leaves": strings.Repeat("a or ", MaxLeaves-1) + "a", "depth": deep("(", ")", MaxDepth),
		"time": strings.Repeat("a then ", MaxDepth-1) + "a", "one text": `"` + strings.Repeat("x", MaxText-2) + `"`,
	} {
		q, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %.200v", name, err)
			continue
		}
		if err := printed(q); err != nil {
			t.Errorf("%s: %.200v", name, err)
		}
		Simplify(q)
	}
}

// TestErrorShow: long and wide lines keep the caret below the place.
func TestErrorShow(t *testing.T) {
	_, err := Parse(strings.Repeat("棋手:柯潔 or ", 30) + "plyer:x " + strings.Repeat("or all ", 30) + "\nor all")
	e := err.(*Error)
	lines := strings.Split(e.Show(), "\n")
	width := func(s string) (n int) {
		for _, r := range s {
			n += columns(r)
		}
		return n
	}
	at := strings.Index(lines[0], "plyer")
	if at < 0 || width(lines[0][:at]) != strings.Index(lines[1], "^") || strings.Count(lines[1], "^") != len("plyer") {
		t.Errorf("%s", e.Show())
	}
	if e.Error() != `query: column 271: there is no field "plyer": did you mean player?` {
		t.Error(e)
	}
}
