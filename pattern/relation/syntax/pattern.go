package syntax

import (
	"hash/fnv"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
)

// Version is that of the language. It changes when a definition comes to mean
// something else, so that what was kept of it is made anew.
const Version = 1

// Tongues is a set of languages.
type Tongues uint8

// The languages of names, in their order in a file.
const (
	English Tongues = 1 << iota
	Traditional
	Simplified
	Japanese
	Korean
	Vietnamese
)

// Pattern is one pattern. It is made by Parse and not changed afterwards.
type Pattern struct {
	ID      string // lower-case letters, digits and hyphens
	Game    string
	Board   *Board // of the game
	Kind    Kind
	Names   board.Names
	Vi      string  // the Vietnamese name
	Coined  Tongues // the names that are transliterations of ours
	Aliases []string
	Parent  string // the id of a wider pattern; may be empty
	Source  string
	Note    string

	File string // that it was read from, and the line there
	Line int

	only   Who // our and their: the first and the second side alone
	still  bool
	Lets   []Role // from FirstRole on
	Wheres []*Condition
}

// Sides returns the sides that can own the pattern.
func (p *Pattern) Sides() []game.Side {
	switch p.only {
	case Our:
		return []game.Side{game.First}
	case Their:
		return []game.Side{game.Second}
	}
	return []game.Side{game.First, game.Second}
}

// Mirrored tells whether the mirrored picture counts.
func (p *Pattern) Mirrored() bool { return !p.still }

// Roles returns the names of the roles, in their order.
func (p *Pattern) Roles() []string {
	list := make([]string, len(p.Lets))
	for i := range p.Lets {
		list[i] = p.Lets[i].Name
	}
	return list
}

// Print returns a hash of what the pattern means: its roles and conditions, its
// sides and whether it may be mirrored. Names and texts do not matter.
func (p *Pattern) Print() uint64 {
	h := fnv.New64a()
	h.Write([]byte{Version})
	h.Write([]byte(p.Definition()))
	return h.Sum64()
}

// AllNames returns the id and all names and aliases that there are.
func (p *Pattern) AllNames() []string {
	n := p.Names
	list := append([]string{p.ID, n.En, n.Hant, n.Hans, n.Ja, n.Ko, p.Vi}, p.Aliases...)
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// Check is a fixture: a position, and whether a pattern stands there.
type Check struct {
	ID    string // of the pattern
	Match bool
	FEN   string // the usual start if empty
	Moves string // played from there, parted by blanks
	Side  string // the name of the owner's side; either if empty
	Roles []Stand
	Why   string

	File string
	Line int
}

// Stand is a role of a check and where it stands, as the game writes it.
type Stand struct{ Role, At string }

// File is what one file of patterns holds, in its order.
type File struct {
	Patterns []*Pattern
	Checks   []*Check

	// Faults are what could not be read: the block that a fault lies in is left
	// out, all others are there, unless there are a thousand faults and more.
	Faults []*Error
}

// validID tells whether a text may be an id.
func validID(id string) bool {
	return id != "" && len(id) <= 80 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && id[0] != '-' && id[len(id)-1] != '-'
}
