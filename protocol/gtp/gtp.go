package gtp

import (
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
	"qipu/engine/trace"
	"qipu/game"
	"qipu/protocol"
	"qipu/record"
)

// Server serves an engine to programs that speak the Go Text Protocol.
type Server struct {
	Rules game.Rules
	Open  protocol.Open

	Games    game.Catalog    // that set_game and loadsgf know; default: Rules alone
	Formats  []record.Format // that loadsgf reads
	Settlers game.Settlers   // that count games which end by agreement; nil for none
	Name     string          // of the program; default: that of the engine
	Version  string

	// Limits bound each thought, beside the clock that the other program sets.
	Limits engine.Limits

	// Grace is how long a thought may go on when the input has ended; default
	// 10 seconds.
	Grace time.Duration
}

// session is one run of the protocol.
type session struct {
	protocol.Desk
	server *Server
	orders map[string]order
	clocks clocks

	counts   bool            // thoughts are counted
	counters *trace.Counters // of the last thought that was
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
func (g *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if len(g.Games) == 0 {
		g.Games = game.Catalog{g.Rules}
	}
	t, err := protocol.NewTable(g.Rules, nil)
	if err != nil {
		return err
	}
	s := &session{server: g, orders: commands(), Desk: protocol.Desk{Table: t, Open: g.Open, Ahead: ahead}}
	return s.Serve(ctx, in, out, g.Grace, s.do)
}

// ahead knows what must not wait: quit, and the comment that interrupts.
func ahead(text string) protocol.Signal {
	order, comment, _ := strings.Cut(text, "#")
	words := strings.Fields(order)
	switch {
	case len(words) == 0 && strings.TrimSpace(comment) == "interrupt":
		return protocol.Stop
	case len(words) > 1 && strings.Trim(words[0], "0123456789") == "":
		words = words[1:]
	}
	if len(words) > 0 && words[0] == "quit" {
		return protocol.Quit
	}
	return protocol.Wait
}

// do does what a line says, and reports whether it was the last.
func (s *session) do(ctx context.Context, l protocol.Line) (quit bool) {
	text, _, _ := strings.Cut(l.Text, "#")
	words := protocol.Words(text)
	if len(words) == 0 {
		return false
	}
	id := ""
	if _, err := strconv.ParseUint(words[0], 10, 64); err == nil {
		id, words = words[0], words[1:]
	}
	if l.Long {
		s.answer(id, "", errors.New("the line is too long"))
		return false
	}
	if len(words) == 0 {
		s.answer(id, "", unknownOrder)
		return false
	}
	name, args := words[0], words[1:]
	if how, ok := analyses[name]; ok {
		s.analyze(ctx, id, how, args)
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

// answer writes an answer. An empty line would end it early.
func (s *session) answer(id, text string, err error) {
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
	fmt.Fprintf(s.Out, "%s%s%s\n\n", sign, id, text)
}

// order is a command: how many arguments it needs, and what it does.
type order struct {
	args int
	run  func(s *session, ctx context.Context, args []string) (string, error)
}

// commands returns all commands but those that answer while the engine thinks.
func commands() map[string]order {
	return map[string]order{
		"protocol_version": says(func(*session) string { return "2" }),
		"name":             says(func(s *session) string { name, _ := s.info(); return name }),
		"version":          says(func(s *session) string { _, version := s.info(); return version }),
		"known_command":    {1, (*session).knownCommand},
		"list_commands":    says((*session).listCommands),
		"quit":             says(func(*session) string { return "" }),

		"boardsize":   {1, (*session).boardsize},
		"clear_board": {0, (*session).clearBoard},
		"komi":        {1, (*session).komi},
		"set_game":    {1, (*session).setGame},
		"list_games":  says((*session).listGames),

		"fixed_handicap":      {1, (*session).fixedHandicap},
		"place_free_handicap": {1, (*session).freeHandicap},
		"set_free_handicap":   {2, (*session).setFreeHandicap},

		"play":        {2, (*session).play},
		"undo":        {0, (*session).undo},
		"genmove":     {1, (*session).genmove},
		"reg_genmove": {1, (*session).regGenmove},
		"loadsgf":     {1, (*session).loadsgf},

		"time_settings": {3, (*session).timeSettings},
		"time_left":     {3, (*session).timeLeft},

		"qipu-counters": {0, (*session).counted},

		"showboard":   says((*session).showboard),
		"final_score": {0, (*session).finalScore},

		"final_status_list":   {1, (*session).statusList},
		"kgs-genmove_cleanup": {1, (*session).cleanup},

		"gogui-rules_game_id":      says(func(s *session) string { return s.Rules.Info().Titles.En }),
		"gogui-rules_board_size":   says((*session).rulesSize),
		"gogui-rules_board":        {0, (*session).rulesBoard},
		"gogui-rules_legal_moves":  says((*session).rulesMoves),
		"gogui-rules_side_to_move": says(func(s *session) string { return s.Rules.Info().Sides[s.Pos.Turn()].Name }),
		"gogui-rules_final_result": says(func(s *session) string { return s.Pos.Outcome().Describe(s.Rules.Info()) }),
	}
}

// says is a command that only tells something.
func says(tell func(s *session) string) order {
	return order{0, func(s *session, _ context.Context, _ []string) (string, error) { return tell(s), nil }}
}

// info is what the program calls itself.
func (s *session) info() (name, version string) {
	name, version = s.server.Name, s.server.Version
	if name == "" || version == "" {
		if e, err := s.Thinker(); err == nil {
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

func (s *session) knownCommand(_ context.Context, args []string) (string, error) {
	_, ok := s.orders[args[0]]
	_, analyses := analyses[args[0]]
	return strconv.FormatBool(ok || analyses), nil
}

func (s *session) listCommands() string {
	list := slices.AppendSeq(slices.Collect(maps.Keys(s.orders)), maps.Keys(analyses))
	slices.Sort(list)
	return strings.Join(list, "\n")
}

// renew begins a game by other rules.
func (s *session) renew(r game.Rules, start *game.Setup) error {
	t, err := protocol.NewTable(r, start)
	if err != nil {
		return err
	}
	s.Table = t
	return nil
}

// vary begins a game by a variant of the rules.
func (s *session) vary(words string, no failure) (string, error) {
	v, ok := s.Rules.(game.Varied)
	if !ok {
		return "", no
	}
	r, err := v.Variant(words)
	if err != nil {
		return "", no
	}
	return "", s.renew(r, nil)
}

func (s *session) boardsize(_ context.Context, args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", syntaxError
	}
	if size := s.Rules.Geometry().Size; n == size.W && n == size.H {
		return "", s.renew(s.Rules, nil)
	}
	if n < 2 || n > 25 { // the protocol ends there
		return "", badSize
	}
	return s.vary(fmt.Sprintf("%dx%d", n, n), badSize)
}

func (s *session) clearBoard(context.Context, []string) (string, error) {
	s.clocks.wind() // settings of time are for every game until there are others
	r := s.Rules
	if v, ok := r.(game.Varied); ok && s.handicapped() {
		if plain, err := v.Variant("handicap=0"); err == nil {
			r = plain
		}
	}
	return "", s.renew(r, nil)
}

// handicapped reports whether the handicap of the game was given by a command:
// it ends with the game. One that the rules came with stays.
func (s *session) handicapped() bool {
	h, ok := s.Rules.(interface{ Handicap() int })
	own, same := s.server.Rules.(interface{ Handicap() int })
	return ok && h.Handicap() > 0 && (!same || own.Handicap() != h.Handicap())
}

func (s *session) komi(_ context.Context, args []string) (string, error) {
	points, err := strconv.ParseFloat(args[0], 64)
	if err != nil || points != points {
		return "", syntaxError
	}
	if _, counts := s.Rules.(interface{ Komi() int }); !counts {
		return "", nil // what nobody counts is accepted
	}
	v, ok := s.Rules.(game.Varied)
	if !ok {
		return "", nil
	}
	r, err := v.Variant("komi=" + strconv.FormatFloat(points, 'f', -1, 64))
	if err != nil {
		return "", syntaxError
	}
	// The komi may change in the middle of a game: it changes no position.
	t := *s.Table
	t.Rules = r
	if t.Pos, err = t.Task().Position(); err != nil {
		return "", err
	}
	s.Table = &t
	return "", nil
}

func (s *session) setGame(_ context.Context, args []string) (string, error) {
	r, err := s.server.Games.Find(strings.Join(args, " "))
	if err != nil {
		return "", err
	}
	s.clocks = clocks{}
	return "", s.renew(r, nil)
}

func (s *session) listGames() string {
	var list []string
	for _, r := range s.server.Games {
		list = append(list, r.Info().Titles.En)
	}
	return strings.Join(list, "\n")
}

func (s *session) play(_ context.Context, args []string) (string, error) {
	side, ok := s.Side(args[0])
	if !ok {
		return "", syntaxError
	}
	if strings.EqualFold(args[1], "resign") {
		return "", nil // said by some programs, and nothing on the board
	}
	s.reopen()
	err := s.Table.Play(side, func() (game.Move, error) { return s.Parse(args[1]) })
	switch {
	case errors.Is(err, game.ErrSyntax):
		return "", syntaxError
	case err != nil:
		return "", illegalMove
	}
	return "", nil
}

func (s *session) undo(context.Context, []string) (string, error) {
	if !s.Table.Undo() {
		return "", cannotUndo
	}
	return "", nil
}

func (s *session) genmove(ctx context.Context, args []string) (string, error) {
	return s.move(ctx, args[0], true, thought{})
}

func (s *session) regGenmove(ctx context.Context, args []string) (string, error) {
	return s.move(ctx, args[0], false, thought{})
}

// move has the engine choose a move for a side, and make it.
func (s *session) move(ctx context.Context, colour string, keep bool, how thought) (string, error) {
	side, ok := s.Side(colour)
	if !ok {
		return "", syntaxError
	}
	if o := s.Pos.Outcome(); o.Final() {
		if o.Reason == game.ByCount || o.Reason == game.ByPasses || o.State == game.Void { // nobody has made an end of it
			return "pass", nil
		}
		return "", engine.ErrOver
	}
	put, err := s.TurnTo(side)
	if err != nil {
		return "", err
	}
	m, err := s.choose(ctx, side, keep, how)
	text := ""
	if errors.Is(err, engine.ErrResigned) {
		s.TakeBack(put)
		return "resign", nil
	}
	if err == nil {
		text = s.Format(s.Pos, m)
		if keep {
			err = s.Pos.Play(m)
		}
	}
	if err != nil || !keep {
		s.TakeBack(put)
		return text, err
	}
	s.Moves, s.Told = append(s.Moves, m), append(s.Told, put+1)
	return text, nil
}

// choose returns the move of the engine, and charges its clock.
func (s *session) choose(ctx context.Context, side game.Side, charge bool, how thought) (m game.Move, err error) {
	if s.Pos.Outcome().Final() { // by the pass that was put in
		return game.NoMove, engine.ErrOver
	}
	if m := s.Only(); m != game.NoMove {
		return m, nil
	}
	e, err := s.Thinker()
	if err != nil {
		return game.NoMove, err
	}
	l := s.server.Limits
	if c := s.clocks.of(side); c != nil {
		l.Clock = c
	}
	l.Multi = how.multi
	if s.counts {
		l = l.Counted()
	}
	began := time.Now()
	var r *engine.Report
	s.Feed.During(ctx, false, true, func(ctx context.Context) { r, err = e.Think(ctx, s.Task(), l, how.watch) })
	if charge {
		s.clocks.charge(side, time.Since(began))
	}
	if err != nil {
		return game.NoMove, err
	}
	s.counters = r.Counters
	lines := r.Lines
	if how.keep != nil {
		lines = how.keep(lines)
	}
	if len(lines) == 0 {
		return game.NoMove, errors.New("the engine has no move")
	}
	return lines[0].Move, nil
}

func (s *session) loadsgf(_ context.Context, args []string) (string, error) {
	before := 0
	path := strings.Join(args, " ")
	if len(args) > 1 {
		if n, err := strconv.Atoi(args[len(args)-1]); err == nil && n > 0 {
			before, path = n, strings.Join(args[:len(args)-1], " ")
		}
	}
	p, err := protocol.ReadFile(s.server.Formats, s.server.Games, path)
	if err != nil {
		return "", fmt.Errorf("cannot load file: %w", err)
	}
	t, err := protocol.Load(p, before)
	if err != nil {
		return "", fmt.Errorf("cannot load file: %w", err)
	}
	s.Table = t
	return "", nil
}
