package search

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/server/stream"
	"qipu/store"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

func (s *room) registerFind() {
	api.Get(s.Service, api.Kept, "/find", "find", "find", "The games that a query finds, how they went, and what was played next", s.find)
	api.Plain(s.Service, api.Fresh, "/find/events", "find-live", "find", "The same as a stream of events: tick (counts so far), page (the first rows), answer, or problem; then it ends", "text/event-stream", s.findEvents)
	api.Get(s.Service, api.Kept.InTurn(), "/find/trend", "find-trend", "find", "How the share of these games went over the years", s.trend)
	api.Get(s.Service, api.Kept, "/find/tree", "find-tree", "find", "The moves behind the board of a query, as a tree", s.tree)
	api.Get(s.Service, api.Kept, "/find/compare", "compare", "find", "The rates of two queries side by side", s.compare)
	api.Get(s.Service, api.Kept, "/find/explain", "explain", "find", "How a query would be answered, and what that would cost", s.explain)
	api.Get(s.Service, api.Kept, "/query", "understand", "query", "How a query is read: its board, its conditions, its mistakes", s.understand)
	api.Get(s.Service, api.Kept, "/query/complete", "complete", "query", "What may come next in a query that is being written", s.complete)
	api.Get(s.Service, api.Kept, "/query/reference", "reference", "query", "The fields of the query language, the orders and groups of answers", s.reference)
	api.Get(s.Service, api.Kept, "/query/weights", "weights", "query", "What the pieces of a game count in likeness", s.weights)
}

type FindInput struct {
	api.Asking
	api.Listing
	By              string `query:"by" enum:"year,player,event,opening,code,place,result,length,collection,tag," doc:"Group the games by it"`
	Groups          int    `query:"groups" minimum:"1" maximum:"1000" default:"50" doc:"Groups at most"`
	Language        string `query:"language" enum:"en,zh-Hant,zh-Hans,ja,ko," doc:"In which the name of the board is told; that of the terms of the game if empty"`
	NoContinuations bool   `query:"brief" doc:"Leave out what was played next"`
}

// asked returns the question of a search.
func (s *room) asked(ctx context.Context, in *FindInput) (*ask.Question, error) {
	q, err := s.Question(ctx, &in.Asking, &in.Listing)
	if err != nil {
		return nil, err
	}
	q.NoContinuations, q.Language, q.Partly = in.NoContinuations, in.Language, true
	if in.By != "" {
		if q.By, err = retrieve.ParseDimension(in.By); err != nil {
			return nil, api.Bad("no-group", "See /query/reference for what there is.", "%v", err)
		}
	}
	return q, nil
}

func (s *room) find(ctx context.Context, in *FindInput) (*view.Answer, error) {
	began := time.Now()
	ctx = in.Allow(ctx)
	q, err := s.asked(ctx, in)
	if err != nil {
		return nil, err
	}
	reply, err := s.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return s.answer(ctx, reply, in, began)
}

type eventsInput struct {
	FindInput
	Last string `query:"lastEventId" maxLength:"200" doc:"Go on behind this event, as the header Last-Event-ID says"`
}

// grace is how long a search goes on that nobody listens to: a client that lost
// its connection comes back after a second. Whoever edits a query leaves a search
// behind with every change, and each holds a place at the gate for as long.
const grace = 1500 * time.Millisecond

func (s *room) findEvents(ctx context.Context, in *eventsInput, w http.ResponseWriter, r *http.Request) error {
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		last = in.Last
	}
	mine := streamsOf(ctx)
	if known, ok := s.Hub.Get(last); ok && strings.HasPrefix(last, mine) {
		return stream.Serve(w, r, known)
	}
	ctx = in.Allow(ctx)
	q, err := s.asked(ctx, &in.FindInput)
	if err != nil {
		return err
	}
	p, err := s.Lib.Search().Prepare(ctx, q)
	if err != nil {
		return err // better told as a problem than by a stream
	}
	events, _ := s.Hub.Open(mine + rand.Text())
	go s.search(s.Outlive(ctx), events, q, &in.FindInput, answerview.RowOptionsOf(p.Parts[0].Query, in.Boards, in.Write))
	return stream.Serve(w, r, events)
}

// streamsOf begins the ids of the searches of one person: nobody else goes on with them,
// even who knows an id, nor anybody with streams that are no searches.
func streamsOf(ctx context.Context) string {
	sum := sha256.Sum256([]byte(ask.Behalf(ctx) + "\n" + store.Who(ctx)))
	return "find" + hex.EncodeToString(sum[:8])
}

// search answers a question into a stream, until nobody listens any more. The
// first rows are sent as soon as they are known.
func (s *room) search(ctx context.Context, events *stream.Stream, q *ask.Question, in *FindInput, o answerview.RowOptions) {
	defer events.Close()
	ctx, stop := events.Watch(ctx, grace)
	defer stop()
	ctx, cancel := context.WithTimeout(in.Allow(ctx), api.Longest)
	defer cancel()
	began := time.Now()
	fail := func(err error) {
		if errors.Is(ctx.Err(), context.Canceled) {
			s.Hub.Drop(events) // it has no answer: who comes back asks again
			return
		}
		_ = events.Send("problem", s.Problem(err))
	}
	defer func() {
		if crash := recover(); crash != nil {
			fail(fmt.Errorf("search: %v\n%s", crash, debug.Stack()))
		}
	}()
	q.OnTick = func(games, hits int) { _ = events.Send("tick", view.Tick{Games: games, Hits: hits}) }
	q.OnPage = func(rows []retrieve.Row) {
		if page, err := s.Rows.Rows(ctx, rows, o); err == nil {
			_ = events.Send("page", view.Page{Rows: page})
		}
	}
	reply, err := s.Ask(ctx, q)
	if err != nil {
		fail(err)
		return
	}
	w, err := s.answer(ctx, reply, in, began)
	if err != nil {
		fail(err)
		return
	}
	_ = events.Send("answer", w)
}

func (s *room) trend(ctx context.Context, in *api.Asking) (*view.Trend, error) {
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	q := in.Question()
	if err := s.WaitToAsk(ctx, q); err != nil {
		return nil, err
	}
	t, _, err := s.Lib.Search().Trend(ctx, q)
	if err != nil {
		return nil, err
	}
	return answerview.TrendOf(t), nil
}

type treeInput struct {
	api.Asking
	Depth int `query:"depth" minimum:"1" maximum:"30" default:"6" doc:"Moves behind the board; fewer where there are very many games"`
	Least int `query:"least" minimum:"1" maximum:"1000000" default:"2" doc:"Leave out what fewer games have"`
	api.Writing
}

// A tree has at most maxTree moves: more than anybody looks at. It is made of all
// lines, though, of which most are of one game: up to maxSteps moves of all games
// together are walked, which take some hundred bytes each. A tree of sureDepth
// costs little however many games there are, since they share most of its moves.
const (
	maxTree   = 2000
	maxSteps  = 1_000_000
	sureDepth = 6
)

// treeDepth returns how deep the tree of a question may go.
func (s *room) treeDepth(ctx context.Context, q ask.Question, depth int) (int, error) {
	if depth <= sureDepth {
		return depth, nil
	}
	q.Limit, q.NoContinuations = 1, true
	reply, err := s.Ask(ctx, &q)
	if err != nil {
		return 0, err
	}
	return min(depth, max(sureDepth, maxSteps/max(reply.Games, 1))), nil
}

func (s *room) tree(ctx context.Context, in *treeInput) (*view.Tree, error) {
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	q := in.Question()
	depth, err := s.treeDepth(ctx, *q, in.Depth)
	if err != nil {
		return nil, err
	}
	q.Depth, q.Limit = depth, 1
	reply, err := s.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	if retrieve.Anchor(reply.Bound) == nil {
		return nil, api.Bad("no-board", "Ask for one, as in board:\"...\", position:\"...\" or line:\"...\".", "a tree of moves needs a board to begin from")
	}
	least := in.Least
	for reply.Tree.Prune(least) > maxTree {
		least += max(1, least/2)
	}
	w := answerview.TreeOf(reply, s.notationOf(gameview.SpecOf(reply.Kinds[0]), in.Write))
	w.Least, w.Depth = least, depth
	return w, nil
}

type compareInput struct {
	A    string `query:"a" required:"true" maxLength:"65536" doc:"A query"`
	B    string `query:"b" required:"true" maxLength:"65536" doc:"Another"`
	Game string `query:"game" maxLength:"100" doc:"The kind of game that both mean, where they do not say"`
}

// compare compares the rates of two queries: of the players that both name, else
// of the first side. The second is about the game of the first where it names
// none.
func (s *room) compare(ctx context.Context, in *compareInput) (*view.Comparison, error) {
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	var replies [2]*ask.Reply
	about := in.Game
	for i, text := range []string{in.A, in.B} {
		q := (&api.Asking{Query: text, Game: about}).Question()
		q.Limit, q.NoContinuations = 1, true
		reply, err := s.Ask(ctx, q)
		if err != nil {
			return nil, api.InField(err, "query."+string(rune('a'+i)))
		}
		replies[i] = reply
		if tree, err := query.Parse(in.B); i == 0 && about == "" && err == nil && len(query.GameSpecs(tree)) == 0 {
			about = s.Lib.Search().GameOf(reply.Kinds)
		}
	}
	return answerview.ComparisonOf(replies[0], replies[1]), nil
}

func (s *room) explain(ctx context.Context, in *api.Asking) (*view.Explanation, error) {
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	x, err := s.Lib.Search().Explain(ctx, in.Question())
	if err != nil {
		return nil, err
	}
	return answerview.ExplanationOf(x), nil
}
