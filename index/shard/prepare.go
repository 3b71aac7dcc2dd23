package shard

import (
	"slices"

	"qipu/index"
	"qipu/record"
)

// prepared is what a record needs to be stored that does not depend on others:
// most of the work, and it can be done on all cores.
type prepared struct {
	doc    *index.Document // nil where the record has no board
	record []byte          // encoded
	notes  notes
}

// preparer prepares records. It holds buffers and is not safe for concurrent
// use.
type preparer struct {
	docs    index.Documents
	finder  finder
	found   index.Found
	encoded []byte
}

// Preparer returns a function that does the part of Add for a record that can
// be done ahead and elsewhere; see ingest.Options.Prepare. The function is for
// one goroutine.
func (s *Shard) Preparer() func(*record.Played) {
	p := &preparer{docs: index.Documents{Kinds: s.kinds}}
	return func(played *record.Played) {
		played.Prepared = p.prepare(played)
		played.Changes = nil // the document has them
	}
}

func (p *preparer) prepare(played *record.Played) *prepared {
	p.encoded = record.AppendGame(p.encoded[:0], played.Game)
	ready := &prepared{record: slices.Clone(p.encoded), notes: notesOf(played.Game)}
	doc, ok := p.docs.Make(played)
	if !ok {
		return ready
	}
	ready.doc = doc
	doc.Found = make([]index.Found, len(doc.Lines))
	for i := range doc.Lines {
		p.finder.find(&p.found, doc.Kind, &doc.Lines[i])
		doc.Found[i] = index.Found{Positions: slices.Clone(p.found.Positions), Windows: slices.Clone(p.found.Windows), Corners: slices.Clone(p.found.Corners)}
	}
	return ready
}
