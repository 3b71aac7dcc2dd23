package catalog

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"qipu/store"
)

// An area is a table whose rows have checksums. Other tables need none: names, kinds
// and links stand in an index as well, chunks have sums of their own, and the
// manifest is held against the tables that it is about.
//
// The numbers of areas are written to libraries: they never change.
type area struct {
	table   string
	columns int
	key     int // so many columns name a row that has no number; 0 where the first column is the number
}

var areas = []area{
	{"game", len(columns), 0}, {"source", 5, 5}, {"collection", 5, 0}, {"saved", 15, 0}, {"tag", 4, 0},
	{"edit", 6, 0}, {"theory", 12, 2}, {"session", 8, 0}, {"input", 3, 1},
	{"journal", 10, 0}, {"delta", 3, 0}, {"trash", 4 + len(columns), 0}, {"layer", 4, 2},
}

const (
	gameArea   = 0
	sealed     = "sealed" // the counter that says that all rows have their checksums
	digestFrom = 4        // the version that brought them
)

// rowID names a row of an area.
type rowID struct {
	area int
	id   int64
}

// rowSum is the checksum of a row: of 32 bits, or gone where there is no such row any
// more.
type rowSum struct {
	rowID
	sum int64
}

const gone = -1

// digester gathers the checksums of the rows that a transaction writes. It is told
// by SQLite itself of every row that is about to change, whatever statement does it,
// but for new games, which tell of themselves: their rows are wide, and SQLite would
// give them back one value after the other. It belongs to the connection that
// writes, and is used by whoever has that.
type digester struct {
	off    bool            // what comes has its checksums with it
	copies bool            // games come that do not tell of themselves
	sums   map[rowID]int64 // gone for rows that are deleted
	made   []rowSum        // of new games, in their order; what sums says of them came later
	told   []any           // by SQLite
	row    []driver.Value
	buf    []byte
	err    error
}

// newDigester has a connection tell of what it changes.
func newDigester(c *conn) *digester {
	d := &digester{sums: map[rowID]int64{}}
	c.dc.(interface {
		RegisterPreUpdateHook(sqlite.PreUpdateHookFn)
	}).RegisterPreUpdateHook(d.changes)
	return d
}

// begin forgets what was gathered.
func (d *digester) begin() {
	clear(d.sums)
	d.made, d.err = d.made[:0], nil
}

// changes is called before a row is written or deleted.
func (d *digester) changes(row sqlite.SQLitePreUpdateData) {
	at := slices.IndexFunc(areas, func(a area) bool { return a.table == row.TableName })
	if d.off || at < 0 || row.DatabaseName != "main" || at == gameArea && row.Op == sqlite3.SQLITE_INSERT && !d.copies {
		return
	}
	if row.Op != sqlite3.SQLITE_INSERT {
		d.sums[d.name(at, d.take(at, row.Old))] = gone
	}
	if row.Op != sqlite3.SQLITE_DELETE {
		d.put(at, d.take(at, row.New))
	}
}

// take returns a row that SQLite tells of. It is good until the next one.
func (d *digester) take(area int, get func(...any) error) []driver.Value {
	d.told = slices.Grow(d.told[:0], areas[area].columns)[:areas[area].columns]
	d.err = cmp.Or(d.err, get(d.told...))
	d.row = d.row[:0]
	for _, v := range d.told {
		d.row = append(d.row, v)
	}
	return d.row
}

// put notes a row that is written.
func (d *digester) put(area int, row []driver.Value) { d.sums[d.name(area, row)] = d.sum(row) }

// name returns what names a row.
func (d *digester) name(area int, row []driver.Value) rowID {
	if n := areas[area].key; n > 0 {
		return rowID{area, int64(d.hash(row[:n]))}
	}
	id, _ := row[0].(int64)
	return rowID{area, id}
}

// sum returns the checksum of a row.
func (d *digester) sum(row []driver.Value) int64 { return int64(uint32(d.hash(row))) }

func (d *digester) hash(row []driver.Value) uint64 {
	b := d.buf[:0]
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			b = append(b, 0)
		case int64:
			b = binary.LittleEndian.AppendUint64(append(b, 1), uint64(v))
		case float64: // SQLite keeps whole ones as numbers without a fraction
			if v == math.Trunc(v) {
				b = binary.LittleEndian.AppendUint64(append(b, 1), uint64(int64(v)))
			} else {
				b = binary.LittleEndian.AppendUint64(append(b, 2), math.Float64bits(v))
			}
		case string:
			text, _, _ := strings.Cut(v, "\x00") // the driver tells of no more
			b = append(binary.LittleEndian.AppendUint32(append(b, 3), uint32(len(text))), text...)
		case []byte:
			b = append(binary.LittleEndian.AppendUint32(append(b, 4), uint32(len(v))), v...)
		}
	}
	d.buf = b
	return xxh3.Hash(b)
}

// write stores what was gathered.
func (d *digester) write(c *conn) error {
	if d.err != nil {
		return d.err
	}
	made := len(d.made)
	for at, sum := range d.sums {
		d.made = append(d.made, rowSum{at, sum})
	}
	slices.SortFunc(d.made[made:], func(a, b rowSum) int { return cmp.Or(a.area-b.area, cmp.Compare(a.id, b.id)) })
	for rows := range slices.Chunk(d.made, idBlock) {
		if err := d.writeRows(c, rows); err != nil {
			return err
		}
	}
	d.begin()
	return nil
}

// writeRows stores some checksums by one statement: bound one by one they would cost
// thrice as much.
func (d *digester) writeRows(c *conn, rows []rowSum) error {
	text := append(d.buf[:0], "INSERT OR REPLACE INTO digest (area, id, sum) VALUES "...)
	start := len(text)
	for _, r := range rows {
		if r.sum == gone {
			if _, err := c.exec(bg, "DELETE FROM digest WHERE area = ? AND id = ?", int64(r.area), r.id); err != nil {
				return err
			}
			continue
		}
		text = strconv.AppendInt(append(text, '('), int64(r.area), 10)
		text = strconv.AppendInt(append(text, ','), r.id, 10)
		text = append(strconv.AppendInt(append(text, ','), r.sum, 10), ')', ',')
	}
	d.buf = text
	if len(text) == start {
		return nil
	}
	return c.script(bg, string(text[:len(text)-1]))
}

// putGame notes the row of a new game.
func (d *digester) putGame(r *rowOf) {
	d.row = d.row[:0]
	n := 0
	for i := range columns {
		var v driver.Value
		if r.shape>>i&1 == 1 {
			v = r.values[n].Value
			n++
		}
		d.row = append(d.row, v)
	}
	d.made = append(d.made, rowSum{d.name(gameArea, d.row), d.sum(d.row)})
}

// seal gives all rows their checksums, within a transaction. A damaged library stays
// without: what is there cannot be told from what should be.
func (d *digester) seal(ctx context.Context, c *conn) error {
	d.begin()
	err := c.script(ctx, "DELETE FROM digest")
	for at := 0; at < len(areas) && err == nil; at++ {
		err = eachRow(ctx, c, at, func(row []driver.Value) error {
			if d.put(at, row); len(d.sums) < 10_000 {
				return nil
			}
			return d.write(c)
		})
	}
	if err == nil {
		err = d.write(c)
	}
	if err == nil {
		_, err = c.exec(ctx, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, 1)", sealed)
	}
	if errors.Is(explain(err), store.ErrDamaged) {
		return c.script(ctx, "DELETE FROM digest")
	}
	return err
}

// eachRow reads the rows of an area, none where the database is older than its table.
// The row is good for one call.
func eachRow(ctx context.Context, c *conn, at int, f func(row []driver.Value) error) error {
	if ok, err := c.has(ctx, areas[at].table); !ok {
		return err
	}
	return c.eachOnce(ctx, "SELECT * FROM "+areas[at].table, f)
}

// digests compares all rows with their checksums. Those of games have been looked at
// by games.
func (v *verifier) digests(bool) error {
	if !v.sealed {
		return nil
	}
	d := &digester{}
	for at := range areas {
		rows := v.summed
		if at != gameArea {
			rows = 0
			err := eachRow(v.ctx, v.conn, at, func(row []driver.Value) error {
				name := d.name(at, row)
				sum, ok, err := v.number(v.ctx, "SELECT sum FROM digest WHERE area = ? AND id = ?", int64(at), name.id)
				if ok {
					rows++
				}
				if err == nil && (!ok || sum != d.sum(row)) {
					v.problem("row", 0, "%s is not what was written", describe(at, row))
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		known, _, err := v.number(v.ctx, "SELECT count(*) FROM digest WHERE area = ?", int64(at))
		if err != nil {
			return err
		}
		if known > rows {
			v.problem("row", 0, "%d rows of the table %s are gone", known-rows, areas[at].table)
		}
	}
	return nil
}

// describe names a row.
func describe(at int, row []driver.Value) string {
	switch a := areas[at]; a.table {
	case "source":
		return fmt.Sprintf("a place where game %v was found", row[0])
	case "input", "theory", "layer":
		return fmt.Sprintf("a row of the table %s (%v)", a.table, row[0])
	default:
		return fmt.Sprintf("row %v of the table %s", row[0], a.table)
	}
}
