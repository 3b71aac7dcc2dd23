package puct

import (
	"context"
	"fmt"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/shaped"
	"qipu/engine/sight"
	"qipu/game"
	"qipu/game/weiqi"
)

// Options say how an engine is made.
type Options struct {
	Name   string         // default "Qipu Go"
	Hash   int64          // bytes of the tree; 0 for 64 MiB
	Levels []engine.Level // at which it plays; nil for those of the package

	// Shapes has shapes of the knowledge base correct where the net expects moves.
	Shapes bool

	// Resign has it give up games that are surely lost, where it is asked for a move
	// to play.
	Resign bool
}

// Engine searches. It thinks about one task at a time.
type Engine struct {
	o       Options
	workers []*worker
	tree    tree
	spare   tree

	// Of the tree: the task that it is about, and whether it can be used again.
	task  engine.Task
	valid bool

	solo engine.Solo
}

var _ engine.Engine = (*Engine)(nil)

// New returns an engine with the net that comes with the program.
func New(o Options) (*Engine, error) {
	if o.Name == "" {
		o.Name = "Qipu Go"
	}
	if o.Hash <= 0 {
		o.Hash = 64 << 20
	}
	if o.Levels == nil {
		o.Levels = Levels()
	}
	e := &Engine{o: o}
	_, err := e.worker(0)
	return e, err
}

// worker returns the worker of a thread.
func (e *Engine) worker(i int) (*worker, error) {
	for len(e.workers) <= i {
		eye, err := sight.New()
		if err != nil {
			return nil, fmt.Errorf("puct: %w", err)
		}
		w := &worker{eye: eye}
		if e.o.Shapes {
			if w.shapes, err = shaped.New(); err != nil {
				return nil, fmt.Errorf("puct: %w", err)
			}
		}
		e.workers = append(e.workers, w)
	}
	return e.workers[i], nil
}

// Info describes the engine.
func (e *Engine) Info() engine.Info {
	return engine.Info{Name: e.o.Name, Version: "2", Games: []string{weiqi.Standard.Info().Name}, Levels: e.o.Levels, Points: true, Steady: true,
		Accuracy: slices.Clone(accuracy), Measured: measured, Itself: true}
}

// accuracy is what "qipu workshop accuracy --game go --moves 60 --depths 1,5 --truth 8"
// printed of those of 700 professional games that training kept out. A depth is a number of
// doublings of the visits.
var accuracy = []engine.Accuracy{
	{Depth: 1, Mean: 0.27, Most: 2.09},
	{Depth: 5, Mean: 0.12, Most: 0.47},
}

// measured says how.
const measured = "60 moves of professional games that were kept out of training, by the net before this one, against 128 visits of the same engine: how wrong these are nobody knows"

// Close ends the thought that is going on. The engine thinks no more.
func (e *Engine) Close() error {
	e.solo.Close(nil)
	return nil
}

// Think searches within the limits. A second call waits for the first.
func (e *Engine) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	p, last, err := e.position(t)
	if err != nil {
		return nil, err
	}
	e.prepare(t, l)
	s := &search{engine: e, tree: &e.tree, limits: l, watch: watch}
	if err := s.run(ctx, p, last); err != nil {
		e.valid = false
		return nil, err
	}
	if l.Multi == 0 && e.o.Resign && s.hopeless() {
		lost, err := e.lost(t)
		if err == nil && lost {
			return nil, engine.ErrResigned
		}
	}
	r := s.report()
	if l.Multi > 1 {
		err = e.decide(r, p, last)
	}
	return r, err
}

// position plays the moves of a task, and returns them as points.
func (e *Engine) position(t *engine.Task) (*weiqi.Position, []board.Point, error) {
	at, err := t.Position()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", e.o.Name, err)
	}
	p, ok := at.(*weiqi.Position)
	if !ok {
		return nil, nil, fmt.Errorf("%s: %w", e.o.Name, engine.ErrGame)
	}
	if !sight.Sees(p.Planes().Size) {
		return nil, nil, fmt.Errorf("%s: %w: %w", e.o.Name, engine.ErrGame, sight.ErrSize)
	}
	if p.Outcome().Final() {
		return nil, nil, engine.ErrOver
	}
	return p, pointsOf(t.Moves), nil
}

func pointsOf(moves []game.Move) []board.Point {
	list := make([]board.Point, len(moves))
	for i, m := range moves {
		list[i] = m.To()
	}
	return list
}

// prepare keeps of the tree what belongs to a task, where the answer need not be the
// same again.
func (e *Engine) prepare(t *engine.Task, l engine.Limits) {
	e.tree.most = e.o.Hash / 2 // the other half is for the next root
	n := len(e.task.Moves)
	kept := e.valid && l.Nodes == 0 && l.Depth == 0 && l.Multi >= 0 &&
		e.task.Rules == t.Rules && e.task.Start == t.Start && len(t.Moves) >= n && slices.Equal(e.task.Moves, t.Moves[:n]) &&
		e.tree.descend(t.Moves[n:], &e.spare)
	if !kept {
		e.tree.reset()
	}
	e.task = engine.Task{Rules: t.Rules, Start: t.Start, Moves: slices.Clone(t.Moves)}
	e.valid = true
}

// What a lost game looks like, now and at the last moves of the same side.
const (
	lostChance = 0.03
	lostBefore = 2 // moves of the same side
)

// lost reports whether the net saw a game as lost at the last moves of the side to
// move, too, by the chance to win, by the lead and by whose the points are.
func (e *Engine) lost(t *engine.Task) (bool, error) {
	if len(t.Moves) < 2*lostBefore {
		return false, nil
	}
	w := e.workers[0]
	for i := range lostBefore + 1 {
		before := engine.Task{Rules: t.Rules, Start: t.Start, Moves: t.Moves[:len(t.Moves)-2*i]}
		p, last, err := e.position(&before)
		if err != nil {
			return false, err
		}
		w.begin(p, last, w.seed)
		w.moves = w.moves[:0]
		if err := w.see(); err != nil {
			return false, err
		}
		count := float64(p.Rules().Komi()) / 2
		if p.Turn() == weiqi.Black {
			count = -count
		}
		for _, x := range w.sight.Owner {
			count += 2*x - 1
		}
		if margin := w.margin(); w.sight.Win > 2*lostChance || w.sight.Lead > -margin || count > -margin/2 {
			return false, nil
		}
	}
	return true, nil
}

// margin is the lead beyond which nobody doubts who wins.
func (w *worker) margin() float64 {
	return max(float64(w.p.Planes().Size.Area())/24, 2*w.sight.Spread)
}
