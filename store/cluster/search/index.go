package search

import (
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/marks"
)

// Index is what can be found of the documents of a library, and what of it was
// fetched and is kept. It is safe for concurrent use.
type Index struct {
	*ledger.Library
	marks *marks.Columns

	// WindowDocs is how many documents candidates are looked for among at a time: it
	// bounds the memory that they take, and how long the first of them wait for the
	// last. It is set before the index is used.
	WindowDocs uint64

	Facts   cache[factsKey, *facts]
	Hot     cache[hotKey, hot]
	classes cache[classKey, classDocs]
	pages   cache[pageKey, pageList]
	Leaves  cache[openKey, openPage]
	weights weights
}

// New returns the index of a library with its columns of marks.
func New(l *ledger.Library, marks *marks.Columns) *Index {
	x := &Index{Library: l, marks: marks, WindowDocs: 4 << 20}
	x.Facts.Most, x.Hot.Most, x.classes.Most, x.pages.Most = keptBytes, hotBytes, classBytes, listBytes
	x.Leaves.Most = openBytes
	return x
}
