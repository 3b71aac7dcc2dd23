package people

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
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// FileName is the database in the folder of a library.
const FileName = "people.db"

const schema = `
CREATE TABLE profile (
	id      TEXT PRIMARY KEY,
	name    TEXT NOT NULL,
	fold    TEXT NOT NULL UNIQUE,
	role    INTEGER NOT NULL,
	created INTEGER NOT NULL -- seconds since 1970, as are all times
) STRICT;

CREATE TABLE key (
	id      TEXT PRIMARY KEY,
	profile TEXT NOT NULL REFERENCES profile ON DELETE CASCADE,
	hash    BLOB NOT NULL UNIQUE, -- SHA-256
	label   TEXT NOT NULL,
	once    INTEGER NOT NULL,
	created INTEGER NOT NULL,
	expires INTEGER NOT NULL, -- 0: never
	used    INTEGER NOT NULL,
	revoked INTEGER NOT NULL
) STRICT;

CREATE INDEX key_profile ON key (profile);

CREATE TABLE login (
	hash    BLOB PRIMARY KEY, -- SHA-256
	id      TEXT NOT NULL UNIQUE,
	profile TEXT NOT NULL REFERENCES profile ON DELETE CASCADE,
	label   TEXT NOT NULL,
	key     TEXT NOT NULL,
	created INTEGER NOT NULL,
	seen    INTEGER NOT NULL,
	expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX login_profile ON login (profile);

CREATE TABLE thing (
	profile TEXT NOT NULL REFERENCES profile ON DELETE CASCADE,
	kind    TEXT NOT NULL,
	fold    TEXT NOT NULL,
	name    TEXT NOT NULL,
	value   TEXT NOT NULL,
	changed INTEGER NOT NULL, -- nanoseconds since 1970
	games   BLOB,             -- bitmap
	PRIMARY KEY (profile, kind, fold)
) STRICT, WITHOUT ROWID;

CREATE INDEX thing_name ON thing (kind, fold);

-- The latest time that anybody saw: a clock that is set back makes nothing valid again.
CREATE TABLE clock (
	id  INTEGER PRIMARY KEY CHECK (id = 1),
	now INTEGER NOT NULL
) STRICT;

INSERT INTO clock VALUES (1, 0);
`

const passkeys = `
CREATE TABLE passkey (
	credential BLOB PRIMARY KEY, -- by which the authenticator knows it
	id         TEXT NOT NULL UNIQUE,
	profile    TEXT NOT NULL REFERENCES profile ON DELETE CASCADE,
	site       TEXT NOT NULL, -- the name of the host that it is bound to
	public     BLOB NOT NULL, -- COSE
	count      INTEGER NOT NULL,
	label      TEXT NOT NULL,
	created    INTEGER NOT NULL,
	used       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX passkey_profile ON passkey (profile);
`

// steps make the tables, each those that the one before knew not.
var steps = []string{schema, passkeys}

// version is that of the schema.
var version = len(steps)

// DB is the people of a library. It is safe for concurrent use, also by several
// processes. The file comes into being with the first profile.
type DB struct {
	file string

	mu sync.Mutex
	db *sql.DB // nil as long as there is no file

	latest atomic.Int64 // of the clock, seconds since 1970

	cache cache
}

// Open returns the people of the library in a folder. Nothing is made, and where there
// is no file nobody is known.
func Open(dir string) *DB { return &DB{file: filepath.Join(dir, FileName)} }

// Close closes the database.
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
			return nil, fmt.Errorf("people: %w", err)
		}
		if err := f.Close(); err != nil {
			return nil, fmt.Errorf("people: %w", err)
		}
	case err != nil:
		return nil, fmt.Errorf("people: %w", err)
	case info.Mode().Perm()&0o077 != 0:
		_ = os.Chmod(d.file, 0o600) // somebody else's file stays as it is; it has hashes alone
	}
	// One connection: what it writes needs no looking for, and what others write shows in
	// its data_version.
	values := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "secure_delete(1)", "foreign_keys(1)", "synchronous(2)", "journal_mode(wal)"}}
	db, err := sql.Open("sqlite", address(d.file, values))
	if err != nil {
		return nil, fmt.Errorf("people: %w", err)
	}
	db.SetMaxOpenConns(1)
	if err := prepare(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	var now int64
	if err := db.QueryRowContext(ctx, "SELECT now FROM clock").Scan(&now); err != nil {
		return nil, errors.Join(fmt.Errorf("people: %s is damaged: %w", FileName, err), db.Close())
	}
	d.latest.Store(now)
	d.db = db
	return db, nil
}

// prepare makes the tables of a new database, or those that an older one lacks.
func prepare(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	defer tx.Rollback()
	var have int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	switch {
	case have > version:
		return fmt.Errorf("people: the file has format %d, and this program knows formats up to %d: use a newer version of the program", have, version)
	case have == version:
		return nil
	}
	for _, step := range append(slices.Clone(steps[have:]), fmt.Sprintf("PRAGMA user_version = %d", version)) {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("people: %w", err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	return nil
}

// Now returns the time, which is never earlier than one that was seen before: what has
// expired stays so on a machine whose clock is set back.
func (d *DB) Now() time.Time {
	now := time.Now().Unix()
	for {
		latest := d.latest.Load()
		if now <= latest {
			return time.Unix(latest, 0)
		}
		if d.latest.CompareAndSwap(latest, now) {
			return time.Unix(now, 0)
		}
	}
}

// read runs a query; nothing is done where there is no database.
func (d *DB) read(ctx context.Context, each func(scan func(...any) error) error, query string, args ...any) error {
	db, err := d.handle(ctx, false)
	if db == nil || err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	return nil
}

// write runs a change in one transaction. With create the database is made.
func (d *DB) write(ctx context.Context, create bool, change func(*sql.Tx) error) error {
	db, err := d.handle(ctx, create)
	if err != nil {
		return err
	}
	if db == nil {
		return ErrNobody
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	defer tx.Rollback()
	if err := change(tx); err != nil {
		return err
	}
	now := d.Now().Unix()
	if _, err := tx.ExecContext(ctx, "UPDATE clock SET now = max(now, ?)", now); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	d.cache.clear()
	return nil
}

// exec runs one statement of a change, and returns how many rows it changed.
func exec(ctx context.Context, tx *sql.Tx, query string, args ...any) (int64, error) {
	r, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, fmt.Errorf("people: %w", err)
	}
	return r.RowsAffected()
}

// Check reports what is wrong with the file; nothing where there is none.
func (d *DB) Check(ctx context.Context) (problems []string, err error) {
	err = d.read(ctx, func(scan func(...any) error) error {
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

// Copy writes the people of a library in a folder into another folder, in place of those
// that are there; nothing where there are none. Nothing is written beside the original.
func Copy(ctx context.Context, from, to string) error {
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(to, FileName+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("people: %w", err)
		}
	}
	if _, err := os.Stat(filepath.Join(from, FileName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := sql.Open("sqlite", address(filepath.Join(from, FileName), url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}}))
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	defer db.Close()
	file := filepath.Join(to, FileName)
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", file); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	return nil
}

// address returns the name of a database for the driver.
func address(file string, values url.Values) string {
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath(), RawQuery: values.Encode()}).String()
}

// Version is another text whenever somebody, in this process or another, has changed
// something.
func (d *DB) Version(ctx context.Context) (string, error) {
	n, err := d.dataVersion(ctx)
	return strconv.FormatInt(n, 36) + "-" + strconv.FormatUint(d.cache.cleared(), 36), err
}

// dataVersion is another number when another process has changed something.
func (d *DB) dataVersion(ctx context.Context) (n int64, err error) {
	err = d.read(ctx, func(scan func(...any) error) error { return scan(&n) }, "PRAGMA data_version")
	return n, err
}

func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func moment(s int64) time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.Unix(s, 0)
}
