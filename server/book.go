package server

import (
	"context"
	"net/http"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/index"
	"qipu/review"
	"qipu/view"
	"qipu/view/bookview"
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

// volume returns the book of a kind.
func (s *Server) volume(ctx context.Context, k *index.Kind) (*bookview.Volume, error) {
	b, t, err := s.lib.Books().Volume(ctx, k)
	if err != nil {
		return nil, err
	}
	return &bookview.Volume{Book: b, Theory: t, Unit: review.ScaleOf(k.Rules)}, nil
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
	return bookview.EntryOf(at, v.Look(at, book.LookOptions{Threshold: in.Threshold}), in.Threshold), nil
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
	l := v.Look(at, book.LookOptions{Threshold: in.Threshold, NoBelow: true})
	o := theory.ChoiceOptions{Budget: engine.Value(in.Budget * float64(engine.Unit)), Human: in.Style == "human", Counts: &l.Entry, Threshold: in.Threshold, Seed: in.Seed}
	if o.Human && in.Budget == 0 {
		o.Budget = -1 // what people play is not bounded by what is good
	}
	if o.Seed == 0 {
		o.Seed = chance()
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

func (s *Server) bookInfo(ctx context.Context, in *bookInfoInput) (*view.BookInfo, error) {
	k, err := s.kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	v, err := s.volume(ctx, k.Index)
	if err != nil {
		return nil, err
	}
	b, t := v.Book.Info(), v.Theory.Info()
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
		if v.Unit.Unit == review.Share {
			most, least = 1, 0
		}
		if !(*x >= least && *x <= most) {
			return nil, bad("value", "It is counted in "+string(v.Unit.Unit)+".", "a value lies between %g and %g", least, most)
		}
		value = v.ValueOf(*x)
	}
	if err := v.Theory.Edit(ctx, at.Pos, value, in.Body.Note); err != nil {
		return nil, err
	}
	return bookview.EntryOf(at, v.Look(at, book.LookOptions{}), book.DefaultThreshold), nil
}
