package relation

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
)

// Tracker follows a line of play and knows which patterns hold now. It is not safe
// for concurrent use.
//
// After a move it looks again only at patterns that the move may have changed. One
// that holds goes on to hold as long as its pieces stay and nothing comes to or
// leaves the points that were looked at. One that does not hold can come about, if
// these points are as they were, only with the piece that has moved in one of the
// roles. One for which some role has no piece at all waits for such a piece.
type Tracker struct {
	set    *Set
	st     state
	views  [views][]tracked
	wanted []uint64 // patterns that are looked for
	moves  []pattern.Played
	bound  int    // the next of Set.bounds
	made   [2]int // moves of each side
	settle int    // the next of Set.settles
	search search
}

// tracked is what is known of 64 patterns in one view.
type tracked struct {
	holds  uint64
	closed uint64 // some role has no piece where it may stand
	rests  uint64 // the ply is out of bounds
	fresh  uint64 // the ply has come within bounds
	green  uint64 // any of the next moves may change what is said of the first ones
	looked [64]looked
}

// looked is what was looked at when a pattern was last looked for.
type looked struct {
	watch set
	roles set // the pieces in its roles, if it holds
}

// NewTracker returns a tracker for all patterns of the set. It follows nothing
// until it is reset.
func (s *Set) NewTracker() *Tracker {
	t := &Tracker{set: s, wanted: make([]uint64, s.words)}
	t.search.st = &t.st
	for v := range t.views {
		t.views[v] = make([]tracked, s.words)
	}
	t.Want(nil)
	return t
}

// Want chooses the patterns that are looked for from the next Reset on; nil
// chooses all.
func (t *Tracker) Want(want func(pattern int) bool) {
	clear(t.wanted)
	for i := range t.set.patterns {
		if want == nil || want(i) {
			t.wanted[i/64] |= 1 << (i % 64)
		}
	}
}

// Reset begins with a position. What the view points to is not kept, but for the
// facts.
func (t *Tracker) Reset(v *pattern.View) {
	if !t.st.fill(t.set, v) {
		t.st = state{ground: t.set.ground}
	}
	t.moves = append(t.moves[:0], v.Moves...)
	t.st.moves = t.moves
	for v := range t.views {
		for k := range t.views[v] {
			t.views[v][k].holds, t.views[v][k].closed = 0, 0
		}
	}
	t.made = [2]int{}
	for _, m := range t.moves {
		t.made[t.set.ground.sideOf(m.Piece)]++
	}
	t.limit()
	t.ripen()
	for v := range t.views {
		for k := range t.wanted {
			w := &t.views[v][k]
			t.run(view(v), k, t.set.needs[v][k].all&t.wanted[k]&^w.rests)
			w.fresh = 0
		}
	}
}

// limit finds the patterns whose bounds the ply is out of. Those that come within
// them are to be looked at.
func (t *Tracker) limit() {
	ply := t.st.ply()
	for t.bound = 0; t.bound < len(t.set.bounds) && t.set.bounds[t.bound] <= ply; {
		t.bound++
	}
	for v := range t.views {
		for i, p := range t.set.programs[v] {
			w, bit := &t.views[v][i/64], uint64(1)<<(i%64)
			if p != nil && (ply < p.least || ply > p.most) {
				w.rests |= bit
				w.holds &^= bit
			} else if w.rests&bit != 0 {
				w.rests &^= bit
				w.fresh |= bit
			}
		}
	}
}

// ripen finds the patterns that further moves can change because they are about
// the first ones.
func (t *Tracker) ripen() {
	made := min(t.made[0], t.made[1])
	for t.settle = 0; t.settle < len(t.set.settles) && t.set.settles[t.settle] <= made; {
		t.settle++
	}
	for v := range t.views {
		for k := range t.views[v] {
			t.views[v][k].green = 0
		}
		for i, p := range t.set.programs[v] {
			if p != nil && p.settled > made && t.st.usual {
				t.views[v][i/64].green |= 1 << (i % 64)
			}
		}
	}
}

// change is what a move does to the board: pieces that leave points, and pieces that
// come to points.
type change struct {
	left, came      [maxChanges]placed
	leaving, coming int    // how many of them
	touched         set    // their points
	numbers         uint16 // the pieces of which there are more or fewer behind it
}

// maxChanges is how many pieces one move may move: two castle.
const maxChanges = 4

// placed is a piece on a point.
type placed struct {
	piece int
	at    uint8
}

func (c *change) leave(piece int, at uint8) {
	c.left[c.leaving] = placed{piece, at}
	c.leaving++
	c.touched.add(at)
	c.numbers ^= 1 << piece
}

func (c *change) come(piece int, at uint8) {
	c.came[c.coming] = placed{piece, at}
	c.coming++
	c.touched.add(at)
	c.numbers ^= 1 << piece
}

// Play goes on by a move, after which a side is to move. It must be one of a piece
// that stands there, legal or not, and say what it took. The facts are those of the
// position behind it; nil for none.
func (t *Tracker) Play(m pattern.Played, turn game.Side, facts Facts) {
	var c change
	from, to := uint8(t.set.ground.size.Index(m.From)), uint8(t.set.ground.size.Index(m.To))
	if m.Taken != board.Empty {
		c.leave(int(m.Taken-1), to)
	}
	c.leave(int(m.Piece-1), from)
	c.come(int(m.Piece-1), to)
	t.play(m, &c, turn, facts)
}

// playChanging does the same for a move that changes more than its two points, or what
// moves. It tells whether that is no more than a move may change.
func (t *Tracker) playChanging(m pattern.Played, changes []interval.Change, turn game.Side, facts Facts) bool {
	var c change
	for _, k := range changes {
		at := uint8(k.Point)
		was := t.st.pieceAt(at)
		if was != board.Empty {
			if c.leaving == maxChanges {
				return false
			}
			c.leave(int(was-1), at)
		}
		if k.Piece != board.Empty {
			if c.coming == maxChanges {
				return false
			}
			c.come(int(k.Piece-1), at)
		}
	}
	t.play(m, &c, turn, facts)
	return true
}

func (t *Tracker) play(m pattern.Played, c *change, turn game.Side, facts Facts) {
	st := &t.st
	anew := (facts == nil) != (st.facts == nil)
	st.change(t.set, c)
	t.moves = append(t.moves, m)
	st.moves, st.turn, st.facts = t.moves, turn, facts
	st.forget()
	if t.bound < len(t.set.bounds) && st.ply() >= t.set.bounds[t.bound] {
		t.limit()
	}
	t.made[t.set.ground.sideOf(m.Piece)]++
	ripe := t.settle < len(t.set.settles) && min(t.made[0], t.made[1]) >= t.set.settles[t.settle]
	left, came := c.left[:c.leaving], c.came[:c.coming]
	var arriving [maxChanges][]uint64
	for i, p := range came {
		arriving[i] = t.set.arriving(p.piece, p.at)
	}
	for v := range t.views {
		for k := range t.views[v] {
			n, w := &t.set.needs[v][k], &t.views[v][k]
			var coming, watched, roles uint64
			for i := range came {
				coming |= arriving[i][v*t.set.words+k]
				watched |= n.byWatch[came[i].piece]
			}
			for i := range left {
				watched |= n.byWatch[left[i].piece]
				roles |= n.byRole[left[i].piece]
			}
			all := n.all & t.wanted[k] &^ w.rests
			open := all &^ w.closed
			todo := (n.always|w.green)&open | w.closed&coming&all | w.fresh&all
			w.fresh = 0
			for rest := c.numbers; rest != 0; rest &= rest - 1 {
				todo |= n.byCount[bits.TrailingZeros16(rest)] & open
			}
			if anew {
				todo = all
			}
			for rest := (watched | coming | roles&w.holds) & open &^ todo; rest != 0; rest &= rest - 1 {
				bit, i := rest&-rest, bits.TrailingZeros64(rest)
				l := &w.looked[i]
				if l.watch.or(l.roles).meets(c.touched) {
					todo |= bit
					continue
				}
				if coming&^w.holds&bit == 0 {
					continue
				}
				t.search.p, t.search.watch = t.set.programs[v][k*64+i], l.watch
				for j := range came {
					if arriving[j][v*t.set.words+k]&bit != 0 && t.search.holdsWith(came[j].piece, came[j].at) {
						w.holds |= bit
						l.roles = t.search.settle()
						break
					}
				}
				l.watch = t.search.watch
			}
			if todo != 0 {
				t.run(view(v), k, todo)
			}
		}
	}
	if ripe {
		t.ripen()
	}
}

// Follow makes a tracker know what another one of the same set knows, and one move more,
// which must be that of a piece that stands there. So a search keeps one tracker a ply, and
// takes moves back at no cost.
func (t *Tracker) Follow(o *Tracker, from, to board.Point, turn game.Side, facts Facts) {
	t.become(o)
	t.Play(pattern.Played{From: from, To: to, Piece: t.st.at(from), Taken: t.st.at(to)}, turn, facts)
}

// become makes a tracker know what another one of the same set knows.
func (t *Tracker) become(o *Tracker) {
	t.moves = append(t.moves[:0], o.moves...)
	t.st, t.bound, t.made, t.settle = o.st, o.bound, o.made, o.settle
	t.st.moves = t.moves
	for v := range t.views {
		copy(t.views[v], o.views[v])
	}
}

// run looks at some of 64 patterns anew.
func (t *Tracker) run(v view, k int, todo uint64) {
	st, n, w := &t.st, &t.set.needs[v][k], &t.views[v][k]
	w.holds &^= todo
	w.closed &^= todo // as far as is known, should they be left out below
	enemy := v.owner().Opponent()
	if m := todo & (n.mated | n.check); m != 0 && st.checkers(enemy).empty() {
		todo &^= m
	}
	if m := todo & n.mated; m != 0 && !st.mated(enemy) {
		todo &^= m
	}
	if m := todo & n.stale; m != 0 && !st.stalemated(enemy) {
		todo &^= m
	}
	for ; todo != 0; todo &= todo - 1 {
		bit, i := todo&-todo, bits.TrailingZeros64(todo)
		p := t.set.programs[v][k*64+i]
		if !p.open(st) {
			w.closed |= bit
			continue
		}
		l := &w.looked[i]
		l.roles = set{}
		t.search.p = p
		if t.search.holds() {
			w.holds |= bit
			l.roles = t.search.settle()
		}
		l.watch = t.search.watch
	}
}

// settle returns where the roles of a match stand, and forgets the points that
// were looked at for other pieces: what happens there cannot end the match.
func (s *search) settle() (roles set) {
	s.watch = set{}
	s.simply()
	for i := range s.p.slots {
		slot := &s.p.slots[i]
		roles.add(s.at[slot.role])
		for _, t := range slot.tests {
			s.true(t)
		}
	}
	return roles
}

// Holds tells whether a pattern holds for a side.
func (t *Tracker) Holds(pattern int, side game.Side) bool {
	return t.word(side, pattern/64)>>(pattern%64)&1 != 0
}

// word returns the patterns from 64*k on that hold for a side.
func (t *Tracker) word(side game.Side, k int) (held uint64) {
	for _, mirror := range [2]bool{false, true} {
		v := viewOf(side, mirror)
		held |= t.views[v][k].holds &^ t.set.needs[v][k].off[t.st.turn&1]
	}
	return held
}
