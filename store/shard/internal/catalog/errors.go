package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"qipu/store"
)

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
		return fmt.Errorf("%w, nothing was changed: make room and try again: %w", store.ErrFull, err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("catalog: the disk does not read or write, nothing was changed: check it and try again: %w", err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: verify it, and go back to a backup: %w", store.ErrDamaged, err)
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
