package endgame

import (
	"fmt"
	"slices"
)

// shape numbers the positions of a material without its turn: a pair of kings, one for
// all its pictures, then every group of equal men as a combination of squares.
//
// Pictures of one position have one number: where a symmetry leaves the kings as they
// are, the least. The other numbers of such positions, and those with two men on one
// square, are of none.
type shape struct {
	*law
	x      Material
	slots  []man // the kings, then the others in their groups
	groups []group
	syms   []int // that keep the ways of all men here
	*kings
	stride int // of a pair
	size   int // numbers
}

// kings are the pairs of kings under some symmetries. Endings share them.
type kings struct {
	pairs  [][2]square
	pairOf []int32   // by both squares: the pair that stands for them; -1 for none
	toPair [][]uint8 // by both squares: the symmetries, by place in syms, that take them there

	// lone tells that some symmetry leaves a king on a square as it is: only then can
	// two moves of the other side lead to pictures of one position.
	lone [maxSquares]bool
}

// group is some equal men.
type group struct {
	first, n int // slots
	stride   int
	count    int
	rank     [maxSquares]int16    // of a square in home; -1 where they cannot stand
	add      [][maxSquares]uint32 // of one man, by symmetry: what its square adds to a number
	combos   [][]square           // by rank
}

// maxPositions bounds a table.
const maxPositions = 1 << 32

func newShape(l *law, x Material) (*shape, error) {
	s := &shape{law: l, x: x, slots: []man{manOf(0, 0), manOf(0, 1)}}
	for side := range 2 {
		for kind := 1; kind < len(x.have[side]); kind++ {
			n := int(x.have[side][kind])
			if n == 0 {
				continue
			}
			s.groups = append(s.groups, group{first: len(s.slots), n: n})
			for range n {
				s.slots = append(s.slots, man(2*kind+side))
			}
		}
	}
	for sym := range l.turn {
		if !slices.ContainsFunc(s.slots, func(m man) bool { return !l.keeps[m][sym] }) {
			s.syms = append(s.syms, sym)
		}
	}
	s.kings = l.kingsUnder(s.syms)
	stride := 1
	for i := range slices.Backward(s.groups) {
		g := &s.groups[i]
		home := l.home[s.slots[g.first]]
		g.count, g.stride = choose[len(home)][g.n], stride
		if stride *= g.count; stride > maxPositions || g.count > 1<<24 {
			return nil, fmt.Errorf("%s has too many positions for a table", x)
		}
	}
	s.stride, s.size = stride, stride*len(s.pairs)
	if s.size > maxPositions {
		return nil, fmt.Errorf("%s has %d positions: a table has at most %d", x, s.size, int64(maxPositions))
	}
	for i := range s.groups {
		g := &s.groups[i]
		home := l.home[s.slots[g.first]]
		for sq := range g.rank {
			g.rank[sq] = int16(slices.Index(home, square(sq)))
		}
		g.combine(home)
		for _, sym := range s.syms {
			var add [maxSquares]uint32
			for _, sq := range home {
				add[sq] = uint32(int(g.rank[l.turn[sym][sq]]) * g.stride)
			}
			g.add = append(g.add, add)
		}
	}
	return s, nil
}

// kingsUnder numbers the pairs of kings.
func (l *law) kingsUnder(syms []int) *kings {
	name := fmt.Sprint(syms)
	l.mu.Lock()
	defer l.mu.Unlock()
	if k := l.kinged[name]; k != nil {
		return k
	}
	k := l.pair(syms)
	l.kinged[name] = k
	return k
}

func (l *law) pair(syms []int) *kings {
	s, n := &kings{}, l.area
	s.pairOf, s.toPair = make([]int32, n*n), make([][]uint8, n*n)
	for i := range s.pairOf {
		s.pairOf[i] = -1
	}
	for sq := range n {
		for _, sym := range syms[1:] {
			s.lone[sq] = s.lone[sq] || int(l.turn[sym][sq]) == sq
		}
	}
	for _, a := range l.home[manOf(0, 0)] {
		for _, b := range l.home[manOf(0, 1)] {
			at := int(a)*n + int(b)
			if touch := l.blows[0][at]; a == b || touch.need == 0 && touch.between == (set{}) {
				continue
			}
			least := [2]square{a, b}
			for _, sym := range syms {
				p := [2]square{l.turn[sym][a], l.turn[sym][b]}
				if slices.Compare(p[:], least[:]) < 0 {
					least = p
				}
			}
			for i, sym := range syms {
				if l.turn[sym][a] == least[0] && l.turn[sym][b] == least[1] {
					s.toPair[at] = append(s.toPair[at], uint8(i))
				}
			}
			if least == [2]square{a, b} {
				s.pairOf[at] = int32(len(s.pairs))
				s.pairs = append(s.pairs, least)
			}
		}
	}
	for at := range s.toPair {
		if len(s.toPair[at]) > 0 {
			t := &l.turn[syms[s.toPair[at][0]]]
			s.pairOf[at] = s.pairOf[int(t[at/n])*n+int(t[at%n])]
		}
	}
	return s
}

// choose[n][k] is how many combinations of k there are among n.
var choose = func() (c [maxSquares + 1][maxMen + 1]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= min(n, maxMen); k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// combine lists the combinations of squares in the order of their ranks.
func (g *group) combine(home []square) {
	g.combos = make([][]square, g.count)
	at := make([]int, g.n)
	var fill func(k, above int)
	fill = func(k, above int) {
		if k < 0 {
			combo, r := make([]square, g.n), 0
			for i, a := range at {
				combo[i] = home[a]
				r += choose[a][i+1]
			}
			g.combos[r] = combo
			return
		}
		for a := k; a < above; a++ {
			at[k] = a
			fill(k-1, a)
		}
	}
	fill(g.n-1, len(home))
}

// place is a position on the board: where the men of a shape stand.
type place struct {
	sq  [maxMen]square
	on  [maxSquares]int8 // slot + 1
	occ set
}

// put lays the men of a number on an empty board; ok is false where two stand on one
// square. What was put is to be lifted either way.
func (s *shape) put(p *place, number int) (ok bool) {
	pair := s.pairs[number/s.stride]
	p.sq[0], p.sq[1] = pair[0], pair[1]
	rest := number % s.stride
	for i := range s.groups {
		g := &s.groups[i]
		r := rest / g.stride
		rest -= r * g.stride
		copy(p.sq[g.first:], g.combos[r])
	}
	ok = true
	for i := range s.slots {
		q := p.sq[i]
		ok = ok && p.on[q] == 0
		p.on[q] = int8(i + 1)
		p.occ.add(q)
	}
	return ok
}

// lift takes all men off.
func (s *shape) lift(p *place) {
	for i := range s.slots {
		p.on[p.sq[i]] = 0
	}
	p.occ = set{}
}

// number returns that of a position, and how many symmetries leave the position as it is.
// It reads p.sq alone. The kings must be a pair.
func (s *shape) number(p *place) (number, same int) {
	at := int(p.sq[0])*s.area + int(p.sq[1])
	base := int(s.pairOf[at]) * s.stride
	for _, sym := range s.toPair[at] {
		n := base
		for i := range s.groups {
			g := &s.groups[i]
			if g.n == 1 {
				n += int(g.add[sym][p.sq[g.first]])
			} else {
				n += s.many(g, int(sym), p)
			}
		}
		switch {
		case same == 0 || n < number:
			number, same = n, 1
		case n == number:
			same++
		}
	}
	return number, same
}

// many returns what a group of several men adds to a number.
func (s *shape) many(g *group, sym int, p *place) int {
	t := &s.turn[s.syms[sym]]
	var at [maxMen]int16
	for i := range g.n {
		r := g.rank[t[p.sq[g.first+i]]]
		j := i
		for ; j > 0 && at[j-1] > r; j-- {
			at[j] = at[j-1]
		}
		at[j] = r
	}
	sum := 0
	for i := range g.n {
		sum += choose[at[i]][i+1]
	}
	return sum * g.stride
}

// images returns how many pictures a position has that so many symmetries leave as it is.
func (s *shape) images(same int) int64 { return int64(len(s.syms) / same) }

// attacked reports whether a side could take the king of the other. One of its men may be
// left out, which has been taken; -1 for none. It reads p.sq and p.occ.
func (s *shape) attacked(p *place, by int, without int) bool {
	k := int(p.sq[1-by])
	for i, m := range s.slots {
		if int(m&1) != by || i == without {
			continue
		}
		if b := &s.blows[m][int(p.sq[i])*s.area+k]; b.need >= 0 && p.occ.count(b.between) == int(b.need) {
			return true
		}
	}
	return false
}
