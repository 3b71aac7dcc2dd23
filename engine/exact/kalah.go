package exact

import (
	"encoding/binary"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/kalah"
)

// pits is a position of Kalah as memory has it: the houses of the side to move, then
// those of the other. What is in store is not in it: it changes nothing about what can
// be won from here.
type pits [16]uint8

// sowReader reads Kalah.
type sowReader struct {
	*meter
	houses int
	memory []sown
	mask   uint64
	used   int64
	move   int
}

// sown is what is known of a position: what the side to move still wins more than the
// other, at least and at most.
type sown struct {
	key       pits
	low, high int16
	move      int8
	there     bool
}

const sownBytes = 24

func solveKalah(m *meter, p *kalah.Position, l Limits) (*Answer, error) {
	side := p.Turn()
	own, other := p.Row(side), p.Row(side.Opponent())
	s := &sowReader{meter: m, houses: len(own)}
	size := uint64(1024)
	for int64(size*2)*sownBytes <= l.Memory {
		size *= 2
	}
	s.memory, s.mask = make([]sown, size), size-1
	var q pits
	copy(q[:], own)
	copy(q[s.houses:], other)
	all := q.sum(0, 2*s.houses)
	best := -1
	v := search(m, -all, all, 0, func(want int) bool {
		yes := s.read(&q, want-1, want, 0) >= want
		if yes && m.stop == nil {
			best = s.move
		}
		return yes
	})
	if best < 0 {
		best = slices.IndexFunc(own, func(n uint8) bool { return n > 0 })
	}
	moves, at := p.AppendMoves(nil), 0
	for i := range best {
		if own[i] > 0 {
			at++
		}
	}
	a := &Answer{Value: v + p.Lead(side), Move: game.NoMove, Kept: s.used}
	if at < len(moves) {
		a.Move = moves[at]
	}
	return a, m.stop
}

func (p *pits) sum(from, to int) (n int) {
	for _, x := range p[from:to] {
		n += int(x)
	}
	return n
}

// sow plays a house: what it brings, whether the side moves again, and whether the game
// is over. The houses stay in their places.
func (s *sowReader) sow(p pits, at int) (next pits, gain int, again, over bool) {
	h := s.houses
	hand := int(p[at])
	p[at] = 0
	// The ring is the own houses, the own store, the other's houses.
	ring := 2*h + 1
	pos := at
	for ; hand > 0; hand-- {
		if pos++; pos == ring {
			pos = 0
		}
		switch {
		case pos < h:
			p[pos]++
		case pos == h:
			gain++
		default:
			p[pos-1]++
		}
	}
	if pos < h && p[pos] == 1 {
		if opposite := 2*h - 1 - pos; p[opposite] > 0 {
			gain += int(p[opposite]) + 1
			p[pos], p[opposite] = 0, 0
		}
	}
	mine, theirs := p.sum(0, h), p.sum(h, 2*h)
	if mine == 0 || theirs == 0 {
		return p, gain + mine - theirs, false, true
	}
	return p, gain, pos == h, false
}

func (s *sowReader) slot(p *pits) *sown {
	h := board.Mix(binary.LittleEndian.Uint64(p[:8]))
	h = board.Mix(h ^ binary.LittleEndian.Uint64(p[8:]))
	return &s.memory[h&s.mask]
}

// read returns what the side to move still wins more than the other, as far as it lies
// between alpha and beta; outside it is a bound.
func (s *sowReader) read(p *pits, alpha, beta, ply int) int {
	if s.step() {
		return 0
	}
	h := s.houses
	left := p.sum(0, 2*h)
	if ply > 0 {
		switch {
		case left <= alpha:
			return left
		case -left >= beta:
			return -left
		}
	}
	low, high, hint := -left, left, int8(-1)
	if e := s.slot(p); e.there && e.key == *p {
		low, high, hint = int(e.low), int(e.high), e.move
		if ply > 0 {
			switch {
			case low >= beta:
				s.hits++
				return low
			case high <= alpha:
				s.hits++
				return high
			}
		}
	}
	type choice struct {
		next        pits
		gain, rank  int
		at          int8
		again, over bool
	}
	var room [8]choice
	list := room[:0]
	for at := h - 1; at >= 0; at-- {
		if p[at] == 0 {
			continue
		}
		c := choice{at: int8(at)}
		c.next, c.gain, c.again, c.over = s.sow(*p, at)
		c.rank = 4 * c.gain
		if c.again {
			c.rank += 50
		}
		if c.at == hint {
			c.rank += 1000
		}
		i := len(list)
		list = append(list, c)
		for ; i > 0 && list[i-1].rank < c.rank; i-- {
			list[i] = list[i-1]
		}
		list[i] = c
	}
	best, move := -1<<14, int8(-1)
	for i := range list {
		c := &list[i]
		v := c.gain
		if !c.over {
			a, b := max(alpha, best)-c.gain, beta-c.gain
			if c.again {
				v += s.read(&c.next, a, b, ply+1)
			} else {
				var turned pits
				copy(turned[:h], c.next[h:2*h])
				copy(turned[h:], c.next[:h])
				v -= s.read(&turned, -b, -a, ply+1)
			}
			if s.stop != nil {
				return 0
			}
		}
		if v > best {
			best, move = v, c.at
		}
		if best >= beta {
			break
		}
	}
	if ply == 0 {
		s.move = int(move)
	}
	if best >= beta {
		low = best
	} else if best <= alpha {
		high = best
	} else {
		low, high = best, best
	}
	e := s.slot(p)
	if !e.there {
		s.used++
	}
	*e = sown{key: *p, low: int16(low), high: int16(high), move: move, there: true}
	return best
}
