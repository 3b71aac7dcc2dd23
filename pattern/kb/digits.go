package kb

import (
	"fmt"
	"strings"
	"unicode"

	"qipu/pattern"
)

// The form of Dragon and Jimmy, as the paper describes it: shapes of any outline,
// each cell the sum of 1 empty, 2 own, 4 enemy and 8 outside the board, in base
// 16, and * on the point that own should play:
//
//	- 1 1
//	1 * 2
//	5 4 4
//
// A cell that is no part of the outline is written - and may be anything, as is
// one of f; shapes are parted by empty lines. A line that begins with ; is a
// comment; one right before a shape is its id. The form has no purpose and no
// urgency: what is read is ordinary.

// ParseDigits reads shapes in the 1-2-4-8 form. Those without an id are called
// digits-1 and so on.
func ParseDigits(name string, data []byte) *File {
	f := new(File)
	var rows []string
	var first int
	id := ""
	end := func() {
		if len(rows) > 0 {
			n := len(f.Entries) + len(f.Faults) + 1
			if !validID(id) {
				id = fmt.Sprintf("digits-%d", n)
			}
			e := &Entry{ID: id, File: name, Line: first, Urgency: Ordinary, Origin: Paper}
			if err := e.digits(rows); err != nil {
				f.Faults = append(f.Faults, &Error{name, first, id + ": " + strings.TrimPrefix(err.Error(), "kb: ")})
			} else {
				f.Entries = append(f.Entries, *e)
			}
			rows, id = nil, ""
		}
	}
	line := 0
	for text := range strings.SplitSeq(strings.TrimPrefix(string(data), "\ufeff"), "\n") {
		line++
		text = strings.TrimSpace(text)
		comment, isComment := strings.CutPrefix(text, ";")
		switch {
		case isComment:
			end()
			id = strings.TrimSpace(comment)
		case text == "":
			end()
		default:
			if len(rows) == 0 {
				first = line
			}
			rows = append(rows, text)
		}
	}
	end()
	return f
}

// digits reads the rows of a shape. Outlines are even only where all rows are: a
// short row is no part of the outline at its end.
func (e *Entry) digits(rows []string) error {
	var grid [][]pattern.Set
	for y, text := range rows {
		var row []pattern.Set
		for _, c := range text {
			switch v := strings.IndexRune("0123456789abcdef", unicode.ToLower(c)); {
			case unicode.IsSpace(c):
			case c == '-':
				row = append(row, Any)
			case c == '*':
				e.Ours = append(e.Ours, Spot{int8(min(len(row), MaxSide)), int8(min(y, MaxSide))})
				row = append(row, pattern.Empty)
			case v > 0:
				row = append(row, fromDigit(v))
			default:
				return fmt.Errorf("%q is no cell: write 1 to f, - outside the outline, or * on the point to play", c)
			}
		}
		grid = append(grid, row)
		e.Size.W = max(e.Size.W, len(row))
	}
	e.Size.H = len(grid)
	if e.Size.W > MaxSide || e.Size.H > MaxSide {
		return fmt.Errorf("%v cells: at most %d columns and rows", e.Size, MaxSide)
	}
	for _, row := range grid {
		for len(row) < e.Size.W {
			row = append(row, Any)
		}
		e.Cells = append(e.Cells, row...)
	}
	return e.Validate()
}

func fromDigit(v int) pattern.Set {
	set := pattern.Set(v & 7)
	if v&8 != 0 {
		set |= pattern.Off
	}
	return set
}

// AppendDigits appends the entry in the 1-2-4-8 form. An error that wraps ErrForm
// tells what the form has no way to write: a good point of the enemy that is not
// one of own, a place, a point to keep away from. Terms, names, purposes and
// urgency are not part of it, nor is whether a point is good for the enemy too.
func (e *Entry) AppendDigits(dst []byte) ([]byte, error) {
	ours := map[Spot]bool{}
	for _, s := range e.Ours {
		ours[s] = true
	}
	for _, s := range e.Theirs {
		if !ours[s] {
			return dst, fmt.Errorf("kb: %s has a good point of the enemy alone: %w", e.ID, ErrForm)
		}
	}
	if e.Place != [2]uint8{} {
		return dst, fmt.Errorf("kb: %s is limited to a place: %w", e.ID, ErrForm)
	}
	if e.Avoids() {
		return dst, fmt.Errorf("kb: %s tells what to keep away from: %w", e.ID, ErrForm)
	}
	dst = fmt.Appendf(dst, "; %s\n", e.ID)
	for i, set := range e.Cells {
		x, y := i%e.Size.W, i/e.Size.W
		if x > 0 {
			dst = append(dst, ' ')
		}
		v := set & 7
		if set&pattern.Off != 0 {
			v |= 8
		}
		switch {
		case ours[Spot{int8(x), int8(y)}]:
			dst = append(dst, '*')
		case set == Any:
			dst = append(dst, '-')
		default:
			dst = append(dst, "0123456789abcdef"[v])
		}
		if x == e.Size.W-1 {
			dst = append(dst, '\n')
		}
	}
	return dst, nil
}
