package play

import (
	"bufio"
	"cmp"
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/cli"
	"qipu/cli/engines"
	"qipu/engine"
	"qipu/game"
	"qipu/library"
	"qipu/play"
	"qipu/record"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/playview"
)

// playOptions are the flags of the play command.
type playOptions struct {
	engines.Flags
	game, side, line, name string
	rule                   string
	hints, unicode         bool
	resume, show, noBook   bool
	minutes, seconds       int
	seed                   uint64
}

// playMove is a move as --json prints it.
type playMove struct {
	Ply  int       `json:"ply"`
	Move view.Move `json:"move"`
	By   string    `json:"by"` // "person" or "engine"
}

func playCommand(a *cli.App) *cobra.Command {
	var o playOptions
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play against the engine in the terminal",
		Long: `Play a game against the engine. Type moves in any notation of the game, or

  undo     take your last move back, and the answer to it
  hint     the move that the engine would make
  values   what every move is worth
  board    draw the board again
  resign   give the game up
  quit     leave it; --resume goes on with it

A side that must pass passes by itself. Where a game ends by agreement about what is
dead, as Go does, both sides pass, and the program proposes a count; then type

  dead A1 C3   these stones, and those that share their fate, are dead
  alive A1     they are not
  agree        to the count as it is marked; the engine agrees to what was proposed,
               and plays on otherwise
  resume       play on; it is the turn of who passed first

With --rule the players share out the first moves and the colours by an opening rule:
Renju has soosorv-8, taraguchi-10 and rif, Gomoku swap2 and swap. The program says what is
to be decided; type a point, or

  swap         take the other colour
  stay         keep your own
  3            as many fifth moves are to be offered (soosorv-8)
  more         put two more stones, and leave the choice to the other player (swap2)
  many         offer ten fifth moves instead of swapping (taraguchi-10)

A game that has ended is stored in the
library, which is made where there is none, and in the book of openings with it.

Without a terminal, moves and commands are read from standard input line by line,
nothing is asked for, and boards are drawn only with --show.`,
		Example: `  echo quit | qipu play --game othello --level 3 --side black --name Ada
  echo f5 | qipu play --resume --show --hints
  echo h8 h9 i10 | qipu play --game renju --rule soosorv-8 --level 3 --name Ada`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.Check(); err != nil {
				return err
			}
			if a.CSV {
				return cli.Usagef("a game has no CSV form: use --json")
			}
			if o.game == "" && !o.resume {
				return cli.Usagef("%s: --game is missing: name one, as in --game othello, or go on with --resume", cmd.CommandPath())
			}
			if o.minutes < 0 || o.minutes > 600 || o.seconds < 0 || o.seconds > 600 {
				return cli.Usagef("--minutes %d --seconds %d: want 0 to 600 of each", o.minutes, o.seconds)
			}
			if o.minutes == 0 && o.seconds > 0 {
				return cli.Usagef("--seconds %d: a clock that gains time has to begin with some: give --minutes, too", o.seconds)
			}
			if err := sayNewLibrary(a, o.resume); err != nil {
				return err
			}
			return a.With(cmd.Context(), qipu.Options{Create: !o.resume, Holder: "qipu play"}, func(l *qipu.Library) error {
				return playGame(cmd.Context(), a, l, &o)
			})
		},
	}
	f := cmd.Flags()
	a.GameFlag(cmd, &o.game, "", "the game, as in othello or go:9x9")
	f.StringVarP(&o.side, "side", "s", "first", "the side that you play: its name, first, second, random, or both")
	f.StringVar(&o.line, "line", "", "begin behind these moves, or from a position text")
	f.StringVar(&o.rule, "rule", "", "the opening rule by which first moves and colours are shared out, as in soosorv-8 or swap2")
	f.StringVar(&o.name, "name", "Player", "your name in the record")
	f.BoolVar(&o.hints, "hints", false, "mark the moves that are possible")
	f.BoolVar(&o.unicode, "unicode", false, "draw the board with stones, lines and Chinese characters")
	f.BoolVar(&o.resume, "resume", false, "go on with the game that was left last")
	f.BoolVar(&o.show, "show", false, "draw boards without a terminal, too")
	f.BoolVar(&o.noBook, "no-book", false, "have the engine think for itself from the first move on")
	f.IntVar(&o.minutes, "minutes", 0, "a clock for both sides (0: none)")
	f.IntVar(&o.seconds, "seconds", 0, "seconds gained with every move")
	f.Uint64Var(&o.seed, "seed", 0, "makes the choices of the engine repeatable (0: chance)")
	o.Flags.Register(a, f, 5, "plays")
	return cmd
}

// sayNewLibrary says where the library is made, if there is none.
func sayNewLibrary(a *cli.App, resume bool) error {
	dir, err := qipu.Locate(a.Library, a.LookupOS)
	if err != nil || resume {
		return err
	}
	if !library.Exists(dir) {
		fmt.Fprintf(a.Err, "a new library is made in %s\n", dir)
	}
	return nil
}

// terminal is the beginning of the tokens of games that are played here, by
// which they are found again.
const terminal = "terminal-"

// parlour is a game at a terminal.
type parlour struct {
	app     *cli.App
	options *playOptions
	host    *play.Host
	pool    *engine.Pool
	other   *engine.Pool // of another program that plays; nil until it moves
	token   string
	changed chan struct{} // something may be new
	talks   bool          // somebody sits at a terminal
	told    int           // moves that were told of
	decided int           // answers of the opening that were told of
}

// guest returns the pool of another program that plays: there is one game, and one
// opponent in it.
func (x *parlour) guest(name string, _ game.Rules) (*engine.Pool, error) {
	if x.other == nil {
		x.other = engine.NewPool(engine.PoolOptions{Make: func(r game.Rules) (engine.Engine, error) {
			return x.app.Engine(r, engine.Options{Name: name})
		}})
	}
	return x.other, nil
}

func playGame(ctx context.Context, a *cli.App, l *qipu.Library, o *playOptions) error {
	x := &parlour{
		app: a, options: o, changed: make(chan struct{}, 1), talks: a.InTerm && a.OutTerm && !a.JSON,
		pool: engine.NewPool(engine.PoolOptions{Size: 1, Make: o.Open}),
	}
	defer x.pool.Close()
	defer func() {
		if x.other != nil {
			x.other.Close()
		}
	}()
	var err error
	x.host, err = l.Play(ctx, play.Options{
		Opponent: play.Mind{Pool: x.pool, Book: l.Books().Opponent(), Guest: x.guest}, Log: slog.New(slog.DiscardHandler),
		OnChange: func(*play.View) {
			select {
			case x.changed <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		return err
	}
	defer x.host.Close()
	if o.resume {
		err = x.resume()
	} else {
		err = x.begin(ctx)
	}
	if err != nil {
		return err
	}
	return x.run(ctx)
}

// begin begins a new game.
func (x *parlour) begin(ctx context.Context) error {
	o := x.options
	asked, err := x.app.Game(o.game)
	if err != nil {
		return err
	}
	settler := x.app.Settlers.Of(asked)
	rules := play.Rules(asked, settler)
	_, moves, err := game.ParseLine(rules, o.line)
	if err != nil {
		return fmt.Errorf("--line: %w", err)
	}
	set := play.Settings{
		Game: gameview.RulesSpec(rules), NoBook: o.noBook, Main: time.Duration(o.minutes) * time.Minute, Increment: time.Duration(o.seconds) * time.Second, Seed: o.seed, Opening: o.rule,
	}
	if spec := gameview.RulesSpec(asked); spec != set.Game {
		set.Asked = spec
	}
	if first, _, isPosition := strings.Cut(o.line, " moves "); isPosition || o.line != "" && len(moves) == 0 {
		set.Start = strings.TrimSpace(first)
	}
	if set.Seed == 0 {
		var b [8]byte
		_, _ = crand.Read(b[:]) // never fails
		set.Seed = binary.LittleEndian.Uint64(b[:])>>12 | 1
	}
	if err := x.seat(rules, &set); err != nil {
		return err
	}
	s, err := play.New(rules, settler, set, moves, time.Now())
	if err != nil {
		return err
	}
	x.token = terminal + crand.Text()
	_, x.told = s.Len()
	_, err = x.host.Create(ctx, "terminal", x.token, s)
	return err
}

// seat tells who plays which side.
func (x *parlour) seat(r game.Rules, set *play.Settings) error {
	o := x.options
	sides := r.Info().Sides
	person, other := play.Player{Name: cmp.Or(o.name, "Player")}, play.Player{Level: o.Level, Engine: o.Engine}
	switch strings.ToLower(o.side) {
	case "first", sides[0].Name:
	case "second", sides[1].Name:
		person, other = other, person
	case "random":
		if set.Seed%2 == 1 {
			person, other = other, person
		}
	case "both":
		other = play.Player{Name: "Player 2"}
	default:
		return cli.OneOf("side", o.side, sides[0].Name, sides[1].Name, "first", "second", "random", "both")
	}
	set.Players = [2]play.Player{person, other}
	return nil
}

// resume finds the game that was left last.
func (x *parlour) resume() error {
	for _, v := range x.host.List() {
		if !strings.HasPrefix(v.Token, terminal) || v.State == play.Over {
			continue
		}
		if x.options.game != "" {
			r, err := x.app.Game(x.options.game)
			if err != nil {
				return err
			}
			if gameview.RulesSpec(r) != cmp.Or(v.Settings.Asked, v.Settings.Game) {
				continue
			}
		}
		x.token, x.told = v.Token, len(v.Task.Moves)
		if v.Opening != nil {
			x.decided = len(v.Opening.Answers)
		}
		return nil
	}
	return errors.New("no game was left: begin one with qipu play --game GAME")
}

// run plays until the game or the input ends.
func (x *parlour) run(ctx context.Context) error {
	lines := x.lines(ctx)
	for drawn, counted, asking := -1, -1, -1; ; {
		v, err := x.settled(ctx)
		if errors.Is(err, play.ErrUnknown) { // the host keeps no game without a move
			return x.nothing()
		}
		if err != nil {
			return err
		}
		if err := x.news(v); err != nil {
			return err
		}
		if v.State == play.Over {
			return x.finish(v)
		}
		if v.Trouble != "" {
			return fmt.Errorf("the engine does not move: %s; the game is kept: qipu play --resume goes on with it", v.Trouble)
		}
		if drawn != v.Version && (x.talks || x.options.show) && !x.app.JSON {
			drawn = v.Version
			if err := x.board(v); err != nil {
				return err
			}
		}
		if v.State == play.Yours && asking != v.Version && asked(v) != nil {
			asking = v.Version
			if err := x.ask(v); err != nil {
				return err
			}
		}
		if v.State == play.Settling && counted != v.Version {
			counted = v.Version
			if err := x.count(v); err != nil {
				return err
			}
		}
		if x.talks {
			prompt := v.Rules.Info().Sides[turnOf(v)].Name
			if asked(v) != nil {
				prompt += ", opening"
			}
			if v.State == play.Settling {
				prompt = "count"
			}
			fmt.Fprintf(x.app.Out, "%s%s> ", x.clock(v), prompt)
		}
		l, over, err := x.typed(ctx, lines)
		switch {
		case over:
			continue
		case err == io.EOF:
			return x.leave()
		case err != nil:
			return err
		}
		quit, err := x.do(ctx, v, l)
		if quit || err != nil {
			return err
		}
	}
}

// typedLine is what somebody has typed, or why nothing comes any more.
type typedLine struct {
	text string
	err  error
}

// lines reads what is typed, in the background: neither an interrupt nor a clock
// waits for the end of a line. A read that nothing ends is left to the end of the
// program.
func (x *parlour) lines(ctx context.Context) <-chan typedLine {
	c := make(chan typedLine)
	send := func(l typedLine) bool {
		select {
		case c <- l:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		in := bufio.NewScanner(x.app.In)
		for in.Scan() {
			if !send(typedLine{text: strings.TrimSpace(in.Text())}) {
				return
			}
		}
		send(typedLine{err: cmp.Or(in.Err(), io.EOF)})
	}()
	return c
}

// typed waits for a line. over tells that the game has ended meanwhile.
func (x *parlour) typed(ctx context.Context, lines <-chan typedLine) (text string, over bool, err error) {
	for {
		select {
		case l := <-lines:
			return l.text, false, l.err
		case <-ctx.Done():
			return "", false, cli.ErrInterrupted
		case <-x.changed:
			if v, err := x.host.View(ctx, x.token); err != nil || v.State == play.Over {
				return "", true, nil
			}
		}
	}
}

// settled waits until it is the turn of a person, or the game is over and kept.
func (x *parlour) settled(ctx context.Context) (*play.View, error) {
	patience := time.After(time.Minute)
	for {
		v, err := x.host.View(ctx, x.token)
		switch {
		case err != nil:
			return nil, err
		case v.Trouble != "" || v.State == play.Yours || v.State == play.Settling:
			return v, nil
		case v.State == play.Over && v.Result != nil && v.Result.Record != 0:
			return v, nil
		case v.State == play.Thinking:
			patience = time.After(time.Minute) // its level bounds it
		}
		select {
		case <-x.changed:
		case <-time.After(50 * time.Millisecond): // a record is noted behind the last change
		case <-patience:
			return v, nil
		case <-ctx.Done():
			return nil, cli.ErrInterrupted
		}
	}
}

func turnOf(v *play.View) game.Side {
	if ask := asked(v); ask != nil {
		return ask.Side
	}
	p, err := v.Position()
	if err != nil {
		return game.First // the host has played these moves itself
	}
	return p.Turn()
}

// news tells of the moves that were made since it was last told.
func (x *parlour) news(v *play.View) error {
	if x.told > len(v.Task.Moves) { // some were taken back
		x.told = len(v.Task.Moves)
	}
	before := engine.Task{Rules: v.Task.Rules, Start: v.Task.Start, Moves: v.Task.Moves[:x.told]}
	p, err := before.Position()
	if err != nil {
		return err
	}
	k, err := x.app.Kinds().Find(v.Settings.Game)
	if err != nil {
		return err
	}
	for _, m := range v.Task.Moves[x.told:] {
		if err := x.decisions(v, x.told); err != nil {
			return err
		}
		x.told++
		side := p.Turn()
		name := v.Rules.Info().Sides[side].Name
		only := len(p.AppendMoves(nil)) == 1
		move := playMove{Ply: x.told, Move: k.Move(p, m, game.AnyNotation), By: "engine"}
		if v.Settings.Players[side].Level == 0 {
			move.By = "person"
		}
		if o := v.Opening; o != nil { // one player may put stones of both colours
			if i := slices.IndexFunc(o.After, func(n int) bool { return n == x.told-1 }); i >= 0 {
				for ; i+1 < len(o.After) && o.After[i+1] == x.told-1; i++ { // the last answer there is the move
				}
				if move.By = "engine"; o.Chosen[i] {
					move.By = "person"
				}
			}
		}
		if err := p.Play(m); err != nil {
			return err
		}
		switch {
		case x.app.JSON:
			if err := x.app.PrintJSON(cli.Typed("move", move)); err != nil {
				return err
			}
		case m == game.Pass && only:
			fmt.Fprintf(x.app.Out, "%s has no move and passes\n", name)
		case move.By == "engine":
			fmt.Fprintf(x.app.Out, "%s plays %s\n", name, move.Move.Text)
		}
	}
	return x.decisions(v, x.told)
}

// board draws the game.
func (x *parlour) board(v *play.View) error {
	p, err := v.Position()
	if err != nil {
		return err
	}
	s, err := cli.Scene(v.Rules, p, v.Task.Moves, &cli.DrawOptions{Legal: x.options.hints})
	if err != nil {
		return err
	}
	if v.Count != nil {
		for side, land := range v.Count.Land {
			for _, at := range land {
				s.Labels[at] = v.Rules.Info().Sides[side].Name[:1]
			}
		}
	}
	text := draw.AppendText(nil, s, draw.TextOptions{Unicode: x.options.unicode, Color: x.app.Colored()})
	if len(v.Counts) == 2 && v.Rules.Info().Discs {
		sides := v.Rules.Info().Sides
		text = fmt.Appendf(text, "%s %d, %s %d\n", sides[0].Name, v.Counts[0], sides[1].Name, v.Counts[1])
	}
	_, err = x.app.Out.Write(text)
	return err
}

// clock is what is left on the clock of the side to move, for the prompt.
func (x *parlour) clock(v *play.View) string {
	side := turnOf(v)
	if int(side) >= len(v.Left) {
		return ""
	}
	left := v.Left[side].Round(time.Second)
	return fmt.Sprintf("%d:%02d ", int(left.Minutes()), int(left.Seconds())%60)
}

const (
	playHelp   = `a move, or: undo, hint, values, board, resign, quit`
	settleHelp = `agree, resume, dead A1, alive A1, undo, board, resign, quit`
)

// help tells what can be typed.
func help(v *play.View) string {
	if ask := asked(v); ask != nil {
		return cmp.Or(strings.Join(ask.Words, ", "), "a point") + ", or: undo, board, resign, quit"
	}
	if v.State == play.Settling {
		return settleHelp
	}
	return playHelp
}

// count tells how a game counts that is being settled.
func (x *parlour) count(v *play.View) error {
	w := playview.CountOf(v)
	if x.app.JSON {
		return x.app.PrintJSON(cli.Typed("count", w))
	}
	text := "both sides have passed: " + w.Text
	if dead := v.Count.Dead(); len(dead) > 0 {
		var names []string
		for _, at := range dead {
			names = append(names, v.Rules.Geometry().Name(at))
		}
		text += " without " + strings.Join(names, " ")
	}
	switch {
	case !v.Count.Proposed:
		text += " as it is marked"
	case v.Count.Why == game.TooEarly:
		text += "; much of the board is open, so that nothing is taken off"
	case !v.Count.Sure:
		text += "; the fate of some stones is a guess"
	}
	_, err := fmt.Fprintf(x.app.Out, "%s (%s)\n", text, settleHelp)
	return err
}

// settle does what a line says of a game that is being settled; ok is false where it
// says nothing of that.
func (x *parlour) settle(ctx context.Context, v *play.View, line string) (ok bool, err error) {
	words := strings.Fields(strings.ToLower(line))
	switch words[0] {
	case "agree":
		_, err = x.host.Agree(ctx, x.token, v.Version, -1)
	case "resume":
		_, err = x.host.Resume(ctx, x.token)
	case "dead", "alive":
		g := v.Rules.Geometry()
		var points []board.Point
		for at := range g.Size.Points() {
			if slices.Contains(words[1:], strings.ToLower(g.Name(at))) {
				points = append(points, at)
			}
		}
		if len(points) == 0 || len(points) < len(words)-1 {
			return true, fmt.Errorf("name points of the board, as in %s A1: %w", words[0], game.ErrSyntax)
		}
		_, err = x.host.Mark(ctx, x.token, v.Version, points, words[0] == "dead")
	default:
		return false, nil
	}
	return true, err
}

// do does what a line says, and reports whether it was the last.
func (x *parlour) do(ctx context.Context, v *play.View, line string) (quit bool, err error) {
	switch strings.ToLower(line) {
	case "":
		return false, nil
	case "help", "?":
		fmt.Fprintln(x.app.Out, help(v))
		return false, nil
	case "quit", "exit":
		return true, x.leave()
	case "board":
		return false, x.board(v)
	case "hint":
		return false, x.values(ctx, v, 1)
	case "values":
		return false, x.values(ctx, v, -1)
	case "undo":
		_, err = x.host.Undo(ctx, x.token)
	case "resign":
		_, err = x.host.Resign(ctx, x.token)
	default:
		var done bool
		if done, err = x.settle(ctx, v, line); done {
			break
		}
		if asked(v) != nil {
			err = x.answer(ctx, v, line)
			break
		}
		_, err = x.host.Play(ctx, x.token, v.Version, func(s *play.Session) (game.Move, error) { return s.ParseMove(line) })
	}
	switch {
	case err == nil || errors.Is(err, play.ErrOver): // by the clock, a moment ago
		return false, nil
	case refused(err):
		if x.talks {
			fmt.Fprintf(x.app.Err, "%s: %v (%s)\n", cli.Printable(line), err, help(v))
			return false, nil
		}
		return true, fmt.Errorf("%s: %w; the game is kept: qipu play --resume goes on with it", cli.Printable(line), err)
	}
	return true, err
}

// values tells what the best moves are worth, or all where n is negative.
func (x *parlour) values(ctx context.Context, v *play.View, n int) error {
	var r *engine.Report
	err := x.pool.Do(ctx, "hint", v.Rules, func(e engine.Engine) (err error) {
		l := engine.Judging(e.Info(), max(x.options.Level, 10))
		l.Multi, l.Threads, l.Time = n, x.options.Threads, 2*time.Second
		r, err = e.Think(ctx, v.Task, l, nil)
		return err
	})
	if err != nil {
		return err
	}
	k, err := x.app.Kinds().Find(v.Settings.Game)
	if err != nil {
		return err
	}
	at, err := playview.StandingOf(k, v)
	if err != nil {
		return err
	}
	w := playview.ValuesOf(at, r)
	if x.app.JSON {
		return x.app.PrintJSON(cli.Typed("values", w))
	}
	t := &cli.Table{Columns: []string{"move", "value", "line"}}
	for _, m := range w.Moves {
		t.Add(nil, m.Move.Text, amount(w.Unit, m.Value, true, m.Exact), cli.Texts(m.Line))
	}
	return x.app.Print(t)
}

// leave leaves the game as it is.
func (x *parlour) leave() error {
	if x.talks {
		fmt.Fprintln(x.app.Out)
	}
	if !x.app.JSON {
		fmt.Fprintln(x.app.Out, "the game is kept: qipu play --resume goes on with it")
	}
	return nil
}

// nothing tells that a game was given up before it began.
func (x *parlour) nothing() error {
	if x.app.JSON {
		return x.app.PrintJSON(cli.Typed("result", view.GameResult{Winner: -1, Score: []int{}}))
	}
	_, err := fmt.Fprintln(x.app.Out, "the game has no moves: there is nothing to keep")
	return err
}

// finish tells how the game has ended, and which record it is.
func (x *parlour) finish(v *play.View) error {
	r := v.Result
	if x.app.JSON {
		w := view.GameResult{Winner: -1, Score: []int{}}
		if r != nil {
			w = *playview.ResultOf(v)
		}
		return x.app.PrintJSON(cli.Typed("result", w))
	}
	if x.talks || x.options.show {
		if err := x.board(v); err != nil {
			return err
		}
	}
	if r == nil {
		fmt.Fprintln(x.app.Out, "no result")
		return nil
	}
	text := r.Facts.SGF(record.SidesOf(v.Rules))
	switch {
	case r.Winner >= 0 && r.Winner < len(v.Rules.Info().Sides):
		text = v.Rules.Info().Sides[r.Winner].Name + " has won"
		if r.Facts.Margin != 0 {
			text += " by " + strconv.FormatFloat(r.Facts.Margin, 'f', -1, 64)
		}
	case r.Winner < 0:
		text = "a draw"
	}
	if r.Reason != play.ByBoard {
		text += " (" + string(r.Reason) + ")"
	}
	if r.Record == 0 {
		fmt.Fprintf(x.app.Out, "%s; the record is still to be made: it is, when the library is next played in\n", text)
		return nil
	}
	saved := fmt.Sprintf("saved as game %d", r.Record)
	if r.Fresh > 0 {
		saved += fmt.Sprintf(", %d positions new in the book", r.Fresh)
	}
	_, err := fmt.Fprintf(x.app.Out, "%s; %s\n", text, saved)
	return err
}
