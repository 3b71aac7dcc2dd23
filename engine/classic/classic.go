package classic

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// MaxDepth is how deep a method may be asked to read.
const MaxDepth = 60

const (
	inf       = engine.Win + 1
	usualMost = 20_000_000 // positions, where a problem does not say
	room      = 1 << 20    // positions that a method keeps in memory at most
)

// Order is the order in which moves are read.
type Order string

// The orders.
const (
	Natural Order = ""       // as the game lists them
	Static  Order = "static" // by the judgement of the positions behind them, the best first
	Worst   Order = "worst"  // the same, the worst first
	Random  Order = "random" // by chance, from the seed
)

// Problem is what a method is to solve.
type Problem struct {
	Position game.Position // played on and taken back
	Eval     engine.Evaluator
	Depth    int    // plies; what has no horizon takes it as a bound of nothing
	Nodes    int64  // positions that may be entered; 0 for 20 million
	Order    Order  // of moves, where the method has none of its own
	Seed     uint64 // of the order by chance

	Band    engine.Value // bandwidth: the error that is allowed; 0 for half a unit
	Widths  []int        // tapered: how many moves are read at each ply, the last for all deeper ones; nil for 8 6 5 4 3
	Printed bool         // bstar: bounds as the survey prints them

	Record *trace.Recorder // nil for nobody
}

// Stage is one round of a method that reads again and again.
type Stage struct {
	Depth         int
	Nodes, Leaves int64
	Value         engine.Value
	Move          game.Move
}

// Result is what a method found.
type Result struct {
	Value engine.Value // for the side to move
	Move  game.Move
	Line  []game.Move

	// Low and High are bounds of the value, where the method gives such; both are the
	// value where not.
	Low, High engine.Value

	Nodes  int64 // positions entered, the root not counted
	Leaves int64 // positions judged or counted at the horizon
	Judged int64 // positions judged for ordering or bounds
	Kept   int64 // positions that were in memory at the same time

	Whole  bool    // it came to its end, and was not stopped by a limit
	Proved bool    // the move is proved best, or the game won or lost
	Pruned int64   // moves that were left out unread
	Stages []Stage //
	Note   string  // what else there is to say, in a sentence
}

// Method is one method of search.
type Method struct {
	Name   string
	Title  string
	Source string // who and when
	Exact  bool   // its value is that of minimax of the same depth
	Memory bool   // it keeps positions in memory
	run    func(*walk) error
}

// Methods lists the methods in the order of the survey.
func Methods() []Method { return slices.Clone(methods) }

var methods = []Method{
	{"minimax", "Minimax, depth first", "Shannon 1950", true, false, minimax},
	{"breadth", "Minimax, breadth first", "Shannon 1950", true, true, breadth},
	{"shallow", "Branch and bound with shallow cuts", "Newell, Shaw, Simon 1958", true, false, shallow},
	{"alphabeta", "Alpha-beta", "McCarthy 1956; Hart, Edwards 1961", true, false, alphabeta},
	{"fixed", "Alpha-beta, fixed ordering", "Slagle, Dixon 1969", true, false, fixed},
	{"dynamic", "Alpha-beta, dynamic ordering", "Slagle, Dixon 1969", true, false, dynamic},
	{"staged", "Staged alpha-beta", "Slate, Atkin; Gillogly; KAISSA, about 1972", true, true, staged},
	{"tapered", "Tapered n-best forward pruning", "Greenblatt 1967", false, false, tapered},
	{"optimist", "Optimistic-pessimistic forward pruning", "paper 002", false, false, optimist},
	{"quiet", "Alpha-beta with quiescence by captures", "Shannon 1950; Turing 1953", false, false, quiet},
	{"goals", "Alpha-beta with quiescence by goals", "paper 002", false, false, goals},
	{"analogy", "Alpha-beta with analogy", "Adelson-Velsky, Arlazarov, Donskoy 1975", false, true, analogy},
	{"bandwidth", "Band width search", "Harris 1974", false, false, bandwidth},
	{"bstar", "B*", "Berliner 1979", false, true, bstar},
	{"ponder", "Staged alpha-beta that thinks on", "Gillogly 1972", true, true, ponder},
	{"scout", "Scout", "Pearl 1980", true, false, scout},
	{"mtdf", "MTD(f)", "Plaat and others 1996", true, true, mtdf},
	{"proof", "Proof-number search", "Allis 1994", false, true, proof},
}

// Find returns a method by its name.
func Find(name string) (Method, error) {
	var names []string
	for _, m := range methods {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Method{}, fmt.Errorf("there is no method %q: the methods are %s", name, strings.Join(names, ", "))
}

// The limits that end a search early; what was found until then is in the result.
var errNodes = errors.New("the limit of positions was reached")

// Run solves a problem by a method. Where a limit or the context ends it, the result
// has what was found so far, is not Whole, and the error is nil; the cause of a
// context that ended is an error only where nothing was found.
func Run(ctx context.Context, name string, p Problem) (*Result, error) {
	m, err := Find(name)
	if err != nil {
		return nil, err
	}
	switch {
	case p.Position == nil || p.Eval == nil:
		return nil, errors.New("a position and an evaluation are needed")
	case p.Depth < 1 || p.Depth > MaxDepth:
		return nil, fmt.Errorf("depth %d: want 1 to %d plies", p.Depth, MaxDepth)
	case p.Position.Outcome().Final() || len(p.Position.AppendMoves(nil)) == 0:
		return nil, engine.ErrOver
	case p.Order != Natural && p.Order != Static && p.Order != Worst && p.Order != Random:
		return nil, fmt.Errorf("there is no order %q: the orders are static, worst and random", p.Order)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if p.Nodes <= 0 {
		p.Nodes = usualMost
	}
	w := &walk{Problem: p, p: p.Position, ctx: ctx, rng: rand.New(rand.NewPCG(p.Seed, 2))}
	w.leaf = w.judged
	err = m.run(w)
	if err == nil {
		err = w.err
	}
	if err != nil {
		return nil, err
	}
	r := &w.result
	r.Whole = w.stop == nil
	if r.Move == game.NoMove {
		if w.stop == errNodes {
			return nil, fmt.Errorf("%s: %w before a move was found", name, errNodes)
		}
		return nil, fmt.Errorf("%s: no move was found in time: %w", name, w.stop)
	}
	if r.Low == 0 && r.High == 0 {
		r.Low, r.High = r.Value, r.Value
	}
	return r, nil
}

// node reads a position that is neither over nor at the horizon: its value for the
// side to move, why it was left, and the number of the move that cut.
type node func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int)

// walk is a search that is going on.
type walk struct {
	Problem
	p    game.Position
	ctx  context.Context
	rng  *rand.Rand
	node node
	leaf func(ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int)

	stop   error // why it ends early
	err    error // a game broke its own law
	result Result
	pv     [4*MaxDepth + 2][]game.Move
}

// root reads the position itself within a window, and notes value, move and line.
func (w *walk) root(depth int, alpha, beta engine.Value) engine.Value {
	w.pv[0] = w.pv[0][:0]
	if w.Record != nil {
		w.Record.Enter(game.NoMove, false, int32(alpha), int32(beta))
	}
	v, why, at := w.node(depth, 0, alpha, beta)
	if w.stop != nil {
		why = trace.Stopped
	}
	if w.Record != nil {
		w.Record.Leave(int32(v), why, at)
	}
	if len(w.pv[0]) > 0 && (w.stop == nil || w.result.Move == game.NoMove) {
		w.result.Value, w.result.Move, w.result.Line = v, w.pv[0][0], slices.Clone(w.pv[0])
	}
	return v
}

// visit reads the position behind a move within the window of the side that makes it;
// so is the value.
func (w *walk) visit(m game.Move, depth, ply int, alpha, beta engine.Value) engine.Value {
	side := w.p.Turn()
	if w.halted() {
		return 0
	}
	if err := w.p.Play(m); err != nil {
		w.err, w.stop = err, err
		return 0
	}
	w.result.Nodes++
	again := w.p.Turn() == side
	if !again {
		alpha, beta = -beta, -alpha
	}
	if w.Record != nil {
		w.Record.Enter(m, again, int32(alpha), int32(beta))
	}
	w.pv[ply+1] = w.pv[ply+1][:0]
	v, why, at := w.behind(depth, ply+1, alpha, beta)
	if w.stop != nil {
		why = trace.Stopped
	}
	if w.Record != nil {
		w.Record.Leave(int32(v), why, at)
	}
	w.p.Undo()
	if !again {
		v = -v
	}
	return v
}

func (w *walk) behind(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
	if o := w.p.Outcome(); o.Over() {
		w.result.Leaves++
		return w.ended(o, ply), trace.Over, 0
	}
	if depth <= 0 || ply >= len(w.pv)-2 {
		return w.leaf(ply, alpha, beta)
	}
	return w.node(depth, ply, alpha, beta)
}

// halted reports whether the search has to end.
func (w *walk) halted() bool {
	switch {
	case w.stop != nil:
	case w.result.Nodes >= w.Nodes:
		w.stop = errNodes
	case w.result.Nodes&63 == 0 && w.ctx.Err() != nil:
		w.stop = context.Cause(w.ctx)
	}
	return w.stop != nil
}

// called reports whether the context has: for work that takes long and enters nothing.
func (w *walk) called() bool {
	if w.stop == nil && w.ctx.Err() != nil {
		w.stop = context.Cause(w.ctx)
	}
	return w.stop != nil
}

// judged is the value of a position as it stands.
func (w *walk) judged(int, engine.Value, engine.Value) (engine.Value, trace.Reason, int) {
	w.result.Leaves++
	return w.judge(), trace.Horizon, 0
}

// judge returns the judgement of a position for the side to move.
func (w *walk) judge() (v engine.Value) {
	if w.Record == nil {
		v = w.Eval.Evaluate(w.p)
	} else {
		began := w.Record.Begin(trace.Evaluate)
		v = w.Eval.Evaluate(w.p)
		w.Record.End(trace.Evaluate, began)
	}
	return min(max(v, 1-engine.Decided), engine.Decided-1)
}

// ended returns the value of a game that is over, for the side to move.
func (w *walk) ended(o game.Outcome, ply int) (v engine.Value) {
	switch o.State {
	case game.Won:
		v = engine.Win - engine.Value(ply)
		if o.Margin > 0 {
			v = min(engine.Value(o.Margin)*engine.Unit/2, engine.Decided-1)
		}
		if o.Winner != w.p.Turn() {
			v = -v
		}
	case game.Unscored:
		return w.judge()
	}
	return v
}

// line sets the best line of a ply.
func (w *walk) line(ply int, m game.Move) {
	w.pv[ply] = append(append(w.pv[ply][:0], m), w.pv[ply+1]...)
}

// moves returns the legal moves in the order of the problem.
func (w *walk) moves() []game.Move { return w.movesBy(w.Order) }

func (w *walk) movesBy(o Order) []game.Move {
	list := w.generate()
	switch o {
	case Random:
		w.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case Static, Worst:
		values, again := w.statics(list)
		if o == Worst {
			sortBy(list, values, again, 1)
		} else {
			sortBy(list, values, again, -1)
		}
	}
	return list
}

func (w *walk) generate() []game.Move {
	if w.Record == nil {
		return w.p.AppendMoves(nil)
	}
	began := w.Record.Begin(trace.Generate)
	list := w.p.AppendMoves(nil)
	w.Record.End(trace.Generate, began)
	return list
}

// sortBy sorts moves by their values, with a sign of -1 the highest first. Of equal ones
// those come first behind which the side moves again; others stay in their order.
func sortBy(list []game.Move, values []engine.Value, again []bool, sign int) {
	rank := func(i int) int {
		if again[i] {
			return 2*int(values[i]) + 1
		}
		return 2 * int(values[i])
	}
	at := make([]int, len(list))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return sign * (rank(a) - rank(b)) })
	sorted, of := make([]game.Move, len(list)), make([]engine.Value, len(list))
	for i, j := range at {
		sorted[i], of[i] = list[j], values[j]
	}
	copy(list, sorted)
	copy(values, of)
}

// statics judges the positions behind moves, for the side that makes them, and tells
// where it moves again.
func (w *walk) statics(list []game.Move) (values []engine.Value, again []bool) {
	values, again = make([]engine.Value, len(list)), make([]bool, len(list))
	if w.called() {
		return values, again
	}
	side := w.p.Turn()
	for i, m := range list {
		if err := w.p.Play(m); err != nil {
			w.err, w.stop = err, err
			return values, again
		}
		if o := w.p.Outcome(); o.Over() {
			values[i] = w.ended(o, 0)
		} else {
			values[i] = w.judge()
			again[i] = w.p.Turn() == side
		}
		if w.p.Turn() != side {
			values[i] = -values[i]
		}
		w.p.Undo()
		w.result.Judged++
	}
	return values, again
}

// through reads moves one after the other, starting from what is had already, until one
// reaches beta: the loop that most methods share. They differ in how they read a move,
// given the best so far.
func (w *walk) through(list []game.Move, ply int, best, beta engine.Value, read func(i int, m game.Move, best engine.Value) engine.Value) (engine.Value, trace.Reason, int) {
	for i, m := range list {
		v := read(i, m, best)
		if w.stop != nil {
			return best, trace.Stopped, 0
		}
		if v > best {
			best = v
			w.line(ply, m)
		}
		if best >= beta {
			return best, trace.Cut, i + 1
		}
	}
	return best, trace.Read, 0
}

// all reads moves with both bounds: alpha-beta.
func (w *walk) all(list []game.Move, depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
	return w.through(list, ply, -inf, beta, func(_ int, m game.Move, best engine.Value) engine.Value {
		return w.visit(m, depth-1, ply, max(alpha, best), beta)
	})
}
