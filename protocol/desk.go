package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/record"
)

// Open returns an engine that plays a game. What the options leave open is the
// server's to say. The session closes the engine.
type Open func(r game.Rules, o engine.Options) (engine.Engine, error)

// Desk is what the sessions of all protocols have: a table, an engine, and a
// line to the other program.
type Desk struct {
	*Table
	Open Open
	Feed *Feed
	Out  *Out

	// Ahead looks at lines before their turn, in the goroutine that reads. It
	// may write to Out and have the Feed settle, and uses nothing else that the
	// session changes.
	Ahead func(text string) Signal

	engine engine.Engine // nil until it is needed
	plays  string        // the game that it was made for
	wants  engine.Options
}

// Serve has do answer line by line, until it says that it was the last, the input
// ends or the context does. It returns an error only where the output cannot be
// written.
func (d *Desk) Serve(ctx context.Context, in io.Reader, out io.Writer, grace time.Duration, do func(context.Context, Line) (quit bool)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.Out = &Out{w: bufio.NewWriter(out)}
	d.Feed = newFeed(ctx, grace, d.Ahead)
	go d.Feed.read(ctx, in)
	defer d.close()
	for {
		l, ok := d.Feed.next(ctx)
		if !ok {
			return nil
		}
		quit := do(ctx, l)
		if err := d.Out.Flush(); err != nil {
			return fmt.Errorf("protocol: the answer cannot be written: %w", err)
		}
		if quit {
			return nil
		}
	}
}

// Thinker returns an engine for the game on the table.
func (d *Desk) Thinker() (engine.Engine, error) {
	info := d.Rules.Info()
	if spec := info.Name + ":" + info.Variant; d.engine == nil || d.plays != spec {
		if err := d.close(); err != nil {
			return nil, err
		}
		if d.Open == nil {
			return nil, errors.New("there is no engine")
		}
		e, err := d.Open(d.Rules, d.wants)
		if err != nil {
			return nil, err
		}
		d.engine, d.plays = e, spec
	}
	return d.engine, nil
}

// Want has engines made by other options from now on.
func (d *Desk) Want(o engine.Options) error {
	if d.wants.Hash == o.Hash && d.wants.Threads == o.Threads && d.wants.Name == o.Name {
		return nil
	}
	d.wants = o
	return d.close()
}

// Forget has the next thought begin with an engine that remembers nothing.
func (d *Desk) Forget() error { return d.close() }

// close closes the engine.
func (d *Desk) close() error {
	e := d.engine
	d.engine = nil
	if e == nil {
		return nil
	}
	return e.Close()
}

// Out is where a session writes. What one call writes stays together, whoever
// writes at the same time.
type Out struct {
	mu sync.Mutex
	w  *bufio.Writer
}

func (o *Out) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(p)
}

// Flush sends what was written.
func (o *Out) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Flush()
}

// Say writes a line and sends it. An error shows when the command ends.
func (o *Out) Say(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fmt.Fprintf(o.w, format+"\n", args...)
	_ = o.w.Flush()
}

// ReadRecord returns the first record of a file, in the format that is surest of
// it.
func ReadRecord(formats []record.Format, games game.Catalog, name string, size int64, r io.Reader) (*record.Played, error) {
	in := bufio.NewReaderSize(r, record.SniffLen)
	head, _ := in.Peek(record.SniffLen)
	best := record.Detect(formats, head, name)
	if best == nil {
		return nil, errors.New("no format is known that it is written in")
	}
	for g, err := range best.Read(&record.Source{Name: name, Reader: in, Size: size}) {
		if err != nil {
			return nil, err
		}
		return record.NewReferee(games).Play(g), nil
	}
	return nil, errors.New("there is no record in it")
}

// ReadFile returns the first record of a file on disk.
func ReadFile(formats []record.Format, games game.Catalog, path string) (*record.Played, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	return ReadRecord(formats, games, path, info.Size(), f)
}
