package knowledge

import (
	"fmt"
	"slices"
	"sync"

	"qipu/engine/endgame"
	"qipu/game"
	"qipu/index"
	"qipu/named"
	"qipu/pattern/relation"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
)

// Patterns are the relational patterns as they are at one moment, in the same
// layers as shapes. They are not changed once they are made, and may be read by many
// at once.
type Patterns struct {
	Base *syntax.Base // its Faults are those of all files, which harm nothing else

	// Version is the same as long as no file has changed.
	Version Version

	games   game.Catalog
	endings *endgame.Tables  // nil for none
	layers  map[string]Layer // by id
	files   []*syntax.File   // that the base is made of
	books   sync.Map         // of kinds of game, by name: func() (*named.Book, error)
}

// LoadPatterns returns the shipped patterns with those of folders, or single files,
// above them, for the games that there are.
func LoadPatterns(games game.Catalog, folders ...string) *Patterns {
	places := folderPlaces(folders)
	return loadPatterns(games, nil, places, lookAtAll(places), Version{})
}

// maxPatterns is how many patterns there may be: each has a column in the index of
// names, and is looked for in every game.
const maxPatterns = 10_000

// loadPatterns reads the files of places.
func loadPatterns(games game.Catalog, endings *endgame.Tables, places []place, found []seen, v Version) *Patterns {
	p := &Patterns{Version: v, games: games, endings: endings, layers: map[string]Layer{}}
	files := slices.Clone(shipped.Files())
	layers := slices.Repeat([]Layer{ShippedLayer}, len(files))
	faults := new(syntax.File)
	fault := func(file, reason string) {
		faults.Faults = append(faults.Faults, &syntax.Error{File: file, Reason: reason})
	}
	count := 0
	for _, f := range files {
		count += len(f.Patterns)
	}
	patternForm.read(places, found, func(layer Layer, shown, _ string, data []byte) {
		f := syntax.Parse(shown, data)
		if count+len(f.Patterns) > maxPatterns {
			fault(shown, fmt.Sprintf("with it there are more than %d patterns, and it is left out: take some out", maxPatterns))
			return
		}
		count += len(f.Patterns)
		files, layers = append(files, f), append(layers, layer)
	}, fault)
	for i, f := range files {
		for _, x := range f.Patterns {
			p.layers[x.ID] = layers[i]
		}
	}
	p.files = append(files, faults)
	p.Base = syntax.New(p.files...)
	return p
}

// With returns the base with patterns laid above it, which are not kept.
func (p *Patterns) With(f *syntax.File) *syntax.Base {
	return syntax.New(append(slices.Clone(p.files), f)...)
}

// Lint looks through the base with patterns laid above it, and runs all checks of the
// games that there are.
func (p *Patterns) Lint(f *syntax.File) []syntax.Finding {
	var games []game.Rules
	for _, b := range syntax.Boards {
		if rules, err := p.games.Find(b.Game); err == nil {
			games = append(games, rules)
		}
	}
	return relation.Lint(p.With(f), games...)
}

// Layer returns where a pattern is kept.
func (p *Patterns) Layer(id string) Layer { return p.layers[id] }

// Book returns what has a name on the boards of a kind of game. It is made once,
// which takes some milliseconds.
func (p *Patterns) Book(k *index.Kind) (*named.Items, error) {
	made, _ := p.books.LoadOrStore(k.Name, sync.OnceValues(func() (*named.Items, error) { return named.New(p.usualRules(k), p.Base, p.endings) }))
	return made.(func() (*named.Items, error))()
}

// usualRules returns the usual rules on the board of a kind of game. Those of the kind
// itself may be any on this board: the first that a record was played by.
func (p *Patterns) usualRules(k *index.Kind) game.Rules {
	usual, err := p.games.Find(k.Rules.Info().Name)
	if err == nil && usual.Geometry().Size == k.Board.Size {
		return usual
	}
	return k.Rules
}

// Checks returns the fixtures of a pattern.
func (p *Patterns) Checks(id string) []*syntax.Check { return p.Base.ChecksOf(id) }

// Text returns a pattern as it is written in files, without its fixtures; empty where
// there is no such pattern.
func (p *Patterns) Text(id string) string {
	x := p.Base.Pattern(id)
	if x == nil {
		return ""
	}
	return string(x.AppendTo(nil))
}
