package players

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"qipu/text"
)

// How well a name fits a query, the best first.
const (
	same     = iota // it is the query
	begins          // a word of it begins with the query
	contains        // it contains the query
	alias           // another name of the person is the query
	related         // another name of the person, or one that fits, has the query
	sounds          // it sounds like the query
	no
)

// Roll is the names of a library, made ready for many queries. It is safe for
// concurrent use.
type Roll struct {
	names  []string
	folded []string

	mu      sync.Mutex
	book    *Identities  // whose persons they are
	persons []*person    // made when they are first asked for, as are
	sounds  []text.Sound // how they are read
}

// NewRoll returns the roll of these names and their folded forms, each once, in
// their order.
func NewRoll(names iter.Seq2[string, string]) *Roll {
	r := &Roll{}
	seen := map[string]bool{}
	for name, folded := range names {
		if !seen[name] {
			seen[name] = true
			r.names, r.folded = append(r.names, name), append(r.folded, folded)
		}
	}
	return r
}

// Names returns the names of the roll. They belong to it.
func (r *Roll) Names() []string { return r.names }

// of returns who the names are by a book.
func (r *Roll) of(b *Identities) []*person {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.book != b {
		persons := make([]*person, len(r.names))
		for i, folded := range r.folded {
			persons[i] = b.person(folded)
		}
		r.book, r.persons = b, persons
	}
	return r.persons
}

// read returns how the names are read.
func (r *Roll) read() []text.Sound {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sounds == nil {
		r.sounds = make([]text.Sound, len(r.names))
		for i, name := range r.names {
			r.sounds[i] = text.SoundOf(name)
		}
	}
	return r.sounds
}

// Find returns the names that a query may mean: those that FindIn finds, or where
// there are none those that sound like it.
func (b *Identities) Find(query string, names iter.Seq[string]) []string {
	r := NewRoll(func(yield func(name, folded string) bool) {
		for name := range names {
			if !yield(name, text.Fold(name)) {
				return
			}
		}
	})
	if list := b.FindIn(r, query); list != nil {
		return list
	}
	return b.Sounding(r, query)
}

// FindIn returns those of the names in a library that a query may mean, the best
// first: the names that contain it, and all names of persons of whom one name
// does, in the library or in the book. Among names that fit equally well the
// order is that of the roll.
func (b *Identities) FindIn(r *Roll, query string) []string {
	q := text.Fold(query)
	if q == "" {
		return nil
	}
	persons := r.of(b)
	list := make([]found, len(r.names))
	for i, name := range r.names {
		list[i] = found{name: name, person: persons[i], fit: fit(r.folded[i], q)}
	}
	return gather(list, b.matches(called(q)))
}

// Sounding returns the names in a library that sound like a query, and those of
// persons of whom one name does.
func (b *Identities) Sounding(r *Roll, query string) []string {
	persons := r.of(b)
	list := make([]found, len(r.names))
	like := text.SoundMatcher(query)
	for i, sound := range r.read() {
		list[i] = found{name: r.names[i], person: persons[i], fit: no}
		if like(&sound) {
			list[i].fit = sounds
		}
	}
	return gather(list, b.matches(func(h *heard) int {
		if like(&h.sound) {
			return sounds
		}
		return no
	}))
}

// Same returns all names in a library of the person whose name is given: itself
// in any spelling, and those that the book knows.
func (b *Identities) Same(r *Roll, name string) (list []string) {
	folded := text.Fold(name)
	who := b.person(folded)
	for i, p := range r.of(b) {
		if r.folded[i] == folded || who != nil && p == who {
			list = append(list, r.names[i])
		}
	}
	return list
}

// called returns how well a name of a person fits a folded query.
func called(q string) func(*heard) int {
	return func(h *heard) int {
		switch fit(h.folded, q) {
		case same:
			return alias
		case begins:
			return related
		case contains:
			if inner(q) {
				return related
			}
		}
		return no
	}
}

// found is a name of the library.
type found struct {
	name   string
	person *person // nil where the book has none
	fit    int
}

// matches returns the persons that have a name that fits, and how well.
func (b *Identities) matches(fit func(*heard) int) map[*person]int {
	b.once.Do(func() {
		done := map[*person]bool{}
		for _, p := range b.persons {
			if done[p] {
				continue
			}
			done[p] = true
			for _, name := range p.names {
				b.aural = append(b.aural, heard{p, text.Fold(name), text.SoundOf(name)})
			}
		}
	})
	m := map[*person]int{}
	for i := range b.aural {
		h := &b.aural[i]
		if n := fit(h); n < no {
			if best, known := m[h.person]; !known || n < best {
				m[h.person] = n
			}
		}
	}
	return m
}

// gather returns the names that fit, themselves or through their persons.
func gather(list []found, matched map[*person]int) []string {
	for _, f := range list {
		if f.person != nil && f.fit < no {
			if _, ok := matched[f.person]; !ok {
				matched[f.person] = max(related, f.fit)
			}
		}
	}
	var keep []found
	for _, f := range list {
		if by, ok := matched[f.person]; ok && f.person != nil {
			f.fit = min(f.fit, by)
		}
		if f.fit < no {
			keep = append(keep, f)
		}
	}
	slices.SortStableFunc(keep, func(a, b found) int { return a.fit - b.fit })
	var out []string
	for _, f := range keep {
		out = append(out, f.name)
	}
	return out
}

// fit returns how well a folded name fits a folded query.
func fit(name, query string) int {
	if name == query {
		return same
	}
	at := strings.Index(name, query)
	if at < 0 {
		return no
	}
	if at == 0 || strings.Contains(name, " "+query) {
		return begins
	}
	return contains
}

// inner reports whether a query may stand inside a word: one in a script that
// does not part words.
func inner(query string) bool {
	r, _ := utf8.DecodeRuneInString(query)
	return r >= 0x1100
}
