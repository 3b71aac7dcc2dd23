//qipu:race

package gtp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/protocol/gtp"
	"qipu/protocol/protocoltest"
)

// games are what sessions list, whatever other games the program comes to know.
var games = game.Catalog{weiqi.Standard, othello.Standard, xiangqi.Standard, renju.Renju}

// TestSessions runs the sessions of testdata: each block is one.
func TestSessions(t *testing.T) {
	path, err := filepath.Abs("testdata/sessions.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("testdata") // where the records are that sessions load
	testkit.Script(t, path, func(t *testing.T, c testkit.Command) string {
		r, err := games.Find(strings.Fields(c.Line)[1])
		if err != nil {
			return err.Error() + "\n"
		}
		var out bytes.Buffer
		g := gtp.Server{Rules: r, Open: protocoltest.Open, Games: games, Formats: builtin.Formats(), Settlers: builtin.Settler, Grace: time.Second}
		if err := g.Serve(context.Background(), strings.NewReader(c.Input), &out); err != nil {
			return err.Error() + "\n"
		}
		return out.String()
	})
}

// TestInterrupt ends thoughts that would go on for ever: by an interrupt, by
// quit, by the end of the input, by the next line where one analyses.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct{ name, order, stop, want string }{
		{"interrupt", "genmove b", "# interrupt\nname\n", "= D3\n\n= fake\n\n"},
		{"quit", "1 genmove b", "2 quit\n", "=1 D3\n\n=2\n\n"},
		{"end", "genmove b", "", "= D3\n\n"},
		{"analyze", "7 qipu-analyze b 1", "8 name\n", "=7\ninfo move D3 value 4.00 depth 1 nodes 4 exact 0 order 0 pv D3 C3 "},
		{"lz-analyze", "7 lz-analyze b 10", "8 name\n", "=7\ninfo move D3 visits 4 winrate 7707 lcb 7707 order 0 pv D3 C3 info move "},
		{"kata-analyze", "kata-analyze b interval 10 maxmoves 1 rootInfo true", "8 name\n", "=\ninfo move D3 visits 4 utility 0.5413 winrate 0.7707 scoreMean 4.00 scoreLead 4.00 lcb 0.7707 order 0 pv D3 C3\n"},
		{"avoid", "lz-analyze b 1 avoid b D3,C4 1 avoid w E3 9", "8 name\n", "=\ninfo move F5 visits 4 winrate 6470 lcb 6470 order 0 pv F5 "},
		{"allow", "lz-analyze allow b E6 1", "8 name\n", "=\ninfo move E6 visits 4 winrate 5752 lcb 5752 order 0 pv E6 "},
		{"genmove_analyze", "3 kata-genmove_analyze b 0 maxmoves 1", "# interrupt\n8 name\n", "=3\ninfo move D3 visits 4 utility 0.5413 winrate 0.7707 scoreMean 4.00 scoreLead 4.00 lcb 0.7707 order 0 pv D3 C3\nplay D3\n\n=8 fake\n\n"},
		{"analyze to the end", "qipu-analyze", "", "=\ninfo move D3 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &protocoltest.Fake{Slow: true, Begun: make(chan struct{}, 1)}
			g := gtp.Server{Rules: othello.Standard, Grace: time.Millisecond, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return f, nil }}
			s := protocoltest.Converse(g.Serve)
			fmt.Fprintln(s.In, c.order)
			<-f.Begun
			io.WriteString(s.In, c.stop)
			if c.name != "quit" {
				if c.stop != "" {
					s.Until(t, "fake\n\n")
				}
				s.In.Close()
			}
			if err := <-s.Done; err != nil {
				t.Error(err)
			}
			if !strings.HasPrefix(s.Text(), c.want) {
				t.Errorf("got %q, want %q", s.Text(), c.want)
			}
		})
	}
}

// TestClock sees what a thought is told about time.
func TestClock(t *testing.T) {
	var got []string
	f := &protocoltest.Fake{Limits: func(l engine.Limits) {
		if l.Clock == nil {
			got = append(got, "none")
			return
		}
		got = append(got, fmt.Sprintf("%v/%d", l.Clock.Left.Round(time.Second), l.Clock.Moves))
	}}
	g := gtp.Server{Rules: othello.Standard, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return f, nil }}
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
	g := gtp.Server{Rules: othello.Standard, Open: protocoltest.Open}
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
	g := gtp.Server{Rules: othello.Standard, Open: protocoltest.Open}
	r, w := io.Pipe()
	r.Close()
	if err := g.Serve(context.Background(), strings.NewReader("name\nname\n"), w); err == nil {
		t.Error("no error")
	}
}

// FuzzGTP holds that every command has one answer, whatever was said before.
func FuzzGTP(f *testing.F) {
	data, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n\n") {
		f.Add(block, byte(0))
	}
	f.Add("set_game Go\nboardsize 3\nplay b b2\nplay b a1\ngenmove b\nfinal_score\nundo\nundo", byte(1))
	f.Add("lz-analyze\nkata-genmove_analyze b\nkata-analyze w 1 avoid b D3 1\nqipu-analyze x\nlz-analyze maxmoves", byte(0))
	f.Add("genmove r\nplay w h2e2\nreg_genmove b\nshowboard", byte(2))
	f.Fuzz(func(t *testing.T, text string, kind byte) {
		games := games
		g := gtp.Server{Rules: games[int(kind)%len(games)], Games: games, Settlers: builtin.Settler, Open: protocoltest.Open, Grace: time.Millisecond}
		text = strings.NewReplacer("quit", "name", "loadsgf", "undo").Replace(text) + "\n17 protocol_version\n"
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

func ExampleServer() {
	g := gtp.Server{Rules: othello.Standard, Open: protocoltest.Open}
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

// TestCounters: thoughts are counted where that is asked for, and told when it is.
func TestCounters(t *testing.T) {
	g := gtp.Server{Rules: renju.Renju, Open: builtin.Engine, Limits: engine.Limits{Depth: 3}}
	var out strings.Builder
	script := "qipu-counters\nqipu-counters perhaps\ngenmove b\nqipu-counters on\nqipu-counters\ngenmove w\nqipu-counters\nqipu-counters off\nqipu-counters\n"
	if err := g.Serve(t.Context(), strings.NewReader(script), &out); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n\n")
	if len(answers) != 9 {
		t.Fatalf("%q", answers)
	}
	for i, want := range []string{"? nothing is counted", "? syntax error", "= ", "=", "? no thought was counted yet", "= ", "= nodes ", "=", "? nothing is counted"} {
		if !strings.HasPrefix(answers[i], want) {
			t.Errorf("answer %d is %q, want %q", i+1, answers[i], want)
		}
	}
	for _, line := range []string{"\nleaves ", "\nply 0 ", "\nply 1 ", "\nleft horizon ", "\nleft shallow ", "\ncut 1 "} {
		if !strings.Contains(answers[6], line) {
			t.Errorf("%q has no %q", answers[6], line)
		}
	}
}
