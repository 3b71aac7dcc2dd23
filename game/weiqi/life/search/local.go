package search

import (
	"math/bits"

	"qipu/game/weiqi/life/pn"
)

// limit is the number of cells, and of blocks, that a zone may have: both are kept
// as sets in one word.
const limit = 64

// pass is the move of a defender who sees no need to answer.
const pass pn.Move = limit

// again is added to a move of an attacker who moves twice.
const again pn.Move = 128

// set is a set of cells of a zone, or of blocks around it.
type set = uint64

// local is the game in one zone: the attacker moves first, the defender answers
// inside or passes. It implements [pn.Problem] with the defender as the prover. Cost
// of a move: the strings that it touches.
type local struct {
	full  set // all cells
	open  set // cells beside points that are taken for the attacker's for ever
	claim set // cells where the attacker must not come to live

	near  [limit]set // cells beside a cell
	walls [limit]set // blocks beside a cell
	rim   [limit]set // cells beside a block

	blocks set // all blocks
	safe   set // those that need nothing from here
	held   set // those that have a liberty elsewhere for ever, but maybe not two

	// Of a question of X-life: the cells and blocks that have to live, and how often
	// the attacker may still move twice. Nothing is claimed then, and a defender
	// whom nobody can attack has nothing to show.
	target, wall set
	demands      int

	mine, theirs set
	defends      bool // the defender is to move
	lost         bool // a block was taken
	past         []undoStep

	chains []chain
	parts  []part
	pairs  []set
	wants  int // how much is missing for a proof, as the last one found: a guess
}

// undoStep is what Undo puts back.
type undoStep struct {
	mine, theirs  set
	demands       int
	defends, lost bool
}

func (l *local) empty() set { return l.full &^ (l.mine | l.theirs) }

// first returns the lowest member of a set as a set.
func first(s set) set { return s & -s }

// ours returns the string of the defender's that some of its cells or blocks are
// given of: its cells, its blocks, and the cells beside it.
func (l *local) ours(cells, walls set) (c, w, beside set) {
	for {
		cells, walls = cells&^c, walls&^w
		if cells|walls == 0 {
			return c, w, beside
		}
		c, w = c|cells, w|walls
		for s := walls; s != 0; s &= s - 1 {
			beside |= l.rim[bits.TrailingZeros64(s)]
		}
		walls = 0
		for s := cells; s != 0; s &= s - 1 {
			i := bits.TrailingZeros64(s)
			beside |= l.near[i]
			walls |= l.walls[i]
		}
		cells = beside & l.mine
	}
}

// next takes one of the strings of the defender's that cells and blocks are given of
// out of these, and returns it as ours does.
func (l *local) next(cells, walls *set) (c, w, beside set) {
	if *cells != 0 {
		c, w, beside = l.ours(first(*cells), 0)
	} else {
		c, w, beside = l.ours(0, first(*walls))
	}
	*cells, *walls = *cells&^c, *walls&^w
	return c, w, beside
}

// flood returns the cells within a set that are connected to some of them, and
// all cells beside those.
func (l *local) flood(cells, within set) (c, beside set) {
	for cells != 0 {
		c |= cells
		for s := cells; s != 0; s &= s - 1 {
			beside |= l.near[bits.TrailingZeros64(s)]
		}
		cells = beside & within &^ c
	}
	return c, beside
}

// Key returns the key of the position: its stones and who is to move.
func (l *local) Key() uint64 {
	h := mix(l.mine+0x9e3779b97f4a7c15) ^ l.theirs
	if l.defends {
		h += 0x632be59bd9b4e019
	}
	return mix(h + uint64(l.demands)*0x9fb21c651e98df25)
}

// mix spreads a word over all its bits; different words stay different.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Proves reports whether the defender is to move.
func (l *local) Proves() bool { return l.defends }

// Play makes a move. It has to be legal.
func (l *local) Play(m pn.Move) {
	l.past = append(l.past, undoStep{l.mine, l.theirs, l.demands, l.defends, l.lost})
	defends := l.defends
	if m < again {
		l.defends = !defends
	} else {
		m -= again
		l.demands--
	}
	if m == pass {
		return
	}
	at := set(1) << m
	if defends {
		l.mine |= at
		empty := l.empty()
		for s := l.near[m] & l.theirs; s != 0; {
			c, beside := l.flood(first(s), l.theirs)
			s &^= c
			if c&l.open == 0 && beside&empty == 0 {
				l.theirs &^= c
			}
		}
		return
	}
	l.theirs |= at
	empty := l.empty()
	cells, walls := l.near[m]&l.mine, l.walls[m]
	for cells|walls != 0 {
		c, w, beside := l.next(&cells, &walls)
		switch {
		case beside&empty != 0 || w&(l.held|l.safe) != 0:
		case w != 0 || c&(l.open|l.target) != 0:
			l.lost = true
		default:
			l.mine &^= c
		}
	}
}

// Undo takes the last move back.
func (l *local) Undo() {
	last := len(l.past) - 1
	m := l.past[last]
	l.past = l.past[:last]
	l.mine, l.theirs, l.demands, l.defends, l.lost = m.mine, m.theirs, m.demands, m.defends, m.lost
}

// mayDefend reports whether the defender may play on an empty cell.
func (l *local) mayDefend(i int) bool {
	at, empty := set(1)<<i, l.empty()
	if l.near[i]&empty != 0 || l.walls[i]&(l.held|l.safe) != 0 {
		return true
	}
	for s := l.near[i] & l.theirs; s != 0; {
		c, beside := l.flood(first(s), l.theirs)
		s &^= c
		if c&l.open == 0 && beside&empty == at {
			return true
		}
	}
	_, w, beside := l.ours(l.near[i]&l.mine, l.walls[i])
	return w&(l.held|l.safe) != 0 || beside&empty&^at != 0
}

// mayAttack reports whether the attacker may play on an empty cell. Ko does not
// bind him, and he takes no stones of his own off.
func (l *local) mayAttack(i int) bool {
	at, empty := set(1)<<i, l.empty()
	if l.near[i]&empty != 0 || l.open&at != 0 {
		return true
	}
	for s := l.near[i] & l.theirs; s != 0; {
		c, beside := l.flood(first(s), l.theirs)
		s &^= c
		if c&l.open != 0 || beside&empty&^at != 0 {
			return true
		}
	}
	cells, walls := l.near[i]&l.mine, l.walls[i]
	for cells|walls != 0 {
		_, w, beside := l.next(&cells, &walls)
		if beside&empty == at && w&(l.held|l.safe) == 0 {
			return true
		}
	}
	return false
}

// AppendMoves appends the moves that may matter: none in parts that are settled
// without an answer.
func (l *local) AppendMoves(dst []pn.Move) []pn.Move {
	from := len(dst)
	for s := l.empty() &^ l.settled(); s != 0; s &= s - 1 {
		i := bits.TrailingZeros64(s)
		if l.defends && l.mayDefend(i) || !l.defends && l.mayAttack(i) {
			dst = append(dst, pn.Move(i))
		}
	}
	if !l.defends && l.demands > 0 {
		for _, m := range dst[from:] {
			dst = append(dst, m+again)
		}
	}
	// The attacker may wait, too: at the end of the game life has to be shown.
	if l.defends || l.target|l.wall == 0 {
		dst = append(dst, pass)
	}
	return dst
}

// Evaluate tells whether the defender has failed, or can sit back.
func (l *local) Evaluate() (r pn.Result, proof, disproof uint32) {
	switch {
	case l.lost:
		return pn.Disproved, 0, 0
	case l.broken():
		if !l.defends {
			return pn.Disproved, 0, 0
		}
	case l.proved(): // with the defender to move: he passes
		return pn.Proved, 0, 0
	}
	return pn.Unknown, uint32(1 + l.wants), 1
}
