package weiqi

import (
	"slices"

	"qipu/board"
	"qipu/game"
)

// cell is a point moved down by one row: board.Point + board.Stride. All four
// neighbours of every point are then cells, and a step off any side lands on
// a cell marked as edge. Cell 0 is such an edge and stands for "none".
type cell uint16

const numCells = board.MaxPoints + 2*board.Stride

// stone is what lies on a cell; black and white are numbered as pieces.
type stone uint8

const (
	empty stone = iota
	black
	white
	edge
)

func cellOf(p board.Point) cell       { return cell(p) + board.Stride }
func (c cell) point() board.Point     { return board.Point(c - board.Stride) }
func (c cell) neighbours() [4]cell    { return [4]cell{c - board.Stride, c - 1, c + 1, c + board.Stride} }
func stoneOf(side game.Side) stone    { return stone(side) + 1 }
func (s stone) side() game.Side       { return game.Side(s - 1) }
func (s stone) opponent() stone       { return s ^ 3 }
func (s stone) isEmpty() uint16       { return (uint16(s) - 1) >> 15 }
func key(s stone, c cell) uint64      { return board.Zobrist(board.Piece(s), c.point()) }
func (p *Position) head(c cell) *node { return &p.node[p.node[c].head] }

// node is one stone of a string. The stones of a string form a ring through
// next; all name the same stone as head, and the node of the head counts for
// the whole string.
//
// libs are pseudo-liberties: pairs of a stone and an empty neighbour. They are
// zero exactly when there is no liberty, they add up when strings merge, and
// they change by one per neighbour when a stone comes or goes, which real
// liberties do not.
//
// Empty points and edges have no head: their head is cell 0, whose node
// collects counts that nobody reads, so that the four neighbours of a point
// are counted without asking what lies there.
//
// But for the head, the node of a point that is empty is left as it was when
// its stone was taken. It is saved in the frame of the next stone that is put
// there, so undoing moves finds the ring of a captured string as it was.
type node struct {
	head, next cell
	libs, size uint16
}

// frame is what Undo needs to take back one move.
type frame struct {
	hash      uint64 // of the stones before the move: the history for superko
	saved     node   // the node of the point before the stone came
	links     [4]cell
	at        cell // where the stone was put; 0 for a pass
	ko        cell // the ko point before the move
	suicide   cell // the head of the stone's own string if that was taken off, or 0
	prisoners [2]int32
	turn      game.Side // the side to move before; a forced move may be the other's
	stone     stone
	passes    uint8
	merged    uint8 // links[:merged] are heads that lost their strings to a merger
	captured  uint8 // links[merged:merged+captured] are heads of captured strings
}

// put lays a stone on an empty cell and joins it with its own neighbours. It
// captures nothing: strings may be left without liberties.
func (p *Position) put(f *frame, s stone, c cell) {
	p.lay(s, c)
	n := node{head: c, next: c, size: 1}
	for _, d := range c.neighbours() {
		n.libs += p.colour[d].isEmpty()
		p.head(d).libs--
	}
	f.at, f.stone, f.saved = c, s, p.node[c]
	p.node[c] = n
	for _, d := range c.neighbours() {
		if p.colour[d] == s && p.node[d].head != p.node[c].head {
			f.links[f.merged] = p.merge(p.node[c].head, p.node[d].head)
			f.merged++
		}
	}
}

// lift takes back put.
func (p *Position) lift(f *frame) {
	c := f.at
	for i := int(f.merged) - 1; i >= 0; i-- {
		p.split(p.node[c].head, f.links[i])
	}
	p.take(f.stone, c)
	p.node[c] = f.saved
	for _, d := range c.neighbours() {
		p.head(d).libs++
	}
}

// merge joins two strings, relabels the smaller and returns its head, which
// keeps its own counts for split.
func (p *Position) merge(a, b cell) (lost cell) {
	if p.node[a].size < p.node[b].size {
		a, b = b, a
	}
	p.relabel(b, a)
	w, l := &p.node[a], &p.node[b]
	w.next, l.next = l.next, w.next
	w.libs += l.libs
	w.size += l.size
	return b
}

// split takes back the merger of the string of head lost into that of head
// won.
func (p *Position) split(won, lost cell) {
	w, l := &p.node[won], &p.node[lost]
	w.next, l.next = l.next, w.next
	w.libs -= l.libs
	w.size -= l.size
	p.relabel(lost, lost)
}

// relabel gives the ring through c a new head.
func (p *Position) relabel(c, head cell) {
	for s := c; ; {
		n := &p.node[s]
		n.head = head
		if s = n.next; s == c {
			return
		}
	}
}

// remove takes the string with the given head off the board and returns its
// size. Its ring stays as it is.
func (p *Position) remove(head cell) int32 {
	s := p.colour[head]
	for c := head; ; {
		p.take(s, c)
		p.node[c].head = 0
		p.hash ^= key(s, c)
		p.gone[c]++
		p.vacated.Add(c.point())
		for _, d := range c.neighbours() {
			if p.colour[d] == s.opponent() {
				p.head(d).libs++
			}
		}
		if c = p.node[c].next; c == head {
			return int32(p.node[head].size)
		}
	}
}

// restore takes back remove, except for the hash.
func (p *Position) restore(s stone, head cell) {
	for c := head; ; {
		p.lay(s, c)
		p.node[c].head = head
		if p.gone[c]--; p.gone[c] == 0 {
			p.vacated.Remove(c.point())
		}
		for _, d := range c.neighbours() {
			if p.colour[d] == s.opponent() {
				p.head(d).libs--
			}
		}
		if c = p.node[c].next; c == head {
			return
		}
	}
}

func (p *Position) lay(s stone, c cell) {
	p.colour[c] = s
	p.stones[s.side()].Add(c.point())
}

func (p *Position) take(s stone, c cell) {
	p.colour[c] = empty
	p.stones[s.side()].Remove(c.point())
}

// play puts a stone of either colour on an empty cell, captures what loses its
// last liberty by it, the stone's own string last, and sets the ko point.
func (p *Position) play(f *frame, s stone, c cell) {
	p.hash ^= key(s, c)
	p.put(f, s, c)
	taken := int32(0)
	for _, d := range c.neighbours() {
		// Most strings have liberties, so that is asked first.
		if h := p.node[d].head; p.node[h].libs == 0 && p.colour[d] == s.opponent() {
			f.links[f.merged+f.captured] = h
			f.captured++
			taken += p.remove(h)
		}
	}
	own := p.head(c)
	p.ko = 0
	switch {
	case taken == 1 && own.size == 1 && own.libs == 1:
		p.ko = f.links[0]
	case own.libs == 0:
		f.suicide = p.node[c].head
		p.prisoners[s.opponent().side()] += p.remove(f.suicide)
	}
	p.prisoners[s.side()] += taken
}

// unplay takes back play, except for what the frame restores by itself.
func (p *Position) unplay(f *frame) {
	if f.suicide != 0 {
		p.restore(f.stone, f.suicide)
	}
	for i := int(f.merged+f.captured) - 1; i >= int(f.merged); i-- {
		p.restore(f.stone.opponent(), f.links[i])
	}
	p.lift(f)
}

// appendTaken appends the points of the stones that a move took off, but for
// its own, which nobody has seen. Frame f must be the last.
func (p *Position) appendTaken(dst []game.Changed, f *frame) []game.Changed {
	first := len(dst)
	for _, head := range f.links[f.merged : f.merged+f.captured] {
		dst = p.appendRing(dst, head, 0)
	}
	if f.suicide != 0 {
		dst = p.appendRing(dst, f.suicide, f.at)
	}
	slices.SortFunc(dst[first:], func(a, b game.Changed) int { return int(a.Point) - int(b.Point) })
	return dst
}

// appendRing appends the points of a string that was taken off, all but one.
func (p *Position) appendRing(dst []game.Changed, head, but cell) []game.Changed {
	for c := head; ; {
		if c != but {
			dst = append(dst, game.Changed{Point: c.point()})
		}
		if c = p.node[c].next; c == head {
			return dst
		}
	}
}

// breathes reports whether a stone of colour s on the empty cell c would have
// a liberty once the strings it captures are off the board.
func (p *Position) breathes(s stone, c cell) bool {
	around := c.neighbours()
	if p.colour[around[0]]*p.colour[around[1]]*p.colour[around[2]]*p.colour[around[3]] == empty {
		return true // without a branch for each
	}
	for _, d := range around {
		if p.colour[d] == edge {
			continue
		}
		// The string keeps a liberty beside c if it has more pseudo-liberties
		// than contacts with c.
		free := p.head(d).libs > p.contacts(c, p.node[d].head)
		if free == (p.colour[d] == s) {
			return true
		}
	}
	return false
}

// contacts counts the neighbours of c that belong to the string of a head.
func (p *Position) contacts(c, head cell) (n uint16) {
	for _, d := range c.neighbours() {
		if p.node[d].head == head {
			n++
		}
	}
	return n
}

// hashAfter returns the hash of the stones after a stone of colour s on c.
// suicide tells that c does not breathe. It walks the strings that would go.
func (p *Position) hashAfter(s stone, c cell, suicide bool) uint64 {
	h, goes := p.hash, s
	if !suicide {
		h ^= key(s, c)
		goes = s.opponent()
	}
	around := c.neighbours()
	for i, d := range around {
		// A suicide takes every own string beside it; else the strings without
		// another liberty go, each once.
		head := p.node[d].head
		if p.colour[d] == goes && (suicide || p.node[head].libs == p.contacts(c, head)) && !p.meets(around[:i], head) {
			h ^= p.ringKey(goes, head)
		}
	}
	return h
}

// meets reports whether one of the cells has a stone of the string of a head.
func (p *Position) meets(list []cell, head cell) bool {
	for _, d := range list {
		if p.node[d].head == head {
			return true
		}
	}
	return false
}

// ringKey returns the XOR of the keys of the stones of a string.
func (p *Position) ringKey(s stone, head cell) (h uint64) {
	for c := head; ; {
		h ^= key(s, c)
		if c = p.node[c].next; c == head {
			return h
		}
	}
}
