package syntax

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/text"
)

// MaxFile is the largest file of patterns that is read, in bytes.
const MaxFile = 4 << 20

const (
	// MaxFaults is how many faults of a file are told: one with more is no file
	// of patterns, and the rest of it is not read.
	MaxFaults = 1000

	// MaxRoles bounds the roles of a pattern, the kings included.
	MaxRoles = 12

	// maxNodes bounds the parts of the conditions of a pattern, and maxDepth how
	// they are nested: what people write is far below.
	maxNodes, maxDepth = 2000, 40

	maxField = 4096 // bytes of one field
)

// block is one block of a file: its first line and its fields.
type block struct {
	file   string
	line   int
	kind   string
	args   []string
	fields []field
}

type field struct {
	line, column int // of the value
	word, value  string
}

// Parse reads a file of patterns.
func Parse(name string, data []byte) *File {
	f := new(File)
	if len(data) > MaxFile {
		f.Faults = append(f.Faults, tooLarge(name, int64(len(data))))
		return f
	}
	for _, b := range f.blocks(name, data) {
		if len(f.Faults) >= MaxFaults {
			break
		}
		f.read(&b)
	}
	return f
}

func tooLarge(name string, n int64) *Error {
	return &Error{File: name, Line: 1, Reason: fmt.Sprintf("a file of %d bytes: at most %d are read", n, MaxFile), Hint: "cut it into several"}
}

// blocks cuts a file into its blocks.
func (f *File) blocks(name string, data []byte) (list []block) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, MaxFile+1)
	for line := 1; scan.Scan() && len(f.Faults) < MaxFaults; line++ {
		raw := strings.TrimRightFunc(strings.ToValidUTF8(scan.Text(), "\ufffd"), unicode.IsSpace)
		text := strings.TrimLeftFunc(raw, unicode.IsSpace)
		if text == "" || strings.HasPrefix(text, "//") {
			continue
		}
		word, value := text, ""
		if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
			word, value = text[:i], strings.TrimLeftFunc(text[i:], unicode.IsSpace)
		}
		switch {
		case word == "pattern" || word == "check":
			list = append(list, block{file: name, line: line, kind: word, args: strings.Fields(value)})
		case len(list) == 0:
			f.Faults = append(f.Faults, &Error{File: name, Line: line, Column: 1, Reason: fmt.Sprintf("%.40q stands before the first block", word), Hint: "begin it with pattern or check and an id"})
		default:
			b := &list[len(list)-1]
			if len(value) > maxField {
				f.Faults = append(f.Faults, &Error{File: name, Line: line, Column: 1, Reason: fmt.Sprintf("a %.40s of %d bytes: at most %d are read", word, len(value), maxField), Hint: "make several of it"})
				value = ""
			}
			column := utf8.RuneCountInString(raw) - utf8.RuneCountInString(value) + 1
			b.fields = append(b.fields, field{line, column, word, value})
		}
	}
	if err := scan.Err(); err != nil {
		f.Faults = append(f.Faults, &Error{File: name, Line: 1, Reason: err.Error()})
	}
	return list
}

func (b *block) fault(line, column int, hint, format string, args ...any) *Error {
	return &Error{b.file, line, column, fmt.Sprintf(format, args...), hint}
}

// read reads a block into the file.
func (f *File) read(b *block) {
	if len(b.args) == 0 || !validID(b.args[0]) {
		f.Faults = append(f.Faults, b.fault(b.line, 1, "write lower-case letters, digits and hyphens behind it", "%s without an id", b.kind))
		return
	}
	var err *Error
	if b.kind == "pattern" {
		var p *Pattern
		if p, err = b.pattern(); err == nil {
			f.Patterns = append(f.Patterns, p)
			return
		}
	} else {
		var c *Check
		if c, err = b.check(); err == nil {
			f.Checks = append(f.Checks, c)
			return
		}
	}
	f.Faults = append(f.Faults, err)
}

var (
	patternFields = []string{"game", "kind", "name", "vi", "alias", "parent", "source", "note", "sides", "mirror", "let", "where"}
	checkFields   = []string{"fen", "moves", "side", "roles", "why"}
)

// unique finds fields that are none of those that a block has, and those that
// stand twice though they may not.
func (b *block) unique(known []string, many ...string) *Error {
	seen := map[string]int{}
	for _, fd := range b.fields {
		if !slices.Contains(known, fd.word) {
			return b.fault(fd.line, 1, oneOf(fd.word, known), "%.40q is no field of a %s", fd.word, b.kind)
		}
		if line, twice := seen[fd.word]; twice && !slices.Contains(many, fd.word) {
			return b.fault(fd.line, 1, "make one of both", "the field %s stands in line %d already", fd.word, line)
		}
		seen[fd.word] = fd.line
	}
	return nil
}

// oneOf helps with a word that is none of those that are known.
func oneOf(word string, known []string) string {
	if near := text.Nearest(word, slices.Values(known), 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "write one of " + strings.Join(known, ", ")
}

func (b *block) pattern() (*Pattern, *Error) {
	if len(b.args) > 1 {
		return nil, b.fault(b.line, 0, "put hyphens between its words", "an id is one word")
	}
	p := &Pattern{ID: b.args[0], Game: Boards[0].Game, Board: Boards[0], Kind: Structure, only: Either, File: b.file, Line: b.line}
	if err := b.unique(patternFields, "let", "where", "alias"); err != nil {
		return nil, err
	}
	for _, fd := range b.fields {
		bad := func(known ...string) *Error {
			return b.fault(fd.line, fd.column, oneOf(fd.value, known), "%.40q is no %s", fd.value, fd.word)
		}
		switch fd.word {
		case "game":
			if p.Board = BoardOf(fd.value); p.Board == nil {
				return nil, b.fault(fd.line, fd.column, oneOf(fd.value, games()), "no patterns of pieces are known for the game %.40q", fd.value)
			}
			p.Game = fd.value
		case "kind":
			if !slices.Contains(kindWords, fd.value) {
				return nil, bad(kindWords...)
			}
			p.Kind = Kind(fd.value)
		case "name":
			if err := p.names(b, fd); err != nil {
				return nil, err
			}
		case "vi":
			p.Vi = p.coined(fd.value, Vietnamese)
		case "alias":
			p.Aliases = append(p.Aliases, parseList(fd.value)...)
		case "parent":
			if !validID(fd.value) {
				return nil, b.fault(fd.line, fd.column, "write that of a wider pattern", "%.40q is no id", fd.value)
			}
			p.Parent = fd.value
		case "source":
			p.Source = oneLine(fd.value)
		case "note":
			p.Note = oneLine(fd.value)
		case "sides":
			switch fd.value {
			case "first":
				p.only = Our
			case "second":
				p.only = Their
			case "both":
			default:
				return nil, bad("first", "second", "both")
			}
		case "mirror":
			switch fd.value {
			case "no":
				p.still = true
			case "yes":
			default:
				return nil, bad("yes", "no")
			}
		}
	}
	if err := b.definition(p); err != nil {
		return nil, err
	}
	if len(p.Lets)+len(p.Wheres) == 0 {
		return nil, b.fault(b.line, 0, "add let and where", "%s says nothing of the board", p.ID)
	}
	return p, nil
}

// definition reads the roles, then the conditions.
func (b *block) definition(p *Pattern) *Error {
	r := reader{block: b, pattern: p}
	for _, fd := range b.fields {
		if fd.word == "let" {
			if err := r.run(fd, r.let); err != nil {
				return err
			}
		}
	}
	for _, fd := range b.fields {
		if fd.word == "where" {
			if err := r.run(fd, r.where); err != nil {
				return err
			}
		}
	}
	return nil
}

// names reads the names in the order of board.Names.
func (p *Pattern) names(b *block, fd field) *Error {
	parts := strings.Split(fd.value, "|")
	if len(parts) > 5 {
		return b.fault(fd.line, fd.column, "write English | 繁體 | 简体 | 日本語 | 한국어", "%d names", len(parts))
	}
	for i, to := range []*string{&p.Names.En, &p.Names.Hant, &p.Names.Hans, &p.Names.Ja, &p.Names.Ko} {
		if i < len(parts) {
			*to = p.coined(parts[i], English<<i)
		}
	}
	return nil
}

// coined returns a name without the mark of transliterations, and notes it.
func (p *Pattern) coined(name string, t Tongues) string {
	name = oneLine(name)
	plain := strings.TrimSpace(strings.TrimRight(name, "~ "))
	if plain != "" && plain != name {
		p.Coined |= t
	}
	return plain
}

func parseList(text string) (list []string) {
	for part := range strings.SplitSeq(text, "|") {
		if part = oneLine(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// oneLine returns a text with single blanks between its words.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (b *block) check() (*Check, *Error) {
	c := &Check{ID: b.args[0], File: b.file, Line: b.line}
	if len(b.args) != 2 || b.args[1] != "yes" && b.args[1] != "no" {
		return nil, b.fault(b.line, 0, "write check ID yes, or check ID no", "a check says yes or no behind the id")
	}
	c.Match = b.args[1] == "yes"
	if err := b.unique(checkFields); err != nil {
		return nil, err
	}
	for _, fd := range b.fields {
		value := oneLine(fd.value)
		switch fd.word {
		case "fen":
			c.FEN = value
		case "moves":
			c.Moves = value
		case "side":
			c.Side = value
		case "why":
			c.Why = value
		case "roles":
			for _, word := range strings.Fields(value) {
				name, at, ok := strings.Cut(word, "=")
				if !ok || name == "" || at == "" {
					return nil, b.fault(fd.line, fd.column, "write ROLE=POINT, such as c=d5", "%.40q is no role on a point", word)
				}
				c.Roles = append(c.Roles, Stand{name, at})
			}
		}
	}
	if c.FEN == "" && c.Moves == "" {
		return nil, b.fault(b.line, 0, "add fen, or moves", "the check of %s has no position", c.ID)
	}
	return c, nil
}
