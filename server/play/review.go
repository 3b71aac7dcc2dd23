package play

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/record"
	"qipu/review"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/server/stream"
	"qipu/view"
	"qipu/view/bookview"
	"qipu/view/gameview"
	"qipu/view/playview"
)

func (s *room) registerReview() {
	api.Plain(s.Service, api.Fresh.Hosting(), "/review", "review", "play", "What the engine thinks of a game, as a stream of events: by (a review without moves: whose opinion it is, and what the library knows), move (one of a review, the last first) for each, then review (the whole), or problem; then it ends", "text/event-stream", s.review)
}

type reviewInput struct {
	Record uint32 `query:"record" doc:"The number of a record; else give game and line"`
	Game   string `query:"game" maxLength:"100" doc:"The kind of game, as a spec" example:"othello"`
	Line   string `query:"line" maxLength:"65536" doc:"The moves, as the parameter line has them elsewhere"`
	Engine string `query:"engine" maxLength:"40" doc:"Another program, by the name that engines lists; the level means nothing to it"`
	Level  int    `query:"level" minimum:"1" maximum:"20" default:"12" doc:"How deep it reads; the server bounds the time"`
	Last   string `query:"lastEventId" maxLength:"200" doc:"Go on behind this event, as the header Last-Event-ID says"`
	api.Writing
}

// How long a review may take, for one position and in all, and how many are
// remembered.
const (
	longestJudgement = 500 * time.Millisecond
	longestProof     = 50 * time.Millisecond // where only proofs count
	longestReview    = 90 * time.Second
	reviewGrace      = 10 * time.Second // that nobody follows it
	reviewKept       = time.Minute      // of one that took too long
	maxReviews       = 64
	sessionLevel     = 12 // at which games that were played here are reviewed
)

// reviews are those that were asked for last, each made once for all who ask.
type reviews struct {
	sync.Mutex
	list []*reviewing // the one that was asked for last at the end
}

// reviewing is a review that is being made, or was.
type reviewing struct {
	key    string
	at     *gameview.Standing // the whole line; of the goroutine that makes it
	events *stream.Stream

	mu     sync.Mutex
	review view.Review
	failed error
	askers []profiled // who are told of their mistakes when it is done
}

func (s *room) review(ctx context.Context, in *reviewInput, w http.ResponseWriter, r *http.Request) error {
	at, err := s.reviewed(ctx, in)
	if err != nil {
		return err
	}
	x, err := s.reviewOf(ctx, at, in.Engine, in.Level)
	if err != nil {
		return err
	}
	s.keepReview(ctx, x, in.Record, 0)
	return stream.Serve(w, r, x.events)
}

// reviewed returns the line that is to be reviewed.
func (s *room) reviewed(ctx context.Context, in *reviewInput) (*gameview.Standing, error) {
	if in.Record == 0 {
		return s.Stand(&api.Placed{Game: in.Game, Line: in.Line}, in.Write)
	}
	g, _, err := s.Lib.Record(ctx, in.Record)
	if err != nil {
		return nil, err
	}
	played := record.NewReferee(s.Lib.Records().Rules()).Play(g)
	task, err := review.Task(played)
	if err != nil {
		return nil, api.Bad("record", "Look at the record: it cannot be played.", "%v", err)
	}
	at := &gameview.Standing{Kind: s.Kinds.New(index.NewKind(task.Rules), task.Rules), Moves: task.Moves}
	if at.Write, err = at.Notation(in.Write); err != nil {
		return nil, err
	}
	if task.Start != nil {
		at.Base = string(game.AppendSetup(nil, task.Rules, *task.Start))
	}
	at.Pos, err = task.Position()
	return at, err
}

// reviewOf returns the review of a line, which is begun where it is not known.
func (s *room) reviewOf(ctx context.Context, at *gameview.Standing, name string, level int) (*reviewing, error) {
	task, err := at.Task()
	if err != nil {
		return nil, err
	}
	pool, err := s.critic(name, at.Rules)
	if err != nil {
		return nil, err
	}
	key := name + " " + strconv.Itoa(level) + " " + string(at.Write) + " " + at.Spec + " " + at.Line(at.Played(game.AnyNotation))
	s.reviews.Lock()
	defer s.reviews.Unlock()
	i := slices.IndexFunc(s.reviews.list, func(x *reviewing) bool { return x.key == key })
	if i >= 0 {
		x := s.reviews.list[i]
		s.reviews.list = append(slices.Delete(s.reviews.list, i, i+1), x)
		return x, nil
	}
	if pool.Waiting() >= maxReviews/4 {
		return nil, engine.ErrBusy
	}
	x := &reviewing{key: key, at: at, events: s.Hub.New(stream.Keep("by", "move"), stream.KeepAtMost(len(at.Moves)+2))}
	x.review = view.Review{
		Game: at.Spec, Unit: string(review.UnitOf(at.Rules)), Moves: []view.ReviewMove{}, Losses: []float64{0, 0},
		By: playview.OpinionOf(review.Opinion{}), Facts: []view.ReviewFact{},
	}
	if len(s.reviews.list) >= maxReviews {
		s.reviews.list = slices.Delete(s.reviews.list, 0, 1)
	}
	s.reviews.list = append(s.reviews.list, x)
	go s.judge(x, pool, guard.Client(ctx), task, level)
	return x, nil
}

// facts returns what the library knows of the moves of a line.
func (s *room) facts(ctx context.Context, at *gameview.Standing) ([]view.ReviewFact, error) {
	b, err := s.Lib.Books().Book(ctx, at.Index)
	if err != nil {
		return nil, err
	}
	return bookview.FactsOf(at, b)
}

// judge makes a review, until nobody has asked for it or followed it for a while.
func (s *room) judge(x *reviewing, pool *engine.Pool, owner string, task *engine.Task, level int) {
	defer x.events.Close()
	ctx, stop := x.events.Watch(s.Context, reviewGrace)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, longestReview)
	defer cancel()
	err := func() (err error) {
		defer func() {
			if crash := recover(); crash != nil {
				err = fmt.Errorf("review: %v\n%s", crash, debug.Stack())
			}
		}()
		// A review has a hundred positions to judge: it takes its turn with each
		// of them, and not before those of the same client that ask for one.
		e, err := pool.Shared(ctx, "review "+owner, task.Rules)
		if err != nil {
			return err
		}
		info := e.Info()
		by := review.OpinionOf(info, false)
		l := judging(info, level, longestJudgement)
		switch {
		case info.Guest:
			// It knows no levels, and has one process for all who ask: a long game
			// gets less for each move, so that the review comes to its beginning.
			each := longestReview / time.Duration(2*len(task.Moves)+2)
			l = engine.Limits{Time: min(max(each, longestProof), longestJudgement)}
		case !by.Counts:
			l.Time = longestProof
		}
		by.Counts = by.Counts && !info.Opaque
		facts, err := s.facts(ctx, x.at)
		if err != nil {
			return err
		}
		x.mu.Lock()
		x.review.By, x.review.Facts = playview.OpinionOf(by), facts
		x.review.Unit = string(review.ScaleBy(task.Rules, info.Points).Unit)
		_ = x.events.Send("by", x.review)
		x.mu.Unlock()
		if info.Opaque {
			return nil // there are facts, and nothing else
		}
		o := review.Options{Limits: l, OnMove: x.add, Settler: s.Lib.Records().Settler(task.Rules)}
		if book, err := s.Lib.Knowledge().Names(x.at.Index); err == nil {
			o.Called = book.Mates
		}
		_, err = review.Run(ctx, e, task, o.Closely(info))
		return err
	}()
	cut := errors.Is(err, context.DeadlineExceeded) // it is as far as it will come
	switch {
	case cut:
		// Those who ask again and again see how it ended; who comes later, when
		// the engines have less to do, has it made anew.
		time.AfterFunc(reviewKept, func() { s.forgetReview(x) })
	case err != nil:
		s.forgetReview(x)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil && !cut {
		x.failed = err
		_ = x.events.Send("problem", s.Problem(err))
		return
	}
	x.review.Done = true
	_ = x.events.Send("review", x.review)
	for _, p := range x.askers {
		s.noteReview(p, &x.review)
	}
	x.askers = nil
}

func (s *room) forgetReview(x *reviewing) {
	s.reviews.Lock()
	defer s.reviews.Unlock()
	s.reviews.list = slices.DeleteFunc(s.reviews.list, func(other *reviewing) bool { return other == x })
}

// add adds a move to a review. They come from the end of the game to its
// beginning.
func (x *reviewing) add(m *review.Move) {
	at := x.at
	for len(at.Moves) >= m.Ply {
		at.Pos.Undo()
		at.Moves = at.Moves[:len(at.Moves)-1]
	}
	w := playview.ReviewMoveOf(at, m)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.review.Moves = slices.Insert(x.review.Moves, 0, w)
	x.review.Losses[m.Side] = view.Rounded(x.review.Losses[m.Side] + m.Loss)
	_ = x.events.Send("move", w)
}

// now returns the review as it is.
func (x *reviewing) now() (*view.Review, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	w := x.review
	w.Moves, w.Losses = slices.Clone(w.Moves), slices.Clone(w.Losses)
	return &w, x.failed
}

type reviewSessionInput struct {
	SessionInput
	Engine string `query:"engine" maxLength:"40" doc:"Another program, by the name that engines lists"`
}

// reviewSession returns what the engine thinks of a game that was played here.
// While it goes on, nobody is told what the engine thinks of it.
func (s *room) reviewSession(ctx context.Context, in *reviewSessionInput) (*view.Review, error) {
	v, err := s.host.View(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if v.Result == nil {
		return nil, api.Conflict("playing", "Play it to its end, or ask for values of the position.", "the game is not over")
	}
	at, err := s.table(v)
	if err != nil {
		return nil, err
	}
	x, err := s.reviewOf(ctx, at, in.Engine, sessionLevel)
	if err != nil {
		return nil, err
	}
	s.keepReview(ctx, x, 0, v.ID)
	// Most of it comes at once: who asks the first time need not ask again for
	// an empty one.
	wait, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	for range x.events.Events(wait, 0) {
	}
	return x.now()
}
