package syntax

import (
	"fmt"
	"slices"
	"strings"
)

// Join returns a pattern that stands where all of some stand at once, for one owner. It is
// narrower than its parts seen apart: different roles are different pieces, in all of it,
// and either all of it is mirrored or nothing is. It has no names but the id. Parts of
// different games, or of which one can be had by one side only and one by the other, have
// none.
func Join(id string, parts ...*Pattern) (*Pattern, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("a pattern is joined of others: there are none")
	}
	whole := &Pattern{ID: id, Game: parts[0].Game, Board: parts[0].Board, Kind: parts[0].Kind, only: Either}
	var text strings.Builder
	for i, p := range parts {
		switch {
		case p.Game != whole.Game:
			return nil, fmt.Errorf("%s is a pattern of %s, and %s of %s: they cannot stand on one board", parts[0].ID, whole.Game, p.ID, p.Game)
		case p.only != Either && whole.only != Either && p.only != whole.only:
			return nil, fmt.Errorf("%s and %s are of different sides, always: no one side can have both", parts[0].ID, p.ID)
		case p.only != Either:
			whole.only = p.only
		}
		if p.Kind != whole.Kind { // what is no mate, and no opening, is how pieces stand
			whole.Kind = Structure
			if slices.ContainsFunc(parts, func(p *Pattern) bool { return p.Kind == Mate }) {
				whole.Kind = Mate
			}
		}
		whole.still = whole.still || p.still
		part := *p
		part.only, part.still = Either, false
		part.Lets = slices.Clone(p.Lets)
		for j := range part.Lets {
			part.Lets[j].Name += string(rune('a' + i)) // own names for each part's roles
		}
		text.WriteString(part.Definition())
	}
	block := string(whole.AppendTo(nil)) + text.String()
	f := Parse(id, []byte(block))
	if len(f.Faults) > 0 {
		return nil, f.Faults[0]
	}
	if len(f.Patterns) != 1 {
		return nil, fmt.Errorf("%q is no id of a pattern: lower-case letters, digits and hyphens", id)
	}
	return f.Patterns[0], nil
}
