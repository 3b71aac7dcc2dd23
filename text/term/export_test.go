package term

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Game returns the name of the game.
func (d *Dict) Game() string { return d.game }

// Len returns the number of terms.
func (d *Dict) Len() int { return len(d.terms) }

// Missed returns by how much counts of candidates may fall short because runs
// were forgotten; 0 where none was.
func (m *Miner) Missed() int { return m.missed }

// Uses returns the terms that were met, the most frequent first.
func (m *Miner) Uses() []Use {
	list := make([]Use, 0, len(m.uses))
	for t, u := range m.uses {
		list = append(list, Use{t, u.count, u.games})
	}
	slices.SortFunc(list, func(a, b Use) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Term.ID, b.Term.ID))
	})
	return list
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

func (c Class) String() string {
	return [...]string{"mark", "known", "link", "phrase", "unknown"}[c]
}

func (s Side) String() string { return [...]string{"", "first", "second", "both"}[s] }
