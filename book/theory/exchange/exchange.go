// Package exchange reads and writes the files in which values of positions go from
// program to program.
package exchange

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/book/theory"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
)

// Fault is a line of a file, or a record of one without lines, that could not be
// read.
type Fault struct {
	Line   int
	Reason error
}

// Format is a form of files that theories are kept in.
type Format string

// The formats.
const (
	CSV       Format = "csv"       // of this program: everything, every game
	Edax      Format = "edax"      // text as the program Edax exports it: Othello on 8x8, whole discs
	Packed    Format = "packed"    // as values come with the program: Othello on 8x8; written alone, see Theory.Ship
	Egaroucid Format = "egaroucid" // the book of that program, egbk3: Othello on 8x8, whole discs
)

// packedLevel is how deep positions have to be searched to be packed.
const packedLevel = 16

func errFormat(f Format) error {
	return fmt.Errorf("theory: the format %q is not known: there are csv, edax and egaroucid", f)
}

// columns are the header of a CSV file. Values are in discs or points with two
// places, for the side to move; what is unknown is empty.
var columns = []string{"game", "position", "leaf", "value", "lower", "upper", "level", "exact", "human", "note", "teacher"}

// oldColumns is how many of them there were before values told who searched them.
const oldColumns = 10

// Write writes all rows. Rows come by key, so that the same theory makes the
// same file.
func Write(w io.Writer, t *theory.Theory, f Format) error {
	switch f {
	case CSV:
		return writeCSV(w, t)
	case Edax:
		return writeEdax(w, t)
	case Egaroucid:
		return writeEgaroucid(w, t)
	case Packed:
		_, err := t.Ship(w, packedLevel)
		return err
	}
	return errFormat(f)
}

// Read reads rows as Write writes them, for a learner to merge. Lines that cannot
// be read are faults, and do not keep the others from being read.
func Read(r io.Reader, rules game.Rules, f Format, fault func(Fault)) ([]theory.Row, error) {
	switch f {
	case CSV:
		return readCSV(r, rules, fault)
	case Edax:
		return readEdax(r, rules, fault)
	case Egaroucid:
		return readEgaroucid(r, rules, fault)
	}
	return nil, errFormat(f)
}

func specOf(r game.Rules) string {
	info := r.Info()
	if info.Variant == "" {
		return info.Name
	}
	return info.Name + ":" + info.Variant
}

func writeCSV(w io.Writer, t *theory.Theory) error {
	c := csv.NewWriter(w)
	if err := c.Write(columns); err != nil {
		return err
	}
	spec := specOf(t.Rules())
	for _, r := range t.Rows() {
		level := ""
		if r.Level > 0 {
			level = strconv.Itoa(r.Level)
		}
		if err := c.Write([]string{spec, r.Position, r.Leaf, decimal(r.Value), decimal(r.Lower), decimal(r.Upper), level, decimal(r.Exact), decimal(r.Human), r.Note, r.Teacher}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func decimal(v engine.Value) string {
	if v == engine.NoValue {
		return ""
	}
	return strconv.FormatFloat(v.Units(), 'f', 2, 64)
}

func parseDecimal(s string) (engine.Value, error) {
	if s == "" {
		return engine.NoValue, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.Abs(f) > engine.Win.Units() || math.IsNaN(f) {
		return engine.NoValue, fmt.Errorf("%q is no value", s)
	}
	return engine.Value(math.Round(f * float64(engine.Unit))), nil
}

func readCSV(r io.Reader, rules game.Rules, fault func(Fault)) (rows []theory.Row, err error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	spec, first := specOf(rules), true
	keys := graph.NewKeyer(rules)
	for {
		cells, err := c.Read()
		if err == io.EOF {
			return rows, nil
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) && !first {
			fault(Fault{syntax.Line, syntax.Err})
			continue
		}
		if first && (syntax != nil || err == nil && !slices.Equal(cells, columns) && !slices.Equal(cells, columns[:oldColumns])) {
			return nil, fmt.Errorf("theory: it is not such a CSV file: the first line has to be %s", strings.Join(columns, ","))
		}
		if err != nil {
			return rows, fmt.Errorf("theory: %w", err)
		}
		if first {
			first = false
			continue
		}
		line, _ := c.FieldPos(0)
		row, err := rowOf(keys, cells, spec)
		if err != nil {
			fault(Fault{line, err})
			continue
		}
		rows = append(rows, row)
	}
}

func rowOf(keys *graph.Keyer, cells []string, spec string) (row theory.Row, err error) {
	if len(cells) != len(columns) && len(cells) != oldColumns {
		return row, fmt.Errorf("it has %d columns, and not %d", len(cells), len(columns))
	}
	if cells[0] != spec {
		return row, fmt.Errorf("it is of the game %q, and not of %q", cells[0], spec)
	}
	row = theory.Row{Position: cells[1], Leaf: cells[2], Note: cells[9]}
	for _, c := range []struct {
		text string
		into *engine.Value
	}{{cells[3], &row.Value}, {cells[4], &row.Lower}, {cells[5], &row.Upper}, {cells[7], &row.Exact}, {cells[8], &row.Human}} {
		if *c.into, err = parseDecimal(c.text); err != nil {
			return row, err
		}
	}
	if cells[6] != "" {
		if row.Level, err = strconv.Atoi(cells[6]); err != nil || row.Level < 0 || row.Level > theory.LevelHuman {
			return row, fmt.Errorf("%q is no level", cells[6])
		}
	}
	if len(cells) > oldColumns {
		row.Teacher = cells[oldColumns]
	}
	return keys.Normal(row)
}
