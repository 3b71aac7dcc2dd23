package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Bounds of what a child may say.
const (
	maxLine  = 256 << 10 // bytes of a line: an analysis of a board of Go is the longest
	maxNoise = 4 << 20   // bytes in a row that mean nothing
	maxTail  = 2 << 10   // bytes of standard error that are kept
	maxTold  = 64        // texts that wait until the child reads them
)

// child is one process. What it prints comes line by line, and only when
// somebody listens: one that prints without end waits.
type child struct {
	cmd   *exec.Cmd
	told  chan string   // what it is to be told, in order
	lines chan string   // unbuffered
	gone  chan struct{} // closed when the child has ended, why being set
	deaf  chan struct{} // closed when it does not take what it is told
	quit  chan struct{} // closed when nobody listens any more
	once  sync.Once
	noise int // bytes since the last line that meant something

	mu    sync.Mutex
	why   error  // of the end of its output
	tail  []byte // the end of its standard error
	odd   string // the last line of its output that meant nothing
	stops error  // why it does not take what it is told
}

// launch starts a child.
func launch(o *Options) (*child, error) {
	c := &child{
		told: make(chan string, maxTold), lines: make(chan string),
		gone: make(chan struct{}), deaf: make(chan struct{}), quit: make(chan struct{}),
	}
	c.cmd = exec.Command(o.Command[0], o.Command[1:]...)
	c.cmd.Dir, c.cmd.Env = o.Dir, o.Env
	c.cmd.Stderr = (*tail)(c)
	c.cmd.WaitDelay = time.Second // for pipes that children of it hold open
	apart(c.cmd)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	confine(c.cmd, o.Memory)
	go c.tell(in)
	go func() {
		err := c.listen(out)
		// What is left of its output is of no interest: without a reader the
		// child would wait for ever, and so would we for it.
		killAll(c.cmd)
		ended := c.cmd.Wait()
		c.mu.Lock()
		if c.why = err; err == nil {
			c.why = errors.New("it ended its output")
			if ended != nil {
				c.why = fmt.Errorf("it ended: %w", ended)
			}
		}
		c.mu.Unlock()
		close(c.gone)
	}()
	return c, nil
}

// tell writes what the child is told. A child that does not read lets a write
// wait for ever: nobody waits for it but this goroutine, which ends with the
// child.
func (c *child) tell(in io.WriteCloser) {
	defer in.Close()
	for {
		select {
		case text := <-c.told:
			if _, err := io.WriteString(in, text); err != nil {
				c.mu.Lock()
				c.stops = err
				c.mu.Unlock()
				close(c.deaf)
				return
			}
		case <-c.quit:
			return
		case <-c.gone:
			return
		}
	}
}

// say tells the child something: whole lines.
func (c *child) say(text string) error {
	select {
	case c.told <- text:
		return nil
	default:
		return errors.New("it does not read what it is told" + c.said())
	}
}

// tail is the standard error of a child: all of it is read, the end is kept.
type tail child

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tail = append(t.tail, p[max(0, len(p)-maxTail):]...)
	t.tail = t.tail[max(0, len(t.tail)-maxTail):]
	return len(p), nil
}

// said returns what the child printed last, for an error.
func (c *child) said() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(c.tail)), "\n")
	text := strings.TrimSpace(lines[len(lines)-1])
	if text == "" {
		text = c.odd
	}
	if text = clean(text); text == "" {
		return ""
	}
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "..."
	}
	return fmt.Sprintf("; it printed %q", text)
}

// clean drops the control characters of a text. Tabs become spaces.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, text)
}

// listen reads lines until the output ends, or makes no sense any more.
func (c *child) listen(out io.Reader) error {
	r := bufio.NewReaderSize(out, maxLine)
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return fmt.Errorf("it printed a line of more than %d bytes", maxLine)
		}
		if err != nil {
			return nil // an error of the pipe is that the child has ended; half a line is none
		}
		select {
		case c.lines <- string(bytes.TrimRight(line, "\r\n")):
		case <-c.quit:
			return nil
		}
	}
}

// heard is what a line means to who listens.
type heard uint8

const (
	nothing heard = iota
	news          // something, but not the end of the answer
	done
)

// silence is the error of an answer that did not come in time.
type silence struct {
	question string
	wait     time.Duration
	said     string
}

func (s *silence) Error() string {
	return fmt.Sprintf("no answer to %q within %v%s", s.question, s.wait, s.said)
}

// onTheWay is how long lines may take from the child to who listens, beyond the time that
// the child has to answer.
const onTheWay = 100 * time.Millisecond

// hear hands lines to f until it has what it wants, no longer than a time. The
// question is for errors. What is known of the answer when an error comes is f's:
// one may go on to hear.
func (c *child) hear(ctx context.Context, question string, wait time.Duration, f func(line string) (heard, error)) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	deaf, late := c.deaf, false
	var ending <-chan time.Time
	for {
		select {
		case line := <-c.lines:
			h, err := f(line)
			switch {
			case err != nil:
				return err
			case h == done:
				c.noise = 0
				return nil
			case h == news:
				c.noise = 0
				continue
			}
			if c.noise += len(line) + 1; c.noise > maxNoise {
				return fmt.Errorf("it printed %d bytes that are no answer%s", c.noise, c.said())
			}
			if text := strings.TrimSpace(line); text != "" {
				c.mu.Lock()
				c.odd = text[:min(len(text), maxTail)]
				c.mu.Unlock()
			}
		case <-c.gone:
			return fmt.Errorf("no answer to %q: %w%s", question, c.why, c.said())
		case <-deaf:
			// It may have answered before, and it may end for that reason, which is the
			// better one to tell.
			deaf, ending = nil, time.After(time.Second)
		case <-ending:
			return fmt.Errorf("no answer to %q: it has closed its input: %w%s", question, c.stops, c.said())
		case <-timer.C:
			// Where this process had no turn, or f took its time, the answer may have come
			// in time and not be read yet.
			if !late {
				late = true
				timer.Reset(onTheWay)
				continue
			}
			return &silence{question, wait, c.said()}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// kill ends the child at once, and returns when it is gone.
func (c *child) kill() {
	c.once.Do(func() { close(c.quit) })
	select {
	case <-c.gone: // its number may be that of another process by now
		return
	default:
	}
	killAll(c.cmd)
	<-c.gone
}

// leave asks the child to end, and kills it where it does not.
func (c *child) leave(farewell string, wait time.Duration) {
	if c.say(farewell) == nil {
		_ = c.hear(context.Background(), "quit", wait, func(string) (heard, error) { return nothing, nil })
	}
	c.kill()
}
