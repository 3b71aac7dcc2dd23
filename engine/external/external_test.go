//qipu:race

package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/engine"
	"qipu/engine/external/tricks"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	served "qipu/protocol/gtp"
)

// The test binary is its own child: this variable tells what is wrong with it.
const role = "QIPU_TEST_CHILD"

func TestMain(m *testing.M) {
	tricks.Main()
	if path := os.Getenv(dialogueRole); path != "" {
		recite(path)
		os.Exit(0)
	}
	if how := os.Getenv(role); how != "" {
		serve(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve is a child that plays the first legal move of Othello, in some way.
func serve(how string) {
	if game, ok := strings.CutPrefix(how, "real "); ok {
		serveReal(game)
		return
	}
	how, file, _ := strings.Cut(how, " ")
	switch how {
	case "slow":
		time.Sleep(300 * time.Millisecond)
	case "deaf":
		time.Sleep(time.Hour)
	case "loud":
		for {
			fmt.Println("thinking, thinking", strings.Repeat("x", 1000))
		}
	case "version":
		fmt.Print("=1 1\n\n")
	}
	r, p := game.Rules(othello.Standard), othello.Standard.Start()
	played := 0
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		id, line, _ := strings.Cut(in.Text(), " ")
		words := strings.Fields(line)
		say := func(text string) { fmt.Printf("=%s %s\n\n", id, text) }
		no := func(text string) { fmt.Printf("?%s %s\n\n", id, text) }
		if file != "" {
			f, _ := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			fmt.Fprintln(f, line)
			f.Close()
		}
		switch words[0] {
		case "protocol_version":
			say("2")
		case "name":
			if how == "nameless" {
				no("unknown command")
				continue
			}
			say("first move")
		case "version":
			say("1.0")
		case "list_commands":
			if how == "plain" {
				say("play\ngenmove")
				continue
			}
			say("play\ngenmove\nundo\ntime_settings\ntime_left")
		case "boardsize", "time_settings", "time_left":
			say("")
		case "clear_board":
			p, played = r.Start(), 0
			say("")
		case "undo":
			if played == 0 || how == "stubborn" {
				no("cannot undo")
				continue
			}
			p.Undo()
			played--
			say("")
		case "play":
			m, err := r.ParseMove(p, words[2], game.AnyNotation)
			if err == nil && words[1] != r.Info().Sides[p.Turn()].Name[:1] {
				err = errors.New("wrong colour")
			}
			if err == nil {
				err = p.Play(m)
			}
			if err != nil {
				no(err.Error())
				continue
			}
			played++
			say("")
		case "genmove":
			if genmove(how, file, id) {
				continue
			}
			m := p.AppendMoves(nil)[0]
			text := game.FormatMove(r, p, m, game.AnyNotation)
			_ = p.Play(m)
			played++
			say(strings.ToUpper(text))
		case "quit":
			say("")
			return
		default:
			no("unknown command")
		}
	}
}

// genmove does what is wrong with the child, and reports whether it answered.
func genmove(how, file, id string) bool {
	switch how {
	case "once": // crashes the first time that it is started
		data, _ := os.ReadFile(file)
		if strings.Count(string(data), "protocol_version") == 1 {
			os.Exit(3)
		}
	case "hang":
		time.Sleep(time.Hour)
	case "pass":
		fmt.Printf("=%s pass\n\n", id)
		return true
	case "resign":
		fmt.Printf("=%s resign\n\n", id)
		return true
	case "endless":
		fmt.Printf("=%s d3\n", id)
		for {
			fmt.Println("and so on")
		}
	case "ids":
		fmt.Print("=9999 a1\n\n?17 what\n\n=99999999999999999999999 a1\n\n")
	case "noid":
		fmt.Print("= d3\n\n")
		return true
	}
	return false
}

func start(t *testing.T, how string, change func(*Options)) (*Engine, error) {
	t.Helper()
	o := Options{
		Rules: othello.Standard, Command: []string{os.Args[0]}, Env: append(os.Environ(), role+"="+how),
		Startup: testkit.Patience, Patience: testkit.Patience,
	}
	if change != nil {
		change(&o)
	}
	e, err := Start(context.Background(), o)
	if e != nil {
		t.Cleanup(func() { e.Close() })
	}
	return e, err
}

func line(t testing.TB, r game.Rules, text string) *engine.Task {
	t.Helper()
	_, moves, err := game.ParseLine(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return &engine.Task{Rules: r, Moves: moves}
}

// TestChildren has children of GTP with habits of their own make a move.
func TestChildren(t *testing.T) {
	for _, c := range []struct {
		how    string
		change func(*Options)
		want   string // the move, or part of the error
	}{
		{"well", nil, "d3"},
		{"slow", nil, "d3"},
		{"plain", nil, "d3"},
		{"nameless", nil, "d3"},
		{"ids", nil, "d3"},
		{"noid", nil, "d3"},
		{"once", nil, "d3"},
		{"pass", nil, "passing is not allowed here"},
		{"resign", nil, "the engine resigns"},
		{"endless", nil, "an answer of it has no end"},
	} {
		t.Run(c.how, func(t *testing.T) {
			t.Parallel()
			e, err := start(t, c.how+" "+t.TempDir()+"/log", c.change)
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Think(context.Background(), line(t, othello.Standard, ""), engine.Limits{}, nil)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), os.Args[0]) {
					t.Errorf("got %v, want %s", err, c.want)
				}
				return
			}
			if got := othello.Standard.AppendMove(nil, nil, r.Best().Move, game.AnyNotation); string(got) != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if r.Best().Value != engine.NoValue {
				t.Errorf("a value from nowhere: %v", r.Best().Value)
			}
		})
	}
}

// TestStarts has children fail before the first move.
func TestStarts(t *testing.T) {
	short := func(o *Options) { o.Startup = 400 * time.Millisecond }
	for _, c := range []struct {
		how    string
		change func(*Options)
		want   string
	}{
		{"deaf", short, "no answer to \"protocol_version\" within 400ms"},
		{"loud", nil, "bytes that are no answer"},
		{"version", nil, "it speaks version \"1\" of the protocol"},
		{"well", func(o *Options) { o.Command = []string{"/nowhere/engine"} }, "cannot be started"},
		{"well", func(o *Options) { o.Setup = []string{"set_level 5"} }, `refused "set_level 5": unknown command`},
		{"well", func(o *Options) { o.Command = nil }, "name the game and the command"},
	} {
		_, err := start(t, c.how, c.change)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.how, err, c.want)
		}
	}
}

// TestSteps counts the commands that bring the board of a child in step.
func TestSteps(t *testing.T) {
	for _, c := range []struct{ how, want string }{
		{"well", "play b f5,genmove w|play b c3,genmove w|undo,undo,play b e3,genmove w|genmove b|boardsize 8,clear_board,play b c4,genmove w|"},
		// Without undo every change of mind is a new game.
		{"stubborn", "play b f5,genmove w|play b c3,genmove w|undo,boardsize 8,clear_board,play b f5,play w d6,play b e3,genmove w|genmove b|boardsize 8,clear_board,play b c4,genmove w|"},
	} {
		log := t.TempDir() + "/log"
		e, err := start(t, c.how+" "+log, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		think := func(text string) game.Move {
			t.Helper()
			_ = os.Remove(log)
			r, err := e.Think(context.Background(), line(t, othello.Standard, text), engine.Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			data, _ := os.ReadFile(log)
			got += strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", ",") + "|"
			return r.Best().Move
		}
		name := func(m game.Move) string { return string(othello.Standard.AppendMove(nil, nil, m, game.AnyNotation)) }
		first := "f5" + name(think("f5"))
		if first != "f5d6" && first != "f5f6" && first != "f5f4" {
			t.Fatal(first)
		}
		second := name(think(first + "c3"))
		_ = second
		third := first + "e3"
		if _, _, err := game.ParseLine(othello.Standard, third); err != nil {
			third = first + "f3"
		}
		third += name(think(third))
		think(third)
		think("c4")
		want := strings.ReplaceAll(c.want, "d6", first[2:])
		want = strings.ReplaceAll(want, "play b e3", "play b "+third[4:6])
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.how, got, want)
		}
	}
}

// TestStop stops a thought by its context and by Close; the child of the former
// is started again.
func TestStop(t *testing.T) {
	// All waits are so long that whatever comes back has waited for none of them.
	e, err := start(t, "hang", func(o *Options) { o.Startup, o.Patience, o.Thought = 24*time.Hour, 24*time.Hour, 24*time.Hour })
	if err != nil {
		t.Fatal(err)
	}
	task := line(t, othello.Standard, "")
	for range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		_, err := e.Think(ctx, task, engine.Limits{}, nil)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if e.child != nil {
			t.Error("the child that cannot be told to stop goes on thinking")
		}
	}
	done := make(chan error)
	go func() {
		_, err := e.Think(context.Background(), task, engine.Limits{}, nil)
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	e.Close()
	if err := <-done; !errors.Is(err, engine.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	if _, err := e.Think(context.Background(), task, engine.Limits{}, nil); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("behind the end: %v", err)
	}
}

// TestTime sees what a child is told about time.
func TestTime(t *testing.T) {
	log := t.TempDir() + "/log"
	e, err := start(t, "well "+log, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		limits engine.Limits
		want   string
	}{
		{engine.Limits{Time: 5 * time.Second}, "undo,time_settings 0 5 1,time_left b 5 1,genmove b"},
		{engine.Limits{Time: 5 * time.Second}, "undo,time_left b 5 1,genmove b"},
		{engine.Limits{Clock: &engine.Clock{Left: time.Minute}}, "undo,time_settings 60 0 0,time_left b 60 0,genmove b"},
		{engine.Limits{Clock: &engine.Clock{Left: 50 * time.Second}}, "undo,time_left b 50 0,genmove b"},
		{engine.Limits{}, "undo,genmove b"},
	} {
		if _, err := e.Think(context.Background(), line(t, othello.Standard, ""), engine.Limits{}, nil); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(log)
		if _, err := e.Think(context.Background(), line(t, othello.Standard, ""), c.limits, nil); err != nil {
			t.Fatal(err)
		}
		data, _ := os.ReadFile(log)
		if got := strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", ","); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.limits, got, c.want)
		}
	}
}

// first is an engine that makes the last move of the list, so that a pass is
// rare.
type first struct{}

func (first) Info() engine.Info { return engine.Info{Name: "first", Version: "1"} }
func (first) Close() error      { return nil }
func (first) Think(_ context.Context, t *engine.Task, _ engine.Limits, _ func(*engine.Report)) (*engine.Report, error) {
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, engine.ErrOver
	}
	m := moves[len(moves)/2]
	return &engine.Report{Lines: []engine.Line{{Move: m, Moves: []game.Move{m}}}}, nil
}

var catalog = game.Catalog{weiqi.Standard, othello.Standard, xiangqi.Standard, renju.Renju, chess.Standard}

func serveReal(spec string) {
	r, err := catalog.Find(spec)
	if err != nil {
		panic(err)
	}
	g := served.Server{Rules: r, Games: catalog, Open: func(game.Rules, engine.Options) (engine.Engine, error) { return first{}, nil }}
	_ = g.Serve(context.Background(), os.Stdin, os.Stdout)
}

// TestOwn plays games of every kind against our own server of the protocol: both
// sides must agree on every board and every notation.
func TestOwn(t *testing.T) {
	for _, spec := range []string{"othello", "othello:10x10", "go:9x9", "go:9x9,handicap=3,chinese", "renju", "gomoku", "gomoku:20x20", "xiangqi"} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			rules, err := catalog.Find(spec)
			if err != nil {
				t.Fatal(err)
			}
			e, err := start(t, "real "+spec, func(o *Options) { o.Rules = rules })
			if err != nil {
				t.Fatal(err)
			}
			task := &engine.Task{Rules: rules}
			p := rules.Start()
			for range 40 {
				moves := p.AppendMoves(nil)
				if len(moves) == 0 {
					break
				}
				r, err := e.Think(context.Background(), task, engine.Limits{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				m := moves[len(moves)/3]
				if len(task.Moves)%4 < 2 {
					m = r.Best().Move
				}
				if !slices.Contains(moves, m) || p.Play(m) != nil {
					t.Fatalf("move %d: %v", len(task.Moves)+1, m)
				}
				task.Moves = append(task.Moves, m)
			}
			if len(task.Moves) < 20 {
				t.Errorf("only %d moves", len(task.Moves))
			}
		})
	}
}

// TestPlaces refuses starts that the protocol cannot tell.
func TestPlaces(t *testing.T) {
	e, err := start(t, "well", nil)
	if err != nil {
		t.Fatal(err)
	}
	setup, err := game.ParseSetup(othello.Standard, "8/8/8/3XO3/3OX3/8/8/8 X")
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Think(context.Background(), &engine.Task{Rules: othello.Standard, Start: &setup}, engine.Limits{}, nil)
	if !errors.Is(err, engine.ErrGame) {
		t.Errorf("another start: %v", err)
	}
	_, err = e.Think(context.Background(), &engine.Task{Rules: xiangqi.Standard}, engine.Limits{}, nil)
	if !errors.Is(err, engine.ErrGame) {
		t.Errorf("another game: %v", err)
	}
	setup = game.SetupOf(othello.Standard.Start())
	if _, err = e.Think(context.Background(), &engine.Task{Rules: othello.Standard, Start: &setup}, engine.Limits{}, nil); err != nil {
		t.Errorf("the usual start: %v", err)
	}
}
