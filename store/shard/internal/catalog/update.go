package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/klauspost/compress/zstd"

	"qipu/store"
)

// writer is the connection that writes, with what it remembers between
// transactions. Whoever has the token of DB.turn may use it.
type writer struct {
	*conn
	*packer
	names  map[string]driver.Value // numbers of names, boxed for the driver
	kinds  map[string]int64
	shapes map[uint64]driver.Stmt // that store games; see rowOf
	digest *digester              // nil in a library of a version that has no checksums of rows

	journal bool          // it is of a version that has one
	unpack  *zstd.Decoder // of what it keeps
}

// maxNames bounds the names that the writer remembers, at some 30 MB.
const maxNames = 200_000

func newWriter(c *conn) (*writer, error) {
	p, err := newPacker()
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	w := &writer{conn: c, packer: p, names: map[string]driver.Value{}, kinds: map[string]int64{}, shapes: map[uint64]driver.Stmt{}}
	if ok, err := c.has(bg, "digest"); err != nil {
		return nil, explain(err)
	} else if ok {
		w.digest = newDigester(c)
	}
	if w.unpack, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30)); err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	if w.journal, err = c.has(bg, "journal"); err != nil {
		return nil, explain(err)
	}
	return w, nil
}

func (w *writer) close() error {
	w.dropShapes()
	w.unpack.Close()
	return errors.Join(w.enc.Close(), w.conn.close())
}

// Tx is a transaction of DB.Update. It is used by one goroutine, and not after
// the function it was given to has returned.
type Tx struct {
	*writer
	ctx  context.Context
	done bool
	now  int64

	counters, before map[string]int64 // of the table meta: now, and when the transaction began
	fresh            []string         // names that this transaction added
	added            []idRange        // games that this transaction added
	kindDelta        map[int64]int64  // games of each kind, more or fewer
	waiting          *roaring.Bitmap  // nil until needed
	stale            *roaring.Bitmap  // games to be marked dead in the segments there are
	spares           *roaring.Bitmap  // those of them whose lines may live again
	unread           *[]string        // files to be forgotten at the end of an undo, together; nil where they are at once
	served           *roaring.Bitmap  // games elsewhere whose corrections are known: see Served
	entry            entry            // of the journal
	row              rowOf

	// What was done: something that answers of searches may depend on; something
	// that they do not; and queries that got names, on which those depend that
	// mention them.
	loud, quiet bool
	saves       int
	savedID     int64 // the last of them
	savedFar    int64 // of the version that it was found at
}

// Update calls f with a transaction, and commits it. Where f or the commit
// fails, nothing has happened, and the error says why; the library can be used
// on. The generation rises by one, but not where f did no more than note what
// searches found (SetHits, and SaveQuery of an automatic one) or see to numbers
// (SetNumbers, TakeIDs): readers have nothing to follow then, and what was found
// before still holds. One Update runs at a time; others wait.
//
// Inside f, other methods of DB see the library as it was before.
func (db *DB) Update(ctx context.Context, f func(*Tx) error) error {
	w, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	defer db.release()
	return w.update(ctx, f)
}

func (db *DB) acquire(ctx context.Context) (*writer, error) {
	if db.w == nil {
		return nil, fmt.Errorf("%w: open it for writing", store.ErrReadOnly)
	}
	select {
	case _, ok := <-db.turn:
		if !ok {
			return nil, store.ErrClosed
		}
		return db.w, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (db *DB) release() { db.turn <- struct{}{} }

// update runs one transaction. Statements in it do not see the context, which
// would cost a goroutine each; methods of Tx look at it instead.
func (w *writer) update(ctx context.Context, f func(*Tx) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := w.exec(bg, "BEGIN IMMEDIATE"); err != nil {
		return explain(err)
	}
	t := &Tx{writer: w, ctx: ctx, now: time.Now().Unix(), counters: map[string]int64{}, before: map[string]int64{}, kindDelta: map[int64]int64{}}
	if deed := store.DeedOf(ctx); deed.Op != "" {
		t.entry.op, t.entry.args, t.entry.fixed = deed.Op, deed.Args, true
	}
	if w.digest != nil {
		w.digest.begin()
	}
	committed := false
	defer func() { // f may panic: the library must stay usable for whoever recovers
		t.done = true
		if !committed {
			t.rollback()
		}
	}()
	err = w.each(bg, "SELECT key, value FROM meta", func(row []driver.Value) error {
		t.counters[textOf(row[0])], t.before[textOf(row[0])] = num(row[1]), num(row[1])
		return nil
	})
	if err != nil {
		return explain(err)
	}
	if err := f(t); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if once := store.OnceOf(ctx); once != nil {
		if err := t.noteOnce(once); err != nil {
			return err
		}
	}
	if err := t.finish(); err != nil {
		return err
	}
	if _, err := w.exec(bg, "COMMIT"); err != nil {
		return explain(err)
	}
	committed = true
	if len(w.names) > maxNames {
		clear(w.names)
	}
	return nil
}

var bg = context.Background()

// rollback undoes everything, also in memory. SQLite may have rolled back by
// itself, which makes the statement fail.
func (t *Tx) rollback() {
	_, _ = t.exec(bg, "ROLLBACK")
	for _, s := range t.fresh {
		delete(t.writer.names, s)
	}
	clear(t.kinds)
}

// finish writes what was gathered during the transaction.
func (t *Tx) finish() error {
	if err := t.writeEntry(); err != nil {
		return err
	}
	if err := t.flushStale(); err != nil {
		return err
	}
	if t.waiting != nil {
		data, err := bitmapBytes(t.waiting)
		if err != nil {
			return err
		}
		if _, err := t.exec(bg, "INSERT OR REPLACE INTO waiting (id, games) VALUES (1, ?)", data); err != nil {
			return explain(err)
		}
	}
	for id, n := range t.kindDelta {
		if _, err := t.exec(bg, "UPDATE kind SET games = games + ? WHERE id = ?", n, id); err != nil {
			return explain(err)
		}
	}
	if t.loud || !t.quiet || t.saves > 0 {
		t.counters["generation"]++
	}
	stamp := func(counters map[string]int64) int64 {
		return store.Version{Near: counters["generation"], Far: t.savedFar}.Stamp()
	}
	if t.saves > 0 && !t.loud { // what one query found does not depend on its own name
		if _, err := t.exec(bg, "UPDATE saved SET generation = ? WHERE id = ? AND generation = ?", stamp(t.counters), t.savedID, stamp(t.before)); err != nil {
			return explain(err)
		}
	}
	for key, n := range t.counters {
		if n == t.before[key] {
			continue
		}
		if _, err := t.exec(bg, "UPDATE meta SET value = ? WHERE key = ?", n, key); err != nil {
			return explain(err)
		}
	}
	if t.digest == nil {
		return nil
	}
	return explain(t.digest.write(t.conn))
}

// ready returns an error where the transaction may not go on. What asks it has
// the generation rise.
func (t *Tx) ready() error {
	t.loud = true
	return t.readyQuiet()
}

// readyQuiet is ready for what does not have the generation rise.
func (t *Tx) readyQuiet() error {
	t.quiet = true
	if t.done {
		return errors.New("catalog: the transaction is over: use it inside the function given to Update alone")
	}
	return t.ctx.Err()
}

// next takes a number from a counter.
func (t *Tx) next(counter string) int64 {
	n := t.counters[counter]
	t.counters[counter]++
	return n
}

// name returns the number of a text, nil for an empty one. It costs a look into
// a map for a text that was seen before, and some ten microseconds for a new
// one.
func (t *Tx) name(text string) (driver.Value, error) {
	if text == "" {
		return nil, nil
	}
	if id, ok := t.names[text]; ok {
		return id, nil
	}
	// Most names that are not in the cache are new: it is tried that way first.
	id := t.counters["name"]
	n, err := t.exec(bg, "INSERT INTO name (id, text) VALUES (?, ?) ON CONFLICT (text) DO NOTHING", id, text)
	switch {
	case err != nil:
		return nil, explain(err)
	case n > 0:
		t.next("name")
		t.fresh = append(t.fresh, text)
	default:
		if id, _, err = t.number(bg, "SELECT id FROM name WHERE text = ?", text); err != nil {
			return nil, explain(err)
		}
	}
	boxed := driver.Value(id)
	t.names[text] = boxed
	return boxed, nil
}

// kind returns the number of a kind of game, made if need be.
func (t *Tx) kind(text string) (int64, error) {
	if id, ok := t.kinds[text]; ok {
		return id, nil
	}
	id, ok, err := t.number(bg, "SELECT id FROM kind WHERE text = ?", text)
	if err == nil && !ok {
		_, err = t.exec(bg, "INSERT INTO kind (text, games) VALUES (?, 0)", text)
		if err == nil {
			id, _, err = t.number(bg, "SELECT id FROM kind WHERE text = ?", text)
		}
	}
	if err != nil {
		return 0, explain(err)
	}
	t.kinds[text] = id
	return id, nil
}
