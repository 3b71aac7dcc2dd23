package relation

import (
	"fmt"
	"qipu/game"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
	"slices"
	"strings"
)

// Lint looks through a base, and runs the checks of the patterns of some games.
func Lint(b *syntax.Base, games ...game.Rules) []syntax.Finding {
	out := b.Lint()
	for _, r := range games {
		out = lint(out, b, r)
	}
	for _, c := range b.Checks {
		if b.Pattern(c.ID) == nil {
			out = append(out, syntax.Finding{Weight: syntax.Fault, ID: c.ID, File: c.File, Line: c.Line, Text: fmt.Sprintf("the check of %s fails: there is no pattern %s", c.ID, c.ID)})
		}
	}
	return out
}

// lint runs the checks of one game.
func lint(out []syntax.Finding, b *syntax.Base, r game.Rules) []syntax.Finding {
	patterns, checks := b.Of(r.Info().Name)
	set, err := Compile(patterns, r)
	if err != nil {
		return append(out, syntax.Finding{Weight: syntax.Fault, Text: err.Error()})
	}
	out = set.lintCost(out, checks)
	for _, c := range checks {
		if why := set.Fails(c); why != "" {
			out = append(out, syntax.Finding{Weight: syntax.Fault, ID: c.ID, File: c.File, Line: c.Line, Text: fmt.Sprintf("the check of %s fails: %s", c.ID, why)})
		}
	}
	return out
}

// On how many boards the cost of patterns is tried, and from how many trials a board on
// a pattern is slow: it takes some microseconds then, and a library has millions.
const (
	costBoards = 60
	slowTrials = 400
)

// lintCost finds patterns that try too many pieces, on boards of checks.
func (s *Set) lintCost(out []syntax.Finding, checks []*syntax.Check) []syntax.Finding {
	boards := 0
	used, worst := make([]int, len(s.patterns)), make([]int, len(s.patterns))
	for n := 0; n < len(checks) && boards < costBoards; n += 1 + len(checks)/costBoards {
		v, err := checks[n].View(s.rules)
		var st state
		if err != nil || !st.fill(s, v) {
			continue
		}
		boards++
		for i := range s.patterns {
			for _, side := range [2]game.Side{game.First, game.Second} {
				trials := s.trials(&st, i, side)
				used[i] += trials
				worst[i] = max(worst[i], trials)
			}
		}
	}
	for i, p := range s.patterns {
		weight, why := syntax.Warning, ""
		switch {
		case worst[i] > maxTrials:
			weight, why = syntax.Fault, fmt.Sprintf("%s tries more than %d ways to fill its roles on one board, and is then taken not to stand there", p.ID, maxTrials)
		case used[i] > slowTrials*boards:
			why = fmt.Sprintf("%s tries %d ways to fill its roles on a board", p.ID, used[i]/boards)
		}
		if why != "" {
			out = append(out, syntax.Finding{Weight: weight, ID: p.ID, File: p.File, Line: p.Line, Text: why + ": say where its pieces stand, or put a condition that names few of them first"})
		}
	}
	return out
}

// trials returns how many pieces are tried for a pattern of a side on a board.
func (s *Set) trials(st *state, i int, side game.Side) (n int) {
	for _, mirror := range [2]bool{false, true} {
		p := s.programs[viewOf(side, mirror)][i]
		if p == nil || !p.open(st) || !p.ready(st) {
			continue
		}
		search := search{st: st, p: p}
		search.holds()
		n = max(n, maxTrials-search.trials)
	}
	return n
}

// Fails tells why a check fails; it is empty where it does not.
func (s *Set) Fails(c *syntax.Check) string {
	i := slices.IndexFunc(s.patterns, func(p *syntax.Pattern) bool { return p.ID == c.ID })
	if i < 0 {
		return "there is no pattern " + c.ID
	}
	v, err := c.View(s.rules)
	if err != nil {
		return err.Error()
	}
	sides, err := c.Sides(s.rules)
	if err != nil {
		return err.Error()
	}
	stands, err := c.Stands(s.patterns[i], s.rules.Geometry())
	if err != nil {
		return err.Error()
	}
	var st state
	if !st.fill(s, v) {
		return "the board is not one of the game"
	}
	found := ""
	for _, side := range sides {
		if m, ok := s.match(&st, i, side, stands); ok {
			found = describe(s.rules, &m)
			break
		}
	}
	switch {
	case c.Match && found == "":
		for _, side := range sides {
			if m, ok := s.match(&st, i, side, nil); ok && stands != nil {
				return "the pattern stands there otherwise: " + describe(s.rules, &m)
			}
		}
		return "the pattern does not stand there" + s.blame(&st, i, sides)
	case !c.Match && found != "":
		return "the pattern stands there and should not: " + found
	}
	return ""
}

// describe tells whose a match is and where its roles stand.
func describe(r game.Rules, m *pattern.Match) string {
	list := []string{"of " + r.Info().Sides[m.Side].Name}
	for _, role := range m.Roles {
		list = append(list, role.Name+"="+r.Geometry().Name(role.At))
	}
	return strings.Join(list, " ")
}

// blame names the line of the definition without which the pattern would stand
// there, if there is one.
func (s *Set) blame(st *state, i int, sides []game.Side) string {
	p := s.patterns[i]
	for n, c := range p.Wheres {
		q := *p
		q.Wheres = slices.Delete(slices.Clone(p.Wheres), n, n+1)
		t, err := Compile([]*syntax.Pattern{&q}, s.rules)
		if err != nil {
			return ""
		}
		for _, side := range sides {
			if _, ok := t.match(st, 0, side, nil); ok {
				return ", but would without: where " + p.Text(c)
			}
		}
	}
	return ""
}
