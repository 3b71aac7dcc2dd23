// Package protocoltest is what tests of protocols speak with: an engine whose
// answers are known, and a session that is talked to line by line.
package protocoltest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/internal/testkit"
)

// Fake is an engine that thinks the first legal move the best, and each one
// behind it a disc worse.
type Fake struct {
	Slow   bool          // it thinks until it is stopped
	Begun  chan struct{} // told when a thought begins, where it is not nil
	Limits func(engine.Limits)
}

func (*Fake) Info() engine.Info { return engine.Info{Name: "fake", Version: "1.2"} }
func (*Fake) Close() error      { return nil }

func (f *Fake) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, engine.ErrOver
	}
	if f.Limits != nil {
		f.Limits(l)
	}
	r := &engine.Report{Depth: max(l.Depth, 1), Nodes: int64(len(moves)), Selectivity: 100}
	n := max(l.Multi, 1)
	if l.Multi < 0 {
		n = len(moves)
	}
	for i, m := range moves[:min(n, len(moves))] {
		line := engine.Line{Move: m, Value: engine.Value(len(moves)-i) * engine.Unit, Moves: []game.Move{m}}
		if err := p.Play(m); err != nil {
			return nil, err
		}
		if next := p.AppendMoves(nil); len(next) > 0 {
			line.Moves = append(line.Moves, next[0])
		}
		p.Undo()
		r.Lines = append(r.Lines, line)
	}
	if watch != nil {
		watch(r)
	}
	if f.Begun != nil {
		f.Begun <- struct{}{}
	}
	if f.Slow {
		<-ctx.Done()
	}
	return r, nil
}

// Open opens a Fake.
func Open(game.Rules, engine.Options) (engine.Engine, error) { return &Fake{}, nil }

// Steps is a reader that gives a line at a time, after a pause.
type Steps struct{ Lines []string }

func (s *Steps) Read(p []byte) (int, error) {
	if len(s.Lines) == 0 {
		return 0, io.EOF
	}
	time.Sleep(15 * time.Millisecond)
	n := copy(p, s.Lines[0])
	s.Lines = s.Lines[1:]
	return n, nil
}

// Talk is a session that a test speaks in.
type Talk struct {
	In   *io.PipeWriter
	Done chan error
	mu   sync.Mutex
	out  bytes.Buffer
	more chan struct{}
}

// Write takes what the session says.
func (c *Talk) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.more <- struct{}{}:
	default:
	}
	return c.out.Write(p)
}

// Text returns what the session has said.
func (c *Talk) Text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.String()
}

// Until waits for a text in the output.
func (c *Talk) Until(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(testkit.Patience)
	for !strings.Contains(c.Text(), want) {
		select {
		case <-c.more:
		case <-deadline:
			t.Fatalf("%q never came:\n%s", want, c.Text())
		}
	}
}

// Converse begins a session.
func Converse(serve func(context.Context, io.Reader, io.Writer) error) *Talk {
	r, w := io.Pipe()
	c := &Talk{In: w, Done: make(chan error, 1), more: make(chan struct{}, 1)}
	go func() { c.Done <- serve(context.Background(), r, c) }()
	return c
}
