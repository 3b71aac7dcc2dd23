package classic_test

import (
	"os"
	"strings"
	"testing"

	"qipu/engine/classic"
)

// TestPages: every method has its file and its page, and the page names its source.
func TestPages(t *testing.T) {
	for _, m := range classic.Methods() {
		page, err := os.ReadFile("../../docs/methods/" + m.Name + ".md")
		if err != nil {
			t.Error(err)
			continue
		}
		for _, want := range []string{"Source: ", "```", "Our reading: "} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s.md lacks %q", m.Name, want)
			}
		}
		if _, err := os.Stat(m.Name + ".go"); err != nil {
			t.Error(err)
		}
	}
}
