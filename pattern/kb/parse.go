package kb

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"qipu/board"
	"qipu/pattern"
)

// MaxFile is the largest file of shapes that is read, in bytes.
const MaxFile = 8 << 20

// maxFaults is how many faults of a file are told: one with more is no file of
// shapes, and the rest of it is not read.
const maxFaults = 1000

// File is what one file of shapes holds, in its order.
type File struct {
	Terms   []Term
	Entries []Entry
	Checks  []Check

	// Faults are what could not be read: the block that a fault lies in is left
	// out, all others are there, unless there are a thousand faults and more.
	Faults []*Error
}

// block is one block of a file: its first line, its fields and its drawing.
type block struct {
	file   string
	line   int
	kind   string
	args   []string
	fields []field
	rows   []row
}

type field struct {
	line        int
	word, value string
}

type row struct {
	line int
	text string
}

// Parse reads a file of shapes.
func Parse(name string, data []byte) *File {
	f := new(File)
	if len(data) > MaxFile {
		f.Faults = append(f.Faults, &Error{name, 1, fmt.Sprintf("a file of %d bytes: at most %d are read: cut it into several", len(data), MaxFile)})
		return f
	}
	for _, b := range f.blocks(name, data) {
		if f.full() {
			break
		}
		if err := f.read(&b); err != nil {
			f.Faults = append(f.Faults, err)
		}
	}
	return f
}

// full tells that there are more faults than are worth telling.
func (f *File) full() bool { return len(f.Faults) >= maxFaults }

// blocks cuts a file into its blocks. Rows of a drawing are those that are
// indented.
func (f *File) blocks(name string, data []byte) (list []block) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, MaxFile+1)
	var b *block
	for line := 1; scan.Scan() && !f.full(); line++ {
		raw := strings.TrimRightFunc(scan.Text(), unicode.IsSpace)
		text := strings.TrimSpace(raw)
		indented := raw != "" && (raw[0] == ' ' || raw[0] == '\t')
		word, value, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
		switch {
		case text == "" || strings.HasPrefix(text, "//"):
		case !indented && slices.Contains([]string{"term", "shape", "check"}, word):
			list = append(list, block{file: name, line: line, kind: word, args: strings.Fields(value)})
			b = &list[len(list)-1]
		case b == nil:
			f.Faults = append(f.Faults, &Error{name, line, fmt.Sprintf("%.40q stands before the first block: begin it with term, shape or check and an id", word)})
		case indented:
			b.rows = append(b.rows, row{line, text})
		default:
			b.fields = append(b.fields, field{line, word, strings.TrimSpace(value)})
		}
	}
	return list
}

func (b *block) errorf(line int, format string, args ...any) *Error {
	return &Error{b.file, line, fmt.Sprintf(format, args...)}
}

// wrap returns an error of this package as one of a line.
func (b *block) wrap(line int, err error) *Error {
	return &Error{b.file, line, strings.TrimPrefix(err.Error(), "kb: ")}
}

// read reads a block into the file.
func (f *File) read(b *block) *Error {
	if len(b.args) == 0 || !validID(b.args[0]) {
		return b.errorf(b.line, "%s without an id: write lower-case letters, digits and hyphens behind it", b.kind)
	}
	switch b.kind {
	case "term":
		t, err := b.term()
		if err != nil {
			return err
		}
		f.Terms = append(f.Terms, *t)
	case "shape":
		e, err := b.entry()
		if err != nil {
			return err
		}
		f.Entries = append(f.Entries, *e)
	case "check":
		c, err := b.check()
		if err != nil {
			return err
		}
		f.Checks = append(f.Checks, *c)
	}
	return nil
}

func (b *block) term() (*Term, *Error) {
	t := &Term{ID: b.args[0], File: b.file, Line: b.line}
	for _, fd := range b.fields {
		var err error
		switch fd.word {
		case "name":
			t.Names, err = parseNames(fd.value)
		case "alias":
			t.Aliases = parseList(fd.value)
		case "purpose":
			t.Purpose, err = ParsePurpose(fd.value)
		case "form":
			switch fd.value {
			case "move":
				t.Form = Move
			case "shape":
				t.Form = Stones
			default:
				err = fmt.Errorf("%q is no form: write move or shape", fd.value)
			}
		case "note":
			t.Note = fd.value
		default:
			err = fmt.Errorf("%q is no field of a term: write name, alias, purpose, form or note", fd.word)
		}
		if err != nil {
			return nil, b.wrap(fd.line, err)
		}
	}
	return t, nil
}

func (b *block) entry() (*Entry, *Error) {
	e := &Entry{ID: b.args[0], File: b.file, Line: b.line, Urgency: Ordinary}
	d, fail := b.drawing()
	if fail != nil {
		return nil, fail
	}
	e.Size, e.Cells = d.size, d.cells
	used := map[byte]bool{}
	for _, fd := range b.fields {
		var err error
		switch fd.word {
		case "terms":
			e.Terms = strings.Fields(fd.value)
		case "name":
			e.Names, err = parseNames(fd.value)
		case "alias":
			e.Aliases = parseList(fd.value)
		case "purpose":
			e.Purpose, err = ParsePurpose(fd.value)
		case "urgency":
			if len(fd.value) != 1 || fd.value[0] < '1' || fd.value[0] > '4' {
				err = fmt.Errorf("%q is no urgency: write 4 urgent, 3 important, 2 ordinary or 1 special", fd.value)
			} else {
				e.Urgency = Urgency(fd.value[0] - '0')
			}
		case "ours":
			e.Ours, err = d.named(fd.value, used)
		case "theirs":
			e.Theirs, err = d.named(fd.value, used)
		case "place":
			if len(fd.value) != 2 || strings.Trim(fd.value, "0123456789") != "" {
				err = fmt.Errorf("%q is no place: write two digits, such as 30 or 33", fd.value)
			} else {
				e.Place = [2]uint8{fd.value[0] - '0', fd.value[1] - '0'}
			}
		case "overrides":
			e.Overrides = strings.Fields(fd.value)
		case "yields":
			e.Yields = strings.Fields(fd.value)
		case "origin":
			i := slices.Index(origins[:], fd.value)
			if i < 0 {
				err = fmt.Errorf("%q is no origin: write one of %s", fd.value, strings.Join(origins[:], ", "))
			}
			e.Origin = Origin(max(i, 0))
		case "source":
			e.Source = fd.value
		case "note":
			e.Note = fd.value
		case "draw":
			if fd.value != "" {
				err = fmt.Errorf("the diagram stands in the lines below draw, indented")
			}
		default:
			err = fmt.Errorf("%q is no field of a shape: write terms, name, alias, purpose, urgency, ours, theirs, place, overrides, yields, origin, source, note or draw", fd.word)
		}
		if err != nil {
			return nil, b.wrap(fd.line, err)
		}
	}
	for letter := range d.letters {
		if !used[letter] {
			return nil, b.errorf(b.line, "the letter %c of the diagram is in no field: name it in ours or theirs, or draw a dot", letter)
		}
	}
	if err := e.Validate(); err != nil {
		return nil, b.wrap(b.line, err)
	}
	return e, nil
}

func (b *block) check() (*Check, *Error) {
	c := &Check{ID: b.args[0], File: b.file, Line: b.line}
	if len(b.args) != 2 || b.args[1] != "yes" && b.args[1] != "no" {
		return nil, b.errorf(b.line, "a check says yes or no behind the id: whether the shape matches")
	}
	c.Match = b.args[1] == "yes"
	if len(b.fields) > 0 {
		return nil, b.errorf(b.fields[0].line, "a check has no fields: indent the rows of its board")
	}
	d, fail := b.drawing()
	if fail != nil {
		return nil, fail
	}
	c.Size, c.Cells = d.size, d.cells
	for i, set := range c.Cells {
		if set&(set-1) != 0 {
			return nil, b.errorf(b.rows[i/c.Size.W].line, "a board has only O, X, dots, # and letters")
		}
	}
	for _, at := range d.letters {
		c.Spots = append(c.Spots, at...)
	}
	sortSpots(c.Spots)
	return c, nil
}

// drawing is a diagram and the letters in it.
type drawing struct {
	size    board.Size
	cells   []pattern.Set
	letters map[byte][]Spot
}

// symbols are the cells of one character, in the order in which they are
// written.
var symbols = []struct {
	char byte
	set  pattern.Set
}{
	{'O', Own}, {'X', Enemy}, {'.', pattern.Empty}, {'&', pattern.Empty | Enemy}, {'@', pattern.Empty | Own},
	{'#', pattern.Off}, {'*', OnBoard}, {'_', Any},
}

func symbol(c byte) pattern.Set {
	for _, s := range symbols {
		if s.char == c {
			return s.set
		}
	}
	return 0
}

// drawing reads the rows of a block.
func (b *block) drawing() (*drawing, *Error) {
	d := &drawing{letters: map[byte][]Spot{}}
	if len(b.rows) == 0 {
		return nil, b.errorf(b.line, "%s %s has no diagram: draw its rows in indented lines", b.kind, b.args[0])
	}
	if len(b.rows) > MaxSide {
		return nil, b.errorf(b.line, "a diagram of %d rows: at most %d", len(b.rows), MaxSide)
	}
	for y, r := range b.rows {
		n := len(d.cells)
		for i := 0; i < len(r.text); i++ {
			switch c := r.text[i]; {
			case c == ' ' || c == '\t':
			case c == '{':
				end := strings.IndexByte(r.text[i:], '}')
				if end < 0 {
					return nil, b.errorf(r.line, "a set without end: close it with }")
				}
				var set pattern.Set
				for _, c := range []byte(r.text[i+1 : i+end]) {
					s := symbol(c)
					if s == 0 || s&(s-1) != 0 {
						return nil, b.errorf(r.line, "%q in a set: write some of O X . #", string(rune(c)))
					}
					set |= s
				}
				if set == 0 {
					return nil, b.errorf(r.line, "a set of nothing: write some of O X . # in it")
				}
				d.cells = append(d.cells, set)
				i += end
			case c >= 'a' && c <= 'z' && c != 'o' && c != 'x':
				d.letters[c] = append(d.letters[c], Spot{int8(min(len(d.cells)-n, MaxSide)), int8(y)})
				d.cells = append(d.cells, pattern.Empty)
			case symbol(c) != 0:
				d.cells = append(d.cells, symbol(c))
			default:
				return nil, b.errorf(r.line, "%q is no cell: write O X . & @ * # _, a set such as {O.}, or a letter", []rune(r.text[i:])[0])
			}
		}
		switch w := len(d.cells) - n; {
		case y == 0 && w > MaxSide:
			return nil, b.errorf(r.line, "a row of %d cells: at most %d", w, MaxSide)
		case y > 0 && w != d.size.W:
			return nil, b.errorf(r.line, "a row of %d cells below one of %d: make all rows equally long", w, d.size.W)
		case y == 0:
			d.size.W = w
		}
	}
	d.size.H = len(b.rows)
	return d, nil
}

// named returns the points of letters, and notes that they are used.
func (d *drawing) named(text string, used map[byte]bool) (list []Spot, err error) {
	for _, word := range strings.Fields(text) {
		at, ok := d.letters[word[0]]
		if !ok || len(word) != 1 {
			return nil, fmt.Errorf("the diagram has no letter %q", word)
		}
		used[word[0]] = true
		list = append(list, at...)
	}
	sortSpots(list)
	return slices.Compact(list), nil
}

// sortSpots brings points into reading order.
func sortSpots(list []Spot) {
	slices.SortFunc(list, func(a, b Spot) int {
		if a.Y != b.Y {
			return int(a.Y) - int(b.Y)
		}
		return int(a.X) - int(b.X)
	})
}

// parseNames reads names in the order of board.Names.
func parseNames(text string) (n board.Names, err error) {
	parts := strings.Split(text, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) > 5 {
		return n, fmt.Errorf("%d names: write English | 繁體 | 简体 | 日本語 | 한국어", len(parts))
	}
	for i, to := range []*string{&n.En, &n.Hant, &n.Hans, &n.Ja, &n.Ko} {
		if i < len(parts) {
			*to = parts[i]
		}
	}
	return n, nil
}

func parseList(text string) (list []string) {
	for part := range strings.SplitSeq(text, "|") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
