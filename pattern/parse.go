package pattern

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"qipu/board"
)

// cell is one cell of a diagram and where it was read.
type cell struct {
	line, column int    // from 1
	text         []rune // without blanks; more than one character only in brackets
}

// row is one row of a diagram.
type row struct {
	line        int
	cells       []cell
	left, right bool // a border
	rule        bool // a border above or below, without cells
}

// Parse reads a diagram as the package comment describes it. The pattern has no
// bounds in time, and finds neither mirrored nor exchanged pictures until it is
// told to. Errors name the line and the column, both counted from 1.
func Parse(g *board.Geometry, text string) (*Pattern, error) {
	rows, head, err := split(text)
	if err != nil {
		return nil, err
	}
	p := &Pattern{To: -1}
	if rows, err = p.borders(rows); err != nil {
		return nil, err
	}
	p.Size = board.Size{W: len(rows[0].cells), H: len(rows)}
	for _, r := range rows {
		if len(r.cells) != p.Size.W {
			return nil, fmt.Errorf("pattern: line %d: a row of %d cells below one of %d: make all rows equally long",
				r.line, len(r.cells), p.Size.W)
		}
	}
	if p.Size.W > MaxRegion || p.Size.H > MaxRegion {
		return nil, fmt.Errorf("pattern: a diagram of %v is too large: at most %d columns and rows", p.Size, MaxRegion)
	}
	if err := p.cells(newAlphabet(g), rows); err != nil {
		return nil, err
	}
	p.Anchor = p.Edges.anchor(Floating)
	if p.Anchor == Fixed && p.Size != g.Size {
		return nil, fmt.Errorf("pattern: borders on all four sides of %v cells: the board is %v: leave out the borders that are not its edges",
			p.Size, g.Size)
	}
	if err := p.place(g, head); err != nil {
		return nil, err
	}
	return p, nil
}

// split cuts a text into rows of cells. A first row that starts with @ comes
// back as the head, without the @.
func split(text string) (rows []row, head cell, err error) {
	blank := 0 // the line of a blank row below the first row
	for i, line := range strings.Split(text, "\n") {
		column := 1
		for part := range strings.SplitSeq(line, "/") {
			chars := []rune(part)
			word := strings.TrimSpace(part)
			switch {
			case word == "":
				if len(rows) > 0 && blank == 0 {
					blank = i + 1
				}
			case blank > 0:
				return nil, head, fmt.Errorf("pattern: line %d: a blank row inside the diagram: take it out, or write its points", blank)
			case word[0] == '@' && len(rows) == 0 && head.line == 0:
				head = cell{i + 1, column, []rune(strings.TrimSpace(word[1:]))}
			default:
				r, err := readRow(chars, i+1, column)
				if err != nil {
					return nil, head, err
				}
				rows = append(rows, r)
			}
			column += len(chars) + 1
		}
	}
	return rows, head, nil
}

// readRow reads one row, whose first character stands in the given line and
// column.
func readRow(chars []rune, line, column int) (r row, err error) {
	r.line = line
	ruled := func(c rune) bool { return c == '-' || c == '+' || unicode.IsSpace(c) }
	if r.rule = strings.TrimFunc(string(chars), ruled) == ""; r.rule {
		return r, nil
	}
	var set *cell // the brackets that are open
	for i, c := range chars {
		at := cell{line, column + i, []rune{c}}
		switch {
		case unicode.IsSpace(c):
		case r.right:
			return r, at.errorf("%q behind the border: a border | stands only at the ends of a row", c)
		case set != nil:
			if set.text = append(set.text, c); c == ']' {
				r.cells = append(r.cells, *set)
				set = nil
			}
		case c == '|' && len(r.cells) == 0 && !r.left:
			r.left = true
		case c == '|':
			r.right = true
		case c == '[':
			set = &at
		default:
			r.cells = append(r.cells, at)
		}
	}
	if set != nil {
		return r, set.errorf("a set without end: close it with ]")
	}
	if len(r.cells) == 0 {
		return r, fmt.Errorf("pattern: line %d: a row without cells: write at least one between its borders", line)
	}
	return r, nil
}

func (c cell) errorf(format string, args ...any) error {
	return fmt.Errorf("pattern: line %d, column %d: %s", c.line, c.column, fmt.Sprintf(format, args...))
}

// borders takes the borders off the rows and notes the edges that they mean.
func (p *Pattern) borders(rows []row) ([]row, error) {
	if len(rows) > 0 && rows[0].rule {
		p.Edges |= Top
		rows = rows[1:]
	}
	if n := len(rows); n > 0 && rows[n-1].rule {
		p.Edges |= Bottom
		rows = rows[:n-1]
	}
	if len(rows) == 0 {
		return nil, errors.New("pattern: a diagram without cells: write at least one row of them")
	}
	first := rows[0]
	if first.left {
		p.Edges |= Left
	}
	if first.right {
		p.Edges |= Right
	}
	for _, r := range rows {
		if r.rule {
			return nil, fmt.Errorf("pattern: line %d: a border between rows: it stands above the first or below the last", r.line)
		}
		if r.left != first.left || r.right != first.right {
			return nil, fmt.Errorf("pattern: line %d: a row with other borders than line %d: write | at the same end of all rows, or of none",
				r.line, first.line)
		}
	}
	return rows, nil
}

// cells reads the cells of all rows.
func (p *Pattern) cells(a *alphabet, rows []row) error {
	digits := a.stones
	for _, r := range rows {
		for _, c := range r.cells {
			_, ok := digit(c.text[0])
			digits = digits && ok
		}
	}
	p.Cells = make([]Set, 0, p.Size.Area())
	for _, r := range rows {
		for _, c := range r.cells {
			set, err := c.set(a, digits)
			if err != nil {
				return err
			}
			p.Cells = append(p.Cells, set)
		}
	}
	return nil
}

// set returns what a cell means.
func (c cell) set(a *alphabet, digits bool) (Set, error) {
	first := c.text[0]
	if digits {
		set, _ := digit(first)
		if set == 0 {
			return 0, c.errorf("the digit 0 allows no state: add up 1 empty, 2 first side, 4 second side, 8 outside the board")
		}
		return set, nil
	}
	if first == '[' {
		return c.brackets(a)
	}
	set := a.set(first)
	_, hex := digit(first)
	switch {
	case set != 0:
		return set, nil
	case hex && a.stones:
		return 0, c.errorf("%q among other cells: digits are cells only where all are; else write %s", first, a.allowed())
	case first >= '0' && first <= '9':
		return 0, c.errorf("%q is no cell: this game has no digits in diagrams: write . for each empty point and * for each that does not matter", first)
	}
	return 0, c.errorf("%q is no cell: write %s", first, a.allowed())
}

// brackets returns what a set in brackets means.
func (c cell) brackets(a *alphabet) (Set, error) {
	list := c.text[1 : len(c.text)-1]
	not := len(list) > 0 && list[0] == '^'
	if not {
		list = list[1:]
	}
	if len(list) == 0 {
		return 0, c.errorf("an empty set: write what it allows, or * for any state")
	}
	var set Set
	for _, r := range list {
		one := a.inside(r)
		if one == 0 {
			return 0, c.errorf("%q in a set: write any of %s", r, a.members())
		}
		set |= one
	}
	if not {
		if set = a.on &^ set; set == 0 {
			return 0, c.errorf("a set that allows nothing: leave out some of %q", string(list))
		}
	}
	return set, nil
}

// place moves the anchor to what the head says.
func (p *Pattern) place(g *board.Geometry, head cell) error {
	if head.line == 0 {
		return nil
	}
	word := string(head.text)
	if p.Edges != 0 {
		return head.errorf("@%s above a diagram with borders: leave out one or the other", word)
	}
	if at, ok := g.Point(word); ok {
		p.Anchor, p.At = Fixed, at
		return nil
	}
	a, err := ParseAnchor(word)
	if err != nil || a != Centre && a != Floating {
		return head.errorf("@%s is no place: write @centre, @floating, or the top left point of the region, such as @%s", word, g.Name(board.At(0, 0)))
	}
	p.Anchor = a
	return nil
}
