package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What callers branch on.
var (
	ErrNotFound = errors.New("catalog: there is no library")
	ErrNoGame   = errors.New("catalog: there is no such game")
	ErrNoRow    = errors.New("catalog: there is no such thing") // a collection, tag, saved query, edit or segment
	ErrExists   = errors.New("catalog: the name is taken")
	ErrReadOnly = errors.New("catalog: the library is open for reading only")
	ErrTooLarge = errors.New("catalog: the record is too large")
	ErrDamaged  = errors.New("catalog: the library is damaged")
	ErrFull     = errors.New("catalog: the disk is full")
	ErrClosed   = errors.New("catalog: the library is closed")
)

// NewerError tells that a library was written by a newer program. Nothing in it
// was touched.
type NewerError struct {
	Have, Know int // versions of the schema: that of the library, and the newest that this program knows
}

// Error says what to do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("catalog: the library has format %d, and this program knows formats up to %d: use a newer version of the program", e.Have, e.Know)
}

// LockedError tells that another process writes to the library.
type LockedError struct {
	Dir    string
	Holder string // who: program, process, machine, and since when; empty where unknown
}

// Error names the holder.
func (e *LockedError) Error() string {
	holder := e.Holder
	if holder == "" {
		holder = "another process"
	}
	return fmt.Sprintf("catalog: the library %s is being written to by %s: wait until it is done, or open the library for reading only", e.Dir, holder)
}

// explain wraps an error of SQLite in the words of this package. Errors that it
// has explained before stay as they are.
func explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || strings.HasPrefix(err.Error(), "catalog: ") {
		return err
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("catalog: %w", err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w, nothing was changed: make room and try again: %w", ErrFull, err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("catalog: the disk does not read or write, nothing was changed: check it and try again: %w", err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: verify it, and go back to a backup: %w", ErrDamaged, err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("catalog: the database is busy in another process: try again: %w", err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("catalog: the database cannot be opened or written to: check that the folder and its files may be read and written: %w", err)
	case sqlite3.SQLITE_INTERRUPT:
		return fmt.Errorf("catalog: interrupted: %w", err)
	}
	return fmt.Errorf("catalog: %w", err)
}

// hasCode reports whether an error is one of SQLite with the primary code.
func hasCode(err error, code int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}
