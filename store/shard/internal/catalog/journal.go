package catalog

import (
	"bytes"
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// step is one thing that a transaction has really changed: the smallest part of what an
// entry of the journal keeps. Every step can be taken back by one of the same kind, so
// that an undo is an entry like others, and can be undone.
//
// Steps name rows by number, and what they changed in them: an undo after newer changes
// takes back what still holds.
type step struct {
	Set    *setStep    `json:"set,omitempty"`
	Row    *rowStep    `json:"row,omitempty"`
	Edit   *editStep   `json:"edit,omitempty"`
	Gone   *goneStep   `json:"gone,omitempty"`
	Come   []byte      `json:"come,omitempty"` // bitmap: games that were not there
	Record *recordStep `json:"record,omitempty"`
	Source []placeStep `json:"source,omitempty"` // places that were noted
	Unnote []placeStep `json:"unnote,omitempty"` // places that were forgotten
	Link   []linkStep  `json:"link,omitempty"`
	Layer  []layerStep `json:"layer,omitempty"`
}

// setStep is games that came into a collection or got a tag, and others.
type setStep struct {
	Table string `json:"table"`
	ID    int64  `json:"id"`
	Name  string `json:"name"` // to tell of it
	Add   []byte `json:"add,omitempty"`
	Del   []byte `json:"del,omitempty"`
}

// rowStep is a row of a collection, a tag or a saved query, without its games: as it was
// and as it is. One that was made has no before, one that was dropped no after.
type rowStep struct {
	Table  string         `json:"table"`
	ID     int64          `json:"id"`
	Before map[string]any `json:"before,omitempty"`
	After  map[string]any `json:"after,omitempty"`
}

// editStep is a change of the names of players, which counts from now on or no more.
type editStep struct {
	ID     int64 `json:"id"`
	Undone bool  `json:"undone"`
}

// goneStep is games that went into the trash, with what is theirs alone.
type goneStep struct {
	Games  []byte      `json:"games"`
	Places []placeStep `json:"places,omitempty"`
	Links  []linkStep  `json:"links,omitempty"`
}

// recordStep is a game that got another record: the old one is in the trash.
type recordStep struct {
	Game  uint32 `json:"game"`
	Trash int64  `json:"trash"`
	Noted bool   `json:"noted,omitempty"` // the place of the old one is a further one of the game
}

type placeStep struct {
	Game   uint32 `json:"g"`
	File   string `json:"f"`
	Number int    `json:"n,omitempty"`
	Offset int64  `json:"o,omitempty"`
}

type linkStep struct {
	A   uint32 `json:"a"`
	B   uint32 `json:"b"`
	Why string `json:"why"`
}

type layerStep struct {
	Game   uint32  `json:"g"`
	Field  string  `json:"f"`
	Before *string `json:"b,omitempty"` // nil: what the record says
	After  *string `json:"a,omitempty"`
}

// entry is the entry of the journal that a transaction writes.
type entry struct {
	id     int64 // 0 until it is known
	grows  bool  // it is there already
	op     string
	fixed  bool // op is said by the deed, or by an undo
	args   map[string]any
	tally  map[string]int
	undoes int64
	games  *roaring.Bitmap
	things int // that are no games
	steps  []step
}

// does says what a transaction is about, where no deed says so.
func (t *Tx) does(op string, things int, args map[string]any) {
	e := &t.entry
	e.things += things
	switch {
	case e.fixed || e.op == op:
	case e.op == "":
		e.op, e.args = op, args
	default:
		e.op, e.args = store.OpSeveral, nil
	}
}

// Adds says that the transaction adds games.
func (t *Tx) Adds() { t.does(store.OpAdd, 0, nil) }

// Silent has the transaction be no entry: what it does was done, and noted, elsewhere.
func (t *Tx) Silent() { t.entry.op, t.entry.args, t.entry.fixed = "", nil, true }

// Tally counts what became of records.
func (t *Tx) Tally(added []store.Added) {
	if t.entry.tally == nil {
		t.entry.tally = map[string]int{}
	}
	for _, a := range added {
		t.entry.tally[a.Status.String()]++
	}
}

// note notes what has changed, and the games that it is about.
func (t *Tx) note(s step, games ...uint32) {
	if !t.journal {
		return
	}
	t.entry.steps = append(t.entry.steps, s)
	t.about(games...)
}

func (t *Tx) about(games ...uint32) {
	if t.entry.games == nil {
		t.entry.games = roaring.New()
	}
	t.entry.games.AddMany(games)
}

// entryID returns the number of the entry that the transaction writes. What goes on under a
// key and was not undone meanwhile is the same entry.
func (t *Tx) entryID() (int64, error) {
	e := &t.entry
	if e.id != 0 || !t.journal {
		return e.id, nil
	}
	deed := store.DeedOf(t.ctx)
	if deed.Key != "" {
		if _, err := t.exec(bg, "UPDATE journal SET key = NULL WHERE key = ? AND undone_by IS NOT NULL", deed.Key); err != nil {
			return 0, explain(err)
		}
		id, ok, err := t.number(bg, "SELECT id FROM journal WHERE key = ?", deed.Key)
		if err != nil {
			return 0, explain(err)
		}
		e.id, e.grows = id, ok
	}
	if !e.grows {
		e.id = t.next("journal")
	}
	return e.id, nil
}

// writeEntry writes the entry of the journal, where there is anything to tell.
func (t *Tx) writeEntry() error {
	e := &t.entry
	if !t.journal || e.op == "" || len(e.steps) == 0 && (len(e.tally) == 0 || e.op != store.OpImport) {
		return nil
	}
	id, err := t.entryID()
	if err != nil {
		return err
	}
	if e.games == nil {
		e.games = roaring.New()
	}
	if e.grows {
		if err := t.growEntry(); err != nil {
			return err
		}
	} else if err := t.insertEntry(); err != nil {
		return err
	}
	if len(e.steps) == 0 {
		return nil
	}
	data, err := json.Marshal(e.steps)
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	_, err = t.exec(bg, "INSERT INTO delta (id, journal, data) VALUES (?, ?, ?)", t.next("delta"), id, t.enc.EncodeAll(data, nil))
	return explain(err)
}

func (t *Tx) insertEntry() error {
	e, deed := &t.entry, store.DeedOf(t.ctx)
	args := map[string]any{}
	maps.Copy(args, e.args)
	for name, n := range e.tally {
		args[name] = n
	}
	text, set, count, err := e.columns(args)
	if err != nil {
		return err
	}
	var key, undoes driver.Value
	if deed.Key != "" {
		key = deed.Key
	}
	if e.undoes != 0 {
		undoes = e.undoes
	}
	_, err = t.exec(bg, "INSERT INTO journal (id, at, who, op, args, key, count, undoes, undone_by, games) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)",
		e.id, time.Now().UnixNano(), store.Who(t.ctx), e.op, text, key, count, undoes, set)
	return explain(err)
}

// growEntry adds to an entry that is there.
func (t *Tx) growEntry() error {
	e := &t.entry
	var old store.Change
	var before *roaring.Bitmap
	err := t.each(bg, entryQuery+"WHERE id = ?", func(row []driver.Value) (err error) {
		if old, err = changeOf(row); err == nil {
			before, err = bitmapOf(row[9])
		}
		return err
	}, e.id)
	if err != nil {
		return explain(err)
	}
	e.games.Or(before)
	for name, n := range e.tally {
		had, _ := old.Args[name].(int64)
		old.Args[name] = had + int64(n)
	}
	text, set, count, err := e.columns(old.Args)
	if err != nil {
		return err
	}
	_, err = t.exec(bg, "UPDATE journal SET args = ?, count = ?, games = ? WHERE id = ?", text, count, set, e.id)
	return explain(err)
}

// columns returns what changes of an entry.
func (e *entry) columns(args map[string]any) (text string, set []byte, count int64, err error) {
	data, err := json.Marshal(args)
	if err != nil {
		return "", nil, 0, fmt.Errorf("catalog: %w", err)
	}
	if count = int64(e.games.GetCardinality()); count == 0 {
		count = int64(e.things)
	}
	set, err = bitmapBytes(e.games)
	return string(data), set, count, err
}

const entryQuery = "SELECT id, at, who, op, args, key, count, undoes, undone_by, games FROM journal "

// changeOf makes an entry of its row.
func changeOf(row []driver.Value) (store.Change, error) {
	e := store.Change{
		ID: num(row[0]), At: time.Unix(0, num(row[1])), Who: textOf(row[2]), Op: textOf(row[3]), Args: map[string]any{}, Key: textOf(row[5]),
		Count: intOf(row[6]), Undoes: num(row[7]), UndoneBy: num(row[8]),
	}
	if err := unmarshal([]byte(textOf(row[4])), &e.Args); err != nil {
		return e, fmt.Errorf("%w: entry %d of the journal: %w", store.ErrDamaged, e.ID, err)
	}
	for name, v := range e.Args {
		e.Args[name] = plain(v)
	}
	return e, nil
}

// unmarshal reads JSON with whole numbers as they are.
func unmarshal(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(to)
}

// plain returns a value of JSON as the database takes it.
func plain(v any) any {
	if n, ok := v.(json.Number); ok {
		if i, err := n.Int64(); err == nil {
			return i
		}
		f, _ := n.Float64()
		return f
	}
	return v
}

// Changes returns entries of the journal, the newest first.
func (db *DB) Changes(ctx context.Context, p store.Page) (list []store.Change, err error) {
	where, args := "WHERE (? = 0 OR id < ?) AND (? = '' OR op = ?) AND (? = 0 OR who = ?) AND (? = '' OR key = ?) ORDER BY id DESC LIMIT ?", []driver.Value{p.Before, p.Before, p.Op, p.Op, int64(0), "", p.Key, p.Key, int64(cmp.Or(p.Limit, -1))}
	if p.Who != nil {
		args[4], args[5] = int64(1), *p.Who
	}
	err = db.read(func(c *conn) error {
		if ok, err := c.has(ctx, "journal"); !ok {
			return err
		}
		return c.each(ctx, entryQuery+where, func(row []driver.Value) error {
			e, err := changeOf(row)
			list = append(list, e)
			return err
		}, args...)
	})
	return list, err
}

// Change returns an entry of the journal.
func (db *DB) Change(ctx context.Context, id int64) (e store.Change, err error) {
	err = db.read(func(c *conn) error {
		e, err = readChange(ctx, c, id)
		return err
	})
	return e, err
}

func readChange(ctx context.Context, c *conn, id int64) (e store.Change, err error) {
	if ok, err := c.has(ctx, "journal"); !ok {
		return e, cmp.Or(err, noRow("change", id))
	}
	err = c.each(ctx, entryQuery+"WHERE id = ?", func(row []driver.Value) (err error) {
		e, err = changeOf(row)
		return err
	}, id)
	if err == nil && e.ID == 0 {
		err = noRow("change", id)
	}
	return e, err
}

// ChangeGames returns the games that an entry was about.
func (db *DB) ChangeGames(ctx context.Context, id int64) (*roaring.Bitmap, error) {
	return sets{"journal", "change"}.members(ctx, db, "id", id)
}

// Added returns the games that were added from a moment on, before another.
func (db *DB) Added(ctx context.Context, from, to time.Time) (*roaring.Bitmap, error) {
	return ask(db, func(c *conn) (*roaring.Bitmap, error) {
		games := roaring.New()
		err := c.each(ctx, "SELECT id FROM game WHERE added >= ? AND added < ?", func(row []driver.Value) error {
			games.Add(uint32(num(row[0])))
			return nil
		}, from.Unix(), to.Unix())
		return games, err
	})
}

// stepsOf returns what an entry has changed, in its order.
func (t *Tx) stepsOf(id int64) (list []step, err error) {
	err = t.each(bg, "SELECT data FROM delta WHERE journal = ? ORDER BY id", func(row []driver.Value) error {
		data, err := t.unpack.DecodeAll(blobOf(row[0]), nil)
		var some []step
		if err == nil {
			err = unmarshal(data, &some)
		}
		if err != nil {
			return fmt.Errorf("%w: what change %d has changed cannot be read: %w", store.ErrDamaged, id, err)
		}
		list = append(list, some...)
		return nil
	}, id)
	return list, explain(err)
}

// rowOfSet returns a row of a table of sets without its games, and without what searches
// noted; nil where it is not there.
func (t *Tx) rowOfSet(table string, id int64) (values map[string]any, err error) {
	cols, err := t.columnsOf(table)
	if err != nil {
		return nil, err
	}
	text := "SELECT "
	for i, name := range cols {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	err = t.each(bg, text+" FROM "+table+" WHERE id = ?", func(row []driver.Value) error {
		values = map[string]any{}
		for i, name := range cols {
			values[name] = row[i]
		}
		return nil
	}, id)
	return values, explain(err)
}

// notTold are the columns of sets that no step has: they are derived.
var notTold = []string{"games", "generation", "found", "hits", "used"}

// columnsOf returns the columns of a table that steps tell.
func (t *Tx) columnsOf(table string) (list []string, err error) {
	err = t.each(bg, "SELECT name FROM pragma_table_info(?)", func(row []driver.Value) error {
		if name := textOf(row[0]); !slices.Contains(notTold, name) {
			list = append(list, name)
		}
		return nil
	}, table)
	return list, explain(err)
}

// changeSet notes what a change of a row of a table of sets has made of it.
func (t *Tx) changeSet(table string, id int64, change func() error) error {
	if !t.journal {
		return change()
	}
	before, err := t.rowOfSet(table, id)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := t.rowOfSet(table, id)
	if err != nil {
		return err
	}
	if before == nil && after == nil || maps.Equal(before, after) {
		return nil
	}
	t.note(step{Row: &rowStep{Table: table, ID: id, Before: before, After: after}})
	return nil
}
