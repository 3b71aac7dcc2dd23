package pgn

import (
	"bytes"
	"io"

	"qipu/record"
)

// piece is a stretch of a file that holds one game, or several without tags.
type piece struct {
	data    []byte // valid until the next piece is asked for, unless owned
	owned   bool   // data belongs to the caller
	offset  int64
	line    int
	tooLong bool // data is not there
}

// cutter cuts a stream of bytes into pieces: a line that looks like a tag pair
// begins a new one, unless nothing but tag pairs came before it. It works on
// raw bytes, which is safe in all encodings but UTF-16: the line feed is part
// of no other character, and "[" is looked at only behind it.
//
// It holds one piece in memory, and no more than limit bytes of it.
type cutter struct {
	src    io.Reader
	limit  int
	buf    []byte // buf[from:] is the piece so far
	from   int    // where the piece begins
	scan   int    // where the line begins that is looked at next
	seen   int    // as far as that line is known to have no end
	offset int64  // of buf[from] in the file
	line   int    // of buf[from]
	lines  int    // lines of the piece so far
	end    byte   // what ends a line
	eof    bool
	any    bool // something but white space was there
	err    error

	// The state of the piece.
	first   []byte // name of its first tag
	moves   bool   // something but tags has been seen
	gap     bool   // the last line was empty
	dropped bool   // the piece is too long, its beginning is gone
}

const bufferSize = 64 << 10

// byteOrderMark may stand before any game, where files have been pasted
// together and where the writer wants to make sure.
const byteOrderMark = "\xEF\xBB\xBF"

func newCutter(src *record.Source, limit int) *cutter {
	size := int64(bufferSize)
	if src.Size >= 0 && src.Size < size {
		size = src.Size + 1 // one more, so that the end is seen at once
	}
	return &cutter{src: src.Reader, limit: limit, line: 1, buf: make([]byte, 0, size)}
}

// reset lets the cutter begin again with other bytes.
func (c *cutter) reset(src io.Reader) {
	*c = cutter{src: src, limit: c.limit, line: 1, buf: c.buf[:0]}
}

// head returns the first bytes of the file without taking them.
func (c *cutter) head() []byte {
	for len(c.buf) < 4 && c.fill() {
	}
	return c.buf
}

// rest returns everything from the beginning of the file.
func (c *cutter) rest() io.Reader { return io.MultiReader(bytes.NewReader(bytes.Clone(c.buf)), c.src) }

// more reports whether there is something behind the piece returned last.
func (c *cutter) more() bool { return c.from < len(c.buf) || !c.eof }

// sample returns what is in memory, for guessing an encoding.
func (c *cutter) sample() []byte { return c.buf }

// fill reads more bytes, and reports false at the end of the file.
func (c *cutter) fill() bool {
	if c.eof {
		return false
	}
	if len(c.buf) == cap(c.buf) {
		c.makeRoom()
	}
	for range 100 {
		n, err := c.src.Read(c.buf[len(c.buf):cap(c.buf)])
		c.buf = c.buf[:len(c.buf)+n]
		if err != nil {
			c.eof = true
			if err != io.EOF {
				c.err = err
			}
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	c.eof, c.err = true, io.ErrNoProgress
	return false
}

// makeRoom moves the piece to the beginning of the buffer, or makes the buffer
// larger, or drops a piece that has become too long.
func (c *cutter) makeRoom() {
	if len(c.buf)-c.from > c.limit {
		c.dropped = true
		c.skip(c.scan)
	}
	if c.from > 0 && c.from >= cap(c.buf)/2 {
		c.buf = c.buf[:copy(c.buf, c.buf[c.from:])]
	} else {
		// No more than the largest piece and the line behind it need.
		rest := len(c.buf) - c.from
		larger := make([]byte, rest, max(min(2*cap(c.buf), c.limit+bufferSize), rest+512))
		copy(larger, c.buf[c.from:])
		c.buf = larger
	}
	c.scan -= c.from
	c.seen -= c.from
	c.from = 0
}

// skip gives up the bytes before a place of the buffer. A single line that is
// too long is given up as a whole.
func (c *cutter) skip(to int) {
	if to == c.from {
		to = len(c.buf)
		c.scan, c.seen = to, to
	}
	c.offset += int64(to - c.from)
	c.from = to
}

// next returns the next piece.
func (c *cutter) next() (p piece, ok bool) {
	c.first, c.moves, c.gap, c.dropped, c.lines = nil, false, false, false, 0
	begin, line := c.offset, c.line
	if c.end == 0 && (len(c.buf) > 0 || c.fill()) {
		c.end = '\n'
		if bytes.IndexByte(c.buf, '\n') < 0 && bytes.IndexByte(c.buf, '\r') >= 0 {
			c.end = '\r'
		}
	}
	for {
		stop := c.lineEnd()
		if stop == c.scan || c.begins(c.buf[c.scan:stop]) {
			break
		}
		c.scan = stop
		c.lines++
	}
	if c.scan == c.from && !c.dropped {
		return piece{}, false
	}
	p = piece{data: c.buf[c.from:c.scan], offset: begin, line: line}
	if c.dropped || len(p.data) > c.limit {
		p.data, p.tooLong = nil, true
	}
	c.offset += int64(c.scan - c.from)
	c.line += c.lines
	c.from = c.scan
	if len(p.data) > 1<<20 && len(p.data) > len(c.buf)-len(p.data)/4 {
		c.give(&p)
	}
	return p, true
}

// give lets a piece that is nearly all of the buffer keep it: a copy of a large
// one would cost as much again.
func (c *cutter) give(p *piece) {
	rest := c.buf[c.from:]
	p.data, p.owned = p.data[:len(p.data):len(p.data)], true
	c.buf = append(make([]byte, 0, max(bufferSize, len(rest)+512)), rest...)
	c.scan, c.seen, c.from = c.scan-c.from, max(0, c.seen-c.from), 0
}

// lineEnd returns the end of the line that begins at scan, reading on as need
// be. At the end of the file it returns scan.
func (c *cutter) lineEnd() int {
	c.seen = c.scan
	for {
		if i := bytes.IndexByte(c.buf[c.seen:], c.end); i >= 0 {
			return c.seen + i + 1
		}
		c.seen = len(c.buf)
		if !c.fill() {
			return len(c.buf)
		}
	}
}

// begins takes in one line and reports whether it belongs to the next piece.
func (c *cutter) begins(line []byte) bool {
	if line[0] == byteOrderMark[0] {
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	for len(line) > 0 && line[0] <= ' ' {
		line = line[1:]
	}
	if len(line) == 0 {
		c.gap = true
		return false
	}
	c.any = true
	tag := tagName(line)
	switch {
	case tag == nil:
		c.moves = true
	case c.moves, c.gap && c.first != nil && bytes.Equal(tag, c.first):
		return true
	case c.first == nil:
		c.first = bytes.Clone(tag)
	}
	c.gap = false
	return false
}

// tagName returns the name of the tag pair that a line begins with, or nil.
func tagName(line []byte) []byte {
	if len(line) < 4 || line[0] != '[' {
		return nil
	}
	i := 1
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	begin := i
	for i < len(line) && nameByte(line[i], i == begin) {
		i++
	}
	end := i
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if end == begin || i == len(line) || line[i] != '"' {
		return nil
	}
	return line[begin:end]
}

// nameByte reports whether a byte may be part of the name of a tag.
func nameByte(c byte, first bool) bool {
	switch {
	case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_', c >= 0x80:
		return true
	case c >= '0' && c <= '9', c == '-', c == '+', c == ':', c == '.':
		return !first
	}
	return false
}
