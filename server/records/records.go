package records

import (
	"context"
	"net/http"
	"slices"
	"time"

	"qipu/game"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/answerview"
)

func (s *room) registerRecords() {
	api.Get(s.Service, api.Kept, "/records", "list-records", "records", "The records of a query, or all of them", s.records)
	api.Get(s.Service, api.Kept.InTurn(), "/records/facets", "facets", "records", "The records of a query by what they have in common", s.facets)
	api.Plain(s.Service, api.Fresh, "/records/export", "export-records", "records", "The records of a query as a file", "application/octet-stream", s.export)
	api.Get(s.Service, api.Kept, "/records/{id}", "get-record", "records", "A record with its tree of moves, comments and boards", s.record)
	api.Plain(s.Service, api.Fresh, "/records/{id}/raw", "raw-record", "records", "The bytes of a record as they were read", "application/octet-stream", s.raw)
	api.Plain(s.Service, api.Fresh, "/records/{id}/file", "record-file", "records", "A record in a format", "application/octet-stream", s.recordFile)
	api.Plain(s.Service, api.Kept, "/records/{id}/board.svg", "record-svg", "records", "A picture of a moment of a record", "image/svg+xml", s.recordSVG)
	api.Plain(s.Service, api.Kept, "/records/{id}/board.png", "record-png", "records", "A picture of a moment of a record, as pixels: 600 wide, or up to 1600", "image/png", s.recordPNG)
	api.Plain(s.Service, api.Fresh.InTurn(), "/records/{id}/pages.pdf", "record-pages", "records", "A record on pages: header, diagrams with numbered moves or lists of moves with boards, comments", "application/pdf", s.recordPages)
	api.Plain(s.Service, api.Fresh.InTurn(), "/records/{id}/moves.gif", "record-film", "records", "Moves of a record as an animated picture, at most a hundred", "image/gif", s.recordFilm)
	api.Plain(s.Service, api.Kept, "/records/{id}/board.txt", "record-text", "records", "A moment of a record in letters", "text/plain", s.recordText)
	api.Get(s.Service, api.Kept, "/records/{id}/position", "record-position", "records", "A moment of a record: its position, and the moves that are possible", s.recordPosition)
	api.Register(s.Service, api.Change, http.MethodDelete, "/records/{id}", "delete-record", "records", "Delete a record", s.deleteRecord)
	api.Register(s.Service, api.Change, http.MethodPost, "/records/delete", "delete-records", "records", "Delete the records of a selection", s.deleteRecords)
}

type recordsInput struct {
	api.Asking
	api.Listing
}

func (s *room) records(ctx context.Context, in *recordsInput) (*view.Records, error) {
	began := time.Now()
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	q, err := s.Question(ctx, &in.Asking, &in.Listing)
	if err != nil {
		return nil, err
	}
	q.NoContinuations = true
	r, err := s.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	w := &view.Records{
		Games: r.Games, Score: answerview.ScoreOf(&r.Colours), Next: r.Next, Query: r.Query.String(), Hints: append([]string{}, r.Hints...),
	}
	if w.Records, err = s.Rows.Rows(ctx, r.Rows, answerview.RowOptionsOf(r.Bound, in.Boards, in.Write)); err != nil {
		return nil, err
	}
	w.Elapsed = view.Milliseconds(began)
	return w, nil
}

type facetsInput struct {
	api.Asking
	By    []string `query:"by" maxItems:"10" enum:"year,player,event,opening,code,place,result,length,collection,tag" doc:"Which; several are parted by commas; all if empty"`
	Limit int      `query:"limit" minimum:"1" maximum:"1000" default:"12" doc:"Groups of each; years and lengths are all told"`
}

// facetFields are the fields of the query language that narrow to a group of a
// dimension, where they are called otherwise.
var facetFields = map[retrieve.Dimension]string{retrieve.ByYear: "date", retrieve.ByLength: "moves"}

// maxGroups bounds how many years or lengths are told.
const maxGroups = 1000

func (s *room) facets(ctx context.Context, in *facetsInput) (*view.Facets, error) {
	names := in.By
	if len(names) == 0 {
		names = retrieve.Dimensions()
	}
	by := make([]retrieve.Dimension, len(names))
	var err error
	for i, name := range names {
		if by[i], err = retrieve.ParseDimension(name); err != nil {
			return nil, api.Bad("no-group", "See /query/reference for what there is.", "%v", err)
		}
	}
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	q := in.Question()
	q.Limit, q.NoContinuations = 1, true
	if err := s.WaitToAsk(ctx, q); err != nil {
		return nil, err
	}
	_, groups, err := s.Lib.Search().Facets(ctx, q, by...)
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

type recordInput struct {
	api.IDInput
	api.Writing
}

func (s *room) record(ctx context.Context, in *recordInput) (*view.FullRecord, error) {
	g, meta, err := s.Lib.Record(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	rules, n := s.Rows.RulesOf(g), game.AnyNotation
	if rules != nil {
		if _, n, err = s.Written(meta, in.Write); err != nil {
			return nil, err
		}
	}
	w := answerview.RecordOf(s.Lib.Records().Kinds(), g, meta, rules, n, s.Lib.Records().Formats())
	if err := answerview.AddAbout(ctx, s.Lib.Records(), w, in.ID); err != nil {
		return nil, err
	}
	for i := range w.Sources {
		w.Sources[i].File = s.ShownFile(w.Sources[i].File)
	}
	return w, nil
}

func (s *room) deleteRecord(ctx context.Context, in *api.IDInput) (*api.Nothing, error) {
	if _, err := s.Lib.Records().Games(ctx, []uint32{in.ID}); err != nil {
		return nil, err
	}
	return nil, s.Lib.Records().Delete(ctx, in.ID)
}

type removalInput struct{ Body view.Removal }

func (s *room) deleteRecords(ctx context.Context, in *removalInput) (*view.Changed, error) {
	ids, err := s.selected(ctx, &in.Body.Selection)
	if err != nil {
		return nil, err
	}
	if len(ids) != in.Body.Expect {
		return nil, api.Conflict("other-count", "Look at the records again: the library may have changed.", "%d records are selected, and %d were expected: nothing was deleted", len(ids), in.Body.Expect)
	}
	ctx, change := s.noting(ctx)
	if err := s.Lib.Records().Delete(ctx, ids...); err != nil {
		return nil, err
	}
	return &view.Changed{Records: len(ids), Changed: len(ids), Change: change()}, nil
}

// selected returns the numbers of the records of a selection, each once and all
// of them there, in rising order.
func (s *room) selected(ctx context.Context, sel *view.Selection) ([]uint32, error) {
	switch {
	case len(sel.IDs) > 0 && sel.Query != "":
		return nil, api.Bad("selection", "Give either ids or a query.", "records are selected by their numbers or by a query, not both")
	case len(sel.IDs) > 0:
		return s.present(ctx, sel.IDs)
	case sel.Query == "":
		return nil, api.Bad("selection", `Give ids, or a query; the query "all" is all records.`, "no records are selected")
	}
	if err := s.Meant(sel.Game); err != nil {
		return nil, err
	}
	q := (&api.Asking{Query: sel.Query, Game: sel.Game, Variations: sel.Variations}).Question()
	q.Limit, q.NoContinuations = 1, true
	r, err := s.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return r.Found.ToArray(), nil
}

// present returns numbers of records in rising order, and refuses such as there
// are none of.
func (s *room) present(ctx context.Context, ids []uint32) ([]uint32, error) {
	all, err := s.Lib.Records().IDs(ctx, "")
	if err != nil {
		return nil, err
	}
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		if !all.Contains(id) {
			return nil, api.NotFound("It may have been deleted: list the records again.", "there is no record %d: nothing was done", id)
		}
	}
	return ids, nil
}
