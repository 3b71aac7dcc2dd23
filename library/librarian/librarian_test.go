package librarian_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"qipu"
	"qipu/book"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/library"
	"qipu/library/librarian"
)

// lines are openings, of which the first are played most.
const lines = "f5d6c3d3c4\nf5d6c3d3c4f4\nf5d6c3d3c4b3\nf5d6c3d3c4f4c5\nf5d6c4d3c5\nf5f6e6f4\nf5f6e6d6\nf5f4e3\n"

func open(t *testing.T, dir string) (*qipu.Library, *index.Kind) {
	t.Helper()
	l, err := qipu.Open(t.Context(), dir, qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	k, err := l.Records().Kind("othello")
	if err != nil {
		t.Fatal(err)
	}
	return l, k
}

func bring(t *testing.T, l *qipu.Library) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lines.txt")
	if err := os.WriteFile(path, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Import(t.Context(), library.ImportOptions{}, path); err != nil || r.New < 8 {
		t.Fatalf("%+v %v", r, err)
	}
}

// level is deeper than what comes with the program.
const level = 17

// counted makes engines that tell what is asked of them.
func counted(n *atomic.Int32, stop func(n int32)) func(game.Rules, engine.Options) (engine.Engine, error) {
	return func(r game.Rules, o engine.Options) (engine.Engine, error) {
		o.Hash = 1 << 20
		e, err := builtin.Engine(r, o)
		return &counter{e, n, stop}, err
	}
}

type counter struct {
	engine.Engine
	n    *atomic.Int32
	stop func(int32)
}

func (c *counter) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	n := c.n.Add(1)
	if c.stop != nil {
		c.stop(n)
	}
	return c.Engine.Think(ctx, t, l, watch)
}

// TestLibrarian values all positions with enough games, the most played first, goes on
// where it was stopped, and has nothing to do at the end.
func TestLibrarian(t *testing.T) {
	dir := t.TempDir()
	l, kind := open(t, dir)
	bring(t, l)
	b, err := l.Books().Book(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	o := librarian.Options{Books: l.Books(), Kind: kind, Level: level, Reached: 2, Engine: counted(&asked, func(n int32) {
		if n == 4 {
			cancel()
		}
	})}
	first := librarian.New(o)
	if err := first.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if s := first.State(); s.Phase != librarian.Idle || s.Searched != 3 || s.Valued != 3 || s.Total < 6 || left(t, l, kind, b, level) < s.Total-3 {
		t.Errorf("it was stopped: %+v", s)
	}
	l.Close()

	l, kind = open(t, dir)
	o.Books, o.Kind, o.Engine = l.Books(), kind, counted(&asked, nil)
	asked.Store(0)
	second := librarian.New(o)
	second.Pause()
	done := make(chan error)
	go func() { done <- second.Run(t.Context()) }()
	for second.State().Phase != librarian.Paused { // it waits at the gate, or is on the way there
		runtime.Gosched()
	}
	if asked.Load() != 0 {
		t.Error("it searches while it is paused")
	}
	second.Resume()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s := second.State(); s.Phase != librarian.Done || s.Valued != s.Total || int(asked.Load()) < s.Total-3 {
		t.Errorf("it is done: %+v after %d searches", s, asked.Load())
	}
	v, err := l.Books().Volume(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	if n := left(t, l, kind, v.Book, level); n != 0 {
		t.Errorf("%d positions have no value", n)
	}
	if e := v.Theory.Look(kind.Rules.Start()); e.Level < level || e.Partial {
		t.Errorf("the start is %+v", e.Values)
	}
	asked.Store(0)
	third := librarian.New(o)
	if err := third.Run(t.Context()); err != nil || asked.Load() != 0 {
		t.Errorf("there was nothing to do, and it searched %d positions: %v", asked.Load(), err)
	}
}

// left counts the positions with enough games that a search would tell something of.
func left(t *testing.T, l *qipu.Library, kind *index.Kind, b *book.Book, level int) (n int) {
	t.Helper()
	th, err := l.Books().Theory(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	err = b.Walk(func(s *book.Spot) bool {
		if s.N >= 2 && th.Doubt(s.Position, level) > 0 {
			n++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestFailingTeacher ends where no search succeeds.
func TestFailingTeacher(t *testing.T) {
	l, kind := open(t, t.TempDir())
	bring(t, l)
	bad := librarian.New(librarian.Options{Books: l.Books(), Kind: kind, Level: 2, Reached: 2, Engine: func(game.Rules, engine.Options) (engine.Engine, error) {
		return nil, errors.New("no such engine")
	}})
	if err := bad.Run(t.Context()); err == nil || bad.State().Err == nil {
		t.Error("nobody was told")
	}
}
