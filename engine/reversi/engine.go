package reversi

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// Engine plays Othello on 8x8. It is made by New and thinks about one task at a
// time; others wait.
type Engine struct {
	options engine.Options

	solo  engine.Solo
	table *transpositions // made with the first thought
}

var _ engine.Engine = (*Engine)(nil)

// usualHash is what an engine remembers where nobody asks for more or less.
const usualHash = 64 << 20

// New returns an engine. It costs nothing before the first thought, which takes
// the memory of the hash table and reads the weights.
func New(o engine.Options) *Engine {
	if o.Hash <= 0 {
		o.Hash = usualHash
	}
	return &Engine{options: o}
}

// Info describes the engine.
func (e *Engine) Info() engine.Info {
	return engine.Info{
		Name: "Qipu Othello", Version: "1", Games: []string{"othello"}, Solves: true, Slip: 2 * engine.Unit, Levels: e.options.Levels,
		Accuracy: slices.Clone(accuracy), Measured: measured,
	}
}

// accuracy is what "qipu workshop accuracy wthor.tar.gz" prints: reviews of 300 moves of WTHOR
// games that are kept out of training, by depth 20, and exact from 22 empty squares
// on. A review that is asked for a depth reads a ply less for one of the sides.
var accuracy = []engine.Accuracy{
	{Depth: 4, Mean: 1.14, Most: 4.8},
	{Depth: 6, Mean: 1.06, Most: 3.6},
	{Depth: 8, Mean: 0.83, Most: 3.8},
	{Depth: 10, Mean: 0.72, Most: 3.6},
	{Depth: 12, Mean: 0.65, Most: 3},
}

// measured says how.
const measured = "300 moves of WTHOR games that were kept out of training, against depth 20 and exact endings"

// Close ends the thought and gives the memory back.
func (e *Engine) Close() error {
	e.solo.Close(func() { e.table = nil })
	return nil
}

// begin takes the engine for one thought.
func (e *Engine) begin(ctx context.Context, forget bool) (context.Context, func(), error) {
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	if e.table == nil {
		e.table = newTable(e.options.Hash)
	}
	e.table.next(forget)
	return ctx, end, nil
}

// threads returns how many threads a thought may have.
func (e *Engine) threads(asked int) int {
	return max(1, min(asked, max(e.options.Threads, 1)))
}

// Think implements engine.Engine. With few empty squares it solves; how few
// depends on the limits.
func (e *Engine) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	pos, ok := p.(*othello.Position)
	if !ok {
		return nil, engine.ErrGame
	}
	own, opp := pos.Discs(pos.Turn()), pos.Discs(pos.Turn()^1)
	threads := e.threads(l.Threads)
	// What one thread finds within a number of plies or nodes is the same every
	// time, if it knows nothing from before.
	ctx, end, err := e.begin(ctx, threads == 1 && (l.Depth > 0 || l.Nodes > 0))
	if err != nil {
		return nil, err
	}
	defer end()
	q, ok := newQuest(ctx, own, opp, threads, l.Multi, l.Seed)
	if !ok {
		return nil, engine.ErrOver
	}
	q.limit, q.record = l.Nodes, l.Record
	usual := time.Duration(0)
	if l.Time > 0 {
		q.deadline = q.began.Add(l.Time)
	}
	if l.Clock != nil {
		var longest time.Duration
		usual, longest = share(l.Clock, q.n)
		if d := q.began.Add(longest); q.deadline.IsZero() || d.Before(q.deadline) {
			q.deadline = d
		}
		if len(q.options) == 1 {
			// There is nothing to decide: a glance tells what is to come.
			l.Depth, usual = 4, 0
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	q.start(e.table)
	if watch != nil {
		watch(q.report())
	}
	for _, s := range plan(q.n, &l) {
		if !q.search(s.depth, s.sure) {
			break
		}
		if watch != nil {
			watch(q.report())
		}
		if usual > 0 && time.Since(q.began) > usual*6/10 {
			break
		}
	}
	r := q.report()
	if len(q.options) == 1 && l.Clock != nil {
		r.Note = "only move"
	}
	return r, nil
}

// report tells what is known.
func (q *quest) report() *engine.Report {
	r := &engine.Report{
		Depth: q.depth, Selectivity: sureness[q.sure].percent, Nodes: q.nodes(), Elapsed: time.Since(q.began),
	}
	if q.depth < q.n && q.depth < cutFrom {
		r.Selectivity = 100
	}
	for i := range min(q.multi, len(q.options)) {
		x := &q.options[i]
		line := engine.Line{
			// Bounds of windows are odd hundredths, which mean nothing.
			Move: move(x.square), Value: engine.Value(floor(q.even(x)+5, 10) * 10), Exact: x.depth >= q.n && x.sure == certain, Moves: q.line(x),
		}
		switch {
		case x.bound > 0:
			line.Bound = engine.AtLeast
		case x.bound < 0:
			line.Bound = engine.AtMost
		}
		r.Lines = append(r.Lines, line)
	}
	r.Counters = q.counters()
	return r
}

// move returns a square as the rules write it.
func move(square uint8) game.Move {
	if square >= none {
		return game.Pass
	}
	return game.Drop(board.Point(square>>3)*board.Stride + board.Point(square&7))
}

// line follows what the table holds behind an option. With few empty squares
// left, where the table holds nothing, an exact line is searched to its end.
func (q *quest) line(x *option) []game.Move {
	moves := []game.Move{move(x.square)}
	own, opp := x.own, x.opp
	w := q.workers[0]
	exact := x.depth >= q.n && x.sure == certain
	for {
		legal := movable(own, opp)
		if legal == 0 {
			if movable(opp, own) == 0 {
				return moves
			}
			moves = append(moves, game.Pass)
			own, opp = opp, own
			continue
		}
		n := 64 - bits.OnesCount64(own|opp)
		e, ok := w.home(n).probe(w.key(own, opp))
		s := uint(e.first)
		switch {
		case ok && s < 64 && legal>>s&1 != 0 && (!exact || int(e.depth) == n && int(e.sure) == certain && e.lower == e.upper):
		case exact && n < bigFrom:
			s = w.finest(own, opp, n, legal)
		default:
			return moves
		}
		moves = append(moves, move(uint8(s)))
		own, opp = play(own, opp, flips(own, opp, s), s)
	}
}

// finest returns a best move with few empty squares. It takes no more than a
// few milliseconds and cannot be stopped.
func (w *worker) finest(own, opp uint64, n int, moves uint64) (best uint) {
	stopped, pause, record := w.stopped, w.pause, w.record
	w.stopped, w.pause, w.record = false, math.MaxInt64, nil
	defer func() { w.stopped, w.pause, w.record = stopped, pause, record }()
	low := lost
	for ; moves != 0; moves &= moves - 1 {
		s := uint(bits.TrailingZeros64(moves))
		x, y := play(own, opp, flips(own, opp, s), s)
		if v := -w.exact(x, y, -65, -low, n-1, movable(x, y), oddQuarters(^(x | y)), certain); v > low {
			low, best = v, s
		}
	}
	return best
}
