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
		for i, cell := range row {
			row[i] = Shorten(cell, widths[i])
		}
		if err := a.printLine(row, widths); err != nil {
			return err
		}
	}
	return nil
}

// printLine prints cells, each as wide as its column or wider.
func (a *App) printLine(row []string, widths []int) error {
	var b strings.Builder
	for i, cell := range row {
		b.WriteString(cell)
		if i+1 < len(row) {
			b.WriteString(strings.Repeat(" ", max(widths[i]-draw.Cells(cell), 0)+2))
		}
	}
	_, err := fmt.Fprintln(a.Out, strings.TrimRight(b.String(), " "))
	return err
}

// Feed is a table whose rows take long to come: each is printed as soon as it is
// there. A cell that is wider than its column moves what follows it.
type Feed struct {
	app    *App
	bar    *Progress
	titles []string
	widths []int
	begun  bool
}

// NewFeed begins such a table, beside a bar of progress. Columns are at least as
// wide as their titles.
func (a *App) NewFeed(bar *Progress, titles []string, widths ...int) *Feed {
	f := &Feed{app: a, bar: bar, titles: titles, widths: make([]int, len(titles))}
	copy(f.widths, widths)
	for i, title := range titles {
		f.widths[i] = max(f.widths[i], draw.Cells(title))
	}
	return f
}

// Add prints a row, or what it is in JSON where that is asked for; nil then prints
// nothing.
func (f *Feed) Add(object any, cells ...string) error {
	f.bar.Close()
	switch {
	case f.app.JSON && object != nil:
		return f.app.PrintJSON(object)
	case f.app.JSON:
		return nil
	}
	print := func(row []string) error {
		if f.app.CSV {
			return f.app.PrintRow(row...)
		}
		return f.app.printLine(row, f.widths)
	}
	if !f.begun {
		f.begun = true
		if err := print(f.titles); err != nil {
			return err
		}
	}
	return print(cells)
}
