package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"qipu"
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/view"
)

func (s *Server) registerJudge() {
	get(s, "/judge", "judge", "judge", "Life and death on a board of Go: what becomes of every string, whose every point is, the score", s.judgePosition)
	get(s, "/records/{id}/judge", "judge-record", "judge", "Life and death at a moment of a record, counted by the rules that it names", s.judgeRecord)
	register(s, http.MethodPost, "/judge", "judge-text", "judge", "Life and death on a board that is too long for an address, or at a moment of a record", s.judgeText)
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

const (
	usualNodes = 20_000 // of a search: a second at the most
	maxReasons = 400    // told at once: graphs are large
)

type judgeInput struct {
	Placed
	Judging
}

func (s *Server) judgePosition(ctx context.Context, in *judgeInput) (*view.Judgement, error) {
	at, err := s.stand(ctx, &in.Placed, "")
	if err != nil {
		return nil, err
	}
	pos, ok := at.pos.(*weiqi.Position)
	if !ok {
		return nil, notGo(at.rules)
	}
	return s.judged(ctx, pos, &in.Judging)
}

type judgeRecordInput struct {
	Moment
	Judging
}

func (s *Server) judgeRecord(ctx context.Context, in *judgeRecordInput) (*view.Judgement, error) {
	at, err := s.moment(ctx, &in.Moment)
	if err != nil {
		return nil, err
	}
	pos, ok := at.pos.(*weiqi.Position)
	if !ok {
		return nil, notGo(at.rules)
	}
	counting := qipu.CountingOf(pos.Rules(), &at.game.Facts)
	if pos, err = counting.Stand(pos); err != nil {
		return nil, badLine(err)
	}
	return s.judged(ctx, pos, &in.Judging)
}

type judgeTextInput struct{ Body view.JudgeRequest }

func (s *Server) judgeText(ctx context.Context, in *judgeTextInput) (*view.Judgement, error) {
	b := &in.Body
	how := Judging{Method: b.Method, Why: b.Why, Trace: b.Trace, Endgame: b.Endgame, Influence: b.Influence, Geometry: b.Geometry, Scoring: b.Scoring, Nodes: b.Nodes}
	if b.Record == 0 {
		return s.judgePosition(ctx, &judgeInput{Placed{Game: cmp.Or(b.Game, "weiqi"), Line: b.Line}, how})
	}
	if b.Line != "" {
		return nil, bad("two-boards", "Send one of the two.", "a record and a line are two boards")
	}
	at := Moment{IDInput: IDInput{b.Record}, Ply: -1, Node: b.Node}
	if b.Ply != nil {
		at.Ply = *b.Ply
	}
	return s.judgeRecord(ctx, &judgeRecordInput{at, how})
}

func notGo(r game.Rules) error {
	return bad("no-life", "Ask about a position of Go.", "life and death is judged in Go alone, and this is %s", r.Info().Titles.En)
}

// judged judges a position. How many do so at once is bounded, and so is what a
// search may try.
func (s *Server) judged(ctx context.Context, pos *weiqi.Position, how *Judging) (*view.Judgement, error) {
	if how.Method != "" && !slices.ContainsFunc(judge.Methods(), func(m judge.Method) bool { return m.Name == how.Method }) {
		var names []string
		for _, m := range judge.Methods() {
			names = append(names, m.Name)
		}
		return nil, bad("no-method", "The methods are "+strings.Join(names, ", ")+".", "there is no method %q", how.Method)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var w *view.Judgement
	s.lib.Judges().Do(func(j *judge.Judge) {
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
		elapsed := milliseconds(began)
		if w, err = JudgementOf(pos, r, j.Board(), how); err != nil {
			return
		}
		w.Elapsed = elapsed
		if how.Endgame {
			e := j.Endgame(pos, r)
			w.Endgame = endOf(&e, pos.Rules().Geometry(), j.Board())
		}
	})
	return w, err
}

// JudgementOf returns a judgement as clients get it, for those who judge by
// themselves. The board is the one that was judged; of how counts what is to be
// told: Why, which has to name a stone, Trace, Influence and Geometry.
func JudgementOf(pos *weiqi.Position, r *judge.Report, b *life.Board, how *Judging) (*view.Judgement, error) {
	rules := pos.Rules()
	g, info := rules.Geometry(), rules.Info()
	w := &view.Judgement{
		Game: info.Name, Text: game.FormatPosition(rules, pos), Method: r.Method, Pieces: pieces(pos.Planes()),
		Strings: []view.JudgedString{}, Groups: []view.JudgedGroup{}, Owner: make([]int, g.Size.Area()), Open: []int{}, Fills: []int{},
		Score: countOf(&r.Score), Steps: []view.JudgedStep{}, Methods: []view.JudgeMethod{},
	}
	if info.Variant != "" {
		w.Game += ":" + info.Variant
	}
	for i := range r.Strings {
		v := &r.Strings[i]
		x := view.JudgedString{
			Name: g.Name(v.Head), Points: []int{}, Side: int(v.Side), Status: v.Status.String(), Proved: v.Proved, Unclear: v.Unclear,
			Chance: rounded(v.Chance), Group: v.Group, Steps: append([]int{}, v.Steps...),
		}
		for _, c := range b.Stones(i) {
			x.Points = append(x.Points, g.Size.Index(c.Point()))
		}
		slices.Sort(x.Points)
		w.Strings = append(w.Strings, x)
	}
	for i := range r.Groups {
		w.Groups = append(w.Groups, groupJudged(r, &r.Groups[i]))
	}
	for _, c := range b.On {
		p := c.Point()
		w.Owner[g.Size.Index(p)] = int(r.Owner[p])
		if r.Open.Has(p) {
			w.Open = append(w.Open, g.Size.Index(p))
		}
		if r.Fills.Has(p) {
			w.Fills = append(w.Fills, g.Size.Index(p))
		}
	}
	w.Early = r.Early
	for _, m := range judge.Methods() {
		w.Methods = append(w.Methods, view.JudgeMethod{Name: m.Name, Summary: m.Summary, Proof: m.Proof})
	}
	if how.Influence {
		w.Influence = influence(r, b)
	}
	if how.Geometry {
		whole := g.Whole()
		w.Geometry = &whole
	}
	return w, tellSteps(w, g, r, b, how)
}

func groupJudged(r *judge.Report, g *life.Group) view.JudgedGroup {
	w := view.JudgedGroup{Side: int(g.Side), Strings: append([]int{}, g.Strings...), Status: g.Status.String(), Eyes: g.Eyes, Proved: len(g.Strings) > 0}
	for k, i := range g.Strings {
		v := &r.Strings[i]
		w.Stones += v.Stones
		w.Unclear = w.Unclear || v.Unclear
		w.Proved = w.Proved && v.Proved
		if g.Status == life.Unknown && k == 0 { // of methods that speak of strings alone
			w.Status = v.Status.String()
		}
	}
	return w
}

// tellSteps tells the steps that are wanted: those of a string, or all.
func tellSteps(w *view.Judgement, g *board.Geometry, r *judge.Report, b *life.Board, how *Judging) error {
	wanted := func(int) bool { return how.Trace }
	if how.Why != "" {
		at, ok := g.Point(how.Why)
		if !ok {
			return bad("no-string", "Name a point with a stone on it, as in Q16.", "the board has no point %q", how.Why)
		}
		v := r.At(b, at)
		if v == nil {
			return bad("no-string", "Name a point with a stone on it.", "nothing stands on %s", g.Name(at))
		}
		wanted = func(i int) bool { return slices.Contains(v.Steps, i) }
		if len(v.Steps) == 0 { // then those that name it
			wanted = func(i int) bool { return slices.Contains(r.Steps[i].Strings, v.Head) }
		}
	}
	for i := range r.Steps {
		if !wanted(i) {
			continue
		}
		if len(w.Steps) == maxReasons {
			w.Cut = true
			return nil
		}
		w.Steps = append(w.Steps, stepOf(i, g.Size, &r.Steps[i], b))
	}
	return nil
}

func stepOf(number int, size board.Size, s *life.Step, b *life.Board) view.JudgedStep {
	w := view.JudgedStep{
		Number: number, Rule: string(s.Rule), Text: s.Rule.Text(), Side: int(s.Side), Strings: numbers(b, s.Strings), Points: indices(size, s.Points),
		Status: s.Status.String(), Count: s.Count,
	}
	if s.Graph != nil {
		w.Graph = &view.StringGraph{Vertices: []view.GraphVertex{}, Edges: []view.GraphEdge{}}
		for _, v := range s.Graph.Vertices {
			w.Graph.Vertices = append(w.Graph.Vertices, view.GraphVertex{Name: v.Name, Kind: v.Kind, Points: indices(size, v.Points), Alive: v.Alive, Dead: v.Dead})
		}
		for _, e := range s.Graph.Edges {
			w.Graph.Edges = append(w.Graph.Edges, view.GraphEdge{From: e.From, To: e.To, Directed: e.Directed})
		}
	}
	return w
}

// numbers returns the numbers of strings by stones of them.
func numbers(b *life.Board, stones []board.Point) []int {
	list := make([]int, 0, len(stones))
	for _, at := range stones {
		if c := life.CellOf(at); b.Stone[c] == life.Black || b.Stone[c] == life.White {
			list = append(list, int(b.Of[c]))
		}
	}
	return list
}

// endOf returns what is left to play as clients get it.
func endOf(e *judge.Endgame, g *board.Geometry, b *life.Board) *view.JudgedEnd {
	w := &view.JudgedEnd{Over: e.Over(), Dame: indices(g.Size, e.Dame), Open: indices(g.Size, e.Open), Moves: []view.JudgedMove{}}
	for side := range e.Moves {
		for _, m := range e.Moves[side] {
			w.Moves = append(w.Moves, view.JudgedMove{
				Point: g.Size.Index(m.At), Name: g.Name(m.At), Side: side, Kind: string(m.Kind), Value: float64(m.Value) / 2, Strings: numbers(b, m.Strings),
			})
		}
	}
	return w
}

func indices(size board.Size, list []board.Point) []int {
	out := make([]int, 0, len(list))
	for _, p := range list {
		if size.Has(p) {
			out = append(out, size.Index(p))
		}
	}
	return out
}

// influence returns how points lean to the sides once what is dead is taken off.
func influence(r *judge.Report, b *life.Board) []float64 {
	values := life.Influence(b, func(i int) bool { return r.Strings[i].Status == life.Dead })
	list := make([]float64, 0, len(b.On))
	for _, c := range b.On {
		list = append(list, rounded(float64(values[c])))
	}
	return list
}

// countOf returns a count as clients get it.
func countOf(s *weiqi.Score) view.JudgedScore {
	w := view.JudgedScore{
		Text: s.String(), Scoring: "territory", Stones: s.Stones[:], Territory: []int{s.Territory[0].Count(), s.Territory[1].Count()}, Prisoners: s.Prisoners[:],
		Dame: s.Dame.Count(), Komi: float64(s.Komi) / 2, Handicap: float64(s.Handicap) / 2, Total: []float64{float64(s.Total[0]) / 2, float64(s.Total[1]) / 2},
	}
	if s.Scoring == weiqi.Area {
		w.Scoring = "area"
	}
	return w
}
