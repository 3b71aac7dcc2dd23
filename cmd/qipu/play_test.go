package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/cli"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
	"qipu/record"
)

// person is somebody who plays at a keyboard: the first move of the list always.
type person struct {
	t     *testing.T
	p     game.Position
	moves []game.Move
	side  game.Side
}

// printedMove and printedResult are a move and the end of a game as --json prints them.
type printedMove struct {
	Type string
	Move struct{ Text string }
	Ply  int
}

type printedResult struct {
	Text          string
	Record, Fresh int
	Known         bool
}

// sit plays at most so many moves of a game and returns how it ended, or nil
// where the person left.
func (x *person) sit(most int, line string) *printedResult {
	x.t.Helper()
	in, keys := io.Pipe()
	screen, out := io.Pipe()
	a := newTestApp("")
	a.In, a.Out = in, out
	code := make(chan int, 1)
	go func() {
		code <- a.Run(context.Background(), cli.Words(line)[1:])
		out.Close()
	}()
	var end *printedResult
	lines := bufio.NewScanner(screen)
	for typed := false; ; {
		if list := x.p.AppendMoves(nil); !typed && len(list) > 0 && list[0] != game.Pass && x.p.Turn() == x.side {
			text := game.FormatMove(othello.Standard, x.p, list[0], game.AnyNotation)
			if most--; most < 0 {
				text = "quit"
			}
			if _, err := io.WriteString(keys, text+"\n"); err != nil {
				x.t.Fatal(err)
			}
			typed = true
		}
		if !lines.Scan() {
			break
		}
		var s printedMove
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			x.t.Fatalf("%v: %s", err, lines.Text())
		}
		if s.Type == "result" {
			end = new(printedResult)
			if err := json.Unmarshal(lines.Bytes(), end); err != nil {
				x.t.Fatal(err)
			}
			continue
		}
		m, err := othello.Standard.ParseMove(x.p, s.Move.Text, game.AnyNotation)
		if err == nil {
			err = x.p.Play(m)
		}
		if err != nil || s.Ply != len(x.moves)+1 {
			x.t.Fatalf("%+v: %v", s, err)
		}
		x.moves, typed = append(x.moves, m), false
	}
	keys.Close()
	if got := <-code; got != cli.ExitOK {
		x.t.Fatalf("%s: exit %d: %s", line, got, a.stderr.String())
	}
	return end
}

// TestPlay plays a whole game against the engine, leaves it in between, and
// finds it in the library.
func TestPlay(t *testing.T) {
	t.Chdir(t.TempDir())
	x := &person{t: t, p: othello.Standard.Start(), side: game.Second}
	if end := x.sit(5, "qipu play --game othello --side white --level 1 --seed 7 --json"); end != nil {
		t.Fatalf("it ended early: %+v", end)
	}
	if len(x.moves) < 10 {
		t.Fatalf("%d moves", len(x.moves))
	}
	end := x.sit(1000, "qipu play --resume --json")
	if end == nil || end.Record != 1 || end.Known || end.Fresh < 40 || end.Text == "" {
		t.Fatalf("%+v", end)
	}
	a := newTestApp("")
	dir, err := qipu.Locate("", a.LookupOS)
	if err != nil {
		t.Fatal(err)
	}
	l, err := qipu.Open(t.Context(), dir, qipu.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	g, _, err := l.Record(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	p := record.NewReferee(builtin.Games()).Play(g)
	if len(p.Steps) != len(x.moves) || !p.Legal() || !p.Outcome.Over() {
		t.Fatalf("%d steps of %d, %v", len(p.Steps), len(x.moves), g.Faults)
	}
	for i, s := range p.Steps {
		if s.Move != x.moves[i] {
			t.Fatalf("move %d is another", i+1)
		}
	}
}

// TestPlayInterrupt: who waits for a line can be interrupted, and the game is
// kept.
//
//qipu:race
func TestPlayInterrupt(t *testing.T) {
	t.Chdir(t.TempDir())
	in, keys := io.Pipe()
	defer keys.Close()
	screen, out := io.Pipe()
	a := newTestApp("")
	a.In, a.Out = in, out
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	code := make(chan int, 1)
	go func() { code <- a.Run(ctx, cli.Words("qipu play --game othello --level 1 --json --library lib")[1:]) }()
	go io.WriteString(keys, "f5\n")
	lines := bufio.NewScanner(screen)
	for range 2 { // the move, and the answer to it
		if !lines.Scan() {
			t.Fatal("no moves")
		}
	}
	cancel()
	select {
	case got := <-code:
		if got != cli.ExitInterrupted {
			t.Errorf("exit %d: %s", got, a.stderr.String())
		}
	case <-time.After(testkit.Patience):
		t.Fatal("an interrupt waits for the end of a line")
	}
	b := newTestApp("quit\n")
	if got := b.Run(t.Context(), cli.Words("qipu play --resume --library lib")[1:]); got != cli.ExitOK {
		t.Errorf("exit %d: %s", got, b.stderr.String())
	}
}
