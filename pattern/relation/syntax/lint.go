package syntax

import (
	"fmt"
	"strings"
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

// Lint looks through a base: its faults, then every pattern by itself.
func (b *Base) Lint() (out []Finding) {
	for _, f := range b.Faults {
		out = append(out, Finding{Fault, "", f.File, f.Line, strings.TrimPrefix(f.Error(), fmt.Sprintf("%s:%d: ", f.File, f.Line))})
	}
	for _, p := range b.Patterns {
		out = b.lint(out, p)
	}
	return out
}

func (b *Base) lint(out []Finding, p *Pattern) []Finding {
	warn := func(format string, args ...any) {
		out = append(out, Finding{Warning, p.ID, p.File, p.Line, p.ID + " " + fmt.Sprintf(format, args...)})
	}
	var lacks []string
	n := p.Names
	for i, name := range []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko, p.Vi} {
		if name == "" && p.Board.Wanted&(English<<i) != 0 {
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
			if other != p && other.Game == p.Game && b.ids.Index(other.ID) < b.ids.Index(p.ID) {
				warn("is called %q like %s: choose another name for one of them", name, other.ID)
			}
		}
	}
	return out
}
