// Package tiny solves small regions outright: what they are worth to the chains
// around them, whatever is played inside.
package tiny

import (
	"math/bits"

	"qipu/game/weiqi/life"
)

const (
	Cells     = 7 // regions up to this size are solved outright
	Chains    = 4 // with no more chains around them
	allStates = 1 << (2 * Cells)
	cacheBits = 13
)

// What a tiny region is worth to the chains around it, as bits. Those from
// Settles on are the same, where the defender can in the end take all that is inside
// and needs no more moves then.
const (
	Each   = 1 << iota // an eye to each of them, on its own
	Joined             // one eye, and it connects them
	Two                // two liberties to each of them, always

	Settles = 3 // shift
)

// Solver solves small regions by looking at all that can happen inside. Points are
// bits; a state is the stones of the attacker and those of the defender.
type Solver struct {
	n       int
	chains  int
	safe    bool // chain 0 is safe and needs nothing
	near    [Cells]uint8
	mask    [Cells]uint8  // chains beside a point
	touch   [Chains]uint8 // points beside a chain
	goal    int
	states  []state
	number  [allStates]int16
	numbers []uint16 // entries of number that are set
	replies []int16  // states after a reply, one attack after the other, each list ended by -1
	cache   [1 << cacheBits]struct {
		key   uint64
		worth uint8
	}
}

type state struct {
	att, def uint8
	replies  int // where its replies begin: a list for each attack, the last list empty
	bad      bool
	lost     bool // an attack has no reply at all
	solid    bool
}

// Solve tells what a region is worth. The chains are numbered; number tells the one
// of a string.
func (t *Solver) Solve(b *life.Board, r *life.Regions, i int, chains int, safe bool, number func(int16) int) int {
	cells := r.Cells(i)
	t.n, t.chains, t.safe = len(cells), chains, safe
	key := uint64(t.n)<<1 | 1
	if safe {
		key |= 1 << 4
	}
	at := 5
	start := state{}
	for j, c := range cells {
		t.near[j], t.mask[j] = 0, 0
		for _, step := range life.Steps {
			if b.Stone[c+step] == r.Colour {
				t.mask[j] |= 1 << number(b.Of[c+step])
			}
		}
		for k, d := range cells[:j] {
			if c == d+life.Up || c == d+life.Left || c == d+life.Right || c == d+life.Down {
				t.near[j] |= 1 << k
				t.near[k] |= 1 << j
			}
		}
		if b.Stone[c] != life.Empty {
			start.att |= 1 << j
			key |= 1 << at
		}
		key |= uint64(t.mask[j])<<(at+1) | uint64(t.near[j])<<(at+5)
		at += 5 + j
	}
	t.touch = [Chains]uint8{}
	for c := range chains {
		for j := range cells {
			t.touch[c] |= t.mask[j] >> c & 1 << j
		}
	}
	slot := &t.cache[key*0x9E3779B97F4A7C15>>(64-cacheBits)]
	if slot.key == key {
		return int(slot.worth)
	}
	worth := 0
	for goal := Each; goal <= Two; goal <<= 1 {
		if goal == Joined && chains == 1 {
			worth |= worth << 1
		} else if t.wins(goal, start, false) {
			worth |= goal
			if t.wins(goal, start, true) {
				worth |= goal << Settles
			}
		} else if goal == Each {
			break
		}
	}
	slot.key, slot.worth = key, uint8(worth)
	return worth
}

// wins reports whether the defender can keep to a goal for ever, the attacker to
// move, or with settle reach a state that keeps to it by itself. All states that the
// attacker can reach while the goal is met are found. Then those are crossed out,
// until no more are, in which an attack has no good reply; or, to settle, those
// found good in which every attack has one.
func (t *Solver) wins(goal int, start state, settle bool) bool {
	t.goal = goal
	for _, code := range t.numbers {
		t.number[code] = 0
	}
	t.numbers, t.states, t.replies = t.numbers[:0], t.states[:0], t.replies[:0]
	if t.add(start.att, start.def) < 0 {
		return false
	}
	for i := 0; i < len(t.states); i++ {
		s := &t.states[i]
		if settle && t.solid(s.att, s.def) {
			s.solid = true
			continue
		}
		dead := !t.expand(i, settle)
		t.states[i].lost, t.states[i].bad = dead, dead || settle
	}
	for again := true; again && t.states[0].bad == settle; {
		again = false
		for i := range t.states {
			s := &t.states[i]
			if s.bad == settle && !s.lost && !s.solid && t.answered(s.replies) == settle {
				s.bad, again = !settle, true
			}
		}
	}
	return !t.states[0].bad
}

// answered reports whether every list of replies from a place on holds a good one.
func (t *Solver) answered(at int) bool {
	for t.replies[at] >= 0 {
		good := false
		for ; t.replies[at] >= 0; at++ {
			good = good || !t.states[t.replies[at]].bad
		}
		if !good {
			return false
		}
		at++
	}
	return true
}

// add returns the number of a state, -1 if it misses the goal.
func (t *Solver) add(att, def uint8) int16 {
	code := uint16(att)<<Cells | uint16(def)
	if n := t.number[code]; n != 0 {
		return max(n, 0) - 1
	}
	t.numbers = append(t.numbers, code)
	if !t.meets(att, def) {
		t.number[code] = -1
		return -1
	}
	t.states = append(t.states, state{att: att, def: def})
	t.number[code] = int16(len(t.states))
	return int16(len(t.states) - 1)
}

// expand finds the replies to every attack in a state, and reports whether there
// are any to each. With pass, the attacker may also let the defender move.
func (t *Solver) expand(i int, pass bool) bool {
	att, def := t.states[i].att, t.states[i].def
	t.states[i].replies = len(t.replies)
	all := uint8(1)<<t.n - 1
	if pass {
		t.reply(att, def, all&^(att|def))
	}
	for empty := all &^ (att | def); empty != 0; empty &= empty - 1 {
		move := empty & -empty
		attacked := att | move
		free := all &^ (attacked | def)
		if t.flow(move, attacked)&free == 0 && t.beside(t.flow(move, attacked))&free == 0 {
			continue // a stone without a liberty: it takes nothing, since the chains stay
		}
		if !t.reply(attacked, def, free) {
			return false
		}
	}
	t.replies = append(t.replies, -1)
	return true
}

// reply lists the replies in a state, a pass first, and reports whether there are
// any.
func (t *Solver) reply(att, def, free uint8) bool {
	from := len(t.replies)
	if n := t.add(att, def); n >= 0 {
		t.replies = append(t.replies, n)
	}
	for rest := free; rest != 0; rest &= rest - 1 {
		move := rest & -rest
		if t.mask[bits.TrailingZeros8(move)] == 0 && t.beside(move)&def == 0 {
			continue // it would be connected to nothing
		}
		if n := t.add(t.alive(att, free&^move), def|move); n >= 0 {
			t.replies = append(t.replies, n)
		}
	}
	if len(t.replies) == from {
		return false
	}
	t.replies = append(t.replies, -1)
	return true
}

// beside returns the points next to a set.
func (t *Solver) beside(set uint8) (next uint8) {
	for ; set != 0; set &= set - 1 {
		next |= t.near[bits.TrailingZeros8(set)]
	}
	return next
}

// flow returns what of a set is connected to a part of it.
func (t *Solver) flow(part, set uint8) uint8 {
	for {
		next := part | t.beside(part)&set
		if next == part {
			return part
		}
		part = next
	}
}

// alive returns the attacker's stones that have liberties.
func (t *Solver) alive(att, free uint8) uint8 { return t.flow(t.beside(free)&att, att) }

// groups finds, for every chain, the chains that stones connect it with, and the
// points beside these.
func (t *Solver) groups(def uint8) (group, touch [Chains]uint8) {
	group, touch = [Chains]uint8{1, 2, 4, 8}, t.touch
	for rest := def; rest != 0; {
		part := t.flow(rest&-rest, def)
		rest &^= part
		var chains uint8
		for p := part; p != 0; p &= p - 1 {
			chains |= t.mask[bits.TrailingZeros8(p)]
		}
		reach := t.beside(part)
		for c := range t.chains {
			if group[c]&chains != 0 {
				chains |= group[c]
				reach |= touch[c]
			}
		}
		for c := range t.chains {
			if chains>>c&1 != 0 {
				group[c], touch[c] = chains, reach
			}
		}
	}
	return group, touch
}

// need returns how much a chain needs that is connected with others: liberties, or
// eyes once all is settled.
func (t *Solver) need(group uint8) int {
	switch {
	case t.safe && group&1 != 0:
		return 0
	case t.goal == Each || t.goal == Joined && int(group) == 1<<t.chains-1:
		return 1
	}
	return 2
}

// meets reports whether a state with the attacker to move meets the goal.
func (t *Solver) meets(att, def uint8) bool {
	group, touch := t.groups(def)
	free := (uint8(1)<<t.n - 1) &^ (att | def)
	for c := range t.chains {
		if bits.OnesCount8(touch[c]&free) < t.need(group[c]) {
			return false
		}
	}
	return true
}

// solid reports whether a state meets the goal though the defender moves no more:
// no attacker is left, no point is away from the stones around it, and the eyes are
// there, each a part of the region all of whose points are beside the chain.
func (t *Solver) solid(att, def uint8) bool {
	if att != 0 {
		return false
	}
	group, touch := t.groups(def)
	var eyes [Chains]int
	for free := (uint8(1)<<t.n - 1) &^ def; free != 0; {
		part := t.flow(free&-free, free)
		free &^= part
		var near uint8
		for c := range t.chains {
			near |= touch[c]
			if part&^touch[c] == 0 {
				eyes[c]++
			}
		}
		if part&^near != 0 {
			return false
		}
	}
	for c := range t.chains {
		if t.goal == Joined && t.need(group[c]) == 2 || eyes[c] < t.need(group[c]) {
			return false
		}
	}
	return true
}
