package catalog

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"strings"
	"time"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/store"
)

// theoryCounter counts the transactions that changed the table. Games come and
// go without touching it, so that readers who keep values in memory need not
// read them again for every game that is added.
// theoryDrops counts those that took rows out of it.
const (
	theoryCounter = "theory"
	theoryDrops   = "theory drops"
)

// PutTheory stores rows of a kind of game, each in the place of the one with the
// same key. It costs some ten microseconds a row.
func (t *Tx) PutTheory(kind string, rows []theory.Row) error {
	if err := t.touchTheory(kind, theoryCounter); err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if r.Position == "" {
			return fmt.Errorf("catalog: a value needs the position that it is of")
		}
		_, err := t.exec(bg, `INSERT OR REPLACE INTO theory (kind, key, position, level, leaf, value, lower, upper, exact, human, note, changed)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, kind, keyBytes(r.Key), r.Position,
			orNil(r.Level), wordOrNil(leafText(r)), known(r.Value), known(r.Lower), known(r.Upper), known(r.Exact), known(r.Human), r.Note, t.now)
		if err != nil {
			return explain(err)
		}
		if i%1024 == 1023 && t.ctx.Err() != nil {
			return t.ctx.Err()
		}
	}
	return nil
}

// DropTheory forgets rows of a kind of game. Keys that are not there are no
// error.
func (t *Tx) DropTheory(kind string, keys []book.Key) error {
	if err := t.touchTheory(kind, theoryCounter, theoryDrops); err != nil {
		return err
	}
	for _, k := range keys {
		if _, err := t.exec(bg, "DELETE FROM theory WHERE kind = ? AND key = ?", kind, keyBytes(k)); err != nil {
			return explain(err)
		}
	}
	return nil
}

func (t *Tx) touchTheory(kind string, counters ...string) error {
	if err := t.ready(); err != nil {
		return err
	}
	if kind == "" {
		return fmt.Errorf("catalog: values need the kind of game that they are of")
	}
	for _, name := range counters {
		if _, ok := t.counters[name]; !ok {
			if _, err := t.exec(bg, "INSERT INTO meta (key, value) VALUES (?, 0)", name); err != nil {
				return explain(err)
			}
			t.counters[name], t.before[name] = 0, 0
		}
		if t.counters[name] == t.before[name] {
			t.next(name)
		}
	}
	return nil
}

// longest is how many seconds a transaction that puts values may take.
const longest = 60

// TheoryMark returns the state of the table.
func (db *DB) TheoryMark(ctx context.Context) (m theory.Mark, err error) {
	return ask(db, func(c *conn) (theory.Mark, error) {
		m := theory.Mark{Time: time.Now().Unix() - longest}
		var err error
		if m.Version, _, err = c.number(ctx, "SELECT value FROM meta WHERE key = ?", theoryCounter); err == nil {
			m.Drops, _, err = c.number(ctx, "SELECT value FROM meta WHERE key = ?", theoryDrops)
		}
		return m, err
	})
}

// TheoryVersion returns a number that rises with every transaction that changes
// values of positions, of whatever kind of game. It is 0 where there never were
// any.
func (db *DB) TheoryVersion(ctx context.Context) (int64, error) {
	return ask(db, func(c *conn) (int64, error) {
		n, _, err := c.number(ctx, "SELECT value FROM meta WHERE key = ?", theoryCounter)
		return n, err
	})
}

// Theory yields the rows of a kind of game by key that were put at a time or later,
// in seconds since 1970. A library of a version without them has none. After an
// error nothing follows.
func (db *DB) Theory(ctx context.Context, kind string, since int64) iter.Seq2[theory.Row, error] {
	return func(yield func(theory.Row, error) bool) {
		err := db.read(func(c *conn) error {
			if ok, err := c.has(ctx, "theory"); !ok {
				return err
			}
			return c.each(ctx, selectTheory+" WHERE kind = ? AND changed >= ? ORDER BY key", func(row []driver.Value) error {
				r, err := theoryOf(row)
				if err != nil {
					return err
				}
				if !yield(r, nil) {
					return errStop
				}
				return nil
			}, kind, since)
		})
		if err != nil {
			yield(theory.Row{}, err)
		}
	}
}

// FindTheory returns the rows of a kind of game of which the keys have this upper half,
// by key.
func (db *DB) FindTheory(ctx context.Context, kind string, high uint64) (list []theory.Row, err error) {
	err = db.read(func(c *conn) error {
		if ok, err := c.has(ctx, "theory"); !ok {
			return err
		}
		low := keyBytes(book.Key{Hi: high})
		top := keyBytes(book.Key{Hi: high, Lo: math.MaxUint64})
		return c.each(ctx, selectTheory+" WHERE kind = ? AND key BETWEEN ? AND ? ORDER BY key", func(row []driver.Value) error {
			r, err := theoryOf(row)
			if err == nil {
				list = append(list, r)
			}
			return err
		}, kind, low, top)
	})
	return list, err
}

const selectTheory = "SELECT key, position, level, leaf, value, lower, upper, exact, human, note FROM theory"

func theoryOf(row []driver.Value) (r theory.Row, err error) {
	key := blobOf(row[0])
	if len(key) != 16 {
		return r, fmt.Errorf("%w: a position of the table theory has a key of %d bytes and not of %d", store.ErrDamaged, len(key), 16)
	}
	r.Key = book.Key{Hi: binary.BigEndian.Uint64(key), Lo: binary.BigEndian.Uint64(key[8:])}
	r.Position, r.Level = textOf(row[1]), intOf(row[2])
	r.Leaf, r.Teacher, _ = strings.Cut(textOf(row[3]), byTeacher)
	r.Value, r.Lower, r.Upper = valueOf(row[4]), valueOf(row[5]), valueOf(row[6])
	r.Exact, r.Human, r.Note = valueOf(row[7]), valueOf(row[8]), textOf(row[9])
	return r, nil
}

// byTeacher stands between the move of a leaf and the engine that found it, where
// that is not the one of the program.
const byTeacher = " by "

func leafText(r *theory.Row) string {
	if r.Teacher == "" {
		return r.Leaf
	}
	return r.Leaf + byTeacher + r.Teacher
}

// keyBytes are those of a key, the high ones first, as tables have always had
// them.
func keyBytes(k book.Key) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, 16), k.Hi)
	return binary.BigEndian.AppendUint64(b, k.Lo)
}

func known(v engine.Value) driver.Value {
	if v == engine.NoValue {
		return nil
	}
	return int64(v)
}

func wordOrNil(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

func valueOf(v driver.Value) engine.Value {
	n, ok := v.(int64)
	if !ok {
		return engine.NoValue
	}
	return engine.Value(n)
}
