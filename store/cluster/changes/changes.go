// Package changes keeps on servers what people make of a library: collections, tags, saved
// queries. It knows nothing of these, but keeps rows of changes, each with a time and
// who wrote it, in a table of the first shard. Rows are only ever added.
package changes

import (
	"context"
	"fmt"

	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// Row is what somebody changed at once.
type Row struct {
	Writer, Seq uint64 // who wrote it, and which of his rows it is, from 1
	Stamp       uint64 // rises along everything that its writer knew
	Who         string // the id of a profile
	Data        []byte
}

// Seen is how many rows of a writer there are, and the number of the last.
type Seen struct{ Rows, Last uint64 }

// Table is the rows of a library.
type Table struct{ *ledger.Library }

// Seen returns which rows there are, by writer.
func (t Table) Seen(ctx context.Context) (map[uint64]Seen, error) {
	var list map[uint64]Seen
	err := t.read(ctx, func(line wire.Conn) error {
		list = map[uint64]Seen{}
		var writer uint64
		var s Seen
		return line.Query(ctx, "SELECT writer, uniqExact(stamp) AS n, max(seq) AS last FROM "+ledger.NoteTable+" GROUP BY writer", func() error {
			list[writer] = s
			return nil
		}, &writer, &s.Rows, &s.Last)
	})
	return list, err
}

// mostWriters is of how many writers rows are asked for by their numbers.
const mostWriters = 1000

// Rows returns rows in the order of their times: of some writers those behind the ones
// that are known, or all where that is nil.
func (t Table) Rows(ctx context.Context, behind map[uint64]uint64) ([]Row, error) {
	where := ""
	if behind != nil && len(behind) <= mostWriters {
		parts := []string{"0"}
		for w, seq := range behind {
			parts = append(parts, fmt.Sprintf("writer = %d AND seq > %d", w, seq))
		}
		where = " WHERE " + wire.Or(parts...)
	}
	var rows []Row
	err := t.read(ctx, func(line wire.Conn) error {
		rows = nil
		var r Row
		var data string
		return line.Query(ctx, "SELECT writer, seq, stamp, who, data FROM "+ledger.NoteTable+where+" ORDER BY stamp, writer, seq", func() error {
			r.Data = []byte(data)
			if n := len(rows); n == 0 || rows[n-1].Writer != r.Writer || rows[n-1].Stamp != r.Stamp { // one may be there twice
				rows = append(rows, r)
			}
			return nil
		}, &r.Writer, &r.Seq, &r.Stamp, &r.Who, &data)
	})
	return rows, err
}

// read reads the table. A library of an older program has none, and no rows.
func (t Table) read(ctx context.Context, f func(wire.Conn) error) error {
	err := t.Shards[0].Read(ctx, "reading what people made", f)
	if wire.Code(err) == wire.CodeUnknownTable {
		return nil
	}
	return err
}

// Put adds a row. The table is made where there is none.
func (t Table) Put(ctx context.Context, r Row) error {
	put := func() error {
		columns := []any{[]uint64{r.Writer}, []uint64{r.Seq}, []uint64{r.Stamp}, []string{r.Who}, []string{string(r.Data)}}
		_, err := t.Shards[0].InsertOnce(ctx, ledger.NoteTable, []string{"writer", "seq", "stamp", "who", "data"}, columns, fmt.Sprintf("writer = %d AND seq = %d", r.Writer, r.Seq), 1)
		return err
	}
	err := put()
	if wire.Code(err) == wire.CodeUnknownTable {
		if err = t.MakeNotes(ctx); err == nil {
			err = put()
		}
	}
	return err
}
