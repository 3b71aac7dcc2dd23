package pn

import "slices"

// Result is what is known of a question.
type Result uint8

// The answers. Unknown is that of a search that spent its budget.
const (
	Unknown Result = iota
	Proved
	Disproved
)

var resultNames = [...]string{"unknown", "proved", "disproved"}

// String returns "unknown", "proved" or "disproved".
func (r Result) String() string { return resultNames[r] }

// Move is a move as the problem numbers it.
type Move uint32

// Problem is a question about positions that the search walks through. Solve leaves
// it where it found it.
type Problem interface {
	// Key returns what tells positions apart: two that differ in the side to
	// move, in moves or in what they are worth have different keys. The path to
	// a position is no part of it.
	Key() uint64

	// Proves reports whether the prover is to move.
	Proves() bool

	// Evaluate tells whether the question is settled as it stands. Where it is
	// not, proof and disproof are first guesses of the numbers of positions still
	// to settle; 0 counts as 1.
	Evaluate() (r Result, proof, disproof uint32)

	// AppendMoves appends the moves of the side to move, the likeliest first.
	// Without any the side to move has failed.
	AppendMoves(dst []Move) []Move

	// Play makes a move of AppendMoves, Undo takes the last one back.
	Play(Move)
	Undo()
}

// Answer is what a search found.
type Answer struct {
	Result Result
	Nodes  int // positions evaluated

	// Line is a play from the root under which the result shows: the side that has
	// its way makes moves that win, the other one resists. It ends early where the
	// table has lost what follows. It is good until the next search.
	Line []Move
}

// Search searches. The zero value is ready; its table is allocated at the first
// use. It is not safe for use by two at once.
type Search struct {
	// Size is the number of positions that the table holds, rounded up to a power
	// of two; 0 means 65,536, of 32 bytes each. It is read at the first use.
	Size int

	// Depth bounds the length of lines; 0 means 400. A longer one ends the search
	// with Unknown.
	Depth int

	// Repeats is the result of a position that comes again on the path to itself:
	// Unknown means Disproved.
	Repeats Result

	table    []entry
	age      uint32
	problem  Problem
	repeats  Result
	deep     int
	nodes    int
	budget   int
	stop     bool // budget or depth exceeded
	path     []uint64
	trail    []uint64 // for every depth the key of the whole path to it
	children []child
	moves    []Move
	line     []Move
}

const (
	infinite = 1 << 30      // of a number: settled
	most     = infinite - 1 // of a sum that is not
	free     = 1<<16 - 1    // of a depth: rests on no position above
)

// entry is what the table keeps of a position. Under the key of a path rests is the
// depth of what it rests on.
type entry struct {
	key             uint64
	proof, disproof uint32
	work            uint32
	age             uint32
	move            Move
	rests           uint16
}

// child is a position one move ahead, while its parent is on the path.
type child struct {
	move            Move
	proof, disproof uint32
	rests           uint16
}

func (c *child) settled() Result {
	switch {
	case c.proof == 0:
		return Proved
	case c.disproof == 0:
		return Disproved
	}
	return Unknown
}

// Solve answers the question that the problem is at, evaluating about as many
// positions as nodes tells at the most.
func (s *Search) Solve(p Problem, nodes int) Answer {
	if s.age++; s.age == 0 {
		clear(s.table)
		s.age = 1
	}
	return s.Continue(p, nodes)
}

// Continue is like Solve, and keeps what earlier searches found. Their problems have
// to be the same one, at this or another position: equal keys, equal goals.
func (s *Search) Continue(p Problem, nodes int) Answer {
	s.prepare(p, nodes)
	key := p.Key()
	root := s.look(p, key, 0)
	if root.settled() == Unknown && !s.stop {
		s.push(key)
		root = s.walk(0, infinite, infinite)
		s.pop()
	}
	a := Answer{Result: root.settled(), Nodes: s.nodes}
	if a.Result != Unknown {
		a.Line = s.follow(p, a.Result)
	}
	s.problem = nil
	return a
}

func (s *Search) prepare(p Problem, nodes int) {
	if s.table == nil {
		size := 2
		for want := s.Size; size < want || want == 0 && size < 1<<16; {
			size *= 2
		}
		s.table = make([]entry, size)
	}
	if s.age == 0 {
		s.age = 1
	}
	s.problem, s.budget, s.nodes, s.stop = p, nodes, 0, nodes <= 0
	if s.repeats = s.Repeats; s.repeats == Unknown {
		s.repeats = Disproved
	}
	if s.deep = s.Depth; s.deep <= 0 {
		s.deep = 400
	}
	s.deep = min(s.deep, free-1)
	s.path, s.trail, s.children, s.moves = s.path[:0], append(s.trail[:0], seed), s.children[:0], s.moves[:0]
}

const seed = 0x9e3779b97f4a7c15

// mix spreads a key over all bits.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *Search) push(key uint64) {
	s.path = append(s.path, key)
	s.trail = append(s.trail, mix(s.trail[len(s.trail)-1]+key))
}

func (s *Search) pop() {
	s.path = s.path[:len(s.path)-1]
	s.trail = s.trail[:len(s.trail)-1]
}

// under returns the key of a position together with the path to it.
func (s *Search) under(key uint64) uint64 { return mix(s.trail[len(s.trail)-1] ^ mix(key)) }

// look returns what is known of the position that the problem is at, one below the
// end of the path: that it repeats, what the table holds, or what the problem says.
func (s *Search) look(p Problem, key uint64, move Move) child {
	for i := len(s.path) - 1; i >= 0; i-- {
		if s.path[i] == key {
			return settle(s.repeats, move, uint16(i))
		}
	}
	e := s.find(key)
	if e == nil || e.proof != 0 && e.disproof != 0 {
		if on := s.find(s.under(key)); on != nil {
			return child{move: move, proof: on.proof, disproof: on.disproof, rests: on.rests}
		}
	}
	if e != nil {
		return child{move: move, proof: e.proof, disproof: e.disproof, rests: free}
	}
	if s.nodes++; s.nodes >= s.budget {
		s.stop = true
	}
	r, proof, disproof := p.Evaluate()
	c := settle(r, move, free)
	if r == Unknown {
		c.proof, c.disproof = min(max(proof, 1), most), min(max(disproof, 1), most)
	}
	s.store(key, c, 0, 0)
	return c
}

func settle(r Result, move Move, rests uint16) child {
	switch r {
	case Proved:
		return child{move: move, proof: 0, disproof: infinite, rests: rests}
	case Disproved:
		return child{move: move, proof: infinite, disproof: 0, rests: rests}
	}
	return child{move: move, proof: 1, disproof: 1, rests: rests}
}

// walk searches below the position at the end of the path until one of its numbers
// reaches its threshold, and keeps what it found in the table.
func (s *Search) walk(depth int, proof, disproof uint32) child {
	p, before := s.problem, s.nodes
	from, proves := len(s.children), p.Proves()
	good := Disproved // the result that one child is enough for
	if proves {
		good = Proved
	}
	first := len(s.moves)
	s.moves = p.AppendMoves(s.moves)
	for i := first; i < len(s.moves); i++ {
		m := s.moves[i]
		p.Play(m)
		c := s.look(p, p.Key(), m)
		p.Undo()
		s.children = append(s.children, c)
		if c.settled() == good && c.rests == free {
			break // no other child can change the result, nor rest on less
		}
	}
	s.moves = s.moves[:first]
	var self child
	resisted := -1
	for {
		var best int
		var second uint32
		self, best, second = s.combine(s.children[from:], proves)
		if self.proof >= proof || self.disproof >= disproof || self.settled() != Unknown || s.stop {
			break
		}
		if depth+1 >= s.deep {
			s.stop = true
			break
		}
		best += from
		c := s.children[best]
		// The sum may grow up to the threshold, the least until it is a quarter
		// worse than the next best.
		var under child
		if proves {
			under.proof = min(proof, second+second/4+1)
			under.disproof = min(disproof-self.disproof+c.disproof, infinite)
		} else {
			under.disproof = min(disproof, second+second/4+1)
			under.proof = min(proof-self.proof+c.proof, infinite)
		}
		p.Play(c.move)
		s.push(p.Key())
		found := s.walk(depth+1, under.proof, under.disproof)
		s.pop()
		p.Undo()
		found.move = c.move
		s.children[best], resisted = found, best
	}
	if r := self.settled(); r != Unknown && r != good && resisted >= 0 {
		self.move = s.children[resisted].move
	}
	if r := self.settled(); r != Unknown && int(self.rests) >= depth {
		self.rests = free
	}
	s.children = s.children[:from]
	s.keep(self, s.nodes-before)
	return self
}

// combine returns the numbers of a position from those of its children, with the
// child that needs least, and the number of the next best.
func (s *Search) combine(children []child, proves bool) (self child, best int, second uint32) {
	least, sum := uint32(infinite), uint32(0)
	second = infinite
	settledBy, allRest := uint16(0), uint16(free)
	for i := range children {
		c := &children[i]
		one, all := c.proof, c.disproof
		if !proves {
			one, all = all, one
		}
		switch {
		case one < least || one == least && one == 0 && c.rests > settledBy:
			least, second, best = one, least, i
		case one < second:
			second = one
		}
		switch one {
		case 0:
			settledBy = max(settledBy, c.rests)
		case infinite:
			allRest = min(allRest, c.rests)
		}
		if all == infinite {
			sum = infinite
		} else if sum != infinite {
			sum = min(sum+all, most)
		}
	}
	self.rests = free
	switch least {
	case 0:
		sum, self.rests = infinite, settledBy
	case infinite:
		sum, self.rests = 0, allRest
	}
	self.proof, self.disproof = least, sum
	if !proves {
		self.proof, self.disproof = sum, least
	}
	if len(children) > 0 {
		self.move = children[best].move
	}
	return self, best, second
}

// keep stores what was found of the position at the end of the path.
func (s *Search) keep(c child, work int) {
	key := s.path[len(s.path)-1]
	if c.settled() == Unknown || c.rests == free {
		c.rests = free
		s.store(key, c, c.move, work)
		return
	}
	last := len(s.path) - 1
	trail := s.trail[last] // that of the path without the position itself
	s.store(mix(trail^mix(key)), c, c.move, work)
}

// find returns what the table has under a key, or nil.
func (s *Search) find(key uint64) *entry {
	at := mix(key) & uint64(len(s.table)-1) &^ 1
	for i := range s.table[at : at+2] {
		if e := &s.table[at+uint64(i)]; e.age == s.age && e.key == key {
			return e
		}
	}
	return nil
}

// store puts a result under a key, in place of what is there of the same position,
// else of what is old, else of what took less work.
func (s *Search) store(key uint64, c child, move Move, work int) {
	at := mix(key) & uint64(len(s.table)-1) &^ 1
	a, b := &s.table[at], &s.table[at+1]
	e := a
	switch {
	case a.age == s.age && a.key == key:
	case b.age == s.age && b.key == key, b.age != s.age, a.age == s.age && b.work < a.work:
		e = b
	}
	*e = entry{key: key, proof: c.proof, disproof: c.disproof, work: uint32(min(work, most)), age: s.age, move: move, rests: c.rests}
}

// follow plays along the results of the table from a settled root.
func (s *Search) follow(p Problem, r Result) []Move {
	s.line = s.line[:0]
	s.path, s.trail = s.path[:0], append(s.trail[:0], seed)
	for len(s.line) < s.deep {
		key := p.Key()
		if slices.Contains(s.path, key) {
			break
		}
		if settled, _, _ := p.Evaluate(); settled != Unknown {
			break
		}
		e := s.find(key)
		if e == nil || !e.says(r) {
			e = s.find(s.under(key))
		}
		if e == nil || !e.says(r) {
			break
		}
		first := len(s.moves)
		s.moves = p.AppendMoves(s.moves)
		known := slices.Contains(s.moves[first:], e.move)
		s.moves = s.moves[:first]
		if !known {
			break
		}
		s.push(key)
		s.line = append(s.line, e.move)
		p.Play(e.move)
	}
	for range s.line {
		p.Undo()
	}
	return s.line
}

func (e *entry) says(r Result) bool {
	return r == Proved && e.proof == 0 || r == Disproved && e.disproof == 0
}
