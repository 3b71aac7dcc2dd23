package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"qipu/store"
)

// Follow makes the library what another one is, which it was copied from before, in
// one transaction that writes no more than what has changed since. A writer of the
// other may go on meanwhile. Chunks never change, so that those of the same number
// must be the same; else it was copied from something else.
func (db *DB) Follow(ctx context.Context, file string) (err error) {
	w, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	defer db.release()
	w.digest.off = true // those of the other come along
	defer func() { w.digest.off = false }()
	if err := w.script(ctx, "PRAGMA foreign_keys = 0; ATTACH DATABASE '"+strings.ReplaceAll(dsn(file, "mode", "ro"), "'", "''")+"' AS src"); err != nil {
		return explain(err)
	}
	defer func() {
		clear(w.names)
		clear(w.kinds)
		err = errors.Join(err, explain(w.script(bg, "DETACH DATABASE src; PRAGMA foreign_keys = 1")))
	}()
	if _, err := w.exec(bg, "BEGIN IMMEDIATE"); err != nil {
		return explain(err)
	}
	if err := w.follow(ctx); err != nil {
		_, _ = w.exec(bg, "ROLLBACK")
		return explain(err)
	}
	_, err = w.exec(bg, "COMMIT")
	return explain(err)
}

func (w *writer) follow(ctx context.Context) error {
	const differ = `SELECT (SELECT value FROM main.meta WHERE key = 'version') <> (SELECT value FROM src.meta WHERE key = 'version'),
		(SELECT count(*) FROM main.chunk a JOIN src.chunk b USING (id) WHERE a.sum <> b.sum OR a.games <> b.games)`
	err := w.eachOnce(ctx, differ, func(row []driver.Value) error {
		switch {
		case row[0] != int64(0):
			return fmt.Errorf("catalog: the library has another format than the backup: make a new backup")
		case row[1] != int64(0):
			return fmt.Errorf("%w: the backup is not one of this library, or one of them is damaged: make a new backup", store.ErrExists)
		}
		return nil
	})
	if err != nil {
		return err
	}
	tables := map[string][2][]string{} // all columns, and those of the key
	err = w.eachOnce(ctx, "SELECT s.name, c.name, c.pk FROM src.sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table'", func(row []driver.Value) error {
		t := tables[textOf(row[0])]
		t[0] = append(t[0], textOf(row[1]))
		if num(row[2]) > 0 {
			t[1] = append(t[1], textOf(row[1]))
		}
		tables[textOf(row[0])] = t
		return nil
	})
	if err != nil {
		return err
	}
	for name, columns := range tables {
		all, key := strings.Join(columns[0], ", "), strings.Join(columns[1], ", ")
		compared := all
		if name == "chunk" {
			compared = "id, games, sum" // their bytes are checked by their sums
		}
		// What the other has otherwise or not at all goes, and then what it has more comes.
		gone := fmt.Sprintf("DELETE FROM main.%[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM (SELECT %[3]s FROM main.%[1]s EXCEPT SELECT %[3]s FROM src.%[1]s))", name, key, compared)
		come := fmt.Sprintf("INSERT INTO main.%[1]s (%[4]s) SELECT %[4]s FROM src.%[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM (SELECT %[3]s FROM src.%[1]s EXCEPT SELECT %[3]s FROM main.%[1]s))", name, key, compared, all)
		for _, text := range []string{gone, come} {
			if err := w.script(ctx, text); err != nil {
				return err
			}
		}
	}
	return nil
}
