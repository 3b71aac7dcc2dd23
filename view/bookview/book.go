package bookview

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/library/librarian"
	"qipu/library/livebook"
	"qipu/retrieve"
	"qipu/review"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

// Volume is the book of a game: what games say, and what engines and people do.
type Volume struct {
	livebook.Volume
	Origin livebook.Origin // of the games that are counted; the others are told apart
	Unit   review.Scale    // in which its values are told
}

// Shown returns the book of the games that are counted, and that of the others.
func (v *Volume) Shown() (shown, apart *book.Book) {
	if v.Origin == livebook.Here {
		return v.Here, v.Book
	}
	return v.Book, v.Here
}

// The origins as they are told.
const (
	Records = "records"
	Here    = "here"
)

// OriginOf returns the origin of a word, that of records where it is none.
func OriginOf(word string) livebook.Origin {
	if word == Here {
		return livebook.Here
	}
	return livebook.Recorded
}

// Look returns what a volume says of a position.
func (v *Volume) Look(at *gameview.Standing, o book.LookOptions) *Looked {
	l := &Looked{Volume: v}
	o.Prior = book.UsualPrior
	shown, apart := v.Shown()
	l.Entry, l.Known = shown.Look(at.Pos, o)
	l.Apart, _ = apart.Look(at.Pos, book.LookOptions{Threshold: o.Threshold, NoBelow: true})
	for _, e := range []*book.Entry{&l.Entry, &l.Apart} {
		if e.Passed { // the side to move sees it from the other side
			e.Counts, e.R, e.Exact, e.Moves = e.Flip(), 0-e.R, -e.Exact, nil
		}
	}
	if !l.Entry.HasExact { // what records tell to be so is so for all
		l.Entry.Exact, l.Entry.HasExact = l.Apart.Exact, l.Apart.HasExact
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
		w.ELevel, w.By = t.Level, t.Teacher
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

// Bounds returns the least and the most that a position can be worth.
func (v *Volume) Bounds() (least, most float64) {
	if v.Unit.Unit == review.Share {
		return 0, 1
	}
	return -64, 64
}

// InfoOf tells how large the book of a game is.
func InfoOf(v *Volume, spec string) *view.BookInfo {
	b, here, t := v.Book.Info(), v.Here.Info(), v.Theory.Info()
	w := &view.BookInfo{
		Game: spec, Games: b.Games, Positions: b.Positions, Moves: b.Moves, Here: here.Games, Bytes: b.Bytes + here.Bytes, Told: b.Solved, Valued: t.Positions,
		Searched: t.Searched, Solved: t.Solved + b.Solved, Edited: t.Edited, Shipped: t.Shipped, Links: t.Links, Stale: t.Stale, Levels: []view.BookLevel{},
	}
	for _, level := range slices.Sorted(maps.Keys(t.Levels)) {
		w.Levels = append(w.Levels, view.BookLevel{Level: level, Positions: t.Levels[level]})
	}
	return w
}

// LearningOf tells how far a librarian is.
func LearningOf(s librarian.State, spec string) *view.BookLearning {
	w := &view.BookLearning{
		Game: spec, Phase: string(s.Phase), Whole: s.Whole, Total: s.Total, Valued: s.Valued, Searched: s.Searched, Errors: s.Errors, Teacher: s.Teacher,
		Level: s.Level, Games: s.Games, Rate: view.Rounded(s.Rate), Seconds: int(s.Left().Seconds()),
	}
	if s.Err != nil {
		w.Problem = s.Err.Error()
	}
	return w
}

// Looked is what a volume says of a position.
type Looked struct {
	*Volume
	Entry book.Entry
	Apart book.Entry // what the games of the other origin say
	Known bool       // to the games that are counted
	Says  theory.Entry
}

// UsualSlack is what a reply may lose and still has to be known, in discs.
const UsualSlack = 2

// EntryOf dresses what the book says of a position, with the lines that one has to
// know against replies that lose no more than slack.
func EntryOf(at *gameview.Standing, l *Looked, threshold int, slack float64) *view.BookEntry {
	turn := at.Pos.Turn()
	e := &l.Entry
	lines := l.Theory.Lines(at.Pos, engine.Value(slack*float64(engine.Unit)))
	w := &view.BookEntry{
		Of: Records, Apart: view.BookApart{Games: l.Apart.N, Score: CountsOf(l.Apart.Counts, turn)},
		Position: *at.Position(true), Unit: string(l.Unit.Unit), Known: l.Known || l.Says.Known, Games: e.N, Score: CountsOf(e.Counts, turn), Below: e.Below,
		Threshold: threshold, Grade: string(l.Theory.Grade(at.Pos)), Lines: lines[:], Moves: []view.BookMove{}, Opening: at.Opening(),
		Values: l.Values(l.Says.Values, e.R, e.HasR, e.Exact, e.HasExact),
	}
	if l.Origin == livebook.Here {
		w.Of = Here
	}
	apart := map[game.Move]int{}
	for i := range l.Apart.Moves {
		apart[l.Apart.Moves[i].Move] = l.Apart.Moves[i].N
	}
	said := map[game.Move]*theory.Move{}
	for i := range l.Says.Moves {
		said[l.Says.Moves[i].Move] = &l.Says.Moves[i]
	}
	for i := range e.Moves {
		m := &e.Moves[i]
		b := view.BookMove{Games: m.N, Apart: apart[m.Move], Reached: m.Reached.N, Share: view.Rounded(float64(m.N) / float64(max(e.N, 1))), Score: CountsOf(m.Counts, turn)}
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
		b := view.BookMove{Apart: apart[m.Move], Score: CountsOf(book.Counts{}, turn), Values: l.Values(m.Values, 0, false, 0, false)}
		w.Moves = append(w.Moves, bookMove(at, m.Move, b))
	}
	Rank(w.Moves)
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

// Deciding returns the value that decides about a move: what a person says, else
// what is exact, else what a search says; and whether that is a value at all: how it
// went for people is none, and neither ranks moves nor makes one a loss.
func Deciding(m *view.BookMove) (value float64, ok bool) {
	for _, v := range []*float64{m.Values.Human, m.Values.X, m.Values.E} {
		if v != nil {
			return *v, true
		}
	}
	return 0, false
}

// Rank puts moves in order: those with a value first, the best of them first, with
// what each gives away against it; then the others, by how often they were played.
func Rank(moves []view.BookMove) {
	slices.SortStableFunc(moves, func(a, b view.BookMove) int {
		x, first := Deciding(&a)
		y, second := Deciding(&b)
		switch {
		case first && second:
			return cmp.Or(cmp.Compare(y, x), b.Games-a.Games)
		case first:
			return -1
		case second:
			return 1
		}
		return b.Games - a.Games
	})
	if len(moves) == 0 {
		return
	}
	best, _ := Deciding(&moves[0])
	for i := range moves {
		if v, ok := Deciding(&moves[i]); ok {
			loss := view.Rounded(best - v)
			moves[i].Loss = &loss
		}
	}
}
