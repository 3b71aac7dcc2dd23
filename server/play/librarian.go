package play

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/library/librarian"
	"qipu/review"
	"qipu/segment"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/bookview"
)

// shelves are the librarians of the server, by the names of the kinds of game. One
// works at a time.
type shelves struct {
	mu     sync.Mutex
	byKind map[string]*desk
	done   sync.WaitGroup
}

// desk is where one works.
type desk struct {
	*librarian.Librarian
	plan plan
	stop context.CancelFunc // nil while it does not work
}

// plan is what the owner has asked for. It is kept in the library, so that a server
// that was stopped or killed goes on.
type plan struct {
	Game   string `json:"game"`
	Engine string `json:"engine,omitempty"`
	Level  int    `json:"level"`
	Games  int    `json:"games"`
}

// watches tells that courses of games are made, and not values of positions.
func (p *plan) watches(k *index.Kind) bool { return p.Engine == "" && librarian.Whole(k.Rules) }

// planFile lies beside the books.
func (s *room) planFile() string {
	return filepath.Join(s.Lib.Records().Dir(), "book", "librarian.json")
}

func (s *room) registerLibrarian() {
	s.shelves.byKind = map[string]*desk{}
	s.Mean(errTeacher, http.StatusUnprocessableEntity, "no-teacher", "Choose another program that plays this game well and tells values.")
	api.Get(s.Service, api.Fresh, "/book/learning", "get-book-learning", "book", "How far the librarian is, who values positions of the book in the background", s.learning)
	api.Register(s.Service, api.Owning, http.MethodPost, "/book/learning", "set-book-learning", "book", "Have the librarian start, pause or stop", s.learn)
}

type learningInput struct {
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec" example:"othello"`
}

func (s *room) learning(ctx context.Context, in *learningInput) (*view.BookLearning, error) {
	k, err := s.Kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	s.shelves.mu.Lock()
	defer s.shelves.mu.Unlock()
	d := s.shelves.byKind[k.Index.Name]
	if d == nil {
		d = s.desk(k.Index, plan{Game: k.Spec})
	}
	w := bookview.LearningOf(d.State(), k.Spec)
	if !s.Owns(ctx) {
		w.Problem = "" // it may name a program
	}
	return w, nil
}

// errTeacher tells that what an engine thinks is worth nothing in a book.
var errTeacher = errors.New("nobody has measured how wrong the engine of this server is in this game")

// teaches returns an engine that values positions for the book, which shares the
// processes of all who ask: one whose error is known, or another program.
func (s *room) teaches(ctx context.Context, name string, r game.Rules) (engine.Engine, error) {
	pool, err := s.critic(name, r)
	if err != nil {
		return nil, err
	}
	e, err := pool.Shared(ctx, "librarian", r)
	if err != nil {
		return nil, err
	}
	switch info := e.Info(); {
	case info.Opaque:
		return nil, review.ErrOpaque
	case !review.OpinionOf(info, false).Counts, info.Points: // it knows no plies, and a book counts in them
		return nil, errTeacher
	}
	return e, nil
}

// desk returns that of a kind of game, as it is or with a plan. The caller holds
// the lock.
func (s *room) desk(kind *index.Kind, p plan) *desk {
	if d := s.shelves.byKind[kind.Name]; d != nil && (d.stop != nil || d.plan == p && d.State().Phase == librarian.Idle) {
		return d
	}
	make, threads := s.Lib.Records().Engine, max(1, runtime.NumCPU()/2)
	if p.Engine != "" { // of which there is one process
		threads = 1
		make = func(r game.Rules, _ engine.Options) (engine.Engine, error) { return s.teaches(s.Context, p.Engine, r) }
	}
	o := librarian.Options{
		Books: s.Lib.Books(), Kind: kind, Level: p.Level, Reached: p.Games, Threads: threads, Engine: make, Teacher: p.Engine,
		Busy:    func() bool { return s.engines.Busy()+s.critics.Busy() > 0 },
		Changed: s.Kept.Changed,
	}
	if p.watches(kind) {
		o.Games = s.Lib.Records()
	}
	d := &desk{plan: p, Librarian: librarian.New(o)}
	s.shelves.byKind[kind.Name] = d
	return d
}

type learnInput struct{ Body view.BookLearner }

// learn does what the owner asks the librarian for.
func (s *room) learn(ctx context.Context, in *learnInput) (*view.BookLearning, error) {
	if !s.Writes() {
		return nil, s.ReadOnly()
	}
	k, err := s.Kinds.Find(in.Body.Game)
	if err != nil {
		return nil, err
	}
	s.shelves.mu.Lock()
	defer s.shelves.mu.Unlock()
	p := plan{Game: k.Spec, Engine: in.Body.Engine, Level: in.Body.Level, Games: in.Body.Games}
	d := s.desk(k.Index, p)
	switch in.Body.Do {
	case "start":
		if !p.watches(k.Index) {
			if _, err := s.teaches(ctx, p.Engine, k.Index.Rules); err != nil {
				return nil, err
			}
		}
		for _, other := range s.shelves.byKind {
			if other != d {
				other.Pause()
			}
		}
		s.work(d)
	case "pause":
		d.Pause()
		s.keepPlan(nil)
	case "stop":
		if d.stop != nil {
			d.stop()
		}
		s.keepPlan(nil)
	}
	return bookview.LearningOf(d.State(), k.Spec), nil
}

// work has a librarian begin, or go on. The caller holds the lock.
func (s *room) work(d *desk) {
	s.keepPlan(&d.plan)
	d.Resume()
	if d.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(s.Context)
	d.stop = stop
	d.Begin()
	s.shelves.done.Go(func() {
		if err := d.Run(ctx); err != nil {
			s.Log.Error("the librarian has ended", "game", d.plan.Game, "err", err)
		}
		stop()
		s.shelves.mu.Lock()
		d.stop = nil
		ended := d.State().Phase == librarian.Done
		s.shelves.mu.Unlock()
		if ended {
			s.keepPlan(nil)
		}
	})
}

// keepPlan notes what is being done, or that nothing is. Where it cannot be noted, a
// server that starts again does not go on by itself, and nothing else is lost.
func (s *room) keepPlan(p *plan) {
	if p == nil {
		os.Remove(s.planFile())
		return
	}
	data, err := json.Marshal(p)
	if err == nil {
		if err = os.MkdirAll(filepath.Dir(s.planFile()), 0o777); err == nil {
			err = segment.Replace(s.planFile(), 0o666, data)
		}
	}
	if err != nil {
		s.Log.Error("the plan of the librarian cannot be kept", "err", err)
	}
}

// resumeLibrarian goes on with what was being done when the server ended.
func (s *room) resumeLibrarian() {
	data, err := os.ReadFile(s.planFile())
	if err != nil {
		return
	}
	var p plan
	if json.Unmarshal(data, &p) != nil {
		return
	}
	k, err := s.Kinds.Find(p.Game)
	if err != nil {
		return
	}
	s.shelves.mu.Lock()
	defer s.shelves.mu.Unlock()
	s.work(s.desk(k.Index, p))
}

// closeLibrarians stops all of them; what was found is kept, and so is the plan.
func (s *room) closeLibrarians(context.Context) error {
	s.shelves.mu.Lock()
	for _, d := range s.shelves.byKind {
		if d.stop != nil {
			d.stop()
		}
	}
	s.shelves.mu.Unlock()
	s.shelves.done.Wait()
	return nil
}
