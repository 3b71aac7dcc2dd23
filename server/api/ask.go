package api

import (
	"context"

	"qipu/index"
	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
)

// Allow returns a context in which the library may answer in part, where that is
// asked for.
func (in *Asking) Allow(ctx context.Context) context.Context {
	if in.Partial {
		return index.AllowPartial(ctx)
	}
	return ctx
}

// Question returns the question that the parameters ask, but for its order.
func (in *Asking) Question() *ask.Question {
	text := in.Query
	if text == "" {
		text = query.Const(true).String()
	}
	return &ask.Question{Text: text, Game: in.Game, Partial: in.Partial, Request: retrieve.Request{Variations: in.Variations}}
}

// Question returns the question that the parameters ask, with the page of the
// answer that is wanted. The order is the library's where none is named.
func (s *Service) Question(ctx context.Context, in *Asking, l *Listing) (*ask.Question, error) {
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	q := in.Question()
	q.Reverse, q.Limit, q.Cursor = l.Reverse, l.Limit, l.Cursor
	var err error
	if l.Sort == "" {
		p, err := s.Lib.Search().Prepare(ctx, q)
		if err != nil {
			return nil, err
		}
		q.Order = p.Order()
		return q, nil
	}
	if q.Order, err = retrieve.ParseOrder(l.Sort); err != nil {
		return nil, Bad("no-order", "Leave it out for the usual order.", "%v", err)
	}
	return q, nil
}

// Ask asks the library, in its turn, unless the question is none. While others wait
// who hold fewer places, it lets them go first now and then.
func (s *Service) Ask(ctx context.Context, q *ask.Question) (*ask.Reply, error) {
	if _, err := s.Lib.Search().Prepare(ctx, q); err != nil {
		return nil, err
	}
	pause, leave, err := s.Guard.Gate().Turns(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	asked := *q
	asked.OnTick = func(games, hits int) {
		pause()
		if q.OnTick != nil {
			q.OnTick(games, hits)
		}
	}
	return s.Lib.Ask(ctx, &asked)
}

// WaitToAsk is Wait for a request that asks a question, unless it is none.
func (s *Service) WaitToAsk(ctx context.Context, q *ask.Question) error {
	if _, err := s.Lib.Search().Prepare(ctx, q); err != nil {
		return err
	}
	return s.Wait(ctx)
}

// Meant refuses a game that is not known; none is fine.
func (s *Service) Meant(spec string) error {
	if spec == "" {
		return nil
	}
	_, err := s.Kinds.Find(spec)
	return err
}
