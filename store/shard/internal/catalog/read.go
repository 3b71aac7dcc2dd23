package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record/facts"
	"qipu/store"
)

// read runs f with a connection for reading. A single query is consistent by
// itself.
func (db *DB) read(f func(*conn) error) error {
	c, err := db.pool.get()
	if err != nil {
		return err
	}
	defer db.pool.put(c)
	return explain(f(c))
}

// ask is read for one value.
func ask[T any](db *DB, f func(*conn) (T, error)) (v T, err error) {
	err = db.read(func(c *conn) error {
		v, err = f(c)
		return err
	})
	return v, err
}

// readTx runs f with a connection on which all queries see the same moment.
func (db *DB) readTx(ctx context.Context, f func(*conn) error) error {
	return db.read(func(c *conn) error {
		// Not the caller's context: one that ends in between would leave a transaction that
		// nobody knows of to whoever gets the connection next.
		if _, err := c.exec(bg, "BEGIN"); err != nil {
			return err
		}
		defer c.exec(bg, "ROLLBACK")
		return f(c)
	})
}

const generationQuery = "SELECT value FROM meta WHERE key = 'generation'"

// Version returns the version of the library: see Generation.
func (db *DB) Version(ctx context.Context) (store.Version, error) {
	n, err := db.Generation(ctx)
	return store.Version{Near: n}, err
}

// Generation returns a number that Updates raise, in whatever process. It costs a few microseconds, so that readers can ask often.
func (db *DB) Generation(ctx context.Context) (n int64, err error) {
	err = db.read(func(c *conn) error {
		n, _, err = c.number(ctx, generationQuery)
		return err
	})
	return n, err
}

// nameCache maps numbers of names to their texts. Names are never changed and
// numbers never used twice, so that it never goes stale.
type nameCache struct {
	mu    sync.RWMutex
	texts map[int64]string
}

func newNameCache() *nameCache { return &nameCache{texts: map[int64]string{}} }

// resolve returns the texts of numbers of names; it asks the database for those
// that it does not know.
func (nc *nameCache) resolve(ctx context.Context, c *conn, ids map[int64]string) error {
	var missing []uint32
	nc.mu.RLock()
	for id := range ids {
		text, ok := nc.texts[id]
		ids[id] = text
		if !ok {
			missing = append(missing, uint32(id))
		}
	}
	nc.mu.RUnlock()
	for block := range slices.Chunk(missing, idBlock) {
		err := c.eachOnce(ctx, "SELECT id, text FROM name WHERE id IN "+idList(block), func(row []driver.Value) error {
			ids[num(row[0])] = textOf(row[1])
			return nil
		})
		if err != nil {
			return err
		}
	}
	nc.mu.Lock()
	defer nc.mu.Unlock()
	if len(nc.texts)+len(missing) > maxNames {
		clear(nc.texts)
	}
	for _, id := range missing {
		if text := ids[int64(id)]; text != "" {
			nc.texts[int64(id)] = text
		}
	}
	return nil
}

// Games returns games in the order asked. A number without a game is an error
// (ErrNoGame).
func (db *DB) Games(ctx context.Context, ids []uint32) ([]store.Game, error) {
	games := make([]store.Game, 0, len(ids))
	for block := range slices.Chunk(ids, idBlock) {
		err := db.readTx(ctx, func(c *conn) (err error) {
			games, err = db.appendGames(ctx, c, games, block)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return games, nil
}

// nameColumns are the indexes of columns that hold numbers of names.
var nameColumns = func() (list []int) {
	for _, name := range []string{"format", "encoding", "folder", "first", "second", "event", "how", "ruleset", "opening", "code", "round", "place", "team1", "team2", "origin", "author", "clock"} {
		list = append(list, slices.Index(columns, name))
	}
	return list
}()

// singleIDs is how many games are read one by one: a list of them is a statement of
// its own, which costs more to understand than a few rows to read.
const singleIDs = 4

var gameByID = "SELECT " + gameColumns + " FROM game WHERE id = ?"

func (db *DB) appendGames(ctx context.Context, c *conn, dst []store.Game, ids []uint32) ([]store.Game, error) {
	rows := make(map[uint32][]driver.Value, len(ids))
	names := map[int64]string{}
	kinds := map[int64]string{}
	take := func(row []driver.Value) error {
		rows[uint32(num(row[0]))] = slices.Clone(row)
		for _, i := range nameColumns {
			if id, ok := row[i].(int64); ok {
				names[id] = ""
			}
		}
		return nil
	}
	var err error
	if len(ids) > singleIDs {
		err = c.eachOnce(ctx, "SELECT "+gameColumns+" FROM game WHERE id IN "+idList(ids), take)
	} else {
		for i := 0; i < len(ids) && err == nil; i++ {
			err = c.each(ctx, gameByID, take, int64(ids[i]))
		}
	}
	if err == nil {
		err = c.each(ctx, "SELECT id, text FROM kind", func(row []driver.Value) error {
			kinds[num(row[0])] = textOf(row[1])
			return nil
		})
	}
	if err == nil {
		err = db.names.resolve(ctx, c, names)
	}
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		row := rows[id]
		if row == nil {
			return nil, noGame(id)
		}
		dst = append(dst, scan(row, kinds, names))
	}
	return dst, nil
}

// scan makes a game of its row; the counterpart of Tx.fill.
func scan(row []driver.Value, kinds, names map[int64]string) store.Game {
	i := 0
	next := func() driver.Value {
		i++
		return row[i-1]
	}
	n := func() int { return intOf(next()) }
	name := func() string {
		return names[num(next())]
	}
	g := store.Game{ID: uint32(n()), Key: uint64(n()), Head: uint64(n())}
	g.Kind, g.Plies = kinds[int64(n())], n()
	next() // chunk
	next() // slot
	g.Marked, g.Added = n() == 1, time.Unix(int64(n()), 0)
	g.Format, g.Encoding = name(), name()
	g.Source.File = name() + textOf(next())
	g.Source.Number, g.Source.Offset = n(), int64(n())
	f := &g.Facts
	first, second := &f.Players[0], &f.Players[1]
	first.Name, second.Name = name(), name()
	first.Rank, second.Rank = rankOf(n()), rankOf(n())
	first.Rating, second.Rating = n(), n()
	f.Event = name()
	next() // day1
	next() // day2
	f.Date = facts.ParseDate(textOf(next()))
	if v := n(); v >= 0 && v <= int(facts.Unfinished) {
		f.Result.Verdict = facts.Verdict(v)
	}
	f.Result.Margin, _ = next().(float64)
	f.Result.How = name()
	if half, ok := next().(int64); ok {
		f.Komi = facts.Komi{Half: int(half), Known: true}
	}
	f.Handicap = n()
	f.Ruleset, f.Opening, f.Code = name(), name(), name()
	f.Round, f.Place, first.Team, second.Team, f.Source, f.Author, f.Time = name(), name(), name(), name(), name(), name(), name()
	return g
}

// Record returns the encoded record of a game and its original bytes. They are
// the caller's.
func (db *DB) Record(ctx context.Context, id uint32) (record, raw []byte, err error) {
	for text, err := range db.Texts(ctx, []uint32{id}) {
		if err != nil {
			return nil, nil, err
		}
		record, raw = slices.Clone(text.Record), slices.Clone(text.Raw)
	}
	return record, raw, nil
}

// Texts yields the texts of games in the order asked. The slices must not be
// changed, and are shared: keep copies. Games that were added together cost
// about two microseconds each, others the unpacking of up to 64 games; rising
// numbers are the cheapest order. A text that is damaged comes as an error
// ErrDamaged beside the number of its game, and the others after it, as does
// ErrNoGame of a game that is not there; any other error is the end.
func (db *DB) Texts(ctx context.Context, ids []uint32) iter.Seq2[store.Text, error] {
	return func(yield func(store.Text, error) bool) {
		for block := range slices.Chunk(ids, idBlock) {
			places, err := db.places(ctx, block)
			if ofGame(err) { // one of them: each is looked up by itself
				places, err = nil, nil
			}
			for i := 0; i < len(block) && err == nil; i++ {
				text := store.Text{ID: block[i]}
				var at []place
				if places != nil {
					at = places[i:]
				} else {
					at, err = db.places(ctx, block[i:i+1])
				}
				if err == nil {
					text.Record, text.Raw, err = db.text(ctx, block[i], at[0])
				}
				if err != nil && !ofGame(err) {
					break
				}
				if !yield(text, err) {
					return
				}
				err = nil
			}
			if err != nil {
				yield(store.Text{}, err)
				return
			}
		}
	}
}

// ofGame reports whether an error may be about one game alone.
func ofGame(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNoGame)
}

// place is where the texts of a game are.
type place struct {
	chunk int64
	slot  int
}

func (db *DB) places(ctx context.Context, ids []uint32) ([]place, error) {
	byID := make(map[uint32]place, len(ids))
	err := db.read(func(c *conn) error {
		if len(ids) == 1 {
			return c.each(ctx, "SELECT chunk, slot FROM game WHERE id = ?", func(row []driver.Value) error {
				byID[ids[0]] = place{num(row[0]), intOf(row[1])}
				return nil
			}, int64(ids[0]))
		}
		return c.eachOnce(ctx, "SELECT id, chunk, slot FROM game WHERE id IN "+idList(ids), func(row []driver.Value) error {
			byID[uint32(num(row[0]))] = place{num(row[1]), intOf(row[2])}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	places := make([]place, len(ids))
	for i, id := range ids {
		p, ok := byID[id]
		if !ok {
			return nil, noGame(id)
		}
		places[i] = p
	}
	return places, nil
}

// text returns the texts of a game that was at a place a moment ago. Compact
// may have moved it since, or Replace: then it looks again.
func (db *DB) text(ctx context.Context, id uint32, at place) (record, raw []byte, err error) {
	for range 5 {
		c, err := db.chunk(ctx, at.chunk)
		if err != nil {
			return nil, nil, err
		}
		if c != nil {
			record, raw, ok := c.text(at.slot)
			if !ok {
				return nil, nil, fmt.Errorf("%w: game %d is not in its chunk", store.ErrDamaged, id)
			}
			return record, raw, nil
		}
		places, err := db.places(ctx, []uint32{id})
		if err != nil {
			return nil, nil, err
		}
		at = places[0]
	}
	return nil, nil, fmt.Errorf("%w: the record of game %d is not there", store.ErrDamaged, id)
}

// chunk returns a chunk, or nil if there is none of that number.
func (db *DB) chunk(ctx context.Context, id int64) (*chunk, error) {
	if c := db.chunks.get(id); c != nil {
		return c, nil
	}
	var found *chunk
	err := db.read(func(c *conn) error {
		return c.each(ctx, "SELECT data, sum FROM chunk WHERE id = ?", func(row []driver.Value) (err error) {
			if found, err = unpack(db.chunks.dec, blobOf(row[0]), uint64(num(row[1]))); err != nil {
				err = fmt.Errorf("%w (chunk %d)", err, id)
			}
			return err
		}, id)
	})
	if err == nil && found != nil {
		db.chunks.put(id, found)
	}
	return found, err
}

const keyQuery = "SELECT g.id, g.key, g.head, g.plies, k.text FROM game g JOIN kind k ON k.id = g.kind "

// ByKey returns the games whose moves have a hash, by rising number.
func (db *DB) ByKey(ctx context.Context, key uint64) ([]store.KeyRow, error) {
	return db.keyRows(ctx, keyQuery+"WHERE g.key = ? ORDER BY g.id", key)
}

// ByHead returns the games whose first moves have a hash, by rising number.
func (db *DB) ByHead(ctx context.Context, head uint64) ([]store.KeyRow, error) {
	return db.keyRows(ctx, keyQuery+"WHERE g.head = ? ORDER BY g.id", head)
}

func (db *DB) keyRows(ctx context.Context, text string, hash uint64) ([]store.KeyRow, error) {
	return ask(db, func(c *conn) ([]store.KeyRow, error) { return keyRows(ctx, c, text, hash) })
}

func keyRows(ctx context.Context, c *conn, text string, hash uint64) (rows []store.KeyRow, err error) {
	err = c.each(ctx, text, func(row []driver.Value) error {
		rows = append(rows, store.KeyRow{ID: uint32(num(row[0])), Key: uint64(num(row[1])), Head: uint64(num(row[2])), Kind: textOf(row[4]), Plies: intOf(row[3])})
		return nil
	}, int64(hash))
	return rows, err
}

// ByKey is that of DB, but sees what the transaction has done so far.
func (t *Tx) ByKey(key uint64) ([]store.KeyRow, error) {
	if err := t.ready(); err != nil {
		return nil, err
	}
	rows, err := keyRows(bg, t.conn, keyQuery+"WHERE g.key = ? ORDER BY g.id", key)
	return rows, explain(err)
}

// ScanKeys yields all games by rising number, about a million a second, to fill
// a filter in memory. It ends after an error.
func (db *DB) ScanKeys(ctx context.Context) iter.Seq2[store.KeyRow, error] {
	return func(yield func(store.KeyRow, error) bool) {
		err := db.readTx(ctx, func(c *conn) error {
			kinds := map[int64]string{}
			if err := c.each(ctx, "SELECT id, text FROM kind", func(row []driver.Value) error {
				kinds[num(row[0])] = textOf(row[1])
				return nil
			}); err != nil {
				return err
			}
			return c.each(ctx, "SELECT id, key, head, plies, kind FROM game ORDER BY id", func(row []driver.Value) error {
				r := store.KeyRow{ID: uint32(num(row[0])), Key: uint64(num(row[1])), Head: uint64(num(row[2])), Kind: kinds[num(row[4])], Plies: int(num(row[3]))}
				if !yield(r, nil) {
					return errStop
				}
				return nil
			})
		})
		if err != nil {
			yield(store.KeyRow{}, err)
		}
	}
}

// IDs returns the games of a kind, or all for "". The bitmap is the caller's.
func (db *DB) IDs(ctx context.Context, kind string) (*roaring.Bitmap, error) {
	return ask(db, func(c *conn) (*roaring.Bitmap, error) { return readIDs(ctx, c, kind) })
}

func readIDs(ctx context.Context, c *conn, kind string) (*roaring.Bitmap, error) {
	b := roaring.New()
	add := func(row []driver.Value) error {
		b.Add(uint32(num(row[0])))
		return nil
	}
	var err error
	if kind == "" {
		err = c.each(ctx, "SELECT id FROM game", add)
	} else {
		err = c.each(ctx, "SELECT id FROM game WHERE kind = (SELECT id FROM kind WHERE text = ?)", add, kind)
	}
	b.RunOptimize()
	return b, err
}

// Sources returns all places where a game was found, the first one first.
func (db *DB) Sources(ctx context.Context, id uint32) (list []store.Source, err error) {
	err = db.readTx(ctx, func(c *conn) error {
		add := func(row []driver.Value) error {
			list = append(list, store.Source{File: textOf(row[0]) + textOf(row[1]), Number: intOf(row[2]), Offset: int64(intOf(row[3]))})
			return nil
		}
		err := c.each(ctx, "SELECT n.text, g.base, g.number, g.offset FROM game g LEFT JOIN name n ON n.id = g.folder WHERE g.id = ?", add, int64(id))
		if err == nil && list == nil {
			err = noGame(id)
		}
		if err != nil {
			return err
		}
		return c.each(ctx, "SELECT n.text, s.base, s.number, s.offset FROM source s LEFT JOIN name n ON n.id = s.folder WHERE s.game = ? ORDER BY n.text, s.base, s.number", add, int64(id))
	})
	return list, err
}

// Noted reports whether a game was found at a place: one of Sources. It looks at
// one row of each table.
func (db *DB) Noted(ctx context.Context, id uint32, s store.Source) (noted bool, err error) {
	folder, base := splitPath(s.File)
	err = db.read(func(c *conn) error {
		found, _, err := c.number(ctx, `WITH place (folder) AS (SELECT coalesce((SELECT id FROM name WHERE text = ?), 0))
			SELECT EXISTS (SELECT 1 FROM source s, place p WHERE s.game = ? AND s.folder = p.folder AND s.base = ? AND s.number = ? AND s.offset = ?)
			OR EXISTS (SELECT 1 FROM game g, place p WHERE g.id = ? AND coalesce(g.folder, 0) = p.folder AND coalesce(g.base, '') = ? AND coalesce(g.number, 0) = ? AND coalesce(g.offset, 0) = ?)`,
			folder, int64(id), base, int64(s.Number), s.Offset, int64(id), base, int64(s.Number), s.Offset)
		noted = found == 1
		return err
	})
	return noted, err
}

// Links returns the games that a game is linked to.
func (db *DB) Links(ctx context.Context, id uint32) (list []store.Link, err error) {
	err = db.read(func(c *conn) error {
		return c.each(ctx, "SELECT b, why FROM link WHERE a = ? UNION ALL SELECT a, why FROM link WHERE b = ? ORDER BY 1, 2", func(row []driver.Value) error {
			list = append(list, store.Link{Game: uint32(num(row[0])), Why: textOf(row[1])})
			return nil
		}, int64(id), int64(id))
	})
	return list, err
}

// Counts returns the figures of the library. It costs some milliseconds for a
// million games.
func (db *DB) Counts(ctx context.Context) (n store.Counts, err error) {
	n.Games = map[string]int{}
	err = db.readTx(ctx, func(c *conn) error {
		if err := c.each(ctx, "SELECT text, games FROM kind WHERE games > 0", func(row []driver.Value) error {
			n.Games[textOf(row[0])] = intOf(row[1])
			return nil
		}); err != nil {
			return err
		}
		waiting, err := readWaiting(ctx, c)
		if err != nil {
			return err
		}
		n.Waiting = int(waiting.GetCardinality())
		if err := countMade(ctx, c, &n); err != nil {
			return err
		}
		return c.each(ctx, `SELECT
			(SELECT count(*) FROM name), (SELECT count(*) FROM chunk), (SELECT sum(length(data)) FROM chunk), (SELECT count(*) FROM source),
			(SELECT count(*) FROM link), (SELECT count(*) FROM input WHERE path NOT GLOB 'import:*' AND path NOT GLOB 'copy:*'), (SELECT count(*) FROM collection), (SELECT count(*) FROM segment),
			(SELECT page_count FROM pragma_page_count), (SELECT freelist_count FROM pragma_freelist_count), (SELECT page_size FROM pragma_page_size),
			(SELECT sum(bytes) FROM segment)`,
			func(row []driver.Value) error {
				for i, p := range []*int{&n.Names, &n.Chunks, nil, &n.Sources, &n.Links, &n.Inputs, &n.Collections, &n.Segments} {
					if p != nil {
						*p = intOf(row[i])
					}
				}
				n.SegmentBytes = num(row[11])
				n.ChunkBytes, n.Bytes, n.FreeBytes = int64(intOf(row[2])), int64(intOf(row[8])*intOf(row[10])), int64(intOf(row[9])*intOf(row[10]))
				return nil
			})
	})
	return n, err
}

// countMade counts what the second version of the schema brought.
func countMade(ctx context.Context, c *conn, n *store.Counts) error {
	if ok, err := c.has(ctx, saved.table); !ok {
		return err
	}
	return c.each(ctx, "SELECT (SELECT count(*) FROM tag), (SELECT count(*) FROM saved WHERE auto = 0), (SELECT count(*) FROM saved WHERE auto = 1), (SELECT count(*) FROM edit)", func(row []driver.Value) error {
		n.Tags, n.Saved, n.Automatic, n.Edits = intOf(row[0]), intOf(row[1]), intOf(row[2]), intOf(row[3])
		return nil
	})
}
