package proof

import (
	"slices"

	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/proof/tiny"
)

// maxChains bounds the chains beside a region that is looked at for an eye: there
// are that many bits in a mask. A region with more is no eye, which is a loss of
// nothing in practice.
const maxChains = 32

// static are the tables of the static rules for one colour.
type static struct {
	b *life.Board
	r *life.Regions
	t *benson

	chains life.Sets        // of strings, as pairs of points hold them together
	safe   []bool           // of strings
	needy  []bool           // of strings: safe only with the region at hand
	hung   []int16          // of strings: the region where they are connected to safe ones, or -1
	anchor int16            // the first safe string
	used   [life.Cells]bool // empty points that a pair of the defender's replies holds
	state  []regionState
	vital  vital
	small  tiny.Solver

	near []int16 // the chains around a tiny region

	// seki tells that two liberties for ever are as good as two eyes. That proves
	// strings, but no territory, and comes after it.
	seki bool

	// Scratch of the Benson loop over chains, by root.
	count []int16
	eyes  []int16
	alive []bool

	// joins collects what a round merges, so that all regions of a round see the
	// same chains, and the order of regions means nothing.
	joins []join
	found []int16 // strings that the last loop made safe

	trace *tracer // nil if nobody asks
}

// join is two chains to be made one by what was found in a region, and whether they
// hang on a safe string there.
type join struct {
	a, b, region int16
	safe         bool
}

// regionState is what is known of a region.
type regionState struct {
	solved  bool  // all border strings are one chain, all interior points are covered
	eyes    uint8 // of a solved region: sure eyes for that chain
	each    uint8 // of a tiny region that is not solved: sure eyes for each chain of the border
	pairs   bool  // the defender may have to answer inside
	fragile bool  // a capture inside could open room that no pair covers
	hollow  bool  // more interior points than pairs can cover
	settles bool  // a tiny region that the defender can make his by moves inside
	fits    bool  // territory
}

// Static proves with Benson's theorem and, beyond it, with static rules after
// Müller: chains held together by pairs of points, regions that are one or two sure
// eyes if every attack is answered, and territory without room for two eyes. Cost on
// 19x19: 65 microseconds in the median once the Prover has seen many boards, 220 on the
// first, a few milliseconds at worst. Where suicide is allowed it is the same as Benson.
func (p *Prover) Static(b *life.Board) *Proof {
	p.proof.begin(b)
	p.groups = p.groups[:0]
	for range b.Strings {
		p.groups = append(p.groups, -1)
	}
	if p.Suicide || b.Choked() >= 0 {
		p.bensonTo(b, p.static.trace)
		return &p.proof
	}
	for colour := life.Black; colour <= life.White; colour++ {
		r := &p.regions[colour-1]
		r.Reset(b, colour)
		p.benson.run(b, r, false)
		s := &p.static
		s.begin(b, r, &p.benson)
		if s.trace != nil {
			s.trace.benson(r, &p.benson)
		}
		s.run()
		for i := range p.groups {
			if b.Strings[i].Colour == colour {
				p.groups[i] = s.chains.Root(int16(i))
			}
		}
		for i, safe := range s.safe {
			if safe {
				p.proof.live(b, i)
			}
		}
		for i := range r.List {
			if s.state[i].fits {
				p.proof.territory(r, i)
				if s.trace != nil {
					s.trace.territory(r, i)
				}
			}
		}
	}
	return &p.proof
}

// begin starts from what Benson's theorem found.
func (s *static) begin(b *life.Board, r *life.Regions, t *benson) {
	s.b, s.r, s.t = b, r, t
	s.chains.Reset(len(b.Strings))
	n := len(b.Strings)
	s.safe, s.hung, s.needy = append(s.safe[:0], t.alive...), life.Zeros(s.hung, n), life.Zeros(s.needy, n)
	s.count, s.eyes, s.alive = life.Zeros(s.count, n), life.Zeros(s.eyes, n), life.Zeros(s.alive, n)
	for i := range s.hung {
		s.hung[i] = -1
	}
	s.state = life.Zeros(s.state, len(r.List))
	for _, c := range b.On {
		s.used[c] = false
	}
	s.vital.begin(s)
}

// chain returns the chain of a string, where all safe strings are one: each of them
// stays whatever happens, so to be connected to one of two is as good as to one.
func (s *static) chain(i int16) int16 {
	if s.safe[i] {
		return s.anchor
	}
	return s.chains.Root(i)
}

// run applies the rules until none says more. Each round looks at all regions with
// the chains of the round before, so that the order of regions means nothing.
func (s *static) run() {
	for i := range s.r.List {
		s.state[i].fits = s.vitalLand(i)
	}
	for i := range s.r.List {
		s.state[i].fragile = s.vital.fragile(i)
		s.state[i].hollow = s.vital.hollow(i)
	}
	s.seki = false
	s.rounds()
	for i := range s.r.List {
		if !s.state[i].fits {
			s.state[i].fits = s.allSafe(i) && s.territory(i)
		}
	}
	s.seki = true
	s.rounds()
}

// rounds applies the rules until none says more.
func (s *static) rounds() {
	for again := true; again; {
		s.drop()
		again = s.solveRegions() || s.loop() || s.linkOpen()
	}
}

// drop finds the anchor: the first safe string.
func (s *static) drop() {
	s.anchor = -1
	for i, safe := range s.safe {
		if safe {
			s.anchor = int16(i)
			return
		}
	}
}

// solveRegions looks in every open region for a way to connect all of its border
// and cover all of its inside, and reports whether one was found.
func (s *static) solveRegions() bool {
	s.joins = s.joins[:0]
	found := false
	for i := range s.r.List {
		st := &s.state[i]
		if st.solved || st.each == 2 || len(s.r.Border(i)) == 0 || s.allSafe(i) {
			continue
		}
		good := s.vital.solve(i)
		if !(good && s.vital.eyes == 2) && !st.pairs {
			worth := s.tiny(i, s.chain, s.anchor)
			if !s.seki {
				worth >>= tiny.Settles
			}
			switch {
			case worth&tiny.Two != 0:
				st.settles = !s.seki
				st.each, found = 2, true
				s.noteEyes(i, life.RuleTwoVital)
				continue
			case good:
			case worth&tiny.Joined != 0:
				st.settles = !s.seki
				st.solved, st.eyes, st.each, found = true, 1, 0, true
				s.noteEyes(i, life.RuleOneVital)
				s.joinAll(i, s.r.Border(i))
				continue
			case worth&tiny.Each != 0 && st.each == 0:
				st.settles = !s.seki
				st.each, found = 1, true
				s.noteEyes(i, life.RuleOneVital)
			}
		}
		if !good {
			continue
		}
		s.vital.take()
		st.each, st.settles = 0, false
		st.solved, st.eyes, st.pairs = true, s.vital.eyes, st.pairs || s.vital.pairs > 0
		found = true
		if s.trace != nil && len(s.vital.chains) > 1 {
			s.trace.note(life.RuleChain, s.r.Colour, s.r.Border(i), s.vital.best[:2*s.vital.links], life.Unknown, 0)
		}
		s.noteEyes(i, [...]life.Rule{1: life.RuleOneVital, 2: life.RuleTwoVital}[st.eyes])
		s.joinAll(i, s.r.Border(i))
	}
	s.joinNow()
	return found
}

// noteEyes writes down that a region is sure eyes.
func (s *static) noteEyes(i int, rule life.Rule) {
	if s.trace == nil {
		return
	}
	count := 1
	if rule == life.RuleTwoVital {
		count = 2
		if s.seki {
			rule = life.RuleLasting
		}
	}
	s.trace.note(rule, s.r.Colour, s.r.Border(i), s.r.Cells(i), life.Unknown, count)
}

// joinAll has strings, or chains by their roots, joined at the end of the round by
// what was found in a region. With a safe one among them the others are safe.
func (s *static) joinAll(i int, list []int16) {
	first, safe := int16(-1), false
	for _, c := range list {
		if s.safe[c] {
			safe = true
		} else if first < 0 {
			first = c
		}
	}
	for _, c := range list {
		if !s.safe[c] {
			s.joins = append(s.joins, join{first, c, int16(i), safe})
		}
	}
}

// joinNow joins what the round found.
func (s *static) joinNow() {
	for _, j := range s.joins {
		s.chains.Join(j.a, j.b)
	}
	for _, j := range s.joins {
		if root := s.chains.Root(j.a); j.safe && !s.safe[root] {
			s.found = s.found[:0]
			for k := range s.chains {
				if s.chains.Root(int16(k)) == root {
					s.safe[k], s.hung[k] = true, j.region
					s.found = append(s.found, int16(k))
				}
			}
			if s.trace != nil {
				s.trace.note(life.RuleJoined, s.r.Colour, s.found, nil, life.Alive, len(s.found))
			}
		}
	}
	s.joins = s.joins[:0]
}

// tiny finds what a region is worth that is small enough to be solved outright;
// nothing if it is not. chain tells the chain of a string, safe the one that needs
// nothing.
func (s *static) tiny(i int, chain func(int16) int16, safe int16) int {
	if r := &s.r.List[i]; r.Empty+r.Stones > tiny.Cells {
		return 0
	}
	s.near = s.near[:0]
	for _, c := range s.r.Border(i) {
		root := chain(c)
		if slices.Contains(s.near, root) {
			continue
		}
		s.near = append(s.near, root)
		if last := len(s.near) - 1; root == safe {
			s.near[0], s.near[last] = s.near[last], s.near[0]
		}
	}
	if len(s.near) > tiny.Chains {
		return 0
	}
	return s.small.Solve(s.b, s.r, i, len(s.near), s.near[0] == safe, func(c int16) int { return slices.Index(s.near, chain(c)) })
}

// tinyLand reports whether the defender can take all in a small region that is
// walled in by safe strings, and leave an eye there to each chain that needs it.
func (s *static) tinyLand(i int) bool {
	if st := &s.state[i]; st.solved || st.pairs || st.each > 0 {
		return false
	}
	return s.tiny(i, s.needing, -1)>>tiny.Settles&tiny.Each != 0
}

// needing returns the chain of a string that needs the region at hand, else -1.
func (s *static) needing(c int16) int16 {
	if s.needy[c] {
		return s.chains.Root(c)
	}
	return -1
}

// allSafe reports whether all of the border of a region is safe.
func (s *static) allSafe(i int) bool {
	for _, c := range s.r.Border(i) {
		if !s.safe[c] {
			return false
		}
	}
	return true
}

// linkOpen connects chains in regions that are no eyes: two points that are beside
// the same chains, and no others, hold these together. It reports whether any were.
// A point that was used is beside one chain alone from then on, so that no point is
// used twice, and the order means nothing.
func (s *static) linkOpen() bool {
	s.joins = s.joins[:0]
	found := false
	for i := range s.r.List {
		if s.state[i].solved || s.state[i].each > 0 || len(s.r.Border(i)) < 2 || s.allSafe(i) {
			continue
		}
		if s.vital.linkOpen(i) {
			s.state[i].pairs, found = true, true
		}
	}
	s.joinNow()
	return found
}

// loop is Benson's theorem over chains, and reports whether it made strings safe.
func (s *static) loop() (found bool) {
	s.found = s.found[:0]
	for i := range s.alive {
		s.alive[i] = s.b.Strings[i].Colour == s.r.Colour && s.chain(int16(i)) == int16(i)
	}
	for again := true; again; {
		again = false
		clear(s.eyes)
		for i := range s.r.List {
			s.addEyes(i)
		}
		for i, alive := range s.alive {
			if alive && s.eyes[i] < 2 && !s.safe[i] {
				s.alive[i], again = false, true
			}
		}
	}
	for i := range s.safe {
		if s.b.Strings[i].Colour == s.r.Colour && !s.safe[i] && s.alive[s.chain(int16(i))] {
			s.safe[i], found = true, true
			s.found = append(s.found, int16(i))
		}
	}
	if s.trace != nil && found {
		s.trace.note(life.RuleSafe, s.r.Colour, s.found, nil, life.Alive, len(s.found))
	}
	return found
}

// addEyes counts the eyes of a region for the chains beside it, if all of these are
// still in the set.
func (s *static) addEyes(i int) {
	border := s.r.Border(i)
	if len(border) == 0 {
		return
	}
	for _, c := range border {
		if !s.alive[s.chain(c)] {
			return
		}
	}
	st := &s.state[i]
	if st.solved {
		s.eyes[s.chain(border[0])] += int16(st.eyes)
		return
	}
	if st.each > 0 {
		for _, c := range border {
			if root := s.chain(c); s.count[root] == 0 {
				s.count[root] = 1
				s.eyes[root] += int16(st.each)
			}
		}
		for _, c := range border {
			s.count[s.chain(c)] = 0
		}
		return
	}
	// Where the defender answers inside, what he takes becomes empty.
	cells := s.r.Empties(i)
	if st.pairs {
		cells = s.r.Cells(i)
	}
	for _, c := range cells {
		var near [4]int16
		for _, root := range near[:s.chainsBeside(c, &near)] {
			s.count[root]++
		}
	}
	for _, c := range border {
		root := s.chain(c)
		if int(s.count[root]) == len(cells) {
			s.eyes[root]++
		}
		s.count[root] = 0
	}
}

// chainsBeside tells the chains beside a cell, each once.
func (s *static) chainsBeside(c life.Cell, near *[4]int16) (n int) {
	for _, step := range life.Steps {
		if s.b.Stone[c+step] != s.r.Colour {
			continue
		}
		if root := s.chain(s.b.Of[c+step]); !slices.Contains(near[:n], root) {
			near[n] = root
			n++
		}
	}
	return n
}

// vitalLand reports whether a region that Benson's theorem counts is territory as
// well. It nearly always is: one that is not holds many dead stones, which leave room
// to live in when they are taken.
func (s *static) vitalLand(i int) bool {
	if !s.t.claims(i) {
		return false
	}
	if s.r.List[i].Stones == 0 {
		return true
	}
	return s.territory(i)
}

// territory reports whether a region that is walled in by safe strings has no room
// for two eyes. If some of the wall needs the region, nothing inside may become an
// eye, and the defender must be able to fill it with those that need it as one.
func (s *static) territory(i int) bool {
	if len(s.r.Border(i)) == 0 {
		return false
	}
	if s.state[i].settles {
		return true
	}
	needs, one := s.needs(i)
	return needs != needsMany && s.vital.noTwoEyes(i, needs == needsNothing, needs == needsOne && !one) || s.tinyLand(i)
}

// Which strings around a region need it.
const (
	needsNothing = iota
	needsOne     // one chain, or some that are one as soon as their side plays inside
	needsMany    // others
)

// needs tells whether the strings around a region that are not known to be safe
// without it are one chain, and whether all of the border is one. It marks them.
func (s *static) needs(i int) (needs int, one bool) {
	border := s.r.Border(i)
	first, one := s.chains.Root(border[0]), true
	chain := int16(-1)
	for _, c := range border {
		root := s.chains.Root(c)
		one = one && root == first
		if s.needy[c] = !s.spare(c, i); !s.needy[c] {
			continue
		}
		switch {
		case chain < 0:
			chain, needs = root, needsOne
		case chain != root:
			needs = needsMany
		}
	}
	if needs == needsMany && s.t.claims(i) && s.allVital(i) {
		needs = needsOne
	}
	return needs, one
}

// allVital reports whether a region is vital to all strings around it that need it.
func (s *static) allVital(i int) bool {
	for _, c := range s.r.Border(i) {
		if s.needy[c] && !slices.Contains(s.t.vital[s.t.of[c].from:s.t.of[c].to], int16(i)) {
			return false
		}
	}
	return true
}

// spare reports whether a string is safe without the eye that a region beside it
// is: by Benson's theorem, or connected to such.
func (s *static) spare(c int16, i int) bool {
	if s.t.spares(c, int16(i)) {
		return true
	}
	h := s.hung[c]
	if h < 0 {
		return false
	}
	for _, d := range s.r.Border(int(h)) {
		if !s.t.spares(d, int16(i)) && s.hung[d] != h {
			return false
		}
	}
	return true
}
