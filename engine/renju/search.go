package renju

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"qipu/engine"
	"qipu/engine/trace"
)

const (
	win     = int(engine.Win)
	decided = int(engine.Decided)
	inf     = win + 1

	maxPly   = 240
	maxDepth = 100
)

// search is one thought.
type search struct {
	t      *table
	memory *memory
	style  *style
	ctx    context.Context

	nodes, limit int64
	pause        int64 // the count of nodes at which to look whether to stop
	began        time.Time
	soft, hard   time.Time // zero for none
	stopped      bool
	halt         atomic.Bool

	attack fours // whose win by fours is asked for
	seen   failures

	killers [maxPly + 2][2]uint16
	history [2][cellsTotal]int32
	pv      [maxPly + 2][]uint16

	record *trace.Recorder
	why    trace.Reason
	by     int
}

// interval is how many nodes pass between two looks at the clock.
const interval = 512

// look decides whether to stop.
func (s *search) look() {
	s.pause = s.nodes + interval
	switch {
	case s.limit > 0 && s.nodes >= s.limit, s.halt.Load():
		s.stopped = true
	default:
		s.stopped = !s.hard.IsZero() && !time.Now().Before(s.hard)
	}
	if s.limit > 0 {
		s.pause = min(s.pause, s.limit)
	}
}

// byFours looks for a win by fours of a side that is, or were, to move.
func (s *search) byFours(side int, most int, nodes int64) bool {
	t := s.t
	if t.count[side][gFive] == 0 && !s.mayFour(side) {
		return false
	}
	f := &s.attack
	f.t, f.side, f.nodes, f.limit, f.seen = t, side, 0, nodes, &s.seen
	ok := f.search(most)
	s.nodes += f.nodes
	return ok
}

// mayFour reports whether a side can make any four.
func (s *search) mayFour(side int) bool {
	c := &s.t.count[side]
	return c[gFour]+c[gFourTwo]+c[gFourThreeLow]+c[gFourThree]+c[gFourThrees]+c[gFourFour] > 0
}

// The limits of the searches for wins by fours: at leaves, and within the tree.
const (
	leafFours  = 6
	leafNodes  = 60
	innerFours = 12
	innerNodes = 250
)

// node returns the value of a position for the side to move, between the bounds.
func (s *search) node(side, depth, ply, alpha, beta int, last uint16) int {
	s.pv[ply] = s.pv[ply][:0]
	if s.nodes++; s.nodes >= s.pause {
		if s.look(); s.stopped {
			return 0
		}
	}
	if s.record == nil {
		return s.read(side, depth, ply, alpha, beta)
	}
	s.record.Enter(moveOf(last), false, int32(alpha), int32(beta))
	s.why, s.by = trace.Read, 0
	v := s.read(side, depth, ply, alpha, beta)
	if s.stopped {
		s.why = trace.Stopped
	}
	s.record.Leave(int32(v), s.why, s.by)
	s.why, s.by = trace.Read, 0
	return v
}

// left notes why a position is left.
func (s *search) left(v int, why trace.Reason) int {
	s.why = why
	return v
}

// read is node without what surrounds it.
func (s *search) read(side, depth, ply, alpha, beta int) int {
	t, other := s.t, 1-side
	switch {
	case t.free == 0:
		return s.left(0, trace.Over)
	case t.fives(side) > 0:
		s.pv[ply] = append(s.pv[ply], t.first(side, kindFive))
		return s.left(win-ply-1, trace.Over)
	case t.fives(other) > 1:
		return s.left(ply+2-win, trace.Over)
	case t.fives(other) == 1:
		c := t.first(other, kindFive)
		if t.forbidden(side, c) {
			return s.left(ply+2-win, trace.Over)
		}
		if ply >= maxPly-1 {
			return s.left(s.judge(side), trace.Horizon)
		}
		return s.forced(side, c, depth, ply, alpha, beta)
	case t.count[side][gFourFour] > 0:
		return s.left(win-ply-3, trace.Proved)
	}
	// No win is nearer than five plies now, and no loss nearer than four.
	if best := win - ply - 5; beta > best {
		if beta = best; alpha >= beta {
			return s.left(beta, trace.Proved)
		}
	}
	if worst := ply + 4 - win; alpha < worst {
		if alpha = worst; alpha >= beta {
			return s.left(alpha, trace.Proved)
		}
	}
	if ply >= maxPly-1 {
		return s.left(s.judge(side), trace.Horizon)
	}
	key := t.hash ^ turnKey[side]
	first := uint16(0)
	if e := s.memory.find(key); e != nil {
		if s.record != nil {
			s.record.Hit()
		}
		first = e.move
		v := fromHere(int(e.value), ply)
		if int(e.depth) >= depth || v >= decided || v <= -decided {
			b := e.flags & even
			if b == even || b == atLeast && v >= beta || b == atMost && v <= alpha {
				if first != 0 {
					s.pv[ply] = append(s.pv[ply], first)
				}
				return s.left(v, trace.Table)
			}
		}
	}
	if depth <= 0 && (depth <= -s.style.extend || t.count[other][gFourFour] == 0) {
		return s.leaf(side, ply, key)
	}
	if s.byFours(side, innerFours, innerNodes) {
		return s.proved(key, ply)
	}
	if s.style.null && depth >= 3 && beta < decided && beta > -decided && s.judge(side) >= beta && t.count[other][gFourFour] == 0 {
		v := -s.node(other, depth-3, ply+1, -beta, -beta+1, 0)
		if s.stopped {
			return 0
		}
		if v >= beta && v < decided {
			s.pv[ply] = s.pv[ply][:0]
			return s.left(v, trace.Forward)
		}
	}
	return s.moves(side, depth, ply, alpha, beta, key, first)
}

// turnKey tells positions apart by who is to move.
var turnKey = [2]uint64{0, 0xD6E8FEB86659FD93}

// fromHere and toHere count wins from the root, and from the position.
func fromHere(v, ply int) int {
	switch {
	case v >= decided:
		return v - ply
	case v <= -decided:
		return v + ply
	}
	return v
}

func toHere(v, ply int) int { return fromHere(v, -ply) }

// proved keeps a win by fours.
func (s *search) proved(key uint64, ply int) int {
	f := &s.attack
	v := win - ply - f.plies()
	s.memory.store(key, entry{value: int32(toHere(v, ply)), move: f.line[0], depth: maxDepth, flags: atLeast})
	s.pv[ply] = append(s.pv[ply], f.line...)
	return s.left(v, trace.Proved)
}

// leaf judges a position where the depth is used up, unless it is won by fours.
func (s *search) leaf(side, ply int, key uint64) int {
	if s.byFours(side, leafFours, leafNodes) {
		return s.proved(key, ply)
	}
	if s.record == nil {
		return s.judge(side)
	}
	began := s.record.Begin(trace.Evaluate)
	v := s.judge(side)
	s.record.End(trace.Evaluate, began)
	return s.left(v, trace.Horizon)
}

// forced reads on behind the only move, which takes no depth.
func (s *search) forced(side int, c uint16, depth, ply, alpha, beta int) int {
	s.t.put(side, c)
	v := -s.node(1-side, depth, ply+1, -beta, -alpha, c)
	s.t.take()
	s.extend(ply, c)
	s.why = trace.Read
	return v
}

// extend makes the line of a move that of the position before it.
func (s *search) extend(ply int, c uint16) {
	s.pv[ply] = append(append(s.pv[ply][:0], c), s.pv[ply+1]...)
}

// option is a move to read.
type option struct {
	cell uint16
	rank int32
}

// moves reads the moves of a position.
func (s *search) moves(side, depth, ply, alpha, beta int, key uint64, first uint16) int {
	var room [128]option
	list, threat := s.options(room[:0], side, ply, first, true)
	switch {
	case len(list) == 0 && threat > 0:
		return s.left(ply+1+threat-win, trace.Proved)
	case len(list) == 0:
		return s.left(s.judge(side), trace.Horizon)
	}
	width := s.style.width + 2*depth
	best, move, was := -inf, list[0].cell, alpha
	for i := range list {
		if i >= width && best > -decided {
			break
		}
		pick(list, i)
		c := list[i].cell
		s.t.put(side, c)
		v := s.child(side, depth-1, ply, max(alpha, best), beta, i, c)
		s.t.take()
		if s.stopped {
			return 0
		}
		if v <= best {
			continue
		}
		best, move = v, c
		if v > alpha {
			s.extend(ply, c)
		}
		if v >= beta {
			s.why, s.by = trace.Cut, i+1
			s.praise(side, c, ply, depth)
			break
		}
	}
	flags := even
	switch {
	case best <= was:
		flags = atMost
	case best >= beta:
		flags = atLeast
	}
	if s.why != trace.Cut {
		s.why = trace.Read
	}
	s.memory.store(key, entry{value: int32(toHere(best, ply)), move: move, depth: int8(depth), flags: flags})
	return best
}

// child reads the position behind the i-th move, with a window of nothing first where a
// move before it set a value, and less deep where it comes late.
func (s *search) child(side, depth, ply, alpha, beta, i int, c uint16) int {
	if i == 0 {
		return -s.node(1-side, depth, ply+1, -beta, -alpha, c)
	}
	less := 0
	if depth >= 2 && i >= s.style.reduce && s.style.reduce > 0 {
		less = 1
		if i >= 10 && depth >= 4 {
			less = 2
		}
	}
	v := -s.node(1-side, depth-less, ply+1, -alpha-1, -alpha, c)
	if v > alpha && less > 0 && !s.stopped {
		v = -s.node(1-side, depth, ply+1, -alpha-1, -alpha, c)
	}
	if v > alpha && v < beta && !s.stopped {
		v = -s.node(1-side, depth, ply+1, -beta, -alpha, c)
	}
	return v
}

// pick brings the highest rank of what is left to the front.
func pick(list []option, i int) {
	best := i
	for j := i + 1; j < len(list); j++ {
		if list[j].rank > list[best].rank {
			best = j
		}
	}
	list[i], list[best] = list[best], list[i]
}

// praise remembers a move that was too good.
func (s *search) praise(side int, c uint16, ply, depth int) {
	if k := &s.killers[ply]; k[0] != c {
		k[1], k[0] = k[0], c
	}
	h := &s.history[side][c]
	*h += int32(depth * depth)
	if *h > 400 {
		for i := range s.history[side] {
			s.history[side][i] /= 2
		}
	}
}

// options lists the moves that are worth reading. Where the other side threatens to win
// by fours, within so many plies of its own move, these are the ones that may stop it.
func (s *search) options(list []option, side, ply int, first uint16, narrow bool) (_ []option, threat int) {
	t, other := s.t, 1-side
	if (s.style.inner || t.count[other][gFourFour] > 0) && s.byFours(other, innerFours, innerNodes) {
		var set pointSet
		s.attack.defences(&set, other)
		threat = s.attack.plies()
		var room [maxPoints]uint16
		for _, c := range t.appendSet(room[:0], &set) {
			list = s.option(list, side, c, ply, first)
		}
		return list, threat
	}
	for _, c := range t.places[:t.size.Area()] {
		x := &t.cells[c]
		if x.stone == free && (max(x.grade[0], x.grade[1]) >= gTwoLow || !narrow) {
			list = s.option(list, side, c, ply, first)
		}
	}
	if len(list) > 0 {
		return trim(list), 0
	}
	for _, c := range t.places[:t.size.Area()] {
		if t.cells[c].stone == free {
			list = s.option(list, side, c, ply, first)
		}
	}
	return trim(list), 0
}

// mostOptions bounds how many moves are looked at.
const mostOptions = 60

// trim keeps the moves of the highest ranks.
func trim(list []option) []option {
	if len(list) <= mostOptions {
		return list
	}
	slices.SortStableFunc(list, func(a, b option) int { return int(b.rank) - int(a.rank) })
	return list[:mostOptions]
}

// option appends a move, unless it is a foul.
func (s *search) option(list []option, side int, c uint16, ply int, first uint16) []option {
	t := s.t
	if t.forbidden(side, c) {
		return list
	}
	x := &t.cells[c]
	rank := 8*(makes[x.grade[side]]+stops[x.grade[1-side]]) + s.history[side][c]
	switch c {
	case first:
		rank += 1 << 24
	case s.killers[ply][0]:
		rank += 400
	case s.killers[ply][1]:
		rank += 300
	}
	// What is nearer to the middle is better where all else is equal.
	rank = 16*rank - int32(apart(int(c), (t.size.H/2+reach)*stride+t.size.W/2+reach))
	return append(list, option{c, rank})
}

// defences adds the points that may stop the win by fours that was found for a side: its
// stones and their answers, where fives would be made, and fours of the defender, now or
// with the answers on the board. Where an answer is a foul, all points around it that may
// make it none.
func (f *fours) defences(set *pointSet, attacker int) {
	t, d := f.t, 1-attacker
	add := func(c uint16) {
		if t.cells[c].stone == free {
			set.add(t.cells[c].at)
		}
	}
	for _, c := range f.line {
		add(c)
	}
	for _, c := range f.ends {
		add(c)
	}
	merge := func(other *pointSet) {
		for i, w := range other[:t.words] {
			set[i] |= w
		}
	}
	if f.foul {
		at := int(f.ends[0])
		for _, by := range step {
			for k := -reach; k <= reach; k++ {
				if c := at + k*by; k != 0 && t.cells[c].stone == free {
					set.add(t.cells[c].at)
				}
			}
		}
	}
	merge(&t.sets[d][kindFour])
	n := 0
	for i, c := range f.line {
		side := attacker
		if i&1 != 0 {
			side = d
		}
		t.put(side, c)
		n++
		if side == d {
			merge(&t.sets[d][kindFour])
		}
	}
	for range n {
		t.take()
	}
}
