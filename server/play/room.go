// Package play is the room of the server in which games are played, and in which
// engines and the book tell what they think of them.
package play

import (
	"context"
	"errors"
	"net/http"
	"time"

	"qipu/engine"
	"qipu/engine/guests"
	"qipu/library/cache"
	"qipu/play"
	"qipu/server/api"
	"qipu/view"
)

type room struct {
	*api.Service
	host    *play.Host    // nil where the library is open for reading only
	teacher *teacher      // the same
	engines *engine.Pool  // of engines that play
	critics *engine.Pool  // of engines that judge, which may take longer
	guests  *guests.Pools // of other programs
	reviews reviews
	shelves shelves

	// shown has the positions of the games that were told last, by the token of the game:
	// a change is told to those who follow the game and to whoever made it.
	shown cache.Cache[string, shownAs, *view.Position]
}

// Register registers what can be asked here, and opens the games of the library.
func Register(ctx context.Context, service *api.Service) error {
	s := &room{Service: service}
	s.Mean(play.ErrUnknown, http.StatusNotFound, "not-found", "Begin another game: this one was given up, or nobody moved in it for days.")
	s.Mean(play.ErrOver, http.StatusConflict, "over", "Begin another game.")
	s.Mean(play.ErrTurn, http.StatusConflict, "turn", "Wait until the engine has moved.")
	s.Mean(play.ErrSettling, http.StatusConflict, "settling", "Agree to the count, or play on first.")
	s.Mean(play.ErrAsked, http.StatusConflict, "asked", "Answer what the opening asks by POST /sessions/{id}/answer.")
	s.Mean(play.ErrPlaying, http.StatusConflict, "not-settling", "Pass first, and wait until the other side has.")
	s.Mean(play.ErrNoUndo, http.StatusConflict, "no-undo", "Make a move first.")
	s.Mean(play.ErrStale, http.StatusConflict, "stale", "Look at the game again: it has changed.")
	s.Mean(play.ErrMany, http.StatusTooManyRequests, "many", "Finish one of the games, or give one up.")
	s.Mean(play.ErrInvalid, http.StatusUnprocessableEntity, "no-session", "Mend what is wrong, and send it again.")
	s.Mean(engine.ErrBusy, http.StatusServiceUnavailable, "busy", "Try again when Retry-After says.").After = 3 * time.Second
	s.Mean(engine.ErrGame, http.StatusUnprocessableEntity, "no-engine", "Choose another game.")
	s.Mean(engine.ErrOver, http.StatusUnprocessableEntity, "over", "Choose an earlier position.")
	s.MeanClosing(play.ErrClosed, engine.ErrClosed)
	s.registerSessions()
	s.registerValues()
	s.registerEndgame()
	s.registerAnalysis()
	s.registerReview()
	s.registerBook()
	s.registerLibrarian()
	s.registerOpenings()
	s.startEngines()
	s.OnClose(func(context.Context) error {
		return errors.Join(s.engines.Close(), s.critics.Close(), s.guests.Close())
	})
	if !s.Writes() {
		return nil
	}
	s.OnClose(s.closeLibrarians)
	if s.Lib.Records().Leads() { // else the process that does has its librarian go on
		s.resumeLibrarian()
	}
	return s.startPlay(ctx)
}
