package relation

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
)

// unknownPly is the ply of a board whose moves from the usual start are not known.
const unknownPly = 1000

// state is a position as programs see it, with what was found out about it.
type state struct {
	*ground
	of    [2 * syntax.MaxKinds]set // by piece
	group [maxGroups]set           // by number of Set.groups
	own   [2]set
	all   set
	turn  game.Side
	moves []pattern.Played
	usual bool
	facts Facts // nil for none

	// What the facts said of this position.
	known struct {
		reach, take    set
		pinned         set
		checkers       [2]bool
		ending         ending
		spare, ablated set
	}
	reachOf, takeOf [syntax.MaxPoints]set
	pinnedBy        [syntax.MaxPoints]set
	pinsHeed        [syntax.MaxPoints]set
	checkersOf      [2]set
}

// ending is how a position ends the game.
type ending uint8

const (
	unasked ending = iota
	goesOn
	byMate
	byStalemate
)

// fill makes the state of a view. It tells whether the board is one of the game.
func (st *state) fill(s *Set, v *pattern.View) bool {
	b := v.Planes
	st.ground = s.ground
	if b == nil || b.Size != st.size || len(b.Of) != 2*st.kinds {
		return false
	}
	st.own, st.all = [2]set{}, set{}
	for i := range b.Of {
		var on set
		for y := range st.Height {
			// A row of nine bits may lie across the words.
			row := uint64(b.Of[i][y] & (1<<st.Width - 1))
			at := y * st.Width
			if at < 64 {
				on.lo |= row << at
				if at+st.Width > 64 {
					on.hi |= row >> (64 - at)
				}
			} else {
				on.hi |= row << (at - 64)
			}
		}
		st.of[i] = on
		st.own[i/st.kinds] = st.own[i/st.kinds].or(on)
	}
	st.all = st.own[0].or(st.own[1])
	st.turn, st.moves, st.usual = v.Turn, v.Moves, v.Usual
	st.facts, _ = v.Facts.(Facts)
	for i, g := range s.groups {
		st.group[i] = st.union(g)
	}
	st.forget()
	return true
}

// change takes pieces off points, and puts pieces on points.
func (st *state) change(s *Set, c *change) {
	for _, p := range c.left[:c.leaving] {
		st.of[p.piece].remove(p.at)
		st.own[p.piece/st.kinds].remove(p.at)
		for _, g := range s.member[p.piece] {
			st.group[g].remove(p.at)
		}
	}
	for _, p := range c.came[:c.coming] {
		st.of[p.piece].add(p.at)
		st.own[p.piece/st.kinds].add(p.at)
		for _, g := range s.member[p.piece] {
			st.group[g].add(p.at)
		}
	}
	st.all = st.own[0].or(st.own[1])
}

// at returns what stands on a point.
func (st *state) at(p board.Point) board.Piece {
	i := uint8(st.size.Index(p))
	for piece := range st.of {
		if st.of[piece].has(i) {
			return board.Piece(piece + 1)
		}
	}
	return board.Empty
}

// forget drops what was found out, for the position is another one.
func (st *state) forget() {
	st.known.reach, st.known.take, st.known.pinned = set{}, set{}, set{}
	st.known.checkers = [2]bool{}
	st.known.ending = unasked
	st.known.spare, st.known.ablated = set{}, set{}
}

func (st *state) ply() int {
	if !st.usual {
		return unknownPly
	}
	return min(len(st.moves), unknownPly)
}

// among returns the places of a group of pieces.
func (st *state) among(g group) set {
	if g.number >= 0 {
		return st.group[g.number]
	}
	return st.union(g.pieces)
}

// union returns the places of some pieces.
func (st *state) union(pieces uint16) (s set) {
	for ; pieces != 0; pieces &= pieces - 1 {
		s = s.or(st.of[bits.TrailingZeros16(pieces)])
	}
	return s
}

// pieceAt returns the piece on a point.
func (st *state) pieceAt(p uint8) board.Piece {
	for i := range st.of {
		if st.of[i].has(p) {
			return board.Piece(i + 1)
		}
	}
	return board.Empty
}

func (st *state) reach(p uint8) set {
	if st.facts == nil {
		return set{}
	}
	if !st.known.reach.has(p) {
		st.reachOf[p] = setOf(st.facts.Reach(int(p), false))
		st.known.reach.add(p)
	}
	return st.reachOf[p]
}

func (st *state) take(p uint8) set {
	if st.facts == nil {
		return set{}
	}
	if !st.known.take.has(p) {
		st.takeOf[p] = setOf(st.facts.Reach(int(p), true))
		st.known.take.add(p)
	}
	return st.takeOf[p]
}

// pinned returns the pieces that the one on a point pins, and what decides it.
func (st *state) pinned(p uint8) (pieces, heed set) {
	if st.facts == nil {
		return set{}, set{}
	}
	if !st.known.pinned.has(p) {
		pieces, heed := st.facts.Pinned(int(p))
		st.pinnedBy[p], st.pinsHeed[p] = setOf(pieces), setOf(heed)
		st.known.pinned.add(p)
	}
	return st.pinnedBy[p], st.pinsHeed[p]
}

// checkers returns the pieces that attack the king of a side.
func (st *state) checkers(side game.Side) set {
	if st.facts == nil {
		return set{}
	}
	if !st.known.checkers[side&1] {
		st.checkersOf[side&1] = setOf(st.facts.Checkers(side))
		st.known.checkers[side&1] = true
	}
	return st.checkersOf[side&1]
}

// shuts tells whether the piece on a point alone keeps the king of a side from a
// step to one of some points.
func (st *state) shuts(side game.Side, p uint8, to set) bool {
	kings, own := st.of[st.pieceOf(side, syntax.King)], st.own[side&1]
	if kings.empty() {
		return false
	}
	to = to.and(st.beside[kings.pop()]).and(st.palaces)
	if own.has(p) {
		return to.has(p) && setOf(st.facts.Await(side, int(p))).empty()
	}
	for to = to.less(own); !to.empty(); {
		if await := setOf(st.facts.Await(side, int(to.pop()))); await.has(p) && await.count() == 1 {
			return true
		}
	}
	return false
}

// ending tells whether the side to move has lost.
func (st *state) ending() ending {
	if st.known.ending == unasked {
		st.known.ending = goesOn
		if st.facts != nil && st.facts.Stuck() {
			st.known.ending = byStalemate
			if !st.checkers(st.turn).empty() {
				st.known.ending = byMate
			}
		}
	}
	return st.known.ending
}

// mated tells whether a side is to move and mated. Most positions are no check,
// and moves are not looked for there.
func (st *state) mated(side game.Side) bool {
	return st.turn == side && !st.checkers(side).empty() && st.ending() == byMate
}

func (st *state) stalemated(side game.Side) bool {
	return st.turn == side && st.ending() == byStalemate
}

// needed returns how many pieces of a side are essential to its mate.
func (st *state) needed(side game.Side) (n int) {
	if !st.mated(side.Opponent()) {
		return 0
	}
	for rest := st.own[side&1]; !rest.empty(); {
		if st.essential(rest.pop()) {
			n++
		}
	}
	return n
}

// essential tells, of a mate, whether it is none without the piece on a point.
func (st *state) essential(p uint8) bool {
	if !st.known.ablated.has(p) {
		st.known.ablated.add(p)
		if st.facts.MatedWithout(int(p)) {
			st.known.spare.add(p)
		}
	}
	return !st.known.spare.has(p)
}
