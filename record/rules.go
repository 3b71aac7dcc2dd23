package record

import (
	"fmt"

	"qipu/game"
	"qipu/record/facts"
)

// Referee finds the rules of records and plays them. It remembers the rules it
// has made and is not safe for concurrent use; each worker has its own.
type Referee struct {
	// Trace fills in Played.Changes, which an index is made of. It is off unless
	// asked for: a record of Go takes about a tenth longer with it, one of
	// Xiangqi a quarter, one of Othello half as long again.
	Trace bool

	games game.Catalog
	rules map[variant]game.Rules
	kept  map[game.Rules]*keptStart
	trace tracer
}

// SidesOf returns the sides of a game as results name them. Of rules that are
// not known, nil, nothing is told.
func SidesOf(r game.Rules) facts.Sides {
	if r == nil {
		return facts.Sides{}
	}
	info := r.Info()
	return facts.Sides{First: info.Sides[game.First].Name, Second: info.Sides[game.Second].Name, Discs: info.Discs}
}

type variant struct{ kind, spec string }

// NewReferee returns a referee for these games.
func NewReferee(games game.Catalog) *Referee {
	return &Referee{games: games, rules: map[variant]game.Rules{}, kept: map[game.Rules]*keptStart{}}
}

// Rules returns the rules that a record is played by: its game and variant.
// The rule set of its headers counts only where it allows more than the plain
// rules (suicide in Go), since players' rules are known from hearsay only.
func (r *Referee) Rules(g *Game) (game.Rules, error) {
	key := variant{g.Kind, g.Variant}
	if s := g.Facts.Ruleset; s == "new-zealand" || s == "tromp-taylor" {
		if key.spec != "" {
			key.spec += ","
		}
		key.spec += s
	}
	if rules, ok := r.rules[key]; ok {
		return rules, nil
	}
	if g.Kind == "" {
		return nil, fmt.Errorf("the record does not say which game it is")
	}
	name := key.kind
	if key.spec != "" {
		name += ":" + key.spec
	}
	rules, err := r.games.Find(name)
	if err != nil {
		return nil, err
	}
	r.rules[key] = rules
	return rules, nil
}

// Play plays a record by its rules; see Play. A record of an unknown game gets
// a fault and is not played.
func (r *Referee) Play(g *Game) *Played {
	before := len(g.Faults)
	defer func() { g.foundAgain(before) }()
	rules, err := r.Rules(g)
	if err != nil {
		g.Fault(Marked, KindUnknown, 0, "%v", err)
		return &Played{Game: g, Unplayed: g.Moves()}
	}
	b := newBoardman(rules, g)
	b.kept = r.kept[rules]
	if r.Trace {
		b.trace = &r.trace
	}
	p := b.run()
	if b.kept != nil && b.kept.takeBack(b) {
		r.kept[rules] = b.kept
	} else {
		delete(r.kept, rules)
	}
	return p
}
