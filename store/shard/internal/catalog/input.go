package catalog

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"qipu/store"
)

// InputOf returns what was noted of an input that was read to its end; nil where
// nothing was.
func (db *DB) InputOf(ctx context.Context, path string) (*store.Input, error) {
	return ask(db, func(c *conn) (in *store.Input, err error) {
		err = c.each(ctx, "SELECT size, modified FROM input WHERE path = ?", func(row []driver.Value) error {
			in = &store.Input{Path: path, Size: num(row[0]), ModTime: time.Unix(0, num(row[1]))}
			return nil
		}, path)
		return in, err
	})
}

// Places returns the places where games were found beside the first, which the
// game itself has; of games that have others.
func (db *DB) Places(ctx context.Context, ids []uint32) (map[uint32][]store.Source, error) {
	places := map[uint32][]store.Source{}
	for block := range slices.Chunk(ids, idBlock) {
		err := db.read(func(c *conn) error {
			return c.eachOnce(ctx, "SELECT s.game, n.text, s.base, s.number, s.offset FROM source s LEFT JOIN name n ON n.id = s.folder WHERE s.game IN "+idList(block)+" ORDER BY 1, 2, 3, 4, 5", func(row []driver.Value) error {
				id := uint32(num(row[0]))
				places[id] = append(places[id], store.Source{File: textOf(row[1]) + textOf(row[2]), Number: intOf(row[3]), Offset: num(row[4])})
				return nil
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return places, nil
}
