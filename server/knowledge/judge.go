package knowledge

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/record/score"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/shapeview"
)

func (s *room) registerJudge() {
	api.Get(s.Service, api.Kept.InTurn(), "/judge", "judge", "judge", "Life and death on a board of Go: what becomes of every string, whose every point is, the score", s.judgePosition)
	api.Get(s.Service, api.Kept.InTurn(), "/records/{id}/judge", "judge-record", "judge", "Life and death at a moment of a record, counted by the rules that it names", s.judgeRecord)
	api.Get(s.Service, api.Kept.InTurn(), "/records/{id}/course", "get-course", "judge", "What the net of Go says of a whole game: who leads, how likely each side is to win, when groups died. It is kept with the library once it was made", s.course)
	api.Register(s.Service, api.Harmless.InTurn(), http.MethodPost, "/judge", "judge-text", "judge", "Life and death on a board that is too long for an address, or at a moment of a record", s.judgeText)
}

// Judging is how a board is judged.
type Judging struct {
	Method    string `query:"method" maxLength:"40" doc:"One of the methods; the weighed verdict if empty" example:"graph"`
	Why       string `query:"why" maxLength:"10" doc:"A point of a string: its steps are told, with their graphs" example:"Q16"`
	Trace     bool   `query:"trace" doc:"Tell all steps"`
	Endgame   bool   `query:"endgame" doc:"Tell what is left to play"`
	Influence bool   `query:"influence" doc:"Tell how strongly each point leans to a side"`
	Geometry  bool   `query:"geometry" doc:"Tell how the board is drawn"`
	Scoring   string `query:"scoring" enum:"area,territory," doc:"How to count; by the rules of the position if empty"`
	Nodes     int    `query:"nodes" minimum:"0" maximum:"200000" doc:"How many moves a searching method may try on the whole board; 0 for a usual number"`
}

// usualNodes is how many moves a search tries: a second at the most.
const usualNodes = 20_000

type judgeInput struct {
	api.Placed
	Judging
}

func (s *room) judgePosition(ctx context.Context, in *judgeInput) (*view.Judgement, error) {
	at, err := s.Stand(&in.Placed, "")
	if err != nil {
		return nil, err
	}
	pos, ok := at.Pos.(*weiqi.Position)
	if !ok {
		return nil, notGo(at.Rules)
	}
	return s.judged(ctx, pos, &in.Judging)
}

type judgeRecordInput struct {
	api.Moment
	Judging
}

func (s *room) judgeRecord(ctx context.Context, in *judgeRecordInput) (*view.Judgement, error) {
	at, err := s.Moment(ctx, &in.Moment)
	if err != nil {
		return nil, err
	}
	pos, ok := at.Pos.(*weiqi.Position)
	if !ok {
		return nil, notGo(at.Rules)
	}
	counting := score.CountingOf(pos.Rules(), &at.Game.Facts)
	if pos, err = counting.Stand(pos); err != nil {
		return nil, gameview.BadLine(err)
	}
	return s.judged(ctx, pos, &in.Judging)
}

type judgeTextInput struct{ Body view.JudgeRequest }

func (s *room) judgeText(ctx context.Context, in *judgeTextInput) (*view.Judgement, error) {
	b := &in.Body
	how := Judging{Method: b.Method, Why: b.Why, Trace: b.Trace, Endgame: b.Endgame, Influence: b.Influence, Geometry: b.Geometry, Scoring: b.Scoring, Nodes: b.Nodes}
	if b.Record == 0 {
		return s.judgePosition(ctx, &judgeInput{api.Placed{Game: cmp.Or(b.Game, weiqi.Standard.Info().Name), Line: b.Line}, how})
	}
	if b.Line != "" {
		return nil, api.Bad("two-boards", "Send one of the two.", "a record and a line are two boards")
	}
	at := api.Moment{IDInput: api.IDInput{ID: b.Record}, Ply: -1, Node: b.Node}
	if b.Ply != nil {
		at.Ply = *b.Ply
	}
	return s.judgeRecord(ctx, &judgeRecordInput{at, how})
}

func notGo(r game.Rules) error {
	return api.Bad("no-life", "Ask about a position of Go.", "life and death is judged in Go alone, and this is %s", r.Info().Titles.En)
}

// judged judges a position. How many do so at once is bounded, and so is what a
// search may try.
func (s *room) judged(ctx context.Context, pos *weiqi.Position, how *Judging) (*view.Judgement, error) {
	if how.Method != "" && !slices.ContainsFunc(judge.Methods(), func(m judge.Method) bool { return m.Name == how.Method }) {
		var names []string
		for _, m := range judge.Methods() {
			names = append(names, m.Name)
		}
		return nil, api.Bad("no-method", "The methods are "+strings.Join(names, ", ")+".", "there is no method %q", how.Method)
	}
	var w *view.Judgement
	var err error
	s.judges.Do(func(j *judge.Judge) {
		began := time.Now()
		var r *judge.Report
		if r, err = j.Judge(pos, judge.Options{Method: how.Method, Nodes: cmp.Or(how.Nodes, usualNodes), Trace: how.Trace || how.Why != ""}); err != nil {
			return
		}
		if how.Scoring != "" {
			o := r.ScoreOptions()
			o.Scoring = map[string]weiqi.Scoring{"area": weiqi.Area, "territory": weiqi.Territory}[how.Scoring]
			r.Score = pos.Score(o)
		}
		elapsed := view.Milliseconds(began)
		w, err = shapeview.JudgementOf(pos, r, j.Board(), &shapeview.Telling{Why: how.Why, Trace: how.Trace, Influence: how.Influence, Geometry: how.Geometry})
		if e, ok := errors.AsType[*shapeview.NoStringError](err); ok {
			err = api.Bad("no-string", "Name a point with a stone on it, as in Q16.", "%v", e)
		}
		if err != nil {
			return
		}
		w.Elapsed = elapsed
		if how.Endgame {
			e := j.Endgame(pos, r)
			w.Endgame = shapeview.EndgameOf(&e, pos.Rules().Geometry(), j.Board())
		}
	})
	return w, err
}
