// Package sheets keeps what people write on records: sheets, each with the log of its
// operations. It is a database of its own
// beside the catalogue: what is private stands in no table that a search or an export of
// the library reads by itself, and a command can write while a server runs.
//
// Every sheet has a copy of the record below it, as it was when somebody first wrote on
// it: so the sheet stays whole when the record is deleted, or replaced by a fuller one.
// Operations are only ever added; see [qipu/record/study] for what they mean.
package sheets

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"qipu/record/study"
	"qipu/store/beside"
)

// FileName is the database in the folder of a library.
const FileName = "studies.db"

const schema = `
CREATE TABLE sheet (
	id      TEXT PRIMARY KEY,
	record  INTEGER NOT NULL,
	owner   TEXT NOT NULL, -- a profile; empty for the library
	sharing INTEGER NOT NULL,
	base    BLOB NOT NULL, -- record.AppendGame
	created INTEGER NOT NULL, -- nanoseconds since 1970, as are all times
	changed INTEGER NOT NULL,
	ops     INTEGER NOT NULL,
	gone    INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX sheet_record ON sheet (record, owner);

CREATE TABLE op (
	sheet TEXT NOT NULL REFERENCES sheet ON DELETE CASCADE,
	n     INTEGER NOT NULL, -- in the order in which they came, from 1
	sent  TEXT, -- by which a page knows that it came
	body  TEXT NOT NULL,
	PRIMARY KEY (sheet, n)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX op_sent ON op (sheet, sent) WHERE sent IS NOT NULL;
`

// Errors of what is not there.
var ErrNone = errors.New("studies: there is no such study")

// options say what kind of database it is.
var options = beside.Options{Name: "studies", File: FileName, Steps: []string{schema}, Absent: ErrNone}

// DB is the studies of a library. It is safe for concurrent use, also by several
// processes.
type DB struct{ db *beside.DB }

// Open returns the studies of the library in a folder. Nothing is made.
func Open(dir string) *DB { return &DB{beside.Open(dir, options)} }

// Close closes the database.
func (d *DB) Close() error { return d.db.Close() }

// Check reports what is wrong with the file; nothing where there is none.
func (d *DB) Check(ctx context.Context) ([]string, error) { return d.db.Check(ctx) }

// Copy writes the studies of a library in a folder into another folder.
func Copy(ctx context.Context, from, to string) error { return beside.Copy(ctx, from, to, options) }

// Sharing is who may read what somebody has written; the writer always may.
type Sharing int

// The ways of sharing.
const (
	Private Sharing = iota // the writer alone
	Members                // all who are members
	Public                 // all who may read the library
)

// Sheet is what somebody writes above a record.
type Sheet struct {
	ID               string
	Record           uint32
	Owner            string
	Sharing          Sharing
	Base             []byte
	Created, Changed time.Time
	Ops              int
}

// NewID returns the name of something new, which nobody can guess.
func NewID() string { return strings.ToLower(rand.Text()[:16]) }

const sheetColumns = "id, record, owner, sharing, base, created, changed, ops"

func scanSheet(scan func(...any) error) (s Sheet, err error) {
	var created, changed int64
	err = scan(&s.ID, &s.Record, &s.Owner, &s.Sharing, &s.Base, &created, &changed, &s.Ops)
	s.Created, s.Changed = time.Unix(0, created), time.Unix(0, changed)
	return s, err
}

func (d *DB) sheets(ctx context.Context, where string, args ...any) (list []Sheet, err error) {
	err = d.db.Read(ctx, func(scan func(...any) error) error {
		s, err := scanSheet(scan)
		list = append(list, s)
		return err
	}, "SELECT "+sheetColumns+" FROM sheet WHERE gone = 0 AND "+where, args...)
	return list, err
}

// Above returns the sheet of somebody above a record.
func (d *DB) Above(ctx context.Context, record uint32, owner string) (Sheet, error) {
	list, err := d.sheets(ctx, "record = ? AND owner = ?", record, owner)
	if err == nil && len(list) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Sheet{}, err
	}
	return list[0], nil
}

// Written returns all sheets above records, by the record, without those on which
// nothing is written.
func (d *DB) Written(ctx context.Context) ([]Sheet, error) {
	return d.sheets(ctx, "ops > 0 ORDER BY record, owner")
}

// Add keeps a new sheet, and returns it. One that is there already is returned as it is,
// and one that was taken away comes back.
func (d *DB) Add(ctx context.Context, s Sheet) (Sheet, error) {
	now := time.Now().UnixNano()
	err := d.db.Write(ctx, true, func(tx *sql.Tx) error {
		if _, err := d.db.Exec(ctx, tx, "UPDATE sheet SET gone = 0 WHERE record = ? AND owner = ?", s.Record, s.Owner); err != nil {
			return err
		}
		_, err := d.db.Exec(ctx, tx, "INSERT INTO sheet VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING", NewID(), s.Record, s.Owner, s.Sharing, s.Base, now, now)
		return err
	})
	if err != nil {
		return s, err
	}
	return d.Above(ctx, s.Record, s.Owner)
}

// Entry is an operation as it came.
type Entry struct {
	N    int
	Sent string
	*study.Op
}

// Ops returns the operations of a sheet behind the n-th.
func (d *DB) Ops(ctx context.Context, sheet string, after int) (list []Entry, err error) {
	err = d.db.Read(ctx, func(scan func(...any) error) error {
		e := Entry{Op: new(study.Op)}
		var body string
		if err := scan(&e.N, &e.Sent, &body); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), e.Op); err != nil {
			return fmt.Errorf("studies: %s is damaged: operation %d of %s: %w", FileName, e.N, sheet, err)
		}
		list = append(list, e)
		return nil
	}, "SELECT n, coalesce(sent, ''), body FROM op WHERE sheet = ? AND n > ? ORDER BY n", sheet, after)
	return list, err
}

// ErrMoved tells that somebody else has written on a sheet since.
var ErrMoved = errors.New("studies: somebody else has written here just now")

// Append adds operations to a sheet of which so many are known: all or, where there are
// more by now, none. It returns when they are on the disk. Each is sent under a name,
// which may be empty.
func (d *DB) Append(ctx context.Context, sheet string, known int, sent string, ops []*study.Op) error {
	return d.db.Write(ctx, false, func(tx *sql.Tx) error {
		n, err := d.db.Exec(ctx, tx, "UPDATE sheet SET ops = ops + ?, changed = ? WHERE id = ? AND ops = ? AND gone = 0", len(ops), time.Now().UnixNano(), sheet, known)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrMoved
		}
		for i, o := range ops {
			body, err := json.Marshal(o)
			if err != nil {
				return d.db.Err(err)
			}
			name := sql.NullString{}
			if i == 0 && sent != "" {
				name = sql.NullString{String: sent, Valid: true}
			}
			if _, err := d.db.Exec(ctx, tx, "INSERT INTO op VALUES (?, ?, ?, ?)", sheet, known+i+1, name, string(body)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Arrived reports whether something that was sent under a name has been written.
func (d *DB) Arrived(ctx context.Context, sheet, sent string) (there bool, err error) {
	err = d.db.Read(ctx, func(scan func(...any) error) error {
		there = true
		return nil
	}, "SELECT 1 FROM op WHERE sheet = ? AND sent = ?", sheet, sent)
	return there, err
}

// SetSharing says who may read a sheet.
func (d *DB) SetSharing(ctx context.Context, sheet string, sharing Sharing) error {
	return d.one(ctx, "UPDATE sheet SET sharing = ? WHERE id = ? AND gone = 0", sharing, sheet)
}

// Remove takes a sheet away; what was written on it stays in the file, and Add
// brings it back.
func (d *DB) Remove(ctx context.Context, sheet string) error {
	return d.one(ctx, "UPDATE sheet SET gone = ? WHERE id = ? AND gone = 0", time.Now().UnixNano(), sheet)
}

// one runs a change of one row.
func (d *DB) one(ctx context.Context, query string, args ...any) error {
	return d.db.Write(ctx, false, func(tx *sql.Tx) error {
		n, err := d.db.Exec(ctx, tx, query, args...)
		if err == nil && n == 0 {
			err = ErrNone
		}
		return err
	})
}
