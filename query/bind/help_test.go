package bind

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"qipu/game/chess"
	"qipu/game/xiangqi"
	"qipu/query"
)

// show returns an error as users see it.
func show(err error) string {
	var e *query.Error
	if !errors.As(err, &e) {
		return "not an *Error: " + err.Error()
	}
	return strings.TrimSuffix(e.Show(), "\n")
}

// placed checks that an error points into the text.
func placed(text string, err error) error {
	e, ok := err.(*query.Error)
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

// tree reads a query of a test.
func tree(t testing.TB, text string) query.Q {
	t.Helper()
	q, err := query.Parse(text)
	if err != nil {
		t.Fatal(show(err))
	}
	return q
}

// TestPage binds every query of the page about the language.
func TestPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/query.md")
	if err != nil {
		t.Fatal(err)
	}
	rules, n := "", 0
	for i, line := range strings.Split(string(data), "\n") {
		if fence, ok := strings.CutPrefix(line, "```"); ok {
			rules = ""
			if game, ok := strings.CutPrefix(fence, "query "); ok {
				rules = game
			} else if fence == "query" {
				t.Errorf("line %d: queries of no game", i+1)
			}
			continue
		}
		if rules == "" {
			continue
		}
		q, err := query.Parse(line)
		if err == nil {
			// What has a name on boards is known to a library: here it is a game.
			known := shelf{"馬後炮": "moves>0", "沉底炮": "ply:1..", "悶宮": "ply:1..", "屏風馬": "moves>0"}
			maps.Copy(known, names)
			b := &Binder{Rules: rulesOf[rules], Names: known, Text: line}
			if strings.Contains(line, "endgame") {
				b.Names = anyNames{} // what tables know, too
			}
			_, err = b.Bind(q)
		}
		if err != nil {
			t.Errorf("line %d:\n%s", i+1, show(err))
		}
		n++
	}
	if n < 50 {
		t.Errorf("the page has %d queries: are they read?", n)
	}
}

// TestExamples binds the example of every field.
func TestExamples(t *testing.T) {
	for _, f := range query.Reference() {
		if f.Name == "named" || f.Name == "endgame" {
			continue
		}
		rules := rulesOf["go"]
		if f.Name == "red" || f.Name == "fuzzy" {
			rules = xiangqi.Standard
		}
		if f.Name == "material" || f.Name == "imbalance" {
			rules = chess.Standard
		}
		if _, err := (&Binder{Rules: rules, Names: names, Text: f.Example}).Bind(tree(t, f.Example)); err != nil {
			t.Error(show(err))
		}
	}
}
