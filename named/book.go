package named

import (
	"errors"
	"slices"
	"strings"

	"qipu/engine/endgame"
	"qipu/game"
	"qipu/interval"
	"qipu/opening"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/syntax"
	"qipu/text"
)

// Items is what has a name on the boards of one kind of game. It is immutable and
// safe for concurrent use.
type Items struct {
	rules  game.Rules
	items  []*Item
	byID   map[string]*Item
	byName map[string][]*Item // by folded names, of all kinds in their order

	set      *relation.Set // nil where the game has no patterns
	openings *opening.Names
	coded    bool // openings have codes
	markers  []interval.Marker
	tables   *endgame.Tables // nil where there are none of the game
}

// New returns the book of a kind of game: with the patterns of a base that are of
// this game, and the endings that tables know; nil for none. It takes some milliseconds.
func New(r game.Rules, base *syntax.Base, tables *endgame.Tables) (*Items, error) {
	b := &Items{rules: r, byID: map[string]*Item{}, byName: map[string][]*Item{}, openings: opening.Of(r)}
	if err := b.addPatterns(base); err != nil {
		return nil, err
	}
	b.addOpenings()
	b.addCodes()
	if err := b.addEndings(tables); err != nil {
		return nil, err
	}
	b.index()
	return b, nil
}

// usual tells whether the rules are those of a game on its usual board.
func usual(r game.Rules, name string) bool { return r.Info().Name == name && r.Info().Variant == "" }

// addPatterns adds the relational patterns of the game.
func (b *Items) addPatterns(base *syntax.Base) error {
	var list []*syntax.Pattern
	for _, p := range base.Patterns {
		if usual(b.rules, p.Game) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	var err error
	if b.set, err = relation.Compile(list, b.rules); err != nil {
		return err
	}
	b.markers = append(b.markers, relation.NewMarker(b.set))
	for i, p := range list {
		it := &Item{
			ID: p.ID, Kind: Kind(p.Kind), Names: p.Names, Vi: p.Vi, Aliases: p.Aliases, Note: p.Note, Source: p.Source, Parent: p.Parent,
			columns: []int{i},
		}
		it.find = b.marked(it)
		titles := it.Titles()
		for j, tag := range Tags() { // in the order of relation.Tongues
			if p.Coined>>j&1 != 0 && titles[j] != "" {
				it.Coined = append(it.Coined, tag)
			}
		}
		b.items = append(b.items, it)
	}
	return nil
}

// index makes names findable.
func (b *Items) index() {
	order := map[Kind]int{}
	for i, k := range Kinds() {
		order[k] = i
	}
	slices.SortStableFunc(b.items, func(x, y *Item) int { return order[x.Kind] - order[y.Kind] })
	for _, it := range b.items {
		if b.byID[it.ID] == nil {
			b.byID[it.ID] = it
		}
		for _, name := range it.Words() {
			// Names of openings may have parts: "Aubrey / Tanaka".
			for _, s := range append(strings.Split(name, " / "), name) {
				if key := text.Fold(s); key != "" && !slices.Contains(b.byName[key], it) {
					b.byName[key] = append(b.byName[key], it)
				}
			}
		}
	}
}

// Markers returns who tells in lines of games what has a name, for columns of an
// index. It is empty where names are found by boards alone.
func (b *Items) Markers() []interval.Marker { return b.markers }

// Marked tells whether an item is found by a marker, and not by a board.
func (it *Item) Marked() bool { return it.columns != nil }

// Owned tells whether an item is always that of one side, which can be asked for.
func (it *Item) Owned() bool { return it.Marked() && it.Kind != Code && it.ID != DrawnEnding }

// Columns returns the marker of a marked item, by its number among Markers, and its
// columns there.
func (it *Item) Columns() (marker int, columns []int) { return it.marker, it.columns }

// Matches returns how a relational pattern stands on a board, by its id: at most once
// for each side.
func (b *Items) Matches(id string, v *pattern.View) []pattern.Match {
	if b.set == nil {
		return nil
	}
	return slices.DeleteFunc(b.set.AppendMatches(nil, v), func(m pattern.Match) bool { return m.ID != id })
}

// At returns what stands on a board after moves: mates and endings, then openings, codes
// and structures. The moves begin at a position, or at the usual start where that is nil;
// they are played on it and taken back.
func (b *Items) At(start game.Position, moves []game.Move) ([]Hit, error) {
	p, usual := start, false
	if p == nil {
		p, usual = b.rules.Start(), true
	} else {
		usual = p.Hash() == b.rules.Start().Hash()
	}
	v, err := pattern.Replay(p, moves, usual)
	if errors.Is(err, pattern.ErrNoBoard) {
		return nil, nil // what has a name is made of pieces on points
	}
	if err != nil {
		return nil, err
	}
	var hits []Hit
	if b.set != nil {
		for _, m := range b.set.AppendMatches(nil, v) {
			hits = append(hits, Hit{Item: b.byID[m.ID], Side: int(m.Side), Roles: m.Roles})
		}
	}
	if usual {
		hits = b.appendOpenings(hits, v, moves)
		hits = b.appendCode(hits, moves)
	}
	if r, ok := b.rules.(game.Manned); ok && b.tables != nil {
		ending, side := endgame.Name(r, p)
		if it := b.byID[ending]; it != nil {
			hits = append(hits, Hit{Item: it, Side: int(side)})
		}
	}
	for range moves {
		p.Undo()
	}
	order := []Kind{Mate, Ending, Opening, Code, Structure} // structures are many, and say least
	slices.SortStableFunc(hits, func(x, y Hit) int { return slices.Index(order, x.Kind) - slices.Index(order, y.Kind) })
	return hits, nil
}

// Mates returns what players call the mate that a line ends with, 馬後炮 (Cannon behind horse);
// empty where it has no name. The line is played on the board and taken back.
func (b *Items) Mates(start game.Position, line []game.Move) string {
	hits, err := b.At(start, line)
	if err != nil || len(hits) == 0 || hits[0].Kind != Mate {
		return ""
	}
	if n := hits[0].Names; n.Hant != "" && n.Hant != n.En {
		return strings.TrimSuffix(n.Hant, "~") + " (" + n.En + ")"
	}
	return hits[0].Names.En
}
