// Package shipped is the knowledge base that comes with the program: terms and
// shapes of Go as text, what conditions their advice must meet, and what records
// say of each shape.
//
// Shapes marked "hand" were drawn and named one by one for this base, some with
// counts over games to tell which cells matter; those marked "paper" are printed in
// the paper that package kb names, rebuilt where the print lost them; those marked
// "mined" were found, sorted and named by package mine in professional games of
// A. E. Brouwer's collection, over which the evidence was counted too.
package shipped

import (
	"embed"
	"sync"

	"qipu/pattern/kb"
)

//go:embed *.shapes
var files embed.FS

//go:embed conditions.txt
var conditions []byte

//go:embed evidence.tsv
var evidence []byte

// Files returns the files of the base, for kb.New to lay others above them.
var Files = sync.OnceValue(func() []*kb.File {
	list, err := kb.Read(files, "shipped/")
	if err != nil {
		panic(err) // an embedded file cannot be missing
	}
	return list
})

// Base returns the shipped base by itself.
var Base = sync.OnceValue(func() *kb.Base { return kb.New(Files()...) })

// Conditions returns the conditions as text, as package advise reads them.
func Conditions() []byte { return conditions }

// Evidence returns what records say of the shipped shapes, by id.
var Evidence = sync.OnceValue(func() map[string]*kb.Evidence {
	list, _ := kb.ParseEvidence("shipped/evidence.tsv", evidence)
	byID := make(map[string]*kb.Evidence, len(list))
	for i := range list {
		byID[list[i].ID] = &list[i]
	}
	return byID
})
