//qipu:race

package gomocup_test

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
	"qipu/game/renju"
	"qipu/internal/testkit"
	"qipu/protocol/gomocup"
	"qipu/protocol/protocoltest"
)

var free = game.Must(renju.Renju.Variant("free"))

// TestSessions runs the sessions of testdata: each block is one.
func TestSessions(t *testing.T) {
	testkit.Script(t, "testdata/sessions.txt", func(t *testing.T, c testkit.Command) string {
		s := gomocup.Server{Rules: free, Open: protocoltest.Open, Grace: time.Second}
		var out bytes.Buffer
		var err error
		// In a bubble each line comes when the one before it is done.
		synctest.Test(t, func(t *testing.T) {
			err = s.Serve(t.Context(), &protocoltest.Steps{Lines: strings.SplitAfter(c.Input, "\n")}, &out)
			time.Sleep(time.Hour) // who ends leaves lines unread
		})
		if err != nil {
			return err.Error() + "\n"
		}
		return out.String()
	})
}

// TestLimits sees what a thought is told about time and memory.
func TestLimits(t *testing.T) {
	var got []string
	f := &protocoltest.Fake{Limits: func(l engine.Limits) {
		text := l.Time.String()
		if l.Clock != nil {
			text += "/" + l.Clock.Left.Round(10*time.Millisecond).String()
		}
		got = append(got, text)
	}}
	s := gomocup.Server{Rules: free, Open: func(_ game.Rules, o engine.Options) (engine.Engine, error) {
		got = append(got, fmt.Sprint(o.Hash))
		return f, nil
	}}
	in := `START 15
BEGIN
INFO timeout_turn 1000
INFO timeout_match 100000
INFO max_memory 3000
TURN 3,3
INFO time_left 500
TURN 4,4
INFO timeout_turn 0
INFO timeout_match 0
INFO timeout_turn -5
TURN 5,5
INFO timeout_turn many
INFO timeout_turn
RESTART
INFO timeout_turn 99999999999999999
BEGIN
`
	var out bytes.Buffer
	if err := s.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := "0 4.72s 1000 920ms/1m34.97s 445ms/450ms 46ms 8344h47m59.97s"
	if strings.Join(got, " ") != want || strings.Contains(out.String(), "ERROR") {
		t.Errorf("got %s\nwant %s\n%s", strings.Join(got, " "), want, out.String())
	}
}

// TestStop ends a thought that would go on for ever.
func TestStop(t *testing.T) {
	f := &protocoltest.Fake{Slow: true, Begun: make(chan struct{}, 1)}
	v := gomocup.Server{Rules: free, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return f, nil }}
	s := protocoltest.Converse(v.Serve)
	fmt.Fprintln(s.In, "BEGIN")
	<-f.Begun
	fmt.Fprintln(s.In, "YXSTOP")
	s.Until(t, "0,0\n")
	fmt.Fprintln(s.In, "END")
	if err := <-s.Done; err != nil || s.Text() != "0,0\n" {
		t.Errorf("%v, %q", err, s.Text())
	}
}

// TestLong refuses lines without an end, in a position that is told, too.
func TestLong(t *testing.T) {
	v := gomocup.Server{Rules: free, Open: protocoltest.Open}
	var out bytes.Buffer
	long := strings.Repeat("7", 1<<20)
	in := "TURN 7," + long + "\nBOARD\n" + long + "\nDONE\nBOARD\n" + strings.Repeat("1,1,1\n2,2,2\n", 1<<12) + "DONE\nRESTART\n"
	if err := v.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if want := "ERROR the line is too long\nERROR a line is too long\nERROR the point is occupied: illegal move\nOK\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// FuzzGomocup holds that each command has the one answer that is due, or none
// where none is.
func FuzzGomocup(f *testing.F) {
	data, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for block := range strings.SplitSeq(string(data), "\n\n") {
		f.Add(block)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(strings.NewReplacer("E", "e", "\x00", "").Replace(text), "\n")
		due, listing := 0, ""
		for _, line := range lines {
			words := strings.Fields(strings.Map(func(r rune) rune {
				switch {
				case r == '\t':
					return ' '
				case r < ' ' || r == 0x7f:
					return -1
				}
				return r
			}, strings.ToUpper(line)))
			if len(words) == 0 {
				continue
			}
			switch order := words[0]; {
			case order == "END":
				return // what follows counts no more
			case listing != "" && order == "DONE":
				if listing != "YXBOARD" {
					due++
				}
				listing = ""
			case listing != "":
			case order == "BOARD" || order == "YXBOARD" || order == "SWAP2BOARD":
				listing = order
			case order != "INFO" && order != "YXSTOP":
				due++
			}
		}
		s := gomocup.Server{Rules: free, Open: protocoltest.Open, Grace: time.Millisecond}
		var out bytes.Buffer
		if err := s.Serve(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
			t.Fatal(err)
		}
		answers, errors := 0, 0
		for line := range strings.Lines(out.String()) {
			switch {
			case strings.HasPrefix(line, "MESSAGE "):
			case strings.HasPrefix(line, "ERROR "):
				errors++
				answers++
			default:
				answers++
			}
		}
		// A position that is wrong is told so even where it needs no answer.
		if answers < due || answers > due+min(errors, strings.Count(strings.ToUpper(text), "YXBOARD")) {
			t.Errorf("%d answers for %d: %q: %q", answers, due, lines, out.String())
		}
	})
}

func ExampleServer() {
	s := gomocup.Server{Rules: free, Open: protocoltest.Open}
	in := "START 15\nTURN 7,7\nTURN 0,0\nEND\n"
	if err := s.Serve(context.Background(), strings.NewReader(in), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// OK
	// 0,0
	// ERROR the point is occupied: illegal move
}
