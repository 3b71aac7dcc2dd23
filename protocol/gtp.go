package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/record"
)

// GTP serves an engine to programs that speak the Go Text Protocol.
type GTP struct {
	Rules game.Rules
	Open  Open

	Games   game.Catalog    // that set_game and loadsgf know; default: Rules alone
	Formats []record.Format // that loadsgf reads
	Name    string          // of the program; default: that of the engine
	Version string

	// Limits bound each thought, beside the clock that the other program sets.
	Limits engine.Limits

	// Grace is how long a thought may go on when the input has ended; default
	// 10 seconds.
	Grace time.Duration
}

// gtp is a session.
type gtp struct {
	*GTP
	desk
	orders map[string]order
	clocks clocks
}

// failure is an answer that says no, in the words of the protocol.
type failure string

func (f failure) Error() string { return string(f) }

// The failures that the protocol names.
const (
	syntaxError  failure = "syntax error"
	illegalMove  failure = "illegal move"
	cannotUndo   failure = "cannot undo"
	badSize      failure = "unacceptable size"
	cannotScore  failure = "cannot score"
	boardInUse   failure = "board not empty"
	badHandicap  failure = "invalid number of stones"
	badVertices  failure = "bad vertex list"
	unknownOrder failure = "unknown command"
)

// Serve answers commands until quit, the end of the input or that of the
// context. It returns an error only where the output cannot be written.
func (g *GTP) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if len(g.Games) == 0 {
		g.Games = game.Catalog{g.Rules}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t, err := newTable(g.Rules, nil)
	if err != nil {
		return err
	}
	s := &gtp{GTP: g, orders: commands(), desk: desk{running: t, open: g.Open, out: bufio.NewWriter(out)}}
	s.feed = newFeed(ctx, in, g.Grace)
	defer s.close()
	for {
		l, ok := s.feed.next(ctx)
		if !ok {
			return nil
		}
		quit := s.do(ctx, l)
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("protocol: the answer cannot be written: %w", err)
		}
		if quit {
			return nil
		}
	}
}

// do does what a line says, and reports whether it was the last.
func (s *gtp) do(ctx context.Context, l line) (quit bool) {
	text, _, _ := strings.Cut(l.text, "#")
	words := strings.Fields(strings.Map(plain, text))
	if len(words) == 0 {
		return false
	}
	id := ""
	if _, err := strconv.ParseUint(words[0], 10, 64); err == nil {
		id, words = words[0], words[1:]
	}
	if l.long {
		s.answer(id, "", errors.New("the line is too long"))
		return false
	}
	if len(words) == 0 {
		s.answer(id, "", unknownOrder)
		return false
	}
	name, args := words[0], words[1:]
	if name == analyzeOrder {
		s.analyze(ctx, id, args)
		return false
	}
	c, ok := s.orders[name]
	if !ok {
		s.answer(id, "", unknownOrder)
		return false
	}
	if len(args) < c.args {
		s.answer(id, "", syntaxError)
		return false
	}
	result, err := c.run(s, ctx, args)
	s.answer(id, result, err)
	return name == "quit"
}

// plain drops control characters, and makes tabs spaces.
func plain(r rune) rune {
	switch {
	case r == '\t':
		return ' '
	case r < ' ' || r == 0x7f:
		return -1
	}
	return r
}

// answer writes an answer. An empty line would end it early.
func (s *gtp) answer(id, text string, err error) {
	sign := "="
	if err != nil {
		sign, text = "?", err.Error()
	}
	text = strings.TrimRight(text, " \n")
	for strings.Contains(text, "\n\n") {
		text = strings.ReplaceAll(text, "\n\n", "\n")
	}
	if text != "" {
		text = " " + text
	}
	fmt.Fprintf(s.out, "%s%s%s\n\n", sign, id, text)
}

// order is a command: how many arguments it needs, and what it does.
type order struct {
	args int
	run  func(s *gtp, ctx context.Context, args []string) (string, error)
}

// analyzeOrder is the command that answers while the engine thinks.
const analyzeOrder = "qipu-analyze"

// commands returns all commands but that.
func commands() map[string]order {
	return map[string]order{
		"protocol_version": {0, func(*gtp, context.Context, []string) (string, error) { return "2", nil }},
		"name":             {0, (*gtp).name},
		"version":          {0, (*gtp).version},
		"known_command":    {1, (*gtp).knownCommand},
		"list_commands":    {0, (*gtp).listCommands},
		"quit":             {0, func(*gtp, context.Context, []string) (string, error) { return "", nil }},

		"boardsize":   {1, (*gtp).boardsize},
		"clear_board": {0, (*gtp).clearBoard},
		"komi":        {1, (*gtp).komi},
		"set_game":    {1, (*gtp).setGame},
		"list_games":  {0, (*gtp).listGames},

		"fixed_handicap":      {1, (*gtp).fixedHandicap},
		"place_free_handicap": {1, (*gtp).freeHandicap},
		"set_free_handicap":   {2, (*gtp).setFreeHandicap},

		"play":        {2, (*gtp).play},
		"undo":        {0, (*gtp).undo},
		"genmove":     {1, (*gtp).genmove},
		"reg_genmove": {1, (*gtp).regGenmove},
		"loadsgf":     {1, (*gtp).loadsgf},

		"time_settings": {3, (*gtp).timeSettings},
		"time_left":     {3, (*gtp).timeLeft},

		"showboard":   {0, (*gtp).showboard},
		"final_score": {0, (*gtp).finalScore},

		"gogui-rules_game_id":      {0, (*gtp).rulesGame},
		"gogui-rules_board_size":   {0, (*gtp).rulesSize},
		"gogui-rules_board":        {0, (*gtp).rulesBoard},
		"gogui-rules_legal_moves":  {0, (*gtp).rulesMoves},
		"gogui-rules_side_to_move": {0, (*gtp).rulesSide},
		"gogui-rules_final_result": {0, (*gtp).rulesResult},
	}
}

// info is what the program calls itself.
func (s *gtp) info() (name, version string) {
	name, version = s.Name, s.Version
	if name == "" || version == "" {
		if e, err := s.thinker(); err == nil {
			if name == "" {
				name = e.Info().Name
			}
			if version == "" {
				version = e.Info().Version
			}
		}
	}
	return name, version
}

func (s *gtp) name(context.Context, []string) (string, error) {
	name, _ := s.info()
	return name, nil
}

func (s *gtp) version(context.Context, []string) (string, error) {
	_, version := s.info()
	return version, nil
}

func (s *gtp) knownCommand(_ context.Context, args []string) (string, error) {
	_, ok := s.orders[args[0]]
	return strconv.FormatBool(ok || args[0] == analyzeOrder), nil
}

func (s *gtp) listCommands(context.Context, []string) (string, error) {
	list := append(slices.Collect(maps.Keys(s.orders)), analyzeOrder)
	slices.Sort(list)
	return strings.Join(list, "\n"), nil
}

// renew begins a game by other rules.
func (s *gtp) renew(r game.Rules, start *game.Setup) error {
	t, err := newTable(r, start)
	if err != nil {
		return err
	}
	s.running = t
	return nil
}

// vary begins a game by a variant of the rules.
func (s *gtp) vary(words string, no failure) (string, error) {
	v, ok := s.rules.(game.Varied)
	if !ok {
		return "", no
	}
	r, err := v.Variant(words)
	if err != nil {
		return "", no
	}
	return "", s.renew(r, nil)
}

func (s *gtp) boardsize(_ context.Context, args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", syntaxError
	}
	if size := s.rules.Geometry().Size; n == size.W && n == size.H {
		return "", s.renew(s.rules, nil)
	}
	if n < 2 || n > 25 { // the protocol ends there
		return "", badSize
	}
	return s.vary(fmt.Sprintf("%dx%d", n, n), badSize)
}

func (s *gtp) clearBoard(context.Context, []string) (string, error) {
	s.clocks.wind() // settings of time are for every game until there are others
	r := s.rules
	if v, ok := r.(game.Varied); ok && s.handicapped() {
		if plain, err := v.Variant("handicap=0"); err == nil {
			r = plain
		}
	}
	return "", s.renew(r, nil)
}

// handicapped reports whether the handicap of the game was given by a command:
// it ends with the game. One that the rules came with stays.
func (s *gtp) handicapped() bool {
	h, ok := s.rules.(interface{ Handicap() int })
	own, same := s.Rules.(interface{ Handicap() int })
	return ok && h.Handicap() > 0 && (!same || own.Handicap() != h.Handicap())
}

func (s *gtp) komi(_ context.Context, args []string) (string, error) {
	points, err := strconv.ParseFloat(args[0], 64)
	if err != nil || points != points {
		return "", syntaxError
	}
	if _, counts := s.rules.(interface{ Komi() int }); !counts {
		return "", nil // what nobody counts is accepted
	}
	v, ok := s.rules.(game.Varied)
	if !ok {
		return "", nil
	}
	r, err := v.Variant("komi=" + strconv.FormatFloat(points, 'f', -1, 64))
	if err != nil {
		return "", syntaxError
	}
	// The komi may change in the middle of a game: it changes no position.
	t := *s.running
	t.rules = r
	if t.pos, err = t.task().Position(); err != nil {
		return "", err
	}
	s.running = &t
	return "", nil
}

func (s *gtp) setGame(_ context.Context, args []string) (string, error) {
	r, err := s.Games.Find(strings.Join(args, " "))
	if err != nil {
		return "", err
	}
	s.clocks = clocks{}
	return "", s.renew(r, nil)
}

func (s *gtp) listGames(context.Context, []string) (string, error) {
	var list []string
	for _, r := range s.Games {
		list = append(list, r.Info().Titles.En)
	}
	return strings.Join(list, "\n"), nil
}

func (s *gtp) play(_ context.Context, args []string) (string, error) {
	side, ok := s.side(args[0])
	if !ok {
		return "", syntaxError
	}
	if strings.EqualFold(args[1], "resign") {
		return "", nil // said by some programs, and nothing on the board
	}
	err := s.running.play(side, func() (game.Move, error) { return s.parse(args[1]) })
	switch {
	case errors.Is(err, game.ErrSyntax):
		return "", syntaxError
	case err != nil:
		return "", illegalMove
	}
	return "", nil
}

func (s *gtp) undo(context.Context, []string) (string, error) {
	if !s.running.undo() {
		return "", cannotUndo
	}
	return "", nil
}

func (s *gtp) genmove(ctx context.Context, args []string) (string, error) {
	return s.move(ctx, args[0], true)
}

func (s *gtp) regGenmove(ctx context.Context, args []string) (string, error) {
	return s.move(ctx, args[0], false)
}

// move has the engine choose a move for a side, and make it.
func (s *gtp) move(ctx context.Context, colour string, keep bool) (string, error) {
	side, ok := s.side(colour)
	if !ok {
		return "", syntaxError
	}
	if o := s.pos.Outcome(); o.Final() {
		if o.Reason == game.ByCount || o.Reason == game.ByPasses || o.State == game.Void { // nobody has made an end of it
			return "pass", nil
		}
		return "", engine.ErrOver
	}
	put, err := s.turnTo(side)
	if err != nil {
		return "", err
	}
	m, err := s.choose(ctx, side, keep)
	text := ""
	if err == nil {
		text = s.format(s.pos, m)
		if keep {
			err = s.pos.Play(m)
		}
	}
	if err != nil || !keep {
		s.takeBack(put)
		return text, err
	}
	s.moves, s.told = append(s.moves, m), append(s.told, put+1)
	return text, nil
}

// choose returns the move of the engine, and charges its clock.
func (s *gtp) choose(ctx context.Context, side game.Side, charge bool) (m game.Move, err error) {
	if s.pos.Outcome().Final() { // by the pass that was put in
		return game.NoMove, engine.ErrOver
	}
	if m := s.only(); m != game.NoMove {
		return m, nil
	}
	e, err := s.thinker()
	if err != nil {
		return game.NoMove, err
	}
	l := s.Limits
	if c := s.clocks.of(side); c != nil {
		l.Clock = c
	}
	began := time.Now()
	var r *engine.Report
	s.feed.during(ctx, false, true, func(ctx context.Context) { r, err = e.Think(ctx, s.task(), l, nil) })
	if charge {
		s.clocks.charge(side, time.Since(began))
	}
	if err != nil {
		return game.NoMove, err
	}
	if m = r.Best().Move; m == game.NoMove {
		return m, errors.New("the engine has no move")
	}
	return m, nil
}

func (s *gtp) loadsgf(_ context.Context, args []string) (string, error) {
	before := 0
	path := strings.Join(args, " ")
	if len(args) > 1 {
		if n, err := strconv.Atoi(args[len(args)-1]); err == nil && n > 0 {
			before, path = n, strings.Join(args[:len(args)-1], " ")
		}
	}
	p, err := readFile(s.Formats, s.Games, path)
	if err != nil {
		return "", fmt.Errorf("cannot load file: %w", err)
	}
	t, err := load(p, before)
	if err != nil {
		return "", fmt.Errorf("cannot load file: %w", err)
	}
	s.running = t
	return "", nil
}
