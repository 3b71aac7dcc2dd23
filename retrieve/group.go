package retrieve

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
	"qipu/record/facts"
)

// Dimension is what the games of an answer are grouped by.
type Dimension uint8

// The dimensions.
const (
	NoGroups Dimension = iota
	ByYear
	ByPlayer // each game under both players
	ByEvent
	ByOpening
	ByCode
	ByPlace
	ByResult
	ByLength // of the game: in tens of moves
	ByCollection
	ByTag
)

var dimensionNames = [...]string{"", "year", "player", "event", "opening", "code", "place", "result", "length", "collection", "tag"}

// String returns the name of the dimension.
func (d Dimension) String() string { return dimensionNames[d] }

// Dimensions returns the names of all.
func Dimensions() []string { return dimensionNames[1:] }

// ParseDimension reads the name of a dimension.
func ParseDimension(name string) (Dimension, error) {
	if i := slices.Index(dimensionNames[:], name); i > 0 {
		return Dimension(i), nil
	}
	return 0, fmt.Errorf("retrieve: games are not grouped by %q: there are %s", name, strings.Join(Dimensions(), ", "))
}

// columns are those whose texts are the keys of a dimension.
func (d Dimension) columns() []query.Column {
	switch d {
	case ByPlayer:
		return []query.Column{query.FirstPlayer, query.SecondPlayer}
	case ByEvent:
		return []query.Column{query.Event}
	case ByOpening:
		return []query.Column{query.Opening}
	case ByCode:
		return []query.Column{query.Code}
	case ByPlace:
		return []query.Column{query.Place}
	}
	return nil
}

// Group is the games of an answer that have something in common.
type Group struct {
	Key string // empty where it is not known

	// Score counts games: sides as drawn, as in Answer, but of a result as they
	// were, and of a player its own wins are First.
	Score
	Hits int // occurrences
}

// Set is some games under a name, for grouping by collection or tag.
type Set struct {
	Name  string
	Games *roaring.Bitmap
}

// groups counts the games of each group.
type groups struct {
	by     Dimension
	sets   []Set
	person func(string) (key, name string) // or event; nil for names as they are written
	whose  map[string][2]string            // what it said, by spelling
	at     map[string]*group
}

// called returns who tells which person or event a spelling is, nil where nobody does.
func called(by Dimension, person, event func(string) (key, name string)) func(string) (key, name string) {
	switch by {
	case ByPlayer:
		return person
	case ByEvent:
		return event
	}
	return nil
}

// who returns the person of a spelling, who is asked for once.
func (g *groups) who(spelled string) (key, name string) {
	said, known := g.whose[spelled]
	if !known {
		said[0], said[1] = g.person(spelled)
		if g.whose == nil {
			g.whose = map[string][2]string{}
		}
		g.whose[spelled] = said
	}
	return said[0], said[1]
}

// group is a group with the names that its players have. Most have one.
type group struct {
	Group
	name  string         // the first one
	games int            // under that name
	names map[string]int // the others; nil where there is none
}

// call counts games under a name.
func (x *group) call(name string, games int) {
	switch {
	case x.games == 0 || x.name == name:
		x.name = name
		x.games += games
	case x.names == nil:
		x.names = map[string]int{name: games}
	default:
		x.names[name] += games
	}
}

// usual gives a group the name that most of its games have as its key: of equals the
// first in order.
func (x *group) usual() {
	if x.games == 0 {
		return
	}
	most := x.games
	x.Key = x.name
	for name, n := range x.names {
		if n > most || n == most && name < x.Key {
			most, x.Key = n, name
		}
	}
}

func (g *groups) add(row *Row) {
	if g.at == nil {
		g.at = map[string]*group{}
	}
	switch g.by {
	case NoGroups:
	case ByYear:
		g.count(yearOf(row.Day, row.last), row, row.Symmetry.Swap)
	case ByResult:
		g.count(row.Result.String(), row, false)
	case ByLength:
		g.count(lengthKey(int(row.plies)), row, row.Symmetry.Swap)
	case ByCollection, ByTag:
		for i := range g.sets {
			if g.sets[i].Games.Contains(row.Game) {
				g.count(g.sets[i].Name, row, row.Symmetry.Swap)
			}
		}
	case ByPlayer:
		for side, name := range row.keys {
			if g.person == nil || name == "" {
				g.count(name, row, side == 1)
				continue
			}
			key, name := g.who(name)
			g.count(key, row, side == 1).call(name, 1)
		}
	default:
		if g.person == nil || row.keys[0] == "" {
			g.count(row.keys[0], row, row.Symmetry.Swap)
			break
		}
		key, name := g.who(row.keys[0])
		g.count(key, row, row.Symmetry.Swap).call(name, 1)
	}
}

func (g *groups) count(key string, row *Row, swapped bool) *group {
	x := g.at[key]
	if x == nil {
		x = &group{Group: Group{Key: key}}
		g.at[key] = x
	}
	x.add(row.Result, row.Day, row.last, swapped)
	x.Hits += int(row.Occurrences)
	return x
}

// lengthKey returns the tens that a number of moves is in.
func lengthKey(plies int) string {
	low := plies / 10 * 10
	return fmt.Sprintf("%d..%d", low, low+9)
}

// yearOf returns the year that a game was played in, where it is known.
func yearOf(first, last int32) string {
	if first == 0 {
		return ""
	}
	a, b := facts.DayOf(int(first)).Year, facts.DayOf(int(last)).Year
	if a != b {
		return ""
	}
	return strconv.Itoa(a)
}

// list returns the groups: years and lengths in their order, others the largest
// first, what is unknown last.
func (g *groups) list() []Group {
	if g.by == NoGroups {
		return nil
	}
	sorted := make([]*group, 0, len(g.at))
	for _, x := range g.at {
		x.usual()
		sorted = append(sorted, x)
	}
	slices.SortFunc(sorted, func(x, y *group) int {
		if (x.Key == "") != (y.Key == "") {
			return strings.Compare(y.Key, x.Key)
		}
		switch g.by {
		case ByYear, ByLength:
			return cmp.Compare(leading(x.Key), leading(y.Key))
		}
		if x.Count != y.Count {
			return cmp.Compare(y.Count, x.Count)
		}
		return cmp.Compare(x.Key, y.Key)
	})
	list := make([]Group, len(sorted))
	for i, x := range sorted {
		list[i] = x.Group
	}
	return list
}

// leading returns the number that a key begins with.
func leading(key string) int {
	digits, _, _ := strings.Cut(key, ".")
	n, _ := strconv.Atoi(digits) // "" is 0
	return n
}

// whose tells which side of a game the player has whom a query names: its score
// is told from that side.
type whose struct {
	why   string
	sides [2]*index.Selection
}

// whoseOf returns the player whom all games of a query have, or nil where it
// names none or several.
func whoseOf(q query.Q) *whose {
	sides, n := playersOf(q)
	if n != 1 {
		return nil
	}
	w := &whose{}
	for i, fact := range sides {
		if fact != nil {
			w.sides[i], w.why = index.NewSelection(fact), fact.Why
		}
	}
	return w
}

// playersOf returns the conditions on the first and on the second player that a
// query has if it names one, and how many it names; 2 stands for more, and for
// what is not as simple.
func playersOf(q query.Q) (sides [2]*query.Fact, n int) {
	switch q := q.(type) {
	case *query.Fact:
		if q.Column <= query.SecondPlayer {
			sides[q.Column] = q
			return sides, 1
		}
	case query.And:
		for _, part := range q {
			s, k := playersOf(part)
			if k > 0 {
				sides = s
			}
			n += k
		}
	case query.Or:
		// One player on either side is asked for as one of two: with the result
		// that is a win there, perhaps.
		for i, part := range q {
			s, k := playersOf(part)
			if k > 1 || k == 1 && (n != i || clash(sides, s)) || k == 0 && n > 0 {
				return sides, 2
			}
			for side, fact := range s {
				if fact != nil {
					sides[side] = fact
				}
			}
			n += k
		}
		n = min(n, 1)
	}
	return sides, min(n, 2)
}

// clash reports whether conditions are on the same side, or on different texts.
func clash(x, y [2]*query.Fact) bool {
	for side := range x {
		if x[side] != nil && y[side] != nil {
			return true
		}
		if a, b := x[side], y[1-side]; a != nil && b != nil && a.Text != b.Text && !(slices.Equal(a.Text.Parts, b.Text.Parts) && maps.Equal(a.Text.Whole, b.Text.Whole)) {
			return true
		}
	}
	return false
}

// side returns 1 or 2 for the first or second side of a line, 0 for neither.
func (w *whose) side(c *index.Columns, i int) uint8 {
	for side, s := range w.sides {
		if s != nil && s.Match(c, i) {
			return uint8(side + 1)
		}
	}
	return 0
}
