package search

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

func (s *room) registerOccurrences() {
	api.Get(s.Service, api.Kept.InTurn(), "/records/{id}/hits", "record-hits", "records", "Where the board of a query occurs in a record", s.occurrences)
}

type occurrencesInput struct {
	api.IDInput
	Query      string `query:"q" required:"true" minLength:"1" maxLength:"65536" doc:"A query with a board"`
	Variations bool   `query:"variations" doc:"Look into the lines beside the main one, too"`
}

// occurrences asks the query of one record alone, and tells all places.
func (s *room) occurrences(ctx context.Context, in *occurrencesInput) (*view.Occurrences, error) {
	games, err := s.Lib.Records().Games(ctx, []uint32{in.ID})
	if err != nil {
		return nil, err
	}
	k, err := s.Lib.Records().Kinds().Find(games[0].Kind)
	if err != nil {
		return nil, err
	}
	tree, err := query.Parse(in.Query)
	if err != nil {
		return nil, err
	}
	q := &ask.Question{
		Tree: query.And{query.Games{Set: roaring.BitmapOf(in.ID), Why: "this record"}, tree}, Game: gameview.SpecOf(k),
		Request: retrieve.Request{Variations: in.Variations, All: true, NoContinuations: true, Limit: 1},
	}
	if err := s.WaitToAsk(ctx, q); err != nil {
		return nil, err
	}
	r, err := s.Lib.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &view.Occurrences{Hits: []view.Occurrence{}}
	rows := answerview.RowsOf(r.Bound)
	for i := range r.Rows {
		for k := range r.Rows[i].All {
			out.Hits = append(out.Hits, rows.OccurrenceOf(&r.Rows[i].All[k]))
		}
		if len(r.Rows[i].All) == 0 && retrieve.Timed(r.Bound) && r.Rows[i].Ply >= 0 {
			out.Hits = append(out.Hits, view.Occurrence{Ply: int(r.Rows[i].Ply), Symmetry: r.Rows[i].Symmetry.Board.String(), Variation: r.Rows[i].Variation})
		}
	}
	return out, nil
}
