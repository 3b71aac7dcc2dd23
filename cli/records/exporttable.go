package records

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"qipu/cli"
)

// hitColumns are those that a table has beside what is known of a game.
var hitColumns = []string{"hits", "ply", "variation", "likeness", "differs"}

// intoTable writes a row a game.
func (e *exporter) intoTable(ctx context.Context, ids []uint32) error {
	if err := e.ready(); err != nil {
		return err
	}
	sheet, err := e.library.Search().Sheet(ctx)
	if err != nil {
		return err
	}
	write := func(to io.Writer) error {
		buf := bufio.NewWriter(to)
		w := csv.NewWriter(buf)
		if err := w.Write(append(sheet.Columns(), hitColumns...)); err != nil {
			return err
		}
		for chunk := range slices.Chunk(ids, exportChunk) {
			games, err := e.library.Records().Games(ctx, chunk)
			if err != nil {
				return err
			}
			for i := range games {
				g := &games[i]
				if err := w.Write(append(sheet.Cells(g), e.hit(g.ID)...)); err != nil {
					return err
				}
				e.written++
				e.bar.Step(1)
			}
		}
		w.Flush()
		if err := w.Error(); err != nil {
			return err
		}
		return buf.Flush()
	}
	switch {
	case e.options.dryRun:
		return write(io.Discard)
	case e.options.output == "-":
		return write(e.app.Out)
	}
	return cli.Atomically(e.options.output, write)
}

// hit returns where the board of the query occurs in a game.
func (e *exporter) hit(id uint32) []string {
	row := e.rows[id]
	if row == nil || row.Ply < 0 {
		return []string{"", "", "", "", ""}
	}
	likeness, differs := "", ""
	if e.frame != nil {
		likeness, differs = cli.ShareText(row.Likeness), e.frame.Differences(row)
	}
	return []string{strconv.Itoa(int(row.Occurrences)), strconv.Itoa(int(row.Ply)), fmt.Sprint(row.Variation), likeness, differs}
}
