package review

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/record"
	"qipu/remedy"
)

// Options say how a game is reviewed. The zero value is of use with an engine
// that bounds its thoughts itself.
type Options struct {
	// Limits bound the reading of each position. A second reading, of the
	// position behind a move that is not the best, takes up to as much again.
	Limits engine.Limits

	// Deeper bound a second look at moves that seem to give something away, and at the
	// positions before and behind them; zero for none. It is for engines whose values
	// can be compared however far each was read (engine.Info.Steady).
	Deeper engine.Limits

	// Solve is up to how many empty points positions are read to the end of the
	// game, where the engine can; 0 for 16, negative for never.
	Solve int

	// From is the first ply that is valued; those before it are left out.
	From int

	// Chosen tells that somebody wants to hear this engine, whatever is known of
	// it. Without it, what an engine says that nobody has measured counts for
	// nothing, but where it has read the game to its end.
	Chosen bool

	// Settler counts a game that ended by two passes; nil where nobody does.
	Settler game.Settler

	// Called returns what players call the end of a line that was proved, played from a
	// position; empty for nothing. Nil where nobody knows names.
	Called func(start game.Position, line []game.Move) string

	// OnMove is told of every move as soon as it is valued: the last move of
	// the game first. The move is the caller's to keep.
	OnMove func(*Move)
}

// Closely returns the options with a first look at every move that costs as little as
// can be, and the limits for a second one where a move seems to give something away:
// for engines whose values can be compared however far each was read.
func (o Options) Closely(info engine.Info) Options {
	if info.Steady {
		o.Deeper = o.Limits
		o.Limits = engine.Limits{Nodes: 1, Threads: o.Limits.Threads, Seed: o.Limits.Seed, Record: o.Limits.Record}
	}
	return o
}

// Move is a move of a game, and what would have been better.
type Move struct {
	Ply  int // from 1
	Move game.Move
	Side game.Side // who made it

	// Known tells that there are values: those of an engine that is good enough
	// for an opinion, or exact ones. Without it what follows is empty.
	Known bool

	Value float64 // of the position behind it, for the first side
	Best  float64 // what the best move would have made of it, for the first side
	Loss  float64 // what it gave away, for the side that made it; never negative
	Mark  Grade

	// Exact tells that both values are the truth: the game was read to its end.
	Exact bool

	// Line is the best line instead; empty where the move is the best one.
	Line []game.Move

	// Finding is what was proved against the move; nil where nothing was.
	Finding *Finding

	Depth       int // plies that were read; 0 where there was no choice
	Selectivity int // how sure the reading is, in per cent; 0 where the engine cannot tell
}

// Review is what an engine thinks of a game.
type Review struct {
	Rules game.Rules
	Unit  Unit
	By    Opinion

	// Moves are in the order of the game. Where the review was stopped, they
	// are those at its end.
	Moves []Move

	// Done tells that all moves are there.
	Done bool
}

// Tally is what one side did in a game.
type Tally struct {
	Moves        int     `json:"moves"` // passes are not counted
	Loss         float64 `json:"loss"`
	Inaccuracies int     `json:"inaccuracies"`
	Mistakes     int     `json:"mistakes"`
	Blunders     int     `json:"blunders"`
}

// Tally counts what a side did.
func (r *Review) Tally(side game.Side) Tally {
	var t Tally
	for i := range r.Moves {
		m := &r.Moves[i]
		if m.Side != side || m.Move == game.Pass && m.Loss == 0 {
			continue
		}
		t.Moves++
		t.Loss += m.Loss
		switch m.Mark {
		case Inaccuracy:
			t.Inaccuracies++
		case Mistake:
			t.Mistakes++
		case Blunder:
			t.Blunders++
		}
	}
	return t
}

// Task returns the main line of a record as a task: its start, and its moves as
// far as the rules allow them. A set-up in the middle of a game ends it, too.
func Task(p *record.Played) (*engine.Task, error) {
	if p.Rules == nil || p.Start.Board == nil {
		return nil, remedy.For(errors.New("review: the record cannot be played"), remedy.CheckRecord)
	}
	t := &engine.Task{Rules: p.Rules}
	pos, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return nil, fmt.Errorf("review: the start of the record: %w", err)
	}
	if string(game.AppendSetup(nil, p.Rules, p.Start)) != game.FormatPosition(p.Rules, p.Rules.Start()) {
		start := p.Start
		t.Start = &start
	}
	for _, s := range p.Steps {
		if s.Move == game.NoMove || pos.Turn() != s.Side || pos.Play(s.Move) != nil {
			break
		}
		t.Moves = append(t.Moves, s.Move)
	}
	return t, nil
}

// ErrOpaque tells that an engine makes moves and never says what they are worth.
var ErrOpaque = errors.New("the engine tells no values: choose another one")

// verdict is what is known of a position, for the side to move.
type verdict struct {
	value engine.Value
	exact bool
}

// decision is a position of the game before one of its moves.
type decision struct {
	turn   game.Side
	forced bool // there is one move and no other
	empty  int  // points without a piece
}

// reviewer is one review under way.
type reviewer struct {
	ctx     context.Context
	engine  engine.Engine
	task    *engine.Task
	options Options
	scale   Scale
	solves  bool
	steady  bool
	by      Opinion
	moments []decision // one more than there are moves

	prover engine.Prover   // nil where the engine proves nothing
	proofs []*engine.Proof // of positions, for the side to move
}

// Run values every move of a task. Where the context ends first, it returns what
// it has together with the cause.
func Run(ctx context.Context, e engine.Engine, t *engine.Task, o Options) (*Review, error) {
	if e.Info().Opaque {
		return &Review{Rules: t.Rules, Unit: UnitOf(t.Rules)}, fmt.Errorf("review: %w: %s", ErrOpaque, e.Info().Name)
	}
	if o.Solve == 0 {
		o.Solve = 16
	}
	info := e.Info()
	w := &reviewer{ctx: ctx, engine: e, task: t, options: o, scale: ScaleBy(t.Rules, info.Points), solves: info.Solves, steady: info.Steady, by: OpinionOf(info, o.Chosen)}
	r := &Review{Rules: t.Rules, Unit: w.scale.Unit, By: w.by}
	next, err := w.survey()
	if err != nil {
		return r, err
	}
	w.prover, _ = e.(engine.Prover)
	w.proofs = make([]*engine.Proof, len(w.moments))
	defer func() { slices.Reverse(r.Moves) }()
	for ply := len(t.Moves) - 1; ply >= max(o.From-1, 0); ply-- {
		m, at, err := w.judge(ply, next)
		if err != nil {
			return r, err
		}
		next = at
		if m.Finding, err = w.finding(ply, at); err != nil {
			return r, err
		}
		r.Moves = append(r.Moves, m)
		if o.OnMove != nil {
			o.OnMove(&m)
		}
	}
	r.Done = true
	return r, nil
}

// survey plays the game through and returns the verdict about its last
// position: the result where the game has ended, else what the engine thinks.
func (w *reviewer) survey() (verdict, error) {
	start := engine.Task{Rules: w.task.Rules, Start: w.task.Start}
	p, err := start.Position()
	if err != nil {
		return verdict{}, fmt.Errorf("review: the start of the game: %w", err)
	}
	size := w.task.Rules.Geometry().Size
	var moves []game.Move
	for i := 0; ; i++ {
		moves = p.AppendMoves(moves[:0])
		w.moments = append(w.moments, decision{p.Turn(), len(moves) == 1, empties(p, size)})
		if i == len(w.task.Moves) {
			break
		}
		if err := p.Play(w.task.Moves[i]); err != nil {
			return verdict{}, fmt.Errorf("review: move %d: %w", i+1, err)
		}
	}
	if p.Outcome().Final() || len(w.task.Moves) == 0 {
		return w.result(p)
	}
	report, err := w.think(len(w.task.Moves), w.limits(len(w.task.Moves)))
	if err != nil {
		return verdict{}, err
	}
	best := report.Best()
	return verdict{best.Value, best.Exact}, nil
}

// empties returns the number of points without a piece.
func empties(p game.Position, size board.Size) int {
	planar, ok := p.(game.Planar)
	if !ok {
		return size.W * size.H
	}
	all := planar.Planes().Occupied()
	return size.W*size.H - all.Count()
}

// result returns what a game that has ended is worth for the side to move. One
// that nobody has counted, or can count for certain, is worth nothing that is known.
func (w *reviewer) result(p game.Position) (v verdict, err error) {
	o := p.Outcome()
	if w.options.Settler != nil && game.Settles(o) {
		s, err := w.options.Settler.Propose(w.ctx, p)
		if err != nil {
			return v, fmt.Errorf("review: the end of the game: %w", err)
		}
		if s.Sure {
			o = s.Outcome
		}
	}
	switch o.State {
	case game.Ongoing, game.Unscored:
		v.value = engine.NoValue
	case game.Drawn, game.Void:
		v.exact = true
	case game.Won:
		v = verdict{engine.Win, true}
		if o.Margin != 0 {
			v.value = engine.Value(o.Margin) * engine.Unit / 2
		}
		if o.Winner != p.Turn() {
			v.value = -v.value
		}
	}
	return v, nil
}

// limits returns those for the position before a ply. A depth is a ply less for
// the second side, so that all readings of a game end with the same side to
// move: evaluations think too well, or too little, of whoever that is, and the
// values of a game would go up and down with every move. Engines without a horizon
// read on.
func (w *reviewer) limits(ply int) engine.Limits {
	l := w.options.Limits
	if l.Depth > 1 && !w.steady && w.moments[ply].turn != game.First {
		l.Depth--
	}
	return l
}

// think reads the position before a ply.
func (w *reviewer) think(ply int, l engine.Limits) (*engine.Report, error) {
	t := &engine.Task{Rules: w.task.Rules, Start: w.task.Start, Moves: w.task.Moves[:ply:ply]}
	if w.solves && w.moments[ply].empty <= w.options.Solve {
		l.Exact, l.Depth, l.Nodes = true, 0, 0
	}
	l.Multi = 1
	report, err := w.engine.Think(w.ctx, t, l, nil)
	if err != nil {
		return nil, fmt.Errorf("review: the position before move %d: %w", ply+1, err)
	}
	if w.ctx.Err() != nil { // the reading was cut short: its value is not what was asked for
		return nil, context.Cause(w.ctx)
	}
	if len(report.Lines) == 0 {
		return nil, fmt.Errorf("review: the engine has no move before move %d", ply+1)
	}
	return report, nil
}

// judge values a move. next is the verdict about the position behind it; the
// one about the position before it is returned.
func (w *reviewer) judge(ply int, next verdict) (Move, verdict, error) {
	at := w.moments[ply]
	m := Move{Ply: ply + 1, Move: w.task.Moves[ply], Side: at.turn, Selectivity: 100}
	if at.forced {
		v := w.before(ply, next)
		w.fill(&m, v, v)
		return m, v, nil
	}
	report, err := w.think(ply, w.limits(ply))
	if err != nil {
		return m, verdict{}, err
	}
	m.Depth, m.Selectivity = report.Depth, report.Selectivity
	line := report.Best()
	best := verdict{line.Value, line.Exact}
	played := best
	switch {
	case line.Move == m.Move || next.value == engine.NoValue:
		line.Move = m.Move
	case next.exact:
		played = w.before(ply, next)
	case w.steady:
		played = w.before(ply, next)
		if w.deserves(played, best) {
			if report, best, played, err = w.closer(ply); err != nil {
				return m, verdict{}, err
			}
			if line = report.Best(); line.Move == m.Move {
				played = best
			}
			m.Depth = report.Depth
		}
	default:
		if played, err = w.horizon(ply+1, report); err != nil {
			return m, verdict{}, err
		}
	}
	if line.Move == m.Move || played.value >= best.value {
		if !best.exact { // what it is worth is known better from behind
			best = verdict{max(best.value, played.value), false}
		}
		w.fill(&m, best, best)
		return m, best, nil
	}
	m.Line = slices.Clone(line.Moves)
	if len(m.Line) == 0 {
		m.Line = []game.Move{line.Move}
	}
	w.fill(&m, played, best)
	return m, best, nil
}

// deserves reports whether a move seems to lose enough to be looked at again.
func (w *reviewer) deserves(played, best verdict) bool {
	return w.options.Deeper != (engine.Limits{}) && w.scale.Mark(w.scale.Amount(best.value)-w.scale.Amount(played.value)) != Fine
}

// closer looks again at a move: at the position before it, and at the one behind.
func (w *reviewer) closer(ply int) (report *engine.Report, best, played verdict, err error) {
	if report, err = w.think(ply, w.options.Deeper); err != nil {
		return report, best, played, err
	}
	behind, err := w.think(ply+1, w.options.Deeper)
	if err != nil {
		return report, best, played, err
	}
	line, next := report.Best(), behind.Best()
	return report, verdict{line.Value, line.Exact}, w.before(ply, verdict{next.Value, next.Exact}), nil
}

// horizon reads the position behind a move as far as the report about the
// position before it has, and returns the verdict for the side that moved.
func (w *reviewer) horizon(ply int, report *engine.Report) (verdict, error) {
	l := w.options.Limits
	if l.Depth = report.Depth - 1; l.Depth < 1 {
		l.Depth = report.Depth + 1 // no engine reads nothing: as far as it ends with the same side
	}
	report, err := w.think(ply, l)
	if err != nil {
		return verdict{}, err
	}
	line := report.Best()
	return w.before(ply-1, verdict{line.Value, line.Exact}), nil
}

// before returns the verdict about the position behind a move for the side that
// made it, which may be to move again.
func (w *reviewer) before(ply int, v verdict) verdict {
	if v.value != engine.NoValue && w.moments[ply+1].turn != w.moments[ply].turn {
		v.value = -v.value
	}
	return v
}

// fill sets what follows from the verdicts about a move and about the best one,
// both for the side that made it.
func (w *reviewer) fill(m *Move, played, best verdict) {
	if played.value == engine.NoValue { // nobody has counted the end, and there was no choice
		played.value, best.value = 0, 0
	}
	p, b := w.scale.Amount(played.value), w.scale.Amount(best.value)
	m.Exact = played.exact && best.exact
	if m.Known = m.Exact || w.by.Counts; !m.Known {
		m.Line = nil
		return
	}
	m.Loss = max(0, math.Round((b-p)*1e9)/1e9) // a loss of 4 discs is one of 4, and not of 3.999...
	if m.Exact || m.Loss > w.by.Margin(m.Depth) {
		m.Mark = w.scale.Mark(m.Loss)
	}
	if m.Side != game.First {
		p, b = w.scale.reverse(p), w.scale.reverse(b)
	}
	m.Value, m.Best = p, b
}
