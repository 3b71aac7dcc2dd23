// Package playview is the public form of games that are being played, and of what an
// engine thinks of positions and moves.
package playview

import (
	"slices"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/play"
	"qipu/record"
	"qipu/review"
	"qipu/view"
	"qipu/view/gameview"
)

// StandingOf returns where a game of a kind stands.
func StandingOf(k *gameview.Kind, v *play.View) (*gameview.Standing, error) {
	pos, err := v.Position()
	if err != nil {
		return nil, err
	}
	return &gameview.Standing{Kind: k, Pos: pos, Moves: v.Task.Moves, Base: v.Settings.Start}, nil
}

// SessionOf returns a game with its position.
func SessionOf(v *play.View, p *view.Position) *view.Session {
	w := &view.Session{
		ID: v.Token, Position: *p, Version: v.Version, Players: make([]view.SessionSide, len(v.Settings.Players)),
		State: string(v.State), Passed: v.Passed, Undo: v.Undo, Opening: p.Opening, Note: v.Note, Trouble: v.Trouble,
	}
	if v.State == play.Over && !w.Position.Over {
		w.Position.Over, w.Position.Legal = true, []view.Move{}
	}
	for i, p := range v.Settings.Players {
		w.Players[i] = view.SessionSide{Name: p.Title(), Level: p.Level, Engine: p.Engine, Count: v.Counts[i]}
	}
	if v.Left != nil {
		w.Clock = &view.SessionClock{Left: make([]int, len(v.Left)), Running: v.Running}
		for i, left := range v.Left {
			w.Clock.Left[i] = int(left.Milliseconds())
		}
		w.Clock.Periods, w.Clock.Period = v.Spare, int(v.Settings.Period.Milliseconds())
	}
	if s := v.Seats; s != nil {
		w.Undo = false // it is asked for
		w.Seats = &view.SessionSeats{Taken: s.Taken[:], Known: []bool{}, You: -1, Draws: v.Rules.Info().Draws, Offer: string(s.Offer), By: -1, Next: s.Next}
		for _, p := range v.Settings.Players {
			w.Seats.Known = append(w.Seats.Known, p.Who != "")
		}
		if s.Offer != "" {
			w.Seats.By = s.By
		}
	}
	w.Result, w.Count, w.Sharing = ResultOf(v), CountOf(v), SharingOf(v)
	if w.Sharing != nil && w.Sharing.Ask != nil {
		ask := w.Sharing.Ask
		w.Position.Legal = slices.DeleteFunc(slices.Clone(w.Position.Legal), func(m view.Move) bool { return !slices.Contains(ask.Points, m.To) })
	}
	return w
}

// SharingOf returns how the opening of a game stands; nil where it has none.
func SharingOf(v *play.View) *view.Sharing {
	o := v.Opening
	if o == nil {
		return nil
	}
	size := v.Rules.Geometry().Size
	w := &view.Sharing{Rule: o.Rule.Name, Titles: o.Rule.Titles, Howto: o.Rule.Howto, Said: []view.SharingAnswer{}}
	for i, a := range o.Answers {
		x := view.SharingAnswer{Side: int(o.Sides[i]), Word: a.Word, Point: -1, Ply: o.After[i]}
		switch o.Acts[i] {
		case game.OfferStone:
			x.Point = view.Indices(size, []board.Point{a.At})[0]
		case game.ChooseWord:
			w.Swapped = w.Swapped != (a.Word == game.SwapSides)
		default:
			continue
		}
		w.Said = append(w.Said, x)
	}
	if ask := o.Ask; ask != nil && v.State != play.Over {
		w.Ask = &view.SharingAsk{
			Act: string(ask.Act), Side: int(ask.Side), Words: append([]string{}, ask.Words...),
			Points: view.Indices(size, ask.Points), Offered: view.Indices(size, ask.Offered), Left: ask.Left,
		}
	}
	return w
}

// CountOf returns how a game is being settled; nil where it is not.
func CountOf(v *play.View) *view.Settlement {
	c := v.Count
	if c == nil {
		return nil
	}
	size := v.Rules.Geometry().Size
	w := &view.Settlement{
		Text: c.Facts().SGF(record.SidesOf(v.Rules)), Totals: []float64{float64(c.Totals[0]) / 2, float64(c.Totals[1]) / 2}, Groups: []view.SettledGroup{},
		Land: landOf(size, &c.Land), Left: view.Indices(size, c.Left), Sure: c.Sure, Doubt: string(c.Why), Proposed: c.Proposed, Agreed: c.Agreed[:],
	}
	for i := range c.Groups {
		g := &c.Groups[i]
		w.Groups = append(w.Groups, view.SettledGroup{Side: int(g.Side), Points: view.Indices(size, g.Points), Fate: string(g.Fate), Sure: g.Sure})
	}
	return w
}

func landOf(size board.Size, land *[2][]board.Point) [][]int {
	return [][]int{view.Indices(size, land[0]), view.Indices(size, land[1])}
}

// ResultOf returns how a game has ended; nil while it goes on.
func ResultOf(v *play.View) *view.GameResult {
	r := v.Result
	if r == nil {
		return nil
	}
	w := &view.GameResult{
		Winner: r.Winner, Text: r.Facts.SGF(record.SidesOf(v.Rules)), Reason: string(r.Reason), Score: append([]int{}, r.Counts...),
		Record: int(r.Record), Known: r.Known, Fresh: r.Fresh,
	}
	if len(r.Land[0])+len(r.Land[1]) > 0 {
		size := v.Rules.Geometry().Size
		w.Dead, w.Land = view.Indices(size, r.Dead), landOf(size, &r.Land)
	}
	return w
}

// RowOf returns what a list shows of a game.
func RowOf(v *play.View, at *gameview.Standing) view.SessionRow {
	row := view.SessionRow{
		ID: v.Token, Game: at.Spec, Line: at.Line(at.Played(game.AnyNotation)), Ply: len(at.Moves), Side: -1,
		Over: v.State == play.Over, Changed: v.Changed.UTC().Format(time.RFC3339),
	}
	for side, p := range v.Settings.Players {
		if p.Level > 0 {
			row.Level, row.Side = p.Level, 1-side
		}
	}
	return row
}

// ValuesOf returns what an engine thinks of the moves of a position; the report is nil
// where none is left.
func ValuesOf(at *gameview.Standing, r *engine.Report) *view.Values {
	unit := review.ScaleBy(at.Rules, r != nil && r.Points)
	w := &view.Values{Unit: string(unit.Unit), Selectivity: 100, Moves: []view.MoveValue{}}
	if r == nil {
		return w
	}
	w.Depth, w.Selectivity, w.Nodes, w.Exact = r.Depth, r.Selectivity, r.Nodes, r.Best().Exact
	if r.Counters != nil {
		c := CountersOf(r.Counters)
		w.Counters = &c
	}
	for i := range r.Lines {
		line := &r.Lines[i]
		if line.Value == engine.NoValue {
			continue
		}
		moves := line.Moves
		if len(moves) == 0 {
			moves = []game.Move{line.Move}
		}
		w.Moves = append(w.Moves, view.MoveValue{
			Move: at.Move(at.Pos, line.Move, at.Write), Value: view.Rounded(unit.Amount(line.Value)), Told: line.Told, Exact: line.Exact, Line: at.Ahead(moves),
		})
	}
	return w
}

// ValuesBy are ValuesOf with whose word they are.
func ValuesBy(at *gameview.Standing, r *engine.Report, by review.Opinion) *view.Values {
	w, whose := ValuesOf(at, r), OpinionOf(by)
	w.By = &whose
	return w
}

// OpinionOf returns whose word a review is.
func OpinionOf(o review.Opinion) view.Opinion {
	w := view.Opinion{Engine: o.Engine, Version: o.Version, Counts: o.Counts, Accuracy: []view.Accuracy{}, Measured: o.Measured, Itself: o.Itself}
	for _, a := range o.Accuracy {
		w.Accuracy = append(w.Accuracy, view.Accuracy(a))
	}
	return w
}

// ReviewMoveOf returns what a review says of the move that comes next.
func ReviewMoveOf(at *gameview.Standing, m *review.Move) view.ReviewMove {
	w := view.ReviewMove{
		Ply: m.Ply, Move: at.Move(at.Pos, m.Move, at.Write), Known: m.Known, Value: view.Rounded(m.Value), Loss: view.Rounded(m.Loss), Exact: m.Exact,
		Best: at.Ahead(m.Line), Mark: string(m.Mark),
	}
	if f := m.Finding; f != nil {
		w.Finding = &view.ReviewFinding{Missed: f.Missed, By: f.By, Plies: f.Plies, Text: f.String()}
		if f.Missed {
			w.Finding.Line = at.Ahead(f.Line)
		} else {
			w.Finding.Line = at.Ahead(append([]game.Move{m.Move}, f.Line...))[1:]
		}
	}
	return w
}
