package ggf

import (
	"bytes"
	"errors"
	"io"
)

// gameStart is how games begin; inside of a game it means that its end is
// missing.
const gameStart = "(;GM["

// scanner cuts a stream into games. A game begins with "(;" and ends with ";)"
// outside of a value; where that is missing, it ends before the next "(;GM[".
type scanner struct {
	r      io.Reader
	limit  int    // bytes of a game
	buf    []byte // what has been read and not yet handed out
	base   int64  // offset of buf[0] in the file
	line   int    // number of the line that buf[0] stands on
	eof    bool
	err    error // of the reader, but io.EOF
	chunk  int   // bytes to ask for
	before bool  // something else than white space stood before the game
}

// cut is a piece of the file.
type cut struct {
	data   []byte // from "(;" on, not reused by the scanner
	offset int64
	line   int
	whole  bool // it has its end
	long   bool // it was larger than the limit; data is its beginning
}

func newScanner(r io.Reader, limit int) *scanner {
	return &scanner{r: r, limit: limit, line: 1, chunk: 64 << 10}
}

// fill reads more. It reports whether there was any.
func (s *scanner) fill() bool {
	for !s.eof {
		n := len(s.buf)
		if cap(s.buf)-n < s.chunk {
			grown := make([]byte, n, 2*n+2*s.chunk)
			copy(grown, s.buf)
			s.buf = grown
		}
		k, err := s.r.Read(s.buf[n : n+s.chunk])
		s.buf = s.buf[:n+k]
		if err != nil {
			s.eof = true
			if !errors.Is(err, io.EOF) {
				s.err = err
			}
		}
		if k > 0 {
			return true
		}
	}
	return false
}

// drop forgets the first n bytes.
func (s *scanner) drop(n int) {
	s.line += bytes.Count(s.buf[:n], []byte{'\n'})
	s.base += int64(n)
	s.buf = s.buf[n:]
}

// next returns the next game, or false at the end of the file.
func (s *scanner) next() (cut, bool) {
	for {
		i := bytes.Index(s.buf, []byte("(;"))
		if i >= 0 {
			s.skip(i)
			break
		}
		// The last byte may be the first of a "(;".
		if n := len(s.buf) - 1; n > 0 {
			s.skip(n)
		}
		if !s.fill() {
			s.skip(len(s.buf))
			return cut{}, false
		}
	}
	c := cut{offset: s.base, line: s.line}
	n, whole, long := s.end()
	c.whole, c.long = whole, long
	c.data = bytes.Clone(s.buf[:n])
	s.drop(n)
	return c, true
}

// skip drops what stands before a game.
func (s *scanner) skip(n int) {
	s.before = s.before || len(bytes.TrimSpace(s.buf[:n])) > 0
	s.drop(n)
}

// end finds the end of the game that the buffer begins with.
func (s *scanner) end() (n int, whole, long bool) {
	value := false // inside of brackets
	for i := 2; ; i++ {
		// A look ahead of the length of gameStart is enough for all cases.
		for i+len(gameStart) > len(s.buf) && s.fill() {
			continue
		}
		if i >= len(s.buf) {
			return len(s.buf), false, false
		}
		if i >= s.limit {
			return i, false, true
		}
		switch c := s.buf[i]; {
		case c == '\\' && value:
			i++
		case c == '[':
			value = true
		case c == ']':
			value = false
		case c == ';' && !value && i+1 < len(s.buf) && s.buf[i+1] == ')':
			return i + 2, true, false
		case c == '(' && i+len(gameStart) <= len(s.buf) && bytes.EqualFold(s.buf[i:i+len(gameStart)], []byte(gameStart)):
			return i, false, false
		}
	}
}
