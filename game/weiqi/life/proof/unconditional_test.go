package proof

import (
	"math/bits"

	"qipu/game/weiqi/life"
)

// unconditional is Benson with more territory: also regions that are vital to no
// string, if living strings wall them in and the other side cannot come to live there
// by Benson's theorem itself, though it alone moves. That is how GNU Go defines it, whose
// suites are compared with this. Unlike the claims of Benson and Static it sets ko
// aside: stones inside that would have to win one are not alive.
func (p *Prover) unconditional(b *life.Board) *Proof {
	p.Benson(b)
	if b.Choked() >= 0 {
		return &p.proof
	}
	var m room
	for colour := life.Black; colour <= life.White; colour++ {
		r := &p.regions[colour-1]
		p.benson.run(b, r, p.Suicide)
		p.static.begin(b, r, &p.benson)
		for i := range r.List {
			if p.static.walledIn(&m, i) {
				p.proof.territory(r, i)
			}
		}
	}
	return &p.proof
}

// walledIn reports whether safe strings wall in a region that is vital to none of
// them and has no room for two eyes, whatever is played.
func (s *static) walledIn(m *room, i int) bool {
	if len(s.r.Border(i)) == 0 || !s.allSafe(i) || s.t.claims(i) {
		return false
	}
	return m.none(s.b, s.r, i)
}

// maxRoom bounds the interior points of a region whose ways to hold eyes are all
// tried.
const maxRoom = 6

// room tries all ways in which the other side could have eyes in a region.
type room struct {
	eyes  [maxRoom]life.Cell
	next  [maxRoom]uint8     // eyes beside an eye
	of    [life.Cells]int8   // the string of a cell: those beside an eye are numbered
	eye   [life.Cells]int8   // the number of an eye, -1 for others
	near  [maxRoom][4]int8   // strings beside an eye, -1 for none
	touch [4 * maxRoom]uint8 // eyes beside a string
	stack []life.Cell
}

// none reports whether the other side cannot live in a region even if it alone
// moves there: however it leaves some of the interior points as eyes and fills all
// else, its stones do not live by Benson's theorem. To leave more, or points that
// safe stones touch, gains nothing: these can be filled from outside.
func (m *room) none(b *life.Board, r *life.Regions, i int) bool {
	n := 0
	for _, c := range r.Cells(i) {
		m.eye[c] = -1
		if !r.Interior(b, c) {
			continue
		}
		if n == maxRoom {
			return false
		}
		m.eyes[n], m.next[n] = c, 0
		for k, d := range m.eyes[:n] {
			if c == d+life.Up || c == d+life.Left || c == d+life.Right || c == d+life.Down {
				m.next[n] |= 1 << k
				m.next[k] |= 1 << n
			}
		}
		n++
	}
next:
	for set := uint8(3); set < 1<<n; set++ {
		if bits.OnesCount8(set) < 2 {
			continue
		}
		for rest := set; rest != 0; rest &= rest - 1 {
			if m.next[bits.TrailingZeros8(rest)]&set != 0 {
				continue next
			}
		}
		if m.lives(r, i, n, set) {
			return false
		}
	}
	return true
}

// lives reports whether some stones live when all of a region but a set of eyes is
// theirs.
func (m *room) lives(r *life.Regions, i, n int, set uint8) bool {
	for _, c := range r.Cells(i) {
		m.of[c] = -1
	}
	for k, c := range m.eyes[:n] {
		m.eye[c] = -1
		if set>>k&1 != 0 {
			m.eye[c] = int8(k)
		}
	}
	strings := int8(0)
	for rest := set; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros8(rest)
		for s, step := range life.Steps {
			m.near[k][s] = -1
			c := m.eyes[k] + step
			if r.Of[c] != int16(i) {
				continue
			}
			if m.of[c] < 0 {
				m.fill(r, i, c, strings)
				strings++
			}
			m.near[k][s] = m.of[c]
		}
	}
	// Benson's theorem, where every eye is one point.
	alive := uint32(1)<<strings - 1
	for again := true; again; {
		again = false
		whole := uint8(0)
		for rest := set; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros8(rest)
			good := true
			for _, s := range m.near[k] {
				good = good && (s < 0 || alive>>s&1 != 0)
			}
			if good {
				whole |= 1 << k
			}
		}
		for s := range strings {
			if alive>>s&1 != 0 && bits.OnesCount8(m.touch[s]&whole) < 2 {
				alive &^= 1 << s
				again = true
			}
		}
	}
	return alive != 0
}

// fill numbers a string, and finds the eyes beside it.
func (m *room) fill(r *life.Regions, i int, from life.Cell, number int8) {
	m.of[from] = number
	m.touch[number] = 0
	m.stack = append(m.stack[:0], from)
	for k := 0; k < len(m.stack); k++ {
		for _, step := range life.Steps {
			c := m.stack[k] + step
			if r.Of[c] != int16(i) {
				continue
			}
			if e := m.eye[c]; e >= 0 {
				m.touch[number] |= 1 << e
			} else if m.of[c] < 0 {
				m.of[c] = number
				m.stack = append(m.stack, c)
			}
		}
	}
}
