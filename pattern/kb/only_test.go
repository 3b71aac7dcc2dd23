package kb_test

import (
	"slices"
	"testing"

	"qipu/pattern/kb"
	"qipu/pattern/kb/shipped"
)

// TestLintOnly: asked about some entries, lint finds what it finds about them in
// the whole base.
func TestLintOnly(t *testing.T) {
	// Without what they say of each other, shapes have much to be told.
	var files []*kb.File
	n := 0
	for _, f := range shipped.Files() {
		g := *f
		g.Entries = nil
		for _, e := range f.Entries {
			if n++; n%4 == 0 && n < 1200 {
				if n%8 == 0 {
					e.Overrides, e.Yields = nil, nil
				}
				g.Entries = append(g.Entries, e)
			}
		}
		files = append(files, &g)
	}
	base := kb.New(files...)
	whole := base.Lint(kb.LintOptions{})
	if len(whole) < 50 {
		t.Fatalf("only %d findings", len(whole))
	}
	for i := 0; i < len(base.Entries); i += 10 {
		only := []string{base.Entries[i].ID, base.Entries[(i+7)%len(base.Entries)].ID}
		about := func(f kb.Finding) bool {
			return f.ID == "" || slices.Contains(only, f.ID) || slices.Contains(only, f.Other)
		}
		want := slices.DeleteFunc(slices.Clone(whole), func(f kb.Finding) bool { return !about(f) })
		if got := base.Lint(kb.LintOptions{Only: only}); !slices.Equal(got, want) {
			t.Fatalf("of %v: %v, want %v", only, got, want)
		}
	}
}
