package careerview

import (
	"cmp"
	"slices"

	"qipu/index"
	"qipu/library/career"
	"qipu/library/profiles"
	"qipu/record"
	"qipu/view"
	"qipu/view/answerview"
)

// marks are what bad moves are called, the least bad first.
var marks = []string{"inaccuracy", "mistake", "blunder"}

// phases are the parts of games, by their last moves.
var phases = []int{20, 60, 0}

// maxWorst is how many mistakes are told.
const maxWorst = 50

// MistakesOf returns the mistakes of who sat in games, by the reviews of them.
func MistakesOf(kinds *index.Kinds, reviews []profiles.Reviewed, seats []career.Seat) *view.Mistakes {
	records, sessions := map[uint32]*career.Seat{}, map[int64]*career.Seat{}
	for i := range seats {
		g := &seats[i].Game
		records[g.ID] = &seats[i]
		if g.Source.File == record.PlayFile {
			sessions[int64(g.Source.Number)] = &seats[i]
		}
	}
	w := &view.Mistakes{Marks: make([]view.MarkCount, len(marks)), Phases: make([]view.PhaseMistakes, len(phases)), Worst: []view.OwnMistake{}}
	for i, mark := range marks {
		w.Marks[i].Mark = mark
	}
	from := 1
	for i, to := range phases {
		w.Phases[i].From, w.Phases[i].To = from, to
		from = to + 1
	}
	had := map[uint32]bool{} // a game may have been reviewed as a session and as a record
	for i := range reviews {
		v := &reviews[i]
		seat := records[v.Record]
		if v.Session > 0 {
			seat = sessions[v.Session]
		}
		if seat == nil || seat.Side == career.Both || had[seat.Game.ID] {
			continue
		}
		had[seat.Game.ID] = true
		w.Games++
		w.Plies += v.Plies[seat.Side]
		for _, bad := range v.Bad {
			at := slices.Index(marks, bad.Mark)
			if bad.Side != int(seat.Side) || at < 0 {
				continue
			}
			w.Marks[at].Count++
			if bad.Mark != marks[0] {
				w.Phases[slices.IndexFunc(phases, func(to int) bool { return to == 0 || bad.Ply <= to })].Count++
			}
			w.Worst = append(w.Worst, view.OwnMistake{
				Record: answerview.SummaryOf(kinds, &seat.Game), Ply: bad.Ply, Side: bad.Side, Move: bad.Move, Best: bad.Best,
				Loss: bad.Loss, Unit: v.Unit, Mark: bad.Mark, By: v.By,
			})
		}
	}
	slices.SortStableFunc(w.Worst, func(a, b view.OwnMistake) int {
		return cmp.Or(cmp.Compare(slices.Index(marks, b.Mark), slices.Index(marks, a.Mark)), cmp.Compare(a.Unit, b.Unit), cmp.Compare(b.Loss, a.Loss))
	})
	w.Worst = w.Worst[:min(len(w.Worst), maxWorst)]
	return w
}
