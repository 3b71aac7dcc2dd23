package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds of what a child may say. An answer of GTP is a line or a board.
const (
	maxLine   = 64 << 10 // bytes of a line of an answer
	maxAnswer = 1 << 20  // bytes of an answer
	maxNoise  = 4 << 20  // bytes between two answers that belong to none
	maxTail   = 2 << 10  // bytes of standard error that are kept
)

// refusal is an answer that says no: the child is well, but does not do it.
type refusal struct{ command, text string }

func (r *refusal) Error() string { return fmt.Sprintf("refused %q: %s", r.command, r.text) }

// answer is what a child said.
type answer struct {
	id   int // -1 where it has none
	ok   bool
	text string
}

// child is one process.
type child struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer   // unbuffered: a child that answers unasked waits
	gone    chan struct{} // closed when the child has ended, why being set
	quit    chan struct{} // closed when nobody listens any more
	once    sync.Once
	last    int // number of the last command

	mu   sync.Mutex
	why  error  // of the end of its output
	tail []byte // the end of its standard error
	odd  string // the last line of its output that was no answer
}

// launch starts a child.
func launch(o *Options) (*child, error) {
	c := &child{answers: make(chan answer), gone: make(chan struct{}), quit: make(chan struct{})}
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
	c.in = in
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

// clean drops the control characters of a text, as GTP wants it. Tabs become
// spaces.
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

// listen reads answers until the output ends, or makes no sense any more.
func (c *child) listen(out io.Reader) error {
	r := bufio.NewReaderSize(out, maxLine)
	noise := 0
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if noise += len(line); noise > maxNoise {
				return fmt.Errorf("it printed %d bytes that are no answer", noise)
			}
			continue
		}
		if err != nil && len(line) == 0 {
			return nil // an error of the pipe is that the child has ended
		}
		a, begins := head(line)
		if !begins {
			if noise += len(line); noise > maxNoise {
				return fmt.Errorf("it printed %d bytes that are no answer", noise)
			}
			if text := strings.TrimSpace(string(line)); text != "" {
				c.mu.Lock()
				c.odd = text[:min(len(text), maxTail)]
				c.mu.Unlock()
			}
			continue
		}
		if a.text, err = rest(r, a.text); err != nil {
			return err
		}
		noise = 0
		select {
		case c.answers <- a:
		case <-c.quit:
			return nil
		}
	}
}

// head reads the first line of an answer: "=12 text", "? text".
func head(line []byte) (a answer, ok bool) {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 || line[0] != '=' && line[0] != '?' {
		return a, false
	}
	a.ok, a.id = line[0] == '=', -1
	line = line[1:]
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		id, err := strconv.Atoi(string(line[:digits]))
		if err != nil {
			id = -2 // longer than any number that was ever given
		}
		a.id = id
	}
	a.text = strings.TrimSpace(clean(string(line[digits:])))
	return a, true
}

// rest reads an answer up to the empty line behind it. An answer that the end of
// the output cuts off is none.
func rest(r *bufio.Reader, first string) (string, error) {
	var text strings.Builder
	text.WriteString(first)
	for {
		line, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) || text.Len()+len(line) > maxAnswer {
			return "", fmt.Errorf("an answer of it has no end")
		}
		if err != nil {
			return "", fmt.Errorf("it ended in the middle of an answer")
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return text.String(), nil
		}
		text.WriteByte('\n')
		text.WriteString(clean(string(line)))
	}
}

// ask gives a command and waits for its answer, no longer than a time.
// Answers with other numbers are those of commands that were given up.
func (c *child) ask(ctx context.Context, command string, wait time.Duration) (string, error) {
	c.last++
	id := c.last
	timer := time.NewTimer(wait)
	defer timer.Stop()
	wrote := make(chan error, 1)
	// A child that does not read lets a write wait for ever: it has a goroutine
	// of its own, which ends with the child.
	go func() {
		_, err := fmt.Fprintf(c.in, "%d %s\n", id, command)
		wrote <- err
	}()
	for {
		select {
		case err := <-wrote:
			if err != nil {
				return "", c.end(command, err)
			}
			wrote = nil
		case a := <-c.answers:
			if a.id != id && a.id != -1 {
				continue
			}
			if !a.ok {
				return "", &refusal{command, a.text}
			}
			return a.text, nil
		case <-c.gone:
			return "", c.end(command, nil)
		case <-timer.C:
			return "", fmt.Errorf("no answer to %q within %v%s", command, wait, c.said())
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// end tells why a command was not answered by a child that has ended.
func (c *child) end(command string, err error) error {
	select {
	case <-c.gone:
		c.mu.Lock()
		err = c.why
		c.mu.Unlock()
	case <-time.After(time.Second):
	}
	return fmt.Errorf("no answer to %q: %w%s", command, err, c.said())
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
	c.in.Close()
	<-c.gone
}

// leave asks the child to end, and kills it where it does not.
func (c *child) leave(wait time.Duration) {
	_, _ = c.ask(context.Background(), "quit", wait)
	c.in.Close()
	select {
	case <-c.gone:
	case <-time.After(wait):
	}
	c.kill()
}
