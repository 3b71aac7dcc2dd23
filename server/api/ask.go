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
// who are before it, it lets them go first now and then.
func (s *Service) Ask(ctx context.Context, q *ask.Question) (*ask.Reply, error) {
	ctx, leave, err := s.begin(ctx, q)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.Lib.Ask(ctx, q)
}

// begin waits for the turn of a question, unless it is none.
func (s *Service) begin(ctx context.Context, q *ask.Question) (context.Context, func(), error) {
	p, err := s.Lib.Search().Prepare(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	work, err := p.Foresee(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.Guard.Gate().Turn(ctx, work)
	if err != nil {
		return nil, nil, err
	}
	return retrieve.Paced(ctx, t), func() { t.Leave(); s.used(ctx, t) }, nil
}

// WaitToAsk is Wait for a request that asks a question, unless it is none.
func (s *Service) WaitToAsk(ctx context.Context, q *ask.Question) error {
	p, err := s.Lib.Search().Prepare(ctx, q)
	if err != nil {
		return err
	}
	work, err := p.Foresee(ctx)
	if err != nil {
		return err
	}
	return s.wait(ctx, work)
}

// Meant refuses a game that is not known; none is fine.
func (s *Service) Meant(spec string) error {
	if spec == "" {
		return nil
	}
	_, err := s.Kinds.Find(spec)
	return err
}
