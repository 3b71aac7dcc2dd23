package classic

import (
	"fmt"

	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// bnode is a position of the tree of B*, with bounds for the side that moves at the
// root.
type bnode struct {
	parent    int32
	first, n  int32 // its children lie side by side; n is 0 before it was opened
	move      game.Move
	low, high engine.Value
	size      int32
	own       bool // the side of the root moves
	again     bool
	over      bool
	spent     bool // nothing below it is left to open
}

// bstar proves which move is best, not how good it is: every position has an
// optimistic and a pessimistic value, and the search ends when the pessimistic one of
// a move is at least the optimistic one of all others. It either raises the one or
// lowers the others: our choice is whichever has the smaller tree so far.
//
// Bounds go up as they must: for the side of the root u = max u_i and l = max l_i, for
// the other the minima. The survey prints u = max[u, max u_i] and l = min[l, min l_i],
// which never tighten on that side; Problem.Printed takes these.
func bstar(w *walk) error {
	b := &best{w: w, bounder: w.bounder(), most: min(w.Nodes, room), side: w.p.Turn()}
	b.list = []bnode{{parent: -1, own: true, low: -inf, high: inf, size: 1}}
	b.open(0, 0)
	for w.stop == nil {
		first, second := b.leaders()
		if second < 0 || b.list[first].low >= b.list[second].high {
			w.result.Proved = true
			break
		}
		if w.result.Nodes >= b.most {
			w.stop = errNodes
			break
		}
		pick := first
		if b.list[second].size < b.list[first].size && !b.done(second) || b.done(first) {
			pick = second
		}
		if b.done(pick) {
			break // nothing is left to open, and equals remain equals
		}
		b.deepen(pick)
	}
	first, _ := b.leaders()
	if first < 0 {
		return nil
	}
	n := &b.list[first]
	w.result.Move, w.result.Line = n.move, []game.Move{n.move}
	w.result.Low, w.result.High = n.low, n.high
	w.result.Value = n.low + (n.high-n.low)/2
	w.result.Kept = int64(len(b.list))
	if !w.result.Proved && w.stop == nil {
		w.result.Note = "the bounds of the moves never separated"
	}
	if w.result.Proved {
		w.result.Note = fmt.Sprintf("proved best with %d positions in memory", len(b.list))
	}
	b.tell()
	return nil
}

// best is the tree of a best-first search.
type best struct {
	w       *walk
	bounder engine.Bounder
	list    []bnode
	most    int64
	side    game.Side
}

// done reports whether nothing below a position can change it.
func (b *best) done(i int32) bool { n := &b.list[i]; return n.over || n.spent || n.low >= n.high }

// leaders returns the move with the highest optimistic value, and the one after it.
func (b *best) leaders() (first, second int32) {
	first, second = -1, -1
	root := &b.list[0]
	better := func(i, j int32) bool {
		x, y := &b.list[i], &b.list[j]
		return x.high > y.high || x.high == y.high && x.low > y.low
	}
	for i := root.first; i < root.first+root.n; i++ {
		switch {
		case first < 0 || better(i, first):
			first, second = i, first
		case second < 0 || better(i, second):
			second = i
		}
	}
	return first, second
}

// deepen opens the most promising position below one: for the side of the root that
// with the highest optimistic value, for the other that with the lowest pessimistic
// one.
func (b *best) deepen(i int32) {
	w, path := b.w, []int32{i}
	for b.list[i].n > 0 {
		n := &b.list[i]
		pick := int32(-1)
		for j := n.first; j < n.first+n.n; j++ {
			if b.done(j) {
				continue
			}
			if pick < 0 || n.own && b.list[j].high > b.list[pick].high || !n.own && b.list[j].low < b.list[pick].low {
				pick = j
			}
		}
		if pick < 0 {
			break
		}
		i = pick
		path = append(path, i)
	}
	played := 0
	for _, j := range path {
		if err := w.p.Play(b.list[j].move); err != nil {
			w.err, w.stop = err, err
			break
		}
		played++
	}
	if w.stop == nil {
		b.open(i, len(path))
	}
	for range played {
		w.p.Undo()
	}
}

// open makes the children of a position, and brings its bounds up.
func (b *best) open(i int32, ply int) {
	w := b.w
	if b.list[i].n > 0 {
		b.list[i].spent = true // all below it is done, and its bounds stay apart
		return
	}
	side := w.p.Turn()
	first := int32(len(b.list))
	for _, m := range w.generate() {
		if w.halted() {
			break
		}
		if err := w.p.Play(m); err != nil {
			w.err, w.stop = err, err
			break
		}
		w.result.Nodes++
		c := bnode{parent: i, move: m, own: w.p.Turn() == b.side, again: w.p.Turn() == side, size: 1}
		if o := w.p.Outcome(); o.Over() {
			w.result.Leaves++
			c.low = w.ended(o, ply+1)
			c.high, c.over = c.low, true
		} else {
			c.low, c.high = b.bounder.Bounds(w.p)
			c.low, c.high = max(c.low, -inf+1), min(c.high, inf-1)
		}
		if !c.own {
			c.low, c.high = -c.high, -c.low
		}
		b.list = append(b.list, c)
		w.p.Undo()
	}
	b.list[i].first, b.list[i].n = first, int32(len(b.list))-first
	b.up(i, int32(len(b.list))-first)
}

// up brings bounds and sizes from a position to the root.
func (b *best) up(i, grown int32) {
	for ; i >= 0; i = b.list[i].parent {
		n := &b.list[i]
		n.size += grown
		if n.n == 0 {
			continue
		}
		low, high := b.list[n.first].low, b.list[n.first].high
		for _, c := range b.list[n.first+1 : n.first+n.n] {
			if n.own {
				low, high = max(low, c.low), max(high, c.high)
			} else {
				low, high = min(low, c.low), min(high, c.high)
			}
		}
		if b.w.Printed {
			if n.own {
				high = max(high, n.high)
			} else {
				low = min(low, n.low)
			}
		}
		n.low, n.high = low, high
	}
}

// tell tells the recorder of the tree as it is at the end: the window of a position is
// its bounds.
func (b *best) tell() {
	r := b.w.Record
	if r == nil {
		return
	}
	var walk func(i int32)
	walk = func(i int32) {
		n := &b.list[i]
		low, high := n.low, n.high
		if !n.own {
			low, high = -high, -low
		}
		r.Grown(int(i) + 1)
		r.Enter(n.move, n.again, int32(low), int32(high))
		for j := n.first; j < n.first+n.n; j++ {
			walk(j)
		}
		why := trace.Proved
		switch {
		case n.over:
			why = trace.Over
		case n.n == 0:
			why = trace.Horizon
		}
		r.Leave(int32(low+(high-low)/2), why, 0)
	}
	walk(0)
}
