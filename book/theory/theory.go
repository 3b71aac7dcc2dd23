package theory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"qipu/book"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
)

// Options say how a theory is opened. The zero value keeps it in memory.
type Options struct {
	Store Store // default: a new Memory

	// Exact returns the exact value of a position for the side to move, where it
	// is known from elsewhere: book.Book has those of databases. It counts as X
	// and is not stored again. It may be nil. ExactStamp is another number when it
	// knows something else.
	Exact      func(book.Key) (engine.Value, bool)
	ExactStamp func() int64

	// Shipped is what came with the program: it lies below all that the store has.
	Shipped *Shipped

	// Dir is where files of the theory lie, under names that begin with Name. They
	// are derived: values need not be read from the store then, nor held in memory.
	// Without one, or where it takes no file, all of them are. ReadOnly makes none.
	Dir, Name string
	ReadOnly  bool
}

// Theory is the valued positions of one kind of game. It is safe for concurrent
// use: looking things up goes on while positions are added.
type Theory struct {
	rules   game.Rules
	options Options
	keyers  sync.Pool

	mu    sync.RWMutex
	graph *graph.Graph
	dirty map[book.Key]bool // rows that the store has not got yet; false for those to be dropped
	bad   []error           // rows of the store that could not be read
	memo  memo              // of trust.go; emptied by every change
	turns int64             // counts changes
	file  *graph.Base       // the first of the layers; nil for none
	state Mark              // of the store, that all of this says
	least int               // changes that are worth a file; minFile but in tests

	saving sync.Mutex // one at a time writes to the store and makes files
}

// Open opens the values of a kind of game. Where a file of them is in step with
// the store nothing is read; else it costs about ten microseconds a position that
// has changed since, or of all of them.
func Open(ctx context.Context, r game.Rules, o Options) (*Theory, error) {
	if o.Store == nil {
		o.Store = &Memory{}
	}
	t := &Theory{rules: r, options: o, dirty: map[book.Key]bool{}, least: minFile}
	t.keyers.New = func() any { return graph.NewKeyer(r) }
	t.file = graph.OpenNewest(o.Dir, o.Name, graph.KindOf(r))
	if t.graph = t.begin(t.file); t.file != nil {
		t.state = t.file.Mark
	}
	if o.ReadOnly {
		t.options.Dir = ""
	}
	return t, t.Reload(ctx)
}

// begin returns a graph of layers alone.
func (t *Theory) begin(file *graph.Base) *graph.Graph {
	var layers []graph.Layer
	if file != nil {
		layers = append(layers, file)
	}
	if t.options.Shipped != nil {
		layers = append(layers, t.options.Shipped)
	}
	return graph.New(t.rules, t.options.Exact, layers...)
}

// Close frees the file. The theory is not to be used any more.
func (t *Theory) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.file
	if old == nil {
		return nil
	}
	t.file, t.graph = nil, t.begin(nil)
	t.changed()
	return old.Close()
}

// mark returns what the store has now.
func (t *Theory) mark(ctx context.Context) (m Mark, err error) {
	if l, ok := t.options.Store.(Log); ok {
		if m, err = l.Mark(ctx); err != nil {
			return m, fmt.Errorf("theory: %w", err)
		}
	}
	if t.options.ExactStamp != nil {
		m.Exact = t.options.ExactStamp()
	}
	if t.options.Shipped != nil {
		m.Shipped = t.options.Shipped.Stamp()
	}
	return m, nil
}

// InStep reports whether the values are those of the store.
func (t *Theory) InStep(ctx context.Context) (bool, error) {
	now, err := t.mark(ctx)
	if err != nil {
		return false, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.state.Is(now) && (t.file == nil || !t.file.Failed.Load()), nil
}

// Reload brings the values in step with the store: another process may have
// changed them, or Options.Exact may know more. What was not written yet is
// written first. Where the store tells what has changed, nothing else is read.
func (t *Theory) Reload(ctx context.Context) error {
	if err := t.Flush(ctx); err != nil {
		return err
	}
	t.saving.Lock()
	defer t.saving.Unlock()
	now, err := t.mark(ctx)
	if err != nil {
		return err
	}
	t.mu.RLock()
	was := t.state
	if t.file != nil && t.file.Failed.Load() {
		was = Mark{}
	}
	t.mu.RUnlock()
	log, logged := t.options.Store.(Log)
	if logged && was.Is(now) && was.Version > 0 {
		return nil
	}
	if logged && was.Follows(now) {
		var rows []Row
		for row, err := range log.Since(ctx, was.Time) {
			if err != nil {
				return fmt.Errorf("theory: %w", err)
			}
			rows = append(rows, row)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, row := range rows {
			if _, mine := t.dirty[row.Key]; mine { // and newer
				continue
			}
			if n, edges, err := t.graph.Read(row); err != nil {
				t.bad = append(t.bad, err)
			} else {
				t.graph.Insert(n, edges)
			}
		}
		t.graph.Settle()
		t.state = now
		t.changed()
		return nil
	}
	return t.readAll(ctx, now)
}

// readAll reads all rows, beside what is there: that is used on meanwhile.
func (t *Theory) readAll(ctx context.Context, now Mark) error {
	g, file := t.begin(nil), (*graph.Base)(nil)
	publish := func(m Mark) {
		made, err := t.make(g, file, m)
		if err != nil { // then in memory
			t.options.Dir = ""
			return
		}
		file.Close()
		file = made
		g = t.begin(file)
	}
	var bad []error
	waiting := 0
	for row, err := range t.options.Store.Rows(ctx) {
		if err != nil {
			return errors.Join(fmt.Errorf("theory: %w", err), file.Close())
		}
		n, edges, err := g.Read(row)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		g.Insert(n, edges)
		if waiting++; waiting%maxLoose == 0 && t.options.Dir != "" {
			g.Settle()
			publish(Mark{}) // in step with nothing yet
		}
	}
	g.Settle()
	if t.options.Dir != "" && waiting >= t.leastFile() {
		publish(now)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, keep := range t.dirty { // what has changed while the rows were read is newer than they are
		if f, ok := t.graph.Look(k); keep && ok {
			if n, edges, err := g.Read(f.Row); err == nil {
				g.Insert(n, edges)
			}
		} else if id, ok := g.Find(k); ok {
			g.Remove(id)
		}
	}
	g.Settle()
	old := t.file
	t.graph, t.file, t.bad, t.state = g, file, bad, now
	t.changed()
	if file != nil {
		t.clean()
	}
	return old.Close()
}

// changed notes that values are others now. The caller holds the lock.
func (t *Theory) changed() {
	t.turns++
	t.forget()
}

// Copy returns a theory in memory that says the same. What becomes of it is
// nowhere stored.
func (t *Theory) Copy(ctx context.Context) (*Theory, error) {
	store := &Memory{}
	if err := store.Put(ctx, t.Rows()); err != nil {
		return nil, err
	}
	return Open(ctx, t.rules, Options{Store: store, Exact: t.options.Exact, Shipped: t.options.Shipped})
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
		if f, ok := t.graph.Look(k); keep && ok {
			put = append(put, f.Row)
		} else {
			drop = append(drop, k)
		}
	}
	t.mu.Unlock()
	slices.SortFunc(put, func(a, b Row) int { return graph.CompareKeys(a.Key, b.Key) })
	slices.SortFunc(drop, graph.CompareKeys)
	var err error
	if len(put) > 0 {
		err = t.options.Store.Put(ctx, put)
	}
	written := int64(0)
	if len(put) > 0 {
		written++
	}
	if len(drop) > 0 && err == nil {
		err = t.options.Store.Drop(ctx, drop)
		written++
	}
	if err == nil {
		if written == 0 {
			return nil
		}
		now, err := t.mark(ctx)
		if err != nil {
			return err
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if now.Version == t.state.Version+written { // else somebody else has written, too: Reload finds what
			t.state = now
		}
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

// row returns what is known of a position and does not follow.
func (t *Theory) row(k book.Key) (row Row, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	f, ok := t.graph.Look(k)
	return f.Row, ok
}

func (t *Theory) keyer() *graph.Keyer { return t.keyers.Get().(*graph.Keyer) }

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
	Teacher      string // the engine that searched the position; empty for that of the program
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
	v.E, v.X, v.Human = graph.Turned(v.E, same), graph.Turned(v.X, same), graph.Turned(v.Human, same)
	v.Lower, v.Upper = graph.Turned(v.Lower, same), graph.Turned(v.Upper, same)
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

func (t *Theory) look(k *graph.Keyer, p game.Position) Entry {
	side := p.Turn()
	passes := k.Fold(p)
	key, _ := k.Key(p)
	same := p.Turn() == side
	graph.Undo(p, passes)
	e := Entry{Key: key, Values: noValues}
	f, ok := t.graph.Look(key)
	leaf, target := graph.Worthless, book.Key{}
	if ok {
		e.Known = true
		e.Values = valuesOf(&f)
		leaf, target = t.graph.LeafIn(k, &f)
	} else if t.options.Exact != nil {
		if v, ok := t.options.Exact(key); ok {
			e.X = v
		}
	}
	if !same {
		e.Values = e.Values.turned(false)
	}
	if p.Outcome().Final() {
		e.X = graph.OutcomeValue(p.Outcome(), side)
		return e
	}
	for _, m := range p.AppendMoves(nil) {
		s, err := k.Step(p, m)
		if err != nil {
			continue
		}
		if at := slices.IndexFunc(e.Moves, func(o Move) bool { return o.Key == s.Key }); at >= 0 {
			if book.Further(m, e.Moves[at].Move) {
				e.Moves[at].Move = m
			}
			continue
		}
		move := Move{Move: m, Key: s.Key, Values: t.stepped(s, side)}
		if _, from := move.Best(); from == Unknown && leaf.Known() && passes == 0 && target == s.Key {
			move.Leaf = true
			move.E, move.Lower, move.Upper, move.Level = leaf.Value, leaf.Lower, leaf.Upper, int(leaf.Level)
		}
		e.Moves = append(e.Moves, move)
	}
	return e
}

// stepped returns the values of where a move leads, for the side that makes it.
func (t *Theory) stepped(s graph.Stepped, side game.Side) Values {
	v := noValues
	if s.Over {
		v.X = graph.OutcomeValue(s.Outcome, side)
		return v
	}
	if f, ok := t.graph.Look(s.Key); ok {
		v = valuesOf(&f)
	} else if t.options.Exact != nil {
		if x, ok := t.options.Exact(s.Key); ok {
			v.X = x
		}
	}
	return v.turned(s.Turn == side)
}

// valuesOf returns what is known of a position as others see it.
func valuesOf(n *graph.Fact) Values {
	return Values{
		E: n.Value, Level: int(n.Level), Lower: graph.Bounded(n.Lower), Upper: graph.Bounded(n.Upper), Partial: n.Partial,
		X: n.X, Human: n.Row.Human, Note: n.Row.Note, Teacher: n.Row.Teacher,
	}
}

// Edit keeps what a person says of a position, for the side to move; NoValue
// takes the value back, and an empty note the note. It is written at once.
func (t *Theory) Edit(ctx context.Context, p game.Position, value engine.Value, note string) error {
	k := t.keyer()
	defer t.keyers.Put(k)
	side := p.Turn()
	_, row, _, err := k.Smallest(p)
	if err != nil {
		return fmt.Errorf("theory: %w", err)
	}
	passes := k.Fold(p)
	value = graph.Turned(value, p.Turn() == side || value == engine.NoValue)
	graph.Undo(p, passes)
	t.mu.Lock()
	if f, ok := t.graph.Look(row.Key); ok {
		row = f.Row
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
	t.changed()
	if row.Empty() {
		return t.remove(row.Key)
	}
	n, edges, err := t.graph.Read(row)
	if err != nil {
		return err
	}
	t.graph.Insert(n, edges)
	t.graph.Settle()
	t.dirty[row.Key] = true
	return nil
}

// remove takes a position out; what came with the program comes back to light. The
// caller holds the lock.
func (t *Theory) remove(k book.Key) error {
	id, ok := t.graph.Find(k)
	if !ok {
		return nil
	}
	t.dirty[k] = false
	if t.options.Shipped != nil {
		if _, ok := t.options.Shipped.Find(k); ok {
			t.graph.Remove(id)
			return t.restore(k)
		}
	}
	t.graph.Summon(k)
	for e := t.graph.First(k); e >= 0; e = t.graph.Edges[e].Next {
		if parent := &t.graph.Nodes[t.graph.Edges[e].From]; parent.Row.Closed() {
			parent.Row.Level = 0 // one of its moves leads nowhere again
			parent.Changed = true
			t.dirty[parent.Row.Key] = true
		}
	}
	t.graph.Remove(id)
	t.graph.Settle()
	return nil
}

// restore puts back what came with the program of a position that was removed. The
// caller holds the lock.
func (t *Theory) restore(k book.Key) error {
	if t.options.Shipped == nil {
		return nil
	}
	f, ok := t.options.Shipped.Find(k)
	if !ok {
		return nil
	}
	n, edges, err := t.graph.Read(f.Row)
	if err != nil {
		return err
	}
	n.Shipped = true
	t.graph.Insert(n, edges)
	t.graph.Settle()
	return nil
}

// Info counts what there is.
type Info struct {
	Positions int // valued
	Searched  int // by an engine
	Solved    int // with an exact value, solved or backed up
	Edited    int // by a person
	Stale     int // that lack a leaf: learning looks for it
	Links     int // moves from one of them to another
	Shipped   int // that came with the program, and of which nobody here has said more
	Levels    map[int]int
}

// Info returns what there is.
func (t *Theory) Info() Info {
	t.mu.RLock()
	defer t.mu.RUnlock()
	i := Info{Levels: map[int]int{}}
	t.graph.Each(func(f graph.Fact) {
		i.Positions++
		if f.Shipped {
			i.Shipped++
		}
		if f.Row.Level > 0 {
			i.Searched++
			i.Levels[f.Row.Level]++
		}
		if f.X != engine.NoValue {
			i.Solved++
		}
		if f.Row.Human != engine.NoValue {
			i.Edited++
		}
		if f.Stale && !f.Shipped {
			i.Stale++
		}
		i.Links += int(f.Links)
	})
	return i
}

// Rows returns all rows, by key.
func (t *Theory) Rows() []Row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var list []Row
	t.graph.Each(func(f graph.Fact) { list = append(list, f.Row) })
	slices.SortFunc(list, func(a, b Row) int { return graph.CompareKeys(a.Key, b.Key) })
	return list
}
