package factors

import (
	"math/bits"

	"qipu/game"
	"qipu/game/checkers"
)

// Checkers has the factors of checkers.
type Checkers struct{}

var checkersNames = []string{
	"men", "kings", "pieces ahead, by how few there are", "advancement", "back row", "centre, men", "centre, kings", "mobility",
	"denied squares", "threat", "exposure", "support", "double corner", "single corner", "edge", "holes", "pole", "runaway men",
	"dog hole", "the move",
}

// Names names them.
func (Checkers) Names() []string { return checkersNames }

const (
	evenRows uint32 = 0x0F0F0F0F
	centre          = 1<<9 | 1<<10 | 1<<13 | 1<<14 | 1<<17 | 1<<18 | 1<<21 | 1<<22
	edges           = 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<4 | 1<<11 | 1<<12 | 1<<19 | 1<<20 | 1<<27 | 1<<28 | 1<<29 | 1<<30 | 1<<31
)

var (
	home      = [2]uint32{0x0000000F, 0xF0000000}
	bridge    = [2]uint32{1<<0 | 1<<2, 1<<29 | 1<<31}
	strongEnd = [2]uint32{1<<0 | 1<<4, 1<<27 | 1<<31} // the corner of two squares of a side
	weakEnd   = [2]uint32{1<<3 | 1<<7, 1<<24 | 1<<28}
	dog       = [2]uint32{1 << 27, 1 << 4}
)

// Sides of a side's men are counted on squares next to them; beyond the board counts as
// support.
var beside [32][4]int8 // down right, down left, up right, up left; -1 for none

func init() {
	for s := range beside {
		row, col := s/4, s%4
		x := 2*col + (row+1)%2
		for d, step := range [4][2]int{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
			nx, ny := x+step[0], row+step[1]
			beside[s][d] = -1
			if nx >= 0 && nx < 8 && ny >= 0 && ny < 8 {
				beside[s][d] = int8(4*ny + nx/2)
			}
		}
	}
}

// hand is what one side has.
type hand struct {
	men, kings                   int
	advance, back, mid, midKings int
	moves, denied, threat        int
	support, strong, weak, edge  int
	holes, pole, run, dog        int
}

// AppendFactors counts them.
func (Checkers) AppendFactors(dst []int8, pos game.Position, side game.Side) []int8 {
	p := pos.(*checkers.Position)
	var h [2]hand
	for i, s := range both(side) {
		h[i] = count(p, s)
	}
	a, b := &h[0], &h[1]
	ahead := 0
	if total := 2*a.men + 3*a.kings + 2*b.men + 3*b.kings; total > 0 {
		ahead = 60 * (2*a.men + 3*a.kings - 2*b.men - 3*b.kings) / total
	}
	// Who is to play has the move if an odd number of pieces, of both sides, stands in its
	// own rows, the first and every other one.
	rows := evenRows
	if p.Turn() != game.First {
		rows = ^rows
	}
	all := p.Men(0) | p.Kings(0) | p.Men(1) | p.Kings(1)
	move := -1
	if odd := bits.OnesCount32(all&rows)%2 == 1; odd == (p.Turn() == side) {
		move = 1
	}
	for _, n := range [...]int{
		a.men - b.men, a.kings - b.kings, ahead, a.advance - b.advance, a.back - b.back, a.mid - b.mid, a.midKings - b.midKings, a.moves - b.moves,
		a.denied - b.denied, a.threat, -b.threat, a.support - b.support, a.strong - b.strong, a.weak - b.weak, a.edge - b.edge, a.holes - b.holes,
		a.pole - b.pole, a.run - b.run, a.dog - b.dog, move,
	} {
		dst = append(dst, clamp(n))
	}
	return dst
}

// count counts what a side has.
func count(p *checkers.Position, side game.Side) (h hand) {
	men, kings := p.Men(side), p.Kings(side)
	own, other := men|kings, p.Men(side^1)|p.Kings(side^1)
	empty := ^(own | other)
	h.men, h.kings = bits.OnesCount32(men), bits.OnesCount32(kings)
	h.mid, h.midKings = bits.OnesCount32(men&centre), bits.OnesCount32(kings&centre)
	h.edge, h.dog = bits.OnesCount32(own&edges), bits.OnesCount32(own&dog[side])
	h.strong, h.weak = bits.OnesCount32(own&strongEnd[side]), bits.OnesCount32(own&weakEnd[side])
	h.back = bits.OnesCount32(men & home[side])
	if men&bridge[side] == bridge[side] {
		h.back += 2
	}
	forward := [2]int{0, 1}
	if side == 1 {
		forward = [2]int{3, 2}
	}
	for rest := own; rest != 0; rest &= rest - 1 {
		s := bits.TrailingZeros32(rest)
		row := s / 4
		if side == 1 {
			row = 7 - row
		}
		man, alone, free := men>>s&1 == 1, true, false
		if man {
			h.advance += row
		}
		for d, n := range beside[s] {
			if n < 0 {
				if d != forward[0] && d != forward[1] {
					h.support++
				}
				continue
			}
			ahead := d == forward[0] || d == forward[1]
			bit := uint32(1) << n
			switch {
			case own&bit != 0:
				alone = false
				if !ahead {
					h.support++
				}
			case empty&bit != 0 && (ahead || !man):
				free = true
				if covered(other, p.Kings(side^1), empty|1<<s, int(n), side) {
					h.denied--
				} else {
					h.moves++
				}
			case other&bit != 0 && (ahead || !man):
				if to := beside[n][d]; to >= 0 && empty>>to&1 == 1 {
					h.threat++
				}
			}
		}
		if alone {
			h.pole--
		}
		if man && free && row >= 4 && clear(other, s, side) {
			h.run += row - 3
		}
	}
	for rest := empty; rest != 0; rest &= rest - 1 { // empty squares with three own pieces round them
		s, n := bits.TrailingZeros32(rest), 0
		for _, q := range beside[s] {
			if q >= 0 && own>>q&1 == 1 {
				n++
			}
		}
		if n >= 3 {
			h.holes++
		}
	}
	return h
}

// covered reports whether a piece of a side that came to a square could be taken there.
func covered(other, kings, empty uint32, at int, side game.Side) bool {
	for d, from := range beside[at] {
		to := beside[at][3-d]
		if from < 0 || to < 0 || other>>from&1 == 0 || empty>>to&1 == 0 {
			continue
		}
		// The enemy jumps from one side to the other; its men only forward.
		up := d >= 2 // it stands above
		if kings>>from&1 == 1 || up == (side == 1) {
			return true
		}
	}
	return false
}

// clear reports whether no enemy stands ahead of a man within its reach.
func clear(other uint32, s int, side game.Side) bool {
	row, x := s/4, 2*(s%4)+(s/4+1)%2
	for rest := other; rest != 0; rest &= rest - 1 {
		q := bits.TrailingZeros32(rest)
		r, y := q/4, 2*(q%4)+(q/4+1)%2
		ahead := r - row
		if side == 1 {
			ahead = -ahead
		}
		if dx := y - x; ahead > 0 && dx <= ahead+1 && -dx <= ahead+1 {
			return false
		}
	}
	return true
}
