package players

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"qipu/record/caption"
	"qipu/text"
)

//go:embed known.txt
var knownText string

// Operations of an [Edit]. Others are passed over, so that an older program can
// use the edits of a newer one.
const (
	// Merge makes one person of all persons that Names and Into are names of,
	// listed under Into, or under what the first of them was listed under.
	Merge = "merge"
	// Split takes Names from their persons and makes them a person of their
	// own, listed under Into or the first of them. Into is not used where it is
	// a name of somebody else.
	Split = "split"
	// Rename lists the person that the first of Names is a name of under Into.
	// Nothing happens where Into is a name of somebody else.
	Rename = "rename"
)

// Edit is something that the user says about names.
type Edit struct {
	ID     int64
	Op     string
	Names  []string
	Into   string
	Undone bool // it counts as if it were not there
	When   time.Time
}

// Identities says which names are one person. It is not changed once it is made and
// may be used by several goroutines at once.
type Identities struct {
	persons map[string]*person // by folded name
	plain   bool               // no team stands before a name

	once  sync.Once
	aural []heard // all names, made when they are first looked through
}

// heard is a name of a person in the forms that queries are held against.
type heard struct {
	person *person
	folded string
	sound  text.Sound
}

// person is one person. Its names are in the order in which they came, no two
// of them the same when folded.
type person struct {
	listed string // the name it is listed under
	names  []string
	games  []string
}

// wellKnown returns the book of the well-known players.
func wellKnown() *Identities {
	b := &Identities{persons: make(map[string]*person, 2048)}
	for _, k := range known() {
		p := &person{listed: k.listed, names: slices.Clone(k.names), games: k.games}
		for _, f := range k.folded {
			b.persons[f] = p
		}
	}
	return b
}

// entry is a line of known.txt.
type entry struct {
	listed string
	names  []string
	folded []string
	games  []string
}

// known reads known.txt once.
var known = sync.OnceValue(func() []entry {
	var list []entry
	for line := range strings.Lines(knownText) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) < 2 || line[0] == '#' {
			continue
		}
		var e entry
		for i, f := range fields {
			f = strings.TrimSpace(f)
			if i == 0 {
				e.games = strings.Fields(f)
				continue
			}
			if key := text.Fold(f); !slices.Contains(e.folded, key) {
				e.names = append(e.names, f)
				e.folded = append(e.folded, key)
			}
		}
		e.listed = e.names[0]
		list = append(list, e)
	}
	return list
})

func (b *Identities) apply(e Edit) {
	names := slices.DeleteFunc(slices.Clone(e.Names), func(s string) bool { return text.Fold(s) == "" })
	into := clean(e.Into)
	if text.Fold(into) == "" {
		into = ""
	}
	if len(names) == 0 {
		return
	}
	switch e.Op {
	case Merge:
		p := b.own(names[0])
		for _, name := range names[1:] {
			b.join(p, b.own(name))
		}
		if into != "" {
			b.join(p, b.own(into))
			p.listed = into
		}
	case Split:
		b.split(names, into)
	case Rename:
		if into != "" {
			b.rename(b.own(names[0]), into)
		}
	}
}

// own returns the person of a name, and sees to it that the name is one of its
// names.
func (b *Identities) own(name string) *person {
	name = clean(name)
	key := text.Fold(name)
	if p := b.persons[key]; p != nil {
		return p
	}
	p := b.person(key)
	if p == nil {
		p = &person{listed: name}
	}
	p.names = append(p.names, name)
	b.persons[key] = p
	return p
}

// join gives all names of q to p.
func (b *Identities) join(p, q *person) {
	if p == q {
		return
	}
	for _, name := range q.names {
		b.persons[text.Fold(name)] = p
	}
	p.names = append(p.names, q.names...)
	for _, g := range q.games {
		if !slices.Contains(p.games, g) {
			p.games = append(slices.Clip(p.games), g)
		}
	}
}

// split takes names from their persons. A person that is left without the name
// it was listed under is listed under the first that is left.
func (b *Identities) split(names []string, into string) {
	p := &person{}
	for _, name := range names {
		name = clean(name)
		key := text.Fold(name)
		q := b.persons[key]
		if q == p {
			continue
		}
		if q != nil {
			q.names = slices.DeleteFunc(q.names, func(s string) bool { return text.Fold(s) == key })
			if text.Fold(q.listed) == key && len(q.names) > 0 {
				q.listed = q.names[0]
			}
			p.games = q.games
		}
		p.names = append(p.names, name)
		b.persons[key] = p
	}
	p.listed = p.names[0]
	if into != "" {
		b.rename(p, into)
	}
}

// rename lists a person under a name, unless that is a name of somebody else:
// two persons listed alike could not be told apart.
func (b *Identities) rename(p *person, into string) {
	key := text.Fold(into)
	switch q := b.persons[key]; q {
	case p:
	case nil:
		p.names = append(p.names, into)
		b.persons[key] = p
	default:
		return
	}
	p.listed = into
}

// person returns who has a folded name, nil if it is not in the book. In front
// of a Chinese name the team may stand: 上海胡榮華.
func (b *Identities) person(key string) *person {
	if p := b.persons[key]; p != nil {
		return p
	}
	if b.plain {
		return nil
	}
	for i, r := range key {
		if r < 0x3400 || i > 4*3 {
			break
		}
		if i > 0 && caption.IsTeam(key[:i]) {
			if p := b.persons[key[i:]]; p != nil {
				return p
			}
		}
	}
	return nil
}

// clean takes superfluous blanks from a name.
func clean(name string) string { return strings.Join(strings.Fields(name), " ") }

// Person returns the name that a person is listed under and all other names
// that the book has for it. A name that is not in the book is listed under
// itself, without superfluous blanks, and has no others.
func (b *Identities) Person(name string) (canonical string, aliases []string) {
	p := b.person(text.Fold(name))
	if p == nil {
		return clean(name), nil
	}
	for _, s := range p.names {
		if s != p.listed {
			aliases = append(aliases, s)
		}
	}
	return p.listed, aliases
}

// Canonical returns the name that a person is listed under. It is stable:
// Canonical(Canonical(name)) is Canonical(name).
func (b *Identities) Canonical(name string) string {
	if p := b.person(text.Fold(name)); p != nil {
		return p.listed
	}
	return clean(name)
}

// Key returns what statistics are grouped by: it is the same for two names if
// they are one person, names that nobody has listed and that differ only in
// spelling included. It is not to be shown.
func (b *Identities) Key(name string) string { return text.Fold(b.Canonical(name)) }

// Also returns the names, folded, of all that the book has one name for which contains a
// folded text, or with whole is it. It is nil where the book has none.
func (b *Identities) Also(folded string, whole bool) map[string]struct{} {
	var names map[string]struct{}
	add := func(p *person) {
		for _, name := range p.names {
			if names == nil {
				names = map[string]struct{}{}
			}
			names[text.Fold(name)] = struct{}{}
		}
	}
	if whole {
		if p := b.persons[folded]; p != nil {
			add(p)
		}
		return names
	}
	for key, p := range b.persons {
		if strings.Contains(key, folded) {
			add(p)
		}
	}
	return names
}

// Games returns the games that a well-known player is known for, as known.txt
// names them: go, xiangqi, othello, renju.
func (b *Identities) Games(name string) []string {
	if p := b.person(text.Fold(name)); p != nil {
		return slices.Clone(p.games)
	}
	return nil
}
