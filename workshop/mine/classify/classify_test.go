package classify

import (
	"slices"
	"testing"

	"qipu/pattern/kb"
	"qipu/pattern/kb/shipped"
)

// TestTerms compares the rules for terms with what people say: the shapes of
// the shipped base that were written by hand.
func TestTerms(t *testing.T) {
	base := shipped.Base()
	terms := map[string]bool{"invasion": true}
	for _, r := range rules {
		terms[r.term] = true
	}
	n, agree := 0, 0
	per := map[string][2]int{}
	for i := range base.Entries {
		e := &base.Entries[i]
		if e.Origin == kb.Mined || len(e.Ours) != 1 || e.Avoids() || !terms[e.Terms[0]] {
			continue
		}
		got, _ := Terms(e, e.Ours[0], nil)
		n++
		p := per[e.Terms[0]]
		p[1]++
		if slices.Contains(e.Terms, got[0]) || slices.Contains(got, e.Terms[0]) {
			agree++
			p[0]++
		} else {
			t.Logf("%s is called %v", e.ID, got)
		}
		per[e.Terms[0]] = p
	}
	t.Logf("%d of %d shapes have the term that people give them: %v", agree, n, per)
	if 2*agree < n {
		t.Errorf("less than half of the shapes are called as people call them")
	}
}
