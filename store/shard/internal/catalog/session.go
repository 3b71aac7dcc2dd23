package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"qipu/store"
)

// AddSession stores a new session and returns its number. Times that are not set
// are now. The generation stays, as with all changes of sessions: no answer of a
// search depends on them.
func (t *Tx) AddSession(s store.Session) (int64, error) {
	if err := t.readyQuiet(); err != nil {
		return 0, err
	}
	if s.Token == "" || s.Kind == "" {
		return 0, errors.New("catalog: a session needs a token and a kind")
	}
	now := time.Now()
	if s.Created.IsZero() {
		s.Created = now
	}
	if s.Changed.IsZero() {
		s.Changed = s.Created
	}
	id := t.next("session")
	_, err := t.exec(bg, "INSERT INTO session (id, token, kind, state, over, game, created, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		id, s.Token, s.Kind, s.State, flag(s.Over), orNil(int(s.Game)), s.Created.UnixNano(), s.Changed.UnixNano())
	return id, explain(err)
}

// SaveSession stores what has become of the session of a number: its state,
// whether it is over, its record, and when it changed.
func (t *Tx) SaveSession(s store.Session) error {
	if err := t.readyQuiet(); err != nil {
		return err
	}
	if s.Changed.IsZero() {
		s.Changed = time.Now()
	}
	return t.changeRow("session", s.ID, "UPDATE session SET state = ?, over = ?, game = ?, changed = ? WHERE id = ?",
		s.State, flag(s.Over), orNil(int(s.Game)), s.Changed.UnixNano(), s.ID)
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

const sessionQuery = "SELECT id, token, kind, state, over, game, created, changed FROM session "

func sessionOf(row []driver.Value) store.Session {
	s := store.Session{
		ID: num(row[0]), Token: textOf(row[1]), Kind: textOf(row[2]), State: textOf(row[3]), Over: row[4] == int64(1),
		Created: time.Unix(0, num(row[6])), Changed: time.Unix(0, num(row[7])),
	}
	if row[5] != nil {
		s.Game = uint32(num(row[5]))
	}
	return s
}

// Sessions returns the sessions that somebody has yet to do something about:
// games that are being played, and those that have ended and are no records yet.
// The one that changed first comes first.
func (db *DB) Sessions(ctx context.Context) (list []store.Session, err error) {
	err = db.sessions(ctx, "WHERE over = 0 OR game IS NULL ORDER BY changed, id", &list)
	return list, err
}

// Session returns the session of a token; ErrNoRow where there is none.
func (db *DB) Session(ctx context.Context, token string) (store.Session, error) {
	var list []store.Session
	err := db.sessions(ctx, "WHERE token = ?", &list, token)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%w: there is no such session", store.ErrNoRow)
	}
	if err != nil {
		return store.Session{}, err
	}
	return list[0], nil
}

// sessions reads sessions. A library that an older program made, and that is
// open for reading only, has none.
func (db *DB) sessions(ctx context.Context, where string, list *[]store.Session, args ...driver.Value) error {
	return db.read(func(c *conn) error {
		if ok, err := c.has(ctx, "session"); !ok {
			return err
		}
		return c.each(ctx, sessionQuery+where, func(row []driver.Value) error {
			*list = append(*list, sessionOf(row))
			return nil
		}, args...)
	})
}
