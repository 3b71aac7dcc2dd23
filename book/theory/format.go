package theory

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/book"
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
	Egaroucid Format = "egaroucid" // the book of that program, egbk3: Othello on 8x8, whole discs
)

func errFormat(f Format) error {
	return fmt.Errorf("theory: the format %q is not known: there are csv, edax and egaroucid", f)
}

// columns are the header of a CSV file. Values are in discs or points with two
// places, for the side to move; what is unknown is empty.
var columns = []string{"game", "position", "leaf", "value", "lower", "upper", "level", "exact", "human", "note"}

// Write writes all rows. Rows come by key, so that the same theory makes the
// same file.
func (t *Theory) Write(w io.Writer, f Format) error {
	switch f {
	case CSV:
		return t.writeCSV(w)
	case Edax:
		return t.writeEdax(w)
	case Egaroucid:
		return t.writeEgaroucid(w)
	}
	return errFormat(f)
}

// Read reads rows as Write writes them, for Merge to take over. Lines that cannot
// be read are faults, and do not keep the others from being read.
func Read(r io.Reader, rules game.Rules, f Format, fault func(Fault)) ([]Row, error) {
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

func (t *Theory) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(columns); err != nil {
		return err
	}
	spec := specOf(t.rules)
	for _, r := range t.Rows() {
		level := ""
		if r.Level > 0 {
			level = strconv.Itoa(r.Level)
		}
		if err := c.Write([]string{spec, r.Position, r.Leaf, decimal(r.Value), decimal(r.Lower), decimal(r.Upper), level, decimal(r.Exact), decimal(r.Human), r.Note}); err != nil {
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

func readCSV(r io.Reader, rules game.Rules, fault func(Fault)) (rows []Row, err error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	spec, first := specOf(rules), true
	keys := newKeyer(rules)
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
		if first && (syntax != nil || err == nil && !slices.Equal(cells, columns)) {
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

func rowOf(keys *keyer, cells []string, spec string) (row Row, err error) {
	if len(cells) != len(columns) {
		return row, fmt.Errorf("it has %d columns, and not %d", len(cells), len(columns))
	}
	if cells[0] != spec {
		return row, fmt.Errorf("it is of the game %q, and not of %q", cells[0], spec)
	}
	row = Row{Position: cells[1], Leaf: cells[2], Note: cells[9]}
	for _, c := range []struct {
		text string
		into *engine.Value
	}{{cells[3], &row.Value}, {cells[4], &row.Lower}, {cells[5], &row.Upper}, {cells[7], &row.Exact}, {cells[8], &row.Human}} {
		if *c.into, err = parseDecimal(c.text); err != nil {
			return row, err
		}
	}
	if cells[6] != "" {
		if row.Level, err = strconv.Atoi(cells[6]); err != nil || row.Level < 0 || row.Level > LevelHuman {
			return row, fmt.Errorf("%q is no level", cells[6])
		}
	}
	return keys.normal(row)
}

// edaxBoard returns a position as Edax writes it: 64 squares from a1 on, X for
// the discs of the side to move where that is Black.
func edaxBoard(p game.Position) string {
	planes := p.(game.Planar).Planes()
	b := make([]byte, 0, 66)
	for y := range 8 {
		for x := range 8 {
			b = append(b, "-XO"[planes.At(board.At(x, y))])
		}
	}
	return string(append(b, ' ', "XO"[p.Turn()]))
}

// usualOthello checks that a format of others is asked for the game they play.
func usualOthello(r game.Rules, f Format) error {
	if r.Info().Name != "othello" || r.Geometry().Size != (board.Size{W: 8, H: 8}) {
		return fmt.Errorf("theory: the format %s is of Othello on 8x8 alone: use csv for other games", f)
	}
	return nil
}

// writeEdax writes a line for each position: board and side, level, and the
// known moves with their values, the best first.
func (t *Theory) writeEdax(w io.Writer) error {
	if err := usualOthello(t.rules, Edax); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, row := range t.Rows() {
		p, err := game.ParsePosition(t.rules, row.Position)
		if err != nil {
			return err
		}
		e := t.Look(p)
		slices.SortStableFunc(e.Moves, func(a, b Move) int {
			x, _ := a.Best()
			y, _ := b.Best()
			return cmp.Compare(y, x)
		})
		fmt.Fprintf(out, "%s,%d", edaxBoard(p), min(row.Level, 60))
		for _, m := range e.Moves {
			if v, why := m.Best(); why != Unknown {
				fmt.Fprintf(out, ",%s,%d", game.FormatMove(t.rules, p, m.Move, game.AnyNotation), int(math.Round(v.Units())))
			}
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// readEdax reads such lines. The best move of a position that leads to none of
// the file becomes its leaf, with the usual margin; a position whose moves all
// lead on needs none.
func readEdax(r io.Reader, rules game.Rules, fault func(Fault)) (rows []Row, err error) {
	if err := usualOthello(rules, Edax); err != nil {
		return nil, err
	}
	type said struct {
		key   book.Key
		move  string
		value engine.Value
	}
	keys := newKeyer(rules)
	var moves [][]said
	known := map[book.Key]bool{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || strings.HasPrefix(text, "%") || strings.HasPrefix(text, "#") {
			continue
		}
		cells := strings.Split(text, ",")
		row, list, err := func() (row Row, list []said, err error) {
			if len(cells) < 2 || len(cells)%2 != 0 {
				return row, nil, errors.New("want a board, a level, and moves with values, parted by commas")
			}
			p, err := game.ParsePosition(rules, strings.TrimSuffix(strings.TrimSpace(cells[0]), ";"))
			if err != nil {
				return row, nil, err
			}
			row = blank(book.Key{}, game.FormatPosition(rules, p))
			if row.Level, err = strconv.Atoi(strings.TrimSpace(cells[1])); err != nil || row.Level < 0 || row.Level > 60 {
				return row, nil, fmt.Errorf("%q is no level", cells[1])
			}
			for i := 2; i < len(cells); i += 2 {
				m, err := rules.ParseMove(p, strings.TrimSpace(cells[i]), game.AnyNotation)
				if err != nil {
					return row, nil, fmt.Errorf("the move %q: %w", cells[i], err)
				}
				score, err := strconv.Atoi(strings.TrimSpace(cells[i+1]))
				if err != nil || score < -64 || score > 64 {
					return row, nil, fmt.Errorf("%q is no number of discs", cells[i+1])
				}
				key, _, err := keys.after(p, m)
				if err != nil {
					return row, nil, err
				}
				list = append(list, said{key, game.FormatMove(rules, p, m, game.AnyNotation), engine.Value(score) * engine.Unit})
			}
			row.Key, _ = keys.key(p)
			return row, list, nil
		}()
		if err != nil {
			fault(Fault{line, err})
			continue
		}
		rows, moves = append(rows, row), append(moves, list)
		known[row.Key] = true
	}
	if err := in.Err(); err != nil {
		return rows, fmt.Errorf("theory: %w", err)
	}
	for i := range rows {
		row := &rows[i]
		for _, m := range moves[i] {
			if !known[m.key] && (row.Leaf == "" || m.value > row.Value) {
				row.Leaf, row.Value, row.Lower, row.Upper = m.move, m.value, m.value-MarginMid, m.value+MarginMid
			}
		}
		if rows[i], err = keys.normal(*row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
