package people

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"qipu/store/beside"
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

// options say what kind of database it is.
var options = beside.Options{Name: "people", File: FileName, Steps: []string{schema, passkeys}, Wipe: true, Absent: ErrNobody}

// DB is the people of a library. It is safe for concurrent use, also by several
// processes. The file comes into being with the first profile.
type DB struct {
	db *beside.DB

	latest atomic.Int64 // of the clock, seconds since 1970

	cache cache
}

// Open returns the people of the library in a folder. Nothing is made, and where there
// is no file nobody is known.
func Open(dir string) *DB {
	d := &DB{}
	o := options
	o.Opened = func(db *sql.DB) error {
		var now int64
		err := db.QueryRow("SELECT now FROM clock").Scan(&now)
		d.latest.Store(now)
		return err
	}
	d.db = beside.Open(dir, o)
	return d
}

// Close closes the database.
func (d *DB) Close() error { return d.db.Close() }

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
	return d.db.Read(ctx, each, query, args...)
}

// write runs a change in one transaction. With create the database is made.
func (d *DB) write(ctx context.Context, create bool, change func(*sql.Tx) error) error {
	err := d.db.Write(ctx, create, func(tx *sql.Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		_, err := exec(ctx, tx, "UPDATE clock SET now = max(now, ?)", d.Now().Unix())
		return err
	})
	if err == nil {
		d.cache.clear()
	}
	return err
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
func (d *DB) Check(ctx context.Context) (problems []string, err error) { return d.db.Check(ctx) }

// Copy writes the people of a library in a folder into another folder, in place of those
// that are there; nothing where there are none. Nothing is written beside the original.
func Copy(ctx context.Context, from, to string) error { return beside.Copy(ctx, from, to, options) }

// Version is another text whenever somebody, in this process or another, has changed
// something.
func (d *DB) Version(ctx context.Context) (string, error) {
	n, err := d.dataVersion(ctx)
	return strconv.FormatInt(n, 36) + "-" + strconv.FormatUint(d.cache.cleared(), 36), err
}

// dataVersion is another number when another process has changed something.
func (d *DB) dataVersion(ctx context.Context) (int64, error) { return d.db.DataVersion(ctx) }

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
