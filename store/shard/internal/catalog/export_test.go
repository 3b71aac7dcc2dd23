package catalog

import (
	"context"
	"errors"

	"github.com/klauspost/compress/zstd"

	"qipu/store"
)

// Exec runs statements on the connection that writes, to damage a library.
func (db *DB) Exec(text string) error { return db.w.script(context.Background(), text) }

// WithoutReferences runs statements with foreign keys unchecked.
func (db *DB) WithoutReferences(text string) error {
	return errors.Join(db.Exec("PRAGMA foreign_keys = 0"), db.Exec(text), db.Exec("PRAGMA foreign_keys = 1"))
}

// Number runs a query for a number on the connection that writes.
func (db *DB) Number(text string) (int64, error) {
	n, _, err := db.w.number(context.Background(), text)
	return n, err
}

// Newest returns the version of the schema that the program writes.
func Newest() int64 { return int64(len(scripts())) }

// OpenVersion opens or makes a library for writing as the program of an earlier
// version did.
func OpenVersion(ctx context.Context, dir string, version int) (*DB, error) {
	return open(ctx, dir, Options{Create: true, Holder: "test"}, scripts()[:version])
}

// Upgrade opens the database of a library with further versions of the schema.
func Upgrade(ctx context.Context, file string, more ...string) error {
	c, err := dial(dsn(file, "mode", "rwc"))
	if err != nil {
		return err
	}
	return errors.Join(prepareSchema(ctx, c, false, append(scripts(), more...)), c.close())
}

// Repack packs texts into a chunk and unpacks it again.
func Repack(entries []store.Entry) ([]store.Text, error) {
	p, err := newPacker()
	if err != nil {
		return nil, err
	}
	data, sum := p.pack(entries)
	c, err := unpack(newChunkCache().dec, data, sum)
	if err != nil {
		return nil, err
	}
	var texts []store.Text
	for i := range entries {
		record, raw, _ := c.text(i)
		texts = append(texts, store.Text{Record: record, Raw: raw})
	}
	return texts, nil
}

// UnpackAny unpacks any bytes as a chunk whose checksum is right.
func UnpackAny(dec *zstd.Decoder, data []byte, sum uint64) (games int, err error) {
	c, err := unpack(dec, data, sum)
	if err != nil {
		return 0, err
	}
	for i := range c.games {
		c.text(i)
	}
	return c.games, nil
}

// RemainsColumns returns the types of columns that a salvage knows tables by, with a
// slash before those of tables without numbers of rows.
func RemainsColumns() map[string]string {
	columns := map[string]string{}
	for _, t := range remains {
		if columns[t.Name] = t.Columns; t.Tree {
			columns[t.Name] = "/" + t.Columns
		}
	}
	return columns
}
