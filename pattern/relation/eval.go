package relation

import (
	"qipu/game"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
)

// maxTrials bounds the pieces that are tried for the roles of one pattern on one
// board. What people write needs some dozens; one who writes ten roles for any
// piece is told that the pattern does not stand there.
const maxTrials = 5_000

// search fills the roles of a program.
type search struct {
	st     *state
	p      *program
	at     [syntax.MaxRoles]uint8 // by role
	stands uint16                 // roles whose piece is given, and where it stands
	given  [syntax.MaxRoles]uint8
	watch  set // the points that were looked at
	trials int
}

// ready tells whether the program may hold as far as can be told without roles.
// It is the same for every way to fill them.
func (p *program) ready(st *state) bool {
	if p.least > 0 || p.most < unknownPly {
		if ply := st.ply(); ply < p.least || ply > p.most {
			return false
		}
	}
	if p.ourTurn && st.turn != p.owner || p.theirTurn && st.turn != p.enemy {
		return false
	}
	if p.mated && !st.mated(p.enemy) || p.stale && !st.stalemated(p.enemy) || p.check && st.checkers(p.enemy).empty() {
		return false
	}
	return true
}

// open tells whether each role has a piece where it may stand: only moves of such
// pieces open what is closed.
func (p *program) open(st *state) bool {
	for i := range p.slots {
		if !st.among(p.slots[i].group).meets(p.slots[i].mask) {
			return false
		}
	}
	return true
}

// holds tells whether the program holds; the roles are in at then.
func (s *search) holds() bool {
	s.watch, s.trials = set{}, maxTrials
	return s.simply() && s.fill(s.p.slots, set{})
}

// holdsWith tells the same where it is known that the piece on a point must have
// one of the roles. The points that are looked at are added to those before.
func (s *search) holdsWith(piece int, at uint8) bool {
	s.trials = maxTrials
	if len(s.p.pre) > 0 && !s.simply() {
		return false
	}
	var used set
	used.add(at)
next:
	for i := range s.p.first {
		slots := s.p.first[i]
		slot := &slots[0]
		if slot.group.pieces>>piece&1 == 0 || !slot.mask.has(at) {
			continue
		}
		s.at[slot.role] = at
		for k := range slot.ties { // to points
			if t := &slot.ties[k]; !t.table[s.point(t.to)].has(at) {
				continue next
			}
		}
		for _, t := range slot.tests {
			if !s.true(t) {
				continue next
			}
		}
		if s.fill(slots[1:], used) {
			return true
		}
	}
	return false
}

// simply tells whether what depends on no role is true.
func (s *search) simply() bool {
	for _, t := range s.p.pre {
		if !s.true(t) {
			return false
		}
	}
	return true
}

// fill fills some slots; used are the places of the others.
func (s *search) fill(slots []slot, used set) bool {
	if len(slots) == 0 {
		return true
	}
	slot := &slots[0]
	rest := s.st.among(slot.group).and(slot.mask).less(used)
	if s.stands>>slot.role&1 != 0 {
		var only set
		only.add(s.given[slot.role])
		rest = rest.and(only)
	}
	for i := range slot.ties {
		t := &slot.ties[i]
		rest = rest.and(t.table[s.point(t.to)])
	}
	if slot.pinner >= 0 && !rest.empty() {
		pinned, heed := s.st.pinned(s.at[slot.pinner])
		rest = rest.and(pinned)
		s.watch = s.watch.or(heed)
	}
next:
	for !rest.empty() {
		if s.trials--; s.trials < 0 {
			s.watch = s.st.everyone
			return false
		}
		at := rest.pop()
		s.at[slot.role] = at
		for _, t := range slot.tests {
			if !s.true(t) {
				continue next
			}
		}
		if len(slots) == 1 {
			return true
		}
		now := used
		now.add(at)
		if s.fill(slots[1:], now) {
			return true
		}
	}
	return false
}

// point returns where a place is.
func (s *search) point(r ref) uint8 {
	if r < fixed {
		return s.at[r]
	}
	return uint8(r - fixed)
}

// true tells whether a condition is true of the roles that are filled.
func (s *search) true(n *node) bool {
	st := s.st
	switch n.op {
	case syntax.OnArea:
		return s.area(n).has(s.point(n.a))
	case syntax.IsKind:
		return st.among(n.group).has(s.point(n.a))
	case syntax.IsBetween:
		return st.between[s.point(n.b)][s.point(n.c)].has(s.point(n.a))
	case syntax.IsBeside:
		return st.beside[s.point(n.b)].has(s.point(n.a))
	case syntax.Empty:
		a := s.area(n)
		s.watch = s.watch.or(a)
		return !a.meets(st.all)
	case syntax.Compared:
		return s.compare(n)
	case syntax.Not:
		return !s.true(n.kids[0])
	case syntax.And:
		for _, kid := range n.kids {
			if !s.true(kid) {
				return false
			}
		}
		return true
	case syntax.Or:
		kids := n.kids
		if n.cases != nil {
			kids = n.cases[s.point(n.a)]
		}
		for _, kid := range kids {
			if s.true(kid) {
				return true
			}
		}
		return false
	case syntax.OurTurn:
		return st.turn == s.p.owner
	case syntax.TheirTurn:
		return st.turn == s.p.enemy
	case syntax.Lately, syntax.Always, syntax.Early, syntax.Last:
		return s.moved(n)
	}
	if st.facts == nil {
		return false
	}
	switch n.op {
	case syntax.Mated:
		return st.mated(s.p.enemy)
	case syntax.Stalemated:
		return st.stalemated(s.p.enemy)
	case syntax.InCheck:
		return !st.checkers(s.p.enemy).empty()
	case syntax.Essential:
		return st.mated(s.p.enemy) && st.essential(s.point(n.a))
	}
	a := s.point(n.a)
	if n.op == syntax.Checks {
		return st.checkers(s.p.enemy).has(a)
	}
	b := s.point(n.b)
	switch n.op {
	case syntax.Shuts:
		if n.b == syntax.RoleK {
			return st.shuts(s.p.enemy, a, st.everyone)
		}
		var only set
		only.add(b)
		return st.shuts(s.p.enemy, a, only)
	case syntax.Blocks:
		return st.facts.Blocks(int(a), int(b))
	case syntax.Pins:
		pinned, heed := st.pinned(a)
		s.watch = s.watch.or(heed)
		return pinned.has(b)
	case syntax.Screens:
		if !st.crossing[a].has(b) {
			return false
		}
		s.watch = s.watch.or(st.rays[b][st.direction(b, a)])
		return st.facts.Screens(int(a), int(b))
	}
	// To reach a point depends on what stands there; a role always stands.
	s.watch = s.watch.or(st.way[a][b])
	if n.b >= fixed {
		s.watch.add(b)
	}
	switch n.op {
	case syntax.Attacks:
		return st.reach(a).has(b) && st.own[st.sideAt(a)^1].has(b)
	case syntax.Guards:
		if n.b >= fixed {
			return st.take(a).has(b)
		}
		return st.reach(a).has(b) && st.own[st.sideAt(a)].has(b)
	}
	return st.reach(a).has(b)
}

// sideAt returns whose piece stands on a point.
func (st *state) sideAt(p uint8) game.Side {
	if st.own[game.Second].has(p) {
		return game.Second
	}
	return game.First
}

func (s *search) area(n *node) set {
	if n.area == nil {
		return n.set
	}
	return s.region(n.area)
}

func (s *search) region(r *region) set {
	switch r.op {
	case syntax.OnPoints:
		return r.set
	case syntax.BesideOf:
		p := s.point(r.a)
		near := s.st.beside[p]
		if r.a >= fixed {
			s.watch.add(p) // a king may come
		}
		if s.st.of[syntax.King].has(p) || s.st.of[s.st.kinds+syntax.King].has(p) {
			near = near.and(s.st.palaces)
		}
		return near
	case syntax.BetweenOf:
		return s.st.between[s.point(r.a)][s.point(r.b)]
	case syntax.LineOf:
		return s.st.crossing[s.point(r.a)]
	case syntax.ReachOf:
		p := s.point(r.a)
		s.watch = s.watch.or(s.st.heeded(r.heed, p))
		return s.st.reach(p)
	}
	return join(r.op, s.region(r.kids[0]), s.region(r.kids[1]))
}

func (s *search) compare(n *node) bool {
	a, ok := s.amount(n.numbers[0])
	if !ok {
		return false
	}
	b, ok := s.amount(n.numbers[1])
	if !ok {
		return false
	}
	switch n.compare {
	case syntax.Equal:
		return a == b
	case syntax.Unequal:
		return a != b
	case syntax.Less:
		return a < b
	case syntax.LessEqual:
		return a <= b
	case syntax.More:
		return a > b
	}
	return a >= b
}

// amount returns a number, if it is one.
func (s *search) amount(a *amount) (n int, ok bool) {
	switch a.op {
	case syntax.Literal:
		return a.n, true
	case syntax.FileOf:
		return s.st.FileAt(s.st.ground.turn(a.view, s.point(a.a))), true
	case syntax.RankOf:
		return s.st.RankAt(s.st.ground.turn(a.view, s.point(a.a))), true
	case syntax.CountPieces:
		all := s.st.among(a.group)
		if a.area != nil {
			in := s.region(a.area)
			s.watch = s.watch.or(in)
			all = all.and(in)
		}
		return all.count(), true
	case syntax.CountPoints:
		return s.region(a.area).count(), true
	case syntax.Checkers:
		return s.st.checkers(s.p.enemy).count(), s.st.facts != nil
	case syntax.Needed:
		return s.st.needed(s.p.owner), s.st.facts != nil
	case syntax.Plies:
		return s.st.ply(), true
	case syntax.Plus, syntax.Minus:
		l, ok := s.amount(a.kids[0])
		if !ok {
			return 0, false
		}
		r, ok := s.amount(a.kids[1])
		if a.op == syntax.Minus {
			r = -r
		}
		return l + r, ok
	}
	p, q := s.point(a.a), s.point(a.b)
	w := uint8(s.st.Width)
	df, dr := abs(int(p%w)-int(q%w)), abs(int(p/w)-int(q/w))
	switch a.op {
	case syntax.Across:
		return df, true
	case syntax.Along:
		return dr, true
	}
	if !s.st.crossing[p].has(q) {
		return 0, false // not on one line, or one point
	}
	if a.op == syntax.Distance {
		return max(df, dr), true
	}
	gap := s.st.between[p][q]
	s.watch = s.watch.or(gap)
	return gap.and(s.st.all).count(), true
}

func abs(n int) int { return max(n, -n) }

// moved tells whether a condition on moves is true.
func (s *search) moved(n *node) bool {
	moves := s.st.moves
	switch n.op {
	case syntax.Last:
		return len(moves) > 0 && s.happened(n, len(moves)-1)
	case syntax.Lately, syntax.Always:
		left := n.n
		for i := len(moves) - 1; i >= 0 && left > 0; i-- {
			if s.st.sideOf(moves[i].Piece) != s.p.owner {
				continue
			}
			left--
			if s.happened(n, i) != (n.op == syntax.Always) {
				return n.op == syntax.Lately
			}
		}
		return n.op == syntax.Always && left == 0
	}
	if !s.st.usual {
		return false
	}
	count := [2]int{}
	for i := range moves {
		side := s.st.sideOf(moves[i].Piece)
		if count[side]++; count[game.First] > n.n && count[game.Second] > n.n {
			return false
		}
		if count[side] <= n.n && s.fits(n.move, i) {
			return true
		}
		if n.before != nil && s.fits(n.before, i) {
			return false
		}
	}
	return false
}

// happened tells whether a move of the game is the one of a condition, and the one
// right before it fits too.
func (s *search) happened(n *node, i int) bool {
	if !s.fits(n.move, i) {
		return false
	}
	return n.after == nil || (i > 0 && s.fits(n.after, i-1)) != n.unlike
}

// fits tells whether a move of the game is such a move.
func (s *search) fits(m *played, i int) bool {
	mv := &s.st.moves[i]
	if m.role < fixed {
		if !s.mine(s.at[m.role], i) {
			return false
		}
	} else if m.pieces>>(mv.Piece-1)&1 == 0 {
		return false
	}
	if m.took != 0 && (mv.Taken == 0 || m.took>>(mv.Taken-1)&1 == 0) {
		return false
	}
	return m.from.has(uint8(s.st.size.Index(mv.From))) && m.to.has(uint8(s.st.size.Index(mv.To)))
}

// mine tells whether a move was made by the piece that stands on a point now: it
// is followed back to where it was then.
func (s *search) mine(at uint8, i int) bool {
	moves := s.st.moves
	for j := len(moves) - 1; j > i; j-- {
		if uint8(s.st.size.Index(moves[j].To)) == at {
			at = uint8(s.st.size.Index(moves[j].From))
		}
	}
	return uint8(s.st.size.Index(moves[i].To)) == at
}

// AppendMatches appends the patterns that stand on a board, in their order, the
// first side's before the second's. Without facts it finds those that need none.
func (s *Set) AppendMatches(dst []pattern.Match, v *pattern.View) []pattern.Match {
	var st state
	if !st.fill(s, v) {
		return dst
	}
	for i := range s.patterns {
		for _, side := range [2]game.Side{game.First, game.Second} {
			if m, ok := s.match(&st, i, side, nil); ok {
				dst = append(dst, m)
			}
		}
	}
	return dst
}

// match looks for one pattern of a side. Where stands are given, these roles must
// stand on these points.
func (s *Set) match(st *state, i int, side game.Side, stands map[int]uint8) (m pattern.Match, ok bool) {
	for _, mirror := range [2]bool{false, true} {
		p := s.programs[viewOf(side, mirror)][i]
		if p == nil || !p.open(st) || !p.ready(st) {
			continue
		}
		search := search{st: st, p: p}
		for role, at := range stands {
			search.stands |= 1 << role
			search.given[role] = at
		}
		if !search.holds() {
			continue
		}
		m = pattern.Match{ID: s.patterns[i].ID, Side: side, Roles: make([]pattern.Role, len(s.patterns[i].Lets))}
		for r := range m.Roles {
			at := search.at[r+syntax.FirstRole]
			m.Roles[r] = pattern.Role{Name: s.patterns[i].Lets[r].Name, Piece: st.pieceAt(at), At: s.ground.size.Point(int(at))}
		}
		return m, true
	}
	return m, false
}
