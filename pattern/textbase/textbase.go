// Package textbase is what the bases of shapes (pattern/kb) and of relational patterns
// (pattern/relation) share: text files in layers, in which an item takes the place of
// one with the same id in an earlier file, and names in any language that items are
// found by.
//
//	files, err := textbase.Read(fsys, ".shapes", "shipped/", max, Parse, tooLarge)
//	var items textbase.Layers[Entry]
//	items.Next() // a file begins
//	below, twice := items.Put(e.ID, e.Line, e)
//
// It knows no format: what stands in a file is read by who calls.
package textbase

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"

	"qipu/text"
)

// Read reads all files with an ending below a folder, in the order of their names. The
// prefix stands before the names. Of one that has more bytes than most, large makes
// what stands for it.
func Read[F any](fsys fs.FS, ext, prefix string, most int64, parse func(name string, data []byte) F, large func(name string, size int64) F) ([]F, error) {
	var files []F
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ext {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Size() > most {
			files = append(files, large(prefix+name, info.Size()))
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			files = append(files, parse(prefix+name, data))
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("textbase: %w", err)
	}
	return files, nil
}

// Layers is the items of files that lie above each other. The zero value is empty.
type Layers[T any] struct {
	Items []T // in the order in which their ids came first

	at   map[string]int
	here map[string]int // lines of the file that is being laid
}

// Next begins a file.
func (l *Layers[T]) Next() {
	l.here = map[string]int{}
	if l.at == nil {
		l.at = map[string]int{}
	}
}

// Put lays an item above those of earlier files, and returns the one whose place it
// takes. Where its id stands in the same file already, it is not taken, and twice is
// the line of the other.
func (l *Layers[T]) Put(id string, line int, x T) (below *T, twice int) {
	if line, twice := l.here[id]; twice {
		return nil, line
	}
	l.here[id] = line
	if i, known := l.at[id]; known {
		old := l.Items[i]
		l.Items[i] = x
		return &old, 0
	}
	l.at[id] = len(l.Items)
	l.Items = append(l.Items, x)
	return nil, 0
}

// Get returns the item with an id, or nil.
func (l *Layers[T]) Get(id string) *T {
	if i, ok := l.at[id]; ok {
		return &l.Items[i]
	}
	return nil
}

// Index returns where the item with an id stands in Items, or -1.
func (l *Layers[T]) Index(id string) int {
	if i, ok := l.at[id]; ok {
		return i
	}
	return -1
}

// Nearest returns up to n ids that are spelled like one that is not known.
func (l *Layers[T]) Nearest(id string, n int) []string { return text.Nearest(id, maps.Keys(l.at), n) }

// Names is a table of names, which several items may share. The zero value is empty.
type Names[T comparable] struct{ by map[string][]T } // by folded name

// Add has an item be found by names; empty ones are passed over.
func (n *Names[T]) Add(x T, names ...string) {
	if n.by == nil {
		n.by = map[string][]T{}
	}
	for _, name := range names {
		key := fold(name)
		// An item that has a name twice is the last one there.
		if list := n.by[key]; key != "" && (len(list) == 0 || list[len(list)-1] != x) {
			n.by[key] = append(list, x)
		}
	}
}

// Find returns the items of a name, in the order in which they were added.
func (n *Names[T]) Find(name string) []T { return n.by[fold(name)] }

// Nearest returns up to most names that are spelled like one that is not known.
func (n *Names[T]) Nearest(name string, most int) []string {
	return text.Nearest(fold(name), maps.Keys(n.by), most)
}

// fold makes names equal that differ in hyphens, blanks, case or script alone.
func fold(name string) string { return text.Fold(strings.ReplaceAll(name, "-", " ")) }
