package players

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"qipu/index"
	"qipu/query"
	"qipu/retrieve"
	"qipu/text"
)

// Person is a player of a library: everybody whom the book of players takes for
// one.
type Person struct {
	Key       string // as in Book
	Name      string // that they are listed under
	Spellings []Spelling
	Games     int            // in which they play, on either side; one against oneself counts twice
	Sides     [2]int         // games of each side
	Kinds     []KindGames    // games of each kind, the most first
	Score     retrieve.Score // First are the person's wins
}

// KindGames counts games of a kind.
type KindGames struct {
	Kind  *index.Kind
	Games int
}

// Spelling is a name as records have it.
type Spelling struct {
	Name  string
	Games int
}

// Register is all players of a library, with their scores. It is not changed
// once it is made, and safe for concurrent use.
type Register struct {
	Book    *Identities
	none    error // nobody is called so
	persons map[string]*Person
	roll    *Roll
}

// Register returns the players of a game, as in "go" or "go:9x9", or of all
// games where that is empty. It is kept until the library changes. Making it
// costs a pass over the names and the results of all games: some ten
// milliseconds for a hundred thousand.
func (d *Directory) Register(ctx context.Context, spec string) (*Register, error) {
	kinds, err := d.kindsOf(ctx, spec)
	if err != nil {
		return nil, err
	}
	version, err := d.library.Version(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return d.registers.Get(ctx, strings.Join(names, "\n"), version, func() (*Register, error) { return d.newRegister(ctx, kinds) })
}

func (d *Directory) newRegister(ctx context.Context, kinds []*index.Kind) (*Register, error) {
	r := &Register{none: d.of.none, persons: map[string]*Person{}}
	var err error
	if r.Book, err = d.Book(ctx); err != nil {
		return nil, err
	}
	folded := map[string]string{} // by name
	err = d.library.View(ctx, func(v index.View) error {
		clear(r.persons) // of a view that turned out to be damaged
		for side, col := range d.of.columns {
			for _, k := range kinds {
				for name, err := range v.Names(ctx, k, col) {
					if err != nil {
						return err
					}
					if name.Text != "" {
						r.add(name, k, side)
						folded[name.Text] = name.Folded
					}
				}
			}
		}
		by := []retrieve.Dimension{d.of.by}
		groups, err := retrieve.Facets(ctx, v, &retrieve.FacetsRequest{Kinds: kinds, By: by, Person: r.Who, Event: r.Who})
		if err != nil {
			return err
		}
		for _, g := range groups[0] {
			if p := r.persons[g.Key]; p != nil {
				p.Score = g.Score
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range r.persons {
		p.Spellings = joined(p.Spellings)
		slices.SortStableFunc(p.Kinds, func(x, y KindGames) int { return y.Games - x.Games })
		p.Name = r.Book.Canonical(p.Spellings[0].Name)
	}
	r.roll = NewRoll(func(yield func(name, folded string) bool) {
		for _, name := range slices.Sorted(maps.Keys(folded)) {
			if !yield(name, folded[name]) {
				return
			}
		}
	})
	return r, nil
}

// joined returns spellings of which each comes once, those of the most games first.
// They came once for each side and kind of game. A person may have very many.
func joined(list []Spelling) []Spelling {
	slices.SortFunc(list, func(x, y Spelling) int { return cmp.Compare(x.Name, y.Name) })
	n := 0
	for _, s := range list {
		if n > 0 && list[n-1].Name == s.Name {
			list[n-1].Games += s.Games
			continue
		}
		list[n] = s
		n++
	}
	list = slices.Clip(list[:n])
	slices.SortStableFunc(list, func(x, y Spelling) int { return cmp.Compare(y.Games, x.Games) })
	return list
}

// kindsOf returns the kinds of game that a spec means, of which there are games:
// without a size all sizes, and all games where it is empty.
func (d *Directory) kindsOf(ctx context.Context, spec string) (kinds []*index.Kind, err error) {
	tally, err := d.library.Tally(ctx)
	if err != nil {
		return nil, err
	}
	meant := func(*index.Kind) bool { return true }
	if spec != "" {
		rules, err := d.library.Rules().Find(spec)
		if err != nil {
			return nil, err
		}
		sized := strings.Contains(spec, ":")
		meant = func(k *index.Kind) bool {
			return k.Rules.Info().Name == rules.Info().Name && (!sized || k.Board.Size == rules.Geometry().Size)
		}
	}
	for _, t := range tally {
		if meant(t.Kind) {
			kinds = append(kinds, t.Kind)
		}
	}
	return kinds, nil
}

// Who returns the key of a person for a spelling, which is its name too.
func (r *Register) Who(spelled string) (key, name string) {
	key = r.Book.Key(spelled)
	return key, key
}

func (r *Register) add(name index.Name, kind *index.Kind, side int) {
	key := r.Book.Key(name.Text)
	p := r.persons[key]
	if p == nil {
		p = &Person{Key: key}
		r.persons[key] = p
	}
	p.Spellings = append(p.Spellings, Spelling{Name: name.Text, Games: name.Games})
	i := slices.IndexFunc(p.Kinds, func(k KindGames) bool { return k.Kind == kind })
	if i < 0 {
		i = len(p.Kinds)
		p.Kinds = append(p.Kinds, KindGames{Kind: kind})
	}
	p.Kinds[i].Games += name.Games
	p.Games += name.Games
	p.Sides[side] += name.Games
}

// All returns all persons, those with the most games first.
func (r *Register) All() []*Person {
	return slices.SortedFunc(maps.Values(r.persons), func(x, y *Person) int {
		return cmp.Or(cmp.Compare(y.Games, x.Games), cmp.Compare(x.Name, y.Name))
	})
}

// Person returns the person whose name, or key, is given; nil where there is
// none.
func (r *Register) Person(name string) *Person {
	if p := r.persons[name]; p != nil {
		return p
	}
	return r.persons[r.Book.Key(name)]
}

// Find returns the persons that a text may mean, the best first: in another
// spelling or script, or by the sound of the name.
func (r *Register) Find(text string) (list []*Person) {
	if p := r.Person(text); p != nil {
		list = append(list, p)
	}
	names := r.Book.FindIn(r.roll, text)
	if len(names) == 0 {
		names = r.Book.Sounding(r.roll, text)
	}
	had := map[*Person]bool{}
	for _, p := range list {
		had[p] = true
	}
	for _, name := range names {
		if p := r.persons[r.Book.Key(name)]; !had[p] {
			had[p] = true
			list = append(list, p)
		}
	}
	return list
}

// Nearest returns up to so many names of the library that are written almost as
// a given one.
func (r *Register) Nearest(name string, n int) []string {
	return text.Nearest(name, slices.Values(r.roll.Names()), n)
}

// One returns the person that a name means. The error wraps ErrNoPlayer, or
// names those who may be meant.
func (r *Register) One(name string) (*Person, error) {
	if p := r.Person(name); p != nil {
		return p, nil
	}
	switch list := r.Find(name); len(list) {
	case 0:
		hint := ""
		if near := r.Nearest(name, 3); len(near) > 0 {
			hint = ": is it " + strings.Join(near, " or ") + "?"
		}
		return nil, fmt.Errorf("qipu: %q: %w%s", name, r.none, hint)
	case 1:
		return list[0], nil
	default:
		return nil, &SeveralPlayersError{name, list}
	}
}

// SeveralPlayersError tells that a name may mean several players.
type SeveralPlayersError struct {
	Name    string
	Persons []*Person
}

func (e *SeveralPlayersError) Error() string {
	const most = 5
	var names []string
	for _, p := range e.Persons[:min(len(e.Persons), most)] {
		names = append(names, fmt.Sprintf("%q", p.Name))
	}
	if more := len(e.Persons) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%q may mean %s: give the whole name", e.Name, strings.Join(names, ", "))
}

// Query returns a query for the games of a person, under exactly the names that
// are theirs.
func (p *Person) Query() query.Q {
	names := &query.Texts{Whole: map[string]struct{}{}}
	for _, s := range p.Spellings {
		names.Whole[text.Fold(s.Name)] = struct{}{}
	}
	why := query.Field{Name: "player", Value: p.Name}.String()
	return query.Or{&query.Fact{Column: query.FirstPlayer, Text: names, Why: why}, &query.Fact{Column: query.SecondPlayer, Text: names, Why: why}}
}
