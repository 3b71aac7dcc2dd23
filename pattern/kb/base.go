package kb

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"qipu/board"
	"qipu/pattern/textbase"
)

// Base is a knowledge base: terms, entries and checks. It is not changed once it
// is made, and may be read by many at once.
type Base struct {
	Terms   []Term  // in the order of their files
	Entries []Entry // in the order of their files
	Checks  []Check

	// Faults are what could not be read or does not fit together. The rest of
	// the base is there.
	Faults []*Error

	terms   textbase.Layers[Term]
	entries textbase.Layers[Entry]
	names   textbase.Names[meant]
}

// meant is what a name stands for: a term or an entry.
type meant struct {
	term  *Term
	entry *Entry
}

// Meaning is what a name stands for: a term, or entries, or both.
type Meaning struct {
	Term    *Term
	Entries []*Entry
}

// New returns a base of files. A term or an entry takes the place of one with
// the same id in an earlier file, which is how users change what is shipped. An
// entry twice in one folder, or anything twice in one file, is a fault.
func New(files ...*File) *Base {
	b := &Base{}
	for _, f := range files {
		b.Faults = append(b.Faults, f.Faults...)
		b.terms.Next()
		b.entries.Next()
		for _, t := range f.Terms {
			if _, line := b.terms.Put(t.ID, t.Line, t); line > 0 {
				b.Faults = append(b.Faults, &Error{t.File, t.Line, fmt.Sprintf("the term %s stands in line %d already", t.ID, line)})
			}
		}
		for _, e := range f.Entries {
			old, line := b.entries.Put(e.ID, e.Line, e)
			switch {
			case line > 0:
				b.Faults = append(b.Faults, &Error{e.File, e.Line, fmt.Sprintf("the shape %s stands in line %d already", e.ID, line)})
			case old != nil && old.File != e.File && strings.Contains(e.File, "/") && path.Dir(old.File) == path.Dir(e.File):
				b.Faults = append(b.Faults, &Error{e.File, e.Line, fmt.Sprintf("the shape %s stands in %s, line %d, already: this one counts: take one of them out", e.ID, path.Base(old.File), old.Line)})
			}
		}
		b.Checks = append(b.Checks, f.Checks...)
	}
	b.Terms, b.Entries = b.terms.Items, b.entries.Items
	for i := range b.Terms {
		t, n := &b.Terms[i], &b.Terms[i].Names
		b.names.Add(meant{term: t}, append([]string{t.ID, n.En, n.Hant, n.Hans, n.Ja, n.Ko}, t.Aliases...)...)
	}
	for i := range b.Entries {
		e, n := &b.Entries[i], &b.Entries[i].Names
		b.names.Add(meant{entry: e}, append([]string{e.ID, n.En, n.Hant, n.Hans, n.Ja, n.Ko}, e.Aliases...)...)
	}
	return b
}

// Read reads all files of shapes below a folder, in the order of their names.
// The prefix stands before the names in errors.
func Read(fsys fs.FS, prefix string) ([]*File, error) {
	return textbase.Read(fsys, ".shapes", prefix, MaxFile, Parse, func(name string, size int64) *File {
		return &File{Faults: []*Error{{name, 1, fmt.Sprintf("a file of %d bytes: at most %d are read: cut it into several", size, MaxFile)}}}
	})
}

// Term returns the term with an id, or nil.
func (b *Base) Term(id string) *Term { return b.terms.Get(id) }

// Entry returns the entry with an id, or nil.
func (b *Base) Entry(id string) *Entry { return b.entries.Get(id) }

// Of returns the entries of a term, main or not, in order.
func (b *Base) Of(term string) (list []*Entry) {
	for i := range b.Entries {
		if slices.Contains(b.Entries[i].Terms, term) {
			list = append(list, &b.Entries[i])
		}
	}
	return list
}

// Find returns what a name in any language stands for: an id, a name or an alias
// of a term or of entries. It is nil for a name that is not known.
func (b *Base) Find(name string) *Meaning {
	list := b.names.Find(name)
	if len(list) == 0 {
		return nil
	}
	m := new(Meaning)
	for _, x := range list {
		switch {
		case x.entry != nil:
			m.Entries = append(m.Entries, x.entry)
		case m.Term == nil:
			m.Term = x.term
		}
	}
	return m
}

// Nearest returns up to n names that are spelled like one that is not known.
func (b *Base) Nearest(name string, n int) []string { return b.names.Nearest(name, n) }

// Title returns the names of an entry: its own, or those of its main term where
// it has none.
func (b *Base) Title(e *Entry) board.Names {
	own := e.Names
	if len(e.Terms) > 0 {
		if t := b.Term(e.Terms[0]); t != nil {
			for _, p := range []struct {
				to   *string
				from string
			}{{&own.En, t.Names.En}, {&own.Hant, t.Names.Hant}, {&own.Hans, t.Names.Hans}, {&own.Ja, t.Names.Ja}, {&own.Ko, t.Names.Ko}} {
				if *p.to == "" {
					*p.to = p.from
				}
			}
		}
	}
	return own
}

// Replaces tells whether the advice of b is replaced by that of a where both
// speak of a point: by id or by term, said by either of them. Where they say it
// of each other, an id counts for more than a term, and neither replaces the other
// if that does not decide: both are heard rather than none.
func Replaces(a, b *Entry) bool { return says(a, b) > says(b, a) }

// says tells how it is said that a replaces b: 0 not at all, 1 by term, 2 by id.
func says(a, b *Entry) int { return max(named(a.Overrides, b), named(b.Yields, a)) }

func named(list []string, e *Entry) (n int) {
	for _, id := range list {
		if id == e.ID {
			return 2
		}
		if n == 0 {
			if term, ok := strings.CutPrefix(id, "term:"); ok && slices.Contains(e.Terms, term) {
				n = 1
			}
		}
	}
	return n
}
