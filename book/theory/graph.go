package theory

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

func compareKeys(a, b book.Key) int { return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo)) }

// graph is valued positions with their moves. Most of them lie in layers, which
// are files and never change; the graph holds those that were changed or walked
// over since, about 900 bytes each in Othello. Where both have a position, that of
// the graph counts. Nodes and edges are numbers into two slices: a node has about
// ten edges, and pointers would cost more than what they point to.
//
// It is not safe for concurrent use; Theory guards it. What only looks (look,
// behind, leafOf) fetches nothing from a layer, and may be called by many at a time.
type graph struct {
	rules  game.Rules
	exact  func(book.Key) (engine.Value, bool) // may be nil
	keyer  *keyer
	layers []layer // the first that has a position counts

	nodes []node
	edges []edge
	at    map[book.Key]int32 // the node of a position
	to    map[book.Key]int32 // the first of the edges that lead to a position, valued or not
	gone  map[book.Key]bool  // positions of layers that were removed

	queue queue
}

// fact is what is known of a valued position: as it was put, and what follows.
type fact struct {
	row    Row
	pieces int32 // on the board: what backs up goes from many to few
	worth
	x       engine.Value
	stale   bool  // see graph.stale
	links   uint8 // moves to other valued positions
	shipped bool  // it came with the program, and nobody here has said more
}

// layer is valued positions that do not change. It is safe for concurrent use.
type layer interface {
	find(k book.Key) (fact, bool)

	// parents calls back with positions of the layer that may have a move to one:
	// all that have, and now and then one that has not.
	parents(k book.Key, yield func(book.Key))

	each(yield func(fact) bool) // all positions, by key
}

// node is a valued position.
type node struct {
	fact              // but for stale and links, which follow from the edges
	leaf    game.Move // row.Leaf; NoMove for none
	target  book.Key  // where the leaf leads
	first   int32     // edge
	count   int32     // edges
	given   engine.Value
	queued  bool
	gone    bool
	changed bool  // no layer has it so
	times   int32 // that it was worked out in this back-up
}

// worth is what a position or a move is worth to the side to move, by search.
type worth struct {
	value, lower, upper engine.Value
	level               int16
	partial             bool // there are moves that nobody has looked at
}

// unbounded is the upper bound of a value of which nobody knows how high it may
// be.
const unbounded = math.MaxInt32

// bounded returns a bound as others see it: NoValue where it is none.
func bounded(v engine.Value) engine.Value {
	if v > 2*engine.Win || v < -2*engine.Win {
		return engine.NoValue
	}
	return v
}

var worthless = worth{value: engine.NoValue, lower: engine.NoValue, upper: engine.NoValue}

func (w worth) known() bool { return w.value != engine.NoValue }

// edge is a legal move of a node; of moves that are the same but for a symmetry
// of the position there is one.
type edge struct {
	key   book.Key // of the position behind it, passes folded
	move  game.Move
	from  int32
	next  int32        // the next edge to the same position; -1 for none
	child int32        // the node there; nowhere, or shelved where a layer has it
	fixed engine.Value // for the side that moves: how the game ends with it, or what is known exactly of where it leads; else NoValue
	same  bool         // the side that moves is to move again: the other one had to pass
}

// What an edge leads to where that is no node of the graph.
const (
	nowhere int32 = -1
	shelved int32 = -2
)

func newGraph(r game.Rules, exact func(book.Key) (engine.Value, bool), layers ...layer) *graph {
	return &graph{rules: r, exact: exact, keyer: newKeyer(r), layers: layers, at: map[book.Key]int32{}, to: map[book.Key]int32{}, gone: map[book.Key]bool{}}
}

// look returns what is known of a position.
func (g *graph) look(k book.Key) (fact, bool) {
	if id, ok := g.at[k]; ok {
		return g.nodes[id].fact, true
	}
	return g.shelf(k)
}

// shelf returns what the layers know of a position that is no node.
func (g *graph) shelf(k book.Key) (fact, bool) {
	if g.gone[k] {
		return fact{}, false
	}
	for _, l := range g.layers {
		if f, ok := l.find(k); ok {
			return f, true
		}
	}
	return fact{}, false
}

// find returns the node of a position, fetched from its layer if need be. Slices
// of nodes and edges may be others after it.
func (g *graph) find(k book.Key) (int32, bool) {
	if id, ok := g.at[k]; ok {
		return id, true
	}
	f, ok := g.shelf(k)
	if !ok {
		return nowhere, false
	}
	n, edges, err := g.read(f.row)
	if err != nil { // a row that was read once can be read again: the rules are the same
		return nowhere, false
	}
	n.fact = f
	return g.place(n, edges), true
}

// follow returns the node that an edge leads to, nowhere for none. It fetches.
func (g *graph) follow(e int32) int32 {
	if g.edges[e].child == shelved {
		g.find(g.edges[e].key)
	}
	return g.edges[e].child
}

// fetchAll makes nodes of all positions, for what has to walk over them.
func (g *graph) fetchAll() {
	for _, l := range g.layers {
		l.each(func(f fact) bool {
			g.find(f.row.Key)
			return true
		})
	}
}

// each calls back with what is known of all positions, those of nodes first.
func (g *graph) each(yield func(fact)) {
	for id := range g.nodes {
		if n := &g.nodes[id]; !n.gone {
			yield(g.whole(n))
		}
	}
	for i, l := range g.layers {
		l.each(func(f fact) bool {
			if _, ok := g.at[f.row.Key]; ok || g.gone[f.row.Key] {
				return true
			}
			for _, above := range g.layers[:i] {
				if _, ok := above.find(f.row.Key); ok {
					return true
				}
			}
			yield(f)
			return true
		})
	}
}

// whole returns what is known of a node, with what follows from its edges.
func (g *graph) whole(n *node) fact {
	f := n.fact
	f.stale, f.links = g.stale(n), 0
	for i := range n.count {
		if g.edges[n.first+i].child != nowhere {
			f.links++
		}
	}
	return f
}

// turned returns a value for the other side, unless the same side is to move
// again. What is won or lost for certain is so one ply later.
func turned(v engine.Value, same bool) engine.Value {
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

func (w worth) turned(same bool) worth {
	w.value = turned(w.value, same)
	w.lower, w.upper = turned(w.lower, same), turned(w.upper, same)
	if !same {
		w.lower, w.upper = w.upper, w.lower
	}
	return w
}

func certain(v engine.Value, level int16) worth { return worth{v, v, v, level, false} }

// decides returns what counts of a position where it is backed up: what a person
// set, else X, else E.
func (n *fact) decides() worth {
	switch {
	case n.row.Human != engine.NoValue:
		return certain(n.row.Human, LevelHuman)
	case n.x != engine.NoValue:
		return certain(n.x, LevelExact)
	}
	return n.worth
}

// behind returns what a move is worth to the side that makes it, as far as it
// is valued.
func (g *graph) behind(e *edge) worth {
	if f, ok := g.child(e); ok {
		if w := f.decides(); w.known() {
			return w.turned(e.same)
		}
	}
	if e.fixed != engine.NoValue {
		return certain(e.fixed, LevelExact)
	}
	return worthless
}

// child returns what is known of the position that an edge leads to.
func (g *graph) child(e *edge) (*fact, bool) {
	switch e.child {
	case nowhere:
		return nil, false
	case shelved:
		f, ok := g.shelf(e.key)
		return &f, ok
	}
	return &g.nodes[e.child].fact, true
}

// exactly returns the exact value of a move for the side that makes it.
func (g *graph) exactly(e *edge) engine.Value {
	if f, ok := g.child(e); ok && f.x != engine.NoValue {
		return turned(f.x, e.same)
	}
	return e.fixed
}

func (g *graph) edgesOf(n *node) []edge { return g.edges[n.first : n.first+n.count] }

// leafOf returns the worth of the leaf of a node, if it has one that counts.
func (g *graph) leafOf(n *node) worth {
	if n.leaf == game.NoMove || n.row.Value == engine.NoValue {
		return worthless
	}
	for i := range g.edgesOf(n) {
		e := &g.edges[n.first+int32(i)]
		if e.key == n.target && g.behind(e).known() {
			return worthless
		}
	}
	return n.row.leaf()
}

// leafIn returns the leaf of a position that need not be a node, and where it
// leads. Whether that is valued is for the caller to see.
func (g *graph) leafIn(k *keyer, f *fact) (worth, book.Key) {
	if f.row.Leaf == "" || f.row.Value == engine.NoValue {
		return worthless, book.Key{}
	}
	if id, ok := g.at[f.row.Key]; ok {
		return f.row.leaf(), g.nodes[id].target
	}
	p, err := game.ParsePosition(g.rules, f.row.Position)
	if err != nil {
		return worthless, book.Key{}
	}
	m, err := g.rules.ParseMove(p, f.row.Leaf, game.AnyNotation)
	if err != nil {
		return worthless, book.Key{}
	}
	s, err := k.step(p, m)
	if err != nil {
		return worthless, book.Key{}
	}
	return f.row.leaf(), s.key
}

// leaf returns the worth of the leaf, within the usual bounds where it has none.
func (r *Row) leaf() worth {
	w := worth{r.Value, r.Lower, r.Upper, int16(r.Level), false}
	margin := MarginMid
	if w.level >= LevelExact {
		margin = 0
	}
	if w.lower == engine.NoValue {
		w.lower = w.value - margin
	}
	if w.upper == engine.NoValue {
		w.upper = w.value + margin
	}
	return w
}

// followed reports whether the leaf of a node leads to a valued position by now:
// the search of it says of the other moves that they are not better than it was.
func (g *graph) followed(n *node) bool {
	return n.leaf != game.NoMove && n.row.Value != engine.NoValue && !g.leafOf(n).known()
}

// stale reports whether a node lacks a leaf: moves of it lead nowhere, and the
// best of them is not known. What came with the program is left as it is, and
// where a person has spoken and no engine yet, nobody needs one.
func (g *graph) stale(n *node) bool {
	if n.shipped || n.x != engine.NoValue || n.row.closed() || g.leafOf(n).known() || n.row.Human != engine.NoValue && n.row.Level == 0 {
		return false
	}
	for i := range g.edgesOf(n) {
		if !g.behind(&g.edges[n.first+int32(i)]).known() {
			return true
		}
	}
	return false
}

// work works out what follows for a node, and reports whether it has changed.
func (g *graph) work(n *node) bool {
	best, x := worthless, n.row.Exact
	solved, open := engine.NoValue, false
	take := func(w worth) {
		if !best.known() {
			best = w
			return
		}
		if w.value > best.value || w.value == best.value && w.level > best.level {
			best.value, best.level = w.value, w.level
		}
		best.lower, best.upper = max(best.lower, w.lower), max(best.upper, w.upper)
	}
	all := n.count > 0
	for i := range g.edgesOf(n) {
		e := &g.edges[n.first+int32(i)]
		if w := g.behind(e); w.known() {
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
	switch leaf := g.leafOf(n); {
	case leaf.known():
		take(leaf)
	case !open || !best.known() || n.row.closed():
	case g.followed(n) && best.value >= n.row.Value:
		// The search found no other move better than the one that was followed.
		best.upper = max(best.upper, n.row.leaf().upper)
	default:
		best.partial, best.upper = true, unbounded
	}
	switch {
	case x != engine.NoValue:
	case n.given != engine.NoValue:
		x = n.given
	case all:
		x = solved
	}
	if best == n.worth && x == n.x {
		return false
	}
	n.worth, n.x, n.changed = best, x, true
	return true
}

// maxTimes bounds how often one back-up works out the same node. In games
// without cycles, where pieces only come or only go, it is at most a few times;
// a cycle of moves (Xiangqi) ends here.
const maxTimes = 64

// push queues a node to be worked out.
func (g *graph) push(id int32) {
	if n := &g.nodes[id]; !n.queued && !n.gone && n.times < maxTimes {
		n.queued = true
		heap.Push(&g.queue, entry{id, n.pieces})
	}
}

// summon fetches the positions with a move to one.
func (g *graph) summon(k book.Key) {
	for _, l := range g.layers {
		l.parents(k, func(p book.Key) { g.find(p) })
	}
}

// pushParents queues the nodes with a move to a position.
func (g *graph) pushParents(k book.Key) {
	g.summon(k)
	for e := g.first(k); e >= 0; e = g.edges[e].next {
		g.push(g.edges[e].from)
	}
}

func (g *graph) first(k book.Key) int32 {
	if e, ok := g.to[k]; ok {
		return e
	}
	return nowhere
}

// settle works out whatever is queued, and whatever changes by that: not along
// one way, but along all that lead to it. It goes from full boards to empty ones,
// so that a node is worked out after all below it.
func (g *graph) settle() {
	var touched []int32
	for len(g.queue) > 0 {
		id := heap.Pop(&g.queue).(entry).id
		n := &g.nodes[id]
		n.queued = false
		n.times++
		touched = append(touched, id)
		if g.work(n) {
			g.pushParents(n.row.Key)
		}
	}
	for _, id := range touched {
		g.nodes[id].times = 0
	}
}

// read makes a node of a row; it is not in the graph yet. The edges stand apart,
// with their children as they are now.
func (g *graph) read(row Row) (n node, edges []edge, err error) {
	p, err := game.ParsePosition(g.rules, row.Position)
	if err != nil {
		return n, nil, fmt.Errorf("theory: the position %q cannot be: %w", row.Position, err)
	}
	key, _ := g.keyer.key(p)
	if key != row.Key {
		return n, nil, fmt.Errorf("theory: the position %q is not that of its key", row.Position)
	}
	n = node{fact: fact{row: row, worth: worthless, x: engine.NoValue, pieces: pieces(p)}, given: engine.NoValue}
	if row.Leaf != "" {
		if n.leaf, err = g.rules.ParseMove(p, row.Leaf, game.AnyNotation); err != nil {
			return n, nil, fmt.Errorf("theory: the leaf %q of %q: %w", row.Leaf, row.Position, err)
		}
	}
	if g.exact != nil {
		if v, ok := g.exact(key); ok {
			n.given = v
		}
	}
	edges, err = g.moves(p)
	if err != nil {
		return n, nil, err
	}
	if n.leaf != game.NoMove {
		at := slices.IndexFunc(edges, func(e edge) bool { return e.move == n.leaf })
		if at < 0 { // it is one of several that are the same by symmetry
			s, err := g.keyer.step(p, n.leaf)
			if err != nil {
				return n, nil, err
			}
			if at = slices.IndexFunc(edges, func(e edge) bool { return e.key == s.key }); at < 0 {
				return n, nil, fmt.Errorf("theory: the leaf %q of %q leads nowhere", row.Leaf, row.Position)
			}
			n.leaf = edges[at].move
		}
		n.target = edges[at].key
	}
	return n, edges, nil
}

// moves lists the edges of a position.
func (g *graph) moves(p game.Position) ([]edge, error) {
	var edges []edge
	side := p.Turn()
	for _, m := range p.AppendMoves(nil) {
		s, err := g.keyer.step(p, m)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(edges, func(e edge) bool { return e.key == s.key }) {
			continue
		}
		e := edge{key: s.key, move: m, next: nowhere, child: nowhere, fixed: engine.NoValue, same: s.turn == side}
		if s.over {
			e.fixed = outcomeValue(s.outcome, side)
		} else {
			if g.exact != nil {
				if v, ok := g.exact(s.key); ok {
					e.fixed = turned(v, e.same)
				}
			}
			e.child = g.nodeAt(s.key)
		}
		edges = append(edges, e)
	}
	return edges, nil
}

// insert puts a node into the graph, in the place of one of the same position,
// and queues it with all that lead to it.
func (g *graph) insert(n node, edges []edge) int32 {
	id, ok := g.find(n.row.Key)
	if ok {
		old := &g.nodes[id]
		old.row, old.leaf, old.target, old.given, old.shipped = n.row, n.leaf, n.target, n.given, n.shipped
	} else {
		id = g.place(n, edges)
	}
	g.nodes[id].changed = true
	g.push(id)
	g.pushParents(n.row.Key) // what a person set counts for them, and is no change of E
	return id
}

// nodeAt returns what an edge to a position leads to.
func (g *graph) nodeAt(k book.Key) int32 {
	if id, ok := g.at[k]; ok {
		return id
	}
	if _, ok := g.shelf(k); ok {
		return shelved
	}
	return nowhere
}

// place makes a node, with the edges that lead from it and to it.
func (g *graph) place(n node, edges []edge) int32 {
	id := int32(len(g.nodes))
	n.first, n.count = int32(len(g.edges)), int32(len(edges))
	g.nodes = append(g.nodes, n)
	g.at[n.row.Key] = id
	delete(g.gone, n.row.Key)
	for _, e := range edges {
		e.from, e.next, e.child = id, g.first(e.key), g.nodeAt(e.key)
		g.to[e.key] = int32(len(g.edges))
		g.edges = append(g.edges, e)
	}
	for e := g.first(n.row.Key); e >= 0; e = g.edges[e].next {
		g.edges[e].child = id
	}
	return id
}

// remove takes a node out of the graph, and queues all that lead to it. Its
// edges stay where they are, and lead nowhere.
func (g *graph) remove(id int32) {
	n := &g.nodes[id]
	if n.gone {
		return
	}
	key := n.row.Key
	g.summon(key)
	n = &g.nodes[id]
	n.gone = true
	delete(g.at, key)
	for _, l := range g.layers {
		if _, ok := l.find(key); ok {
			g.gone[key] = true
		}
	}
	for e := g.first(key); e >= 0; e = g.edges[e].next {
		g.edges[e].child = nowhere
	}
	for i := range n.count {
		g.unlink(n.first + i)
	}
	g.pushParents(key)
}

// unlink takes an edge out of the list of those that lead where it leads.
func (g *graph) unlink(id int32) {
	e := &g.edges[id]
	if first := g.first(e.key); first == id {
		if e.next < 0 {
			delete(g.to, e.key)
		} else {
			g.to[e.key] = e.next
		}
		return
	}
	for at := g.first(e.key); at >= 0; at = g.edges[at].next {
		if g.edges[at].next == id {
			g.edges[at].next = e.next
			return
		}
	}
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
