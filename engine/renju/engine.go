package renju

import (
	"context"
	"fmt"
	"slices"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
	rules "qipu/game/renju"
)

// Engine plays Renju and Gomoku. It is made by New and thinks about one task at a time;
// others wait.
type Engine struct {
	options engine.Options
	style   style

	solo   engine.Solo
	memory *memory // made with the first thought
}

var _ engine.Engine = (*Engine)(nil)

// usualHash is what an engine remembers where nobody asks for more or less.
const usualHash = 16 << 20

// New returns an engine. The table is made with the first thought.
func New(o engine.Options) *Engine {
	if o.Hash <= 0 {
		o.Hash = usualHash
	}
	return &Engine{options: o, style: tuned}
}

// Info describes the engine.
func (e *Engine) Info() engine.Info {
	return engine.Info{Name: "Qipu Renju", Version: "1", Games: []string{"renju"}, Slip: engine.Unit / 2, Levels: e.options.Levels,
		Accuracy: slices.Clone(accuracy), Measured: measured, Itself: true}
}

// accuracy is what "qipu workshop accuracy --game renju --all --solve -1 --moves 150 --depths
// 3,4,5 --truth 7" printed of tournament games. A review that is asked for a depth reads a ply
// less for one of the sides.
var accuracy = []engine.Accuracy{
	{Depth: 3, Mean: 0.0349, Most: 0.1510},
	{Depth: 4, Mean: 0.0234, Most: 0.0840},
}

// measured says how.
const measured = "150 moves of tournament games of Renju, against depth 7 of the same engine: how wrong that is nobody knows"

// Close ends the thought that is going on. The engine thinks no more.
func (e *Engine) Close() error {
	e.solo.Close(func() { e.memory = nil })
	return nil
}

// Think reads ahead within the limits.
func (e *Engine) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	r, ok := t.Rules.(*rules.Rules)
	if !ok {
		return nil, fmt.Errorf("%s: %w", e.Info().Name, engine.ErrGame)
	}
	pos, err := t.Position()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Info().Name, err)
	}
	p := pos.(*rules.Position)
	if p.CountMoves() == 0 {
		return nil, engine.ErrOver
	}
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if e.memory == nil {
		e.memory = newMemory(e.options.Hash)
	}
	e.memory.next(l.Depth > 0 || l.Nodes > 0)
	s := &search{t: newTable(p, r), memory: e.memory, style: &e.style, ctx: ctx, limit: l.Nodes, began: time.Now(), record: l.Record}
	unhook := context.AfterFunc(ctx, func() { s.halt.Store(true) })
	defer unhook()
	q := &quest{search: s, side: int(p.Turn()), watch: watch, multi: l.Multi, depth: l.Depth}
	s.share(&l, s.t.free)
	q.run()
	if q.report == nil {
		return nil, fmt.Errorf("%s found no move in time: %w", e.Info().Name, context.Cause(ctx))
	}
	return q.report, nil
}

// share sets the times of a thought.
func (s *search) share(l *engine.Limits, free int) {
	soft, hard := l.Time, l.Time
	if c := l.Clock; c != nil {
		moves := c.Moves
		if moves <= 0 {
			moves = min(max(free/3, 8), 30)
		}
		share := c.Left/time.Duration(moves+1) + c.Increment*3/4
		most := max(c.Left-50*time.Millisecond, c.Left/2) * 3 / 4
		share, most = min(share, most), min(share*3, most)
		if hard == 0 || most < hard {
			soft, hard = share, most
		}
	}
	if hard > 0 {
		// A depth takes several times as long as the one before: it is not begun
		// where the better part of the time is gone.
		s.soft, s.hard = s.began.Add(soft*6/10), s.began.Add(hard)
	}
}

// quest is what is asked about the root.
type quest struct {
	*search
	side  int
	list  []rootMove
	multi int
	depth int // 0 for no limit
	watch func(*engine.Report)

	last   [2]int // values of the last odd and even depths
	report *engine.Report
	note   string
}

// rootMove is what is known of a move of the root.
type rootMove struct {
	cell    uint16
	value   int
	bound   engine.Bound
	read    bool // in the pass that is going on
	exact   bool
	fixed   bool // it is known to lose, by threats
	checked bool // whether it does was asked
	line    []uint16
}

// run thinks until a limit ends it.
func (q *quest) run() {
	first := q.glance()
	if len(q.list) == 0 {
		// Nothing but fouls is left, or nothing at all: a pass is no foul.
		q.report = &engine.Report{Lines: []engine.Line{{Move: game.Pass, Moves: []game.Move{game.Pass}}}, Depth: 1, Elapsed: time.Since(q.began), Note: "only move"}
		return
	}
	if q.multi < 0 || q.multi > len(q.list) {
		q.multi = len(q.list)
	}
	q.multi = max(q.multi, 1)
	if q.depth <= 0 || q.depth > maxDepth {
		q.depth = maxDepth
	}
	if !q.hard.IsZero() && len(q.list) == 1 && q.multi == 1 {
		q.depth, q.note = 2, "only move"
	}
	q.tell(0)
	if q.multi == 1 && (first || q.byThreats()) {
		q.tell(1)
		return
	}
	for d := 1; d <= q.depth; d++ {
		for q.pass(d); !q.stopped && q.refuted(); {
			q.pass(d)
		}
		if q.stopped {
			q.salvage(d)
			return
		}
		q.last[d&1] = q.list[0].value
		q.tell(d)
		if q.settled() || !q.soft.IsZero() && time.Now().After(q.soft) {
			return
		}
	}
}

// glance makes the list of moves, what looks best first. It reports whether the game is
// won by fours, in which case the move that does is the first.
func (q *quest) glance() (won bool) {
	t := q.t
	var options []option
	switch {
	case t.fives(q.side) > 0:
		won = true
		c := t.first(q.side, kindFive)
		q.list = []rootMove{{cell: c, value: win - 1, exact: true, line: []uint16{c}}}
		return true
	case t.fives(1-q.side) > 0:
		c := t.first(1-q.side, kindFive)
		if options = q.option(nil, q.side, c, 0, 0); len(options) == 0 { // it is a foul: all is lost
			options = q.all()
		}
	case t.free == t.size.Area() && q.multi >= 0 && q.multi < 2:
		// The middle is as good as any other point, and everybody begins there.
		options = q.option(nil, q.side, cellOf(board.At(t.size.W/2, t.size.H/2)), 0, 0)
	default:
		options, _ = q.options(nil, q.side, 0, 0, q.multi >= 0)
		if len(options) == 0 {
			options = q.all()
		}
	}
	slices.SortStableFunc(options, func(a, b option) int { return int(b.rank) - int(a.rank) })
	for _, o := range options {
		q.list = append(q.list, rootMove{cell: o.cell, value: -inf, bound: engine.AtLeast, line: []uint16{o.cell}})
	}
	if q.byFours(q.side, maxFours, max(q.limit/4, 2000)) {
		f := &q.attack
		best := rootMove{cell: f.line[0], value: win - f.plies(), exact: true, line: slices.Clone(f.line)}
		if f.plies() > len(f.line) && !f.foul {
			best.line = append(best.line, f.ends[0], f.ends[1])
		}
		q.list = slices.DeleteFunc(q.list, func(m rootMove) bool { return m.cell == best.cell })
		q.list = slices.Insert(q.list, 0, best)
		return true
	}
	return false
}

// byThreats looks for a win by threats, and puts the move that begins it first.
func (q *quest) byThreats() bool {
	if !q.style.threats || q.t.fives(1-q.side) > 0 {
		return false
	}
	w := q.threats(q.side, 5)
	won := w.search()
	q.nodes += w.nodes
	if !won {
		return false
	}
	best := rootMove{line: w.line()}
	best.cell, best.value = best.line[0], win-w.plies(true, w.state(true))
	q.list = slices.DeleteFunc(q.list, func(m rootMove) bool { return m.cell == best.cell })
	q.list = slices.Insert(q.list, 0, best)
	return true
}

// threats returns a search for a win by threats that takes a part of the thought.
func (q *quest) threats(side int, part int64) *threats {
	limit := int64(400_000)
	if q.limit > 0 {
		limit = q.limit / part
	}
	if q.depth < maxDepth {
		limit = min(limit, int64(q.depth)*1000)
	}
	w := newThreats(q.t, side, &q.seen, limit)
	var end time.Time
	if !q.soft.IsZero() {
		end = time.Now().Add(time.Until(q.hard) / time.Duration(part))
	}
	asked := 0
	w.stop = func() bool {
		if asked++; asked&15 != 0 {
			return false
		}
		return q.halt.Load() || !end.IsZero() && time.Now().After(end)
	}
	return w
}

// refuted reports whether the best move lets the other side win by threats, which it
// then is known to do.
func (q *quest) refuted() bool {
	m := &q.list[0]
	if !q.style.check || q.multi > 1 || m.exact || m.value <= -decided || m.value >= decided || m.checked || len(q.list) == 1 {
		return false
	}
	m.checked = true
	q.t.put(q.side, m.cell)
	defer q.t.take()
	if q.t.fives(0)+q.t.fives(1) > 0 {
		return false
	}
	w := q.threats(1-q.side, 12)
	lost := w.search()
	q.nodes += w.nodes
	if !lost {
		return false
	}
	m.line = append([]uint16{m.cell}, w.line()...)
	m.value, m.bound, m.fixed = 1+w.plies(true, w.state(true))-win, engine.Even, true
	return true
}

// all lists every free point that is no foul.
func (q *quest) all() (list []option) {
	for _, c := range q.t.places[:q.t.size.Area()] {
		if q.t.cells[c].stone == free {
			list = q.option(list, q.side, c, 0, 0)
		}
	}
	return list
}

// settled reports that no more reading changes the values.
func (q *quest) settled() bool {
	for i := range q.multi {
		if v := q.list[i].value; v < decided && v > -decided {
			return false
		}
	}
	return true
}

// aspire is half the width of the first window of a depth.
const aspire = 60

// pass reads all moves to a depth, in a narrow window first where one line is asked for.
func (q *quest) pass(depth int) {
	lo, hi := -inf, inf
	if v := q.last[depth&1]; q.multi == 1 && depth > 2 && v < decided && v > -decided {
		lo, hi = v-aspire, v+aspire
	}
	for width := 4 * aspire; ; width *= 8 {
		best := q.window(depth, lo, hi)
		switch {
		case q.stopped:
			return
		case best <= lo && lo > -inf:
			if lo = best - width; width > 10000 {
				lo = -inf
			}
		case best >= hi && hi < inf:
			if hi = best + width; width > 10000 {
				hi = inf
			}
		default:
			return
		}
	}
}

// window reads the moves once, and puts the best first. As many as were asked for get
// their values, the others bounds.
func (q *quest) window(depth, lo, hi int) int {
	for i := range q.list {
		q.list[i].read = false
	}
	best := -inf
	if q.record != nil {
		q.record.Enter(game.NoMove, false, int32(lo), int32(hi))
		defer func() {
			why := trace.Read
			if q.stopped {
				why = trace.Stopped
			}
			q.record.Leave(int32(best), why, 0)
		}()
	}
	for i := range q.list {
		alpha := max(lo, q.least())
		m := &q.list[i]
		if m.exact || m.fixed {
			m.read = true
			best = max(best, m.value)
			continue
		}
		q.t.put(q.side, m.cell)
		v := q.try(m.cell, depth-1, alpha, hi, i)
		q.t.take()
		if q.stopped {
			break
		}
		m.read, m.value, m.bound = true, v, engine.Even
		switch {
		case v <= alpha && alpha > -inf:
			m.bound = engine.AtMost
		case v >= hi && hi < inf:
			m.bound = engine.AtLeast
		}
		if m.bound != engine.AtMost {
			m.line = append([]uint16{m.cell}, q.pv[1]...)
		}
		if best = max(best, v); v >= hi && hi < inf {
			break
		}
	}
	if !q.stopped {
		q.arrange()
	}
	return best
}

// try reads a move of the root.
func (q *quest) try(c uint16, depth, alpha, beta, i int) int {
	if i < q.multi {
		return -q.node(1-q.side, depth, 1, -beta, -alpha, c)
	}
	return q.child(q.side, depth, 0, alpha, beta, i, c)
}

// least returns the value that a move must exceed to be among those asked for.
func (q *quest) least() int {
	var found []int
	for i := range q.list {
		if q.list[i].read && q.list[i].bound != engine.AtMost {
			found = append(found, q.list[i].value)
		}
	}
	if len(found) < q.multi {
		return -inf
	}
	slices.Sort(found)
	return found[len(found)-q.multi]
}

// arrange brings the moves with values to the front, the best first.
func (q *quest) arrange() {
	slices.SortStableFunc(q.list, func(a, b rootMove) int {
		va, vb := a.read && a.bound != engine.AtMost, b.read && b.bound != engine.AtMost
		switch {
		case va && vb:
			return b.value - a.value
		case va:
			return -1
		case vb:
			return 1
		}
		return 0
	})
}

// salvage makes use of a pass that was broken off: the move that was best before is read
// first, so that a better one is better indeed.
func (q *quest) salvage(depth int) {
	known := 0
	for i := range q.list {
		if q.list[i].read && q.list[i].bound != engine.AtMost {
			known++
		}
	}
	if known == 0 || depth > 1 && (q.multi > 1 || !q.list[0].read || q.list[0].bound == engine.AtMost) {
		return
	}
	q.arrange()
	multi := q.multi
	q.multi = min(multi, known)
	q.tell(depth)
	q.multi = multi
}

// tell makes the report, and shows it to who watches.
func (q *quest) tell(depth int) {
	r := &engine.Report{Depth: max(depth, 1), Nodes: q.nodes, Elapsed: time.Since(q.began), Note: q.note}
	if q.record != nil {
		q.record.Untold(max(q.nodes-q.record.Entered()-q.record.Counters().Untold, 0))
		r.Counters = q.record.Counters()
	}
	for i := range q.multi {
		m := &q.list[i]
		line := engine.Line{Move: moveOf(m.cell), Value: engine.Value(m.value), Bound: m.bound, Exact: m.exact}
		if m.value == -inf {
			line.Value = 0
		}
		for _, c := range m.line {
			line.Moves = append(line.Moves, moveOf(c))
		}
		r.Lines = append(r.Lines, line)
		if depth == 0 {
			break
		}
	}
	q.report = r
	if q.watch != nil && depth > 0 {
		q.watch(r)
	}
}
