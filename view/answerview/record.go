package answerview

import (
	"context"

	"qipu/game"
	"qipu/index"
	"qipu/library"
	"qipu/record"
	"qipu/store"
	"qipu/view"
	"qipu/view/recordview"
)

// RecordOf returns what a record itself tells, with its tree of moves in a notation: by
// rules, which are nil where nobody knows them. Formats are all that there are.
func RecordOf(kinds *index.Kinds, g *record.Game, meta *store.Game, rules game.Rules, n game.Notation, formats []record.Format) *view.FullRecord {
	return FullOf(kinds, g, meta, recordview.Unfold(g, rules, n, recordview.NoNode), formats)
}

// FullOf is RecordOf of a record that was unfolded already.
func FullOf(kinds *index.Kinds, g *record.Game, meta *store.Game, v *recordview.Unfolded, formats []record.Format) *view.FullRecord {
	w := &view.FullRecord{
		Summary: SummaryOf(kinds, meta), Ruleset: g.Facts.Ruleset, Author: g.Facts.Author, Origin: g.Facts.Source, Time: g.Facts.Time,
		Format: g.Format, Encoding: g.Encoding, Guessed: g.Guessed, Added: meta.Added, Headers: make([]view.Header, len(g.Tags)),
		Sources: []view.Source{}, Tags: []string{}, Collections: []string{}, Links: []view.Link{},
		Formats: []string{}, Start: []int{}, Turn: int(v.Start.Turn), Nodes: v.Nodes, Main: v.Main(), Truncated: v.Cut, Faults: []string{},
	}
	if v.Start.Board != nil {
		w.Start = view.Pieces(v.Start.Board)
	}
	for i, t := range g.Tags {
		w.Headers[i] = view.Header{Name: t.Name, Value: t.Value}
	}
	for _, f := range record.Writers(formats, g) {
		w.Formats = append(w.Formats, f.Info().Name)
	}
	for i := range g.Faults {
		f := g.Faults[i]
		f.Place = record.Place{}
		w.Faults = append(w.Faults, f.Error())
	}
	return w
}

// AddAbout adds what a library says of a record beside it.
func AddAbout(ctx context.Context, l *library.Library, w *view.FullRecord, id uint32) error {
	sources, err := l.Sources(ctx, id)
	if err != nil {
		return err
	}
	for _, x := range sources {
		w.Sources = append(w.Sources, view.Source{File: x.File, Number: x.Number, Offset: x.Offset})
	}
	tags, err := l.Notes().TagsOf(ctx, id)
	if err != nil {
		return err
	}
	for i := range tags {
		w.Tags = append(w.Tags, tags[i].Name)
	}
	collections, err := l.Notes().CollectionsOf(ctx, id)
	if err != nil {
		return err
	}
	for i := range collections {
		w.Collections = append(w.Collections, collections[i].Name)
	}
	links, err := l.Links(ctx, id)
	for _, x := range links {
		w.Links = append(w.Links, view.Link{ID: x.Game, Why: x.Why})
	}
	return err
}
