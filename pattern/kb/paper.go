package kb

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"qipu/board"
	"qipu/pattern"
)

// The field form of the paper: five rows of five symbols, then six numbers on
// one line or on two,
//
//	_ _ _ _ _
//	_ _ X O _
//	_ X . X _
//	_ _ O _ _
//	_ _ _ _ _
//	33 33 11 4 8 00
//
// which are the good point of own and of the enemy (row and column from 1, 00 for
// none), the sum of the purposes, the urgency, the number of orientations and the
// place. The number of orientations is computed: one that is typed otherwise is
// a fault, and the shape is read all the same.
//
// Shapes that are larger are merged from several tiles, as the paper merges two:
// a line "+" joins the next tile at the right, a line "=" begins a new row of
// tiles. How the paper marks this is not told in its text; nor are places other
// than 00. Rows and columns above 9 are written as letters, a for 10.
//
// A line that begins with ; is a comment; one right before a shape is its id.

// tile is the side of a tile of the paper.
const tile = 5

// ErrForm tells that a form has no way to write a shape.
var ErrForm = errors.New("the form cannot hold it")

// ParsePaper reads shapes in the field form of the paper. They have no terms and
// no names; those without an id are called paper-1 and so on.
func ParsePaper(name string, data []byte) *File {
	f := new(File)
	r := lineReader{file: name, rest: bytes.TrimPrefix(data, []byte("\ufeff"))}
	for {
		e, faults := r.paper(len(f.Entries) + len(f.Faults) + 1)
		f.Faults = append(f.Faults, faults...)
		if e == nil && len(faults) == 0 {
			return f
		}
		if e != nil {
			f.Entries = append(f.Entries, *e)
		}
	}
}

// lineReader gives the lines of a file that say something.
type lineReader struct {
	file string
	rest []byte
	line int
	id   string // of the comment that stands before
}

// next returns the next line without blanks around it, or false at the end.
func (r *lineReader) next() (string, bool) {
	for len(r.rest) > 0 {
		raw, rest, _ := bytes.Cut(r.rest, []byte("\n"))
		r.rest = rest
		r.line++
		text := strings.TrimSpace(string(raw))
		if comment, ok := strings.CutPrefix(text, ";"); ok {
			r.id = strings.TrimSpace(comment)
			continue
		}
		if text != "" {
			return text, true
		}
	}
	return "", false
}

// peek returns the next line and leaves it there.
func (r *lineReader) peek() (string, bool) {
	copy := *r
	return copy.next()
}

func (r *lineReader) fault(format string, args ...any) []*Error {
	return []*Error{{r.file, r.line, fmt.Sprintf(format, args...)}}
}

// named returns the id of the shape that is read now.
func (r *lineReader) named(form string, n int) string {
	id := r.id
	r.id = ""
	if !validID(id) {
		id = form + "-" + strconv.Itoa(n)
	}
	return id
}

// isFields tells whether a line holds numbers and no symbols. A row above 9 makes
// them begin with a letter.
func isFields(text string) bool {
	return text != "" && (text[0] >= '0' && text[0] <= '9' || text[0] >= 'a' && text[0] <= 'z')
}

// paper reads one shape. It returns nothing at the end of the file. After a fault
// it goes on behind the fields of the shape that has it.
func (r *lineReader) paper(n int) (*Entry, []*Error) {
	text, ok := r.next()
	if !ok {
		return nil, nil
	}
	e := &Entry{ID: r.named("paper", n), File: r.file, Line: r.line, Origin: Paper}
	var grid [][]string // rows of tiles, each five lines joined by line ends
	grid = append(grid, nil)
	var lines []string
	var faults []*Error
	for ; ok && !isFields(text); text, ok = r.next() {
		switch {
		case text == "+" || text == "=":
			if len(lines) != tile {
				faults = append(faults, r.fault("a tile of %d rows: it has %d", len(lines), tile)...)
			}
			grid[len(grid)-1] = append(grid[len(grid)-1], strings.Join(lines, "\n"))
			lines = nil
			if text == "=" {
				grid = append(grid, nil)
			}
		default:
			lines = append(lines, text)
		}
	}
	grid[len(grid)-1] = append(grid[len(grid)-1], strings.Join(lines, "\n"))
	fields := strings.Fields(text)
	if more, _ := r.peek(); ok && len(fields) < 6 && isFields(more) {
		r.next()
		fields = append(fields, strings.Fields(more)...)
	}
	if len(faults) > 0 {
		return nil, faults[:1]
	}
	if err := e.tiles(grid); err != nil {
		return nil, r.fault("%s: %v", e.ID, err)
	}
	typed, err := e.fields(fields)
	if err != nil {
		return nil, r.fault("%s: %v", e.ID, err)
	}
	if err := e.Validate(); err != nil {
		return nil, r.fault("%s", strings.TrimPrefix(err.Error(), "kb: "))
	}
	if n := e.Orientations(); n != typed {
		return e, r.fault("%s has %d orientations, not %d: the number is computed", e.ID, n, typed)
	}
	return e, nil
}

// tiles puts the tiles of a shape together.
func (e *Entry) tiles(grid [][]string) error {
	e.Size = board.Size{W: tile * len(grid[0]), H: tile * len(grid)}
	if e.Size.W > MaxSide || e.Size.H > MaxSide {
		return fmt.Errorf("%v cells: at most %d columns and rows", e.Size, MaxSide)
	}
	e.Cells = make([]pattern.Set, e.Size.Area())
	for ty, row := range grid {
		if len(row) != len(grid[0]) {
			return fmt.Errorf("a row of %d tiles below one of %d", len(row), len(grid[0]))
		}
		for tx, text := range row {
			lines := strings.Split(text, "\n")
			if len(lines) != tile {
				return fmt.Errorf("a tile of %d rows: it has %d", len(lines), tile)
			}
			for y, line := range lines {
				x := 0
				for _, c := range line {
					if unicode.IsSpace(c) {
						continue
					}
					set := pattern.Set(0)
					if c < 128 && strings.ContainsRune("OX.&@_", c) {
						set = symbol(byte(c))
					}
					if set == 0 {
						return fmt.Errorf("%q is no symbol of the paper: write O X . & @ _", c)
					}
					if x < tile {
						e.Cells[(ty*tile+y)*e.Size.W+tx*tile+x] = set
					}
					x++
				}
				if x != tile {
					return fmt.Errorf("a row of %d symbols: it has %d", x, tile)
				}
			}
		}
	}
	return nil
}

// fields reads the six numbers, and returns the number of orientations.
func (e *Entry) fields(list []string) (orientations int, err error) {
	if len(list) != 6 {
		return 0, fmt.Errorf("%d fields: write own's and the enemy's good point, purpose, urgency, orientations and place", len(list))
	}
	for i, to := range []*[]Spot{&e.Ours, &e.Theirs} {
		if list[i] == "00" {
			continue
		}
		if len(list[i]) != 2 {
			return 0, fmt.Errorf("%q is no point: write row and column, as in 33", list[i])
		}
		y, err1 := strconv.ParseInt(list[i][:1], 36, 8)
		x, err2 := strconv.ParseInt(list[i][1:], 36, 8)
		if err1 != nil || err2 != nil || y < 1 || x < 1 || int(y) > e.Size.H || int(x) > e.Size.W {
			return 0, fmt.Errorf("%q is no point of the shape: write row and column, as in 33", list[i])
		}
		*to = []Spot{{int8(x - 1), int8(y - 1)}}
	}
	purpose, err := strconv.ParseUint(list[2], 10, 16)
	if err != nil || purpose >= 1<<numPurposes {
		return 0, fmt.Errorf("%q is no sum of purposes", list[2])
	}
	e.Purpose = Purpose(purpose)
	urgency, err := strconv.ParseUint(list[3], 10, 8)
	if err != nil {
		return 0, fmt.Errorf("%q is no urgency: write 1 to 4", list[3])
	}
	e.Urgency = Urgency(urgency)
	if orientations, err = strconv.Atoi(list[4]); err != nil {
		return 0, fmt.Errorf("%q is no number of orientations", list[4])
	}
	if place := list[5]; len(place) != 2 || strings.Trim(place, "0123456789") != "" {
		return 0, fmt.Errorf("%q is no place: write two digits", place)
	}
	e.Place = [2]uint8{list[5][0] - '0', list[5][1] - '0'}
	return orientations, nil
}

// Orientations returns how many pictures of the entry, with its good points,
// look different under the eight symmetries: 8, 4, 2 or 1.
func (e *Entry) Orientations() int {
	s := e.Shape()
	return 8 / len(s.Own())
}

// AppendPaper appends the entry in the field form of the paper. An error that
// wraps ErrForm tells what the form has no way to write: cells other than its
// six symbols, several good points of one side, more than three tiles in a row. A
// shape whose sides are no multiple of five is laid into tiles so that its middle
// point stays the middle, with _ around it. Terms, names and notes are not part of
// the form.
func (e *Entry) AppendPaper(dst []byte) ([]byte, error) {
	e = e.padded()
	if e.Size.W > MaxSide || e.Size.H > MaxSide {
		return dst, fmt.Errorf("kb: %s is %v in tiles of 5: %w", e.ID, e.Size, ErrForm)
	}
	if len(e.Ours) > 1 || len(e.Theirs) > 1 {
		return dst, fmt.Errorf("kb: %s has several good points of one side: %w", e.ID, ErrForm)
	}
	out := fmt.Appendf(dst, "; %s\n", e.ID)
	for ty := range e.Size.H / tile {
		for tx := range e.Size.W / tile {
			if tx > 0 {
				out = append(out, "+\n"...)
			} else if ty > 0 {
				out = append(out, "=\n"...)
			}
			for y := range tile {
				for x := range tile {
					cell := appendCell(nil, e.At(tx*tile+x, ty*tile+y))
					if len(cell) != 1 || !strings.ContainsRune("OX.&@_", rune(cell[0])) {
						return dst, fmt.Errorf("kb: %s has the cell %s, for which the paper has no symbol: %w", e.ID, cell, ErrForm)
					}
					if x > 0 {
						out = append(out, ' ')
					}
					out = append(out, cell...)
				}
				out = append(out, '\n')
			}
		}
	}
	point := func(list []Spot) string {
		if len(list) == 0 {
			return "00"
		}
		return strconv.FormatInt(int64(list[0].Y+1), 36) + strconv.FormatInt(int64(list[0].X+1), 36)
	}
	return fmt.Appendf(out, "%s %s %d %d %d %d%d\n", point(e.Ours), point(e.Theirs), e.Purpose, e.Urgency, e.Orientations(), e.Place[0], e.Place[1]), nil
}

// padded returns the entry with cells that may be anything around it, so that its
// sides are multiples of five. Its middle point stays the middle, of which the place
// speaks.
func (e *Entry) padded() *Entry {
	w, h := (e.Size.W+tile-1)/tile*tile, (e.Size.H+tile-1)/tile*tile
	if e.Size == (board.Size{W: w, H: h}) {
		return e
	}
	left, top := (w-1)/2-(e.Size.W-1)/2, (h-1)/2-(e.Size.H-1)/2
	p := *e
	p.Size, p.Cells = board.Size{W: w, H: h}, make([]pattern.Set, w*h)
	for i := range p.Cells {
		p.Cells[i] = e.At(i%w-left, i/w-top)
	}
	for _, list := range []*[]Spot{&p.Ours, &p.Theirs} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i].X += int8(left)
			(*list)[i].Y += int8(top)
		}
	}
	return &p
}
