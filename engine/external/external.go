package external

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Options say which program is hosted, and how.
type Options struct {
	Rules   game.Rules
	Command []string // the program and its arguments
	Dir     string   // that it runs in; empty for the present folder
	Env     []string // its environment; nil for that of this process

	// Setup are commands that the child is given whenever it has started, such
	// as "set_level 5". A refusal is an error.
	Setup []string

	// Startup is how long the child may take until it answers first; default
	// 30 seconds. Patience is how long it may take for what needs no thought,
	// and how much longer than its limits for a thought; default 10 seconds.
	// Thought bounds thoughts without a limit of time; default 10 minutes.
	Startup, Patience, Thought time.Duration
}

// ErrResigned tells that the child gives up the game instead of a move.
var ErrResigned = errors.New("the engine resigns")

// ErrBroken tells that the child does not work, even after another start.
var ErrBroken = errors.New("the engine does not work")

// Engine is a hosted engine. It is safe for concurrent use; thoughts wait for
// each other.
type Engine struct {
	o       Options
	command string
	info    engine.Info

	mu    sync.Mutex // held while it thinks
	child *child     // nil where there is none
	known map[string]bool

	// What is on the board of the child.
	start string
	moves []game.Move
	clock string // the last time settings

	ctx   context.Context // ends when the engine is closed
	close context.CancelFunc
}

var _ engine.Engine = (*Engine)(nil)

// Start starts a program and waits until it answers. The context bounds the
// start, and not the life of the child: Close ends that.
func Start(ctx context.Context, o Options) (*Engine, error) {
	if o.Rules == nil || len(o.Command) == 0 {
		return nil, errors.New("external: name the game and the command")
	}
	if o.Startup == 0 {
		o.Startup = 30 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Thought == 0 {
		o.Thought = 10 * time.Minute
	}
	e := &Engine{o: o, command: strings.Join(o.Command, " ")}
	e.ctx, e.close = context.WithCancel(context.Background())
	if err := e.launch(ctx); err != nil {
		e.drop()
		e.close()
		return nil, e.fail(err)
	}
	return e, nil
}

// fail wraps an error with the name of the command. Causes of contexts and what
// callers tell apart stay what they are.
func (e *Engine) fail(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, engine.ErrClosed) {
		return err
	}
	return fmt.Errorf("the engine %q: %w", e.command, err)
}

// Info describes the engine, by what the child calls itself.
func (e *Engine) Info() engine.Info { return e.info }

// Close ends the child, and a thought that is under way.
func (e *Engine) Close() error {
	e.close()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.child != nil {
		e.child.leave(min(e.o.Patience, 2*time.Second))
		e.child = nil
	}
	return nil
}

// drop kills the child.
func (e *Engine) drop() {
	if e.child != nil {
		e.child.kill()
		e.child = nil
	}
}

// launch starts the child and prepares it for a game.
func (e *Engine) launch(ctx context.Context) (err error) {
	if e.child, err = launch(&e.o); err != nil {
		return fmt.Errorf("cannot be started: %w", err)
	}
	version, err := e.child.ask(ctx, "protocol_version", e.o.Startup)
	var no *refusal
	if err != nil && !errors.As(err, &no) {
		return err
	}
	if version != "2" && err == nil {
		return fmt.Errorf("it speaks version %q of the protocol: want 2", version)
	}
	info := engine.Info{Games: []string{e.o.Rules.Info().Name}}
	if info.Name, err = e.optional(ctx, "name"); err != nil {
		return err
	}
	if info.Version, err = e.optional(ctx, "version"); err != nil {
		return err
	}
	if info.Name == "" {
		info.Name = e.o.Command[0]
	}
	list, err := e.optional(ctx, "list_commands")
	if err != nil {
		return err
	}
	e.known = map[string]bool{}
	for _, word := range strings.Fields(list) {
		e.known[word] = true
	}
	if e.info.Name == "" {
		e.info = info
	}
	e.clock = ""
	for _, command := range e.o.Setup {
		if _, err := e.ask(ctx, command); err != nil {
			return err
		}
	}
	if e.known["set_game"] {
		if err := e.setGame(ctx); err != nil {
			return err
		}
	}
	return e.clear(ctx, "")
}

// setGame names the game, by the words that engines have for it.
func (e *Engine) setGame(ctx context.Context) (err error) {
	var no *refusal
	info := e.o.Rules.Info()
	names := []string{info.Titles.En, info.Name}
	if info.Variant != "" { // our own server knows rule sets by their names
		names = append([]string{info.Name + ":" + info.Variant}, names...)
	}
	for _, name := range names {
		if _, err = e.ask(ctx, "set_game "+name); !errors.As(err, &no) {
			return err
		}
	}
	return err
}

// clear makes a new game from a start, as its position text; empty for the start
// of the game.
func (e *Engine) clear(ctx context.Context, start string) error {
	r := e.o.Rules
	e.moves, e.start = nil, "?" // until all is done
	if size := r.Geometry().Size; size.W == size.H {
		if _, err := e.ask(ctx, "boardsize "+strconv.Itoa(size.W)); err != nil {
			return err
		}
	}
	if _, err := e.ask(ctx, "clear_board"); err != nil {
		return err
	}
	if k, ok := r.(interface{ Komi() int }); ok {
		if _, err := e.optional(ctx, "komi "+strconv.FormatFloat(float64(k.Komi())/2, 'f', -1, 64)); err != nil {
			return err
		}
	}
	if err := e.handicap(ctx, start); err != nil {
		return err
	}
	e.start = start
	return nil
}

// handicap puts the stones onto the board that a game begins with. Only black
// stones with White to move can be told; Othello's and Xiangqi's are where they
// are by themselves.
func (e *Engine) handicap(ctx context.Context, start string) error {
	r := e.o.Rules
	takes := r.Info().Takes("handicap")
	if start == "" && !takes {
		return nil
	}
	usual := game.SetupOf(r.Start())
	setup := usual
	if start != "" {
		var err error
		if setup, err = game.ParseSetup(r, start); err != nil {
			return err
		}
	}
	var points []string
	other := false
	for y := range setup.Board.Size.H {
		for x := range setup.Board.Size.W {
			switch p := board.At(x, y); setup.Board.At(p) {
			case board.Empty:
			case 1: // Black's
				points = append(points, e.text(nil, game.Drop(p)))
			default:
				other = true
			}
		}
	}
	if len(points) == 0 && !other && setup.Turn == game.First && setup.Extra == usual.Extra {
		return nil
	}
	if !takes || other || len(points) < 2 || setup.Turn != game.Second {
		return fmt.Errorf("it cannot be told to begin from %q: the protocol knows the start and handicap stones: %w", start, engine.ErrGame)
	}
	_, err := e.ask(ctx, "set_free_handicap "+strings.Join(points, " "))
	return err
}

// ask gives the child a command that needs no thought.
func (e *Engine) ask(ctx context.Context, command string) (string, error) {
	return e.child.ask(ctx, command, e.o.Patience)
}

// optional is ask for what a child need not know.
func (e *Engine) optional(ctx context.Context, command string) (string, error) {
	text, err := e.ask(ctx, command)
	var no *refusal
	if errors.As(err, &no) {
		return "", nil
	}
	return text, err
}

// Think has the child make a move. Depth, nodes, threads, seed and the number of
// lines are beyond the protocol: Options.Setup is the place for them.
func (e *Engine) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	if p.Outcome().Final() {
		return nil, engine.ErrOver
	}
	if a, b := t.Rules.Info(), e.o.Rules.Info(); a.Name != b.Name || a.Variant != b.Variant {
		return nil, fmt.Errorf("%w: %s %s", engine.ErrGame, a.Name, a.Variant)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(e.ctx, func() { cancel(engine.ErrClosed) })()
	e.mu.Lock()
	defer e.mu.Unlock()
	began := time.Now()
	for try := 0; ; try++ {
		move, err := e.genmove(ctx, t, p, &l)
		switch {
		case err == nil:
			r := &engine.Report{Elapsed: time.Since(began), Lines: []engine.Line{{Move: move, Value: engine.NoValue, Moves: []game.Move{move}}}}
			if watch != nil {
				watch(r)
			}
			return r, nil
		case errors.Is(err, ErrResigned), errors.Is(err, engine.ErrGame), errors.Is(err, game.ErrIllegal):
			// The child is well. What it did it would do again.
			return nil, e.fail(err)
		case ctx.Err() != nil:
			e.drop() // it goes on thinking, and cannot be told to stop
			return nil, e.fail(context.Cause(ctx))
		}
		e.drop()
		if try == 1 {
			return nil, e.fail(fmt.Errorf("%w: %w", ErrBroken, err))
		}
	}
}

// genmove brings the board of the child in step and has it move.
func (e *Engine) genmove(ctx context.Context, t *engine.Task, p game.Position, l *engine.Limits) (game.Move, error) {
	if e.child == nil {
		if err := e.launch(ctx); err != nil {
			return game.NoMove, err
		}
	}
	if err := e.sync(ctx, t); err != nil {
		return game.NoMove, err
	}
	colour := e.colour(p.Turn())
	if err := e.tell(ctx, colour, l); err != nil {
		return game.NoMove, err
	}
	wait := e.o.Thought
	if l.Clock != nil {
		wait = l.Clock.Left
	}
	if l.Time > 0 {
		wait = l.Time
	}
	text, err := e.child.ask(ctx, "genmove "+colour, wait+e.o.Patience)
	if err != nil {
		return game.NoMove, err
	}
	if strings.EqualFold(text, "resign") {
		e.start = "?" // nobody says what its board is like then
		return game.NoMove, ErrResigned
	}
	m, err := e.parse(p, text)
	if err != nil {
		e.start = "?"
		return game.NoMove, fmt.Errorf("it answered genmove with %q: %w", clip(text), err)
	}
	e.moves = append(e.moves, m) // a genmove is played on its board
	return m, nil
}

// sync makes the board of the child that of a task.
func (e *Engine) sync(ctx context.Context, t *engine.Task) error {
	start := ""
	if t.Start != nil {
		start = string(game.AppendSetup(nil, e.o.Rules, *t.Start))
		if start == game.FormatPosition(e.o.Rules, e.o.Rules.Start()) {
			start = ""
		}
	}
	same := 0
	for same < min(len(e.moves), len(t.Moves)) && e.moves[same] == t.Moves[same] {
		same++
	}
	back := len(e.moves) - same
	if e.start != start || back > same+1 || back > 0 && !e.known["undo"] {
		if err := e.clear(ctx, start); err != nil {
			return err
		}
		same, back = 0, 0
	}
	var no *refusal
	for ; back > 0; back-- {
		_, err := e.ask(ctx, "undo")
		if errors.As(err, &no) {
			if err := e.clear(ctx, start); err != nil {
				return err
			}
			same = 0
			break
		}
		if err != nil {
			return err
		}
		e.moves = e.moves[:len(e.moves)-1]
	}
	before := engine.Task{Rules: t.Rules, Start: t.Start, Moves: t.Moves[:same]}
	p, err := before.Position()
	if err != nil {
		return err
	}
	for _, m := range t.Moves[same:] {
		if _, err := e.ask(ctx, "play "+e.colour(p.Turn())+" "+e.text(p, m)); err != nil {
			return err
		}
		if err := p.Play(m); err != nil {
			return err
		}
		e.moves = append(e.moves, m)
	}
	return nil
}

// tell tells the child how much time it has. The protocol counts in seconds; a
// limit for a move is a period for one stone.
func (e *Engine) tell(ctx context.Context, colour string, l *engine.Limits) error {
	seconds := func(d time.Duration) int { return int(max(1, d.Round(time.Second)/time.Second)) }
	settings, left := "", ""
	switch {
	case l.Time > 0:
		settings = fmt.Sprintf("time_settings 0 %d 1", seconds(l.Time))
		left = fmt.Sprintf("time_left %s %d 1", colour, seconds(l.Time))
	case l.Clock != nil && l.Clock.Moves > 0:
		settings = fmt.Sprintf("time_settings 0 %d %d", seconds(l.Clock.Left), l.Clock.Moves)
		left = fmt.Sprintf("time_left %s %d %d", colour, seconds(l.Clock.Left), l.Clock.Moves)
	case l.Clock != nil:
		settings = fmt.Sprintf("time_settings %d 0 0", seconds(l.Clock.Left))
		left = fmt.Sprintf("time_left %s %d 0", colour, seconds(l.Clock.Left))
	default:
		return nil
	}
	// Settings are for a whole game: they are given once, and what is left of
	// them with every move.
	kind := settings
	if l.Clock != nil && l.Time == 0 {
		kind = "clock"
	}
	if kind != e.clock && e.known["time_settings"] {
		if _, err := e.optional(ctx, settings); err != nil {
			return err
		}
		e.clock = kind
	}
	if e.known["time_left"] {
		_, err := e.optional(ctx, left)
		return err
	}
	return nil
}

// colour returns the letter of a side: that which its name begins with.
func (e *Engine) colour(s game.Side) string { return e.o.Rules.Info().Sides[s].Name[:1] }

// text returns a move as GTP has it.
func (e *Engine) text(p game.Position, m game.Move) string {
	if v, ok := e.o.Rules.(engine.Vertices); ok && m.To() != board.NoPoint {
		return v.Vertex(m)
	}
	return game.FormatMove(e.o.Rules, p, m, game.AnyNotation)
}

// parse reads a move of the child.
func (e *Engine) parse(p game.Position, text string) (game.Move, error) {
	text = strings.TrimSpace(text)
	moves := p.AppendMoves(nil)
	if strings.EqualFold(text, "pass") || strings.EqualFold(text, "pa") {
		if !slices.Contains(moves, game.Pass) {
			return game.NoMove, game.ErrNoPass
		}
		return game.Pass, nil
	}
	if _, ok := e.o.Rules.(engine.Vertices); ok {
		for _, m := range moves {
			if strings.EqualFold(e.text(p, m), text) {
				return m, nil
			}
		}
		return game.NoMove, game.ErrIllegal
	}
	m, err := e.o.Rules.ParseMove(p, text, e.o.Rules.Info().Notations[0].Name)
	if err != nil {
		return game.NoMove, err
	}
	if !slices.Contains(moves, m) {
		return game.NoMove, game.ErrIllegal
	}
	return m, nil
}

// clip shortens what a child said.
func clip(text string) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "..."
	}
	return text
}
