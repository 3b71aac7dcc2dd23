// Package mating proves mates by checks in games of kings: proof numbers, depth first, short
// mates before long ones, and a check by the rules of every answer.
package mating

import (
	"errors"
	"fmt"

	"qipu/engine"
	"qipu/game"
)

// Move is a move as a Board writes it; 0 is none.
type Move = uint16

// Board is the board of an engine.
type Board interface {
	Moves(dst []Move, checks bool) []Move // legal ones; with checks only those
	Play(Move)
	Back()
	Key() uint64 // of the position with the side to move
	Outer(Move) game.Move
	Inner(game.Move) Move
}

// The positions of a check by the rules, and the plies of a line.
const (
	mostCheck  = 60_000
	mostChecks = 60
	sure       = 1 << 30
)

// Prove looks for a mate of the side to move within so many positions. The board and the
// position of the rules are left as they were.
func Prove(b Board, p game.Position, nodes int64, stop func() bool) (*engine.Proof, error) {
	m := newMating(b, nodes)
	m.stop = stop
	return m.prove(p)
}

// mating looks for mates by checks.
type mating struct {
	b     Board
	limit int64
	nodes int64
	stop  func() bool
	ended bool
	table []effort
	path  []uint64
	lists [mostChecks + 2][]Move

	best    map[uint64]Move // of the side that mates, where a mate is known
	within  map[uint64]int8 // and in how many plies at most
	without map[uint64]int8 // in so many plies there is none
}

// effort is what is known of a position: how many positions at least have to be proved for a
// mate, and how many for none.
type effort struct {
	key    uint64
	pn, dn uint32
	move   Move
}

func newMating(b Board, nodes int64) *mating {
	size := int64(1 << 12)
	for size < 2*nodes && size < 1<<23 {
		size *= 2
	}
	return &mating{b: b, limit: nodes, table: make([]effort, size), best: map[uint64]Move{}, within: map[uint64]int8{}, without: map[uint64]int8{}}
}

// slot returns the place of a position in the table: its own, or one for it.
func (m *mating) slot(key uint64) *effort {
	mask := uint64(len(m.table) - 1)
	for i := range uint64(8) {
		if e := &m.table[(key+i)&mask]; e.key == key || e.key == 0 {
			return e
		}
	}
	return &m.table[key&mask]
}

// over counts a position and reports whether the limit is reached.
func (m *mating) over() bool {
	if m.nodes++; m.nodes >= m.limit || m.nodes&1023 == 0 && m.stop != nil && m.stop() {
		m.ended = true
	}
	return m.ended
}

// child returns what is known of a position behind a move.
func (m *mating) child(t Move) (pn, dn uint32) {
	m.b.Play(t)
	key := m.b.Key()
	m.b.Back()
	for _, h := range m.path {
		if h == key {
			return sure, 0 // who checks for ever does not mate
		}
	}
	if e := m.slot(key); e.key == key {
		return e.pn, e.dn
	}
	return 1, 1
}

func add(a, b uint32) uint32 { return min(a+b, sure) }

// search reads a position until its numbers reach bounds.
func (m *mating) search(attacker bool, ply int, pnMost, dnMost uint32) (pn, dn uint32) {
	key := m.b.Key()
	keep := func(pn, dn uint32, best Move) (uint32, uint32) {
		*m.slot(key) = effort{key, pn, dn, best}
		return pn, dn
	}
	if m.over() {
		return 1, 1
	}
	if ply >= mostChecks {
		return sure, 0
	}
	m.lists[ply] = m.b.Moves(m.lists[ply], attacker)
	list := m.lists[ply]
	if len(list) == 0 {
		if attacker {
			return keep(sure, 0, 0)
		}
		return keep(0, sure, 0)
	}
	m.path = append(m.path, key)
	defer func() { m.path = m.path[:len(m.path)-1] }()
	for {
		var best Move
		var low, next, sum, other uint32 = sure + 1, sure, 0, 0
		for _, t := range list {
			p, d := m.child(t)
			if !attacker {
				p, d = d, p
			}
			// p is to be least, d is summed up.
			if p < low {
				best, next, low, other = t, low, p, d
			} else if p < next {
				next = p
			}
			sum = add(sum, d)
		}
		if attacker {
			pn, dn = low, sum
		} else {
			pn, dn = sum, low
		}
		if pn == 0 || dn == 0 || pn >= pnMost || dn >= dnMost || m.ended {
			return keep(pn, dn, best)
		}
		lowMost, sumMost := pnMost, dnMost
		if !attacker {
			lowMost, sumMost = dnMost, pnMost
		}
		lowMost, sumMost = min(lowMost, add(next, 1+next/4)), min(sure, sumMost-sum+other)
		m.b.Play(best)
		if attacker {
			m.search(false, ply+1, lowMost, sumMost)
		} else {
			m.search(true, ply+1, sumMost, lowMost)
		}
		m.b.Back()
	}
}

// short looks for a mate in so many plies.
func (m *mating) short(plies, ply int) bool {
	key := m.b.Key()
	if n, ok := m.within[key]; ok && int(n) <= plies {
		return true
	}
	if n, ok := m.without[key]; ok && int(n) >= plies {
		return false
	}
	if m.over() {
		return false
	}
	m.lists[ply] = m.b.Moves(m.lists[ply], true)
	for _, t := range m.lists[ply] {
		m.b.Play(t)
		m.lists[ply+1] = m.b.Moves(m.lists[ply+1], false)
		won := len(m.lists[ply+1]) == 0 || plies > 1
		for _, answer := range m.lists[ply+1] {
			if !won {
				break
			}
			m.b.Play(answer)
			won = m.short(plies-2, ply+2)
			m.b.Back()
		}
		m.b.Back()
		if m.ended {
			return false
		}
		if won {
			m.best[key], m.within[key] = t, int8(plies)
			return true
		}
	}
	m.without[key] = int8(plies)
	return false
}

// answer returns the Move that mates, where one is known.
func (m *mating) answer() Move {
	if t := m.best[m.b.Key()]; t != 0 {
		return t
	}
	if e := m.slot(m.b.Key()); e.key == m.b.Key() && e.pn == 0 {
		return e.move
	}
	return 0
}

// plies returns how long the mate takes where the other side holds out as long as it can, and
// the line.
func (m *mating) plies(left int) (n int, line []Move) {
	t := m.answer()
	if t == 0 || left <= 0 {
		return 1 << 20, nil
	}
	m.b.Play(t)
	defer m.b.Back()
	line = []Move{t}
	var longest []Move
	for _, a := range m.b.Moves(nil, false) {
		m.b.Play(a)
		if k, rest := m.plies(left - 2); k+1 > n {
			n, longest = k+1, append([]Move{a}, rest...)
		}
		m.b.Back()
		if m.nodes++; n > 1<<19 || m.nodes > 4*m.limit {
			return 1 << 20, nil
		}
	}
	return n + 1, append(line, longest...)
}

// prove looks for a mate and checks it.
func (m *mating) prove(p game.Position) (*engine.Proof, error) {
	proof := new(engine.Proof)
	whole := m.limit
	root := uint32(1)
	for depth := 1; depth <= 5 && !m.ended; depth += 2 {
		m.limit = min(whole, m.nodes+whole/8)
		if m.short(depth, 0) {
			root = 0
			break
		}
	}
	m.limit, m.ended = whole, false
	if root != 0 {
		root, _ = m.search(true, 0, sure, sure)
	}
	proof.Nodes = m.nodes
	if root != 0 {
		proof.Ended = m.ended
		return proof, nil
	}
	proof.Won, proof.By = true, "mate"
	n, line := m.plies(mostChecks)
	if n > mostChecks {
		return &engine.Proof{Ended: true, Nodes: m.nodes}, nil
	}
	// A shorter one is nicer to be shown.
	m.limit, m.ended = m.nodes+whole/4, false
	for depth := 7; depth < n && !m.ended; depth += 2 {
		if m.short(depth, 0) {
			n, line = m.plies(mostChecks)
			break
		}
	}
	proof.Plies, proof.Nodes = n, m.nodes
	for _, t := range line {
		proof.Line = append(proof.Line, m.b.Outer(t))
	}
	c := &mateCheck{m: m, p: p, side: p.Turn(), done: map[uint64]bool{}}
	if err := c.attack(mostChecks); errors.Is(err, errNoMate) {
		return nil, fmt.Errorf("a mate in %d: %w", n, err)
	} else if err == nil {
		proof.Checked = c.visited
	}
	return proof, nil
}

var (
	errNoMate = errors.New("the rules do not agree")
	errRoom   = errors.New("no room")
)

// mateCheck plays a mate through by the rules alone.
type mateCheck struct {
	m       *mating
	p       game.Position
	side    game.Side
	done    map[uint64]bool
	visited int
}

func (c *mateCheck) attack(left int) error {
	b := c.m.b
	key := b.Key()
	if c.done[key] {
		return nil
	}
	if c.visited++; c.visited > mostCheck || left <= 0 {
		return errRoom
	}
	t := c.m.answer()
	if t == 0 || c.p.Play(b.Outer(t)) != nil {
		return errNoMate
	}
	defer c.p.Undo()
	b.Play(t)
	defer b.Back()
	answers := c.p.AppendMoves(nil)
	if o := c.p.Outcome(); len(answers) == 0 && (o.State != game.Won || o.Winner != c.side) {
		return errNoMate
	}
	for _, a := range answers {
		if c.p.Play(a) != nil {
			return errNoMate
		}
		b.Play(b.Inner(a))
		err := c.attack(left - 2)
		b.Back()
		c.p.Undo()
		if err != nil {
			return err
		}
	}
	c.done[key] = true
	return nil
}
