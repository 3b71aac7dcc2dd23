package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"qipu/play"
	"qipu/store"
)

// AddSession stores a new session and returns its number. A time that is not set
// is now. The generation stays, as with all changes of sessions: no answer of a
// search depends on them.
func (t *Tx) AddSession(s *play.Stored) (int64, error) {
	if err := t.readyQuiet(); err != nil {
		return 0, err
	}
	if s.Token == "" || s.Kind == "" {
		return 0, errors.New("catalog: a session needs a token and a kind")
	}
	at := changedAt(s)
	id := t.next("session")
	_, err := t.exec(bg, "INSERT INTO session (id, token, kind, state, over, game, created, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		id, s.Token, s.Kind, string(s.State), flag(s.Over), orNil(int(s.Record)), at, at)
	return id, explain(err)
}

// SaveSession stores what has become of the session of a number: its state,
// whether it is over, its record, and when it changed. Where it is not what Before says,
// nor what is to be saved, the error wraps play.ErrStale.
func (t *Tx) SaveSession(s *play.Stored) error {
	if err := t.readyQuiet(); err != nil {
		return err
	}
	if s.Before != nil {
		other, _, err := t.number(bg, "SELECT count(*) FROM session WHERE id = ? AND state <> ? AND state <> ?", s.ID, string(s.Before), string(s.State))
		if err != nil {
			return explain(err)
		}
		if other > 0 {
			return fmt.Errorf("%w: another process plays it on", play.ErrStale)
		}
	}
	return t.changeRow("session", s.ID, "UPDATE session SET state = ?, over = ?, game = ?, changed = ? WHERE id = ?",
		string(s.State), flag(s.Over), orNil(int(s.Record)), changedAt(s), s.ID)
}

// DropSession forgets a session. Its record stays.
func (t *Tx) DropSession(id int64) error {
	if err := t.readyQuiet(); err != nil {
		return err
	}
	return t.changeRow("session", id, "DELETE FROM session WHERE id = ?", id)
}

// DropSessions forgets the sessions that have not changed since a moment, but
// for those that have ended and are not kept as a record yet. It returns how many
// these were.
func (t *Tx) DropSessions(before time.Time) (int, error) {
	if err := t.readyQuiet(); err != nil {
		return 0, err
	}
	n, err := t.exec(bg, "DELETE FROM session WHERE changed < ? AND (over = 0 OR game IS NOT NULL)", before.UnixNano())
	return int(n), explain(err)
}

// changedAt is when a session changed, as the database has it.
func changedAt(s *play.Stored) int64 {
	if s.Changed.IsZero() {
		return time.Now().UnixNano()
	}
	return s.Changed.UnixNano()
}

// Sessions returns the sessions that somebody has yet to do something about:
// games that are being played, and those that have ended and are no records yet.
// The one that changed first comes first.
func (db *DB) Sessions(ctx context.Context) (list []*play.Stored, err error) {
	err = db.sessions(ctx, "WHERE over = 0 OR game IS NULL ORDER BY changed, id", &list)
	return list, err
}

// Session returns the session of a token; ErrNoRow where there is none.
func (db *DB) Session(ctx context.Context, token string) (*play.Stored, error) {
	var list []*play.Stored
	err := db.sessions(ctx, "WHERE token = ?", &list, token)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%w: there is no such session", store.ErrNoRow)
	}
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// sessions reads sessions. A library that an older program made, and that is
// open for reading only, has none.
func (db *DB) sessions(ctx context.Context, where string, list *[]*play.Stored, args ...driver.Value) error {
	return db.read(func(c *conn) error {
		if ok, err := c.has(ctx, "session"); !ok {
			return err
		}
		return c.each(ctx, "SELECT id, token, kind, state, over, game, changed FROM session "+where, func(row []driver.Value) error {
			*list = append(*list, &play.Stored{
				ID: num(row[0]), Token: textOf(row[1]), Kind: textOf(row[2]), State: []byte(textOf(row[3])), Over: row[4] == int64(1),
				Record: uint32(num(row[5])), Changed: time.Unix(0, num(row[6])),
			})
			return nil
		}, args...)
	})
}
