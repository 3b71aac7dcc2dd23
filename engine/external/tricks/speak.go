package tricks

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strings"

	"qipu/board"
	"qipu/game"
)

// gtp answers a line of GTP.
func (p *program) gtp(line string) bool {
	id, command, _ := strings.Cut(line, " ")
	words := strings.Fields(command)
	say := func(text string) { fmt.Printf("=%s %s\n\n", id, text) }
	switch words[0] {
	case "protocol_version":
		say("2")
	case "name":
		say("trickster")
	case "version":
		say("1")
	case "list_commands":
		say("play\ngenmove\nundo")
	case "clear_board":
		p.again()
		p.pos = p.rules.Start()
		say("")
	case "play":
		p.again()
		if err := p.play(words[2]); err != nil {
			fmt.Printf("?%s %v\n\n", id, err)
			return true
		}
		say("")
	case "genmove":
		m := p.first()
		p.answer("="+id+" %s\n\n", p.text(m), "z99")
		_ = p.pos.Play(m)
	case "undo":
		p.again()
		p.pos.Undo()
		say("")
	case "quit":
		say("")
		return false
	default:
		say("")
	}
	return true
}

// uci answers a line of UCI or UCCI.
func (p *program) uci(line string) bool {
	words := strings.Fields(line)
	switch words[0] {
	case "uci", "ucci":
		fmt.Printf("id name trickster\noption name Hash type spin default 16 min 1 max 64\n%sok\n", words[0])
	case "isready":
		p.again()
		fmt.Println("readyok")
	case "position":
		position, moves, _ := strings.Cut(strings.TrimPrefix(line, "position fen "), " moves ")
		rows := strings.Fields(position)
		setup, err := game.ParseSetup(p.rules, rows[0]+" "+rows[1])
		if err == nil {
			p.pos, err = p.rules.Arrange(setup)
		}
		if err == nil {
			err = p.play(strings.Fields(moves)...)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "go":
		text := p.text(p.first())
		fmt.Printf("info depth 3 score cp 12 nodes 100 pv %s\n", text)
		p.answer("bestmove %s\n", text, "a9a0")
	case "quit":
		return false
	}
	return true
}

var ggfMove = regexp.MustCompile(`\b[BW]\[(..)\]`)

// nboard answers a line of NBoard.
func (p *program) nboard(line string) bool {
	words := strings.Fields(line)
	switch words[0] {
	case "nboard":
		fmt.Println("set myname trickster")
	case "ping":
		p.again()
		fmt.Println("pong", words[1])
	case "set":
		if words[1] == "game" {
			p.pos = p.rules.Start()
			for _, m := range ggfMove.FindAllStringSubmatch(line, -1) {
				if err := p.play(strings.ToLower(m[1])); err != nil {
					fmt.Println("status", err)
				}
			}
		}
	case "go", "hint":
		text := strings.ToUpper(p.text(p.first()))
		fmt.Printf("search %s 2.00 0 3\nstatus\n", text)
		if words[0] == "go" {
			p.answer("=== %s/2.00/0.1\n", text, "A1")
		}
	case "quit":
		return false
	}
	return true
}

// gomocup answers lines of Gomocup, of which a board has many.
func (p *program) gomocup(in *bufio.Scanner) func(line string) bool {
	taken := map[board.Point]bool{}
	turn := func() {
		for _, m := range p.rules.Start().AppendMoves(nil) {
			if !taken[m.To()] {
				p.answer("%s\n", fmt.Sprintf("%d,%d", m.To().X(), m.To().Y()), "99,99")
				return
			}
		}
	}
	return func(line string) bool {
		switch word, _, _ := strings.Cut(line, " "); word {
		case "ABOUT":
			p.again()
			fmt.Println(`name="trickster", version="1"`)
		case "START", "RECTSTART":
			fmt.Println("OK")
		case "BEGIN":
			clear(taken)
			turn()
		case "BOARD":
			clear(taken)
			for in.Scan() && in.Text() != "DONE" {
				var x, y, owner int
				_, _ = fmt.Sscanf(in.Text(), "%d,%d,%d", &x, &y, &owner)
				taken[board.At(x, y)] = true
			}
			turn()
		case "END":
			return false
		}
		return true
	}
}
