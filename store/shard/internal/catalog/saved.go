package catalog

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// maxAuto is how many automatic queries are kept: those that were used last.
const maxAuto = 1000

// SaveQuery saves a query and returns its number. One with a name takes the
// place of that of the same name, or of the automatic one of the same text and
// kind; it keeps the number, and what was found as long as text and kind stay.
// The generation rises, because answers of queries that mention the name may
// change; what was found in the one before, by this query alone, holds in the
// new one too.
//
// An automatic one has no name. Where its text and kind are saved already,
// under a name or not, that one is noted as used; of others, the automatic one
// that was used longest ago goes when there are more than 1,000.
func (t *Tx) SaveQuery(s store.Saved) (int64, error) {
	switch {
	case s.Query == "":
		return 0, fmt.Errorf("catalog: a saved query needs a text")
	case s.Auto && s.Name != "":
		return 0, fmt.Errorf("catalog: the query %q has a name and cannot be automatic", s.Name)
	case s.Auto:
		return t.noteQuery(s)
	}
	if err := t.readyQuiet(); err != nil {
		return 0, err
	}
	if err := saved.named(s.Name); err != nil {
		return 0, err
	}
	t.loud, t.saves = t.loud || t.saves > 0, t.saves+1
	s.Fold = foldOf(s.Name, s.Fold)
	id, err := findSaved(bg, t.conn, s.Name, s.Fold, false)
	if err == nil && id == 0 {
		id, _, err = t.number(bg, "SELECT id FROM saved WHERE query = ? AND kind = ? AND auto = 1", s.Query, s.Kind)
	}
	if err == nil && id != 0 {
		_, err = t.exec(bg, "UPDATE saved SET generation = 0, found = 0, hits = 0, games = ? WHERE id = ? AND (query <> ? OR kind <> ?)", emptySet, id, s.Query, s.Kind)
	}
	if err != nil {
		return 0, explain(err)
	}
	t.does(store.OpSaveQuery, 1, map[string]any{"name": s.Name, "query": s.Query})
	if id == 0 {
		id = t.counters["saved"]
		err = t.changeSet(saved.table, id, func() error {
			_, err := t.insertQuery(s, s.Name, s.Fold)
			return err
		})
	} else {
		// The alias that a search gave stays with what it stands for.
		err = t.changeSet(saved.table, id, func() error {
			_, err := t.exec(bg, "UPDATE saved SET name = ?, fold = ?, kind = ?, query = ?, alias = CASE WHEN ? = '' AND described = ? THEN alias ELSE ? END, described = ?, note = ?, auto = 0, used = ? WHERE id = ?",
				s.Name, s.Fold, s.Kind, s.Query, s.Alias, s.Described, foldOf(s.Described, s.Alias), s.Described, s.Note, time.Now().UnixNano(), id)
			return err
		})
	}
	if err != nil {
		return 0, saved.taken(s.Name, err)
	}
	// The automatic one may be another than that of the name.
	if _, err := t.exec(bg, "DELETE FROM saved WHERE query = ? AND kind = ? AND auto = 1", s.Query, s.Kind); err != nil {
		return 0, explain(err)
	}
	t.savedID, t.savedFar = id, s.Version.Far
	return id, t.hitsOf(id, s)
}

// noteQuery saves an automatic query.
func (t *Tx) noteQuery(s store.Saved) (int64, error) {
	if err := t.readyQuiet(); err != nil {
		return 0, err
	}
	s.Alias, s.Fold = foldOf(s.Described, cmp.Or(s.Alias, s.Fold)), ""
	id, ok, err := t.number(bg, "SELECT id FROM saved WHERE query = ? AND kind = ? ORDER BY id", s.Query, s.Kind)
	switch {
	case err != nil:
	case ok:
		_, err = t.exec(bg, "UPDATE saved SET used = ?, described = coalesce(nullif(?, ''), described), alias = coalesce(nullif(?, ''), alias) WHERE id = ?",
			time.Now().UnixNano(), s.Described, s.Alias, id)
	default:
		_, err = t.exec(bg, "DELETE FROM saved WHERE id IN (SELECT id FROM saved WHERE auto = 1 ORDER BY used DESC, id DESC LIMIT -1 OFFSET ?)", int64(maxAuto-1))
		if err == nil {
			id, err = t.insertQuery(s, nil, nil)
		}
	}
	if err != nil {
		return 0, explain(err)
	}
	return id, t.hitsOf(id, s)
}

func (t *Tx) insertQuery(s store.Saved, name, fold driver.Value) (int64, error) {
	id := t.next("saved")
	_, err := t.exec(bg, "INSERT INTO saved (id, name, fold, alias, kind, query, described, note, auto, created, used, generation, found, hits, games) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?)",
		id, name, fold, foldOf(s.Described, s.Alias), s.Kind, s.Query, s.Described, s.Note, flag(s.Auto), t.now, time.Now().UnixNano(), emptySet)
	return id, err
}

func (t *Tx) hitsOf(id int64, s store.Saved) error {
	if s.Games == nil {
		return nil
	}
	return t.SetHits(id, s.Version, s.Games, s.Hits)
}

// SetHits keeps what a search found at a version of the library, and notes
// that the query was used. Games that were deleted since are left out, which
// costs a look at the numbers of all games where the library has changed since
// that version; where there are games elsewhere (SetNumbers), nobody looks.
// The bitmap stays the caller's.
func (t *Tx) SetHits(id int64, version store.Version, games *roaring.Bitmap, hits int) error {
	if err := t.readyQuiet(); err != nil {
		return err
	}
	if games == nil {
		games = roaring.New()
	}
	if !t.elsewhere() && (t.loud || version.Near != t.before["generation"]) {
		all, err := readIDs(bg, t.conn, "")
		if err != nil {
			return explain(err)
		}
		games = roaring.And(games, all)
	} else {
		if !t.elsewhere() && !games.IsEmpty() && int64(games.Maximum()) >= t.counters[nextGame] {
			return noGame(games.Maximum())
		}
		games = games.Clone() // others may read it while it is packed
	}
	if err := saved.write(t, id, games); err != nil {
		return err
	}
	_, err := t.exec(bg, "UPDATE saved SET generation = ?, hits = ?, used = ? WHERE id = ?", version.Stamp(), int64(hits), time.Now().UnixNano(), id)
	return explain(err)
}

// RenameQuery gives a query another name, which must be new (ErrExists), and an
// automatic one its first.
func (t *Tx) RenameQuery(id int64, name, fold string) error {
	if err := t.ready(); err != nil {
		return err
	}
	if err := saved.named(name); err != nil {
		return err
	}
	fold = foldOf(name, fold)
	other, err := findSaved(bg, t.conn, name, fold, false)
	if err != nil {
		return explain(err)
	}
	if other != 0 && other != id {
		return fmt.Errorf("%w: there is a saved query of a name like %q already", store.ErrExists, name)
	}
	t.does(store.OpRenameQuery, 1, map[string]any{"name": t.nameOf(saved, id), "into": name})
	return t.changeSet(saved.table, id, func() error {
		return saved.taken(name, t.changeRow(saved.word, id, "UPDATE saved SET name = ?, fold = ?, auto = 0 WHERE id = ?", name, fold, id))
	})
}

// DropQuery forgets a query.
func (t *Tx) DropQuery(id int64) error {
	if err := t.ready(); err != nil {
		return err
	}
	t.does(store.OpDropQuery, 1, map[string]any{"name": t.nameOf(saved, id)})
	return t.changeSet(saved.table, id, func() error {
		return t.changeRow(saved.word, id, "DELETE FROM saved WHERE id = ?", id)
	})
}

func foldOf(name, fold string) string { return cmp.Or(fold, strings.ToLower(name)) }

// findSaved returns the number of the query of a name, 0 where there is none.
// The very name goes before the folded one, and both before those that differ
// in upper and lower case. With described, queries that are described so come
// after that: those with a name before automatic ones, and of these the one
// used last. It looks at all names, about 2,000 a millisecond.
func findSaved(ctx context.Context, c *conn, name, fold string, described bool, kinds ...string) (id int64, err error) {
	if name == "" {
		return 0, nil
	}
	best := 0
	err = c.each(ctx, "SELECT id, name, fold, described, alias, auto, kind FROM saved ORDER BY auto, used DESC, id DESC", func(row []driver.Value) error {
		if len(kinds) > 0 && !slices.Contains(kinds, textOf(row[6])) {
			return nil
		}
		rank, called := 0, row[5] == int64(0)
		switch {
		case called && textOf(row[1]) == name:
			rank = 5
		case called && textOf(row[2]) == fold:
			rank = 4
		case called && strings.EqualFold(textOf(row[1]), name):
			rank = 3
		case called && strings.EqualFold(textOf(row[2]), fold):
			rank = 2
		case described && (textOf(row[4]) == fold || textOf(row[3]) == name):
			rank = 1
		}
		if rank > best {
			best, id = rank, num(row[0])
		}
		return nil
	})
	return id, err
}

const savedQuery = "SELECT id, name, fold, kind, query, described, auto, note, created, used, generation, found, hits, alias FROM saved "

func savedOf(row []driver.Value) store.Saved {
	return store.Saved{
		ID: num(row[0]), Name: textOf(row[1]), Fold: textOf(row[2]), Kind: textOf(row[3]), Query: textOf(row[4]), Described: textOf(row[5]),
		Auto: row[6] == int64(1), Note: textOf(row[7]), Created: time.Unix(num(row[8]), 0), Used: time.Unix(0, num(row[9])),
		Stamp: num(row[10]), Found: intOf(row[11]), Hits: intOf(row[12]), Alias: textOf(row[13]),
	}
}

// SavedQueries returns all saved queries without their games: first those with
// a name, by it, then the automatic ones, the one used last first.
func (db *DB) SavedQueries(ctx context.Context) (list []store.Saved, err error) {
	err = db.read(func(c *conn) error {
		if ok, err := c.has(ctx, saved.table); !ok {
			return err
		}
		return c.each(ctx, savedQuery+"ORDER BY auto, name, used DESC, id DESC", func(row []driver.Value) error {
			list = append(list, savedOf(row))
			return nil
		})
	})
	return list, err
}

// SavedQuery returns the query of a name without its games. The name may be
// written in upper or lower case, or be the folded one; where no query is called
// so, it may be what describes one, or that folded. With kinds, only queries
// about one of these are meant.
func (db *DB) SavedQuery(ctx context.Context, name string, kinds ...string) (s store.Saved, err error) {
	err = db.readTx(ctx, func(c *conn) error {
		ok, err := c.has(ctx, saved.table)
		id := int64(0)
		if ok {
			id, err = findSaved(ctx, c, name, name, true, kinds...)
		}
		if err == nil && id == 0 {
			err = saved.missing(name)
		}
		if err != nil {
			return err
		}
		return c.each(ctx, savedQuery+"WHERE id = ?", func(row []driver.Value) error {
			s = savedOf(row)
			return nil
		}, id)
	})
	return s, err
}

// SavedGames returns the games that the last search of a query found. The
// bitmap is the caller's.
func (db *DB) SavedGames(ctx context.Context, id int64) (*roaring.Bitmap, error) {
	return saved.members(ctx, db, "id", id)
}
