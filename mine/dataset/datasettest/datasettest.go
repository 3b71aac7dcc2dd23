// Package datasettest has what tests of miners need of tables: rows of made games, and
// what tells two tables apart.
package datasettest

import (
	"fmt"
	"math"
	"slices"

	"qipu/mine/dataset"
)

// GameRows returns n rows of a game each, numbered from 1, at a moment behind all plies.
func GameRows(n int) []dataset.Row {
	rows := make([]dataset.Row, n)
	for i := range rows {
		rows[i] = dataset.Row{Game: uint32(i + 1), Ply: math.MaxUint16, Weight: 1}
	}
	return rows
}

// Item returns the number of an item by its id, or -1.
func Item(s *dataset.Set, id string) int {
	return slices.IndexFunc(s.Items, func(it dataset.Item) bool { return it.ID == id })
}

// Differ tells where the columns of two tables of the same rows differ, without their
// judgements; it is empty where they do not. A table of games and one of the same games
// cut off at the moments of its rows must not differ: what does knows the future.
func Differ(a, b *dataset.Set) (list []string) {
	if len(a.Rows) != len(b.Rows) {
		return []string{fmt.Sprintf("%d and %d rows", len(a.Rows), len(b.Rows))}
	}
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for i := range a.Items {
		x := &a.Items[i]
		j := Item(b, x.ID)
		switch {
		case j < 0 && x.Rows.Count() == 0:
		case j < 0:
			add("item %s: of one table alone", x.ID)
		case !slices.Equal(x.Rows, b.Items[j].Rows):
			add("item %s: %d and %d rows", x.ID, x.Rows.Count(), b.Items[j].Rows.Count())
		case !slices.Equal(x.Spans, b.Items[j].Spans):
			add("item %s: other spans", x.ID)
		}
	}
	for i := range b.Items {
		if x := &b.Items[i]; Item(a, x.ID) < 0 && x.Rows.Count() > 0 {
			add("item %s: of one table alone", x.ID)
		}
	}
	same := func(x, y float64) bool { return x == y || !dataset.Known(x) && !dataset.Known(y) }
	for _, x := range a.Numbers {
		if y := b.Number(x.Name); y == nil || !slices.EqualFunc(x.Values, y.Values, same) {
			add("number %s", x.Name)
		}
	}
	for _, x := range a.Factors {
		y := b.Factor(x.Name)
		if y == nil {
			add("factor %s", x.Name)
			continue
		}
		for r := range a.Rows {
			if x.Word(r) != y.Word(r) {
				add("factor %s", x.Name)
				break
			}
		}
	}
	return list
}
