package puct

import (
	"math"

	"qipu/game"
)

// node is a position of the tree. Sums are for the side to move.
type node struct {
	first  int32 // edge; edges of a node lie beside each other, the likeliest first
	count  int32 // of edges
	state  state
	visits int32
	flying int32 // visits that have not come back yet

	utility, lead, win float64 // sums over all visits
}

type state uint8

const (
	fresh   state = iota // nobody has looked at it
	looking              // somebody does
	open                 // its edges are there
	closed               // it has no edges: the game is over or decided, or the tree is full
)

// edge is a move of a position.
type edge struct {
	move  game.Move
	prior float32
	child int32 // node; 0 for none, since nobody comes to the root
}

// The bounds of a tree, in bytes of a node and of an edge.
const (
	nodeBytes = 56
	edgeBytes = 12
)

// tree holds nodes and edges in two arenas. The root is node 0.
type tree struct {
	nodes []node
	edges []edge
	most  int64 // bytes
}

func (t *tree) reset() { t.nodes, t.edges = append(t.nodes[:0], node{}), t.edges[:0] }

// full reports whether there is no room for the edges of another node.
func (t *tree) full() bool {
	return int64(len(t.nodes))*nodeBytes+int64(len(t.edges))*edgeBytes >= t.most
}

// grow returns the node behind an edge, which is made where it is not there yet.
func (t *tree) grow(at int32) int32 {
	if t.edges[at].child == 0 {
		t.nodes = append(t.nodes, node{})
		t.edges[at].child = int32(len(t.nodes) - 1)
	}
	return t.edges[at].child
}

// Of the formula. Utilities are from -1 to 1.
const (
	curious     = 1.15 // how much a likely move is tried that was not yet
	curiousBase = 500  // visits after which that grows
	unseen      = 0.25 // how much worse than its parent a move counts that was not tried
	heedless    = -1.0 // what a visit counts that has not come back
)

// choose returns the edge of an open node that is to be followed.
func (t *tree) choose(at int32, root bool, wanted int) int32 {
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
	best, top, new := int32(0), math.Inf(-1), false
	for i := range edges {
		e := &edges[i]
		q, visits := untried, 0.0
		if e.child != 0 {
			c := &t.nodes[e.child]
			visits = float64(c.visits + c.flying)
			if visits > 0 {
				q = (-c.utility + heedless*float64(c.flying)) / visits
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
func (t *tree) better(a, b *edge) int {
	va, vb := t.visits(a), t.visits(b)
	switch {
	case va != vb:
		return int(vb - va)
	case a.prior > b.prior:
		return -1
	case a.prior < b.prior:
		return 1
	}
	return int(a.move) - int(b.move)
}

func (t *tree) visits(e *edge) int32 {
	if e.child == 0 {
		return 0
	}
	return t.nodes[e.child].visits
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
	spare.nodes, spare.edges = spare.nodes[:0], spare.edges[:0]
	t.copyTo(spare, at)
	t.nodes, spare.nodes = spare.nodes, t.nodes
	t.edges, spare.edges = spare.edges, t.edges
	return true
}

// copyTo copies a node with all below it, breadth first.
func (t *tree) copyTo(to *tree, root int32) {
	to.nodes = append(to.nodes, t.nodes[root])
	for at := 0; at < len(to.nodes); at++ {
		n := &to.nodes[at]
		from := t.edges[n.first : n.first+n.count]
		first := int32(len(to.edges))
		n.first = first
		for _, e := range from {
			if e.child != 0 {
				to.nodes = append(to.nodes, t.nodes[e.child])
				e.child = int32(len(to.nodes) - 1)
			}
			to.edges = append(to.edges, e)
		}
	}
}
