package alphabeta

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"qipu/engine"
	"qipu/game"
)

// Options say how an engine reads. The zero value is the strongest.
type Options struct {
	Name  string   // of the engine; default "alphabeta"
	Games []string // the games that it plays; empty for all

	Hash int64 // bytes of the table; 0 for 16 MiB

	// Quiesce is how many plies are read at most behind the last one, where
	// pieces are taken; 0 for 8, negative for none.
	Quiesce int

	Levels []engine.Level // at which it plays; nil for the usual ones

	Known engine.Knower // the truth about positions; nil for nothing

	// What is left out, for study.
	NoCuts       bool // plain minimax: every position is read
	NoDeepening  bool // the whole depth at once
	NoAspiration bool // each depth begins with the widest window
	NoScout      bool // every move has the full window
	NoTable      bool
	NoKillers    bool
	NoHistory    bool
	NoExtension  bool // forced moves count as a ply like others
}

// Candidates is an Evaluator that knows which moves are worth reading.
type Candidates interface {
	// Candidates returns those of the legal moves that are worth reading, in
	// the place of the list, what looks best first. Of a list that is not empty
	// it leaves at least one. The position may be played on and taken back.
	Candidates(p game.Position, moves []game.Move) []game.Move
}

// Tactician is an Evaluator that knows which moves must be read before a
// position can be judged. Without it, these are the moves of a piece onto
// another, and stones put so that others are taken off.
type Tactician interface {
	// Loud returns those of the legal moves that are, in the place of the list,
	// what looks best first; it may leave none.
	Loud(p game.Position, moves []game.Move) []game.Move
}

// Presser is an Evaluator that knows positions which cannot be judged as they stand,
// since the side to move has no choice but to change them: where captures are forced.
// All moves are read there before a position is quiet.
type Presser interface {
	Pressed(p game.Position) bool
}

// Follower is an Evaluator that keeps what it knows of a position while moves are made
// and taken back. It is one engine's alone.
type Follower interface {
	// Begin is told the position that a search begins with.
	Begin(p game.Position)

	// Made is told a move that was made, with the position behind it; Undone, that the
	// last one was taken back.
	Made(p game.Position, m game.Move)
	Undone()
}

// Gauge is an Evaluator that tells what a small mistake costs in its values;
// see engine.Info.Slip.
type Gauge interface {
	Slip() engine.Value
}

// Engine reads ahead.
type Engine struct {
	o     Options
	eval  engine.Evaluator
	table *transpositions

	solo engine.Solo
}

var _ engine.Engine = (*Engine)(nil)

// New returns an engine that judges positions by an evaluator. The table is made
// with the first thought.
func New(e engine.Evaluator, o Options) *Engine {
	if o.Name == "" {
		o.Name = "alphabeta"
	}
	if o.Hash <= 0 {
		o.Hash = 16 << 20
	}
	if o.Quiesce == 0 {
		o.Quiesce = 8
	}
	return &Engine{o: o, eval: e}
}

// Info describes the engine.
func (e *Engine) Info() engine.Info {
	info := engine.Info{Name: e.o.Name, Version: "1", Games: e.o.Games, Levels: e.o.Levels}
	if g, ok := e.eval.(Gauge); ok {
		info.Slip = g.Slip()
	}
	return info
}

// Close ends the thought that is going on. The engine thinks no more.
func (e *Engine) Close() error {
	e.solo.Close(nil)
	return nil
}

// Think reads ahead within the limits. A second call waits for the first.
func (e *Engine) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	ctx, end, err := e.solo.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if r, ok, err := engine.Answer(ctx, e.o.Known, t, l, watch); ok || err != nil {
		return r, err
	}
	s, err := e.begin(ctx, t, l)
	if err != nil {
		return nil, err
	}
	unhook := context.AfterFunc(ctx, func() { s.halt.Store(true) })
	defer unhook()
	s.deepen(watch)
	if s.err != nil {
		return nil, s.err
	}
	if s.report == nil {
		return nil, fmt.Errorf("%s found no move in time: %w", e.o.Name, context.Cause(ctx))
	}
	return s.report, nil
}

// begin sets up a search.
func (e *Engine) begin(ctx context.Context, t *engine.Task, l engine.Limits) (*search, error) {
	if len(e.o.Games) > 0 && !slices.Contains(e.o.Games, t.Rules.Info().Name) {
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
	if e.table == nil && !e.o.NoTable {
		e.table = newTable(e.o.Hash)
	}
	if e.table != nil {
		// Limits that can be repeated promise answers that can be: what was
		// read before must not change them.
		e.table.next(l.Depth > 0 || l.Nodes > 0)
	}
	s := &search{
		Options: &e.o, eval: e.eval, table: e.table, p: p,
		nodeLimit: l.Nodes, began: time.Now(), record: l.Record,
	}
	if e.o.Known != nil {
		s.rules, s.few = t.Rules, e.o.Known.MostMen(t.Rules)
	}
	s.candidates, _ = e.eval.(Candidates)
	s.tactician, _ = e.eval.(Tactician)
	s.pressed, _ = e.eval.(Presser)
	if s.follower, _ = e.eval.(Follower); s.follower != nil {
		s.follower.Begin(p)
	}
	s.checked, _ = p.(checked)
	s.changer, _ = p.(game.Changer)
	s.planar, _ = p.(game.Planar)
	s.root = s.choose(moves)
	if n := len(t.Moves); n > 0 {
		s.last[0] = t.Moves[n-1]
	}
	if l.Seed != 0 {
		rng := rand.New(rand.NewPCG(l.Seed, 0))
		if s.candidates == nil { // theirs is an order by merit
			rng.Shuffle(len(s.root), func(i, j int) { s.root[i], s.root[j] = s.root[j], s.root[i] })
		}
	}
	s.multi = max(l.Multi, 1)
	if l.Multi < 0 || s.multi > len(s.root) {
		s.multi = len(s.root)
	}
	s.limit(l, len(moves) == 1)
	return s, nil
}

// limit sets depth and time. Only one move is possible where only is set: who
// plays by the clock then saves it.
func (s *search) limit(l engine.Limits, only bool) {
	s.depth = l.Depth
	if s.depth <= 0 || s.depth > maxDepth {
		s.depth = maxDepth
	}
	soft, hard := l.Time, l.Time
	if c := l.Clock; c != nil {
		moves := c.Moves
		if moves <= 0 {
			moves = 30
		}
		share := c.Left/time.Duration(moves+1) + c.Increment*3/4
		most := max(c.Left-50*time.Millisecond, c.Left/2) * 3 / 4
		share, most = min(share, most), min(share*3, most)
		if hard == 0 || most < hard {
			soft, hard = share, most
		}
	}
	if hard > 0 {
		// A depth takes several times as long as the one before: it is not
		// begun where the better part of the time is gone.
		s.soft, s.hard = s.began.Add(soft*6/10), s.began.Add(hard)
		if only && s.multi == 1 {
			s.depth, s.note = min(s.depth, 2), "only move"
		}
	}
}
