package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"qipu/board/draw"
)

// Table is a list to print: in columns for people, as CSV, or as one JSON
// object a line.
type Table struct {
	Columns []string
	Rows    [][]string
	Objects []any // what each row is in JSON
}

// Add adds a row, and what it is in JSON.
func (t *Table) Add(object any, cells ...string) {
	t.Rows = append(t.Rows, cells)
	t.Objects = append(t.Objects, object)
}

// Print prints a table in the form that the flags ask for.
func (a *App) Print(t *Table) error {
	switch {
	case a.JSON:
		for _, o := range t.Objects {
			if err := a.PrintJSON(o); err != nil {
				return err
			}
		}
		return nil
	case a.CSV:
		w := csv.NewWriter(a.Out)
		if err := w.Write(t.Columns); err != nil {
			return err
		}
		return w.WriteAll(t.Rows)
	}
	return a.PrintColumns(t)
}

// PrintRow prints one row of CSV, for lists that are too long to gather.
func (a *App) PrintRow(cells ...string) error {
	w := csv.NewWriter(a.Out)
	if err := w.Write(cells); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// PrintJSON prints one object on one line.
func (a *App) PrintJSON(o any) error {
	line, err := MarshalLine(o)
	if err != nil {
		return err
	}
	_, err = a.Out.Write(line)
	return err
}

// MarshalLine returns an object as one line of JSON.
func MarshalLine(o any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(o)
	return b.Bytes(), err
}

// elastic are the columns that may be cut where a terminal is narrow. The others
// are short, or make no sense in part.
var elastic = []string{"event", "query", "differs", "also written", "note", "meaning", "value", "names"}

// narrowest is how many cells are left of a column that is cut.
const narrowest = 8

// fit narrows the widest columns that may be cut until a table fits into a
// terminal, or none can be cut any more. Who writes to a file gets all.
func (a *App) fit(columns []string, widths []int) {
	if a.Width <= 0 {
		return
	}
	total := 2 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > a.Width; total-- {
		widest := -1
		for i, name := range columns {
			if slices.Contains(elastic, name) && widths[i] > max(narrowest, draw.Cells(name)) && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

// PrintColumns prints a table for people.
func (a *App) PrintColumns(t *Table) error {
	widths := make([]int, len(t.Columns))
	lines := append([][]string{t.Columns}, t.Rows...)
	for _, row := range lines {
		for i, cell := range row {
			widths[i] = max(widths[i], draw.Cells(cell))
		}
	}
	a.fit(t.Columns, widths)
	for _, row := range lines {
		var b strings.Builder
		for i, cell := range row {
			cell = Shorten(cell, widths[i])
			b.WriteString(cell)
			if i+1 < len(row) {
				b.WriteString(strings.Repeat(" ", widths[i]-draw.Cells(cell)+2))
			}
		}
		if _, err := fmt.Fprintln(a.Out, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}
