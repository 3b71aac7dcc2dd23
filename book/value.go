package book

import (
	"math"
	"sync"
)

// DefaultThreshold is how many games have to reach a position for its value to
// count, where nobody says otherwise.
const DefaultThreshold = 20

// R of a position is what results of games make of it: the best of the values of
// the positions behind its moves, as the side to move sees them, of those that at
// least T games have reached by whatever order of moves; where there is none, the
// mean of the scores of the games at the position itself.
//
// It is worked out when it is asked for, and only where T games were: the values
// of some ten thousand nodes of a book of five million, for the usual T. They are
// kept, with the nodes that depend on each, and follow every change: a node that
// has changed is worked out anew, and where its value is another all nodes that
// lead to it are, whoever has played through them.
//
// With T = 1 every node counts, nine of ten of which one game alone has reached.
// These are not kept: such a node has one way to it and one from it, so that its
// value is that of the next node which is kept, or the score where the game ends.
//
// In games where positions can come back the graph has cycles. Moves inside one
// do not count there (to go round is no progress; how to leave it is the
// choice), and the values are dropped when something changes.

// maxMemos is for how many thresholds values are kept.
const maxMemos = 4

// values keeps the values of several thresholds, the one used last at the end.
type values struct {
	mu    sync.Mutex
	memos []*memo
}

// memo keeps the values of one threshold. Nodes with fewer games have none, nor
// have lone nodes: see Book.lone.
type memo struct {
	t       int
	vals    pages[float64] // see absent
	parents pages[uint32]  // place + 1 in links of the last node that leads there
	links   []link
	free    []*node // buffers
}

// link is a node that leads to another, and the place + 1 of the next one.
type link struct{ parent, next uint32 }

// A value in a memo is absent where it was not worked out, and void where no game
// at the node has a score.
var (
	absent = math.NaN()
	void   = math.Inf(1)
)

func (v *values) reset() { v.memos = nil }

// of returns the memo of a threshold.
func (v *values) of(t int) *memo {
	t = max(t, 1)
	for i, m := range v.memos {
		if m.t == t {
			v.memos = append(append(v.memos[:i:i], v.memos[i+1:]...), m)
			return m
		}
	}
	if len(v.memos) == maxMemos {
		v.memos = v.memos[1:]
	}
	m := &memo{t: t, vals: pages[float64]{zero: absent}}
	v.memos = append(v.memos, m)
	return m
}

// value returns R of any node, asked for by somebody who holds the book for
// reading.
func (b *Book) value(id uint32, t int) (r float64, ok bool) {
	b.values.mu.Lock()
	defer b.values.mu.Unlock()
	m := b.values.of(t)
	if b.reached(id) >= m.t {
		r = m.value(b, id)
	} else {
		n := m.buffer()
		b.load(id, n)
		r = m.best(b, n, nil)
		m.free = append(m.free, n)
	}
	return r, r != void
}

func (m *memo) buffer() *node {
	last := len(m.free) - 1
	if last < 0 {
		return &node{}
	}
	n := m.free[last]
	m.free = m.free[:last]
	return n
}

// value returns the value of a node that enough games have reached.
func (m *memo) value(b *Book, id uint32) float64 {
	v := m.vals.at(id)
	if v == v {
		return v
	}
	if b.delta.loops {
		(&knots{memo: m, book: b, number: map[uint32]int{}}).visit(id)
		return m.vals.at(id)
	}
	if b.lone(id) {
		return m.along(b, id)
	}
	n := m.buffer()
	b.load(id, n)
	for i := range n.edges {
		child := n.edges[i].child
		m.link(id, child)
		if end, _ := b.follow(child); end != none && end != child {
			m.link(id, end)
		}
	}
	v = m.best(b, n, nil)
	m.free = append(m.free, n)
	m.vals.set(id, v)
	return v
}

// along returns the value of a lone node, which is that of what follows it.
func (m *memo) along(b *Book, id uint32) float64 {
	v := void
	end, turns := b.follow(id)
	if end != none {
		v = m.value(b, end)
	}
	if v == void { // as the game itself has none there, or ends
		mean, ok := b.base.counts(id).Mean()
		if !ok {
			return void
		}
		return mean
	}
	if turns {
		v = 0 - v
	}
	return v
}

// lone reports whether one game of the base alone has reached a node, once, and
// nothing has been added or removed there since.
func (b *Book) lone(id uint32) bool {
	return int(id) < b.base.Nodes && !b.delta.loops && b.base.body(id)&bodyMany == 0 && b.delta.touched[id/64]>>(id%64)&1 == 0
}

// follow returns the first node from one on that is not lone, none where the game
// ends before, and whether the other side is to move there.
func (b *Book) follow(id uint32) (end uint32, turns bool) {
	for b.lone(id) {
		body := b.base.body(id)
		if body>>19&noCode == noCode {
			return none, turns
		}
		if body&bodySame == 0 {
			turns = !turns
		}
		id = uint32(body >> 32)
	}
	return id, turns
}

// best works a value out. Children that skip names do not count.
func (m *memo) best(b *Book, n *node, skip func(uint32) bool) float64 {
	best := void
	for i := range n.edges {
		e := &n.edges[i]
		if b.reached(e.child) < m.t || skip != nil && skip(e.child) {
			continue
		}
		v := m.value(b, e.child)
		if v == void {
			continue
		}
		if !e.same {
			v = 0 - v // not -v, which would make a zero negative
		}
		if best == void || v > best {
			best = v
		}
	}
	if best != void {
		return best
	}
	if mean, ok := n.Mean(); ok {
		return mean
	}
	return void
}

func (m *memo) link(parent, child uint32) {
	m.links = append(m.links, link{parent, m.parents.at(child)})
	m.parents.set(child, uint32(len(m.links)))
}

// link notes an edge that has come into being.
func (v *values) link(parent, child uint32) {
	for _, m := range v.memos {
		if w := m.vals.at(parent); w == w {
			m.link(parent, child)
		}
	}
}

// update follows a game that was added or removed, which has gone along a path.
// Nobody else uses the book.
func (v *values) update(b *Book, path []uint32, sign int) {
	if b.delta.loops {
		v.reset()
		return
	}
	for _, m := range v.memos {
		m.update(b, path, sign)
	}
}

// update works out anew what a game has changed: the nodes of its path from the
// end, and then whatever leads to a node whose value is another, or which counts
// now and did not before. Every edge leads to more pieces, so that this ends.
//
// A node that was lone has no links but from the node in front of all lone ones.
// These are numbered one behind the other, since one game has brought them all,
// so that the way back is found by counting down.
func (m *memo) update(b *Book, path []uint32, sign int) {
	var queue []uint32
	push := func(id uint32) {
		for {
			for at := m.parents.at(id); at != 0; at = m.links[at-1].next {
				queue = append(queue, m.links[at-1].parent)
			}
			if m.t > 1 || id == 0 || int(id) >= b.base.Nodes {
				return
			}
			if body := b.base.body(id - 1); body&bodyMany != 0 || body>>19&noCode == noCode || uint32(body>>32) != id {
				return
			}
			id--
		}
	}
	edge := m.t // games of a node that counts now, or no more
	if sign < 0 {
		edge--
	}
	for i := len(path) - 1; i >= 0; i-- {
		id := path[i]
		single := m.t == 1 && int(id) < b.base.Nodes && b.base.body(id)&bodyMany == 0
		if m.renew(b, id) || b.reached(id) == edge || single {
			push(id)
		}
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if m.renew(b, id) {
			push(id)
		}
	}
}

// renew works a value out anew if there is one, and reports whether it is
// another now.
func (m *memo) renew(b *Book, id uint32) bool {
	was := m.vals.at(id)
	if was != was {
		return false
	}
	if b.reached(id) < m.t {
		m.vals.set(id, absent)
		return true
	}
	n := m.buffer()
	b.load(id, n)
	is := m.best(b, n, nil)
	m.free = append(m.free, n)
	m.vals.set(id, is)
	return is != was
}

// knots finds the nodes that can be reached from each other, by the algorithm of
// Tarjan: a set of them is complete when all that it leads to is, so that values
// come in the right order.
type knots struct {
	memo   *memo
	book   *Book
	number map[uint32]int // by the order in which nodes are come to
	stack  []uint32
}

// visit works out the value of a node and all that it needs, and returns the
// smallest number that can be reached from it.
func (k *knots) visit(id uint32) int {
	mine := len(k.number) + 1
	low, begin := mine, len(k.stack)
	k.number[id] = mine
	k.stack = append(k.stack, id)
	var n node
	k.book.load(id, &n)
	for i := range n.edges {
		child := n.edges[i].child
		if k.book.reached(child) < k.memo.t {
			continue
		}
		if v := k.memo.vals.at(child); v == v {
			continue
		}
		if at, ok := k.number[child]; ok {
			low = min(low, at)
		} else {
			low = min(low, k.visit(child))
		}
	}
	if low < mine {
		return low
	}
	set := k.stack[begin:]
	within := map[uint32]bool{}
	for _, id := range set {
		within[id] = true
	}
	worth := make([]float64, len(set))
	for i, id := range set {
		k.book.load(id, &n)
		worth[i] = k.memo.best(k.book, &n, func(child uint32) bool { return within[child] })
	}
	for i, id := range set {
		k.memo.vals.set(id, worth[i])
	}
	k.stack = k.stack[:begin]
	return low
}

// pages is a list of which most is zero: pages of it come into being when
// something else is put there.
type pages[T any] struct {
	list [][]T
	zero T
}

const pageLen = 512

func (p *pages[T]) at(i uint32) T {
	if n := int(i / pageLen); n < len(p.list) && p.list[n] != nil {
		return p.list[n][i%pageLen]
	}
	return p.zero
}

func (p *pages[T]) set(i uint32, v T) {
	n := int(i / pageLen)
	if n >= len(p.list) {
		p.list = append(p.list, make([][]T, n+1-len(p.list))...)
	}
	if p.list[n] == nil {
		p.list[n] = make([]T, pageLen)
		for j := range p.list[n] {
			p.list[n][j] = p.zero
		}
	}
	p.list[n][i%pageLen] = v
}
