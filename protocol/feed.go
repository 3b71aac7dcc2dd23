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

// Line is a line of the input.
type Line struct {
	Text string
	Long bool // it was longer than maxLine, and its end is left out
}

// Feed reads lines ahead, so that a thought can be told of what has come.
type Feed struct {
	lines chan queued
	ahead func(string) Signal
	grace time.Duration // how long a thought may go on when the input has ended

	mu      sync.Mutex
	settles sync.Cond
	waiting int    // lines that were read and not taken yet
	stops   int    // those of them that end any thought
	busy    bool   // a line was taken, and the next one is not yet asked for
	ended   bool   // quit or the end of the input was read
	gone    bool   // nobody takes lines any more
	stop    func() // ends the thought under way; nil where there is none
	yields  bool   // it ends when a line comes
	bounded bool   // it ends by itself
}

// queued is a line that waits for its turn.
type queued struct {
	Line
	signal Signal
}

// newFeed returns a feed. It reads until the input or the context ends.
func newFeed(ctx context.Context, grace time.Duration, ahead func(string) Signal) *Feed {
	if grace == 0 {
		grace = 10 * time.Second
	}
	f := &Feed{lines: make(chan queued, 64), grace: grace, ahead: ahead}
	f.settles.L = &f.mu
	context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.gone = true
		f.settles.Broadcast()
	})
	return f
}

func (f *Feed) read(ctx context.Context, in io.Reader) {
	defer close(f.lines)
	r := bufio.NewReaderSize(in, maxLine)
	for {
		l, err := readLine(r)
		if err != nil && l.Text == "" {
			f.end()
			return
		}
		signal := f.arrive(l.Text)
		if signal == Taken {
			continue
		}
		select {
		case f.lines <- queued{l, signal}:
		case <-ctx.Done():
			return
		}
		if signal == Quit {
			return
		}
	}
}

// readLine reads a line of any length and keeps what fits.
func readLine(r *bufio.Reader) (l Line, err error) {
	data, err := r.ReadSlice('\n')
	l.Text = strings.TrimRight(string(data), "\r\n")
	for errors.Is(err, bufio.ErrBufferFull) {
		l.Long = true
		_, err = r.ReadSlice('\n')
	}
	return l, err
}

// Signal is what a line means before its turn has come.
type Signal uint8

// The signals.
const (
	Wait  Signal = iota // its turn will come
	Stop                // it ends the thought under way; its turn will come, too
	Quit                // nothing behind it counts
	Taken               // it is answered already, and nothing waits
)

// arrive looks at a line before its turn.
func (f *Feed) arrive(text string) Signal {
	signal := f.ahead(text)
	if signal == Taken {
		return signal
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting++
	if signal == Stop {
		f.stops++
	}
	if f.stop != nil && (f.yields || signal == Stop) {
		f.stop()
	}
	if signal == Quit {
		f.finish()
	}
	return signal
}

// Settle waits until all lines before this one are done, but for a thought that
// may be under way: what is said then is true of what they have changed. It is
// for Ahead alone.
func (f *Feed) Settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.gone && (f.waiting > 0 || f.busy && f.stop == nil) {
		f.settles.Wait()
	}
}

// end notes that nothing more comes.
func (f *Feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.finish()
}

// finish bounds the thought under way, and those of lines that are still to be
// done. The lock is held.
func (f *Feed) finish() {
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
func (f *Feed) next(ctx context.Context) (l Line, ok bool) {
	f.mu.Lock()
	f.busy = false
	f.settles.Broadcast()
	f.mu.Unlock()
	var q queued
	select {
	case q, ok = <-f.lines:
	case <-ctx.Done():
		return l, false
	}
	if ok {
		f.mu.Lock()
		f.waiting--
		if q.signal == Stop {
			f.stops--
		}
		f.busy = true
		f.mu.Unlock()
	}
	return q.Line, ok
}

// Idle reports whether nothing waits to be done.
func (f *Feed) Idle() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.waiting == 0 && !f.ended
}

// During runs a thought. One that yields ends as soon as a line comes, or has
// come, others by a line that says so; without a bound of its own, it ends with
// the input, too.
func (f *Feed) During(ctx context.Context, yields, bounded bool, think func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.mu.Lock()
	f.stop, f.yields, f.bounded = cancel, yields, bounded
	if yields && f.waiting > 0 || f.stops > 0 {
		cancel()
	}
	if f.ended {
		f.finish()
	}
	f.settles.Broadcast()
	f.mu.Unlock()
	think(ctx)
	f.mu.Lock()
	f.stop = nil
	f.mu.Unlock()
}

// Words returns the words of a line; control characters are none of it.
func Words(text string) []string { return strings.Fields(strings.Map(plain, text)) }

// plain drops control characters, and makes tabs spaces.
func plain(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r < ' ' || r == 0x7f:
		return -1
	}
	return r
}
