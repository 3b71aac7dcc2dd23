package manage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"qipu/server/api"
	"qipu/server/jobs"
	"qipu/store"
	"qipu/view"
	"qipu/view/libraryview"
)

// errCaring is a check or a rebuilding of tables that is asked for while another runs.
var errCaring = errors.New("the library is being looked after already")

// care is what looks after the library: one check or rebuilding of tables at a time,
// which takes as long as the library is large and therefore belongs to no request. The
// last one is kept in a file, so that a server that is started again can tell of it;
// one that the end of the server cuts off is unfinished then, and begun anew by whoever
// wants it.
type care struct {
	mu   sync.Mutex
	last *view.Care // nil before the first; replaced, never changed
	stop context.CancelFunc
	ends bool // the server does
	idle sync.WaitGroup
}

// careFile is where the last one is kept: beside the imports.
func (s *room) careFile() string { return filepath.Join(s.Lib.Records().Dir(), "jobs", "care.json") }

// keepCare writes down how it stands. A disk that takes nothing has the server forget
// it at its end.
func (s *room) keepCare(c *view.Care) {
	if !s.Writes() {
		return
	}
	if err := jobs.Replace(s.careFile(), c); err != nil {
		s.Log.Warn("how the library was looked after cannot be kept", "err", err)
	}
}

// lastCare reads how the last one stood when a server ended; there is none without
// a library, which routes are listed without.
func (s *room) lastCare() *view.Care {
	c := &view.Care{}
	if s.Lib == nil {
		return nil
	}
	if err := jobs.Load(s.careFile(), c); err != nil || c.Task == "" {
		return nil
	}
	if c.State == "running" {
		c.State = "unfinished"
	}
	return c
}

func (s *room) registerCare() {
	s.care.last = s.lastCare()
	s.Mean(errCaring, http.StatusConflict, "busy", "Wait until it has ended, or stop it.")
	api.Register(s.Service, api.Owning, http.MethodPost, "/library/check", "check-library", "library", "Begin to check the library; GET /library/care tells how far it is and what is wrong", s.checkLibrary)
	api.Register(s.Service, api.Owning, http.MethodPost, "/library/reindex", "reindex-library", "library", "Begin to make the tables for searching anew from the records; GET /library/care tells how far it is", s.reindexLibrary)
	api.Register(s.Service, api.Owning, http.MethodPost, "/library/repair", "repair-library", "library", "Begin to make damaged tables anew from the records; GET /library/care tells how far it is", s.repairLibrary)
	api.Get(s.Service, api.Private, "/library/care", "library-care", "library", "The check, repair, backup or restoring that runs, or was the last", s.careNow)
	api.Register(s.Service, api.Forgetting, http.MethodDelete, "/library/care", "stop-library-care", "library", "Stop what runs; tables that are made stay", s.stopCare)
	s.OnClose(func(context.Context) error {
		s.endCare(true)
		s.care.idle.Wait()
		return nil
	})
}

type checkInput struct {
	Full bool `query:"full" doc:"Unpack and play every record, too, and compare it with the tables"`
}

func (s *room) checkLibrary(_ context.Context, in *checkInput) (*view.Care, error) {
	return s.begin("check", func(ctx context.Context, progress store.Progress) ([]string, error) {
		found, partial, err := s.Lib.Records().Check(ctx, in.Full, progress)
		return libraryview.Problems(found, partial), err
	})
}

func (s *room) reindexLibrary(context.Context, *struct{}) (*view.Care, error) {
	if !s.Writes() {
		return nil, s.ReadOnly()
	}
	return s.begin("reindex", func(ctx context.Context, progress store.Progress) ([]string, error) {
		return unreadable(s.Lib.Records().Keeper().Reindex(ctx, progress))
	})
}

func (s *room) repairLibrary(context.Context, *struct{}) (*view.Care, error) {
	if !s.Writes() {
		return nil, s.ReadOnly()
	}
	return s.begin("repair", func(ctx context.Context, progress store.Progress) ([]string, error) {
		_, err := s.Lib.Records().Keeper().Repair(ctx, progress)
		return unreadable(err)
	})
}

// unreadable has records that cannot be read be something that is wrong, and no failure.
func unreadable(err error) ([]string, error) {
	if e, ok := errors.AsType[*store.UnreadableError](err); ok {
		return []string{e.Error()}, nil
	}
	return []string{}, err
}

// begin has the library looked after, and returns how that stands. What is done returns
// what is wrong, in words.
func (s *room) begin(task string, do func(context.Context, store.Progress) ([]string, error)) (*view.Care, error) {
	c := &s.care
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && c.last.State == "running" {
		return nil, fmt.Errorf("%w: %s", errCaring, c.last.Task)
	}
	ctx, stop := context.WithCancel(s.Context)
	now := &view.Care{Task: task, State: "running", Started: time.Now(), Problems: []string{}}
	c.last, c.stop = now, stop
	s.keepCare(now)
	put := func(change func(*view.Care)) {
		c.mu.Lock()
		defer c.mu.Unlock()
		next := *c.last
		change(&next)
		next.Elapsed = view.Milliseconds(next.Started)
		c.last = &next
	}
	c.idle.Go(func() {
		defer stop()
		problems, err := do(ctx, func(done, total int) { put(func(w *view.Care) { w.Done, w.Total = done, total }) })
		s.Kept.Changed()
		put(func(w *view.Care) {
			switch {
			case ctx.Err() != nil && c.ends:
				w.State = "unfinished"
			case ctx.Err() != nil:
				w.State = "cancelled"
			case err != nil:
				w.State, w.Error = "failed", s.Problem(err).Error()
			default:
				w.State, w.OK, w.Problems = "done", len(problems) == 0, problems
			}
		})
		c.mu.Lock()
		s.keepCare(c.last)
		c.mu.Unlock()
		if err != nil && ctx.Err() == nil {
			s.Log.Error("the library could not be looked after", "task", task, "err", err)
		}
	})
	return now, nil
}

func (s *room) careNow(context.Context, *struct{}) (*view.Care, error) {
	s.care.mu.Lock()
	defer s.care.mu.Unlock()
	if s.care.last == nil {
		return &view.Care{State: "none", Problems: []string{}}, nil
	}
	return s.care.last, nil
}

func (s *room) stopCare(context.Context, *struct{}) (*api.Nothing, error) {
	s.endCare(false)
	return nil, nil
}

func (s *room) endCare(closing bool) {
	s.care.mu.Lock()
	defer s.care.mu.Unlock()
	s.care.ends = closing
	if s.care.stop != nil {
		s.care.stop()
	}
}
