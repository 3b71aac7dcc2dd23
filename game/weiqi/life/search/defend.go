package search

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/pn"
)

// turn makes s.board the board with one side as Black, the defender, in the first of
// the ways to turn it, so that the answer does not hang on how it lies. It returns
// the symmetry that leads there.
func (s *Searcher) turn(b *life.Board, side game.Side) board.Symmetry {
	var raw, best [2]board.Plane
	for _, c := range b.On {
		switch b.Stone[c] {
		case life.StoneOf(side):
			raw[0].Add(c.Point())
		case life.StoneOf(side).Other():
			raw[1].Add(c.Point())
		}
	}
	found, size := board.NumSymmetries, b.Size
	for sym := range board.NumSymmetries {
		turned := sym.Turned(b.Size)
		if turned.W < turned.H {
			continue
		}
		now := [2]board.Plane{raw[0].Transform(b.Size, sym), raw[1].Transform(b.Size, sym)}
		if found == board.NumSymmetries || less(&now, &best) {
			found, best, size = sym, now, turned
		}
	}
	s.planes = board.Planes{Size: size, Of: append(s.planes.Of[:0], best[:]...)}
	s.board.Reset(&s.planes)
	return found
}

func less(a, b *[2]board.Plane) bool {
	for i := range a {
		for y := range a[i] {
			if a[i][y] != b[i][y] {
				return a[i][y] < b[i][y]
			}
		}
	}
	return false
}

// defend proves what it can for the defender.
func (s *Searcher) defend() {
	b := &s.board
	sure := s.prover.Benson(b)
	s.safe, s.rests, s.touch, s.order = s.safe[:0], s.rests[:0], s.touch[:0], s.order[:0]
	for i := range b.Strings {
		s.safe = append(s.safe, b.Strings[i].Colour == life.Black && sure.Strings[i] == life.Alive)
		s.rests = append(s.rests, marks{})
	}
	s.findZones()
	s.touch = append(s.touch, s.rests...)
	for i := range s.zones {
		z := &s.zones[i]
		// What is vital by Benson's theorem is so as long as the defender does not
		// play there: he is not asked to.
		if s.vital(z) {
			z.solved, z.kept = true, true
		}
		for _, n := range z.blocks {
			s.touch[n].add(i)
		}
	}
	for _, per := range [...]int{200, 2000, 20000, 200000} {
		for s.left > 0 && s.round(per) {
		}
	}
	// What the budget's last finds make easy does not fail for want of budget.
	for s.left = 0; ; {
		s.left += 50 * len(s.zones)
		if !s.round(50) {
			break
		}
	}
}

// vital reports whether a zone is a region that the theorem rests on: all strings
// around it are safe, and all empty points are liberties of one of them.
func (s *Searcher) vital(z *zone) bool {
	if z.open != 0 || len(z.blocks) == 0 {
		return false
	}
	for _, n := range z.blocks {
		if !s.safe[n] {
			return false
		}
	}
	s.enter(z)
	for k := range z.blocks {
		if s.local.empty()&^s.local.rim[k] == 0 {
			return true
		}
	}
	return false
}

// round tries every zone once with so many nodes, and reports whether something
// new was proved.
func (s *Searcher) round(per int) bool {
	found := false
	for i := range s.zones {
		found = s.alone(i, per) || found
	}
	return found || s.together(per)
}

// weak returns the blocks of a zone that are not known to be safe without it.
func (s *Searcher) weak(i int) (weak set) {
	for k, n := range s.zones[i].blocks {
		if !s.safe[n] || s.rests[n].has(i) {
			weak |= 1 << k
		}
	}
	return weak
}

// hope returns the cells that the defender may hope for in a zone: all if it is
// closed, none if it is open, since what is open to the attacker when the game is
// counted is nobody's.
func (z *zone) hope() set {
	if z.open != 0 {
		return 0
	}
	return ^set(0) >> (limit - len(z.cells))
}

// alone searches a zone by itself: its blocks have nothing but what is safe without
// it and what they find inside.
func (s *Searcher) alone(i, per int) bool {
	z := &s.zones[i]
	if z.kept {
		return false
	}
	weak := s.weak(i)
	safe := (set(1)<<len(z.blocks) - 1) &^ weak
	if hope := z.hope(); hope != 0 && z.claim == 0 && s.attempt(z, safe, 0, hope, per) {
		s.accept(i, safe, hope)
		return true
	}
	if !z.solved && weak != 0 && s.attempt(z, safe, 0, 0, per) {
		s.accept(i, safe, 0)
		return true
	}
	return false
}

// eases reports whether what was assumed and claimed the second time makes it no
// harder for the defender than the first time.
func eases(safe, held, claim, safe2, held2, claim2 set) bool {
	return safe&^safe2 == 0 && held&^(safe2|held2) == 0 && claim2&^claim == 0
}

// attempt searches a zone under assumptions, unless that was done before.
func (s *Searcher) attempt(z *zone, safe, held, claim set, per int) bool {
	var known *attempt
	for i := range z.tried {
		t := &z.tried[i]
		switch {
		case t.proved && eases(t.safe, t.held, t.claim, safe, held, claim):
			return true
		case t.settled && !t.proved && eases(safe, held, claim, t.safe, t.held, t.claim):
			return false
		case t.safe == safe && t.held == held && t.claim == claim:
			if t.nodes >= per {
				return false
			}
			known = t
		}
	}
	if s.left <= 0 {
		return false
	}
	if known == nil {
		z.tried = append(z.tried, attempt{safe: safe, held: held, claim: claim})
		known = &z.tried[len(z.tried)-1]
	}
	s.enter(z)
	s.local.safe, s.local.held, s.local.claim = safe, held, claim
	a := s.search.Solve(&s.local, min(per, s.left))
	s.left -= a.Nodes
	z.nodes += a.Nodes
	known.nodes, known.settled, known.proved = per, a.Result != pn.Unknown, a.Result == pn.Proved
	return known.proved
}

// accept records that a zone was proved, with blocks that are safe without it.
func (s *Searcher) accept(i int, safe, claim set) {
	z := &s.zones[i]
	var rests marks
	rests.add(i)
	for k, n := range z.blocks {
		if safe>>k&1 != 0 {
			rests.or(&s.rests[n])
		}
	}
	if !z.solved {
		s.order = append(s.order, i)
	}
	z.solved, z.claim, z.rests = true, claim, rests
	for _, n := range z.blocks {
		if !s.safe[n] {
			s.safe[n], s.rests[n] = true, rests
		}
	}
	// What rested on the zone rests now on all that it rests on.
	for n := range s.rests {
		if s.rests[n].has(i) {
			s.rests[n].or(&rests)
		}
	}
	for k := range s.zones {
		if s.zones[k].rests.has(i) {
			s.zones[k].rests.or(&rests)
		}
	}
}

// together searches the zones that are left under the assumption that each of them
// keeps a liberty for its blocks, drops those that cannot, and begins anew, until
// what is left bears itself.
func (s *Searcher) together(per int) bool {
	s.live = s.live[:0]
	for i := range s.zones {
		z := &s.zones[i]
		live := !z.solved && s.weak(i) != 0
		s.live = append(s.live, live)
		z.keeps, z.safe, z.held = 0, 0, 0
		if live {
			z.keeps = s.weak(i)
			z.held = ^set(0) // nothing is proved yet
		}
	}
	for again := true; again; {
		again = false
		for i := range s.zones {
			if s.live[i] && s.stand(i, per, &again) {
				continue
			}
			if s.live[i] {
				s.live[i], s.zones[i].claim, again = false, 0, true
			}
		}
	}
	var rests marks
	any := false
	for i := range s.zones {
		if !s.live[i] {
			continue
		}
		any = true
		rests.add(i)
		for k, n := range s.zones[i].blocks {
			if s.weak(i)>>k&1 == 0 {
				rests.or(&s.rests[n])
			}
		}
	}
	if !any {
		return false
	}
	for i := range s.zones {
		if !s.live[i] {
			continue
		}
		z := &s.zones[i]
		z.solved, z.rests = true, rests
		s.order = append(s.order, i)
		for _, n := range z.blocks {
			if !s.safe[n] {
				s.safe[n], s.rests[n] = true, rests
			}
		}
	}
	return true
}

// stand reports whether a zone holds under what the others still keep; changed is
// set where what it keeps itself, or assumes, is new.
func (s *Searcher) stand(i, per int, changed *bool) bool {
	z := &s.zones[i]
	weak := s.weak(i)
	all := set(0)
	var held, loose set
	for k, n := range z.blocks {
		all |= 1 << k
		if weak>>k&1 == 0 {
			continue
		}
		others := 0
		for m := range s.zones {
			if m == i || !s.live[m] || !s.touch[n].has(m) {
				continue
			}
			for q, x := range s.zones[m].blocks {
				if x == n && s.zones[m].keeps>>q&1 != 0 {
					others++
				}
			}
		}
		if others >= 1 {
			held |= 1 << k
		}
		if others >= 2 {
			loose |= 1 << k
		}
	}
	if z.held != ^set(0) && z.held&^held == 0 && z.safe&^(all&^weak|loose) == 0 {
		return true
	}
	*changed = true
	for _, claim := range [2]set{z.hope(), 0} {
		if s.attempt(z, all&^weak, held, claim, per) {
			z.safe, z.held, z.keeps, z.claim = all&^weak, held, weak, claim
			return true
		}
		if loose != 0 && s.attempt(z, all&^weak|loose, held&^loose, claim, per) {
			z.safe, z.held, z.keeps, z.claim = all&^weak|loose, held&^loose, weak&^loose, claim
			return true
		}
	}
	return false
}
