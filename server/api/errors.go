package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"qipu/game"
	"qipu/library"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/server/guard"
	"qipu/store"
	"qipu/view/gameview"
	"qipu/view/recordview"
)

// The description of the interface is made by huma, whose ways are set for the
// whole program: lists are never null, because makers of wire values make them,
// and problems have the form that all refusals of this program have.
func init() {
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		p := &guard.Problem{Status: status, Detail: message, Code: "invalid", Hint: "Mend what errors names; " + Prefix + "/openapi.json tells what is meant."}
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

// Bad is a request that cannot be answered as it is. The hint tells what to do
// next, and may be empty.
func Bad(code, hint, format string, args ...any) error {
	return &guard.Problem{Status: http.StatusUnprocessableEntity, Code: code, Detail: fmt.Sprintf(format, args...), Hint: hint}
}

// NotFound is a request for something that is not there.
func NotFound(hint, format string, args ...any) error {
	return &guard.Problem{Status: http.StatusNotFound, Code: "not-found", Detail: fmt.Sprintf(format, args...), Hint: hint}
}

// Conflict is a change that the state of things does not allow.
func Conflict(code, hint, format string, args ...any) error {
	return &guard.Problem{Status: http.StatusConflict, Code: code, Detail: fmt.Sprintf(format, args...), Hint: hint}
}

// Writes reports whether the library is open for writing.
func (s *Service) Writes() bool { return s.Holder == "" && !s.Unwritable && s.Lib != nil }

// ReadOnly is a change of a library that is open for reading only.
func (s *Service) ReadOnly() error {
	if s.Unwritable {
		return Conflict("read-only", "Have the disk take changes, and start the server again.", "the library is open for reading only: its disk takes no changes")
	}
	return Conflict("read-only", "Wait until the other program has ended, and start the server again.", "the library is open for reading only: %s writes to it", s.ShownHolder(s.Options.Holder))
}

// fieldError is a mistake in a query that stands elsewhere than in the parameter q.
type fieldError struct {
	error
	field string
}

// Unwrap returns the mistake.
func (e *fieldError) Unwrap() error { return e.error }

// InField tells where a query stands that an error may be about.
func InField(err error, field string) error {
	if err == nil {
		return nil
	}
	return &fieldError{err, field}
}

// Meaning is what an error means to a client.
type Meaning struct {
	err        error
	status     int
	code, hint string
	After      time.Duration // when to try again; 0 where that is not known
}

// Mean says what an error of a room means. Where one fits several, the first holds.
func (s *Service) Mean(err error, status int, code, hint string) *Meaning {
	if code == "" || hint == "" {
		panic(fmt.Sprintf("api: %v has no code or no hint", err))
	}
	m := &Meaning{err: err, status: status, code: code, hint: hint}
	s.meanings = append(s.meanings, m)
	return m
}

// MeanClosing says which errors come while a server ends.
func (s *Service) MeanClosing(list ...error) {
	for _, err := range list {
		s.Mean(err, http.StatusServiceUnavailable, "closing", "The server is being shut down: try again in a moment.")
	}
}

// meanLibrary says what the errors of the library mean.
func (s *Service) meanLibrary() {
	s.Mean(store.ErrNoGame, http.StatusNotFound, "not-found", "It may have been deleted: search anew.")
	s.Mean(store.ErrNoRow, http.StatusNotFound, "not-found", "The name may have changed: list what there is.")
	s.Mean(store.ErrExists, http.StatusConflict, "exists", "Choose another name.")
	s.Mean(store.ErrReadOnly, http.StatusConflict, "read-only", "Another program wrote to the library when the server was started, or its disk took no changes: mend that, and start the server again.")
	s.Mean(store.ErrTooLarge, http.StatusRequestEntityTooLarge, "too-large", "Leave something out, or part it.")
	s.Mean(store.ErrFull, http.StatusInsufficientStorage, "disk-full", "Make room on the disk of the server, and try again. Nothing is lost.")
	s.Mean(syscall.ENOSPC, http.StatusInsufficientStorage, "disk-full", "Make room on the disk of the server, and try again. Nothing is lost.")
	s.Mean(retrieve.ErrTooMuch, http.StatusUnprocessableEntity, "too-much", "Ask for less: fewer moments, alternatives or wildcards.")
	s.Mean(retrieve.ErrCursor, http.StatusUnprocessableEntity, "cursor", "Begin again without a cursor.")
	s.Mean(game.ErrIllegal, http.StatusUnprocessableEntity, "illegal-move", "Choose one of the moves that are possible.")
	s.Mean(game.ErrSyntax, http.StatusUnprocessableEntity, "no-move", "Write moves in one of the notations of the game.")
	s.Mean(record.ErrInexpressible, http.StatusUnprocessableEntity, "inexpressible", "Choose another format.")
	s.MeanClosing(store.ErrClosed)
}

// ended are the meanings of requests that end before their answer. Other errors wrap
// theirs: they come last.
var ended = []*Meaning{
	{err: retrieve.ErrEnough, status: http.StatusServiceUnavailable, code: "timeout", hint: "It is too much work for one request: ask for less."},
	{err: context.DeadlineExceeded, status: http.StatusServiceUnavailable, code: "timeout", hint: "It took too long: ask for less, or try again."},
	{err: context.Canceled, status: http.StatusServiceUnavailable, code: "cancelled", hint: "Try again."},
}

// Problem turns an error into one that tells the client what to do. Errors that
// it does not know are the server's own; their texts are logged and not told.
func (s *Service) Problem(err error) error {
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
		return Conflict("locked", "Wait until the other program has ended, and try again.", "the library is being written to by %s", cmp.Or(s.ShownHolder(e.Holder), "another program"))
	}
	if e, ok := errors.AsType[*library.NoCollectionError](err); ok {
		return &guard.Problem{Status: http.StatusNotFound, Code: "not-found", Detail: s.told(e), Hint: "List the collections that there are."}
	}
	if e, ok := errors.AsType[*gameview.SpecError](err); ok {
		return Bad("no-game", "The games are "+strings.Join(e.Known, ", ")+"; a size stands behind a colon, as in weiqi:9x9.", "%v", e)
	}
	if e, ok := errors.AsType[*gameview.NotationError](err); ok {
		return Bad("no-notation", "The notations are "+strings.Join(e.Known, ", ")+".", "%v", e)
	}
	if e, ok := errors.AsType[*gameview.LineError](err); ok {
		return Bad("no-position", "Write moves from the start, or a position text.", "%v", e)
	}
	if e, ok := errors.AsType[*game.UnknownError](err); ok {
		return guard.NewProblem(http.StatusUnprocessableEntity, "no-game", e.Error(), "The games are "+strings.Join(e.Known, ", ")+".")
	}
	if e, ok := errors.AsType[*recordview.NoMomentError](err); ok {
		return NotFound(fmt.Sprintf("The last is %d.", e.Last), "%v", e)
	}
	if e, ok := errors.AsType[*recordview.NoBoardError](err); ok {
		const hint = "Look at its file instead."
		if e.Start {
			return Bad("no-board", hint, "%v", e)
		}
		return NotFound(hint, "%v", e)
	}
	if e, ok := errors.AsType[*record.Fault](err); ok {
		return &guard.Problem{Status: http.StatusUnprocessableEntity, Code: "record", Detail: e.Reason, Hint: "Look at the record: it cannot be read as it is."}
	}
	if e, ok := errors.AsType[*store.UnreachableError](err); ok {
		s.Log.Error("a part of the library cannot be reached", "err", err)
		return guard.NewProblem(http.StatusServiceUnavailable, "unreachable", e.Shard+" of the library cannot be reached",
			"Try again when Retry-After says, or ask with partial=true for an answer without it.").After(5 * time.Second)
	}
	for _, m := range slices.Concat(s.meanings, ended) {
		if errors.Is(err, m.err) {
			p := &guard.Problem{Status: m.status, Code: m.code, Detail: s.told(err), Hint: m.hint}
			if m.After > 0 {
				p.After(m.After)
			}
			return p
		}
	}
	s.Log.Error("request failed", "err", err)
	return &guard.Problem{Status: http.StatusInternalServerError, Code: "internal", Detail: "The server could not answer.", Hint: "The log of the server tells why."}
}

// told returns the text of an error as clients get it. Which package it comes
// from and where the library lies on the server is no business of theirs.
func (s *Service) told(err error) string {
	text := err.Error()
	for _, name := range []string{"qipu", "catalog", "retrieve", "jobs", "guard", "play", "engine"} {
		text = strings.TrimPrefix(text, name+": ")
	}
	if s.Lib != nil {
		text = strings.ReplaceAll(text, s.Lib.Records().Dir()+string(filepath.Separator), "")
	}
	return text
}

// ShownFile returns the name of a file that records were read from, as clients
// get it: the owner sees its path, others that can reach the server its name, and
// the way inside an archive.
func (s *Service) ShownFile(name string) string {
	if !s.Options.Exposed {
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

// ShownHolder returns who writes to the library, as clients get it: the owner sees
// the process and the machine, too.
func (s *Service) ShownHolder(holder string) string {
	if s.Options.Exposed {
		holder, _, _ = strings.Cut(holder, " (")
	}
	return holder
}
