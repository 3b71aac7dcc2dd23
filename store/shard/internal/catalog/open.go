package catalog

import (
	"context"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"qipu/store"
)

// FileName is the name of the database in the folder of a library.
const FileName = "catalog.db"

// Options say how to open a library. The zero value opens an existing one for
// reading and writing.
type Options struct {
	ReadOnly bool
	Create   bool   // make the library if there is none; not with ReadOnly
	Holder   string // the program, for the message to a second writer; default: the name of the binary
}

// DB is an open library. It is safe for use by many goroutines.
type DB struct {
	dir    string
	pool   *pool
	chunks *chunkCache
	names  *nameCache

	lock *os.File      // nil when reading only, as is w
	turn chan struct{} // holds one token: whoever has it may use w
	w    *writer
}

// Open opens the library in a folder. It returns store.ErrNoLibrary where there is
// none, a *LockedError where another process writes to it, and a *NewerError
// where a newer program made it. A library of an older version is brought up
// to date in one transaction; for ReadOnly it stays as it is, and what it has
// no room for reads as empty.
func Open(ctx context.Context, dir string, o Options) (*DB, error) {
	return open(ctx, dir, o, scripts())
}

func open(ctx context.Context, dir string, o Options, scripts []string) (*DB, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	file := filepath.Join(dir, FileName)
	switch _, err := os.Stat(file); {
	case errors.Is(err, os.ErrNotExist) && (o.ReadOnly || !o.Create):
		return nil, notFound(dir)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("catalog: %w", err)
	}
	db := &DB{dir: dir, chunks: newChunkCache(), names: newNameCache()}
	if o.ReadOnly {
		if db.pool, err = openRead(ctx, file); err != nil {
			return nil, err
		}
		return db, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("catalog: the library cannot be made: %w", err)
	}
	if db.lock, err = takeLock(dir, o.Holder); err != nil {
		return nil, err
	}
	if err := db.openWriter(ctx, file, o.Create, scripts); err != nil {
		db.lock.Close()
		return nil, err
	}
	db.pool = &pool{dsn: dsn(file, "mode", "ro")}
	return db, nil
}

func notFound(dir string) error {
	return fmt.Errorf("catalog: %w in %s: import games to make one there, or name the folder of another", store.ErrNoLibrary, dir)
}

// The settings of the connection that writes. Every commit waits for the disk.
// The cache holds the indexes of some million games, and the log is folded into
// the database after about 32 MB, so that a page of an index that many batches
// change is written once.
func (db *DB) openWriter(ctx context.Context, file string, create bool, scripts []string) error {
	c, err := dial(dsn(file, "mode", "rwc", "_pragma", "synchronous(2)", "_pragma", "cache_size(-65536)", "_pragma", "wal_autocheckpoint(4000)"))
	if err != nil {
		return err
	}
	if err := prepareSchema(ctx, c, create, scripts); err != nil {
		c.close()
		if errors.Is(err, store.ErrNoLibrary) {
			return notFound(db.dir)
		}
		return explain(err)
	}
	if db.w, err = newWriter(c); err != nil {
		c.close()
		return err
	}
	db.turn = make(chan struct{}, 1)
	db.turn <- struct{}{}
	return nil
}

// openRead opens a database for reading. SQLite wants to make two files beside
// it; where it may not, and no log is left over from a writer, the database is
// taken for one that nobody changes.
func openRead(ctx context.Context, file string) (*pool, error) {
	p := &pool{dsn: dsn(file, "mode", "ro")}
	err := p.check(ctx)
	if hasCode(err, sqlite3.SQLITE_CANTOPEN) || hasCode(err, sqlite3.SQLITE_READONLY) {
		if wal, statErr := os.Stat(file + "-wal"); statErr != nil || wal.Size() == 0 {
			p = &pool{dsn: dsn(file, "mode", "ro", "immutable", "1")}
			err = p.check(ctx)
		}
	}
	if errors.Is(err, store.ErrNoLibrary) {
		return nil, notFound(filepath.Dir(file))
	}
	if err != nil {
		return nil, explain(err)
	}
	return p, nil
}

// check checks that the program can read the database.
func (p *pool) check(ctx context.Context) error {
	c, err := p.get()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, c)
	if know := len(scripts()); err == nil && version > know {
		err = &store.NewerError{Have: version, Know: know}
	}
	if err != nil {
		c.close()
		return err
	}
	p.put(c)
	return nil
}

// Dir returns the folder of the library.
func (db *DB) Dir() string { return db.dir }

// Close closes the library and lets another process write. Iterations must
// have ended; an Update that runs is waited for.
func (db *DB) Close() error {
	if db.w == nil {
		return explain(db.pool.close())
	}
	if _, ok := <-db.turn; !ok {
		return nil
	}
	close(db.turn)
	err := db.pool.close() // before the writer, which then tidies up its log
	err = errors.Join(err, db.w.close())
	return explain(errors.Join(err, db.lock.Close()))
}

//go:embed schema/*.sql
var schemaFiles embed.FS

// scripts returns the scripts of the versions, from version 1.
func scripts() []string {
	list, err := schemaFiles.ReadDir("schema")
	if err != nil {
		panic(err) // they are in the binary
	}
	var texts []string
	for _, e := range list {
		text, err := schemaFiles.ReadFile("schema/" + e.Name())
		if err != nil {
			panic(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// schemaVersion returns the version of a database, or store.ErrNoLibrary for an empty
// file, which a crash at the very beginning leaves.
func schemaVersion(ctx context.Context, c *conn) (int, error) {
	tables, metas := 0, 0
	err := c.eachOnce(ctx, "SELECT name FROM sqlite_schema", func(row []driver.Value) error {
		tables++
		if row[0] == "meta" {
			metas++
		}
		return nil
	})
	switch {
	case err != nil:
		return 0, err
	case tables == 0:
		return 0, store.ErrNoLibrary
	case metas == 0:
		return 0, fmt.Errorf("%w: %s is the database of something else", store.ErrDamaged, FileName)
	}
	version, ok, err := c.number(ctx, "SELECT value FROM meta WHERE key = 'version'")
	if err == nil && (!ok || version < 1) {
		err = fmt.Errorf("%w: %s does not say its version", store.ErrDamaged, FileName)
	}
	return int(version), err
}

// prepareSchema makes the tables of a new database and brings those of an old
// one up to date. It writes nothing to a database that it refuses.
func prepareSchema(ctx context.Context, c *conn, create bool, scripts []string) error {
	version, err := schemaVersion(ctx, c)
	switch {
	case err == store.ErrNoLibrary && create:
		if err := c.script(ctx, "PRAGMA page_size = 8192"); err != nil {
			return err
		}
	case err != nil:
		return err
	case version > len(scripts):
		return &store.NewerError{Have: version, Know: len(scripts)}
	}
	if err := c.eachOnce(ctx, "PRAGMA journal_mode = WAL", func(row []driver.Value) error {
		if row[0] != "wal" {
			return fmt.Errorf("catalog: the file system of the library does not support a write-ahead log (some network drives do not): move it to another one")
		}
		return nil
	}); err != nil || version == len(scripts) {
		return err
	}
	if err := c.script(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for v := version; v < len(scripts); v++ {
		err := c.script(ctx, scripts[v])
		if err == nil {
			_, err = c.exec(ctx, "UPDATE meta SET value = ? WHERE key = 'version'", int64(v+1))
		}
		if err != nil {
			err = fmt.Errorf("catalog: bringing the library to format %d failed, nothing was changed: %w", v+1, err)
			return errors.Join(err, c.script(context.Background(), "ROLLBACK"))
		}
	}
	if version < digestFrom && len(scripts) >= digestFrom {
		if err := (&digester{sums: map[rowID]int64{}}).seal(ctx, c); err != nil {
			return errors.Join(err, c.script(context.Background(), "ROLLBACK"))
		}
	}
	return c.script(ctx, "COMMIT")
}
