package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/interval"
	"qipu/query"
	"qipu/text"
)

// Names knows what the names in queries stand for. A name that it does not know
// is an error that says so.
type Names interface {
	Collection(name string) (*roaring.Bitmap, error)
	Tag(name string) (*roaring.Bitmap, error)

	// Added returns the games that came into the library on a day or in a span of days,
	// given as ordinals, the last one included. Change returns those that an entry of the
	// journal was about.
	Added(first, last int64) (*roaring.Bitmap, error)
	Change(number int64) (*roaring.Bitmap, error)

	// Here returns the games that were played in this program.
	Here() (*roaring.Bitmap, error)

	// Comment returns the games with a folded text in their comments.
	Comment(folded string) (*roaring.Bitmap, error)

	// Named returns the tree of a saved query or of a named pattern, not bound.
	Named(name string) (query.Q, error)

	// Term returns the tree that asks for texts in which a word of the game stands,
	// not bound.
	Term(word string) (query.Q, error)

	// Player returns the names of players that a text means, as it was written:
	// other spellings and scripts too. With whole, the text is all of a name, and
	// they are the spellings of that very person. Nil is every name that contains
	// the text, or with whole that is the text.
	Player(text string, whole bool) (*query.Texts, error)

	// Event returns the names of events, folded, that are known to be those of one
	// with a name that contains a folded text, or with whole is it; nil for none.
	Event(folded string, whole bool) (map[string]struct{}, error)
}

// Binder replaces the leaves of queries by what they mean on one kind of board
// in one library. It is not changed by its methods.
type Binder struct {
	Rules game.Rules
	Names Names // nil: the query has no names

	// Games are all games there are. Without them a game that is not known is
	// taken for another one.
	Games game.Catalog

	// Text is what the tree was parsed from, so that errors show the place. It
	// may be empty.
	Text string

	// OnDiagram is told what each board means: a *Shape or a *Fuzzy. Boards of
	// names are told as well, at the place of the name. It may be nil.
	OnDiagram func(d query.Diagram, bound query.Q)
}

// The bounds of a bound query: named queries that name others may grow to any
// size.
const (
	maxBound  = 20 * query.MaxLeaves
	maxNested = 20 // names in names
)

// binding is the work of one Bind.
type binding struct {
	*Binder
	from    map[int]string // the names that stand in the text, by place
	leaves  int
	players map[asked]*query.Texts
}

// asked is a text that stands for players.
type asked struct {
	text  string
	whole bool
}

// Bind returns the tree with every Field, Diagram, Number and Named replaced by
// what it means. Errors are of type *Error; those of Names are wrapped.
func (b *Binder) Bind(q query.Q) (query.Q, error) {
	x := &binding{Binder: b, from: map[int]string{}, players: map[asked]*query.Texts{}}
	q, err := x.expand(q, nil)
	if err != nil {
		return nil, err
	}
	return x.bind(q, nil)
}

// expand returns the tree with every Named replaced by the tree it stands for,
// all of whose leaves stand where the name does.
func (x *binding) expand(q query.Q, around []string) (query.Q, error) {
	return query.Map(q, func(q query.Q) (query.Q, error) {
		if x.leaves++; x.leaves > maxBound {
			return nil, x.fail(at(q), "the names in the query stand for too much: at most "+fmt.Sprint(maxBound)+" conditions", "ask for less at once", nil)
		}
		n, ok := q.(query.Named)
		if !ok {
			return q, nil
		}
		key := text.Fold(n.Name)
		switch {
		case slices.Contains(around, key):
			return nil, x.fail(n.At, fmt.Sprintf("%q is named inside itself", n.Name), "change the saved query", nil)
		case len(around) >= maxNested:
			return nil, x.fail(n.At, fmt.Sprintf("names in names are at most %d deep", maxNested), "change the saved queries", nil)
		case x.Names == nil:
			return nil, x.fail(n.At, "names are known in a library alone", "open one", nil)
		}
		inner, err := x.Names.Named(n.Name)
		if err != nil {
			return nil, x.fail(n.At, cause(err), "", err)
		}
		if n.Side != "" {
			return some(x.owned(n, inner))
		}
		if len(around) == 0 {
			x.from[n.At] = n.Name
		}
		if inner, err = query.Map(inner, func(q query.Q) (query.Q, error) { q, _ = query.Moved(q, n.At); return q, nil }); err != nil {
			return nil, err
		}
		return x.expand(inner, append(slices.Clone(around), key))
	})
}

// owned returns what a name stands for where it is of the side that is asked for.
func (x *binding) owned(n query.Named, inner query.Q) (*query.Mark, error) {
	m, ok := inner.(*query.Mark)
	if _, any := x.Names.(anyNames); any {
		m, ok = &query.Mark{Name: n.Name}, true
	}
	if !ok || m.Shared {
		return nil, x.fail(n.At, fmt.Sprintf("%q belongs to no side", n.Name), "only patterns of pieces do, as in named.red:馬後炮: write "+query.Named{Name: n.Name}.String(), nil)
	}
	side, err := x.side(n.Side, query.Field{At: n.At})
	if err != nil {
		return nil, err
	}
	own := *m
	own.Of = interval.FirstSide + interval.Owner(side)
	return &own, nil
}

// at returns the place of a leaf.
func at(q query.Q) int {
	_, was := query.Moved(q, 0)
	return was
}

// cause returns the text of an error without the name of its package, for the
// place is shown beside it.
func cause(err error) string {
	text := err.Error()
	for {
		head, rest, ok := strings.Cut(text, ": ")
		if !ok || strings.Trim(head, "abcdefghijklmnopqrstuvwxyz") != "" {
			return text
		}
		text = rest
	}
}

// fail returns an error about the leaf at a place.
func (x *binding) fail(at int, message, hint string, err error) *query.Error {
	leaf := query.SourceOf(x.Text, at).Leaf
	return x.failAt(at, leaf.To-leaf.From, message, hint, err)
}

func (x *binding) failAt(at, length int, message, hint string, err error) *query.Error {
	if name, ok := x.from[at]; ok {
		message = "in " + query.Named{Name: name}.String() + ": " + message
	}
	e := query.NewError(x.Text, at, length, message, hint)
	e.Err = err
	return e
}

// failValue returns an error about the value of the field at a place.
func (x *binding) failValue(f query.Field, message, hint string, err error) *query.Error {
	if v := query.SourceOf(x.Text, f.At).Value; v != (query.Span{}) && x.from[f.At] == "" {
		return x.failAt(v.From, v.To-v.From, message, hint, err)
	}
	return x.fail(f.At, message, hint, err)
}

// party is the player that a conjunction names: the conditions that the player
// moves first, and second.
type party struct{ first, second query.Q }

// bind replaces the leaves of a tree. The party is that of the conjunction
// around it, or nil.
func (x *binding) bind(q query.Q, p *party) (query.Q, error) {
	switch node := q.(type) {
	case query.And:
		return x.conjunction(node, p)
	case query.When, query.Then, query.For, query.First, query.Last:
		if err := x.unlike(node); err != nil {
			return nil, err
		}
	}
	bound, err := query.MapParts(q, func(part query.Q) (query.Q, error) { return x.bind(part, p) }, func(leaf query.Q) (query.Q, error) { return x.leaf(leaf, p) })
	if then, ok := bound.(query.Then); ok && err == nil && then.Here {
		if why := here(then.A, then.B); why != "" {
			return nil, x.fail(firstAt(q.(query.Then).B), why, `"then here" stands between two boards of one size that lie alike; leave out "here" for any others`, nil)
		}
	}
	return bound, err
}

// leaf binds a leaf.
func (x *binding) leaf(q query.Q, p *party) (query.Q, error) {
	switch q := q.(type) {
	case query.Field:
		return x.field(q, p)
	case query.Diagram:
		bound, err := x.board(q)
		if err == nil && x.OnDiagram != nil {
			x.OnDiagram(q, bound)
		}
		return bound, err
	case query.Number:
		return x.number(q)
	}
	return q, nil
}

func (x *binding) board(d query.Diagram) (query.Q, error) {
	if d.Word == "fuzzy" {
		return some(x.fuzzy(d))
	}
	return some(x.shape(d))
}

// some returns a node that may have failed; a nil pointer is no node.
func some[N query.Q](node N, err error) (query.Q, error) {
	if err != nil {
		return nil, err
	}
	return node, nil
}

// unlike refuses likeness in a node about time: it is the best of a game, and
// not true of moments.
func (x *binding) unlike(q query.Q) (err error) {
	query.Walk(q, func(q query.Q) bool {
		if d, ok := q.(query.Diagram); ok && d.Word == "fuzzy" && err == nil {
			err = x.fail(d.At, "likeness is asked of games, and not of moments", "take fuzzy out of when, then, for, first and last, or write board", nil)
		}
		return err == nil
	})
	return err
}

// firstAt returns the place of the first leaf of a tree.
func firstAt(q query.Q) (first int) {
	found := false
	query.Walk(q, func(q query.Q) bool {
		switch q.(type) {
		case query.Field, query.Diagram, query.Number, query.Named:
			if !found {
				first, found = at(q), true
			}
		}
		return !found
	})
	return first
}

// here tells why two nodes cannot be in the same place and picture, or "".
func here(a, b query.Q) string {
	s, ok1 := a.(*query.Shape)
	t, ok2 := b.(*query.Shape)
	if !ok1 || !ok2 {
		return "only boards can lie in the same place"
	}
	p, q := s.Pattern, t.Pattern
	switch {
	case p.Size != q.Size:
		return fmt.Sprintf("a board of %v cannot lie where one of %v does", q.Size, p.Size)
	case p.Anchor != q.Anchor || p.Edges != q.Edges || p.At != q.At:
		return "the two boards lie in different places"
	case p.Mirror != q.Mirror || p.Swap != q.Swap:
		return "the two boards are found in different pictures"
	}
	return ""
}

// conjunction binds a conjunction. Where it names a player, that is the one
// whose wins and losses are meant in it.
func (x *binding) conjunction(q query.And, p *party) (query.Q, error) {
	named := -1
	if mine, which := x.named(q); mine != nil && asksOutcome(q) {
		cond, err := x.party(mine)
		if err != nil {
			return nil, err
		}
		p, named = cond, which
	}
	// A win of the player says already that the player has played.
	drop := named >= 0 && slices.ContainsFunc(q, func(part query.Q) bool {
		f, ok := part.(query.Field)
		return ok && outcome(f) != ""
	})
	out := make(query.And, 0, len(q))
	for i := range q {
		if drop && i == named {
			continue
		}
		part, err := x.bind(q[i], p)
		if err != nil {
			return nil, err
		}
		out = append(out, part)
	}
	return out, nil
}

// outcome returns "win" or "loss" for a field that asks for it, else "".
func outcome(f query.Field) string {
	if word := resultWord(f.Value); f.Name == "result" && (word == "win" || word == "loss") {
		return word
	}
	return ""
}

// asksOutcome reports whether a win or a loss is asked for in a tree.
func asksOutcome(q query.Q) bool {
	return query.Some(q, func(q query.Q) bool {
		f, ok := q.(query.Field)
		return ok && outcome(f) != ""
	})
}

// named returns the first part of a conjunction that names a player, or one of
// several, and its number; -1 if it stands in a conjunction inside.
func (x *binding) named(q query.And) (query.Q, int) {
	for i, part := range q {
		if inner, ok := part.(query.And); ok {
			if found, _ := x.named(inner); found != nil {
				return found, -1
			}
			continue
		}
		if naming(part) {
			return part, i
		}
	}
	return nil, -1
}

// naming reports whether a node names players and nothing else.
func naming(q query.Q) bool {
	switch q := q.(type) {
	case query.Field:
		return q.Name == "player" || slices.Contains(query.SideWords, q.Name)
	case query.Or:
		return len(q) > 0 && !slices.ContainsFunc(q, func(p query.Q) bool { return !naming(p) })
	}
	return false
}

// party returns what a node that names players says of either side.
func (x *binding) party(q query.Q) (*party, error) {
	if list, ok := q.(query.Or); ok {
		var first, second query.Or
		for _, part := range list {
			p, err := x.party(part)
			if err != nil {
				return nil, err
			}
			first, second = append(first, p.first), append(second, p.second)
		}
		return &party{query.Simplify(first), query.Simplify(second)}, nil
	}
	f := q.(query.Field)
	texts, err := x.playerTexts(f)
	if err != nil {
		return nil, err
	}
	p := &party{x.fact(query.FirstPlayer, f, texts), x.fact(query.SecondPlayer, f, texts)}
	if f.Name != "player" {
		side, err := x.side(f.Name, f)
		if err != nil {
			return nil, err
		}
		if side == game.First {
			p.second = query.Const(false)
		} else {
			p.first = query.Const(false)
		}
	}
	return p, nil
}

// side returns the side that a word means in this game.
func (x *binding) side(word string, f query.Field) (game.Side, error) {
	side, ok := sideOf(x.Rules, word)
	if !ok {
		info := x.Rules.Info()
		var names []string
		for _, s := range info.Sides {
			names = append(names, s.Name)
		}
		hint := fmt.Sprintf("the sides of %s are %s, or first and second", info.Titles.En, strings.Join(names, " and "))
		cause := error(nil)
		if known, ok := query.FieldOf(word); ok && slices.Contains(query.SideWords, known.Name) {
			cause = ErrOtherGame
		}
		return 0, x.fail(f.At, fmt.Sprintf("%s has no side %q", info.Titles.En, word), hint, cause)
	}
	return side, nil
}

// sideOf returns the side of a game that a word of any language means: its name,
// or first and second.
func sideOf(r game.Rules, word string) (game.Side, bool) {
	if f, ok := query.FieldOf(word); ok {
		word = f.Name
	}
	switch strings.ToLower(word) {
	case "first":
		return game.First, true
	case "second":
		return game.Second, true
	}
	for i, s := range r.Info().Sides {
		t := s.Titles
		for _, name := range []string{s.Name, t.En, t.Hant, t.Hans, t.Ja, t.Ko} {
			if strings.EqualFold(name, word) {
				return game.Side(i), true
			}
		}
	}
	return 0, false
}

// errNoNames tells that a query asks for something that a library keeps.
var errNoNames = errors.New("names are known in a library alone: open one")

// ErrOtherGame is wrapped by the errors for what another game may have but this
// one does not: a side, a piece, a part of the board. Who searches several games
// takes such a query for one that no game of this kind answers.
var ErrOtherGame = errors.New("not of this game")
