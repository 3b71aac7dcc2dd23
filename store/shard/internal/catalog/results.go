package catalog

import (
	"context"
	"database/sql/driver"
	"iter"
	"slices"
	"strconv"

	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
)

const resultQuery = "SELECT id, key, plies, verdict, margin, format, format IS NULL AND folder IS NULL AND base = '" + record.PlayFile + "' FROM game WHERE kind = (SELECT id FROM kind WHERE text = ?)"

// ScanResults yields all games of a kind by rising number, about a million a
// second. It ends after an error.
func (db *DB) ScanResults(ctx context.Context, kind string) iter.Seq2[store.ResultRow, error] {
	return db.results(ctx, resultQuery+" ORDER BY id", kind)
}

// resultChunk is how many games are asked for in one statement, whose length is
// limited.
const resultChunk = 4096

// Results yields some games, given by rising number: those of them that there
// are, and are of a kind. It ends after an error.
func (db *DB) Results(ctx context.Context, kind string, ids []uint32) iter.Seq2[store.ResultRow, error] {
	return func(yield func(store.ResultRow, error) bool) {
		for chunk := range slices.Chunk(ids, resultChunk) {
			text := []byte(resultQuery + " AND id IN (")
			for i, id := range chunk {
				if i > 0 {
					text = append(text, ',')
				}
				text = strconv.AppendUint(text, uint64(id), 10)
			}
			for row, err := range db.results(ctx, string(text)+") ORDER BY id", kind) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

func (db *DB) results(ctx context.Context, text, kind string) iter.Seq2[store.ResultRow, error] {
	return func(yield func(store.ResultRow, error) bool) {
		err := db.readTx(ctx, func(c *conn) error {
			return c.each(ctx, text, func(row []driver.Value) error {
				r := store.ResultRow{ID: uint32(num(row[0])), Key: uint64(num(row[1])), Plies: int(num(row[2])), Verdict: facts.Verdict(intOf(row[3])), Format: int64(intOf(row[5]))}
				r.Margin, _ = row[4].(float64)
				r.Here = intOf(row[6]) != 0
				if !yield(r, nil) {
					return errStop
				}
				return nil
			}, kind)
		})
		if err != nil {
			yield(store.ResultRow{}, err)
		}
	}
}
