//qipu:race

package uci_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/othello"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/protocol/protocoltest"
	"qipu/protocol/uci"
)

var games = game.Catalog{xiangqi.Standard, othello.Standard, weiqi.Standard, chess.Standard}

// TestSessions runs the sessions of testdata: each block is one, "uci GAME" or
// "ucci GAME". Lines come one after the other; behind --at-once they come before
// anything is done.
func TestSessions(t *testing.T) {
	testkit.Script(t, "testdata/sessions.txt", func(t *testing.T, c testkit.Command) string {
		words := strings.Fields(c.Line)
		r, err := games.Find(words[1])
		if err != nil {
			return err.Error() + "\n"
		}
		s := uci.Server{Rules: r, Games: games, Open: protocoltest.Open, UCCI: c.Name == "ucci", Author: "the authors", Grace: time.Second}
		var out bytes.Buffer
		// In a bubble each line comes when the one before it is done.
		synctest.Test(t, func(t *testing.T) {
			lines := strings.SplitAfter(c.Input, "\n")
			if len(words) > 2 && words[2] == "--at-once" {
				lines = []string{c.Input}
			}
			err = s.Serve(t.Context(), &protocoltest.Steps{Lines: lines}, &out)
			time.Sleep(time.Hour) // who quits leaves lines unread
		})
		if err != nil {
			return err.Error() + "\n"
		}
		return out.String()
	})
}

// TestStop ends thoughts that would go on for ever, and asks whether the program
// is there while it thinks.
func TestStop(t *testing.T) {
	for _, order := range []string{"go infinite", "go depth 5", "go wtime 100 btime 100", "go ponder depth 7"} {
		t.Run(order, func(t *testing.T) {
			f := &protocoltest.Fake{Slow: true, Begun: make(chan struct{}, 1)}
			v := uci.Server{Rules: xiangqi.Standard, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return f, nil }}
			s := protocoltest.Converse(v.Serve)
			fmt.Fprintln(s.In, order)
			<-f.Begun
			fmt.Fprintln(s.In, "isready")
			s.Until(t, "readyok\n")
			if strings.Contains(s.Text(), "bestmove") {
				t.Errorf("it moved: %s", s.Text())
			}
			fmt.Fprintln(s.In, "stop")
			s.Until(t, "bestmove ")
			fmt.Fprintln(s.In, "quit")
			if err := <-s.Done; err != nil || strings.Count(s.Text(), "bestmove") != 1 {
				t.Errorf("%v, %s", err, s.Text())
			}
		})
	}
}

// TestPonderHit thinks on with the clock when the expected move has come.
func TestPonderHit(t *testing.T) {
	var asked []engine.Limits
	f := &protocoltest.Fake{Limits: func(l engine.Limits) { asked = append(asked, l) }}
	v := uci.Server{Rules: xiangqi.Standard, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return f, nil }}
	s := protocoltest.Converse(v.Serve)
	fmt.Fprintln(s.In, "position startpos moves h3e3 h10g8")
	fmt.Fprintln(s.In, "go ponder wtime 60000 btime 50000 winc 100 movestogo 20")
	fmt.Fprintln(s.In, "isready")
	s.Until(t, "readyok\n")
	fmt.Fprintln(s.In, "ponderhit")
	s.Until(t, "bestmove ")
	s.In.Close()
	if err := <-s.Done; err != nil {
		t.Fatal(err)
	}
	want := engine.Clock{Left: time.Minute, Increment: 100 * time.Millisecond, Moves: 20}
	if len(asked) == 0 || asked[len(asked)-1].Clock == nil || *asked[len(asked)-1].Clock != want {
		t.Errorf("asked for %+v", asked)
	}
}

// TestOptions sees what an engine is made with.
func TestOptions(t *testing.T) {
	var made []engine.Options
	v := uci.Server{Rules: othello.Standard, Open: func(_ game.Rules, o engine.Options) (engine.Engine, error) {
		made = append(made, o)
		return &protocoltest.Fake{}, nil
	}}
	in := "go depth 1\nsetoption name Hash value 32\nsetoption name Threads value 2\ngo depth 1\nsetoption name Hash value 32\ngo depth 2\nucinewgame\ngo depth 1\n"
	var out bytes.Buffer
	if err := v.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := []engine.Options{{}, {Hash: 32 << 20, Threads: 2}, {Hash: 32 << 20, Threads: 2}}
	if fmt.Sprint(made) != fmt.Sprint(want) {
		t.Errorf("made %v, want %v: %s", made, want, out.String())
	}
}

// TestLong refuses a line without an end, and knows no position behind it.
func TestLong(t *testing.T) {
	v := uci.Server{Rules: xiangqi.Standard, Open: protocoltest.Open}
	var out bytes.Buffer
	in := "position startpos moves " + strings.Repeat("h3e3 ", 1<<18) + "\ngo depth 1\nposition startpos\ngo depth 1\n"
	if err := v.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "info string the line is too long\nbestmove (none)\ninfo depth 1") {
		t.Errorf("got %.300q", out.String())
	}
}

// FuzzUCI holds for both dialects that every go has one answer, isready one, too,
// whatever was said before, and that nothing is said that is no word of the
// protocol.
func FuzzUCI(f *testing.F) {
	data, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for block := range strings.SplitSeq(string(data), "\n\n") {
		f.Add(block, byte(0))
		f.Add(block, byte(1))
	}
	f.Fuzz(func(t *testing.T, text string, kind byte) {
		v := uci.Server{Rules: games[int(kind/2)%len(games)], Games: games, Open: protocoltest.Open, UCCI: kind%2 == 1, Grace: time.Millisecond}
		text = strings.NewReplacer("quit", "go").Replace(text) + "\nisready\n"
		var out bytes.Buffer
		if err := v.Serve(context.Background(), strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		searches, ready := 0, 0
		for line := range strings.SplitSeq(text, "\n") {
			words := strings.Fields(strings.Map(func(r rune) rune {
				switch {
				case r == '\t':
					return ' '
				case r < ' ' || r == 0x7f:
					return -1
				}
				return r
			}, line))
			if len(words) > 0 && words[0] == "go" {
				searches++
			}
			if len(words) > 0 && words[0] == "isready" {
				ready++
			}
		}
		answers, readies := 0, 0
		for line := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			switch word {
			case "bestmove", "nobestmove":
				answers++
			case "readyok":
				readies++
			case "info", "option", "id", "uciok", "ucciok":
			default:
				t.Errorf("%q is answered by %q", text, line)
			}
		}
		// A thought on the opponent's time that nothing follows has no answer.
		if (answers != searches && !(strings.Contains(text, "ponder") && answers <= searches)) || readies != ready {
			t.Errorf("%d moves for %d searches, %d times ready of %d: %q: %q", answers, searches, readies, ready, text, out.String())
		}
	})
}

func ExampleServer() {
	v := uci.Server{Rules: xiangqi.Standard, Open: protocoltest.Open}
	in := "position startpos moves h3e3\ngo depth 3\nposition startpos moves a1a9\n"
	if err := v.Serve(context.Background(), strings.NewReader(in), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// info depth 3 score cp 4500 nodes 45 time 0 pv e10e9 e1e2
	// bestmove e10e9 ponder e1e2
	// info string position: move 1, a1a9: the way is blocked: illegal move
}
