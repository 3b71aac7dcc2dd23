package theory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"qipu/book"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
)

// Searcher values moves. A Learner asks it one thing at a time.
type Searcher interface {
	// Values returns the best n moves of a position, the best first, or all
	// where there are fewer. The position is the searcher's to play on, and is
	// to be as before when it returns. Where the context ends first, it returns
	// its error.
	Values(ctx context.Context, p game.Position, level, n int) ([]MoveValue, error)
}

// MoveValue is what a move is worth.
type MoveValue struct {
	Move   game.Move
	Value  engine.Value // for the side that makes it
	Margin engine.Value // how far the truth may be from it; 0 where it is exact
	Exact  bool         // the game was read to its end
	Level  int          // that the search came to; 0 for the one that was asked for
}

// Learner adds to a theory. Everything it does can be stopped by its context,
// keeps what was found so far, and goes on when it is called again: what is left
// to do is found from the values themselves. It is not safe for concurrent use;
// others may use the theory meanwhile.
type Learner struct {
	Theory   *Theory
	Searcher Searcher // may be nil for what needs no search: Prune, Subtree, Merge, Fix
	Level    int      // of searches; default 10
	Teacher  string   // who searches, as Row.Teacher has it

	// Pieces bounds the positions that are added by the pieces on the board; 0
	// does not.
	Pieces int

	// Limit is how many positions a call adds at most; 0 for no bound.
	Limit int

	// Progress is told how far it has come, after every search. It may be nil.
	Progress func(Report)

	flushed time.Time // by Judge
}

// Report is what a Learner did, or has done so far.
type Report struct {
	Searched int // positions
	Added    int
	Changed  int // rows that others gave, or that were worked out anew
	Removed  int
	Left     int // known to be left to do, in this round
	Elapsed  time.Duration
}

const usualLevel = 10

// learning is one call of a method of Learner.
type learning struct {
	*Learner
	*Theory
	keys    *graph.Keyer
	report  Report
	began   time.Time
	flushed time.Time
}

var errNoMove = errors.New("theory: the engine proposes no move")

// errLimit ends a call that has added as much as it may.
var errLimit = errors.New("limit")

// run calls what learns, and writes what it found, whatever ends it.
func (l *Learner) run(ctx context.Context, do func(*learning) error) (Report, error) {
	now := time.Now()
	a := &learning{Learner: l, Theory: l.Theory, keys: l.Theory.keyer(), began: now, flushed: now}
	defer l.Theory.keyers.Put(a.keys)
	err := do(a)
	if errors.Is(err, errLimit) {
		err = nil
	}
	err = errors.Join(err, a.Flush(context.WithoutCancel(ctx)))
	a.report.Elapsed = time.Since(a.began)
	return a.report, err
}

func (a *learning) level() int {
	if a.Level > 0 {
		return a.Level
	}
	return usualLevel
}

// tick writes from time to time, and tells how far it has come.
func (a *learning) tick(ctx context.Context) error {
	if a.waiting() >= 256 || time.Since(a.flushed) > 2*time.Second {
		if err := a.Flush(ctx); err != nil {
			return err
		}
		a.flushed = time.Now()
		if a.loose() > maxLoose {
			if err := a.Save(ctx); err != nil {
				return err
			}
		}
	}
	if a.Progress != nil {
		a.report.Elapsed = time.Since(a.began)
		a.Progress(a.report)
	}
	return nil
}

// leaf searches the best move of a position that leads to no valued position,
// and sets it in the row.
func (a *learning) leaf(ctx context.Context, p game.Position, row *Row) error {
	a.mu.RLock()
	edges, err := a.movesOf(p)
	known := map[book.Key]bool{}
	for i := range edges {
		if a.graph.Behind(&edges[i]).Known() {
			known[edges[i].Key] = true
		}
	}
	a.mu.RUnlock()
	if err != nil {
		return err
	}
	closed := func() {
		row.Leaf, row.Value, row.Lower, row.Upper, row.Level = "", engine.NoValue, engine.NoValue, engine.NoValue, a.level()
	}
	if len(known) == len(edges) {
		closed()
		return nil
	}
	if a.Searcher == nil {
		return errors.New("theory: no engine to search with")
	}
	want := 1
	if len(known) > 0 { // of moves that are the same by symmetry an engine values each
		want += len(known) + len(p.AppendMoves(nil)) - len(edges)
	}
	list, err := a.Searcher.Values(ctx, p, a.level(), want)
	if err != nil {
		return err
	}
	a.report.Searched++
	for _, v := range list {
		s, err := a.keys.Step(p, v.Move)
		if err != nil {
			return fmt.Errorf("theory: the engine proposes a move that cannot be played: %w", err)
		}
		if known[s.Key] {
			continue
		}
		a.found(p, v, row)
		if list[0].Exact {
			row.Exact = list[0].Value
		}
		return nil
	}
	if len(known) > 0 && len(list) < want { // it thinks of no others
		closed()
		return nil
	}
	return fmt.Errorf("theory: the engine values %d moves of %q, and none that is not known: it has to value %d", len(list), row.Position, want)
}

// found sets a move that was searched as the leaf of a row.
func (a *learning) found(p game.Position, v MoveValue, row *Row) {
	if v.Exact {
		v.Margin = 0
	}
	row.Leaf = game.FormatMove(a.rules, p, v.Move, game.AnyNotation)
	row.Value, row.Lower, row.Upper, row.Level = v.Value, v.Value-v.Margin, v.Value+v.Margin, a.level()
	if v.Level > 0 {
		row.Level = v.Level
	}
	row.Teacher = a.Teacher
	if v.Exact {
		row.Level = LevelExact
	}
}

// movesOf lists the edges of a position that need not be in the graph. The
// caller holds the lock.
func (a *learning) movesOf(p game.Position) ([]graph.Edge, error) {
	g := *a.graph // with a keyer of our own
	g.Keyer = a.keys
	return g.Moves(p)
}

// add values a position, if it is not known yet, and looks for another leaf
// wherever the move to it was one.
func (a *learning) add(ctx context.Context, p game.Position) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q, row, _, err := a.keys.Smallest(p)
	if err != nil {
		return err
	}
	if q.Outcome().Final() || a.Pieces > 0 && int(graph.Pieces(q)) > a.Pieces {
		return nil
	}
	a.mu.Lock() // it fetches
	id, ok := a.graph.Find(row.Key)
	if ok {
		n := &a.graph.Nodes[id]
		ok = n.Decides().Known() && !a.graph.Stale(n) && !(n.Shipped && n.Row.Level < a.level())
		row = n.Row
	}
	a.mu.Unlock()
	if ok {
		return nil
	}
	if a.Limit > 0 && a.report.Added >= a.Limit {
		return errLimit
	}
	if err := a.leaf(ctx, q, &row); err != nil {
		return err
	}
	if err := a.set(row); err != nil {
		return err
	}
	a.report.Added++
	for _, k := range a.orphans(row.Key) {
		if err := a.mend(ctx, k); err != nil {
			return err
		}
	}
	return a.tick(ctx)
}

// set puts a row, but keeps what a person may have set meanwhile.
func (a *learning) set(row Row) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f, ok := a.graph.Look(row.Key); ok {
		row.Human, row.Note = f.Row.Human, f.Row.Note
	}
	return a.put(row)
}

// orphans returns the positions whose leaf leads to a position that is valued
// now.
func (a *learning) orphans(k book.Key) (list []book.Key) {
	a.mu.Lock() // it fetches
	defer a.mu.Unlock()
	a.graph.Summon(k)
	for e := a.graph.First(k); e >= 0; e = a.graph.Edges[e].Next {
		if n := &a.graph.Nodes[a.graph.Edges[e].From]; n.Leaf != game.NoMove && n.Target == k {
			list = append(list, n.Row.Key)
		}
	}
	return list
}

// mend looks for another leaf of a position.
func (a *learning) mend(ctx context.Context, k book.Key) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	a.mu.Lock() // it fetches
	id, ok := a.graph.Find(k)
	var row Row
	if ok {
		row = a.graph.Nodes[id].Row
		ok = a.graph.Stale(&a.graph.Nodes[id])
	}
	a.mu.Unlock()
	if !ok {
		return nil
	}
	return a.again(ctx, row)
}

// again searches the leaf of a position anew.
func (a *learning) again(ctx context.Context, row Row) error {
	p, err := game.ParsePosition(a.rules, row.Position)
	if err != nil {
		return err
	}
	if err := a.leaf(ctx, p, &row); err != nil {
		return err
	}
	if err := a.set(row); err != nil {
		return err
	}
	return a.tick(ctx)
}

// job is something to be done: a leaf to go on from, or one to be found.
type job struct {
	key  book.Key
	mend bool
}

// do does jobs. Those that have become needless meanwhile are left out.
func (a *learning) do(ctx context.Context, jobs []job) error {
	for i, j := range jobs {
		a.report.Left = len(jobs) - i
		if j.mend {
			if err := a.mend(ctx, j.key); err != nil {
				return err
			}
			continue
		}
		a.mu.Lock() // it fetches
		var row Row
		leaf := game.NoMove
		if id, ok := a.graph.Find(j.key); ok && a.graph.LeafOf(&a.graph.Nodes[id]).Known() {
			row, leaf = a.graph.Nodes[id].Row, a.graph.Nodes[id].Leaf
		}
		a.mu.Unlock()
		if leaf == game.NoMove {
			continue
		}
		p, err := game.ParsePosition(a.rules, row.Position)
		if err == nil {
			err = p.Play(leaf)
		}
		if err != nil {
			return err
		}
		if err := a.add(ctx, p); err != nil {
			return err
		}
	}
	a.report.Left = 0
	return nil
}

// grows reports whether the leaf of a node may be gone on from: it is not known
// to the end, and the board is not too full.
func (a *learning) grows(n *graph.Node, leaf graph.Worth) bool {
	return leaf.Known() && leaf.Level < LevelExact && n.X == engine.NoValue && (a.Pieces == 0 || int(n.Pieces) < a.Pieces)
}

// root values a position and returns its node.
func (a *learning) root(ctx context.Context, p game.Position) (book.Key, error) {
	key, _ := a.keys.Key(p)
	if err := a.add(ctx, p); err != nil {
		return key, err
	}
	if _, ok := a.row(key); !ok {
		return key, errors.New("theory: the position is over, or has more pieces than may be: begin earlier")
	}
	return key, nil
}

// sorted returns keys in a fixed order, so that learning does the same things on
// every machine.
func sorted(jobs []job) []job {
	slices.SortFunc(jobs, func(a, b job) int { return graph.CompareKeys(a.key, b.key) })
	return slices.Compact(jobs)
}
