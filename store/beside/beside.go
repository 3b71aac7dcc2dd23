// Package beside is a small database in the folder of a library, beside the catalogue:
// for what people make that no search, list or export of the records is to read by
// itself. Several processes may have it open: SQLite lets one write after the other. The
// file comes into being with the first change.
package beside

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"

	_ "modernc.org/sqlite" // the driver
)

// Options say what kind of database it is.
type Options struct {
	Name   string   // what errors are called by, as "people"
	File   string   // its name in the folder
	Steps  []string // that make the tables, each those that the one before knew not
	Wipe   bool     // what is deleted is overwritten
	Absent error    // of a change where there is no database and none is to be made

	Opened func(*sql.DB) error // is called when it has been opened; may be nil
}

// DB is such a database. It is safe for concurrent use.
type DB struct {
	o    Options
	file string

	mu sync.Mutex
	db *sql.DB // nil as long as there is no file
}

// Open returns the database of the library in a folder. Nothing is made.
func Open(dir string, o Options) *DB { return &DB{o: o, file: filepath.Join(dir, o.File)} }

// Close closes it.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db == nil {
		return nil
	}
	err := d.db.Close()
	d.db = nil
	return err
}

// Err returns an error of the database as it is called outside.
func (d *DB) Err(err error) error { return fmt.Errorf("%s: %w", d.o.Name, err) }

// handle returns the open database: nil where there is none and none is to be made.
func (d *DB) handle(ctx context.Context, create bool) (*sql.DB, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.db != nil {
		return d.db, nil
	}
	info, err := os.Stat(d.file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		// It is made here, so that it never was readable by others.
		f, err := os.OpenFile(d.file, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, d.Err(err)
		}
		if err := f.Close(); err != nil {
			return nil, d.Err(err)
		}
	case err != nil:
		return nil, d.Err(err)
	case info.Mode().Perm()&0o077 != 0:
		_ = os.Chmod(d.file, 0o600) // somebody else's file stays as it is
	}
	// One connection: what it writes needs no looking for, and what others write shows in
	// its data_version.
	pragmas := []string{"busy_timeout(10000)", "foreign_keys(1)", "synchronous(2)", "journal_mode(wal)"}
	if d.o.Wipe {
		pragmas = slices.Insert(pragmas, 1, "secure_delete(1)")
	}
	db, err := sql.Open("sqlite", address(d.file, url.Values{"_txlock": {"immediate"}, "_pragma": pragmas}))
	if err != nil {
		return nil, d.Err(err)
	}
	db.SetMaxOpenConns(1)
	if err := d.prepare(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if d.o.Opened != nil {
		if err := d.o.Opened(db); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %s is damaged: %w", d.o.Name, d.o.File, err), db.Close())
		}
	}
	d.db = db
	return db, nil
}

// prepare makes the tables of a new database, or those that an older one lacks.
func (d *DB) prepare(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return d.Err(err)
	}
	defer tx.Rollback()
	var have int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return d.Err(err)
	}
	version := len(d.o.Steps)
	switch {
	case have > version:
		return fmt.Errorf("%s: the file has format %d, and this program knows formats up to %d: use a newer version of the program", d.o.Name, have, version)
	case have == version:
		return nil
	}
	for _, step := range append(slices.Clone(d.o.Steps[have:]), fmt.Sprintf("PRAGMA user_version = %d", version)) {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return d.Err(err)
		}
	}
	if err := tx.Commit(); err != nil {
		return d.Err(err)
	}
	return nil
}

// Read runs a query; nothing is done where there is no database.
func (d *DB) Read(ctx context.Context, each func(scan func(...any) error) error, query string, args ...any) error {
	db, err := d.handle(ctx, false)
	if db == nil || err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return d.Err(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return d.Err(err)
	}
	return nil
}

// Write runs a change in one transaction. With create the database is made.
func (d *DB) Write(ctx context.Context, create bool, change func(*sql.Tx) error) error {
	db, err := d.handle(ctx, create)
	if err != nil {
		return err
	}
	if db == nil {
		return d.o.Absent
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return d.Err(err)
	}
	defer tx.Rollback()
	if err := change(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return d.Err(err)
	}
	return nil
}

// Exec runs one statement of a change, and returns how many rows it changed.
func (d *DB) Exec(ctx context.Context, tx *sql.Tx, query string, args ...any) (int64, error) {
	r, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, d.Err(err)
	}
	return r.RowsAffected()
}

// DataVersion is another number when another process has changed something.
func (d *DB) DataVersion(ctx context.Context) (n int64, err error) {
	err = d.Read(ctx, func(scan func(...any) error) error { return scan(&n) }, "PRAGMA data_version")
	return n, err
}

// Check reports what is wrong with the file; nothing where there is none.
func (d *DB) Check(ctx context.Context) (problems []string, err error) {
	err = d.Read(ctx, func(scan func(...any) error) error {
		var s string
		if err := scan(&s); err != nil {
			return err
		}
		if s != "ok" {
			problems = append(problems, s)
		}
		return nil
	}, "PRAGMA integrity_check(20)")
	return problems, err
}

// Copy writes the database of a library in a folder into another folder, in place of the
// one that is there; nothing where there is none. Nothing is written beside the original.
func Copy(ctx context.Context, from, to string, o Options) error {
	failed := func(err error) error { return fmt.Errorf("%s: %w", o.Name, err) }
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(to, o.File+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failed(err)
		}
	}
	if _, err := os.Stat(filepath.Join(from, o.File)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", address(filepath.Join(from, o.File), url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}}))
	if err != nil {
		return failed(err)
	}
	defer db.Close()
	file := filepath.Join(to, o.File)
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", file); err != nil {
		return failed(err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		return failed(err)
	}
	return nil
}

// address returns the name of a database for the driver.
func address(file string, values url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath(), RawQuery: values.Encode()}).String()
}
