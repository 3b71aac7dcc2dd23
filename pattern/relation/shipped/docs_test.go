package shipped_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"qipu/internal/testkit"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
)

// The page for players lists all patterns of the program.
func TestList(t *testing.T) {
	var b strings.Builder
	for _, part := range []struct {
		game  string
		kind  syntax.Kind
		title string
	}{
		{"xiangqi", syntax.Mate, "Mates"}, {"xiangqi", syntax.Structure, "Structures"}, {"xiangqi", syntax.Opening, "Opening systems"},
		{"chess", syntax.Mate, "Mates of chess"}, {"chess", syntax.Structure, "Structures of chess"},
	} {
		n := 0
		var rows strings.Builder
		for _, p := range shipped.Base().Patterns {
			if p.Kind == part.kind && p.Game == part.game {
				n++
				fmt.Fprintf(&rows, "| %s | %s | `%s` |\n", cmp.Or(p.Names.Hant, p.Names.En), p.Names.En, p.ID)
			}
		}
		fmt.Fprintf(&b, "%s: %d.\n\n| name | English | id |\n|---|---|---|\n%s\n", part.title, n, rows.String())
	}
	testkit.GoldenSection(t, "../../../docs/patterns.md", "list", strings.TrimRight(b.String(), "\n")+"\n")
}
