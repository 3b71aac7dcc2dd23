package dhtmlxq

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"

	"qipu/record"
	"qipu/record/charset"
)

// Format is the format.
var Format = format{&info}

type format struct{ *record.FormatInfo }

var (
	_ record.Format = Format
	_ record.Writer = Format
)

var info = record.FormatInfo{
	Name:       "dhtmlxq",
	Title:      "DhtmlXQ (UBB)",
	Extensions: []string{"ubb", "dhtmlxq"},
	Kinds:      []string{"xiangqi"},
}

// Notation tells that moves are squares: "h2e2".
func (format) Notation(string) (name string, passes bool) { return "iccs", false }

const (
	mark    = "DhtmlXQ"
	opening = "[" + mark + "]"
	closing = "[/" + mark + "]"
	prefix  = mark + "_"
)

// byteOrderMark may stand before any game.
const byteOrderMark = "\xEF\xBB\xBF"

// Sniff looks for a tag of the format.
func (f format) Sniff(head []byte, name string) int {
	switch {
	case bytes.Contains(head, []byte("["+mark)):
		return 95
	case f.Named(name):
		return 20
	}
	return 0
}

// Read yields the games of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		r := &reader{src: src, limits: src.Limits.WithDefaults(), line: 1}
		for r.next(yield) {
		}
		if r.stopped {
			return
		}
		if r.err != nil {
			yield(nil, src.Fault(record.Rejected, record.KindIO, r.offset, r.line, 0, r.err.Error()))
		} else if r.number == 0 && !r.faulty {
			yield(nil, src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "there is no [DhtmlXQ_...] tag with moves or a position in this file"))
		}
	}
}

// reader is one file being read. It holds one game in memory.
type reader struct {
	src      *record.Source
	limits   record.Limits
	buf      []byte // buf[from:] has not been used
	from     int
	seen     int   // no game ends before this place of buf
	offset   int64 // of buf[from]
	line     int   // of buf[from]
	number   int
	eof      bool
	faulty   bool // a fault has been told
	skipping bool // inside of a game that is too long
	stopped  bool // the caller wants no more, or nothing more can be read
	err      error
}

// next reads up to the end of a game and yields what it finds there. It reports
// false at the end of the file.
func (r *reader) next(yield func(*record.Game, error) bool) bool {
	for {
		if end := r.gameEnd(); end > 0 {
			if r.skipping {
				r.skipping = false
				r.drop(end)
				continue
			}
			r.stopped = !r.piece(end, yield)
			return !r.stopped
		}
		if r.eof {
			r.stopped = !r.skipping && !r.piece(len(r.buf), yield)
			return false
		}
		if len(r.buf)-r.from > r.limits.GameBytes {
			if r.skipping {
				r.drop(max(r.from, len(r.buf)-len(closing)))
				continue
			}
			r.faulty, r.skipping = true, true
			fault := r.src.Fault(record.Rejected, record.KindLimit, r.offset, r.line, r.number+1,
				fmt.Sprintf("more than %d bytes without the end of a game", r.limits.GameBytes))
			r.drop(max(r.from, len(r.buf)-len(closing)))
			r.stopped = !yield(nil, fault)
			return !r.stopped
		}
		r.fill()
	}
}

// gameEnd returns the place behind the first game in the buffer, or 0. A game
// ends with its closing tag, or before the opening tag of the next.
func (r *reader) gameEnd() int {
	at := max(r.from, r.seen-len(closing))
	r.seen = len(r.buf)
	for {
		i := bytes.Index(r.buf[at:], []byte(mark+"]"))
		if i < 0 {
			return 0
		}
		at += i
		before := r.buf[r.from:at]
		switch {
		case bytes.HasSuffix(before, []byte("[/")):
			return at + len(mark) + 1
		case bytes.HasSuffix(before, []byte("[")):
			before = bytes.TrimSuffix(before[:len(before)-1], []byte(byteOrderMark))
			if len(before) > 0 {
				return r.from + len(before)
			}
		}
		at++
	}
}

// fill reads more bytes.
func (r *reader) fill() {
	if len(r.buf) == cap(r.buf) {
		room := r.buf
		if r.from <= cap(r.buf)/2 {
			// No more than the largest game and a little behind it.
			room = make([]byte, max(16<<10, min(2*cap(r.buf), r.limits.GameBytes+16<<10), len(r.buf)-r.from+1<<10))
		}
		r.buf = room[:copy(room, r.buf[r.from:])]
		r.seen -= r.from
		r.from = 0
	}
	for range 100 {
		n, err := r.src.Reader.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		if err != nil {
			r.eof = true
			if err != io.EOF {
				r.err = err
			}
		}
		if n > 0 || err != nil {
			return
		}
	}
	r.eof, r.err = true, io.ErrNoProgress
}

// drop gives up the buffer before a place.
func (r *reader) drop(to int) {
	r.line += bytes.Count(r.buf[r.from:to], []byte{'\n'})
	r.offset += int64(to - r.from)
	r.from, r.seen = to, to
}

// piece reads the games in the buffer up to a place: one, or several where
// opening and closing tags are missing.
func (r *reader) piece(to int, yield func(*record.Game, error) bool) bool {
	data := r.buf[r.from:to]
	place := record.Place{File: r.src.Name, Offset: r.offset, Line: r.line}
	r.drop(to)
	if !bytes.Contains(data, []byte("["+prefix)) {
		return true
	}
	raw := data
	if len(data) > 1<<20 && len(data) > len(r.buf)-len(data)/4 {
		// The piece keeps the buffer: a copy would cost as much again.
		r.buf = append(make([]byte, 0, len(r.buf)-r.from+16<<10), r.buf[r.from:]...)
		r.from, r.seen = 0, 0
	} else {
		raw = bytes.Clone(data)
	}
	text, err := charset.Decode(raw, "", r.src.Encoding)
	if err != nil {
		yield(nil, r.src.Fault(record.Rejected, record.KindEncoding, place.Offset, place.Line, 0, err.Error()))
		return false
	}
	entries := scan(string(text.UTF8))
	for len(entries) > 0 {
		end := oneGame(entries)
		place.Number = r.number + 1
		b := &builder{limits: r.limits, game: &record.Game{Kind: "xiangqi", Notation: "iccs", Format: info.Name,
			Place: place, Raw: raw}}
		b.game.Decoded(&text, record.Marked)
		b.build(entries[:end])
		entries = entries[end:]
		r.number++
		if !yield(b.game, nil) {
			return false
		}
	}
	return true
}

// entry is one tag with its value.
type entry struct {
	name, value string
	unclosed    bool
}

// scan finds the tags of a text. A value ends where the next tag begins.
func scan(text string) (list []entry) {
	var open *entry
	begin := 0
	list = make([]entry, 0, strings.Count(text, "["+prefix))
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '[')
		if j < 0 {
			break
		}
		i += j
		rest := text[i+1:]
		closes := strings.HasPrefix(rest, "/"+mark)
		opens := strings.HasPrefix(rest, prefix)
		if !closes && !opens {
			i++
			continue
		}
		if open != nil {
			value := text[begin:i]
			if open.unclosed = opens; opens {
				value = strings.TrimRight(value, " \t\r\n")
			}
			open.value = breaks(value)
			open = nil
		}
		end := strings.IndexByte(rest[:min(len(rest), 200)], ']')
		if end < 0 {
			i++
			continue
		}
		i += end + 2
		if opens {
			list = append(list, entry{name: rest[len(prefix):end]})
			open, begin = &list[len(list)-1], i
		}
	}
	if open != nil {
		open.value, open.unclosed = breaks(strings.TrimRight(text[begin:], " \t\r\n")), true
	}
	return list
}

// breaks puts in the line breaks of a value.
func breaks(s string) string { return strings.ReplaceAll(record.LineFeeds(s), "||", "\n") }

// oneGame returns how many tags belong to the first game: up to a second list
// of moves.
func oneGame(list []entry) int {
	moves := false
	for i := range list {
		if strings.EqualFold(list[i].name, "movelist") {
			if moves {
				return i
			}
			moves = true
		}
	}
	return len(list)
}
