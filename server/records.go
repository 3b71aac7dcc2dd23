package server

import (
	"context"
	"net/http"
	"slices"
	"time"

	"qipu/game"
	"qipu/record"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/recordview"
)

func (s *Server) registerRecords() {
	get(s, kept, "/records", "list-records", "records", "The records of a query, or all of them", s.records)
	get(s, kept, "/records/facets", "facets", "records", "The records of a query by what they have in common", s.facets)
	plain(s, fresh, "/records/export", "export-records", "records", "The records of a query as a file", "application/octet-stream", s.export)
	get(s, kept, "/records/{id}", "get-record", "records", "A record with its tree of moves, comments and boards", s.record)
	plain(s, fresh, "/records/{id}/raw", "raw-record", "records", "The bytes of a record as they were read", "application/octet-stream", s.raw)
	plain(s, fresh, "/records/{id}/file", "record-file", "records", "A record in a format", "application/octet-stream", s.recordFile)
	plain(s, kept, "/records/{id}/board.svg", "record-svg", "records", "A picture of a moment of a record", "image/svg+xml", s.recordSVG)
	plain(s, kept, "/records/{id}/board.txt", "record-text", "records", "A moment of a record in letters", "text/plain", s.recordText)
	get(s, kept, "/records/{id}/position", "record-position", "records", "A moment of a record: its position, and the moves that are possible", s.recordPosition)
	register(s, change, http.MethodDelete, "/records/{id}", "delete-record", "records", "Delete a record", s.deleteRecord)
	register(s, change, http.MethodPost, "/records/delete", "delete-records", "records", "Delete the records of a selection", s.deleteRecords)
}

type recordsInput struct {
	Asking
	Listing
}

func (s *Server) records(ctx context.Context, in *recordsInput) (*view.Records, error) {
	began := time.Now()
	if err := s.meant(ctx, in.Game); err != nil {
		return nil, err
	}
	q, err := s.question(ctx, &in.Asking, &in.Listing)
	if err != nil {
		return nil, err
	}
	q.NoContinuations = true
	r, err := s.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	w := &view.Records{
		Games: r.Games, Score: answerview.ScoreOf(&r.Colours), Next: r.Next, Query: r.Query.String(), Hints: append([]string{}, r.Hints...),
	}
	if w.Records, err = s.rows.Rows(ctx, r.Rows, answerview.RowOptionsOf(r.Bound, in.Boards, in.Write)); err != nil {
		return nil, err
	}
	w.Elapsed = view.Milliseconds(began)
	return w, nil
}

// meant refuses a game that is not known; none is fine.
func (s *Server) meant(ctx context.Context, spec string) error {
	if spec == "" {
		return nil
	}
	_, err := s.kinds.Find(spec)
	return err
}

type facetsInput struct {
	Asking
	By    []string `query:"by" maxItems:"10" enum:"year,player,event,opening,code,place,result,length,collection,tag" doc:"Which; several are parted by commas; all if empty"`
	Limit int      `query:"limit" minimum:"1" maximum:"1000" default:"12" doc:"Groups of each; years and lengths are all told"`
}

// facetFields are the fields of the query language that narrow to a group of a
// dimension, where they are called otherwise.
var facetFields = map[retrieve.Dimension]string{retrieve.ByYear: "date", retrieve.ByLength: "moves"}

// maxGroups bounds how many years or lengths are told.
const maxGroups = 1000

func (s *Server) facets(ctx context.Context, in *facetsInput) (*view.Facets, error) {
	names := in.By
	if len(names) == 0 {
		names = retrieve.Dimensions()
	}
	by := make([]retrieve.Dimension, len(names))
	var err error
	for i, name := range names {
		if by[i], err = retrieve.ParseDimension(name); err != nil {
			return nil, bad("no-group", "See /query/reference for what there is.", "%v", err)
		}
	}
	if err := s.meant(ctx, in.Game); err != nil {
		return nil, err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	q := in.question()
	q.Limit, q.NoContinuations = 1, true
	_, groups, err := s.lib.Search().Facets(ctx, q, by...)
	if err != nil {
		return nil, err
	}
	w := &view.Facets{Facets: []view.Facet{}}
	for i, d := range by {
		limit := in.Limit
		if d == retrieve.ByYear || d == retrieve.ByLength {
			limit = maxGroups
		}
		f := view.Facet{By: d.String(), Field: d.String(), Groups: answerview.GroupsOf(groups[i], limit), More: len(groups[i]) > limit}
		if field, ok := facetFields[d]; ok {
			f.Field = field
		}
		w.Facets = append(w.Facets, f)
	}
	return w, nil
}

// IDInput names a record.
type IDInput struct {
	ID uint32 `path:"id" doc:"The number of the record"`
}

type recordInput struct {
	IDInput
	Writing
}

func (s *Server) record(ctx context.Context, in *recordInput) (*view.FullRecord, error) {
	g, meta, err := s.lib.Record(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	summary, rules, n := answerview.SummaryOf(s.lib.Records().Kinds(), meta), s.rows.RulesOf(g), game.AnyNotation
	if rules != nil {
		if n, err = s.checkNotation(ctx, summary.Game, in.Write); err != nil {
			return nil, err
		}
	}
	v := recordview.Unfold(g, rules, n, recordview.NoNode)
	w := &view.FullRecord{
		Summary: summary, Ruleset: g.Facts.Ruleset, Author: g.Facts.Author, Origin: g.Facts.Source, Time: g.Facts.Time,
		Format: g.Format, Encoding: g.Encoding, Guessed: g.Guessed, Added: meta.Added, Headers: make([]view.Header, len(g.Tags)),
		Formats: []string{}, Start: []int{}, Turn: int(v.Start.Turn), Nodes: v.Nodes, Main: v.Main(), Truncated: v.Cut, Faults: []string{},
	}
	if v.Start.Board != nil {
		w.Start = view.Pieces(v.Start.Board)
	}
	for i, t := range g.Tags {
		w.Headers[i] = view.Header{Name: t.Name, Value: t.Value}
	}
	for _, f := range record.Writers(s.lib.Records().Formats(), g) {
		w.Formats = append(w.Formats, f.Info().Name)
	}
	for i := range g.Faults {
		f := g.Faults[i]
		f.Place = record.Place{}
		w.Faults = append(w.Faults, f.Error())
	}
	return w, s.about(ctx, w, in.ID)
}

// checkNotation returns a notation that a game has, and refuses others.
func (s *Server) checkNotation(ctx context.Context, spec, name string) (game.Notation, error) {
	k, err := s.kinds.Find(spec)
	if err != nil {
		return "", err
	}
	return k.Notation(name)
}

// about adds what the library says of a record beside it.
func (s *Server) about(ctx context.Context, w *view.FullRecord, id uint32) error {
	db, archive := s.lib.Notes(), s.lib.Records()
	sources, err := archive.Sources(ctx, id)
	if err != nil {
		return err
	}
	w.Sources = make([]view.Source, len(sources))
	for i, x := range sources {
		w.Sources[i] = view.Source{File: s.shownFile(x.File), Number: x.Number, Offset: x.Offset}
	}
	tags, err := db.TagsOf(ctx, id)
	if err != nil {
		return err
	}
	w.Tags = make([]string, len(tags))
	for i := range tags {
		w.Tags[i] = tags[i].Name
	}
	collections, err := db.CollectionsOf(ctx, id)
	if err != nil {
		return err
	}
	w.Collections = make([]string, len(collections))
	for i := range collections {
		w.Collections[i] = collections[i].Name
	}
	links, err := archive.Links(ctx, id)
	w.Links = make([]view.Link, len(links))
	for i, x := range links {
		w.Links[i] = view.Link{ID: x.Game, Why: x.Why}
	}
	return err
}

func (s *Server) deleteRecord(ctx context.Context, in *IDInput) (*nothing, error) {
	if _, err := s.lib.Records().Games(ctx, []uint32{in.ID}); err != nil {
		return nil, err
	}
	return nil, s.lib.Records().Delete(ctx, in.ID)
}

type removalInput struct{ Body view.Removal }

func (s *Server) deleteRecords(ctx context.Context, in *removalInput) (*view.Changed, error) {
	ids, err := s.selected(ctx, &in.Body.Selection)
	if err != nil {
		return nil, err
	}
	if len(ids) != in.Body.Expect {
		return nil, conflict("other-count", "Look at the records again: the library may have changed.", "%d records are selected, and %d were expected: nothing was deleted", len(ids), in.Body.Expect)
	}
	if err := s.lib.Records().Delete(ctx, ids...); err != nil {
		return nil, err
	}
	return &view.Changed{Records: len(ids), Changed: len(ids)}, nil
}

// selected returns the numbers of the records of a selection, each once and all
// of them there, in rising order.
func (s *Server) selected(ctx context.Context, sel *view.Selection) ([]uint32, error) {
	switch {
	case len(sel.IDs) > 0 && sel.Query != "":
		return nil, bad("selection", "Give either ids or a query.", "records are selected by their numbers or by a query, not both")
	case len(sel.IDs) > 0:
		return s.present(ctx, sel.IDs)
	case sel.Query == "":
		return nil, bad("selection", `Give ids, or a query; the query "all" is all records.`, "no records are selected")
	}
	if err := s.meant(ctx, sel.Game); err != nil {
		return nil, err
	}
	q := (&Asking{Query: sel.Query, Game: sel.Game, Variations: sel.Variations}).question()
	q.Limit, q.NoContinuations = 1, true
	r, err := s.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return r.Found.ToArray(), nil
}

// present returns numbers of records in rising order, and refuses such as there
// are none of.
func (s *Server) present(ctx context.Context, ids []uint32) ([]uint32, error) {
	all, err := s.lib.Records().IDs(ctx, "")
	if err != nil {
		return nil, err
	}
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		if !all.Contains(id) {
			return nil, notFound("It may have been deleted: list the records again.", "there is no record %d: nothing was done", id)
		}
	}
	return ids, nil
}
