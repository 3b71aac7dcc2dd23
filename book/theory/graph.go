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

// graph is valued positions with their moves. Nodes and edges are numbers into
// two slices: a node has about ten edges, and pointers would cost more than what
// they point to. It takes about 900 bytes a position of Othello. It is not safe
// for concurrent use; Theory guards it.
type graph struct {
	rules game.Rules
	exact func(book.Key) (engine.Value, bool) // may be nil
	keyer *keyer

	nodes []node
	edges []edge
	at    map[book.Key]int32 // the node of a position
	to    map[book.Key]int32 // the first of the edges that lead to a position, valued or not

	queue queue
}

// node is a valued position.
type node struct {
	row    Row
	leaf   game.Move // row.Leaf; NoMove for none
	target book.Key  // where the leaf leads
	first  int32     // edge
	count  int32     // edges
	pieces int32     // on the board: what backs up goes from many to few
	given  engine.Value
	queued bool
	gone   bool
	times  int32 // that it was worked out in this back-up

	worth // derived
	x     engine.Value
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
	child int32        // the node there; -1 for none
	fixed engine.Value // for the side that moves: how the game ends with it, or what is known exactly of where it leads; else NoValue
	same  bool         // the side that moves is to move again: the other one had to pass
}

func newGraph(r game.Rules, exact func(book.Key) (engine.Value, bool)) *graph {
	return &graph{rules: r, exact: exact, keyer: newKeyer(r), at: map[book.Key]int32{}, to: map[book.Key]int32{}}
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

// decides returns what counts of a node where it is backed up: what a person
// set, else X, else E.
func (n *node) decides() worth {
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
	if e.child >= 0 {
		if w := g.nodes[e.child].decides(); w.known() {
			return w.turned(e.same)
		}
	}
	if e.fixed != engine.NoValue {
		return certain(e.fixed, LevelExact)
	}
	return worthless
}

// exactly returns the exact value of a move for the side that makes it.
func (g *graph) exactly(e *edge) engine.Value {
	if e.child >= 0 {
		if x := g.nodes[e.child].x; x != engine.NoValue {
			return turned(x, e.same)
		}
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
	w := worth{n.row.Value, n.row.Lower, n.row.Upper, int16(n.row.Level), false}
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

// stale reports whether a node lacks a leaf: moves of it lead nowhere, and the
// best of them is not known. Where a person has spoken and no engine yet, nobody
// needs one.
func (g *graph) stale(n *node) bool {
	if n.x != engine.NoValue || n.row.closed() || g.leafOf(n).known() || n.row.Human != engine.NoValue && n.row.Level == 0 {
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
	if leaf := g.leafOf(n); leaf.known() {
		take(leaf)
	} else if open && best.known() && !n.row.closed() {
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
	n.worth, n.x = best, x
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

// pushParents queues the nodes with a move to a position.
func (g *graph) pushParents(k book.Key) {
	for e := g.first(k); e >= 0; e = g.edges[e].next {
		g.push(g.edges[e].from)
	}
}

func (g *graph) first(k book.Key) int32 {
	if e, ok := g.to[k]; ok {
		return e
	}
	return -1
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
	n = node{row: row, worth: worthless, x: engine.NoValue, given: engine.NoValue, pieces: pieces(p)}
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
			if n.target, _, err = g.keyer.after(p, n.leaf); err != nil {
				return n, nil, err
			}
			if at = slices.IndexFunc(edges, func(e edge) bool { return e.key == n.target }); at < 0 {
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
		e := edge{key: s.key, move: m, next: -1, child: -1, fixed: engine.NoValue, same: s.turn == side}
		if s.over {
			e.fixed = outcomeValue(s.outcome, side)
		} else {
			if g.exact != nil {
				if v, ok := g.exact(s.key); ok {
					e.fixed = turned(v, e.same)
				}
			}
			if id, ok := g.at[s.key]; ok {
				e.child = id
			}
		}
		edges = append(edges, e)
	}
	return edges, nil
}

// insert puts a node into the graph, in the place of one of the same position,
// and queues it with all that lead to it.
func (g *graph) insert(n node, edges []edge) int32 {
	if id, ok := g.at[n.row.Key]; ok {
		old := &g.nodes[id]
		old.row, old.leaf, old.target, old.given = n.row, n.leaf, n.target, n.given
		g.push(id)
		g.pushParents(n.row.Key) // what a person set counts for them, and is no change of E
		return id
	}
	id := int32(len(g.nodes))
	n.first, n.count = int32(len(g.edges)), int32(len(edges))
	g.nodes = append(g.nodes, n)
	g.at[n.row.Key] = id
	for _, e := range edges {
		e.from, e.next = id, g.first(e.key)
		e.child = -1
		if c, ok := g.at[e.key]; ok {
			e.child = c
		}
		g.to[e.key] = int32(len(g.edges))
		g.edges = append(g.edges, e)
	}
	for e := g.first(n.row.Key); e >= 0; e = g.edges[e].next {
		g.edges[e].child = id
	}
	g.push(id)
	g.pushParents(n.row.Key)
	return id
}

// remove takes a node out of the graph, and queues all that lead to it. Its
// edges stay where they are, and lead nowhere.
func (g *graph) remove(id int32) {
	n := &g.nodes[id]
	if n.gone {
		return
	}
	n.gone = true
	delete(g.at, n.row.Key)
	for e := g.first(n.row.Key); e >= 0; e = g.edges[e].next {
		g.edges[e].child = -1
	}
	for i := range n.count {
		g.unlink(n.first + i)
	}
	g.pushParents(n.row.Key)
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
