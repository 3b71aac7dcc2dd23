package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/board/draw"
	"qipu/engine"
	"qipu/game"
)

// clocks are the times of the sides, as the commands tell them and as thoughts
// use them up.
type clocks struct {
	main, period time.Duration
	stones       int // to be made in a period
	set          bool
	sides        [2]struct {
		left   time.Duration
		stones int // left to be made in a period; 0 in the main time
	}
}

// of returns the clock of a side, or nil where there is none.
func (c *clocks) of(side game.Side) *engine.Clock {
	if !c.set || int(side) >= len(c.sides) {
		return nil
	}
	s := c.sides[side]
	return &engine.Clock{Left: max(s.left, 0), Moves: s.stones}
}

// charge takes the time of a thought off a clock.
func (c *clocks) charge(side game.Side, used time.Duration) {
	if !c.set || int(side) >= len(c.sides) {
		return
	}
	s := &c.sides[side]
	s.left -= used
	if s.stones > 0 {
		if s.stones--; s.stones > 0 {
			return
		}
	} else if s.left > 0 {
		return // still in the main time
	}
	if c.stones > 0 {
		s.left, s.stones = c.period, c.stones
	}
}

// seconds reads a time; those beyond a year are as good as one.
func seconds(text string) (time.Duration, bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0) {
		return 0, false
	}
	return time.Duration(min(n, 366*24*3600) * float64(time.Second)), true
}

func (s *gtp) timeSettings(_ context.Context, args []string) (string, error) {
	main, ok1 := seconds(args[0])
	period, ok2 := seconds(args[1])
	stones, err := strconv.Atoi(args[2])
	if !ok1 || !ok2 || err != nil || stones < 0 {
		return "", syntaxError
	}
	c := clocks{main: main, period: period, stones: stones}
	if period == 0 {
		c.stones = 0
	}
	c.wind()
	s.clocks = c
	return "", nil
}

// wind sets the clocks to what they have at the beginning of a game. A period
// without stones means that there is no limit; so, surely, do no main time and no
// period.
func (c *clocks) wind() {
	c.set = !(c.period > 0 && c.stones == 0) && c.main+c.period > 0
	for i := range c.sides {
		c.sides[i].left, c.sides[i].stones = c.main, 0
		if c.main == 0 {
			c.sides[i].left, c.sides[i].stones = c.period, c.stones
		}
	}
}

func (s *gtp) timeLeft(_ context.Context, args []string) (string, error) {
	side, ok := s.side(args[0])
	left, ok2 := seconds(args[1])
	stones, err := strconv.Atoi(args[2])
	if !ok || !ok2 || err != nil || stones < 0 {
		return "", syntaxError
	}
	s.clocks.set = true
	s.clocks.sides[side].left, s.clocks.sides[side].stones = left, stones
	return "", nil
}

func (s *gtp) fixedHandicap(_ context.Context, args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", syntaxError
	}
	return s.stones(n)
}

// freeHandicap places stones as the engine likes, which are those of a fixed
// handicap: as many as were asked for, or fewer where the board has no points for
// them, as the protocol allows.
func (s *gtp) freeHandicap(_ context.Context, args []string) (text string, err error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", syntaxError
	}
	for n = min(n, 9); ; n-- {
		if text, err = s.stones(n); err != badHandicap || n <= 2 {
			return text, err
		}
	}
}

// stones places a fixed handicap.
func (s *gtp) stones(n int) (string, error) {
	if !s.rules.Info().Takes("handicap") {
		return "", fmt.Errorf("%s has no handicap stones", s.rules.Info().Titles.En)
	}
	if n < 2 || n > 9 {
		return "", badHandicap
	}
	if len(s.moves) > 0 || s.start != nil || s.handicapped() {
		return "", boardInUse
	}
	if _, err := s.vary("handicap="+strconv.Itoa(n), badHandicap); err != nil {
		return "", err
	}
	var list []string
	if planes, _ := game.Shown(s.pos); planes != nil {
		for p := range planes.Of[0].Points() {
			list = append(list, s.format(s.pos, game.Drop(p)))
		}
	}
	return strings.Join(list, " "), nil
}

func (s *gtp) setFreeHandicap(_ context.Context, args []string) (string, error) {
	if !s.rules.Info().Takes("handicap") {
		return "", fmt.Errorf("%s has no handicap stones", s.rules.Info().Titles.En)
	}
	if len(s.moves) > 0 || s.start != nil || s.handicapped() {
		return "", boardInUse
	}
	setup := game.NewSetup(s.rules)
	setup.Turn = game.Second
	for _, text := range args {
		// A stone of the handicap that the rules have may stand there: the
		// move comes back beside the error then.
		m, err := s.parse(text)
		if errors.Is(err, game.ErrSyntax) {
			return "", syntaxError
		}
		if err != nil && !errors.Is(err, game.ErrOccupied) || m.To() == board.NoPoint {
			return "", badVertices
		}
		if setup.Board.At(m.To()) != board.Empty {
			return "", badVertices
		}
		setup.Board.Put(m.To(), 1)
	}
	return "", s.renew(s.rules, &setup)
}

func (s *gtp) showboard(context.Context, []string) (string, error) {
	scene := &draw.Scene{Geometry: s.geometry(), Coordinates: true}
	scene.Planes, scene.Texts = game.Shown(s.pos)
	for _, m := range s.moves {
		if m.To() != board.NoPoint {
			scene.Last = &draw.Step{From: m.From(), To: m.To()}
		}
	}
	text := "\n" + draw.Text(scene, draw.TextOptions{})
	if o := s.pos.Outcome(); o.Over() {
		return text + o.Describe(s.rules.Info()), nil
	}
	return text + s.rules.Info().Sides[s.pos.Turn()].Name + " to move", nil
}

// geometry returns the board with the letters that moves are written with.
func (s *gtp) geometry() *board.Geometry {
	g := *s.rules.Geometry()
	if _, ok := s.rules.(engine.Vertices); !ok {
		return &g
	}
	letters := make([]string, g.Size.W)
	for x := range letters {
		letters[x] = s.format(s.pos, game.Drop(board.At(x, 0)))[:1]
	}
	g.Labels.Top, g.Labels.Bottom = letters, letters
	return &g
}

func (s *gtp) finalScore(context.Context, []string) (string, error) {
	o := s.pos.Outcome()
	if k, ok := s.rules.(counter); ok && (!o.Final() || o.State == game.Unscored) {
		return s.asItStands(k)
	}
	if !o.Over() {
		return "", cannotScore
	}
	return s.score(o)
}

// score returns an outcome as results are written: B+12, W+, 0.
func (s *gtp) score(o game.Outcome) (string, error) {
	switch o.State {
	case game.Drawn:
		return "0", nil
	case game.Won:
		text := strings.ToUpper(s.rules.Info().Sides[o.Winner].Name[:1]) + "+"
		if o.Margin != 0 {
			text += strconv.FormatFloat(float64(o.Margin)/2, 'f', -1, 64)
		}
		return text, nil
	}
	return "", cannotScore
}

// counter is a Rules that counts points, and gives White some.
type counter interface{ Komi() int }

// asItStands counts a game of Go with every stone alive, as programs do that
// play until the dead ones are taken.
func (s *gtp) asItStands(k counter) (string, error) {
	v, ok := s.rules.(game.Varied)
	if !ok {
		return "", cannotScore
	}
	r, err := v.Variant("tromp-taylor,komi=" + strconv.FormatFloat(float64(k.Komi())/2, 'f', -1, 64))
	if err != nil {
		return "", cannotScore
	}
	setup := game.SetupOf(s.pos)
	setup.Ko = board.NoPoint
	p, err := r.Arrange(setup)
	if err != nil {
		return "", cannotScore
	}
	for !p.Outcome().Final() {
		if p.Play(game.Pass) != nil {
			return "", cannotScore
		}
	}
	return s.score(p.Outcome())
}

func (s *gtp) rulesGame(context.Context, []string) (string, error) {
	return s.rules.Info().Titles.En, nil
}

func (s *gtp) rulesSize(context.Context, []string) (string, error) {
	size := s.rules.Geometry().Size
	if size.W != size.H {
		return fmt.Sprintf("%d %d", size.W, size.H), nil
	}
	return strconv.Itoa(size.W), nil
}

// rulesBoard draws the board as GoGui reads it: X, O and dots.
func (s *gtp) rulesBoard(context.Context, []string) (string, error) {
	planes, _ := game.Shown(s.pos)
	size := s.rules.Geometry().Size
	if planes == nil || len(planes.Of) > 2 {
		return "", failure("the board has more than two kinds of pieces")
	}
	var b strings.Builder
	for y := range size.H {
		b.WriteByte('\n')
		for x := range size.W {
			if x > 0 {
				b.WriteByte(' ')
			}
			b.WriteByte(".XO"[planes.At(board.At(x, y))])
		}
	}
	return b.String(), nil
}

func (s *gtp) rulesMoves(context.Context, []string) (string, error) {
	var list []string
	for _, m := range s.pos.AppendMoves(nil) {
		list = append(list, s.format(s.pos, m))
	}
	return strings.Join(list, " "), nil
}

func (s *gtp) rulesSide(context.Context, []string) (string, error) {
	return s.rules.Info().Sides[s.pos.Turn()].Name, nil
}

func (s *gtp) rulesResult(context.Context, []string) (string, error) {
	return s.pos.Outcome().Describe(s.rules.Info()), nil
}

// analyze tells what the engine thinks until the next line comes. Arguments may
// be a colour, and the hundredths of a second between two reports.
//
// The form is that of other programs that analyse; what a value is counted in
// differs: these are discs or points for the side to move.
func (s *gtp) analyze(ctx context.Context, id string, args []string) {
	interval := time.Second / 2
	side := s.pos.Turn()
	for _, a := range args {
		if c, ok := s.side(a); ok {
			side = c
		} else if n, err := strconv.ParseUint(a, 10, 20); err == nil {
			interval = time.Duration(n) * 10 * time.Millisecond
		}
	}
	put, err := s.turnTo(side)
	defer func() { s.takeBack(put) }()
	if err == nil && s.pos.Outcome().Final() {
		err = engine.ErrOver
	}
	var e engine.Engine
	if err == nil {
		e, err = s.thinker()
	}
	if err != nil {
		s.answer(id, "", err)
		return
	}
	fmt.Fprintf(s.out, "=%s\n", id)
	var last time.Time
	l := engine.Limits{Threads: s.Limits.Threads, Multi: 8, Seed: s.Limits.Seed}
	s.feed.during(ctx, true, false, func(ctx context.Context) {
		watch := func(r *engine.Report) {
			if time.Since(last) >= interval {
				last = time.Now()
				s.report(r)
			}
		}
		if r, err := e.Think(ctx, s.task(), l, watch); err == nil {
			s.report(r)
		}
		<-ctx.Done() // who has read everything waits to be told to stop
	})
	fmt.Fprint(s.out, "\n")
}

// report writes one line with all moves that an engine has valued.
func (s *gtp) report(r *engine.Report) {
	var parts []string
	for i, line := range r.Lines {
		moves := line.Moves
		if len(moves) == 0 || moves[0] != line.Move {
			moves = []game.Move{line.Move}
		}
		pv := s.line(moves, s.format)
		if len(pv) == 0 {
			continue
		}
		text := fmt.Sprintf("info move %s", pv[0])
		if line.Value != engine.NoValue {
			text += fmt.Sprintf(" value %.2f", line.Value.Units())
		}
		exact := 0
		if line.Exact {
			exact = 1
		}
		parts = append(parts, fmt.Sprintf("%s depth %d nodes %d exact %d order %d pv %s", text, r.Depth, r.Nodes, exact, i, strings.Join(pv, " ")))
	}
	if len(parts) > 0 {
		fmt.Fprintln(s.out, strings.Join(parts, " "))
		_ = s.out.Flush() // an error shows when the answer ends
	}
}
