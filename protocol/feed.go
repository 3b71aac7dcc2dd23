package protocol

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// maxLine is the greatest length of a line in bytes. A game of NBoard is the
// longest that there is.
const maxLine = 64 << 10

// line is a line of the input.
type line struct {
	text string
	long bool // it was longer than maxLine, and its end is left out
}

// feed reads lines ahead, so that a thought can be told of what has come.
type feed struct {
	lines chan line
	grace time.Duration // how long a thought may go on when the input has ended

	mu      sync.Mutex
	waiting int    // lines that were read and not taken yet
	ended   bool   // quit or the end of the input was read
	stop    func() // ends the thought under way; nil where there is none
	yields  bool   // it ends when a line comes
	bounded bool   // it ends by itself
}

// newFeed begins to read. It reads until the input or the context ends.
func newFeed(ctx context.Context, in io.Reader, grace time.Duration) *feed {
	if grace == 0 {
		grace = 10 * time.Second
	}
	f := &feed{lines: make(chan line, 64), grace: grace}
	go f.read(ctx, in)
	return f
}

func (f *feed) read(ctx context.Context, in io.Reader) {
	defer close(f.lines)
	r := bufio.NewReaderSize(in, maxLine)
	for {
		l, err := readLine(r)
		if err != nil && l.text == "" {
			f.end()
			return
		}
		f.arrive(l.text)
		select {
		case f.lines <- l:
		case <-ctx.Done():
			return
		}
	}
}

// readLine reads a line of any length and keeps what fits.
func readLine(r *bufio.Reader) (l line, err error) {
	data, err := r.ReadSlice('\n')
	l.text = strings.TrimRight(string(data), "\r\n")
	for errors.Is(err, bufio.ErrBufferFull) {
		l.long = true
		_, err = r.ReadSlice('\n')
	}
	return l, err
}

// arrive looks at a line before its turn.
func (f *feed) arrive(text string) {
	word, comment, _ := strings.Cut(text, "#")
	words := strings.Fields(word)
	quit := len(words) > 0 && words[0] == "quit" || len(words) > 1 && words[1] == "quit" && strings.Trim(words[0], "0123456789") == ""
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting++
	if f.stop != nil && (f.yields || len(words) == 0 && strings.TrimSpace(comment) == "interrupt") {
		f.stop()
	}
	if quit {
		f.finish()
	}
}

// end notes that nothing more comes.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.finish()
}

// finish bounds the thought under way, and those of lines that are still to be
// done. The lock is held.
func (f *feed) finish() {
	f.ended = true
	switch {
	case f.stop == nil:
	case f.bounded:
		time.AfterFunc(f.grace, f.stop)
	default:
		f.stop()
	}
}

// next returns the next line; ok is false at the end.
func (f *feed) next(ctx context.Context) (l line, ok bool) {
	select {
	case l, ok = <-f.lines:
	case <-ctx.Done():
		return l, false
	}
	if ok {
		f.mu.Lock()
		f.waiting--
		f.mu.Unlock()
	}
	return l, ok
}

// idle reports whether nothing waits to be done.
func (f *feed) idle() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.waiting == 0 && !f.ended
}

// during runs a thought. Where it yields, it ends as soon as a line comes, or
// has come; without a bound of its own, it ends with the input, too.
func (f *feed) during(ctx context.Context, yields, bounded bool, think func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.mu.Lock()
	f.stop, f.yields, f.bounded = cancel, yields, bounded
	if yields && f.waiting > 0 {
		cancel()
	}
	if f.ended {
		f.finish()
	}
	f.mu.Unlock()
	think(ctx)
	f.mu.Lock()
	f.stop = nil
	f.mu.Unlock()
}
