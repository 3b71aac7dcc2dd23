package theory

import (
	"context"
	"errors"
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
	graph *graph
	dirty map[book.Key]bool // rows that the store has not got yet; false for those to be dropped
	bad   []error           // rows of the store that could not be read
	memo  memo              // of trust.go; emptied by every change
	turns int64             // counts changes
	file  *base             // the first of the layers; nil for none
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
	t.keyers.New = func() any { return newKeyer(r) }
	t.file = openNewest(o.Dir, o.Name, kindOf(r))
	if t.graph = t.begin(t.file); t.file != nil {
		t.state = t.file.Mark
	}
	if o.ReadOnly {
		t.options.Dir = ""
	}
	return t, t.Reload(ctx)
}

// begin returns a graph of layers alone.
func (t *Theory) begin(file *base) *graph {
	var layers []layer
	if file != nil {
		layers = append(layers, file)
	}
	if t.options.Shipped != nil {
		layers = append(layers, t.options.Shipped)
	}
	return newGraph(t.rules, t.options.Exact, layers...)
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
	return old.close()
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
	return t.state.is(now) && (t.file == nil || !t.file.failed.Load()), nil
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
	if t.file != nil && t.file.failed.Load() {
		was = Mark{}
	}
	t.mu.RUnlock()
	log, logged := t.options.Store.(Log)
	if logged && was.is(now) && was.Version > 0 {
		return nil
	}
	if logged && was.follows(now) {
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
			if n, edges, err := t.graph.read(row); err != nil {
				t.bad = append(t.bad, err)
			} else {
				t.graph.insert(n, edges)
			}
		}
		t.graph.settle()
		t.state = now
		t.changed()
		return nil
	}
	return t.readAll(ctx, now)
}

// readAll reads all rows, beside what is there: that is used on meanwhile.
func (t *Theory) readAll(ctx context.Context, now Mark) error {
	g, file := t.begin(nil), (*base)(nil)
	publish := func(m Mark) {
		made, err := t.make(g, file, m)
		if err != nil { // then in memory
			t.options.Dir = ""
			return
		}
		file.close()
		file = made
		g = t.begin(file)
	}
	var bad []error
	waiting := 0
	for row, err := range t.options.Store.Rows(ctx) {
		if err != nil {
			return errors.Join(fmt.Errorf("theory: %w", err), file.close())
		}
		n, edges, err := g.read(row)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		g.insert(n, edges)
		if waiting++; waiting%maxLoose == 0 && t.options.Dir != "" {
			g.settle()
			publish(Mark{}) // in step with nothing yet
		}
	}
	g.settle()
	if t.options.Dir != "" && waiting >= t.leastFile() {
		publish(now)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, keep := range t.dirty { // what has changed while the rows were read is newer than they are
		if f, ok := t.graph.look(k); keep && ok {
			if n, edges, err := g.read(f.row); err == nil {
				g.insert(n, edges)
			}
		} else if id, ok := g.find(k); ok {
			g.remove(id)
		}
	}
	g.settle()
	old := t.file
	t.graph, t.file, t.bad, t.state = g, file, bad, now
	t.changed()
	if file != nil {
		t.clean()
	}
	return old.close()
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
		if f, ok := t.graph.look(k); keep && ok {
			put = append(put, f.row)
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
	f, ok := t.graph.look(k)
	return f.row, ok
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
	f, ok := t.graph.look(key)
	leaf, target := worthless, book.Key{}
	if ok {
		e.Known = true
		e.Values = f.values()
		leaf, target = t.graph.leafIn(k, &f)
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
			if book.Further(m, e.Moves[at].Move) {
				e.Moves[at].Move = m
			}
			continue
		}
		move := Move{Move: m, Key: s.key, Values: t.stepped(s, side)}
		if _, from := move.Best(); from == Unknown && leaf.known() && passes == 0 && target == s.key {
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
	if f, ok := t.graph.look(s.key); ok {
		v = f.values()
	} else if t.options.Exact != nil {
		if x, ok := t.options.Exact(s.key); ok {
			v.X = x
		}
	}
	return v.turned(s.turn == side)
}

func (n *fact) values() Values {
	return Values{
		E: n.value, Level: int(n.level), Lower: bounded(n.lower), Upper: bounded(n.upper), Partial: n.partial,
		X: n.x, Human: n.row.Human, Note: n.row.Note, Teacher: n.row.Teacher,
	}
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
	if f, ok := t.graph.look(row.Key); ok {
		row = f.row
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
	if row.empty() {
		return t.remove(row.Key)
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

// remove takes a position out; what came with the program comes back to light. The
// caller holds the lock.
func (t *Theory) remove(k book.Key) error {
	id, ok := t.graph.find(k)
	if !ok {
		return nil
	}
	t.dirty[k] = false
	if t.options.Shipped != nil {
		if _, ok := t.options.Shipped.find(k); ok {
			t.graph.remove(id)
			return t.restore(k)
		}
	}
	t.graph.summon(k)
	for e := t.graph.first(k); e >= 0; e = t.graph.edges[e].next {
		if parent := &t.graph.nodes[t.graph.edges[e].from]; parent.row.closed() {
			parent.row.Level = 0 // one of its moves leads nowhere again
			parent.changed = true
			t.dirty[parent.row.Key] = true
		}
	}
	t.graph.remove(id)
	t.graph.settle()
	return nil
}

// restore puts back what came with the program of a position that was removed. The
// caller holds the lock.
func (t *Theory) restore(k book.Key) error {
	if t.options.Shipped == nil {
		return nil
	}
	f, ok := t.options.Shipped.find(k)
	if !ok {
		return nil
	}
	n, edges, err := t.graph.read(f.row)
	if err != nil {
		return err
	}
	n.shipped = true
	t.graph.insert(n, edges)
	t.graph.settle()
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
	t.graph.each(func(f fact) {
		i.Positions++
		if f.shipped {
			i.Shipped++
		}
		if f.row.Level > 0 {
			i.Searched++
			i.Levels[f.row.Level]++
		}
		if f.x != engine.NoValue {
			i.Solved++
		}
		if f.row.Human != engine.NoValue {
			i.Edited++
		}
		if f.stale && !f.shipped {
			i.Stale++
		}
		i.Links += int(f.links)
	})
	return i
}

// Rows returns all rows, by key.
func (t *Theory) Rows() []Row {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var list []Row
	t.graph.each(func(f fact) { list = append(list, f.row) })
	slices.SortFunc(list, func(a, b Row) int { return compareKeys(a.Key, b.Key) })
	return list
}
