package server

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"

	"qipu/view/answerview"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/retrieve"
	"qipu/review"
	"qipu/view"
	"qipu/view/gameview"
)

func (s *Server) registerBook() {
	get(s, kept, "/book", "get-book", "book", "What the book knows of a position and its moves: results, an engine's values, exact ones", s.bookEntry)
	get(s, fresh, "/book/choice", "book-choice", "book", "A move that the book would play", s.bookChoice)
	get(s, kept, "/book/info", "book-info", "book", "How large the book of a game is", s.bookInfo)
	register(s, change, http.MethodPost, "/book/values", "edit-book", "book", "Set what a position is worth, which outranks the engine, or take that back", s.editBook)
}

// BookInput is a position of a book. It is embedded, which needs an exported
// type.
type BookInput struct {
	Placed
	Writing
	Threshold int `query:"threshold" minimum:"1" maximum:"1000000" default:"20" doc:"How many games a move needs for its results to count"`
}

// volume is the book of a game: what games say, and what engines and people do.
type volume struct {
	book   *book.Book
	theory *theory.Theory
	unit   review.Scale // in which its values are told
}

// volume returns the book of a kind.
func (s *Server) volume(ctx context.Context, k *index.Kind) (*volume, error) {
	b, t, err := s.lib.Books().Volume(ctx, k)
	if err != nil {
		return nil, err
	}
	return &volume{book: b, theory: t, unit: review.ScaleOf(k.Rules)}, nil
}

// looked is what a volume says of a position.
type looked struct {
	*volume
	entry book.Entry
	known bool // to games
	says  theory.Entry
}

func (v *volume) look(at *gameview.Standing, o book.LookOptions) *looked {
	l := &looked{volume: v}
	l.entry, l.known = v.book.Look(at.Pos, o)
	if l.entry.Passed { // the side to move sees it from the other side
		l.entry.Counts, l.entry.R, l.entry.Exact, l.entry.Moves = l.entry.Flip(), 0-l.entry.R, -l.entry.Exact, nil
	}
	l.says = v.theory.Look(at.Pos)
	return l
}

func (s *Server) bookEntry(ctx context.Context, in *BookInput) (*view.BookEntry, error) {
	at, err := s.stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	v, err := s.volume(ctx, at.Index)
	if err != nil {
		return nil, err
	}
	return entryOf(at, v.look(at, book.LookOptions{Threshold: in.Threshold}), in.Threshold), nil
}

// entryOf dresses what the book says of a position.
func entryOf(at *gameview.Standing, l *looked, threshold int) *view.BookEntry {
	turn := at.Pos.Turn()
	e := &l.entry
	lines := l.theory.Lines(at.Pos, 2*engine.Unit)
	w := &view.BookEntry{
		Position: *at.Position(true), Unit: string(l.unit.Unit), Known: l.known || l.says.Known, Games: e.N, Score: countsOf(e.Counts, turn), Below: e.Below,
		Threshold: threshold, Grade: string(l.theory.Grade(at.Pos)), Lines: lines[:], Moves: []view.BookMove{}, Opening: at.Opening(),
		Values: l.values(l.says.Values, e.R, e.HasR, e.Exact, e.HasExact),
	}
	said := map[game.Move]*theory.Move{}
	for i := range l.says.Moves {
		said[l.says.Moves[i].Move] = &l.says.Moves[i]
	}
	for i := range e.Moves {
		m := &e.Moves[i]
		b := view.BookMove{Games: m.N, Reached: m.Reached.N, Share: view.Rounded(float64(m.N) / float64(max(e.N, 1))), Score: countsOf(m.Counts, turn)}
		values := unknownValues()
		if t := said[m.Move]; t != nil {
			values = t.Values
			delete(said, m.Move)
		}
		b.Values = l.values(values, m.R, m.HasR, m.Exact, m.HasExact)
		w.Moves = append(w.Moves, bookMove(at, m.Move, b))
	}
	for i := range l.says.Moves { // those that nobody has played
		m := &l.says.Moves[i]
		if _, source := m.Best(); said[m.Move] == nil || source == theory.Unknown {
			continue
		}
		b := view.BookMove{Score: countsOf(book.Counts{}, turn), Values: l.values(m.Values, 0, false, 0, false)}
		w.Moves = append(w.Moves, bookMove(at, m.Move, b))
	}
	rank(w.Moves, threshold)
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

// values dresses the three values of a position or move. What records tell to be
// exact is.
func (v *volume) values(t theory.Values, r float64, hasR bool, exact int, hasExact bool) view.BookValues {
	w := view.BookValues{
		E: v.amount(t.E), ELow: v.amount(t.Lower), EHigh: v.amount(t.Upper), X: v.amount(t.X), Human: v.amount(t.Human), Note: t.Note,
	}
	if w.E != nil {
		w.ELevel = t.Level
	}
	if w.X == nil && hasExact {
		w.X = v.score(float64(exact))
	}
	if hasR {
		w.R = v.score(r)
		w.Apart = v.unit.Unit == review.Discs && t.Apart(r) // elsewhere they are counted in different units
		if t.X == engine.NoValue && t.E == engine.NoValue && w.X != nil && v.unit.Unit == review.Discs {
			w.Apart = math.Abs(*w.R-*w.X) > apartDiscs
		}
	}
	return w
}

// apartDiscs is how far results and search may be from each other before it is
// worth a look.
const apartDiscs = 6

// amount returns a value of an engine in the unit of the book; nil for none.
func (v *volume) amount(x engine.Value) *float64 {
	if x == engine.NoValue {
		return nil
	}
	n := view.Rounded(v.unit.Amount(x))
	return &n
}

// score returns a score of games in the unit of the book. Scores of games that
// are won go from -1 to 1, shares from 0 to 1.
func (v *volume) score(x float64) *float64 {
	if v.unit.Unit == review.Share {
		x = (x + 1) / 2
	}
	x = view.Rounded(x)
	return &x
}

// countsOf dresses counts that a side sees.
func countsOf(c book.Counts, side game.Side) view.Score {
	if side != game.First {
		c = c.Flip()
	}
	return answerview.ScoreOf(&retrieve.Score{Count: c.N, First: c.Wins, Draws: c.Draws, Second: c.Losses})
}

// deciding returns the value that decides about a move, and how much it counts
// beside those of others: what a person, a solution or a search says is of one
// kind, results are of another, and those of too few games decide nothing.
func deciding(m *view.BookMove, threshold int) (value *float64, class int) {
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

// rank puts moves in order, the best first, and tells what each gives away
// against the best: values of different kinds are not compared.
func rank(moves []view.BookMove, threshold int) {
	slices.SortStableFunc(moves, func(a, b view.BookMove) int {
		x, i := deciding(&a, threshold)
		y, k := deciding(&b, threshold)
		if i != k || i == 0 {
			return cmp.Or(k-i, b.Games-a.Games)
		}
		return cmp.Or(cmp.Compare(*y, *x), b.Games-a.Games)
	})
	if len(moves) == 0 {
		return
	}
	best, class := deciding(&moves[0], threshold)
	for i := range moves {
		if v, c := deciding(&moves[i], threshold); c == class && c > 0 {
			loss := view.Rounded(*best - *v)
			moves[i].Loss = &loss
		}
	}
}

type choiceInput struct {
	BookInput
	Style  string  `query:"style" enum:"best,human" default:"best" doc:"What is best, or what people play as often as they do"`
	Budget float64 `query:"budget" minimum:"0" maximum:"64" default:"0" doc:"How many discs the move may give away for variety"`
	Seed   uint64  `query:"seed" doc:"Makes the choice repeatable; 0 for chance"`
}

func (s *Server) bookChoice(ctx context.Context, in *choiceInput) (*view.BookChoice, error) {
	at, err := s.stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	v, err := s.volume(ctx, at.Index)
	if err != nil {
		return nil, err
	}
	l := v.look(at, book.LookOptions{Threshold: in.Threshold, NoBelow: true})
	o := theory.ChoiceOptions{Budget: engine.Value(in.Budget * float64(engine.Unit)), Human: in.Style == "human", Counts: &l.entry, Threshold: in.Threshold, Seed: in.Seed}
	if o.Human && in.Budget == 0 {
		o.Budget = -1 // what people play is not bounded by what is good
	}
	if o.Seed == 0 {
		o.Seed = chance()
	}
	w := &view.BookChoice{Move: view.Move{From: -1, To: -1}}
	if c, ok := l.theory.Choose(at.Pos, o); ok {
		w.Found, w.Move, w.Loss, w.Why = true, at.Move(at.Pos, c.Move, at.Write), view.Rounded(c.Loss.Units()), string(c.Why)
	}
	return w, nil
}

type bookInfoInput struct {
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"othello"`
}

func (s *Server) bookInfo(ctx context.Context, in *bookInfoInput) (*view.BookInfo, error) {
	k, err := s.kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	v, err := s.volume(ctx, k.Index)
	if err != nil {
		return nil, err
	}
	b, t := v.book.Info(), v.theory.Info()
	return &view.BookInfo{
		Game: k.Spec, Games: b.Games, Positions: b.Positions, Moves: b.Moves, Bytes: b.Bytes, Searched: t.Searched, Solved: t.Solved + b.Solved, Edited: t.Edited,
	}, nil
}

type bookEditInput struct{ Body view.BookEdit }

// editBook keeps what a person says of a position.
func (s *Server) editBook(ctx context.Context, in *bookEditInput) (*view.BookEntry, error) {
	if s.jobs == nil {
		return nil, s.readOnly()
	}
	at, err := s.stand(&Placed{Game: in.Body.Game, Line: in.Body.Line}, "")
	if err != nil {
		return nil, err
	}
	v, err := s.volume(ctx, at.Index)
	if err != nil {
		return nil, err
	}
	value := engine.NoValue
	if x := in.Body.Value; x != nil {
		most, least := 64.0, -64.0
		if v.unit.Unit == review.Share {
			most, least = 1, 0
		}
		if !(*x >= least && *x <= most) {
			return nil, bad("value", "It is counted in "+string(v.unit.Unit)+".", "a value lies between %g and %g", least, most)
		}
		value = v.valueOf(*x)
	}
	if err := v.theory.Edit(ctx, at.Pos, value, in.Body.Note); err != nil {
		return nil, err
	}
	return entryOf(at, v.look(at, book.LookOptions{}), book.DefaultThreshold), nil
}

// valueOf returns the value of an engine that amounts to a number: the inverse of
// amount.
func (v *volume) valueOf(x float64) engine.Value {
	if v.unit.Unit != review.Share {
		return engine.Value(math.Round(x * float64(engine.Unit)))
	}
	// A share is looked for among the values that are not decided.
	low, high := -engine.Decided+1, engine.Decided-1
	switch {
	case x >= v.unit.Amount(high):
		return high
	case x <= v.unit.Amount(low):
		return low
	}
	for low < high {
		mid := low + (high-low)/2
		if v.unit.Amount(mid) < x {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
