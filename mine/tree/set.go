package tree

import (
	"fmt"
	"slices"

	"qipu/mine/dataset"
)

// Rows is a table of the rows of a data set that are judged, with what
// cross-validation and comparison need.
type Rows struct {
	Table
	Base     []int // columns of the base: material, ratings, and value where the table has it
	Of       []int // the row of the data set that each row is
	Openings [][]string
	Players  [][]string // of both sides
	Rare     int        // items that were left out, since too few rows have them, or too few have not
	Unjudged int        // rows that were left out, since nothing is known of how they ended
	Told     []string   // what else could not be done, for people
}

// MinRows is how many rows a tree is learnt from at least.
const MinRows = 100

// basic are the numbers that need no mining: what stands on the board, who plays, and what
// the evaluation says where it is not judged by that.
var basic = []string{"material", "rating", "rank", "strength", "value"}

// FromSet makes a table of a data set: items become flags, numbers stay. Items that
// are codes of openings are left out: they are what rows are grouped by. Item
// columns have names for people.
func FromSet(s *dataset.Set, judgement string, share float64) (*Rows, error) {
	j := s.Judgement(judgement)
	if j == nil {
		return nil, fmt.Errorf("tree: the table has no judgement %q", judgement)
	}
	r := &Rows{}
	for i, v := range j.Values {
		if !dataset.Known(v) {
			r.Unjudged++
			continue
		}
		r.Of = append(r.Of, i)
		r.Score = append(r.Score, v)
		r.Weight = append(r.Weight, s.Rows[i].Weight)
	}
	switch n := len(r.Of); {
	case n == 0:
		return nil, ErrEmpty
	case n < MinRows:
		return nil, fmt.Errorf("%w: %d, and at least %d are needed", ErrFew, n, MinRows)
	}
	for _, n := range s.Numbers {
		if n.Name == "year" || n.Name == judgement {
			continue
		}
		values := make([]float32, len(r.Of))
		known := 0
		for i, row := range r.Of {
			values[i] = float32(n.Values[row])
			if dataset.Known(n.Values[row]) {
				known++
			}
		}
		if known == 0 {
			continue
		}
		if slices.Contains(basic, n.Name) {
			r.Base = append(r.Base, len(r.Columns))
		}
		r.Columns = append(r.Columns, Column{Name: n.Name, Values: values})
	}
	least := max(2, int(share*float64(len(r.Of))))
	for k := range s.Items {
		it := &s.Items[k]
		if it.Kind == "code" {
			continue
		}
		n := 0
		values := make([]float32, len(r.Of))
		for i, row := range r.Of {
			if it.Rows.Has(row) {
				values[i] = 1
				n++
			}
		}
		if n < least || len(r.Of)-n < least {
			r.Rare++
			continue
		}
		name := it.Title
		if name == "" {
			name = it.ID
		}
		r.Columns = append(r.Columns, Column{Name: name, Values: values, Flag: true})
	}
	opening, first, second := s.Factor("opening"), s.Factor("first"), s.Factor("second")
	for _, row := range r.Of {
		// Rows of one game stay together, whatever else is known of it.
		own := fmt.Sprintf("game %d", s.Rows[row].Game)
		r.Openings = append(r.Openings, words(own, row, opening))
		r.Players = append(r.Players, words(own, row, first, second))
	}
	return r, nil
}

// words returns what is known of a row, or its game where that is nothing.
func words(own string, row int, factors ...*dataset.Factor) (list []string) {
	for _, f := range factors {
		if f == nil {
			continue
		}
		if w := f.Word(row); w != "" {
			list = append(list, w)
		}
	}
	if list == nil {
		return []string{own}
	}
	return list
}

// Clusters returns the first group of each row.
func Clusters(groups [][]string) []string {
	list := make([]string, len(groups))
	for i, g := range groups {
		if len(g) > 0 {
			list[i] = g[0]
		}
	}
	return list
}
