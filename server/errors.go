package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"qipu/engine"
	"qipu/game"
	"qipu/library"
	"qipu/library/knowledge"
	"qipu/library/players"
	"qipu/play"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/server/guard"
	"qipu/server/jobs"
	"qipu/store"
	"qipu/view/gameview"
	"qipu/view/shapeview"
)

// The description of the interface is made by huma, whose ways are set for the
// whole program: lists are never null, because makers of wire values make them,
// and problems have the form that all refusals of this program have.
func init() {
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		p := &guard.Problem{Status: status, Detail: message, Code: "invalid", Hint: "Mend what errors names; " + prefix + "/openapi.json tells what is meant."}
		for _, err := range errs {
			if err == nil {
				continue
			}
			if large, ok := guard.TooLarge(err); ok {
				return large
			}
			if slow, ok := guard.TooSlow(err); ok {
				return slow
			}
			d := guard.FieldError{Detail: err.Error()}
			if e, ok := err.(huma.ErrorDetailer); ok {
				detail := e.ErrorDetail()
				d.Detail, d.Field = detail.Message, detail.Location
			}
			p.Errors = append(p.Errors, d)
		}
		if message == "cannot read request body" {
			p.Status, p.Code, p.Hint = http.StatusBadRequest, "body", "Send it again." // the client broke off
		}
		if p.Status >= http.StatusInternalServerError {
			p.Code, p.Detail, p.Hint, p.Errors = "internal", "The server could not answer.", "The log of the server tells why.", nil
		}
		return p
	}
}

// bad is a request that cannot be answered as it is. The hint tells what to do
// next, and may be empty.
func bad(code, hint, format string, args ...any) error {
	return &guard.Problem{Status: http.StatusUnprocessableEntity, Code: code, Detail: fmt.Sprintf(format, args...), Hint: hint}
}

// notFound is a request for something that is not there.
func notFound(hint, format string, args ...any) error {
	return &guard.Problem{Status: http.StatusNotFound, Code: "not-found", Detail: fmt.Sprintf(format, args...), Hint: hint}
}

// conflict is a change that the state of things does not allow.
func conflict(code, hint, format string, args ...any) error {
	return &guard.Problem{Status: http.StatusConflict, Code: code, Detail: fmt.Sprintf(format, args...), Hint: hint}
}

// readOnly is a change while another program writes to the library.
func (s *Server) readOnly() error {
	return conflict("read-only", "Wait until the other program has ended, and start the server again.", "the library is open for reading only: %s writes to it", s.shownHolder(s.options.Holder))
}

// fieldError is a mistake in a query that stands elsewhere than in the parameter q.
type fieldError struct {
	error
	field string
}

// Unwrap returns the mistake.
func (e *fieldError) Unwrap() error { return e.error }

// inField tells where a query stands that an error may be about.
func inField(err error, field string) error {
	if err == nil {
		return nil
	}
	return &fieldError{err, field}
}

// meanings lists errors of the library by what they mean to a client.
var meanings = []struct {
	err        error
	status     int
	code, hint string
}{
	{store.ErrNoGame, http.StatusNotFound, "not-found", "It may have been deleted: search anew."},
	{store.ErrNoRow, http.StatusNotFound, "not-found", "The name may have changed: list what there is."},
	{store.ErrExists, http.StatusConflict, "exists", "Choose another name."},
	{store.ErrReadOnly, http.StatusConflict, "read-only", "Another program wrote to the library when the server was started: end it, and start the server again."},
	{store.ErrTooLarge, http.StatusRequestEntityTooLarge, "too-large", "Leave something out, or part it."},
	{store.ErrFull, http.StatusInsufficientStorage, "disk-full", "Make room on the disk of the server, and try again. Nothing is lost."},
	{syscall.ENOSPC, http.StatusInsufficientStorage, "disk-full", "Make room on the disk of the server, and try again. Nothing is lost."},
	{store.ErrClosed, http.StatusServiceUnavailable, "closing", "The server is being shut down: try again in a moment."},
	{retrieve.ErrTooMuch, http.StatusUnprocessableEntity, "too-much", "Ask for less: fewer moments, alternatives or wildcards."},
	{retrieve.ErrCursor, http.StatusUnprocessableEntity, "cursor", "Begin again without a cursor."},
	{game.ErrIllegal, http.StatusUnprocessableEntity, "illegal-move", "Choose one of the moves that are possible."},
	{game.ErrSyntax, http.StatusUnprocessableEntity, "no-move", "Write moves in one of the notations of the game."},
	{record.ErrInexpressible, http.StatusUnprocessableEntity, "inexpressible", "Choose another format."},
	{players.ErrNoPlayer, http.StatusNotFound, "no-player", "Look for the player in the list."},
	{players.ErrOtherPlayer, http.StatusConflict, "other-player", "Choose another name, or merge the two."},
	{players.ErrSamePlayers, http.StatusConflict, "same-players", "They are one player already: nothing is left to do."},
	{players.ErrNoEdit, http.StatusNotFound, "not-found", "List the changes that there are."},
	{knowledge.ErrNotOwn, http.StatusConflict, "not-own", "Shapes of the program stay; save one with the same id to change it."},
	{knowledge.ErrShape, http.StatusUnprocessableEntity, "shape", "Send one block that begins with shape, and the checks of it."},
	{jobs.ErrNotFound, http.StatusNotFound, "not-found", "List the imports that there are."},
	{jobs.ErrState, http.StatusConflict, "state", "Look at the import again: it has changed."},
	{jobs.ErrBusy, http.StatusTooManyRequests, "busy", "Wait until one of the imports has run."},
	{jobs.ErrTooLarge, http.StatusRequestEntityTooLarge, "too-large", "Upload less at once."},
	{jobs.ErrOutside, http.StatusForbidden, "outside", "Only files below the import root of the server can be read."},
	{jobs.ErrInvalid, http.StatusUnprocessableEntity, "job", "Mend what is wrong, and send it again."},
	{jobs.ErrClosed, http.StatusServiceUnavailable, "closing", "The server is being shut down: try again in a moment."},
	{play.ErrUnknown, http.StatusNotFound, "not-found", "Begin another game: this one was given up, or nobody moved in it for days."},
	{play.ErrOver, http.StatusConflict, "over", "Begin another game."},
	{play.ErrTurn, http.StatusConflict, "turn", "Wait until the engine has moved."},
	{play.ErrNoUndo, http.StatusConflict, "no-undo", "Make a move first."},
	{play.ErrStale, http.StatusConflict, "stale", "Look at the game again: it has changed."},
	{play.ErrMany, http.StatusTooManyRequests, "many", "Finish one of the games, or give one up."},
	{play.ErrInvalid, http.StatusUnprocessableEntity, "no-session", "Mend what is wrong, and send it again."},
	{play.ErrClosed, http.StatusServiceUnavailable, "closing", "The server is being shut down: try again in a moment."},
	{engine.ErrClosed, http.StatusServiceUnavailable, "closing", "The server is being shut down: try again in a moment."},
	{engine.ErrGame, http.StatusUnprocessableEntity, "no-engine", "Choose another game."},
	{engine.ErrOver, http.StatusUnprocessableEntity, "over", "Choose an earlier position."},
	{context.DeadlineExceeded, http.StatusServiceUnavailable, "timeout", "It took too long: ask for less, or try again."},
	{context.Canceled, http.StatusServiceUnavailable, "cancelled", "Try again."},
}

// problem turns an error into one that tells the client what to do. Errors that
// it does not know are the server's own; their texts are logged and not told.
func (s *Server) problem(err error) error {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*guard.Problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*query.Error](err); ok {
		field := "query.q"
		if at, ok := errors.AsType[*fieldError](err); ok {
			field = at.field
		}
		return &guard.Problem{
			Status: http.StatusUnprocessableEntity, Code: "query", Detail: e.Message, Hint: e.Hint,
			Errors: []guard.FieldError{{Field: field, Detail: e.Show()}},
		}
	}
	if e, ok := errors.AsType[*store.LockedError](err); ok {
		return conflict("locked", "Wait until the other program has ended, and try again.", "the library is being written to by %s", cmp.Or(s.shownHolder(e.Holder), "another program"))
	}
	if e, ok := errors.AsType[*library.NoCollectionError](err); ok {
		return &guard.Problem{Status: http.StatusNotFound, Code: "not-found", Detail: s.told(e), Hint: "List the collections that there are."}
	}
	if e, ok := errors.AsType[*gameview.SpecError](err); ok {
		return bad("no-game", "The games are "+strings.Join(e.Known, ", ")+"; a size stands behind a colon, as in weiqi:9x9.", "%v", e)
	}
	if e, ok := errors.AsType[*gameview.NotationError](err); ok {
		return bad("no-notation", "The notations are "+strings.Join(e.Known, ", ")+".", "%v", e)
	}
	if e, ok := errors.AsType[*gameview.LineError](err); ok {
		return bad("no-position", "Write moves from the start, or a position text.", "%v", e)
	}
	if e, ok := errors.AsType[*game.UnknownError](err); ok {
		return guard.NewProblem(http.StatusUnprocessableEntity, "no-game", e.Error(), "The games are "+strings.Join(e.Known, ", ")+".")
	}
	if e, ok := errors.AsType[*shapeview.NoStringError](err); ok {
		return bad("no-string", "Name a point with a stone on it, as in Q16.", "%v", e)
	}
	if e, ok := errors.AsType[*record.Fault](err); ok {
		return &guard.Problem{Status: http.StatusUnprocessableEntity, Code: "record", Detail: e.Reason, Hint: "Look at the record: it cannot be read as it is."}
	}
	if e, ok := errors.AsType[*store.UnreachableError](err); ok {
		s.log.Error("a part of the library cannot be reached", "err", err)
		return guard.NewProblem(http.StatusServiceUnavailable, "unreachable", e.Shard+" of the library cannot be reached",
			"Try again when Retry-After says, or ask with partial=true for an answer without it.").After(5 * time.Second)
	}
	if errors.Is(err, engine.ErrBusy) {
		return guard.NewProblem(http.StatusServiceUnavailable, "busy", "too many are waiting for an engine", "Try again when Retry-After says.").After(3 * time.Second)
	}
	for _, k := range meanings {
		if errors.Is(err, k.err) {
			return &guard.Problem{Status: k.status, Code: k.code, Detail: s.told(err), Hint: k.hint}
		}
	}
	s.log.Error("request failed", "err", err)
	return &guard.Problem{Status: http.StatusInternalServerError, Code: "internal", Detail: "The server could not answer.", Hint: "The log of the server tells why."}
}

// told returns the text of an error as clients get it. Which package it comes
// from and where the library lies on the server is no business of theirs.
func (s *Server) told(err error) string {
	text := err.Error()
	for _, name := range []string{"qipu", "catalog", "retrieve", "jobs", "guard", "play", "engine"} {
		text = strings.TrimPrefix(text, name+": ")
	}
	if s.lib != nil {
		text = strings.ReplaceAll(text, s.lib.Records().Dir()+string(filepath.Separator), "")
	}
	return text
}

// shownFile returns the name of a file that records were read from, as clients
// get it: the owner sees its path, others that can reach the server its name, and
// the way inside an archive.
func (s *Server) shownFile(name string) string {
	if !s.options.Exposed {
		return name
	}
	path, inside, archive := strings.Cut(name, "!")
	drive := len(path) > 1 && path[1] == ':' // the library may come from another system
	if drive || strings.HasPrefix(path, "..") || strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) {
		path = path[strings.LastIndexAny(path, `/\`)+1:]
	}
	if archive {
		path += "!" + inside
	}
	return path
}

// shownHolder returns who writes to the library, as clients get it: the owner sees
// the process and the machine, too.
func (s *Server) shownHolder(holder string) string {
	if s.options.Exposed {
		holder, _, _ = strings.Cut(holder, " (")
	}
	return holder
}
