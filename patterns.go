package qipu

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/named"
	"qipu/pattern/relation"
	"qipu/pattern/relation/shipped"
)

// patternExt is how the names of files of relational patterns end. They lie beside
// those of shapes.
const patternExt = ".patterns"

// patternFile tells whether a file of that name is one of relational patterns.
func patternFile(name string) bool { return filepath.Ext(name) == patternExt }

// Patterns are the relational patterns as they are at one moment, in the same
// layers as shapes. They are not changed once they are made, and may be read by many
// at once.
type Patterns struct {
	Base *relation.Base // its Faults are those of all files, which harm nothing else

	// Version is the same as long as no file has changed.
	Version int64

	layers map[string]Layer // by id
	files  []*relation.File // that the base is made of
	books  sync.Map         // of kinds of game, by name: func() (*named.Book, error)
}

// LoadPatterns returns the shipped patterns with those of folders, or single files,
// above them.
func LoadPatterns(folders ...string) *Patterns {
	places := folderPlaces(folders)
	return loadPatterns(places, lookAt(places, patternFile))
}

// maxPatterns is how many patterns there may be: each has a column in the index of
// names, and is looked for in every game.
const maxPatterns = 10_000

// loadPatterns reads the files of places.
func loadPatterns(places []place, found stamp) *Patterns {
	p := &Patterns{Version: found.sum, layers: map[string]Layer{}}
	files := slices.Clone(shipped.Files())
	layers := slices.Repeat([]Layer{ShippedLayer}, len(files))
	faults := new(relation.File)
	fault := func(file, reason string) {
		faults.Faults = append(faults.Faults, &relation.Error{File: file, Reason: reason})
	}
	for _, f := range found.faults {
		fault(f.path, f.reason)
	}
	count := 0
	for _, f := range files {
		count += len(f.Patterns)
	}
	for i, at := range places {
		for _, path := range found.files[i] {
			data, err := readSmall(path)
			if err != nil {
				fault(at.shown(path), "cannot be read: "+reason(err))
				continue
			}
			f := relation.Parse(at.shown(path), data)
			if count += len(f.Patterns); count > maxPatterns {
				fault(at.shown(path), fmt.Sprintf("with it there are more than %d patterns, and it is left out: take some out", maxPatterns))
				count -= len(f.Patterns)
				continue
			}
			files, layers = append(files, f), append(layers, at.layer)
		}
	}
	for i, f := range files {
		for _, x := range f.Patterns {
			p.layers[x.ID] = layers[i]
		}
	}
	p.files = append(files, faults)
	p.Base = relation.New(p.files...)
	return p
}

// With returns the base with patterns laid above it, which are not kept: for lint to
// look at.
func (p *Patterns) With(f *relation.File) *relation.Base {
	return relation.New(append(slices.Clone(p.files), f)...)
}

// Layer returns where a pattern is kept.
func (p *Patterns) Layer(id string) Layer { return p.layers[id] }

// Book returns what has a name on the boards of a kind of game. It is made once,
// which takes some milliseconds.
func (p *Patterns) Book(k *index.Kind) (*named.Book, error) {
	made, _ := p.books.LoadOrStore(k.Name, sync.OnceValues(func() (*named.Book, error) { return named.New(usualRules(k), p.Base) }))
	return made.(func() (*named.Book, error))()
}

// usualRules returns the usual rules on the board of a kind of game. Those of the kind
// itself may be any on this board: the first that a record was played by.
func usualRules(k *index.Kind) game.Rules {
	usual, err := builtin.Games().Find(k.Rules.Info().Name)
	if err == nil && usual.Geometry().Size == k.Board.Size {
		return usual
	}
	return k.Rules
}

// heldPatterns are the patterns of a library as they were read last.
type heldPatterns struct {
	sync.Mutex
	now *Patterns
}

// Patterns returns the relational patterns: the shipped ones, those of
// Options.Shapes, and those of the library. They are kept and read anew where a file
// has changed.
func (l *Library) Patterns() *Patterns {
	places := l.shapePlaces()
	found := lookAt(places, patternFile)
	l.shapes.Lock()
	found.sum += l.shapes.changes
	l.shapes.Unlock()
	held := &l.patterns
	held.Lock()
	defer held.Unlock()
	if held.now == nil || held.now.Version != found.sum {
		held.now = loadPatterns(places, found)
	}
	return held.now
}

// Names returns what has a name on the boards of a kind of game.
func (l *Library) Names(k *index.Kind) (*named.Book, error) { return l.Patterns().Book(k) }

// Checks returns the fixtures of a pattern.
func (p *Patterns) Checks(id string) []*relation.Check { return p.Base.ChecksOf(id) }

// Text returns a pattern as it is written in files, without its fixtures; empty where
// there is no such pattern.
func (p *Patterns) Text(id string) string {
	x := p.Base.Pattern(id)
	if x == nil {
		return ""
	}
	return string(x.AppendTo(nil))
}
