package gtp

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

func (s *session) timeSettings(_ context.Context, args []string) (string, error) {
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

func (s *session) timeLeft(_ context.Context, args []string) (string, error) {
	side, ok := s.Side(args[0])
	left, ok2 := seconds(args[1])
	stones, err := strconv.Atoi(args[2])
	if !ok || !ok2 || err != nil || stones < 0 {
		return "", syntaxError
	}
	s.clocks.set = true
	s.clocks.sides[side].left, s.clocks.sides[side].stones = left, stones
	return "", nil
}

func (s *session) fixedHandicap(_ context.Context, args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", syntaxError
	}
	return s.stones(n)
}

// freeHandicap places stones as the engine likes, which are those of a fixed
// handicap: as many as were asked for, or fewer where the board has no points for
// them, as the protocol allows.
func (s *session) freeHandicap(_ context.Context, args []string) (text string, err error) {
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
func (s *session) stones(n int) (string, error) {
	if !s.Rules.Info().Takes("handicap") {
		return "", fmt.Errorf("%s has no handicap stones", s.Rules.Info().Titles.En)
	}
	if n < 2 || n > 9 {
		return "", badHandicap
	}
	if len(s.Moves) > 0 || s.Start != nil || s.handicapped() {
		return "", boardInUse
	}
	if _, err := s.vary("handicap="+strconv.Itoa(n), badHandicap); err != nil {
		return "", err
	}
	var list []string
	if planes, _ := game.Shown(s.Pos); planes != nil {
		for p := range planes.Of[0].Points() {
			list = append(list, s.Format(s.Pos, game.Drop(p)))
		}
	}
	return strings.Join(list, " "), nil
}

func (s *session) setFreeHandicap(_ context.Context, args []string) (string, error) {
	if !s.Rules.Info().Takes("handicap") {
		return "", fmt.Errorf("%s has no handicap stones", s.Rules.Info().Titles.En)
	}
	if len(s.Moves) > 0 || s.Start != nil || s.handicapped() {
		return "", boardInUse
	}
	setup := game.NewSetup(s.Rules)
	setup.Turn = game.Second
	for _, text := range args {
		// A stone of the handicap that the rules have may stand there: the
		// move comes back beside the error then.
		m, err := s.Parse(text)
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
	return "", s.renew(s.Rules, &setup)
}

func (s *session) showboard() string {
	scene := &draw.Scene{Geometry: s.geometry(), Coordinates: true}
	scene.Planes, scene.Texts = game.Shown(s.Pos)
	for _, m := range s.Moves {
		if m.To() != board.NoPoint {
			scene.Last = &draw.Step{From: m.From(), To: m.To()}
		}
	}
	text := "\n" + draw.Text(scene, draw.TextOptions{})
	if o := s.Pos.Outcome(); o.Over() {
		return text + o.Describe(s.Rules.Info())
	}
	return text + s.Rules.Info().Sides[s.Pos.Turn()].Name + " to move"
}

// geometry returns the board with the letters that moves are written with.
func (s *session) geometry() *board.Geometry {
	g := *s.Rules.Geometry()
	if _, ok := s.Rules.(engine.Vertices); !ok {
		return &g
	}
	letters := make([]string, g.Size.W)
	for x := range letters {
		letters[x] = s.Format(s.Pos, game.Drop(board.At(x, 0)))[:1]
	}
	g.Labels.Top, g.Labels.Bottom = letters, letters
	return &g
}

// score returns an outcome as results are written: B+12, W+, 0.
func (s *session) score(o game.Outcome) (string, error) {
	switch o.State {
	case game.Drawn:
		return "0", nil
	case game.Won:
		text := strings.ToUpper(s.Rules.Info().Sides[o.Winner].Name[:1]) + "+"
		if o.Margin != 0 {
			text += strconv.FormatFloat(float64(o.Margin)/2, 'f', -1, 64)
		}
		return text, nil
	}
	return "", cannotScore
}

// counter is a Rules that counts points, and gives White some.
type counter interface{ Komi() int }

func (s *session) rulesSize() string {
	size := s.Rules.Geometry().Size
	if size.W != size.H {
		return fmt.Sprintf("%d %d", size.W, size.H)
	}
	return strconv.Itoa(size.W)
}

// rulesBoard draws the board as GoGui reads it: X, O and dots.
func (s *session) rulesBoard(context.Context, []string) (string, error) {
	planes, _ := game.Shown(s.Pos)
	size := s.Rules.Geometry().Size
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

func (s *session) rulesMoves() string {
	var list []string
	for _, m := range s.Pos.AppendMoves(nil) {
		list = append(list, s.Format(s.Pos, m))
	}
	return strings.Join(list, " ")
}
