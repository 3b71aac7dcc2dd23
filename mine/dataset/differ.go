package dataset

import (
	"fmt"
	"slices"
)

// Differ tells where the columns of two tables of the same rows differ, without their
// judgements; it is empty where they do not. A table of games and one of the same games
// cut off at the moments of its rows must not differ: what does knows the future.
func Differ(a, b *Set) (list []string) {
	if len(a.Rows) != len(b.Rows) {
		return []string{fmt.Sprintf("%d and %d rows", len(a.Rows), len(b.Rows))}
	}
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for i := range a.Items {
		x := &a.Items[i]
		j := b.Item(x.ID)
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
		if x := &b.Items[i]; a.Item(x.ID) < 0 && x.Rows.Count() > 0 {
			add("item %s: of one table alone", x.ID)
		}
	}
	same := func(x, y float64) bool { return x == y || !Known(x) && !Known(y) }
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

// Word returns the word of a row; empty where it is unknown.
func (f *Factor) Word(row int) string {
	if level := f.Of[row]; level >= 0 {
		return f.Levels[level]
	}
	return ""
}
