package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"qipu/board/draw"
)

// table is a list to print: in columns for people, as CSV, or as one JSON
// object a line.
type table struct {
	columns []string
	rows    [][]string
	objects []any // what each row is in JSON
}

func (t *table) add(object any, cells ...string) {
	t.rows = append(t.rows, cells)
	t.objects = append(t.objects, object)
}

// print prints a table in the form that the flags ask for.
func (a *app) print(t *table) error {
	switch {
	case a.json:
		for _, o := range t.objects {
			if err := a.printJSON(o); err != nil {
				return err
			}
		}
		return nil
	case a.csv:
		w := csv.NewWriter(a.out)
		if err := w.Write(t.columns); err != nil {
			return err
		}
		return w.WriteAll(t.rows)
	}
	return a.printColumns(t)
}

// printRow prints one row of CSV, for lists that are too long to gather.
func (a *app) printRow(cells ...string) error {
	w := csv.NewWriter(a.out)
	if err := w.Write(cells); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// printJSON prints one object on one line.
func (a *app) printJSON(o any) error {
	line, err := marshalLine(o)
	if err != nil {
		return err
	}
	_, err = a.out.Write(line)
	return err
}

// marshalLine returns an object as one line of JSON.
func marshalLine(o any) ([]byte, error) {
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
func (a *app) fit(columns []string, widths []int) {
	if a.width <= 0 {
		return
	}
	total := 2 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > a.width; total-- {
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

func (a *app) printColumns(t *table) error {
	widths := make([]int, len(t.columns))
	lines := append([][]string{t.columns}, t.rows...)
	for _, row := range lines {
		for i, cell := range row {
			widths[i] = max(widths[i], draw.Cells(cell))
		}
	}
	a.fit(t.columns, widths)
	for _, row := range lines {
		var b strings.Builder
		for i, cell := range row {
			cell = shorten(cell, widths[i])
			b.WriteString(cell)
			if i+1 < len(row) {
				b.WriteString(strings.Repeat(" ", widths[i]-draw.Cells(cell)+2))
			}
		}
		if _, err := fmt.Fprintln(a.out, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}
