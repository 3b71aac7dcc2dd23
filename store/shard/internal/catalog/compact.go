package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// Backup writes a copy of the database, as it is at one moment, to a new file.
// A writer may go on meanwhile. Put into an empty folder under FileName, the
// copy is a library, without its derived files.
func (db *DB) Backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("catalog: %s is there already: choose another name for the backup", path)
	}
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("catalog: %w", err)
	}
	defer os.Remove(part)
	err := db.read(func(c *conn) error {
		_, err := c.exec(ctx, "VACUUM INTO ?", part)
		return err
	})
	if err != nil {
		return err
	}
	// The name appears when the bytes are on the disk.
	if err := syncFile(part); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Compact gives back the space of deleted and replaced games, packs games that
// came one by one together, forgets texts that no game has any more, and has
// the database rewritten. Chunks that are damaged stay as they are. Readers go
// on; Updates wait. It needs about as much free space as the library has, and
// may be interrupted: what it has done stays done.
func (db *DB) Compact(ctx context.Context) error {
	w, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	defer db.release()
	moves, empty, err := w.untidy(ctx, nil)
	if err != nil {
		return explain(err)
	}
	if len(empty) > 0 {
		if err := w.update(ctx, func(t *Tx) error { return t.dropChunks(empty) }); err != nil {
			return err
		}
	}
	ids := slices.Sorted(maps.Keys(moves))
	for group := range slices.Chunk(ids, repackChunks) {
		if err := w.update(ctx, func(t *Tx) error { return t.repack(db, group, moves) }); err != nil {
			return err
		}
	}
	if err := w.update(ctx, (*Tx).forgetNames); err != nil {
		return err
	}
	clear(w.names)
	if _, err := w.exec(ctx, "VACUUM"); err != nil {
		return explain(err)
	}
	return explain(w.eachOnce(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", func([]driver.Value) error { return nil }))
}

const (
	repackChunks = 256     // chunks taken apart in one transaction
	smallChunk   = 8 << 10 // a chunk of fewer compressed bytes, and few games, is packed together with others
)

// moved is a row of a table whose texts move to another chunk.
type moved struct {
	table string
	id    int64
	slot  int
}

// untidy returns the chunks that are to be taken apart, with the games that are
// still in them, and those that no game needs. Chunks with something that is in the trash
// stay as they are, but for some.
func (w *writer) untidy(ctx context.Context, purged map[int64]bool) (moves map[int64][]moved, empty []int64, err error) {
	used, kept := map[int64]int{}, map[int64]bool{}
	if err := w.each(ctx, "SELECT chunk FROM game", func(row []driver.Value) error {
		used[num(row[0])]++
		return nil
	}); err != nil {
		return nil, nil, err
	}
	if w.journal {
		// What is in the trash may come back, as it was.
		if err := w.each(ctx, "SELECT chunk FROM trash", func(row []driver.Value) error {
			if id := num(row[0]); purged[id] {
				used[id]++
			} else {
				kept[id] = true
			}
			return nil
		}); err != nil {
			return nil, nil, err
		}
	}
	moves = map[int64][]moved{}
	if err := w.each(ctx, "SELECT id, games, length(data) FROM chunk", func(row []driver.Value) error {
		id, games := num(row[0]), intOf(row[1])
		switch n := used[id]; {
		case kept[id]:
		case n == 0:
			empty = append(empty, id)
		case n < games, games <= chunkGames/2 && intOf(row[2]) < smallChunk:
			moves[id] = nil
		}
		return nil
	}); err != nil {
		return nil, nil, err
	}
	for _, table := range []string{"game", "trash"} {
		if table == "trash" && !w.journal {
			break
		}
		if err := w.each(ctx, "SELECT id, chunk, slot FROM "+table, func(row []driver.Value) error {
			chunk := num(row[1])
			if list, ok := moves[chunk]; ok {
				moves[chunk] = append(list, moved{table, num(row[0]), intOf(row[2])})
			}
			return nil
		}); err != nil {
			return nil, nil, err
		}
	}
	return moves, empty, nil
}

func (t *Tx) dropChunks(ids []int64) error {
	for _, id := range ids {
		if _, err := t.exec(bg, "DELETE FROM chunk WHERE id = ?", id); err != nil {
			return explain(err)
		}
	}
	return nil
}

// repack moves the games of some chunks to new ones, in their order, and drops
// the old ones. It holds the unpacked texts of a few new chunks at a time.
func (t *Tx) repack(db *DB, chunks []int64, moves map[int64][]moved) error {
	var entries []store.Entry
	var rows []moved
	flush := func(all bool) error {
		for len(entries) > 0 {
			n := cut(entries)
			if n == len(entries) && !all {
				return nil // more may fit
			}
			chunk, err := t.addChunk(entries[:n])
			if err != nil {
				return err
			}
			for slot, row := range rows[:n] {
				if _, err := t.exec(bg, "UPDATE "+row.table+" SET chunk = ?, slot = ? WHERE id = ?", chunk, int64(slot), row.id); err != nil {
					return explain(err)
				}
			}
			entries, rows = entries[n:], rows[n:]
		}
		return nil
	}
	var done []int64
	for _, id := range chunks {
		if err := t.ready(); err != nil {
			return err
		}
		c, err := db.chunk(t.ctx, id) // committed long ago, so that a reader sees it
		if err != nil && !errors.Is(err, store.ErrDamaged) {
			return err
		}
		if c == nil || slices.ContainsFunc(moves[id], func(m moved) bool { return m.slot < 0 || m.slot >= c.games }) {
			continue
		}
		for _, m := range moves[id] {
			record, raw, _ := c.text(m.slot)
			entries, rows = append(entries, store.Entry{Record: record, Raw: raw}), append(rows, m)
		}
		done = append(done, id)
		if err := flush(false); err != nil {
			return err
		}
	}
	if err := flush(true); err != nil {
		return err
	}
	return t.dropChunks(done)
}

// forgetNames deletes the names that nothing refers to.
func (t *Tx) forgetNames() error {
	used := roaring.New()
	add := func(row []driver.Value) error {
		for _, v := range row {
			if id, ok := v.(int64); ok {
				used.Add(uint32(id))
			}
		}
		return nil
	}
	list := ""
	for _, i := range nameColumns {
		list += ", " + columns[i]
	}
	var gone []int64
	err := t.each(t.ctx, "SELECT "+list[2:]+" FROM game", add)
	if err == nil {
		err = t.each(t.ctx, "SELECT folder FROM source", add)
	}
	if err == nil && t.journal {
		err = t.each(t.ctx, "SELECT "+list[2:]+" FROM trash", add)
	}
	if err == nil {
		err = t.each(t.ctx, "SELECT id FROM name", func(row []driver.Value) error {
			if id := num(row[0]); !used.Contains(uint32(id)) {
				gone = append(gone, id)
			}
			return nil
		})
	}
	for i := 0; i < len(gone) && err == nil; i++ {
		_, err = t.exec(bg, "DELETE FROM name WHERE id = ?", gone[i])
	}
	return explain(err)
}
