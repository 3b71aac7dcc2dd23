package xiangqi

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"qipu/engine"
	"qipu/engine/tree"
	"qipu/game"
	"qipu/game/xiangqi"
)

// Options say how an engine is made.
type Options struct {
	Name    string
	Hash    int64 // bytes of the table; 0 for 32 MiB
	Threads int   // the most that a thought may use; 0 for one
	InTurns bool  // threads take turns, so that what they are worth can be measured: each has the positions of Limits.Nodes
	Levels  []engine.Level
	Off     Switches
	Known   engine.Knower  // the truth about positions; nil for nothing
	Further func() Further // makes a further term of the evaluation for each thread; nil for none
}

// Further is a further term of the evaluation, which follows a search: it is told the position
// at the root, which is its own, and then lines from there.
type Further interface {
	Begin(root game.Position)
	Worth(line []game.Move, side game.Side) engine.Value
}

// Switches turn parts of the search off, for those who measure what they are worth.
type Switches struct {
	Null       bool // a pass that is still too good cuts
	Late       bool // late moves are read less deep
	Count      bool // very late ones not at all
	Merit      bool // nor ones that were bad before
	Futility   bool // positions and moves far from the window are not read
	Razor      bool // hopeless positions are quiesced
	Exchange   bool // moves that lose by exchange are left out
	Singular   bool // an only good move is read deeper
	Check      bool // checks are
	Internal   bool // positions without a known move are read less deep
	Loud       bool // behind the last ply checks are read, too
	Aspiration bool // each depth begins with a narrow window
	Net        bool // positions are judged by a net, not by terms
}

// Engine plays Xiangqi. It thinks about one task at a time; others wait.
type Engine struct {
	o     Options
	solo  engine.Solo
	table *tree.Table // made with the first thought, as are the workers
	crew  []*worker
}

var _ engine.Engine = (*Engine)(nil)

const usualHash = 32 << 20

// New returns an engine. It costs nothing before the first thought.
func New(o Options) *Engine {
	if o.Name == "" {
		o.Name = "Qipu Xiangqi"
	}
	if o.Hash <= 0 {
		o.Hash = usualHash
	}
	return &Engine{o: o}
}

// Info describes the engine.
func (e *Engine) Info() engine.Info {
	return engine.Info{Name: e.o.Name, Version: "2", Games: []string{xiangqi.Standard.Info().Name}, Slip: engine.Unit / 3, Levels: e.o.Levels,
		Accuracy: slices.Clone(accuracy), Measured: measured, Itself: true}
}

// accuracy is what "qipu workshop accuracy --game xiangqi --all --solve -1 --moves 300 --depths
// 4,6,8,10 --truth 13" printed of master games. A review that is asked for a depth reads a ply
// less for one of the sides.
var accuracy = []engine.Accuracy{
	{Depth: 4, Mean: 0.0229, Most: 0.1272},
	{Depth: 6, Mean: 0.0195, Most: 0.1055},
	{Depth: 8, Mean: 0.0145, Most: 0.0945},
	{Depth: 10, Mean: 0.0119, Most: 0.0701},
}

// measured says how.
const measured = "300 moves of master games, against depth 13 of the same engine: how wrong that is nobody knows"

// Close ends the thought and gives the memory back.
func (e *Engine) Close() error {
	e.solo.Close(func() { e.table, e.crew = nil, nil })
	return nil
}

// Think implements engine.Engine.
func (e *Engine) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if r, ok, err := engine.Answer(ctx, e.o.Known, t, l, watch); ok || err != nil {
		return r, err
	}
	th, err := e.begin(ctx, t, l)
	if err != nil {
		return nil, err
	}
	unhook := context.AfterFunc(ctx, func() { th.stop.Store(true) })
	defer unhook()
	var helpers sync.WaitGroup
	for i, w := range th.crew[1:] {
		roots := slices.Clone(th.roots) // which the first thread will change
		helpers.Go(func() { w.help(th, i+1, roots) })
	}
	if th.turns != nil {
		th.turns.await(0)
	}
	th.deepen(watch)
	th.stop.Store(true)
	if th.turns != nil {
		th.turns.leave(0)
	}
	helpers.Wait()
	if th.report == nil {
		return nil, fmt.Errorf("%s found no move in time: %w", e.o.Name, context.Cause(ctx))
	}
	return th.report, nil
}

// thought is one that is going on.
type thought struct {
	shared
	began  time.Time
	budget tree.Budget
	depth  int
	multi  int
	note   string
	crew   []*worker
	roots  []root
	report *engine.Report
}

// root is a move at the root and what is known of it.
type root struct {
	move  move
	value int
	old   int // of the depth before
	bound engine.Bound
	pv    []move
	nodes int64
}

// begin sets a thought up.
func (e *Engine) begin(ctx context.Context, t *engine.Task, l engine.Limits) (*thought, error) {
	rules, ok := t.Rules.(*xiangqi.Rules)
	if !ok {
		return nil, fmt.Errorf("%s: %w", e.o.Name, engine.ErrGame)
	}
	p, err := t.Position()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.o.Name, err)
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return nil, engine.ErrOver
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	threads := max(1, min(l.Threads, max(e.o.Threads, 1)))
	forget := (threads == 1 || e.o.InTurns) && (l.Depth > 0 || l.Nodes > 0)
	if e.table == nil {
		e.table = tree.NewTable(e.o.Hash)
	}
	e.table.Next(forget)
	th := &thought{began: time.Now(), depth: l.Depth, multi: max(l.Multi, 1)}
	th.table, th.limit, th.off, th.still = e.table, l.Nodes, e.o.Off, int32(rules.Quiet())
	if th.depth <= 0 || th.depth > maxPly/2 {
		th.depth = maxPly / 2
	}
	if l.Multi < 0 || th.multi > len(moves) {
		th.multi = len(moves)
	}
	th.budget = tree.Spend(th.began, l)
	th.hard = th.budget.Hard
	if len(moves) == 1 && th.multi == 1 && l.Clock != nil {
		th.depth, th.note = min(th.depth, 2), "only move"
	}
	for _, m := range moves {
		th.roots = append(th.roots, root{move: inner(m), value: worst, old: worst})
	}
	if l.Seed != 0 {
		rng := rand.New(rand.NewPCG(l.Seed, 0))
		rng.Shuffle(len(th.roots), func(i, j int) { th.roots[i], th.roots[j] = th.roots[j], th.roots[i] })
	}
	start, path := history(t)
	for len(e.crew) < threads {
		e.crew = append(e.crew, new(worker))
	}
	for i, w := range e.crew[:threads] {
		w.reset(&th.shared, start, path, forget)
		w.number = i
		w.referee = referee(t)
		w.truth.Begin(e.o.Known, t.Rules)
		if e.o.Further != nil {
			if w.term == nil {
				w.term = e.o.Further()
			}
			w.term.Begin(w.referee())
		}
		th.crew = append(th.crew, w)
	}
	th.crew[0].record = l.Record
	if e.o.InTurns {
		th.turns = newTurns(threads)
	}
	return th, nil
}

// history returns the board of a task and the hashes of the positions that led to it.
func history(t *engine.Task) (position, []uint64) {
	p := t.Rules.Start()
	if t.Start != nil {
		p, _ = t.Rules.Arrange(*t.Start) // the task was played before
	}
	b := arrange(p)
	path := []uint64{b.hash}
	for _, m := range t.Moves {
		b.play(inner(m))
		path = append(path, b.hash)
	}
	return b, path
}

// referee returns what makes positions of the rules at the root.
func referee(t *engine.Task) func() game.Position {
	var root game.Position
	return func() game.Position {
		if root == nil {
			root, _ = t.Position()
		}
		return root.(game.Copier).Copy()
	}
}

// reset readies a worker for a thought. What it has learnt of moves fades, or is
// forgotten where the answer must not depend on it.
func (w *worker) reset(s *shared, start position, path []uint64, forget bool) {
	w.shared, w.b, w.record = s, start, nil
	w.path = append(w.path[:0], path...)
	w.line = w.line[:0]
	w.nodes, w.told, w.stopped, w.must, w.depth0 = 0, 0, false, false, 0
	w.verdict = map[uint64]int{}
	if s.off.Net {
		w.eyes.open(nil)
	} else {
		w.eyes.open(shippedNet())
	}
	clear(w.stack[:])
	for i := range w.stack {
		w.stack[i].eval = unknown
	}
	if forget {
		w.memory = memory{}
	}
}

// help reads the same tree as the first thread, from another depth on: what it finds
// comes by the table.
func (w *worker) help(th *thought, number int, roots []root) {
	if th.turns != nil {
		th.turns.await(number)
		defer th.turns.leave(number)
	}
	for d := 1 + number%2; d <= th.depth && !w.stopped; d++ {
		w.pass(roots, d, worst, -worst, 1)
	}
	w.shared.nodes.Add(w.nodes - w.told)
	w.told = w.nodes
}
