package cleanup

import (
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"qipu/store"
)

// Kind is what a proposal is about.
type Kind string

// The kinds, in the order of lists.
const (
	Dates   Kind = "date"    // it cannot be, or the title tells one that is missing
	Colours Kind = "colours" // the title or the file names the sides the other way round
	Results Kind = "result"  // the title tells the result that is missing
	Garbled Kind = "text"    // read in the wrong encoding, or not readable
	Names   Kind = "name"    // missing or cut off, and the title has it
	Teams   Kind = "team"    // stands in front of the name of a player
	Events  Kind = "event"   // a title of the game stands where the event should be
)

// Kinds are all of them.
var Kinds = []Kind{Dates, Colours, Results, Garbled, Names, Teams, Events}

// Reason says what a proposal rests on.
type Reason string

// The reasons.
const (
	ByTitle    Reason = "title"    // the title of the game, which stands in the event
	ByFile     Reason = "file"     // the name of the file
	ByPlayers  Reason = "players"  // the other games of the players
	ByFuture   Reason = "future"   // it was played after it came into the library
	ByLibrary  Reason = "library"  // names and texts in other records
	ByEncoding Reason = "encoding" // the bytes are text in another encoding
	ByNothing  Reason = "nothing"  // the text has nothing that can be read
)

// Proposal is a correction that may be made in some games.
type Proposal struct {
	ID     string // of what it proposes: it stays when games come and go
	Kind   Kind
	Reason Reason
	Fields []string // headers that change, as facts.Fields has them
	Before string   // what they say now, of the first game
	After  string   // what they would say
	Spelt  int      // how many texts the games have there now
	Games  []uint32 // by rising number

	corrections []store.Correction
}

// Corrections are those that accepting it makes.
func (p *Proposal) Corrections() []store.Correction { return p.corrections }

// gatherer collects corrections into proposals.
type gatherer struct {
	byKey map[string]*Proposal
	list  []*Proposal
	spelt map[string]map[string]bool
}

// add proposes corrections of a game. Games with the same label are one proposal.
func (g *gatherer) add(game uint32, kind Kind, reason Reason, label, before, after string, list ...store.Correction) {
	key := string(kind) + "\x00" + string(reason) + "\x00" + label
	p := g.byKey[key]
	if p == nil {
		p = &Proposal{ID: fmt.Sprintf("%s-%012x", kind, xxh3.HashString(key)&(1<<48-1)), Kind: kind, Reason: reason, Before: before, After: after}
		g.byKey[key], g.list = p, append(g.list, p)
		g.spelt[key] = map[string]bool{}
	}
	for _, c := range list {
		if !slices.Contains(p.Fields, c.Field) {
			p.Fields = append(p.Fields, c.Field)
		}
		c.Game = game
		p.corrections = append(p.corrections, c)
	}
	g.spelt[key][before] = true
	p.Spelt = len(g.spelt[key])
	if n := len(p.Games); n == 0 || p.Games[n-1] != game {
		p.Games = append(p.Games, game)
	}
}

// set is a correction of a header.
func set(field, value string) store.Correction {
	return store.Correction{Field: field, Value: &value}
}
