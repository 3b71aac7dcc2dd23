package syntax

import (
	"os"
	"strings"
	"testing"

	"qipu/internal/testkit"
)

// The page for players has the language as the package describes it.
func TestPage(t *testing.T) {
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for line := range strings.Lines(string(data)) {
		rest, ok := strings.CutPrefix(line, "//")
		if !ok {
			continue
		}
		rest = strings.TrimPrefix(rest, " ")
		if head, ok := strings.CutPrefix(rest, "# "); ok {
			rest = "### " + head
		}
		text.WriteString(rest)
	}
	_, language, ok := strings.Cut(text.String(), "The fields of a pattern:")
	if !ok {
		t.Fatal("the language is not described in doc.go any more")
	}
	testkit.GoldenSection(t, "../../../docs/patterns.md", "language", "The fields of a pattern:"+language)
}
