package server

import (
	"context"

	"qipu/index"
	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
)

// allow returns a context in which the library may answer in part, where that is
// asked for.
func (in *Asking) allow(ctx context.Context) context.Context {
	if in.Partial {
		return index.AllowPartial(ctx)
	}
	return ctx
}

// question returns the question that the parameters ask, but for its order.
func (in *Asking) question() *ask.Question {
	text := in.Query
	if text == "" {
		text = query.Const(true).String()
	}
	return &ask.Question{Text: text, Game: in.Game, Partial: in.Partial, Request: retrieve.Request{Variations: in.Variations}}
}

// question returns the question that the parameters ask, with the page of the
// answer that is wanted. The order is the library's where none is named.
func (s *Server) question(ctx context.Context, in *Asking, l *Listing) (*ask.Question, error) {
	if err := s.meant(ctx, in.Game); err != nil {
		return nil, err
	}
	q := in.question()
	q.Reverse, q.Limit, q.Cursor = l.Reverse, l.Limit, l.Cursor
	var err error
	if l.Sort == "" {
		p, err := s.lib.Search().Prepare(ctx, q)
		if err != nil {
			return nil, err
		}
		q.Order = p.Order()
		return q, nil
	}
	if q.Order, err = retrieve.ParseOrder(l.Sort); err != nil {
		return nil, bad("no-order", "Leave it out for the usual order.", "%v", err)
	}
	return q, nil
}
