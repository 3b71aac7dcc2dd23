package renju

import (
	"cmp"
	"slices"
)

// threats finds wins of one side by fours and threes: every move of the attacker
// threatens to win by fours, so that the defender has few answers, all of which are
// tried. It is a search by proof numbers: what takes the fewest moves to be proved or
// refuted is read first.
type threats struct {
	t     *table
	side  int // who attacks, and is to move first
	nodes int64
	limit int64
	stop  func() bool // asked now and then; nil for never
	ended bool        // a limit ended the search

	fours fours
	known map[uint64]*state

	// extra are answers beyond those that are found by themselves: a check of a proof
	// has found them.
	extra map[uint64][]uint16
}

// state is what is known of a position.
type state struct {
	proof, refute uint32
	moves         []uint16
	fours         bool  // won by fours
	plies         int16 // until the win where it is proved; 0 while not reckoned
	tried         bool
}

const endlessly = 1 << 30 // a proof number of what cannot be

// The limits of the searches for fours within.
const (
	threatFours = 24
	threatNodes = 600
)

func newThreats(t *table, side int, seen *failures, limit int64) *threats {
	return &threats{t: t, side: side, limit: limit, known: map[uint64]*state{}, fours: fours{t: t, seen: seen}}
}

// search reports whether the side, which is to move, wins by threats.
func (w *threats) search() bool {
	root := w.state(true)
	for root.proof != 0 && root.refute != 0 && !w.ended {
		w.read(true, root, endlessly, endlessly)
	}
	return root.proof == 0
}

// key names a position by its stones and who is to move.
func (w *threats) key(attacks bool) uint64 {
	if attacks {
		return w.t.hash ^ turnKey[1]
	}
	return w.t.hash
}

func (w *threats) state(attacks bool) *state {
	k := w.key(attacks)
	s := w.known[k]
	if s == nil {
		s = &state{proof: 1, refute: 1}
		w.known[k] = s
	}
	return s
}

// wins looks for a win by fours of a side.
func (w *threats) wins(side int, most int, nodes int64) bool {
	f := &w.fours
	f.side, f.nodes, f.limit = side, 0, nodes
	if f.t.count[side][gFive] == 0 && f.t.sets[side][kindFour] == (pointSet{}) {
		return false
	}
	ok := f.search(most)
	w.nodes += f.nodes
	return ok
}

// settle sets the numbers of a position that is decided.
func (s *state) settle(won bool, plies int) {
	s.moves = nil
	if won {
		s.proof, s.refute, s.plies = 0, endlessly, int16(plies)
	} else {
		s.proof, s.refute = endlessly, 0
	}
}

// begin finds out what is to be read in a position.
func (w *threats) begin(attacks bool, s *state) {
	s.tried = true
	w.nodes++
	t, a, d := w.t, w.side, 1-w.side
	if attacks {
		if w.wins(a, threatFours, threatNodes) {
			s.fours = true
			s.settle(true, w.fours.plies())
			return
		}
		switch n := t.fives(d); {
		case n > 1:
		case n == 1:
			if c := t.first(d, kindFive); !t.forbidden(a, c) {
				s.moves = []uint16{c}
			}
		default:
			s.moves = w.attacks()
		}
		if len(s.moves) == 0 {
			s.settle(false, 0)
		}
		return
	}
	switch n := t.fives(a); {
	case t.fives(d) > 0:
		s.settle(false, 0)
	case n > 1:
		s.settle(true, 2)
	case n == 1:
		c := t.first(a, kindFive)
		if t.forbidden(d, c) {
			s.settle(true, 2)
			return
		}
		s.moves = []uint16{c}
	default:
		w.answers(s)
	}
}

// attacks lists the moves that threaten, the sharpest first.
func (w *threats) attacks() (list []uint16) {
	t, a := w.t, w.side
	list = t.appendSet(list, &t.sets[a][kindFour])
	list = t.appendSet(list, &t.sets[a][kindThree])
	list = slices.DeleteFunc(list, func(c uint16) bool { return t.forbidden(a, c) })
	w.order(list, a)
	return list
}

// order sorts moves of a side by what they make and stop.
func (w *threats) order(list []uint16, side int) {
	slices.SortStableFunc(list, func(x, y uint16) int {
		a, b := &w.t.cells[x], &w.t.cells[y]
		return cmp.Compare(makes[b.grade[side]]+stops[b.grade[1-side]], makes[a.grade[side]]+stops[a.grade[1-side]])
	})
}

// answers finds what the defender may do about a move that threatens; where the move
// threatens nothing, it fails.
func (w *threats) answers(s *state) {
	t, a, d := w.t, w.side, 1-w.side
	if !w.wins(a, threatFours, threatNodes) {
		s.settle(false, 0)
		return
	}
	plies := w.fours.plies()
	var set pointSet
	w.fours.defences(&set, a)
	if w.wins(d, 8, threatNodes/3) {
		s.settle(false, 0)
		return
	}
	for _, c := range w.extra[w.key(false)] {
		set.add(t.cells[c].at)
	}
	s.moves = slices.DeleteFunc(t.appendSet(nil, &set), func(c uint16) bool { return t.forbidden(d, c) })
	if len(s.moves) == 0 {
		s.settle(true, 1+plies)
		return
	}
	w.order(s.moves, d)
}

// read reads on below a position until its numbers reach the bounds.
func (w *threats) read(attacks bool, s *state, proof, refute uint32) {
	if !s.tried {
		w.begin(attacks, s)
	}
	t, mover := w.t, w.side
	if !attacks {
		mover = 1 - w.side
	}
	for s.proof != 0 && s.refute != 0 && s.proof < proof && s.refute < refute {
		if w.limit > 0 && w.nodes >= w.limit || w.stop != nil && w.stop() {
			w.ended = true
			return
		}
		// The number of the mover is the least of its moves', the other one their sum.
		least, second, sum := uint32(endlessly), uint32(endlessly), uint32(0)
		var best *state
		var move uint16
		for _, c := range s.moves {
			k := t.hash ^ zobrist(mover, c)
			if !attacks {
				k ^= turnKey[1]
			}
			x := w.known[k]
			own, other := uint32(1), uint32(1)
			if x != nil {
				if own, other = x.proof, x.refute; !attacks {
					own, other = other, own
				}
			}
			sum = min(sum+other, endlessly)
			switch {
			case own < least:
				least, second = own, least
				best, move = x, c
			case own < second:
				second = own
			}
		}
		s.set(attacks, least, sum)
		if s.proof == 0 || s.refute == 0 {
			return
		}
		if s.proof >= proof || s.refute >= refute {
			return
		}
		own, other := proof, refute
		if !attacks {
			own, other = refute, proof
		}
		bestOther := uint32(1)
		if best != nil {
			if bestOther = best.refute; !attacks {
				bestOther = best.proof
			}
		}
		own = min(own, second+1)
		other = min(other-sum+bestOther, endlessly)
		t.put(mover, move)
		if best == nil {
			best = w.state(!attacks)
		}
		if attacks {
			w.read(false, best, own, other)
		} else {
			w.read(true, best, other, own)
		}
		t.take()
		if w.ended {
			return
		}
	}
}

// set sets the numbers by that of the mover and that of the other side.
func (s *state) set(attacks bool, own, other uint32) {
	if attacks {
		s.proof, s.refute = own, other
	} else {
		s.proof, s.refute = other, own
	}
}

// behind returns what is known of the position behind a move.
func (w *threats) behind(attacks bool, c uint16) *state {
	mover := w.side
	if !attacks {
		mover = 1 - w.side
	}
	k := w.t.hash ^ zobrist(mover, c)
	if !attacks {
		k ^= turnKey[1]
	}
	return w.known[k]
}

// plies returns how many stones a proved position takes to its end where the defender
// holds out as long as can be.
func (w *threats) plies(attacks bool, s *state) int {
	if s.plies > 0 {
		return int(s.plies)
	}
	best := 0
	mover := w.side
	if !attacks {
		mover = 1 - w.side
	}
	for _, c := range s.moves {
		x := w.behind(attacks, c)
		if x == nil || x.proof != 0 {
			continue
		}
		w.t.put(mover, c)
		n := w.plies(!attacks, x) + 1
		w.t.take()
		if best == 0 || attacks == (n < best) {
			best = n
		}
	}
	s.plies = int16(best)
	return best
}

// best returns the move of a proved position: the shortest win, or what holds out
// longest; false where it is won by fours, or on the spot.
func (w *threats) best(attacks bool, s *state) (move uint16, ok bool) {
	best := 0
	for _, c := range s.moves {
		x := w.behind(attacks, c)
		if x == nil || x.proof != 0 {
			continue
		}
		if n := int(x.plies); !ok || attacks == (n < best) {
			move, best, ok = c, n, true
		}
	}
	return move, ok
}

// line returns the moves of a proved search: the shortest way against the longest
// defence.
func (w *threats) line() (line []uint16) {
	t, n := w.t, 0
	attacks, s := true, w.state(true)
	w.plies(true, s)
	for s != nil && s.proof == 0 {
		if s.fours {
			if w.wins(w.side, threatFours, threatNodes) {
				line = append(line, w.fours.line...)
				if len(w.fours.ends) > 1 {
					line = append(line, w.fours.ends[0], w.fours.ends[1])
				}
			}
			break
		}
		move, ok := w.best(attacks, s)
		if !ok {
			break
		}
		line = append(line, move)
		next := w.behind(attacks, move)
		if attacks {
			t.put(w.side, move)
		} else {
			t.put(1-w.side, move)
		}
		n++
		attacks, s = !attacks, next
	}
	for range n {
		t.take()
	}
	return line
}
