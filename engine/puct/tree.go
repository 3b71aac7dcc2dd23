package puct

import (
	"cmp"
	"math"
	"slices"

	"qipu/game"
)

// node is a position of the tree, however it came about: ways that lead to the same
// stones with the same side to move in as many moves share it. Sums are for the side to
// move.
type node struct {
	key    uint64
	first  int32 // edge; edges of a node lie beside each other, the likeliest first
	count  int32 // of edges
	state  state
	visits int32 // its own look and those of its edges, or so many looks where it is closed
	flying int32 // visits that have not come back yet

	own                verdict // what the look at it has found
	utility, lead, win float64 // sums over all visits
}

type state uint8

const (
	fresh   state = iota // nobody has looked at it
	looking              // somebody does
	open                 // its edges are there
	closed               // it has no edges: the game is over or decided, or the tree is full
)

// edge is a move of a position. What stands behind it may have been visited by others,
// too: their visits count for its value, and not for how often the move was chosen.
type edge struct {
	move   game.Move
	prior  float32
	child  int32 // node; 0 for none, since nobody comes to the root
	visits int32
	flying int32
}

// The bounds of a tree, in bytes of a node and of an edge.
const (
	nodeBytes = 128 // with its place in the index
	edgeBytes = 20
)

// tree holds nodes and edges in two arenas. The root is node 0. Keys have the number of
// the move in them, so that no way leads back to where it came from.
type tree struct {
	nodes []node
	edges []edge
	index map[uint64]int32 // of all nodes but the root
	most  int64            // bytes

	moved []int32 // of descend: where nodes went
}

func (t *tree) reset() {
	t.nodes, t.edges = append(t.nodes[:0], node{}), t.edges[:0]
	if t.index == nil {
		t.index = map[uint64]int32{}
	}
	clear(t.index)
}

// full reports whether there is no room for the edges of another node.
func (t *tree) full() bool {
	return int64(len(t.nodes))*nodeBytes+int64(len(t.edges))*edgeBytes >= t.most
}

// grow returns the node behind an edge, whose position has that key; it is made where
// it is not there yet.
func (t *tree) grow(at int32, key uint64) int32 {
	if t.edges[at].child == 0 {
		child, ok := t.index[key]
		if !ok {
			t.nodes = append(t.nodes, node{key: key})
			child = int32(len(t.nodes) - 1)
			t.index[key] = child
		}
		t.edges[at].child = child
	}
	return t.edges[at].child
}

// sum counts the visits of an open node anew: its own look, and for every visit of an
// edge the mean of what is known behind it now.
func (t *tree) sum(n *node) {
	n.visits, n.utility, n.lead, n.win = 1, n.own.utility, n.own.lead, n.own.win
	for i := n.first; i < n.first+n.count; i++ {
		e := &t.edges[i]
		if e.visits == 0 {
			continue
		}
		c := &t.nodes[e.child]
		k := float64(e.visits) / float64(c.visits)
		n.visits += e.visits
		n.utility -= k * c.utility
		n.lead -= k * c.lead
		n.win += float64(e.visits) - k*c.win
	}
}

// Of the formula. Utilities are from -1 to 1.
const (
	curious     = 1.15 // how much a likely move is tried that was not yet
	curiousBase = 500  // visits after which that grows
	unseen      = 0.25 // how much worse than its parent a move counts that was not tried
	heedless    = -1.0 // what a visit counts that has not come back
)

// choose returns the edge of an open node that is to be followed. Edges that are barred
// the history of the game forbids.
func (t *tree) choose(at int32, root bool, wanted int, barred []int32) int32 {
	n := &t.nodes[at]
	total := float64(n.visits + n.flying)
	scale := (curious + 0.4*math.Log((total+curiousBase)/curiousBase)) * math.Sqrt(max(total, 1))
	mean, tried := 0.0, 0.0
	if n.visits > 0 {
		mean = n.utility / float64(n.visits)
	}
	edges := t.edges[n.first : n.first+n.count]
	for i := range edges {
		if edges[i].child != 0 {
			tried += float64(edges[i].prior)
		}
	}
	reduced := unseen
	if root {
		reduced /= 2
	}
	untried := max(mean-reduced*math.Sqrt(tried), -1)
	best, top, new := int32(-1), math.Inf(-1), false
	for i := range edges {
		e := &edges[i]
		if len(barred) > 0 && slices.Contains(barred, n.first+int32(i)) {
			continue
		}
		q, visits := untried, float64(e.visits+e.flying)
		if e.child != 0 {
			if c := &t.nodes[e.child]; c.visits > 0 {
				q = -c.utility / float64(c.visits)
			}
			if e.flying > 0 {
				q = (q*float64(e.visits) + heedless*float64(e.flying)) / visits
			}
		} else {
			if new {
				continue // the likeliest of those that were not tried is before it
			}
			new = true
			if i < wanted {
				return n.first + int32(i)
			}
		}
		if u := q + scale*float64(e.prior)/(1+visits); u > top {
			best, top = n.first+int32(i), u
		}
	}
	return best
}

// better orders edges of the root: by visits, then by what the net thinks of them.
func better(a, b *edge) int {
	return cmp.Or(cmp.Compare(b.visits, a.visits), cmp.Compare(b.prior, a.prior), cmp.Compare(a.move, b.move))
}

// descend makes the node behind some moves the root, and keeps what lies below it. It
// is false where the tree does not know it.
func (t *tree) descend(moves []game.Move, spare *tree) bool {
	at := int32(0)
	for _, m := range moves {
		n := &t.nodes[at]
		next := int32(0)
		if n.state == open {
			for i := n.first; i < n.first+n.count; i++ {
				if t.edges[i].move == m {
					next = t.edges[i].child
				}
			}
		}
		if next == 0 {
			return false
		}
		at = next
	}
	if t.nodes[at].state != open {
		return false
	}
	t.copyTo(spare, at)
	t.nodes, spare.nodes = spare.nodes, t.nodes
	t.edges, spare.edges = spare.edges, t.edges
	clear(t.index)
	for i := range t.nodes[1:] {
		t.index[t.nodes[i+1].key] = int32(i + 1)
	}
	return true
}

// copyTo copies a node with all below it, breadth first.
func (t *tree) copyTo(to *tree, root int32) {
	t.moved = append(t.moved[:0], make([]int32, len(t.nodes))...)
	to.nodes, to.edges = append(to.nodes[:0], t.nodes[root]), to.edges[:0]
	for at := 0; at < len(to.nodes); at++ {
		n := &to.nodes[at]
		from := t.edges[n.first : n.first+n.count]
		n.first = int32(len(to.edges))
		for _, e := range from {
			if e.child != 0 {
				if t.moved[e.child] == 0 {
					to.nodes = append(to.nodes, t.nodes[e.child])
					t.moved[e.child] = int32(len(to.nodes) - 1)
				}
				e.child = t.moved[e.child]
			}
			to.edges = append(to.edges, e)
		}
	}
}
