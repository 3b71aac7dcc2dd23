package play

import (
	"context"
	"net/http"
	"strings"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/index"
	"qipu/review"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/bookview"
	"qipu/view/gameview"
)

func (s *room) registerBook() {
	api.Get(s.Service, api.Kept.InTurn(), "/book", "get-book", "book", "What the book knows of a position and its moves: results, an engine's values, exact ones", s.bookEntry)
	api.Get(s.Service, api.Fresh, "/book/choice", "book-choice", "book", "A move that the book would play", s.bookChoice)
	api.Get(s.Service, api.Kept, "/book/info", "book-info", "book", "How large the book of a game is", s.bookInfo)
	api.Register(s.Service, api.Change, http.MethodPost, "/book/values", "edit-book", "book", "Set what a position is worth, which outranks the engine, or take that back", s.editBook)
}

// BookInput is a position of a book. It is embedded, which needs an exported
// type.
type BookInput struct {
	api.Placed
	api.Writing
	Threshold int    `query:"threshold" minimum:"1" maximum:"1000000" default:"20" doc:"How many games a move needs for its results to count"`
	Of        string `query:"games" enum:"records,here" default:"records" doc:"Which games are counted: records that were read, or games that were played in this program, by guests and by its levels"`
	Within    string `query:"within" maxLength:"4000" doc:"A query: only games that it finds are counted, by players, ratings, years, sources; values are the same" example:"year:2000.. source:WTHOR"`
}

// asked returns the volume of a kind with the games that are asked for.
func (s *room) asked(ctx context.Context, k *gameview.Kind, in *BookInput) (*bookview.Volume, error) {
	v, err := s.volume(ctx, k.Index)
	if err != nil {
		return nil, err
	}
	v.Origin = bookview.OriginOf(in.Of)
	if strings.TrimSpace(in.Within) != "" {
		v.Volume, err = s.Lib.Books().Narrow(ctx, k.Index, v.Volume, in.Within, s.Lib.Search().Finding(ctx, in.Within, k.Spec))
	}
	return v, err
}

// volume returns the book of a kind.
func (s *room) volume(ctx context.Context, k *index.Kind) (*bookview.Volume, error) {
	v, err := s.Lib.Books().Volume(ctx, k)
	if err != nil {
		return nil, err
	}
	return &bookview.Volume{Volume: v, Unit: review.ScaleOf(k.Rules)}, nil
}

func (s *room) bookEntry(ctx context.Context, in *BookInput) (*view.BookEntry, error) {
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	v, err := s.asked(ctx, at.Kind, in)
	if err != nil {
		return nil, err
	}
	return bookview.EntryOf(at, v.Look(at, book.LookOptions{Threshold: in.Threshold}), in.Threshold, bookview.UsualSlack), nil
}

type choiceInput struct {
	BookInput
	Style  string  `query:"style" enum:"best,human" default:"best" doc:"What is best, or what people play as often as they do"`
	Budget float64 `query:"budget" minimum:"0" maximum:"64" default:"0" doc:"How many discs the move may give away for variety"`
	Seed   uint64  `query:"seed" doc:"Makes the choice repeatable; 0 for chance"`
}

func (s *room) bookChoice(ctx context.Context, in *choiceInput) (*view.BookChoice, error) {
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	v, err := s.asked(ctx, at.Kind, &in.BookInput)
	if err != nil {
		return nil, err
	}
	l := v.Look(at, book.LookOptions{Threshold: in.Threshold, NoBelow: true})
	o := theory.ChoiceOptions{Budget: engine.Value(in.Budget * float64(engine.Unit)), Human: in.Style == "human", Counts: &l.Entry, Threshold: in.Threshold, Seed: in.Seed}
	if o.Human && in.Budget == 0 {
		o.Budget = -1 // what people play is not bounded by what is good
	}
	if o.Seed == 0 {
		o.Seed = api.Seed()
	}
	w := &view.BookChoice{Move: view.Move{From: -1, To: -1}}
	if c, ok := l.Theory.Choose(at.Pos, o); ok {
		w.Found, w.Move, w.Loss, w.Why = true, at.Move(at.Pos, c.Move, at.Write), view.Rounded(c.Loss.Units()), string(c.Why)
	}
	return w, nil
}

type bookInfoInput struct {
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"othello"`
}

func (s *room) bookInfo(ctx context.Context, in *bookInfoInput) (*view.BookInfo, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	v, err := s.volume(ctx, k.Index)
	if err != nil {
		return nil, err
	}
	return bookview.InfoOf(v, k.Spec), nil
}

type bookEditInput struct{ Body view.BookEdit }

// editBook keeps what a person says of a position.
func (s *room) editBook(ctx context.Context, in *bookEditInput) (*view.BookEntry, error) {
	if !s.Writes() {
		return nil, s.ReadOnly()
	}
	at, err := s.Stand(&api.Placed{Game: in.Body.Game, Line: in.Body.Line}, "")
	if err != nil {
		return nil, err
	}
	v, err := s.volume(ctx, at.Index)
	if err != nil {
		return nil, err
	}
	value := engine.NoValue
	if x := in.Body.Value; x != nil {
		least, most := v.Bounds()
		if !(*x >= least && *x <= most) {
			return nil, api.Bad("value", "It is counted in "+string(v.Unit.Unit)+".", "a value lies between %g and %g", least, most)
		}
		value = v.ValueOf(*x)
	}
	if err := v.Theory.Edit(ctx, at.Pos, value, in.Body.Note); err != nil {
		return nil, err
	}
	return bookview.EntryOf(at, v.Look(at, book.LookOptions{}), book.DefaultThreshold, bookview.UsualSlack), nil
}
