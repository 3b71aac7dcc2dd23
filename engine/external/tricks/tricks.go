// Package tricks is a program that speaks every protocol of hosted engines, and
// plays tricks on its host: it crashes, hangs, floods, answers twice or what nobody
// asked. The host has to survive each of them, say what was wrong, and go on.
//
// The program is the test binary itself, which calls Main first thing:
//
//	func TestMain(m *testing.M) {
//		tricks.Main()
//		os.Exit(m.Run())
//	}
//
//	e, err := external.Start(ctx, external.Options{Protocol: external.UCI, Rules: r, Command: tricks.Command(), Env: tricks.Env("uci", "xiangqi", tricks.Crash)})
package tricks

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
)

// Trick is what is wrong with the program.
type Trick string

// The tricks. What is done to one is done at each question.
const (
	None     Trick = "none"     // nothing: it makes the first move of the list
	Exit     Trick = "exit"     // it ends at once
	Mute     Trick = "mute"     // it never says that it is ready
	Loud     Trick = "loud"     // it prints without end from the start
	Crash    Trick = "crash"    // it ends in the middle of an answer
	Hang     Trick = "hang"     // it never answers
	Garbage  Trick = "garbage"  // it answers with bytes that are no move
	Empty    Trick = "empty"    // it answers without a move
	Flood    Trick = "flood"    // it prints without end instead of an answer
	Huge     Trick = "huge"     // its answer is a line without end
	Illegal  Trick = "illegal"  // it makes a move that the rules forbid
	Late     Trick = "late"     // it answers when nobody waits any more
	Deaf     Trick = "deaf"     // it closes its input
	Closed   Trick = "closed"   // it closes its output
	Brood    Trick = "brood"    // it hangs, and so does a child of it that holds its output
	Errors   Trick = "errors"   // it prints much on standard error, and works
	Chatty   Trick = "chatty"   // it prints what nobody asked for, and works
	Twice    Trick = "twice"    // it answers twice, and works
	Previous Trick = "previous" // it answers the previous question once more first, and works
)

// Harmless are the tricks in spite of which a host gets its move.
var Harmless = []Trick{None, Errors, Chatty, Twice, Previous}

// Harmful are those by which a thought fails.
var Harmful = []Trick{Crash, Hang, Garbage, Empty, Flood, Huge, Illegal, Late, Deaf, Closed, Brood}

// Unready are those by which already the start fails.
var Unready = []Trick{Exit, Mute, Loud}

const variable = "QIPU_TRICK"

// Command is the command line of the program.
func Command() []string { return []string{os.Args[0]} }

// Env is its environment: the protocol, the game and the trick.
func Env(protocol, game string, t Trick) []string {
	return append(os.Environ(), variable+"="+protocol+" "+game+" "+string(t))
}

// Main is the program, where the environment asks for it: then it does not return.
func Main() {
	words := strings.Fields(os.Getenv(variable))
	if len(words) != 3 {
		return
	}
	games := game.Catalog{othello.Standard, weiqi.Standard, xiangqi.Standard, renju.Renju}
	r, err := games.Find(words[1])
	if err != nil {
		panic(err)
	}
	p := &program{rules: r, pos: r.Start(), trick: Trick(words[2]), speaks: words[0]}
	p.run()
	os.Exit(0)
}

// program plays the first legal move of the position that it was told last.
type program struct {
	rules  game.Rules
	pos    game.Position
	trick  Trick
	speaks string
	asked  int
	before string // the answer to the previous question
}

func (p *program) run() {
	switch p.trick {
	case Exit:
		fmt.Fprintln(os.Stderr, "no licence")
		os.Exit(4)
	case Mute:
		time.Sleep(time.Hour)
	case Loud:
		for {
			fmt.Println("thinking, thinking", strings.Repeat("x", 1000))
		}
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	serve := map[string]func(line string) bool{"gtp": p.gtp, "uci": p.uci, "ucci": p.uci, "nboard": p.nboard, "gomocup": p.gomocup(in)}[p.speaks]
	for in.Scan() {
		switch p.trick {
		case Errors:
			fmt.Fprintln(os.Stderr, strings.Repeat("all is well ", 10000))
		case Chatty:
			fmt.Print("INFO: all is well\r\n\r\n\r\n")
		}
		if !serve(in.Text()) {
			return
		}
	}
}

// first is the move that it makes.
func (p *program) first() game.Move { return p.pos.AppendMoves(nil)[0] }

// answer prints an answer, which format makes of a move, with all that is wrong.
// forbidden is a move that is illegal.
func (p *program) answer(format, move, forbidden string) {
	p.asked++
	say := func(move string) { fmt.Printf(format, move) }
	switch p.trick {
	case Crash:
		text := fmt.Sprintf(format, move)
		fmt.Print(text[:len(text)/2])
		fmt.Fprintln(os.Stderr, "cannot open weights")
		os.Exit(3)
	case Hang:
		time.Sleep(time.Hour)
	case Late:
		time.Sleep(5 * time.Second)
	case Garbage:
		move = "\x01\x02..?!"
	case Empty:
		move = ""
	case Illegal:
		move = forbidden
	case Flood:
		for {
			fmt.Println(strings.Repeat("y", 10000))
		}
	case Huge:
		say(strings.Repeat("z", 20<<20))
		return
	case Deaf:
		os.Stdin.Close()
		time.Sleep(time.Hour)
	case Closed:
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case Brood:
		attr := &os.ProcAttr{Env: append(os.Environ(), variable+"=gtp othello mute"), Files: []*os.File{nil, os.Stdout, os.Stderr}}
		if _, err := os.StartProcess(os.Args[0], os.Args[:1], attr); err != nil {
			panic(err)
		}
		time.Sleep(time.Hour)
	case Twice:
		say(move)
	}
	say(move)
	p.before = fmt.Sprintf(format, move)
}

// again prints the answer to the previous question, where that is the trick: before
// anything else that belongs to the next one.
func (p *program) again() {
	if p.trick == Previous && p.before != "" {
		fmt.Print(p.before)
		p.before = ""
	}
}

// play plays moves that are texts.
func (p *program) play(texts ...string) error {
	for _, text := range texts {
		m := game.Pass
		if !strings.EqualFold(text, "pass") && !strings.EqualFold(text, "pa") {
			var err error
			if m, err = p.rules.ParseMove(p.pos, text, p.rules.Info().Notations[0].Name); err != nil {
				return err
			}
		}
		if err := p.pos.Play(m); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) text(m game.Move) string {
	return game.FormatMove(p.rules, p.pos, m, game.AnyNotation)
}
