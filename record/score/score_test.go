package score

import (
	"testing"

	"qipu/board"
	"qipu/record/facts"
)

// TestRulesOf: what White gets for a handicap is in the rules, or in the komi where
// they have no points for the stones.
func TestRulesOf(t *testing.T) {
	for _, c := range []struct {
		side   int
		facts  facts.Facts
		want   string
		inKomi int
	}{
		{19, facts.Facts{}, "", 0},
		{19, facts.Facts{Ruleset: "chinese", Komi: facts.Komi{Known: true}}, "chinese,komi=0", 0},
		{19, facts.Facts{Ruleset: "chinese", Handicap: 9}, "chinese,handicap=9", 0},
		{19, facts.Facts{Ruleset: "chinese", Handicap: 12}, "chinese,komi=12.5", 24},
		{19, facts.Facts{Ruleset: "aga", Handicap: 12, Komi: facts.Komi{Half: 2, Known: true}}, "aga,komi=12", 22},
		{5, facts.Facts{Ruleset: "japanese", Handicap: 2}, "5x5,komi=0.5", 0},
		{19, facts.Facts{Komi: facts.Komi{Half: 1 << 30, Known: true}}, "error", 0},
	} {
		r, inKomi, err := RulesOf(board.Size{W: c.side, H: c.side}, &c.facts)
		got := "error"
		if err == nil {
			got = r.Info().Variant
		}
		if got != c.want || inKomi != c.inKomi {
			t.Errorf("%+v: %q with %d in the komi, want %q with %d (%v)", c.facts, got, inKomi, c.want, c.inKomi, err)
		}
	}
}
