//qipu:race

package nboard_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
	"qipu/protocol/nboard"
	"qipu/protocol/protocoltest"
	"qipu/record/ggf"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSessions runs the sessions of testdata: each block is one.
func TestSessions(t *testing.T) {
	testkit.Script(t, "testdata/sessions.txt", func(t *testing.T, c testkit.Command) string {
		var out bytes.Buffer
		var err error
		n := nboard.Server{Rules: othello.Standard, Open: protocoltest.Open, Format: ggf.Format, Grace: time.Second}
		// The lines come one after the other, as people make them: in a bubble each after the one before it is done.
		synctest.Test(t, func(t *testing.T) {
			err = n.Serve(t.Context(), &protocoltest.Steps{Lines: strings.SplitAfter(c.Input, "\n")}, &out)
			time.Sleep(time.Hour) // who quits leaves lines unread
		})
		if err != nil {
			return err.Error() + "\n"
		}
		return out.String()
	})
}

// TestPing ends a hint of NBoard: nothing about the old position comes behind
// the pong.
func TestPing(t *testing.T) {
	f := &protocoltest.Fake{Slow: true, Begun: make(chan struct{}, 1)}
	n := nboard.Server{Rules: othello.Standard, Format: ggf.Format, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return f, nil }}
	s := protocoltest.Converse(n.Serve)
	fmt.Fprintln(s.In, "hint 2")
	<-f.Begun
	fmt.Fprintln(s.In, "ping 5")
	s.Until(t, "pong 5\n")
	fmt.Fprintln(s.In, "quit")
	if err := <-s.Done; err != nil || !strings.HasSuffix(s.Text(), "pong 5\n") {
		t.Errorf("%v, %q", err, s.Text())
	}
}

// TestPonder thinks between the lines, and stops for the next.
func TestPonder(t *testing.T) {
	f := &protocoltest.Fake{Slow: true, Begun: make(chan struct{}, 8)}
	n := nboard.Server{Rules: othello.Standard, Ponder: true, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return f, nil }}
	s := protocoltest.Converse(n.Serve)
	for _, line := range []string{"move F5", "move D6//1.5"} {
		fmt.Fprintln(s.In, line)
		<-f.Begun
	}
	fmt.Fprintln(s.In, "ping 1")
	s.Until(t, "pong 1\n")
	s.In.Close()
	if err := <-s.Done; err != nil {
		t.Error(err)
	}
}

// FuzzNBoard holds that a ping is answered whatever was said before.
func FuzzNBoard(f *testing.F) {
	data, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n\n") {
		f.Add(block)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := nboard.Server{Rules: othello.Standard, Open: protocoltest.Open, Format: ggf.Format, Grace: time.Millisecond}
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
