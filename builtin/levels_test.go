package builtin

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"qipu/engine"
	"qipu/internal/testkit"
)

// cheap is how many nodes a move of a level may have whose neighbours must be told
// apart: those of a fifth of a second of one core.
const cheap = 1_000_000

// TestOthelloLevels holds the levels to what the ladder has to show: each is rated
// as it is today, stronger than the one below, and told apart from it where a move
// costs little. -rewrite puts the table into docs/levels.md.
func TestOthelloLevels(t *testing.T) {
	var rungs []rung
	if err := json.Unmarshal(othelloLadder, &rungs); err != nil {
		t.Fatal(err)
	}
	levels := othelloLevels()
	if len(levels) > engine.MaxLevel || len(rungs) != len(levels)+1 {
		t.Fatalf("%d levels, %d players of the ladder", len(levels), len(rungs))
	}
	var table strings.Builder
	table.WriteString("| level | work for a move | nodes a move | Elo | against the level below | told apart |\n|---:|---|---:|---:|---:|---|\n")
	for i, l := range levels {
		r := rungs[i+1]
		if l.Rating == nil {
			t.Errorf("level %d (%s) is not the one that was measured (%s): run the ladder again", l.Number, l.Work(), r.Work)
			continue
		}
		if i > 0 && (l.Rating.Elo <= levels[i-1].Rating.Elo || !r.Apart && r.Nodes < cheap) {
			t.Errorf("level %d is not told apart from the one below: %+v", l.Number, r)
		}
		apart := "no"
		if r.Apart {
			apart = "yes"
		}
		fmt.Fprintf(&table, "| %d | %s | %.0f | %d ± %d | %g of %d | %s |\n", l.Number, l.Work(), r.Nodes, l.Rating.Elo, l.Rating.Margin, r.Points, r.Met, apart)
	}
	testkit.Section(t, "../docs/levels.md", "othello", table.String())
}

// TestLadders puts the ladders of the other games into docs/levels.md, and holds their
// levels to them: each was measured as it is today, or has no rating.
func TestLadders(t *testing.T) {
	for _, c := range []struct {
		name   string
		ladder []byte
		levels []engine.Level
	}{{"xiangqi", xiangqiLadder, xiangqiLevels()}, {"renju", renjuLadder, renjuLevels()}, {"go9", goLadder, goLevels()}} {
		var rungs []rung
		if err := json.Unmarshal(c.ladder, &rungs); err != nil {
			t.Fatal(err)
		}
		by := map[string]rung{}
		for _, r := range rungs {
			by[r.Player] = r
		}
		var table strings.Builder
		table.WriteString("| level | work for a move | nodes a move | Elo | against the level below | told apart |\n|---:|---|---:|---:|---:|---|\n")
		rated := 0
		for i, l := range c.levels {
			r, ok := by[fmt.Sprintf("level=%d", l.Number)]
			if ok != (l.Rating != nil) || ok && i > 0 && c.levels[i-1].Rating == nil {
				t.Errorf("%s: level %d (%s) is not the one that was measured (%s): run the ladder again", c.name, l.Number, l.Work(), r.Work)
			}
			if l.Rating == nil {
				continue
			}
			rated++
			apart := "no"
			if r.Apart {
				apart = "yes"
			}
			fmt.Fprintf(&table, "| %d | %s | %.0f | %d ± %d | %g of %d | %s |\n", l.Number, l.Work(), r.Nodes, l.Rating.Elo, l.Rating.Margin, r.Points, r.Met, apart)
		}
		if rated < 6 || rated < len(rungs)-1 {
			t.Errorf("%s: %d levels are rated", c.name, rated)
		}
		testkit.Section(t, "../docs/levels.md", c.name, table.String())
	}
}

// TestUnratedLevels: nobody has measured the levels of other games, and none of
// them says otherwise.
func TestUnratedLevels(t *testing.T) {
	for _, g := range All() {
		e, err := Engine(g.Rules, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range engine.LevelsOf(e) {
			if l.Number != i+1 || l.Limits.Nodes == 0 || l.Limits.Time != 0 {
				t.Errorf("%s: level %+v is not fixed work", g.Rules.Info().Name, l)
			}
			if g.Levels == nil && l.Rating != nil {
				t.Errorf("%s: level %d is rated", g.Rules.Info().Name, l.Number)
			}
		}
		e.Close()
	}
}
