package theory

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
)

// Options say how a theory is opened. The zero value keeps it in memory.
type Options struct {
	Store Store // default: a new Memory

	// Exact returns the exact value of a position for the side to move, where it
	// is known from elsewhere: book.Book has those of databases. It counts as X
	// and is not stored again. It may be nil.
	Exact func(book.Key) (engine.Value, bool)
}

// Theory is the valued positions of one kind of game. It is safe for concurrent
// use: looking things up goes on while positions are added.
type Theory struct {
	rules   game.Rules
	options Options
	keyers  sync.Pool

	mu    sync.RWMutex
	graph *graph
	dirty map[book.Key]bool // rows that the store has not got yet; false for those to be dropped
	bad   []error           // rows of the store that could not be read
	memo  memo              // of trust.go; emptied by every change
	memos sync.Mutex

	saving sync.Mutex // one at a time writes to the store
}

// Open reads all values of a kind of game. It costs about ten microseconds a
// position.
func Open(ctx context.Context, r game.Rules, o Options) (*Theory, error) {
	if o.Store == nil {
		o.Store = &Memory{}
	}
	t := &Theory{rules: r, options: o, dirty: map[book.Key]bool{}}
	t.keyers.New = func() any { return newKeyer(r) }
	return t, t.Reload(ctx)
}

// Reload reads all values anew: another process may have changed them, or
// Options.Exact may know more. What was not written yet is written first.
func (t *Theory) Reload(ctx context.Context) error {
	if err := t.Flush(ctx); err != nil {
		return err
	}
	t.saving.Lock()
	defer t.saving.Unlock()
	g := newGraph(t.rules, t.options.Exact)
	var bad []error
	for row, err := range t.options.Store.Rows(ctx) {
		if err != nil {
			return fmt.Errorf("theory: %w", err)
		}
		n, edges, err := g.read(row)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		g.insert(n, edges)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, keep := range t.dirty { // what has changed while the rows were read is newer than they are
		id, ok := t.graph.at[k]
		switch {
		case keep && ok:
			if n, edges, err := g.read(t.graph.nodes[id].row); err == nil {
				g.insert(n, edges)
			}
		default:
			if id, ok := g.at[k]; ok {
				g.remove(id)
			}
		}
	}
	g.settle()
	t.graph, t.bad = g, bad
	t.forget()
	return nil
}

// Copy returns a theory in memory that says the same. What becomes of it is
// nowhere stored.
func (t *Theory) Copy(ctx context.Context) (*Theory, error) {
	store := &Memory{}
	if err := store.Put(ctx, t.Rows()); err != nil {
		return nil, err
	}
	return Open(ctx, t.rules, Options{Store: store, Exact: t.options.Exact})
}

// Faults returns what is wrong with rows of the store that could not be read.
// They stay there, count nowhere, and keep nobody from using the others.
func (t *Theory) Faults() []error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Clone(t.bad)
}

// Rules returns the game that it is of.
func (t *Theory) Rules() game.Rules { return t.rules }

// Flush writes what has changed to the store.
func (t *Theory) Flush(ctx context.Context) error {
	t.saving.Lock()
	defer t.saving.Unlock()
	t.mu.Lock()
	changed := t.dirty
	t.dirty = map[book.Key]bool{}
	var put []Row
	var drop []book.Key
	for k, keep := range changed {
		if id, ok := t.graph.at[k]; keep && ok {
			put = append(put, t.graph.nodes[id].row)
		} else {
			drop = append(drop, k)
		}
	}
	t.mu.Unlock()
	slices.SortFunc(put, func(a, b Row) int { return compareKeys(a.Key, b.Key) })
	slices.SortFunc(drop, compareKeys)
	var err error
	if len(put) > 0 {
		err = t.options.Store.Put(ctx, put)
	}
	if len(drop) > 0 && err == nil {
		err = t.options.Store.Drop(ctx, drop)
	}
	if err == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, keep := range changed { // what has changed again meanwhile is newer
		if _, again := t.dirty[k]; !again {
			t.dirty[k] = keep
		}
	}
	return fmt.Errorf("theory: %w", err)
}

// waiting returns how many rows the store has not got yet.
func (t *Theory) waiting() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.dirty)
}

func (t *Theory) keyer() *keyer { return t.keyers.Get().(*keyer) }

// Source says which value of a position decides.
type Source string

// The sources, the one that outranks all others first.
const (
	ByHuman   Source = "human"
	ByExact   Source = "exact"
	ByEngine  Source = "engine"
	ByResults Source = "results"
	Unknown   Source = ""
)

// Values are what is known of a position or a move, for the side to move.
// engine.NoValue stands for what is not.
type Values struct {
	E            engine.Value // by negamax over what was searched
	Level        int          // of the search that decided; LevelExact and LevelHuman beyond
	Lower, Upper engine.Value // between which E lies, as far as that is known
	Partial      bool         // E lacks moves that nobody has looked at: it is at least this much
	X            engine.Value // exact
	Human        engine.Value // what a person set
	Note         string
}

var noValues = Values{E: engine.NoValue, Lower: engine.NoValue, Upper: engine.NoValue, X: engine.NoValue, Human: engine.NoValue}

// Best returns the value that decides: what a person set, else X, else E.
func (v Values) Best() (engine.Value, Source) {
	switch {
	case v.Human != engine.NoValue:
		return v.Human, ByHuman
	case v.X != engine.NoValue:
		return v.X, ByExact
	case v.E != engine.NoValue:
		return v.E, ByEngine
	}
	return engine.NoValue, Unknown
}

// turned returns the values as the side that moved before sees them.
func (v Values) turned(same bool) Values {
	v.E, v.X, v.Human = turned(v.E, same), turned(v.X, same), turned(v.Human, same)
	v.Lower, v.Upper = turned(v.Lower, same), turned(v.Upper, same)
	if !same {
		v.Lower, v.Upper = v.Upper, v.Lower
	}
	return v
}

// Entry is what is known of a position.
type Entry struct {
	Key    book.Key
	Known  bool // the position is one of the theory
	Values      // for the side to move
	Moves  []Move
}

// Move is a legal move of a position.
type Move struct {
	Move game.Move
	Key  book.Key // of the position behind it
	Leaf bool     // it leads to no valued position, and is known by search alone
	Values
}

// Look returns what is known of a position. The moves are those on the board as
// it is given, in the order of the game; of moves that are the same by symmetry
// one stands, as in package book. The position is played on and restored.
func (t *Theory) Look(p game.Position) Entry {
	k := t.keyer()
	defer t.keyers.Put(k)
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.look(k, p)
}

func (t *Theory) look(k *keyer, p game.Position) Entry {
	side := p.Turn()
	passes := k.fold(p)
	key, _ := k.key(p)
	same := p.Turn() == side
	undo(p, passes)
	e := Entry{Key: key, Values: noValues}
	leaf := worthless
	id, ok := t.graph.at[key]
	if ok {
		n := &t.graph.nodes[id]
		e.Known = true
		e.Values = t.graph.valuesOf(n)
		leaf = t.graph.leafOf(n)
	} else if t.options.Exact != nil {
		if v, ok := t.options.Exact(key); ok {
			e.X = v
		}
	}
	if !same {
		e.Values = e.Values.turned(false)
	}
	if p.Outcome().Final() {
		e.X = outcomeValue(p.Outcome(), side)
		return e
	}
	for _, m := range p.AppendMoves(nil) {
		s, err := k.step(p, m)
		if err != nil {
			continue
		}
		if at := slices.IndexFunc(e.Moves, func(o Move) bool { return o.Key == s.key }); at >= 0 {
			if further(m, e.Moves[at].Move) {
				e.Moves[at].Move = m
			}
			continue
		}
		move := Move{Move: m, Key: s.key, Values: t.stepped(s, side)}
		if _, from := move.Best(); from == Unknown && leaf.known() && passes == 0 && t.graph.nodes[id].target == s.key {
			move.Leaf = true
			move.E, move.Lower, move.Upper, move.Level = leaf.value, leaf.lower, leaf.upper, int(leaf.level)
		}
		e.Moves = append(e.Moves, move)
	}
	return e
}

// stepped returns the values of where a move leads, for the side that makes it.
func (t *Theory) stepped(s stepped, side game.Side) Values {
	v := noValues
	if s.over {
		v.X = outcomeValue(s.outcome, side)
		return v
	}
	if id, ok := t.graph.at[s.key]; ok {
		v = t.graph.valuesOf(&t.graph.nodes[id])
	} else if t.options.Exact != nil {
		if x, ok := t.options.Exact(s.key); ok {
			v.X = x
		}
	}
	return v.turned(s.turn == side)
}

func (g *graph) valuesOf(n *node) Values {
	return Values{
		E: n.value, Level: int(n.level), Lower: bounded(n.lower), Upper: bounded(n.upper), Partial: n.partial,
		X: n.x, Human: n.row.Human, Note: n.row.Note,
	}
}

// further reports whether a move stands for another that is the same by
// symmetry: the one more to the right, then more to the top, as in package book.
func further(m, o game.Move) bool {
	for _, p := range [4][2]int{{m.To().X(), o.To().X()}, {o.To().Y(), m.To().Y()}, {m.From().X(), o.From().X()}, {o.From().Y(), m.From().Y()}} {
		if p[0] != p[1] {
			return p[0] > p[1]
		}
	}
	return false
}

// Edit keeps what a person says of a position, for the side to move; NoValue
// takes the value back, and an empty note the note. It is written at once.
func (t *Theory) Edit(ctx context.Context, p game.Position, value engine.Value, note string) error {
	k := t.keyer()
	defer t.keyers.Put(k)
	side := p.Turn()
	_, row, _, err := k.smallest(p)
	if err != nil {
		return fmt.Errorf("theory: %w", err)
	}
	passes := k.fold(p)
	value = turned(value, p.Turn() == side || value == engine.NoValue)
	undo(p, passes)
	t.mu.Lock()
	if id, ok := t.graph.at[row.Key]; ok {
		row = t.graph.nodes[id].row
	}
	row.Human, row.Note = value, note
	err = t.put(row)
	t.mu.Unlock()
	if err != nil {
		return err
	}
	return t.Flush(ctx)
}

// put sets a row, or takes it out where nothing is left in it, and works out
// what follows. The caller holds the lock.
func (t *Theory) put(row Row) error {
	t.forget()
	if row.empty() {
		t.remove(row.Key)
		return nil
	}
	n, edges, err := t.graph.read(row)
	if err != nil {
		return err
	}
	t.graph.insert(n, edges)
	t.graph.settle()
	t.dirty[row.Key] = true
	return nil
}

// remove takes a position out. The caller holds the lock.
func (t *Theory) remove(k book.Key) {
	id, ok := t.graph.at[k]
	if !ok {
		return
	}
	for e := t.graph.first(k); e >= 0; e = t.graph.edges[e].next {
		if parent := &t.graph.nodes[t.graph.edges[e].from]; parent.row.closed() {
			parent.row.Level = 0 // one of its moves leads nowhere again
			t.dirty[parent.row.Key] = true
		}
	}
	t.graph.remove(id)
	t.graph.settle()
	t.dirty[k] = false
}

// Info counts what there is.
type Info struct {
	Positions int // valued
	Searched  int // by an engine
	Solved    int // with an exact value, solved or backed up
	Edited    int // by a person
	Stale     int // that lack a leaf: learning looks for it
	Links     int // moves from one of them to another
	Levels    map[int]int
}

// Info returns what there is.
func (t *Theory) Info() Info {
	t.mu.RLock()
	defer t.mu.RUnlock()
	i := Info{Levels: map[int]int{}}
	for id := range t.graph.nodes {
		n := &t.graph.nodes[id]
		if n.gone {
			continue
		}
		i.Positions++
		if n.row.Level > 0 {
			i.Searched++
			i.Levels[n.row.Level]++
		}
		if n.x != engine.NoValue {
			i.Solved++
		}
		if n.row.Human != engine.NoValue {
			i.Edited++
		}
		if t.graph.stale(n) {
			i.Stale++
		}
		for j := range n.count {
			if t.graph.edges[n.first+j].child >= 0 {
				i.Links++
			}
		}
	}
	return i
}

// Rows returns all rows, by key.
func (t *Theory) Rows() []Row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var list []Row
	for id := range t.graph.nodes {
		if n := &t.graph.nodes[id]; !n.gone {
			list = append(list, n.row)
		}
	}
	slices.SortFunc(list, func(a, b Row) int { return compareKeys(a.Key, b.Key) })
	return list
}
