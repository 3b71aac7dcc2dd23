package syntax

import (
	"fmt"
	"io/fs"

	"qipu/pattern/textbase"
)

// Base is many patterns with their checks, in layers: what is shipped, and above
// it the files of users. It is not changed once it is made, and may be read by
// many at once.
type Base struct {
	Patterns []*Pattern // in the order of their files
	Checks   []*Check

	// Faults are what could not be read or does not fit together. The rest of
	// the base is there.
	Faults []*Error

	ids   textbase.Layers[*Pattern]
	names textbase.Names[*Pattern]
}

// New returns a base of files. A pattern takes the place of one with the same id
// in an earlier file, and its checks that of the earlier ones, which is how users
// change what is shipped. An id twice in one file is a fault.
func New(files ...*File) *Base {
	b := &Base{}
	for _, f := range files {
		b.Faults = append(b.Faults, f.Faults...)
		b.ids.Next()
		for _, p := range f.Patterns {
			old, line := b.ids.Put(p.ID, p.Line, p)
			switch {
			case line > 0:
				b.Faults = append(b.Faults, &Error{File: p.File, Line: p.Line, Reason: fmt.Sprintf("the pattern %s stands in line %d already", p.ID, line), Hint: "take one of them out"})
			case old != nil:
				b.drop(p.ID)
			}
		}
		b.Checks = append(b.Checks, f.Checks...)
	}
	b.Patterns = b.ids.Items
	b.link()
	for _, p := range b.Patterns {
		b.names.Add(p, p.AllNames()...)
	}
	return b
}

// drop takes out the checks of a pattern that was replaced.
func (b *Base) drop(id string) {
	kept := b.Checks[:0]
	for _, c := range b.Checks {
		if c.ID != id {
			kept = append(kept, c)
		}
	}
	b.Checks = kept
}

// link looks at the parents: they are there, and no pattern is a case of itself.
func (b *Base) link() {
	for _, p := range b.Patterns {
		if p.Parent == "" {
			continue
		}
		if b.ids.Get(p.Parent) == nil {
			hint := "take it out"
			if near := b.ids.Nearest(p.Parent, 1); len(near) > 0 {
				hint = "did you mean " + near[0] + "?"
			}
			b.Faults = append(b.Faults, &Error{File: p.File, Line: p.Line, Reason: fmt.Sprintf("%s has the parent %s, which there is not", p.ID, p.Parent), Hint: hint})
			continue
		}
		for q, n := b.Pattern(p.Parent), 0; q != nil && n <= len(b.Patterns); q, n = b.Pattern(q.Parent), n+1 {
			if q == p {
				b.Faults = append(b.Faults, &Error{File: p.File, Line: p.Line, Reason: p.ID + " is a case of itself, through its parents", Hint: "take one of them out"})
				break
			}
		}
	}
}

// Read reads all files of patterns below a folder, in the order of their names.
// The prefix stands before the names in errors.
func Read(fsys fs.FS, prefix string) ([]*File, error) {
	return textbase.Read(fsys, ".patterns", prefix, MaxFile, Parse, func(name string, size int64) *File {
		return &File{Faults: []*Error{tooLarge(name, size)}}
	})
}

// Pattern returns the pattern with an id, or nil.
func (b *Base) Pattern(id string) *Pattern {
	if p := b.ids.Get(id); p != nil {
		return *p
	}
	return nil
}

// ChecksOf returns the checks of a pattern, in order.
func (b *Base) ChecksOf(id string) (list []*Check) {
	for _, c := range b.Checks {
		if c.ID == id {
			list = append(list, c)
		}
	}
	return list
}

// Of returns the patterns of a game and their checks, in order.
func (b *Base) Of(game string) (patterns []*Pattern, checks []*Check) {
	for _, p := range b.Patterns {
		if p.Game == game {
			patterns = append(patterns, p)
		}
	}
	for _, c := range b.Checks {
		if p := b.Pattern(c.ID); p != nil && p.Game == game {
			checks = append(checks, c)
		}
	}
	return patterns, checks
}

// Find returns the patterns that a name in any language stands for: an id, a name
// or an alias. It is empty for a name that is not known.
func (b *Base) Find(name string) []*Pattern { return b.names.Find(name) }

// Nearest returns up to n names that are spelled like one that is not known.
func (b *Base) Nearest(name string, n int) []string { return b.names.Nearest(name, n) }
