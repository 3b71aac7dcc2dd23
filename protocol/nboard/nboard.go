package nboard

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
	"qipu/record"
	"qipu/review"
)

// Server serves an engine to programs that speak the protocol of NBoard.
type Server struct {
	Rules game.Rules // of Othello
	Open  protocol.Open

	Format record.Format // GGF, which games come in
	Games  game.Catalog  // default: Rules alone
	Name   string        // default: that of the engine

	// Limits bound each thought until the other program sets a depth, which is
	// what its users know strength by: it takes the place of depth, nodes and
	// time. A time that stands alone stays.
	Limits engine.Limits

	// Ponder has the engine go on thinking about the position while nothing
	// else is to be done, where that is of use: a thought of one thread that is
	// bounded by depth or nodes knows nothing of earlier ones.
	Ponder bool

	// Learn takes a game that the user wants to be learnt: nil where nothing
	// learns. It answers at once.
	Learn func(ctx context.Context, t *engine.Task) error

	// Grace is how long a thought may go on when the input has ended; default
	// 10 seconds.
	Grace time.Duration
}

// session is one run of the protocol.
type session struct {
	protocol.Desk
	server *Server
	limits engine.Limits
}

// Serve answers until quit, the end of the input or that of the context. It
// returns an error only where the output cannot be written.
func (n *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if len(n.Games) == 0 {
		n.Games = game.Catalog{n.Rules}
	}
	t, err := protocol.NewTable(n.Rules, nil)
	if err != nil {
		return err
	}
	s := &session{server: n, limits: n.Limits, Desk: protocol.Desk{Table: t, Open: n.Open, Ahead: ahead}}
	return s.Serve(ctx, in, out, n.Grace, func(ctx context.Context, l protocol.Line) (quit bool) {
		words := protocol.Words(l.Text)
		switch {
		case len(words) == 0 || l.Long:
		case words[0] == "quit":
			return true
		default:
			s.do(ctx, words)
			if s.Out.Flush() == nil && s.server.Ponder && s.Feed.Idle() {
				s.ponder(ctx)
			}
		}
		return false
	})
}

// ahead knows what must not wait.
func ahead(text string) protocol.Signal {
	if words := strings.Fields(text); len(words) > 0 && words[0] == "quit" {
		return protocol.Quit
	}
	return protocol.Wait
}

// do does what a line says. What it does not know it ignores, as the protocol
// wants it; what goes wrong is a status for the user to read.
func (s *session) do(ctx context.Context, words []string) {
	var err error
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	switch words[0] {
	case "nboard":
		s.rename()
	case "set":
		if len(words) > 2 {
			err = s.set(words[1], words[2:])
		}
	case "move":
		err = s.move(arg)
	case "hint":
		err = s.hint(ctx, arg)
	case "go":
		err = s.choose(ctx)
	case "ping":
		s.Out.Say("pong %s", arg)
	case "learn":
		if s.server.Learn != nil {
			err = s.server.Learn(ctx, s.Task())
		}
		if err == nil {
			s.Out.Say("learned")
		}
	case "analyze":
		err = s.analyze(ctx)
	default:
		// An old version of the program tells moves without a word before them.
		if len(words) == 1 && len(words[0]) == 2 {
			_ = s.move(words[0])
		}
	}
	if err != nil && ctx.Err() == nil { // what was interrupted needs no word
		s.Out.Say("status %s", strings.Join(strings.Fields(err.Error()), " "))
	}
}

// rename tells the name of the engine, which has its depth in it: that is how
// users of the program tell levels apart.
func (s *session) rename() {
	name := s.server.Name
	if name == "" {
		if e, err := s.Thinker(); err == nil {
			name = e.Info().Name
		}
	}
	if s.limits.Depth > 0 {
		name += strconv.Itoa(s.limits.Depth)
	}
	s.Out.Say("set myname %s", strings.ReplaceAll(name, " ", "_"))
}

func (s *session) set(what string, words []string) error {
	switch what {
	case "depth":
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 {
			return fmt.Errorf("set depth %s: want a number of plies from 1", words[0])
		}
		if s.limits.Depth > 0 || s.limits.Nodes > 0 {
			s.limits.Nodes, s.limits.Time = 0, 0
		}
		s.limits.Depth = min(n, 60)
		s.rename()
	case "game":
		if s.server.Format == nil {
			return errors.New("set game: no format is known that games come in")
		}
		text := strings.Join(words, " ")
		p, err := protocol.ReadRecord([]record.Format{s.server.Format}, s.server.Games, "game.ggf", int64(len(text)), strings.NewReader(text))
		if err != nil {
			return fmt.Errorf("set game: %w", err)
		}
		t, err := protocol.Load(p, 0)
		if err != nil {
			return fmt.Errorf("set game: %w", err)
		}
		s.Table = t
	}
	return nil // contempt, and what later versions may set
}

// move makes a move: "F5/1.50/2.31", of which the value and the time may be
// missing. PA is a pass.
func (s *session) move(text string) error {
	text, _, _ = strings.Cut(text, "/")
	err := s.Play(s.Pos.Turn(), func() (game.Move, error) {
		if strings.EqualFold(text, "pa") || strings.EqualFold(text, "pass") {
			return game.Pass, nil
		}
		return s.Parse(text)
	})
	if err != nil {
		return fmt.Errorf("move %s: %w", text, err)
	}
	return nil
}

// square returns a move as the protocol has it: F5, PA.
func (s *session) square(p game.Position, m game.Move) string {
	if m.To() == board.NoPoint {
		return "PA"
	}
	return s.Format(p, m)
}

// search writes a line of a report.
func (s *session) search(r *engine.Report, line *engine.Line) {
	moves := line.Moves
	if len(moves) == 0 || moves[0] != line.Move {
		moves = []game.Move{line.Move}
	}
	pv := s.Variation(moves, s.square)
	if len(pv) == 0 || line.Value == engine.NoValue {
		return
	}
	depth := strconv.Itoa(r.Depth)
	switch {
	case line.Exact:
		depth = "100%" // as NBoard writes what is solved
	case r.Selectivity > 0 && r.Selectivity < 100:
		depth = fmt.Sprintf("%d@%d%%", r.Depth, r.Selectivity)
	}
	kind := "search"
	if r.Note == "book" {
		kind = "book"
	}
	s.Out.Say("%s %s %.2f 0 %s", kind, strings.Join(pv, ""), line.Value.Units(), depth)
}

// stats writes how much was read.
func (s *session) stats(r *engine.Report) {
	s.Out.Say("nodestats %d %.2f", r.Nodes, r.Elapsed.Seconds())
}

// think has the engine think about the position, and tells of it meanwhile.
func (s *session) think(ctx context.Context, l engine.Limits) (r *engine.Report, err error) {
	if s.Pos.Outcome().Final() {
		return nil, engine.ErrOver
	}
	e, err := s.Thinker()
	if err != nil {
		return nil, err
	}
	bounded := l.Depth > 0 || l.Nodes > 0 || l.Time > 0
	s.Feed.During(ctx, true, bounded, func(ctx context.Context) {
		var last time.Time
		r, err = e.Think(ctx, s.Task(), l, func(r *engine.Report) {
			if len(r.Lines) > 0 && time.Since(last) > time.Second/10 {
				last = time.Now()
				s.search(r, &r.Lines[0])
			}
		})
	})
	return r, err
}

func (s *session) hint(ctx context.Context, arg string) error {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		n = 1
	}
	l := s.limits
	l.Multi = min(n, 64)
	s.Out.Say("status Analyzing")
	r, err := s.think(ctx, l)
	if errors.Is(err, context.Canceled) { // by the next line
		s.Out.Say("status")
		return nil
	}
	if err != nil {
		return err
	}
	for i := range r.Lines {
		s.search(r, &r.Lines[i])
	}
	s.stats(r)
	s.Out.Say("status")
	return nil
}

// choose tells which move the engine would make. It is not made: the other
// program says which move is.
func (s *session) choose(ctx context.Context) error {
	if m := s.Only(); m != game.NoMove {
		s.Out.Say("=== %s", s.square(s.Pos, m))
		return nil
	}
	s.Out.Say("status Thinking")
	r, err := s.think(ctx, s.limits)
	if err != nil {
		return err
	}
	best := r.Best()
	if best.Move == game.NoMove {
		return errors.New("the engine has no move")
	}
	s.stats(r)
	text := s.square(s.Pos, best.Move)
	if best.Value != engine.NoValue {
		text += fmt.Sprintf("/%.2f/%.2f", best.Value.Units(), r.Elapsed.Seconds())
	}
	s.Out.Say("=== %s", text)
	s.Out.Say("status")
	return nil
}

// analyze values every position of the game, from its end on, for the side to
// move there.
func (s *session) analyze(ctx context.Context) error {
	e, err := s.Thinker()
	if err != nil {
		return err
	}
	tell := func(made int, side game.Side, value float64) {
		if side != game.First && value != 0 {
			value = -value
		}
		s.Out.Say("analysis %d %.2f", made, value)
	}
	s.Out.Say("status Analyzing")
	first := true
	s.Feed.During(ctx, true, true, func(ctx context.Context) {
		_, err = review.Run(ctx, e, s.Task(), review.Options{Limits: s.limits, Chosen: true, OnMove: func(m *review.Move) {
			if first {
				first = false
				tell(m.Ply, s.Pos.Turn(), m.Value)
			}
			tell(m.Ply-1, m.Side, m.Best)
		}})
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	s.Out.Say("status")
	return nil
}

// ponder thinks until the next line comes: what the engine remembers of it makes
// the next thought shorter.
func (s *session) ponder(ctx context.Context) {
	repeatable := s.limits.Threads <= 1 && (s.limits.Depth > 0 || s.limits.Nodes > 0)
	if repeatable || s.Pos.Outcome().Final() || s.Only() != game.NoMove {
		return
	}
	e, err := s.Thinker()
	if err != nil {
		return
	}
	l := engine.Limits{Threads: s.limits.Threads}
	s.Feed.During(ctx, true, false, func(ctx context.Context) { _, _ = e.Think(ctx, s.Task(), l, nil) })
}
