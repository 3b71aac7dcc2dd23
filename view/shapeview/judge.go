package shapeview

import (
	"fmt"
	"math"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/view"
)

// Telling says what of a judgement is told beside its verdicts.
type Telling struct {
	Why       string // a point of a string, which must have a stone: its steps
	Trace     bool   // all steps
	Influence bool   // how strongly each point leans to a side
	Geometry  bool   // how the board is drawn
}

// NoStringError is a question about a string where no stone stands.
type NoStringError struct {
	Point   string // as it was asked for, or its name
	OnBoard bool
}

// Error tells what is missing there.
func (e *NoStringError) Error() string {
	if !e.OnBoard {
		return fmt.Sprintf("the board has no point %q", e.Point)
	}
	return "nothing stands on " + e.Point
}

// JudgementOf returns a judgement. The board is the one that was judged.
func JudgementOf(pos *weiqi.Position, r *judge.Report, b *life.Board, how *Telling) (*view.Judgement, error) {
	rules := pos.Rules()
	g, info := rules.Geometry(), rules.Info()
	w := &view.Judgement{
		Game: info.Name, Text: game.FormatPosition(rules, pos), Method: r.Method, Pieces: view.Pieces(pos.Planes()),
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
			Chance: view.Rounded(v.Chance), Group: v.Group, Steps: append([]int{}, v.Steps...),
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
	if r.Guess != nil {
		w.Guess = &view.JudgedGuess{Win: view.Rounded(r.Guess.Win), Lead: float64(r.Guess.Count) / 2, Spread: math.Round(10*r.Guess.Spread) / 10, First: make([]float64, g.Size.Area())}
		for _, c := range b.On {
			w.Guess.First[g.Size.Index(c.Point())] = view.Rounded(r.Guess.Black[c.Point()])
		}
	}
	for _, m := range judge.Methods() {
		w.Methods = append(w.Methods, MethodOf(&m))
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

// MethodOf describes a method.
func MethodOf(m *judge.Method) view.JudgeMethod {
	w := view.JudgeMethod{Name: m.Name, Summary: m.Summary, Proof: m.Proof}
	if x := m.Worth; x != nil {
		w.Strings, w.Error, w.Wrong = x.Strings, x.Error, x.Wrong
	}
	return w
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
func tellSteps(w *view.Judgement, g *board.Geometry, r *judge.Report, b *life.Board, how *Telling) error {
	wanted := func(int) bool { return how.Trace }
	if how.Why != "" {
		at, ok := g.Point(how.Why)
		if !ok {
			return &NoStringError{Point: how.Why}
		}
		v := r.At(b, at)
		if v == nil {
			return &NoStringError{Point: g.Name(at), OnBoard: true}
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

const maxReasons = 400 // told at once: graphs are large

func stepOf(number int, size board.Size, s *life.Step, b *life.Board) view.JudgedStep {
	w := view.JudgedStep{
		Number: number, Rule: string(s.Rule), Text: s.Rule.Text(), Side: int(s.Side), Strings: numbers(b, s.Strings), Points: view.Indices(size, s.Points),
		Status: s.Status.String(), Count: s.Count,
	}
	if s.Graph != nil {
		w.Graph = &view.StringGraph{Vertices: []view.GraphVertex{}, Edges: []view.GraphEdge{}}
		for _, v := range s.Graph.Vertices {
			w.Graph.Vertices = append(w.Graph.Vertices, view.GraphVertex{Name: v.Name, Kind: v.Kind, Points: view.Indices(size, v.Points), Alive: v.Alive, Dead: v.Dead})
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

// EndgameOf returns what is left to play as clients get it.
func EndgameOf(e *judge.Endgame, g *board.Geometry, b *life.Board) *view.JudgedEnd {
	w := &view.JudgedEnd{Over: e.Over(), Dame: view.Indices(g.Size, e.Dame), Open: view.Indices(g.Size, e.Open), Moves: []view.JudgedMove{}}
	for side := range e.Moves {
		for _, m := range e.Moves[side] {
			w.Moves = append(w.Moves, view.JudgedMove{
				Point: g.Size.Index(m.At), Name: g.Name(m.At), Side: side, Kind: string(m.Kind), Value: float64(m.Value) / 2, Strings: numbers(b, m.Strings),
			})
		}
	}
	return w
}

// influence returns how points lean to the sides once what is dead is taken off.
func influence(r *judge.Report, b *life.Board) []float64 {
	values := life.Influence(b, func(i int) bool { return r.Strings[i].Status == life.Dead })
	list := make([]float64, 0, len(b.On))
	for _, c := range b.On {
		list = append(list, view.Rounded(float64(values[c])))
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
