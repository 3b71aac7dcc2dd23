package bookview

import (
	"cmp"
	"math"
	"slices"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/retrieve"
	"qipu/review"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

// Volume is the book of a game: what games say, and what engines and people do.
type Volume struct {
	Book   *book.Book
	Theory *theory.Theory
	Unit   review.Scale // in which its values are told
}

func (v *Volume) Look(at *gameview.Standing, o book.LookOptions) *Looked {
	l := &Looked{Volume: v}
	l.Entry, l.Known = v.Book.Look(at.Pos, o)
	if l.Entry.Passed { // the side to move sees it from the other side
		l.Entry.Counts, l.Entry.R, l.Entry.Exact, l.Entry.Moves = l.Entry.Flip(), 0-l.Entry.R, -l.Entry.Exact, nil
	}
	l.Says = v.Theory.Look(at.Pos)
	return l
}

// Values dresses the three values of a position or move. What records tell to be
// exact is.
func (v *Volume) Values(t theory.Values, r float64, hasR bool, exact int, hasExact bool) view.BookValues {
	w := view.BookValues{
		E: v.Amount(t.E), ELow: v.Amount(t.Lower), EHigh: v.Amount(t.Upper), X: v.Amount(t.X), Human: v.Amount(t.Human), Note: t.Note,
	}
	if w.E != nil {
		w.ELevel = t.Level
	}
	if w.X == nil && hasExact {
		w.X = v.score(float64(exact))
	}
	if hasR {
		w.R = v.score(r)
		w.Apart = v.Unit.Unit == review.Discs && t.Apart(r) // elsewhere they are counted in different units
		if t.X == engine.NoValue && t.E == engine.NoValue && w.X != nil && v.Unit.Unit == review.Discs {
			w.Apart = math.Abs(*w.R-*w.X) > apartDiscs
		}
	}
	return w
}

// Amount returns a value of an engine in the unit of the book; nil for none.
func (v *Volume) Amount(x engine.Value) *float64 {
	if x == engine.NoValue {
		return nil
	}
	n := view.Rounded(v.Unit.Amount(x))
	return &n
}

// score returns a score of games in the unit of the book. Scores of games that
// are won go from -1 to 1, shares from 0 to 1.
func (v *Volume) score(x float64) *float64 {
	if v.Unit.Unit == review.Share {
		x = (x + 1) / 2
	}
	x = view.Rounded(x)
	return &x
}

// ValueOf returns the value of an engine that amounts to a number: the inverse of
// amount.
func (v *Volume) ValueOf(x float64) engine.Value {
	if v.Unit.Unit != review.Share {
		return engine.Value(math.Round(x * float64(engine.Unit)))
	}
	// A share is looked for among the values that are not decided.
	low, high := -engine.Decided+1, engine.Decided-1
	switch {
	case x >= v.Unit.Amount(high):
		return high
	case x <= v.Unit.Amount(low):
		return low
	}
	for low < high {
		mid := low + (high-low)/2
		if v.Unit.Amount(mid) < x {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Looked is what a volume says of a position.
type Looked struct {
	*Volume
	Entry book.Entry
	Known bool // to games
	Says  theory.Entry
}

// EntryOf dresses what the book says of a position.
func EntryOf(at *gameview.Standing, l *Looked, threshold int) *view.BookEntry {
	turn := at.Pos.Turn()
	e := &l.Entry
	lines := l.Theory.Lines(at.Pos, 2*engine.Unit)
	w := &view.BookEntry{
		Position: *at.Position(true), Unit: string(l.Unit.Unit), Known: l.Known || l.Says.Known, Games: e.N, Score: CountsOf(e.Counts, turn), Below: e.Below,
		Threshold: threshold, Grade: string(l.Theory.Grade(at.Pos)), Lines: lines[:], Moves: []view.BookMove{}, Opening: at.Opening(),
		Values: l.Values(l.Says.Values, e.R, e.HasR, e.Exact, e.HasExact),
	}
	said := map[game.Move]*theory.Move{}
	for i := range l.Says.Moves {
		said[l.Says.Moves[i].Move] = &l.Says.Moves[i]
	}
	for i := range e.Moves {
		m := &e.Moves[i]
		b := view.BookMove{Games: m.N, Reached: m.Reached.N, Share: view.Rounded(float64(m.N) / float64(max(e.N, 1))), Score: CountsOf(m.Counts, turn)}
		values := unknownValues()
		if t := said[m.Move]; t != nil {
			values = t.Values
			delete(said, m.Move)
		}
		b.Values = l.Values(values, m.R, m.HasR, m.Exact, m.HasExact)
		w.Moves = append(w.Moves, bookMove(at, m.Move, b))
	}
	for i := range l.Says.Moves { // those that nobody has played
		m := &l.Says.Moves[i]
		if _, source := m.Best(); said[m.Move] == nil || source == theory.Unknown {
			continue
		}
		b := view.BookMove{Score: CountsOf(book.Counts{}, turn), Values: l.Values(m.Values, 0, false, 0, false)}
		w.Moves = append(w.Moves, bookMove(at, m.Move, b))
	}
	Rank(w.Moves, threshold)
	return w
}

// bookMove adds to a move of a book how it is written, and the name of the opening
// that it makes.
func bookMove(at *gameview.Standing, m game.Move, b view.BookMove) view.BookMove {
	b.Move = at.Move(at.Pos, m, at.Write)
	o := at.Makes(m)
	b.Opening, b.Names = o.Name, o.Names
	return b
}

func unknownValues() theory.Values {
	return theory.Values{E: engine.NoValue, Lower: engine.NoValue, Upper: engine.NoValue, X: engine.NoValue, Human: engine.NoValue}
}

// apartDiscs is how far results and search may be from each other before it is
// worth a look.
const apartDiscs = 6

// CountsOf dresses counts that a side sees.
func CountsOf(c book.Counts, side game.Side) view.Score {
	if side != game.First {
		c = c.Flip()
	}
	return answerview.ScoreOf(&retrieve.Score{Count: c.N, First: c.Wins, Draws: c.Draws, Second: c.Losses})
}

// Deciding returns the value that decides about a move, and how much it counts
// beside those of others: what a person, a solution or a search says is of one
// kind, results are of another, and those of too few games decide nothing.
func Deciding(m *view.BookMove, threshold int) (value *float64, class int) {
	switch v := &m.Values; {
	case v.Human != nil:
		return v.Human, 2
	case v.X != nil:
		return v.X, 2
	case v.E != nil:
		return v.E, 2
	case v.R != nil && m.Reached >= threshold:
		return v.R, 1
	}
	return nil, 0
}

// Rank puts moves in order, the best first, and tells what each gives away
// against the best: values of different kinds are not compared.
func Rank(moves []view.BookMove, threshold int) {
	slices.SortStableFunc(moves, func(a, b view.BookMove) int {
		x, i := Deciding(&a, threshold)
		y, k := Deciding(&b, threshold)
		if i != k || i == 0 {
			return cmp.Or(k-i, b.Games-a.Games)
		}
		return cmp.Or(cmp.Compare(*y, *x), b.Games-a.Games)
	})
	if len(moves) == 0 {
		return
	}
	best, class := Deciding(&moves[0], threshold)
	for i := range moves {
		if v, c := Deciding(&moves[i], threshold); c == class && c > 0 {
			loss := view.Rounded(*best - *v)
			moves[i].Loss = &loss
		}
	}
}
