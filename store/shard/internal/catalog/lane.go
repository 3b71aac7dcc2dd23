package catalog

import (
	"context"
	"database/sql/driver"
	"math"

	"qipu/store"
)

// mostLanes is how many lanes are remembered. A lane is asked for within seconds of its
// last write, by who was cut off then.
const mostLanes = 4096

// noteOnce notes what becomes of a write that may be asked for again.
func (t *Tx) noteOnce(o *store.Once) error {
	reply, ok := o.Reply()
	if !ok {
		return nil
	}
	if reply == nil {
		reply = []byte{}
	}
	at := t.next("lane")
	if _, err := t.exec(bg, "INSERT OR REPLACE INTO lane (name, turn, reply, at) VALUES (?, ?, ?, ?)", o.Lane, o.Turn, reply, at); err != nil {
		return explain(err)
	}
	_, err := t.exec(bg, "DELETE FROM lane WHERE at <= ?", at-mostLanes)
	return explain(err)
}

// Keep keeps something under a name that is no lane, until it is replaced. Turn returns it.
func (t *Tx) Keep(name string, data []byte) error {
	if err := t.readyQuiet(); err != nil {
		return err
	}
	_, err := t.exec(bg, "INSERT OR REPLACE INTO lane (name, turn, reply, at) VALUES (?, 0, ?, ?)", name, append([]byte{}, data...), int64(math.MaxInt64))
	return explain(err)
}

// Turn returns the number of the last write of a lane and what was told of it; 0 for
// none.
func (db *DB) Turn(ctx context.Context, lane string) (turn int64, reply []byte, err error) {
	err = db.read(func(c *conn) error {
		if ok, err := c.has(ctx, "lane"); !ok {
			return err
		}
		return c.each(ctx, "SELECT turn, reply FROM lane WHERE name = ?", func(row []driver.Value) error {
			turn = num(row[0])
			data, _ := row[1].([]byte)
			reply = append([]byte(nil), data...)
			return nil
		}, lane)
	})
	return turn, reply, err
}
