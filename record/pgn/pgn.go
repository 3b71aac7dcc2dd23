package pgn

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"qipu/record"
	"qipu/record/charset"
)

// Format is the format for Xiangqi and Renju, which have a way of their own in
// it.
var Format = &format{FormatInfo: &info}

// With returns the format for other games, too: the tag Game names them, and
// moves are as their rules write them.
func With(more ...record.Kind) record.Format {
	f := &format{new(record.FormatInfo), kinds{}}
	*f.FormatInfo = info
	f.Kinds = slices.Clone(info.Kinds)
	for _, k := range more {
		if !slices.Contains(info.Kinds, k.Name) {
			f.kinds[k.Name] = &k
			f.Kinds = append(f.Kinds, k.Name)
		}
	}
	return f
}

type format struct {
	*record.FormatInfo
	kinds kinds
}

// kinds are the games whose moves are carried as they are, by name.
type kinds map[string]*record.Kind

var (
	_ record.Format = Format
	_ record.Writer = Format
)

var info = record.FormatInfo{
	Name:       "pgn",
	Title:      "Portable Game Notation",
	Extensions: []string{"pgn"},
	Kinds:      []string{"xiangqi", "renju"},

	NotationTag: "Format",
}

// Sniff looks for a tag pair on the first line that is not empty.
func (f *format) Sniff(head []byte, name string) int {
	named := f.Named(name)
	if wide := charset.Wide(head); wide != "" {
		head, _ = charset.Lookup(wide).Append(nil, head)
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	tag := tagName(head)
	switch {
	case tag != nil && (named || usualTag(string(tag))):
		return 90
	case tag != nil:
		return 60
	case named && len(head) > 0 && head[0] >= '0' && head[0] <= '9':
		return 60
	case named:
		return 25
	}
	return 0
}

func usualTag(name string) bool {
	switch strings.ToLower(name) {
	case "event", "game", "site", "date", "round", "red", "white", "black", "result", "fen", "variant", "ecco":
		return true
	}
	return false
}

// reader is one file being read.
type reader struct {
	kinds  kinds
	src    *record.Source
	limits record.Limits
	hint   string // the encoding that the beginning of the file seems to have
	number int    // games so far
}

// Read yields the games of a file.
func (f *format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		r := &reader{kinds: f.kinds, src: src, limits: src.Limits.WithDefaults()}
		c := newCutter(src, r.limits.GameBytes)
		if err := r.widen(c); err != nil {
			yield(nil, err)
			return
		}
		for {
			piece, ok := c.next()
			if !ok {
				break
			}
			if r.number == 0 && c.more() {
				r.hint = hint(c.sample())
			}
			if !r.games(piece, yield) {
				return
			}
		}
		if c.err != nil {
			yield(nil, src.Fault(record.Rejected, record.KindIO, c.offset, c.line, 0, c.err.Error()))
		} else if r.number == 0 && !c.any {
			yield(nil, src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file is empty"))
		}
	}
}

// widen replaces a file in UTF-16, which cannot be cut into games as it is, by
// its text in UTF-8. Such a file is read as a whole.
func (r *reader) widen(c *cutter) error {
	name := charset.Wide(c.head())
	if name == "" || r.src.Encoding != "" {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(c.rest(), int64(r.limits.GameBytes)+1))
	if err != nil {
		return r.src.Fault(record.Rejected, record.KindIO, 0, 0, 0, err.Error())
	}
	if len(data) > r.limits.GameBytes {
		return r.src.Fault(record.Rejected, record.KindLimit, 0, 0, 0,
			fmt.Sprintf("the file is in %s and larger than %d bytes", name, r.limits.GameBytes))
	}
	text, err := charset.Decode(data, name, "")
	if err != nil {
		return r.src.Fault(record.Rejected, record.KindEncoding, 0, 0, 0, err.Error())
	}
	c.reset(bytes.NewReader(text.UTF8))
	return nil
}

// games yields the games of one piece of the file: one, unless games without
// tags follow each other.
func (r *reader) games(piece piece, yield func(*record.Game, error) bool) bool {
	if piece.tooLong {
		return yield(nil, r.src.Fault(record.Rejected, record.KindLimit, piece.offset, piece.line, r.number+1,
			fmt.Sprintf("the game is longer than %d bytes", r.limits.GameBytes)))
	}
	raw := piece.data
	if !piece.owned {
		raw = bytes.Clone(raw)
	}
	decoded, err := r.decode(raw)
	if err != nil {
		yield(nil, r.src.Fault(record.Rejected, record.KindEncoding, piece.offset, piece.line, 0, err.Error()))
		return false
	}
	text := strings.TrimPrefix(string(decoded.UTF8), "\uFEFF")
	line := piece.line
	for rest := text; ; {
		p := parser{text: rest, limits: r.limits, kinds: r.kinds}
		p.game.Format = info.Name
		p.game.Place = record.Place{File: r.src.Name, Offset: piece.offset, Line: line, Number: r.number + 1}
		p.game.Raw = raw
		p.game.Decoded(&decoded, record.Marked)
		rest = p.parse()
		if rest != "" {
			line += strings.Count(p.text[:len(p.text)-len(rest)], "\n")
		}
		if p.blank() {
			return true
		}
		if fault := p.finish(); fault != nil {
			if !p.nothing {
				r.number++
			}
			if !yield(nil, fault) {
				return false
			}
		} else {
			r.number++
			if !yield(&p.game, nil) {
				return false
			}
		}
		if rest == "" {
			return true
		}
	}
}

// decode decodes one piece. The piece itself decides, the beginning of the file
// where it fits. A guess that leaves not one move readable is checked against
// the other encodings of Chinese text: short files deceive the guess.
func (r *reader) decode(raw []byte) (charset.Text, error) {
	text, err := charset.Decode(raw, r.hint, r.src.Encoding)
	if err != nil {
		return text, err
	}
	text.Guessed = text.Guessed || r.hint != "" && text.Encoding == r.hint
	if !text.Guessed || text.Encoding == "utf-8" || hasMove(text.UTF8) {
		return text, nil
	}
	for _, name := range []string{"gb18030", "big5"} {
		if name == text.Encoding {
			continue
		}
		if other, err := charset.Decode(raw, "", name); err == nil && hasMove(other.UTF8) {
			other.Guessed = true
			return other, nil
		}
	}
	return text, nil
}

// hasMove reports whether a text has anything that looks like a move.
func hasMove(text []byte) bool {
	p := parser{text: string(text), limits: record.Limits{}.WithDefaults()}
	p.tags()
	_, _, found := p.ahead(p.pos)
	return found
}

// hint returns the encoding that a sample seems to have, or nothing for UTF-8,
// which needs no hint.
func hint(sample []byte) string {
	if name := charset.Detect(sample); name != "utf-8" {
		return name
	}
	return ""
}
