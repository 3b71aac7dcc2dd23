package protocol

import (
	"bufio"
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
	"qipu/record"
	"qipu/review"
)

// NBoard serves an engine to programs that speak the protocol of NBoard.
type NBoard struct {
	Rules game.Rules // of Othello
	Open  Open

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

// nboard is a session.
type nboard struct {
	*NBoard
	desk
	limits engine.Limits
}

// Serve answers until quit, the end of the input or that of the context. It
// returns an error only where the output cannot be written.
func (n *NBoard) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if len(n.Games) == 0 {
		n.Games = game.Catalog{n.Rules}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t, err := newTable(n.Rules, nil)
	if err != nil {
		return err
	}
	s := &nboard{NBoard: n, limits: n.Limits, desk: desk{running: t, open: n.Open, out: bufio.NewWriter(out)}}
	s.feed = newFeed(ctx, in, n.Grace)
	defer s.close()
	for {
		l, ok := s.feed.next(ctx)
		if !ok {
			return nil
		}
		words := strings.Fields(strings.Map(plain, l.text))
		if len(words) == 0 || l.long {
			continue
		}
		if words[0] == "quit" {
			return nil
		}
		s.do(ctx, words)
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("protocol: the answer cannot be written: %w", err)
		}
		if s.Ponder && s.feed.idle() {
			s.ponder(ctx)
		}
	}
}

// say writes a line, and sends it at once. An error shows when the command ends.
func (s *nboard) say(format string, args ...any) {
	fmt.Fprintf(s.out, format+"\n", args...)
	_ = s.out.Flush()
}

// do does what a line says. What it does not know it ignores, as the protocol
// wants it; what goes wrong is a status for the user to read.
func (s *nboard) do(ctx context.Context, words []string) {
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
		s.say("pong %s", arg)
	case "learn":
		if s.Learn != nil {
			err = s.Learn(ctx, s.task())
		}
		if err == nil {
			s.say("learned")
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
		s.say("status %s", strings.Join(strings.Fields(err.Error()), " "))
	}
}

// rename tells the name of the engine, which has its depth in it: that is how
// users of the program tell levels apart.
func (s *nboard) rename() {
	name := s.Name
	if name == "" {
		if e, err := s.thinker(); err == nil {
			name = e.Info().Name
		}
	}
	if s.limits.Depth > 0 {
		name += strconv.Itoa(s.limits.Depth)
	}
	s.say("set myname %s", strings.ReplaceAll(name, " ", "_"))
}

func (s *nboard) set(what string, words []string) error {
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
		if s.Format == nil {
			return errors.New("set game: no format is known that games come in")
		}
		text := strings.Join(words, " ")
		p, err := readRecord([]record.Format{s.Format}, s.Games, "game.ggf", int64(len(text)), strings.NewReader(text))
		if err != nil {
			return fmt.Errorf("set game: %w", err)
		}
		t, err := load(p, 0)
		if err != nil {
			return fmt.Errorf("set game: %w", err)
		}
		s.running = t
	}
	return nil // contempt, and what later versions may set
}

// move makes a move: "F5/1.50/2.31", of which the value and the time may be
// missing. PA is a pass.
func (s *nboard) move(text string) error {
	text, _, _ = strings.Cut(text, "/")
	err := s.play(s.pos.Turn(), func() (game.Move, error) {
		if strings.EqualFold(text, "pa") || strings.EqualFold(text, "pass") {
			return game.Pass, nil
		}
		return s.parse(text)
	})
	if err != nil {
		return fmt.Errorf("move %s: %w", text, err)
	}
	return nil
}

// square returns a move as the protocol has it: F5, PA.
func (s *nboard) square(p game.Position, m game.Move) string {
	if m.To() == board.NoPoint {
		return "PA"
	}
	return s.format(p, m)
}

// search writes a line of a report.
func (s *nboard) search(r *engine.Report, line *engine.Line) {
	moves := line.Moves
	if len(moves) == 0 || moves[0] != line.Move {
		moves = []game.Move{line.Move}
	}
	pv := s.line(moves, s.square)
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
	s.say("%s %s %.2f 0 %s", kind, strings.Join(pv, ""), line.Value.Units(), depth)
}

// stats writes how much was read.
func (s *nboard) stats(r *engine.Report) {
	s.say("nodestats %d %.2f", r.Nodes, r.Elapsed.Seconds())
}

// think has the engine think about the position, and tells of it meanwhile.
func (s *nboard) think(ctx context.Context, l engine.Limits) (r *engine.Report, err error) {
	if s.pos.Outcome().Final() {
		return nil, engine.ErrOver
	}
	e, err := s.thinker()
	if err != nil {
		return nil, err
	}
	bounded := l.Depth > 0 || l.Nodes > 0 || l.Time > 0
	s.feed.during(ctx, true, bounded, func(ctx context.Context) {
		var last time.Time
		r, err = e.Think(ctx, s.task(), l, func(r *engine.Report) {
			if len(r.Lines) > 0 && time.Since(last) > time.Second/10 {
				last = time.Now()
				s.search(r, &r.Lines[0])
			}
		})
	})
	return r, err
}

func (s *nboard) hint(ctx context.Context, arg string) error {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		n = 1
	}
	l := s.limits
	l.Multi = min(n, 64)
	s.say("status Analyzing")
	r, err := s.think(ctx, l)
	if errors.Is(err, context.Canceled) { // by the next line
		s.say("status")
		return nil
	}
	if err != nil {
		return err
	}
	for i := range r.Lines {
		s.search(r, &r.Lines[i])
	}
	s.stats(r)
	s.say("status")
	return nil
}

// choose tells which move the engine would make. It is not made: the other
// program says which move is.
func (s *nboard) choose(ctx context.Context) error {
	if m := s.only(); m != game.NoMove {
		s.say("=== %s", s.square(s.pos, m))
		return nil
	}
	s.say("status Thinking")
	r, err := s.think(ctx, s.limits)
	if err != nil {
		return err
	}
	best := r.Best()
	if best.Move == game.NoMove {
		return errors.New("the engine has no move")
	}
	s.stats(r)
	text := s.square(s.pos, best.Move)
	if best.Value != engine.NoValue {
		text += fmt.Sprintf("/%.2f/%.2f", best.Value.Units(), r.Elapsed.Seconds())
	}
	s.say("=== %s", text)
	s.say("status")
	return nil
}

// analyze values every position of the game, from its end on, for the side to
// move there.
func (s *nboard) analyze(ctx context.Context) error {
	e, err := s.thinker()
	if err != nil {
		return err
	}
	tell := func(made int, side game.Side, value float64) {
		if side != game.First && value != 0 {
			value = -value
		}
		s.say("analysis %d %.2f", made, value)
	}
	s.say("status Analyzing")
	first := true
	s.feed.during(ctx, true, true, func(ctx context.Context) {
		_, err = review.Run(ctx, e, s.task(), review.Options{Limits: s.limits, OnMove: func(m *review.Move) {
			if first {
				first = false
				tell(m.Ply, s.pos.Turn(), m.Value)
			}
			tell(m.Ply-1, m.Side, m.Best)
		}})
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	s.say("status")
	return nil
}

// ponder thinks until the next line comes: what the engine remembers of it makes
// the next thought shorter.
func (s *nboard) ponder(ctx context.Context) {
	repeatable := s.limits.Threads <= 1 && (s.limits.Depth > 0 || s.limits.Nodes > 0)
	if repeatable || s.pos.Outcome().Final() || s.only() != game.NoMove {
		return
	}
	e, err := s.thinker()
	if err != nil {
		return
	}
	l := engine.Limits{Threads: s.limits.Threads}
	s.feed.during(ctx, true, false, func(ctx context.Context) { _, _ = e.Think(ctx, s.task(), l, nil) })
}
