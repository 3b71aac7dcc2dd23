package search

import "math/bits"

// chain is one string of the defender's, or several that a pair of points each
// keeps together: if the attacker takes one, the defender takes the other.
type chain struct {
	cells, walls, beside set
	need                 int // eyes that it has to find here
	fallen               bool
}

// part is a maximal set of connected cells without a stone of the defender's.
type part struct {
	cells  set
	linked bool // some of its points are in pairs
	lent   int  // points whose other half lies in another part
	inner  set  // covered: beside no chain yet, but two neighbours in a pair are
	eyes   int  // that it is for a chain that all its cells are beside
	fallen bool
}

// divide finds strings and parts anew.
func (l *local) divide() {
	l.chains, l.parts = l.chains[:0], l.parts[:0]
	cells, walls := l.mine, l.blocks
	// What is safe counts as one: a string that can join either of two safe ones
	// is safe itself.
	if s := walls & l.safe; s != 0 {
		var all chain
		for s != 0 {
			c, w, beside := l.ours(0, first(s))
			all.cells, all.walls, all.beside = all.cells|c, all.walls|w, all.beside|beside
			s &^= w
		}
		cells, walls = cells&^all.cells, walls&^all.walls
		l.chains = append(l.chains, all)
	}
	for cells|walls != 0 {
		var one chain
		if walls != 0 {
			one.cells, one.walls, one.beside = l.ours(0, first(walls))
		} else {
			one.cells, one.walls, one.beside = l.ours(first(cells), 0)
		}
		if one.need = 2; one.walls&l.held != 0 {
			one.need = 1
		}
		cells, walls = cells&^one.cells, walls&^one.walls
		l.chains = append(l.chains, one)
	}
	for rest := l.full &^ l.mine; rest != 0; {
		c, _ := l.flood(first(rest), l.full&^l.mine)
		rest &^= c
		l.parts = append(l.parts, part{cells: c, eyes: 1})
	}
}

// link joins strings to chains by pairs of empty points beside both; no point
// serves twice.
func (l *local) link() {
	free := l.empty()
	l.pairs = l.pairs[:0]
	for i := 0; i < len(l.chains); i++ {
		for j := i + 1; j < len(l.chains); j++ {
			a, b := &l.chains[i], &l.chains[j]
			both := a.beside & b.beside & free
			if count(both) < 2 {
				continue
			}
			pair := l.choose(both)
			if pair == 0 {
				continue
			}
			free &^= pair
			l.pairs = append(l.pairs, pair)
			for k := range l.parts {
				p := &l.parts[k]
				if in := p.cells & pair; in != 0 {
					p.linked = true
					if in != pair {
						p.lent++
					}
				}
			}
			a.cells, a.walls, a.beside, a.need = a.cells|b.cells, a.walls|b.walls, a.beside|b.beside, min(a.need, b.need)
			l.chains[j] = l.chains[len(l.chains)-1]
			l.chains = l.chains[:len(l.chains)-1]
			i, j = -1, len(l.chains) // begin anew
		}
	}
	empty := l.empty()
	for k := range l.parts {
		p := &l.parts[k]
		if p.cells&l.open != 0 {
			continue
		}
		free = l.cover(p, free)
		if p.linked {
			continue
		}
		splits := 0
		for s := p.cells & empty; s != 0 && splits < 2; s &= s - 1 {
			rest := p.cells &^ first(s)
			if rest == 0 {
				break
			}
			if c, _ := l.flood(first(rest), rest); c != rest {
				splits++
			}
		}
		if splits == 2 {
			p.eyes = 2
		}
	}
}

// choose returns two points of a set that may be a pair: of one part, or of two that
// can spare them; none if there are no such points.
func (l *local) choose(both set) set {
	var spare set // one point each of parts that can spare one
	for k := range l.parts {
		p := &l.parts[k]
		in := both & p.cells
		if count(in) >= 2 {
			one := first(in)
			return one | first(in&^one)
		}
		if in != 0 && (p.cells&l.open != 0 || count(p.cells) > p.lent+1) {
			spare |= in
		}
	}
	if count(spare) < 2 {
		return 0
	}
	one := first(spare)
	return one | first(spare&^one)
}

// cover looks for pairs that cover the inner points of a part which one chain alone
// walls in, and returns the points that are still free.
func (l *local) cover(p *part, free set) set {
	var wall *chain
	for i := range l.chains {
		if c := &l.chains[i]; c.beside&p.cells != 0 {
			if wall != nil {
				return free
			}
			wall = c
		}
	}
	if wall == nil {
		return free
	}
	for s := p.cells &^ wall.beside; s != 0; s &= s - 1 {
		q := bits.TrailingZeros64(s)
		done := false
		for _, pair := range l.pairs {
			done = done || pair&^l.near[q] == 0
		}
		if !done {
			both := l.near[q] & wall.beside & free
			if count(both) < 2 {
				continue
			}
			one := first(both)
			pair := one | first(both&^one)
			free &^= pair
			l.pairs = append(l.pairs, pair)
		}
		p.inner |= first(s)
		p.linked = true
	}
	return free
}

// vital returns the number of eyes that a part is for a chain. The defender may have
// to play on every point that a part has lent, with no stone of the attacker's in
// it: something has to be left.
func (l *local) vital(p *part, c *chain) int {
	empty := p.cells & l.empty()
	switch {
	case p.fallen || p.cells&l.open != 0 || empty == 0 || count(p.cells) <= p.lent:
		return 0
	case p.cells&^(c.beside|p.inner) == 0:
		return p.eyes
	case !p.linked && p.cells&l.claim == 0 && empty&^c.beside == 0:
		return 1 // as long as the defender leaves it alone
	}
	return 0
}

// prune lets chains fall that do not find the eyes they need, and the parts beside
// them, until no more fall.
func (l *local) prune() {
	for again := true; again; {
		again = false
		for i := range l.chains {
			c := &l.chains[i]
			if c.fallen || c.need == 0 {
				continue
			}
			eyes := 0
			for k := range l.parts {
				eyes += l.vital(&l.parts[k], c)
			}
			if eyes >= c.need {
				continue
			}
			c.fallen, again = true, true
			for k := range l.parts {
				l.parts[k].fallen = l.parts[k].fallen || l.parts[k].cells&c.beside != 0
			}
		}
	}
}

// standing returns what stands after prune: cells, blocks, and the cells beside.
func (l *local) standing() (cells, walls, beside set) {
	for i := range l.chains {
		if c := &l.chains[i]; !c.fallen {
			cells, walls, beside = cells|c.cells, walls|c.walls, beside|c.beside
		}
	}
	return cells, walls, beside
}

// roomless reports whether the attacker can have no two eyes in a set of cells that
// standing strings wall in: eyes are cells that no such string is beside.
func (l *local) roomless(cells, beside set) bool {
	inner := cells &^ beside
	switch count(inner) {
	case 0, 1:
		return inner != cells
	case 2:
		return inner != cells && l.near[bits.TrailingZeros64(inner)]&inner != 0
	}
	return false
}

// proved reports whether the defender can sit back, but for taking the other point
// of a pair: all blocks stand, and the attacker cannot live where he must not. Of a
// question of X-life: what has to live stands, without any answer as long as
// the attacker may move twice.
func (l *local) proved() bool {
	l.divide()
	if l.demands == 0 {
		l.link()
	}
	l.prune()
	cells, walls, beside := l.standing()
	l.wants = 0
	for i := range l.chains {
		if l.chains[i].fallen && l.chains[i].walls != 0 {
			l.wants += 2
		}
	}
	l.wants += count(l.claim&^cells&^beside) / 2
	if l.target|l.wall != 0 {
		return l.target&^cells|l.wall&^walls == 0
	}
	if walls != l.blocks {
		return false
	}
	for i := range l.parts {
		if p := &l.parts[i]; !p.fallen {
			beside |= p.inner
		}
	}
	for rest := l.full &^ cells; rest&l.claim != 0; {
		c, _ := l.flood(first(rest), l.full&^cells)
		rest &^= c
		if c&l.claim != 0 && (c&l.open != 0 || !l.roomless(c, beside)) {
			return false
		}
	}
	return true
}

// settled returns the cells where no move of the attacker needs an answer.
func (l *local) settled() (done set) {
	l.divide()
	l.prune()
	cells, walls, beside := l.standing()
	weak := set(0) // cells beside blocks that do not stand yet
	for s := l.blocks &^ walls; s != 0; s &= s - 1 {
		weak |= l.rim[bits.TrailingZeros64(s)]
	}
	for i := range l.chains {
		if c := &l.chains[i]; c.fallen && (c.walls != 0 || c.cells&l.target != 0) {
			weak |= c.beside
		}
	}
	for rest := l.full &^ cells; rest != 0; {
		c, _ := l.flood(first(rest), l.full&^cells)
		rest &^= c
		if c&weak == 0 && (c&l.claim == 0 || c&l.open == 0 && l.roomless(c, beside)) {
			done |= c
		}
	}
	return done
}

// broken reports whether the defender has failed with the attacker to move: a block
// has no liberty here, or the attacker has broken in.
func (l *local) broken() bool {
	empty := l.empty()
	for s := l.blocks &^ l.safe; s != 0; {
		_, w, beside := l.ours(0, first(s))
		s &^= w
		if w&l.safe == 0 && beside&empty == 0 {
			return true
		}
	}
	for s := l.theirs & l.open; s != 0; {
		c, _ := l.flood(first(s), l.theirs)
		s &^= c
		if c&l.claim != 0 {
			return true
		}
	}
	return false
}
