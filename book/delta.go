package book

import "maps"

// delta is what was added to a base and removed from it: games, and what they
// change. Counts may be negative.
type delta struct {
	games map[uint32]*Game
	gone  map[uint32]bool // games of the base
	log   []op            // all changes since the base was made

	nodes   map[uint32]*node
	touched []uint64          // a bit for each node of the base that is in nodes
	fresh   map[uint64]uint32 // nodes that the base has not, by their prints
	votes   map[uint32]map[int]int

	// How many more there are than in the base.
	positions, moves, solved, strange int

	loops bool
	path  []uint32 // of the game at hand
}

// op is a change: a game that was added, or the number of one that was removed.
type op struct {
	game *Game
	id   uint32
}

func (d *delta) reset(to *base) {
	*d = delta{games: map[uint32]*Game{}, gone: map[uint32]bool{}, nodes: map[uint32]*node{}, fresh: map[uint64]uint32{}, votes: map[uint32]map[int]int{},
		touched: make([]uint64, (to.Nodes+63)/64), loops: to.Loops}
}

// of returns what changed of a node, nil for nothing.
func (d *delta) of(id uint32) *node {
	if int(id) < 64*len(d.touched) && d.touched[id/64]>>(id%64)&1 == 0 {
		return nil
	}
	return d.nodes[id]
}

// find returns the number of a node.
func (b *Book) find(print uint64) (uint32, bool) {
	if id, ok := b.base.find(print); ok {
		return id, true
	}
	if len(b.delta.fresh) == 0 {
		return 0, false
	}
	id, ok := b.delta.fresh[print]
	return id, ok
}

// load fills in a node: the base and what changed.
func (b *Book) load(id uint32, n *node) {
	if int(id) < b.base.Nodes {
		b.base.load(id, n)
	} else {
		n.Counts, n.edges = Counts{}, n.edges[:0]
	}
	d := b.delta.of(id)
	if d == nil {
		return
	}
	n.Counts = n.Counts.plus(d.Counts, 1)
	for i := range d.edges {
		n.count(d.edges[i], 1)
	}
	kept := n.edges[:0]
	for _, e := range n.edges {
		if e.N > 0 {
			kept = append(kept, e)
		}
	}
	n.edges = kept
}

// counts returns the counts of a node.
func (b *Book) counts(id uint32) (c Counts) {
	if int(id) < b.base.Nodes {
		c = b.base.counts(id)
	}
	if d := b.delta.of(id); d != nil {
		c = c.plus(d.Counts, 1)
	}
	return c
}

// reached returns how many games reached a node.
func (b *Book) reached(id uint32) (n int) {
	if int(id) < b.base.Nodes {
		n = b.base.reached(id)
	}
	if d := b.delta.of(id); d != nil {
		n += d.N
	}
	return n
}

// votes returns what games say of the exact score of a node: games by score.
func (b *Book) votes(id uint32) map[int]int {
	if int(id) >= b.base.Nodes || b.base.body(id)&bodyExact == 0 {
		return b.delta.votes[id]
	}
	all := map[int]int{}
	b.base.votes(id, func(score, games int) { all[score] += games })
	for score, games := range b.delta.votes[id] {
		if all[score] += games; all[score] <= 0 {
			delete(all, score)
		}
	}
	return all
}

// exact returns the exact score of a node for the side to move: what most games
// say, and of several the smallest.
func (b *Book) exact(id uint32) (score int, ok bool) {
	most := 0
	for s, games := range b.votes(id) {
		if games > most || games == most && games > 0 && s < score {
			score, most = s, games
		}
	}
	return score, most > 0
}

// apply counts a game once more, or once less.
func (b *Book) apply(g *Game, sign int) {
	d := &b.delta
	visits := b.tracer.trace(g)
	d.loops = d.loops || b.tracer.loops
	d.path = d.path[:0]
	for i := range visits {
		d.path = append(d.path, b.touch(visits[i].key.print()))
	}
	for i := range visits {
		v, id := &visits[i], d.path[i]
		c := g.Result.of(v.turn).counts()
		n := d.nodes[id]
		if !v.again {
			was := b.reached(id)
			n.Counts = n.Counts.plus(c, sign)
			d.positions += step(was, was+sign)
		}
		if v.edge != noCode {
			e := edge{code: v.edge, same: v.same, child: d.path[v.next], Counts: c}
			was := b.along(id, e.code)
			if n.count(e, sign) {
				b.values.link(id, e.child)
			}
			d.moves += step(was, was+sign)
		}
		if v.exact {
			_, was := b.exact(id)
			b.vote(id, v.best(g), sign)
			if _, is := b.exact(id); is != was {
				d.solved += sign
			}
		}
	}
	if g.Start != "" {
		d.strange += sign
	}
	b.below.reset()
	b.values.update(b, d.path, sign)
}

// step tells what a count adds to the number of those that are not 0.
func step(was, is int) int {
	switch {
	case was <= 0 && is > 0:
		return 1
	case was > 0 && is <= 0:
		return -1
	}
	return 0
}

// along returns how many games made a move.
func (b *Book) along(id uint32, code uint16) int {
	var n node
	b.load(id, &n)
	for i := range n.edges {
		if n.edges[i].code == code {
			return n.edges[i].N
		}
	}
	return 0
}

func (b *Book) vote(id uint32, score, sign int) {
	votes := maps.Clone(b.delta.votes[id])
	if votes == nil {
		votes = map[int]int{}
	}
	if votes[score] += sign; votes[score] == 0 {
		delete(votes, score)
	}
	b.delta.votes[id] = votes
}

// touch returns the node of a print as one that changes.
func (b *Book) touch(print uint64) uint32 {
	d := &b.delta
	id, ok := b.find(print)
	if !ok {
		id = uint32(b.base.Nodes + len(d.fresh))
		d.fresh[print] = id
	}
	if d.nodes[id] == nil {
		d.nodes[id] = &node{}
		if int(id) < 64*len(d.touched) {
			d.touched[id/64] |= 1 << (id % 64)
		}
	}
	return id
}
