//qipu:race

package protocol_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
	"qipu/protocol"
	"qipu/record/ggf"
)

// fake is an engine that thinks the first legal move the best, and each one
// behind it a disc worse.
type fake struct {
	slow  bool          // it thinks until it is stopped
	begun chan struct{} // told when a thought begins, where it is not nil
	clock func(engine.Limits)
}

func (*fake) Info() engine.Info { return engine.Info{Name: "fake", Version: "1.2"} }
func (*fake) Close() error      { return nil }

func (f *fake) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, engine.ErrOver
	}
	if f.clock != nil {
		f.clock(l)
	}
	r := &engine.Report{Depth: max(l.Depth, 1), Nodes: int64(len(moves)), Selectivity: 100}
	n := max(l.Multi, 1)
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
	if f.begun != nil {
		f.begun <- struct{}{}
	}
	if f.slow {
		<-ctx.Done()
	}
	return r, nil
}

func open(game.Rules) (engine.Engine, error) { return &fake{}, nil }

// TestSessions runs the sessions of testdata: each block is one.
func TestSessions(t *testing.T) {
	for _, name := range []string{"gtp.txt", "nboard.txt"} {
		t.Run(name, func(t *testing.T) {
			path, err := filepath.Abs("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir("testdata")
			testkit.Script(t, path, func(t *testing.T, c testkit.Command) string {
				var out bytes.Buffer
				var err error
				if c.Name == "nboard" {
					n := protocol.NBoard{Rules: othello.Standard, Open: open, Format: ggf.Format, Grace: time.Second}
					// The lines come one after the other, as people make them: in a bubble each after the one before it is done.
					synctest.Test(t, func(t *testing.T) {
						err = n.Serve(t.Context(), &steps{lines: strings.SplitAfter(c.Input, "\n")}, &out)
						time.Sleep(time.Hour) // who quits leaves lines unread
					})
				} else {
					r, err := builtin.Games().Find(strings.Fields(c.Line)[1])
					if err != nil {
						return err.Error() + "\n"
					}
					g := protocol.GTP{Rules: r, Open: open, Games: builtin.Games(), Formats: builtin.Formats(), Grace: time.Second}
					if err := g.Serve(context.Background(), strings.NewReader(c.Input), &out); err != nil {
						return err.Error() + "\n"
					}
				}
				if err != nil {
					return err.Error() + "\n"
				}
				return out.String()
			})
		})
	}
}

// steps is a reader that gives a line at a time, after a pause.
type steps struct{ lines []string }

func (s *steps) Read(p []byte) (int, error) {
	if len(s.lines) == 0 {
		return 0, io.EOF
	}
	time.Sleep(15 * time.Millisecond)
	n := copy(p, s.lines[0])
	s.lines = s.lines[1:]
	return n, nil
}

// talk is a session that a test speaks in.
type talk struct {
	in   *io.PipeWriter
	done chan error
	mu   sync.Mutex
	out  bytes.Buffer
	more chan struct{}
}

func (c *talk) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.more <- struct{}{}:
	default:
	}
	return c.out.Write(p)
}

func (c *talk) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.String()
}

// until waits for a text in the output.
func (c *talk) until(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(testkit.Patience)
	for !strings.Contains(c.text(), want) {
		select {
		case <-c.more:
		case <-deadline:
			t.Fatalf("%q never came:\n%s", want, c.text())
		}
	}
}

func converse(serve func(context.Context, io.Reader, io.Writer) error) *talk {
	r, w := io.Pipe()
	c := &talk{in: w, done: make(chan error, 1), more: make(chan struct{}, 1)}
	go func() { c.done <- serve(context.Background(), r, c) }()
	return c
}

// TestInterrupt ends thoughts that would go on for ever: by an interrupt, by
// quit, by the end of the input, by the next line where one analyses.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct{ name, order, stop, want string }{
		{"interrupt", "genmove b", "# interrupt\nname\n", "= D3\n\n= fake\n\n"},
		{"quit", "1 genmove b", "2 quit\n", "=1 D3\n\n=2\n\n"},
		{"end", "genmove b", "", "= D3\n\n"},
		{"analyze", "7 qipu-analyze b 1", "8 name\n", "=7\ninfo move D3 value 4.00 depth 1 nodes 4 exact 0 order 0 pv D3 C3 "},
		{"analyze to the end", "qipu-analyze", "", "=\ninfo move D3 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{slow: true, begun: make(chan struct{}, 1)}
			g := protocol.GTP{Rules: othello.Standard, Grace: time.Millisecond, Open: func(game.Rules) (engine.Engine, error) { return f, nil }}
			s := converse(g.Serve)
			fmt.Fprintln(s.in, c.order)
			<-f.begun
			io.WriteString(s.in, c.stop)
			if c.name != "quit" {
				if c.stop != "" {
					s.until(t, "fake\n\n")
				}
				s.in.Close()
			}
			if err := <-s.done; err != nil {
				t.Error(err)
			}
			if !strings.HasPrefix(s.text(), c.want) {
				t.Errorf("got %q, want %q", s.text(), c.want)
			}
		})
	}
}

// TestPing ends a hint of NBoard: nothing about the old position comes behind
// the pong.
func TestPing(t *testing.T) {
	f := &fake{slow: true, begun: make(chan struct{}, 1)}
	n := protocol.NBoard{Rules: othello.Standard, Format: ggf.Format, Open: func(game.Rules) (engine.Engine, error) { return f, nil }}
	s := converse(n.Serve)
	fmt.Fprintln(s.in, "hint 2")
	<-f.begun
	fmt.Fprintln(s.in, "ping 5")
	s.until(t, "pong 5\n")
	fmt.Fprintln(s.in, "quit")
	if err := <-s.done; err != nil || !strings.HasSuffix(s.text(), "pong 5\n") {
		t.Errorf("%v, %q", err, s.text())
	}
}

// TestPonder thinks between the lines, and stops for the next.
func TestPonder(t *testing.T) {
	f := &fake{slow: true, begun: make(chan struct{}, 8)}
	n := protocol.NBoard{Rules: othello.Standard, Ponder: true, Open: func(game.Rules) (engine.Engine, error) { return f, nil }}
	s := converse(n.Serve)
	for _, line := range []string{"move F5", "move D6//1.5"} {
		fmt.Fprintln(s.in, line)
		<-f.begun
	}
	fmt.Fprintln(s.in, "ping 1")
	s.until(t, "pong 1\n")
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// TestClock sees what a thought is told about time.
func TestClock(t *testing.T) {
	var got []string
	f := &fake{clock: func(l engine.Limits) {
		if l.Clock == nil {
			got = append(got, "none")
			return
		}
		got = append(got, fmt.Sprintf("%v/%d", l.Clock.Left.Round(time.Second), l.Clock.Moves))
	}}
	g := protocol.GTP{Rules: othello.Standard, Open: func(game.Rules) (engine.Engine, error) { return f, nil }}
	script := `reg_genmove b
time_settings 300 0 0
reg_genmove b
time_left b 17 0
reg_genmove b
reg_genmove w
time_settings 0 30 5
genmove b
genmove w
genmove b
time_left b 0 0
genmove w
genmove b
genmove w
genmove b
time_settings 10 5 0
genmove w
time_settings 0 0 0
genmove b
time_left w 3 0
genmove w
clear_board
genmove b
time_settings 20 0 0
time_left b 4 0
genmove w
clear_board
genmove b
`
	var out bytes.Buffer
	if err := g.Serve(context.Background(), strings.NewReader(script), &out); err != nil {
		t.Fatal(err)
	}
	want := "none 5m0s/0 17s/0 30s/5 30s/5 30s/4 30s/4 0s/0 30s/3 30s/5 none none 3s/0 none 20s/0 20s/0"
	if strings.Join(got, " ") != want || strings.Contains(out.String(), "?1") {
		t.Errorf("got %s\nwant %s\n%s", strings.Join(got, " "), want, out.String())
	}
}

// TestLong refuses a line without an end, and goes on behind it.
func TestLong(t *testing.T) {
	g := protocol.GTP{Rules: othello.Standard, Open: open}
	var out bytes.Buffer
	in := "1 play b " + strings.Repeat("f5", 1<<20) + "\n2 name\n3 version" // and no end of the last line
	if err := g.Serve(context.Background(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if want := "?1 the line is too long\n\n=2 fake\n\n=3 1.2\n\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// TestBroken sees that a session ends where nobody reads its answers.
func TestBroken(t *testing.T) {
	g := protocol.GTP{Rules: othello.Standard, Open: open}
	r, w := io.Pipe()
	r.Close()
	if err := g.Serve(context.Background(), strings.NewReader("name\nname\n"), w); err == nil {
		t.Error("no error")
	}
}

// FuzzGTP holds that every command has one answer, whatever was said before.
func FuzzGTP(f *testing.F) {
	data, err := os.ReadFile("testdata/gtp.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n\n") {
		f.Add(block, byte(0))
	}
	f.Add("set_game Go\nboardsize 3\nplay b b2\nplay b a1\ngenmove b\nfinal_score\nundo\nundo", byte(1))
	f.Add("genmove r\nplay w h2e2\nreg_genmove b\nshowboard", byte(2))
	f.Fuzz(func(t *testing.T, text string, kind byte) {
		games := builtin.Games()
		g := protocol.GTP{Rules: games[int(kind)%len(games)], Games: games, Open: open, Grace: time.Millisecond}
		text = strings.NewReplacer("quit", "name", "qipu-analyze", "name", "loadsgf", "undo").Replace(text) + "\n17 protocol_version\n"
		var out bytes.Buffer
		if err := g.Serve(context.Background(), strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), "\n\n") || !strings.HasSuffix(out.String(), "=17 2\n\n") {
			t.Errorf("%q is answered by %q", text, out.String())
		}
		orders := 0
		for _, line := range strings.Split(text, "\n") {
			line, _, _ = strings.Cut(line, "#")
			line = strings.Map(func(r rune) rune {
				if r != '\t' && (r < ' ' || r == 0x7f) {
					return -1
				}
				return r
			}, line)
			if strings.TrimSpace(line) != "" {
				orders++
			}
		}
		if n := strings.Count(out.String(), "\n\n"); n != orders && len(text) < 64<<10 {
			t.Errorf("%d answers to %d commands: %q", n, orders, out.String())
		}
	})
}

// FuzzNBoard holds that a ping is answered whatever was said before.
func FuzzNBoard(f *testing.F) {
	data, err := os.ReadFile("testdata/nboard.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n\n") {
		f.Add(block)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := protocol.NBoard{Rules: othello.Standard, Open: open, Format: ggf.Format, Grace: time.Millisecond}
		text = strings.ReplaceAll(text, "quit", "go") + "\nping 17\n"
		var out bytes.Buffer
		if err := n.Serve(context.Background(), strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), "pong 17\n") {
			t.Errorf("%q is answered by %q", text, out.String())
		}
	})
}

func ExampleGTP() {
	g := protocol.GTP{Rules: othello.Standard, Open: open}
	in := "boardsize 8\n1 play black f5\n2 genmove white\n3 play black a1\n"
	if err := g.Serve(context.Background(), strings.NewReader(in), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// =
	//
	// =1
	//
	// =2 F4
	//
	// ?3 illegal move
}
