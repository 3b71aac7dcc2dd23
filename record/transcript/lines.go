package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lines cuts a stream into lines that end in LF, CR LF or CR.
type lines struct {
	r     *bufio.Reader
	limit int
	rest  []byte // what follows a CR in the piece that was read last
	buf   []byte

	offset int64 // of the current line
	after  int64 // of the next one
	line   int
	long   bool  // the current line was larger than the limit and is not whole
	err    error // of the reader, but io.EOF
	eof    bool
}

func newLines(r io.Reader, limit int) lines {
	l := lines{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
	if bom, _ := l.r.Peek(3); string(bom) == "\uFEFF" {
		_, _ = l.r.Discard(3)
		l.after = 3
	}
	return l
}

// next returns the next line without its end; it is valid until the next call.
func (l *lines) next() ([]byte, bool) {
	l.offset, l.long = l.after, false
	if len(l.rest) == 0 && !l.fill() {
		return nil, false
	}
	l.line++
	n := bytes.IndexAny(l.rest, "\r\n")
	if n < 0 {
		line := l.rest
		l.rest = nil
		l.after += int64(len(line))
		return line, true
	}
	line, end := l.rest[:n], 1
	if l.rest[n] == '\r' && n+1 < len(l.rest) && l.rest[n+1] == '\n' {
		end = 2
	}
	l.rest = l.rest[n+end:]
	l.after += int64(n + end)
	return line, true
}

// fill reads up to the next LF, in bounded memory.
func (l *lines) fill() bool {
	if l.eof {
		return false
	}
	l.buf = l.buf[:0]
	for {
		piece, err := l.r.ReadSlice('\n')
		if room := l.limit - len(l.buf); len(piece) > room {
			l.after += int64(len(piece) - room)
			piece, l.long = piece[:room], true
		}
		l.buf = append(l.buf, piece...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			l.eof = true
			if !errors.Is(err, io.EOF) {
				l.err = err
			}
		}
		l.rest = l.buf
		return len(l.buf) > 0
	}
}
