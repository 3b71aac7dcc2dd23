package query

import (
	"fmt"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// catalog has a few names for completion.
type catalog struct{}

func (catalog) Names(field, prefix string, limit int) (list []string) {
	if field == "game" {
		return []string{"go", "go:9x9", "go:13x13"}
	}
	for _, name := range []string{"finals", "final games", `the "best"`} {
		if strings.HasPrefix(name, prefix) && len(list) < limit {
			list = append(list, field+" "+name)
		}
	}
	return list
}

func TestComplete(t *testing.T) {
	testkit.Script(t, "testdata/complete.txt", func(t *testing.T, c testkit.Command) string {
		cursor := strings.IndexByte(c.Input, '_')
		if cursor < 0 {
			t.Fatalf("%s: no cursor", c.Input)
		}
		text := strings.Replace(c.Input, "_", "", 1)
		var out []string
		for _, s := range Complete(text, cursor, catalog{}) {
			if s.From < 0 || s.To < s.From || s.To > len(text) || s.Help == "" && !strings.Contains(text, "turn") {
				t.Errorf("%s: %#v", c.Input, s)
			}
			if len(out) < 6 {
				out = append(out, fmt.Sprintf("%s_%s", text[:s.From]+s.Text, text[s.To:]))
			}
		}
		return strings.Join(out, "\n")
	})
}

// TestCompleteAll: every place of a query can be completed, whatever stands
// there.
func TestCompleteAll(t *testing.T) {
	text := `player:"Ke 「 Jie" or -（棋手：柯潔） board:"XO"{corner next:"c3" turn:b then count(R "x`
	for i := -1; i <= len(text)+1; i++ {
		for _, s := range Complete(text, i, nil) {
			if s.To > max(i, 0) || s.From > s.To || s.From < 0 {
				t.Errorf("at %d: %#v", i, s)
			}
		}
	}
	if got := Complete("", 0, nil); len(got) != maxSuggestions {
		t.Errorf("%d suggestions for nothing", len(got))
	}
}
