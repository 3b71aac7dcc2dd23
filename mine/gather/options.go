package gather

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Options say which rows and columns a table has.
type Options struct {
	Text string // the query
	Game string // the game that is meant, where the query does not say it

	Positions bool // rows are positions: see Moment
	At        Moment

	// Columns are the sorts of columns that are wanted: none wants all but Value.
	Columns []string

	// Most is how many rows there may be; 0 for MostRows.
	Most int

	// Progress is told how many games of how many are read.
	Progress func(done, total int)
}

// MostRows is how many rows a table has at most, unless somebody asks for fewer.
const MostRows = 2_000_000

// The sorts of columns.
const (
	Names    = "names"
	Shapes   = "shapes"
	Material = "material"
	Opening  = "opening"
	Ratings  = "ratings"
	Value    = "value"
)

// Columns returns all sorts of columns.
func Columns() []string { return []string{Names, Shapes, Material, Opening, Ratings, Value} }

func (o *Options) wants(column string) bool {
	if len(o.Columns) == 0 {
		return column != Value
	}
	return slices.Contains(o.Columns, column)
}

// Moment is when a row looks at its game. Rows that are games have one: after so many
// plies, at the first time that a name stands, or at the end. Rows that are positions
// have many: every so many plies, whenever a name comes to stand, or all positions.
type Moment struct {
	Ply   int    // after so many plies of a game that goes on
	First string // when the thing of this name stands; a dot before it tells whose: red.NAME
	End   bool
}

// ParseMoment reads ply:40, first:NAME or end.
func ParseMoment(text string) (m Moment, err error) {
	word, rest, _ := strings.Cut(text, ":")
	switch {
	case word == "end" && rest == "":
		return Moment{End: true}, nil
	case word == "first" && rest != "":
		return Moment{First: rest}, nil
	case word == "ply":
		if m.Ply, err = strconv.Atoi(rest); err == nil && m.Ply >= 1 && m.Ply <= 1000 {
			return m, nil
		}
	}
	return m, fmt.Errorf("%q is no moment: want ply:40 (1 to 1000), first:NAME or end", text)
}

// String returns the moment as ParseMoment reads it.
func (m Moment) String() string {
	switch {
	case m.End:
		return "end"
	case m.First != "":
		return "first:" + m.First
	}
	return "ply:" + strconv.Itoa(m.Ply)
}
