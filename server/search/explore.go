package search

import (
	"context"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/bookview"
	"qipu/view/gameview"
)

func (s *room) registerExplore() {
	api.Get(s.Service, api.Kept.InTurn(), "/explore", "explore", "explore", "What was played in a position, how it went, and how many games reach each next one", s.explore)
}

type exploreInput struct {
	api.Placed
	api.Listing
	Within     string `query:"within" maxLength:"65536" doc:"A query: only its games count"`
	Counted    string `query:"games" enum:"records,here" default:"records" doc:"Which games are counted: records that were read, or games that were played in this program, by guests and by its levels"`
	Variations bool   `query:"variations" doc:"Look into the lines beside the main ones, too"`
	Partial    bool   `query:"partial" doc:"Answer without servers of the library that cannot be reached; the answer says so"`
	Exact      bool   `query:"exact" doc:"Only the position as it is, neither turned nor mirrored"`
	Swap       bool   `query:"swap" doc:"With the sides exchanged, too"`
	AnyTurn    bool   `query:"anyTurn" doc:"Whoever is to move"`
	Openings   bool   `query:"openings" doc:"Tell what the headers of the games call the opening"`
	Legal      bool   `query:"legal" doc:"Tell the moves that are possible, whether they were played or not"`
}

// shape returns a position as it is looked for.
func (in *exploreInput) shape(p game.Position) (*pattern.Pattern, error) {
	shape, err := pattern.FromPosition(p)
	if err != nil {
		return nil, err
	}
	shape.Mirror, shape.Swap = !in.Exact, in.Swap
	if !in.AnyTurn {
		shape.Turn = pattern.FirstToMove + pattern.Turn(p.Turn())
	}
	return shape, nil
}

func (s *room) explore(ctx context.Context, in *exploreInput) (*view.Explored, error) {
	began := time.Now()
	if in.Partial {
		ctx = index.AllowPartial(ctx)
	}
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	shape, err := in.shape(at.Pos)
	if err != nil {
		return nil, api.Bad("no-board", "Look for its games by what is said of them.", "%v", err)
	}
	r := &retrieve.ExploreRequest{
		Kind: at.Index, Position: at.Pos, Variations: in.Variations, Mirror: !in.Exact, Swap: in.Swap, AnyTurn: in.AnyTurn,
		Limit: in.Limit, Cursor: in.Cursor, Reverse: in.Reverse,
	}
	if in.Sort != "" {
		if r.Order, err = retrieve.ParseOrder(in.Sort); err != nil {
			return nil, api.Bad("no-order", "Leave it out for the usual order.", "%v", err)
		}
	}
	var within query.Q // as it was asked
	if in.Within != "" {
		within, err = query.Parse(in.Within)
	}
	var apart query.Q
	if err == nil {
		within, apart, err = s.Lib.Search().Origin(ctx, at.Index, within, in.Counted == bookview.Here)
	}
	if err == nil {
		r.Within, err = s.Lib.Search().Bind(ctx, at.Index, within, in.Variations)
	}
	if err != nil {
		return nil, api.InField(query.WithText(err, in.Within), "query.within")
	}
	if err := s.Wait(ctx); err != nil {
		return nil, err
	}
	a, err := s.Lib.Search().Explore(ctx, r)
	if err != nil {
		return nil, api.InField(query.WithText(err, in.Within), "query.within")
	}
	of, err := s.searched(ctx, []*index.Kind{at.Index})
	if err != nil {
		return nil, err
	}
	w := &view.Explored{
		Position: *at.Position(in.Legal), Games: a.Games, Hits: a.Hits, Of: of, Counted: in.Counted, Score: answerview.ScoreOf(&a.Colours),
		Moves:    answerview.NextMoves(ask.FrameAt(at.Index, at.Pos, at.Moves, shape), a.Continuations, at.Write),
		Openings: []view.Opening{}, Next: a.Next, Partial: a.Partial,
	}
	for i := range w.Moves {
		w.Moves[i].Reached = a.Continuations[i].Reached
	}
	w.Query = in.query(at, w.Position.Line, within).String()
	bound := &query.Shape{Pattern: shape, Geometry: at.Rules.Geometry()}
	if w.Apart, err = s.Lib.Search().Reach(ctx, at.Index, bound, apart, in.Variations); err != nil {
		return nil, err
	}
	if in.Openings && a.Games > 0 {
		if w.Openings, err = s.openings(ctx, r, bound); err != nil {
			return nil, err
		}
	}
	if w.Rows, err = s.Rows.Rows(ctx, a.Rows, answerview.RowOptionsOf(bound, in.Boards, in.Write)); err != nil {
		return nil, err
	}
	w.Elapsed = view.Milliseconds(began)
	return w, nil
}

// query returns a query for the games that an answer is about.
func (in *exploreInput) query(at *gameview.Standing, line string, within query.Q) query.Q {
	if line == "" {
		line = "start"
	}
	d := query.Diagram{Word: "position", Text: line}
	option := func(on bool, name, value string) {
		if on {
			d.Options = append(d.Options, query.Option{Name: name, Value: value})
		}
	}
	option(in.Exact, "no-mirror", "")
	option(!in.Swap, "no-swap", "")
	option(!in.AnyTurn, "turn", at.Rules.Info().Sides[at.Pos.Turn()].Name)
	q := query.And{query.Field{Name: "game", Value: gameview.SpecOf(at.Index)}, d}
	if within != nil {
		q = append(q, within)
	}
	return query.Simplify(q)
}

// maxOpenings is how many names of openings are told: those that matter.
const maxOpenings = 12

// openings returns what the headers of the games call the opening: by its name,
// or where none has one by its code.
func (s *room) openings(ctx context.Context, r *retrieve.ExploreRequest, shape *query.Shape) ([]view.Opening, error) {
	list := []view.Opening{}
	q := query.And{shape}
	if r.Within != nil {
		q = append(q, r.Within)
	}
	for _, by := range []retrieve.Dimension{retrieve.ByOpening, retrieve.ByCode} {
		a, err := s.Lib.Search().Find(ctx, &retrieve.Request{Kind: r.Kind, Query: q, Variations: r.Variations, By: by, NoContinuations: true, Limit: 1})
		if err != nil {
			return nil, err
		}
		for i := range a.Groups {
			o := view.Opening{Name: a.Groups[i].Key, Games: a.Groups[i].Count}
			if by == retrieve.ByCode {
				o.Name, o.Code = "", o.Name
			}
			if a.Groups[i].Key != "" && len(list) < maxOpenings {
				list = append(list, o)
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return list, nil
}
