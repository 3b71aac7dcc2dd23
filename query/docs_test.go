package query

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

const page = "../docs/query.md"

// TestPage writes the table of fields into the page about the language.
func TestPage(t *testing.T) {
	var out strings.Builder
	out.WriteString("| field | 繁體 | 简体 | 日本語 | 한국어 | also | value | meaning | example |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range Reference() {
		n := f.Names
		own := []string{f.Name, n.En, n.Hant, n.Hans, n.Ja, n.Ko}
		also := slices.DeleteFunc(slices.Clone(f.Aliases), func(s string) bool { return slices.Contains(own, s) })
		kind := string(f.Kind)
		if f.Kind == WordValue {
			kind = strings.Join(f.Values, ", ")
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s | %s | %s | %s | `%s` |\n",
			f.Name, n.Hant, n.Hans, n.Ja, n.Ko, strings.Join(also, ", "), kind, f.Help, f.Example)
	}
	testkit.GoldenSection(t, page, "fields", out.String())
}

// TestPageExamples reads every query of the page.
func TestPageExamples(t *testing.T) {
	data, err := os.ReadFile(page)
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
		q, err := Parse(line)
		if err == nil {
			err = printed(q)
		}
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
		}
		n++
	}
	if n < 50 {
		t.Errorf("the page has %d queries: are they read?", n)
	}
}
