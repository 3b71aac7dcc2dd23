// Package graph is valued positions, and what follows from them: rows as they were
// put, the graph of their moves with its back-up, and the layers below it, which lie
// in files or come with the program. Package theory guards it and keeps it in step
// with a store.
package graph

import (
	"cmp"
	"container/heap"
	"fmt"
	"math"
	"slices"

	"qipu/book"
	"qipu/engine"
	"qipu/game"
)

// CompareKeys orders positions.
func CompareKeys(a, b book.Key) int { return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo)) }

// Graph is valued positions with their moves. Most of them lie in layers, which
// are files and never change; the graph holds those that were changed or walked
// over since, about 900 bytes each in Othello. Where both have a position, that of
// the graph counts. Nodes and edges are numbers into two slices: a node has about
// ten edges, and pointers would cost more than what they point to.
//
// It is not safe for concurrent use; Theory guards it. What only looks (Look,
// Behind, LeafOf) fetches nothing from a layer, and may be called by many at a time.
type Graph struct {
	rules  game.Rules
	exact  func(book.Key) (engine.Value, bool) // may be nil
	Keyer  *Keyer
	layers []Layer // the first that has a position counts

	Nodes []Node
	Edges []Edge
	At    map[book.Key]int32 // the node of a position
	to    map[book.Key]int32 // the first of the edges that lead to a position, valued or not
	gone  map[book.Key]bool  // positions of layers that were removed

	queue queue
}

// Fact is what is known of a valued position: as it was put, and what follows.
type Fact struct {
	Row    Row
	Pieces int32 // on the board: what backs up goes from many to few
	Worth
	X       engine.Value
	Stale   bool  // see Graph.Stale
	Links   uint8 // moves to other valued positions
	Shipped bool  // it came with the program, and nobody here has said more
}

// Layer is valued positions that do not change. It is safe for concurrent use.
type Layer interface {
	Find(k book.Key) (Fact, bool)

	// parents calls back with positions of the layer that may have a move to one:
	// all that have, and now and then one that has not.
	parents(k book.Key, yield func(book.Key))

	Each(yield func(Fact) bool) // all positions, by key
}

// Node is a valued position.
type Node struct {
	Fact              // but for stale and links, which follow from the edges
	Leaf    game.Move // row.Leaf; NoMove for none
	Target  book.Key  // where the leaf leads
	First   int32     // edge
	Count   int32     // edges
	given   engine.Value
	queued  bool
	Gone    bool
	Changed bool  // no layer has it so
	times   int32 // that it was worked out in this back-up
}

// Worth is what a position or a move is worth to the side to move, by search.
type Worth struct {
	Value, Lower, Upper engine.Value
	Level               int16
	Partial             bool // there are moves that nobody has looked at
}

// unbounded is the upper bound of a value of which nobody knows how high it may
// be.
const unbounded = math.MaxInt32

// Bounded returns a bound as others see it: NoValue where it is none.
func Bounded(v engine.Value) engine.Value {
	if v > 2*engine.Win || v < -2*engine.Win {
		return engine.NoValue
	}
	return v
}

var Worthless = Worth{Value: engine.NoValue, Lower: engine.NoValue, Upper: engine.NoValue}

// Known reports whether there is a value.
func (w Worth) Known() bool { return w.Value != engine.NoValue }

// Edge is a legal move of a node; of moves that are the same but for a symmetry
// of the position there is one.
type Edge struct {
	Key   book.Key // of the position behind it, passes folded
	Move  game.Move
	From  int32
	Next  int32        // the next edge to the same position; -1 for none
	Child int32        // the node there; nowhere, or shelved where a layer has it
	fixed engine.Value // for the side that moves: how the game ends with it, or what is known exactly of where it leads; else NoValue
	Same  bool         // the side that moves is to move again: the other one had to pass
}

// What an edge leads to where that is no node of the graph.
const (
	Nowhere int32 = -1
	shelved int32 = -2
)

// New returns a graph over layers, the first of which counts.
func New(r game.Rules, exact func(book.Key) (engine.Value, bool), layers ...Layer) *Graph {
	return &Graph{rules: r, exact: exact, Keyer: NewKeyer(r), layers: layers, At: map[book.Key]int32{}, to: map[book.Key]int32{}, gone: map[book.Key]bool{}}
}

// Look returns what is known of a position.
func (g *Graph) Look(k book.Key) (Fact, bool) {
	if id, ok := g.At[k]; ok {
		return g.Nodes[id].Fact, true
	}
	return g.shelf(k)
}

// shelf returns what the layers know of a position that is no node.
func (g *Graph) shelf(k book.Key) (Fact, bool) {
	if g.gone[k] {
		return Fact{}, false
	}
	for _, l := range g.layers {
		if f, ok := l.Find(k); ok {
			return f, true
		}
	}
	return Fact{}, false
}

// Find returns the node of a position, fetched from its layer if need be. Slices
// of nodes and edges may be others after it.
func (g *Graph) Find(k book.Key) (int32, bool) {
	if id, ok := g.At[k]; ok {
		return id, true
	}
	f, ok := g.shelf(k)
	if !ok {
		return Nowhere, false
	}
	n, edges, err := g.Read(f.Row)
	if err != nil { // a row that was read once can be read again: the rules are the same
		return Nowhere, false
	}
	n.Fact = f
	return g.place(n, edges), true
}

// Follow returns the node that an edge leads to, nowhere for none. It fetches.
func (g *Graph) Follow(e int32) int32 {
	if g.Edges[e].Child == shelved {
		g.Find(g.Edges[e].Key)
	}
	return g.Edges[e].Child
}

// FetchAll makes nodes of all positions, for what has to walk over them.
func (g *Graph) FetchAll() {
	for _, l := range g.layers {
		l.Each(func(f Fact) bool {
			g.Find(f.Row.Key)
			return true
		})
	}
}

// Each calls back with what is known of all positions, those of nodes first.
func (g *Graph) Each(yield func(Fact)) {
	for id := range g.Nodes {
		if n := &g.Nodes[id]; !n.Gone {
			yield(g.whole(n))
		}
	}
	for i, l := range g.layers {
		l.Each(func(f Fact) bool {
			if _, ok := g.At[f.Row.Key]; ok || g.gone[f.Row.Key] {
				return true
			}
			for _, above := range g.layers[:i] {
				if _, ok := above.Find(f.Row.Key); ok {
					return true
				}
			}
			yield(f)
			return true
		})
	}
}

// whole returns what is known of a node, with what follows from its edges.
func (g *Graph) whole(n *Node) Fact {
	f := n.Fact
	f.Stale, f.Links = g.Stale(n), 0
	for i := range n.Count {
		if g.Edges[n.First+i].Child != Nowhere {
			f.Links++
		}
	}
	return f
}

// Turned returns a value for the other side, unless the same side is to move
// again. What is won or lost for certain is so one ply later.
func Turned(v engine.Value, same bool) engine.Value {
	if v == engine.NoValue {
		return v
	}
	switch {
	case v >= engine.Decided:
		v--
	case v <= -engine.Decided:
		v++
	}
	if same {
		return v
	}
	return -v
}

func (w Worth) turned(same bool) Worth {
	w.Value = Turned(w.Value, same)
	w.Lower, w.Upper = Turned(w.Lower, same), Turned(w.Upper, same)
	if !same {
		w.Lower, w.Upper = w.Upper, w.Lower
	}
	return w
}

func certain(v engine.Value, level int16) Worth { return Worth{v, v, v, level, false} }

// Decides returns what counts of a position where it is backed up: what a person
// set, else X, else E.
func (n *Fact) Decides() Worth {
	switch {
	case n.Row.Human != engine.NoValue:
		return certain(n.Row.Human, LevelHuman)
	case n.X != engine.NoValue:
		return certain(n.X, LevelExact)
	}
	return n.Worth
}

// Behind returns what a move is worth to the side that makes it, as far as it
// is valued.
func (g *Graph) Behind(e *Edge) Worth {
	if f, ok := g.child(e); ok {
		if w := f.Decides(); w.Known() {
			return w.turned(e.Same)
		}
	}
	if e.fixed != engine.NoValue {
		return certain(e.fixed, LevelExact)
	}
	return Worthless
}

// Child returns what is known of the position that an edge leads to.
func (g *Graph) child(e *Edge) (*Fact, bool) {
	switch e.Child {
	case Nowhere:
		return nil, false
	case shelved:
		f, ok := g.shelf(e.Key)
		return &f, ok
	}
	return &g.Nodes[e.Child].Fact, true
}

// exactly returns the exact value of a move for the side that makes it.
func (g *Graph) exactly(e *Edge) engine.Value {
	if f, ok := g.child(e); ok && f.X != engine.NoValue {
		return Turned(f.X, e.Same)
	}
	return e.fixed
}

func (g *Graph) edgesOf(n *Node) []Edge { return g.Edges[n.First : n.First+n.Count] }

// LeafOf returns the worth of the leaf of a node, if it has one that counts.
func (g *Graph) LeafOf(n *Node) Worth {
	if n.Leaf == game.NoMove || n.Row.Value == engine.NoValue {
		return Worthless
	}
	for i := range g.edgesOf(n) {
		e := &g.Edges[n.First+int32(i)]
		if e.Key == n.Target && g.Behind(e).Known() {
			return Worthless
		}
	}
	return n.Row.leaf()
}

// LeafIn returns the leaf of a position that need not be a node, and where it
// leads. Whether that is valued is for the caller to see.
func (g *Graph) LeafIn(k *Keyer, f *Fact) (Worth, book.Key) {
	if f.Row.Leaf == "" || f.Row.Value == engine.NoValue {
		return Worthless, book.Key{}
	}
	if id, ok := g.At[f.Row.Key]; ok {
		return f.Row.leaf(), g.Nodes[id].Target
	}
	p, err := game.ParsePosition(g.rules, f.Row.Position)
	if err != nil {
		return Worthless, book.Key{}
	}
	m, err := g.rules.ParseMove(p, f.Row.Leaf, game.AnyNotation)
	if err != nil {
		return Worthless, book.Key{}
	}
	s, err := k.Step(p, m)
	if err != nil {
		return Worthless, book.Key{}
	}
	return f.Row.leaf(), s.Key
}

// Leaf returns the worth of the leaf, within the usual bounds where it has none.
func (r *Row) leaf() Worth {
	w := Worth{r.Value, r.Lower, r.Upper, int16(r.Level), false}
	margin := MarginMid
	if w.Level >= LevelExact {
		margin = 0
	}
	if w.Lower == engine.NoValue {
		w.Lower = w.Value - margin
	}
	if w.Upper == engine.NoValue {
		w.Upper = w.Value + margin
	}
	return w
}

// Followed reports whether the leaf of a node leads to a valued position by now:
// the search of it says of the other moves that they are not better than it was.
func (g *Graph) Followed(n *Node) bool {
	return n.Leaf != game.NoMove && n.Row.Value != engine.NoValue && !g.LeafOf(n).Known()
}

// Stale reports whether a node lacks a leaf: moves of it lead nowhere, and the
// best of them is not known. What came with the program is left as it is, and
// where a person has spoken and no engine yet, nobody needs one.
func (g *Graph) Stale(n *Node) bool {
	if n.Shipped || n.X != engine.NoValue || n.Row.Closed() || g.LeafOf(n).Known() || n.Row.Human != engine.NoValue && n.Row.Level == 0 {
		return false
	}
	for i := range g.edgesOf(n) {
		if !g.Behind(&g.Edges[n.First+int32(i)]).Known() {
			return true
		}
	}
	return false
}

// work works out what follows for a node, and reports whether it has changed.
func (g *Graph) work(n *Node) bool {
	best, x := Worthless, n.Row.Exact
	solved, open := engine.NoValue, false
	take := func(w Worth) {
		if !best.Known() {
			best = w
			return
		}
		if w.Value > best.Value || w.Value == best.Value && w.Level > best.Level {
			best.Value, best.Level = w.Value, w.Level
		}
		best.Lower, best.Upper = max(best.Lower, w.Lower), max(best.Upper, w.Upper)
	}
	all := n.Count > 0
	for i := range g.edgesOf(n) {
		e := &g.Edges[n.First+int32(i)]
		if w := g.Behind(e); w.Known() {
			take(w)
		} else {
			open = true
		}
		if v := g.exactly(e); v == engine.NoValue {
			all = false
		} else {
			solved = max(solved, v)
		}
	}
	switch leaf := g.LeafOf(n); {
	case leaf.Known():
		take(leaf)
	case !open || !best.Known() || n.Row.Closed():
	case g.Followed(n) && best.Value >= n.Row.Value:
		// The search found no other move better than the one that was followed.
		best.Upper = max(best.Upper, n.Row.leaf().Upper)
	default:
		best.Partial, best.Upper = true, unbounded
	}
	switch {
	case x != engine.NoValue:
	case n.given != engine.NoValue:
		x = n.given
	case all:
		x = solved
	}
	if best == n.Worth && x == n.X {
		return false
	}
	n.Worth, n.X, n.Changed = best, x, true
	return true
}

// maxTimes bounds how often one back-up works out the same node. In games
// without cycles, where pieces only come or only go, it is at most a few times;
// a cycle of moves (Xiangqi) ends here.
const maxTimes = 64

// Push queues a node to be worked out.
func (g *Graph) Push(id int32) {
	if n := &g.Nodes[id]; !n.queued && !n.Gone && n.times < maxTimes {
		n.queued = true
		heap.Push(&g.queue, entry{id, n.Pieces})
	}
}

// Summon fetches the positions with a move to one.
func (g *Graph) Summon(k book.Key) {
	for _, l := range g.layers {
		l.parents(k, func(p book.Key) { g.Find(p) })
	}
}

// pushParents queues the nodes with a move to a position.
func (g *Graph) pushParents(k book.Key) {
	g.Summon(k)
	for e := g.First(k); e >= 0; e = g.Edges[e].Next {
		g.Push(g.Edges[e].From)
	}
}

// First returns the first of the edges that lead to a position; Nowhere for none.
func (g *Graph) First(k book.Key) int32 {
	if e, ok := g.to[k]; ok {
		return e
	}
	return Nowhere
}

// Settle works out whatever is queued, and whatever changes by that: not along
// one way, but along all that lead to it. It goes from full boards to empty ones,
// so that a node is worked out after all below it.
func (g *Graph) Settle() {
	var touched []int32
	for len(g.queue) > 0 {
		id := heap.Pop(&g.queue).(entry).id
		n := &g.Nodes[id]
		n.queued = false
		n.times++
		touched = append(touched, id)
		if g.work(n) {
			g.pushParents(n.Row.Key)
		}
	}
	for _, id := range touched {
		g.Nodes[id].times = 0
	}
}

// Read makes a node of a row; it is not in the graph yet. The edges stand apart,
// with their children as they are now.
func (g *Graph) Read(row Row) (n Node, edges []Edge, err error) {
	p, err := game.ParsePosition(g.rules, row.Position)
	if err != nil {
		return n, nil, fmt.Errorf("theory: the position %q cannot be: %w", row.Position, err)
	}
	key, _ := g.Keyer.Key(p)
	if key != row.Key {
		return n, nil, fmt.Errorf("theory: the position %q is not that of its key", row.Position)
	}
	n = Node{Fact: Fact{Row: row, Worth: Worthless, X: engine.NoValue, Pieces: Pieces(p)}, given: engine.NoValue}
	if row.Leaf != "" {
		if n.Leaf, err = g.rules.ParseMove(p, row.Leaf, game.AnyNotation); err != nil {
			return n, nil, fmt.Errorf("theory: the leaf %q of %q: %w", row.Leaf, row.Position, err)
		}
	}
	if g.exact != nil {
		if v, ok := g.exact(key); ok {
			n.given = v
		}
	}
	edges, err = g.Moves(p)
	if err != nil {
		return n, nil, err
	}
	if n.Leaf != game.NoMove {
		at := slices.IndexFunc(edges, func(e Edge) bool { return e.Move == n.Leaf })
		if at < 0 { // it is one of several that are the same by symmetry
			s, err := g.Keyer.Step(p, n.Leaf)
			if err != nil {
				return n, nil, err
			}
			if at = slices.IndexFunc(edges, func(e Edge) bool { return e.Key == s.Key }); at < 0 {
				return n, nil, fmt.Errorf("theory: the leaf %q of %q leads nowhere", row.Leaf, row.Position)
			}
			n.Leaf = edges[at].Move
		}
		n.Target = edges[at].Key
	}
	return n, edges, nil
}

// Moves lists the edges of a position.
func (g *Graph) Moves(p game.Position) ([]Edge, error) {
	var edges []Edge
	side := p.Turn()
	for _, m := range p.AppendMoves(nil) {
		s, err := g.Keyer.Step(p, m)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(edges, func(e Edge) bool { return e.Key == s.Key }) {
			continue
		}
		e := Edge{Key: s.Key, Move: m, Next: Nowhere, Child: Nowhere, fixed: engine.NoValue, Same: s.Turn == side}
		if s.Over {
			e.fixed = OutcomeValue(s.Outcome, side)
		} else {
			if g.exact != nil {
				if v, ok := g.exact(s.Key); ok {
					e.fixed = Turned(v, e.Same)
				}
			}
			e.Child = g.nodeAt(s.Key)
		}
		edges = append(edges, e)
	}
	return edges, nil
}

// Insert puts a node into the graph, in the place of one of the same position,
// and queues it with all that lead to it.
func (g *Graph) Insert(n Node, edges []Edge) int32 {
	id, ok := g.Find(n.Row.Key)
	if ok {
		old := &g.Nodes[id]
		old.Row, old.Leaf, old.Target, old.given, old.Shipped = n.Row, n.Leaf, n.Target, n.given, n.Shipped
	} else {
		id = g.place(n, edges)
	}
	g.Nodes[id].Changed = true
	g.Push(id)
	g.pushParents(n.Row.Key) // what a person set counts for them, and is no change of E
	return id
}

// nodeAt returns what an edge to a position leads to.
func (g *Graph) nodeAt(k book.Key) int32 {
	if id, ok := g.At[k]; ok {
		return id
	}
	if _, ok := g.shelf(k); ok {
		return shelved
	}
	return Nowhere
}

// place makes a node, with the edges that lead from it and to it.
func (g *Graph) place(n Node, edges []Edge) int32 {
	id := int32(len(g.Nodes))
	n.First, n.Count = int32(len(g.Edges)), int32(len(edges))
	g.Nodes = append(g.Nodes, n)
	g.At[n.Row.Key] = id
	delete(g.gone, n.Row.Key)
	for _, e := range edges {
		e.From, e.Next, e.Child = id, g.First(e.Key), g.nodeAt(e.Key)
		g.to[e.Key] = int32(len(g.Edges))
		g.Edges = append(g.Edges, e)
	}
	for e := g.First(n.Row.Key); e >= 0; e = g.Edges[e].Next {
		g.Edges[e].Child = id
	}
	return id
}

// Remove takes a node out of the graph, and queues all that lead to it. Its
// edges stay where they are, and lead nowhere.
func (g *Graph) Remove(id int32) {
	n := &g.Nodes[id]
	if n.Gone {
		return
	}
	key := n.Row.Key
	g.Summon(key)
	n = &g.Nodes[id]
	n.Gone = true
	delete(g.At, key)
	for _, l := range g.layers {
		if _, ok := l.Find(key); ok {
			g.gone[key] = true
		}
	}
	for e := g.First(key); e >= 0; e = g.Edges[e].Next {
		g.Edges[e].Child = Nowhere
	}
	for i := range n.Count {
		g.unlink(n.First + i)
	}
	g.pushParents(key)
}

// unlink takes an edge out of the list of those that lead where it leads.
func (g *Graph) unlink(id int32) {
	e := &g.Edges[id]
	if first := g.First(e.Key); first == id {
		if e.Next < 0 {
			delete(g.to, e.Key)
		} else {
			g.to[e.Key] = e.Next
		}
		return
	}
	for at := g.First(e.Key); at >= 0; at = g.Edges[at].Next {
		if g.Edges[at].Next == id {
			g.Edges[at].Next = e.Next
			return
		}
	}
}

// Below returns the nodes that can be reached from a position, its own among them.
// It fetches.
func (g *Graph) Below(root book.Key) []int32 {
	id, ok := g.Find(root)
	if !ok {
		return nil
	}
	seen := map[int32]bool{id: true}
	list := []int32{id}
	for at := 0; at < len(list); at++ {
		first, count := g.Nodes[list[at]].First, g.Nodes[list[at]].Count
		for i := range count {
			if c := g.Follow(first + i); c >= 0 && !seen[c] {
				seen[c] = true
				list = append(list, c)
			}
		}
	}
	return list
}

// queue is a heap of nodes, those with the most pieces first.
type queue []entry

type entry struct{ id, pieces int32 }

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].pieces > q[j].pieces }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(v any)        { *q = append(*q, v.(entry)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}
