package external

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qipu/engine"
	"qipu/game"
)

// Protocol is how a program is talked to.
type Protocol string

// The protocols.
const (
	GTP     Protocol = "gtp"     // Go Text Protocol, version 2, with lz-analyze and kata-analyze where the program has them
	UCI     Protocol = "uci"     // Universal Chess Interface
	UCCI    Protocol = "ucci"    // Universal Chinese Chess Protocol, version 3
	NBoard  Protocol = "nboard"  // of NBoard, version 2: Othello
	Gomocup Protocol = "gomocup" // of Piskvork and the Gomocup: five in a row
)

// Protocols are all of them.
var Protocols = []Protocol{GTP, UCI, UCCI, NBoard, Gomocup}

// Options say which program is hosted, and how.
type Options struct {
	Protocol Protocol // default GTP
	Rules    game.Rules
	Command  []string // the program and its arguments
	Dir      string   // that it runs in; empty for the present folder
	Env      []string // its environment; nil for that of this process

	// Name is what the engine is called; empty for what it calls itself.
	Name string

	// Setup is what the child is told whenever it has started: a command of GTP
	// such as "set_level 5", an option of UCI and UCCI as "Hash=64", the key and
	// value of an INFO of Gomocup, what follows "set" in NBoard. A refusal of GTP,
	// and an option that a program of UCI does not have, is an error.
	Setup []string

	// Limits are those of thoughts that are given none: depth, nodes, time, threads.
	Limits engine.Limits

	// Memory bounds what the child may ask for, in bytes, where the system can; 0
	// for no bound. Programs that map large files or a graphics card ask for much
	// more than they use.
	Memory int64

	// Startup is how long the child may take until it answers first; default
	// two minutes. Patience is how long it may take for what needs no thought,
	// and how much longer than its limits for a thought; default one minute: programs on a busy
	// machine are slow, and seldom hang.
	// Thought bounds thoughts without a limit of time; default 10 minutes.
	Startup, Patience, Thought time.Duration
}

// ErrBroken tells that the child does not work, even after another start.
var ErrBroken = errors.New("the engine does not work")

// question is a position to think about.
type question struct {
	task  *engine.Task
	pos   game.Position // of the task; left as it was
	l     engine.Limits
	watch func(*engine.Report) // may be nil
	began time.Time
}

// values reports whether the asker wants values and not only a move to play.
func (q *question) values() bool { return q.l.Multi != 0 || q.watch != nil }

// dialect is how one child is talked to. All methods are called during one
// thought; an error other than those that Think tells apart means that the
// child is of no use any more.
type dialect interface {
	// greet begins the talk.
	greet(ctx context.Context) (engine.Info, error)

	// think answers a question. Where the context ends, or the time that a thought
	// may take, it stops the child and answers with what it has; where the
	// protocol cannot stop a child, it returns the error.
	think(ctx context.Context, q *question) (*engine.Report, error)

	// farewell is what asks the child to end.
	farewell() string
}

// Engine is a hosted engine. It is safe for concurrent use; thoughts wait for
// each other.
type Engine struct {
	o    Options
	info engine.Info

	solo  engine.Solo
	child *child  // nil where there is none
	talk  dialect // with the child
}

var _ engine.Engine = (*Engine)(nil)

// Start starts a program and waits until it answers. The context bounds the
// start, and not the life of the child: Close ends that.
func Start(ctx context.Context, o Options) (*Engine, error) {
	if o.Rules == nil || len(o.Command) == 0 || o.Command[0] == "" {
		return nil, errors.New("external: name the game and the command")
	}
	if o.Protocol == "" {
		o.Protocol = GTP
	}
	if o.Startup == 0 {
		o.Startup = 2 * time.Minute
	}
	if o.Patience == 0 {
		o.Patience = time.Minute
	}
	if o.Thought == 0 {
		o.Thought = 10 * time.Minute
	}
	if err := o.Protocol.Plays(o.Rules); err != nil {
		return nil, err
	}
	e := &Engine{o: o}
	if err := e.launch(ctx); err != nil {
		e.drop()
		return nil, e.fail(err)
	}
	return e, nil
}

// Plays returns an error where a protocol cannot tell a game.
func (p Protocol) Plays(r game.Rules) error {
	size := r.Geometry().Size
	ok := false
	switch p {
	case GTP:
		ok = true
	case UCI, UCCI:
		ok = squares(r, "") != ""
	case NBoard:
		ok = r.Info().Discs && size.W == 8 && size.H == 8
	case Gomocup:
		_, ok = r.(engine.Rows)
	default:
		return fmt.Errorf("there is no protocol %q: the protocols are %s", p, strings.Join(names(Protocols), ", "))
	}
	if !ok {
		return fmt.Errorf("%w: %s cannot tell games of %s", engine.ErrGame, p, strings.TrimSpace(r.Info().Titles.En+" "+r.Info().Variant))
	}
	return nil
}

func names[T ~string](list []T) (texts []string) {
	for _, t := range list {
		texts = append(texts, string(t))
	}
	return texts
}

// fail wraps an error with the name of the engine. Causes of contexts and what
// callers tell apart stay what they are.
func (e *Engine) fail(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, engine.ErrClosed) {
		return err
	}
	name := e.o.Name
	if name == "" {
		name = strings.Join(e.o.Command, " ")
	}
	return fmt.Errorf("the engine %q: %w", name, err)
}

// Info describes the engine, by what the child calls itself.
func (e *Engine) Info() engine.Info { return e.info }

// Close ends the child, and a thought that is under way.
func (e *Engine) Close() error {
	e.solo.Close(func() {
		if e.child != nil {
			e.child.leave(e.talk.farewell(), min(e.o.Patience, 2*time.Second))
			e.child = nil
		}
	})
	return nil
}

// drop kills the child.
func (e *Engine) drop() {
	if e.child != nil {
		e.child.kill()
		e.child = nil
	}
}

// launch starts the child and begins to talk to it.
func (e *Engine) launch(ctx context.Context) (err error) {
	if e.child, err = launch(&e.o); err != nil {
		return fmt.Errorf("cannot be started: %w", err)
	}
	host := host{child: e.child, o: &e.o}
	switch e.o.Protocol {
	case GTP:
		e.talk = &gtp{host: host}
	case UCI, UCCI:
		e.talk = &uci{host: host}
	case NBoard:
		e.talk = &nboard{host: host}
	case Gomocup:
		e.talk = &gomocup{host: host}
	}
	info, err := e.talk.greet(ctx)
	if err != nil {
		return err
	}
	if info.Name = clean(info.Name); info.Name == "" {
		info.Name = e.o.Command[0]
	}
	if e.o.Name != "" {
		info.Name = e.o.Name
	}
	info.Games, info.Guest = []string{e.o.Rules.Info().Name}, true
	e.info = info
	return nil
}

// host is what all dialects stand on.
type host struct {
	*child
	o *Options
}

// most returns how long a thought may take by its limits: the time for the move,
// what is left on the clock, or what a thought may take at all.
func (h *host) most(l *engine.Limits) time.Duration {
	switch {
	case l.Time > 0:
		return l.Time
	case l.Clock != nil:
		return l.Clock.Left
	}
	return h.o.Thought
}

// hearFirst hears what a child tells while it thinks, no longer than a time. Where it has
// told nothing by then, which on a busy machine says nothing against it, its first
// line is waited for.
func (h *host) hearFirst(ctx context.Context, question string, wait time.Duration, d *draft, f func(line string) (heard, error)) error {
	err := h.hear(ctx, question, wait, f)
	var late *silence
	if !errors.As(err, &late) || len(d.r.Lines) > 0 {
		return err
	}
	return h.hear(ctx, question, h.o.Patience, func(line string) (heard, error) {
		said, err := f(line)
		if len(d.r.Lines) > 0 {
			said = done
		}
		return said, err
	})
}

// Think has the child think. The game of the task is that of the engine; its
// rules may be others of that game than those that it was started with.
func (e *Engine) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	if p.Outcome().Final() {
		return nil, engine.ErrOver
	}
	if a, b := t.Rules.Info(), e.o.Rules.Info(); a.Name != b.Name {
		return nil, fmt.Errorf("%w: %s", engine.ErrGame, a.Titles.En)
	}
	if err := e.o.Protocol.Plays(t.Rules); err != nil {
		return nil, err
	}
	if (l.Depth == 0 || e.o.Protocol == GTP) && l.Nodes == 0 && l.Time == 0 && l.Clock == nil { // GTP knows no depth
		d := e.o.Limits
		l.Depth, l.Nodes, l.Time = max(l.Depth, d.Depth), d.Nodes, d.Time
	}
	if l.Threads == 0 {
		l.Threads = e.o.Limits.Threads
	}
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, e.fail(err)
	}
	defer end()
	q := &question{task: t, pos: p, l: l, watch: watch, began: time.Now()}
	for try := 0; ; try++ {
		r, err := e.answer(ctx, q)
		switch {
		case err == nil:
			return r, nil
		case errors.Is(err, engine.ErrResigned), errors.Is(err, engine.ErrGame), errors.Is(err, game.ErrIllegal):
			// The child is well. What it did it would do again.
			return nil, e.fail(err)
		case ctx.Err() != nil:
			e.drop() // it goes on thinking, and could not be told to stop
			return nil, e.fail(context.Cause(ctx))
		}
		e.drop()
		if try == 1 {
			return nil, e.fail(fmt.Errorf("%w: %w", ErrBroken, err))
		}
	}
}

// answer has the child answer a question, started where there is none.
func (e *Engine) answer(ctx context.Context, q *question) (*engine.Report, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if e.child == nil {
		if err := e.launch(ctx); err != nil {
			return nil, err
		}
	}
	r, err := e.talk.think(ctx, q)
	if err != nil {
		return nil, err
	}
	r.Elapsed = time.Since(q.began)
	if q.watch != nil {
		q.watch(r)
	}
	return r, nil
}

// Ask gives a child of GTP commands of the caller's own, one after the other, and
// returns what it answers to each; each may take as long as wait. What the board
// of the child is like behind them nobody knows: the next thought begins with a
// new one. A refusal ends it with an error, and so does a child that does not
// answer, which is started again for what comes next.
func (e *Engine) Ask(ctx context.Context, wait time.Duration, commands ...string) ([]string, error) {
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, e.fail(err)
	}
	defer end()
	if ctx.Err() != nil {
		return nil, e.fail(context.Cause(ctx))
	}
	if e.child == nil {
		if err := e.launch(ctx); err != nil {
			e.drop()
			return nil, e.fail(err)
		}
	}
	g, ok := e.talk.(*gtp)
	if !ok {
		return nil, e.fail(fmt.Errorf("it speaks %s: only GTP has commands", e.o.Protocol))
	}
	g.start = unknown
	answers := make([]string, 0, len(commands))
	for _, command := range commands {
		text, err := g.ask(ctx, command, wait)
		if err != nil {
			var no *refusal
			if !errors.As(err, &no) {
				e.drop()
			}
			return nil, e.fail(err)
		}
		answers = append(answers, text)
	}
	return answers, nil
}

// draft is a report that grows while a child thinks.
type draft struct {
	q *question
	r engine.Report
}

// put sets the line of a number from 0 on, as the child tells it.
func (d *draft) put(at int, line engine.Line) {
	switch {
	case at < len(d.r.Lines):
		d.r.Lines[at] = line
	case at == len(d.r.Lines):
		d.r.Lines = append(d.r.Lines, line)
	}
}

// show tells who watches.
func (d *draft) show() {
	if d.q.watch != nil && len(d.r.Lines) > 0 {
		d.q.watch(d.report())
	}
}

// report returns the draft as it is, a copy: at most as many lines as were asked
// for.
func (d *draft) report() *engine.Report {
	r := d.r
	r.Elapsed = time.Since(d.q.began)
	r.Lines = slices.Clone(r.Lines)
	if most := max(d.q.l.Multi, 1); d.q.l.Multi >= 0 && len(r.Lines) > most {
		r.Lines = r.Lines[:most]
	}
	return &r
}

// choose returns the report with the move that the child has chosen in front:
// with what it said of it, or without a value where it said nothing.
func (d *draft) choose(m game.Move) *engine.Report {
	at := slices.IndexFunc(d.r.Lines, func(l engine.Line) bool { return l.Move == m })
	line := engine.Line{Move: m, Value: engine.NoValue, Moves: []game.Move{m}}
	if at >= 0 {
		line = d.r.Lines[at]
		d.r.Lines = slices.Delete(d.r.Lines, at, at+1)
	}
	d.r.Lines = slices.Insert(d.r.Lines, 0, line)
	return d.report()
}

// ahead reads a line of moves from a position, up to what it cannot read.
func ahead(p game.Position, words []string, parse func(game.Position, string) (game.Move, error)) (moves []game.Move) {
	for _, word := range words {
		m, err := parse(p, word)
		if err != nil || p.Play(m) != nil {
			break
		}
		moves = append(moves, m)
	}
	for range moves {
		p.Undo()
	}
	return moves
}

// legal returns a move that is listed.
func legal(p game.Position, m game.Move, err error) (game.Move, error) {
	if err == nil && !slices.Contains(p.AppendMoves(nil), m) {
		err = game.ErrIllegal
	}
	if err != nil {
		return game.NoMove, err
	}
	return m, nil
}

// clip shortens what a child said.
func clip(text string) string {
	if text = clean(text); len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "..."
	}
	return text
}
