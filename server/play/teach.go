package play

import (
	"context"
	"errors"
	"sync"

	"qipu/book/theory"
	"qipu/engine"
	"qipu/library/livebook"
	"qipu/play"
)

// How games that were played teach the book: so many of their moves are judged,
// by searches of so many plies; of games that end faster than they can be
// judged, so many wait, and others teach by their results alone.
const (
	teachPlies = 30
	teachLevel = 10
	teachQueue = 64
)

// teacher has an engine judge the openings of games that have ended, so that the
// book has a value of its own beside what their results say. It asks the engines
// that judge, one position at a time, so that somebody who waits for a review
// waits for one search at most.
type teacher struct {
	lessons chan *engine.Task
	stop    context.CancelFunc
	done    sync.WaitGroup
}

func (s *room) startTeaching() {
	ctx, stop := context.WithCancel(s.Context)
	s.teacher = &teacher{lessons: make(chan *engine.Task, teachQueue), stop: stop}
	s.teacher.done.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case t := <-s.teacher.lessons:
				if err := s.teach(ctx, t); err != nil && ctx.Err() == nil {
					s.Log.Error("a game could not be judged for the book", "game", t.Rules.Info().Name, "err", err)
				}
			}
		}
	})
}

// close ends teaching: what was found is in the book, and the rest is left.
func (t *teacher) close() {
	t.stop()
	t.done.Wait()
}

// ended takes a game that has become a record. It never waits.
func (t *teacher) ended(v *play.View) {
	if v.Result == nil || v.Result.Record == 0 {
		return
	}
	lesson := *v.Task
	lesson.Moves = lesson.Moves[:min(teachPlies, len(lesson.Moves))]
	select {
	case t.lessons <- &lesson:
	default:
	}
}

// teach judges one game. Only an engine that reads games to their end is
// believed: what the small ones think of openings is worth nothing in a book.
func (s *room) teach(ctx context.Context, t *engine.Task) error {
	e, err := s.critics.Shared(ctx, "teacher", t.Rules)
	if err != nil || !e.Info().Solves {
		return ignore(err, engine.ErrGame)
	}
	th, err := s.Lib.Books().Theory(ctx, s.Lib.Records().Kinds().Of(t.Rules))
	if err != nil {
		return err
	}
	start, err := (&engine.Task{Rules: t.Rules, Start: t.Start}).Position()
	if err != nil {
		return err
	}
	learner := &theory.Learner{Theory: th, Searcher: livebook.SearchWith(e, t.Rules, 1), Level: teachLevel}
	if _, err := learner.Add(ctx, start, t.Moves); err != nil {
		return err
	}
	s.Kept.Changed()
	return nil
}

// ignore returns an error unless it is one that does not matter.
func ignore(err, not error) error {
	if errors.Is(err, not) {
		return nil
	}
	return err
}
