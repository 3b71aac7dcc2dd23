package uci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/protocol"
)

// Server serves an engine to programs that speak UCI or UCCI.
type Server struct {
	Rules game.Rules
	Open  protocol.Open
	UCCI  bool // the older protocol

	Games  game.Catalog // that UCI_Variant chooses from; default: Rules alone
	Name   string       // of the program; default: that of the engine
	Author string

	// Notation is how moves are written; by default that which the protocol
	// has: see above.
	Notation game.Notation

	// Limits bound a thought that the other program sets no bound to; their
	// threads are those of every thought until it says how many.
	Limits engine.Limits

	// Grace is how long a thought may go on when the input has ended; default
	// 10 seconds.
	Grace time.Duration
}

// session is one run of the protocol.
type session struct {
	protocol.Desk
	server   *Server
	dialect  dialect
	notation game.Notation

	multi    int // moves to be valued
	wants    engine.Options
	seconds  bool        // UCCI: times are in seconds
	lost     bool        // the last position could not be read
	banned   []game.Move // UCCI: not to be played in this position
	told     string      // the last that was told of a thought
	pondered *pondered   // a thought about the opponent's time that waits to be used
}

// pondered is a thought that was begun before the opponent moved.
type pondered struct {
	goal   goal
	report *engine.Report
}

// dialect is what the two protocols say differently.
type dialect interface {
	hello(s *session)                                            // the answer to the first word
	set(s *session, words []string) error                        // setoption
	goal(s *session, words []string) goal                        // go
	info(s *session, r *engine.Report, at int, pv string) string // lines about one of the moves
	trouble() string                                             // how a line begins that says what is wrong
	none() string                                                // there is no move
	bye() string                                                 // quit; empty for nothing
}

// Serve answers until quit, the end of the input or that of the context. It
// returns an error only where the output cannot be written.
func (v *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if len(v.Games) == 0 {
		v.Games = game.Catalog{v.Rules}
	}
	t, err := protocol.NewTable(v.Rules, nil)
	if err != nil {
		return err
	}
	s := &session{server: v, dialect: modern{}, multi: 1, Desk: protocol.Desk{Table: t, Open: v.Open}}
	if v.UCCI {
		s.dialect = elder{}
	}
	s.Ahead = s.ahead
	s.notation = s.usual(v.Rules)
	if v.Notation != "" {
		s.notation = v.Notation
	}
	return s.Serve(ctx, in, out, v.Grace, s.do)
}

// usual returns the notation that the protocol has for a game.
func (s *session) usual(r game.Rules) game.Notation {
	list := r.Info().Notations
	if !s.server.UCCI && slices.ContainsFunc(list, func(n game.NotationInfo) bool { return n.Name == "uci" }) {
		return "uci"
	}
	return list[0].Name
}

// ahead answers isready, which must not wait for a thought, drops what means
// nothing, and knows what ends one.
func (s *session) ahead(text string) protocol.Signal {
	words := protocol.Words(text)
	if len(words) == 0 {
		return protocol.Taken
	}
	switch words[0] {
	case "isready":
		s.Feed.Settle()
		s.Out.Say("readyok")
	case "stop":
		return protocol.Stop
	case "quit":
		return protocol.Quit
	case "position", "go", "setoption", "ponderhit", "ucinewgame", "banmoves", s.server.hello():
		return protocol.Wait
	}
	return protocol.Taken
}

// hello is the word that a session begins with.
func (v *Server) hello() string {
	if v.UCCI {
		return "ucci"
	}
	return "uci"
}

// do does what a line says, and reports whether it was the last.
func (s *session) do(ctx context.Context, l protocol.Line) (quit bool) {
	words := protocol.Words(l.Text)
	waits := s.pondered
	s.pondered = nil
	if waits != nil && words[0] != "ponderhit" && words[0] != "quit" {
		s.tell(waits.report)
	}
	if l.Long {
		s.lost = s.lost || words[0] == "position"
		s.trouble(errors.New("the line is too long"))
		if words[0] == "go" {
			s.Out.Say("%s", s.dialect.none())
		}
		return false
	}
	var err error
	switch words[0] {
	case s.server.hello():
		s.dialect.hello(s)
	case "setoption":
		err = s.dialect.set(s, words[1:])
	case "ucinewgame":
		err = errors.Join(s.renew(s.Rules), s.Forget())
	case "position":
		err = s.position(words[1:])
		s.lost = err != nil
	case "banmoves":
		err = s.ban(words[1:])
	case "go":
		err = s.search(ctx, s.dialect.goal(s, words[1:]))
	case "ponderhit":
		if waits != nil {
			err = s.search(ctx, waits.goal.met())
		}
	case "quit":
		if bye := s.dialect.bye(); bye != "" {
			s.Out.Say("%s", bye)
		}
		return true
	}
	if err != nil {
		s.trouble(fmt.Errorf("%s: %w", words[0], err))
	}
	return false
}

// identify tells who speaks.
func (s *session) identify() {
	name := s.server.Name
	if name == "" {
		if e, err := s.Thinker(); err == nil {
			name = e.Info().Name
		}
	}
	s.Out.Say("id name %s", name)
	if s.server.Author != "" {
		s.Out.Say("id author %s", s.server.Author)
	}
}

// trouble tells what is wrong, which no program reads but people do.
func (s *session) trouble(err error) {
	s.Out.Say("%s %s", s.dialect.trouble(), strings.Join(strings.Fields(err.Error()), " "))
}

// renew begins a game.
func (s *session) renew(r game.Rules) error {
	t, err := protocol.NewTable(r, nil)
	if err != nil {
		return err
	}
	s.Table, s.lost, s.banned = t, false, nil
	return nil
}

// position puts a position onto the table: "startpos moves h3e3", "fen ... moves".
func (s *session) position(words []string) error {
	at := slices.Index(words, "moves")
	var moves []string
	if at >= 0 {
		words, moves = words[:at], words[at+1:]
	}
	var start *game.Setup
	switch {
	case len(words) == 1 && words[0] == "startpos":
	case len(words) > 1 && words[0] == "fen":
		setup, err := game.ParseSetup(s.Rules, strings.Join(words[1:], " "))
		if err != nil {
			return err
		}
		start = &setup
	default:
		return errors.New("want startpos, or fen and a position")
	}
	t, err := protocol.NewTable(s.Rules, start)
	if err != nil {
		return err
	}
	s.Table, s.banned = t, nil
	for i, text := range moves {
		if err := s.Play(s.Pos.Turn(), func() (game.Move, error) { return s.parse(text) }); err != nil {
			return fmt.Errorf("move %d, %s: %w", i+1, text, err)
		}
	}
	return nil
}

// ban keeps moves from being played in the position.
func (s *session) ban(words []string) error {
	s.banned = nil
	for _, text := range words {
		m, err := s.parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		s.banned = append(s.banned, m)
	}
	return nil
}

// nullMove is a pass.
const nullMove = "0000"

func (s *session) parse(text string) (game.Move, error) {
	if text == nullMove {
		return game.Pass, nil
	}
	return s.Rules.ParseMove(s.Pos, text, s.notation)
}

func (s *session) format(p game.Position, m game.Move) string {
	if m == game.Pass {
		return nullMove
	}
	return game.FormatMove(s.Rules, p, m, s.notation)
}
