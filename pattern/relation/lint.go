package relation

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// Weight tells how bad a finding is.
type Weight string

// The weights. A base without errors and warnings is clean.
const (
	Fault   Weight = "error"
	Warning Weight = "warning"
)

// Finding is something that Lint found.
type Finding struct {
	Weight Weight
	ID     string // of the pattern; empty for a fault of a file
	File   string
	Line   int
	Text   string // in words, with what to do
}

// String returns the finding as one line.
func (f *Finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Weight, f.Text)
}

// enoughChecks is how many checks of each kind a pattern should have.
const enoughChecks = 5

// Lint looks through a base: its faults, then every pattern by itself, then the
// checks, which are run.
func (b *Base) Lint(r game.Rules) []Finding {
	var out []Finding
	for _, f := range b.Faults {
		out = append(out, Finding{Fault, "", f.File, f.Line, strings.TrimPrefix(f.Error(), fmt.Sprintf("%s:%d: ", f.File, f.Line))})
	}
	for _, p := range b.Patterns {
		out = b.lintPattern(out, p)
	}
	set, err := Compile(b.Patterns, r)
	if err != nil {
		return append(out, Finding{Weight: Fault, Text: err.Error()})
	}
	out = set.lintCost(out, b.Checks)
	for _, c := range b.Checks {
		if why := set.Fails(c); why != "" {
			out = append(out, Finding{Fault, c.ID, c.File, c.Line, fmt.Sprintf("the check of %s fails: %s", c.ID, why)})
		}
	}
	return out
}

func (b *Base) lintPattern(out []Finding, p *Pattern) []Finding {
	warn := func(format string, args ...any) {
		out = append(out, Finding{Warning, p.ID, p.File, p.Line, p.ID + " " + fmt.Sprintf(format, args...)})
	}
	var lacks []string
	n := p.Names
	for i, name := range []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko, p.Vi} {
		if name == "" {
			lacks = append(lacks, []string{"English", "traditional Chinese", "simplified Chinese", "Japanese", "Korean", "Vietnamese"}[i])
		}
	}
	if len(lacks) > 0 {
		warn("has no name in %s: add it", strings.Join(lacks, ", "))
	}
	if p.Source == "" {
		warn("does not say where it is from: add source")
	}
	count := map[bool]int{}
	for _, c := range b.Checks {
		if c.ID == p.ID {
			count[c.Match]++
		}
	}
	if count[true] < enoughChecks || count[false] < enoughChecks {
		warn("has %d checks that match and %d that do not: write %d of each", count[true], count[false], enoughChecks)
	}
	for _, name := range p.AllNames() {
		for _, other := range b.Find(name) {
			if other != p && b.ids.Index(other.ID) < b.ids.Index(p.ID) {
				warn("is called %q like %s: choose another name for one of them", name, other.ID)
			}
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
func (s *Set) lintCost(out []Finding, checks []*Check) []Finding {
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
		weight, why := Warning, ""
		switch {
		case worst[i] > maxTrials:
			weight, why = Fault, fmt.Sprintf("%s tries more than %d ways to fill its roles on one board, and is then taken not to stand there", p.ID, maxTrials)
		case used[i] > slowTrials*boards:
			why = fmt.Sprintf("%s tries %d ways to fill its roles on a board", p.ID, used[i]/boards)
		}
		if why != "" {
			out = append(out, Finding{weight, p.ID, p.File, p.Line, why + ": say where its pieces stand, or put a condition that names few of them first"})
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
func (s *Set) Fails(c *Check) string {
	i := slices.IndexFunc(s.patterns, func(p *Pattern) bool { return p.ID == c.ID })
	if i < 0 {
		return "there is no pattern " + c.ID
	}
	v, err := c.View(s.rules)
	if err != nil {
		return err.Error()
	}
	sides, err := c.sides(s.rules)
	if err != nil {
		return err.Error()
	}
	stands, err := c.stands(s.patterns[i], s.rules.Geometry())
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
	for n, c := range p.wheres {
		q := *p
		q.wheres = slices.Delete(slices.Clone(p.wheres), n, n+1)
		t, err := Compile([]*Pattern{&q}, s.rules)
		if err != nil {
			return ""
		}
		for _, side := range sides {
			if _, ok := t.match(st, 0, side, nil); ok {
				return ", but would without: where " + writer{p}.condition(c, false)
			}
		}
	}
	return ""
}

func (c *Check) sides(r game.Rules) ([]game.Side, error) {
	if c.Side == "" {
		return []game.Side{game.First, game.Second}, nil
	}
	var names []string
	for i, s := range r.Info().Sides {
		if s.Name == c.Side {
			return []game.Side{game.Side(i)}, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("%q is no side: %s", c.Side, oneOf(c.Side, names))
}

// stands returns where the roles of a check stand; nil for none.
func (c *Check) stands(p *Pattern, g *board.Geometry) (map[int]uint8, error) {
	if len(c.Roles) == 0 {
		return nil, nil
	}
	stands := map[int]uint8{}
	for _, s := range c.Roles {
		role := slices.Index(append([]string{"k", "g"}, p.Roles()...), s.Role)
		if role < 0 {
			return nil, fmt.Errorf("%s has no role %q: %s", p.ID, s.Role, oneOf(s.Role, p.Roles()))
		}
		at, ok := g.Point(s.At)
		if !ok {
			return nil, fmt.Errorf("%q is no point of the board", s.At)
		}
		stands[role] = uint8(g.Size.Index(at))
	}
	return stands, nil
}

// View returns the position of the check, with its moves and its facts.
func (c *Check) View(r game.Rules) (*pattern.View, error) {
	p := r.Start()
	usual := p.Hash()
	if c.FEN != "" {
		setup, err := game.ParseSetup(r, c.FEN)
		if err != nil {
			return nil, err
		}
		if p, err = r.Arrange(setup); err != nil {
			return nil, err
		}
	}
	begins := p.Hash() == usual
	moves, err := game.ParseMoves(r, p, c.Moves)
	if err != nil {
		return nil, err
	}
	for range moves { // which reading them has played
		p.Undo()
	}
	return pattern.Replay(p, moves, begins)
}
