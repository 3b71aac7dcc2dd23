package kb

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"qipu/board"
	"qipu/text"
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

	terms   map[string]int
	entries map[string]int
	names   map[string]*Meaning // by folded name
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
	b := &Base{terms: map[string]int{}, entries: map[string]int{}}
	for _, f := range files {
		b.Faults = append(b.Faults, f.Faults...)
		terms, entries := map[string]int{}, map[string]int{}
		for _, t := range f.Terms {
			if line, twice := terms[t.ID]; twice {
				b.Faults = append(b.Faults, &Error{t.File, t.Line, fmt.Sprintf("the term %s stands in line %d already", t.ID, line)})
				continue
			}
			terms[t.ID] = t.Line
			if i, known := b.terms[t.ID]; known {
				b.Terms[i] = t
				continue
			}
			b.terms[t.ID] = len(b.Terms)
			b.Terms = append(b.Terms, t)
		}
		for _, e := range f.Entries {
			if line, twice := entries[e.ID]; twice {
				b.Faults = append(b.Faults, &Error{e.File, e.Line, fmt.Sprintf("the shape %s stands in line %d already", e.ID, line)})
				continue
			}
			entries[e.ID] = e.Line
			if i, known := b.entries[e.ID]; known {
				if old := b.Entries[i]; old.File != e.File && strings.Contains(e.File, "/") && path.Dir(old.File) == path.Dir(e.File) {
					b.Faults = append(b.Faults, &Error{e.File, e.Line, fmt.Sprintf("the shape %s stands in %s, line %d, already: this one counts: take one of them out", e.ID, path.Base(old.File), old.Line)})
				}
				b.Entries[i] = e
				continue
			}
			b.entries[e.ID] = len(b.Entries)
			b.Entries = append(b.Entries, e)
		}
		b.Checks = append(b.Checks, f.Checks...)
	}
	b.name()
	return b
}

// Read reads all files of shapes below a folder, in the order of their names.
// The prefix stands before the names in errors.
func Read(fsys fs.FS, prefix string) ([]*File, error) {
	var files []*File
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".shapes" {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Size() > MaxFile {
			files = append(files, &File{Faults: []*Error{{prefix + name, 1, fmt.Sprintf("a file of %d bytes: at most %d are read: cut it into several", info.Size(), MaxFile)}}})
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		files = append(files, Parse(prefix+name, data))
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("kb: %w", err)
	}
	return files, nil
}

// Term returns the term with an id, or nil.
func (b *Base) Term(id string) *Term {
	if i, ok := b.terms[id]; ok {
		return &b.Terms[i]
	}
	return nil
}

// Entry returns the entry with an id, or nil.
func (b *Base) Entry(id string) *Entry {
	if i, ok := b.entries[id]; ok {
		return &b.Entries[i]
	}
	return nil
}

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
func (b *Base) Find(name string) *Meaning { return b.names[fold(name)] }

// Nearest returns up to n names that are spelled like one that is not known.
func (b *Base) Nearest(name string, n int) []string {
	return text.Nearest(fold(name), maps.Keys(b.names), n)
}

// fold makes names equal that differ in hyphens, blanks, case or script alone.
func fold(name string) string {
	return text.Fold(strings.ReplaceAll(name, "-", " "))
}

// name makes the table of names.
func (b *Base) name() {
	b.names = map[string]*Meaning{}
	get := func(name string) *Meaning {
		key := fold(name)
		if key == "" {
			return nil
		}
		m := b.names[key]
		if m == nil {
			m = new(Meaning)
			b.names[key] = m
		}
		return m
	}
	for i := range b.Terms {
		t := &b.Terms[i]
		n := t.Names
		for _, name := range append([]string{t.ID, n.En, n.Hant, n.Hans, n.Ja, n.Ko}, t.Aliases...) {
			if m := get(name); m != nil && m.Term == nil {
				m.Term = t
			}
		}
	}
	for i := range b.Entries {
		e := &b.Entries[i]
		n := e.Names
		for _, name := range append([]string{e.ID, n.En, n.Hant, n.Hans, n.Ja, n.Ko}, e.Aliases...) {
			// An entry that has a name twice is the last one there.
			if m := get(name); m != nil && (len(m.Entries) == 0 || m.Entries[len(m.Entries)-1] != e) {
				m.Entries = append(m.Entries, e)
			}
		}
	}
}

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
