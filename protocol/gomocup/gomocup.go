package gomocup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/protocol"
)

// Server serves an engine to programs that speak the protocol of Gomocup.
type Server struct {
	Rules game.Rules // with variants for sizes and rule sets
	Open  protocol.Open

	Name    string // of the program; default: that of the engine
	Version string
	Author  string

	// Limits bound each thought, beside the times that the other program sets.
	Limits engine.Limits

	// Grace is how long a thought may go on when the input has ended; default
	// 10 seconds.
	Grace time.Duration
}

// session is one run of the protocol.
type session struct {
	protocol.Desk
	server *Server
	list   *list // a position that is being told

	turn, match, left time.Duration // of a move, of the game, of what is left of it; 0 for no limit
	hurry             bool          // a move is wanted at once
}

// list is a position that is told line by line.
type list struct {
	order  string
	stones []stone
	err    error
}

// stone is one of them.
type stone struct {
	at  game.Move
	own bool
}

// ruleSets are the words for the numbers of INFO rule.
var ruleSets = map[string]string{"0": "free", "1": "standard", "4": "renju"}

// usualTurn is how long a move may take where nobody says anything.
const usualTurn = 5 * time.Second

// Serve answers until END, the end of the input or that of the context. It
// returns an error only where the output cannot be written.
func (v *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	t, err := protocol.NewTable(v.Rules, nil)
	if err != nil {
		return err
	}
	s := &session{server: v, turn: usualTurn, Desk: protocol.Desk{Table: t, Open: v.Open, Ahead: ahead}}
	return s.Serve(ctx, in, out, v.Grace, s.do)
}

// ahead knows what must not wait.
func ahead(text string) protocol.Signal {
	switch words := strings.Fields(strings.ToUpper(text)); {
	case len(words) == 0:
		return protocol.Taken
	case words[0] == "END":
		return protocol.Quit
	case words[0] == "YXSTOP":
		return protocol.Stop
	}
	return protocol.Wait
}

// do does what a line says, and reports whether it was the last.
func (s *session) do(ctx context.Context, l protocol.Line) (quit bool) {
	words := protocol.Words(l.Text)
	if len(words) == 0 {
		return false
	}
	order, args := strings.ToUpper(words[0]), words[1:]
	answer, err := "", error(nil)
	switch {
	case order == "END":
		return true
	case l.Long && s.list != nil:
		s.list.err = errors.New("a line is too long")
	case l.Long:
		err = errors.New("the line is too long")
	case s.list != nil && order == "DONE":
		told := s.list
		s.list = nil
		answer, err = s.told(ctx, told)
	case s.list != nil:
		s.add(strings.Join(words, ""))
	default:
		answer, err = s.order(ctx, order, args)
	}
	switch {
	case err != nil:
		s.Out.Say("ERROR %s", strings.Join(strings.Fields(err.Error()), " "))
	case answer != "":
		s.Out.Say("%s", answer)
	}
	return false
}

// done is the answer to what needs none.
const done = "OK"

// order does what a command says.
func (s *session) order(ctx context.Context, order string, args []string) (string, error) {
	arg := strings.Join(args, "")
	switch order {
	case "START":
		n, err := strconv.Atoi(arg)
		if err != nil {
			return "", errors.New("want a size")
		}
		return done, s.size(n, n)
	case "RECTSTART":
		w, h, err := pair(arg)
		if err != nil {
			return "", err
		}
		return done, s.size(w, h)
	case "RESTART":
		return done, s.renew(s.Rules)
	case "BEGIN":
		if len(s.Moves) > 0 {
			return "", errors.New("the board is not empty")
		}
		return s.reply(ctx)
	case "TURN":
		if err := s.put(arg); err != nil {
			return "", err
		}
		return s.reply(ctx)
	case "BOARD", "YXBOARD", "SWAP2BOARD":
		s.list = &list{order: order}
		return "", nil
	case "TAKEBACK":
		return done, s.takeBack(arg)
	case "INFO":
		s.info(args)
		return "", nil
	case "YXSTOP":
		return "", nil
	case "ABOUT":
		return s.about(), nil
	}
	return "UNKNOWN", nil
}

// size begins a game on a board of a size.
func (s *session) size(w, h int) error { return s.vary(fmt.Sprintf("%dx%d", w, h)) }

// vary begins a game by a variant of the rules.
func (s *session) vary(words string) error {
	v, ok := s.Rules.(game.Varied)
	if !ok {
		return errors.New("the game has no variants")
	}
	r, err := v.Variant(words)
	if err != nil {
		return err
	}
	return s.renew(r)
}

// renew begins a game.
func (s *session) renew(r game.Rules) error {
	t, err := protocol.NewTable(r, nil)
	if err == nil {
		s.Table, s.left = t, s.match
	}
	return err
}

// pair reads two numbers: "7,7".
func pair(text string) (x, y int, err error) {
	left, right, ok := strings.Cut(text, ",")
	x, errX := strconv.Atoi(left)
	y, errY := strconv.Atoi(right)
	if !ok || errX != nil || errY != nil {
		return 0, 0, errors.New("want two numbers with a comma between them")
	}
	return x, y, nil
}

// point reads a point of the board.
func (s *session) point(text string) (game.Move, error) {
	x, y, err := pair(text)
	if err != nil {
		return game.NoMove, err
	}
	if size := s.Rules.Geometry().Size; x < 0 || y < 0 || x >= size.W || y >= size.H {
		return game.NoMove, game.ErrOffBoard
	}
	return game.Drop(board.At(x, y)), nil
}

// write returns a point as the protocol has it.
func write(m game.Move) string { return fmt.Sprintf("%d,%d", m.To().X(), m.To().Y()) }

// put makes the move of whoever is to move.
func (s *session) put(text string) error {
	return s.Play(s.Pos.Turn(), func() (game.Move, error) { return s.point(text) })
}

func (s *session) takeBack(text string) error {
	m, err := s.point(text)
	if err != nil {
		return err
	}
	if len(s.Moves) == 0 || s.Moves[len(s.Moves)-1] != m {
		return errors.New("it is not the last stone")
	}
	s.Undo()
	return nil
}

// info takes note of what the other program tells.
func (s *session) info(args []string) {
	if len(args) < 2 {
		return
	}
	n, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil || n < 0 {
		return
	}
	span := time.Duration(min(n, int64(366*24*time.Hour/time.Millisecond))) * time.Millisecond
	switch strings.ToLower(args[0]) {
	case "timeout_turn":
		s.turn, s.hurry = span, n == 0
	case "timeout_match":
		s.match, s.left = span, span
	case "time_left":
		s.left = max(span, time.Millisecond)
	case "max_memory":
		// A third is for what the engine remembers, the rest for all else.
		if err := s.Want(engine.Options{Hash: min(n/3, 1<<30)}); err != nil {
			s.Out.Say("MESSAGE %s", err)
		}
	case "rule":
		if err := s.rule(args[1]); err != nil {
			s.Out.Say("MESSAGE rule %s: %s", args[1], strings.Join(strings.Fields(err.Error()), " "))
		}
	}
}

// rule changes the rule set. The stones stay.
func (s *session) rule(number string) error {
	set, ok := ruleSets[number]
	v, varied := s.Rules.(game.Varied)
	if !ok || !varied {
		return errors.New("it is not known here")
	}
	r, err := v.Variant(set)
	if err != nil {
		return err
	}
	return s.lay(r, s.Moves)
}

// lay puts a game of some moves onto the table.
func (s *session) lay(r game.Rules, moves []game.Move) error {
	t, err := protocol.NewTable(r, nil)
	if err != nil {
		return err
	}
	for i, m := range moves {
		if err := t.Play(t.Pos.Turn(), func() (game.Move, error) { return m, nil }); err != nil {
			return fmt.Errorf("stone %d: %w", i+1, err)
		}
	}
	s.Table = t
	return nil
}

func (s *session) about() string {
	name, version := s.server.Name, s.server.Version
	if e, err := s.Thinker(); err == nil && name == "" {
		name, version = e.Info().Name, e.Info().Version
	}
	text := fmt.Sprintf("name=%q, version=%q", name, version)
	if s.server.Author != "" {
		text += fmt.Sprintf(", author=%q", s.server.Author)
	}
	return text
}
